"""What cannot stop a close: painters, rules and tables that fail, a service that dies; and what a replay finds."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from engine.ruleset import Event, Outcome
from pbem.desk import gm
from pbem.desk.ports import Picture, PictureFacts
from pbem.desk.sweep import sweep
from pbem.desk.verify import verify_game
from pbem.games import games_with
from pbem.store import tables
from tests.desk.harness import GM, PIXEL, USE_CASES, Desk, StillPainter, open_desk, parse, text_of
from tests.desk.looks import after, kinds_to, phase_of, status_of

PLAYERS = ("Anna", "Bartek", "Chloé")


async def test_a_replay_finds_a_changed_order_and_a_changed_event(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 5")
        await desk.everybody_passes()
        assert await verify_game(desk.parts, "heron") == []
        async with desk.parts.database.write() as work:
            await work.connection.execute(sa.update(tables.orders).values(orders='[{"order":"bid","amount":6}]'))
        assert any("differs" in line for line in await verify_game(desk.parts, "heron"))
        async with desk.parts.database.write() as work:
            await work.connection.execute(sa.update(tables.orders).values(orders='[{"order":"bid","amount":5}]'))
            first = sa.select(sa.func.min(tables.events.c.id)).where(tables.events.c.phase_number == 1).scalar_subquery()
            await work.connection.execute(sa.update(tables.events).where(tables.events.c.id == first).values(kind="forged"))
        differences = await verify_game(desk.parts, "heron")
        assert len(differences) == 1
        assert "forged" in differences[0]


class FailingPainter(StillPainter):
    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = None
        self._later = error

    def fail(self) -> None:
        self.error = self._later

    async def board(self, view: Any, events: Sequence[Event], land: bytes, facts: PictureFacts) -> Picture:
        if self.error is not None:
            raise self.error
        return Picture(PIXEL, "The realm.")


@pytest.mark.parametrize(
    "error", [OSError("no memory"), KeyError("colour"), RuntimeError("broken pool"), TypeError("None"), TimeoutError()]
)
async def test_a_painter_that_fails_does_not_stop_the_close_and_leaves_no_hole_in_the_mails(tmp_path: Path, error: Exception) -> None:
    painter = FailingPainter(error)
    async with open_desk(tmp_path, games=games_with(painter)) as desk:
        await desk.open_game()
        painter.fail()
        await desk.everybody_passes()
        assert (await status_of(desk))[1] == 2
        for name in PLAYERS:
            for mail in desk.letters(name)[-2:]:
                html = mail.get_body(("html",))
                assert html is not None
                assert "cid:" not in str(html.get_content())
                assert all(part.get_content_maintype() != "image" for part in mail.walk())


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
    """The desk's work, where a job may fail as it may in a worker: it is logged there, and the sweep asks again."""
    for _ in range(8):
        await sweep(desk.parts)
        jobs, desk.jobs.asked = desk.jobs.asked, []
        await asyncio.gather(*(USE_CASES[name](desk.parts, *ids) for name, ids in jobs), return_exceptions=True)


async def test_a_close_that_fails_is_tried_three_times_the_gm_is_told_once_and_other_games_go_on(tmp_path: Path) -> None:
    games = dict(games_with(StillPainter()))
    rules = Poisoned(games["protectors"].ruleset)
    games["protectors"] = replace(games["protectors"], ruleset=rules)
    async with open_desk(tmp_path, games=games) as desk:
        await desk.open_game(players=3)
        await desk.open_game(players=2, slug="egret")
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        await run_failing(desk)
        status, number, attempts = await status_of(desk)
        assert (status, number) == ("running", 1)
        assert attempts == 4, "three tries and the mark that they were enough"
        assert (await status_of(desk, "egret"))[1] == 2
        assert await kinds_to(desk, "close-failed") == [GM]
        failed = [text_of(parse(raw)) for raw in desk.postbox.to(GM) if "ZeroDivisionError" in text_of(parse(raw))]
        assert len(failed) == 1
        rules.poisoned = False
        assert await gm.close_now(desk.parts, "heron", 1, gm.By("Greta"))
        await run_failing(desk)
        assert (await status_of(desk))[1:] == (2, 0)


class Overdrawn(Poisoned):
    """The rules of a game, except that a close takes more $Realm than somebody has."""

    def adjudicate(self, state: Any, orders: Any, chance: Any) -> Any:
        outcome = self._rules.adjudicate(state, orders, chance)
        players = (msgspec.structs.replace(outcome.state.players[0], realm=-1), *outcome.state.players[1:])
        return Outcome(msgspec.structs.replace(outcome.state, players=players), outcome.events) if self.poisoned else outcome


async def test_f48_a_state_that_breaks_an_invariant_never_reaches_the_store(tmp_path: Path) -> None:
    games = dict(games_with(StillPainter()))
    rules = Overdrawn(games["protectors"].ruleset)
    games["protectors"] = replace(games["protectors"], ruleset=rules)
    rules.poisoned = False
    async with open_desk(tmp_path, games=games) as desk:
        await desk.open_game()
        rules.poisoned = True
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        await run_failing(desk)
        assert (await status_of(desk))[:2] == ("running", 1)
        async with desk.parts.database.read() as work:
            assert await work.states.find(1, 2) is None
        assert await kinds_to(desk, "close-failed") == [GM]
        rules.poisoned = False
        assert await gm.close_now(desk.parts, "heron", 1, gm.By("Greta"))
        await run_failing(desk)
        assert (await status_of(desk))[1] == 2


async def test_a_service_that_dies_in_each_try_tells_the_gm_as_well(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        async with desk.parts.database.write() as work:
            for _ in range(3):
                await work.games.count_attempt(1)
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        await desk.work()
        assert (await status_of(desk))[1:] == (1, 4)
        assert await kinds_to(desk, "close-failed") == [GM]
        await desk.work()
        assert await kinds_to(desk, "close-failed") == [GM]


async def test_a_table_that_cannot_be_read_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        async with desk.parts.database.write() as work:
            await work.connection.execute(sa.update(tables.states).where(tables.states.c.game_id == 1).values(body=b"{}"))
        for name in PLAYERS:
            await desk.write(name, "bid 1. final")
        assert (await status_of(desk, "egret"))[1] == 2
