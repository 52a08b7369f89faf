"""`done` beside a line that does not stand closes no phase, and the receipt says so (FW-4.5,
FW-4.8).
"""

from pathlib import Path

import pytest

from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.mastery import flat
from tests.games.fortresses.desk.test_asking import NAMES, who_attacks


async def stage_of(desk: Desk) -> str:
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    return phase.kind


@pytest.mark.parametrize(
    "lost",
    [
        "Attack Avalon with 1L from Egypt",
        "Frobnicate the legion of doom in Egypt",
        "Attack Syria with 9L from Egypt",
    ],
)
async def test_done_is_held_back_beside_a_line_that_does_not_stand(
    tmp_path: Path, lost: str
) -> None:
    """F-91: it does not stand, does not close, and is asked for again."""
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, names=NAMES, ruleset="fortresses")
        await desk.everybody_passes()
        attacker, _ = await who_attacks(desk)
        text = f"Attack Syria with 2L from Egypt\n{lost}\nDone"
        told = flat(text_of(await desk.write(attacker, text)))
        assert await stage_of(desk) == "attack"
        assert 'Send "done" again when they are right' in told
        assert "Held back, because not all of this message was taken. [FW-4.5]" in told
        stands = flat(text_of(await desk.write(attacker, "orders"))).partition("You can send")[0]
        assert "Attack Syria with 2L from Egypt" in stands
        assert "Done" not in stands
        await desk.write(attacker, "Done")
        assert await stage_of(desk) != "attack"


async def test_a_kept_done_beside_a_kept_line_that_does_not_stand_leaves_reinforce_open(
    tmp_path: Path,
) -> None:
    """F-91: the kept purchase stands, the kept `Done` does not."""
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, names=NAMES, ruleset="fortresses")
        await desk.everybody_passes()
        attacker, _ = await who_attacks(desk)
        text = "Then: Buy 1L in Tunis\nThen: Buy 1W in Avalon\nThen: Done"
        told = flat(text_of(await desk.write(attacker, text)))
        assert "Held back, because not all of this message was taken. [FW-4.8 4.5]" in told
        await desk.write(attacker, "No attacks")
        assert await stage_of(desk) == "reinforce"
        assert (await who_attacks(desk))[0] == attacker
