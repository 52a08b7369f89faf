"""Reading in a process of its own: what takes too long is laid aside, and holds nobody."""

import asyncio
import dataclasses
import os
import signal
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from engine.ruleset import Standing
from pbem.apart import Allowance, OwnProcess
from pbem.desk.messages.opening import warming_readers
from pbem.desk.ports import InThread
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Reading
from tests.desk.harness import Desk, changed, open_desk, text_of
from tests.desk.looks import kinds_to
from tests.desk.messages.test_receive import outcomes
from tests.played import GAME, PLAYED

ENDLESS = "for ever and ever"


def read_for_ever(state: Any, player: int, standing: Standing[Any], said: Said) -> Reading:
    """The reader of the game, with a text that it does not come to an end of."""
    while ENDLESS in said.text:
        pass
    return GAME.read(state, player, standing, said)


def with_endless_reader(desk: Desk, apart: OwnProcess) -> None:
    games = {
        name: dataclasses.replace(game, read=read_for_ever)
        for name, game in desk.services.games.items()
    }
    desk.services = changed(desk.services, games=games, apart=apart)


async def test_a_house_that_closes_before_its_readers_are_warm_logs_no_failure() -> None:
    with capture_logs() as logs:
        async with warming_readers(InThread(), {PLAYED: GAME}):
            pass
    assert logs == []


async def test_f9_a_reader_that_never_ends_lays_the_message_aside_and_the_next_is_read(
    tmp_path: Path,
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    async with (
        OwnProcess(Allowance(seconds=3, octets=1 << 30)) as apart,
        open_desk(tmp_path) as desk,
    ):
        await desk.open_game()
        with_endless_reader(desk, apart)
        await desk.write("Anna", ENDLESS, work=False)
        await desk.write("Bartek", "bid 5", work=False)
        working = asyncio.create_task(desk.work())
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
        assert not working.done(), "SIGTERM is heard while it reads"
        await working
        assert await outcomes(desk) == ["shunted:took-too-long", "handled:orders"]
        assert "We could not handle your mail" in " ".join(
            text_of(desk.letters("Anna")[-1]).split()
        )
        assert await kinds_to(desk, "set-aside") == ["anna@players.example"]
    loop.remove_signal_handler(signal.SIGTERM)


async def test_mails_read_in_the_process_say_what_they_say_in_a_thread(tmp_path: Path) -> None:
    async with (
        OwnProcess(Allowance(seconds=5, octets=1 << 30)) as apart,
        open_desk(tmp_path) as desk,
    ):
        await desk.open_game()
        desk.services = changed(desk.services, apart=apart)
        for text in (
            *("bid 5", "To Bartek: shall we?\n\nbid 6", "status", "what if I bid 3?"),
            *("GM: hello\n\nbid 4", "ready"),
        ):
            await desk.write("Anna", text)
        assert all(outcome.startswith("handled:") for outcome in await outcomes(desk)), (
            await outcomes(desk)
        )
