"""A game master at a desk: what they get, and what they write."""

from collections.abc import Sequence
from email.message import EmailMessage
from typing import Any

import msgspec

from tests.desk.harness import GM, Desk, parse, text_of


def gm_letters(desk: Desk, address: str = GM) -> list[EmailMessage]:
    return [parse(raw) for raw in desk.postbox.to(address)]


def gm_last(desk: Desk, word: str = "", address: str = GM) -> EmailMessage:
    """The newest letter to the game master whose subject has this word."""
    return next(
        mail
        for mail in reversed(gm_letters(desk, address))
        if word.lower() in str(mail["Subject"]).lower()
    )


async def command(
    desk: Desk,
    text: str,
    *,
    answering: EmailMessage | None = None,
    sender: str = GM,
    token: bool = True,
    dmarc: str | None = "pass",
    message_id: str | None = None,
    headers: Sequence[tuple[str, str]] = (),
    address: str = GM,
    work: bool = True,
) -> str:
    """The game master writes (answering the newest letter), the desk works; the newest letter's
    text, "" when none came for it.
    """
    base = answering if answering is not None else gm_last(desk, address=address) if token else None
    before = len(gm_letters(desk, address))
    await desk.write(
        "GM",
        text,
        answering=base,
        token=base is not None,
        dmarc=dmarc,
        sender=sender,
        message_id=message_id,
        headers=headers,
        work=work,
    )
    after = gm_letters(desk, address)
    return text_of(after[-1]) if len(after) > before else ""


def flat(text: str) -> str:
    return " ".join(text.split())


async def log_of(desk: Desk) -> list[str]:
    """Every command in the log, the oldest first."""
    async with desk.services.database.read() as work:
        games = await work.games.list_by_status()
        rows = [
            row
            for game_id in (None, *(game.id for game in games))
            for row in await work.log.list_of_game(game_id, limit=1000)
        ]
    return [row.command for row in sorted(rows, key=lambda row: row.id) if row.actor != "test"]


async def detail_of(desk: Desk, word: str) -> dict[str, Any]:
    async with desk.services.database.read() as work:
        games = await work.games.list_by_status()
        rows = [
            row
            for game in games
            for row in await work.log.list_of_game(game.id, limit=1000)
            if row.command == word and row.actor != "test"
        ]
    return msgspec.json.decode(rows[0].detail, type=dict[str, Any])


async def outcomes(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        rows = [
            row
            for state in ("handled", "ignored", "shunted", "new")
            for row in await work.inbox.list_by_state(state, 500)
        ]
    return [f"{row.state}:{row.outcome}" for row in sorted(rows, key=lambda row: row.id)]


async def confirmed(desk: Desk, text: str) -> str:
    """The same, with the yes that it asks for."""
    await command(desk, text)
    return flat(await command(desk, "yes", answering=gm_last(desk, "Please confirm")))
