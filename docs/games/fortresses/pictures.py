#!/usr/bin/env python3
"""Draw pictures/*.png, the pictures of worked-examples.md: each worked example as its part of the
board lies after its first step.

Run it as `.venv/bin/python docs/games/fortresses/pictures.py` when the cases or the look of the
board have changed.
"""

import io
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from PIL import Image

from engine.chance import Chance
from engine.fortresses.orders import parse_order
from engine.fortresses.positions.position import parse_position
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.view import view_of
from engine.ruleset import Standing
from pbem.board.board import TableFacts
from pbem.board.painting import image_of
from pbem.games.fortresses.board.drawing import draw_svg
from pbem.games.fortresses.board.scene_of import build_scene

HERE = Path(__file__).parent
CASES = HERE.parents[2] / "tests" / "games" / "fortresses" / "cases" / "worked-examples.yaml"
WIDE, HIGH = 620, 560
PARTS: Mapping[str, tuple[int, int]] = {
    "FW-E1": (460, 560),
    "FW-E2": (400, 300),
    "FW-E3": (440, 180),
    "FW-E4": (440, 590),
    "FW-E5": (0, 380),
    "FW-E6": (270, 140),
    "FW-E7": (460, 560),
}
"""Left and upper edge of what is shown of the board, px."""


def draw(case: Mapping[str, Any]) -> bytes:
    """The part of the board that the case is about, after its first orders."""
    state = parse_position(case["position"], case.get("options", {}), case["id"])
    orders = {}
    for player in state.players:
        lines = tuple(map(parse_order, case["canonical"].get(player.name, ())))
        checked = FORTRESSES.check(state, player.number, Standing(), lines)
        orders[player.number] = checked.standing.orders
    outcome = FORTRESSES.adjudicate(state, orders, Chance(bytes(32), 0, case["chance"]))
    facts = TableFacts(
        "Heron",
        FORTRESSES.phase(outcome.state).kind,
        datetime(2026, 11, 23, 17, 0, tzinfo=UTC),
        "Europe/Berlin",
    )
    scene = build_scene(view_of(outcome.state, None), outcome.events, facts)
    left, top = PARTS[case["id"]]
    board = Image.open(io.BytesIO(image_of(draw_svg(scene))))
    out = io.BytesIO()
    board.crop((left, top, left + WIDE, top + HIGH)).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for case in yaml.safe_load_all(CASES.read_text(encoding="utf-8")):
        if case:
            (folder / f"{case['id'].lower()}.png").write_bytes(draw(case))
