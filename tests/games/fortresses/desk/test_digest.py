"""Where one kingdom acts after another, news of the others waits: for one's own turn, for an attack,
or for a morning; told once, whatever happens between.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.desk import gm
from pbem.mail.smtp import SmtpOutbound
from pbem.store.repositories.post.outbox import OutboxRow
from tests.desk.harness import Desk, StandingClock, changed, open_desk, parse, text_of
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.looks import phase_of
from tests.trouble.test_smtp_trouble import ScriptedServer

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro")
SATURDAY = datetime(2026, 10, 23, 22, 30, tzinfo=UTC)
"""In the next night the clocks of Berlin go back."""


async def asked(desk: Desk) -> str:
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    return NAMES[phase.asked[0] - 1]


async def held(desk: Desk) -> dict[str, OutboxRow]:
    """What waits for each player."""
    async with desk.services.database.read() as work:
        rows = await work.outbox.list_held(1, "bulletin", desk.clock.now())
    return {row.address.partition("@")[0].capitalize(): row for row in rows}


def told(desk: Desk, name: str) -> list[str]:
    """The subjects of all that came to a player."""
    return [str(mail["Subject"]) for mail in desk.letters(name)]


async def open_table(desk: Desk) -> None:
    await desk.open_game(4, names=NAMES, ruleset="fortresses")


async def test_what_others_did_is_told_with_the_next_question(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        for _ in range(3):
            before = {name: told(desk, name) for name in NAMES}
            await desk.everybody_passes()
            next_one = await asked(desk)
            for name in NAMES:
                new = [
                    one for one in told(desk, name)[len(before[name]) :] if "reminder" not in one
                ]
                assert len(new) == (name == next_one), (name, new)
        waiting = await held(desk)
        assert set(waiting) | {next_one} == {"Anna", "Bartek", "Chloe", "Dmytro"}
        assert "The rules buy 12 units" in told(desk, next_one)[-1]


async def test_an_attack_is_told_at_once_to_whom_it_hits_and_to_nobody_else(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await desk.everybody_passes()
        attacker = await asked(desk)
        before = {name: len(told(desk, name)) for name in NAMES}
        await desk.write(attacker, "Attack Syria with 2L 1K from Egypt. Done")
        new = {name: told(desk, name)[before[name] :] for name in NAMES if name != attacker}
        hit = [name for name, letters in new.items() if letters]
        assert len(hit) == 1
        assert "Syria" in text_of(desk.letters(hit[0])[-1])
        assert set(await held(desk)) >= {name for name in new if name != hit[0]}


async def test_news_at_once_brings_what_waits_and_then_each(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        name = await asked(desk)
        await desk.everybody_passes()
        assert name in await held(desk)
        await desk.write(name, "settings")
        assert name in await held(desk)
        answer = await desk.write(name, "news at once")
        assert answer is not None
        assert name not in await held(desk)
        before = len(told(desk, name))
        for _ in range(2):
            if await asked(desk) != name:
                await desk.everybody_passes()
                assert name not in await held(desk)
                assert len(told(desk, name)) > before
                before = len(told(desk, name))
        await desk.write(name, "news together")
        await desk.everybody_passes()
        assert name in await held(desk) or await asked(desk) == name


@asynccontextmanager
async def sending_by(server: ScriptedServer, desk: Desk) -> AsyncIterator[None]:
    """The desk sends by this server."""
    async with SmtpOutbound(server.settings) as outbound:
        desk.services = changed(desk.services, outbound=outbound)
        yield


@pytest.mark.parametrize("step", ["", "close.written", "close.kept"])
async def test_news_comes_once_in_the_morning_by_a_real_server_though_the_service_is_killed(
    tmp_path: Path, step: str
) -> None:
    """Two closes are held as one letter, the process dying in the second; it comes at eight by the
    reader's clock.
    """
    clock, steps, server = StandingClock(SATURDAY), DiesAt(step), ScriptedServer()
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    async with open_desk(tmp_path, clock=clock, steps=steps) as desk, sending_by(server, desk):
        await open_table(desk)
        await desk.everybody_passes()
        steps.armed = bool(step)
        with suppress(Ended):
            await desk.everybody_passes()
    async with open_desk(tmp_path, clock=clock) as desk, sending_by(server, desk):
        await desk.work()
        assert (await phase_of(desk)).number == 3
        await gm.pause(desk.services, "heron", gm.By("test"))
        await desk.work()
        row = min((await held(desk)).values(), key=lambda row: row.due_at)
        zone = ZoneInfo("Europe/Berlin")
        assert row.due_at.astimezone(zone) == datetime(2026, 10, 28, 8, tzinfo=zone)
        clock.instant = row.due_at - timedelta(seconds=1)
        await desk.work()
        assert row.message_id not in _ids(server)
        clock.instant = row.due_at
        for _ in range(3):
            await desk.work(times=2)
        assert _ids(server)[row.message_id] == 1
        assert not await held(desk)
    assert set(_ids(server).values()) == {1}
    listening.close()
    await server.close()


def _ids(server: ScriptedServer) -> Counter[str | None]:
    return Counter(str(parse(raw)["Message-ID"]) for raw in server.taken)
