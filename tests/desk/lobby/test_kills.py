"""A table's last seat, its vote and its start, the process ending at each kind of step: every
letter once, the same seats and votes.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from tests.desk.harness import GM, Desk, address_of, open_desk, parse
from tests.desk.lobbies import answer, game_of, join, names_of, open_lobby, votes_of

LABELS = ("receive.written", "receive.kept", "tend.written", "tend.kept", "close.written")


class Ended(BaseException):
    """The process is no more; nothing on the way may catch it."""


class DiesAt:
    """Ends the process the first time that a step is reached, once it is armed."""

    def __init__(self, label: str = "") -> None:
        self.label = label
        self.armed = False
        self.seen: set[str] = set()

    def reached(self, step: str) -> None:
        self.seen.add(step)
        if self.armed and step == self.label:
            self.armed = False
            raise Ended(step)


async def play(desk: Desk, steps: DiesAt) -> object:
    """The last one joins by the code, and the other changes name and colour; the vote runs out, and
    the game starts by itself.
    """
    await open_lobby(desk, most_players=2, starts="full", votes=("version",), open_days=9)
    await join(desk, "Anna", wish=", vote grand")
    await desk.write(
        "Bartek", f"join {(await game_of(desk)).join_code} as Bartek", token=False, dmarc=None
    )
    steps.armed = True
    with suppress(Ended):
        await answer(desk, "Bartek", "yes, teal", work=False)
    await work_on(desk)
    with suppress(Ended):
        await answer(desk, "Anna", "colour lime\nname Ann", work=False)
    await work_on(desk)
    desk.clock.forward(hours=25)
    await work_on(desk)
    game = await game_of(desk)
    letters = Counter(
        (mail.recipient, str(parse(mail.raw)["Message-ID"]))
        for mail in desk.postbox.mails
        if mail.recipient in KNOWN
    )
    return (
        game.status,
        game.phase_number,
        game.options,
        await names_of(desk),
        await votes_of(desk),
        letters,
    )


KNOWN = (GM, address_of("Anna"), address_of("Bartek"))


async def work_on(desk: Desk) -> None:
    """Work until all is done, begun again where the process ended."""
    for _ in range(2):
        with suppress(Ended):
            await desk.work()
    await desk.work()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, frozenset[str]]:
    async def run() -> tuple[object, frozenset[str]]:
        steps = DiesAt()
        async with open_desk(tmp_path_factory.mktemp("undisturbed"), steps=steps) as desk:
            return await play(desk, steps), frozenset(steps.seen)

    return asyncio.run(run())


@pytest.mark.parametrize("label", LABELS)
async def test_a_process_that_ends_there_changes_nothing(
    tmp_path: Path, label: str, undisturbed: tuple[object, frozenset[str]]
) -> None:
    wanted, seen = undisturbed
    assert label in seen
    steps = DiesAt(label)
    async with open_desk(tmp_path, steps=steps) as desk:
        assert await play(desk, steps) == wanted
        assert not steps.armed
