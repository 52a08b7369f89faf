"""The reader of a game: its words and grammar, and that a long message takes as much longer as it
is longer.
"""

import re
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import islice
from types import FrameType
from typing import Any

from engine.ruleset import Standing, known_state
from pbem.conformance.findings import found
from pbem.conformance.walk import Walk
from pbem.findings import Finding
from pbem.game import Game
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.clause_parser import kinds_of
from pbem.grammar.kit.vocabulary import SETTINGS, parse_words
from pbem.grammar.usual import UsualReader

SHORT, LONG = 30, 120
"""Sentences of the two messages that are compared."""
MOST_TIMES = 1.5
"""So much more than four times as much work may four times as many sentences take."""
_SPELT = re.compile(r'^([A-Z]+): "', re.MULTILINE)
"""The kinds that `kit.lark` has for grammars, of words and of signs; the others steer how a
sentence is taken.
"""
TALK = ("hello there", "why not, my friend?", "1", "(((", "foo bar, baz", "I will not do that")


def check_grammar(game: Game) -> Iterator[Finding]:
    """The words have one kind each, and the grammar knows the kinds. What is wrong comes with its
    file and line.
    """
    game.load_readers()
    yield from _unused_words(game)
    for colour in game.colours:
        if colour not in game.reserved_words:
            yield found("colour-not-reserved", colour=colour)
    if len(game.colours) < game.ruleset.players[1]:
        yield found("few-colours", colours=len(game.colours), players=game.ruleset.players[1])


def _unused_words(game: Game) -> Iterator[Finding]:
    """The kinds of the words and those of the grammar are the same, where one reader has both."""
    reader = getattr(game.read, "__self__", None)
    if not isinstance(reader, UsualReader):
        return
    file, kit = files(reader.package) / "orders.words", files("pbem.grammar.kit")
    own, small = parse_words(file), {kind for kind, _ in parse_words(kit / "kit.words")}
    in_grammar = kinds_of(reader.package)
    kit_spells = set(_SPELT.findall((kit / "kit.lark").read_text("utf-8")))
    for kind, words in own:
        if kind not in in_grammar | (small - kit_spells) | SETTINGS:
            yield found("unused-words", kind=kind, words=", ".join(words[:3]), place=file)
    for kind in sorted(in_grammar - small - kit_spells - {kind for kind, _ in own}):
        yield found("no-words", kind=kind, place=file)


def check_growth(game: Game, walk: Walk) -> Iterator[Finding]:
    """Four times as long takes at most about four times as many calls; nothing that anybody writes
    is an error.
    """
    rules = game.ruleset
    state = next(one for one in walk.states if rules.phase(one).asked)
    number = rules.phase(state).asked[0]
    known = known_state(rules, state, number)
    orders = [
        rules.format_order(state, order) for order in islice(rules.legal(state, number), 0, 40, 8)
    ]
    for sentence in (*orders, *TALK):
        short, long = (
            _calls(lambda text: read_alone(game.read, known, number, Standing(), text), text)
            for text in (f"{sentence}.\n" * SHORT, f"{sentence}.\n" * LONG)
        )
        if long > short * (LONG / SHORT) * MOST_TIMES:
            yield found("slow-reading", text=sentence, times=round(long / short, 1))


def _calls(read: Callable[[str], Any], text: str) -> int:
    """How many functions are called to read a text: the same on every machine."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    read(text[: len(text) // SHORT])  # what is kept from one reading to the next is made now
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return calls
