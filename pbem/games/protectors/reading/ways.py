"""The way on from what was not read: why it is no order, a line to copy, and what a suggestion
would change.

The line is legal beside all that stands. It is of the kind that was nearly written, about the place
that was written, and it is no folly: nothing is attacked of a team mate, no last province is left,
and nothing that has an order gets another one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from engine.protectors import orders as o
from engine.protectors.checking.legal import possible
from engine.protectors.checking.messages import check
from engine.protectors.numbers import mates_of
from engine.ruleset import Fact, Problem, Standing
from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.nearest import about, leaves_last, settled_by
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS

UNREAD = frozenset(
    {
        "not-understood",
        "unknown-player",
        "ambiguous-player",
        "unknown-province",
        "ambiguous-province",
        "loose-question",
        "beside-question",
    }
)
"""Codes of what could not be read."""
_WANTED = UNREAD | {"not-now"}
_KINDS: Mapping[str, tuple[type[o.Order], ...]] = {
    **dict.fromkeys(("MARCH", "ATTACK"), (o.March, o.Commit)),
    "FORTIFY": (o.Fortify,),
    "WORK": (o.Work,),
    "HOLD": (o.Hold,),
    "SUPPORT": (o.Support,),
    **dict.fromkeys(("SEND", "GIVE"), (o.Send, o.March, o.Commit)),
    "SNITCH": (o.Snitch,),
    "BID": (o.Bid,),
    "BUY": (o.Buy,),
    "UPGRADE": (o.Upgrade,),
    "COMMIT": (o.Commit,),
    "FACTIONNAME": (o.ChooseFaction,),
}
"""What kinds of order a word says."""
_PLAIN: tuple[type[o.Order], ...] = (
    o.Fortify,
    o.Buy,
    o.Bid,
    o.Commit,
    o.ChooseFaction,
    o.Hold,
    o.Work,
    o.CommitNothing,
    o.BuyNothing,
)
"""What can be shown though nothing of the kind was written, the likeliest first."""
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
_SAID_OF_OTHERS = frozenset({"WHO", "OTHER"})


def with_ways_on(
    items: Sequence[Item], position: Position, after: Standing[o.Order]
) -> tuple[Item, ...]:
    """The items, each with its way on. `after` is what stands when the message has been taken."""
    names = {seat.number: seat.name for seat in position.state.players}
    accepted = [order for item in items for order in item.orders]
    settled = set(settled_by(position, (*after.orders, *accepted)))
    told: list[Item] = []
    shown = 0
    choices: list[o.Order] | None = None
    for item in items:
        problem = next((one for one in item.problems if not one.warning), None)
        if problem is None or item.orders:
            told.append(item)
            continue
        wanted = shown < MOST_SUGGESTIONS and problem.code in _WANTED | {"no-order"}
        unread = any(one.code == "not-understood" and not one.facts for one in item.problems)
        if not (wanted or unread or item.suggestion):
            told.append(item)
            continue
        said = read_lexemes(fold(item.quote), lexicon(), position.people)
        item = msgspec.structs.replace(item, problems=_explained(item, said))
        if item.suggestion is not None:
            fell = check(position.state, position.player, after, item.suggestion.orders).replaced
            instead = tuple(
                o.format_order(order, names)
                for order in fell
                if order not in item.suggestion.orders
            )
            mine = any(order in accepted for order in fell)
            item = (
                msgspec.structs.replace(item, suggestion=None)
                if mine or not all(_starts_there(one, said) for one in item.suggestion.orders)
                else msgspec.structs.replace(item, instead=instead)
            )
        is_near = problem.code == "no-order" and _is_near(said, position)
        is_wanted = (is_near or problem.code in _WANTED) and shown < MOST_SUGGESTIONS
        if item.suggestion is None and is_wanted:
            if choices is None:
                choices = list(_sensible(position))
            order = _line_to_copy(said, choices, position, after, settled, is_strict=is_near)
            shown += 1
            if order is not None:
                settled.add(about(order))
                item = msgspec.structs.replace(item, example=o.format_order(order, names))
        told.append(item)
    return tuple(told)


# --------------------------------------------------------------------------------------- the reason
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


# --------------------------------------------------------------------------------- the line to copy
def _sensible(position: Position) -> Iterator[o.Order]:
    """Possible orders that nobody would call foolish, in their plain form."""
    board, mates = position.state.board, mates_of(position.state, position.player)
    third = position.purse // 3 + 1
    for order in possible(position.state, position.player):
        match order:
            case o.Send():  # most of them
                yield order
            case o.March(target=target, golden=False, delayed=False):
                if board[target].owner not in mates and not leaves_last(order, position):
                    yield order
            case o.Support(player=player, target=target, golden=False):
                if board[target].owner == player and board[target].units:
                    yield order
            case o.Snitch(on):
                if on not in mates:
                    yield order
            case o.Commit(sacrifice=None):
                if not leaves_last(order, position):
                    yield order
            case o.Bid(amount):
                if amount in (0, third) or amount <= third:
                    yield order
            case (
                o.Fortify(golden=False)
                | o.Work(golden=False)
                | o.Hold()
                | o.Buy()
                | o.Upgrade()
                | o.BuyNothing()
                | o.CommitNothing()
                | o.ChooseFaction()
            ):
                yield order


def _line_to_copy(
    said: Sequence[Lexeme],
    choices: Iterable[o.Order],
    position: Position,
    after: Standing[o.Order],
    settled: Collection[object],
    *,
    is_strict: bool,
) -> o.Order | None:
    """The best order to show; `is_strict`: only one of the very kind that was nearly written."""
    kinds = _kinds(said)
    denied = kinds if any(one.kind == "NEG" for one in said) else ()
    places = {one.value for one in said if one.kind == "PLACE"}
    who = {one.value for one in said if one.kind == "WHO" and one.value}
    words, has_units = {one.text for one in said}, any(one.kind == "UNITS" for one in said)
    numbers = [one.value or 0 for one in said if one.kind == "NUM"]
    wanted = numbers[0] if numbers else None

    friends = {position.player, *mates_of(position.state, position.player)}

    def worth(order: o.Order) -> tuple[int, ...]:
        named = set(_places(order))
        amount = int(getattr(order, "amount", None) or getattr(order, "units", None) or 0)
        best = position.purse // 3 + 1 if isinstance(order, o.Bid) else 1
        return (
            int(isinstance(order, kinds)),
            len(named & places) - (len(named - places) if places else 0),
            int(_whom(order, position) in who),
            int(fold(str(getattr(order, "faction", ""))) in words),
            -_PLAIN.index(type(order)) if type(order) in _PLAIN else -len(_PLAIN),
            -_risk(order, position),
            -abs(amount - (best if wanted is None else wanted)),
            *(-place for place in sorted(named)),
        )

    shown = [
        order
        for order in choices
        if not isinstance(order, denied)
        and (isinstance(order, kinds) or (type(order) in _PLAIN and not is_strict))
        and (not isinstance(order, o.Send | o.Snitch) or _whom(order, position) in who)
        and (not isinstance(order, o.Support) or order.player in friends | who)
        and _starts_there(order, said)
        and not (isinstance(order, o.Send) and (wanted is None or has_units))
        and not (is_strict and places and not set(_places(order)) & places)
        and about(order) not in settled
    ]
    for order in sorted(shown, key=worth, reverse=True):
        checked = check(position.state, position.player, after, (order,))
        if checked.accepted == (order,) and not checked.problems and not checked.replaced:
            return order
    return None


def _kinds(said: Sequence[Lexeme]) -> tuple[type[o.Order], ...]:
    """The kinds of order that are spoken of, but for what others do."""
    words = [one for one in said if one.kind not in ("FILLER", "PROSE")]
    first = _KINDS.get(words[0].kind, ()) if words else ()
    return (
        *first,
        *(
            kind
            for before, word in pairwise(words)
            if before.kind not in _SAID_OF_OTHERS
            for kind in _KINDS.get(word.kind, ())
        ),
    )


def _starts_there(order: o.Order, said: Sequence[Lexeme]) -> bool:
    """Whether an order begins where it was written to (`from P2`), if that was written."""
    starts = {
        two.value for one, two in pairwise(said) if one.kind == "FROM" and two.kind == "PLACE"
    }
    return not starts or not isinstance(order, o.March | o.Support) or order.origin in starts


def _whom(order: o.Order, position: Position) -> int | None:
    """The player that an order is about."""
    match order:
        case o.March(target=target):
            return position.state.board[target].owner
        case o.Support(player=player) | o.Send(to=player) | o.Snitch(on=player):
            return player
    return None


def _places(order: o.Order) -> Iterator[int]:
    for name in ("province", "origin", "target"):
        place = getattr(order, name, None)
        if place is not None:
            yield place


def _risk(order: o.Order, position: Position) -> int:
    """How much a march stakes: where it goes against more, and the province that it leaves."""
    if not isinstance(order, o.March):
        return 0
    there = position.state.board[order.target]
    against = there.units if there.owner not in (None, position.player) else 0
    return 2 * (against >= order.units > 0 and against > 0) + (
        order.units == position.units(order.origin)
    )


def _is_near(said: Sequence[Lexeme], position: Position) -> bool:
    """Whether a message with no order in it was near one: a word of an order, and what it is done
    with.
    """
    own = any(one.kind == "PLACE" and one.value in position.own for one in said)
    money = any(one.kind == "NUM" for one in said) and any(
        one.kind in ("BID", "BUY", "COMMIT") for one in said
    )
    return bool(_kinds(said)) and (own or money)
