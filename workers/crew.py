"""Who does the jobs: a dramatiq worker for each queue, and the actors that they call.

A stop gives the jobs under way a moment, and breaks off those that take longer: each may die
anywhere, and the next start finds what is still due.
"""

import asyncio

import dramatiq
import structlog

from pbem.desk.jobs import JobName
from pbem.desk.ports import Services
from workers.actors import Work, use_cases
from workers.jobs import CLOSES, INTAKE, LETTERS, UPKEEP, queue_of

LEAVING_SECONDS = 1.2
"""What a job has to end by itself: longer than a letter under way has, which must be recorded."""
STOP_MILLISECONDS = 60_000
TIME_LIMIT_MILLISECONDS = 300_000

_log = structlog.get_logger("workers")


def threads_of(threads: int) -> dict[str, int]:
    """How many jobs of each queue a worker of this many threads does at a time: as many letters,
    and as many closes, of which most wait for a board or for the disk. Messages are handled one
    after the other anyhow.
    """
    return {INTAKE: 1, LETTERS: threads, CLOSES: threads, UPKEEP: max(1, threads // 8)}


class _OfOneQueue(dramatiq.Worker):
    """A worker for one queue, several of which may share a broker: dramatiq's own would hear of
    queues by a middleware each.
    """

    def __init__(
        self, broker: dramatiq.Broker, queue: str, threads: int, poll_milliseconds: int
    ) -> None:
        super().__init__(
            broker, queues={queue}, worker_threads=threads, worker_timeout=poll_milliseconds
        )
        self._queue = queue

    def start(self) -> None:
        self.broker.emit_before("worker_boot", self)
        self._add_consumer(self._queue)
        for _ in range(self.worker_threads):
            self._add_worker()
        self.broker.emit_after("worker_boot", self)


class Crew:
    """A worker for each queue, and what is under way there. Its actors run on this event loop."""

    def __init__(
        self, broker: dramatiq.Broker, services: Services, threads: int, poll_milliseconds: int
    ) -> None:
        self._under_way = set[asyncio.Task[None]]()
        self._is_leaving = False
        for name, work in use_cases(services).items():
            # No retries: the database knows what is still due.
            declare = dramatiq.actor(
                actor_name=name,
                queue_name=queue_of(name),
                broker=broker,
                max_retries=0,
                time_limit=TIME_LIMIT_MILLISECONDS,
            )
            declare(self._known(name, work))
        self._workers = [
            _OfOneQueue(broker, queue, count, poll_milliseconds)
            for queue, count in threads_of(threads).items()
        ]
        for worker in self._workers:
            worker.start()

    def _known(self, name: JobName, work: Work) -> Work:
        async def do(*ids: int) -> None:
            task = asyncio.current_task()
            assert task is not None  # noqa: S101 - a coroutine that runs is some task's
            self._under_way.add(task)
            try:
                await work(*ids)
            except asyncio.CancelledError:
                if not self._is_leaving:
                    raise
                _log.info("job-broken-off", kind=name)
            finally:
                self._under_way.discard(task)

        return do

    async def stop(self) -> None:
        """Let the running jobs end, or break them off. In threads: on the loop itself it would wait
        for itself. Raises what the first raises that cannot.
        """
        leaving = asyncio.get_running_loop().call_later(LEAVING_SECONDS, self._break_off)
        ended = await asyncio.gather(
            *(asyncio.to_thread(worker.stop, STOP_MILLISECONDS) for worker in self._workers),
            return_exceptions=True,
        )
        leaving.cancel()
        for failure in ended:
            if failure is not None:
                raise failure

    def _break_off(self) -> None:
        self._is_leaving = True
        for task in self._under_way:
            task.cancel()
