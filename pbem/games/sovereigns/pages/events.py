"""From events to lines and news: an action in one line with all that came of it, and what a
headline is made of. The sentences are macros of `sovereigns/events.j2`, one a kind.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from markupsafe import Markup

from engine.ruleset import Event
from engine.sovereigns import events as e
from pbem.games.sovereigns.pages.cast import Cast
from pbem.pages.news import News
from pbem.pages.rendering import Line, Twin, phrase, twin

TEMPLATE = "sovereigns/events.j2"
NEWS = "sovereigns/news.j2"
HEADS = frozenset(
    {"action", "void", "support", "fear", "built", "trade", "abdicated", "corrected", "re-resolved"}
)
"""Kinds whose consequences are told in the same line."""
FOLLOW = frozenset(
    {
        "lost",
        "saved",
        "gained",
        "captured",
        "destroyed",
        "discovery",
        "proposal",
        "technology",
        "report",
        "exposed",
        "security",
        "faith",
        "converted",
        "boon",
        "affected",
        "rebellion",
        "coup",
        "fallen",
    }
)
"""Kinds that are told as a consequence of what stands before them."""
MOST_RULES = 3
"""So many rules stand behind a line; `why` tells them all."""
_PROCEDURE = frozenset(
    {"SS-0.4", "SS-1.7", "SS-1.8", "SS-2.1", "SS-3.1", "SS-3.2", "SS-5.12", "SS-9.2", "SS-11.7"}
)
"""Rules that say how every roll or loss goes: no line names them."""
_WEIGHTS = {
    "fallen": 10,
    "destroyed": 8,
    "rolled-back": 8,
    "ballot": 7,
    "objection": 7,
    "rebellion": 6,
    "action": 5,
    "ruling": 5,
    "ballot-closed": 5,
    "verdict": 5,
    "converted": 4,
    "faith": 4,
    "technology": 4,
    "discovery": 4,
    "built": 3,
    "fear": 3,
    "proposal": 3,
    "proposal-refused": 3,
    "replacement-wanted": 3,
    "gained": 2,
    "offer": 2,
    "trade": 2,
    "trade-failed": 2,
    "offer-closed": 2,
    "offer-expired": 1,
    "loan-returned": 1,
    "support": 1,
    "split": 1,
    "year": 0,
}
"""What makes news, and how much of it."""
_OF_SUPPORT = {
    "coup": 9,
    "rebellion": 6,
    "full-support": 2,
    "strike": 2,
    "support": 1,
    "protest": 1,
}
_EACH = frozenset({"action", "void", "support", "fear"})
"""Kinds of which all are told, even where there is little room."""
_WORTH_A_LINE = 3


def lines_of(events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
    """A line for each thing that happened, with its consequences; an action has its number before
    it, by which one can object to it.
    """
    found = (_line(tuple(group), cast) for group in _groups(events))
    return tuple(line for line in found if line.body.text)


def _groups(events: Sequence[Event]) -> Iterator[list[Event]]:
    group: list[Event] = []
    for event in events:
        goes_on = group and group[0].kind in HEADS and event.kind in FOLLOW
        again = group and event.kind == group[-1].kind == "re-resolved"
        if group and not goes_on and not again:
            yield group
            group = []
        group.append(event)
    if group:
        yield group


@lru_cache(maxsize=4096)
def _line(group: tuple[Event, ...], cast: Cast) -> Line:
    if group[0].kind == "re-resolved":
        numbers = [event.facts.action for event in group if isinstance(event.facts, e.ReResolved)]
        return Line("", twin(TEMPLATE, "done_again", numbers), _shown(group))
    facts = group[0].facts
    label = str(facts.n) if isinstance(facts, e.ActionResolved | e.ActionVoid) else ""
    return Line(label, _joined([_sentence(event, cast) for event in group]), _shown(group))


def _sentence(event: Event, cast: Cast) -> Twin:
    return twin(TEMPLATE, _macro(event), event.facts, cast)


def _joined(parts: Sequence[Twin]) -> Twin:
    told = [part for part in parts if part.text]
    return Twin(
        Markup(" ").join(part.html for part in told),
        " ".join(part.text for part in told),
        Markup(" ").join(part.chat for part in told),
    )


def _shown(group: Sequence[Event]) -> tuple[str, ...]:
    """The rules that a line names: a few, of its head before those of its consequences."""
    rules = dict.fromkeys(rule for event in group for rule in event.rules)
    return tuple(rule for rule in rules if rule not in _PROCEDURE)[:MOST_RULES]


def news_of(events: Sequence[Event], cast: Cast) -> tuple[News, ...]:
    """The news of these events, in the order in which they happened."""
    found = (event for event in events if event.kind in _WEIGHTS)
    told = ((event, phrase(NEWS, _macro(event), event.facts, cast)) for event in found)
    return tuple(
        News(event.kind, _weight(event), text, f"{text[:1].upper()}{text[1:]}.")
        for event, text in told
        if text
    )


def _macro(event: Event) -> str:
    return event.kind.replace("-", "_")


def briefs(events: Sequence[Event], cast: Cast) -> tuple[str, ...]:
    """Each action and each support in a few words, with what came of it that makes news: for a
    caption that has no room for the sentences.
    """
    told = []
    for event in events:
        macro = _macro(event)
        if event.kind in _EACH:
            told.append(phrase(NEWS, f"brief_{macro}", event.facts, cast))
        elif event.kind == "report":  # its reader alone has it, and here alone
            told.insert(0, _sentence(event, cast).text)
        elif _WEIGHTS.get(event.kind, 0) >= _WORTH_A_LINE:
            text = phrase(NEWS, macro, event.facts, cast)
            told.append(text[:1].upper() + text[1:])
    return tuple(dict.fromkeys(told))


def _weight(event: Event) -> int:
    facts = event.facts
    if isinstance(facts, e.ActionResolved):
        return _WEIGHTS["action"] if facts.target or facts.action == "Try" else 0
    if isinstance(facts, e.SupportRolled):
        return _OF_SUPPORT.get(facts.support, 0)
    return _WEIGHTS[event.kind]
