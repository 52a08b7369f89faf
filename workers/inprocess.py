"""The worker inside the service's own process, running its actors on the application's event
loop.
"""

import asyncio

from dramatiq.brokers.stub import StubBroker

from pbem.desk.ports import Services
from workers.crew import Crew
from workers.jobs import QUEUES, QueuedJobs, Underway
from workers.mainloop import MainLoop

WORKER_THREADS = 8
POLL_MILLISECONDS = 100


class InProcessWorkers:
    """A stub broker and who works for it. Nothing in it is durable, and nothing needs to be."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.underway = Underway(loop)
        self._broker = StubBroker()
        self._broker.add_middleware(MainLoop(loop))
        self._broker.add_middleware(self.underway)
        for queue in QUEUES:
            self._broker.declare_queue(queue)
        self.jobs = QueuedJobs(self._broker, self.underway)
        self._crew: Crew | None = None

    def start(self, services: Services) -> None:
        self._crew = Crew(self._broker, services, WORKER_THREADS, POLL_MILLISECONDS)

    def prune(self) -> None:
        """Forget the failed messages that the stub broker would otherwise keep for ever, and the
        jobs whose messages got lost.
        """
        for letters in self._broker.dead_letters_by_queue.values():
            letters.clear()
        if all(self._broker.queues[queue].unfinished_tasks == 0 for queue in QUEUES):
            self.underway.forget_waiting()

    async def stop(self) -> None:
        """Let the running jobs end."""
        if self._crew is not None:
            await self._crew.stop()
            self._crew = None
        self._broker.close()
