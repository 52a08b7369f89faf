"""Discoveries, proposals and technologies (SS-7): from an open discovery to what a kingdom owns."""

from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.codes import is_anachronistic, is_code
from engine.sovereigns.orders import Proposal
from engine.sovereigns.state import Discovery, State
from engine.sovereigns.table import Table

PROPOSAL_HOURS = 24


def discover(table: Table, player: int, proposal: Proposal | None, *, great: bool) -> None:
    """A discovery, open until a proposal for it is approved; a proposal that its success does not
    allow is dropped (SF-9.12).
    """
    table.tell(e.Discovered(player, great), ["SS-6.1", "SS-7.2"])
    table.change(player, discoveries=(*table.of(player).discoveries, Discovery(great)))
    if proposal is None:
        return
    if is_allowed(table.state, player, proposal, great=great):
        _fill(table, player, len(table.of(player).discoveries) - 1, proposal)
    else:
        table.tell(e.ProposalRefused(player, proposal.name, by_rules=True), ["SS-7.8", "SS-7.5"])


def is_allowed(state: State, player: int, proposal: Proposal, *, great: bool) -> bool:
    """Whether its code is on the lists; an anachronistic one takes a great discovery and an owned
    origin (SS-7.8).
    """
    return is_code(proposal.code) and (
        not is_anachronistic(proposal.code)
        or (great and proposal.origin in state.kingdom(player).tech)
    )


def place_for(state: State, player: int, proposal: Proposal) -> int | None:
    """Which open discovery a later proposal fills: a plain one before a great one (SF-9.12); None
    if none fits.
    """
    open_ones = [
        (d.great, i) for i, d in enumerate(state.kingdom(player).discoveries) if not d.name
    ]
    fitting = [
        (great, i) for great, i in open_ones if is_allowed(state, player, proposal, great=great)
    ]
    return min(fitting)[1] if fitting else None


def propose(table: Table, player: int, proposal: Proposal) -> None:
    """Fill an open discovery; ValueError if none fits."""
    place = place_for(table.state, player, proposal)
    if place is None:
        raise ValueError("no-discovery")
    _fill(table, player, place, proposal)


def _fill(table: Table, player: int, place: int, proposal: Proposal) -> None:
    name = _unused(table.state, proposal.name)
    great, number = table.of(player).discoveries[place].great, table.state.proposals + 1
    filled = Discovery(great, name, proposal.code, PROPOSAL_HOURS, number)
    table.put(proposals=number)
    _put(table, player, place, filled)
    table.tell(e.ProposalMade(player, name, proposal.code), ["SS-7.2", "SS-7.3"])


def _unused(state: State, name: str) -> str:
    """A name in use gets a number behind it (SF-9.12)."""
    taken = {
        *state.technologies,
        *(d.name for kingdom in state.kingdoms for d in kingdom.discoveries),
    }
    if name not in taken:
        return name
    return next(f"{name} {i}" for i in range(2, len(taken) + 3) if f"{name} {i}" not in taken)


def _put(table: Table, player: int, place: int, discovery: Discovery | None) -> None:
    held = list(table.of(player).discoveries)
    held[place : place + 1] = [] if discovery is None else [discovery]
    table.change(player, discoveries=tuple(held))


def approve(table: Table, player: int, place: int, code: str = "") -> None:
    """A proposal becomes a technology, with another code if it was amended (SS-7.3)."""
    proposal = table.of(player).discoveries[place]
    _put(table, player, place, None)
    table.put(technologies={**table.state.technologies, proposal.name: code or proposal.code})
    obtain(table, player, proposal.name, "SS-7.3" if code else "SS-7.4")


def refuse(table: Table, player: int, place: int) -> None:
    """The discovery stays open (SS-7.5)."""
    held = table.of(player).discoveries[place]
    _put(table, player, place, Discovery(held.great))
    table.tell(e.ProposalRefused(player, held.name), ["SS-7.5"])


def obtain(table: Table, player: int, name: str, rule: str) -> None:
    """A technology is owned at most once (SS-7.12)."""
    kingdom = table.of(player)
    if name not in kingdom.tech:
        table.change(player, tech=(*kingdom.tech, name))
        table.tell(e.TechnologyGot(player, name, table.state.technologies[name]), [rule, "SS-7.12"])


def find_proposal(state: State, name: str) -> tuple[int, int] | None:
    """Whose proposal of this name is open, and which of theirs."""
    for kingdom in state.kingdoms:
        for i, discovery in enumerate(kingdom.discoveries):
            if discovery.name == name:
                return kingdom.number, i
    return None


def amend(table: Table, name: str, code: str) -> None:
    """After approval: another code for all who have it, or (an empty one) nobody has it any more;
    buildings stay (SF-5).
    """
    technologies = {**table.state.technologies, name: code}
    if not code:
        del technologies[name]
        for kingdom in table.state.kingdoms:
            if name in kingdom.tech:
                table.change(
                    kingdom.number, tech=tuple(other for other in kingdom.tech if other != name)
                )
    table.put(technologies=technologies)
    table.tell(e.TechnologyChanged(name, code), ["SS-7.3", "SS-7.4", "SS-10.8"])


def run_down(table: Table) -> None:
    """An hour passes over the open proposals; with the game master silent the oldest in seat order
    is approved first (SS-7.4).
    """
    for number in table.state.seating:
        held = table.of(number).discoveries
        table.change(
            number, discoveries=tuple(replace(d, left=d.left - 1) if d.name else d for d in held)
        )
        while due := [
            i for i, d in enumerate(table.of(number).discoveries) if d.name and d.left <= 0
        ]:
            approve(table, number, due[0])
