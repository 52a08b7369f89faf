"""A message as the desk sees it, whichever channel brought it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pbem.grammar.veterans import tidy
from pbem.mail.inbound.message import InboundMail
from pbem.mail.tokens import TokenClaim

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
