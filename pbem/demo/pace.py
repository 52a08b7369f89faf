"""The driver of a demonstration: everything happens at the injected clock, which never runs past
unread mail.

First all come to rest at this instant: the service works off what is due and reads its mailbox,
everybody reads theirs. Only then the clock moves to the next event that happens by itself: a
deadline, a reminder, a mail that somebody means to write.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta

from pbem.demo.agenda import Writer
from pbem.demo.clock import FastClock
from pbem.demo.mailboxes import Letterbox
from pbem.demo.switchboard import Switchboard
from pbem.desk.phases.sweep import next_due_at
from pbem.house import Service

AFTER_DEADLINE = timedelta(seconds=1)
"""A mail in the deadline's own second is in time: a close waits for the next one."""

MAX_STEPS_WITHOUT_TIME = 60
"""Messages to one chat go a second apart, so that many steps in a row may be short."""


class StalledError(RuntimeError):
    """Nothing will ever happen again, or something stays due however often it is done."""


class Pace:
    """Moves a service and its correspondents through time."""

    def __init__(
        self, clock: FastClock, service: Service, mailbox: str, arrivals: Mapping[str, int]
    ) -> None:
        """`mailbox` is where the service is written to; `arrivals` counts what came into each
        mailbox.
        """
        self._clock = clock
        self._service = service
        self._mailbox = mailbox
        self._arrivals = arrivals
        self._people: list[tuple[Writer, Letterbox]] = []
        self._chats: Switchboard | None = None
        self._drained_at = 0
        self._standing_still = 0

    def join(self, player: Writer, postbox: Letterbox) -> None:
        """Somebody takes part from now on, with a chat or without."""
        self._people.append((player, postbox))

    def connect(self, chats: Switchboard) -> None:
        """There are chats as well."""
        self._chats = chats

    async def rest(self) -> None:
        """Let everything happen that happens at this instant, until every mail and every message is
        read.
        """
        while True:
            await self._service.settle()
            self._service.workers.prune()
            if self._arrivals[self._mailbox] > self._drained_at:
                seen = self._arrivals[self._mailbox]
                await self._service.inbox.drain()
                self._drained_at = seen
                continue
            if self._chats is not None and self._chats.has_waiting:
                await self._chats.taken_in()
                continue
            unread = [(player, postbox) for player, postbox in self._people if postbox.has_unread]
            called = [player for player, _ in self._people if player.has_news]
            if not unread and not called:
                return
            await asyncio.gather(*(self._read(player, postbox) for player, postbox in unread))
            for player in called:
                await player.look(self._clock.now())

    async def next_instant(self) -> datetime | None:
        """When something will happen by itself; None if nothing will."""
        now = self._clock.now()
        instants = [at for player, _ in self._people if (at := player.next_at()) is not None]
        due = await next_due_at(self._service.services)
        if due is not None:
            instants.append(max(due, now))
        first = min(instants, default=None)
        return None if first is None else await self._past_deadline(first)

    async def _past_deadline(self, instant: datetime) -> datetime:
        """The same instant, or the second after a deadline that lies in it."""
        async with self._service.services.database.read() as work:
            deadlines = [phase.deadline for phase in await work.phases.list_running()]
        return max(
            [
                instant,
                *(at + AFTER_DEADLINE for at in deadlines if at <= instant < at + AFTER_DEADLINE),
            ]
        )

    async def step(self, limit: datetime | None = None) -> None:
        """Move to the next instant (at most to `limit`), send what is due then, and let all come to
        rest.

        StalledError if there is none, or if time stands still.
        """
        instant = await self.next_instant()
        if instant is None:
            raise StalledError("nobody means to write, and nothing is due")
        if limit is not None:
            instant = max(self._clock.now(), await self._past_deadline(min(instant, limit)))
        self._count(instant)
        self._clock.advance_to(instant)
        await self._send_due()
        await self.rest()

    def _count(self, instant: datetime) -> None:
        self._standing_still = (
            self._standing_still + 1 if instant <= self._clock.now() + AFTER_DEADLINE else 0
        )
        if self._standing_still > MAX_STEPS_WITHOUT_TIME:
            raise StalledError(f"something stays due at {self._clock.now():%Y-%m-%d %H:%M:%S}")

    async def _send_due(self) -> None:
        due = [
            (planned, postbox)
            for player, postbox in self._people
            for planned in player.take_due(self._clock.now())
        ]
        for planned, postbox in sorted(due, key=lambda pair: pair[0]):
            await postbox.send(planned.recipient, planned.raw)
        for player, _ in self._people:
            await player.act(self._clock.now())

    async def _read(self, player: Writer, postbox: Letterbox) -> None:
        for raw in await postbox.take_new():
            await player.read(raw, self._clock.now())
