"""Words that point: who goes along, `it` and `there`, and lines that stand no more."""

import pytest

from tests.games.fortresses.reading.test_in_other_words import HERE, taken
from tests.games.fortresses.reading.test_shorthand import rows
from tests.games.reading.phrases import read_at, shown_of

_TAKEN = """
# who goes along is added, also behind a correction; nobody falls to them
silver | Attack Saxony with 2 legions from Denmark... no, the knight goes along too. | Attack Saxony with 2L 1K from Denmark
silver | Attack Saxony with both legions from Denmark. Actually, take the warbeast along as well. | Attack Saxony with 2L 1W from Denmark
silver | Attack Saxony with both legions from Denmark. The warbeast goes along. | Attack Saxony with 2L 1W from Denmark
silver | Attack Saxony with 2L from Denmark. Sorry, 1 legion from Flanders joins too. | Attack Saxony with 2L from Denmark; 1L from Flanders
silver | Attack Saxony with 2L from Denmark. Oh and add the Flanders legion. | Attack Saxony with 2L from Denmark; 1L from Flanders
silver | Attack Castile with 1L from Aquitaine. The Normandy dragon joins them. | Attack Castile with 1L from Aquitaine; 1D from Normandy
silver | Attack Saxony with 2L from Denmark. No wait, 1 legion. | Attack Saxony with 1L from Denmark
# a zone that was named is meant by `it` and `there`
silver | Castile is weak. The Aquitaine legion attacks it. | Attack Castile with 1L from Aquitaine
silver | Castile is weak. The Aquitaine legion attacks it. The Normandy dragon goes there too. | Attack Castile with 1L from Aquitaine; 1D from Normandy
silver | 2L FRA into PRO. lose L first there | Attack Provence with 2L from France & Lose L in Provence
silver | 2L from Denmark into Saxony, keep a conqueror there | Attack Saxony with 2L from Denmark & Keep a conqueror in Saxony
# an order ends where another begins
silver | attack saxony with 2l 1k from denmark retreat dragons never | Attack Saxony with 2L 1K from Denmark & Retreat dragons never
silver | attack saxony with 2l from denmark done | Attack Saxony with 2L from Denmark & Done
gold | buy 3 legoins in constantinopel done | Buy 3L in Constantinople & Done
battle | loose 2 legoins adn stay | Lose 2L & Stay
# a line that is changed leaves its units free
held | change line 1 to all of France against Provence | Cancel 1 & Attack Provence with 2L 1K from France
"""
_ASKED = """
silver | Castile and Provence are weak. The Aquitaine legion attacks it.
silver | Saxony is strong, there is a legion there
silver | Should the knight go there too?
"""


@pytest.mark.parametrize(("place", "text", "orders"), rows(_TAKEN))
def test_what_points_is_read(place: str, text: str, orders: str) -> None:
    assert taken(place, text) == orders.split(" & ")


@pytest.mark.parametrize(("place", "text"), rows(_ASKED))
def test_what_may_point_at_several_is_asked(place: str, text: str) -> None:
    assert taken(place, text) == []


def test_who_stays_is_not_offered_to_go() -> None:
    """A knight that stays was once offered with those who attack."""
    text = "I attack Saxony with the army from Denmark: two legion. Knight is staying in home."
    offered, _ = shown_of(read_at(HERE, "silver", "silver", text))
    assert not any("K" in line for line in offered)
