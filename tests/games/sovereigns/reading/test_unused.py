"""Words of the game that a message says for nothing are told."""

import pytest

from tests.games.reading.unused import read


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("same as last season, and research with 2R", ("same as last season",)),
        ("we do the thing with the geese again. And research 2R", ("we do the thing with the",)),
        ("3) research 2R", ("3",)),
        ("1) research 2R", ()),
        ("Research 2R. The rest of my people sleep.", ()),
    ],
)
def test_what_came_to_nothing_is_told(text: str, unused: tuple[str, ...]) -> None:
    """F-74: a deed in other words, a number that is no mark."""
    reading, after = read("sovereigns", text)
    assert after == ["Research: 2R"]
    assert len(reading.unused) == len(unused)
    assert all(one.startswith(said) for one, said in zip(reading.unused, unused, strict=True))
