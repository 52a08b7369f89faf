"""The items of an answer: the result of each part of a message, why a part is not an order, and
what an offer would change.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.protectors import orders as o
from engine.protectors.checking.messages import check
from engine.ruleset import Fact, Problem, Standing
from pbem.games.protectors.reading.dialect import DIALECT, UNFLAGGED, lexicon
from pbem.games.protectors.reading.here import lexemes_here
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.weights import Weighed
from pbem.grammar.house.commands import Letter, PressHelp, WhatIf
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import Plain, fold
from pbem.grammar.kit.reading import Item
from pbem.grammar.kit.rings import Ring, is_bound, is_question, judge
from pbem.grammar.kit.sentences import sentences_of

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


def names_of(position: Position) -> dict[int, str]:
    return {seat.number: seat.name for seat in position.state.players}


def swallowed_in(plain: Plain, said: Said, position: Position) -> tuple[Item, ...]:
    """Orders that stand in what is for others, or behind a question on its line."""
    if not said.has(Letter, PressHelp, WhatIf):
        return ()
    loose, asks = said.questions(plain), said.has(WhatIf)
    for start, end in said.taken(plain):
        if any(a < end and start < b for a, b in loose):
            continue
        if asks:
            start = plain.text.find("?", start, end) + 1 or end
        lexemes = [
            replace(lexeme, start=lexeme.start + start, end=lexeme.end + start)
            for lexeme in lexemes_here(plain.text[start:end], position)
        ]
        for sentence in sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags, heads=UNFLAGGED):
            judged = judge(sentence, DIALECT, position.player)
            ordering = any(one.ring is Ring.ORDER and one.clause.lexemes for one in judged)
            if ordering and not is_question(sentence) and not is_bound(judged):
                first, last = sentence.lexemes[0].start, sentence.lexemes[-1].end
                problem = Problem("not-understood", rules=("PR-6.19",))
                return (Item(quote=plain.quote(first, last), problems=(problem,)),)
    return ()


def item_of(plain: Plain, weighed: Weighed, names: dict[int, str]) -> Item:
    """The result of an entry, with its words."""
    slots = weighed.entry.slots
    start, end = plain.span(slots.start, slots.end)
    while plain.original[end : end + 1] == ")" and plain.original.count(
        "(", start, end
    ) > plain.original.count(")", start, end):
        end += 1  # brackets say nothing, and belong to what is quoted
    at = None
    if weighed.caret is not None:
        first, last = plain.span(weighed.caret.start, weighed.caret.end)
        at = (first - start, last - start) if start <= first < last <= end else None
    stand = weighed.standing
    return Item(
        quote=plain.original[start:end],
        caret=at,
        orders=stand,
        texts=tuple(o.format_order(order, names) for order in stand),
        problems=tuple(weighed.problems),
    )


def with_ways_on(
    items: Sequence[Item], position: Position, after: Standing[o.Order]
) -> tuple[Item, ...]:
    """The items, each with its way on. `after` is what stands when the message has been taken."""
    names = names_of(position)
    told: list[Item] = []
    for item in items:
        if any(one.code == "not-understood" and not one.facts for one in item.problems):
            said = read_lexemes(fold(item.quote), lexicon(), position.people)
            item = replace(item, problems=_explained(item, said))
        if item.suggestion is not None:
            offered = item.suggestion.orders
            fell = check(position.state, position.player, after, offered).replaced
            texts = tuple(o.format_order(order, names) for order in fell if order not in offered)
            item = replace(item, instead=texts)
        told.append(item)
    return tuple(told)


def _explained(item: Item, said: Sequence[Lexeme]) -> tuple[Problem, ...]:
    """The problems; a bare `not-understood` with which reason it is, and by which word."""
    return tuple(
        replace(problem, facts=_reason(item, said))
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
