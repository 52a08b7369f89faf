"""What goes to other people is held tighter than what comes in: no order leaves as press, however
the two are mixed (F-2).
"""

from collections.abc import Iterator
from itertools import product

import pytest

from pbem.grammar.addressees import Member, Roll, Unsent
from pbem.grammar.instructions import MOST_READ, Read
from pbem.grammar.kit.reading import Reading
from pbem.grammar.press import MOST_PIECES, Held, Press, cut_reply, split_press
from tests.played import GAMES, HEARD, PLAYED, Heard, spoken
from tests.rows import each_row

ROLL = Roll(
    tuple(Member(number, name) for number, name in enumerate(HEARD, 1)),
    writer=1,
    signs=("Anna", "Anna Berg"),
)
PRESS = (
    *("I will not attack you this turn.", "good game!", "Peace, my friend"),
    *("Shall we take P4 together?", "If you leave P3 alone I will help with P4."),
    "Don't tell May - she bids too much.",
    "I had this odd dream last night, in which all of us sat at one table and\nnobody spoke. What do you make of it?",
    "Let us be friends, you take P4 and I take P3.",
    "Hello Chloé,\n\nI hope that you are well.\n\nWhat do you think of May?",
    "Thanks for the help :)",
)
SEPARATORS = (
    *("\n\n", "\n", "\n\nMy orders:\n", "\nOrders:\n", "\n\nHere are my orders for turn 6:\n\n"),
    *("\n\nBest,\nAnna\n\n", "\n-- \nAnna\n", "\n\n> ", "\n> Do you agree?\n", "\n \n\n", ". "),
    "\r\n\r\n",
)
ALONE = spoken(PLAYED).heard[0].read
UNREADABLE = ("bdi 7", "12 gold for me", "fortfy the P1 region", "P1 -> P2 !!")
"""What nobody reads as an order, and may have been meant as one: on a line of its own it stays here
too.
"""


def mixtures(orders: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Messages of press and orders, each with the order that nobody else may read."""
    for talk, separator, order in product(PRESS, SEPARATORS, orders):
        for opening in ("To Chloé: ", "press to all\n", "press grey to Mark: "):
            yield f"{opening}{talk}{separator}{order}", order
    for talk, order in product(PRESS, orders):
        yield f"{order}\n\nto May: {talk}", order
        yield f"to Chloé: {order}\n{talk}", order
        yield f"to Chloé: {talk}\n{order}\nto Mark: {talk}\n\n{order}", order
        yield (
            f"to Chloé: {talk} {order}" if talk.endswith((".", "!", "?")) else f"to Chloé: {order}",
            order,
        )


def lines_of(text: str) -> set[str]:
    return {line.strip("> .") for line in text.splitlines()}


@each_row("heard", [heard for game in GAMES for heard in spoken(game).heard])
def test_f2_no_order_leaves_as_press_in_any_mixture(heard: Heard) -> None:
    for text, order in mixtures(heard.orders):
        for piece in split_press(text, ROLL, heard.read).pieces:
            assert not isinstance(piece, Press) or not lines_of(order) & lines_of(
                piece.text.replace(". ", "\n")
            ), text


def test_f2_a_line_that_was_perhaps_meant_as_an_order_is_no_press() -> None:
    for talk, separator, order in product(
        PRESS, ("\n", "\n\n", "\n\nBest,\nAnna\n\n", "\nMy orders:\n"), UNREADABLE
    ):
        (piece,) = split_press(f"to Chloé: {talk}{separator}{order}", ROLL, ALONE).pieces
        assert not isinstance(piece, Press) or order not in piece.text


def test_f2_there_are_more_than_five_thousand_mixtures_in_each_game() -> None:
    for game in GAMES:
        assert sum(1 for heard in spoken(game).heard for _ in mixtures(heard.orders)) > 5_000, game


HARMLESS = (
    *PRESS,
    *("I surrender to your charms, but not to you", "What do you bid?"),
    *("I bid seven, believe me, and you?", "Peace?", "Help!", "Ready?"),
    *("Could you march 2 from P4 to P5?", "Chloé is going to attack P3 next turn, I think."),
    *("Bid 12 with me and we will have the island.", "Please do not march to P1."),
    *("I'd fortify P4 if I were you.", "I have 80 gold.", "May has 3 units in P7."),
    *("See you next turn!", "I trust you.\nDo you trust me?"),
    *("I march to P3 next turn, be warned.", "Attack me and you will regret it"),
    "Why did you do that?",
    (
        "Hello Chloé,\n\nI think we should work together against May, who has become too strong; what\nabout a pact for the next three turns? "
        "I would keep out of P5 and P6, and you\nwould keep out of P1 and P2.\n\nLet me know,\nAnna"
    ),
)


@each_row("read_alone", [spoken(game).heard[0].read for game in GAMES])
@each_row("text", HARMLESS)
def test_f2_talk_about_moves_is_sent_whole(text: str, read_alone: Read) -> None:
    (piece,) = split_press(f"to Chloé: {text}", ROLL, read_alone).pieces
    assert isinstance(piece, Press)
    assert piece.text == text


def test_f2_press_ends_where_orders_begin_and_they_are_taken() -> None:
    for text in (
        "To Chloé: I will not attack you this turn.\n\nMy orders:\nP1 work",
        "To Chloé: I will not attack you this turn.\nMy orders:\nP1 work",
        "To Chloé: I will not attack you this turn.\n\nP1 work",
    ):
        split = split_press(text, ROLL, ALONE)
        (piece,) = split.pieces
        assert isinstance(piece, Press)
        assert piece.text == "I will not attack you this turn."
        assert [item.texts for item in ALONE(split.rest).items] == [("Work, work! P1",)]


def test_f2_what_is_held_can_be_sent_or_taken_by_copying() -> None:
    (held,) = split_press(
        "to Chloé: I will not attack you. Trust me.\nP1 work\nfortify P2", ROLL, ALONE
    ).pieces
    assert isinstance(held, Held)
    assert held.found == ("P1 work", "fortify P2")
    (piece,) = split_press(held.as_press, ROLL, ALONE).pieces
    assert isinstance(piece, Press)
    assert piece.text == "I will not attack you. Trust me.\nP1 work\nfortify P2"
    split = split_press(held.as_orders, ROLL, ALONE)
    assert split.pieces == (Press(piece.to, "I will not attack you. Trust me.", closed=True),)
    assert split.rest == "P1 work\nfortify P2"


def test_f69_grey_press_with_its_writers_name_below_is_held() -> None:
    for end in ("best,\nAnna", "\nAnna Berg", "- Anna", "Cheers, Anna", "\nA.", "--\nAnna"):
        (held,) = split_press(f"press grey to all: Beware of May.\n{end}", ROLL, ALONE).pieces
        assert isinstance(held, Held), end
        assert held.signed
        assert split_press(held.as_orders, ROLL, ALONE).pieces[0].text == "Beware of May."  # type: ignore[union-attr]
        assert "Anna" in held.as_press or "A." in held.as_press
    for text in ("Beware of Anna.", "Who is that?\nA friend"):
        assert isinstance(split_press(f"press grey to all: {text}", ROLL, ALONE).pieces[0], Press)


class Counting:
    """Counts how often a text is read."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, text: str) -> Reading:
        self.count += 1
        return Reading()


@pytest.mark.parametrize(
    "line",
    [
        *("press to T0a: hello", "to Chloé: hello", "press to Chloé: hello {}"),
        *("press to all but Mark: x {}", "ENDPRESS {}"),
    ],
)
def test_f54_many_presses_in_a_message_are_few_and_quickly_read(line: str) -> None:
    """19,900 lines of press held the house for five minutes: an end was looked for over all further
    lines, for each of them.
    """
    counting = Counting()
    split = split_press("\n".join(line.format(number) for number in range(19_900)), ROLL, counting)
    assert len(split.pieces) <= MOST_PIECES + 1
    assert counting.count <= MOST_READ
    if len(split.pieces) > 1:
        assert split.pieces[-1] == Unsent("too-many-at-once", line.format(MOST_PIECES))


def test_f54_a_press_of_too_many_lines_is_not_judged_for_ever() -> None:
    counting = Counting()
    assert split_press(
        "to Chloé: " + "\n".join(f"{n}a" for n in range(1_500)), ROLL, counting
    ).pieces == (Unsent("too-many-lines", "to Chloé: 0a"),)
    assert counting.count <= MOST_READ


def test_f2_an_answer_that_says_where_it_ends_is_press_up_to_there() -> None:
    text = "reply all:\nP1 work\nENDPRESS\nbid 7"
    found = cut_reply(text)
    assert found is not None
    assert (found[0].text, found[0].for_all, text[found[1] :]) == ("P1 work", True, "bid 7")
    assert cut_reply("reply: P1 work") is None


@pytest.mark.parametrize("opening", ["to Chloé: ", "press to GM: "])
def test_f2_what_is_too_long_to_be_judged_goes_to_nobody(opening: str) -> None:
    counting = Counting()
    assert split_press(opening + "hello you " * 1_001, ROLL, counting).pieces == (
        Unsent("too-long"),
    )
    assert counting.count == 0
