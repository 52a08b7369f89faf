"""How scripted players bid and doubt, and how they say it."""

import random
from collections.abc import Sequence

from engine.ruleset import Event
from liars_dice.pages import PAGES
from liars_dice.state import Bid, Challenge, Challenged, Order, View
from pbem.pages.kit.usual_menu import MOST_BUTTONS
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip, counted

BIDS = ("Bid {}", "bid {} please", "I bid {}", "{}", "my bid is {}", "raise to {}")
DOUBTS = ("Liar", "liar!", "I challenge", "I doubt it", "I don't believe it")


class LiarsDicePlay(Play):
    """They bid what their own dice make likely, and doubt the rest; the bold doubt later."""

    pages = PAGES
    usual_players = 3
    said_in_group = "3 fives... oh, wrong window"
    main_stages = frozenset({"turn"})

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[Order, ...]:
        view: View = question.seen.view
        bids = [order for order in question.seen.legal if isinstance(order, Bid)]
        margin = question.person.boldness * 1.5 - rng.uniform(0, 1)
        likely = [bid for bid in bids if _expected(view, bid.face) + margin >= bid.count]
        if not likely:
            return (Challenge() if view.bids else bids[0],)
        return (rng.choice(likely[len(likely) // 2 :]),)

    def word(self, seen: Seen, orders: Sequence[Order], rng: random.Random) -> list[str]:
        told = self.word_exactly(seen, orders)
        return [
            rng.choice(DOUBTS) if text == "Liar" else rng.choice(BIDS).format(text[4:])
            for text in told
        ]

    def word_exactly(self, seen: Seen, orders: Sequence[Order]) -> list[str]:
        return [PAGES.format_order(seen.view, order) for order in orders]

    def taps(self, seen: Seen, order: Order) -> tuple[str, ...]:
        if order not in seen.legal[:MOST_BUTTONS]:
            return ()
        return ("Bid or doubt...", PAGES.format_order(seen.view, order))

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[Order], rng: random.Random
    ) -> Slip | None:
        (text,) = self.word_exactly(question.seen, orders)
        return Slip(f"Bidd {text[4:]}", orders[0], ()) if isinstance(orders[0], Bid) else None

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        doubts = sum(isinstance(event.facts, Challenged) for event in events)
        return (Figure(str(doubts), counted(doubts, "challenge"), "challenges"),)


def _expected(view: View, face: int) -> float:
    """How many dice show a face: the player's own, and of the others as many as are likely."""
    counts = {face, 1} if view.wild else {face}
    others = view.total - len(view.own.dice)
    return sum(die in counts for die in view.own.dice) + others * len(counts) / 6


PLAY = LiarsDicePlay()
