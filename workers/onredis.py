"""Jobs over a Redis, for workers on any number of hosts.

The broker only says "look now". It may be away, be emptied, deliver twice: the service continues,
and its sweep asks again for all that the database says is due. A thread puts requests in, since the
client blocks; one that cannot be put in is forgotten.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Sequence
from typing import Any

import structlog
from dramatiq.brokers.redis import RedisBroker
from dramatiq.middleware import Middleware
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from pbem.desk.jobs import Job
from pbem.desk.ports import Services
from workers.crew import Crew
from workers.jobs import QUEUES, job_of, message_of, queue_of
from workers.mainloop import MainLoop

NAMESPACE = "pbem"
HEARTBEAT_MILLISECONDS = 5_000
"""A worker that has not fetched for so long is given up, and what it had is handed to another one.
"""
MAINTENANCE_EACH_TIME = 1_000_000
"""So often in a million commands lapsed heartbeats are looked for. With the broker's defaults a
dead worker's jobs wait for minutes.
"""
FAILED_KEPT_MILLISECONDS = 3_600_000
CLIENT_SECONDS = 5.0
POLL_MILLISECONDS = 200
ASK_AGAIN_SECONDS = 30.0
"""A job asked for so long ago counts as lost when it is asked for again."""
MOST_WAITING = 2_000
"""The most messages in a queue: beyond that the workers are behind, or away, and the sweep comes
again.
"""

_log = structlog.get_logger("broker")


def open_broker(url: str) -> RedisBroker:
    """A broker over the Redis at `url`; nothing is connected yet."""
    client = Redis.from_url(
        url,
        socket_timeout=CLIENT_SECONDS,
        socket_connect_timeout=CLIENT_SECONDS,
        retry=Retry(NoBackoff(), 1),
        health_check_interval=15,
    )
    return RedisBroker(  # type: ignore[no-untyped-call]  # dramatiq leaves it untyped
        client=client,
        namespace=NAMESPACE,
        heartbeat_timeout=HEARTBEAT_MILLISECONDS,
        maintenance_chance=MAINTENANCE_EACH_TIME,
        dead_message_ttl=FAILED_KEPT_MILLISECONDS,
    )


class AskedLately(Middleware):
    """Which jobs this process has asked for and not seen done, so that the sweep does not pile them
    up. Used by several threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[Job, float | None] = {}

    def begin(self, job: Job) -> bool:
        """Whether it should be put in: it was not asked for, or so long ago that it may be lost."""
        with self._lock:
            if job in self._asked:
                put_in_at = self._asked[job]
                if put_in_at is None or time.monotonic() - put_in_at < ASK_AGAIN_SECONDS:
                    return False
            self._asked[job] = None
            return True

    def put_in(self, job: Job) -> None:
        """It is in the queue now."""
        with self._lock:
            if job in self._asked:
                self._asked[job] = time.monotonic()

    def forget(self, jobs: Sequence[Job]) -> None:
        """They could not be put in, or are done."""
        with self._lock:
            for job in jobs:
                self._asked.pop(job, None)

    def forget_put_in_before(self, instant: float, queue: str) -> None:
        """The queue was seen empty at that instant (of the monotonic clock): what was put into it
        before is done, or lost.
        """
        with self._lock:
            self._asked = {
                job: at
                for job, at in self._asked.items()
                if at is None or at >= instant or queue_of(job.name) != queue
            }

    @property
    def busy(self) -> bool:
        return bool(self._asked)

    def after_process_message(
        self, broker: Any, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        """A worker of this very process has done it."""
        self.forget([job_of(message)])


class RedisWorkers:
    """The queue on a Redis; with `threads`, also a worker that takes jobs from it and does them on
    this event loop.
    """

    def __init__(self, url: str, *, threads: int = 0) -> None:
        self._threads = threads
        self._broker = open_broker(url)
        self._asked = AskedLately()
        self._broker.add_middleware(MainLoop(asyncio.get_running_loop()))
        self._broker.add_middleware(self._asked)
        for queue in QUEUES:
            self._broker.declare_queue(queue)
        self.jobs = self
        self._waiting: list[Job] = []
        self._wake = asyncio.Event()
        self._crew: Crew | None = None
        self._putting: asyncio.Task[None] | None = None
        self._reached = True

    @property
    def underway(self) -> "RedisWorkers":
        """Tells whether jobs asked for here are still to be done."""
        return self

    @property
    def busy(self) -> bool:
        """Whether a job that was asked for here waits or runs somewhere."""
        return self._asked.busy

    async def wait_until_none(self) -> None:
        """Return once no job asked for here waits or runs."""
        while self._asked.busy:
            self.prune()
            await asyncio.sleep(POLL_MILLISECONDS / 1000)

    def start(self, services: Services) -> None:
        """Begin to put jobs in, and with `threads` to do them."""
        self._putting = asyncio.create_task(self._put_in_for_ever())
        if self._threads:
            self._crew = Crew(self._broker, services, self._threads, POLL_MILLISECONDS)

    def prune(self) -> None:
        """Look soon whether the queue is empty, so that what is thought to wait there may be asked
        for again.
        """
        self._wake.set()

    async def stop(self) -> None:
        """Let the running jobs end, hand back those not begun, and put in what was asked for last.
        None of it is needed: just quicker.
        """
        if self._crew is not None:
            try:
                await self._crew.stop()
            except RedisError as error:
                _log.warning("broker-away", reason=str(error))
            self._crew = None
        if self._putting is not None:
            self._putting.cancel()
            await asyncio.gather(self._putting, return_exceptions=True)
            self._putting = None
            await self._put_in()
        with contextlib.suppress(RedisError):
            await asyncio.to_thread(self._broker.close)

    async def reaches_broker(self) -> bool:
        """Whether the broker answers now."""
        try:
            await asyncio.to_thread(self._broker.do_qsize, QUEUES[0])
        except RedisError:
            return False
        return True

    def ask(self, job: Job) -> None:
        """Put it in soon, unless it was asked for lately."""
        if self._asked.begin(job):
            self._waiting.append(job)
            self._wake.set()

    async def _put_in_for_ever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._put_in()

    async def _put_in(self) -> None:
        jobs, self._waiting = self._waiting, []
        try:
            left_out = await asyncio.to_thread(self._hand_over, jobs)
        except RedisError as error:
            self._asked.forget(jobs)
            if self._reached:
                _log.warning("broker-away", reason=str(error), jobs=len(jobs))
            self._reached = False
            return
        if left_out:
            _log.warning("queue-full", count=left_out)
        if not self._reached:
            _log.info("broker-back")
        self._reached = True

    def _hand_over(self, jobs: Sequence[Job]) -> int:
        """Runs in a thread. How many jobs were left out because their queue is too long."""
        left_out = 0
        for queue in QUEUES:
            now = time.monotonic()
            waiting = int(self._broker.do_qsize(queue))
            if waiting == 0:
                self._asked.forget_put_in_before(now, queue)
            room = max(0, MOST_WAITING - waiting)
            mine = [job for job in jobs if queue_of(job.name) == queue]
            for job in mine[:room]:
                self._broker.enqueue(message_of(job))
                self._asked.put_in(job)
            self._asked.forget(mine[room:])
            left_out += len(mine[room:])
        return left_out
