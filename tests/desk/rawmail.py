"""Raw mails for a running table, and what became of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path

from pbem.desk.messages.intake import store_mail
from pbem.mail.ports import StoredMail
from tests.desk.harness import AUTHSERV, Desk, address_of, open_desk

PASS = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from=players.example\r\n"


@asynccontextmanager
async def table(folder: Path, players: int = 3) -> AsyncIterator[Desk]:
    """A running table; at the end nothing may have been shunted."""
    async with open_desk(folder) as desk:
        await desk.open_game(players)
        yield desk
        async with desk.services.database.read() as work:
            assert [row.trace for row in await work.inbox.list_by_state("shunted")] == []


async def orders_of(desk: Desk, name: str, phase: int = 1) -> tuple[str, ...]:
    async with desk.services.database.read() as work:
        seat = next(seat for seat in await work.seats.list_of_game(1) if seat.name == name)
        row = await work.orders.newest(seat.id, phase)
    return row.canonical if row is not None else ()


async def outcome(desk: Desk) -> str:
    """What became of the newest message."""
    async with desk.services.database.read() as work:
        rows = [
            row
            for state in ("new", "handled", "ignored", "shunted")
            for row in await work.inbox.list_by_state(state, 1)
        ]
    newest = max(rows, key=lambda row: row.id)
    return f"{newest.state}:{newest.outcome}"


def raw_mail(
    desk: Desk,
    name: str,
    body: bytes,
    *,
    head: str = "",
    sender: str | None = None,
    to: str | None = None,
) -> bytes:
    """A mail to the player's own reply address, byte by byte as it is told."""
    to = to or str(desk.turn_mail(name)["Reply-To"])
    written = f"From: {name} <{address_of(name)}>\r\n" if sender is None else sender
    return (
        PASS.encode()
        + written.encode()
        + f"To: {to}\r\nSubject: orders\r\n{head}".encode()
        + b"\r\n"
        + body
    )


async def send(desk: Desk, raw: bytes, *, oversize: bool = False) -> list[str]:
    """Bring it, let the desk work; who got a letter for it."""
    before = len(desk.postbox.mails)
    desk.sent += 1
    await store_mail(
        desk.services,
        StoredMail(raw, desk.clock.now().replace(microsecond=0), 1, desk.sent, oversize=oversize),
    )
    await desk.work()
    return sorted(mail.recipient for mail in desk.postbox.mails[before:])


def subject_of(mail: EmailMessage | None) -> str:
    assert mail is not None
    return str(mail["Subject"])


ANNA = [address_of("Anna")]
