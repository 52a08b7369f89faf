"""The players of a demonstration who play by Telegram: linked from their first mail, or joined
behind a link; they write, tap and edit.

A player who has stopped the bot for a while continues by mail.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pbem.demo.cast import small_talk
from pbem.demo.correspondents import Correspondent
from pbem.demo.mind import Mind
from pbem.demo.quirks import Intent, correction
from pbem.demo.received import Received
from pbem.demo.switchboard import Switchboard
from pbem.demo.telegram import Shown
from pbem.play import Person

_LINK = re.compile(r"\bt[.]me/\w+\?start=(?!join_|my_)([\w-]{22})")
_TAP_EVERY = timedelta(seconds=6)
_TAPS = 0.4
"""How often somebody taps instead of writing."""
_MOST_TAPPED = 3
_TAKE = "Take 1"
"""The button that takes what a receipt suggests."""


def link_code(text: str) -> str | None:
    """What a letter's link to the bot carries; the letter may have broken it over lines."""
    found = _LINK.search("".join(text.split()))
    return found[1] if found is not None else None


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The phase that runs: its number, and when it ends."""

    number: int
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Habits:
    """What somebody does with a phone, by the number of the question (from 1) at which they do it;
    0 is never.
    """

    first_words: str = ""
    """Said once the chat is linked."""
    blocks_at: int = 0
    unblocks_at: int = 0
    errs_in_group_at: int = 0


_HABITS: Mapping[str, Habits] = {
    "Anna": Habits("turns by telegram\nbulletins by telegram"),
    "Bartek": Habits(errs_in_group_at=2, blocks_at=6, unblocks_at=9),
    "Mei": Habits("/timezone Asia/Taipei"),
}


def habits_of(person: Person) -> Habits:
    """What this person does with a phone besides playing."""
    return _HABITS.get(person.name, Habits())


class Phone(Correspondent):
    """One player with a chat as well."""

    def __init__(
        self,
        mind: Mind,
        board: Switchboard,
        ask: Callable[[], Awaitable[OpenPhase]],
        habits: Habits,
    ) -> None:
        """`ask` tells the phase that runs."""
        super().__init__(mind)
        self._board = board
        self._user = board.user(mind.person.name)
        self._ask = ask
        self._habits = habits
        self._state: Literal["by mail", "linking", "by chat", "blocked"] = "by mail"
        self._considered = 0
        self._wanted_in_chat: dict[int, tuple[Shown, tuple[str, ...]]] = {}
        self._looks_in_chat: set[int] = set()
        self._edits = 0

    # ---------------------------------------------------------------------------------------- mails
    async def read(self, raw: bytes, now: datetime) -> None:
        """A mail has come: its link is followed, it is answered while there is no chat, and
        otherwise not looked at twice.
        """
        letter = Received(raw)
        code = link_code(letter.text) if self._state == "by mail" else None
        if code is not None:
            self._state = "linking"
            self.agenda.add(now + timedelta(minutes=3), lambda _: self._start(code))
        elif letter.sort == "confirmation":
            await super().read(raw, now)
        elif self._state in ("by mail", "blocked") and letter.sort != "news":
            if letter.sort == "question":
                self._considered = (await self._ask()).number
            await super().read(raw, now)
            if self._state == "blocked" and self.mind.asked >= self._habits.unblocks_at:
                self.agenda.add(now + timedelta(minutes=20), self._unblock)

    # ------------------------------------------------------------------------------------- the chat
    @property
    def has_news(self) -> bool:
        return self._board.log.has_new(self._user.chat_id)

    def join(self, link: str, at: datetime) -> None:
        """Take a seat behind a link to the bot."""
        self._state = "linking"
        self.agenda.add(at, lambda _: self._open(link))

    async def look(self, now: datetime) -> None:
        for shown in self._board.log.take_new(self._user.chat_id):
            await self._heed(shown, now)
        if self._state == "linking":
            self._state = "by chat"
            if self._habits.first_words:
                self.agenda.add(
                    now + timedelta(minutes=1), lambda _: self._say(self._habits.first_words)
                )
        if self._state == "by chat":
            open_phase = await self._ask()
            if open_phase.number > self._considered and await self.mind.is_asked():
                self._considered = open_phase.number
                await self._consider(open_phase.deadline, now)

    async def _heed(self, shown: Shown, now: datetime) -> None:
        """A message from the bot may want something."""
        replied = shown.reply_to or 0
        if replied in self._wanted_in_chat and shown.edited_at is None:
            said, wanted = self._wanted_in_chat.pop(replied)
            self._edits += 1
            if self._edits % 2:
                lines = [*wanted, *said.text.split("\n")[1:]]
                self.agenda.add(
                    now + timedelta(minutes=4), lambda _: self._edit(said, "\n".join(lines))
                )
            else:
                self._plan_correction(
                    shown, correction(shown.text, wanted), now + timedelta(minutes=4)
                )
        if replied in self._looks_in_chat:
            self._looks_in_chat.discard(replied)
            for intent in await self.mind.consider_look(now):
                self._plan_in_chat(intent)
        if answer := self.mind.answer_press(shown.text):
            self.agenda.add(
                now + timedelta(minutes=15), lambda _: self._say(answer, reply_to=shown)
            )

    async def _consider(self, deadline: datetime | None, now: datetime) -> None:
        intents = [
            intent for intent in await self.mind.consider(deadline, now) if not intent.automatic
        ]
        for intent in intents:
            self._plan_in_chat(intent)
        ordinal, soon = self.mind.asked, now + timedelta(minutes=30)
        for at_question, words in self.mind.play.questions_by_phone(self.person.name):
            if at_question == ordinal:
                self._plan_words(soon, words)
        if ordinal == self._habits.errs_in_group_at:
            self.agenda.add(soon, self._err_in_group)
        if ordinal == self._habits.blocks_at:
            last = max((intent.at for intent in intents), default=now)
            self.agenda.add(last + timedelta(hours=1), self._block)

    def _plan_in_chat(self, intent: Intent) -> None:
        """Written, or tapped where a menu leads there."""
        taps = self.mind.luck("tap").random() <= _TAPS
        ways = [(order, self.mind.taps_to(order)) for order in intent.orders if taps]
        found = [(order, way) for order, way in ways if way][:_MOST_TAPPED]
        if not found:
            self.agenda.add(intent.at, lambda _: self._write(intent))
            return
        tapped = [order for order, _ in found]
        rest = [order for order in intent.orders if order not in tapped]
        steps = [label for _, way in found for label in way]
        self.agenda.add(intent.at, lambda _: self._tap(steps, tapped, rest))

    def _plan_correction(self, receipt: Shown, words: str, at: datetime) -> None:
        """A suggestion that is just what was meant is taken by its button."""
        if words.startswith("yes") and _TAKE in receipt.labels:
            self.agenda.add(at, lambda _: self._tap([_TAKE], (), ()))
        else:
            self._plan_words(at, words)

    def _plan_words(self, at: datetime, words: str) -> None:
        self.agenda.add(at, lambda _: self._say(words))

    async def _start(self, code: str) -> None:
        await self._user.starts(code)
        self._plan_greeting(timedelta(hours=2))

    async def _open(self, link: str) -> None:
        await self._user.opens(link)
        self._plan_greeting(timedelta(minutes=2))

    def _plan_greeting(self, later: timedelta) -> None:
        """A word in the group, of those who say one."""
        if words := small_talk().group.get(self.person.name):
            group, at = self._board.group, self._board.now() + later
            self.agenda.add(at, lambda _: group.says(self._user, words))

    async def _say(self, text: str, *, reply_to: Shown | None = None) -> None:
        if self._state != "blocked":
            await self._user.says(text, reply_to=reply_to)

    async def _write(self, intent: Intent) -> None:
        if self._state == "blocked":
            return
        said = await self._user.says(intent.text)
        if intent.wanted:
            self._wanted_in_chat[said.message_id] = (said, intent.wanted)
        if intent.looks:
            self._looks_in_chat.add(said.message_id)

    async def _edit(self, said: Shown, text: str) -> None:
        if self._state != "blocked":
            await self._user.edits(said, text)

    async def _tap(self, steps: Sequence[str], orders: Sequence[Any], rest: Sequence[Any]) -> None:
        """The next button, and the others after it; what cannot be found there is written
        instead.
        """
        if self._state == "blocked":
            return
        step, *further = steps
        found = self._find(step)
        if found is None:
            if words := self.mind.rest_of([*orders, *rest]):
                await self._say(words)
            return
        message, label = found
        if not label.startswith("• "):
            self._board.log.tapped(message, self.person.name, label, self._board.now())
            await self._user.taps(message, label)
        at = self._board.now() + _TAP_EVERY
        if further:
            self.agenda.add(at, lambda _: self._tap(further, orders, rest))
        elif words := self.mind.rest_of(rest):
            self._plan_words(at, words)

    def _find(self, words: str) -> tuple[Shown, str] | None:
        """The newest message with a button of these words, and the whole label; what stands there
        behind a colon may have changed.
        """
        for message in reversed(self._user.by_bot):
            plain = {label.removeprefix("✓ ").removeprefix("• "): label for label in message.labels}
            label = plain.get(words) or next(
                (plain[known] for known in plain if known.split(": ")[0] == words.split(": ")[0]),
                None,
            )
            if label is not None:
                return message, label
        return None

    async def _err_in_group(self, now: datetime) -> None:
        """Orders where everybody reads along."""
        if self.mind.seen is not None and self._board.is_bound:
            await self._board.group.says(self._user, self.mind.play.said_in_group)

    async def _block(self, now: datetime) -> None:
        self._state = "blocked"
        self._board.log.note(
            self._user.chat_id, now, f"{self.person.name} stopped the bot and continues by mail"
        )
        await self._user.blocks()

    async def _unblock(self, now: datetime) -> None:
        if self._state == "blocked":
            self._state = "by chat"
            self._board.log.note(
                self._user.chat_id, now, f"{self.person.name} lets the bot write again"
            )
            await self._user.unblocks()
            await self._user.says("/status")
