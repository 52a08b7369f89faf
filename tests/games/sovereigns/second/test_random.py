"""Random games through both adjudicators: after every message, every wait and every close both must
stand at the same position, having refused the same lines, drawn the same dice and told of the same
rolls. SOVEREIGNS_SEASONS=20000 plays more seasons.
"""

import os
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from engine.chance import Chance, ScriptMismatchError
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.running_phase import deadline
from tests.games.sovereigns.engine.playing import SEED, Play, table
from tests.games.sovereigns.second.goods import Luck
from tests.games.sovereigns.second.running import ROLLED, plain
from tests.games.sovereigns.second.scenes import scene
from tests.games.sovereigns.second.table import Second
from tests.games.sovereigns.second.talk import NAMES, action, command, line, position

SEASONS = int(os.environ.get("SOVEREIGNS_SEASONS", "300"))
FIRST = int(os.environ.get("SOVEREIGNS_FIRST", "0"))


class Differing(AssertionError):
    """The two do not agree; with the way there."""


@dataclass
class Both:
    """One game played by both; the second one draws, the engine is told the draws."""

    second: Second
    engine: Play
    story: list[str] = field(default_factory=list)

    def say(self, who: str, lines: list[str]) -> None:
        self.story.append(
            f"{self.second.g['phase']} {self.second.g.get('season')} hour {self.second.g['hour']} {who}: {lines}"
        )
        codes = self.second.say(who, lines)
        self.engine.problems = {}
        self._engine(lambda: self.engine.say(who, *lines))
        got = self.engine.problems.get(who, [])
        self._same("problems", sorted(set(codes)), sorted(set(got)))
        self._level()

    def wait(self, hour: int) -> None:
        self.story.append(f"wait until {hour}")
        self.second.clock(hour)
        self._engine(lambda: self.engine.clock(hour))
        self._level()

    def close(self) -> None:
        self.story.append(f"close {self.second.g['phase']} {self.second.g.get('season')}")
        self.second.close()
        self._engine(self._close)
        self._level()

    def _close(self) -> None:
        """Not hour by hour as `Play` does it: a long wait must come to the same."""
        game = self.engine
        while game.state.stage != "over" and game.state.hour < deadline(game.state):
            game.clock(deadline(game.state))
        if game.state.stage != "over":
            game.take(
                SOVEREIGNS.adjudicate(
                    game.state, {n: s.orders for n, s in game.standing.items()}, game.chance
                )
            )

    def _engine(self, do: Any) -> None:
        drawn = self.second.ground.luck.drawn
        self.engine.chance = Chance(SEED, self.engine.chance.place, drawn)
        try:
            do()
        except ScriptMismatchError as wrong:
            self._same("draws", drawn, str(wrong))
        self._same("draws", drawn, [draw.result for draw in self.engine.chance.draws])
        drawn.clear()

    def _level(self) -> None:
        self._same("position", plain(self.second.told()), plain(self.engine.told()))
        ours = [event for event in self.second.ground.events if event["kind"] in ROLLED]
        theirs = [event for event in self.engine.facts() if event["kind"] in ROLLED]
        self._same("events", [event["kind"] for event in ours], [event["kind"] for event in theirs])
        for our, their in zip(ours, theirs, strict=True):
            self._same("event", plain(our), plain({key: their.get(key) for key in our}))
        self.second.ground.events.clear()
        self.engine.events.clear()

    def _same(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            raise Differing("\n".join([*self.story, what, *differences("", ours, theirs)]))


def differences(path: str, ours: Any, theirs: Any) -> list[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        keys = [*ours, *(key for key in theirs if key not in ours)]
        return [
            one
            for key in keys
            for one in differences(f"{path}.{key}", ours.get(key), theirs.get(key))
        ]
    return [] if ours == theirs else [f"{path}: second {ours}, engine {theirs}"]


def play(seed: int) -> int:
    """One game; how many seasons it closed."""
    rng = Random(seed)
    start = position(rng)
    years = rng.choice((None, None, 3))
    both = Both(
        Second(start, Luck(Random(seed)), years),
        Play(
            table(
                start["kingdoms"],
                options={"max_years": years},
                **{key: value for key, value in start.items() if key != "kingdoms"},
            )
        ),
        [f"seed {seed}, years {years}", str(start)],
    )
    both._level()
    seasons = 0
    for _ in range(rng.randint(2, 9)):
        for _ in range(rng.randint(1, 7)):
            speak(rng, both)
        if both.second.ground.over:
            break
        seasons += both.second.g["phase"] == "season"
        both.close()
    return seasons


def speak(rng: Random, both: Both) -> None:
    """A round of messages and a wait."""
    second = both.second
    for who in rng.sample(list(second.g["kingdoms"]), len(second.g["kingdoms"])):
        if rng.random() < 0.6:
            # reading comes before the game here, so no nonsense then
            silent = second.ground.over or not second.ground.k(who)["alive"]
            lines = [line(rng, second, who) for _ in range(rng.choice((1, 1, 2, 3)))]
            alone = [
                text for text in lines if text.startswith(("Redo", "Vote"))
            ]  # the engine reads a whole message before it acts on any line
            said = alone[:1] or lines
            if rng.random() < 0.2:  # the others stand all the same
                said.insert(rng.randint(0, len(said)), "nonsense")
            both.say(who, [text for text in said if not silent or text != "nonsense"])
    if rng.random() < 0.5:
        for who, lines in scene(rng, second):
            if second.ground.over or (who != "GM" and not second.ground.k(who)["alive"]):
                break
            both.say(who, lines)
    if rng.random() < 0.4 and second.g["phase"] != "setup":
        both.say("GM", [command(rng, second)])
    if second.redo and rng.random() < 0.6:
        who = second.redo["kingdom"]
        both.say(
            who,
            [
                f"Redo: {action(rng, who, NAMES[: len(second.g['kingdoms'])], second.g['technologies'])}"
            ],
        )
    if not second.ground.over and second.g["hour"] < second.deadline and rng.random() < 0.7:
        both.wait(min(second.deadline, second.g["hour"] + rng.choice((1, 3, 8, 20))))


@pytest.mark.long(held_by="tests/games/sovereigns/engine, tests/games/sovereigns/cases (the rules)")
def test_both_agree() -> None:
    seasons, seed = 0, FIRST
    while seasons < SEASONS:
        seasons += play(seed)
        seed += 1
