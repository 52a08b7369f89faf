"""From events to a story: the chapters of a round, turn by turn, and in them a line for each thing
that happened.

The sentences are macros of `realm_master/events.j2`, one a kind. Lines are kept by the event and
the reader, since several pages tell the same events.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engine.realm_master.events import (
    AttackMade,
    Corrected,
    DiceResolved,
    DiceRolled,
    GameWon,
    HeroDied,
    LandLeft,
    LineUsed,
    RoundBegan,
    RulingGiven,
    TakenBack,
    TurnBegan,
)
from engine.realm_master.view import TableView
from engine.ruleset import Event
from pbem.games.realm_master.pages.cast import Cast, effect_of
from pbem.pages.rendering import Chapter, Line, Twin, modules, phrase, twin

TEMPLATE = "realm_master/events.j2"
SUBJECTS = "realm_master/subjects.j2"

Kind = Literal["start", "round", "turn", "end", "right", "more"]
_OPENERS: dict[str, Kind] = {
    "game-set-up": "start",
    "option-voted": "start",
    "hero": "start",
    "missed": "round",
    "round": "round",
    "game-over": "end",
    "corrected": "right",
    "objection": "right",
    "ruling": "right",
    "taken-back": "right",
}
"""Kinds of events that stand under a heading of their own, unless one of that kind is open; the
turn has its own event.
"""
_SILENT = frozenset({"window"})
_BEFORE_TURNS = frozenset({"tribute", "ultimatum"})
_OF_ITS_HERO = frozenset(
    {
        "dice",
        "resolved",
        "bought",
        "revealed",
        "covered",
        "played",
        "life",
        "no-attack",
        "attack",
        "entered",
        "kept",
        "stayed-outside",
    }
)
"""Kinds that happen in a turn, to the hero whose turn it is."""
_IN_A_TURN = _OF_ITS_HERO | {
    "smoke",
    "elf-banners",
    "phoenix",
    "thorns",
    "died",
    "stand",
    "left",
    "collected",
}


def describe(event: Event, cast: Cast) -> str:
    """One line of plain text."""
    line = event_lines(event, cast)[0]
    return f"{line.label}: {line.body.text}".replace("\N{NO-BREAK SPACE}", " ")


def corrections(events: Sequence[Event], cast: Cast) -> tuple[str, ...]:
    """Corrections and what follows from them, a sentence of plain text each. A turn to be played
    again is not told before that.
    """
    said: list[str] = []
    for event in events:
        if isinstance(event.facts, Corrected):
            sentence = phrase(TEMPLATE, "right", event.facts, cast)
            said.append(f"{sentence[:1].upper()}{sentence[1:]}.")
        elif isinstance(event.facts, RulingGiven | TakenBack | HeroDied | GameWon):
            said.append(event_lines(event, cast)[0].body.text.replace("\N{NO-BREAK SPACE}", " "))
        if isinstance(event.facts, TakenBack):
            break
    return tuple(said)


@lru_cache(maxsize=4096)
def event_lines(event: Event, cast: Cast) -> tuple[Line, ...]:
    """The lines of one event: an attack adds one for each hero it hits, with its sum."""
    facts = event.facts
    macro = event.kind.replace("-", "_")
    extra = (effect_of(facts.card),) if isinstance(facts, RoundBegan) else ()
    body = twin(TEMPLATE, macro, facts, cast, *extra)
    if not isinstance(facts, AttackMade):
        return (Line(_label(event.kind), body, shown_rules(event)),)
    told = {term.rule for blow in facts.blows for term in blow.terms}
    head = Line(
        _label(event.kind), body, tuple(rule for rule in shown_rules(event) if rule not in told)
    )
    return (
        head,
        *(
            Line("", _blow(blow, cast), tuple(term.rule for term in blow.terms))
            for blow in facts.blows
        ),
    )


def _blow(blow: object, cast: Cast) -> Twin:
    return twin(TEMPLATE, "blow", blow, cast)


def shown_rules(event: Event) -> tuple[str, ...]:
    """The rules a line names: not those about chance and the order of steps, which every turn
    applies.
    """
    return (
        tuple(rule for rule in event.rules if rule != "RM-3.4" and not rule.startswith("RM-0."))
        or event.rules
    )


def _label(kind: str) -> str:
    labels: dict[str, str] = vars(modules(TEMPLATE)[1])["LABELS"]
    return labels[kind]


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The rest of a turn whose beginning came earlier; `player` None where no event says whose it
    is.
    """

    number: int
    player: int | None


def going_on(events: Sequence[Event], view: TableView) -> GoingOn | None:
    """The turn of which these events tell the rest, if they begin in the middle of one. `view` is
    of the table after them.
    """
    begun = next(
        (
            index
            for index, event in enumerate(events)
            if isinstance(event.facts, TurnBegan | RoundBegan)
        ),
        len(events),
    )
    rest = events[:begun]
    first = next((event.kind for event in rest if not _is_beside(event)), "")
    if first not in _IN_A_TURN:
        return None
    numbers = [
        event.facts.turn
        for event in rest
        if isinstance(event.facts, DiceRolled | DiceResolved | AttackMade)
    ]
    numbers += [event.facts.turn - 1 for event in events if isinstance(event.facts, TurnBegan)]
    number = (*numbers, view.turns)[0]
    if view.turn is not None and view.turn.number == number:
        return GoingOn(number, view.turn.player)
    players: list[int] = [
        event.facts.player
        for event in rest
        if event.kind in _OF_ITS_HERO and hasattr(event.facts, "player")
    ]
    return GoingOn(number, next(iter(players), None))


def _is_beside(event: Event) -> bool:
    """Events that may happen in the midst of others, or do not say when: a ruling and what follows,
    a line of a plan.
    """
    if isinstance(event.facts, HeroDied):
        return event.facts.cause == "game-master"
    return event.kind in (
        "corrected",
        "ruling",
        "objection",
        "conceded",
        "deck-rebuilt",
        "line-used",
        "line-skipped",
        "missed",
        "window",
    )


def turns_told(events: Sequence[Event], view: TableView) -> tuple[int, ...]:
    """The turns that these events tell to their end, or continue with; not the one that has only
    begun with them.
    """
    rest = going_on(events, view)
    begun = [event.facts.turn for event in events if isinstance(event.facts, TurnBegan)]
    if begun and view.turn is not None and view.turn.number == begun[-1]:
        begun.pop()
    return (*(() if rest is None else (rest.number,)), *begun)


def chapters(
    events: Sequence[Event], cast: Cast, view: TableView | None = None
) -> tuple[Chapter, ...]:
    """The story: the start, a round and its card, each turn, corrections, the end.

    With the `view` of the table afterwards, the rest of a turn whose beginning was told before has
    its heading too.
    """
    return tuple(_chapters(events, cast, None if view is None else going_on(events, view)))


def _chapters(events: Sequence[Event], cast: Cast, rest: GoingOn | None) -> Iterator[Chapter]:
    heading, kind, lines, used = "", "more", list[Line](), list[LineUsed]()
    going = ""
    if rest is not None:
        heading = going = phrase(
            SUBJECTS,
            "heading",
            "rest",
            rest.number,
            "" if rest.player is None else cast.called(rest.player),
            "",
        )
    elif any(event.kind in _BEFORE_TURNS for event in events):
        heading = phrase(SUBJECTS, "heading", "before", 0, "", "")
    thrown: tuple[str, ...] = ()
    for event in events:
        if event.kind in _SILENT:
            continue
        opened = _opened(event, kind, cast)
        if isinstance(event.facts, TurnBegan):
            going = phrase(
                SUBJECTS, "heading", "rest", event.facts.turn, cast.called(event.facts.player), ""
            )
        elif (
            kind == "right"
            and opened is None
            and going
            and event.kind in _IN_A_TURN
            and not _is_beside(event)
        ):
            opened = "turn", going
        if opened is not None:
            yield from _closed(heading, lines, used, cast)
            (kind, heading), lines, used = opened, [], []
        heading = heading or phrase(SUBJECTS, "heading", "more", 0, "", "")
        if isinstance(event.facts, LineUsed):
            used.append(event.facts)
        else:
            lines += _told(event, cast, thrown)
        thrown = event.facts.dice if isinstance(event.facts, DiceRolled) else thrown
    yield from _closed(heading, lines, used, cast)


def _opened(event: Event, kind: str, cast: Cast) -> tuple[str, str] | None:
    """The kind and the heading of the chapter that an event opens; None: it stands in the one that
    is open.
    """
    facts = event.facts
    if isinstance(facts, TurnBegan):
        place = phrase(TEMPLATE, "place", cast, facts.at)
        return "turn", phrase(
            SUBJECTS, "heading", "turn", facts.turn, cast.called(facts.player), place
        )
    if isinstance(facts, RoundBegan):
        return "round", phrase(SUBJECTS, "heading", "round", facts.round, "", "")
    opens = _OPENERS.get(event.kind)
    if opens is None or opens == kind:
        return None
    if (
        event.kind == "missed"
    ):  # before the first turn of a round that was played from plans, or after its last one
        return (
            ("round", phrase(SUBJECTS, "heading", "more", 0, "", "")) if kind != "round" else None
        )
    return opens, phrase(SUBJECTS, "heading", opens, 0, "", "")


def _closed(heading: str, lines: list[Line], used: list[LineUsed], cast: Cast) -> Iterator[Chapter]:
    """A chapter with its lines, each label once in a row; the reader's own lines that decided come
    last, all together.
    """
    if used:
        texts = tuple(dict.fromkeys(cast.order(facts.line) for facts in used))
        lines = [*lines, Line(_label("line-used"), twin(TEMPLATE, "lines_used", texts, cast))]
    if lines:
        yield Chapter(heading, tuple(_once(lines)))


def _told(event: Event, cast: Cast, thrown: tuple[str, ...]) -> tuple[Line, ...]:
    """The lines of an event among others: of what the heading or the line before says, no word.
    `thrown` are the dice as last told.
    """
    match event.facts:
        case TurnBegan(writ=0, mending=0) | LandLeft(cause="hit"):
            return ()
        case TurnBegan() as facts:
            return (
                Line(
                    _label("turn"),
                    twin(TEMPLATE, "start", facts, cast),
                    tuple(rule for rule in event.rules if "-B" in rule),
                ),
            )
        case DiceResolved(faces=faces) as facts if faces == thrown:
            return (
                Line(
                    _label(event.kind),
                    twin(TEMPLATE, "resolved", facts, cast, True),
                    shown_rules(event),
                ),
            )
    return event_lines(event, cast)


def _once(lines: Sequence[Line]) -> Iterator[Line]:
    last = None
    for line in lines:
        yield Line("" if line.label == last else line.label, line.body, line.rules)
        last = line.label or last
