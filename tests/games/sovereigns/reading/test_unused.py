"""Words of the game that a message says for nothing are told."""

import pytest

from tests.games.reading.unused import read
from tests.rows import each_row


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


@each_row(
    ("text", "orders"),
    [
        ("Ask Borland for 2 military. We give them gunpowder.", []),
        ("Offer Borland steel. We want their gunpowder.", []),
        ("Lend Borland 2M for 2 seasons; in return we get gunpowder", []),
        ("Offer Borland steel, they give gunpowder", []),
        ("Give Borland our steel, they need it", ["Offer Ben: tech steel against nothing"]),
        (
            "Give Borland our steel. We want nothing for it.",
            ["Offer Ben: tech steel against nothing"],
        ),
    ],
)
def test_f74_an_offer_for_nothing_is_asked_where_what_it_is_for_was_not_understood(
    text: str, orders: list[str]
) -> None:
    reading, _ = read("sovereigns", text)
    assert [order for item in reading.items for order in item.texts] == orders
