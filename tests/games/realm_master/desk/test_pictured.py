"""Of how much a picture of live play tells."""

from pathlib import Path

from engine.realm_master.events import DiceRolled
from engine.realm_master.ruleset import REALM_MASTER
from pbem.desk.phases.past import read_events_before
from tests.desk.harness import open_desk


async def test_a_picture_of_live_play_has_the_first_throw_of_a_long_turn_and_the_turns_before(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, ruleset=REALM_MASTER.id, mode="interactive")
        for _ in range(7):
            await desk.everybody_passes()
        async with desk.services.database.read() as work:
            game = (await work.games.list_by_status())[0]
            events = await read_events_before(
                work,
                desk.services.games[REALM_MASTER.id],
                game.id,
                game.phase_number,
                with_acts=True,
            )
        throws = [
            event.facts
            for event in events
            if isinstance(event.facts, DiceRolled) and event.facts.throw == "roll"
        ]
        assert {throw.player for throw in throws} == {1, 2}
        assert throws[0].turn == 1
