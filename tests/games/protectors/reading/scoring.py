"""Scores readings of phrases against what their writers, who never saw the reader, would have
understood.

`right`: the first answer; `accepted`: another of theirs. `asked`: nothing wrong is read, but a clear
order is asked back. `codes`: the orders are right, the codes of problems are others. `lost`: an order
is left out without a word. `misread`: an order stands that nobody gave.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from engine.protectors import orders as o
from engine.protectors.positions.position import parse_position, parse_standings
from engine.protectors.state import State
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import OrderReader
from pbem.grammar.kit.reading import Reading
from tests.games.protectors.reading.positions import EMPTY, codes, texts
from tests.games.reading.scoring import read_at_table

AnyReader = OrderReader[State, o.Order]
PHRASES = Path(__file__).parent / "phrases"


def all_phrases() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Every phrase, with its name and its case."""
    for file in sorted((*PHRASES.glob("*.yaml"), *PHRASES.glob("later/*.yaml"))):
        for case in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader):
            for number, told in enumerate((case or {}).get("read", ()), 1):
                yield f"{case['id']}.{number:02}", case, told


def score(case: dict[str, Any], told: dict[str, Any], reader: AnyReader = READER) -> str:
    """What the reading of this phrase by this reader comes to."""
    reading, state = reading_of(case, told, reader)
    answers = [told, *told.get("or", ())]
    problems = codes(reading)
    if reading.commands and not reading.items:
        problems = {"no-order"}  # a question that the house answers
    return _judge(answers, set(told.get("refused", ())), texts(reading, state), problems)


def reading_of(
    case: dict[str, Any], told: dict[str, Any], reader: AnyReader = READER
) -> tuple[Reading, State]:
    """What this reader makes of a phrase in its position."""
    position = {key: value for key, value in case["position"].items() if key != "eliminated"}
    state = parse_position(position, case.get("options", {}), case["id"])
    number = next(seat.number for seat in state.players if seat.name == told["as"])
    standing = parse_standings(position, state).get(number, EMPTY)
    seats = [(seat.number, seat.name) for seat in state.players]
    return read_at_table(reader.read, seats, state, number, told["text"], standing), state


def _judge(
    answers: Sequence[dict[str, Any]], refused: set[str], means: list[str], problems: set[str]
) -> str:
    for i, answer in enumerate(answers):
        spare = [text for text in means if text in refused and text not in answer["means"]]
        rest = sorted(means)
        for text in spare:
            rest.remove(text)
        if rest == sorted(answer["means"]) and problems == set(answer["problems"]):
            return "accepted" if i or spare else "right"
    allowed = {text for answer in answers for text in answer["means"]} | refused
    have = set(means) - refused
    if not set(means) <= allowed or len(set(means)) < len(means):
        return "misread"
    if have in [set(answer["means"]) for answer in answers]:
        return "codes"
    if not any(have <= set(answer["means"]) for answer in answers):
        return "misread"
    return "asked" if problems - {"no-order"} else "lost"
