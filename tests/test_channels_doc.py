"""The table of both channels in the players' guide: every word of it is read by mail, every command
by the chat, and both mean the same.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.desk.chat.commands import COMMANDS, IN_GROUPS, IN_PRIVATE, OF_MASTERS, words_of
from pbem.desk.messages.table_names import parse_named
from pbem.grammar.addressees import GM_WORDS
from pbem.grammar.house.commands import word_of
from pbem.grammar.joining import parse_join
from pbem.store.repositories.games import GameRow
from pbem.telegram.updates import Said
from tests.played import PLAYED, spoken
from tests.rows import each_row

GUIDE = (Path(__file__).parents[1] / "docs" / "players.md").read_text("utf-8")


def rows() -> Iterator[tuple[str, str, str]]:
    """What is wanted, and both ways to it."""
    table = GUIDE.partition("<!-- channels -->")[2].strip().split("\n\n")[0]
    for line in table.splitlines()[2:]:
        wish, mail, chat = (cell.strip() for cell in line.strip("| ").split(" | "))
        yield wish, mail, chat


def spans(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def a_game() -> GameRow:
    values: dict[str, object] = dict.fromkeys(GameRow.__struct_fields__)
    # only what is looked at
    return GameRow(**(values | {"id": 1, "slug": "heron", "title": "Heron"}))  # type: ignore[arg-type]


def said(text: str) -> Said:
    """As the bot hears it in a private chat."""
    command = text.split()[0].removeprefix("/") if text.startswith("/") else None
    return Said(
        update_id=1,
        chat_id=1,
        chat_kind="private",
        user_id=1,
        user_name="Ben",
        text=text,
        message_id=1,
        reply_to=None,
        is_edit=False,
        dated=datetime(2026, 11, 16, tzinfo=UTC),
        start_payload=None,
        command=command,
        addressed_to=None,
        sent_for_others=None,
        has_attachment=False,
        thread_id=None,
    )


def meaning(text: str) -> str:
    """What a line is read as: an order, a word of the table, a yes, a note, a wish to join."""
    named = parse_named(text, [a_game()])
    if named is not None:
        assert named.game is not None, text
        text = named.rest
    if parse_join(text) is not None:
        return "join"
    reading = spoken(PLAYED).heard[0].read(text)
    if reading.answers is not None:
        return "yes"
    if reading.commands:
        return word_of(reading.commands[0])
    if reading.items and not any(item.problems for item in reading.items):
        return f"orders: {reading.items[0].texts}"
    assert reading.note is not None, f"{text!r} is not read"
    assert text.partition(":")[0].casefold() in GM_WORDS, f"{text!r} is a note"
    return "note"


@each_row(("wish", "mail", "chat"), list(rows()))
def test_every_word_is_read_and_both_channels_mean_the_same(
    wish: str, mail: str, chat: str
) -> None:
    by_mail = {meaning(text) for text in spans(mail)}
    by_chat = {meaning(words_of(said(text))) for text in spans(chat)}
    if wish in ("to use Telegram too, or to stop", "a seat", "to give orders", "to be done"):
        assert by_mail & by_chat or wish.startswith("to use"), f"{by_mail} and {by_chat}"
    elif by_mail and by_chat:
        assert by_chat <= by_mail, f"{by_mail} and {by_chat}"
    assert by_mail | by_chat or "reply" in chat


def test_every_command_shown_is_one_of_the_bots_and_the_offered_ones_are_all_shown() -> None:
    shown = {
        text.split()[0].removeprefix("/")
        for _, _, chat in rows()
        for text in spans(chat)
        if text.startswith("/")
    }
    assert shown <= set(COMMANDS)
    assert {command.name for command in IN_PRIVATE} <= shown


def test_every_command_told_to_game_masters_is_one_of_the_bots() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "game-masters.md").read_text("utf-8")
    told = set(re.findall(r"`/([a-z]+)[^`]*`", guide))
    assert {command.name for command in OF_MASTERS} <= told
    assert told <= {*COMMANDS, *(command.name for command in (*OF_MASTERS, *IN_GROUPS))}


def test_the_reader_of_this_test_refuses_what_is_nothing() -> None:
    with pytest.raises(AssertionError):
        meaning("fly me to the moon")
