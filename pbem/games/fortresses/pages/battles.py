"""The story of a battle: from events to rounds with their dice, losses and the end.

A battle that waits for the attacker's answer comes in parts: a later part begins with the losses or
the round that follow.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.fortresses import event_kinds as e
from engine.fortresses.atlas import POINTS, facts_of, zones
from engine.fortresses.phases.battles import LEAST_HIT
from engine.fortresses.units import CODES, NONE, UnitCode, Units, parse_units
from engine.ruleset import Event

KINDS = frozenset({"round", "losses", "retreated", "drowned", "battle", "conquered"})
"""The kinds of events of a battle."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one type: what each shows, and whether it hits."""

    code: UnitCode
    dice: tuple[tuple[int, bool], ...]

    @property
    def sides(self) -> int:
        return facts_of(self.code).die


@dataclass(frozen=True, slots=True)
class Side:
    """What one kingdom throws in a round."""

    kingdom: str
    rolls: tuple[Roll, ...]

    @property
    def hits(self) -> int:
        return sum(hit for roll in self.rolls for _, hit in roll.dice)


@dataclass(slots=True)
class Round:
    """`lost` are texts of units by kingdom, `points` castle points; `fled` fliers that leave before
    the next roll, `drowned` passengers with the Lands they stood in.
    """

    number: int
    attack: Side | None = None
    defence: tuple[Side, ...] = ()
    lost: list[tuple[str, str]] = field(default_factory=list)
    points: int = 0
    fled: str = ""
    drowned: list[tuple[UnitCode, str]] = field(default_factory=list)


@dataclass(slots=True)
class Tale:
    """A battle, or the part of one that these events tell. `result` is empty while it continues;
    `taken_from` is whom the Land belonged to, if it changed hands; `length` are all its rounds once
    it is over.
    """

    zone: str
    attacker: str
    rounds: list[Round] = field(default_factory=list)
    result: str = ""
    taken_from: str = ""
    rules: tuple[str, ...] = ()
    begins: tuple[str, str] = ("", "")
    length: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether this part has its first round."""
        return (
            bool(self.rounds) and self.rounds[0].number == 1 and self.rounds[0].attack is not None
        )

    @property
    def attackers(self) -> str:
        """Who attacks at its first round, as a text of units."""
        return self.begins[0]

    @property
    def defenders(self) -> tuple[tuple[str, str], ...]:
        """Who defends at its first round, by kingdom."""
        return parse_defenders(self.begins[1])

    @property
    def points(self) -> int:
        """Castle points where it begins."""
        return POINTS[zones()[self.zone].structure] if self.is_whole else 0

    @property
    def lost(self) -> tuple[tuple[str, str], ...]:
        """All that each kingdom lost, the attacker first."""
        found: dict[str, Units] = {}
        for fought in self.rounds:
            for kingdom, units in fought.lost:
                found[kingdom] = found.get(kingdom, NONE) + parse_units(units)
        names = sorted(found, key=lambda kingdom: kingdom != self.attacker)
        return tuple((kingdom, found[kingdom].text) for kingdom in names)

    def lost_of(self, kingdom: str) -> int:
        """How many units the attacker lost, or (any other name) the defenders."""
        return sum(
            parse_units(units).total
            for loser, units in self.lost
            if (loser == self.attacker) == (kingdom == self.attacker)
        )

    @property
    def dice(self) -> int:
        return sum(
            len(roll.dice)
            for fought in self.rounds
            for side in (*((fought.attack,) if fought.attack else ()), *fought.defence)
            for roll in side.rolls
        )


def parse_defenders(text: str) -> tuple[tuple[str, str], ...]:
    """`gold 1L, silver 2L` by kingdom."""
    parts = (part.partition(" ") for part in text.split(", ") if part)
    return tuple((kingdom, units) for kingdom, _, units in parts)


def tales(events: Iterable[Event], attacker: str = "") -> tuple[Tale, ...]:
    """The battles of these events in the order fought; `attacker` is whose turn it is where they
    begin, if they do not say it first.
    """
    return tuple(_tales(events, attacker))


def _tales(events: Iterable[Event], attacker: str) -> Iterator[Tale]:
    tale: Tale | None = None
    ended: Tale | None = None
    for event in events:
        facts = event.facts
        if isinstance(facts, e.TurnBegan | e.OrdersGiven):
            attacker = facts.kingdom
        if isinstance(facts, e.LandConquered) and ended is not None and ended.zone == facts.zone:
            ended.attacker, ended.taken_from = facts.kingdom, facts.of
            continue
        if event.kind not in KINDS or isinstance(facts, e.LandConquered):
            continue
        if ended is not None:
            yield ended
            ended = None
        zone: str = facts.zone  # type: ignore[attr-defined]  # all kinds of a battle have one
        if tale is None or tale.zone != zone:
            tale = Tale(zone, attacker)
        _tell(tale, event)
        if isinstance(facts, e.BattleEnded):
            ended, tale = tale, None
    if ended is not None:
        yield ended
    if tale is not None:
        yield tale


def _tell(tale: Tale, event: Event) -> None:
    facts = event.facts
    if not isinstance(facts, e.RoundFought | e.RoundLost):  # what every round applies says nothing
        tale.rules = tuple(dict.fromkeys((*tale.rules, *event.rules)))
    match facts:
        case e.RoundFought():
            if not tale.begins[0]:
                tale.begins = (facts.attackers, facts.defenders)
            tale.rounds.append(
                Round(
                    facts.round,
                    _attack(tale.attacker, facts),
                    _defence(facts),
                )
            )
        case e.BattleEnded(_, length, result):
            tale.result, tale.length = result, length
        case e.RoundLost(_, number, lost, points):
            fought = _round(tale, number)
            fought.lost += [(loss.kingdom, loss.units) for loss in lost]
            fought.points += points
        case e.FliersRetreated(_, units):
            _round(tale, None).fled = units
        case e.PassengerDrowned():
            code = next(code for code in CODES if code == facts.unit)
            _round(tale, None).drowned.append((code, facts.land))


def _round(tale: Tale, number: int | None) -> Round:
    """The last round told; one without dice for what came before the first one of these events."""
    if not tale.rounds:
        tale.rounds.append(Round(number or 0))
    return tale.rounds[-1]


def _attack(kingdom: str, facts: e.RoundFought) -> Side:
    return Side(kingdom, tuple(_rolls(parse_units(facts.attackers), facts.attack)))


def _rolls(units: Units, dice: Sequence[int]) -> Iterator[Roll]:
    at = 0
    for code, count in units.pairs():
        yield Roll(code, _marked(dice[at : at + count]))
        at += count


def _defence(facts: e.RoundFought) -> tuple[Side, ...]:
    """Each defender's dice: they are thrown type by type, and within a type kingdom by kingdom
    (FW-7.18).
    """
    sides = [(kingdom, parse_units(units)) for kingdom, units in parse_defenders(facts.defenders)]
    found: dict[str, list[Roll]] = {kingdom: [] for kingdom, _ in sides}
    at = 0
    for code in CODES:
        for kingdom, units in sides:
            if count := units.of(code):
                found[kingdom].append(Roll(code, _marked(facts.defence[at : at + count])))
                at += count
    return tuple(Side(kingdom, tuple(rolls)) for kingdom, rolls in found.items())


def _marked(dice: Sequence[int]) -> tuple[tuple[int, bool], ...]:
    return tuple((die, die >= LEAST_HIT) for die in dice)
