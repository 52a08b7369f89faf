"""The replay of a game tells purchases and attacks on nobody with the step before them, and every
close by a key of its own.
"""

from pathlib import Path

from pbem.archive.reader import read_archive
from tests.desk.harness import open_desk
from tests.desk.lobbies import game_of
from tests.desk.looks import phase_of
from tests.games.fortresses.desk.doomed import ATTACK, NAMES

CLOSES = 8


async def test_only_what_a_timeline_marks_is_a_step_of_its_own(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(4, names=NAMES, ruleset="fortresses")
        await desk.everybody_passes()
        await desk.write("Bartek", ATTACK)
        while (await phase_of(desk)).number <= CLOSES:
            await desk.everybody_passes()
        archive = await read_archive(desk.services, await game_of(desk))
    keys = [(step.key, *step.also) for step in archive.steps]
    assert [key for step in keys for key in step] == [
        "start",
        "t1-reinforce",
        "t1-attack",
        *(f"t1-{kind}-{number}" for number in (2, 3) for kind in ("reinforce", "attack")),
        "t1-reinforce-4",
        "t2-attack",
    ]
    assert [step[0] for step in keys] == ["start", "t1-reinforce", "t1-attack", "t2-attack"]
    assert [any(news.mark for news in step.news) for step in archive.steps[1:]] == [
        False,
        True,
        False,
    ], "a turn has a step, though nobody fought in it"
