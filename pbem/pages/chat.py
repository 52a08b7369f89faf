"""Notices about Telegram: linked chats, groups of a table, and the short words on and behind
buttons.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from datetime import datetime
from typing import Literal

from pbem.pages.notice import Notice
from pbem.pages.rendering import phrase

TEMPLATE = "mail/chat.j2"


def button_words(name: str, **facts: object) -> str:
    """A short line on or behind a button."""
    return phrase(TEMPLATE, f"say_{name}", facts)


class ChatNotice(Notice, foot="foot_out"):
    """A notice about Telegram."""

    template = TEMPLATE


class LinkOffered(ChatNotice):
    """By mail alone: the link that makes a chat the reader's."""

    url: str
    until: datetime


class LinkNotOffered(ChatNotice):
    """There is no link. `why`: `no-bot`, `linked` (we know the reader's chat) or `by-mail` (a link
    goes to a mail address, and there is none).
    """

    why: str


class ChatLinked(ChatNotice):
    """To the chat: whose it is now, and their tables; `runs_tables`: as a game master."""

    titles: Sequence[str]
    _: KW_ONLY
    runs_tables: bool = False


class ChatLinkedTold(ChatNotice):
    """To the mail address: somebody followed the link; `chat_name` is their name on Telegram."""

    chat_name: str


class ChatMovedAway(ChatNotice):
    """To the chat that was the reader's before."""


class LinkRefused(ChatNotice):
    """The link does not count. `why`: `unknown`, `used`, `expired`, `taken` (the chat is somebody
    else's) or `known` (it is the reader's).
    """

    why: str


class ChatUnlinked(ChatNotice):
    """Whether the chat is no longer the reader's. `why`: `done`, `last` (nothing else reaches them)
    or `none`.
    """

    why: str


class StrangerGreeted(ChatNotice):
    """To a stranger: the games, each with a line about it, and how to join."""

    games: Sequence[tuple[str, str]]


class NoTable(ChatNotice):
    """To a person we know who has no seat now."""


class NoSuchCode(ChatNotice):
    """To a stranger: we know no such code."""


class AskedByMail(ChatNotice):
    """To the chat of a person who wants us to forget them, or to send them their `data`: we ask
    their mail address.
    """

    what: Literal["forget", "data"]


class UnknownCommand(ChatNotice):
    """To a player: there is no such command, and we left the message alone."""

    command: str


class NotOwnWords(ChatNotice):
    """To a person we know who forwards a message, or lets another bot write."""


class WhichTable(ChatNotice):
    """Asks a player of several tables, above a button for each; the message waits `until` then."""

    titles: Sequence[str]
    until: datetime


class WhichQuestion(ChatNotice):
    """Asks which of our questions a yes or no (`answer`) is about, above a button for each."""

    answer: str
    questions: Sequence[str]


class ChangeTooLate(ChatNotice):
    """To a player who changed a message when letters about it had gone out."""


class WithoutPicture(ChatNotice):
    """Telegram refused the picture of a message, so the words stand alone."""

    _: KW_ONLY
    is_group: bool


class OrdersInGroup(ChatNotice):
    """To a player who wrote orders (`quoted`) in a group."""

    quoted: Sequence[str]


class PressInGroup(ChatNotice):
    """To a player who wrote private press in a group."""


class AnsweredInPrivate(ChatNotice):
    """To the group: we answer this only in private."""


class GroupBound(ChatNotice):
    """To the group: its table from now on, with `in_topic` only in this topic."""

    _: KW_ONLY
    in_topic: bool


class GroupNotBound(ChatNotice):
    """To the group: it has no table. `why`: `unknown`, `used`, `expired`, `not-master`,
    `other-table` or `how`.
    """

    why: str


class GroupCode(ChatNotice, foot="foot_gm"):
    """To a game master: how to connect a group with the table."""

    url: str
    code: str
    until: datetime


class WhichGroup(ChatNotice, foot="foot_gm"):
    """Asks a game master of several tables, or of none that fits, which one they mean."""

    tables: Sequence[str]


class GroupLeft(ChatNotice, foot="foot_gm"):
    """To the game masters: the bot is no longer in the table's group, or the group has another
    table now.
    """

    group: str
    now_of: str = ""


class GroupRefuses(ChatNotice, foot="foot_gm"):
    """To the game masters: what the table's group refuses (`pbem.telegram.refusals`)."""

    group: str
    kind: str


class ChatClosed(ChatNotice, foot="foot_gm"):
    """To the game masters: a player has blocked the bot; `by_mail`: they get mail instead."""

    who: str
    _: KW_ONLY
    by_mail: bool


class GroupHelp(ChatNotice):
    """To a group: what we answer there."""


class TextOnly(ChatNotice):
    """To a person who sent a voice message, a picture, a file or a place without words."""


class ChatGivenUp(ChatNotice, foot="foot_gm"):
    """To the game masters: Telegram has taken nothing for `who` ("": the group) for a day."""

    who: str
    _: KW_ONLY
    by_mail: bool


class JoinInGroup(ChatNotice):
    """To the group, above the button that joins."""


class JoinClosed(ChatNotice):
    """The game takes no new players."""


class BotStopped(ChatNotice, foot="foot_gm"):
    """To the game masters: another program takes the bot's updates, so we have stopped. `told` is
    what Telegram said.
    """

    told: str
