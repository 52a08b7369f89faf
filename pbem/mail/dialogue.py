"""What is said on an SMTP connection once aiosmtplib has made it and logged in: commands in one
piece where the server lets us (RFC 2920), texts as they are, and the replies in their order.

aiosmtplib has one command under way at a time, and looks at each line end of a text once more.
"""

import asyncio
import re
from collections import deque
from typing import Self

import aiosmtplib
from aiosmtplib import SMTPResponse, SMTPServerDisconnected

from pbem.mail.ports import WireError

_LEADING_DOT = re.compile(rb"\n\.")
_IN_A_PATH = re.compile(r"[!-;=?-~]*")
_MOST_OCTETS = 32_768
"""No reply is longer."""


class Dialogue(asyncio.Protocol):
    """One connection, in the place of aiosmtplib's own protocol."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._begun = b""
        self._lines: list[bytes] = []
        self._replies: deque[SMTPResponse] = deque()
        self._failure: Exception | None = None
        self._awaited: asyncio.Future[None] | None = None
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    def take_over(cls, client: aiosmtplib.SMTP) -> Self:
        """From a client that is connected."""
        transport = client.transport
        if not isinstance(transport, asyncio.Transport) or transport.is_closing():
            raise SMTPServerDisconnected("Connection lost")
        dialogue = cls(transport)
        transport.set_protocol(dialogue)
        return dialogue

    @property
    def is_quiet(self) -> bool:
        """Whether the connection stands, and nothing was said on it that we did not ask for."""
        return self._failure is None and not (self._replies or self._lines or self._begun)

    def say(self, octets: bytes) -> None:
        """Commands, each with its line end, or a text with its dot."""
        if self._failure is None:
            self._transport.write(octets)

    async def reply(self, until: float) -> SMTPResponse:
        """The next reply. TimeoutError: it did not come by then, on the loop's clock;
        SMTPServerDisconnected: there will be none; SMTPResponseException: it is unintelligible.
        """
        while not self._replies:
            if self._failure is not None:
                raise self._failure
            self._awaited = asyncio.get_running_loop().create_future()
            self._set_timer(until)
            await self._awaited
        return self._replies.popleft()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._transport.close()

    def abort(self) -> None:
        """Break off at once; who waits for a reply hears that there will be none."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._lines.append(line)
            if line[3:4] != b"-":
                self._end_reply()
        if len(self._begun) + sum(map(len, self._lines)) > _MOST_OCTETS:
            self._fail(aiosmtplib.SMTPResponseException(-1, "Response too long"))
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(SMTPServerDisconnected("Connection lost"))
        self._wake()

    def _set_timer(self, until: float) -> None:
        """Most replies come at once, so one timer serves many of them: it looks at the time again
        when it runs out.
        """
        self._until = until
        if self._timer is None or until < self._timer.when():
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(until, self._run_out)

    def _run_out(self) -> None:
        self._timer = None
        if self._awaited is None or self._awaited.done():
            return
        if asyncio.get_running_loop().time() < self._until:
            self._set_timer(self._until)
        else:
            self._fail(TimeoutError("no answer in time"))
            self._wake()

    def _end_reply(self) -> None:
        lines, self._lines = self._lines, []
        code = lines[-1][:3]
        if not (len(code) == 3 and code.isdigit()):
            shown = lines[-1][:80].decode("utf-8", "replace")
            self._fail(aiosmtplib.SMTPResponseException(-1, f"Malformed SMTP response: {shown}"))
            return
        text = b"\n".join([line[4:].strip(b" \t\r") for line in lines])
        self._replies.append(SMTPResponse(int(code), text.decode("utf-8", "surrogateescape")))

    def _fail(self, failure: Exception) -> None:
        self._failure = self._failure or failure

    def _wake(self) -> None:
        if self._awaited is not None and not self._awaited.done():
            if self._replies or self._failure is not None:
                self._awaited.set_result(None)


def stuffed(raw: bytes) -> bytes:
    """A text that is safe for the wire as it goes behind DATA, with its end (RFC 5321 4.5.2)."""
    text = _LEADING_DOT.sub(b"\n..", raw)
    return b"".join((b"." if raw.startswith(b".") else b"", text, b".\r\n"))


def path(address: str) -> bytes:
    """An address (or none: the null sender) between the brackets of a command."""
    if not _IN_A_PATH.fullmatch(address):
        raise WireError("an address that is none")
    return b"<" + address.encode("ascii") + b">"
