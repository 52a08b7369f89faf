"""The table of reach: each of its examples does what its row says (F-20, F-21, F-23)."""

import pytest

from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.discourse import Row, reach_table, row_of
from tests.games.protectors.reading.positions import ANNA, EMPTY, codes, table, texts


@pytest.mark.parametrize("row", reach_table(), ids=lambda row: f"{row.cue}-{row.follows}")
def test_the_example_of_a_row_does_what_the_row_says(row: Row) -> None:
    reading = read_alone(READER.read, table(), ANNA, EMPTY, row.example)
    first = read_alone(
        READER.read, table(), ANNA, EMPTY, row.example.partition(".")[0].partition(",")[0]
    )
    match row.deed:
        case "ask" | "back":
            assert codes(reading)
            assert (
                row.deed == "back"
                or not set(texts(first)) <= set(texts(reading))
                or not (texts(first))
            )
        case "replace":
            assert not set(texts(first)) <= set(texts(reading))
        case "add":
            assert texts(reading)


def test_what_the_table_does_not_name_is_asked() -> None:
    assert row_of("nobody", "knows").deed == "ask"
