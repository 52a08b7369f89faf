"""Consolidation: hunger, capture, production, buying and bidding (section 8 of the rules)."""

from collections.abc import Mapping, Sequence

from engine.protectors.cards import BLESSINGS, CRABS, WINTER_STORMS
from engine.protectors.defaults import default_purchase
from engine.protectors.dragon import call_dragon
from engine.protectors.ending import settle_eliminations
from engine.protectors.events import (
    CapitolNamed,
    LevelRaised,
    OrderFailed,
    OrdersMissed,
    PlayerEliminated,
    ProvinceTaken,
    PurchaseCut,
    RealmProduced,
    UnitsBought,
    UnitsOverLimit,
    WorkDone,
)
from engine.protectors.numbers import TOP_LEVEL, UNIT_COST, UPGRADE_COST, production
from engine.protectors.orders import ISLAND, Bid, Buy, Capitol, HireKing, Order, Refresh, Take, Upgrade, Use, UseBank, UseFaith, Work
from engine.protectors.pirates import pay_pirates
from engine.protectors.ranking import bid_of
from engine.protectors.table import Table

ANSWERS = Buy | Upgrade | Capitol | Bid | Use | UseBank | UseFaith | HireKing | Refresh | Take
"""Any of these is an answer to the buying step: then nothing is bought by default (PR-8.9)."""


def consolidate(table: Table) -> bool:
    """From the end of the battles to the buying step; False when the Dragon or the end of the game comes first (PR-8.1)."""
    _feed(table)
    if _capture(table):
        settle_eliminations(table)
        if table.is_over:
            return False
        if table.dpl >= table.threshold:
            call_dragon(table, "consolidation", "threshold")
            return False
    produce(table)
    return True


def produce(table: Table) -> None:
    """Production, the fruits of Work, and what the Pirates are owed (PR-8.5, PR-10.5)."""
    state = table.freeze()
    for player in table.active:
        income = production(state, player)
        total = sum(part.amount for part in income)
        table.realm[player] += total
        table.tell(
            RealmProduced(player, income, total), _production_rules(table, player, work=any(p.source == "work" for p in income)), (player,)
        )
        for part in income:
            if part.source == "work":
                table.tell(WorkDone(part.province, player, golden=False), ["PR-6.14"])
    for i, order in enumerate(table.order):
        player_here = table.owner[i]
        if order is None or player_here is None:
            continue
        if i in table.working_lost:
            failed = Work(i, golden=order == "golden work")
            table.tell(OrderFailed(player_here, failed, "all-committed"), ["PR-6.14"])
        raises = order == "golden work" and table.units[i] and i not in table.working_lost
        raises = raises and not table.burnt[i] and table.level[i] < TOP_LEVEL
        if raises:
            table.tell(WorkDone(i, player_here, golden=True), ["PR-6.15"])
        table.order[i] = "golden work" if raises else None
    table.working_lost = set()
    pay_pirates(table)


def _production_rules(table: Table, player: int, *, work: bool) -> list[str]:
    rules = ["PR-8.5", "PR-1.9"]
    if work:
        rules.append("PR-6.14")
    if sum(table.level[i] == TOP_LEVEL for i in table.green(player)) > 1:
        rules.append("PR-8.6")
    if any(owner == player and burnt for owner, burnt in zip(table.owner, table.burnt, strict=True)):
        rules.append("PR-9.14")
    rules += [rule for card, rule in ((WINTER_STORMS, "PR-4.13"), (BLESSINGS, "PR-4.14")) if card in table.force]
    return rules


# ------------------------------------------------------------------------------------------------ before production
def _feed(table: Table) -> None:
    """Units above the supply limit are lost (PR-8.2)."""
    for i, units in enumerate(table.units):
        holder, limit = table.holder[i], table.limit(i)
        if holder is not None and units > limit:
            table.units[i] = limit
            rules = ["PR-8.2", *(["PR-4.18"] if CRABS in table.force and i != ISLAND else [])]
            table.tell(UnitsOverLimit(i, holder, units - limit, limit), rules)


def _capture(table: Table) -> bool:
    """The Eliminate Players step (PR-8.3, PR-8.4); tells whether somebody was eliminated."""
    captors: dict[int, list[int]] = {}
    for i in range(1, table.provinces + 1):
        holder, before = table.holder[i], table.owner[i]
        if holder is None or holder == before:
            continue
        table.owner[i] = holder
        rules = ["PR-8.3"]
        if before is not None:
            captors.setdefault(before, []).append(holder)
            if i not in table.battled:
                rules.append("PR-7.10")
        if table.burnt[i]:
            rules.append("PR-9.14")
        table.tell(ProvinceTaken(i, holder, before, table.burnt[i]), rules)
    table.owner[ISLAND] = table.holder[ISLAND]
    before_all = list(table.ranking)
    landless = [player for player in table.active if player not in set(table.owner[1:])]
    shares = [(player, table.realm[player]) for player in landless]
    for player, held in shares:
        _eliminate(table, player, held, tuple(dict.fromkeys(captors.get(player, ()))))
    table.tell_ranking("eliminated", before_all, "PR-8.4")
    return bool(landless)


def _eliminate(table: Table, player: int, held: int, captors: tuple[int, ...]) -> None:
    """Half of the purse to the captors in equal parts, the rest is lost (PR-8.4)."""
    part = held // 2 // len(captors) if captors else 0
    table.remove(player, captors or (player,))
    for captor in captors:
        table.realm[captor] += part
    spoils = tuple((captor, part) for captor in captors)
    table.tell(PlayerEliminated(player, captors, "captured", spoils, held - part * len(captors)), ["PR-8.4"])


# ------------------------------------------------------------------------------------------------ buying and bidding
def close_consolidation(table: Table, given: Mapping[int, Sequence[Order]]) -> dict[int, tuple[int, int]]:
    """Capitol, upgrades, units, bid, in this order (PR-8.10); tells what each bids: what counts, and what was asked for."""
    bids: dict[int, tuple[int, int]] = {}
    for player in table.active:
        orders = given.get(player, ())
        _name_capitol(table, player, orders)
        if any(isinstance(order, ANSWERS) for order in orders):
            _upgrade(table, player, orders)
            _buy(table, player, orders)
        else:
            _buy_by_default(table, player)
        asked = bid_of(orders)
        bids[player] = (min(max(asked, 0), table.realm[player]), asked)
    table.order = [None] * (table.provinces + 1)
    return bids


def _name_capitol(table: Table, player: int, orders: Sequence[Order]) -> None:
    """Of several level-3 provinces one stays so (PR-8.6)."""
    tops = [i for i in table.green(player) if table.level[i] == TOP_LEVEL]
    if len(tops) < 2:
        return
    named = next((order.province for order in orders if isinstance(order, Capitol) and order.province in tops), tops[0])
    dropped = tuple(i for i in tops if i != named)
    for i in dropped:
        table.level[i] = TOP_LEVEL - 1
    table.tell(CapitolNamed(player, named, dropped), ["PR-8.6"])


def _upgrade(table: Table, player: int, orders: Sequence[Order]) -> None:
    """A level for 25 $Realm wherever a golden Work gave the right to it, never a second level 3 (PR-6.15, PR-8.6)."""
    for order in orders:
        if not isinstance(order, Upgrade) or order.province not in table.green(player):
            continue
        i = order.province
        taken = any(table.level[j] == TOP_LEVEL for j in table.green(player))
        if table.order[i] != "golden work" or table.level[i] >= TOP_LEVEL - taken:
            continue
        if table.realm[player] < UPGRADE_COST:
            table.tell(PurchaseCut(player, i, 1, 0, "cannot-afford"), ["PR-6.15", "PR-8.10"], (player,))
            continue
        table.realm[player] -= UPGRADE_COST
        table.level[i] += 1
        table.order[i] = None
        table.tell(LevelRaised(i, player, table.level[i], UPGRADE_COST), ["PR-6.15", "PR-8.10"])


def _buy(table: Table, player: int, orders: Sequence[Order]) -> None:
    """A stated list, one unit at a time, round by round, passing over what is full (PR-8.7, PR-8.8)."""
    lists = [order for order in orders if isinstance(order, Buy) and 1 <= order.province <= table.provinces]
    lists = [order for order in lists if table.owner[order.province] == player and order.units > 0]
    wanted = [order.units for order in lists]
    got = [0] * len(lists)
    bought: dict[int, int] = {}
    full: set[int] = set()
    going = True
    while going:
        going = False
        for k, order in enumerate(lists):
            i = order.province
            if got[k] == wanted[k]:
                continue
            if table.units[i] >= table.limit(i):
                full.add(i)
            elif table.realm[player] >= UNIT_COST:
                _add_unit(table, player, i)
                got[k] += 1
                bought[i] = bought.get(i, 0) + 1
                going = True
    for k, order in enumerate(lists):
        if got[k] < wanted[k]:
            by_limit = order.province in full
            facts = PurchaseCut(player, order.province, wanted[k], got[k], "supply-limit" if by_limit else "cannot-afford")
            table.tell(facts, _limit_rules(table) if by_limit else ["PR-8.8"], (player,))
    if bought:
        rules = ["PR-8.7", *(["PR-8.8"] if sum(got) < sum(wanted) else [])]
        if any(isinstance(order, Bid) for order in orders):
            rules.append("PR-8.11")
        _tell_bought(table, player, bought, rules, by_default=False)


def _buy_by_default(table: Table, player: int) -> None:
    """What is bought for who did not answer (PR-8.9)."""
    purchase = default_purchase(table.was, player)
    for order in purchase:
        for _ in range(order.units):
            _add_unit(table, player, order.province)
    instead: tuple[Order, ...] = purchase if table.is_last_turn else (*purchase, Bid(0))
    table.tell(OrdersMissed(player, "consolidation", instead), ["PR-8.9"])
    if purchase:
        _tell_bought(table, player, {order.province: order.units for order in purchase}, ["PR-8.7", "PR-8.9"], by_default=True)


def _add_unit(table: Table, player: int, province: int) -> None:
    table.realm[player] -= UNIT_COST
    table.units[province] += 1
    table.holder[province] = player


def _limit_rules(table: Table) -> list[str]:
    return ["PR-8.7", "PR-8.8", *(["PR-4.18"] if CRABS in table.force else [])]


def _tell_bought(table: Table, player: int, bought: dict[int, int], rules: list[str], *, by_default: bool) -> None:
    if any(table.burnt[i] for i in bought):
        rules.append("PR-9.14")
    facts = UnitsBought(player, tuple(bought.items()), UNIT_COST * sum(bought.values()), by_default)
    table.tell(facts, rules)
