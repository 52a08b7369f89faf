"""Waiting for the mailbox before a close: we must read and handle everything received in time.

A stranger's mail is waited for a short while only (see `lanes`). If the mailbox cannot be read the
close is held, at most `hold_minutes`, and everybody is told.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

import structlog

from pbem.desk.envelope.lanes import STRANGERS, STRANGERS_HOLD, leave_strangers
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.jobs import Job
from pbem.desk.letters.post import Masters, Post, at_table
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.phases.standings import end_of_deadline
from pbem.desk.ports import Desk, Services
from pbem.mail.ports import ImapError
from pbem.pages.announcements import ClosedUnread
from pbem.pages.notice import notice_page
from pbem.pages.notices import CloseHeld
from pbem.store.repositories.phases import PhaseRow

DRAIN_SECONDS = 30.0

_log = structlog.get_logger("close")


async def look_into_mailbox(
    services: Services, post: Post, phase: PhaseRow, now: datetime
) -> Literal["read", "unread", "wait"]:
    """Whether everything received in time is read and handled, or was waited for long enough. If
    not: hold the close, and say so once.
    """
    table, end = post.table, end_of_deadline(phase.deadline)
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
    ):  # all is read except a flood of strangers: nothing to write to anybody
        return "wait"
    if now >= phase.deadline + timedelta(minutes=services.policy.hold_minutes):
        _log.warning("close-without-mailbox", game=table.game.id, phase=phase.number)
        return "unread"
    await _hold(services, replace(post, now=now), phase)
    return "wait"


async def _hold(services: Desk, post: Post, phase: PhaseRow) -> None:
    """Say once to everybody that the close waits."""
    if phase.status == "held":
        return
    table, now, facts, minutes = post.table, post.now, post.facts(), services.policy.hold_minutes
    letters = await asyncio.to_thread(
        lambda: list(
            post.to(
                at_table(),
                lambda _facts, reader: notice_page(
                    CloseHeld(phase.deadline, minutes), facts, reader
                ),
                "held",
                f"held:{table.game.id}:{phase.number}:{phase.ics_sequence}",
            )
        )
    )
    async with services.database.write() as work:
        game = await work.games.lock(table.game.id)
        if (
            game is None
            or game.status != "running"
            or not await work.phases.hold(table.game.id, phase.number, now)
        ):
            return
        await post.send(work, letters)
        services.steps.reached("hold.written")
    services.steps.reached("hold.kept")
    await ask_for_delivery(services, now)


def blind_letters(post: Post) -> Iterator[NewLetter]:
    """To the game masters: the close happened though the mailbox could not be read, so that orders
    may be missing.
    """
    game = post.table.game
    return post.to(
        Masters(),
        lambda facts, reader: ClosedUnread(game.phase_number, facts.deadline),
        "closed-unread",
        f"unread:{game.id}:{game.phase_number}",
    )
