"""What tests of the house ask of this game: how its players speak."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.plans import is_deed
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import Stage, State
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.engine.playing import close, seats, table
from tests.games.realm_master.engine.test_machine import random_orders
from tests.played import Heard, Spoken

_ORDERS = (
    *("attack", "reroll blanks", "enter Arub", "leave if below 4", "stay", "buy Iron Shield"),
    *("no reroll; attack; stay out", "Reroll: keep swords", "when hit: leave", "same as last time"),
    *("trade 3 gold for life", "plan: attack; enter Arub", "in the realm: stay", "I concede"),
    *("buy the Iron Shield if it is still there", "resign", "away until Friday"),
)
_PLAYERS = {"Anna": {"hero": "elf", "hgb": "7/9/0"}, "Annabel": {"hero": "wizard", "hgb": "7/0/0"}}
_STATE: State = table(_PLAYERS, row=["B01", "B02", "B12"], card="T08")

SPOKEN = Spoken(
    answer="Hero: elf",
    asides=("enter Arub", "reroll blanks"),
    heard=(
        Heard(
            lru_cache(None)(lambda text: read_alone(READER.read, _STATE, 1, Standing(), text)),
            _ORDERS,
        ),
    ),
    windows=frozenset({"round", "reroll"}),
    ways=({}, {"mode": "interactive"}),
)

SKIPS = True
"""Whether `windows` comes upon windows that are skipped."""
_QUESTIONS: tuple[Stage, ...] = ("enter", "last")
"""What a hero outside may be asked at the end of a turn in which nobody is in the Realm."""


def says(state: State, order: o.Order) -> bool:
    """Whether it is more than to go on, or to wait. What is bought and played can be said up to the
    end of the turn.
    """
    if state.stage not in _QUESTIONS:
        return not isinstance(order, o.GoOn | o.Wait | o.Drop)
    if state.stage == "last":
        return is_deed(order)
    lands = {land.key for land in state.lands}
    return isinstance(order, o.Enter) and any(choice.word in lands for choice in order.choices)


def windows(seed: int) -> Iterator[tuple[tuple[State, ...], State]]:
    """A game by chance, after each close; and turns in which the dice bring nothing, with what was
    skipped at their end.
    """
    rng, stream = Random(seed), Chance(seed.to_bytes(8, "big"))
    mode = rng.choice(("standing", "interactive"))
    state = REALM_MASTER.setup({"mode": mode}, seats(rng.randint(2, 5)), stream).state
    for _ in range(40):
        state = REALM_MASTER.adjudicate(state, random_orders(state, rng), stream).state
        if state.stage == "over":
            break
        yield (), state
    for _ in range(5):
        told = random_turn(rng)
        after = close(state_of(told, "reroll"), {"P1": "Reroll: keep the rest"}).state
        skipped = _QUESTIONS[: _QUESTIONS.index(after.stage)] if after.stage in _QUESTIONS else ()
        if after.asked == (2,):  # the next turn has begun
            skipped = _QUESTIONS
        yield tuple(state_of(told, stage) for stage in skipped), after


def random_turn(rng: Random) -> dict[str, Any]:
    """A turn of P1, who is outside as the others are, with little gold and dice that bring none."""
    cards = rng.sample([f"B{n:02}" for n in (1, 2, 4, 8, 9, 11, 12, 13, 15, 16, 17, 18)], 6)
    hero, other = rng.sample(("dwarf", "elf", "wizard", "princess", "squire"), 2)
    return {
        "players": {
            "P1": {
                "hero": hero,
                "hgb": f"{rng.randint(1, 3)}/{rng.choice((0, 0, 1, 2, 3, 5))}/0",
                "cards": cards[: rng.randint(0, 2)],
            },
            "P2": {"hero": other, "hgb": f"9/{rng.randint(0, 3)}/0"},
        },
        "lands": {"JER": "1/1/2", "MER": "0/2/0", "KUR": "0/0/0", "BAR": "0/0/0"},
        "card": rng.choice(("T03", "T08", "T16")),
        "row": cards[2:5],
        "deck": cards[5:],
        "to_play": ["P2"],
        "rolled": "".join(rng.choice("ss--") for _ in range(4)) + "-",
    }


def state_of(told: Mapping[str, Any], stage: Stage) -> State:
    """That turn, with this question open."""
    more = {key: value for key, value in told.items() if key not in ("players", "rolled")}
    faces = {"faces": told["rolled"]} if stage in _QUESTIONS else {}
    turn = {"player": "P1", "rolled": told["rolled"], **faces}
    return table(told["players"], options={"mode": "interactive"}, phase=stage, turn=turn, **more)
