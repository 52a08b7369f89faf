"""The story of a close in a line a turn: the dice of a hero and all that was done in that turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.realm_master import events as e
from engine.realm_master.conditions import Face
from engine.realm_master.view import TableView
from engine.ruleset import Event, Facts
from pbem.games.realm_master.pages.account import NOTHING
from pbem.games.realm_master.pages.cast import Cast
from pbem.games.realm_master.pages.events import event_lines, going_on, shown_rules
from pbem.pages.kit.arms import Arms, arms_of
from pbem.pages.rendering import Line, Twin, twin

TALES = "realm_master/tales.j2"
NEWS = "realm_master/news.j2"
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
        "collected",
        "bought",
        "revealed",
        "covered",
        "played",
        "life",
        "line-skipped",
    }
)
_LINES = frozenset(
    {
        "game-set-up",
        "option-voted",
        "lands-filled",
        "heroes-given",
        "ultimatum",
        "corrected",
        "ruling",
        "objection",
        "taken-back",
        "conceded",
        "replacement-wanted",
        "game-over",
        "deck-rebuilt",
    }
)
"""Kinds with a line of their own; the round and its card come before the story, except where
decisions are asked one by one.
"""
_EVERYDAY = ("RM-0.", "RM-1.", "RM-3.", "RM-9.", "RM-10.")
_OF_EACH = frozenset(
    {"RM-4.1", "RM-4.2", "RM-4.5", "RM-4.6", "RM-4.9", "RM-5.1", "RM-5.3", "RM-5.4", "RM-5.5"}
    | {"RM-5.12", "RM-6.1", "RM-6.2", "RM-6.6", "RM-7.3", "RM-7.4", "RM-8.1"}
)
"""Rules about chance, dice, defaults and the order of steps, and those that every attack, entry or
purchase applies: each line would name them, and tell nothing by it. `why` names them all.
"""


@dataclass(frozen=True, slots=True)
class Tale:
    """A line of the story: a turn with its dice and its deeds by kind, or (`number` 0) the line of
    what else happened.

    The dice are as they count, or as they lie while they may still change (not `settled`); `gain`
    is what they brought.
    """

    number: int
    player: int | None = None
    dice: tuple[Face, ...] = ()
    gain: e.Gain = NOTHING
    deeds: tuple[tuple[str, Facts], ...] = ()
    settled: bool = True
    label: str = ""
    line: Twin | None = None
    rules: tuple[str, ...] = ()
    arms: Arms | None = None


def tales(events: Sequence[Event], cast: Cast, view: TableView) -> tuple[Tale, ...]:
    """The story of these events, for the reader of the cast; `view` is of the table after them.
    What all heroes did together stands once, lateness last.
    """
    return (
        *_together(events, "hero", "heroes_told", "Heroes", cast),
        *_together(events, "tribute", "tributes", "Tribute", cast),
        *_tales(events, cast, view),
        *_together(events, "missed", "missed_told", "Late", cast),
    )


def tale_lines(found: Sequence[Tale], cast: Cast) -> tuple[Line, ...]:
    """The same as labelled lines of a mail."""
    return tuple(_line(tale, cast) for tale in found)


def _line(tale: Tale, cast: Cast) -> Line:
    if tale.line is not None:
        return Line(tale.label, tale.line, tale.rules)
    return Line(
        twin(TALES, "label", tale, cast).text, twin(TALES, "body", tale, cast, 0), tale.rules
    )


def _together(
    events: Sequence[Event], kind: str, macro: str, label: str, cast: Cast
) -> Iterator[Tale]:
    found = [event for event in events if event.kind == kind]
    if found:
        template = TALES if macro == "tributes" else NEWS
        told = twin(template, macro, tuple(event.facts for event in found), cast)
        yield Tale(0, label=label, line=told, rules=_rules(found))


def _rules(events: Sequence[Event]) -> tuple[str, ...]:
    """The rules that make a line what it is, each once."""
    found = dict.fromkeys(rule for event in events for rule in shown_rules(event))
    return tuple(rule for rule in found if rule not in _OF_EACH and not rule.startswith(_EVERYDAY))


def _tales(events: Sequence[Event], cast: Cast, view: TableView) -> Iterator[Tale]:
    rest = going_on(events, view)
    number, player = (0, None) if rest is None else (rest.number, rest.player)
    told: list[Event] = []
    for event in events:
        match event.facts:
            case e.TurnBegan() as facts:
                yield from _turn(number, player, told, view)
                number, player, told = facts.turn, facts.player, [event]
            case e.LandLeft(cause="hit"):  # the choice before it says so
                pass
            case e.RoundBegan() if view.mode == "interactive":
                yield from _turn(number, player, told, view)
                number, player, told = 0, None, []
                yield _other(event, cast)
            case _ if number and (event.kind in _DEEDS or event.kind in ("dice", "resolved")):
                told.append(event)
            case _ if event.kind in _LINES | _DEEDS:
                yield from _turn(number, player, told, view)
                told = []
                yield _other(event, cast)
    yield from _turn(number, player, told, view)


def _turn(
    number: int, player: int | None, told: Sequence[Event], view: TableView
) -> Iterator[Tale]:
    """A turn as far as it went; none if it has only begun."""
    deeds = tuple((event.kind, event.facts) for event in told if event.kind in _DEEDS)
    dice: tuple[Face, ...] = ()
    gain, settled = NOTHING, True
    for event in told:
        match event.facts:
            case e.DiceRolled(dice=lying):
                dice, settled = lying, False
            case e.DiceResolved(faces=faces, gain=gain):
                dice, settled = faces, True
    if number and (dice or deeds):
        arms = None if player is None else arms_of(view.player(player).colour)
        yield Tale(number, player, dice, gain, deeds, settled, rules=_rules(told), arms=arms)


def _other(event: Event, cast: Cast) -> Tale:
    line = event_lines(event, cast)[0]
    return Tale(0, label=line.label, line=line.body, rules=line.rules)
