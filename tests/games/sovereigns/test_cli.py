"""The game master's word at the command line."""

import asyncio
from pathlib import Path

from engine.sovereigns.ruleset import SOVEREIGNS
from pbem.store.packing import unpacked
from tests.cli.operator import Operator
from tests.desk.harness import open_desk
from tests.games.sovereigns.desk.test_in_time import TRY, to_spring


def test_pbem_game_rule_answers_what_the_game_asks(tmp_path: Path) -> None:
    """SS-8.3, SS-10.8."""
    operator = Operator.at(tmp_path)
    operator.database.parent.mkdir(mode=0o700)

    async def prepare() -> None:
        async with open_desk(operator.database.parent) as desk:
            await to_spring(desk)
            await desk.write("Cleo", TRY)

    asyncio.run(prepare())
    unread = operator.types("game", "rule", "heron", "perhaps")
    assert unread.status != 0
    assert "perhaps" in unread.err
    ruled = operator.types("game", "rule", "heron", "diff", "9")
    assert ruled.status == 0, ruled.err
    (raw,) = operator.ask(
        "select body from states order by phase_number desc, ordinal desc limit 1"
    )[0]
    (ruling,) = SOVEREIGNS.decode_state(unpacked(raw)).rulings
    assert (ruling.player, ruling.difficulty) == (3, 9)
    again = operator.types("game", "rule", "heron", "uphold", "7")
    assert again.status != 0
