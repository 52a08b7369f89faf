"""What tests of the house ask of this game: how its players speak."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from msgspec.structs import replace

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.event_kinds import IncomeCollected, TurnBegan, WindowOpened
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_out import format_position
from engine.fortresses.state import State
from engine.fortresses.table import Table
from engine.ruleset import Facts, Standing
from pbem.games.fortresses.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.fortresses.engine.playing import run_step, table
from tests.games.fortresses.second.random_play import random_position, random_texts
from tests.played import Heard, Spoken

_ATTACKS = (
    *("attack Flanders with 2 legions from Saxony", "everything from Hungary into Bulgaria"),
    *("lose knights first", "retreat dragons when outnumbered", "keep a conqueror in Bulgaria"),
    *("ask me each round in Bulgaria", "always: lose legions then knights"),
    "galleon in Baltic Sea carries a legion from Sweden to Denmark",
    *("then: buy 3 legions in Kiev", "battle order: Flanders, Bulgaria", "I concede", "resign"),
    *("cancel all", "done", "away until Friday"),
)
_PURCHASES = (
    *("buy 3 legions in Kiev", "move a legion from Poland to Bohemia"),
    *("fly the dragon from Kiev to Hungary", "buy nothing", "done"),
)
_SEATS = {"Anna": ["blue"], "Annabel": ["gold", "silver"], "Mark": ["red"]}


def _heard(phase: str, orders: tuple[str, ...]) -> Heard:
    state = table(phase, "blue", base="start", seats=_SEATS)
    return Heard(
        lru_cache(None)(lambda text: read_alone(READER.read, state, 1, Standing(), text)), orders
    )


SPOKEN = Spoken(
    answer="Buy nothing",
    asides=("attack Flanders with 2 legions from Saxony", "buy 3 legions in Kiev"),
    heard=(_heard("attack", _ATTACKS), _heard("reinforce", _PURCHASES)),
    windows=frozenset({"attack", "reinforce"}),
    ways=({},),
)


SKIPS = True
"""Whether `windows` comes upon windows that are skipped."""


def says(_: State, order: o.Order) -> bool:
    """Whether something comes to lie elsewhere by it."""
    return isinstance(order, o.Attack | o.Carry | o.Move | o.Buy)


def windows(seed: int) -> Iterator[tuple[tuple[State, ...], State]]:
    """A game by chance, after each close: the positions in which Attack, or Reinforce of a kingdom
    without units, was skipped. Nothing on the board changes between those and what is asked next.
    """
    rng, stream = Random(seed), Chance(seed.to_bytes(8, "big"))
    bare = {"year": 2, "phase": "attack", "active": "blue", "units": {"Kiev": "blue 2L 1K"}}
    state = parse_position(rng.choice((bare, random_position(rng))), {}, str(seed))
    for _ in range(20):
        texts = random_texts(rng, dict(format_position(state))) if rng.random() < 0.7 else {}
        reached = run_step(state, texts, stream)
        state = reached.state
        if state.stage == "over":
            return
        yield tuple(_skipped(state, [event.facts for event in reached.raw])), state


def _skipped(state: State, events: Sequence[Facts]) -> Iterator[State]:
    opened = {(one.stage, one.kingdom) for one in events if isinstance(one, WindowOpened)}
    for one in events:
        match one:
            case TurnBegan(kingdom=kingdom) if ("attack", kingdom) not in opened:
                skipped = replace(state, stage="attack", active=kingdom, held=(), gold=0)
                yield from () if Table(skipped).has_truce else (skipped,)
            case IncomeCollected(kingdom=kingdom, gold=0) if ("reinforce", kingdom) not in opened:
                skipped = replace(state, stage="reinforce", active=kingdom, held=(), gold=0)
                table = Table(skipped)
                yield from () if table.on_board(table.active).total else (skipped,)
