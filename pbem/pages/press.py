"""Mails about press: what somebody wrote, what became of one's own, what a table allows. Alike for
every game.

A piece of press comes here without what its reader must not know: of grey press there is no writer
to be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.pages.notice import legacy_page, quoted_lines, seen
from pbem.pages.page import Page, Reader, Table

PRESS = "mail/press.j2"
LONGEST_SHOWN = 1_000
LONGEST_COPY = 2_500
"""Characters of what may be copied into an answer; of longer press it is told how it begins and
ends.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of press as one reader may see it. `writer` "": it is grey.

    `readers` are the names of those it is for beside everybody (`kind` public); of grey press the
    reader alone. `answers_grey`: it answers press without a name. `is_mine`: the reader wrote it.
    """

    writer: str
    kind: Literal["public", "private", "team", "gm"]
    readers: tuple[str, ...]
    text: str
    at: datetime
    grey: bool = False
    answers_grey: bool = False
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a piece of press that somebody wrote. `code` "": it was sent, to so many.

    Else why it was not: a code, the part of it that is the trouble, and who may have been meant.
    `text` is what was sent. `nobody_looks`: it was for observers too, and there are none.
    """

    code: str = ""
    readers: tuple[str, ...] = ()
    kind: str = "private"
    count: int = 0
    grey: bool = False
    to_grey: bool = False
    text: str = ""
    nobody_looks: bool = False
    written: str = ""
    options: tuple[str, ...] = ()
    limit: int = 0


@dataclass(frozen=True, slots=True)
class RulesFacts:
    """What press a table allows, for a page: as `grammar.press_rules.PressRules`, with the names of
    phases for their kinds.
    """

    mode: str
    grey: bool
    closed_in: tuple[str, ...]
    eliminated: bool
    observers: bool
    after_end: bool
    gm_reads: bool
    groups: bool


def cut_text(text: str) -> str:
    """What was sent, for its writer: the beginning of what is long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN].rstrip()} [...]"


class PressPages:
    """One method a mail; every one takes the table and the reader first. Texts of people are shown
    as they wrote them, escaped.
    """

    def letter(
        self, table: Table, reader: Reader, piece: Piece, *, may_answer: bool = True
    ) -> Page:
        """A piece of press to one reader."""
        foot = "foot_player" if reader.number is not None else "foot_out"
        return self._page(
            "letter",
            table,
            reader,
            {"piece": self._shown(piece, table, reader), "may_answer": may_answer},
            foot=foot,
        )

    def posted(self, table: Table, reader: Reader, piece: Piece) -> Page:
        """Public press for a group."""
        return self._page(
            "posted", table, reader, {"piece": self._shown(piece, table, reader)}, foot="foot_out"
        )

    def digest(self, table: Table, reader: Reader, pieces: Sequence[Piece]) -> Page:
        """Press that has waited for the reader's hour."""
        foot = "foot_player" if reader.number is not None else "foot_out"
        facts = {
            "pieces": self._all(pieces, table, reader),
            "may_answer": reader.number is not None,
        }
        return self._page("digest", table, reader, facts, foot=foot)

    def sent(
        self,
        table: Table,
        reader: Reader,
        outcomes: Sequence[Outcome],
        rules: RulesFacts,
        names: Sequence[str],
        *,
        has_attachment: bool,
    ) -> Page:
        """What became of the press in a message: short where it was sent, and clear where it was
        not. `names` are those at the table.
        """
        facts: dict[str, object] = {
            "outcomes": tuple(outcomes),
            "rules": rules,
            "names": tuple(names),
            "attachment": has_attachment,
        }
        facts["texts"] = tuple(cut_text(outcome.text) for outcome in outcomes)
        facts["failed"] = tuple(outcome for outcome in outcomes if outcome.code)
        return self._page("sent", table, reader, facts)

    def held(self, table: Table, reader: Reader, why: str, text: str, to: str) -> Page:
        """An answer to press was not passed on, and nothing in it was taken, for it may be meant
        otherwise.

        `why`: mixed, to-whom. `to` is the heading with which it would be sent.
        """
        return self._page(
            "held", table, reader, {"why": why, "lines": quoted_lines(text), "to": to}
        )

    def doubtful(
        self,
        table: Table,
        reader: Reader,
        found: Sequence[str],
        as_press: str,
        as_orders: str,
        *,
        heading: str = "",
        signed: bool = False,
    ) -> Page:
        """A press was not sent, and nothing in it was taken: `found` in it reads as instructions,
        or is the name (`signed`) below press without one. What to send for the one and for the
        other; `heading`: of an answer to press, what makes it press.
        """
        is_short = len(as_press) + len(as_orders) <= LONGEST_COPY
        facts: dict[str, object] = {
            "found": tuple(found),
            "opening": as_press.partition("\n")[0],
            "heading": heading,
            "signed": signed,
        }
        facts |= {
            "as_press": as_press if is_short else "",
            "as_orders": as_orders if is_short else "",
        }
        return self._page("doubtful", table, reader, facts)

    def how(
        self, table: Table, reader: Reader, rules: RulesFacts, name: str, pieces: Sequence[Piece]
    ) -> Page:
        """How press is written, what the table allows, and the newest of it. `name` is somebody to
        write to.
        """
        return self._page(
            "how",
            table,
            reader,
            {"rules": rules, "name": name, "pieces": self._all(pieces, table, reader)},
        )

    def listing(self, table: Table, reader: Reader, pieces: Sequence[Piece], *, older: int) -> Page:
        """The press that the reader may see, muted or not; so many `older` pieces are left out."""
        return self._page(
            "listing", table, reader, {"pieces": self._all(pieces, table, reader), "older": older}
        )

    def muted(
        self, table: Table, reader: Reader, muted: Sequence[str], unknown: str, names: Sequence[str]
    ) -> Page:
        """Whose press is muted now: names, `all`, `grey`. `unknown` is what was written and means
        nobody.
        """
        return self._page(
            "muted",
            table,
            reader,
            {"muted": tuple(muted), "unknown": unknown, "names": tuple(names)},
        )

    def digest_set(self, table: Table, reader: Reader, digest: str, unread: str = "") -> Page:
        """When press is told from now on; `unread`: what was written said nothing of the kind, and
        it stays so.
        """
        return self._page("digest_set", table, reader, {"digest": digest, "unread": unread[:40]})

    def rules_changed(self, table: Table, reader: Reader, rules: RulesFacts, by: str) -> Page:
        """To everybody: what press the table allows from now on."""
        foot = "foot_player" if reader.number is not None else "foot_gm"
        return self._page("rules_changed", table, reader, {"rules": rules, "by": by}, foot=foot)

    def _all(
        self, pieces: Sequence[Piece], table: Table, reader: Reader
    ) -> tuple[dict[str, object], ...]:
        return tuple(self._shown(piece, table, reader) for piece in pieces)

    @staticmethod
    def _shown(piece: Piece, table: Table, reader: Reader) -> dict[str, object]:
        facts: dict[str, object] = {name: getattr(piece, name) for name in Piece.__slots__}
        return facts | {"at": seen(piece.at, table, reader)}

    @staticmethod
    def _page(
        name: str,
        table: Table,
        reader: Reader,
        facts: dict[str, object],
        *,
        foot: str = "foot_player",
    ) -> Page:
        return legacy_page(PRESS, name, table, reader, facts, foot=foot)
