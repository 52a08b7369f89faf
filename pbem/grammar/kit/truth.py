"""What an answer says of a message holds: a word that it quotes was written, where no word is said
to order anything the words alone order nothing, and what has several meanings has more than one.
"""

from collections.abc import Callable, Mapping
from functools import cache

from msgspec.structs import replace

from engine.ruleset import Fact, Problem
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item, Reading

_WORDS = ("word", "nearest")


def truthful(reading: Reading, text: str, takes: Callable[[str], bool]) -> Reading:
    """The same without facts that do not hold of this text; `takes` tells whether words alone are
    an order.
    """
    written = _bare(text)
    told = cache(takes)  # lines of the same words are read once
    items = tuple(_told(item, written, told) for item in reading.items)
    return reading if items == reading.items else replace(reading, items=items)


def _told(item: Item, written: str, takes: Callable[[str], bool]) -> Item:
    problems = tuple(
        replace(one, facts=_holding(one, item.quote, written, takes)) if one.facts else one
        for one in item.problems
    )
    return item if problems == item.problems else replace(item, problems=problems)


def _holding(
    problem: Problem, quote: str, written: str, takes: Callable[[str], bool]
) -> Mapping[str, Fact]:
    facts = dict(problem.facts)
    word = facts.get("word")
    if problem.code == "not-understood" and isinstance(word, str) and _bare(word) not in written:
        facts = {key: fact for key, fact in facts.items() if key not in (*_WORDS, "why")}
    if facts.get("why") == "no-verb" and takes(quote):
        del facts["why"]
    choices = facts.get("choices")
    if problem.code == "ambiguous" and isinstance(choices, tuple) and len({*choices}) < 2:
        del facts["choices"]
    return facts


def _bare(text: str) -> str:
    return " ".join(fold(text).split())
