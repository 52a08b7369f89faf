"""What the archive shows of Fortresses: who holds which Land, how the kingdoms grew, what battles
cost, and how the dice fell. All of it is made from the public's views and events.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from engine.fortresses import event_kinds as e
from engine.fortresses.atlas import ALLIANCES, KINGDOMS, Kingdom, cost_of, facts_of
from engine.fortresses.phases.battles import LEAST_HIT
from engine.fortresses.units import CODES, UnitCode, parse_units
from engine.fortresses.view import KingdomView, TableView, ZoneView
from engine.ruleset import Event
from pbem.games.fortresses.pages.battles import Side, Tale, tales
from pbem.pages.archive import (
    Area,
    Cell,
    Chances,
    Chip,
    Close,
    Face,
    Figures,
    Holdings,
    Lines,
    Plot,
    Series,
)
from pbem.pages.rendering import phrase

TEMPLATE = "fortresses/archive.j2"
_SPREAD = 1.96
"""The standard deviations around the mean that hold 19 of 20 games."""
_FIGURES = ("battles", "lands", "lost", "beaten", "bought", "hits")


# --------------------------------------------------------------------------------------- one close
def areas_of(view: TableView) -> tuple[Area, ...]:
    """The zones by their codes: who has the seat of its owner holds a Land, nobody a Sea."""
    seats = {realm.kingdom: realm.player for realm in view.kingdoms}
    flags = {kingdom: kingdoms_of(view, player).index(kingdom) for kingdom, player in seats.items()}
    fought = {battle.zone for battle in view.battles}
    return tuple(
        Area(
            zone.code,
            zone.name,
            None if zone.owner is None else seats[zone.owner],
            phrase(TEMPLATE, "lies", zone),
            _states(zone, fought),
            0 if zone.owner is None else flags[zone.owner],
        )
        for zone in view.zones
    )


def _states(zone: ZoneView, fought: set[str]) -> tuple[str, ...]:
    """The kingdom that owns it, since a player may have two; and whether a battle waits there."""
    owner = () if zone.owner is None else (zone.owner,)
    return (*owner, *(("battle",) if zone.name in fought else ()))


def sides_of(view: TableView) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The two alliances by their kingdoms, each with its players."""
    found = []
    for kingdoms in ALLIANCES.values():
        realms = [realm for realm in view.kingdoms if realm.kingdom in kingdoms]
        players = dict.fromkeys(realm.player for realm in realms)
        found.append((" and ".join(map(str.capitalize, kingdoms)), tuple(players)))
    return tuple(found)


def chips_of(view: TableView) -> tuple[Chip, ...]:
    return tuple(
        Chip(
            player.number,
            tuple(
                (phrase(TEMPLATE, "counted", name, count), str(count))
                for name, count in (
                    ("fortresses", _fortresses(view, player.number)),
                    ("lands", _sum(view, player.number, "lands")),
                    ("income", _sum(view, player.number, "income")),
                )
            ),
            is_out(view, player.number),
        )
        for player in view.players
    )


def ordered_of(view: TableView, events: Sequence[Event]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The orders that these events made public, by commander."""
    commanders = {str(realm.kingdom): realm.commander for realm in view.kingdoms}
    found: dict[int, list[str]] = {}
    for event in events:
        if isinstance(event.facts, e.OrdersGiven):
            found.setdefault(commanders[event.facts.kingdom], []).extend(event.facts.lines)
    return tuple((player, tuple(lines)) for player, lines in found.items() if lines)


def is_out(view: TableView, player: int) -> bool:
    """Whether somebody has resigned, or has neither Lands nor units."""
    gone = next(one.gone for one in view.players if one.number == player)
    return gone or not any(realm.lands or realm.units.total for realm in _own(view, player))


def kingdoms_of(view: TableView, player: int) -> list[Kingdom]:
    """Those of a player, in turn order."""
    return [realm.kingdom for realm in _own(view, player)]


def _own(view: TableView, player: int) -> list[KingdomView]:
    return [realm for realm in view.kingdoms if realm.player == player]


def _sum(view: TableView, player: int, what: str) -> int:
    return sum(getattr(realm, what) for realm in _own(view, player))


def _fortresses(view: TableView, player: int) -> int:
    own = {realm.kingdom for realm in _own(view, player)}
    return sum(zone.structure == "fortress" and zone.owner in own for zone in view.zones)


def standing_of(view: TableView) -> dict[int, int]:
    """What decides at the last Year: Fortresses before any income (FW-9.2)."""
    most = sum(realm.income for realm in view.kingdoms) + 1
    return {
        player.number: most * _fortresses(view, player.number) + _sum(view, player.number, "income")
        for player in view.players
    }


# ------------------------------------------------------------------------------------- a whole game
def plots_of(closes: Sequence[Close]) -> tuple[Plot, ...]:
    """The plots of a game, from its start to its last close."""
    if not closes:
        return ()
    toll = _toll(closes)
    return (
        holdings(closes),
        _lines("fortresses", closes, lambda close, who: _fortresses(close.view, who)),
        _lines("lands", closes, lambda close, who: _sum(close.view, who, "lands")),
        _lines("income", closes, lambda close, who: _sum(close.view, who, "income")),
        _lines("losses", closes, lambda close, who: toll.lost[close.number][who]),
        chances(toll),
        figures(closes[-1].view, toll),
    )


def holdings(closes: Sequence[Close]) -> Holdings:
    """Who held each Land after each close: those of one final owner together, by kingdom."""
    last: TableView = closes[-1].view
    rows = [zone for zone in last.zones if zone.is_land]
    names: tuple[str | None, ...] = KINGDOMS
    seats = {realm.kingdom: realm.player for realm in last.kingdoms}
    rows.sort(
        key=lambda zone: (
            seats[zone.owner] if zone.owner else 0,
            names.index(zone.owner),
            zone.name,
        )
    )
    found = [{area.key: Cell.of(area) for area in areas_of(close.view)} for close in closes]
    return Holdings(
        phrase(TEMPLATE, "title", "holdings"),
        tuple((zone.code, tuple(close[zone.code] for close in found)) for zone in rows),
    )


def _lines(name: str, closes: Sequence[Close], value: Callable[[Close, int], int]) -> Lines:
    players = [player.number for player in closes[-1].view.players]
    return Lines(
        phrase(TEMPLATE, "title", name),
        phrase(TEMPLATE, "unit", name),
        tuple(
            Series(
                who,
                tuple(None if is_out(close.view, who) else value(close, who) for close in closes),
            )
            for who in players
        ),
    )


@dataclass(slots=True)
class Toll:
    """The battles of a game by player: `lost` is the gold that units lost so far had cost, after
    each close by its number. `rolled` and `hit` count dice by type, `hits` and `expected` those of
    each player.
    """

    lost: dict[int, Counter[int]] = field(default_factory=dict)
    units_lost: Counter[int] = field(default_factory=Counter)
    units_beaten: Counter[int] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    fought: Counter[int] = field(default_factory=Counter)
    taken: Counter[int] = field(default_factory=Counter)
    given: Counter[int] = field(default_factory=Counter)
    bought: Counter[int] = field(default_factory=Counter)
    rolled: Counter[UnitCode] = field(default_factory=Counter)
    hit: Counter[UnitCode] = field(default_factory=Counter)
    hits: Counter[int] = field(default_factory=Counter)
    expected: dict[int, float] = field(default_factory=dict)


def _toll(closes: Sequence[Close]) -> Toll:
    """What is lost, taken, bought and rolled in a game. A battle that waits for an answer continues
    in the next close and is counted as one.
    """
    toll = Toll()
    seats = {str(realm.kingdom): realm.player for realm in closes[-1].view.kingdoms}
    so_far: Counter[int] = Counter()
    for close in closes:
        for event in close.events:
            match event.facts:
                case e.RoundLost(lost=lost):
                    for loss in lost:
                        so_far[seats[loss.kingdom]] += cost_of(parse_units(loss.units))
                case e.PassengerDrowned(kingdom=kingdom, unit=unit):
                    so_far[seats[kingdom]] += cost_of(parse_units(f"1{unit}"))
                    toll.units_lost[seats[kingdom]] += 1
                case e.UnitsBought() | e.DefaultPurchase() as facts:
                    toll.bought[seats[facts.kingdom]] += cost_of(parse_units(facts.units))
        toll.lost[close.number] = so_far.copy()
    for tale in tales(event for close in closes for event in close.events):
        _count_losses(toll, tale, seats)
        _count_end(toll, tale, seats)
        for fought in tale.rounds:
            for side in (*((fought.attack,) if fought.attack else ()), *fought.defence):
                _count_dice(toll, side, seats[side.kingdom])
    return toll


def _count_losses(toll: Toll, tale: Tale, seats: dict[str, int]) -> None:
    """What the attacker loses both of two defenders have beaten."""
    defenders = {seats[of] for of, _ in tale.defenders}
    for kingdom, text in tale.lost:
        units = parse_units(text).total
        toll.units_lost[seats[kingdom]] += units
        beaters = defenders if kingdom == tale.attacker else {seats[tale.attacker]}
        for player in beaters:
            toll.units_beaten[player] += units


def _count_end(toll: Toll, tale: Tale, seats: dict[str, int]) -> None:
    attacker = seats[tale.attacker]
    if tale.result == "conquered":
        toll.taken[attacker] += 1
        if tale.taken_from:
            toll.given[seats[tale.taken_from]] += 1
    if not tale.result or not tale.rounds:
        return
    defenders = {seats[of] for of, _ in tale.defenders}
    is_won = tale.result in ("conquered", "won")
    for player in (attacker, *defenders):
        toll.fought[player] += 1
    for player in (attacker,) if is_won else defenders if tale.result == "held" else ():
        toll.won[player] += 1


def _count_dice(toll: Toll, side: Side, player: int) -> None:
    for roll in side.rolls:
        hits = sum(is_hit for _, is_hit in roll.dice)
        toll.rolled[roll.code] += len(roll.dice)
        toll.hit[roll.code] += hits
        toll.hits[player] += hits
        expected = len(roll.dice) * hit_chance(roll.code)
        toll.expected[player] = toll.expected.get(player, 0.0) + expected


def hit_chance(code: UnitCode) -> float:
    die = facts_of(code).die
    return (die - LEAST_HIT + 1) / die


def chances(toll: Toll) -> Chances:
    """How often each type of unit hit, against what its die promises."""
    return Chances(
        phrase(TEMPLATE, "title", "dice"),
        tuple(_face(toll, code) for code in CODES if toll.rolled[code]),
    )


def _face(toll: Toll, code: UnitCode) -> Face:
    rolled, chance = toll.rolled[code], hit_chance(code)
    expected = rolled * chance
    spread = _SPREAD * sqrt(expected * (1 - chance))
    name = phrase(TEMPLATE, "face", facts_of(code), rolled)
    return Face(
        name,
        toll.hit[code],
        expected,
        max(0.0, expected - spread),
        min(float(rolled), expected + spread),
    )


def figures(view: TableView, toll: Toll) -> Figures:
    """Six numbers a player: battles won of those fought, Lands taken and lost, units lost and
    beaten, gold spent, hits against those to be expected.
    """

    def row(who: int) -> tuple[str, ...]:
        return (
            phrase(TEMPLATE, "of", toll.won[who], toll.fought[who]),
            phrase(TEMPLATE, "both", toll.taken[who], toll.given[who]),
            str(toll.units_lost[who]),
            str(toll.units_beaten[who]),
            str(toll.bought[who]),
            phrase(TEMPLATE, "against", toll.hits[who], round(toll.expected.get(who, 0.0))),
        )

    return Figures(
        phrase(TEMPLATE, "title", "figures"),
        tuple(phrase(TEMPLATE, "column", name) for name in _FIGURES),
        tuple((player.number, row(player.number)) for player in view.players),
    )
