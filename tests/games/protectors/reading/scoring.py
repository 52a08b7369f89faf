"""Scores readings of phrases against what their writers, who never saw the reader, would have
understood.

`right`: the first answer; `accepted`: another of theirs. `asked`: nothing wrong is read, but a clear
order is asked back. `codes`: the orders are right, the codes of problems are others. `lost`: an order
is left out without a word. `misread`: an order stands that nobody gave.
"""

from collections.abc import Sequence

from engine.protectors.state import State
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.kit.reading import Reading
from tests.games.protectors.reading.positions import codes, texts
from tests.games.reading.phrases import Phrase, Told
from tests.games.reading.scoring import read_at_table


def score(phrase: Phrase) -> str:
    """What the reading of this phrase comes to."""
    reading, state = reading_of(phrase)
    problems = codes(reading)
    if reading.commands and not reading.items:
        problems = {"no-order"}  # a question that the house answers
    return _judge(phrase.answers, set(phrase.refused), texts(reading, state), problems)


def reading_of(phrase: Phrase) -> tuple[Reading, State]:
    """What the reader makes of a phrase in its position."""
    state: State = phrase.at.state
    seats = [(seat.number, seat.name) for seat in state.players]
    reading = read_at_table(READER.read, seats, state, phrase.player, phrase.text, phrase.standing)
    return reading, state


def _judge(answers: Sequence[Told], refused: set[str], means: list[str], problems: set[str]) -> str:
    for i, (orders, problems_meant) in enumerate(answers):
        spare = [text for text in means if text in refused and text not in orders]
        rest = sorted(means)
        for text in spare:
            rest.remove(text)
        if rest == sorted(orders) and problems == set(problems_meant):
            return "accepted" if i or spare else "right"
    wanted = [set(orders) for orders, _ in answers]
    have = set(means) - refused
    if not set(means) <= refused.union(*wanted) or len(set(means)) < len(means):
        return "misread"
    if have in wanted:
        return "codes"
    if not any(have <= orders for orders in wanted):
        return "misread"
    return "asked" if problems - {"no-order"} else "lost"
