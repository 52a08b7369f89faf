"""Scripted players: each looks for the number between what is too low and what is too high."""

import random
from collections.abc import Sequence

from pbem.play import Play, ScriptedQuestion, Seen

from .pages import PAGES
from .rules import MOST, Guess, Guessed

WORDS = ("Guess {}", "my guess is {}", "{}", "I think it is {}")


class GuessingPlay(Play):
    """They remember the last round alone."""

    pages = PAGES
    usual_players = 3
    said_in_group = "my guess is 7... oh, wrong window"
    main_stages = frozenset({"guess"})

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[Guess, ...]:
        told = [event.facts for event in question.seen.events if isinstance(event.facts, Guessed)]
        least = max((one.number + 1 for one in told if one.side == "above"), default=1)
        most = min((one.number - 1 for one in told if one.side == "below"), default=MOST)
        return (Guess(rng.randint(least, most)),)

    def word(self, seen: Seen, orders: Sequence[Guess], rng: random.Random) -> list[str]:
        return [rng.choice(WORDS).format(order.number) for order in orders]

    def word_exactly(self, seen: Seen, orders: Sequence[Guess]) -> list[str]:
        return [PAGES.format_order(seen.view, order) for order in orders]

    def taps(self, seen: Seen, order: Guess) -> tuple[str, ...]:
        return ("Guess...", PAGES.format_order(seen.view, order))


PLAY = GuessingPlay()
