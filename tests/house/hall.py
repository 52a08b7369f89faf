"""A table whose people write by mail and by Telegram, and everything that any of them ever got on
either channel.
"""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any, Literal

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.demo.telegram import TelegramStandIn, User
from pbem.demo.telegram.chats import Shown
from pbem.demo.telegram.people import Group
from pbem.desk import gm
from pbem.desk.table import OpenTable, load_table
from pbem.house import open_service
from pbem.mail.ports import OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from pbem.store.repositories.phases import PhaseRow
from pbem.telegram.settings import Line
from tests.desk.harness import SEED, parse, text_of
from tests.house.test_by_telegram import ChatHouse
from tests.house.test_service import GM, HOST, ORDERS, config_of

MOST_MOVES = 10


def address_of(name: str) -> str:
    return GM if name == "GM" else f"{name.lower().replace('é', 'e')}@{HOST}"


@dataclass(frozen=True, slots=True)
class Got:
    """Something that somebody got: a mail, or a message in a chat as it stood at some moment."""

    channel: Literal["mail", "telegram"]
    subject: str
    text: str
    everything: bytes
    """In small letters: head, text, HTML, attachments, words in pictures."""
    token: str = ""
    """The code of the seat and phase that an answer would come under; of mails alone."""
    calendar: str = ""


@dataclass
class Hall(ChatHouse):
    """A service with its people, known by name; `GM` is the game master's."""

    users: dict[str, User] = field(default_factory=dict)
    written: int = 0
    parsed: dict[str, list[EmailMessage]] = field(default_factory=dict)
    addresses: Sequence[str] = ()

    def user(self, name: str) -> User:
        if name not in self.users:
            self.users[name] = self.telegram.user(name)
        return self.users[name]

    # -------------------------------------------------------------------------------------- writing
    async def letters(self, name: str) -> list[EmailMessage]:
        """The mails that somebody has got, each parsed once."""
        known = self.parsed.setdefault(name, [])
        known += [parse(raw) for raw in (await self.mail.mails(address_of(name)))[len(known) :]]
        return known

    async def newest(self, name: str, word: str = "") -> EmailMessage:
        """The newest mail to somebody whose subject has this word."""
        found = [
            mail
            for mail in await self.letters(name)
            if word.casefold() in str(mail["Subject"]).casefold()
        ]
        assert found, (name, word, [str(mail["Subject"]) for mail in await self.letters(name)])
        return found[-1]

    async def asked(self, name: str) -> EmailMessage:
        """The newest mail that asks for orders."""
        return [mail for mail in await self.letters(name) if calendar_in(mail)][-1]

    async def open_letter(self, name: str) -> EmailMessage:
        """The newest mail to somebody whose answer comes under a code of theirs."""
        return [mail for mail in await self.letters(name) if "+" in str(mail["Reply-To"])][-1]

    async def mails(
        self, name: str, text: str, *, answering: EmailMessage | None = None, new: bool = False
    ) -> None:
        """Somebody answers that mail (or what was asked last; or writes to the house anew), and
        everything that follows is done.
        """
        self.written += 1
        address = address_of(name)
        base = None if new else answering or await self.asked(name)
        recipient = str(base["Reply-To"]) if base is not None else ORDERS
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = (
            f"{name} <{address}>",
            recipient,
            f"<{self.written}@{name.encode().hex()}.example>",
        )
        mail["Subject"] = f"Re: {base['Subject']}" if base is not None else "hello"
        if base is not None:
            mail["In-Reply-To"] = str(base["Message-ID"])
        mail.set_content(text)
        async with SmtpOutbound(self.mail.smtp_settings(address)) as outbound:
            sent = await outbound.send(OutboundMail(address, recipient, mail.as_bytes(policy=SMTP)))
        assert isinstance(sent, Sent), sent
        await self.settle()

    async def says(self, name: str, text: str, *, reply_to: Shown | None = None) -> Shown:
        """Somebody writes to the bot in private."""
        self.written += 1
        said = await self.user(name).says(text, reply_to=reply_to)
        await self.settle()
        return said

    async def taps(self, name: str, message: Shown, label: str) -> str:
        """Somebody taps a button; what pops up."""
        tap = await self.user(name).taps(message, label)
        await self.settle()
        return tap.answer or ""

    async def links(self, name: str) -> None:
        """Somebody asks for the link by mail and follows it."""
        await self.mails(name, "telegram", answering=await self.open_letter(name))
        text = "".join(text_of(await self.newest(name, "Telegram")).split())
        found = re.search(r"\bt\.me/\w+\?start=[\w-]{22}", text)
        assert found is not None, text
        await self.user(name).opens(f"https://{found[0]}")
        await self.settle()

    # ---------------------------------------------------------------------------------------- time
    async def current(self) -> PhaseRow | None:
        async with self.service.services.database.read() as work:
            return await work.phases.current(1)

    async def phase(self) -> PhaseRow:
        phase = await self.current()
        assert phase is not None
        return phase

    async def is_running(self) -> bool:
        async with self.service.services.database.read() as work:
            game = await work.games.find(1)
        return game is not None and game.status == "running"

    async def closes(self) -> None:
        """The clock goes to the deadline of the open phase, past everything that comes by itself
        before, and the phase is closed.
        """
        number = (await self.phase()).number
        for _ in range(MOST_MOVES):
            phase = await self.current()
            if phase is None or phase.number != number:
                return
            self.clock.advance_to(max(self.clock.now(), phase.deadline + timedelta(seconds=2)))
            await self.settle()
        raise AssertionError(f"phase {number} does not close")

    async def comes_to(self, span: timedelta) -> None:
        """So much time goes by."""
        self.clock.advance_to(self.clock.now() + span)
        await self.settle()

    # -------------------------------------------------------------------------------------- reading
    async def got(self, name: str) -> list[Got]:
        """Everything that somebody has, the mails first."""
        mails = []
        if address_of(name) in self.addresses:
            raws = await self.mail.mails(address_of(name))
            mails = [
                _of_mail(mail, raw)
                for mail, raw in zip(await self.letters(name), raws, strict=True)
            ]
        return mails + (self.stands_in(self.users[name].chat_id) if name in self.users else [])

    def stands_in(self, chat_id: int) -> list[Got]:
        """What the bot wrote into a chat, as it stands there now."""
        return [
            _of_chat(shown)
            for shown in self.telegram.network.chats[chat_id].messages
            if shown.is_by_bot
        ]

    def ever_sent_to(self, chat_id: int) -> list[bytes]:
        """All that was ever sent for a chat, in small letters: also what was changed since, what
        popped up there, and what was refused.
        """
        found = []
        for call in self.telegram.calls:
            about, tapped = call.fields.get("chat_id"), call.fields.get("callback_query_id", "")
            if about == str(chat_id) or (tapped and tapped.startswith(str(chat_id))):
                words = "\n".join(
                    value
                    for key, value in call.fields.items()
                    if key not in ("chat_id", "callback_query_id")
                )
                found.append(words.lower().encode() + b"\n".join(call.files.values()).lower())
        return found


def calendar_in(mail: EmailMessage) -> str:
    """The calendar entry of a deadline; "" for a mail without, or that cancels one."""
    for part in mail.walk():
        if part.get_content_type() == "text/calendar" and part.get_param("method") == "PUBLISH":
            return str(part.get_content()).replace("\r\n ", "").replace("\n ", "")
    return ""


def _of_mail(mail: EmailMessage, raw: bytes) -> Got:
    services = [part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart()]
    head = "\n".join(f"{key}: {value}" for key, value in mail.items()).encode("utf-8", "replace")
    everything = b"\n".join(
        [raw, head, *(part for part in services if isinstance(part, bytes))]
    ).lower()
    token = re.search(r"\+([a-z]\d+-\d+-[a-z2-7]{26})@", str(mail["Reply-To"] or ""))
    return Got(
        "mail",
        str(mail["Subject"]),
        text_of(mail),
        everything,
        token[1] if token else "",
        calendar_in(mail),
    )


def _of_chat(shown: Shown) -> Got:
    buttons = "\n".join(
        f"{button.text} {button.data} {button.url}" for line in shown.buttons for button in line
    )
    everything = f"{shown.text}\n{buttons}".lower().encode() + (shown.picture or b"").lower()
    return Got("telegram", shown.text.partition("\n")[0], shown.text, everything)


@asynccontextmanager
async def open_hall(folder: Path, names: Sequence[str]) -> AsyncIterator[Hall]:
    """A service with a bot; everybody named has a mailbox at its provider."""
    clock = FastClock()
    async with (
        EmbeddedMail(clock, host=HOST) as mail,
        TelegramStandIn(clock, keeps_limits=True) as telegram,
    ):
        addresses = (ORDERS, GM, *map(address_of, names))
        for address in addresses:
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        line = Line(replace(telegram.settings, back_off_seconds=0.01, max_back_off_seconds=0.02))
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        async with open_service(
            config_of(folder), clock, imap=imap, smtp=smtp, telegram=line
        ) as service:
            hall = Hall(service, mail, clock, telegram, addresses=addresses)
            assert service.telegram_service is not None
            await service.telegram_service.look()
            yield hall


async def binds_group(hall: Hall, group: Group) -> None:
    """The game master links their account, adds the bot and binds the group to the table."""
    await hall.mails("GM", "link telegram", answering=(await hall.letters("GM"))[-1])
    text = "".join(text_of(await hall.newest("GM")).split())
    found = re.search(r"\?start=([\w-]{22})", text)
    assert found is not None, text
    await hall.user("GM").starts(found[1])
    await hall.settle()
    await hall.says("GM", "/bind heron")
    code = re.search(r"/bind ([\w-]{22})", hall.user("GM").by_bot[-1].text)
    assert code is not None, hall.user("GM").by_bot[-1].text
    await group.adds_bot(hall.user("GM"))
    await hall.settle()
    await group.says(hall.user("GM"), f"/bind {code[1]}")
    await hall.settle()


async def open_table(hall: Hall, ruleset: str, names: Sequence[str], **options: Any) -> None:
    """The table `heron` begins, with all of them by mail."""
    services, by = hall.service.services, gm.By("test")
    new = gm.NewTable("heron", "Heron", ruleset, options, "Europe/Berlin", "Greta", seed=SEED)
    await gm.open_table(services, new, by)
    for name in names:
        await gm.invite(services, "heron", name, address_of(name), by)
    await gm.start(services, "heron", by)
    await hall.settle()


async def table_of(hall: Hall) -> OpenTable:
    async with hall.service.services.read() as tx:
        game = await tx.work.games.find(1)
        assert game is not None
        return await load_table(tx, game)


__all__ = ["Got", "Hall", "address_of", "binds_group", "calendar_in", "open_hall"]
