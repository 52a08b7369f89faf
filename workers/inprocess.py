"""The worker inside the service's own process, running its actors on the application's event loop.

dramatiq gives async actors a loop of its own; engines and connections made on the application's loop cannot be used
there. `MainLoop` hands it the application's loop instead. It leans on `dramatiq.asyncio`, hence the pin below 2.3.
"""

import asyncio
import logging
from typing import Any

from dramatiq import Worker
from dramatiq.asyncio import EventLoopThread, set_event_loop_thread
from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import Middleware

from pbem.desk.ports import Parts
from workers.actors import declare_actors
from workers.jobs import QUEUE, QueuedJobs, Underway

WORKER_THREADS = 8
STOP_MILLISECONDS = 60_000
"""Longer than a drain or an SMTP command may take."""


class _Borrowed(EventLoopThread):
    """An event loop thread whose loop is somebody else's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(logging.getLogger("workers"))
        self.loop.close()
        self.loop = loop


class MainLoop(Middleware):
    """Runs async actors on the given loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def before_worker_boot(self, broker: Any, worker: Any) -> None:
        set_event_loop_thread(_Borrowed(self._loop))

    def after_worker_shutdown(self, broker: Any, worker: Any) -> None:
        set_event_loop_thread(None)


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
