"""Words that point: who goes along, `it` and `there`, and lines that stand no more."""

from tests.games.fortresses.reading.test_in_other_words import HERE, taken
from tests.games.fortresses.reading.test_shorthand import rows
from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

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
# what tells how things are before `so` holds nothing back
silver | Sweden isn't guarded well and Blue is away, so the Norway legion attacks Sweden. | Attack Sweden with 1L from Norway
silver | Provence has a castle, so 2 legions and the knight from France attack it | Attack Provence with 2L 1K from France
# the unit that `he` is, a number of some, and who falls
battle | The dragon, he stays to fight | Stay
battle | So then: two of the legions die, and the dragon retreats. | Lose 2L & Retreat dragons
battle | both knights fall | Lose 2K
# a list of purchases before a move of its own, and the heads of a table
gold | 3 legions in Constantinople, the dragon flies back from Levantine Sea to Cyprus, that's me done | Buy 3L in Constantinople & Move 1D from Levantine Sea to Cyprus & Done
gold | Purchases // where / what // Constantinople / 2L // Syria / 1L | Buy 2L in Constantinople & Buy 1L in Syria
held | cancel everything and start over: Norway legion to Sweden | Cancel all & Attack Sweden with 1L from Norway
# edits of what stands, with a reason behind them
held | drop the Castile attack pls, I don't like the look of it | Cancel 2
held | call off Castile | Cancel 2
held | drop the Castile thing | Cancel 2
held | strike everything I have sent | Cancel all
held | cancel all, starting over. Norway legion to Sweden | Cancel all & Attack Sweden with 1L from Norway
held | Cancel all that I sent before lunch. What I want now is: Norway legion to Sweden | Cancel all & Attack Sweden with 1L from Norway
redheld | instead of 2 I want a legion in Tunis | Cancel 2 & Buy 1L in Tunis
# a line that is changed leaves its units free
held | change line 1 to all of France against Provence | Cancel 1 & Attack Provence with 2L 1K from France
"""
_ASKED = """
silver | Castile and Provence are weak. The Aquitaine legion attacks it.
silver | Saxony is strong, there is a legion there
silver | Should the knight go there too?
silver | If Provence is weak, so the French knight attacks it
silver | Provence is weak, so maybe the French knight attacks it
silver | Provence is weak, so should the French knight attack it?
silver | I won't attack Castile, so the Normandy dragon attacks Sweden
silver | Provence is weak, so the French knight does not attack it
battle | The dragon, he was expensive
held | drop the Castile attack, I don't think so
held | drop the Castile attack, I might keep it
held | drop 2, don't drop 1
"""


@each_row(("place", "text", "orders"), rows(_TAKEN))
def test_what_points_is_read(place: str, text: str, orders: str) -> None:
    assert taken(place, text.replace(" // ", "\n").replace(" / ", " | ")) == orders.split(" & ")


@each_row(("place", "text"), rows(_ASKED))
def test_what_may_point_at_several_is_asked(place: str, text: str) -> None:
    assert taken(place, text) == []


def test_who_stays_is_not_offered_to_go() -> None:
    """A knight that stays was once offered with those who attack."""
    text = "I attack Saxony with the army from Denmark: two legion. Knight is staying in home."
    offered, _ = shown_of(read_at(HERE, "silver", "silver", text))
    assert not any("K" in line for line in offered)
