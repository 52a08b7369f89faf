"""Actors on the application's own event loop.

dramatiq gives async actors a loop of its own; engines and connections made on the application's
loop cannot be used there. `MainLoop` hands it the application's loop instead. It leans on
`dramatiq.asyncio`, hence (and for `workers.jobs`) the pin below 2.3.
"""

import asyncio
import logging
import threading
from typing import Any

from dramatiq.asyncio import EventLoopThread, set_event_loop_thread
from dramatiq.middleware import Middleware


class _Borrowed(EventLoopThread):
    """An event loop thread whose loop is somebody else's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(logging.getLogger("workers"))
        self.loop.close()
        self.loop = loop


class MainLoop(Middleware):
    """Runs async actors on the given loop, as long as any worker of the broker works."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._working = 0

    def before_worker_boot(self, broker: Any, worker: Any) -> None:
        with self._lock:
            self._working += 1
            if self._working == 1:
                set_event_loop_thread(_Borrowed(self._loop))

    def after_worker_shutdown(self, broker: Any, worker: Any) -> None:
        with self._lock:
            self._working -= 1
            if self._working == 0:
                set_event_loop_thread(None)
