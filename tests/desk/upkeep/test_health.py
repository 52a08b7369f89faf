"""How the service is, told from the database alone."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

from pbem.desk.upkeep.health import (
    DISK_LIMIT_BYTES,
    DISK_LONG_BYTES,
    Health,
    Reason,
    SignsOfLife,
    Verdict,
    judge_health,
    look_at_health,
    read_health,
)
from pbem.store.database import open_database
from pbem.store.repositories.figures import Figures
from pbem.store.repositories.marks import (
    CLOSED,
    DELIVERED,
    DRAINED,
    SWEPT,
    TELEGRAM_HEARD,
    TELEGRAM_STOPPED,
)
from tests.desk.dates import NOON
from tests.desk.harness import Desk, open_desk
from tests.rows import each_row

QUIET = Figures(
    marks={SWEPT: NOON, DRAINED: NOON},
    inbox_waiting=0,
    inbox_oldest_at=None,
    shunted=0,
    outbox_waiting=0,
    outbox_oldest_at=None,
    outbox_refused_lately=0,
    games_running=1,
    overdue_closes=0,
    held_closes=0,
    failed_closes=0,
    suspended_addresses=0,
)


def ago(**span: float) -> datetime:
    return NOON - timedelta(**span)


async def look(desk: Desk) -> Health:
    return await read_health(desk.services.database, desk.clock.now(), 10**12)


async def test_a_service_that_works_is_ok(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        signs = SignsOfLife(desk.services)
        await desk.open_game()
        await desk.write("Anna", "bid 1")
        await desk.everybody_passes()
        await signs.renew()
        found = await look(desk)
    assert (found.verdict, found.reasons) == (Verdict.OK, ())
    assert (found.games_running, found.inbox_waiting, found.outbox_waiting) == (1, 0, 0)
    for name in (SWEPT, DRAINED, CLOSED, DELIVERED):
        assert 0 <= found.marks[name].age_seconds < 60


async def test_a_database_that_was_never_served_says_so(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        found = await look(desk)
    assert (found.verdict, found.reasons) == (Verdict.FAILING, ("never-served",))


async def test_a_service_that_died_is_found_out_in_less_than_two_minutes(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        signs = SignsOfLife(desk.services)
        await signs.renew()
        desk.clock.forward(seconds=29)
        await signs.renew()
        assert (await look(desk)).marks[SWEPT].age_seconds == 29
        desk.clock.forward(seconds=1)
        await signs.renew()
        assert (await look(desk)).marks[SWEPT].age_seconds == 0
        desk.clock.forward(seconds=119)
        found = await look(desk)
    assert (found.verdict, found.reasons) == (Verdict.FAILING, ("service-silent",))


async def test_a_mailbox_that_cannot_be_read_holds_a_close_and_is_told(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        signs = SignsOfLife(desk.services)
        await desk.open_game()
        await signs.renew()
        desk.mailbox.broken = True
        await desk.everybody_passes()
        await signs.renew()
        found = await look(desk)
    assert (found.verdict, found.held_closes, found.overdue_closes) == (Verdict.FAILING, 1, 0)
    assert found.reasons == ("close-held", "mailbox-unread")


async def test_a_deadline_that_is_over_without_a_close_is_failing(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        async with desk.services.database.read() as work:
            (phase,) = await work.phases.list_running()
        desk.clock.instant = phase.deadline + timedelta(minutes=4)
        await SignsOfLife(desk.services).renew()
        assert (await look(desk)).overdue_closes == 0
        desk.clock.forward(minutes=2)
        await SignsOfLife(desk.services).renew()
        found = await look(desk)
    assert (found.verdict, found.reasons, found.overdue_closes) == (
        Verdict.FAILING,
        ("close-overdue",),
        1,
    )


async def test_f14_a_strangers_flood_that_waits_for_its_budget_is_no_delay(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "hello", sender="flood@stranger.example", token=False, work=False)
    desk.clock.forward(hours=2)
    await SignsOfLife(desk.services).renew()
    found = await look(desk)
    assert (found.verdict, found.inbox_waiting, found.inbox_lag_seconds) == (Verdict.OK, 1, 0)


async def test_messages_and_letters_that_wait_are_counted_with_their_age(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 1", work=False)
    desk.clock.forward(minutes=2)
    await SignsOfLife(desk.services).renew()
    found = await look(desk)
    assert (found.verdict, found.reasons) == (Verdict.DEGRADED, ("inbox-waits",))
    assert (found.inbox_waiting, found.inbox_lag_seconds) == (1, 120)


@each_row(
    ("figures", "free", "verdict", "reasons"),
    [
        ({}, None, "ok", ()),
        ({"shunted": 1}, None, "degraded", ("shunted",)),
        ({"suspended_addresses": 3, "outbox_refused_lately": 2}, None, "ok", ()),
        (
            {"outbox_waiting": 1, "outbox_oldest_at": ago(minutes=61)},
            None,
            "degraded",
            ("outbox-waits",),
        ),
        (
            {"outbox_waiting": 1, "outbox_oldest_at": ago(hours=25)},
            None,
            "failing",
            ("outbox-waits",),
        ),
        (
            {"inbox_waiting": 1, "inbox_oldest_at": ago(minutes=16)},
            None,
            "failing",
            ("inbox-waits",),
        ),
        ({"marks": {SWEPT: NOON}}, None, "degraded", ("mailbox-unread",)),
        ({"marks": {SWEPT: NOON, DRAINED: ago(minutes=6)}}, None, "degraded", ("mailbox-unread",)),
        ({"marks": {SWEPT: NOON, DRAINED: ago(minutes=61)}}, None, "failing", ("mailbox-unread",)),
        ({"marks": {SWEPT: NOON, DRAINED: NOON, TELEGRAM_HEARD: NOON}}, None, "ok", ()),
        (
            {"marks": {SWEPT: NOON, DRAINED: ago(minutes=6), TELEGRAM_HEARD: ago(minutes=6)}},
            None,
            "degraded",
            ("telegram-unread",),
        ),
        (
            {"marks": {SWEPT: NOON, DRAINED: ago(minutes=6), TELEGRAM_HEARD: NOON}},
            None,
            "degraded",
            ("mailbox-unread",),
        ),
        (
            {"marks": {SWEPT: NOON, TELEGRAM_HEARD: ago(minutes=61)}},
            None,
            "failing",
            ("telegram-unread",),
        ),
        (
            {"marks": {SWEPT: NOON, DRAINED: NOON, TELEGRAM_HEARD: NOON, TELEGRAM_STOPPED: NOON}},
            None,
            "failing",
            ("telegram-stopped",),
        ),
        ({"marks": {SWEPT: ago(minutes=-3), DRAINED: NOON}}, None, "failing", ("clock-behind",)),
        ({"failed_closes": 1}, None, "failing", ("close-failed",)),
        ({"held_closes": 1}, None, "degraded", ("close-held",)),
        ({}, DISK_LIMIT_BYTES, "ok", ()),
        ({}, DISK_LIMIT_BYTES - 1, "degraded", ("disk-low",)),
        ({}, DISK_LONG_BYTES - 1, "failing", ("disk-low",)),
    ],
)
def test_the_worst_reason_is_the_verdict(
    figures: dict[str, object], free: int | None, verdict: str, reasons: tuple[Reason, ...]
) -> None:
    values = {name: getattr(QUIET, name) for name in QUIET.__struct_fields__} | figures
    found = judge_health(Figures(**values), NOON, free)
    assert (found.verdict.value, found.reasons) == (verdict, reasons)


async def test_a_file_that_is_no_database_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "pbem.sqlite").write_bytes(
        b"this is no database at all, however long it is looked at" * 100
    )
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'pbem.sqlite'}")
    try:
        found = await look_at_health(database, NOON)
    finally:
        await database.dispose()
    assert (found.verdict, found.reasons, found.is_known) == (
        Verdict.FAILING,
        ("database-unreachable",),
        False,
    )


async def test_an_older_database_is_outdated_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "pbem.sqlite"
    file.touch()
    database = open_database(f"sqlite+aiosqlite:///{file}")
    try:
        found = await look_at_health(database, NOON)
        async with database.read() as work:
            tables = (await work.connection.exec_driver_sql("SELECT name FROM sqlite_master")).all()
    finally:
        await database.dispose()
    assert found.reasons == ("database-outdated",)
    assert tables == []


async def test_looking_disturbs_nobody_who_writes(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk, desk.services.database.write() as work:
        await work.marks.put(SWEPT, NOON)
        async with asyncio.timeout(5):
            found = await look(desk)
    assert found.reasons == ("never-served",)
