#!/usr/bin/env python3
"""Draw pictures/*.png, the pictures of worked-examples.md: the council after the last step of each
worked example in which somebody rolls.

Run it as `.venv/bin/python docs/games/sovereigns/pictures.py` when the cases or the look of the
board have changed.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Actor, Event, Outcome, Standing
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.orders import Order
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.running_phase import deadline
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from pbem.board.board import TableFacts
from pbem.board.painting import picture_of
from pbem.board.palette import COLOURS
from pbem.games.sovereigns.board.drawing import draw
from pbem.games.sovereigns.board.scene_of import build_scene

HERE = Path(__file__).parent
CASES = HERE.parents[2] / "tests" / "games" / "sovereigns" / "cases" / "worked-examples.yaml"
ROLLS = {"action", "support"}


class Telling:
    """A case being told, by its canonical texts."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        state: State = parse_position(case["position"], case.get("options", {}), case["id"])
        arms = zip(state.kingdoms, COLOURS, strict=False)
        kingdoms = tuple(replace(kingdom, colour=colour) for kingdom, colour in arms)
        self.state = replace(state, kingdoms=kingdoms)
        self.chance = Chance(bytes(32))
        self.standing: dict[int, Standing[Order]] = {}
        self.events: list[Event] = []

    def tell(self, step: Mapping[str, Any]) -> None:
        entries = [tuple(one) if isinstance(one, list) else one for one in step.get("chance", ())]
        self.chance, self.events = Chance(bytes(32), 0, entries), []
        for who, lines in step.get("canonical", {}).items():
            self._say(who, lines)
        for act in step.get("acts", ()):
            self._clock(act["at"])
            self._say(act["from"], act.get("canonical", [act["text"]]))
        self._clock(step.get("until", deadline(self.state)))
        if "until" not in step:
            orders = {number: one.orders for number, one in self.standing.items()}
            self._take(SOVEREIGNS.adjudicate(self.state, orders, self.chance))

    def _say(self, who: str, lines: Sequence[str]) -> None:
        if who == "GM":
            standing = {number: one.orders for number, one in self.standing.items()}
            for line in lines:
                self._act("gm", parse_command(self.state, line, standing))
            return
        player = names_of(self.state)[who]
        orders = [parse_order(self.state, line) for line in lines]
        before = self.standing.get(player, Standing())
        checked = SOVEREIGNS.check(self.state, player, before, orders)
        self.standing[player] = checked.standing
        for order in checked.accepted:
            if act := SOVEREIGNS.act_of(order):
                self._act(player, act)

    def _clock(self, hour: int) -> None:
        self._act("gm", {"act": "clock", "hour": hour})

    def _act(self, actor: Actor, told: Mapping[str, object]) -> None:
        self._take(SOVEREIGNS.act(self.state, actor, told, self.chance))

    def _take(self, outcome: Outcome[State]) -> None:
        self.state = outcome.state
        self.events += outcome.events


def paint(case: Mapping[str, Any]) -> bytes:
    telling, scene = Telling(case), None
    for step in (case, *case.get("then", ())):
        telling.tell(step)
        if any(event.kind in ROLLS for event in telling.events):
            facts = TableFacts(
                "Owl",
                SOVEREIGNS.phase(telling.state).kind,
                datetime(2026, 11, 23, 17, 0, tzinfo=UTC),
                "Europe/Berlin",
            )
            scene = build_scene(view_of(telling.state, None), telling.events, facts)
    return picture_of(draw, scene, b"").png


if __name__ == "__main__":
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for case in yaml.safe_load_all(CASES.read_text(encoding="utf-8")):
        if case:
            (folder / f"{case['id'].lower()}.png").write_bytes(paint(case))
