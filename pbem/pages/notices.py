"""Short mails about the post office itself: who wrote, what is closed, what was moved. Alike for
every game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.pages.notice import legacy_page, quoted_lines, seen
from pbem.pages.page import Page, Reader, Table

NOTICES = "mail/notices.j2"


@dataclass(frozen=True, slots=True)
class Quoted:
    """A message in somebody's name: its words, when it came, the table it is about ("": told
    otherwise, or not known), and `why` a yes cannot free it, as a code ("": it can), with the
    address it came from where that is why.
    """

    text: str
    at: datetime
    title: str = ""
    why: str = ""
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Missed:
    """Orders that came before their phase closed and were read after it; `all_done`: it closed
    early because everybody was done. `is_told`: a game master is told of it.
    """

    came: datetime
    closed: datetime
    all_done: bool
    is_told: bool = False


class NoticePages:
    """One method a notice; every one takes the table and the reader first. Texts of people are
    shown as they wrote them, escaped.
    """

    def confirm_sender(
        self,
        table: Table,
        reader: Reader,
        messages: Sequence[Quoted],
        until: datetime,
        code: str,
        tables: Sequence[tuple[str, str]] = (),
        *,
        unclear: bool = False,
    ) -> Page:
        """To the registered address: were these you? `until` is how long they wait, `code` the
        token the answer must carry (in the foot). `tables`: the short names and titles of those of
        which one must be named, too. `unclear`: an answer was neither yes nor no.
        """
        shown = [
            {
                "lines": quoted_lines(one.text),
                "at": seen(one.at, table, reader),
                "title": one.title,
                "why": one.why,
                "sender": one.sender,
            }
            for one in messages
        ]
        facts: dict[str, object] = {
            "asked": [one for one in shown if not one["why"]],
            "others": [one for one in shown if one["why"]],
            "until": seen(until, table, reader),
            "tables": tuple(tables),
            "unclear": unclear,
        }
        return self._page(
            "confirm_sender",
            table,
            reader,
            facts,
            code=code,
            foot="foot_confirm" if code else "foot_out",
        )

    def asked_enough(self, table: Table, reader: Reader) -> Page:
        """More messages without proof came in the reader's name than questions are asked a day."""
        return self._page(
            "asked_enough",
            table,
            reader,
            {"slug": table.slug},
            foot="foot_player" if table.slug else "foot_out",
        )

    def confirm_address(
        self, table: Table, reader: Reader, who: str, address: str, code: str
    ) -> Page:
        """To an address that somebody calls theirs: is it? `code` is the token the answer must
        carry.
        """
        return self._page(
            "confirm_address",
            table,
            reader,
            {"who": who, "address": address},
            code=code,
            foot="foot_address",
        )

    def confirm_alias(
        self, table: Table, reader: Reader, address: str, text: str, code: str
    ) -> Page:
        """To an address that we know: is the other one theirs, too? A mail with its code came from
        there.
        """
        facts: dict[str, object] = {"address": address, "lines": quoted_lines(text)}
        return self._page("confirm_alias", table, reader, facts, code=code, foot="foot_code")

    def gm_alias(self, table: Table, reader: Reader, who: str, known: str, address: str) -> Page:
        """Nobody has said whether the address that wrote with a player's code is theirs."""
        facts: dict[str, object] = {"who": who, "known": known, "address": address}
        return self._page("gm_alias", table, reader, facts, foot="foot_gm")

    def address_added(
        self, table: Table, reader: Reader, address: str, *, from_chat: bool = False
    ) -> Page:
        """To where they were known before and to the new address; `from_chat`: it is the first
        address of somebody with a chat alone.
        """
        return self._page(
            "address_added",
            table,
            reader,
            {"address": address, "from_chat": from_chat},
            foot="foot_out",
        )

    def addresses(
        self,
        table: Table,
        reader: Reader,
        results: Sequence[tuple[str, str]],
        own: Sequence[tuple[str, bool]],
        *,
        has_chat: bool = False,
    ) -> Page:
        """What became of wishes about addresses (a code and the address each), and the addresses
        with whether each is suspended.
        """
        return self._page(
            "addresses",
            table,
            reader,
            {"results": tuple(results), "own": tuple(own), "has_chat": has_chat},
        )

    def wrong_phase(
        self, table: Table, reader: Reader, open_phase: str, deadline: datetime | None
    ) -> Page:
        """Orders for a phase that is over; `open_phase` is the name of the one that is open."""
        return self._page(
            "wrong_phase", table, reader, {"open": open_phase, "due": seen(deadline, table, reader)}
        )

    def came_before(
        self,
        table: Table,
        reader: Reader,
        missed: Missed,
        open_phase: str,
        deadline: datetime | None,
    ) -> Page:
        """To who sent them; `open_phase` is the name of the one that is open ("": none is)."""
        return self._page(
            "came_before",
            table,
            reader,
            {
                "missed": _shown(missed, table, reader),
                "open": open_phase,
                "due": seen(deadline, table, reader),
            },
        )

    def gm_came_before(self, table: Table, reader: Reader, who: str, missed: Missed) -> Page:
        return self._page(
            "gm_came_before",
            table,
            reader,
            {"who": who, "missed": _shown(missed, table, reader)},
            foot="foot_gm",
        )

    def eliminated(self, table: Table, reader: Reader) -> Page:
        return self._page("eliminated", table, reader, {})

    def game_over(self, table: Table, reader: Reader) -> Page:
        return self._page("game_over", table, reader, {})

    def not_your_game(self, table: Table, reader: Reader, named: str = "") -> Page:
        return self._page("not_your_game", table, reader, {"named": named})

    def which_game(
        self,
        table: Table,
        reader: Reader,
        titles: Sequence[str],
        names: Sequence[str],
        until: datetime,
        code: str,
        quoted: Sequence[str] = (),
    ) -> Page:
        """The sender sits at several tables and the messages (`quoted`) tell none; `names` are
        their short names. They wait until then; `code` is the token of the answer (in the foot).
        """
        facts: dict[str, object] = {
            "titles": tuple(titles),
            "names": tuple(names),
            "until": seen(until, table, reader),
        }
        facts["messages"] = [quoted_lines(text) for text in quoted]
        return self._page("which_game", table, reader, facts, code=code, foot="foot_code")

    def let_go(
        self, table: Table, reader: Reader, what: str, quotes: Sequence[str], count: int
    ) -> Page:
        """Nobody has answered our question in time, so that `count` messages (in short: `quotes`)
        were let go of. `what` was asked: `which-game`, or whether they are the reader's (`orders`).
        """
        lines = tuple(quoted_lines("\n".join(quotes)))
        return self._page(
            "let_go", table, reader, {"what": what, "lines": lines, "count": count}, foot="foot_out"
        )

    def question_over(
        self, table: Table, reader: Reader, what: str, why: str, until: datetime
    ) -> Page:
        """An answer to a question that is over. `why` is `yes` or `no` (it was answered so),
        `replaced` or `expired`.
        """
        return self._page(
            "question_over",
            table,
            reader,
            {"what": what, "why": why, "until": seen(until, table, reader)},
            foot="foot_out",
        )

    def question_unclear(
        self, table: Table, reader: Reader, what: str, text: str, code: str
    ) -> Page:
        """An answer to a question that says neither yes nor no; `code` is the token of the answer
        to this letter.
        """
        facts: dict[str, object] = {"what": what, "lines": quoted_lines(text)}
        return self._page("question_unclear", table, reader, facts, code=code, foot="foot_code")

    def question_elsewhere(
        self, table: Table, reader: Reader, sender: str, text: str, code: str
    ) -> Page:
        """An answer to a question came from another address than was asked; `code` is the token of
        the answer to this letter.
        """
        facts: dict[str, object] = {"sender": sender, "lines": quoted_lines(text)}
        return self._page("question_elsewhere", table, reader, facts, code=code, foot="foot_code")

    def nothing_found(self, table: Table, reader: Reader) -> Page:
        """A mail of quotes and signature alone."""
        return self._page("nothing_found", table, reader, {})

    def subject_not_read(self, table: Table, reader: Reader, subject: str) -> Page:
        """A mail without an order in its text, and with one in its subject."""
        return self._page("subject_not_read", table, reader, {"lines": (subject,)})

    def through_a_list(self, table: Table, reader: Reader, sender: str, text: str) -> Page:
        """A mail with the reader's code that a mailing list has passed on."""
        facts: dict[str, object] = {"sender": sender, "lines": quoted_lines(text)}
        return self._page("through_a_list", table, reader, facts)

    def nothing_offered(self, table: Table, reader: Reader) -> Page:
        """A `yes` where no receipt has offered anything."""
        return self._page("nothing_offered", table, reader, {})

    def answer_kept(
        self, table: Table, reader: Reader, text: str, asks: str, *, is_no: bool
    ) -> Page:
        """A short answer to a letter that `asks` ("vote") or offers ("offer"), and that says no
        (`is_no`) or nothing clear: it goes to nobody.
        """
        facts = {"lines": quoted_lines(text), "asks": asks, "is_no": is_no}
        return self._page("answer_kept", table, reader, facts)

    def for_others(self, table: Table, reader: Reader, text: str, press: str) -> Page:
        """Words for other players that are no press went to nobody; `press`: how they would be."""
        facts: dict[str, object] = {"lines": quoted_lines(text), "press": press.splitlines()}
        return self._page("for_others", table, reader, facts)

    def not_read(self, table: Table, reader: Reader, lines: Sequence[str]) -> Page:
        """Lines beside answered words of which nothing came."""
        return self._page(
            "not_read", table, reader, {"lines": tuple(lines), "gm_name": table.gm_name}
        )

    def another_table(self, table: Table, reader: Reader, text: str) -> Page:
        """What a message says of another table than the one it is about."""
        return self._page("another_table", table, reader, {"lines": quoted_lines(text)})

    def too_short(
        self, table: Table, reader: Reader, text: str, open_phase: str, deadline: datetime | None
    ) -> Page:
        """A message of which nobody can tell what it answers; `open_phase` ("": none) is what is
        asked.
        """
        facts: dict[str, object] = {
            "lines": quoted_lines(text),
            "open": open_phase,
            "due": seen(deadline, table, reader),
            "gm_name": table.gm_name,
        }
        return self._page("too_short", table, reader, facts)

    def words_cut(
        self,
        table: Table,
        reader: Reader,
        words: Sequence[str],
        most: int = 5,
        foot: str = "foot_player",
    ) -> Page:
        """Words of a message that shows more than the first few things (`most`)."""
        facts: dict[str, object] = {"words": tuple(words), "most": most}
        return self._page("words_cut", table, reader, facts, foot=foot)

    def orders_stand(self, table: Table, reader: Reader, texts: Sequence[str], quoted: str) -> Page:
        """A message that was changed has no orders any more, and those it brought (`texts`) stand;
        `quoted` of it has gone to nobody.
        """
        return self._page(
            "orders_stand",
            table,
            reader,
            {"texts": tuple(texts), "lines": quoted_lines(quoted) if quoted else ()},
        )

    def was_it_an_order(
        self,
        table: Table,
        reader: Reader,
        text: str,
        *,
        is_master: bool = False,
        is_garbled: bool = False,
        example: str = "",
    ) -> Page:
        """Words that nobody understood are kept from the game masters, one of whom plays; so are
        signs that nobody can read (`is_garbled`). `is_master`: who wrote them runs the table.
        `example`: an order to copy, where the words were near one.
        """
        facts = {
            "lines": quoted_lines(text),
            "gm_name": table.gm_name,
            "is_master": is_master,
            "is_garbled": is_garbled,
            "who": reader.name,
            "example": example,
        }
        return self._page("was_it_an_order", table, reader, facts)

    def orders_in_note(self, table: Table, reader: Reader, note: str, lines: Sequence[str]) -> Page:
        """A note whose `lines` below the first read as orders: neither was it passed on, nor were
        they taken.
        """
        facts: dict[str, object] = {
            "lines": quoted_lines(note),
            "orders": tuple(lines),
            "gm_name": table.gm_name,
        }
        return self._page("orders_in_note", table, reader, facts)

    def note_passed(self, table: Table, reader: Reader, text: str = "", example: str = "") -> Page:
        """`example`: an order to copy, where the words were near one."""
        facts: dict[str, object] = {"lines": quoted_lines(text), "gm_name": table.gm_name}
        facts["example"] = example
        return self._page("note_passed", table, reader, facts)

    def note_repeated(self, table: Table, reader: Reader, text: str) -> Page:
        """To a player who has written the same note before today."""
        facts: dict[str, object] = {"lines": quoted_lines(text), "gm_name": table.gm_name}
        return self._page("note_repeated", table, reader, facts)

    def colours_are_dealt(self, table: Table, reader: Reader) -> Page:
        """A wish for a colour at a table that has begun."""
        return self._page("colours_are_dealt", table, reader, {})

    def unreadable(self, table: Table, reader: Reader, reason: str) -> Page:
        return self._page("unreadable", table, reader, {"reason": reason})

    def too_big(self, table: Table, reader: Reader, limit: str) -> Page:
        """`limit` in words of size, as `10 MB`."""
        return self._page("too_big", table, reader, {"limit": limit})

    def close_held(
        self, table: Table, reader: Reader, since: datetime | None, hold_minutes: int
    ) -> Page:
        """The mailbox cannot be read at the deadline."""
        return self._page(
            "close_held",
            table,
            reader,
            {"since": seen(since, table, reader), "hold_minutes": hold_minutes},
        )

    def deadline_changed(
        self, table: Table, reader: Reader, old: datetime | None, new: datetime | None, by: str
    ) -> Page:
        return self._page(
            "deadline_changed",
            table,
            reader,
            {"old": seen(old, table, reader), "new": seen(new, table, reader), "by": by},
        )

    def started(self, table: Table, reader: Reader) -> Page:
        return self._page("started", table, reader, {"due": seen(table.deadline, table, reader)})

    def invitation_accepted(self, table: Table, reader: Reader) -> Page:
        return self._page("invitation_accepted", table, reader, {})

    def orders_unlocked(self, table: Table, reader: Reader, who: str) -> Page:
        """To everybody: the game master has unlocked somebody's final orders (PR-1.10: publicly
        noted).
        """
        return self._page(
            "orders_unlocked",
            table,
            reader,
            {"who": who, "gm_name": table.gm_name, "due": seen(table.deadline, table, reader)},
        )

    def strike(self, table: Table, reader: Reader, who: str, count: int, why: str = "") -> Page:
        """To everybody: somebody has shown secret orders (PR-1.11)."""
        return self._page(
            "strike",
            table,
            reader,
            {"who": who, "count": count, "why": why, "gm_name": table.gm_name},
        )

    # ------------------------------------------------------------------------------ to game masters
    def gm_note(
        self, table: Table, reader: Reader, who: str, text: str, number: int | None = None
    ) -> Page:
        """`number` is the note's, by which it is answered."""
        return self._page(
            "gm_note",
            table,
            reader,
            {"who": who, "lines": quoted_lines(text), "number": number},
            foot="foot_gm",
        )

    def gm_bounce(
        self,
        table: Table,
        reader: Reader,
        who: str,
        address: str,
        answer: str,
        until: datetime | None = None,
    ) -> Page:
        """Mail comes back; `answer` is what the other server said. `until`: it is tried once a day
        as long; None: it is tried no more.
        """
        facts: dict[str, object] = {
            "who": who,
            "address": address,
            "lines": quoted_lines(answer),
            "until": seen(until, table, reader),
        }
        return self._page("gm_bounce", table, reader, facts, foot="foot_gm")

    def mail_comes_back(
        self, table: Table, reader: Reader, address: str, answer: str, until: datetime | None = None
    ) -> Page:
        """The same to the person whose address it is, on another way."""
        facts: dict[str, object] = {
            "address": address,
            "lines": quoted_lines(answer),
            "until": seen(until, table, reader),
        }
        return self._page("mail_comes_back", table, reader, facts, foot="foot_out")

    def set_aside(self, table: Table, reader: Reader, received_at: datetime, channel: str) -> Page:
        """To whoever wrote a message that could not be handled; `channel` is where they wrote
        it.
        """
        facts: dict[str, object] = {
            "at": seen(received_at, table, reader),
            "word": "mail" if channel == "mail" else "message",
        }
        return self._page("set_aside", table, reader, facts, foot="foot_out")

    def gm_knocked(
        self, table: Table, reader: Reader, knocks: Sequence[tuple[str, int]], others: int
    ) -> Page:
        """Who wrote without a seat anywhere, and how many mails each; `others` more addresses are
        not named.
        """
        return self._page(
            "gm_knocked", table, reader, {"knocks": tuple(knocks), "others": others}, foot="foot_gm"
        )

    def gm_shunted(self, table: Table, reader: Reader, who: str, number: int, error: str) -> Page:
        return self._page(
            "gm_shunted",
            table,
            reader,
            {"who": who, "number": number, "error": error},
            foot="foot_gm",
        )

    def gm_started(self, table: Table, reader: Reader, names: Sequence[str]) -> Page:
        facts = {
            "players": len(names),
            "names": tuple(names),
            "due": seen(table.deadline, table, reader),
        }
        return self._page("gm_started", table, reader, facts, foot="foot_gm")

    def close_failed(
        self, table: Table, reader: Reader, error: str, attempts: int, again_at: datetime
    ) -> Page:
        """The close was tried so often, and is tried again at `again_at`."""
        facts = {
            "error": error,
            "number": table.phase_number,
            "attempts": attempts,
            "again": seen(again_at, table, reader),
        }
        return self._page("close_failed", table, reader, facts, foot="foot_gm")

    @staticmethod
    def _page(
        name: str,
        table: Table,
        reader: Reader,
        facts: dict[str, object],
        *,
        code: str = "",
        foot: str = "foot_player",
    ) -> Page:
        return legacy_page(NOTICES, name, table, reader, facts, code=code, foot=foot)


def _shown(missed: Missed, table: Table, reader: Reader) -> dict[str, object]:
    return {
        "came": seen(missed.came, table, reader),
        "closed": seen(missed.closed, table, reader),
        "all_done": missed.all_done,
        "is_told": missed.is_told,
    }
