"""Every order has one canonical text, which reads back to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.protectors import orders as o
from tests.engine.random_orders import orders_of
from tests.rows import each_row

NAMES = {1: "Anna", 2: "Bo of P3", 3: "Zoë in P1 from P2", 4: "Send 3 to Anna"}
NUMBERS = {name: number for number, name in NAMES.items()}
PLACES = st.integers(0, 120)
COUNTS = st.integers(0, 10**6)
ORDERS = orders_of(
    o.FORMS,
    {
        "place": PLACES,
        "count": COUNTS,
        "player": st.sampled_from(tuple(NAMES)),
        "faction": st.sampled_from(o.FACTIONS),
        "deck": st.sampled_from(("sea", "end")),
        "words": st.sampled_from(("Weather forecast", "Nothing to see here!")),
        "standing": st.none() | PLACES,
    },
)


@given(ORDERS)
def test_the_canonical_text_of_an_order_reads_back_to_it(order: o.Order) -> None:
    assert o.parse_order(o.format_order(order, NAMES), NUMBERS) == order


@each_row(
    "text",
    [
        *("", "hold P1", "Hold P01", "Hold P1.", "Golden March! 3 from P1"),
        *("Golden Delayed March! 3 from P1 to P2", "March! 03 from P1 to P2", "Cancel"),
        *("Cancel everything", "Commit 3 from P1 (sac)", "Faction Anna", "Palantír: sea"),
        *("Snitch on Nobody", "Final\n"),
    ],
)
def test_what_is_no_canonical_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no canonical text of an order|no player 'Nobody'"):
        o.parse_order(text, NUMBERS)
