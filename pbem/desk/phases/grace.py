"""Before a deadline, reminders to those who are missing; at it, the table's grace for those who
have graces left.

Nobody learns for whom (but they themselves) unless the table says so, and no phase is waited for
twice, so that no game slides for ever.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import is_idle
from pbem.desk.chat.menus import Asked, with_entries
from pbem.desk.correlation import correlated
from pbem.desk.hours import view_at
from pbem.desk.letters.post import Seats, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.mandate import log_event
from pbem.desk.phases.clock import move_deadline, reminders_of, reminders_skipped
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, hours_of, load_table, standing_of
from pbem.desk.windows import deadline_of
from pbem.pages.notice import Notice
from pbem.pages.page import Reader, Table
from pbem.pages.time import GraceGiven
from pbem.store.repositories.absences import GraceRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.seats import SeatRow

GRACE = "grace"
"""The key of the log under which stands that a deadline moved because somebody was late."""


def count_graces(rows: list[GraceRow], seat: SeatRow) -> int:
    """How often a seat was waited for since its player has it."""
    return sum(
        row.seat_id == seat.id and (seat.joined_at is None or row.at >= seat.joined_at)
        for row in rows
    )


def late_seats(
    table: OpenTable, standings: Mapping[int, Standing[Any]], rows: list[GraceRow]
) -> tuple[SeatRow, ...]:
    """Who owes an answer and is still waited for; nobody in a phase that was waited for already."""
    settings, phase = table.settings, table.phase
    if (
        phase is None
        or not settings.graces
        or any(row.phase_number == phase.number for row in rows)
    ):
        return ()
    return tuple(
        seat
        for seat in table.seats
        if seat.number in phase.asked
        and seat.status == "active"
        and seat.person_id is not None
        and owes(table, seat.number, standings.get(seat.number, Standing()))
        and count_graces(rows, seat) < settings.graces
    )


def owes(table: OpenTable, number: int, standing: Standing[Any]) -> bool:
    """Whether something is missing of what the phase asks of a player."""
    rules = table.kind.ruleset
    return (
        not rules.is_ready(table.state, number, standing)
        and not rules.check(table.state, number, standing, ()).complete
    )


def any_owes(table: OpenTable, standings: Mapping[int, Standing[Any]]) -> bool:
    """Whether something is missing of anybody, for whom the table may wait."""
    asked = table.phase.asked if table.phase is not None else ()
    return any(owes(table, number, standings.get(number, Standing())) for number in asked)


async def look_again(
    tx: Transaction[Context], table: OpenTable, versions: tuple[int, ...]
) -> OpenTable | None:
    """The table as it is now, with its game locked, before its deadline is moved for somebody.
    None: nobody is waited for, since it is another than was looked at with the orders `versions`,
    or its game master has said that the phase closes.
    """
    game, phase = await tx.work.games.lock(table.game.id), table.phase
    if (
        game is None
        or phase is None
        or (game.status, game.phase_number)
        != (
            "running",
            phase.number,
        )
    ):
        return None
    again = await load_table(tx, game)
    latest = tuple(row.id for row in await tx.work.orders.latest(game.id, phase.number))
    if again.phase != phase or latest != versions or again.seats != table.seats:
        return None
    rows = await tx.work.log.list_of_commands(game.id, ("game close",))
    closed = (msgspec.json.decode(row.detail, type=dict[str, Any])["phase"] for row in rows)
    return None if phase.number in closed else again


async def give_grace(
    services: Desk,
    table: OpenTable,
    standings: Mapping[int, Standing[Any]],
    versions: tuple[int, ...],
    counts_from: datetime,
    now: datetime,
) -> bool:
    """Move the deadline of the phase that is due, if somebody is waited for; whether it was moved.
    `versions` are the orders looked at, `counts_from` is the instant from which the grace counts.
    May run twice, or die anywhere, without harm.
    """
    phase = table.phase
    if phase is None or not table.settings.graces:
        return False
    async with services.write() as tx:
        again = await look_again(tx, table, versions)
        if again is None:
            return False
        game = again.game
        late = late_seats(again, standings, await tx.work.graces.list_of_game(game.id))
        if not late:
            return False
        deadline = deadline_of(
            counts_from, again.settings.grace_hours, hours_of(again.settings)
        ).deadline
        for seat in late:
            await tx.work.graces.add(game.id, phase.number, seat.id, now)
        moved = await move_deadline(tx.work, services.policy, phase, deadline, now)
        if moved is None:
            await tx.work.rollback()
            return False
        span = {"from": phase.deadline.isoformat(), "to": deadline.isoformat()}
        await log_event(tx, game.id, GRACE, {"phase": phase.number} | span)
        await _tell(tx, again, late, moved.deadline)
        services.steps.reached("grace.written")
    services.steps.reached("grace.kept")
    return True


async def _tell(
    tx: Transaction[Context], table: OpenTable, late: tuple[SeatRow, ...], deadline: datetime
) -> None:
    before = table.phase
    assert before is not None  # noqa: S101 - the caller has looked
    moved = await tx.work.phases.find(before.game_id, before.number)
    assert moved is not None  # noqa: S101 - it was there a moment ago
    post = await read_post(tx, table, moved)
    names = tuple(seat.name for seat in late) if table.settings.tells_names else ()
    rows = await tx.work.graces.list_of_game(table.game.id)
    left = {seat.number: table.settings.graces - count_graces(rows, seat) for seat in late}

    def page_for(facts: Table, reader: Reader) -> Notice:
        own = left.get(reader.number) if reader.number is not None else None
        return GraceGiven(before.deadline, deadline, names, own)

    key = f"grace:{table.game.id}:{before.number}"
    await post.tell(tx.work, at_table(), page_for, "deadline", key)


def next_reminder_at(phase: PhaseRow, remind_hours: tuple[float, ...]) -> datetime | None:
    """When the next reminder of this phase is due; None when all were sent."""
    instants = reminders_of(phase, remind_hours)
    return instants[phase.reminders_sent] if phase.reminders_sent < len(instants) else None


@correlated("r")
async def remind(services: Desk, game_id: int, number: int) -> None:
    """Send the reminder that is due, if it is. One that would follow the question at once is
    skipped; of two that are due together (the service was down at the first) one is sent.
    """
    now = services.clock.now()
    async with services.write() as tx:
        game = await tx.work.games.lock(game_id)
        if game is None or game.status != "running" or game.phase_number != number:
            return
        table = await load_table(tx, game)
        phase = table.phase
        if phase is None or phase.status == "closed" or now >= phase.deadline:
            return
        instants = reminders_of(phase, services.policy.remind_hours)
        passed = sum(instant <= now for instant in instants)
        if passed <= phase.reminders_sent:
            return
        for count in range(phase.reminders_sent, passed):
            await tx.work.phases.count_reminder(game_id, number, count)
        reminded_at = instants[passed - 1]
        if reminded_at - phase.opened_at < (phase.deadline - phase.opened_at) / 10:
            return
        is_again = phase.reminders_sent > reminders_skipped(phase, services.policy.remind_hours)
        post = await read_post(tx, table)
        rows = {row.seat_id: row for row in await tx.work.orders.latest(game_id, number)}
        for reader, to in post.seats(Seats(phase.asked)):
            seat = to.seat
            if seat.status != "active" or is_idle(table, seat):
                continue
            standing: Standing[object] = standing_of(table.kind, rows.get(seat.id), seat)
            if not owes(table, seat.number, standing):
                continue
            facts = replace(post.facts(to), is_last_call=is_again and passed == len(instants))
            view = view_at(table, seat.number, now)
            page = await asyncio.to_thread(table.kind.pages.reminder, facts, reader, view, standing)
            key = f"reminder:{game_id}:{number}:{phase.ics_sequence}:{passed}:{seat.id}"
            letter = post.letter(to, page, "reminder", key)
            if seat.person_id in post.people.chats:
                letter = await asyncio.to_thread(
                    with_entries,
                    services,
                    letter,
                    Asked(table, table.state, phase, seat, standing),
                    letters=post.people.letters.get(seat.id, 0),
                    reminds=True,
                )
            await post.send(tx.work, [letter])
        services.steps.reached("remind.written")
    await ask_for_delivery(services, now)
