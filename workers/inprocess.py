"""The worker inside the service's own process, running its actors on the application's event loop."""

import asyncio

from dramatiq import Worker
from dramatiq.brokers.stub import StubBroker

from pbem.desk.ports import Parts
from workers.actors import declare_actors
from workers.jobs import QUEUE, QueuedJobs, Underway
from workers.mainloop import MainLoop

WORKER_THREADS = 8
STOP_MILLISECONDS = 60_000
"""Longer than a drain or an SMTP command may take."""


class InProcessWorkers:
    """A stub broker with one worker. Nothing in it is durable, and nothing needs to be."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.underway = Underway(loop)
        self._broker = StubBroker()
        self._broker.add_middleware(MainLoop(loop))
        self._broker.add_middleware(self.underway)
        self._broker.declare_queue(QUEUE)
        self.jobs = QueuedJobs(self._broker, self.underway)
        self._worker: Worker | None = None

    def start(self, parts: Parts) -> None:
        declare_actors(self._broker, parts)
        self._worker = Worker(self._broker, worker_threads=WORKER_THREADS, worker_timeout=100)
        self._worker.start()

    def prune(self) -> None:
        """Forget the failed messages that the stub broker would otherwise keep for ever, and the jobs whose messages got lost."""
        for letters in self._broker.dead_letters_by_queue.values():
            letters.clear()
        if self._broker.queues[QUEUE].unfinished_tasks == 0:
            self.underway.forget_waiting()

    async def stop(self) -> None:
        """Let the running jobs end. In a thread: on the loop itself it would wait for itself."""
        if self._worker is not None:
            await asyncio.to_thread(self._worker.stop, STOP_MILLISECONDS)
            self._worker = None
        self._broker.close()
