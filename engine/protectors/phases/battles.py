"""Battles: who stands where, how strong each side is and why, and who is left (section 7 of the
rules).
"""

from collections.abc import Collection, Mapping
from typing import Literal

from engine.protectors.cards import DEEP_SNOW, HEAVY_RAINS
from engine.protectors.events import BattleFought, OrderFailed, Side, Term
from engine.protectors.numbers import mates_of
from engine.protectors.orders import ISLAND, Fortify, Hold, ProvinceOrder, Support, Work
from engine.protectors.table import Table

Line = Literal["", "ferry", "seafarers"]
Gold = Literal["golden-march", "crusade"]


class Field:
    """The units of everybody while orders are executed.

    `forces`: units by player in each province; `orders` what is still in force, the lowest province
    first, `commander` whose order it is; `entered` and `golden` are of the stage under way: who
    came into a province, and whose golden marches. `crusades` are the provinces from which a golden
    march goes as a Crusade.
    """

    def __init__(
        self, table: Table, orders: Mapping[int, ProvinceOrder], crusades: Collection[int] = ()
    ) -> None:
        self.forces: list[dict[int, int]] = []
        for owner, units in zip(table.owner, table.units, strict=True):
            self.forces.append({owner: units} if owner is not None and units else {})
        self.orders = dict(sorted(orders.items()))
        self.commander = {i: owner for i in orders if (owner := table.owner[i]) is not None}
        self.crusades = frozenset(crusades)
        self.delayed = False
        self.entered: dict[int, set[int]] = {}
        self.golden: dict[tuple[int, int], list[Gold]] = {}
        self.spent_gold: set[tuple[int, int]] = set()
        self.used: set[int] = set()

    def open_stage(self, *, delayed: bool) -> None:
        """Forget the arrivals of the stage before: its golden marches give nothing any more
        (PR-6.8).
        """
        self.delayed = delayed
        self.spent_gold = set(self.golden)
        self.entered, self.golden = {}, {}

    def leave(self, province: int, player: int, units: int) -> None:
        here = self.forces[province]
        here[player] -= units
        if not here[player]:
            del here[player]

    def enter(self, province: int, player: int, units: int, *, gold: Gold | None) -> None:
        here = self.forces[province]
        here[player] = here.get(player, 0) + units
        self.entered.setdefault(province, set()).add(player)
        if gold:
            self.golden.setdefault((province, player), []).append(gold)

    def tell_idle_support(self, table: Table) -> None:
        """Support for somebody who fought no battle there has no effect (PR-6.13)."""
        for i, order in self.orders.items():
            if isinstance(order, Support) and i not in self.used:
                table.tell(OrderFailed(self.commander[i], order, "no-battle"), ["PR-6.13"])


class _Fighter:
    """One side in one province. What adds to its strength besides units stays the same through a
    ladder of fights.
    """

    def __init__(self, player: int, rank: int, units: int, *, defends: bool) -> None:
        self.player = player
        self.rank = rank
        self.units = units
        self.defends = defends
        self.terms: list[Term] = []

    def total(self) -> int:
        return self.units + sum([term.amount for term in self.terms])

    def side(self, total: int, lost: int) -> Side:
        units = Term("units", self.units, "PR-7.6", self.player, units=self.units)
        return Side(
            self.player,
            "defender" if self.defends else "attacker",
            self.rank,
            self.units,
            (units, *self.terms),
            total,
            lost,
        )


def fight_battles(table: Table, field: Field) -> None:
    """All battles of a stage; support is taken from the counts before any of them (PR-7.3,
    PR-7.9).
    """
    fought = [i for i, forces in enumerate(field.forces) if len(forces) > 1]
    if not fought:
        return
    support = _count_support(table, field, fought)
    for i in fought:
        table.battled.add(i)
        _fight_in(table, field, i, support)
    for i in fought:
        _drop_orders(table, field, i)


def _count_support(
    table: Table, field: Field, fought: list[int]
) -> dict[tuple[int, int], list[Term]]:
    """What each player is lent in each province where there is a battle (PR-6.9, PR-6.12,
    PR-4.10).
    """
    lent: dict[tuple[int, int], list[Term]] = {}
    rain = 1 if HEAVY_RAINS in table.force else 0
    for i, order in field.orders.items():
        if (
            isinstance(order, Support)
            and order.target in fought
            and order.player in field.forces[order.target]
        ):
            supporter = field.commander[i]
            units = field.forces[i][supporter]
            bonus = 1 if order.golden and order.target in table.near[i] else 0
            term = Term(
                source="golden-support" if order.golden else "support",
                amount=max(0, units + bonus - rain),
                rule="PR-6.12" if order.golden else "PR-6.9",
                player=supporter,
                province=i,
                units=units,
                bonus=bonus,
                rain=min(rain, units + bonus),
            )
            lent.setdefault((order.target, order.player), []).append(term)
            field.used.add(i)
    return lent


def _fight_in(
    table: Table, field: Field, i: int, support: Mapping[tuple[int, int], list[Term]]
) -> None:
    """The lowest ranked fights the second lowest, the survivor the next one up (PR-7.5)."""
    forces = field.forces[i]
    climbing = sorted(forces, key=table.ranking.index, reverse=True)
    ladder = len(climbing) > 2
    standing: _Fighter | None = None
    for player in climbing:
        rival = _fighter(table, field, i, player)
        rival.terms += support.get((i, player), ())
        if standing is None:
            standing = rival
            continue
        standing = _fight(table, field, i, standing, rival, ladder=ladder)
    field.forces[i] = {} if standing is None else {standing.player: standing.units}


def _fighter(table: Table, field: Field, i: int, player: int) -> _Fighter:
    """A side with all that its own orders, its faction and the cards give it (PR-6.4, PR-6.6,
    PR-6.14, PR-4.9, PR-11.1, PR-11.6).
    """
    fighter = _Fighter(
        player,
        table.ranking.index(player) + 1,
        field.forces[i][player],
        defends=table.owner[i] == player,
    )
    order = field.orders.get(i) if fighter.defends else None
    if isinstance(order, Fortify):
        source: Literal["fortify", "golden-fortify"] = (
            "golden-fortify" if order.golden else "fortify"
        )
        fighter.terms.append(Term(source, 2 if order.golden else 1, "PR-6.4", player, i))
        if table.has(player, "defenders"):
            fighter.terms.append(Term("defenders", 1, "PR-11.1", player, i))
    elif isinstance(order, Work):
        fighter.terms.append(Term("work", -1, "PR-6.14", player, i))
    for gold in field.golden.get((i, player), ()):
        fighter.terms.append(Term(gold, 1, "PR-11.6" if gold == "crusade" else "PR-6.6", player, i))
    if DEEP_SNOW in table.force and not fighter.defends:
        fighter.terms.append(Term("snow", -1, "PR-4.9", player, i))
    return fighter


def _fight(
    table: Table, field: Field, i: int, low: _Fighter, high: _Fighter, *, ladder: bool
) -> _Fighter | None:
    """One fight of two sides; who is left, if anybody (PR-7.7, PR-7.8). `high` is the higher
    ranked.
    """
    lower, higher = low.total(), high.total()
    tie = lower == higher
    if higher >= lower:
        winner, won, beaten = high, high.side(higher, int(tie)), low.side(lower, low.units)
    else:
        winner, won, beaten = low, low.side(lower, 0), high.side(higher, high.units)
    winner.units -= won.lost
    rules = ["PR-7.3", "PR-7.4", "PR-7.6"]
    rules += ["PR-7.8", "PR-3.11"] if tie else ["PR-7.7"]
    if ladder:
        rules += ["PR-7.5", "PR-7.9"]
    terms = (*won.terms, *beaten.terms)
    rules += [term.rule for term in terms]
    lent = [term for term in terms if term.source in ("support", "golden-support")]
    if lent:
        rules += ["PR-6.9", "PR-7.9"]
        if field.delayed or any(
            term.player in field.entered.get(term.province or 0, ()) for term in lent
        ):
            rules.append("PR-6.11")
        if any(term.rain for term in lent):
            rules.append("PR-4.10")
    if i == ISLAND:
        rules.append("PR-12.1")
    if high.player in mates_of(table.was, low.player):
        rules.append("PR-13.4")
    if field.delayed and any((i, side.player) in field.spent_gold for side in (won, beaten)):
        rules.append("PR-6.8")
    table.tell(
        BattleFought(i, "delayed" if field.delayed else "march", won, beaten, tie, winner.units),
        rules,
    )
    return winner if winner.units else None


def _drop_orders(table: Table, field: Field, i: int) -> None:
    """A province whose units are all lost loses its order (PR-7.11)."""
    if i in field.orders and field.commander[i] not in field.forces[i]:
        order = field.orders.pop(i)
        if not isinstance(order, Hold):
            table.tell(OrderFailed(field.commander[i], order, "units-lost"), ["PR-7.11"])
