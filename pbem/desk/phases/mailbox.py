"""Waiting for the mailbox before a close: everything received in time is to be read and handled.

A stranger's mail is waited for a short while only (see `lanes`). If the mailbox cannot be read the
close is held, at most `hold_minutes`, and everybody is told.
"""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal

import structlog

from pbem.desk.envelope.addressing import SeatAt, letter_to
from pbem.desk.envelope.lanes import STRANGERS, STRANGERS_HOLD, leave_strangers
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.jobs import Job
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.posting import Recipients, gm_letters
from pbem.desk.phases.standings import end_of_deadline
from pbem.desk.ports import Context, Desk, Services
from pbem.desk.table import OpenTable, page_table
from pbem.mail.ports import ImapError
from pbem.pages.page import Page, Reader
from pbem.store.repositories.phases import PhaseRow

DRAIN_SECONDS = 30.0

_log = structlog.get_logger("close")


async def look_into_mailbox(
    services: Services, table: OpenTable, phase: PhaseRow, desk: Recipients, now: datetime
) -> Literal["read", "unread", "wait"]:
    """Whether everything received in time is read and handled, or was waited for long enough. If
    not: hold the close, and say so once.
    """
    end = end_of_deadline(phase.deadline)
    read_until = services.intake.mailbox.drained_until
    if read_until is None or read_until < end:
        try:
            read_until = await asyncio.wait_for(services.intake.mailbox.drain(), DRAIN_SECONDS)
        except (OSError, ImapError) as error:  # a time-out is an OSError
            _log.warning("mailbox-unreadable", game=table.game.id, reason=str(error))
            read_until = None
    async with services.database.read() as work:
        waiting = await work.inbox.count_new_received_by(phase.deadline)
        has_known = waiting > 0 and await work.inbox.has_known(STRANGERS)
    if has_known:
        await leave_strangers(services.database)
    if waiting and now >= end + STRANGERS_HOLD:
        async with services.database.read() as work:
            waiting = await work.inbox.count_new_received_by(phase.deadline, below=STRANGERS)
    if read_until is not None and read_until >= end:
        if waiting == 0:
            return "read"
        async with services.database.read() as work:
            for row in await work.inbox.next_new(100, now=now):
                services.jobs.ask(Job("receive", (row.id,)))
        return "wait"
    if (
        read_until is not None and now < end + STRANGERS_HOLD
    ):  # all is read but for a flood of strangers: nothing to write to anybody
        return "wait"
    if now >= phase.deadline + timedelta(minutes=services.policy.hold_minutes):
        _log.warning("close-without-mailbox", game=table.game.id, phase=phase.number)
        return "unread"
    await _hold(services, table, phase, desk, now)
    return "wait"


async def _hold(
    services: Desk, table: OpenTable, phase: PhaseRow, desk: Recipients, now: datetime
) -> None:
    """Say once to everybody that the close waits."""
    if phase.status == "held":
        return
    letters = await asyncio.to_thread(_hold_letters, services, table, phase, desk, now)
    async with services.database.write() as work:
        game = await work.games.lock(table.game.id)
        if (
            game is None
            or game.status != "running"
            or not await work.phases.hold(table.game.id, phase.number, now)
        ):
            return
        await queue_letters(work, letters, now, desk.reach)
        services.steps.reached("hold.written")
    services.steps.reached("hold.kept")
    await ask_for_delivery(services, now)


def _hold_letters(
    context: Context, table: OpenTable, phase: PhaseRow, desk: Recipients, now: datetime
) -> list[NewLetter]:
    facts = page_table(table, context.policy, now)

    def page_for(reader: Reader) -> Page:
        return context.pages.notices.close_held(
            facts, reader, phase.deadline, context.policy.hold_minutes
        )

    key = f"held:{table.game.id}:{phase.number}:{phase.ics_sequence}"
    letters = [
        letter_to(
            context,
            SeatAt(game=table.game, seat=seat, phase_number=phase.number, address=address),
            page_for(reader),
            "held",
            f"{key}:{seat.id}",
        )
        for reader, seat, address in desk.readers(context)
    ]
    return [*letters, *gm_letters(context, table, desk, page_for, kind="held", dedupe_key=key)]


def blind_letters(
    context: Context, table: OpenTable, desk: Recipients, now: datetime
) -> Iterator[NewLetter]:
    """To the game masters: the close went on though the mailbox could not be read, so that orders
    may be missing.
    """
    facts = page_table(table, context.policy, now)
    key = f"unread:{table.game.id}:{table.game.phase_number}"
    yield from gm_letters(
        context,
        table,
        desk,
        lambda reader: context.pages.announcements.closed_unread(
            facts, reader, table.game.phase_number, facts.deadline
        ),
        kind="closed-unread",
        dedupe_key=key,
    )
