"""What becomes of a seat whose player is gone: a substitute for a time, the rules' defaults, out of
the game, or left empty by a game master's order.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pbem.desk.authentication.tenures import find_substitution, is_idle
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL
from pbem.desk.gm.acts import Acting, Plan, do_act
from pbem.desk.gm.command import commanded
from pbem.desk.gm.people import check_newcomer, find_seat, replace
from pbem.desk.gm.tables import barred, parse_other_address
from pbem.desk.letters.post import at_table
from pbem.desk.mandate import By, Refused, find_open_phase
from pbem.desk.people.absent_players import go_on_by_defaults, leave_empty, wake_up
from pbem.desk.people.eligibility import has_asked_for, why_no_seat
from pbem.desk.people.stand_ins import Asked, ask_person
from pbem.desk.people.substitutions import MOST_DAYS, check_span, give_back
from pbem.desk.ports import Desk, Services
from pbem.desk.table import OpenTable
from pbem.pages.people import SeatRemoved
from pbem.store.repositories.seats import SeatRow

SUBSTITUTE, OFFER = "game substitute", "game offer"
DEFAULTS, AWAKE = "game defaults", "game awake"
REMOVE = "game remove"
MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who must be asked to play for somebody, and from when (None: now) until when."""

    address: str
    until: datetime
    name: str = ""
    since: datetime | None = None


async def substitute(services: Desk, slug: str, seat_name: str, wanted: Wanted, by: By) -> str:
    """Ask somebody to play on a seat until then; what the seat is called. It changes hands with
    their yes and not before, and goes back by itself. The seat's player and the game masters are
    told of the answer.
    """
    address = parse_other_address(services.policy, wanted.address)
    now = services.clock.now()
    async with commanded(services, by, "gm.substitute.written") as tx:
        game, table, _phase = await find_open_phase(tx, slug, paused_too=True)
        seat = _with_player(table, seat_name)
        since = wanted.since if wanted.since is not None and wanted.since > now else None
        span = check_span(since, wanted.until, now)
        if span is not None:
            why = (
                "lies in the past, or before its beginning"
                if span == "past"
                else f"is more than {MOST_DAYS} days away"
            )
            raise Refused(
                "bad-time", f"that end {why}; for good somebody gets a seat by `pbem game replace`"
            )
        if await find_substitution(tx.work, seat) is not None:
            raise Refused("has-substitute", f"{seat.name} already has a substitute")
        person = await tx.work.people.find_by_address(MAIL, address)
        why_not = await why_no_seat(tx.work, table, seat, person.id if person is not None else None)
        if why_not is not None or (person is not None and person.id == seat.person_id):
            raise Refused(why_not or "plays-here", _words(why_not or "plays-here", address, table))
        name = (
            wanted.name or (person.name if person is not None else "") or address.partition("@")[0]
        )
        await tx.log(
            SUBSTITUTE,
            {"seat": seat.name, "name": name, "until": wanted.until},
            game.id,
            public=False,
        )
        asked = Asked(
            seat.id,
            seat.tenure,
            name,
            person.id if person is not None else None,
            since,
            wanted.until,
            by.name,
        )
        if await ask_person(tx, table, seat, address, asked) is None:
            raise Refused("asked-already", f"{address} already has such a question to answer")
    return seat.name


def _words(why: str, address: str, table: OpenTable) -> str:
    title = table.game.title
    match why:
        case "plays-here":
            return f"{address} has a seat at {title} already"
        case "knew-another-seat":
            return f"{address} had another seat at {title}, and knows what only that one may know"
        case "barred":
            return str(barred(address))
    return f"{address} has answered fewer windows of earlier games than {title} asks for"


async def offer_seat(
    services: Desk,
    slug: str,
    seat_name: str,
    name: str,
    address: str,
    by: By,
    *,
    zone: str | None = None,
) -> str:
    """Ask somebody to take a seat for good, also one that stands empty; what the seat is called. It
    changes hands with their yes and not before; the game masters are told of the answer. The person
    who has asked for it has it at once.
    """
    address = parse_other_address(services.policy, address)
    async with services.write() as tx:  # which locks the game, though nothing is written
        _game, table, _phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        person = await tx.work.people.find_by_address(MAIL, address)
        has_asked = person is not None and await has_asked_for(tx.work, table, seat, person)
    if has_asked:
        await replace(services, slug, seat_name, name or None, address, by, zone=zone)
        return seat.name
    async with commanded(services, by, "gm.offer.written") as tx:
        game, table, _phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        person = await tx.work.people.find_by_address(MAIL, address)
        await check_newcomer(tx.work, table, seat, address, name or seat.name, zone)
        called = name or (person.name if person is not None else "") or address.partition("@")[0]
        await tx.log(OFFER, {"seat": seat.name, "name": called}, game.id, public=False)
        asked = Asked(
            seat.id,
            seat.tenure,
            called,
            person.id if person is not None else None,
            by=by.name,
            zone=zone or "",
        )
        if await ask_person(tx, table, seat, address, asked) is None:
            raise Refused("asked-already", f"{address} already has such a question to answer")
    return seat.name


def _with_player(table: OpenTable, seat_name: str) -> SeatRow:
    """The seat, which is in the game and has somebody. Refused if not."""
    seat = find_seat(table, seat_name)
    if seat.number not in table.kind.ruleset.active(table.state):
        raise Refused("eliminated", f"{seat.name} is already out of the game")
    if seat.status != "active" or seat.person_id is None:
        raise Refused(
            "vacant",
            f"the seat of {seat.name} is empty; `pbem game replace` gives it to a player",
        )
    return seat


async def set_defaults(
    services: Desk, slug: str, seat_name: str, by: By, *, off: bool = False
) -> str:
    """Let a seat continue by the rules' defaults, with nobody waiting for it until its player
    writes again (`off`: wait for it again); what the seat is called. Everybody is told.
    """
    async with commanded(services, by, "gm.defaults.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        seat = _with_player(table, seat_name)
        if is_idle(table, seat) is not off:
            raise Refused(
                "no-change",
                f"{seat.name} {'is waited for' if off else 'goes on by defaults'} already; nobody"
                " was told anything",
            )
        detail = {"seat": seat.name, "phase": phase.number}
        entry = await tx.log(AWAKE if off else DEFAULTS, detail, game.id)
        if off:
            await wake_up(tx, table, seat, f"gm:{entry}", by_master=True)
        else:
            await go_on_by_defaults(tx, table, seat, f"gm:{entry}", 0)
    return seat.name


async def remove(
    services: Services,
    slug: str,
    seat_name: str,
    reason: str,
    by: By,
    *,
    only_of: tuple[int, int] | None = None,
) -> None:
    """Take a player out of the game for good, by the act of the rules for the person who has given
    up; everybody is told, with the reason.

    `only_of`: the seat's id and tenure; refused as `overtaken` where somebody sits there since.
    """
    reason = " ".join(reason.split())
    if len(reason) > MOST_CHARACTERS:
        raise Refused("too-long", f"at most {MOST_CHARACTERS} characters")

    def plan(table: OpenTable) -> Plan:
        seat = find_seat(table, seat_name)
        if only_of is not None and (seat.id, seat.tenure) != only_of:
            raise Refused("overtaken", f"another player has the seat of {seat.name} now")
        if seat.number not in table.kind.ruleset.active(table.state):
            raise Refused("eliminated", f"{seat.name} is already out of the game")

        async def tell(_tx: object, acting: Acting, entry: int) -> Iterable[NewLetter]:
            return acting.post.to(
                at_table(commander=by.person_id),
                SeatRemoved(seat.name, reason, by.name),
                "removed",
                f"removed:{entry}",
            )

        return Plan(
            {"act": "remove", "player": seat.number},
            REMOVE,
            {"seat": seat.name, "reason": reason},
            "remove",
            tell,
        )

    await do_act(services, slug, plan, by)


async def eject(services: Desk, slug: str, seat_name: str, reason: str, by: By) -> int:
    """Leave a seat to nobody, as after a resignation; its number. Everybody is told, the person who
    had it too. Earlier codes prove nothing.

    Of a substitute it is taken too, and goes back to whom it belongs.
    """
    reason = " ".join(reason.split())
    if len(reason) > MOST_CHARACTERS:
        raise Refused("too-long", f"at most {MOST_CHARACTERS} characters")
    async with commanded(services, by, "gm.eject.written") as tx:
        game, table, _phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        away = await find_substitution(tx.work, seat)
        is_substitute = away is not None and away.begun
        detail = {"seat": seat.name, "tenure": seat.tenure + 1, "reason": reason} | (
            {"returned": True} if is_substitute else {}
        )
        entry = await tx.log("game eject", detail, game.id)
        if seat.status == "left" or seat.person_id is None:
            raise Refused("vacant", f"the seat of {seat.name} is already empty")
        if seat.number not in table.kind.ruleset.active(table.state):
            raise Refused("eliminated", f"{seat.name} is already out of the game")
        if away is not None and away.begun:
            await give_back(tx, table, away, "ejected")
        else:
            await leave_empty(tx, table, seat, by, reason, f"{entry}")
    return seat.number
