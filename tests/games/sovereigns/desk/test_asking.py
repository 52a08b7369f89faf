"""Chances, suppositions and why at a table of States & Sovereigns, by mail: answered at once, and
no order.
"""

from pathlib import Path

from tests.desk.harness import Desk, open_desk, text_of

NAMES = ("Anna", "Bartek", "Cleo")


async def ask(desk: Desk, name: str, text: str) -> str:
    """What a player is answered, on one line."""
    told = " ".join(text_of(await desk.write(name, text)).split())
    return told.replace("\N{NO-BREAK SPACE}", " ")


async def everybody(desk: Desk, text: str) -> None:
    for name in NAMES:
        await desk.write(name, text)


async def test_a_game_is_asked_about(tmp_path: Path) -> None:
    """SS-1.9, SS-3.13, SS-4.4."""
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset="sovereigns")
        assert "Nobody rolls before the first year" in await ask(
            desk, "Anna", "what if I attack Bartek with 2?"
        )
        for name, kingdom in zip(NAMES, ("Aldermark", "Borland", "Cyrene"), strict=True):
            await desk.write(name, f"Split 3/3/3, {kingdom}. Done")
        assert "Indifference 9 to 12 48 %" in await ask(desk, "Anna", "odds of 3 harmony")
        told = await ask(desk, "Anna", "what if I roll 2 harmony?")
        assert "This is only a test. It orders nothing" in told
        assert "Protest 6 to 8 44 %" in told
        await everybody(desk, "Harmony: 3. Done")
        told = await ask(desk, "Anna", "odds of attacking Borland with 3")
        assert "It has 3 and keeps secret how much of that is free." in told
        told = await ask(desk, "Anna", "what if I attack Borland with 3?")
        assert "An attack on Borland with 3 Military" in told
        assert "Attack" not in await ask(desk, "Anna", "orders")
        assert "WE DID NOT UNDERSTAND" in await ask(desk, "Anna", "what if I attack Avalon?")
        assert "START OF YEAR 1" in await ask(desk, "Bartek", "why is my support so low?")
        assert "No such action was taken so far." in await ask(desk, "Cleo", "why action 1")
        await desk.write("Bartek", "Attack Cyrene with 2. Done")
        await desk.write("Cleo", "pass")
        await desk.write("Anna", "pass")
        for name in NAMES:
            told = await ask(desk, name, "why attack?")
            assert "YEAR 1, SPRING" in told
            assert ("You attack" if name == "Bartek" else "Borland attacks") in told
            assert ("You defend" if name == "Cleo" else "Cyrene defends") in told
