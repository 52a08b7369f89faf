"""Words and shapes that people use for orders: what is taken of them, what is offered, and what
stays a question.
"""

from pathlib import Path

import pytest

from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

HERE = Path(__file__).parent

TAKEN = """
setup | three points of each, please | Split 3/3/3
setup | an equal split for me | Split 3/3/3
setup | money 4, army 3, harmony 2 | Split 4/3/2
setup | I want 3 in each attribute | Split 3/3/3
setup | 3/3/3, and my kingdom is to be called Quiet Valley | Split 3/3/3, Quiet Valley
setup | 4/3/2. The name of my kingdom shall be Redmarsh. | Split 4/3/2, Redmarsh
year | H:3 reb:2M coup:1M | Harmony: 3H, rebellion 2M, coup 1M
year | roll 3 harmony n if theres a coup 4 mil | Harmony: 3H, coup 4M
summer | hit Petra with 4 and burn the wall if it all goes splendidly | Attack Petra: 4M, burn BLD-WALL
summer | attack Petra with 4 and burn the wall should luck be with us | Attack Petra: 4M, burn BLD-WALL
summer | army +1, 3 res on it | Increase M: 3R
summer | harmony up, 4 resources | Increase H: 4R
summer | put 3 resources into military | Increase M: 3R
summer | More military! Spend 3 to increase it. | Increase M: 3R
summer | spy on Yusuf with 2, we want that sails tech | Espionage Yusuf: 2M, seek sails
summer | SEC 2M \\| BLD wall | Security: 2M & Build BLD-WALL
summer | Thornwall attacks Greyfen with 3 | Attack Petra: 3M
summer | attack Marek with 4, if hes dead then expedition with 2 | Attack Marek: 4M else Expedition: 2M
summer | attack Marek with 4, or if Marek is gone expedition with 2 | Attack Marek: 4M else Expedition: 2M
summer | if Petra M>=4: SEC 3 | Security: 3M if Petra has at least 4M
summer | security 3 if Marek has 6+ military | Security: 3M if Marek has at least 6M
summer | offer King Marek one resource until year end for one military until year end | Offer Marek: 1R until year end against 1M until year end
summer | 1 military to Marek for 3 seasons, want nothing back | Offer Marek: 1M for 3 seasons against nothing
summer | make Petra a present of our medicine | Offer Petra: tech medicine against nothing
summer | offer for Marek: 1R permanent from us, 2M until year end from him | Offer Marek: 1R permanent against 2M until year end
summer | attack Velmora with 4, sorry Marek | Attack Marek: 4M
summer | attack Petra with all 5 | Attack Petra: 5M
summer | rob Petra with 2 (theft) | Theft Petra: 2M
summer | send a spy over to Petra, 1 military | Espionage Petra: 1M
summer | research with 2 on harps, which give +1 on all harmony rolls | Research: 2R, harps = STAT-ROLL H
standing | the standing order for the seasons can go. expedition with 2 | Forget every season & Expedition: 2M
camped | use the camp to get a tired soldier up | Camp
offers | 1 no, 2 yes | Decline offer 1 & Accept offer 2
offers | #2 ok, #1 nope | Accept offer 2 & Decline offer 1
offers | fine Marek, you get your deal | Accept offer 1
offers | I accept the first offer and decline the second | Accept offer 1 & Decline offer 2
offers | accept the generous offer of King Marek | Accept offer 1
claimed | my vote: n | Vote no on Marek
claimed | claim vote (Marek): Y | Vote yes on Marek
claimed | no to the claim of Marek | Vote no on Marek
year | Roll 3 dice. Against the rebellion we put 2 soldiers. | Harmony: 3H, rebellion 2M
summer | To Petra I propose: I give her 1 military until the end of year, she gives me 1 resource until the end of year | Offer Petra: 1M until year end against 1R until year end
claimed | About the ballot: no | Vote no on Marek
claimed | I vote against Marek's claim | Vote no on Marek
claimed | From my side yes, Marek has won | Vote yes on Marek
standing | scrap the standing expedition | Forget every season
standing | bin the yearly order | Forget every year
"""
"""Taken at once: a place, a text, its orders."""

OFFERED = """
setup | im busy so 3 3 3 | Split 3/3/3
summer | attack Marek with 3 and brun nothng | Attack Marek: 3M, spare buildings
summer | Petra has two soldiers, so we attack Marek with 4. Spare the buildings though, we're no monsters. | Attack Marek: 4M, spare buildings
claimed | We vote no on his ridiculous claim | Vote no on Marek
claimed | About the ballot: my answer is no. | Vote no on Marek
year | 2 harmony, and 3 military should there be a rebellion | Harmony: 2H, rebellion 3M
summer | Our falconers shall spread the faith to Saltmere, with two points of Harmony. | Spread Yusuf: 2H
summer | I pledge three Military to security, for the roads are full of wolves. | Security: 3M
summer | Let an expedition of two Military depart. | Expedition: 2M
summer | Our poets must foment a revolt in Velmora with 1. | Foment Marek: 1H
summer | Security 3, my knees are feeling odd | Security: 3M
one | yes | Accept offer 1
one | nope | Decline offer 1
claimed | no | Vote no on Marek
"""
"""Offered with one question, or taken."""

NEITHER = """
claimed | Friends, vote no on Marek!
claimed | her vote: no
summer | My uncle teaches us to attack Petra with 3.
summer | My rivals attack Petra with 3.
summer | 3 soldiers fell in the attack on Petra.
summer | attack Petra in 3 weeks
summer | my usual is 2 harmony
summer | fine Petra, attack me with 3
summer | The law lets me attack Petra with 4.
summer | Rarely do I attack Petra with 4.
summer | we used to attack Petra with 3
summer | attack Petra with 4 and burn the wall if Marek is well
summer | headline: attack Petra with 3
summer | my brother is ill and he attacks Petra with 3
offers | agreed! Marek is the worst
offers | ok Marek, whatever
offers | Marek: deal
offers | I beg you to accept offer 1
offers | I think 1 is better than 2
offers | no
"""
"""Nothing of these is taken or offered."""


def rows(table: str) -> list[list[str]]:
    return [row.replace("\\|", "\0").split(" | ") for row in table.strip().splitlines()]


def taken_of(place: str, text: str) -> tuple[list[str], list[str]]:
    """What is taken, and what is offered."""
    reading = read_at(HERE, place, "Ida", text.replace("\0", "|"))
    offered, _ = shown_of(reading)
    return [one for item in reading.items for one in item.texts], offered


@each_row(("place", "text", "orders"), rows(TAKEN))
def test_taken_in_other_words(place: str, text: str, orders: str) -> None:
    taken, _ = taken_of(place, text)
    assert sorted(taken) == sorted(orders.split(" & "))


@each_row(("place", "text", "orders"), rows(OFFERED))
def test_offered_in_other_words(place: str, text: str, orders: str) -> None:
    taken, offered = taken_of(place, text)
    assert [*taken, *(x for one in offered for x in one.split("\n"))] == orders.split(" & ")


@each_row(("place", "text"), rows(NEITHER))
def test_neither_taken_nor_offered(place: str, text: str) -> None:
    assert taken_of(place, text) == ([], [])


def test_a_number_that_is_not_read_is_never_left_out() -> None:
    """An action that names no points is not taken beside a number that nobody read."""
    assert taken_of("summer", "More harmony! The 3 merry monks count for it.") == ([], [])


@pytest.mark.parametrize("text", ["Redmarsh", "call us Redmarsh", "our name: Redmarsh"])
def test_a_name_alone_is_no_note_while_the_points_are_not_split(text: str) -> None:
    reading = read_at(HERE, "setup", "Ida", text)
    assert [x.problems[0].code for x in reading.items] == ["not-understood"]
