"""The phrases of cases/reading*.yaml, read one by one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from engine.protectors.positions.position import parse_position, parse_standings
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.reading.positions import EMPTY, codes, texts
from tests.rows import each_row

CASES = Path(__file__).parents[1] / "cases"


def _phrases() -> Iterator[Any]:
    for file in sorted(CASES.glob("reading*.yaml")):
        for case in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader):
            yield from ((case, told) for told in case["read"])


@each_row(("case", "told"), _phrases())
def test_a_phrase_is_read_as_a_careful_game_master_would(
    case: dict[str, Any], told: dict[str, Any]
) -> None:
    state = parse_position(case["position"], case["options"], case["id"])
    number = next(seat.number for seat in state.players if seat.name == told["as"])
    standing = parse_standings(case["position"], state).get(number, EMPTY)
    reading = read_alone(READER.read, state, number, standing, told["text"])
    assert sorted(texts(reading, state)) == sorted(told["means"])
    assert codes(reading) == set(told["problems"])
