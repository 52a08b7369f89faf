"""What States & Sovereigns shows of itself in an archive: which kingdoms stand, the orders that
their rolls give away, and the course of a game as plots. The words are in `sovereigns/archive.j2`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import sqrt

from engine.ruleset import Event, Facts
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES, Attribute
from engine.sovereigns.view import KingdomView, TableView
from pbem.games.sovereigns.pages.cast import order_text
from pbem.games.sovereigns.pages.chronicle import Told, whole_history
from pbem.games.sovereigns.pages.why import is_contested
from pbem.pages.archive import (
    Area,
    Chances,
    Chip,
    Close,
    Face,
    Figures,
    Holdings,
    Lines,
    Plot,
    Series,
    held,
    only,
)
from pbem.pages.page import PhaseEvents
from pbem.pages.rendering import phrase

TEMPLATE = "sovereigns/archive.j2"
FACES = range(1, 7)
_SPREAD = 1.96
"""The standard deviations on either side that hold 19 of 20 games."""


def areas_of(view: TableView) -> tuple[Area, ...]:
    """The kingdoms by their seats; one that has fallen is nobody's."""
    return tuple(_area(view.kingdom(number), view.stage == "setup") for number in view.seating)


def _area(kingdom: KingdomView, is_open: bool) -> Area:
    return Area(
        key=str(kingdom.seat),
        name=_say("seat", kingdom),
        holder=kingdom.number if kingdom.alive else None,
        words=_say("stands", kingdom, is_open),
        states=() if kingdom.alive else ("fallen",),
    )


def chips_of(view: TableView) -> tuple[Chip, ...]:
    """The points of each attribute, as soon as they are known."""
    return tuple(
        Chip(
            kingdom.number,
            tuple(
                (_say("short", attribute), str(kingdom.total.of(attribute)))
                for attribute in ATTRIBUTES
            )
            if kingdom.alive and view.stage != "setup"
            else (),
            is_out=not kingdom.alive,
        )
        for kingdom in view.kingdoms
    )


# -------------------------------------------------------------------------------------- the orders
def ordered_in(view: TableView, events: Sequence[Event]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """What the rolls show of the orders, as canonical texts; a pass and what took no effect stay
    secret.
    """
    found: dict[int, list[str]] = {}
    for event in events:
        for number, order in _order_of(event.facts) if event.is_for(None) else ():
            found.setdefault(number, []).append(order_text(view, order))
    return tuple((number, tuple(texts)) for number, texts in sorted(found.items()))


def _order_of(facts: Facts) -> Iterator[tuple[int, o.Order]]:
    match facts:
        case e.SplitMade(kingdom, resources, military, harmony, name, chosen=True):
            yield kingdom, o.Split(resources, military, harmony, facts.wanted or name)
        case e.SupportRolled(kingdom, points):
            yield kingdom, o.Year((o.Way(points=points),))
        case e.FearRuled(kingdom):
            yield kingdom, o.Year((o.Way(fear=True),))
        case e.Built(kingdom, building):
            yield kingdom, o.Build(building)
        case e.BallotOpened(claimant):
            yield claimant, o.Claim()
        case e.ActionResolved():
            yield facts.kingdom, o.Do((_way(facts),))


def _way(facts: e.ActionResolved) -> o.Action:
    return o.Action(
        facts.action,  # type: ignore[arg-type]  # an event names its kind as a plain word
        facts.attribute,
        facts.points,
        depleted=facts.depleted,
        target=facts.target,
        raises=facts.raises,
        words=facts.words,
    )


# --------------------------------------------------------------------------------------- the plots
_SAID = (e.RolledBack, e.Ruled, e.ObjectionMade, e.VerdictGiven)
"""What is said of an action that is taken back, and stays."""


def lasting(closes: Sequence[Close]) -> tuple[Close, ...]:
    """The closes with what was not taken back of their events: where an action is done again,
    nothing since it was first done counts (SS-10.5).
    """
    found: list[Facts] = []
    began: dict[int, int] = {}
    for facts in (event.facts for close in closes for event in close.events):
        if isinstance(facts, e.ReResolved):
            at = began.get(facts.action, len(found))
            found[at:] = [one for one in found[at:] if isinstance(one, _SAID)]
            began = {action: place for action, place in began.items() if place < at}
        elif isinstance(facts, e.ActionResolved | e.ActionVoid):
            began[facts.n] = len(found)
        found.append(facts)
    return only(closes, set(map(id, found)))


def plots_of(closes: Sequence[Close]) -> tuple[Plot, ...]:
    """All points, which kingdoms stand, each attribute, the dice, and a table of numbers. What was
    done again counts once (SS-10.5).
    """
    told = whole_history([_phase(close) for close in closes])
    left = lasting(closes)
    return (
        _lines(left, _say("strength"), _strength),
        _standing(left),
        *(_attribute(left, attribute) for attribute in ATTRIBUTES),
        *_dice(told),
        _figures(closes[-1].view, told),
    )


def _phase(close: Close) -> PhaseEvents:
    public = tuple(event for event in close.events if event.is_for(None))
    return PhaseEvents(close.number, close.turn, close.kind, public)


def _standing(closes: Sequence[Close]) -> Holdings:
    return held(_say("standing"), [areas_of(close.view) for close in closes])


def _strength(kingdom: KingdomView) -> int:
    return sum(kingdom.total.of(attribute) for attribute in ATTRIBUTES)


def standing_of(view: TableView) -> dict[int, int]:
    """All points of each kingdom that stands, as soon as they are known."""
    if view.stage == "setup":
        return {}
    return {one.number: _strength(one) for one in view.kingdoms if one.alive}


def _attribute(closes: Sequence[Close], attribute: Attribute) -> Lines:
    return _lines(closes, _say("attribute", attribute), lambda kingdom: kingdom.total.of(attribute))


def _lines(closes: Sequence[Close], title: str, value: Callable[[KingdomView], int]) -> Lines:
    def at(view: TableView, number: int) -> float | None:
        kingdom = view.kingdom(number)
        return float(value(kingdom)) if kingdom.alive and view.stage != "setup" else None

    return Lines(
        title,
        _say("unit"),
        tuple(
            Series(kingdom.number, tuple(at(close.view, kingdom.number) for close in closes))
            for kingdom in closes[-1].view.kingdoms
        ),
    )


def _dice(told: Sequence[Told]) -> Iterator[Chances]:
    """How often each face came up, of everybody's dice."""
    thrown = Counter(chain.from_iterable(dice for one in told for _, dice in _thrown(one.facts)))
    number = thrown.total()
    if number:
        expected, spread = number / len(FACES), _SPREAD * sqrt(number * 5) / 6
        yield Chances(
            _say("dice"),
            tuple(
                Face(
                    str(face), thrown[face], expected, max(0, expected - spread), expected + spread
                )
                for face in FACES
            ),
        )


def _thrown(facts: Facts) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Whose dice fell how."""
    match facts:
        case e.ActionResolved(target=target):
            yield facts.kingdom, facts.dice
            if target is not None:
                yield target, facts.defence
        case e.SupportRolled() | e.RebellionRolled() | e.CoupRolled():
            yield facts.kingdom, facts.dice


_COUNTED = ("won", "failed", "contests", "beaten", "gained", "lost", "luck")


def _figures(view: TableView, told: Sequence[Told]) -> Figures:
    counts: Counter[tuple[int, str]] = Counter()
    for one in told:
        for facts in (one.facts, *one.spoils):
            counts.update(_counted(facts))
    rows = []
    for kingdom in view.kingdoms:
        won, failed, contests, beaten, gained, lost, luck = (
            counts[kingdom.number, name] for name in _COUNTED
        )
        rows.append(
            (
                kingdom.number,
                (
                    _say("of_two", won, failed),
                    _say("of_two", contests, beaten),
                    _say("of_two", gained, lost),
                    str(len(kingdom.tech)),
                    str(len(kingdom.buildings)),
                    _say("luck", luck),
                ),
            )
        )
    return Figures(_say("figures"), tuple(_say("columns").split("|")), tuple(rows))


def _counted(facts: Facts) -> Counter[tuple[int, str]]:
    """What one event adds to the numbers of kingdoms; luck is in halves of a point."""
    found: Counter[tuple[int, str]] = Counter()
    for number, dice in _thrown(facts):
        found[number, "luck"] += 2 * sum(dice) - 7 * len(dice)
    match facts:
        case e.ActionResolved(kingdom=kingdom, target=target):
            is_won = facts.result in ("success", "great")
            found[kingdom, "won" if is_won else "failed"] += 1
            if target is not None and is_contested(facts):
                found[kingdom, "contests" if is_won else "beaten"] += 1
                found[target, "beaten" if is_won else "contests"] += 1
        case e.PointsGained(kingdom, _, points):
            found[kingdom, "gained"] += points
        case e.PointLost(kingdom):
            found[kingdom, "lost"] += 1
        case e.Captured():
            found[facts.to, "gained"] += 1
            found[facts.from_, "lost"] += 1
    return found


def _say(macro: str, *args: object) -> str:
    return phrase(TEMPLATE, macro, *args)
