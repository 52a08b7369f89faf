"""The legal order nearest to what was refused or not read, to be suggested for a yes."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import astuple

from engine.protectors import orders as o
from engine.protectors.checking.legal import is_legal
from engine.protectors.numbers import mates_of
from pbem.games.protectors.reading.judging import build, kind_of
from pbem.games.protectors.reading.position import Position, Unclear
from pbem.games.protectors.reading.weighing import Weighed
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.suggesting import Choice, nearest

_SAID: dict[str, type[o.Order]] = {
    **dict.fromkeys(("MARCH", "ATTACK"), o.March),
    "FORTIFY": o.Fortify,
    "WORK": o.Work,
    "HOLD": o.Hold,
    "SUPPORT": o.Support,
    "SEND": o.Send,
    "BID": o.Bid,
    "BUY": o.Buy,
    "UPGRADE": o.Upgrade,
}
"""What kind of order a verb says."""
_NUMBERS = re.compile(r"\d{1,9}")


def settled_by(position: Position, accepted: Iterable[o.Order]) -> frozenset[tuple[object, ...]]:
    """What has an order already, of this message or of one before."""
    return frozenset(map(about, (*position.standing.orders, *accepted)))


@dataclass(frozen=True, slots=True)
class Offers:
    """The orders that can be suggested beside those that stand (`settled`): none about what has an
    order already, none that leaves the player's last province without a unit, and no march against
    a team mate. Few of them are looked at closely.
    """

    position: Position
    settled: Collection[object]
    possible: Sequence[o.Order]
    names: dict[int, str]

    def allow(self, order: o.Order) -> bool:
        """Whether this possible order can be suggested."""
        state, player = self.position.state, self.position.player
        if about(order) in self.settled or leaves_last(order, self.position):
            return False
        mates = mates_of(state, player)
        against = isinstance(order, o.March) and state.board[order.target].owner in mates
        return not against and is_legal(state, player, order)

    def first(self, orders: Iterable[o.Order]) -> o.Order | None:
        """The first of these that can be suggested."""
        return next(filter(self.allow, orders), None)

    def choices(self, kind: type[o.Order] | None, written: str) -> list[Choice[o.Order]]:
        """Those of a kind that have all the numbers of what was written, with their texts."""
        said = set(map(int, _NUMBERS.findall(written)))
        return [
            Choice(order, o.format_order(order, self.names))
            for order in self.possible
            if (kind is None or isinstance(order, kind)) and said.issubset(_fields(order))
        ]


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


def nearest_legal(plain: Plain, line: Weighed, offers: Offers) -> o.Order | None:
    """The nearest legal reading: of an order refused, the one like it in most parts; of words not
    read, the text most like them, and of the kind that they say if they say one.
    """
    position = offers.position
    if line.orders:
        return _like(line.orders[min(line.refused)], offers)
    whole = _with_everything(line, position)
    if whole is not None:
        return offers.first([whole] if whole in offers.possible else [])
    slots = line.entry.slots
    kind = _SAID.get(kind_of(slots, position))
    if kind is o.Send and not slots.numbers:
        return None  # an army is sent to nobody, and no sum was said
    written = plain.quote(slots.start, slots.end)
    near = nearest(written, offers.choices(kind, plain.text[slots.start : slots.end]), offers.allow)
    return near.order if near is not None else None


def _like(order: o.Order, offers: Offers) -> o.Order | None:
    """The order that is like one that was refused in most parts."""
    if about(order) in offers.settled:
        return None
    alike = [one for one in offers.possible if type(one) is type(order)]
    if isinstance(order, o.Send | o.Bid):
        to, amount = getattr(order, "to", 0), order.amount
        alike = [one for one in alike if getattr(one, "to", 0) == to]
        return offers.first(sorted(alike, key=lambda one: abs(getattr(one, "amount", 0) - amount)))
    if isinstance(order, o.Fortify | o.March | o.Support | o.Work):
        ungilded = msgspec.structs.replace(order, golden=False)
        if ungilded in alike and offers.allow(ungilded):
            return ungilded
    alike = [one for one in alike if _helps_the_same(one, order, offers.position)]
    return offers.first(sorted(alike, key=lambda one: _alikeness(one, order), reverse=True))


def _helps_the_same(legal_order: o.Order, order: o.Order, position: Position) -> bool:
    """Whether a Support helps the player that was named, and where that one has units (F-26)."""
    if not isinstance(legal_order, o.Support) or not isinstance(order, o.Support):
        return True
    there = position.state.board[legal_order.target]
    return legal_order.player == order.player == there.owner and there.units > 0


def _with_everything(line: Weighed, position: Position) -> o.Order | None:
    """A March that only lacks how many: all of them."""
    slots = line.entry.slots
    if not {"missing", "units"} <= line.problems[0].facts.keys():
        return None
    whole = slots.copy()
    whole.quantity = Lexeme("ALL", "all", slots.start, slots.start)
    try:
        return build(whole, position)[0]
    except Unclear:
        return None


def _alikeness(legal_order: o.Order, order: o.Order) -> tuple[int, int]:
    """How many parts of two orders agree, and how near the numbers are that do not."""
    pairs = [(getattr(legal_order, name), getattr(order, name)) for name in order.__struct_fields__]
    near = -sum(
        abs(a - b) for a, b in pairs if isinstance(a, int) and isinstance(b, int) and a != b
    )
    return sum(a == b for a, b in pairs), near
