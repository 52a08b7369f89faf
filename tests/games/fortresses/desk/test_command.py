"""Who gives a kingdom's orders: the partner of somebody who is absent, until that one writes again
(FW-4.12, FW-9.8); and a concession, which ends the game at once (FW-9.5).
"""

from pathlib import Path

from engine.fortresses.atlas import ally_of
from engine.fortresses.state import State
from pbem.desk.table import load_table
from pbem.desk.upkeep.records import verify_game
from tests.desk.harness import Desk, has_calendar, open_desk, text_of
from tests.desk.mastery import flat

NAMES = ("Anna", "Bartek", "Cleo", "Dirk")
TURNS_MISSED = 3


async def state_of(desk: Desk) -> State:
    async with desk.services.read() as tx:
        game = await tx.work.games.find(1)
        assert game is not None
        state = (await load_table(tx, game)).state
        assert isinstance(state, State)
        return state


async def asked_of(desk: Desk) -> str:
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    (number,) = phase.asked
    return NAMES[number - 1]


def holder(state: State, kingdom: str) -> str:
    return NAMES[next(realm.seat for realm in state.realms if realm.kingdom == kingdom) - 1]


def questions(desk: Desk, name: str) -> int:
    return sum(map(has_calendar, desk.postbox.to(f"{name.lower()}@players.example")))


async def say(desk: Desk, name: str, text: str) -> None:
    """In answer to how the game stands: the question that somebody answered last may be closed."""
    stands = await desk.write(name, "status", answering=desk.letters(name)[-1])
    await desk.write(name, text, answering=stands)


async def confirm(desk: Desk, name: str) -> None:
    await desk.write(name, "yes", answering=desk.letters(name)[-1])


async def concede(desk: Desk, name: str) -> None:
    """Said, and confirmed."""
    await say(desk, name, "concede")
    await confirm(desk, name)


async def test_a_partner_commands_for_who_is_absent_until_a_message_of_theirs(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(4, names=NAMES, ruleset="fortresses")
        while (await state_of(desk)).year <= TURNS_MISSED:
            await desk.everybody_passes()
        state = await state_of(desk)
        absent, partner = (holder(state, one) for one in (state.active, ally_of(state.active)))
        assert await asked_of(desk) == absent
        before = questions(desk, partner)
        await say(desk, partner, "take command")
        assert await asked_of(desk) == partner
        assert questions(desk, partner) == before + 1
        await say(desk, partner, "No attacks")
        assert (await state_of(desk)).stage == "reinforce"
        assert await asked_of(desk) == partner
        await say(desk, absent, "Sorry everybody, I was ill!")
        assert await asked_of(desk) == absent
        assert questions(desk, absent) > 0
        told = [flat(text_of(mail)) for mail in desk.letters(partner)]
        assert any(absent in text and "command" in text for text in told)
        assert await verify_game(desk.services, "heron") == []


async def test_fw_9_5_both_of_an_alliance_concede_and_the_game_ends_at_once(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(4, names=NAMES, ruleset="fortresses")
        state = await state_of(desk)
        red, blue = holder(state, "red"), holder(state, "blue")
        await say(desk, blue, "I concede")
        assert not (await state_of(desk)).concede  # asked back first
        await confirm(desk, blue)
        assert (await state_of(desk)).stage != "over"
        assert (await state_of(desk)).concede
        await concede(desk, red)
        assert (await state_of(desk)).winner == "silver_gold"
        assert (await state_of(desk)).stage == "over"
        assert await verify_game(desk.services, "heron") == []


async def test_fw_4_2_a_concession_waits_72_hours_for_the_partner(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(4, names=NAMES, ruleset="fortresses")
        state = await state_of(desk)
        red, blue = holder(state, "red"), holder(state, "blue")
        await concede(desk, blue)
        while (await state_of(desk)).active != "blue":
            await desk.everybody_passes()
        await concede(desk, red)
        after = await state_of(desk)
        assert after.winner is None
        assert after.concede == (NAMES.index(red) + 1,)
        assert await verify_game(desk.services, "heron") == []
