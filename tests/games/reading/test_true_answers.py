"""F-80: no answer says what is not true. What a refusal says of the message and of the position is
compared with these, over the kept phrases of all games.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from engine.protectors.orders import Fortify
from engine.ruleset import Problem, Standing
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.normalise import fold
from tests.games.reading.phrases import FOLDERS, Phrase, kept_phrases
from tests.games.reading.unused import read, state_of

LEAST = 2
"""Phrases of each set in the first ring."""


def _bare(text: str) -> str:
    return " ".join(fold(text).split())


@dataclass
class Untrue:
    """What an answer says of a phrase, and is not so."""

    phrase: Phrase
    found: list[str] = field(default_factory=list)

    def holds(self) -> list[str]:
        for item in self.phrase.read().items:
            for problem in item.problems:
                self.weigh(problem, item.quote)
        return self.found

    def weigh(self, problem: Problem, quote: str) -> None:
        facts, text = problem.facts, self.phrase.text
        word = facts.get("word")
        if problem.code == "not-understood" and isinstance(word, str):
            self.say(_bare(word) in _bare(text), f"the word {word!r} is not written")
        if facts.get("why") == "no-verb":
            alone = read_alone(*self.at, quote)
            self.say(not any(item.orders for item in alone.items), f"{quote!r} alone is an order")
        if problem.code == "ambiguous" and "choices" in facts:
            self.say(len({*facts["choices"]}) > 1, "one meaning is not several")  # type: ignore[misc]
        if facts.get("missing") == "last-orders":
            last = dict(self.phrase.at.state.last_orders)
            self.say(not last.get(self.phrase.player), "there are orders of last turn")
        if problem.code == "no-last-plan":
            plan = self.phrase.at.state.players[self.phrase.player - 1].plan
            self.say(not plan.last, "there is an earlier plan")

    def say(self, is_so: bool, why: str) -> None:
        if not is_so:
            self.found.append(f"{self.phrase.name} {self.phrase.text!r}: {why}")

    @property
    def at(self) -> tuple[Any, Any, int, Standing[Any]]:
        one = self.phrase
        return one.at.game.read, one.at.state, one.player, one.standing


@pytest.mark.parametrize("game", sorted(FOLDERS))
def test_f80_what_a_refusal_says_of_a_kept_phrase_is_so(game: str) -> None:
    phrases = kept_phrases(FOLDERS[game], LEAST)
    assert [why for phrase in phrases for why in Untrue(phrase).holds()] == []


@pytest.mark.parametrize("text", ["Same as last turn, P1 works", "as before"])
def test_f80_orders_of_last_turn_are_not_denied(text: str) -> None:
    """F-80: nothing of last turn is left to repeat, or it is unclear which; there were orders."""
    state, who = state_of("protectors")
    state = replace(state, last_orders=((who, (Fortify(1),)),))
    reading, _ = read("protectors", text, state=state)
    told = [problem for item in reading.items for problem in item.problems]
    assert told
    assert not any(problem.facts.get("missing") == "last-orders" for problem in told)


def test_f80_one_meaning_is_not_several() -> None:
    """F-80: units of one zone alone may be meant, so none of several is named."""
    reading, _ = read("fortresses", "The Levantine galleon takes a knight to Syria.")
    told = [problem for item in reading.items for problem in item.problems]
    assert told
    assert not any("choices" in problem.facts for problem in told)
