"""Reminders before a deadline: to those missing only, quoting what they have stored."""

import asyncio
from datetime import datetime

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import is_idle
from pbem.desk.chat.menus import Asked, with_entries
from pbem.desk.correlation import correlated
from pbem.desk.hours import view_at
from pbem.desk.letters.post import Seats, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.phases.clock import reminders_of
from pbem.desk.phases.grace import owes
from pbem.desk.ports import Desk
from pbem.desk.table import load_table, standing_of
from pbem.store.repositories.phases import PhaseRow


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
        post = await read_post(tx, table, now)
        rows = {row.seat_id: row for row in await tx.work.orders.latest(game_id, number)}
        for reader, to in post.seats(Seats(phase.asked)):
            seat = to.seat
            if seat.status != "active" or is_idle(table, seat):
                continue
            standing: Standing[object] = standing_of(table.kind, rows.get(seat.id), seat)
            if not owes(table, seat.number, standing):
                continue
            facts, view = post.facts(to), view_at(table, seat.number, now)
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
