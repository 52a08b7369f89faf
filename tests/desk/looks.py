"""Looks at what a desk holds, for tests."""

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from pbem.store import tables
from pbem.store.repositories.phases import PhaseRow
from tests.desk.harness import Desk


async def phase_of(desk: Desk, slug: str = "heron") -> PhaseRow:
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug(slug)
        assert game is not None
        phase = await work.phases.current(game.id)
    assert phase is not None
    return phase


async def status_of(desk: Desk, slug: str = "heron") -> tuple[str, int, int]:
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug(slug)
    assert game is not None
    return game.status, game.phase_number, game.attempts


async def kinds_to(desk: Desk, kind: str) -> list[str]:
    """Whom letters of this kind were written to, in order of name."""
    async with desk.services.database.read() as work:
        found = await work.connection.execute(
            sa.select(tables.outbox.c.address).where(tables.outbox.c.kind == kind)
        )
        return sorted(found.scalars())


def after(phase: PhaseRow, **span: float) -> datetime:
    return phase.deadline + timedelta(**span)


def calendar_of(mail: Any) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/calendar")
    return str(part.get_content()).replace("\r\n ", "").replace("\n ", "")
