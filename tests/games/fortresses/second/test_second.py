"""The engine beside the second adjudicator, in random games. `FORTRESSES_TURNS=20000` plays more than the suite does, from `FORTRESSES_SEED`."""

import os
from itertools import count

from tests.games.fortresses.second.comparing import play

TURNS = int(os.environ.get("FORTRESSES_TURNS", "300"))
SEED = int(os.environ.get("FORTRESSES_SEED", "1"))
LONGEST = 60
"""No game is followed for longer: what is new happens in the first Years."""


def test_two_adjudicators_agree() -> None:
    turns = 0
    for seed in count(SEED):
        for steps, (told, texts, found, events) in enumerate(play(seed)):
            assert found == [], f"game {seed}, step {steps}: {told} {texts}"
            turns += sum(event["kind"] in ("gold-left", "turn-skipped") for event in events)
            if steps > LONGEST or turns >= TURNS:
                break
        if turns >= TURNS:
            return
