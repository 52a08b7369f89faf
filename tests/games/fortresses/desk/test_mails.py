"""How many mails a whole game of the demonstration is for each who plays by mail."""

from pathlib import Path

import pytest

from pbem.demo.cast import seats_by_phone, whole_cast
from pbem.demo.stage import Playbill, open_stage, start_table

MOST = 30
SEEDS = (222, 3)
"""Games of seven Years; a longer one brings more."""


@pytest.mark.long(held_by="tests/games/fortresses/desk/test_digest.py (what waits, and for what)")
@pytest.mark.parametrize("seed", SEEDS)
async def test_a_whole_game_is_at_most_thirty_mails_for_each_player(
    tmp_path: Path, seed: int
) -> None:
    people = whole_cast()[:4]
    played = Playbill("fortresses")
    async with open_stage(people, played, seed, tmp_path, by_phone=seats_by_phone(people)) as stage:
        await stage.pace.rest()
        await start_table(stage)
        await stage.pace.rest()
        while not (await stage.moment()).over:
            await stage.pace.step()
        await stage.pace.rest()
        counted = {person.name: stage.recorder.arrivals[person.address] for person in people}
    assert min(counted.values()) > 0
    assert max(counted.values()) <= MOST, counted
