"""Pages about Telegram: chats that are linked, groups that belong to a table, and the short words
on and behind buttons.
"""

from collections.abc import Sequence
from datetime import datetime

from pbem.pages.notice import legacy_page, seen
from pbem.pages.page import Page, Reader, Table
from pbem.pages.rendering import phrase

TEMPLATE = "mail/chat.j2"


class ChatPages:
    """One method a page; every one takes the table (or the house in its place) and the reader
    first.
    """

    def link_offered(self, table: Table, reader: Reader, url: str, until: datetime) -> Page:
        """By mail alone: the link that makes a chat its reader's."""
        return self._page(
            "link_offered", table, reader, {"url": url, "until": seen(until, table, reader)}
        )

    def link_not_offered(self, table: Table, reader: Reader, why: str) -> Page:
        """`no-bot`: there is no bot here; `linked`: the reader's chat is known; `by-mail`: it goes
        to a mail address, and there is none.
        """
        return self._page("link_not_offered", table, reader, {"why": why})

    def linked(
        self, table: Table, reader: Reader, titles: Sequence[str], *, runs_tables: bool = False
    ) -> Page:
        """To the chat: whose it is now, and the tables they sit at; `runs_tables`: as a game
        master.
        """
        return self._page(
            "linked",
            table,
            reader,
            {"who": reader.name, "titles": tuple(titles), "runs_tables": runs_tables},
        )

    def linked_told(self, table: Table, reader: Reader, chat_name: str) -> Page:
        """To the mail address: somebody has followed the link. `chat_name` is what they are called
        on Telegram.
        """
        return self._page("linked_told", table, reader, {"chat_name": chat_name})

    def moved_away(self, table: Table, reader: Reader) -> Page:
        """To the chat that was the reader's before."""
        return self._page("moved_away", table, reader, {})

    def link_refused(self, table: Table, reader: Reader, why: str) -> Page:
        """`unknown`, `used`, `expired`, `taken` (this chat is somebody else's already) or `known`
        (it is the reader's).
        """
        return self._page("link_refused", table, reader, {"why": why})

    def unlinked(self, table: Table, reader: Reader, why: str) -> Page:
        """`done`, `last` (there is no other way to reach the reader) or `none`."""
        return self._page("unlinked", table, reader, {"why": why})

    def stranger(self, table: Table, reader: Reader, games: Sequence[tuple[str, str]]) -> Page:
        """To somebody we know nothing of: what the games are (each with a line about it), and how
        one joins.
        """
        return self._page("stranger", table, reader, {"games": tuple(games)})

    def no_table(self, table: Table, reader: Reader) -> Page:
        """To somebody we know who sits nowhere just now."""
        return self._page("no_table", table, reader, {})

    def no_such_code(self, table: Table, reader: Reader) -> Page:
        """To somebody we know nothing of, whose code opens nothing."""
        return self._page("no_such_code", table, reader, {})

    def forget_by_mail(self, table: Table, reader: Reader) -> Page:
        """To the chat of somebody who wants to be forgotten: the question went to their mail
        address.
        """
        return self._page("forget_by_mail", table, reader, {})

    def unknown_command(self, table: Table, reader: Reader, command: str) -> Page:
        """To a player: that command is none, and nothing of the message was taken."""
        return self._page("unknown_command", table, reader, {"command": command})

    def not_own(self, table: Table, reader: Reader) -> Page:
        """To somebody we know who repeats the words of others, or has another bot write."""
        return self._page("not_own", table, reader, {})

    def which_table(
        self, table: Table, reader: Reader, titles: Sequence[str], until: datetime
    ) -> Page:
        """To a player of several tables, above a button for each; the message waits until then."""
        return self._page(
            "which_table",
            table,
            reader,
            {"titles": tuple(titles), "until": seen(until, table, reader)},
        )

    def which_question(
        self, table: Table, reader: Reader, answer: str, questions: Sequence[str]
    ) -> Page:
        """To somebody whose plain yes or no (`answer`) may be about several questions of ours,
        above a button for each.
        """
        return self._page(
            "which_question", table, reader, {"answer": answer, "questions": tuple(questions)}
        )

    def gone(self, table: Table, reader: Reader) -> Page:
        """To a player who changed a message whose letters to others have gone."""
        return self._page("gone", table, reader, {})

    def without_picture(self, table: Table, reader: Reader, *, is_group: bool) -> Page:
        """Telegram would not take the picture of a message, and the words stand alone."""
        return self._page("without_picture", table, reader, {"is_group": is_group})

    def orders_in_group(self, table: Table, reader: Reader, quoted: Sequence[str]) -> Page:
        """To a player who wrote orders where everybody reads along."""
        return self._page("orders_in_group", table, reader, {"lines": tuple(quoted)})

    def press_in_group(self, table: Table, reader: Reader) -> Page:
        """To a player who wrote to one of the others where everybody reads along."""
        return self._page("press_in_group", table, reader, {})

    def in_private(self, table: Table, reader: Reader) -> Page:
        """To the group: what is asked there is answered in private alone."""
        return self._page("in_private", table, reader, {})

    def group_bound(self, table: Table, reader: Reader, *, in_topic: bool) -> Page:
        """To the group: which table it speaks of from now on, perhaps in this topic alone."""
        return self._page("group_bound", table, reader, {"in_topic": in_topic})

    def group_not_bound(self, table: Table, reader: Reader, why: str) -> Page:
        """To the group: `unknown`, `used`, `expired`, `not-master`, `other-table` or `how`."""
        return self._page("group_not_bound", table, reader, {"why": why})

    def group_code(
        self, table: Table, reader: Reader, url: str, code: str, until: datetime
    ) -> Page:
        """To a game master: how a group is bound to the table."""
        return self._page(
            "group_code",
            table,
            reader,
            {"url": url, "code": code, "until": seen(until, table, reader)},
            foot="foot_gm",
        )

    def which_group(self, table: Table, reader: Reader, tables: Sequence[str]) -> Page:
        """To a game master who runs several tables (or none that can be meant): which is it?"""
        return self._page("which_group", table, reader, {"tables": tuple(tables)}, foot="foot_gm")

    def group_left(self, table: Table, reader: Reader, group: str, now_of: str = "") -> Page:
        """To the game masters: the bot was put out of the table's group, or the group speaks of
        another table now.
        """
        return self._page(
            "group_left",
            table,
            reader,
            {"group": group, "now_of": now_of, "slug": table.slug},
            foot="foot_gm",
        )

    def group_refuses(self, table: Table, reader: Reader, group: str, kind: str) -> Page:
        """To the game masters: what the table's group refuses (`pbem.telegram.refusals`), and what
        becomes of our messages.
        """
        return self._page(
            "group_refuses", table, reader, {"group": group, "kind": kind}, foot="foot_gm"
        )

    def chat_closed(self, table: Table, reader: Reader, who: str, *, by_mail: bool) -> Page:
        """To the game masters: a player does not let the bot write any more; `by_mail`: their
        letters go by mail now.
        """
        return self._page(
            "chat_closed", table, reader, {"who": who, "by_mail": by_mail}, foot="foot_gm"
        )

    def group_help(self, table: Table, reader: Reader) -> Page:
        """To a group: what is answered there."""
        return self._page("group_help", table, reader, {})

    def text_only(self, table: Table, reader: Reader) -> Page:
        """To somebody who sent a voice message, a picture, a file or a place without a word."""
        return self._page("text_only", table, reader, {})

    def chat_given_up(self, table: Table, reader: Reader, who: str, *, by_mail: bool) -> Page:
        """To the game masters: Telegram has taken nothing for a player (or, without a name, for the
        group) for a day.
        """
        return self._page(
            "chat_given_up", table, reader, {"who": who, "by_mail": by_mail}, foot="foot_gm"
        )

    def join_in_group(self, table: Table, reader: Reader) -> Page:
        """To the group, above the button."""
        return self._page("join_in_group", table, reader, {})

    def join_closed(self, table: Table, reader: Reader) -> Page:
        return self._page("join_closed", table, reader, {})

    def stopped(self, table: Table, reader: Reader, told: str) -> Page:
        """To the game masters: another program takes the bot's updates, so that we have stopped.
        `told` is what Telegram said.
        """
        return self._page("stopped", table, reader, {"told": told}, foot="foot_gm")

    @staticmethod
    def words(name: str, **facts: object) -> str:
        """A short line on or behind a button."""
        return phrase(TEMPLATE, f"say_{name}", facts)

    @staticmethod
    def _page(
        name: str, table: Table, reader: Reader, facts: dict[str, object], *, foot: str = "foot_out"
    ) -> Page:
        return legacy_page(TEMPLATE, name, table, reader, facts, foot=foot)
