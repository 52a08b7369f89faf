"""A message as the desk sees it, whichever channel brought it; its lane of intake; and what becomes
of it.

Proven players and game masters go first, then what has to be confirmed and the answers to our
questions, then strangers; each lane in the order of arrival. The lane is judged when a message is
stored, from the head of a mail or the sender of an update alone. It says how soon a message is
looked at and nothing else: what it proves the desk finds out when it handles it.

What one hand wrote is handled in the order it came in, whatever the lanes: a message takes along
into its lane what its sender wrote before (`Inbox.add_once`). A sender is an address that proved to
be theirs, a chat's user, or, with a question mark, an address that anybody may have put there.
Those have no order among them: without a yes from the true owner of the address none of what they
say counts.

A close waits for every message of the first two lanes that came before its deadline, however long.
Strangers' messages it awaits for `STRANGERS_HOLD` at most, so that a flood of them holds up no
table for ever. They cannot be orders: the writer had, when the message came, no chat and no address
at any table, and no code of ours. At the most the house asks somebody a question about them, and
the yes to it is a message of its own. A sender who becomes known meanwhile leaves the lane
(`leave_strangers`), and is awaited again.

Mails that still lie on the server are fetched by the same lanes, judged by their heads, and hold up
a close by the same rule (`intake.mail_lanes`).
"""

from collections import Counter, deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, Self

from pbem.grammar.veterans import tidy
from pbem.mail.inbound.message import InboundMail
from pbem.mail.tokens import TokenClaim
from pbem.store.database import Database
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow

Channel = Literal["mail", "telegram"]
MAIL: Channel = "mail"
TELEGRAM: Channel = "telegram"


ENDS = {"reminder": "stop reminders", "press-digest": "stop press", "observing": "stop observing"}
"""By which words letters of a kind end; the others a game cannot do without, or are written to one
person.
"""


MOST_CHARACTERS = 20_000
"""So much new text of one message is read; of a longer one nothing is, and its writer is told."""
TOO_LONG = "too-long"


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody said to us. `automatic` and `refused` are reasons (kebab-case codes) or None.

    `sender` is their address on the channel: of a mail what its From says, which `trust` (a DMARC
    verdict) vouches for or not; of a chat the numeric user id, which the channel itself vouches
    for. `tokens` are claims in the order of trust of the places they stood in. `text` is the new
    text alone. `dated` is what the sender's clock said, never what counts. `in_reply_to` and
    `references` name messages by their ids on the channel. `addressed`: it was written to us, and
    not passed on. `chat_message_id` is what a message of a chat is answered under.
    """

    channel: Channel
    message_id: str | None
    digest: str
    sender: str | None
    sender_name: str
    subject: str
    tokens: tuple[TokenClaim, ...]
    trust: Literal["pass", "fail", "unknown"]
    automatic: str | None
    refused: str | None
    text: str = field(repr=False)
    dated: datetime | None
    in_reply_to: str | None
    references: tuple[str, ...]
    recipients_seen: tuple[str, ...] = ()
    addressed: bool = True
    chat_message_id: int | None = None
    has_attachment: bool = False
    written_at: datetime | None = None
    """When a message was first sent that this is the edit of."""
    unknown_command: str = ""
    """A command of a chat that is not one of ours; `text` is then the message without its slash."""
    elsewhere: str = ""
    """What it says below the name of another table of its writer: it is about one table alone."""
    quotes: bool = False
    """There was more in a mail than its new text."""
    is_command: bool = False
    """It begins with a slash, as commands of a chat do, whether it is one of ours or not."""

    @property
    def is_edit(self) -> bool:
        """Whether it changes what was sent before."""
        return self.written_at is not None

    @property
    def is_vouched(self) -> bool:
        """Whether the channel itself says who wrote. A mail's sender is proven by what is in it."""
        return self.channel == TELEGRAM and self.trust == "pass"

    @property
    def is_quoted(self) -> bool:
        """Whether an answer quotes what it answers, as a mail does; in a chat it stands below."""
        return self.channel == MAIL

    @property
    def points_at(self) -> str | None:
        """The message that it replies to, where that alone says what it is about: a mail carries a
        code of ours.
        """
        return self.in_reply_to if self.channel == TELEGRAM else None

    def may_answer(self, message_id: str) -> bool:
        """Whether a mail of that id may be what it answers: a mail says so itself, in a chat what
        stood last is meant.
        """
        named = self.in_reply_to or (self.references[-1] if self.references else None)
        return self.channel != MAIL or named == message_id


def channel_of(address: str) -> Channel:
    """The channel of an address: a mail address, or the id of a chat."""
    return MAIL if "@" in address else TELEGRAM


def readable(text: str) -> tuple[str, str | None]:
    """The new text as it is read; and why it is not, if it is not."""
    words = tidy(text)
    return (words, None) if len(words) <= MOST_CHARACTERS else ("", TOO_LONG)


def message_of_mail(mail: InboundMail) -> Message:
    """A mail as a message."""
    text, refused = readable(mail.text)
    return Message(
        channel=MAIL,
        message_id=mail.message_id,
        digest=mail.digest,
        sender=mail.sender,
        sender_name=mail.sender_name,
        subject=mail.subject,
        tokens=mail.tokens,
        trust=mail.dmarc,
        automatic=mail.automatic,
        refused=mail.refused or refused,
        text=text
        or (
            mail.subject if mail.subject in ENDS.values() and not refused else ""
        ),  # some programs unsubscribe by the subject alone
        dated=mail.dated,
        in_reply_to=mail.in_reply_to,
        references=mail.references,
        recipients_seen=mail.recipients_seen,
        addressed=mail.addressed,
        has_attachment=mail.has_attachment,
        quotes=mail.quotes,
    )


PLAYERS, CONFIRMATIONS, STRANGERS = range(3)
STRANGERS_HOLD = timedelta(minutes=1)


async def leave_strangers(database: Database) -> None:
    """A sender who is known by now is no longer a stranger: we handle their messages with the
    players' (`Inbox.has_known`: whether there is something).
    """
    async with database.write() as work:
        await work.inbox.promote_known(STRANGERS, PLAYERS)


class Budget:
    """How many strangers' messages are handled in a minute: of one sender, and in sum. In this
    process alone.
    """

    def __init__(
        self, each: int = 20, in_sum: int = 60, span: timedelta = timedelta(minutes=1)
    ) -> None:
        self._each, self._in_sum, self._span = each, in_sum, span
        self._spent: deque[tuple[datetime, str]] = deque()

    def exhausted(self, now: datetime) -> frozenset[str] | None:
        """The senders who have to wait; None: all of them."""
        while self._spent and self._spent[0][0] <= now - self._span:
            self._spent.popleft()
        if len(self._spent) >= self._in_sum:
            return None
        return frozenset(
            sender
            for sender, count in Counter(sender for _, sender in self._spent).items()
            if count >= self._each
        )

    def spend(self, now: datetime, sender: str) -> None:
        """A message of this sender is about to be handled."""
        self._spent.append((now, sender))


@dataclass(frozen=True, slots=True)
class Handled:
    """The message is dealt with. `outcome` is a code for the log; `close` names a phase that may
    close now; `receive_again` are messages that were set free. `pop` answers the tap that the
    message was, in few words (`alert`: to be read and put away).
    """

    outcome: str
    ignored: bool = False
    game_id: int | None = None
    seat_id: int | None = None
    close: tuple[int, int] | None = None
    receive_again: tuple[int, ...] = ()
    pop: str = ""
    alert: bool = False
    again: str | None = None
    """We must handle the message once more, with these facts."""

    @classmethod
    def of(cls, about: "PendingRow | Handled", outcome: str, *, ignored: bool = False) -> Self:
        """An answer to that question of ours; or the same message, with another code."""
        game_id, seat_id = about.game_id, about.seat_id
        return cls(outcome, ignored=ignored, game_id=game_id, seat_id=seat_id)

    @classmethod
    def at(cls, seat: SeatRow, outcome: str, *, ignored: bool = False) -> Self:
        """A message of the player who sits there."""
        return cls(outcome, ignored=ignored, game_id=seat.game_id, seat_id=seat.id)


@dataclass(frozen=True, slots=True)
class WishToForget:
    """The owner of this address wants to be forgotten, and has confirmed it. It is done in units of
    work of its own, after which the message itself is forgotten too.
    """

    address: str


@dataclass(frozen=True, slots=True)
class WishForData:
    """The owner of this address wants a copy of what is kept of them, and has said yes to our
    question. It is made outside any lock; then the message is settled.
    """

    pending_id: int
    address: str


@dataclass(frozen=True, slots=True)
class NotYet:
    """The message came after the deadline of a phase that is not closed yet; it is looked at again
    afterwards.
    """

    game_id: int


@dataclass(frozen=True, slots=True)
class Commanding:
    """The message gives a game master's commands. They are carried out in units of work of their
    own, each once by its cause (`cause` and the line), before the message is settled. `game_id` is
    the table meant where a line names none; `confirmed` says that the writer has confirmed
    dangerous ones.
    """

    person: PersonRow
    game_id: int | None
    text: str
    cause: str
    confirmed: bool = False
    pending_id: int | None = None
    tap: str = ""
    """The code of the button that they were on, if it counts once."""
    phase: int | None = None
    """The phase that the button was made in: in another one it means nothing."""


Disposal = Handled | NotYet | Commanding | WishToForget | WishForData
"""What becomes of a message, and what is still to do about it."""


class Outdated(Exception):
    """We judged the writer by facts that are no longer true when we write the answer."""
