"""`pbem serve` is killed at random moments while a table plays by mail and by chat: nothing lost,
halted or done twice. No message is killed more than twice in its own handling: the third time would
lay it aside, as `tests/desk/messages/test_mishaps.py` has it.

Here six times, and with RING=full fifteen; `PBEM_KILLS_FROM_OUTSIDE=500` kills so often, and
`PBEM_KILLS_SEED` draws other moments.
"""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.cli.exits import EXIT_TEMPORARY
from pbem.desk.messages.mishaps import SURVIVALS
from tests.house.outside import (
    BY_PHASE,
    PATIENCE_SECONDS,
    PHASES,
    Lives,
    Table,
    Town,
    Windows,
    at_rest,
    open_town,
    records_of,
)
from tests.rings import at_length
from tests.servers.dovecot import running_dovecot

KILLS = int(os.environ.get("PBEM_KILLS_FROM_OUTSIDE", str(at_length(3, 15))))
SEED = int(os.environ.get("PBEM_KILLS_SEED", "1"))
WHOLE_TABLES = 3
"""So many tables are played without kills, to compare with: more would be the same again."""
STARTING, LIFE = 1.5, 3.5
"""In starts, as long as the first one took on this machine: three lives in ten end while the service
starts or soon after, the others at any moment up to that age.
"""
LONGEST_START = 6.0
"""Seconds: a machine on which a start takes longer is killed more often while it starts."""

pytestmark = pytest.mark.servers


@dataclass
class Campaign:
    """What became of the tables."""

    kills: int = 0
    before_serving: int = 0
    ended_by_itself: list[int] = field(default_factory=list)
    records: list[dict[str, list[tuple[Any, ...]]]] = field(default_factory=list)
    sent: int = 0
    inbox: Counter[str] = field(default_factory=Counter)
    unsent: list[tuple[Any, ...]] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    closes: Counter[tuple[int, int]] = field(default_factory=Counter)
    letters: Counter[str] = field(default_factory=Counter)
    """By Message-ID, how often each was taken."""
    chats: int = 0
    chats_doubled: int = 0
    windows: Windows = field(default_factory=Windows)
    log: str = ""


async def run(
    folder: Path, kills: int, limit: tuple[int, int] | None, moments: Random
) -> tuple[Campaign, tuple[int, int]]:
    """Play, the service being killed so often, up to the limit (None: as long as it is killed, and
    to the end of that phase).
    """
    (folder / "log").touch()
    campaign = Campaign()
    with running_dovecot({"orders@mail.example": "secret"}) as dovecot:
        async with Lives() as lives, open_town(folder, dovecot) as town:
            table = Table(town, town.telegram.user("Cleo"), limit=limit)
            start_seconds = min(await lives.serve(folder), LONGEST_START)
            await table.open()
            async with asyncio.timeout(PATIENCE_SECONDS):
                await table.link()
            async with asyncio.TaskGroup() as group:
                playing = group.create_task(table.play())
                await kill_often(campaign, lives, town, kills, moments, start_seconds)
                limit = limit or await table.stop_soon()
                async with asyncio.timeout(PATIENCE_SECONDS + 20 * kills):
                    await playing
            await at_rest(town, lives)
            await look(campaign, town)
    assert limit is not None
    return campaign, limit


async def kill_often(
    campaign: Campaign,
    lives: Lives,
    town: Town,
    kills: int,
    moments: Random,
    start_seconds: float,
) -> None:
    def age(most: float) -> float:
        return moments.uniform(0, most) * start_seconds

    await lives.live(age(LIFE) if kills else 0)
    size = 0
    for _ in range(kills):
        ended = await lives.live(0)
        if ended is not None:
            campaign.ended_by_itself.append(ended)
        await lives.kill()
        campaign.kills += 1
        campaign.windows.look(town)
        said = _log_from(town.folder, size)
        campaign.before_serving += b"serving" not in said
        size += len(said)
        await lives.start(town.folder)
        await handled_what_two_kills_fell_into(town, lives)
        await lives.live(age(STARTING if moments.random() < 0.3 else LIFE))


async def handled_what_two_kills_fell_into(town: Town, lives: Lives) -> None:
    def tries() -> int:
        ((most,),) = town.rows("SELECT max(attempts) FROM inbox WHERE state = 'new'")
        return int(most or 0)

    async with asyncio.timeout(PATIENCE_SECONDS):
        while tries() >= SURVIVALS - 1 and await lives.live(0.1) is None:
            pass


def _log_from(folder: Path, size: int) -> bytes:
    with (folder / "log").open("rb") as log:
        log.seek(size)
        return log.read()


async def look(campaign: Campaign, town: Town) -> None:
    campaign.records = records_of(town)
    campaign.sent = len(town.written) + len(town.shown(by_bot=False))
    (known,) = town.rows(
        "SELECT count(DISTINCT message_id) FROM outbox WHERE channel = 'telegram' AND state = 'sent'"
    )
    campaign.chats, campaign.chats_doubled = (
        len(town.shown(by_bot=True)),
        len(town.shown(by_bot=True)) - known[0],
    )
    campaign.inbox = Counter(str(state) for (state,) in town.rows("SELECT state FROM inbox"))
    keys = Counter(
        str(key).partition("|")[0]
        for (key,) in town.rows("SELECT message_key FROM inbox WHERE channel = 'mail'")
    )
    assert keys == Counter(town.written), "every mail, and each once"
    campaign.unsent = town.rows(
        "SELECT kind, channel, state, answer FROM outbox WHERE state NOT IN ('sent', 'withheld')"
    )
    campaign.told = Counter(str(kind) for (kind,) in town.rows("SELECT kind FROM outbox"))
    campaign.log = (town.folder / "log").read_text("utf-8", "replace")
    campaign.letters = Counter(letter.message_id for letter in town.letters)
    closed = re.findall(r'^.*"event": "phase-closed".*$', campaign.log, re.MULTILINE)
    campaign.closes = Counter(
        (int(re.findall(r'"game": (\d+)', line)[0]), int(re.findall(r'"phase": (\d+)', line)[0]))
        for line in closed
    )


@pytest.mark.long(
    held_by="tests/house/test_service.py (a death soon after the start),"
    " tests/desk/phases/test_close_trouble.py (deaths in a close),"
    " tests/desk/whole/test_twice.py (every job done again)"
)
def test_f7_f8_a_service_killed_at_random_moments_loses_halts_and_doubles_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    for name in ("killed", "whole"):
        (tmp_path / name).mkdir()
    killed, limit = asyncio.run(run(tmp_path / "killed", KILLS, None, Random(SEED)))
    doubled = {message_id: count - 1 for message_id, count in killed.letters.items() if count > 1}
    record_property(
        "figures",
        f"kills from outside: {killed.kills}, {killed.before_serving} of them before the service"
        f" served; up to table {limit[0]} phase {limit[1]}, {len(killed.closes)} closes;"
        f" {killed.sent} messages written, {killed.sent - killed.inbox.total()} lost,"
        f" {killed.told['close-failed']} tables halted,"
        f" {sum(count > 1 for count in killed.closes.values())} closed twice;"
        f" {len(killed.letters)} letters, {sum(doubled.values())} doubled,"
        f" {killed.windows.mails.total()} in the window after the SMTP answer;"
        f" {killed.chats} chat messages, {killed.chats_doubled} doubled,"
        f" {len(killed.windows.chats)} were being sent;"
        f" {len(killed.ended_by_itself)} starts given up while a command held the database",
    )
    assert killed.kills == KILLS
    assert set(killed.ended_by_itself) <= {EXIT_TEMPORARY}, killed.log[-4000:]
    assert killed.sent == killed.inbox.total()
    assert set(killed.inbox) <= {"handled"}, killed.inbox
    assert killed.unsent == []
    assert killed.told["gm-shunted"] == killed.told["set-aside"] == killed.told["close-failed"] == 0
    assert set(killed.closes.values()) <= {1}
    assert all(
        killed.windows.mails[message_id] >= count for message_id, count in doubled.items()
    ), doubled
    assert killed.chats_doubled <= len(killed.windows.chats)
    some = min(limit, (WHOLE_TABLES, PHASES + 1))
    whole, _ = asyncio.run(run(tmp_path / "whole", 0, some, Random(SEED)))
    assert whole.chats_doubled == 0
    compare(killed.records, whole.records, limit)


def compare(
    killed: list[dict[str, list[tuple[Any, ...]]]],
    whole: list[dict[str, list[tuple[Any, ...]]]],
    limit: tuple[int, int],
) -> None:
    """Every table of the killed service left what its like leaves behind where nobody kills. They
    all play the same game; the first one links a chat besides, and the last one was broken off.
    """
    if limit[0] <= len(whole):
        assert killed == whole
        return
    assert killed[0] == whole[0]
    for number, table in enumerate(killed[1:-1], start=2):
        for part, rows in table.items():
            assert rows == whole[1][part], f"table {number}: {part}"
    for part in BY_PHASE:
        before = [row for row in whole[1][part] if row[0] < limit[1]]
        closed = [row for row in killed[-1][part] if row[0] < limit[1]]
        assert closed == before, f"the last table: {part}"
