"""Reminders before a deadline: to those missing only, quoting what they have stored."""

import asyncio
from datetime import datetime

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import is_idle
from pbem.desk.chat.menus import with_entries
from pbem.desk.correlation import correlated
from pbem.desk.envelope.addressing import SeatAt, letter_to, seat_token
from pbem.desk.hours import view_at
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.letters.posting import read_recipients
from pbem.desk.phases.grace import owes
from pbem.desk.phases.moving import reminders_of
from pbem.desk.ports import Desk
from pbem.desk.table import load_table, page_table, standing_of
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
    async with services.database.write() as work:
        game = await work.games.lock(game_id)
        if game is None or game.status != "running" or game.phase_number != number:
            return
        table = await load_table(work, services.games, game)
        phase = table.phase
        if phase is None or phase.status == "closed" or now >= phase.deadline:
            return
        instants = reminders_of(phase, services.policy.remind_hours)
        passed = sum(instant <= now for instant in instants)
        if passed <= phase.reminders_sent:
            return
        for count in range(phase.reminders_sent, passed):
            await work.phases.count_reminder(game_id, number, count)
        reminded_at = instants[passed - 1]
        if reminded_at - phase.opened_at < (phase.deadline - phase.opened_at) / 10:
            return
        desk = await read_recipients(work, services, table)
        rows = {row.seat_id: row for row in await work.orders.latest(game_id, number)}
        for reader, seat, address in desk.readers(services):
            if seat.number not in phase.asked or seat.status != "active" or is_idle(table, seat):
                continue
            standing: Standing[object] = standing_of(table.kind, rows.get(seat.id), seat)
            if not owes(table, seat.number, standing):
                continue
            facts = page_table(
                table, services.policy, now, code=seat_token(services.key, seat, number)
            )
            view = view_at(table, seat.number, now)
            page = await asyncio.to_thread(table.kind.pages.reminder, facts, reader, view, standing)
            letter = letter_to(
                services,
                SeatAt(game=game, seat=seat, phase_number=number, address=address),
                page,
                "reminder",
                f"reminder:{game_id}:{number}:{phase.ics_sequence}:{passed}:{seat.id}",
            )
            if seat.person_id in desk.chats:
                letter = await asyncio.to_thread(
                    with_entries,
                    services,
                    letter,
                    table,
                    table.state,
                    phase,
                    seat,
                    standing,
                    letters=desk.letters.get(seat.id, 0),
                    reminds=True,
                )
            await queue_letter(work, letter, now)
        services.steps.reached("remind.written")
    await ask_for_delivery(services, now)
