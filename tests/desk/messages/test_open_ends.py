"""What is said in a sign or two, below a greeting, or of a second table: told, and never dropped."""

import pytest

from tests.desk.harness import GM, Desk, text_of
from tests.desk.lobbies import flat
from tests.desk.mastery import command, gm_last
from tests.desk.messages.test_one_answer import told_by


@pytest.mark.parametrize("text", ["?", ".", "ok", "no", "yes", "pass", "skip", "nothing"])
async def test_a_sign_or_a_bare_no_is_no_note_and_is_told_what_is_open(
    desk: Desk, text: str
) -> None:
    await desk.open_game(2)
    before = len(desk.postbox.to(GM))
    (told,) = await told_by(desk, "Anna", text)
    assert len(desk.postbox.to(GM)) == before
    assert "to the game master" not in told


async def test_the_word_draw_alone_asks_the_table(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "draw")
    assert desk.last("Bartek", "end the game as a draw")


@pytest.mark.parametrize("name", ["G1, ", "Heron, ", "Hi!\nheron: ", "Hello Greta,\n\nG1: "])
async def test_a_table_is_named_with_a_comma_and_below_a_greeting(desk: Desk, name: str) -> None:
    await desk.open_game(2)
    await desk.open_game(2, "swan")
    told = await desk.write("Anna", f"{name}bid 5", token=False)
    assert str(told["Subject"] if told else "") == "[Heron] Turn 1: 1 order in, all fine"


async def test_a_number_and_a_comma_lead_away_from_no_letter(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.open_game(2, "swan")
    told = await desk.write("Anna", "G1, bid 5", answering=desk.last("Anna", "Swan"))
    assert str(told["Subject"] if told else "").startswith("[Swan]")


async def test_a_game_master_names_a_table_with_a_comma(desk: Desk) -> None:
    await desk.open_game(2)
    await command(desk, "Heron, status")
    assert "Status of Heron" in str(gm_last(desk)["Subject"])


async def test_a_second_table_in_a_message_is_told_and_quoted_with_its_name(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.open_game(2, "swan")
    before = len(desk.letters("Anna"))
    await desk.write("Anna", "Heron: bid 5\n\nSwan: bid 6\nstatus", token=False)
    (told,) = desk.letters("Anna")[before:]
    assert "1 order in, all fine" in str(told["Subject"])
    assert "We read a mail for one game only, and this one is about Heron" in flat(told)
    assert "Swan: bid 6" in text_of(told)
    assert "STATUS" not in text_of(told)


async def test_a_table_called_like_a_word_of_the_game_keeps_no_name_once_it_is_chosen(
    desk: Desk,
) -> None:
    await desk.open_game(2, "march")
    await desk.open_game(2)
    asked = await desk.write("Anna", "march: status", token=False)
    told = await desk.write("Anna", "march", answering=asked)
    assert "status" in str(told["Subject"] if told else "")
