"""`wait`, `nowait` and `ready`: whether a phase may close before its deadline. Nobody learns who
waits, or who is ready.
"""

from dataclasses import dataclass
from typing import Any

from engine.ruleset import Standing
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.grace import owes
from pbem.grammar.house.commands import NoWait, Wait
from pbem.grammar.house.commands import Ready as SaidReady
from pbem.grammar.house.reading import read_orders
from pbem.grammar.kit.reading import Reading
from pbem.pages.notice import Notice
from pbem.pages.notices import GameOver, PlayerEliminated
from pbem.pages.page import Page
from pbem.pages.time import IsNotReady, IsReady, PhaseWaits, PhaseWaitsNoMore

FINAL_WORD = "final"
"""What settles a player's orders, in the grammar of every game."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The result of the word `ready`: the message as it counts, and the answer to the word where
    there is no receipt.
    """

    reading: Reading
    talk: Conversation[Player]
    page: Page | Notice | None = None


def _plays(talk: Conversation[Player]) -> bool:
    """Whether a phase is open in which this seat still has a part."""
    return (
        talk.table.phase is not None
        and talk.table.game.status in ("running", "paused")
        and talk.seat.status == "active"
    )


async def answer_wait(talk: Conversation[Player], command: Wait) -> Page | Notice:
    """The phase stays open until its deadline."""
    if not _plays(talk):
        return _over(talk)
    await talk.work.waits.add(
        talk.table.game.id, talk.table.game.phase_number, talk.seat.id, talk.now()
    )
    return PhaseWaits()


async def answer_nowait(talk: Conversation[Player], command: NoWait) -> Page | Notice:
    """It may close before, once everybody is final; if everybody is, the sweep finds that."""
    if not _plays(talk):
        return _over(talk)
    await talk.work.waits.drop(talk.table.game.id, talk.table.game.phase_number, talk.seat.id)
    return PhaseWaitsNoMore(is_final=talk.standing.final)


async def take_ready(
    talk: Conversation[Player], reading: Reading, standing: Standing[Any]
) -> Ready:
    """All that is owed is there: it becomes final, and nothing waits any more. Where something is
    missing nothing becomes final.
    """
    if not any(isinstance(command, SaidReady) for command in reading.commands):
        return Ready(reading, talk)
    if not _plays(talk):
        return Ready(reading, talk, _over(talk))
    table, number = talk.table, talk.seat.number
    await talk.work.waits.drop(table.game.id, table.game.phase_number, talk.seat.id)
    assert table.phase is not None  # noqa: S101 - it plays
    if number not in table.phase.asked or standing.final:
        return Ready(reading, talk, IsReady())
    after = reading.checked.standing if reading.checked is not None else standing
    if owes(table, number, after):
        return Ready(reading, talk, IsNotReady())
    said = talk.said.with_order(FINAL_WORD)
    again = await talk.services.apart.run(
        read_orders, table.kind.read, table.known(number), number, standing, said
    )
    if again.checked is None or not again.items:
        return Ready(reading, talk, IsNotReady())
    return Ready(again, talk.about(said))


def _over(talk: Conversation[Player]) -> Notice:
    if talk.seat.status == "eliminated":
        return PlayerEliminated()
    return GameOver()
