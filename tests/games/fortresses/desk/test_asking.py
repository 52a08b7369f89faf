"""Odds, suppositions and why at a table of Fortresses, by mail: answered at once, and no order."""

from pathlib import Path

from tests.desk.harness import Desk, open_desk, text_of

NAMES = ("Anna", "Bartek")


async def ask(desk: Desk, name: str, text: str) -> str:
    """What a player is answered, on one line."""
    return " ".join(text_of(await desk.write(name, text)).split())


async def who_attacks(desk: Desk) -> tuple[str, str]:
    """Who is asked for attacks, and who is not."""
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    (number,) = phase.asked
    return NAMES[number - 1], NAMES[2 - number]


async def test_chances_are_told_to_everybody_and_never_an_order(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, names=NAMES, ruleset="fortresses")
        await desk.everybody_passes()  # Silver reinforces first, then Red attacks
        for name in NAMES:
            asked = "odds of taking Syria with 2 legions and a knight?"
            assert "taken 22 %" in await ask(desk, name, asked)
        attacker, other = await who_attacks(desk)
        told = await ask(desk, attacker, "what if I attack Syria with 2L 1K from Egypt?")
        assert "taken 22 %" in told
        assert "This is only a test. It orders nothing" in told
        assert "taken 22 %" in await ask(desk, other, "what if Red attacks Syria with 2L 1K?")
        assert "WE DID NOT UNDERSTAND" in await ask(desk, attacker, "what if I attack Avalon?")
        assert "Attack Syria" not in await ask(desk, attacker, "orders")


async def test_a_battle_is_explained_after_it_was_fought(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, names=NAMES, ruleset="fortresses")
        await desk.everybody_passes()
        attacker, other = await who_attacks(desk)
        await desk.write(attacker, "Attack Syria with 2L 1K from Egypt. Done")
        for name in (attacker, other):
            told = await ask(desk, name, "why SYR")
            assert "YEAR 1, RED'S TURN: SYRIA" in told
            assert "2 Legions and 1 Knight" in told
            assert "[FW-7.5 7.6 3.3]" in told
