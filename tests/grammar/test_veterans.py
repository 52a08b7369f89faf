"""The old judges' words: the table in docs/veterans.md line by line through the readers of both
channels, and never out of prose.
"""

import json
import re
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.desk.chat.inbound import message_of_update
from pbem.desk.envelope.message import message_of_mail
from pbem.desk.messages.table_names import parse_named
from pbem.grammar.addressees import Member, Roll
from pbem.grammar.addresses import parse_address_wish
from pbem.grammar.gm.commands import Lexicon, Questions
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.house.commands import Veterans
from pbem.grammar.house.lines import parse_wish
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.joining import parse_join
from pbem.grammar.lobby import read_colours
from pbem.grammar.press import split_press
from pbem.grammar.veterans import (
    LIST,
    OLD_WORDS,
    alias_of,
    named_table,
    old_word_of,
    put_orders,
    tidy,
)
from pbem.mail.inbound.reader import ReadingRules, read_mail
from pbem.pages.notice import notice_page
from pbem.pages.veterans import OldWords
from pbem.telegram.updates import read_update
from tests.pages.sample import reader, table
from tests.played import PLAYED, spoken
from tests.rows import each_row

PAGE = (Path(__file__).parents[2] / "docs" / "veterans.md").read_text("utf-8")
PLAYERS, MASTERS = PAGE.split("\n## Game masters\n")
RULES = ReadingRules(frozenset({"orders@house.example"}), "house.example", None, True)
GAME = "herons"
LEXICON = Lexicon(
    {GAME: Questions({}, ("bidding", "orders", "dragon"))}, frozenset({"heron", "swan"})
)
ROLL = Roll((Member(1, "Anna"), Member(2, "Bartek")), 1)
HERON = cast("Any", SimpleNamespace(id=1, slug="heron", title="Heron"))
COLOURS = {"green": "green", "blue": "blue"}
SECRET = "secret"


def rows(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """An old line, and our words beside it."""
    found = re.findall(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    return [(old, tuple(re.findall(r"`([^`]+)`", ours))) for old, ours in found]


def with_counterpart(text: str) -> list[tuple[str, str]]:
    return [(old, ours[0]) for old, ours in rows(text.partition("### Without a counterpart")[0])]


def without_counterpart(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return rows(text.partition("### Without a counterpart")[2].replace(": GAME,", f": {GAME},"))


def by_mail(text: str) -> str:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = (
        *("anna@x.example", "orders@house.example", "hello", "<1@x.example>"),
    )
    mail.set_content(text)
    return message_of_mail(read_mail(mail.as_bytes(), RULES)).text.strip()


def by_chat(text: str) -> str:
    message = {
        "message_id": 1,
        "date": 1,
        "chat": {"id": 5, "type": "private"},
        "from": {"id": 5, "is_bot": False, "first_name": "A"},
        "text": text,
    }
    return message_of_update(
        read_update(json.dumps({"update_id": 1, "message": message}).encode())
    ).text.strip()


def said(text: str) -> object:
    """All that a player's message comes to, whatever room reads it."""
    named = parse_named(text, [HERON])
    about, rest = (
        (named.game.slug, named.rest.strip())
        if named is not None and named.game is not None
        else ("", text)
    )
    wishes = list(filter(None, map(parse_address_wish, rest.split("\n"))))
    wish = parse_wish(rest)
    told = parse_commands(rest)
    heard = spoken(PLAYED).heard[0].read(put_orders(rest)) if not told and not wishes else None
    orders = [item.texts for item in heard.items] if heard is not None else []
    return about, parse_join(rest), wishes, wish, told, read_colours(rest, COLOURS), orders


@each_row("channel", [by_mail, by_chat])
@each_row(("old", "ours"), with_counterpart(PLAYERS))
def test_what_an_old_line_of_players_says_is_what_our_words_say(
    old: str, ours: str, channel: Any
) -> None:
    assert said(channel(old)) == said(ours)
    assert SECRET not in channel(old)
    assert said(channel(ours)) not in (said(""), said("how are you?"))


@each_row("channel", [by_mail, by_chat])
@each_row(("old", "ours"), without_counterpart(PLAYERS))
def test_an_old_word_of_players_without_a_counterpart_is_answered_with_ours(
    old: str, ours: tuple[str, ...], channel: Any
) -> None:
    (command,) = parse_commands(channel(old))
    assert isinstance(command, Veterans)
    assert SECRET not in command.old
    page = notice_page(OldWords(command.old, tuple(LIST.items()), "1.2.3"), table(), reader())
    flat = " ".join(page.text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert all(words in flat for words in ours), flat
    assert page.chat


def test_every_old_word_stands_in_the_manual() -> None:
    found = {parse_commands(by_chat(old)) for old, _ in without_counterpart(PLAYERS)}
    assert found == {(Veterans(key),) for key in OLD_WORDS}


@each_row("channel", [by_mail, by_chat])
@each_row(("old", "ours"), with_counterpart(MASTERS))
def test_what_an_old_line_of_masters_says_is_what_our_words_say(
    old: str, ours: str, channel: Any
) -> None:
    told = parse_gm(f"{channel(old)}\nnotes", LEXICON)
    plain = parse_gm(f"{ours}\nnotes", LEXICON)
    assert [line.command for line in told] == [line.command for line in plain]
    assert all(line.command is not None for line in told)


@each_row("channel", [by_mail, by_chat])
@each_row(("old", "ours"), without_counterpart(MASTERS))
def test_an_old_word_of_masters_without_a_counterpart_names_ours(
    old: str, ours: tuple[str, ...], channel: Any
) -> None:
    (line,) = parse_gm(channel(old), LEXICON)
    assert line.trouble is not None
    assert (line.trouble.what, line.trouble.nearest) == ("old-word", ours)


@each_row(
    "words",
    [
        words
        for _, ours in without_counterpart(MASTERS)
        for words in ours
        if not re.search(r"[A-Z]{3}", words)
    ],
)
def test_the_words_that_masters_are_told_to_use_are_words(words: str) -> None:
    assert all(line.command is not None for line in parse_gm(words, LEXICON))


@pytest.mark.parametrize(
    ("text", "pieces", "rest"),
    [
        ("PRESS TO Bartek\nSET WAIT\nCLEAR\nENDPRESS\nbid 5", ["SET WAIT\nCLEAR"], "bid 5"),
        ("BROADCAST\nPASSWORD\nLIST\nENDBROADCAST", ["PASSWORD\nLIST"], ""),
        ("PRESS TO ALL BUT Anna\nRESIGN\nSIGNOFF\nAnna K.", ["RESIGN"], ""),
    ],
)
def test_within_press_there_are_no_words(text: str, pieces: list[str], rest: str) -> None:
    split = split_press(by_mail(text), ROLL)
    assert [getattr(piece, "text", None) for piece in split.pieces] == pieces
    assert split.rest.strip() == rest


def test_signoff_ends_a_message_and_a_signature_is_not_read() -> None:
    assert tidy("bid 5\nSIGNOFF\nAnna K.\nSET WAIT") == "bid 5"
    assert tidy("bid 5\nSign off, everybody\nfinal") == "bid 5\nSign off, everybody\nfinal"
    assert tidy("signoff") == "signoff"


def test_a_note_to_the_game_master_keeps_its_words() -> None:
    assert put_orders("GM: \nCLEAR\n\nCLEAR") == "GM: \nCLEAR\n\ncancel all"


def test_clear_in_small_letters_clears_nothing() -> None:
    assert put_orders("clear") == "clear"
    assert put_orders("Clear!") == "Clear!"


OLD_LINES = sorted({old for old, _ in rows(PAGE)})
PROSE = "I think we ought meet near the big river and talk over all this tomorrow morning maybe because Bartek wants it so".split()


@given(
    st.sampled_from(OLD_LINES),
    st.lists(st.sampled_from(PROSE), min_size=2, max_size=6),
    st.lists(st.sampled_from(PROSE), max_size=5),
)
def test_no_old_word_is_read_out_of_the_middle_of_a_sentence(
    old: str, before: list[str], after: list[str]
) -> None:
    line = " ".join([*before, old, *after])
    assert alias_of(line) is None
    assert old_word_of(line) is None
    assert named_table(line) is None
    assert put_orders(line) == line
    assert tidy(f"{line}\nbid 5") == f"{line}\nbid 5"
    assert not any(isinstance(command, Veterans) for command in parse_commands(line))


@given(st.sampled_from(OLD_LINES), st.lists(st.sampled_from(PROSE), min_size=3, max_size=6))
def test_an_old_word_that_begins_a_sentence_is_none_but_where_a_word_or_two_belong_to_it(
    old: str, after: list[str]
) -> None:
    line = " ".join([old.lower(), *after, "indeed"])
    assert alias_of(line) is None
    assert put_orders(line) == line


@given(st.text(max_size=200))
def test_nothing_that_is_written_raises_and_nothing_is_lost_but_what_stands_behind_signoff(
    text: str,
) -> None:
    kept = tidy(text)
    assert kept == text or kept.count("\n") <= text.count("\n")
    alias_of(text)
    old_word_of(text)
    named_table(text)
