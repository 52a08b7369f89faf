"""What tests of the house ask of this game: how its players speak, and games of it by chance."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random

from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors import orders as o
from engine.protectors.events import PiratesPaid, RealmProduced, WindowOpened
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.ruleset import Facts
from pbem.grammar.kit.reading import Reading
from tests.games.protectors.engine.gamemaster import random_correction
from tests.games.protectors.engine.tabletop import position
from tests.games.protectors.engine.test_machine import random_orders
from tests.games.protectors.reading.positions import read, table
from tests.played import Heard, Spoken

__all__ = ["SPOKEN", "random_correction", "random_options", "random_orders"]

_ORDERS = {
    "orders": (
        *("P1 work", "fortify P1", "march 1 from P1 to P2", "P1: fortify\nP2: work"),
        *("work everywhere", "send 3 to Chloé", "final", "hold all", "march 9 from P1 to P3"),
        *("frotify P1", "m 1 P1-P2", "P1 S P2", "bid 7", "buy 2 in P1", "cancel all"),
        *("P2 fortify. Final.", "support Chloé in P6 from P1", "Wait, P1 fortifies instead"),
        *("away from 3 to 7 July", "resign", "my address is also anna@work.example", "yes 1, 2"),
        *("what if I fortify P1?", "P1 work\nForget it, I was only joking."),
    ),
    "bidding": (
        *("bid 7", "bid 0, final", "bdi 7", "final", "I bid 12", "bid everything", "my bid is 12"),
        "work P1",
    ),
    "consolidation": ("buy 2 in P1", "buy 1 in P1, 1 in P2", "buy nothing", "pass, final"),
}


def _reader_of(phase: str) -> Callable[[str], Reading]:
    state = table(phase)
    return lru_cache(None)(lambda text: read(text, state=state))


SPOKEN = Spoken(
    answer="Bid 47",
    asides=("bid 13", "bid 12, final"),
    heard=tuple(Heard(_reader_of(phase), orders) for phase, orders in _ORDERS.items()),
    windows=frozenset({"bidding", "orders"}),
)


def random_options(rng: Random, players: int) -> dict[str, object]:
    """A table of so many, as somebody might open it."""
    return {
        "factions": rng.choice(("none", "choice", "chance")),
        "island": rng.random() < 0.5,
        "version": rng.choice(("normal", "grand")),
        "teams": 2 if players in (4, 6) and rng.random() < 0.5 else 0,
    }


SKIPS = True
"""Whether `windows` comes upon windows that are skipped."""


def says(_: State, order: o.Order) -> bool:
    """Whether it is more than to take back, or to let all be final."""
    return not isinstance(order, o.Cancel | o.Final)


def windows(seed: int) -> Iterator[tuple[tuple[State, ...], State]]:
    """Buying steps of players who have little, after the close: the positions in which the orders
    that follow were skipped.
    """
    rng = Random(seed)
    for _ in range(6):
        names = ("Ann", "Ben", "Cid")
        lands = [f"{3 * i + 1} {name} {int(rng.random() < 0.15)}" for i, name in enumerate(names)]
        state = position(
            ", ".join(lands),
            phase="consolidation",
            turn=rng.choice((2, 5, 6)),
            provinces=9,
            purses={name: rng.choice((0, 0, 0, 20)) for name in names},
            options={"factions": "choice"},
            decks={
                "event": ["Calms of Summer", "Deep Snow"],
                "dragons": ["The Misty Mountains Cold"],
                "sea": [rng.choice(("Pirates!", "Crab Infestation!"))],
            },
        )
        players = [
            replace(player, faction=rng.choice(("Hodir", "Kalu'Ak", "Cenarion", "Hodir")))
            for player in state.players
        ]
        state = replace(state, players=tuple(players))
        told = {player.number: (o.BuyNothing(), o.Bid(0)) for player in state.players}
        outcome = PROTECTORS.adjudicate(state, told, Chance(seed.to_bytes(8, "big")))
        events = [event.facts for event in outcome.events]
        asked = [one.phase for one in events if isinstance(one, WindowOpened)]
        is_skipped = asked == ["consolidation"]
        yield (_before_production(outcome.state, events),) if is_skipped else (), outcome.state


def _before_production(state: State, events: list[Facts]) -> State:
    """The orders window as it would have been: nothing but money has changed since."""
    gained: Counter[int] = Counter()
    for one in events:
        if isinstance(one, RealmProduced):
            gained[one.player] += one.total
        elif isinstance(one, PiratesPaid):
            gained[one.player] -= one.paid
    players = (replace(one, realm=one.realm - gained[one.number]) for one in state.players)
    return replace(state, stage="orders", players=tuple(players))
