"""What a game of Realm-Master shows of itself in its archive: lands and heroes after each close,
and its plots. All of it is made of what everybody may know.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.realm_master import events as e
from engine.realm_master.conditions import Face as DieFace
from engine.realm_master.view import HeroView, TableView
from engine.ruleset import Event, Facts
from pbem.games.realm_master.pages.cast import cast_of
from pbem.games.realm_master.pages.gallery import ranked
from pbem.games.realm_master.pages.news import places_of, turns_of
from pbem.games.realm_master.pages.why import played
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

WORDS = "realm_master/archive.j2"
FACES: tuple[DieFace, ...] = ("s", "h", "c", "b", "R", "-")
_OF_19_IN_20 = 1.96
"""Standard deviations to both sides within which a count lies in 19 of 20 games."""


def areas_of(view: TableView) -> tuple[Area, ...]:
    """The lands, called as in orders."""
    cast = cast_of(view, None)
    return tuple(
        Area(
            cast.land(land.key),
            cast.long_land(land.key),
            land.occupant,
            phrase(WORDS, "land", land),
        )
        for land in view.lands
    )


def chips_of(view: TableView) -> tuple[Chip, ...]:
    return tuple(
        Chip(
            held.number,
            tuple(
                (phrase(WORDS, "counted", name, count), str(count))
                for name in ("banners", "hearts", "gold")
                for count in (getattr(held, name),)
            )
            if held.hero is not None and held.alive
            else (),
            not held.alive,
        )
        for held in view.players
    )


def plots_of(closes: Sequence[Close]) -> tuple[Plot, ...]:
    if not closes:
        return ()
    facts, left = tuple(_facts(closes)), lasting(closes)
    return (
        _lines(left, "banners"),
        _lines(left, "hearts"),
        _lines(left, "gold"),
        _lands(closes),
        _dice(facts),
        _figures(closes[-1].view, facts),
    )


def _facts(closes: Sequence[Close]) -> Iterator[Facts]:
    """What happened and was not taken back."""
    past = [PhaseEvents(close.number, close.turn, close.kind, close.events) for close in closes]
    return (event.facts for one in played(past) for event in one.events)


def lasting(closes: Sequence[Close]) -> tuple[Close, ...]:
    """The closes with what was not taken back of their events, and that something was asked."""
    asked = (event.facts for close in closes for event in close.events if event.kind == "window")
    return only(closes, {id(facts) for facts in (*_facts(closes), *asked)})


def _title(name: str) -> str:
    return phrase(WORDS, "title", name)


def _lines(closes: Sequence[Close], token: str) -> Lines:
    """What each hero holds after each close: nothing before heroes are chosen, nor of the dead."""

    def value(one: HeroView) -> float | None:
        return float(getattr(one, token)) if one.hero is not None and one.alive else None

    players = [one.number for one in closes[-1].view.players]
    return Lines(
        _title(token),
        token,
        tuple(
            Series(player, tuple(value(close.view.player(player)) for close in closes))
            for player in players
        ),
    )


def _lands(closes: Sequence[Close]) -> Holdings:
    """A column a hero's turn (THIRD A20): who goes in and is driven out within a round is seen,
    but not what was taken back.
    """
    left = lasting(closes)
    found = [
        (place, areas)
        for place, (close, kept) in enumerate(zip(closes, left, strict=True))
        for areas in (
            _by_turns(left[max(0, place - 1)].view, close)
            if kept is close
            else (areas_of(kept.view),)
        )
    ]
    return held(_title("lands"), [areas for _, areas in found], tuple(place for place, _ in found))


def _by_turns(before: TableView, close: Close) -> Iterator[tuple[Area, ...]]:
    """The lands after each hero's turn of a close, at last after the close; that alone where turns
    are played again.
    """
    areas, lands = areas_of(close.view), [land.key for land in close.view.lands]
    is_again = any(isinstance(event.facts, e.TakenBack) for event in close.events)
    told: list[Event] = []
    has_acted = False
    for turn in turns_of(close.events):
        if turn.player is not None and has_acted and not is_again:
            went = places_of(told)
            at = {went.get(one.number, one.at): one.number for one in before.players}
            yield tuple(
                replace(area, holder=at.get(land)) for area, land in zip(areas, lands, strict=True)
            )
        told += turn.events
        has_acted = has_acted or turn.player is not None
    yield areas


def _dice(facts: Sequence[Facts]) -> Chances:
    """How often each face came up, of all dice that were rolled."""
    counts = Counter(face for one in facts for face in _rolled(one))
    rolls = counts.total()
    expected = rolls / len(FACES)
    width = _OF_19_IN_20 * math.sqrt(expected * (1 - 1 / len(FACES)))
    return Chances(
        phrase(WORDS, "dice", rolls),
        tuple(
            Face(
                phrase(WORDS, "face", face),
                counts[face],
                expected,
                max(0.0, expected - width),
                min(float(rolls), expected + width),
            )
            for face in FACES
        ),
    )


def _rolled(facts: Facts) -> Iterator[DieFace]:
    match facts:
        case e.DiceRolled(places=places, dice=dice):
            yield from (dice[place - 1] for place in places)
        case e.LandsFilled(dice=dice):
            yield from (face for land in dice for face in land)


def _figures(view: TableView, facts: Sequence[Facts]) -> Figures:
    """A row a player, the most successful first."""
    return Figures(
        _title("figures"),
        tuple(phrase(WORDS, "column", name) for name, _ in _COLUMNS),
        tuple(
            (
                one.number,
                tuple(str(sum(count(each, one.number) for each in facts)) for _, count in _COLUMNS),
            )
            for one in ranked(view)
        ),
    )


def _attacks(facts: Facts, player: int) -> int:
    return isinstance(facts, e.AttackMade) and facts.player == player and bool(facts.blows)


def _taken(facts: Facts, player: int) -> int:
    if not isinstance(facts, e.AttackMade) or facts.player != player:
        return 0
    return sum(blow.lost for blow in facts.blows)


def _lost(facts: Facts, player: int) -> int:
    if not isinstance(facts, e.AttackMade):
        return 0
    return sum(blow.lost for blow in facts.blows if blow.player == player)


def _kills(facts: Facts, player: int) -> int:
    return isinstance(facts, e.HeroDied) and facts.killer == player


def _entries(facts: Facts, player: int) -> int:
    return isinstance(facts, e.LandEntered) and facts.player == player


def _cards(facts: Facts, player: int) -> int:
    return isinstance(facts, e.CardBought) and facts.player == player


_COLUMNS: tuple[tuple[str, Callable[[Facts, int], int]], ...] = (
    ("attacks", _attacks),
    ("taken", _taken),
    ("lost", _lost),
    ("kills", _kills),
    ("entries", _entries),
    ("cards", _cards),
)
"""Hearts are those taken and lost by attacks."""
