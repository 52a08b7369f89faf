"""What stands for whom in an open phase, and whether it may close by that before its deadline."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import is_idle
from pbem.desk.table import OpenTable, standing_of
from pbem.store.repositories.orders import OrdersRow
from pbem.store.work import Work


def end_of_deadline(deadline: datetime) -> datetime:
    """The first instant that is too late: mail servers stamp whole seconds, and the deadline's own
    second is in time.
    """
    return deadline.replace(microsecond=0) + timedelta(seconds=1)


def may_close_early(table: OpenTable, standings: dict[int, Standing[object]]) -> bool:
    """Whether the rules wait for nobody who must answer, and nobody wants the window to stay open.
    A vacant seat is not waited for, but where only vacant ones are asked the window stays open:
    somebody may take one over.
    """
    if table.phase is None or not table.settings.early_close or table.waiting:
        return False
    vacant = {seat.number for seat in table.seats if seat.status == "left" or is_idle(table, seat)}
    answering = [number for number in table.phase.asked if number not in vacant]
    is_ready = table.kind.ruleset.is_ready
    return bool(answering) and all(
        is_ready(table.state, number, standings.get(number, Standing())) for number in answering
    )


async def read_standings(work: Work, table: OpenTable) -> dict[int, Standing[object]]:
    """What stands for each active seat, of what came in time."""
    deadline = table.phase.deadline if table.phase is not None else None
    latest = await work.orders.latest(table.game.id, table.game.phase_number, deadline=deadline)
    return standings_of(table, latest)


def standings_of(table: OpenTable, latest: Sequence[OrdersRow]) -> dict[int, Standing[object]]:
    """The same, by the newest orders of each seat."""
    rows = {row.seat_id: row for row in latest}
    return {
        seat.number: standing_of(table.kind, rows.get(seat.id), seat)
        for seat in table.seats
        if seat.status == "active"
    }
