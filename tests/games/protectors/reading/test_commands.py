import pytest

from pbem.grammar.house import commands as c
from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row


@each_row(
    ("line", "command"),
    [
        ("status", c.Status()),
        ("Status please!", c.Status()),
        ("LIST", c.Status()),
        ("show me the map", c.ShowMap()),
        ("my orders", c.Orders()),
        ("History", c.History()),
        ("help", c.Help()),
        ("resend", c.Resend()),
        ("rule PR-7.8", c.Rule("PR-7.8")),
        ("rule RM-B07", c.Rule("RM-B07")),
        ("Rule 7.8", c.Rule("7.8")),
        ("/status", c.Status()),
    ],
)
def test_a_table_word_on_its_own_line_is_a_command(line: str, command: c.AnyCommand) -> None:
    reading = read(line)
    assert reading.commands == (command,)
    assert not reading.items
    assert reading.note is None


@pytest.mark.parametrize(
    "text",
    [
        "I need help with the map",
        "the status of my province is sad",
        "these are my orders for the rule of law",
        "what a history",
    ],
)
def test_a_table_word_in_the_middle_of_prose_is_none(text: str) -> None:
    assert read(text).commands == ()


def test_a_slip_in_a_table_word_is_read_and_told() -> None:
    reading = read("hisotry")
    assert reading.commands == (c.History(),)
    assert reading.slips == ("hisotry",)


def test_commands_stand_beside_orders() -> None:
    reading = read("fortify P1\nstatus\nwork P2")
    assert reading.commands == (c.Status(),)
    assert texts(reading) == ["Fortify! P1", "Work, work! P2"]


@each_row(
    ("text", "numbers"),
    [
        ("yes", ()),
        ("Yes!", ()),
        ("yes please", ()),
        ("yes 2", (2,)),
        ("yes, 1 and 3", (1, 3)),
        ("YES 1,2", (1, 2)),
        ("yes to 2", (2,)),
        ("yes\nyes 3", (3,)),
    ],
)
def test_a_yes_answers_a_receipt(text: str, numbers: tuple[int, ...]) -> None:
    reading = read(text)
    assert reading.answers == numbers
    assert not codes(reading)


@pytest.mark.parametrize("text", ["yes but not now", "yes 2 units", "yesterday", "yes P2"])
def test_what_only_begins_with_yes_answers_nothing(text: str) -> None:
    assert read(text).answers is None


def test_a_note_to_the_game_master_is_passed_on_and_never_read_as_orders() -> None:
    reading = read("GM: I am away on Monday,\nplease fortify P2 for me then\n\nP1 works")
    assert reading.note == "I am away on Monday,\nplease fortify P2 for me then"
    assert texts(reading) == ["Work, work! P1"]


def test_a_letter_is_known_as_one_and_never_read_as_orders() -> None:
    reading = read("to Mark: I fortify P1, you march to P3\nP2 works")
    assert [*map(type, reading.commands)] == [c.Letter]
    assert texts(reading) == []
    reading = read("P2 works\n\nto Mark: I fortify P1\n\nP3 works\nstatus")
    assert [*map(type, reading.commands)] == [c.Letter]
    assert texts(reading) == ["Work, work! P2"]


def test_a_message_without_an_order_is_a_note_to_the_game_master() -> None:
    reading = read("Well played, everyone!")
    assert codes(reading) == {"no-order"}
    assert reading.note == "Well played, everyone!"
    assert reading.checked is None


def test_lines_beside_an_order_that_were_not_read_are_told() -> None:
    told = read("bid 10\nadd 24h\nflurb the garden", state=table("bidding"))
    assert [(item.quote, [problem.code for problem in item.problems]) for item in told.items] == [
        ("bid 10", []),
        ("add 24h", ["not-understood"]),
    ]


@each_row(
    "talk",
    [
        *("Thanks for the great map!", "well played Mark", "Enjoy the weekend", "Loved the dragon"),
        *("hope the dragon eats Mark", "Anna"),
    ],
)
def test_small_talk_beside_an_order_is_passed_over(talk: str) -> None:
    assert [item.quote for item in read(f"bid 10\n{talk}", state=table("bidding")).items] == [
        "bid 10"
    ]
