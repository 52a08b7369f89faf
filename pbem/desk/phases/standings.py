"""What stands for whom in an open phase, and how it ends: before its deadline if nobody is waited
for, by what runs out at this hour, by an order that is an act, or by its orders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine.chance import Chance
from engine.ruleset import Outcome, Standing
from pbem.desk.authentication.tenures import is_idle
from pbem.desk.hours import act_due, act_of_time
from pbem.desk.phases.acts import Done, do_one, orders_that_end
from pbem.desk.table import OpenTable, standing_of
from pbem.record.replay import GivenAct
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


Standings = Mapping[int, Standing[Any]]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a phase came to, and where the stream of chance stands then. `told` is the act by which
    the rules learnt the hour before; `by` the act that ended it instead of a close.
    """

    outcome: Outcome[Any]
    place: int
    told: Done | None = None
    by: GivenAct | None = None

    @property
    def acts(self) -> tuple[GivenAct, ...]:
        told = () if self.told is None else (GivenAct("gm", self.told.act),)
        return (*told, *(() if self.by is None else (self.by,)))


def end_phase(table: OpenTable, standings: Standings, seed: bytes, now: datetime) -> Ended:
    """End the open phase, at the latest as of its deadline."""
    rules, state, place = table.kind.ruleset, table.state, table.game.chance_place
    told = None
    act = act_of_time(table, now if table.phase is None else min(now, table.phase.deadline))
    if act is not None:
        told = do_one(rules, state, "gm", act, seed, place)
        if told.ends:
            return Ended(told.outcome, told.place, by=GivenAct("gm", act))
        state, place = told.outcome.state, told.place
    for number, standing in sorted(standings.items()):
        for order in orders_that_end(rules, state, number, standing.orders, seed, place):
            act = rules.act_of(order)
            assert act is not None  # noqa: S101 - it ends the phase
            done = do_one(rules, state, number, act, seed, place)
            return Ended(done.outcome, done.place, told, GivenAct(number, act))
    orders = {number: standing.orders for number, standing in standings.items() if standing.orders}
    chance = Chance(seed, place)
    outcome: Outcome[Any] = rules.adjudicate(state, orders, chance)
    return Ended(outcome, chance.place, told)


def ends_by_act(table: OpenTable, standings: Standings, seed: bytes, now: datetime) -> bool:
    """Whether the phase ends now by itself, or by an order that is an act."""
    rules, place = table.kind.ruleset, table.game.chance_place
    act = act_due(table, now)
    if act is not None and do_one(rules, table.state, "gm", act, seed, place).ends:
        return True
    return any(
        orders_that_end(rules, table.state, number, standing.orders, seed, place)
        for number, standing in standings.items()
    )


def stands_to_end(table: OpenTable, standings: Standings) -> bool:
    """Whether an act stands among the orders: only one that ends the phase does."""
    act_of = table.kind.ruleset.act_of
    return any(
        act_of(order) is not None for standing in standings.values() for order in standing.orders
    )
