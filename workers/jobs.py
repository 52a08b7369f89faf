"""Asking for work: a message per job on the broker, with ids and nothing else.

The queue may lose everything; the sweep asks again for whatever is due. So that asking again does
not pile up, a job that is already waiting or running in this process is not queued twice.
"""

import asyncio
import threading
from typing import Any, Protocol

import dramatiq
from dramatiq.middleware import Middleware

from pbem.desk.jobs import Job, Jobs
from pbem.desk.ports import Services

INTAKE, LETTERS, CLOSES, UPKEEP = QUEUES = (
    "pbem-intake",
    "pbem-letters",
    "pbem-closes",
    "pbem-upkeep",
)
"""Each kind of work waits in a queue of its own and has threads of its own: a hundred closes due at
once hold up no receipt, no letter.
"""
_QUEUE_OF = {"receive": INTAKE, "deliver": LETTERS, "close_phase": CLOSES}


def queue_of(name: str) -> str:
    """The queue in which a job of this name waits."""
    return _QUEUE_OF.get(name, UPKEEP)


class Underway(Middleware):
    """Which jobs of this process wait or run; lets others wait until there are none."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._keys: set[Job] = set()
        self._running: set[Job] = set()
        self._none_left = asyncio.Event()
        self._none_left.set()

    def begin(self, key: Job) -> bool:
        """Whether the job is new; if so it counts as under way from now on."""
        with self._lock:
            if key in self._keys:
                return False
            self._keys.add(key)
        self._none_left.clear()
        return True

    def forget_waiting(self) -> int:
        """The broker has no message left: whatever was thought to wait was lost and may be asked
        for again; how many jobs.
        """
        with self._lock:
            lost = self._keys - self._running
            self._keys &= self._running
            empty = not self._keys
        if lost and empty:
            self._none_left.set()
        return len(lost)

    def before_process_message(self, broker: Any, message: Any) -> None:
        """Called by the worker thread that has taken the job."""
        with self._lock:
            self._running.add(job_of(message))

    def after_process_message(
        self, broker: Any, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        """Called by the worker thread whether the job went well or not."""
        self._end(job_of(message))

    def after_skip_message(self, broker: Any, message: Any) -> None:
        self._end(job_of(message))

    def _end(self, key: Job) -> None:
        with self._lock:
            self._keys.discard(key)
            self._running.discard(key)
            empty = not self._keys
        if empty and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        if not self._keys:
            self._none_left.set()

    @property
    def busy(self) -> bool:
        """Whether any job waits or runs."""
        return bool(self._keys)

    async def wait_until_none(self) -> None:
        """Return once no job of this process waits or runs."""
        while self._keys:
            await self._none_left.wait()


class Settling(Protocol):
    """Tells whether asked-for work is still to be done."""

    @property
    def busy(self) -> bool: ...

    async def wait_until_none(self) -> None: ...


class Workers(Protocol):
    """The workers that do the jobs: here, or on other hosts."""

    @property
    def jobs(self) -> Jobs: ...

    @property
    def underway(self) -> Settling: ...

    def start(self, services: Services) -> None: ...

    def prune(self) -> None:
        """After each sweep: let go of what got lost, so that it may be asked for again."""
        ...

    async def stop(self) -> None: ...


class QueuedJobs:
    """Jobs put into a broker of this process at once."""

    def __init__(self, broker: dramatiq.Broker, underway: Underway) -> None:
        self._broker = broker
        self._underway = underway

    def ask(self, job: Job) -> None:
        if self._underway.begin(job):
            self._broker.enqueue(message_of(job))


def job_of(message: dramatiq.Message[Any]) -> Job:
    """The inverse of `message_of`."""
    return Job(message.actor_name, tuple(message.args))  # type: ignore[arg-type]


def message_of(job: Job) -> dramatiq.Message[None]:
    """What goes over the broker: the name and the ids, and nothing else."""
    return dramatiq.Message(
        queue_name=queue_of(job.name), actor_name=job.name, args=job.ids, kwargs={}, options={}
    )
