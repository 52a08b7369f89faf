"""Everybody has orders that lack nothing, though they are not final: the phase closes some hours
after the last of them, and says so.
"""

from datetime import timedelta

import pytest

from pbem.desk import gm
from pbem.desk.gm.table_rules import set_clock
from pbem.grammar.clock_rules import ClockChange
from tests.desk.commanding import refused
from tests.desk.harness import Desk, text_of
from tests.desk.looks import phase_of, status_of
from tests.desk.mastery import command, gm_last
from tests.desk.timekeeping import set_settings
from tests.desk.visitors import BY

AFTER = timedelta(hours=6)


async def open_settled(desk: Desk, hours: float = 6.0) -> None:
    await desk.open_game(2)
    await set_settings(desk, settled_hours=hours)


async def test_the_phase_closes_so_long_after_the_last_order_and_not_before(desk: Desk) -> None:
    await open_settled(desk)
    first = await desk.write("Anna", "bid 1")
    assert first is not None
    assert "Everybody has orders" not in text_of(first)
    desk.clock.forward(hours=2)
    last = await desk.write("Bartek", "bid 2")
    assert last is not None
    assert "Everybody has orders. If nobody changes theirs" in " ".join(text_of(last).split())
    status = await desk.write("Anna", "status")
    assert status is not None
    told = " ".join(text_of(status).split())
    assert "Everybody has orders" in told
    assert "Nobody learns before the deadline" not in told
    desk.clock.forward(hours=5)
    await desk.write("Anna", "bid 3")
    desk.clock.forward(hours=2)
    await desk.work()
    assert (await status_of(desk))[1] == 1, "it counts from the last order"
    desk.clock.forward(hours=4, seconds=1)
    await desk.work()
    assert (await status_of(desk))[1] == 2
    assert "3" in text_of(desk.last("Anna", "orders due"))


async def test_who_waits_or_has_nothing_in_keeps_it_open(desk: Desk) -> None:
    await open_settled(desk)
    await desk.write("Anna", "bid 1")
    desk.clock.forward(hours=7)
    await desk.work()
    assert (await status_of(desk))[1] == 1
    await desk.write("Bartek", "bid 2\nwait")
    desk.clock.forward(hours=7)
    await desk.work()
    assert (await status_of(desk))[1] == 1
    await desk.write("Bartek", "nowait")
    assert (await status_of(desk))[1] == 2, "the six hours are over"


async def test_it_never_moves_the_deadline_and_final_closes_at_once(desk: Desk) -> None:
    await open_settled(desk, 160.0)
    for name in ("Anna", "Bartek"):
        answer = await desk.write(name, "bid 1")
        assert answer is not None
        assert "Everybody has orders" not in text_of(answer)
    for name in ("Anna", "Bartek"):
        await desk.write(name, "final")
    assert (await status_of(desk))[1] == 2


async def test_it_ends_at_an_allowed_hour_and_looks_into_the_mailbox_first(desk: Desk) -> None:
    await open_settled(desk)
    await set_settings(desk, quiet="17:00-20:00")
    for name in ("Anna", "Bartek"):
        await desk.write(name, "bid 1")
    desk.clock.forward(hours=6, seconds=1)
    await desk.work()
    assert (await status_of(desk))[1] == 1, "it is within the quiet hours in Berlin"
    desk.mailbox.broken = True
    desk.clock.forward(hours=3)
    await desk.work()
    assert (await status_of(desk))[1] == 1
    assert (await phase_of(desk)).status == "open", "nobody is told that a close waits"
    desk.mailbox.broken = False
    await desk.work()
    assert (await status_of(desk))[1] == 2


async def test_the_game_master_sets_it_and_everybody_learns_it(desk: Desk) -> None:
    await desk.open_game(2)
    await command(
        desk, "set close when all have orders, after 24h", answering=gm_last(desk, "Heron")
    )
    told = " ".join(text_of(desk.last("Anna", "New rules for deadlines")).split())
    assert "the phase closes 24 hours after the last order" in told
    await set_settings(desk, early_close=False, settled_hours=0.0)
    change = ClockChange(settled_hours=24.0)
    assert await refused(set_clock(desk.services, "heron", change, BY)) == "bad-options"
    await set_settings(desk, early_close=True)
    with pytest.raises(gm.Refused, match="1 to 168 hours"):
        await set_clock(desk.services, "heron", ClockChange(settled_hours=500.0), BY)
