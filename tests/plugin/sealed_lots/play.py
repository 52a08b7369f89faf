"""How scripted players bid, and how they say it."""

import random
from collections.abc import Sequence

from engine.ruleset import Event
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip
from sealed_lots.pages import PAGES
from sealed_lots.rules import Bid, LotSold, View

BIDS = ("Bid {}", "bid {} please", "I bid {} coins", "{} coins", "my bid is {}", "I'd offer {}")
PASSES = ("pass", "no bid", "I pass", "Bid 0", "bid nothing")


class SealedLotsPlay(Play):
    """Merchants who pay for what they want, and more the bolder they are."""

    pages = PAGES
    usual_players = 4
    said_in_group = "bid 7... oh, wrong window"
    main_stages = frozenset({"bid"})

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[Bid, ...]:
        view: View = question.seen.view
        kind, worth = view.lot.split()
        value = int(worth) * (2 if kind == view.own.wants else 1)
        wish = round(value * (0.4 + 0.6 * question.person.boldness) * rng.uniform(0.5, 1.1))
        return (Bid(min(wish, view.own.coins)),)

    def word(self, seen: Seen, orders: Sequence[Bid], rng: random.Random) -> list[str]:
        return [
            rng.choice(BIDS).format(order.coins) if order.coins else rng.choice(PASSES)
            for order in orders
        ]

    def word_exactly(self, seen: Seen, orders: Sequence[Bid]) -> list[str]:
        return [PAGES.format_order(seen.view, order) for order in orders]

    def taps(self, seen: Seen, order: Bid) -> tuple[str, ...]:
        return ("Bid...", f"Bid {order.coins}")

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[Bid], rng: random.Random
    ) -> Slip | None:
        bid = orders[0]
        return Slip(f"Bidd {bid.coins}", bid, ()) if bid.coins else None

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        sold = sum(isinstance(e.facts, LotSold) and e.facts.winner is not None for e in events)
        return (Figure(str(sold), f"{sold} lots sold", "lots sold"),)


PLAY = SealedLotsPlay()
