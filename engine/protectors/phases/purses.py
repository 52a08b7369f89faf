"""Purses of a window in which money is spent: one's own first, then what team-mates lend
(PR-13.2).
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.protectors.abilities import BANK_COST, FAITH_COST, GUARD_COST
from engine.protectors.ability_events import MoneyLent
from engine.protectors.numbers import UNIT_COST, UPGRADE_COST, mates_of
from engine.protectors.orders import Bid, Buy, HireKing, Order, Upgrade, Use, UseBank, UseFaith
from engine.protectors.table import Table

Given = Mapping[int, Sequence[Order]]


class _Loan:
    """What one team-mate lends: as much as was asked, as can be spared, and as was spent so far."""

    def __init__(self, mate: int, asked: int, granted: int) -> None:
        self.mate = mate
        self.asked = asked
        self.granted = granted
        self.used = 0


class Purse:
    """What a player can spend now. What is paid leaves the purses at once; the unspent part of a
    loan is never taken.
    """

    def __init__(self, table: Table, player: int, loans: Sequence[_Loan] = ()) -> None:
        self._table = table
        self._loans = loans
        self.player = player

    @property
    def held(self) -> int:
        """In $Realm, loans included."""
        return self._table.realm[self.player] + sum(
            loan.granted - loan.used for loan in self._loans
        )

    def pay(self, amount: int) -> None:
        """Take what was checked against `held`."""
        realm = self._table.realm
        own = min(amount, realm[self.player])
        realm[self.player] -= own
        amount -= own
        for loan in self._loans:
            part = min(amount, loan.granted - loan.used)
            realm[loan.mate] -= part
            loan.used += part
            amount -= part

    def tell_loans(self) -> None:
        """Who paid, for the two alone (PR-1.9)."""
        for loan in self._loans:
            facts = MoneyLent(self.player, loan.mate, loan.asked, loan.granted, loan.used)
            self._table.tell(facts, ["PR-13.2", "PR-1.9"], tuple(sorted((self.player, loan.mate))))


def purses_in_turn(table: Table, players: Sequence[int], given: Given) -> Iterator[Purse]:
    """The purses of these players, one after the other: each is filled when its turn comes, and its
    loans told afterwards.

    First come all who ask nobody for money, by number; then the others in ranking order. A mate who
    is still to come keeps what their own spending will take.
    """
    loans = {player: _loans_asked(table, player, given.get(player, ())) for player in players}
    lenders = [player for player in sorted(players) if not loans[player]]
    waiting = [player for player in table.ranking if loans.get(player)]
    for player in lenders:
        yield Purse(table, player)
    while waiting:
        spare = _Spare(table, given, {player: loans[player] for player in waiting})
        player = waiting.pop(0)
        filled = [
            _Loan(mate, asked, min(asked, spare.of(mate, frozenset({player}))))
            for mate, asked in loans[player]
        ]
        purse = Purse(table, player, filled)
        yield purse
        purse.tell_loans()


def _loans_asked(table: Table, player: int, orders: Sequence[Order]) -> list[tuple[int, int]]:
    mates = mates_of(table.was, player)
    asked = {
        order.mate: order.amount
        for order in orders
        if isinstance(order, Use) and order.mate in mates and order.amount > 0
    }
    return list(asked.items())


class _Spare:
    """What each can lend after their own spending, while some (`waiting`, with the loans they ask
    for) have not spent yet (PR-13.2).

    Somebody who waits spends what can be paid: with their own money, and with what their own
    lenders can spare. Who draws on each other in a ring lends what their own money alone leaves.
    """

    def __init__(
        self, table: Table, given: Given, waiting: Mapping[int, Sequence[tuple[int, int]]]
    ) -> None:
        self._table = table
        self._given = given
        self._waiting = waiting
        self._known: dict[tuple[int, frozenset[int]], int] = {}

    def of(self, player: int, askers: frozenset[int]) -> int:
        """In $Realm; `askers` are those for whose sake this is asked, one for the next."""
        held = self._table.realm[player]
        if player not in self._waiting:
            return held
        key = (player, askers)
        if key not in self._known:
            loans = () if player in askers else self._waiting[player]
            lent = sum(min(asked, self.of(mate, askers | {player})) for mate, asked in loans)
            spent = _spent(self._table, player, self._given.get(player, ()), held + lent)
            self._known[key] = held - min(held, spent)
        return self._known[key]


def _spent(table: Table, player: int, orders: Sequence[Order], purse: int) -> int:
    """What somebody with so much money spends on these orders, in the order of the buying step
    (PR-8.10); what cannot be paid is not.
    """
    left = purse
    for price in (UPGRADE_COST for order in orders if isinstance(order, Upgrade)):
        left -= price if price <= left else 0
    prices = {UseFaith: FAITH_COST, HireKing: GUARD_COST, UseBank: BANK_COST}
    for order in orders:
        price = prices.get(type(order), 0)
        left -= price if price <= left else 0
    more = any(isinstance(order, UseFaith) for order in orders)
    room = {i: max(0, table.limit(i, player) + more - table.units[i]) for i in table.held(player)}
    units = 0
    for order in orders:
        if isinstance(order, Buy):
            fit = min(order.units, room.get(order.province, 0))
            room[order.province] = room.get(order.province, 0) - fit
            units += fit
    left -= UNIT_COST * min(units, left // UNIT_COST)
    bid = next((max(0, order.amount) for order in orders if isinstance(order, Bid)), 0)
    return purse - left + min(bid, left)
