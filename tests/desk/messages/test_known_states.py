"""Readers of what players write get the state that its writer may assume, whatever way it comes."""

import dataclasses
from pathlib import Path
from typing import Any

from engine.ruleset import Standing, known_state
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Reading, Supposition
from tests.desk.commanding import to_orders
from tests.desk.harness import open_desk
from tests.played import GAME, GAMES, PLAYED


async def test_no_reader_of_players_words_gets_a_state_with_secrets(tmp_path: Path) -> None:
    rules = GAME.ruleset
    ways: set[str] = set()

    def knows_no_more(way: str, state: Any, player: int) -> None:
        ways.add(way)
        assert state == known_state(rules, state, player), way

    def read(state: Any, player: int, standing: Standing[Any], said: Said) -> Reading:
        knows_no_more("words", state, player)
        return GAME.read(state, player, standing, said)

    def suppose(state: Any, player: int, standing: Standing[Any], text: str) -> Supposition:
        knows_no_more("supposition", state, player)
        assert GAME.read_supposition is not None
        return GAME.read_supposition(state, player, standing, text)

    def parse(state: Any, text: str) -> Any:
        assert any(state == known_state(rules, state, player) for player in rules.active(state))
        ways.add("canonical")
        return GAME.read_canonical(state, text)

    asking = dataclasses.replace(GAME, read=read, read_canonical=parse, read_supposition=suppose)
    async with open_desk(tmp_path, games={**GAMES, PLAYED: asking}) as desk:
        await to_orders(desk)
        await desk.write("Anna", "hold P1")
        await desk.write("Bartek", "GM: is this right?\nhold P2")
        await desk.write("Bartek", "press to Anna: hello\n\nhold P2")
        await desk.write("Chloé", "what if Anna holds?")
        await desk.write("Chloé", "work wrok P3")
        await desk.write("Chloé", "yes", answering=desk.letters("Chloé")[-1])
    assert ways == {"words", "supposition", "canonical"}
