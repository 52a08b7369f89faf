"""How scripted players order, and how they say it."""

import random
from collections.abc import Sequence

from engine.ruleset import Event
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip, counted
from straits.pages import MENU, PAGES
from straits.rules import RULES
from straits.state import PORTS, Build, Move, Order, PortTaken, Retreat, State, Support, place_of

MOVES = ("{} to {}", "{} - {}", "move {} to {}", "{} goes to {}")


class StraitsPlay(Play):
    """They go for ports that they do not hold, and help the neighbour who does."""

    pages = PAGES
    usual_players = 3
    said_in_group = "Alder to Hythe... oh, wrong window"
    main_stages = frozenset({"orders"})

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[Order, ...]:
        view, me = question.seen.view, question.seen.number
        by_unit: dict[str, list[Order]] = {}
        for order in question.seen.legal:
            by_unit.setdefault(order.unit, []).append(order)
        found: list[Order] = []
        for orders in by_unit.values():
            built = sum(isinstance(one, Build) for one in found)
            if isinstance(orders[0], Build) and built >= view.surplus(me):
                continue
            going = {(one.unit, place_of(one.target)) for one in found if isinstance(one, Move)}
            helps = [
                one for one in orders if isinstance(one, Support) and (one.of, one.target) in going
            ]
            best = max(orders, key=lambda one: _worth(view, me, one) + rng.random())
            found.append(helps[0] if helps and rng.random() < 0.5 else best)
        return tuple(found)

    def word(self, seen: Seen, orders: Sequence[Order], rng: random.Random) -> list[str]:
        return [
            rng.choice(MOVES).format(one.unit, one.target)
            if isinstance(one, Move)
            else PAGES.format_order(seen.view, one)
            for one in orders
        ]

    def word_exactly(self, seen: Seen, orders: Sequence[Order]) -> list[str]:
        return [PAGES.format_order(seen.view, order) for order in orders]

    def taps(self, seen: Seen, order: Order) -> tuple[str, ...]:
        return MENU.way_to(seen.view, order, seen.legal)

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[Order], rng: random.Random
    ) -> Slip | None:
        for order in orders:
            text = RULES.forms.format(order)
            if isinstance(order, Support):
                return Slip(text.replace("supports", "suports"), order, ())
        return None

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        taken = sum(isinstance(event.facts, PortTaken) for event in events)
        return (Figure(str(taken), counted(taken, "port"), "ports taken"),)


def _worth(view: State, player: int, order: Order) -> float:
    """How much a player wants an order, before chance has its say."""
    if isinstance(order, Move | Retreat):
        target = place_of(order.target)
        return 1.5 if target in PORTS and target not in view.held(player) else 0.6
    return 0.8 if isinstance(order, Build) else 0.3


PLAY = StraitsPlay()
