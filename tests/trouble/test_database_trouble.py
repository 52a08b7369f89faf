"""A disk that is full, a database that somebody else holds, a file that cannot be written: at every
unit of work of the scenario.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.desk.phases.sweep import sweep
from pbem.store.database import open_database
from pbem.store.errors import StoreBusy, StoreError, StoreUnwritable
from tests.desk.harness import USE_CASES, Desk, open_desk, text_of
from tests.desk.scenario import SCRIPT, STEPS, moment_of, read_record
from tests.rings import at_length
from tests.trouble.databases import Kind, TroubledDatabase

LINES = 22
"""So far the script is played: orders, confirmations, reminders, a held close, closes, a moved
deadline, a bounce, a late mail.
"""
SPREAD = 7
"""Every seventh unit of work fails; in seven runs that is each of them."""
MOST_FAILURES = 500
ERRORS: dict[Kind, type[StoreError]] = {
    "full": StoreUnwritable,
    "locked": StoreBusy,
    "read-only": StoreUnwritable,
}


async def play_through(desk: Desk) -> Counter[str]:
    """Play the script as a service would live it: what fails is tried again when the sweep finds
    it, a mail when the watcher does.

    What was raised, by its name.
    """
    raised: Counter[str] = Counter()
    for index, step in enumerate(SCRIPT[:LINES]):
        desk.clock.instant = moment_of(step)
        while await _fails(STEPS[step.what](desk, index, step.words), raised):
            assert raised.total() < MOST_FAILURES
        await _work(desk, raised)
    desk.clock.forward(minutes=10)  # leases of letters whose sending could not be recorded run out
    await _work(desk, raised)
    return raised


async def _fails(work: Awaitable[object], raised: Counter[str]) -> bool:
    """Whether it ends with an error of the store; no other is expected."""
    try:
        await work
    except StoreError as error:
        raised[type(error).__name__] += 1
        return True
    return False


async def _work(desk: Desk, raised: Counter[str]) -> None:
    """Until nothing is due, or nothing of it can be done now, and nothing failed."""
    asked: object = None
    same = 0
    for _ in range(80):
        failed = raised.total()
        before, asked = asked, None
        try:
            asked = await sweep(desk.services)
        except StoreError as error:
            raised[type(error).__name__] += 1
        jobs, desk.jobs.asked = desk.jobs.asked, []
        for name, ids in jobs:
            await _fails(USE_CASES[name](desk.services, *ids), raised)
        same = same + 1 if raised.total() == failed and asked == before else 0
        if raised.total() == failed and (not jobs or same > 2):
            return
    raise AssertionError("never at rest")


@asynccontextmanager
async def troubled_desk(
    folder: Path, kind: Kind, first_bad: int
) -> AsyncIterator[tuple[Desk, TroubledDatabase]]:
    database = open_database(
        f"sqlite+aiosqlite:///{folder / 'pbem.sqlite'}", busy_timeout_seconds=0.01
    )
    async with open_desk(folder, database=database) as desk:
        troubled = TroubledDatabase(
            database, kind, lambda number: bool(first_bad) and number % SPREAD == first_bad - 1
        )
        yield replace(desk, services=replace(desk.services, database=troubled)), troubled


Undisturbed = tuple[dict[str, list[object]], Counter[tuple[str, bytes]]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    async def run() -> Undisturbed:
        async with troubled_desk(tmp_path_factory.mktemp("undisturbed"), "full", 0) as (desk, _):
            assert not await play_through(desk)
            return await read_record(desk), Counter(
                (mail.recipient, mail.raw) for mail in desk.postbox.mails
            )

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("kind", "first_bad"),
    [
        *(("full", number) for number in range(1, SPREAD + 1, at_length(SPREAD, 1))),
        *at_length((), (("locked", 3), ("read-only", 2))),
    ],
)
async def test_trouble_at_any_unit_of_work_is_told_and_made_up_for(
    tmp_path: Path, kind: Kind, first_bad: int, undisturbed: Undisturbed
) -> None:
    record, letters = undisturbed
    async with troubled_desk(tmp_path, kind, first_bad) as (desk, database):
        with capture_logs() as logs:
            raised = await play_through(desk)
        # sent while the next one takes its time: nobody is there to raise it to
        logged = sum(line["event"] == "letters-not-recorded" for line in logs)
        assert raised.total() + logged == database.failures > 20
        assert set(raised) == {ERRORS[kind].__name__}
        mine = await read_record(desk)
        sent = Counter((mail.recipient, mail.raw) for mail in desk.postbox.mails)
    for part, rows in record.items():
        assert mine[part] == rows, part
    assert set(sent) == set(letters), "every letter, and byte for byte the same"


async def test_a_letter_whose_sending_cannot_be_recorded_is_sent_once_as_long_as_we_live(
    tmp_path: Path,
) -> None:
    async with troubled_desk(tmp_path, "full", 0) as (desk, database):
        await desk.open_game()
        await desk.write("Anna", "bid 3", work=False)
        await USE_CASES["receive"](desk.services, 1)
        before = len(desk.postbox.mails)
        recording = database.writes + 2
        database._is_bad = lambda number: number == recording
        with pytest.raises(StoreUnwritable):
            await desk.work()
        desk.clock.forward(minutes=1)
        await desk.work()
        desk.clock.forward(minutes=5)
        await desk.work()
        assert len(desk.postbox.mails) == before + 1
        assert "Bid 3" in text_of(desk.last("Anna"))
        async with desk.services.database.read() as work:
            assert set(await work.outbox.count_by_state()) == {"sent"}
