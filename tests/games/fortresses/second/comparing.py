"""Games played by the engine and by the second adjudicator side by side; every step must come out
alike.
"""

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine.chance import Chance
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_out import format_position
from engine.fortresses.state import State
from tests.games.fortresses.engine.playing import run_step
from tests.games.fortresses.second.random_play import meddle, random_position, random_texts
from tests.games.fortresses.second.turning import step

KEYS: Mapping[str, tuple[str, ...]] = {
    "round": ("zone", "round", "attack", "defence"),
    "retreated": ("zone", "units"),
    "drowned": ("zone", "unit", "land"),
    "conquered": ("zone", "kingdom", "of"),
    "battle": ("zone", "rounds", "result"),
    "income": ("kingdom", "gold"),
    "bought": ("kingdom", "zone", "units"),
    "default-purchase": ("kingdom", "zone", "units"),
    "flew-home": ("kingdom", "units", "zone", "to"),
    "gold-left": ("kingdom", "gold"),
    "missed": ("player", "kingdom"),
    "absent": ("player",),
    "turn": ("year", "kingdom"),
    "turn-skipped": ("year", "kingdom"),
    "took-command": ("player", "kingdom"),
    "command-returned": ("player", "kingdom"),
    "resigned": ("player",),
    "game-over": ("winner", "by"),
}
"""The events that the format names, with the keys it gives them (FF-6)."""


def both(
    state: State, texts: dict[str, list[str]], seed: bytes, place: int
) -> tuple[State, int, dict[str, Any], dict[str, Any]]:
    """A step by the engine and by the second, who is handed the engine's dice: the new state and
    place, and what each tells.
    """
    chance = Chance(seed, place)
    reached = run_step(state, texts, chance)
    wrong: list[str] = []
    dice = [(draw.of, draw.result) for draw in chance.draws]

    def roll(sides: int) -> int:
        die, number = dice.pop(0) if dice else (0, 0)
        wrong.extend([f"d{die} not d{sides}"] if die != sides else [])
        return number if isinstance(number, int) and die == sides else 1

    options = {"year_limit": state.options.year_limit}
    theirs = step(dict(format_position(state)), options, texts, roll)
    events = [
        {"kind": event["kind"], **{key: event[key] for key in KEYS[str(event["kind"])]}}
        for event in reached.events
        if event["kind"] in KEYS
    ]
    ours = {
        "reached": reached.position,
        "problems": reached.problems,
        "means": reached.means,
        "events": events,
        "dice": [],
    }
    return reached.state, chance.place, ours, {**theirs, "dice": [*wrong, *dice]}


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    found = []
    is_ended_by_command = ours["reached"].get("by") in (
        *("agreement", "concession", "resignation", "absence"),
    )
    for key in ours:
        if is_ended_by_command and key in ("problems", "means"):
            # "nothing more happens" then (FF-3); what is told of the lines beside the command is
            # open
            continue
        pairs = [(key, ours[key], theirs[key])]
        if key == "reached":
            names = sorted({*ours[key], *theirs[key]})
            pairs = [(name, ours[key].get(name), theirs[key].get(name)) for name in names]
        for name, first, second in pairs:
            texts = [json.dumps(value, sort_keys=True) for value in (first, second)]
            if texts[0] != texts[1]:
                found.append(f"{name}: engine {texts[0]}, second {texts[1]}")
    return found


def play(
    seed: int,
) -> Iterator[tuple[dict[str, Any], dict[str, list[str]], list[str], list[dict[str, Any]]]]:
    """A game: at each step the position, the texts, in what the two differ, and the events."""
    rng = Random(seed)
    options = {"year_limit": rng.choice((0, 2, 4, 30))}
    state = parse_position(random_position(rng), options, str(seed))
    raw, place = seed.to_bytes(8, "big"), 0
    while state.stage != "over":
        told: dict[str, Any] = dict(format_position(state))
        if rng.random() < 0.15:
            meddle(rng, told)
            state = parse_position(told, options, str(seed))
            told = dict(format_position(state))
        texts = random_texts(rng, told)
        state, place, ours, theirs = both(state, texts, raw, place)
        yield told, texts, differences(ours, theirs), ours["events"]
