"""The open phase's clock: extend or shorten it, close the phase now."""

from datetime import datetime, timedelta

import msgspec

from pbem.desk.gm.mandate import By, Refused, find_open_phase, log_command
from pbem.desk.letters import letter_to_seat, phase_calendar
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.posting import gm_letters, read_desk_people
from pbem.desk.table import OpenTable, page_table
from pbem.pages.page import Page, Reader
from pbem.store.phases import PhaseRow
from pbem.store.work import Work

MAX_EXTENSION = timedelta(days=30)


async def extend(parts: Parts, slug: str, deadline: datetime, by: By, *, shorten: bool = False) -> datetime:
    """Move the open deadline, announce it once to everybody, with a new calendar entry. The new deadline comes back."""
    now = parts.clock.now()
    async with parts.database.write() as work:
        game, table, phase = await find_open_phase(work, parts, slug)
        detail = {"phase": phase.number, "from": phase.deadline.isoformat(), "to": deadline.isoformat()}
        await log_command(work, parts, by, "game extend", detail, game_id=game.id)
        if deadline <= now:
            raise Refused("in-the-past", "that deadline is over already; `pbem game close` closes a phase now")
        if deadline == phase.deadline:
            raise Refused("same-deadline", "that is the deadline already; nobody was told anything")
        if deadline < phase.deadline and not shorten:
            raise Refused(
                "shorter", f"that is earlier than the deadline now ({phase.deadline:%Y-%m-%d %H:%M} UTC); say --shorten if you mean it"
            )
        if deadline > max(now, phase.deadline) + MAX_EXTENSION:
            raise Refused("too-long", f"at most {MAX_EXTENSION.days} days at once")
        await _move_deadline(work, parts, table, phase, deadline, by)
    return deadline


async def close_now(parts: Parts, slug: str, number: int, by: By) -> bool:
    """Bring the deadline of phase `number` to this moment. False: that phase is over, and nothing happens."""
    now = parts.clock.now()
    async with parts.database.write() as work:
        game, _table, phase = await find_open_phase(work, parts, slug)
        if phase.number != number:
            return False
        await log_command(work, parts, by, "game close", {"phase": number}, game_id=game.id)
        if phase.deadline > now:
            await work.phases.move_deadline(game.id, number, phase.deadline, now.replace(microsecond=0))
        await work.games.forget_attempts(game.id)
    return True


async def _move_deadline(work: Work, parts: Parts, table: OpenTable, phase: PhaseRow, deadline: datetime, by: By) -> None:
    now = parts.clock.now()
    if not await work.phases.move_deadline(table.game.id, phase.number, phase.deadline, deadline):
        raise Refused("conflict", "the deadline was moved at the same moment; look again")
    if phase.status == "held":
        await work.phases.reopen(table.game.id, phase.number)
    await work.games.forget_attempts(table.game.id)
    await work.inbox.release(table.game.id)  # what came too late may now be in time
    moved = msgspec.structs.replace(phase, deadline=deadline, ics_sequence=phase.ics_sequence + 1)
    desk = await read_desk_people(work, parts, table)

    def page_for(reader: Reader) -> Page:
        return parts.notices.deadline_changed(page_table(table, parts.policy, now, phase=moved), reader, phase.deadline, deadline, by.name)

    key = f"deadline:{table.game.id}:{phase.number}:{moved.ics_sequence}"
    for reader, seat, address in desk.readers(parts):
        page = page_for(reader)
        letter = letter_to_seat(
            page, kind="deadline", dedupe_key=f"{key}:{seat.id}", policy=parts.policy, key=parts.key, game=table.game, seat=seat,
            phase_number=phase.number, address=address, calendar=phase_calendar(parts.policy, table.game, moved, now, page),
        )  # fmt: skip
        await queue_letter(work, letter, now)
    for letter in gm_letters(parts, table, desk, page_for, kind="deadline", dedupe_key=key):
        await queue_letter(work, letter, now)
    parts.steps.reached("deadline.written")
