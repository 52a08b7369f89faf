"""Commands of a chat that are none of the bot's, and those that are nowhere but in the menus."""

import json

import pytest

from pbem.desk.chat.commands import COMMANDS, words_of
from pbem.telegram.updates import Said, read_update
from tests.desk.chatting import ChatDesk
from tests.desk.harness import GM
from tests.rows import each_row

ANNA = 11


async def test_an_order_behind_a_slash_counts_and_what_is_nothing_is_told_by_its_name(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/bid 9")
    assert "Bid 9" in there.last(ANNA).text
    await there.says(ANNA, "/foo")
    assert "I do not know /foo" in there.last(ANNA).text
    assert "/help" in there.last(ANNA).text
    await there.says(ANNA, "/foo my secret plan")
    assert "I do not know /foo" in there.last(ANNA).text
    async with there.desk.services.database.read() as work:
        (seat, *_) = await work.seats.list_of_game(1)
        newest = await work.orders.newest(seat.id, 1)
        assert newest is not None
        assert newest.canonical == ("Bid 9",)
    assert not [mail for mail in there.desk.postbox.to(GM) if b"secret plan" in mail], (
        "no note of it goes to the game master"
    )
    await there.says(ANNA, "/what happened")
    assert "no command" not in there.last(ANNA).text


async def test_help_is_a_few_lines_for_a_phone_and_the_whole_of_it_when_asked(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/help")
    short = there.last(ANNA).text
    assert "Everybody bids for the ranking of turn 1 by" in short
    for command in (
        *("/orders", "/status", "/settings", "/draw", "/resign", "/log", "/help orders"),
        "heron: status",
    ):
        assert command in short
    assert len(short.splitlines()) < 25
    await there.says(ANNA, "/help orders")
    assert "When the Dragon attacks" in there.last(ANNA).text
    await there.says(ANNA, "help")
    assert there.last(ANNA).text == short


async def test_a_word_that_takes_something_says_alone_how_it_is_used_and_what_holds(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    before = len(there.desk.postbox.to(GM))
    for said, *told in (
        ("/timezone", "Your time zone is Europe/Berlin", "/timezone Europe/Oslo"),
        ("/language", "Your dates are in English", "/language German"),
        ("/join", "Join a game with its code", "/join CODE", "You already have a seat"),
    ):
        await there.says(ANNA, said)
        for words in told:
            assert words in there.last(ANNA).text, there.last(ANNA).text
    await there.says(ANNA, "/timezone Europe/Oslo")
    await there.says(ANNA, "/timezone")
    assert "Your time zone is Europe/Oslo" in there.last(ANNA).text
    assert len(there.desk.postbox.to(GM)) == before


@pytest.mark.sample(60)
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("argument", ["", " heron", " work P1", "@realm_bot"])
def test_what_stands_below_a_command_is_still_to_be_read(name: str, argument: str) -> None:
    words = words_of(_said(f"/{name}{argument}\nfortify P7\nto Bartek: hi")).split("\n")
    assert words[-2:] == ["fortify P7", "to Bartek: hi"], words


@each_row("name", COMMANDS)
def test_what_a_command_does_not_take_of_its_line_is_still_to_be_read(name: str) -> None:
    assert "march 2 from P1 to P2" in words_of(_said(f"/{name} march 2 from P1 to P2"))


def _said(text: str) -> Said:
    content = {
        "message_id": 1,
        "from": {"id": ANNA, "is_bot": False, "first_name": "Anna"},
        "chat": {"id": ANNA, "type": "private"},
        "date": 1_900_000_000,
        "text": text,
    }
    update = read_update(json.dumps({"update_id": 1, "message": content}).encode())
    assert isinstance(update, Said)
    return update


async def test_a_command_with_orders_below_shows_what_it_asks_and_takes_them(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    for said in ("/status\nbid 3", "/orders bid 4", "/who\nbid 5", "/cancel\nbid 6"):
        await there.says(ANNA, said)
        assert f"Bid {said[-1]}" in there.last(ANNA).text, said
