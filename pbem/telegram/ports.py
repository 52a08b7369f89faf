"""The seams of the Telegram room: what goes in, what comes out, and what the desk has to bring."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from pbem.telegram.refusals import Kind

WITHOUT_NUMBER = 0


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """An update byte for byte as Telegram handed it over; `received_at` is when it did, by our
    clock, in UTC.

    `update_id` names it among the updates of this bot. After a week of silence Telegram begins to
    count again, anywhere. It is `WITHOUT_NUMBER` where an update is so bent that it has none.
    """

    update_id: int
    raw: bytes
    received_at: datetime


Store = Callable[[StoredUpdate], Awaitable[None]]
"""Returns once the update is safe on disk; whatever it raises leaves the update unconfirmed. It
gets updates twice now and then.
"""


StoreAll = Callable[[Sequence[StoredUpdate]], Awaitable[None]]
"""Returns once all these updates are safe on disk; where it raises, each of them is stored by
itself.
"""


@dataclass(frozen=True, slots=True)
class Button:
    """One button below a message: a tap sends `data` back (at most 64 octets) or opens `url`. One
    of the two.
    """

    text: str
    data: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message to one chat, or, with `edits`, the new content of the message of that ID.

    `html` is Telegram's: at most 4096 UTF-16 code units of text, 1024 with a `picture` (PNG or
    JPEG) above it. An edit shows exactly the `buttons` given, so giving none removes them; an edit
    with neither words nor picture changes the buttons alone. `protect`: no forwarding.
    """

    chat_id: int
    html: str = ""
    picture: bytes | None = None
    buttons: tuple[tuple[Button, ...], ...] = ()
    reply_to: int | None = None
    edits: int | None = None
    silent: bool = False
    protect: bool = False
    thread_id: int | None = None


Lost = Literal["markup", "picture", "topic"]


@dataclass(frozen=True, slots=True)
class ChatSent:
    """Telegram has taken the message. `without` names what it would not take, and what the reader
    therefore does not see, or sees elsewhere; `refused` what the chat refuses.
    """

    message_id: int
    without: tuple[Lost, ...] = ()
    refused: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatDeferred:
    """Not now: too many messages (then not before `seconds` have passed), no reply, or trouble at
    Telegram's or with our token.

    `maybe_sent`: the request was under way when the connection failed, so that the reader may have
    the message. Telegram knows no idempotency key: a second try may show it twice.
    """

    seconds: float | None
    text: str
    maybe_sent: bool = False


@dataclass(frozen=True, slots=True)
class ChatRefused:
    """Nothing can be written to the chat (blocked, gone, closed to us), or this very message cannot
    be sent. `kind`: what the chat refuses.
    """

    code: int
    text: str
    about: Literal["chat", "message"]
    kind: Kind = ""


@dataclass(frozen=True, slots=True)
class ChatMoved:
    """The group has become a supergroup, and its messages go to this ID from now on."""

    new_chat_id: int


Answer = ChatSent | ChatDeferred | ChatRefused | ChatMoved

Scope = Literal["private", "group"] | int
"""Where a menu of commands is shown: in all private chats, in all groups, or in the chat of this
ID.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A line of the menu: a name of at most 32 letters a-z, digits and underscores, and at most 256
    characters about it.
    """

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Me:
    """The bot itself; `username` goes into deep links."""

    user_id: int
    username: str


class TelegramTrouble(Exception):
    """Telegram could not be asked, or would not answer. May be better later, at the earliest after
    `seconds` if Telegram said so.
    """

    def __init__(self, text: str, seconds: float | None = None) -> None:
        super().__init__(text)
        self.seconds = seconds


class PolledElsewhere(TelegramTrouble):
    """Somebody else takes the updates of this bot (409 Conflict): two of them would steal them from
    one another, so we stop.
    """


class Messenger(Protocol):
    """Writes to chats: the real sender, or the fake."""

    async def send(self, message: ChatMessage) -> Answer:
        """Never raises for anything Telegram or the network does."""
        ...

    async def answer_tap(self, callback_id: str, text: str = "", *, alert: bool = False) -> bool:
        """End the waiting after a tap, with at most 200 characters; False if it came too late or
        did not arrive. Never raises.
        """
        ...

    async def set_commands(self, scope: Scope, commands: Sequence[Command]) -> None:
        """Show these in the menu. Raises `TelegramTrouble`."""
        ...

    async def me(self) -> Me:
        """Who we are. Raises `TelegramTrouble`."""
        ...

    async def leave(self, chat_id: int) -> None:
        """Leave a group; nothing happens if we are not in it. Raises `TelegramTrouble`."""
        ...
