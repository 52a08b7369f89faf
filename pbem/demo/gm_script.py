"""The game master of a demonstration with Telegram: she proves her address, links her account,
binds the table's group, lets one more in by a button, and rules on what the game asks her.
"""

import hashlib
import re
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from pbem.demo.agenda import Planned, Writer
from pbem.demo.cast import small_talk
from pbem.demo.phones import Phone, link_code
from pbem.demo.received import Received
from pbem.demo.styles import Sender, new_message
from pbem.demo.switchboard import Switchboard
from pbem.demo.telegram import Shown

NAME = "Greta"
_STEP = timedelta(minutes=2)
_EVENINGS = (timedelta(days=1, hours=3), timedelta(days=6, hours=3))
"""When, after the start, she looks how things stand."""
_CODE_CHARACTERS = 22
_THINKS = timedelta(hours=3)
_ANSWERS = re.compile(r"^WHAT YOU CAN ANSWER$(?P<answers>.*)", re.MULTILINE | re.DOTALL)
_ANSWER = re.compile(r"^ {4}(?P<answer>\S.*)$", re.MULTILINE)
_GROUP_CODE = re.compile(r"startgroup=([\w-]+)")


class GmScript(Writer):
    """She asks by mail for her link, and does everything else by phone, one step after the
    other.
    """

    def __init__(
        self,
        board: Switchboard,
        address: str,
        service_address: str,
        slug: str,
        start: datetime,
        guest: Phone | None,
    ) -> None:
        """`guest` has not been invited and joins by the button in the group."""
        super().__init__(Sender(NAME, address, "Europe/Berlin"))
        self._board = board
        self._user = board.user(NAME)
        self._slug = slug
        self._guest = guest
        self._step: Literal["mail", "proven", "asked", "link", "bind", "group", "join", "done"] = (
            "mail"
        )
        self._write(service_address, "Heron", f"status {slug}", start + _STEP)
        for evening in _EVENINGS:
            self.agenda.add(start + evening, lambda _: self._user.says("/gm"))

    @property
    def is_ready(self) -> bool:
        """Whether the group is there and everybody has a seat."""
        return self._step == "done"

    # ---------------------------------------------------------------------------------- her mailbox
    async def read(self, raw: bytes, now: datetime) -> None:
        """Asked whether it was she, she says so; in answer to what comes then she asks for her
        link, and follows it.
        """
        letter = Received(raw)
        code = link_code(letter.text)
        if self._step == "mail" and letter.sort == "confirmation":
            self._step = "proven"
            self._write(letter.reply_to, f"Re: {letter.subject}", "yes", now + _STEP, letter)
        elif self._step == "proven":
            self._step = "asked"
            self._write(letter.reply_to, f"Re: {letter.subject}", "telegram", now + _STEP, letter)
        elif self._step == "asked" and code is not None:
            self._step = "link"
            self.agenda.add(now + _STEP, lambda _: self._user.starts(code))
        elif self.is_ready and (answer := _answer_to(letter)):
            self._write(letter.reply_to, f"Re: {letter.subject}", answer, now + _THINKS, letter)

    def _write(
        self, to: str, subject: str, text: str, at: datetime, answering: Received | None = None
    ) -> None:
        message = new_message(self.sender, to, subject, at, self.next_id())
        if answering is not None:
            message["In-Reply-To"] = answering.message_id
        message.set_content(text)
        self.planned.append(Planned(at, to, message.as_bytes()))

    # ------------------------------------------------------------------------------------ her phone
    @property
    def has_news(self) -> bool:
        return self._board.log.has_new(self._user.chat_id) or self._board.log.has_new(
            self._board.group.chat_id
        )

    async def look(self, now: datetime) -> None:
        """What the bot says leads from one step to the next."""
        for shown in self._board.log.take_new(self._user.chat_id):
            code = _GROUP_CODE.search("".join(shown.text.split()))
            if self._step == "link":
                self._step = "bind"
                self.agenda.add(now + _STEP, lambda _: self._user.says(f"/bind {self._slug}"))
            elif self._step == "bind" and code is not None:
                self._step = "group"
                self.agenda.add(now + _STEP, partial(self._add_bot, code[1][:_CODE_CHARACTERS]))
        for shown in self._board.log.take_new(self._board.group.chat_id):
            self._look_at_group(shown, now)

    def _look_at_group(self, shown: Shown, now: datetime) -> None:
        link = next((button.url for row in shown.buttons for button in row if button.url), None)
        if self._step == "group":
            self._board.is_bound = True
            self._step = "join" if self._guest is not None else "done"
            self.agenda.add(now + _STEP, lambda _: self._welcome())
        elif self._step == "join" and self._guest is not None and link is not None:
            self._step = "done"
            self._guest.join(link, now + _STEP)

    async def _add_bot(self, payload: str, now: datetime) -> None:
        await self._board.group.adds_bot(self._user, payload)

    async def _welcome(self) -> None:
        await self._board.group.says(self._user, small_talk().group[NAME])
        if self._guest is not None:
            await self._board.group.says(self._user, f"/join@{self._board.standin.username}")


def _answer_to(letter: Received) -> str:
    """One of the answers that a letter offers; "" if it asks nothing, or where she says nothing, so
    that the rules decide.
    """
    found = _ANSWERS.search(letter.text)
    offered = [] if found is None else [one["answer"] for one in _ANSWER.finditer(found["answers"])]
    pick = hashlib.sha256(letter.subject.encode()).digest()[0] % (len(offered) + 1)
    return offered[pick] if pick < len(offered) else ""
