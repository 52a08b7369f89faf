"""Turns of speech that the reader does not know are offered in its own words; what is asked, denied,
doubted or told of others is not.
"""

from pathlib import Path

import pytest

from tests.games.reading.phrases import read_at, shown_of

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("place", "text", "meant"),
    [
        ("summer", "Let's hit Marek: four soldiers", ["Attack Marek: 4M"]),
        ("summer", "Petra has hardly any troops, so we go after her with 3", ["Attack Petra: 3M"]),
        ("summer", "send one spy to Yusuf and bring home the secret of the sails", ["Espionage Yusuf: 1M, seek sails"]),
        ("summer", "four resources for a bigger army", ["Increase M: 4R"]),
        ("summer", "stoke some unrest in Velmora, 1 harmony", ["Foment Marek: 1H"]),
        ("summer", "Marek gets 1 resource from me for gunpowder, permanently", ["Offer Marek: 1R permanent against tech gunpowder"]),
        ("offers", "I say yes to Marek and no to Yusuf", ["Accept offer 1", "Decline offer 2"]),
        ("offers", "Marek's deal is an insult", ["Decline offer 1"]),
        ("one", "fine with me", ["Accept offer 1"]),
        ("one", "not a chance", ["Decline offer 1"]),
        ("claimed", "Marek deserves it, yes", ["Vote yes on Marek"]),
        ("year", "2 harmony, keep 3 men ready for a rebellion", ["Harmony: 2H, rebellion 3M"]),
        ("year", "3 dice for the popularity of my folk", ["Harmony: 3H"]),
        ("setup", "4 for resources, 3 for the army, 2 for harmony", ["Split 4/3/2"]),
    ],
)  # fmt: skip
def test_what_is_said_otherwise_is_offered(place: str, text: str, meant: list[str]) -> None:
    offered, _ = shown_of(read_at(HERE, place, "Ida", text))
    assert offered == ["\n".join(meant)]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("summer", "should I go after Velmora with 2?"),
        ("summer", "I could go after Velmora with 4"),
        ("summer", "Petra, go after Velmora with 4"),
        ("summer", "unless Marek backs off I go after him with 4"),
        ("summer", "next season I go after Velmora with 4"),
        ("summer", "Marek will go after Petra with 3"),
        ("summer", "our army is too small"),
        ("offers", "Marek's offer is interesting"),
        ("offers", "I am thinking about Marek's offer"),
        ("one", "is that fair?"),
        ("one", "sounds good, but let me think"),
        ("one", "that works only if he adds one"),
        ("claimed", "has Marek won?"),
        ("summer", "I'm willing to go exploring with 3"),
    ],
)
def test_what_is_no_order_in_other_words_is_not(place: str, text: str) -> None:
    offered, _ = shown_of(read_at(HERE, place, "Ida", text))
    assert offered == []
