"""Arrows, passives, nicknames and ships that bring: each kind of speech in words of our own, and
what looks like it and is no order.
"""

import pytest

from tests.games.fortresses.reading.test_in_other_words import HERE, taken
from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

_TAKEN = """
# arrows, `x` and `v`, and a list behind its target
silver | DEN 2L1K > SAX | Attack Saxony with 2L 1K from Denmark
silver | FRA 2L => PRO, NWY 1L => SWE | Attack Provence with 2L from France & Attack Sweden with 1L from Norway
silver | NTH 1G x BAL | Attack Baltic Sea with 1G from North Sea
silver | dragon v the baltic fleet | Attack Baltic Sea with 1D from Normandy
silver | knight normandy -> aquitaine -> castile | Attack Castile with 1K from Normandy via Aquitaine
silver | G NTH c 1L SCO > SAX | Galleon in North Sea carries 1L from Scotland to Saxony
silver | battle order SAX > CAS | Battle order: Saxony, Castile
silver | battle order sax > cas > swe | Battle order: Saxony, Castile, Sweden
gold | CON +2L | Buy 2L in Constantinople
# a target gets hit by those who stand behind it
silver | Sweden gets hit by the Norwegian legion | Attack Sweden with 1L from Norway
silver | Saxony is to be stormed by both legions of Denmark | Attack Saxony with 2L from Denmark
silver | saxony gets both danish legions | Attack Saxony with 2L from Denmark
gold | Constantinople gets 2 warbeasts | Buy 2W in Constantinople
# who takes a land with no ship in it attacks; units on a hostile land go there
silver | my French knight takes Provence | Attack Provence with 1K from France
silver | both legions from Denmark on Saxony | Attack Saxony with 2L from Denmark
silver | a Danish warbeast smashes Saxony | Attack Saxony with 1W from Denmark
# units by a nickname, where they are all there are
silver | the Norway guy hits Sweden | Attack Sweden with 1L from Norway
silver | france: 2 guys and the horse on provence | Attack Provence with 2L 1K from France
silver | dragon to castile | Attack Castile with 1D from Normandy
# a ship that brings, fetches or runs somebody over
silver | the North Sea ship brings the Scottish legion over to Saxony | Galleon in North Sea carries 1L from Scotland to Saxony
silver | north sea boat fetches the scotland guy, drops it in saxony | Galleon in North Sea carries 1L from Scotland to Saxony
silver | channel ship takes a normandy legion thru biscay, lands it in castile | Galleon in English Channel carries 1L from Normandy via Bay of Biscay to Castile
# one's own kingdom turns nothing
silver | The King of Silver orders the legion of Norway to attack Sweden. | Attack Sweden with 1L from Norway
silver | No attacks from Silver | No attacks
# a number for each of several zones
gold | a legion each for con and syria | Buy 1L in Constantinople & Buy 1L in Syria
silver | a legion each from Denmark and Flanders on Saxony | Attack Saxony with 1L from Denmark; 1L from Flanders
# what is told of one battle
silver | Saxony fight: lose legions first, then knights | Lose L then K in Saxony
silver | Please fight the battles in this order: Saxony, then Castile | Battle order: Saxony, Castile
silver | resolve Saxony first, then Castile | Battle order: Saxony, Castile
silver | pull the dragon out after two rounds of fighting in Saxony | Retreat dragons after 2 rounds in Saxony
silver | I should like to be asked after every round in Saxony | Interactive in Saxony
held | del 1, 3 | Cancel 1 & Cancel 3
"""
_OFFERED = """
silver | my dragon leaves after round 2 | Retreat dragons after 2 rounds
silver | battle order reads Saxony, Castile and then Sweden | Battle order: Saxony, Castile, Sweden
gold | dragon to Crete | Move 1D from Levantine Sea to Crete
"""
_ASKED = """
silver | Sweden gets hit by Blue
silver | the King of Gold attacks Sweden
silver | Red takes Provence with the French legions
silver | Saxony was attacked by 2L from Denmark
silver | the Denmark guy hits Saxony
silver | should the Norway guy hit Sweden?
silver | the Norway guy might take Sweden
gold | dragon to Constantinople
silver | attack Saxony with 2L by way of Denmark
"""


def rows(told: str) -> list[list[str]]:
    lines = (line for line in told.splitlines() if line and line[0] != "#")
    return [[part.strip() for part in line.split(" | ")] for line in lines]


@each_row(("place", "text", "orders"), rows(_TAKEN))
def test_shorthand_is_taken(place: str, text: str, orders: str) -> None:
    assert taken(place, text) == orders.split(" & ")


@pytest.mark.parametrize(("place", "text", "offer"), rows(_OFFERED))
def test_an_instruction_is_offered_with_its_value(place: str, text: str, offer: str) -> None:
    assert shown_of(read_at(HERE, place, place, text))[0] == [offer]


@each_row(("place", "text"), rows(_ASKED))
def test_what_looks_like_it_is_no_order(place: str, text: str) -> None:
    assert taken(place, text) == []
