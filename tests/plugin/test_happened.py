"""Nothing that a player may know is lost between two questions: `happened` tells all that the
letter of the turn is about, however many closes led to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import Event
from pbem.desk.phases.past import decode_events
from pbem.game import Game
from pbem.pages.page import Page, Reader, Table
from tests.desk.harness import Desk, open_desk
from tests.played import GAMES
from tests.rings import sampled

TESTS = Path(__file__).parents[1]
WORKED = {
    "sealed-lots": "sealed_lots.game",
    "liars-dice": "liars_dice.game",
    "straits": "straits.game",
    "skeleton": "pbem.skeleton.game",
}
NAMES = ("Anna", "Bartek", "Chloé")
CLOSES = 9


def watched(game: Game, told: dict[str, tuple[Event, ...]]) -> Game:
    """The game; `told` keeps which events its last pages of a kind were about."""

    class Watched(type(game.pages)):  # type: ignore[misc]
        def turn(
            self, table: Table, reader: Reader, view: Any, events: Sequence[Event], standing: Any
        ) -> Page:
            told[f"turn {reader.number}"] = tuple(events)
            page: Page = super().turn(table, reader, view, events, standing)
            return page

        def happened(
            self, table: Table, reader: Reader, view: Any, events: Sequence[Event]
        ) -> Page:
            told["happened"] = tuple(events)
            page: Page = super().happened(table, reader, view, events)
            return page

    return replace(game, pages=Watched())


async def events_between(
    desk: Desk, game: Game, first: int, later: int, number: int
) -> tuple[Event, ...]:
    """All events of these phases that a player may know."""
    async with desk.services.database.read() as work:
        rows = await work.events.list_of_game(1, first)
    return tuple(decode_events(game, [row for row in rows if row.phase_number < later], number))


@pytest.mark.parametrize("name", sampled([*WORKED, *GAMES], 4))
async def test_who_is_asked_can_read_all_that_happened_since_their_last_question(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("plugin_dice", "plugin_map"):
        monkeypatch.syspath_prepend(str(TESTS / folder))
    game = import_module(WORKED[name]).GAME if name in WORKED else GAMES[name]
    told: dict[str, tuple[Event, ...]] = {}
    asked_in, folded = {1: 0, 2: 0, 3: 0}, 0
    async with open_desk(tmp_path, games={name: watched(game, told)}) as desk:
        await desk.open_game(3, names=NAMES, ruleset=name)
        for _ in range(CLOSES):
            async with desk.services.database.read() as work:
                phase = await work.phases.current(1)
            if phase is None:
                break
            for number in phase.asked:
                await desk.write(NAMES[number - 1], "happened")
                seen, last = list(map(repr, told["happened"])), asked_in[number]
                news = await events_between(desk, game, last, phase.number, number)
                assert seen[len(seen) - len(news) :] == list(map(repr, news))
                assert set(map(repr, told[f"turn {number}"])) <= set(seen)
                folded += phase.number - last > 1
                asked_in[number] = phase.number
            await desk.everybody_passes()
    assert folded or name not in ("liars-dice", "fortresses")
