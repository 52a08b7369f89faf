"""What a ruler can do now, from what that ruler may know: examples for letters, and what waits for
an answer.
"""

from collections.abc import Iterator

from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES, COSTS, ActionKind, plan_of
from engine.sovereigns.view import KingdomView, OwnView, TableView

EXAMPLES = (
    o.Proposal("steel", "STAT-ROLL M"),
    o.Proposal("medicine", "BLD-HOSPITAL"),
    o.Proposal("irrigation", "STAT-ROLL R"),
)
"""The discovery in an example of Research: the first that does not exist yet."""


def actions(view: TableView) -> tuple[o.Action, ...]:
    """Actions that could be ordered now, each with all free points of its attribute; against others
    one for each of them.
    """
    own = view.you
    if own is None or view.stage != "season" or own.number not in view.living:
        return ()
    return tuple(_actions(view, own))


def _actions(view: TableView, own: OwnView) -> Iterator[o.Action]:
    resources, military, harmony = (max(0, own.free.of(attribute)) for attribute in ATTRIBUTES)
    if resources:
        yield o.Action("Research", "R", resources)
        yield o.Action("Increase", "R", resources, raises="M")
        yield o.Action("Increase", "R", resources, raises="H")
    elif own.depleted < own.ex.R:
        yield o.Action("Research", "R", 0, depleted=own.ex.R - own.depleted)
    if military:
        against: tuple[ActionKind, ...] = ("Attack", "Theft", "Espionage")
        for kind in against:
            for other in _others(view, own):
                yield o.Action(kind, "M", military, target=other)
        yield o.Action("Expedition", "M", military)
        yield o.Action("Security", "M", military)
    if harmony:
        faith: ActionKind = "Spread" if view.kingdom(own.number).faith else "Found"
        if faith == "Found":
            yield o.Action(faith, "H", harmony)
        missions: tuple[ActionKind, ...] = (
            ("Spread", "Foment") if faith == "Spread" else ("Foment",)
        )
        for kind in missions:
            for other in _others(view, own):
                yield o.Action(kind, "H", harmony, target=other)
        yield o.Action("Contact", "H", harmony)


def example_of(view: TableView) -> o.Proposal | None:
    """A proposal that would be new."""
    taken = {name for name, _ in view.technologies}
    return next((one for one in EXAMPLES if one.name not in taken), None)


def _others(view: TableView, own: OwnView) -> list[int]:
    return [number for number in view.living if number != own.number]


def buildings(view: TableView) -> tuple[tuple[str, int], ...]:
    """Buildings that can be paid for now, with what they cost."""
    own = view.you
    if own is None or view.stage != "season" or own.number not in view.living:
        return ()
    kingdom = view.kingdom(own.number)
    costs = ((code, cost_of(kingdom, code)) for code in COSTS if not _has(kingdom, code))
    return tuple((code, cost) for code, cost in costs if cost is not None and cost <= own.free.R)


def cost_of(kingdom: KingdomView, code: str) -> int | None:
    """What a building costs this kingdom; None if no technology of its allows it."""
    plans = (plan_of(technology, code) for _, technology in kingdom.tech)
    return min((plan[0] for plan in plans if plan is not None), default=None)


def _has(kingdom: KingdomView, code: str) -> bool:
    return any(building.code == code for building in kingdom.buildings)


def ballots(view: TableView) -> tuple[tuple[int, int], ...]:
    """Claims that wait for the reader's word, with the hours left."""
    own = view.you
    if own is None or own.number not in view.living:
        return ()
    return tuple(
        (claimant, left)
        for claimant, left in view.claims
        if claimant != own.number and claimant not in own.voted
    )


def redo_of(view: TableView) -> int:
    """The number of the reader's action that was rolled back and waits for another; 0: none."""
    if view.undone is None or view.you is None or view.undone.player != view.you.number:
        return 0
    return view.undone.action


def open_discoveries(view: TableView) -> tuple[bool, ...]:
    """The reader's discoveries without a proposal; whether each is great."""
    if view.you is None:
        return ()
    mine = view.kingdom(view.you.number).discoveries
    return tuple(discovery.great for discovery in mine if not discovery.name)
