"""How the service is, told from the database alone: any process on any host may ask, and nothing is
written.

The running service leaves marks (when it last looked, read the mailbox, closed, delivered); what is
too old, or waits too long, is a reason, and the worst reason is the verdict. Reasons are codes; a
monitor may rely on them.
"""

import shutil
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec

from pbem.desk.envelope.message import STRANGERS
from pbem.desk.phases.hindrances import MAX_ATTEMPTS
from pbem.desk.ports import Services
from pbem.store.database import Database
from pbem.store.errors import StoreError
from pbem.store.lock import is_lost
from pbem.store.repositories.figures import Figures, read_figures
from pbem.store.repositories.marks import (
    DONE,
    DRAINED,
    MARK_SPACING,
    SWEPT,
    TELEGRAM_HEARD,
    TELEGRAM_STOPPED,
)
from pbem.store.revision import newest_revision, read_revision

SWEPT_LIMIT = timedelta(seconds=100)
DRAINED_LIMIT, DRAINED_LONG = timedelta(minutes=5), timedelta(hours=1)
INBOX_LIMIT, INBOX_LONG = timedelta(seconds=90), timedelta(minutes=15)
OUTBOX_LIMIT, OUTBOX_LONG = timedelta(hours=1), timedelta(hours=24)
CLOSE_GRACE = timedelta(minutes=5)
CLOCK_LIMIT = timedelta(minutes=2)
DISK_LIMIT_BYTES, DISK_LONG_BYTES = 500_000_000, 50_000_000
REFUSED_LATELY = timedelta(days=1)


class Verdict(StrEnum):
    """Worse and worse."""

    OK = "ok"
    DEGRADED = "degraded"
    FAILING = "failing"


Reason = Literal[
    "clock-behind",
    "close-failed",
    "close-held",
    "close-overdue",
    "database-missing",
    "database-outdated",
    "database-replaced",
    "database-unreachable",
    "disk-low",
    "inbox-waits",
    "mailbox-unread",
    "never-served",
    "outbox-waits",
    "service-silent",
    "shunted",
    "telegram-stopped",
    "telegram-unread",
]


class MarkAge(msgspec.Struct, frozen=True):
    """When something was last done, and how long ago that is."""

    at: datetime
    age_seconds: float


class Health(msgspec.Struct, frozen=True):
    """One look at the service. `disk_free_bytes` is None where the database lies on another
    host.
    """

    verdict: Verdict
    reasons: tuple[Reason, ...]
    version: str
    at: datetime
    marks: Mapping[str, MarkAge] = {}
    inbox_waiting: int = 0
    inbox_lag_seconds: float = 0.0
    outbox_waiting: int = 0
    outbox_age_seconds: float = 0.0
    outbox_refused_lately: int = 0
    games_running: int = 0
    overdue_closes: int = 0
    held_closes: int = 0
    failed_closes: int = 0
    shunted: int = 0
    suspended_addresses: int = 0
    disk_free_bytes: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether the database could be looked into; if not, the numbers say nothing."""
        return not {
            "database-missing",
            "database-outdated",
            "database-replaced",
            "database-unreachable",
        } & set(self.reasons)


def program_version() -> str:
    return version("pbem")


def unreachable(now: datetime, reason: Reason) -> Health:
    """Nothing can be told of a database that cannot be read."""
    return Health(Verdict.FAILING, (reason,), program_version(), now)


async def read_health(database: Database, now: datetime, disk_free_bytes: int | None) -> Health:
    """Look at everything at once. StoreError when the database cannot be read."""
    async with database.read() as work:
        if await read_revision(work.connection) != newest_revision():
            return unreachable(now, "database-outdated")
        figures = await read_figures(
            work.connection,
            now,
            grace=CLOSE_GRACE,
            most_attempts=MAX_ATTEMPTS,
            lately=REFUSED_LATELY,
            last_lane=STRANGERS,
        )
    return judge_health(figures, now, disk_free_bytes)


def judge_health(figures: Figures, now: datetime, disk_free_bytes: int | None) -> Health:
    """The verdict over the figures."""
    inbox_lag = _since(figures.inbox_oldest_at, now)
    outbox_age = _since(figures.outbox_oldest_at, now)
    worst, reasons = _judge(figures, now, inbox_lag, outbox_age, disk_free_bytes)
    return Health(
        verdict=worst,
        reasons=reasons,
        version=program_version(),
        at=now,
        marks={
            name: MarkAge(at, (now - at).total_seconds())
            for name, at in sorted(figures.marks.items())
        },
        inbox_waiting=figures.inbox_waiting,
        inbox_lag_seconds=inbox_lag.total_seconds(),
        outbox_waiting=figures.outbox_waiting,
        outbox_age_seconds=outbox_age.total_seconds(),
        outbox_refused_lately=figures.outbox_refused_lately,
        games_running=figures.games_running,
        overdue_closes=figures.overdue_closes,
        held_closes=figures.held_closes,
        failed_closes=figures.failed_closes,
        shunted=figures.shunted,
        suspended_addresses=figures.suspended_addresses,
        disk_free_bytes=disk_free_bytes,
    )


def _since(instant: datetime | None, now: datetime) -> timedelta:
    return max(now - instant, timedelta(0)) if instant is not None else timedelta(0)


def _judge(
    figures: Figures,
    now: datetime,
    inbox_lag: timedelta,
    outbox_age: timedelta,
    disk_free_bytes: int | None,
) -> tuple[Verdict, tuple[Reason, ...]]:
    swept, drained = figures.marks.get(SWEPT), figures.marks.get(DRAINED)
    heard = figures.marks.get(TELEGRAM_HEARD)
    unheard = _since(heard, now)
    is_telegram_last = (
        heard is not None
        and unheard > DRAINED_LIMIT
        and (drained is None or drained >= heard - MARK_SPACING)
    )
    unread = timedelta(0) if is_telegram_last else _since(drained, now)
    free = DISK_LIMIT_BYTES if disk_free_bytes is None else disk_free_bytes
    ahead = any(at - now > CLOCK_LIMIT for name, at in figures.marks.items() if name in DONE)
    failing: dict[Reason, bool] = {
        "never-served": swept is None,
        "service-silent": swept is not None and now - swept > SWEPT_LIMIT,
        "mailbox-unread": unread > DRAINED_LONG,
        "telegram-stopped": TELEGRAM_STOPPED in figures.marks,
        "telegram-unread": unheard > DRAINED_LONG,
        "inbox-waits": inbox_lag > INBOX_LONG,
        "outbox-waits": outbox_age > OUTBOX_LONG,
        "close-overdue": figures.overdue_closes > 0,
        "close-failed": figures.failed_closes > 0,
        "disk-low": free < DISK_LONG_BYTES,
        "clock-behind": ahead,
    }
    degraded: dict[Reason, bool] = {
        "mailbox-unread": (
            swept is not None
            and not is_telegram_last
            and (drained is None or unread > DRAINED_LIMIT)
        ),
        "telegram-unread": unheard > DRAINED_LIMIT,
        "inbox-waits": inbox_lag > INBOX_LIMIT,
        "outbox-waits": outbox_age > OUTBOX_LIMIT,
        "close-held": figures.held_closes > 0,
        "shunted": figures.shunted > 0,
        "disk-low": free < DISK_LIMIT_BYTES,
    }
    worst = (
        Verdict.FAILING
        if any(failing.values())
        else Verdict.DEGRADED
        if any(degraded.values())
        else Verdict.OK
    )
    return worst, tuple(
        reason
        for reason, holds in sorted((degraded | failing).items())
        if holds or degraded.get(reason)
    )


class SignsOfLife:
    """Renews the marks of the running service, at most every half minute."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._renewed_at: datetime | None = None

    async def renew(self) -> None:
        """To be called after a sweep that succeeded."""
        now, drained = self._services.clock.now(), self._services.intake.mailbox.drained_until
        if self._renewed_at is not None and now - self._renewed_at < MARK_SPACING:
            return
        async with self._services.database.write() as work:
            await work.marks.put_at_most_every(MARK_SPACING, SWEPT, now)
            if drained is not None:
                await work.marks.put_at_most_every(MARK_SPACING, DRAINED, drained)
        self._renewed_at = now


def disk_free_beside(file: Path | None) -> int | None:
    """How much room the database's disk has; None when it lies elsewhere."""
    return shutil.disk_usage(file.parent).free if file is not None else None


async def look_at_health(database: Database, now: datetime) -> Health:
    """As `read_health`; a database that cannot be read, or is not the one the service uses, is
    itself the answer.
    """
    try:
        if database.file is not None and is_lost(database.file):
            return unreachable(now, "database-replaced")
        return await read_health(database, now, disk_free_beside(database.file))
    except (StoreError, OSError):
        return unreachable(now, "database-unreachable")
