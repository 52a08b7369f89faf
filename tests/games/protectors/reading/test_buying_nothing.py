"""To buy nothing is an answer of its own: no default purchase follows, in the last turn too
(PR-8.9, PR-3.6).
"""

import pytest

from engine.protectors import orders as o
from engine.protectors.checking.purchase import is_complete
from engine.protectors.defaults import defaults
from engine.ruleset import Standing
from tests.games.protectors.reading.positions import ANNA, codes, read, table, texts

LAST = {
    "turn": 12,
    "in_play": ["Calms of Summer", "The Misty Mountains Cold", "Seafarers!", "Time's Up!"],
}
SAYINGS = [
    *("Buy nothing", "nothing", "none", "pass", "I pass.", "buy 0 in P1", "no purchases"),
    *("no purchase please", "I buy no units"),
]


@pytest.mark.parametrize("text", SAYINGS)
@pytest.mark.parametrize("more", [{}, LAST], ids=["any turn", "the last turn"])
def test_buying_nothing_is_an_answer_however_it_is_said(text: str, more: dict[str, object]) -> None:
    state = table("consolidation", more)
    reading = read(text, state=state)
    assert texts(reading) == ["Buy nothing"]
    assert not codes(reading)
    assert reading.checked is not None
    assert defaults(state, ANNA, reading.checked.standing) == (o.BuyNothing(),)
    assert is_complete(state, ANNA, reading.checked.standing.orders) == (more == LAST)


def test_a_purchase_takes_its_place_and_the_other_way_round() -> None:
    state = table("consolidation", LAST)
    bought = read("buy 1 in P1", state=state, standing=Standing((o.BuyNothing(),)))
    assert bought.checked is not None
    assert bought.checked.standing.orders == (o.Buy(1, 1),)
    taken_back = read("buy nothing", state=state, standing=Standing((o.Buy(1, 1),)))
    assert taken_back.checked is not None
    assert taken_back.checked.standing.orders == (o.BuyNothing(),)
    assert texts(read("buy 0 in P1, 1 in P2", state=state)) == ["Buy 1 in P2"]
