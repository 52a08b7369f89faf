"""Notices about mail: who wrote, what we could not take, what has moved. Alike for every game."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from datetime import datetime

from pbem.pages.notice import Facts, Notice, QuotedText, QuotedTexts, quoted_lines
from pbem.pages.page import Reader, Table


class Quoted(Facts):
    """A message in a person's name, and the table it is about ("": not known). `why` is a code for
    why no yes can confirm it ("": one can); `sender` is the address where that is why.
    """

    text: QuotedText
    at: datetime
    title: str = ""
    why: str = ""
    sender: str = ""


class Missed(Facts):
    """Orders that came before their phase closed, and that we read later. `all_done`: it closed
    early because everybody was done. `is_told`: we have told the game master.
    """

    came: datetime
    closed: datetime
    all_done: bool
    is_told: bool = False


class MailNotice(Notice):
    """A notice about mail itself, or about what came in it."""

    template = "mail/notices.j2"


class ConfirmSender(MailNotice):
    """Asks the registered address whether these messages are the person's. They wait `until` then.
    `tables` are the short names and titles of which the answer must name one. `unclear`: an
    answer was neither yes nor no.
    """

    messages: Sequence[Quoted]
    until: datetime
    tables: Sequence[tuple[str, str]] = ()
    _: KW_ONLY
    unclear: bool = False

    def choose_foot(self, table: Table, reader: Reader, code: str) -> str:
        return "foot_confirm" if code else "foot_out"

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        asked = [one.facts(table, reader) for one in self.messages if not one.why]
        others = [one.facts(table, reader) for one in self.messages if one.why]
        return super().facts(table, reader) | {"asked": asked, "others": others}


class AskedEnough(MailNotice):
    """More unproven messages came in the reader's name than we ask about in a day."""

    def choose_foot(self, table: Table, reader: Reader, code: str) -> str:
        return "foot_player" if table.slug else "foot_out"


class ConfirmAddress(MailNotice, foot="foot_address"):
    """Asks an address that a player calls theirs whether it is."""

    who: str
    address: str


class ConfirmAlias(MailNotice, foot="foot_code"):
    """Asks an address that we know about another one, from which a mail with its code came."""

    address: str
    text: QuotedText


class GmAlias(MailNotice, foot="foot_gm"):
    """To the game masters: nobody has said whether the `address` that used a player's code is
    theirs, too.
    """

    who: str
    known: str
    address: str


class AddressAdded(MailNotice, foot="foot_out"):
    """To the old address (or chat) and to the new one; `from_chat`: the person had only a chat."""

    address: str
    _: KW_ONLY
    from_chat: bool = False


class AddressesListed(MailNotice):
    """What became of requests about addresses (a code and an address each), and the person's `own`,
    each with whether it is suspended.
    """

    results: Sequence[tuple[str, str]]
    own: Sequence[tuple[str, bool]]
    _: KW_ONLY
    has_chat: bool = False


class WrongPhase(MailNotice):
    """Orders were for a phase that is over; `open_phase` is the name of the open one."""

    open_phase: str
    deadline: datetime | None


class CameBefore(MailNotice):
    """To the player whose orders we read too late; `open_phase` "": no phase is open."""

    missed: Missed
    open_phase: str
    deadline: datetime | None


class GmCameBefore(MailNotice, foot="foot_gm"):
    """To the game masters: we read orders of `who` too late."""

    who: str
    missed: Missed


class PlayerEliminated(MailNotice):
    """To an eliminated player who sends orders."""


class GameOver(MailNotice):
    """To a player who writes to a game that is over."""


class NotYourGame(MailNotice):
    """The message names a game in which the reader has no seat."""

    named: str = ""


class WhichGameAsked(MailNotice, foot="foot_code"):
    """Asks which table the messages (`quoted`) are about; `names` are the short names. They wait
    `until` then.
    """

    titles: Sequence[str]
    names: Sequence[str]
    until: datetime
    quoted: QuotedTexts = ()


class LetGo(MailNotice, foot="foot_out"):
    """Nobody answered our question in time, so we dropped `count` messages (`quotes`). `what` we
    asked: `which-game`, or whether they are the reader's (`orders`).
    """

    what: str
    quotes: Sequence[str]
    count: int

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        return super().facts(table, reader) | {"lines": quoted_lines("\n".join(self.quotes))}


class QuestionOver(MailNotice, foot="foot_out"):
    """An answer to a question that is over: `why` is `yes` or `no` (the answer before),
    `replaced` or `expired`.
    """

    what: str
    why: str
    until: datetime


class QuestionUnclear(MailNotice, foot="foot_code"):
    """An answer to a question says neither yes nor no."""

    what: str
    text: QuotedText


class QuestionElsewhere(MailNotice, foot="foot_code"):
    """An answer to a question came from another address than we asked."""

    sender: str
    text: QuotedText


class NothingFound(MailNotice):
    """The mail has only quotes and a signature."""


class SubjectNotRead(MailNotice):
    """The mail has an order in its subject and none in its text."""

    subject: str


class ThroughAList(MailNotice):
    """A mailing list has sent us a mail with the reader's code."""

    sender: str
    text: QuotedText


class NothingOffered(MailNotice):
    """A `yes` came, and no receipt has offered anything."""


class AnswerKept(MailNotice):
    """A short answer to a letter that `asks` ("vote") or offers ("offer") says no (`is_no`) or
    nothing clear, so we pass it on to nobody.
    """

    text: QuotedText
    asks: str
    _: KW_ONLY
    is_no: bool


class ForOthers(MailNotice):
    """Words for other players went to nobody; `press` is how to write them as press."""

    text: QuotedText
    press: str


class NotRead(MailNotice):
    """Lines that we could not read, in a message whose other words we answered."""

    lines: Sequence[str]


class AnotherTable(MailNotice):
    """The message has words for another table than the one it is about."""

    text: QuotedText


class TooShort(MailNotice):
    """The message is too short to tell what it answers; `open_phase` "": no phase is open."""

    text: QuotedText
    open_phase: str
    deadline: datetime | None


class WordsCut(MailNotice):
    """We answered `most` words of a message, and not these."""

    reader_feet = ("foot_player", "foot_out", "foot_out")
    words: Sequence[str]
    most: int = 5


class OrdersStand(MailNotice):
    """A message that its writer changed has no orders any more; those it brought (`texts`) stand.
    We passed on `quoted` to nobody.
    """

    texts: Sequence[str]
    quoted: QuotedText


class WasItAnOrder(MailNotice):
    """We could not read a message and do not pass it on, since a game master plays, or since nobody
    can read it (`is_garbled`). `is_master`: its writer runs the table. `example` is an order to
    copy, where the words were near one.
    """

    text: QuotedText
    _: KW_ONLY
    is_master: bool = False
    is_garbled: bool = False
    example: str = ""


class OrdersInNote(MailNotice):
    """A note has `lines` that read as orders, so we neither passed it on nor took them."""

    note: QuotedText
    lines: Sequence[str]


class NotePassed(MailNotice):
    """We passed a note on; `example` is an order to copy, where the words were near one."""

    text: QuotedText = ""
    example: str = ""


class NoteRepeated(MailNotice):
    """The player has written the same note before today."""

    text: QuotedText


class ColoursAreDealt(MailNotice):
    """The player wishes for a colour, and the game has begun."""


class MailUnreadable(MailNotice):
    """We could not read a mail; `reason` is a code."""

    reason: str


class CloseHeld(MailNotice):
    """We cannot read the mailbox at the deadline, so the phase stays open."""

    since: datetime | None
    hold_minutes: int


class DeadlineChanged(MailNotice):
    """To everybody: the deadline has moved."""

    old: datetime | None
    new: datetime | None
    by: str


class OrdersUnlocked(MailNotice):
    """To everybody: the game master has unlocked the final orders of `who` (PR-1.10)."""

    who: str


class StrikeGiven(MailNotice):
    """To everybody: `who` has shown secret orders (PR-1.11)."""

    who: str
    count: int
    why: str = ""


# ---------------------------------------------------------------------------------- to game masters
class GmNote(MailNotice, foot="foot_gm"):
    """To the game masters: a player's note. `number` is what an answer names."""

    who: str
    text: QuotedText
    number: int | None = None


class GmBounce(MailNotice, foot="foot_gm"):
    """To the game masters: mail to `who` bounces; `answer` is what the other server said. We try
    once a day `until` then; None: never again.
    """

    who: str
    address: str
    answer: QuotedText
    until: datetime | None = None


class MailComesBack(MailNotice, foot="foot_out"):
    """The same to the person whose address it is, in a chat or at another address."""

    address: str
    answer: QuotedText
    until: datetime | None = None


class SetAside(MailNotice, foot="foot_out"):
    """To a person whose message from this `channel` we could not handle."""

    received_at: datetime
    channel: str


class GmKnocked(MailNotice, foot="foot_gm"):
    """To the game masters: strangers wrote to us, with how many mails each; `others` more are not
    named.
    """

    knocks: Sequence[tuple[str, int]]
    others: int


class GmShunted(MailNotice, foot="foot_gm"):
    """To the game masters: we could not handle a message, and keep it."""

    who: str
    number: int
    error: str


class CloseFailed(MailNotice, foot="foot_gm"):
    """To the game masters: a phase could not close; we try again at `again_at`."""

    error: str
    attempts: int
    again_at: datetime
