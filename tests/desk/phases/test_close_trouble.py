"""What cannot stop a close: painters, rules and tables that fail, a service that dies; and what a
replay finds.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from engine.ruleset import Event, Outcome
from pbem.board.board import Board, Picture, TableFacts
from pbem.desk import gm
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.sweep import next_due_at, sweep
from pbem.desk.upkeep.records import verify_game
from pbem.registry import load_games
from pbem.store import tables
from pbem.store.errors import StoreError
from tests.desk.harness import GM, PIXEL, USE_CASES, Desk, StillPainter, open_desk, parse, text_of
from tests.desk.looks import after, kinds_to, phase_of, status_of
from tests.played import PLAYED

PLAYERS = ("Anna", "Bartek", "Chloé")


async def test_a_replay_finds_a_changed_order_and_a_changed_event(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 5")
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []
    async with desk.services.database.write() as work:
        await work.connection.execute(
            sa.update(tables.orders).values(orders='[{"order":"bid","amount":6}]')
        )
    assert any("differs" in line for line in await verify_game(desk.services, "heron"))
    async with desk.services.database.write() as work:
        await work.connection.execute(
            sa.update(tables.orders).values(orders='[{"order":"bid","amount":5}]')
        )
        first = (
            sa.select(sa.func.min(tables.events.c.id))
            .where(tables.events.c.phase_number == 1)
            .scalar_subquery()
        )
        await work.connection.execute(
            sa.update(tables.events).where(tables.events.c.id == first).values(kind="forged")
        )
    differences = await verify_game(desk.services, "heron")
    assert len(differences) == 1
    assert "forged" in differences[0]


class FailingPainter(StillPainter):
    def __init__(self, error: BaseException) -> None:
        self.error: BaseException | None = None
        self._later = error

    def fail(self) -> None:
        self.error = self._later

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        if self.error is not None:
            raise self.error
        return Picture(PIXEL, "The realm.")


@pytest.mark.parametrize(
    "error",
    [
        OSError("no memory"),
        KeyError("colour"),
        RuntimeError("broken pool"),
        TypeError("None"),
        TimeoutError(),
        ImportError("libEGL.so.1: cannot open shared object file"),
    ],
)
async def test_a_painter_that_fails_does_not_stop_the_close_and_leaves_no_hole_in_the_mails(
    tmp_path: Path, error: Exception
) -> None:
    painter = FailingPainter(error)
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        painter.fail()
        with capture_logs() as logs:
            await desk.everybody_passes()
        is_unlinked = isinstance(error, ImportError)
        assert {"no-picture" if is_unlinked else "picture-failed"} == {
            log["event"] for log in logs if "picture" in log["event"]
        }
        assert is_unlinked != any("exc_info" in log for log in logs)  # F-101: never a traceback
        assert (await status_of(desk))[1] == 2
        for name in PLAYERS:
            for mail in desk.letters(name)[-1:]:
                html = mail.get_body(("html",))
                assert html is not None
                assert "cid:board" not in str(html.get_content())
                names = {part.get_filename() for part in mail.walk()}
                assert "board.png" not in names


class Poisoned:
    """The rules of a game, except that some games cannot be adjudicated."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self.poisoned = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def adjudicate(self, state: Any, orders: Any, chance: Any) -> Any:
        if self.poisoned and len(state.players) == 3:
            raise ZeroDivisionError("a fault in the rules")
        return self._rules.adjudicate(state, orders, chance)


async def run_failing(desk: Desk) -> None:
    """The desk's work, where a job may fail as it may in a worker: it is logged there, and the
    sweep asks again.
    """
    for _ in range(8):
        await sweep(desk.services)
        jobs, desk.jobs.asked = desk.jobs.asked, []
        await asyncio.gather(
            *(USE_CASES[name](desk.services, *ids) for name, ids in jobs), return_exceptions=True
        )


async def test_f8_a_close_that_fails_three_times_waits_is_tried_again_by_itself_and_the_gm_is_told(
    tmp_path: Path,
) -> None:
    games = dict(load_games())
    rules = Poisoned(games[PLAYED].ruleset)
    games[PLAYED] = replace(games[PLAYED], ruleset=rules)
    async with open_desk(tmp_path, games=games) as desk:
        await desk.open_game(players=3)
        await desk.open_game(players=2, slug="egret")
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        await run_failing(desk)
        status, number, attempts = await status_of(desk)
        assert (status, number) == ("running", 1)
        assert attempts == 3
        assert (await status_of(desk, "egret"))[1] == 2
        assert await kinds_to(desk, "close-failed") == [GM]
        failed = [
            text_of(parse(raw))
            for raw in desk.postbox.to(GM)
            if "ZeroDivisionError" in text_of(parse(raw))
        ]
        assert len(failed) == 1
        assert "in 10 minutes" in " ".join(failed[0].split())
        tried, told = [], []
        for _ in range(26):
            again_at = await next_due_at(desk.services)
            assert again_at is not None
            tried.append((again_at - desk.clock.instant) / timedelta(minutes=1))
            desk.clock.instant = again_at
            await run_failing(desk)
            told.append(len(await kinds_to(desk, "close-failed")))
        assert tried == [10.0] + [60.0] * 25
        assert told == [2] * 24 + [3] * 2
        rules.poisoned = False
        desk.clock.forward(hours=1)
        await run_failing(desk)
        assert (await status_of(desk))[1:] == (2, 0)


class Overdrawn(Poisoned):
    """The rules of a game, except that a close takes more $Realm than somebody has."""

    def adjudicate(self, state: Any, orders: Any, chance: Any) -> Any:
        outcome = self._rules.adjudicate(state, orders, chance)
        players = (
            msgspec.structs.replace(outcome.state.players[0], realm=-1),
            *outcome.state.players[1:],
        )
        return (
            Outcome(msgspec.structs.replace(outcome.state, players=players), outcome.events)
            if self.poisoned
            else outcome
        )


async def test_f48_a_state_that_breaks_an_invariant_never_reaches_the_store(tmp_path: Path) -> None:
    games = dict(load_games())
    rules = Overdrawn(games[PLAYED].ruleset)
    games[PLAYED] = replace(games[PLAYED], ruleset=rules)
    rules.poisoned = False
    async with open_desk(tmp_path, games=games) as desk:
        await desk.open_game()
        rules.poisoned = True
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        await run_failing(desk)
        assert (await status_of(desk))[:2] == ("running", 1)
        async with desk.services.database.read() as work:
            assert await work.states.find(1, 2) is None
        assert await kinds_to(desk, "close-failed") == [GM]
        rules.poisoned = False
        assert await gm.close_now(desk.services, "heron", 1, gm.By("Greta"))
        await run_failing(desk)
        assert (await status_of(desk))[1] == 2


async def test_a_close_that_waits_is_tried_at_once_where_the_gm_says_so(desk: Desk) -> None:
    await desk.open_game()
    desk.clock.instant = after(await phase_of(desk), seconds=2)
    await count_tries(desk, 3)
    await desk.work()
    assert (await status_of(desk))[1:] == (1, 3)
    assert await gm.close_now(desk.services, "heron", 1, gm.By("Greta"))
    await desk.work()
    assert (await status_of(desk))[1:] == (2, 0)


async def count_tries(desk: Desk, tries: int) -> None:
    async with desk.services.database.write() as work:
        for _ in range(tries):
            await work.games.count_attempt(1, desk.clock.now())


class Ended(BaseException):
    """As if the process were gone."""


class EndsAt:
    """The process ends at this step, or it fails there."""

    def __init__(self, step: str, error: BaseException | None = None) -> None:
        self.step, self.error = step, error or Ended()

    def reached(self, step: str) -> None:
        if step == self.step:
            raise self.error


async def test_f8_three_deaths_in_a_close_stop_the_table_for_ten_minutes_and_no_other_death_counts(
    desk: Desk,
) -> None:
    await desk.open_game()
    alive = desk.services
    desk.clock.instant = after(await phase_of(desk), seconds=2)
    for _ in range(5):  # the service begins, sweeps, and ends, and no close has begun
        await sweep(alive)
        desk.jobs.asked.clear()
    assert (await status_of(desk))[1:] == (1, 0)
    for _ in range(3):
        with pytest.raises(Ended):
            await close_phase(replace(alive, steps=EndsAt("close.rendered")), 1, 1)
        desk.clock.forward(minutes=1)
    for _ in range(3):
        await desk.work()
    assert (await status_of(desk))[1:] == (1, 3)
    assert await kinds_to(desk, "close-failed") == [GM]
    assert "the service ended during each try" in " ".join(
        text_of(parse(desk.postbox.to(GM)[-1])).split()
    )
    desk.clock.forward(minutes=9)
    await desk.work()
    assert (await status_of(desk))[1:] == (2, 0)


async def test_a_database_that_cannot_be_written_is_not_counted_against_the_table(
    desk: Desk,
) -> None:
    await desk.open_game()
    desk.clock.instant = after(await phase_of(desk), seconds=2)
    full = replace(desk.services, steps=EndsAt("close.painted", StoreError("disk full")))
    for _ in range(4):
        with pytest.raises(StoreError):
            await close_phase(full, 1, 1)
        assert await status_of(desk) == ("running", 1, 0)
    await desk.work()
    assert await kinds_to(desk, "close-failed") == []
    assert (await status_of(desk))[1:] == (2, 0)


async def test_f8_a_death_while_another_process_paints_is_not_counted_against_the_table(
    tmp_path: Path,
) -> None:
    painter = FailingPainter(Ended())
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.fail()
        for _ in range(3):
            with pytest.raises(Ended):
                await close_phase(desk.services, 1, 1)
        assert await status_of(desk) == ("running", 1, 0)


async def test_a_table_that_cannot_be_read_does_not_keep_the_others_waiting(desk: Desk) -> None:
    await desk.open_game()
    await desk.open_game(slug="egret")
    async with desk.services.database.write() as work:
        await work.connection.execute(
            sa.update(tables.states).where(tables.states.c.game_id == 1).values(body=b"{}")
        )
    for name in PLAYERS:
        await desk.write(name, "bid 1. final")
    assert (await status_of(desk, "egret"))[1] == 2
