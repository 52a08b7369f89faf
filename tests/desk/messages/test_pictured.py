"""Of how much a picture tells: the last phases, of which those that make one whole count as one."""

from pathlib import Path

from engine.realm_master.events import DiceRolled
from pbem.desk.phases.past import count_pictured, read_events_before
from tests.desk.harness import open_desk


def test_phases_of_one_span_count_as_one() -> None:
    assert count_pictured([], 4) == 0
    assert count_pictured(["", "", "", "", ""], 4) == 4
    assert count_pictured(["", "turn 1", "turn 1", "turn 1", "turn 2", "turn 2"], 2) == 5
    assert count_pictured(["turn 1", "turn 1", "turn 2", "", ""], 3) == 3
    assert count_pictured(["turn 1", "", "turn 1"], 2) == 2


async def test_a_picture_of_live_play_has_the_first_throw_of_a_long_turn_and_the_turns_before(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, ruleset="realm-master", mode="interactive")
        for _ in range(7):
            await desk.everybody_passes()
        async with desk.services.database.read() as work:
            game = (await work.games.list_by_status())[0]
            events = await read_events_before(
                work,
                desk.services.games["realm-master"],
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
