"""A sentence in the canonical text of an order, which counts in whatever phase."""

from collections.abc import Sequence

from engine.sovereigns import orders as o
from engine.sovereigns.checking.actions import kingdoms_of
from engine.sovereigns.wording import NOBODY, parse_order
from pbem.games.sovereigns.reading.layout import with_capitals
from pbem.games.sovereigns.reading.position import AMBIGUOUS, Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain

_LONGEST = 2200
"""No canonical text is longer."""


def canonical(words: Sequence[Lexeme], plain: Plain, position: Position) -> o.Order | None:
    """The order of these words, with its capitals or behind a colon; None if they are not a
    canonical text. A vote on `the claim` and a building without its code are not.
    """
    start, end = words[0].start, words[-1].end
    if end - start > _LONGEST:
        return None
    quote = plain.quote(start, end)
    if not quote[:1].isupper():
        if ": " not in quote:
            return None
        quote = with_capitals(quote)
    order = _exact(quote, position)
    if order is not None and 0 in _kingdoms_in(order):
        if any(x.kind == "WHO" and x.value == AMBIGUOUS for x in words):
            return None
        told = _in_full(words, plain, position)
        order = _exact(told if told[:1].isupper() else with_capitals(told), position) or order
    if order is None:
        return None
    named = 0 not in _kingdoms_in(order) or NOBODY in plain.text or ": " in quote
    if isinstance(order, o.Vote):  # and not `vote no on the claim`
        named = named or quote.rpartition(" on ")[2][:1].isupper()
    is_word = isinstance(order, o.Build) and not order.building.startswith("BLD-")
    return order if named and not is_word else None


def _exact(text: str, position: Position) -> o.Order | None:
    try:
        return parse_order(position.state, text)
    except ValueError:
        return None


def _in_full(words: Sequence[Lexeme], plain: Plain, position: Position) -> str:
    """These words, with whole names for the beginnings of kingdoms (SS-13)."""
    text, at = "", words[0].start
    for lexeme in words:
        if lexeme.kind == "WHO" and lexeme.value:
            text += plain.quote(at, lexeme.start) + position.state.kingdom(lexeme.value).ruler
            at = lexeme.end
    return text + plain.quote(at, words[-1].end)


def _kingdoms_in(order: o.Order) -> set[int | None]:
    """The kingdoms that an order names."""
    match order:
        case o.Vote(_, claimant):
            return {claimant}
        case o.Offer(to):
            return {to}
        case o.Every(inner) | o.Redo(inner):
            return _kingdoms_in(inner)
        case o.Do(ways, condition) | o.Year(ways, condition):
            named = {way.target for way in ways if isinstance(way, o.Action)}
            return {*named, *kingdoms_of(condition)}
    return set()
