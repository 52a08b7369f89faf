"""A table that has not begun, and what people do at its door."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pbem.desk import gm
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.post.inbox import InboxState
from pbem.store.repositories.seats import SeatRow
from tests.desk.harness import GM, SEED, Desk, address_of, open_desk, parse, text_of
from tests.played import PLAYED

BY = gm.By("test")
STATES: tuple[InboxState, ...] = ("handled", "ignored", "shunted", "new")


@asynccontextmanager
async def lobby(folder: Path, **table: Any) -> AsyncIterator[Desk]:
    """A desk with an open table called Heron; at the end nothing may have been shunted."""
    async with open_desk(folder) as desk:
        await open_lobby(desk, **table)
        yield desk
        async with desk.services.database.read() as work:
            assert [row.trace for row in await work.inbox.list_by_state("shunted")] == []


async def open_lobby(desk: Desk, slug: str = "heron", **table: Any) -> None:
    new = gm.NewTable(
        slug,
        slug.capitalize(),
        table.pop("ruleset", PLAYED),
        table.pop("options", {}),
        "Europe/Berlin",
        "Greta",
        seed=SEED,
        **table,
    )

    async def open_it() -> None:
        await gm.open_table(desk.services, new, BY)
        await desk.work()

    await desk.once(repr(new), open_it)


async def game_of(desk: Desk, slug: str = "heron") -> GameRow:
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug(slug)
    assert game is not None
    return game


async def code_of(desk: Desk, slug: str = "heron") -> str:
    code = (await game_of(desk, slug)).join_code
    assert code is not None
    return code


async def seats_of(desk: Desk, slug: str = "heron") -> list[SeatRow]:
    async with desk.services.database.read() as work:
        return await work.seats.list_of_game((await game_of(desk, slug)).id)


async def names_of(desk: Desk, slug: str = "heron") -> list[tuple[str, str | None]]:
    return [(seat.name, seat.colour) for seat in await seats_of(desk, slug)]


async def zone_of(desk: Desk, name: str) -> str:
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", address_of(name))
    assert person is not None
    return person.time_zone


async def votes_of(desk: Desk) -> list[tuple[str, str]]:
    async with desk.services.database.read() as work:
        return [
            (vote.question, vote.answer)
            for vote in await work.votes.list_of_game((await game_of(desk)).id)
        ]


async def outcomes(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        rows = [row for state in STATES for row in await work.inbox.list_by_state(state)]
    return [f"{row.state}:{row.outcome}" for row in sorted(rows, key=lambda row: row.id)]


async def knock(desk: Desk, name: str, text: str, **mail: Any) -> EmailMessage | None:
    """Somebody writes to the house from their own address, without any code of ours."""
    return await desk.write(name, text, token=False, dmarc=mail.pop("dmarc", None), **mail)


async def answer(
    desk: Desk, name: str, text: str, *, to: EmailMessage | None = None, **mail: Any
) -> EmailMessage:
    """Somebody answers the newest letter they got (or that one); the newest letter to them."""
    letter = await desk.write(
        name, text, answering=to or desk.letters(name)[-1], dmarc=mail.pop("dmarc", None), **mail
    )
    assert letter is not None
    return letter


async def join(desk: Desk, *names: str, slug: str = "heron", wish: str = "") -> None:
    """People ask for a seat and confirm it."""
    code = await code_of(desk, slug)
    for name in names:

        async def sit_down(name: str = name) -> None:
            await knock(desk, name, f"join {code} as {name}{wish}")
            await answer(desk, name, "yes")

        await desk.once(("join", code, name, wish), sit_down)


def subject_of(mail: EmailMessage | None) -> str:
    assert mail is not None
    return str(mail["Subject"])


def flat(mail: EmailMessage | None) -> str:
    return " ".join(text_of(mail).split())


def to_gm(desk: Desk) -> list[EmailMessage]:
    return [parse(raw) for raw in desk.postbox.to(GM)]


async def pending_detail(desk: Desk, name: str) -> dict[str, Any]:
    async with desk.services.database.read() as work:
        row = await work.pending.find_waiting("join", address_of(name), desk.clock.now())
    assert row is not None
    found: dict[str, Any] = json.loads(row.detail)
    return found
