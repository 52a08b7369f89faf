"""Pictures for answers: a transaction never waits for the painter.

Who needs a picture asks for it. If it is not painted yet the unit of work is taken back, the
picture is painted outside any transaction, and the message is handled again with the picture at
hand. A picture is known by what is painted, so that a table which has changed meanwhile is painted
again; after a few of them the answer goes without.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog

from pbem.board.board import Picture
from pbem.desk.ports import Painter, PictureRequest, Services

MOST_PICTURES = 6
PAINT_SECONDS = 30.0

_log = structlog.get_logger("painting")


class NotPainted(Exception):
    """A picture is wanted that is not there yet."""

    def __init__(self, request: PictureRequest) -> None:
        super().__init__(request.key)
        self.request = request


class HeldPictures:
    """Holds what was painted for one message."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._painted: dict[str, Picture | None] = {}

    def picture(self, request: PictureRequest) -> Picture | None:
        """The picture, if it was painted; None where it cannot be, or where too many were asked
        for. NotPainted if it is wanted now.
        """
        if request.key not in self._painted and len(self._painted) < MOST_PICTURES:
            raise NotPainted(request)
        return self._painted.get(request.key)

    async def paint(self, request: PictureRequest) -> None:
        """Paint it; a picture that fails is one that is not there: the words say everything."""
        try:
            painting = self._painter.board(
                request.board, request.view, request.events, request.land, request.facts
            )
            self._painted[request.key] = await asyncio.wait_for(painting, PAINT_SECONDS)
        # whatever went wrong with a picture, the answer goes
        except Exception as error:  # noqa: BLE001
            _log.error("picture-failed", exc_info=error)
            self._painted[request.key] = None


async def handle_with_pictures(
    services: Services, handle: Callable[[Services], Awaitable[None]]
) -> None:
    """Handle something as often as it takes until every picture it asks for is painted: at most
    `MOST_PICTURES` times more.
    """
    pictures = HeldPictures(services.painting.painter)
    while True:
        try:
            await handle(replace(services, painting=replace(services.painting, held=pictures)))
        except NotPainted as wanted:
            await pictures.paint(wanted.request)
        else:
            return
