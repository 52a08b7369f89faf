"""Mails about press: what somebody wrote, what became of one's own, what a table allows. Alike for
every game.

A piece of press comes here without what its reader must not know: of grey press there is no writer
to be shown.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Literal

from pbem.pages.notice import Facts, Notice, QuotedText
from pbem.pages.page import Reader, Table

LONGEST_SHOWN = 1_000
LONGEST_COPY = 2_500
"""Characters of what may be copied into an answer; of longer press it is told how it begins and
ends.
"""


class Piece(Facts):
    """A piece of press as one reader may see it. `writer` "": it is grey.

    `readers` are the names of those it is for besides everybody (`kind` public); of grey press the
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
    """What became of a piece of press that somebody wrote. `code` "": it was sent, to `count`.

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

    @property
    def is_plain(self) -> bool:
        """Whether it went to readers in its writer's name, and that is all there is to say."""
        return self.count > 0 and not (
            self.code or self.grey or self.to_grey or self.nobody_looks or self.options
        )

    @property
    def excerpt(self) -> str:
        """The text, of a long one its beginning."""
        if len(self.text) <= LONGEST_SHOWN:
            return self.text
        return f"{self.text[:LONGEST_SHOWN].rstrip()} [...]"


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


class PressNotice(Notice):
    """A notice about press."""

    template = "mail/press.j2"


class PressLetter(PressNotice):
    """A piece of press to one reader, who `may_answer` it."""

    reader_feet = ("foot_player", "foot_out", "foot_out")

    piece: Piece
    _: KW_ONLY
    may_answer: bool = True


class PressPosted(PressNotice, foot="foot_out"):
    """Public press for a group."""

    piece: Piece


class PressDigest(PressNotice):
    """Press that has waited for the hour of the reader's digest."""

    reader_feet = ("foot_player", "foot_out", "foot_out")

    pieces: Sequence[Piece]


class PressSent(PressNotice):
    """What became of each press in a message. `names` are the players at the table."""

    outcomes: Sequence[Outcome]
    rules: RulesFacts
    names: Sequence[str]
    _: KW_ONLY
    has_attachment: bool

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        failed = tuple(outcome for outcome in self.outcomes if outcome.code)
        return super().facts(table, reader) | {"failed": failed}


class PressHeld(PressNotice):
    """We did not send an answer to press and took nothing in it, since it may mean something else.
    `why`: mixed, to-whom. `to` is the heading with which it would be sent.
    """

    why: str
    text: QuotedText
    to: str


class PressDoubtful(PressNotice):
    """We did not send a press and took nothing in it: `found` in it reads as orders, or is the
    name (`signed`) below grey press. `as_press` and `as_orders` are what to send instead;
    `heading` is what makes an answer to press a press.
    """

    found: Sequence[str]
    as_press: str
    as_orders: str
    _: KW_ONLY
    heading: str = ""
    signed: bool = False

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        facts = super().facts(table, reader) | {"opening": self.as_press.partition("\n")[0]}
        is_long = len(self.as_press) + len(self.as_orders) > LONGEST_COPY
        return facts | ({"as_press": "", "as_orders": ""} if is_long else {})


class PressExplained(PressNotice):
    """How to write press, what the table allows, and the newest press. `name` is the player in
    the example.
    """

    rules: RulesFacts
    name: str
    pieces: Sequence[Piece]


class PressListed(PressNotice):
    """The press that the reader may see, muted or not, without the `older` pieces."""

    pieces: Sequence[Piece]
    _: KW_ONLY
    older: int


class PressMuted(PressNotice):
    """Whose press the reader has muted: names, `all`, `grey`. `unknown` is a word that means
    nobody.
    """

    muted: Sequence[str]
    unknown: str
    names: Sequence[str]


class DigestSet(PressNotice):
    """When press comes from now on; `unread` are words that we could not read, so that nothing
    has changed.
    """

    digest: str
    unread: str = ""


class PressRulesChanged(PressNotice):
    """To everybody: the press that the table allows from now on."""

    reader_feet = ("foot_player", "foot_gm", "foot_gm")

    rules: RulesFacts
    by: str
