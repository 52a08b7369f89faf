"""A language model is asked what a message means where nobody could tell: a transaction never waits
for it.

It works as pictures do (`pbem.desk.letters.pictures`): who needs an answer asks for it, the unit of
work is taken back, the model is asked outside any transaction, once a message, and the message is
handled again with what it said. What that is worth, the reader of the game says; the result is an
offer at best. Where it fails there is none, and it is left alone for a while, since other messages
wait behind the one in hand.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import structlog

from engine.ruleset import Standing
from pbem.apart import OverLimit, ProcessEnded
from pbem.desk.messages.contents import has_orders, is_wholly_understood
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.ports import Services
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
    state = talk.table.state

    async def read(lines: Sequence[str]) -> tuple[Reading, Sequence[str]]:
        run = talk.services.apart.run
        return await run(read_proposed, kind.read, state, number, standing, talk.said, lines)

    try:
        _, forms = await read(())
        taken = tuple(text for item in reading.items for text in item.texts)
        view = msgspec.json.encode(kind.ruleset.view(state, number)).decode()
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
