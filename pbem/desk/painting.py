"""Pictures for answers: a transaction never waits for the painter.

Who needs a picture asks the easel for it. If it is not painted yet the unit of work is taken back, the picture is painted outside any
transaction, and the message is handled again with the picture at hand. A picture is known by what is painted, so that a table which has
changed meanwhile is painted anew; after a few of them the answer goes without.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog

from pbem.desk.ports import Canvas, Parts, Picture

MOST_PICTURES = 6
PAINT_SECONDS = 30.0

_log = structlog.get_logger("painting")


class NotPainted(Exception):
    """A picture is wanted that is not there yet."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas.key)
        self.canvas = canvas


class HeldEasel:
    """Holds what was painted for one message."""

    def __init__(self) -> None:
        self._painted: dict[str, Picture | None] = {}

    def picture(self, canvas: Canvas) -> Picture | None:
        """The picture, if it was painted; None where it cannot be, or where too many were asked for. NotPainted if it is wanted now."""
        if canvas.key not in self._painted and len(self._painted) < MOST_PICTURES:
            raise NotPainted(canvas)
        return self._painted.get(canvas.key)

    async def paint(self, canvas: Canvas) -> None:
        """Paint it; a picture that fails is one that is not there: the words say everything."""
        try:
            painting = canvas.painter.board(canvas.view, canvas.events, canvas.land, canvas.facts)
            self._painted[canvas.key] = await asyncio.wait_for(painting, PAINT_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever went wrong with a picture, the answer goes
            _log.error("picture-failed", exc_info=error)
            self._painted[canvas.key] = None


async def handle_with_pictures(parts: Parts, handle: Callable[[Parts], Awaitable[None]]) -> None:
    """Handle something as often as it takes until every picture it asks for is painted: at most `MOST_PICTURES` times more."""
    easel = HeldEasel()
    while True:
        try:
            await handle(replace(parts, easel=easel))
        except NotPainted as wanted:
            await easel.paint(wanted.canvas)
        else:
            return
