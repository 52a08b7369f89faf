"""Reads what a player supposes: `I attack Syria with 2L 1K from Egypt and lose knights first`, or
an attack that nobody can order now: `Red attacks Syria with 3L`.

The orders are read as if they were sent, and none may be left out: a part of a question is another
question.
"""

from functools import partial

from engine.fortresses import flow
from engine.fortresses import orders as o
from engine.fortresses.acts import act_of
from engine.fortresses.odds import Odds
from engine.fortresses.state import State
from engine.fortresses.suppositions import odds_of as chances_of
from engine.fortresses.view import view_of
from engine.ruleset import Problem, Standing
from pbem.games.fortresses.reading.question_words import odds_of, words_of
from pbem.games.fortresses.reading.reader import FortressesReader
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import (
    Reading,
    Supposition,
    question_of,
    supposed,
    supposition_of,
    unread,
)

_NOT_TO_ORDER = frozenset({"not-now", "not-your-turn", "truce", "not-yours"})
"""Refusals of what may still be asked about: whose turn it is does not change the odds."""
_READER = FortressesReader(suggests=False)


def read_supposition(
    state: State, player: int, standing: Standing[o.Order], text: str
) -> Supposition:
    """What this player supposes, in addition to their orders that stand, or instead of them if
    these order units elsewhere. Never raises for what a player wrote.
    """
    return supposition_of(text, partial(_read, state, player, standing, text))


def _read(state: State, player: int, standing: Standing[o.Order], text: str) -> Supposition:
    if player not in flow.asked_of(state):
        return _odds(state, player, text)
    said = Said(text.strip(" ?!."))
    reading = _READER.read(state, player, standing, said)
    found = _problems(reading)
    if any(problem.code == "too-few-units" for problem in found):
        kept: list[o.Order] = [
            line for line in standing.orders if not isinstance(line, o.Attack | o.Carry)
        ]
        again = _READER.read(state, player, Standing(tuple(kept)), said)
        reading = again if not _problems(again) else reading
    elif found:
        chances = _odds(state, player, text)
        is_elsewhere = all(problem.code in _NOT_TO_ORDER for problem in found)
        if chances.is_understood or is_elsewhere:
            return chances
    return supposed(
        player, standing.orders, reading, o.format_order, lambda order: act_of(order) is not None
    )


def _problems(reading: Reading) -> list[Problem]:
    return [problem for item in reading.items for problem in item.problems if not problem.warning]


def _odds(state: State, player: int, text: str) -> Supposition:
    """An attack of any units, in anybody's turn."""
    view = view_of(state, player)

    def read(asked: str) -> Odds | Problem:
        found = odds_of(view, words_of(view, asked))
        told = chances_of(view, found)
        return told if isinstance(told, Problem) else found

    found = question_of(text, read)
    if isinstance(found, Problem):
        return unread(text, found)
    return Supposition({player: (found,)}, stored=False)
