"""Questions about a game of Fortresses: `why SYR`, `why did I lose Syria in Year 4`, `why last
turn`, `odds of taking Syria with 2 legions`.

Pure, and never raises for what a player wrote: what is unclear is a problem.
"""

from collections.abc import Sequence
from itertools import pairwise

from engine.fortresses.atlas import KINGDOMS
from engine.fortresses.odds import Odds
from engine.fortresses.questions import Question, Topic
from engine.fortresses.units import CODES
from engine.fortresses.view import TableView
from engine.ruleset import Problem
from pbem.games.fortresses.reading.question_words import is_odds, odds_of, words_of
from pbem.grammar.kit.reading import Unclear, question_of
from pbem.reading.terms import Term

_TOPICS: Sequence[tuple[str, Topic]] = (
    ("END", "end"),
    ("INCOME", "income"),
    ("HOME", "home"),
    ("PURCHASE", "purchase"),
    ("BATTLES", "battles"),
)
"""What a question is about, the first that is named; of a zone alone, what was fought there."""


def parse_question(view: TableView, player: int | None, text: str) -> Question | Odds | Problem:
    """What a player (None: the public) asks about this table, or what is unclear about it."""

    def read(asked: str) -> Question | Odds:
        parts = words_of(view, asked)
        return odds_of(view, parts) if is_odds(parts) else _past(view, parts)

    return question_of(text, read)


def _past(view: TableView, parts: Sequence[Term]) -> Question:
    zones = list(dict.fromkeys(part.key for part in parts if part.kind == "ZONE"))
    kingdoms = [of for of in KINGDOMS if any(part.key == of for part in parts)]
    kinds = {part.kind for part in parts}
    if len(zones) > 1:
        raise Unclear("several-zones", first=zones[0], second=zones[1])
    year, number = _number_after(parts, "YEAR"), _number_after(parts, "ROUND")
    if year is None and kinds & {"THIS", "BEFORE"}:
        year = view.year - ("BEFORE" in kinds)
    if year is not None and not 1 <= year <= view.year:
        raise Unclear("no-such-year", year=year, years=view.year)
    topic = next((topic for kind, topic in _TOPICS if kind in kinds), None)
    if topic is None and (zones or kinds & {*CODES, "ROUND"}):
        topic = "battles"
    if topic is None and (year is not None or "LAST" in kinds or kinds & {"YEAR", "KINGDOM"}):
        topic = "all"
    if topic is None:
        raise Unclear("not-understood")
    return Question(
        topic,
        zones[0] if zones else None,
        kingdoms[0] if len(kingdoms) == 1 else None,
        year,
        number,
    )


def _number_after(parts: Sequence[Term], kind: str) -> int | None:
    """The number behind such a word."""
    for word, behind in pairwise(parts):
        if word.kind == kind and behind.kind == "NUMBER":
            return behind.number
    return None
