"""What a message needs from outside: a language model, asked what it means where nobody could tell,
and pictures for its answer. A transaction never waits for either.

Who needs an errand asks for it. The unit of work is taken back, the errand is done outside any
transaction, and the message is handled again with its result.

The model is asked once a message. What its answer is worth, the reader of the game says; the result
is an offer at best. Where it fails there is none, and it is left alone for a while, since other
messages wait behind the one in hand. A picture is known by what is painted, so that a table which
has changed meanwhile is painted again; after a few of them the answer goes without.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import structlog

from engine.ruleset import Standing
from pbem.apart import OverLimit, ProcessEnded
from pbem.board.board import Picture
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.receipts import has_orders, is_wholly_understood
from pbem.desk.ports import Painter, PictureRequest, PictureSource, Services
from pbem.grammar.house.proposing import read_proposed, words_for_game
from pbem.grammar.kit.reading import Reading
from pbem.model.question import NoAnswer, Question
from pbem.store.repositories.marks import MODEL_ASKED

PAUSE = timedelta(minutes=5)

_log = structlog.get_logger("proposing")


class NotAsked(Exception):
    """An answer is wanted that is not there yet."""

    def __init__(self, question: Question) -> None:
        super().__init__("a language model is to be asked")
        self.question = question


async def handle_with_proposals(
    services: Services, inbox_id: int, handle: Callable[[Services], Awaitable[None]]
) -> None:
    """Handle a message, and once more if the model is asked about it."""
    answer: Sequence[str] | None = None

    def held(question: Question) -> Sequence[str]:
        if answer is None:
            raise NotAsked(question)
        return answer

    asking = replace(services, proposing=replace(services.proposing, held=held))
    try:
        await handle(asking)
    except NotAsked as wanted:
        answer = await _ask(services, inbox_id, wanted.question)
        await handle(asking)


async def _ask(services: Services, inbox_id: int, question: Question) -> Sequence[str]:
    """It is counted before it is asked, so that no crash asks it more often than it may be."""
    model = services.proposing.model
    if model is None or not await _count(services):
        return ()
    try:
        lines = await model.propose(question)
    except NoAnswer as error:
        services.proposing.pause.until = services.clock.now() + PAUSE
        _log.warning("model-failed", inbox=inbox_id, reason=str(error))
        return ()
    _log.info("model-asked", inbox=inbox_id, count=len(lines))
    return lines


async def _count(services: Services) -> bool:
    """Whether it may be asked once more today."""
    now = services.clock.now()
    until = services.proposing.pause.until
    if until is not None and now < until:
        return False
    async with services.database.write() as work:
        mark = await work.marks.find(MODEL_ASKED)
        asked = int(mark.detail) if mark is not None and mark.at.date() == now.date() else 0
        if asked < services.proposing.a_day:
            await work.marks.put(MODEL_ASKED, now, str(asked + 1))
    return asked < services.proposing.a_day


async def with_proposal(
    talk: Conversation[Player], standing: Standing[Any], reading: Reading
) -> Reading:
    """The reading with an offer, if the model knows what words of the game mean that came to
    nothing, and they may mean that.
    """
    proposing, kind, number = talk.services.proposing, talk.table.kind, talk.seat.number
    if proposing.model is None or not _may_ask(reading):
        return reading
    way = talk.table.reader(read_proposed, number, standing)

    async def read(lines: Sequence[str]) -> tuple[Reading, Sequence[str]]:
        return await talk.services.apart.run(way, talk.said, lines)

    try:
        _, forms = await read(())
        taken = tuple(text for item in reading.items for text in item.texts)
        view = msgspec.json.encode(kind.ruleset.view(talk.table.state, number)).decode()
        question = Question(forms, talk.seat.name, view, taken, words_for_game(talk.said))
        lines = [x for x in (proposing.held(question) if forms else ()) if x not in taken]
        return (await read(lines))[0] if lines else reading
    except (OverLimit, ProcessEnded) as error:  # it was read without an offer before
        _log.warning("proposal-not-read", inbox=talk.row.id, reason=type(error).__name__)
        return reading


def _may_ask(reading: Reading) -> bool:
    """Whether something of it was not understood, and nothing is offered or answered by it."""
    if reading.answers is not None or reading.wants_out or reading.cut:
        return False
    if any(item.suggestion is not None for item in reading.items):
        return False
    return not (has_orders(reading) and is_wholly_understood(reading))


MOST_PICTURES = 6
PAINT_SECONDS = 30.0

_log = structlog.get_logger("painting")


class NotPainted(Exception):
    """A picture is wanted that is not there yet."""

    def __init__(self, request: PictureRequest) -> None:
        super().__init__(request.key)
        self.request = request


class HeldPictures(PictureSource):
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
        except ImportError as error:  # as in the close: the machine lacks what paints
            _log.warning("no-picture", reason=str(error))
            self._painted[request.key] = None
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
