"""What a message came to as items of its answer; what was refused, with the nearest legal order."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from engine.protectors import orders as o
from engine.ruleset import Problem
from pbem.games.protectors.reading.dialect import DIALECT
from pbem.games.protectors.reading.judging import without_transfer
from pbem.games.protectors.reading.message import lexemes_here
from pbem.games.protectors.reading.nearest import settled_by, suggester
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.weighing import Weighed
from pbem.grammar.house.commands import Letter, PressHelp, WhatIf
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import Item, Suggestion
from pbem.grammar.kit.rings import (
    Ring,
    is_bound,
    is_question,
    judge,
)
from pbem.grammar.kit.sentences import sentences_of
from pbem.grammar.kit.suggesting import Meant, Suggester

_UNSUGGESTED = frozenset(
    {"not-now", "no-such-ability", "used-up", "already-final", "second-order", "final-held"}
    | {"ambiguous-player", "unknown-player", "unknown-province"}
)
"""Codes of what no other order comes near."""


def names_of(position: Position) -> dict[int, str]:
    return {seat.number: seat.name for seat in position.state.players}


def suggester_of(
    plain: Plain,
    found: Sequence[Weighed],
    position: Position,
    alone: Callable[[str], object],
) -> Suggester[o.Order]:
    """What may be suggested beside the orders that stand; `alone`: what is read of words alone."""
    settled = settled_by(position, (order for weighed in found for order in weighed.standing))
    return suggester(plain, position, settled, names_of(position), alone)


def items_of(
    plain: Plain, found: Sequence[Weighed], position: Position, offers: Suggester[o.Order]
) -> tuple[Item, ...]:
    """The items, each that was refused with what it may mean."""
    names = names_of(position)
    items: list[Item] = []
    given = 0
    unread = [i for i, one in enumerate(found) if _is_refused(one) and not one.orders]
    places = [(weighed.entry.slots.start, weighed.entry.slots.end) for weighed in found]
    read = [place for i, place in enumerate(places) if i not in unread]
    near = dict(zip(unread, offers.meant([places[i] for i in unread], read), strict=True))
    for i, weighed in enumerate(found):
        slots, meant = weighed.entry.slots, near.get(i, Meant())
        offered: tuple[o.Order, ...] = ()
        if weighed.problems and weighed.problems[0].facts.get("missing") == "cancel-all":
            offered = without_transfer(slots, position)
        elif weighed.entry.talk or slots.turns or _is_settled(weighed):
            offered = ()  # it hangs on something, or is denied
        suggestion = None
        if offered:
            given += 1
            text = "; ".join(o.format_order(order, names) for order in offered)
            suggestion = Suggestion(given, offered, text)
        items.append(item_of(plain, weighed, names, suggestion, meant.example))
    return tuple(items)


def _is_settled(weighed: Weighed) -> bool:
    return any(problem.code in _UNSUGGESTED for problem in weighed.problems)


def _is_refused(weighed: Weighed) -> bool:
    return not weighed.standing and any(not problem.warning for problem in weighed.problems)


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


def item_of(
    plain: Plain,
    weighed: Weighed,
    names: dict[int, str],
    suggestion: Suggestion | None = None,
    example: str = "",
) -> Item:
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
        suggestion=suggestion,
        example=example,
    )
