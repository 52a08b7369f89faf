"""Run by a Python that has `diplomacy`: for each line on its standard input it closes a busy
movement phase of seven powers that many times, and answers with a line of how long each took, in ms
of CPU.
"""

import sys
import time
from importlib import import_module
from typing import Any

ORDERS = {
    "AUSTRIA": "A VIE - GAL; A BUD S A VIE - GAL; A SER - BUL; F GRE S A SER - BUL",
    "ENGLAND": "A YOR - BEL; F NTH C A YOR - BEL; F ENG S A YOR - BEL; F NWY - SWE",
    "FRANCE": "A BUR - BEL; A PAR - BUR; A MAR S A PAR - BUR; F BRE - ENG",
    "GERMANY": "A MUN - BUR; A BER - MUN; A HOL S A BUR - BEL; F KIE S F DEN; F DEN H",
    "ITALY": "A VEN - TRI; A TYR S A VEN - TRI; A TUN - ALB; F ION C A TUN - ALB; F EAS - AEG",
    "RUSSIA": "A GAL - BUD; A WAR S A GAL; A UKR S F RUM; F RUM - BLA; F SWE - DEN",
    "TURKEY": "A BUL H; A CON S A BUL; F BLA - RUM; F AEG - GRE",
}
"""31 units, of which most meet another power's; two convoys."""


def main() -> None:
    new_game: Any = import_module("diplomacy").Game
    for line in sys.stdin:
        print(*(close(new_game()) for _ in range(int(line))), flush=True)


def close(game: Any) -> float:
    """A game closes each phase once, and a copy of one resolves nothing."""
    game.clear_units()
    for power, texts in ORDERS.items():
        orders = texts.split("; ")
        game.set_units(power, [order[:5] for order in orders])
        game.set_orders(power, orders)
    begun = time.process_time()
    game.process()
    return (time.process_time() - begun) * 1e3


if __name__ == "__main__":
    main()
