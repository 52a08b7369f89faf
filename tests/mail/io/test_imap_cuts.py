"""The IMAP connection is cut, or the server talks nonsense, at every one of its answers: nothing is
lost, and the watch goes on.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from pbem.mail.imap_commands import ImapSettings
from tests.mail.io.support import HandClock, Shelf, inbox_of, mail, watching

MAIL = mail("word")
COMMANDS = (
    *("greeting", "CAPABILITY", "LOGIN", "SELECT", "NOOP", "UID SEARCH", "FACTS", "BODY"),
    *("UID STORE", "IDLE", "DONE"),
)
"""All that a server answers to, in order."""


@dataclass
class ScriptedServer:
    """A server with one mail, unread until it is marked. It behaves, but for one answer, once:
    `spoilt` makes another of it.

    What `spoilt` leaves ends with the connection, unless it ends with a line.
    """

    at: str
    spoilt: bytes
    connections: int = 0
    is_read: bool = False
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    def usual(self, command: str, tag: bytes) -> bytes:
        answers = {
            "greeting": b"* OK hello\r\n",
            "CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE\r\n",
            "SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] fine\r\n* OK [UIDNEXT 6] soon\r\n",
            "UID SEARCH": b"* SEARCH\r\n" if self.is_read else b"* SEARCH 5\r\n",
            "FACTS": b'* 1 FETCH (UID 5 RFC822.SIZE %d INTERNALDATE " 1-Mar-2024 10:00:00 +0100")\r\n'
            % len(MAIL),
            "BODY": b"* 1 FETCH (UID 5 BODY[] {%d}\r\n%s)\r\n" % (len(MAIL), MAIL),
            "IDLE": b"+ idling\r\n",
        }
        done = b"" if command in ("greeting", "IDLE") else tag + b" OK done\r\n"
        return answers.get(command, b"") + done

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        idling = b""
        if not self._say(writer, "greeting", b""):
            return
        async for line in reader:
            tag, _, rest = line.strip().partition(b" ")
            command = _command_of(tag, rest.decode().upper())
            tag, idling = (
                (idling, b"") if command == "DONE" else (tag, tag if command == "IDLE" else b"")
            )
            if not self._say(writer, command, tag):
                return

    def _say(self, writer: asyncio.StreamWriter, command: str, tag: bytes) -> bool:
        """Answer; False: the connection is over."""
        if command == "UID STORE" and not (self.at == "UID STORE" and self.spoilt == b""):
            self.is_read = True
        answer = self.usual(command, tag)
        if self.at != command:
            writer.write(answer)
            return True
        self.at = ""
        spoilt = answer[: len(answer) // 2] if self.spoilt == HALF else self.spoilt
        writer.write(spoilt.replace(b"TAG", tag))
        if spoilt.endswith(b"\n"):
            return True
        writer.close()
        return False


HALF = b"half"


def _command_of(tag: bytes, rest: str) -> str:
    words = rest.split(" ")
    if tag == b"DONE":
        return "DONE"
    if words[:2] == ["UID", "FETCH"]:
        return "BODY" if "BODY" in rest else "FACTS"
    return " ".join(words[:2]) if words[0] == "UID" else words[0]


@asynccontextmanager
async def running(server: ScriptedServer) -> AsyncIterator[ImapSettings]:
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield ImapSettings(
            host="127.0.0.1", port=port, tls="none", user="u", password="p", timeout_seconds=0.5
        )
    finally:
        listening.close()
        for writer in server.writers:
            writer.close()
        await asyncio.gather(
            *(writer.wait_closed() for writer in server.writers), return_exceptions=True
        )
        await listening.wait_closed()


async def live_through(server: ScriptedServer, clock: HandClock, shelf: Shelf) -> None:
    """Watch until the spoilt answer is over and the mailbox was read twice."""
    async with (
        running(server) as settings,
        watching(inbox_of(settings, clock, poll_seconds=0.05), shelf) as inbox,
    ):
        while server.at:
            await inbox.drain()
        clock.advance(60)
        while inbox.drained_until is None or inbox.drained_until < clock.now():
            await inbox.drain()
        assert inbox.last_error is None


@pytest.mark.parametrize("spoilt", [b"", HALF], ids=["nothing", "half"])
@pytest.mark.parametrize("at", COMMANDS)
async def test_a_connection_cut_at_any_command_loses_nothing(
    at: str, spoilt: bytes, clock: HandClock, shelf: Shelf
) -> None:
    server = ScriptedServer(at, spoilt)
    await live_through(server, clock, shelf)
    assert {stored.raw for stored in shelf.mails} == {MAIL}
    twice = at == "UID STORE" and spoilt == b""  # stored here, and never marked read there
    assert len(shelf.mails) == 1 + twice
    assert server.connections == 2


GARBAGE = {
    "noise": b"\x00\xff\xfe ((( what\r\n",
    "bad": b"TAG BAD nobody knows what you mean\r\n",
    "bye": b"* BYE enough\r\n",
    "literal-without-end": b"* 1 FETCH (UID 5 BODY[] {99999999}\r\n",
    "numbers": b"* SEARCH 99999999999999999999 x -1\r\n* 77777 FETCH (UID 9 RFC822.SIZE z)\r\n",
    "foreign-tag": b"ZZ99 OK for somebody else\r\n",
}


@pytest.mark.long(held_by="tests/mail/io/test_inbox.py (a server that answers oddly)")
@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("at", COMMANDS)
async def test_nonsense_at_any_command_loses_nothing_and_makes_nothing_up(
    at: str, garbage: str, clock: HandClock, shelf: Shelf
) -> None:
    server = ScriptedServer(at, GARBAGE[garbage])
    await live_through(server, clock, shelf)
    assert {stored.raw for stored in shelf.mails} == {MAIL}
    assert {(stored.uid, stored.uidvalidity) for stored in shelf.mails} == {(5, 7)}
