"""Keeping the archives of the public games up to date in a folder, while the service runs.

Nothing waits for it. After a sweep it finds the tables that have changed since their archive was
written, and a process of its own, of the least priority, writes these again, one after the other.
What failed is tried again with growing pauses; the first look finds what was missed while the
service was down.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import structlog

from pbem.apart import Allowance, OwnProcess
from pbem.archive.outdated import Stamp, Standing, read_standing
from pbem.config import Config
from pbem.desk.mandate import By
from pbem.desk.ports import Services
from pbem.store.errors import StoreError

EVERY = timedelta(seconds=10)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
WRITING = Allowance(seconds=600)
"""CPU that one archive may take: some hundred times what a game of ten turns needs."""
_LEAST_PRIORITY = 19
_PAINTERS = 1

T = TypeVar("T")

_log = structlog.get_logger("publishing")


@dataclass(frozen=True, slots=True)
class _Trouble:
    failures: int
    again_at: datetime


class Publishing:
    """Looks what is out of date; one look at a time."""

    def __init__(self, services: Services, press: "OwnPress") -> None:
        self._services = services
        self._press = press
        self._written: dict[str, Stamp] | None = None
        self._troubles: dict[str, _Trouble] = {}
        self._looked_at: datetime | None = None
        self._task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """To be called after every sweep; it comes back at once. Closes under way go first."""
        now = self._services.clock.now()
        is_early = self._looked_at is not None and now - self._looked_at < EVERY
        if is_early or self.is_busy or self._services.precedence.holds_news:
            return
        self._looked_at = now
        self._task = asyncio.create_task(self._bring_up_to_date())

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    async def wait(self) -> None:
        """Return when the look that is under way has come to its end."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def stop(self) -> None:
        """Break off; what is missing is found by the first look of the next service."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._press.rest()

    async def _bring_up_to_date(self) -> None:
        try:
            if self._written is None:
                self._written = dict(await self._press.read())
            standing = await read_standing(self._services)
            for slug in standing.hidden & self._written.keys():
                await self._do(slug, None)
            for slug in self._due(standing, self._written):
                await self._do(slug, standing.public[slug])
            await self._press.rest()
        except (OSError, StoreError) as error:
            _log.warning("publishing-failed", reason=str(error))

    def _due(self, standing: Standing, written: Mapping[str, Stamp]) -> list[str]:
        """What is out of date, and may be tried."""
        now = self._services.clock.now()
        self._troubles = {
            slug: trouble for slug, trouble in self._troubles.items() if slug in standing.public
        }
        return [
            slug
            for slug, stamp in standing.public.items()
            if written.get(slug) != stamp
            and (slug not in self._troubles or self._troubles[slug].again_at <= now)
        ]

    async def _do(self, slug: str, stamp: Stamp | None) -> None:
        """Write one, or (without a stamp) take it away. One that cannot be written keeps no other
        waiting.
        """
        assert self._written is not None  # noqa: S101 - it was read before
        try:
            if stamp is None:
                await self._press.take_away(slug)
                del self._written[slug]
            else:
                self._written[slug] = await self._press.publish(slug)
        except Exception as error:  # noqa: BLE001 - of any kind: the service continues
            failures = self._troubles[slug].failures + 1 if slug in self._troubles else 1
            pause = min(FIRST_PAUSE * 2 ** min(failures - 1, 10), LONGEST_PAUSE)
            self._troubles[slug] = _Trouble(failures, self._services.clock.now() + pause)
            self._services.tally.archived("failed")
            game = stamp.game if stamp is not None else self._written[slug].game
            _log.error("archive-failed", game=game, failures=failures, exc_info=error)
            return
        self._troubles.pop(slug, None)
        if stamp is not None:
            self._services.tally.archived("written")
            _log.info("archived", game=stamp.game, phase=stamp.phase)


class OwnPress:
    """Writes in a process of its own, which opens the database for itself and ends when there is
    nothing to do.
    """

    def __init__(self, config: Config, folder: Path) -> None:
        self._config = config
        self._folder = folder
        self._process = OwnProcess(WRITING)

    async def read(self) -> Mapping[str, Stamp]:
        """What lies in the folder, by short names: how each table stood when it was written."""
        return await self._process.run(read_stamps, self._folder)

    async def publish(self, slug: str) -> Stamp:
        """Bring one game up to date, and the index of the house; how its table stands. Raises
        whatever goes wrong.
        """
        return await self._process.run(publish, self._config, slug)

    async def take_away(self, slug: str) -> None:
        await self._process.run(take_away, self._config, slug)

    async def rest(self) -> None:
        """There is nothing to do for a while."""
        await self._process.close()


# ------------------------------------------------------------------------- in the other process
def read_stamps(folder: Path) -> dict[str, Stamp]:
    from pbem.archive.catalogue import read_catalogue

    return {slug: card.stamp for slug, card in read_catalogue(folder).items()}


def publish(config: Config, slug: str) -> Stamp:
    return _at_desk(config, lambda services, folder: _publish(services, folder, config, slug))


def take_away(config: Config, slug: str) -> None:
    from pbem.archive import shelf

    _at_desk(
        config,
        lambda services, folder: shelf.take_away(services, slug, folder, config.archive.url),
    )


async def _publish(services: Services, folder: Path, config: Config, slug: str) -> Stamp:
    from pbem.archive.catalogue import read_catalogue
    from pbem.archive.shelf import archive_games

    by = By(config.service.name)
    await archive_games(services, [slug], folder, by, base_url=config.archive.url)
    return read_catalogue(folder)[slug].stamp


def _at_desk(config: Config, work: Callable[[Services, Path], Awaitable[T]]) -> T:
    """Do it at a desk next to the service, when nobody else needs the machine."""
    from pbem.opening import open_desk

    folder = config.archive.folder
    assert folder is not None  # noqa: S101 - else nobody publishes

    async def run() -> T:
        async with open_desk(config, _PAINTERS) as services:
            return await work(services, folder)

    os.setpriority(os.PRIO_PROCESS, 0, _LEAST_PRIORITY)
    return asyncio.run(run())
