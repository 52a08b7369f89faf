"""Offers that once named another zone, number or unit than was written (F-72)."""

from pathlib import Path

from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

HERE = Path(__file__).parent


@each_row(
    "text",
    [
        *("Take Armenia using the two legions in Cumania", "attack norway from sweden w/ 2 leg"),
        "one Black Sea galleon brings a legion from Bulgaria and lands it in Anatolia",
        *("Kiev's dragons burn Constantinople", "concede? never!", "zork the blue ones"),
    ],
)
def test_f72_f73_nothing_else_is_offered_or_shown(text: str) -> None:
    """F-72, F-73: no other number, zone or unit, no concession, and no constant line."""
    offered, shown = shown_of(read_at(HERE, "blue", "blue", text))
    assert set(offered) <= {
        "Attack Armenia with 2L from Cumania",
        "Attack Norway with 2L from Sweden",
        "Galleon in Black Sea carries 1L from Bulgaria to Anatolia",
    }
    assert shown == []


def test_f72_by_way_of_a_zone_is_not_from_it() -> None:
    """F-72: `by way of Saxony` once became an attack of two knights from Saxony."""
    text = "Attack Flanders with 2 legions from Denmark, by way of Saxony"
    reading = read_at(HERE, "silver", "silver", text)
    stands = reading.checked.accepted if reading.checked is not None else ()
    assert stands == ()
    assert shown_of(reading) == ([], [])


def test_f72_what_says_all_of_an_order_is_offered() -> None:
    """F-72: what the mechanism can show to be right is offered on."""
    text = "I'd like to see Castile fall to the legion from Aquitaine please"
    offered, _ = shown_of(read_at(HERE, "silver", "silver", text))
    assert offered == ["Attack Castile with 1L from Aquitaine"]


@each_row(
    ("place", "text", "offer"),
    [
        # a sentence that names but a place says what the next one is about
        ("blue", "Norway falls today. 2 legions, Sweden.", "Attack Norway with 2L from Sweden"),
        (
            "blue",
            "Bulgaria is next! 3 legions out of Hungary, and the Kiev dragon tags along",
            "Attack Bulgaria with 3L from Hungary; 1D from Kiev",
        ),
        ("blue", "Armenia first. Cumania sends one legion.", "Attack Armenia with 1L from Cumania"),
        (
            "silver",
            "Let's do Aragon. Dragon out of Normandy plus the Aquitaine lads.",
            "Attack Aragon with 1D from Normandy; 1L from Aquitaine",
        ),
        # `to` says the deed as well as a verb does
        ("gold", "dragon to Crete", "Move 1D from Levantine Sea to Crete"),
        ("gold", "fly the dragon to Cyprus", "Move 1D from Levantine Sea to Cyprus"),
        # the rest of the money is counted
        (
            "gold",
            "1 warbeast in Syria and for the rest legions in Constantinople",
            "Buy 1W in Syria\nBuy 4L in Constantinople",
        ),
        (
            "gold",
            "a knight in Egypt, the rest of my gold into legions in Constantinople",
            "Buy 1K in Egypt\nBuy 5L in Constantinople",
        ),
    ],
)
def test_what_is_said_in_part_is_offered_whole(place: str, text: str, offer: str) -> None:
    offered, _ = shown_of(read_at(HERE, place, place, text))
    assert offered == [offer]


@each_row(
    ("place", "text"),
    [
        ("gold", "2 legions to Constantinople"),  # bought, or moved from one of three zones?
        ("gold", "legions in Constantinople"),  # how many?
        ("gold", "rest of the money on knights in Egypt"),  # there is room for one
        ("held", "cancel the knight"),  # a part of a line
        ("held", "cancel the dragon"),
        ("held", "don't cancel the Sweden attack"),
        ("blue", "Armenia is strong, so 2 legions wait in Hungary"),
        ("blue", "if Red helps, attack Bulgaria with 3L from Hungary"),
        ("blue", "the Kiev dragon would not join in"),
        ("blue", "Gold is weak in Armenia. 1 legion from Cumania."),
    ],
)
def test_what_may_be_meant_in_several_ways_is_not_offered(place: str, text: str) -> None:
    who = {"held": "silver"}.get(place, place)
    assert shown_of(read_at(HERE, place, who, text)) == ([], [])
