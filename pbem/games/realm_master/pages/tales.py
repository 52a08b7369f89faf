"""What happened in as few words as a caption has room for: a line a turn, and one for whatever else
is worth it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.realm_master.conditions import Face
from engine.realm_master.events import DiceResolved, DiceRolled, LandLeft, TurnBegan
from engine.realm_master.view import TableView
from engine.ruleset import Event, Facts
from pbem.games.realm_master.pages.cast import Cast
from pbem.games.realm_master.pages.events import event_lines, going_on
from pbem.pages.rendering import Twin

_DEEDS = frozenset(
    {
        "attack",
        "no-attack",
        "smoke",
        "elf-banners",
        "phoenix",
        "thorns",
        "died",
        "stand",
        "entered",
        "left",
        "kept",
        "bought",
        "revealed",
    }
    | {"covered", "played", "life"}
)
_BESIDE = frozenset(
    {
        "hero",
        "lands-filled",
        "heroes-given",
        "tribute",
        "ultimatum",
        "corrected",
        "ruling",
        "objection",
        "taken-back",
        "conceded",
    }
    | {"game-over", "deck-rebuilt"}
)
"""Kinds with a line of their own; the round and its card are told beside the story."""


@dataclass(frozen=True, slots=True)
class Tale:
    """A line of the story: a turn with its dice and its deeds by kind, or (`number` 0) the line of
    what else happened.

    The dice are as they count, or as they lie while they may still change (not `settled`).
    """

    number: int
    player: int | None = None
    dice: tuple[Face, ...] = ()
    deeds: tuple[tuple[str, Facts], ...] = ()
    settled: bool = True
    line: Twin | None = None


def tales(events: Sequence[Event], cast: Cast, view: TableView) -> tuple[Tale, ...]:
    """The story of these events, told to the reader of the cast; `view` is of the table after
    them.
    """
    return tuple(_tales(events, cast, view))


def _tales(events: Sequence[Event], cast: Cast, view: TableView) -> Iterator[Tale]:
    rest = going_on(events, view)
    number, player = (0, None) if rest is None else (rest.number, rest.player)
    dice: tuple[Face, ...] = ()
    deeds: list[tuple[str, Facts]] = []
    settled = True
    for event in events:
        match event.facts:
            case TurnBegan() as facts:
                if number and (dice or deeds):
                    yield Tale(number, player, dice, tuple(deeds), settled)
                number, player, dice, deeds = facts.turn, facts.player, (), []
            case DiceRolled(dice=lying) | DiceResolved(faces=lying):
                dice, settled = lying, isinstance(event.facts, DiceResolved)
            case LandLeft(cause="hit"):  # the choice before it says so
                pass
            case facts if event.kind in _DEEDS and number:
                deeds.append((event.kind, facts))
            case _ if event.kind in _BESIDE | _DEEDS:
                if number and (dice or deeds):
                    yield Tale(number, player, dice, tuple(deeds), settled)
                    dice, deeds = (), []
                yield Tale(0, line=event_lines(event, cast)[0].body)
    if number and (dice or deeds):
        yield Tale(number, player, dice, tuple(deeds), settled)
