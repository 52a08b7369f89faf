"""Offers that once did the opposite of what was written (F-72)."""

from pathlib import Path

import pytest
import yaml

from tests.games.reading.phrases import read_at, shown_of

HERE = Path(__file__).parent
KEPT = yaml.safe_load((HERE / "strangers.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    "text", ["concede? never!", "I walk out of Jerum", "I shall never concede", "Enter Serum"]
)
def test_f72_the_opposite_is_not_offered(text: str) -> None:
    """F-72: no concession, and no way into the land that somebody leaves."""
    assert shown_of(read_at(HERE, KEPT["at"], KEPT["as"], text)) == ([], [])


def test_f72_a_slip_is_offered() -> None:
    """F-72: the one line that a mistyped word can mean is offered on."""
    assert shown_of(read_at(HERE, KEPT["at"], KEPT["as"], "enter Jerun")) == (["Enter: Jerum"], [])
