"""What a message came to, as items of its answer."""

from msgspec.structs import replace

from engine.protectors import orders as o
from engine.ruleset import Problem
from pbem.games.protectors.reading.dialect import DIALECT
from pbem.games.protectors.reading.message import lexemes_here
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.weighing import Weighed
from pbem.grammar.house.commands import Letter, PressHelp, WhatIf
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import Item
from pbem.grammar.kit.rings import (
    Ring,
    is_bound,
    is_question,
    judge,
)
from pbem.grammar.kit.sentences import sentences_of


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
        for sentence in sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags):
            judged = judge(sentence, DIALECT, position.player)
            ordering = any(one.ring is Ring.ORDER and one.clause.lexemes for one in judged)
            if ordering and not is_question(sentence) and not is_bound(judged):
                first, last = sentence.lexemes[0].start, sentence.lexemes[-1].end
                problem = Problem("not-understood", rules=("PR-6.19",))
                return (Item(quote=plain.quote(first, last), problems=(problem,)),)
    return ()


def item_of(plain: Plain, weighed: Weighed, names: dict[int, str]) -> Item:
    """What an entry came to, with the words it was said in."""
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
