"""Telegram within a demonstration: the stand-in, everybody's phones, the table's group, and a
record of all that they showed.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.demo.telegram import Shown, TelegramStandIn, User
from pbem.telegram.settings import Line

MessageKey = tuple[int, int]
"""A chat and a message in it."""


@dataclass(frozen=True, slots=True)
class Tapped:
    """A button that somebody tapped, on the message as it looked after this many changes."""

    at: datetime
    by: str
    label: str
    version: int


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that happened to a chat, other than a message."""

    at: datetime
    words: str


class ChatLog:
    """Every message of every chat as it was at each moment, every tap, and what else happened."""

    def __init__(self) -> None:
        self.versions: dict[MessageKey, list[Shown]] = {}
        self.taps: defaultdict[MessageKey, list[Tapped]] = defaultdict(list)
        self.notes: defaultdict[int, list[Noted]] = defaultdict(list)
        self.by_bot: Counter[int] = Counter()
        self._new: defaultdict[int, list[Shown]] = defaultdict(list)

    def __call__(self, shown: Shown) -> None:
        """A message is shown, new or changed."""
        self.versions.setdefault((shown.chat_id, shown.message_id), []).append(shown)
        if shown.is_by_bot:
            self.by_bot[shown.chat_id] += 1
            self._new[shown.chat_id].append(shown)

    def has_new(self, chat_id: int) -> bool:
        return bool(self._new[chat_id])

    def take_new(self, chat_id: int) -> list[Shown]:
        """What the bot has written or changed there since the last time."""
        return self._new.pop(chat_id, [])

    def tapped(self, message: Shown, by: str, label: str, at: datetime) -> None:
        key = (message.chat_id, message.message_id)
        self.taps[key].append(Tapped(at, by, label, len(self.versions[key]) - 1))

    def note(self, chat_id: int, at: datetime, words: str) -> None:
        self.notes[chat_id].append(Noted(at, words))

    def of_chat(self, chat_id: int) -> list[list[Shown]]:
        """The messages of a chat in order, each in all its versions."""
        return [
            versions for (chat, _), versions in sorted(self.versions.items()) if chat == chat_id
        ]


class Switchboard:
    """What connects phones and service; one a demonstration."""

    def __init__(self, standin: TelegramStandIn, group_title: str) -> None:
        self.standin = standin
        self.log = ChatLog()
        standin.network.on_show.append(self.log)
        self.group = standin.group(group_title)
        self.is_bound = False
        self.users: dict[str, User] = {}

    def now(self) -> datetime:
        return self.standin.network.clock.now()

    def user(self, name: str) -> User:
        """Somebody's phone."""
        if name not in self.users:
            self.users[name] = self.standin.user(name)
        return self.users[name]

    @property
    def line(self) -> Line:
        """How the service reaches this Telegram."""
        return Line(
            replace(self.standin.settings, back_off_seconds=0.01, max_back_off_seconds=0.05)
        )

    @property
    def updates_in(self) -> int:
        """What the service was told: messages, changes, taps, comings and goings."""
        return len(self.standin.network.updates.confirmed)

    @property
    def messages_out(self) -> int:
        """Messages and changes of messages that the bot made."""
        return self.log.by_bot.total()

    @property
    def has_waiting(self) -> bool:
        """Whether the service has not taken everything in."""
        return self.standin.waiting > 0

    async def taken_in(self) -> None:
        """Wait until it has."""
        await self.standin.polled()
