#!/usr/bin/env python3
"""Draw pictures/*.png, the pictures of worked-examples.md: each worked example as it lies after its
orders.

Run it as `.venv/bin/python docs/games/protectors/pictures.py` when the cases or the look of the
board have changed.
"""

from datetime import UTC, datetime
from pathlib import Path

import yaml

from engine.chance import Chance
from engine.protectors.positions.position import parse_position
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.view_of import view_of
from engine.ruleset import Standing
from pbem.board.board import TableFacts
from pbem.board.painting import picture_of
from pbem.games.protectors.board.drawing import draw_on
from pbem.games.protectors.board.land import encode_land
from pbem.games.protectors.board.scene_of import build_scene
from pbem.games.protectors.board.shores import make_land
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.statements import Said

HERE = Path(__file__).parent
CASES = HERE.parents[2] / "tests" / "games" / "protectors" / "cases" / "worked-examples.yaml"
LAND_SEED = 2


def draw(case: dict[str, object]) -> bytes:
    """The board after the case's orders."""
    state = parse_position(case["position"], case.get("options", {}), str(case["id"]))
    numbers = {player.name: player.number for player in state.players}
    texts = case["orders"]
    if not isinstance(texts, dict):
        raise TypeError("a worked example has orders")
    orders = {}
    for name, text in texts.items():
        checked = READER.read(state, numbers[name], Standing(), Said(text)).checked
        orders[numbers[name]] = checked.standing.orders if checked is not None else ()
    outcome = PROTECTORS.adjudicate(state, orders, Chance(b"worked example"))
    view = view_of(outcome.state, None)
    facts = TableFacts(
        "Heron",
        PROTECTORS.phase(outcome.state).kind,
        datetime(2026, 11, 23, 17, 0, tzinfo=UTC),
        "Europe/Berlin",
    )
    return picture_of(
        draw_on,
        build_scene(view, outcome.events, facts),
        encode_land(make_land(view.land, LAND_SEED)),
    ).png


if __name__ == "__main__":
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for case in yaml.safe_load_all(CASES.read_text(encoding="utf-8")):
        if case:
            (folder / f"{case['id'].lower()}.png").write_bytes(draw(case))
