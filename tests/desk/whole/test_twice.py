"""Every job may run twice: a whole game in which each does comes out as one in which none does."""

import asyncio
from collections import Counter
from pathlib import Path

from tests.desk.harness import USE_CASES, open_desk
from tests.desk.scenario import SCRIPT, play, read_record
from tests.rings import at_length


async def test_every_job_done_twice_or_thrice_makes_the_same_game_and_the_same_letters(
    tmp_path: Path,
) -> None:
    records, mails = [], []
    for times in range(1, at_length(2, 3) + 1):
        folder = tmp_path / str(times)
        folder.mkdir()
        async with open_desk(folder) as desk:
            await play(desk, folder / "progress", times=times, until=at_length(20, len(SCRIPT)))
            records.append(await read_record(desk))
            mails.append(Counter(desk.postbox.mails))
    assert records[0]["game"][0] == at_length("running", "over")
    for record in records[1:]:
        for part, rows in records[0].items():
            assert record[part] == rows, part
    assert all(found == mails[0] for found in mails)
    assert max(mails[0].values()) == 1


async def test_the_same_jobs_at_the_same_time_do_their_work_once(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as alone:
        await play(alone, tmp_path / "progress", until=6)
        before = await read_record(alone)
        asked = [("deliver", (number,)) for number in range(1, 20)] + [
            ("close_phase", (1, 1)),
            ("remind", (1, 1)),
            ("receive", (1,)),
        ]
        await asyncio.gather(*(USE_CASES[name](alone.services, *ids) for name, ids in asked * 3))
        assert await read_record(alone) == before
        alone.clock.forward(hours=24)
        await asyncio.gather(*(USE_CASES["close_phase"](alone.services, 1, 1) for _ in range(5)))
        await alone.work()
        record = await read_record(alone)
    assert record["game"][:2] == ["running", 2]
    assert [row[0] for row in record["states"]] == [1, 2]
    assert max(Counter(alone.postbox.mails).values()) == 1
    keys = [key for *_, key, _, _ in record["outbox"]]
    assert len([key for key in keys if key.startswith("bulletin")]) == 1, "the game master's"
    assert len([key for key in keys if key.startswith("turn:1:2:")]) == 3
