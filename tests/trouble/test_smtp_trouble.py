"""The next mail server says no, says later, or hangs up, at each of its answers: what becomes of a
receipt.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from tests.desk.harness import GM, Desk, address_of, changed, open_desk, parse, text_of

Command = Literal["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "text"]
COMMANDS: tuple[Command, ...] = ("greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "text")
"""All that a server answers to, in order; `text` is the line with a dot alone."""

USUAL: dict[Command, bytes] = {
    "greeting": b"220 mx.example ESMTP",
    "EHLO": b"250-mx.example\r\n250 AUTH PLAIN LOGIN",
    "AUTH": b"235 2.7.0 welcome",
    "MAIL": b"250 2.1.0 OK",
    "RCPT": b"250 2.1.5 OK",
    "DATA": b"354 go on",
    "text": b"250 2.0.0 taken",
}
HANG_UP, HALF_A_WORD, GARBAGE = b"", b"25", b"\xff\x00 what?\r\nno idea"


@dataclass
class ScriptedServer:
    """An SMTP server that behaves, but for one answer, once (or ever). `taken` are the mails whose
    last dot it has read.
    """

    at: Command | None = None
    answer: bytes = b""
    ever: bool = False
    taken: list[bytes] = field(default_factory=list)
    port: int = 0
    _writers: list[asyncio.StreamWriter] = field(default_factory=list)

    @property
    def settings(self) -> SmtpSettings:
        return SmtpSettings(
            host="127.0.0.1",
            port=self.port,
            tls="none",
            user="orders",
            password="secret",
            local_hostname="localhost",
            timeout_seconds=10,
        )

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        if not self._say(writer, "greeting"):
            return
        text: list[bytes] | None = None
        async for line in reader:
            if text is not None and line != b".\r\n":
                text.append(line.removeprefix(b"."))
                continue
            verb = "text" if text is not None else line[:4].decode("ascii", "replace").upper()
            if text is not None:
                self.taken.append(b"".join(text))
                text = None
            known = next((command for command in COMMANDS if command == verb), None)
            if known is None:
                writer.write(b"221 bye\r\n" if verb == "QUIT" else b"250 OK\r\n")
                continue
            begins_text = known == "DATA" and self.at != "DATA"
            if not self._say(writer, known):
                return
            if begins_text:
                text = []

    def _say(self, writer: asyncio.StreamWriter, command: Command) -> bool:
        """Answer; False: that was the end of the connection."""
        if self.at != command:
            writer.write(USUAL[command] + b"\r\n")
            return True
        if not self.ever:
            self.at = None
        if self.answer in (HANG_UP, HALF_A_WORD):
            writer.write(self.answer)
            writer.close()
            return False
        writer.write(self.answer + b"\r\n")
        return True

    async def close(self) -> None:
        for writer in self._writers:
            writer.close()
        await asyncio.gather(
            *(writer.wait_closed() for writer in self._writers), return_exceptions=True
        )


@asynccontextmanager
async def desk_with_server(
    folder: Path, at: Command, answer: bytes
) -> AsyncIterator[tuple[Desk, ScriptedServer]]:
    """A table that has begun, from now on sending by a server that will not take the next letter as
    it should.
    """
    server = ScriptedServer(at, answer)
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        async with open_desk(folder) as desk, SmtpOutbound(server.settings) as outbound:
            await desk.open_game()
            yield replace(desk, services=changed(desk.services, outbound=outbound)), server
    finally:
        listening.close()
        await server.close()
        await listening.wait_closed()


async def bid(desk: Desk) -> None:
    """Anna's order, whose receipt is the one letter that goes out."""
    await desk.write("Anna", "bid 5")


async def receipt(desk: Desk) -> tuple[str, int]:
    """Its state, and how often it was tried."""
    async with desk.services.database.read() as work:
        row = (await work.outbox.list_last_of_seat(1, ("receipt",)))[0]
    return row.state, row.attempts


async def suspended(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        return [row.address for row in await work.people.list_suspended()]


LATER = b"451 4.3.0 try later"
CLOSING = b"421 4.3.2 going down"


@pytest.mark.sample(8)
@pytest.mark.parametrize("answer", [LATER, CLOSING, HANG_UP, HALF_A_WORD, GARBAGE])
@pytest.mark.parametrize("at", COMMANDS)
async def test_whatever_may_be_mended_is_tried_again_with_the_same_letter(
    tmp_path: Path, at: Command, answer: bytes
) -> None:
    async with desk_with_server(tmp_path, at, answer) as (desk, server):
        await bid(desk)
        assert await receipt(desk) == ("queued", 1)
        assert await suspended(desk) == []
        desk.clock.forward(minutes=1)
        await desk.work()
        assert await receipt(desk) == ("sent", 2)
        copies = server.taken
    twice = at == "text"  # the server had it all; what it answered never came, or was no yes
    assert len(copies) == 1 + twice
    assert len(set(copies)) == 1, "byte for byte the same, with the same Message-ID"
    assert "Bid 5" in text_of(parse(copies[0]))


@pytest.mark.parametrize("at", ["greeting", "EHLO", "AUTH", "MAIL"])
async def test_a_no_that_is_about_ourselves_is_nobody_s_fault_and_tried_again(
    tmp_path: Path, at: Command
) -> None:
    async with desk_with_server(tmp_path, at, b"554 5.7.1 we do not know you") as (desk, server):
        await bid(desk)
        assert (await receipt(desk), await suspended(desk)) == (("queued", 1), [])
        desk.clock.forward(minutes=1)
        await desk.work()
        assert await receipt(desk) == ("sent", 2)
        assert len(server.taken) == 1


async def test_a_no_to_the_recipient_suspends_the_address_and_tells_the_gm(tmp_path: Path) -> None:
    async with desk_with_server(tmp_path, "RCPT", b"550 5.1.1 no such user") as (desk, server):
        await bid(desk)
        assert await receipt(desk) == ("refused", 1)
        assert await suspended(desk) == [address_of("Anna")]
        (told,) = server.taken
        assert parse(told)["To"].addresses[0].addr_spec == GM
        assert "bounces" in str(parse(told)["Subject"])


@pytest.mark.parametrize(
    ("at", "answer"), [("DATA", b"554 5.6.0 not today"), ("text", b"554 5.6.0 what is that")]
)
async def test_a_no_to_the_text_ends_the_letter_and_suspends_nobody(
    tmp_path: Path, at: Command, answer: bytes
) -> None:
    async with desk_with_server(tmp_path, at, answer) as (desk, server):
        await bid(desk)
        assert (await receipt(desk), await suspended(desk)) == (("refused", 1), [])
        await desk.write("Anna", "bid 6")
        assert "Bid 6" in text_of(parse(server.taken[-1])), "the next letter goes out"


@pytest.mark.long(
    held_by="tests/desk/letters/test_mail_comes_back.py (five days, and then no more)"
)
async def test_a_server_that_never_gets_better_is_given_up_after_five_days_without_a_word_against_the_reader(
    tmp_path: Path,
) -> None:
    async with desk_with_server(tmp_path, "greeting", HANG_UP) as (desk, server):
        server.ever = True
        await bid(desk)
        began = desk.clock.now()
        while (await receipt(desk))[0] == "queued":
            desk.clock.forward(hours=4)
            await desk.work()
        state, tries = await receipt(desk)
        assert (state, tries, server.taken) == ("refused", 31, [])
        assert desk.clock.now() - began == timedelta(days=5)
        assert await suspended(desk) == []
