"""The engine alone: a busy orders phase of seven players of Protectors, and beside it a busy
movement phase of seven powers closed by `diplomacy`, in turn, so that both meet the same weather.

`diplomacy` is nobody's dependency: it brings a server and its database of users along, was last
released in 2020, and is asked for one figure. Where it is not installed that figure is None; `pip
install diplomacy==1.1.2` into an environment of its own, or into this one, gives it.
"""

import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

from engine.chance import Chance
from engine.protectors.positions.position import parse_position
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.wording import parse_order

CALLS = 50
"""How often each is closed in a round."""

UNITS = {"Ann": 3, "Ben": 3, "Cid": 2, "Dot": 3, "Eve": 2, "Fay": 3, "Gus": 2}
ORDERS = {
    "Ann": "Golden March! 2 from P1 to P2; Send 20 to Cid",
    "Ben": "Golden Fortify! P2",
    "Cid": "Golden Support! Ann in P2 from P3",
    "Dot": "Support! Fay in P5 from P4; Send 10 to Fay",
    "Eve": "Work, work! P5",
    "Fay": "March! 2 from P6 to P5",
    "Gus": "Delayed March! 2 from P7 to P6",
}
"""Seven provinces, one each; everybody orders, and six of them fight."""

MOVEMENT = {
    "AUSTRIA": "A VIE - GAL; A BUD S A VIE - GAL; A SER - BUL; F GRE S A SER - BUL",
    "ENGLAND": "A YOR - BEL; F NTH C A YOR - BEL; F ENG S A YOR - BEL; F NWY - SWE",
    "FRANCE": "A BUR - BEL; A PAR - BUR; A MAR S A PAR - BUR; F BRE - ENG",
    "GERMANY": "A MUN - BUR; A BER - MUN; A HOL S A BUR - BEL; F KIE S F DEN; F DEN H",
    "ITALY": "A VEN - TRI; A TYR S A VEN - TRI; A TUN - ALB; F ION C A TUN - ALB; F EAS - AEG",
    "RUSSIA": "A GAL - BUD; A WAR S A GAL; A UKR S F RUM; F RUM - BLA; F SWE - DEN",
    "TURKEY": "A BUL H; A CON S A BUL; F BLA - RUM; F AEG - GRE",
}
"""31 units, of which most meet another power's."""


def measure(rounds: int) -> dict[str, float | None]:
    """`adjudicate_ms`: CPU time of one close, the median over all calls; `adjudicate_vs_diplomacy`:
    how many times as long `Game.process()` takes.
    """
    ours, theirs = _protectors(), _diplomacy()
    taken: list[float] = []
    beside: list[float] = []
    for _ in range(rounds):
        taken += [ours() for _ in range(CALLS)]
        beside += [theirs() for _ in range(CALLS)] if theirs else []
    ms = median(taken)
    return {
        "adjudicate_ms": ms,
        "adjudicate_vs_diplomacy": median(beside) / ms if beside else None,
    }


def _protectors() -> Callable[[], float]:
    """Closes the phase once more, and tells how long it took, in ms of CPU."""
    players = {name: {"realm": 100} for name in UNITS}
    board = {
        f"P{number}": {"owner": name, "units": units, "level": number % 3}
        for number, (name, units) in enumerate(UNITS.items(), start=1)
    }
    told = {"turn": 3, "phase": "orders", "provinces": 7, "starting_players": 7}
    state = parse_position(
        {**told, "ranking": list(UNITS), "players": players, "board": board}, {}, "bench"
    )
    numbers = {player.name: player.number for player in state.players}
    orders = {
        numbers[name]: tuple(parse_order(text, numbers) for text in texts.split("; "))
        for name, texts in ORDERS.items()
    }

    def close() -> float:
        chance = Chance(bytes(32))
        begun = time.process_time()
        PROTECTORS.adjudicate(state, orders, chance)
        return (time.process_time() - begun) * 1e3

    return close


def _diplomacy() -> Callable[[], float] | None:
    """The same of a movement phase; None where the package is not installed."""
    if find_spec("diplomacy") is None:
        return None
    new_game: Callable[[], Any] = import_module("diplomacy").Game

    def close() -> float:
        game = new_game()  # a copy of one would resolve nothing
        game.clear_units()
        for power, texts in MOVEMENT.items():
            orders = texts.split("; ")
            game.set_units(power, [order[:5] for order in orders])
            game.set_orders(power, orders)
        begun = time.process_time()
        game.process()
        return (time.process_time() - begun) * 1e3

    return close
