"""The way on from what was not read: why it is no order, and what a suggestion would change."""

from collections.abc import Sequence

import msgspec

from engine.protectors import orders as o
from engine.protectors.checking.messages import check
from engine.ruleset import Fact, Problem, Standing
from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.items import names_of
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item

_WHY = {
    "COND": "condition",
    "OR": "or",
    "HEDGE": "doubt",
    "NEG": "negation",
    "ASKING": "question",
    "STATEMENT": "told",
    "RETRACT": "retracted",
    "WORD": "unknown",
}
"""What a word says that keeps a clause from being an order."""
_TURNING = frozenset({"ASKING", "COND", "OR", "HEDGE", "NEG", "RETRACT"})
"""Those of them that are looked for where no word is marked."""


def with_ways_on(
    items: Sequence[Item], position: Position, after: Standing[o.Order]
) -> tuple[Item, ...]:
    """The items, each with its way on. `after` is what stands when the message has been taken."""
    names = names_of(position)
    told: list[Item] = []
    for item in items:
        if any(one.code == "not-understood" and not one.facts for one in item.problems):
            said = read_lexemes(fold(item.quote), lexicon(), position.people)
            item = msgspec.structs.replace(item, problems=_explained(item, said))
        if item.suggestion is not None:
            offered = item.suggestion.orders
            fell = check(position.state, position.player, after, offered).replaced
            texts = tuple(o.format_order(order, names) for order in fell if order not in offered)
            item = msgspec.structs.replace(item, instead=texts)
        told.append(item)
    return tuple(told)


def _explained(item: Item, said: Sequence[Lexeme]) -> tuple[Problem, ...]:
    """The problems; a bare `not-understood` with which reason it is, and by which word."""
    return tuple(
        msgspec.structs.replace(problem, facts=_reason(item, said))
        if problem.code == "not-understood" and not problem.facts
        else problem
        for problem in item.problems
    )


def _reason(item: Item, said: Sequence[Lexeme]) -> dict[str, Fact]:
    marked = fold(item.quote[slice(*item.caret)]).strip() if item.caret is not None else ""
    at = next((one for one in said if one.text == marked and one.kind in (*_WHY, "WORD")), None)
    if at is None and not marked:
        at = next((one for one in said if one.kind in _TURNING), None)
    if at is not None:
        why = "or" if at.text == "or" else _WHY[at.kind]
        return {"why": why, "word": item.quote[at.start : at.end] or at.text}
    if item.quote.rstrip().endswith("?"):
        return {"why": "question"}
    unknown = next((one for one in said if one.kind == "WORD"), None)
    if unknown is not None and not marked:
        return {"why": "unknown", "word": item.quote[unknown.start : unknown.end]}
    told = next((one for one in said if one.kind == "STATEMENT"), None)
    if told is not None and not marked:
        return {"why": "told", "word": item.quote[told.start : told.end]}
    if not any(one.kind in DIALECT.verbs for one in said):
        return {"why": "no-verb"}
    return {"why": "unclear", "word": marked} if marked else {"why": "unclear"}
