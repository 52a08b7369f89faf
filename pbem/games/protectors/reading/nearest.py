"""What may be suggested to a player: the possible orders beside those that stand."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import astuple

from engine.protectors import orders as o
from engine.protectors.checking.legal import is_legal, possible
from engine.protectors.numbers import mates_of
from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.message import lexemes_here
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.suggesting import Choice, Suggester, Terms, spellings_of


@lru_cache(maxsize=1)
def _spellings() -> Callable[[Lexeme], Collection[str]]:
    return spellings_of(lexicon())


_MOVING = frozenset({"MARCH", "ATTACK", "COMMIT"})
_TERMS = Terms(
    verbs=DIALECT.verbs,
    names=frozenset({"PLACE", "WHO", "NUM", "FACTIONNAME", "ABILITY"}),
    told=lambda x: x.text if x.kind in {"FACTIONNAME", "ABILITY"} else x.value,
    roles={"FROM": "from", "TO": "to", "ARROW": "to"},
    may_mean={
        **dict.fromkeys(("MARCH", "ATTACK"), _MOVING),
        **dict.fromkeys(("SEND", "GIVE", "GET"), _MOVING | {"SEND"}),
        "TAKE": _MOVING | {"FACTION", "TAKE"},
    },
    silent=set_of("UNITS THEUNITS IN FOR WITH"),
    infers=frozenset({"NUM", "PLACE", "WHO", *DIALECT.verbs}),
    spelt=lambda lexeme: _spellings()(lexeme),
)
"""How words are compared with orders that may be meant."""
_NEVER_OFFERED = (o.Final, o.Cancel)


def settled_by(position: Position, accepted: Iterable[o.Order]) -> frozenset[tuple[object, ...]]:
    """What has an order already, of this message or of one before."""
    return frozenset(map(about, (*position.standing.orders, *accepted)))


def suggester(
    plain: Plain,
    position: Position,
    settled: Collection[object],
    names: dict[int, str],
    alone: Callable[[str], object],
) -> Suggester[o.Order]:
    """The orders that can be suggested beside those that stand (`settled`): none about what has an
    order already, none that leaves the player's last province without a unit, and no march against
    a team mate.
    """
    state, player = position.state, position.player
    mates, found = mates_of(state, player), list[o.Order]()

    def fits(order: o.Order) -> bool:
        if about(order) in settled or leaves_last(order, position):
            return False
        against = isinstance(order, o.March) and state.board[order.target].owner in mates
        return not against and is_legal(state, player, order)

    def choices(said: Sequence[Lexeme]) -> Iterator[Choice[o.Order]]:
        values = {x.value for x in said if x.kind in {"PLACE", "NUM", "WHO"}}
        if not found:
            found.extend(possible(state, player))
        for order in found:
            fields = {*_fields(order)}
            about_it = values <= fields if values else not fields
            if about_it and not isinstance(order, _NEVER_OFFERED):
                yield Choice(order, o.format_order(order, names))

    return Suggester(
        plain, _TERMS, lambda words: lexemes_here(words.text, position), choices, alone, fits
    )


def _fields(order: o.Order) -> Iterator[int]:
    return (held for held in astuple(order) if type(held) is int)


def about(order: o.Order) -> tuple[object, ...]:
    """What an order settles: another one about the same would take its place."""
    match order:
        case o.March(origin=province) | o.Support(origin=province):
            return ("province", province)
        case o.Fortify(province) | o.Work(province) | o.Hold(province) | o.Commit(_, province):
            return ("province", province)
        case o.Cancel(province=int(province)):
            return ("province", province)
        case o.Buy(province=province) | o.Upgrade(province) | o.Capitol(province):
            return (type(order), province)
        case o.Send(to=to):
            return (type(order), to)
    return (type(order),)


def leaves_last(order: o.Order, position: Position) -> bool:
    """Whether all units leave the only province of the player that has any."""
    if not isinstance(order, o.March | o.Commit):
        return False
    left = order.origin if isinstance(order, o.March) else order.province
    return position.manned == (left,) and order.units >= position.units(left)
