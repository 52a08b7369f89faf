"""At the first deadline of a player who has never answered: what the game does about that seat.

The game waits once. After that its game master is asked, and those who said that they can
substitute. At the third deadline the seat stands empty, and the game waits for somebody who takes
it, as long as a new table waits for its players; nobody else loses anything. A player has answered
who has written anything since the game began or they got the seat, or whose seat has ever sent
orders. What has happened is read from the log.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import find_substitution, is_idle
from pbem.desk.chat.commands import TAKE
from pbem.desk.chat.links import read_bot
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.lobby.herald import takeover_code, vacant_seats
from pbem.desk.mandate import By, log_event
from pbem.desk.people.absent_players import OPENED, leave_empty
from pbem.desk.people.stand_ins import invite_next
from pbem.desk.phases.clock import move_deadline, stop_clock
from pbem.desk.phases.grace import look_again, owes
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, hours_of, load_table
from pbem.desk.windows import deadline_of
from pbem.pages.notice import Notice
from pbem.pages.page import Reader, Table
from pbem.pages.time import FirstTurnWaits, GmFirstTurn, OpenSeat, SeatsOpened
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.text import deep_link

WAITED, ASKED = "first turn", "first turn asked"
"""The log's entries of a deadline that moved for players who have never answered."""
NEVER_ANSWERED = "No answer came to the first turn."
LONGEST_HOURS = 24 * 7.0


class _Waited(msgspec.Struct, frozen=True):
    """What the log tells of a wait: for which tenures of which seats, by their ids."""

    phase: int
    seats: tuple[tuple[int, int], ...] = ()


async def wait_for_first(
    services: Desk,
    table: OpenTable,
    standings: Mapping[int, Standing[Any]],
    versions: tuple[int, ...],
    counts_from: datetime,
    now: datetime,
) -> bool:
    """Do what is due about players who have never answered; False: the phase that is due can close.
    `versions` are the orders looked at, `counts_from` is the instant from which a wait counts. May
    run twice, or die anywhere, without harm.
    """
    phase = table.phase
    if phase is None or table.settings.people.first_nmr != "wait":
        return False
    async with services.write() as tx:
        again = await look_again(tx, table, versions)
        if again is None:
            return False
        silent = await _find_silent(tx, again, phase, standings)
        if not silent:
            return False
        if min(silent.values()) < 2:
            await _wait(tx, again, phase, silent, counts_from)
        else:
            await _open_seats(tx, again, phase, tuple(silent))
        services.steps.reached("first.written")
    services.steps.reached("first.kept")
    return True


async def _find_silent(
    tx: Transaction[Context],
    table: OpenTable,
    phase: PhaseRow,
    standings: Mapping[int, Standing[Any]],
) -> dict[SeatRow, int]:
    """Whose players have never answered, each with how often this phase has waited for them."""
    log = await tx.work.log.list_of_commands(table.game.id, (WAITED, ASKED))
    told = [msgspec.json.decode(row.detail, type=_Waited) for row in log]
    silent = {}
    for seat in table.seats:
        own = [row.phase for row in told if (seat.id, seat.tenure) in row.seats]
        begun = table.game.started_at or phase.opened_at
        since = max(begun, seat.joined_at or begun)
        if (
            seat.number in phase.asked
            and seat.status == "active"
            and seat.person_id is not None
            and not is_idle(table, seat)
            and set(own) <= {phase.number}
            and owes(table, seat.number, standings.get(seat.number, Standing()))
            and not any(
                row.canonical or row.final for row in await tx.work.results.list_answers(seat.id)
            )
            and not await tx.work.results.has_written(seat.id, since)
            and await find_substitution(tx.work, seat) is None
        ):
            silent[seat] = len(own)
    return silent


async def _wait(
    tx: Transaction[Context],
    table: OpenTable,
    phase: PhaseRow,
    silent: Mapping[SeatRow, int],
    counts_from: datetime,
) -> None:
    """The deadline moves by the length of the phase; the second time the game master is asked."""
    game, now = table.game, tx.now()
    hours = min(table.hours_of_phase(), LONGEST_HOURS)
    deadline = deadline_of(counts_from, hours, hours_of(table.settings)).deadline
    moved = await move_deadline(tx.work, tx.services.policy, phase, deadline, now)
    assert moved is not None  # noqa: S101 - the game is locked, and the phase was looked at
    asks = min(silent.values()) == 1
    detail = {
        "phase": phase.number,
        "from": phase.deadline,
        "to": deadline,
        "seats": [(seat.id, seat.tenure) for seat in silent],
    }
    entry = await log_event(tx, game.id, ASKED if asks else WAITED, detail)
    post = await read_post(tx, table, moved)
    names = tuple(seat.name for seat in silent)
    shown = names if table.settings.tells_names else ()

    def page_for(facts: Table, reader: Reader) -> Notice:
        if reader.number is None and not reader.looks_on:
            return GmFirstTurn(deadline, names, asks=asks)
        is_own = any(seat.number == reader.number for seat in silent)
        return FirstTurnWaits(phase.deadline, deadline, shown, len(names), is_own=is_own, asks=asks)

    await post.tell(tx.work, at_table(), page_for, "deadline", f"first-turn:{entry}")
    for seat in silent if asks else ():
        await invite_next(tx, table, seat, f"first-turn:{seat.id}:{seat.tenure}", 0)


async def _open_seats(
    tx: Transaction[Context], table: OpenTable, phase: PhaseRow, silent: tuple[SeatRow, ...]
) -> None:
    """The seats stand empty and the clock stops; the players get the words that take a seat."""
    game, now = table.game, tx.now()
    detail = {"phase": phase.number, "players": [seat.name for seat in silent]}
    entry = await log_event(tx, game.id, OPENED, detail)
    by = By(tx.services.policy.name)
    for seat in silent:
        await leave_empty(tx, await load_table(tx, game), seat, by, NEVER_ANSWERED)
    until = now.replace(microsecond=0) + timedelta(days=tx.services.policy.open_days)
    stopped = await stop_clock(tx.work, game, phase, now, until)
    assert stopped is not None  # noqa: S101 - the game is locked, and it runs
    await tell_open_seats(tx, await load_table(tx, stopped), until, f"seats-opened:{entry}")


async def tell_open_seats(
    tx: Transaction[Context], table: OpenTable, until: datetime, key: str, *, again: bool = False
) -> None:
    """Everybody gets the words that take the empty seats, and reads until when the game waits."""
    bot = await read_bot(tx.work)
    codes = [(seat.name, takeover_code(tx.services, table, seat)) for seat in vacant_seats(table)]
    seats = tuple(
        OpenSeat(name, code, deep_link(bot, f"{TAKE}{code}") if bot is not None else "")
        for name, code in codes
    )
    post = await read_post(tx, table)
    told = SeatsOpened(seats, tx.services.policy.address, until, again=again)
    await post.tell(tx.work, at_table(), told, "paused", key)
