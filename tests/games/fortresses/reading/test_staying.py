"""What stays where it is, and what somebody got wrong: no order sends it."""

import pytest

from tests.games.fortresses.reading.tables import read
from tests.games.fortresses.reading.test_in_other_words import HERE
from tests.games.reading.phrases import read_at, shown_of

_LEGIONS = "Attack Syria with 2L from Egypt"


@pytest.mark.parametrize(
    "text",
    [
        "2 legions from Egypt attack Syria, the knight stays where it is",
        "The knight of Egypt sits tight. Two legions from Egypt attack Syria",
        "two legions from Egypt into Syria. The rest stays.",
        "attack Syria with two legions from Egypt (knight stays at home)",
        "two legions from Egypt attack Syria while the legion in Sicily stays put",
    ],
)
def test_units_that_stay_change_nothing(text: str) -> None:
    assert read(text)[0] == [_LEGIONS]


@pytest.mark.parametrize(
    "text",
    [
        "the knight from Egypt attacks Syria. The knight stays where it is",
        "The legions of Egypt stay. attack Syria with 2 legions from Egypt",
        "attack Syria with everything from Egypt. Everybody stays at home.",
        "the knight from Egypt attacks Syria. I got that backwards, sorry",
        "the knight from Egypt attacks Syria. Drat, wrong way round!",
    ],
)
def test_what_stays_or_is_wrong_is_not_sent(text: str) -> None:
    stands, codes = read(text)
    assert stands == []
    assert "not-understood" in codes


def test_what_somebody_else_got_wrong_is_talk() -> None:
    assert read(f"{_LEGIONS}. Gold got it all wrong last year.")[0] == [_LEGIONS]


def test_everybody_is_offered_as_units_of_all_types() -> None:
    """`Attack Saxony with 2L` was offered of 2L 1K 1W: the type of the order before it."""
    text = (
        "I attack to Castile with one legion who is in Aquitaine."
        " And everything that is in Denmark goes in Saxony for attack."
    )
    offered, _ = shown_of(read_at(HERE, "silver", "silver", text))
    assert all("Saxony with 2L from" not in offer for offer in offered)


@pytest.mark.parametrize(
    "text",
    [
        "Next year comes my revenge. Then 2 legions go from Egypt into Syria",
        "attack Syria with 2 legions from Egypt. Wait, I was on the wrong map, throw it away.",
    ],
)
def test_what_is_for_later_or_thrown_away_is_not_sent(text: str) -> None:
    assert read(text)[0] == []
    assert read(text)[1]
