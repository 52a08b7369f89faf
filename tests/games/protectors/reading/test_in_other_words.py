"""Kinds of speech, each in words of our own: shorthand, a no with a hum, a number that is enough."""

from pathlib import Path

import pytest

from tests.games.reading.phrases import read_at
from tests.rows import each_row

HERE = Path(__file__).parent
GOLDEN_P2, S_P1 = "Golden Work, work! P2", "Support! Freya in P1 from P2"


def taken(place: str, text: str) -> list[str]:
    """The orders that stand of a text of Freya's, as an answer tells them."""
    reading = read_at(HERE, place, "Freya", text)
    return sorted(text for item in reading.items for text in item.texts)


@each_row(
    ("place", "text", "orders"),
    [
        ("A", "P1->P2 3u delayed; P4 F", ["Delayed March! 3 from P1 to P2", "Fortify! P4"]),
        ("A", "3u P1->P2, P4 w", ["March! 3 from P1 to P2", "Work, work! P4"]),
        ("B", "2u P2", ["Buy 2 in P2"]),
        ("A", "Fortify P1. Hmm, no, P2", ["Fortify! P2"]),
        ("A", "P1 to P12 with two. Ah, no, with one.", ["March! 1 from P1 to P12"]),
        ("A", "P1 to P12 with two. No, one is enough.", ["March! 1 from P1 to P12"]),
        ("A", "P1 to P12 with two. Sorry, one is enough.", ["March! 1 from P1 to P12"]),
        ("A", "Golden fortify P1, no, not golden", ["Fortify! P1"]),
        ("A", "P1 fortifies golden. No gold after all.", ["Fortify! P1"]),
        (
            "A",
            "march 2 from P1 to P12 delayed. Wait, not delayed",
            ["March! 2 from P1 to P12"],
        ),
        ("A", "Hope you're feeling better! P2 works", ["Work, work! P2"]),
        ("A", "I am more careful now: fortify P2", ["Fortify! P2"]),
        ("A", "Last turn we lost P3 to Otto. Fortify P1.", ["Fortify! P1"]),
        ("A", "P4 earns us some money, P2 just sits there", ["Hold P2", "Work, work! P4"]),
        ("A", "march 2 from P1 to P12 after the others", ["Delayed March! 2 from P1 to P12"]),
        ("A", "p2 attacks p3 w both, p4 w", ["March! 2 from P2 to P3", "Work, work! P4"]),
        ("C", "P1 w 2, P2 w 1", ["Commit 1 from P2", "Commit 2 from P1"]),
        ("A", "P2 works, P4 fortifies. Make the work golden.", ["Fortify! P4", GOLDEN_P2]),
        ("A", "P2 works, P4 fortifies, gold on P2", ["Fortify! P4", GOLDEN_P2]),
        ("A", "P2 works, make it a golden one. P1 fortifies", ["Fortify! P1", GOLDEN_P2]),
        ("A", "P2 makes a golden work", [GOLDEN_P2]),
        ("A", "P1 stands. Queen Freya sends King Otto 20", ["Hold P1", "Send 20 to Otto"]),
        ("A", "P4 S P6 - P5", ["Support! Nils in P5 from P4"]),
        (
            "A",
            "P4 works, the other three hold",
            ["Hold P1", "Hold P12", "Hold P2", "Work, work! P4"],
        ),
        ("A", "P12 back to P1", ["March! 1 from P12 to P1"]),
        ("A", "P1 fortify, treat this as final", ["Final", "Fortify! P1"]),
        ("A", "Province 1\n- Work\n\nProvince 2\n- Support P1", [S_P1, "Work, work! P1"]),
        ("A", "| From | To | Units |\n|--|--|--|\n| P2 | P3 | 2 |", ["March! 2 from P2 to P3"]),
        ("B", "Buy\nP2 x1\nBid\n20", ["Bid 20", "Buy 1 in P2"]),
        ("B", "one unit each in P1 and P2", ["Buy 1 in P1", "Buy 1 in P2"]),
        ("C", "2 from P1, both may die if need be", ["Commit 2 from P1 (sac 2)"]),
        ("C", "2 from P1. Should we lose, burn P4", ["Burn P4", "Commit 2 from P1"]),
        ("C", "1 each from P1 and P2", ["Commit 1 from P1", "Commit 1 from P2"]),
        ("A", "same as last turn, only P4 holds", ["Fortify! P1", "Hold P4"]),
        ("A", "fortify P1 and P2, P4 works", ["Fortify! P1", "Fortify! P2", "Work, work! P4"]),
        ("A", "P1 works (reason: Otto is near P1)", ["Work, work! P1"]),
        ("A", "I'd be grateful if you would fortify P1", ["Fortify! P1"]),
        ("A", "P1 keeps watch. 20 bucks for Otto", ["Send 20 to Otto"]),
        ("C", "I'm sitting this one out", ["Commit nothing"]),
        (
            "C",
            "from | units | sac\nP1 | 2 | 0\nP2 | 1 | 1",
            ["Commit 1 from P2 (sac 1)", "Commit 2 from P1"],
        ),
        ("C", "| From | Units |\n| P1 | 2 |", ["Commit 2 from P1"]),
        ("C", "1 from P1\n2 from P2 sac 1", ["Commit 1 from P1", "Commit 2 from P2 (sac 1)"]),
        ("A", "use the same orders as I gave last turn", ["Fortify! P1", "Work, work! P4"]),
        ("A", "Keep all as it was last round. Final.", ["Final", "Fortify! P1", "Work, work! P4"]),
        ("A", "do what I did three turns ago. P2 works", ["Work, work! P2"]),
        ("A", "disregard everything I wrote yesterday", ["Cancel all"]),
        ("A", "forget P2", ["Cancel P2"]),
        ("A", "P1 fortifies as Otto may come, P2 works", ["Fortify! P1", "Work, work! P2"]),
        ("P", "Gwen loves money so I snitch on Gwen", ["Snitch on Gwen"]),
        (
            "P",
            "snitch on Otto P1 fortify P2 work",
            ["Fortify! P1", "Snitch on Otto", "Work, work! P2"],
        ),
        ("A", "The two in P2 stay where they are", ["Hold P2"]),
        ("A", "P1 fortifies, P4 to work only", ["Fortify! P1", "Work, work! P4"]),
        ("A", "Sorry to be late! P1 to P12 with two.", ["March! 2 from P1 to P12"]),
        (
            "C",
            "3 from P1, 1 from P2, sac the P1 ones",
            ["Commit 1 from P2", "Commit 3 from P1 (sac 3)"],
        ),
    ],
)
def test_it_is_taken(place: str, text: str, orders: list[str]) -> None:
    assert taken(place, text) == orders


@each_row(
    "text",
    [
        *("The other two hold", "P1 keeps two and sends the other two to P12", "P1\nP2\nHold"),
        *("P1\nP2\nwork", "P4 fortifies. Please don't do that yet."),
        "Send 20 to Otto. Do not send it yet, I must ask him.",
        "The three in P2 stay where they are",
        *("2 from P1 to P12. Forget what I wrote yesterday.", "P4 and P2 maybe fortify"),
        *("Work\nP1\nHold\nP2", "P1 is hard to hold"),
        *("March 2 from P1 to P12. No, that is enough.", "Fortify P1 and P4. No, one is enough"),
    ],
)
def test_it_is_asked(text: str) -> None:
    assert taken("A", text) == []


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("C", "burn P4 if we win"),
        ("C", "burn P4 if Otto commits nothing"),
        ("B", "2 in P2, bid the remaining 60"),
        ("C", "Burn P4 unless Otto commits"),
    ],
)
def test_what_hangs_on_something_else_is_asked(place: str, text: str) -> None:
    assert not {"Burn P4", "Bid 60"} & {*taken(place, text)}


@each_row(
    ("place", "text", "offer"),
    [
        ("C", "I won't commit anything", "Commit nothing"),
        ("C", "nobody fights", "Commit nothing"),
        ("B", "not buying anything", "Buy nothing"),
        ("A", "going into P3 w all my guys from P2", "March! 2 from P2 to P3"),
        ("B", "fill P2 to the brim", "Buy 3 in P2"),
        ("C", "Two brave souls ride from P1", "Commit 2 from P1"),
        ("A", "march 2 from P1 to P2... make that P12 instead", "March! 2 from P1 to P12"),
    ],
)
def test_it_is_offered(place: str, text: str, offer: str) -> None:
    items = read_at(HERE, place, "Freya", text).items
    assert [item.suggestion.text for item in items if item.suggestion] == [offer]


@each_row(
    ("place", "text"),
    [
        ("C", "none of you will commit enough"),
        ("C", "Otto won't commit anything"),
        ("C", "I won't hide"),
        ("C", "I won't commit anything unless Otto does"),
        ("B", "nothing beats a good bid"),
        ("B", "Otto is not buying anything"),
        ("B", "I wouldn't bid more than 20"),
    ],
)
def test_what_denies_something_else_offers_nothing(place: str, text: str) -> None:
    assert not any(item.suggestion for item in read_at(HERE, place, "Freya", text).items)


def test_a_change_of_mind_leaves_none_of_two_orders() -> None:
    """Two orders for one province with an apology between them are both asked."""
    text = "P1 works. Forgive me, I mixed that up: P2 works, P1 fortifies."
    assert taken("A", text) == ["Work, work! P2"]


def test_places_without_an_order_take_none_from_the_next_one() -> None:
    """What two provinces may do is asked for both, and is no work of one of them."""
    assert taken("A", "P4 and P2 maybe fortify, P1 works") == ["Work, work! P1"]


def test_what_is_kept_at_home_is_not_offered_to_fight() -> None:
    reading = read_at(HERE, "C", "Freya", "I commit all of P1 and keep P2 at home")
    offered = [item.suggestion.text for item in reading.items if item.suggestion is not None]
    assert not any("P2" in text for text in offered)


def test_what_somebody_takes_from_a_province_of_their_own_is_no_attack_on_it() -> None:
    assert taken("A", "I take P2's two units there.") == []


def test_units_that_stay_buy_nothing_only_where_nothing_else_is_said() -> None:
    assert taken("B", "the unit stays") == []
