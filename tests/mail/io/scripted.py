"""Servers that speak just enough to look at a login: a provider's token end points, SMTP and IMAP
with XOAUTH2.
"""

import asyncio
import base64
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
REFUSAL = base64.b64encode(b'{"status":"401"}').decode()


@asynccontextmanager
async def listening(talk: Talk, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port of a server on loopback; every connection is closed with the block."""
    talks: set[asyncio.Task[None]] = set()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talks.add(task)
        try:
            await talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            return
        finally:
            talks.discard(task)
            writer.close()

    server = await asyncio.start_server(hold, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(talks):
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


@dataclass
class TokenServer:
    """Answers each request with the next of `answers`: a status and what is told, or None to hang
    up. `asked` are the forms.
    """

    answers: list[tuple[int, Any] | None]
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    port: int = 0

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    @asynccontextmanager
    async def open(self) -> AsyncIterator["TokenServer"]:
        async with listening(self._talk) as self.port:
            yield self

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.partition(":")[2])
            for line in head.splitlines()
            if line.lower().startswith("content-length:")
        )
        form = parse_qs((await reader.readexactly(length)).decode(), keep_blank_values=True)
        self.asked.append(
            (head.split()[1].lstrip("/"), {name: values[0] for name, values in form.items()})
        )
        answer = self.answers.pop(0)
        if answer is None:
            return
        status, told = answer
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
            + body
        )
        await writer.drain()


@dataclass
class XoauthServers:
    """An SMTP and an IMAP server that let `user` in with each of `good` tokens; `shown` are the
    tokens they saw.
    """

    user: str
    good: set[str]
    shown: list[str] = field(default_factory=list)
    smtp_port: int = 0
    imap_port: int = 0
    starttls: ssl.SSLContext | None = None

    @asynccontextmanager
    async def open(
        self, context: ssl.SSLContext | None = None, *, starttls: bool = False
    ) -> AsyncIterator["XoauthServers"]:
        self.starttls, first = (context, None) if starttls else (None, context)
        async with (
            listening(self._smtp, first) as self.smtp_port,
            listening(self._imap, first) as self.imap_port,
        ):
            yield self

    def _lets_in(self, encoded: str) -> bool:
        text = base64.b64decode(encoded, validate=True).decode()
        head, bearer, *ends = text.split("\1")
        assert (head, bearer[:12], ends) == (f"user={self.user}", "auth=Bearer ", ["", ""])
        self.shown.append(bearer[12:])
        return bearer[12:] in self.good

    async def _smtp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 scripted\r\n")
        in_data = False
        while raw := await reader.readline():
            line = raw.decode().rstrip("\r\n")
            verb, _, rest = line.partition(" ")
            if in_data:
                in_data = line != "."
                answer = "" if in_data else "250 taken"
            elif verb.upper() == "EHLO":
                answer = (
                    "250-scripted\r\n"
                    + ("250-STARTTLS\r\n" if self.starttls else "")
                    + "250 AUTH XOAUTH2"
                )
            elif verb.upper() == "STARTTLS" and self.starttls is not None:
                writer.write(b"220 go on\r\n")
                await writer.start_tls(self.starttls)
                continue
            elif verb.upper() == "AUTH":
                answer = "235 2.7.0 in"
                if not self._lets_in(rest.split()[1]):
                    writer.write(f"334 {REFUSAL}\r\n".encode())
                    assert await reader.readline() == b"\r\n"
                    answer = "535 5.7.8 no such token"
            elif verb.upper() == "DATA":
                in_data, answer = True, "354 go on"
            else:
                answer = "221 bye" if verb.upper() == "QUIT" else "250 ok"
            writer.write(f"{answer}\r\n".encode() if answer else b"")
            await writer.drain()

    async def _imap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK scripted\r\n")
        while line := (await reader.readline()).decode().rstrip("\r\n"):
            tag, verb, *rest = line.split()
            answer = f"{tag} OK done"
            if verb == "CAPABILITY":
                writer.write(
                    b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2"
                    + (b" STARTTLS\r\n" if self.starttls else b"\r\n")
                )
            elif verb == "STARTTLS" and self.starttls is not None:
                writer.write(f"{answer}\r\n".encode())
                await writer.start_tls(self.starttls)
                continue
            elif verb == "AUTHENTICATE" and not self._lets_in(rest[1]):
                writer.write(f"+ {REFUSAL}\r\n".encode())
                assert await reader.readline() == b"\r\n"
                answer = f"{tag} NO [AUTHENTICATIONFAILED] no such token"
            elif verb == "SELECT":
                writer.write(b"* 0 EXISTS\r\n* OK [UIDVALIDITY 1] v\r\n* OK [UIDNEXT 1] n\r\n")
            writer.write(f"{answer}\r\n".encode())
            await writer.drain()
