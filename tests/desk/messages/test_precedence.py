"""Messages and letters go before closes."""

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.desk.phases.close import close_phase
from pbem.desk.precedence import Precedence
from tests.desk.harness import USE_CASES, Desk, open_desk
from tests.desk.looks import after, phase_of

PIECES = (
    *("close.begun", "close.counted", "close.rendered", "close.painted", "close.written"),
    "close.kept",
)


class Interruption:
    """From when a close has reached this step on, a message is in hand."""

    def __init__(self, step: str, precedence: Precedence) -> None:
        self.reached_yet: list[str] = []
        self.begun = asyncio.Event()
        self.in_hand = ExitStack()
        self._step = step
        self._precedence = precedence

    def reached(self, step: str) -> None:
        if step in PIECES:
            self.reached_yet.append(step)
        if step == self._step:
            self.in_hand.enter_context(self._precedence.urgent())
            self.begun.set()


@pytest.mark.parametrize("step", PIECES[:4])
async def test_f53_a_close_waits_at_each_of_its_pieces_while_a_message_is_in_hand(
    tmp_path: Path, step: str
) -> None:
    """F-53: closes starved the receipts. A whole message is handled before the close goes on to its
    next piece.
    """
    precedence = Precedence(most_seconds=600)
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        steps = Interruption(step, precedence)
        closing_parts = replace(desk.services, precedence=precedence, steps=steps)
        phase = await phase_of(desk)
        steps.reached("close.begun")
        closing = asyncio.ensure_future(close_phase(closing_parts, phase.game_id, phase.number))
        await steps.begun.wait()
        await desk.write("Anna", "status", work=False)
        for name, ids in desk.jobs.asked:
            await USE_CASES[name](desk.services, *ids)
        assert steps.reached_yet[-1] == step, "the close has waited"
        steps.in_hand.close()
        await closing
        assert steps.reached_yet == list(PIECES)


async def test_f53_all_wait_for_messages_and_news_and_tidying_for_closes_too() -> None:
    precedence = Precedence()

    def waiting() -> tuple[bool, bool, bool]:
        courtesy, tidying = precedence.courtesy(), precedence.tidying()
        return not courtesy.is_free, precedence.holds_news, not tidying.is_free

    assert waiting() == (False, False, False)
    with precedence.closing(), precedence.closing():
        assert waiting() == (False, True, True)
        with precedence.urgent(), precedence.urgent():
            assert waiting() == (True, True, True)
        assert waiting() == (False, True, True)
    with precedence.urgent():
        assert waiting() == (True, False, True)
    assert waiting() == (False, False, False)


async def test_no_row_of_closes_holds_news_for_ever() -> None:
    """News go out while closes are still in hand when they have followed one upon the other for
    long enough.
    """
    precedence = Precedence(most_closing_seconds=0.0)
    with precedence.closing():
        assert not precedence.holds_news


async def test_f53_no_flood_of_messages_stops_a_close(desk: Desk) -> None:
    """A close gives way only so long in all: then it goes on though a message is still in hand."""
    await desk.open_game()
    desk.clock.instant = after(await phase_of(desk), seconds=2)
    services = replace(desk.services, precedence=Precedence(most_seconds=0.01))
    phase = await phase_of(desk)
    with services.precedence.urgent():
        await close_phase(services, phase.game_id, phase.number)
    assert (await phase_of(desk)).number == phase.number + 1
