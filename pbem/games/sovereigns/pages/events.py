"""From events to lines: an action in one line with all its consequences, a year's splits in one.
The sentences are macros of `sovereigns/events.j2`, one a kind.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.ruleset import Event, Facts
from engine.sovereigns import events as e
from pbem.games.sovereigns.pages.cast import Cast
from pbem.pages.rendering import Line, Twin, phrase, twin

TEMPLATE = "sovereigns/events.j2"
NEWS = "sovereigns/news.j2"
HEADS = frozenset(
    {"action", "void", "support", "fear", "built", "trade", "abdicated", "corrected", "re-resolved"}
)
"""Kinds whose consequences stand in the same line."""
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
"""Kinds that follow from the event before them."""
MOST_RULES = 2
"""The most rules behind a line; `why` names them all."""
_TOGETHER = frozenset({"re-resolved", "split", "loan-returned"})
"""Kinds of which all at a stretch are one line."""
_PROCEDURE = frozenset(
    {
        *("SS-0.4", "SS-1.7", "SS-1.8", "SS-2.1", "SS-3.1", "SS-3.2", "SS-3.11", "SS-3.12"),
        *("SS-3.13", "SS-3.14", "SS-4.1", "SS-4.2", "SS-5.12", "SS-9.2", "SS-11.7"),
    }
)
"""Rules that say how every roll or loss goes: no line names them."""
_EACH = frozenset({"action", "void", "support", "fear"})
"""Kinds that always have a line, even where there is little room."""
_BRIEF = frozenset(
    {
        "fallen",
        "destroyed",
        "rolled-back",
        "ballot",
        "objection",
        "rebellion",
        "coup",
        "ruling",
        "ballot-closed",
        "verdict",
        "converted",
        "faith",
        "technology",
        "built",
        "proposal",
        "replacement-wanted",
    }
)
"""Further kinds in the same place."""
_PEOPLE = ("by", "to", "kingdom", "claimant", "target", "from_", "lender", "borrower")
"""Fields that name a kingdom, the one who does it first."""


def lines_of(events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
    """A line for each thing that happened, with its consequences; an action has its number before
    it, by which one can object to it.
    """
    return _lines(groups(events), cast)


def lines_of_letter(events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
    """The same for the letter of a close: what concerns the reader comes first, and an offer that
    was answered since appears only as its answer.
    """
    told = list(groups(_unanswered(events)))
    own = [group for group in told if _concerns(group, cast.you)]
    return _lines([*own, *(group for group in told if group not in own)], cast)


def _lines(told: Iterator[list[Event]] | Sequence[list[Event]], cast: Cast) -> tuple[Line, ...]:
    found = (_line(tuple(group), cast) for group in told)
    return tuple(line for line in found if line.body.text)


def _unanswered(events: Sequence[Event]) -> list[Event]:
    ended = {
        event.facts.id
        for event in events
        if isinstance(event.facts, e.Traded | e.TradeFailed | e.OfferClosed | e.OfferExpired)
    }
    return [
        event
        for event in events
        if not (isinstance(event.facts, e.OfferMade) and event.facts.id in ended)
    ]


def _concerns(group: Sequence[Event], you: int) -> bool:
    return bool(you) and any(you in people_of(event.facts) for event in group)


def people_of(facts: Facts) -> Iterator[int]:
    """The kingdoms that an event names."""
    for name in _PEOPLE:
        person = getattr(facts, name, None)
        if isinstance(person, int):
            yield person


def groups(events: Sequence[Event]) -> Iterator[list[Event]]:
    """One happening: an event, and all its consequences."""
    group: list[Event] = []
    for event in events:
        goes_on = group and group[0].kind in HEADS and event.kind in FOLLOW
        again = group and event.kind == group[-1].kind and event.kind in _TOGETHER
        if group and not goes_on and not again:
            yield group
            group = []
        group.append(event)
    if group:
        yield group


@lru_cache(maxsize=4096)
def _line(group: tuple[Event, ...], cast: Cast) -> Line:
    facts = group[0].facts
    if isinstance(facts, e.ReResolved):
        numbers = [event.facts.action for event in group if isinstance(event.facts, e.ReResolved)]
        return Line("", twin(TEMPLATE, "done_again", numbers), _shown(group))
    if isinstance(facts, e.SplitMade) and len(group) > 1:
        splits = [event.facts for event in group]
        return Line("", twin(TEMPLATE, "splits", splits, cast), _shown(group))
    if isinstance(facts, e.LoanReturned) and len(group) > 1:
        loans = [event.facts for event in group]
        return Line("", twin(TEMPLATE, "loans_returned", loans, cast), _shown(group))
    label = str(facts.n) if isinstance(facts, e.ActionResolved | e.ActionVoid) else ""
    return Line(label, _joined([_sentence(event, cast) for event in group]), _shown(group))


def _sentence(event: Event, cast: Cast) -> Twin:
    return twin(TEMPLATE, macro_of(event), event.facts, cast)


def _joined(parts: Sequence[Twin]) -> Twin:
    told = [part for part in parts if part.text]
    return Twin(lambda dress: " ".join(part.worn(dress) for part in told))


def _shown(group: Sequence[Event]) -> tuple[str, ...]:
    """The rules that a line names: a few, of its head before those of its consequences."""
    rules = dict.fromkeys(rule for event in group for rule in event.rules)
    return tuple(rule for rule in rules if rule not in _PROCEDURE)[:MOST_RULES]


def macro_of(event: Event) -> str:
    return event.kind.replace("-", "_")


def briefs(events: Sequence[Event], cast: Cast) -> tuple[str, ...]:
    """Each action and each support in a few words, with its newsworthy consequences: for a caption
    that has no room for the sentences. What concerns the reader comes first.
    """
    told: list[tuple[bool, str]] = []
    for event in events:
        macro, facts = macro_of(event), event.facts
        if event.kind == "report":  # its reader alone has it, and here alone
            told.insert(0, (False, _sentence(event, cast).text))
        elif event.kind in _EACH or event.kind in _BRIEF:
            name = f"brief_{macro}" if event.kind in _EACH else macro
            text = phrase(NEWS, name, facts, cast)
            sign = next((cast.sign(number) for number in people_of(facts)), "")
            words = f"{sign} {text[:1].upper()}{text[1:]}".strip()
            told.append((not _concerns((event,), cast.you), words))
    told.sort(key=lambda entry: entry[0])
    return tuple(dict.fromkeys(words for _, words in told))
