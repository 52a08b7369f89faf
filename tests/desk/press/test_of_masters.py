"""A game master writes to players, who answer; and sets windows as an option."""

import pytest

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.lines import format_gm, parse_gm
from tests.desk.commanding import logged
from tests.desk.harness import GM, Desk, text_of
from tests.desk.looks import phase_of
from tests.desk.mastery import command, gm_last
from tests.desk.press.test_press import press_to
from tests.desk.visitors import flat

LEXICON = c.Lexicon({}, frozenset({"heron"}))


async def test_a_word_to_some_players_reaches_them_alone_and_their_answer_comes_back_as_a_note(
    desk: Desk,
) -> None:
    await desk.open_game()
    told = await command(desk, "press to Anna, Bartek: please settle P4\nby Friday")
    assert "Sent to Anna, Bartek in Heron" in " ".join(told.split())
    for name in ("Anna", "Bartek"):
        (letter,) = press_to(desk, name)
        assert str(letter["Subject"]) == "[Heron] Press from the game master"
        assert "please settle P4" in text_of(letter)
        assert "by Friday" in text_of(letter)
        assert GM not in text_of(letter) + str(letter["From"])
    assert press_to(desk, "Chloé") == []
    await desk.write("Anna", "Thank you, gladly.", answering=press_to(desk, "Anna")[0])
    assert "Thank you, gladly." in text_of(gm_last(desk))
    assert "answer 1" in text_of(gm_last(desk))
    assert len(press_to(desk, "Bartek")) == 1
    ((_, detail, public),) = [entry for entry in await logged(desk) if entry[0] == "game press to"]
    assert (detail["players"], public, "settle" in str(detail)) == (
        ["Anna", "Bartek"],
        False,
        False,
    )
    listed = flat(await desk.write("Bartek", "press list"))
    assert "the game master to" in listed


async def test_a_word_to_all_is_public_and_a_mute_does_not_hold_it_back(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "mute all")
    await desk.write("Bartek", "digest daily")
    await command(desk, "heron: press to all: tea at five")
    for name in ("Anna", "Bartek", "Chloé"):
        assert ["tea at five" in text_of(letter) for letter in press_to(desk, name)][-1]


@pytest.mark.parametrize(
    ("whom", "said"),
    [
        ("Zoe", "nobody to write to"),
        ("Ana", "Anna"),
        ("Anna, Zoe", "nobody to write to"),
        ("GM", "nobody"),
    ],
)
async def test_a_reader_who_is_not_beyond_doubt_gets_nothing_and_nobody_else_does(
    desk: Desk, whom: str, said: str
) -> None:
    await desk.open_game()
    assert said in " ".join((await command(desk, f"press to {whom}: secret words")).split())
    for name in ("Anna", "Bartek", "Chloé"):
        assert press_to(desk, name) == []


async def test_windows_are_set_as_an_option_too(desk: Desk) -> None:
    await desk.open_game()
    told = await command(desk, "option orders 48h")
    assert "only when you open a game" not in told
    await desk.everybody_passes()
    phase = await phase_of(desk)
    assert (phase.kind, (phase.deadline - phase.opened_at).total_seconds()) == (
        "orders",
        48 * 3600,
    )
    assert "orders 48 h" in flat(desk.last("Anna", "New rules for deadlines"))


def test_the_words_are_read_back_from_their_one_spelling() -> None:
    wanted = c.Write(whom="Anna, Ben", text="Dear both,\n\nplease.", table="heron")
    (line,) = parse_gm(format_gm(wanted), LEXICON)
    assert line.command == wanted


@pytest.mark.parametrize(
    ("text", "what"),
    [("press to Anna", "colon"), ("press to Anna:", "text"), ("press to : hello", "player")],
)
def test_what_is_missing_is_told(text: str, what: str) -> None:
    (line,) = parse_gm(text, LEXICON)
    assert line.trouble is not None
    assert line.trouble.what == what
