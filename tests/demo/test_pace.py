"""The driver: the clock never runs past unread mail, and never past a deadline's own second with
the mailbox unread.
"""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.demo.agenda import Writer
from pbem.demo.cast import whole_cast
from pbem.demo.clock import START
from pbem.demo.pace import AFTER_DEADLINE, Pace, StalledError
from pbem.demo.stage import SERVICE_ADDRESS, SLUG, Playbill, Stage, open_stage, start_table
from pbem.demo.styles import Sender
from pbem.desk import gm
from pbem.registry import default_game, load_games


class Silent(Writer):
    """Reads what comes and never writes."""

    def __init__(self) -> None:
        super().__init__(Sender("Silent", "silent@hall.example", "UTC"))
        self.read_at: list[datetime] = []

    async def read(self, raw: bytes, now: datetime) -> None:
        self.read_at.append(now)


async def _unread(stage: Stage) -> int:
    async with stage.services.database.read() as work:
        return (await work.inbox.count_by_state()).get("new", 0)


@pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (a turn is played and nothing is shunted)"
)
async def test_time_goes_on_only_when_every_mail_is_read(tmp_path: Path) -> None:
    guest = Silent()
    async with open_stage(
        whole_cast()[:2],
        Playbill(default_game(load_games()).ruleset.id),
        3,
        tmp_path,
        guest=(whole_cast()[2], guest),
    ) as stage:
        await stage.pace.rest()
        await start_table(stage)
        await stage.pace.rest()
        address = whole_cast()[2].address
        for _ in range(12):
            before = stage.clock.now()
            await stage.pace.step()
            assert stage.clock.now() > before
            assert await _unread(stage) == 0
            assert len(guest.read_at) == stage.recorder.arrivals[address]
            assert guest.read_at[-1] <= stage.clock.now()


@pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (a turn is played and nothing is shunted)"
)
async def test_a_close_happens_a_second_after_its_deadline_and_the_hour_of_day_stays(
    tmp_path: Path,
) -> None:
    async with open_stage(
        (),
        Playbill(default_game(load_games()).ruleset.id),
        3,
        tmp_path,
        guest=(whole_cast()[0], Silent()),
    ) as stage:
        await stage.mail.add_account("second@harbour.example", "pass")
        await gm.invite(stage.services, SLUG, "Second", "second@harbour.example", gm.By("test"))
        await stage.pace.rest()
        await start_table(stage)
        await stage.pace.rest()
        first = await stage.moment()
        assert first.deadline == START + timedelta(hours=24)
        while await stage.phase_number() == first.phase_number:
            await stage.pace.step()
        assert stage.clock.now() == START + timedelta(hours=24) + AFTER_DEADLINE
        second = await stage.moment()
        assert second.deadline == START + timedelta(hours=96)


async def test_it_says_so_when_nothing_will_ever_happen(tmp_path: Path) -> None:
    async with open_stage(
        (),
        Playbill(default_game(load_games()).ruleset.id),
        3,
        tmp_path,
        guest=(whole_cast()[0], Silent()),
    ) as stage:
        await stage.pace.rest()
        async with stage.services.database.write() as work:  # a table that never expires
            (game,) = await work.games.list_by_status("open")
            assert await work.games.set_expiry(game.id, None)
        with pytest.raises(StalledError, match="nothing is due"):
            await Pace(stage.clock, stage.service, SERVICE_ADDRESS, stage.recorder.arrivals).step()
