"""The buying step: Capitol, the Sanctum's gift, upgrades, abilities, units and bids, in this order
(section 8 of the rules).
"""

from collections.abc import Mapping, Sequence

from engine.protectors.abilities import FAITH_COST, GUARD_COST
from engine.protectors.ability_events import GuardHired
from engine.protectors.cards import CRABS
from engine.protectors.defaults import default_purchase
from engine.protectors.events import (
    CapitolNamed,
    LevelRaised,
    OrderFailed,
    OrdersMissed,
    PurchaseCut,
    UnitsBought,
)
from engine.protectors.factions.bank import hire_bank
from engine.protectors.numbers import TOP_LEVEL, UNIT_COST, UPGRADE_COST
from engine.protectors.orders import (
    Bid,
    Buy,
    BuyNothing,
    Capitol,
    HireKing,
    Order,
    Refresh,
    Take,
    Upgrade,
    Use,
    UseBank,
    UseFaith,
)
from engine.protectors.phases.purses import Purse, purses_in_turn
from engine.protectors.phases.ranking import Bids, pay_bid
from engine.protectors.phases.sanctum import choose_gift
from engine.protectors.table import Table

ANSWERS = (
    Buy
    | BuyNothing
    | Upgrade
    | Capitol
    | Bid
    | Use
    | UseBank
    | UseFaith
    | HireKing
    | Refresh
    | Take
)
"""Any of these is an answer to the buying step: then nothing is bought by default (PR-8.9)."""


def close_consolidation(table: Table, given: Mapping[int, Sequence[Order]]) -> Bids:
    """Close the buying step (PR-8.10); tells what was bid, by those whose bid is due now
    (PR-11.7).
    """
    bids: dict[int, tuple[int, int]] = {}
    for player in table.active:
        _name_capitol(table, player, given.get(player, ()))
        choose_gift(table, player, given.get(player, ()))
    for purse in purses_in_turn(table, table.active, given):
        player = purse.player
        orders = given.get(player, ())
        if any(isinstance(order, ANSWERS) for order in orders):
            _upgrade(table, purse, orders)
            _use_abilities(table, purse, orders)
            _buy(table, purse, orders)
        else:
            _buy_by_default(table, purse)
        if not table.covers(player, "bank") and not table.is_last_turn:
            bids[player] = pay_bid(purse, orders)
    table.order = [None] * (table.provinces + 1)
    return bids


def _name_capitol(table: Table, player: int, orders: Sequence[Order]) -> None:
    """Of several level-3 provinces one stays so (PR-8.6)."""
    tops = [i for i in table.green(player) if table.level[i] == TOP_LEVEL]
    if len(tops) < 2:
        return
    named = next(
        (
            order.province
            for order in orders
            if isinstance(order, Capitol) and order.province in tops
        ),
        tops[0],
    )
    dropped = tuple(i for i in tops if i != named)
    for i in dropped:
        table.level[i] = TOP_LEVEL - 1
    table.tell(CapitolNamed(player, named, dropped), ["PR-8.6"])


def _upgrade(table: Table, purse: Purse, orders: Sequence[Order]) -> None:
    """A level for 25 $Realm wherever a golden Work gave the right to it, never a second level 3
    (PR-6.15, PR-8.6).
    """
    player = purse.player
    for order in orders:
        if not isinstance(order, Upgrade) or order.province not in table.green(player):
            continue
        i = order.province
        taken = any(table.level[j] == TOP_LEVEL for j in table.green(player))
        if table.order[i] != "golden work" or table.level[i] >= TOP_LEVEL - taken:
            continue
        if purse.held < UPGRADE_COST:
            table.tell(
                PurchaseCut(player, i, 1, 0, "cannot-afford"), ["PR-6.15", "PR-8.10"], (player,)
            )
            continue
        purse.pay(UPGRADE_COST)
        table.level[i] += 1
        table.order[i] = None
        table.tell(LevelRaised(i, player, table.level[i], UPGRADE_COST), ["PR-6.15", "PR-8.10"])


def _use_abilities(table: Table, purse: Purse, orders: Sequence[Order]) -> None:
    """What abilities cost in this step, in the order written, before any unit is bought
    (PR-8.10).
    """
    for order in orders:
        match order:
            case UseFaith():
                _use_faith(table, purse)
            case HireKing():
                _hire_king(table, purse)
            case UseBank() if not table.is_last_turn:
                hire_bank(table, purse, table.turn + 1)


def _use_faith(table: Table, purse: Purse) -> None:
    """A unit more in each province until the next Consolidation begins (PR-11.6)."""
    player = purse.player
    if not table.can_use(player, "faith", "faith") or purse.held < FAITH_COST:
        _fail(
            table, purse, UseFaith(), able=table.can_use(player, "faith", "faith"), rule="PR-11.6"
        )
        return
    purse.pay(FAITH_COST)
    table.use(player, "faith", FAITH_COST, ["PR-11.6"])
    table.effects[player]["faith"] = table.turn + 1


def _hire_king(table: Table, purse: Purse) -> None:
    """With a level-3 province: the Mountain King guards it next turn; only if he comes is his one
    use spent (PR-11.5).
    """
    player = purse.player
    able = table.can_use(player, "king", "king") and any(
        table.level[i] == TOP_LEVEL for i in table.green(player)
    )
    if not able or purse.held < GUARD_COST:
        _fail(table, purse, HireKing(), able=able, rule="PR-11.5")
        return
    purse.pay(GUARD_COST)
    table.effects[player]["guard"] = table.turn + 1
    table.tell(GuardHired(player, GUARD_COST), ["PR-11.5", "PR-11.8"])


def _fail(table: Table, purse: Purse, order: Order, *, able: bool, rule: str) -> None:
    table.tell(
        OrderFailed(purse.player, order, "cannot-pay" if able else "not-in-force"),
        [rule],
        (purse.player,),
    )


def _buy(table: Table, purse: Purse, orders: Sequence[Order]) -> None:
    """A stated list, one unit at a time, round by round, passing over what is full (PR-8.7,
    PR-8.8).
    """
    player = purse.player
    lists = [
        order
        for order in orders
        if isinstance(order, Buy) and 1 <= order.province <= table.provinces
    ]
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
            if table.units[i] >= table.limit(i, player):
                full.add(i)
            elif purse.held >= UNIT_COST:
                _add_unit(table, purse, i)
                got[k] += 1
                bought[i] = bought.get(i, 0) + 1
                going = True
    for k, order in enumerate(lists):
        if got[k] < wanted[k]:
            by_limit = order.province in full
            facts = PurchaseCut(
                player,
                order.province,
                wanted[k],
                got[k],
                "supply-limit" if by_limit else "cannot-afford",
            )
            table.tell(facts, _limit_rules(table, player) if by_limit else ["PR-8.8"], (player,))
    if bought:
        rules = ["PR-8.7", *(["PR-8.8"] if sum(got) < sum(wanted) else [])]
        if any(isinstance(order, Bid) for order in orders):
            rules.append("PR-8.11")
        _tell_bought(table, player, bought, rules, by_default=False)


def _buy_by_default(table: Table, purse: Purse) -> None:
    """What is bought for a player who did not answer (PR-8.9)."""
    player = purse.player
    purchase = default_purchase(table.was, player)
    for order in purchase:
        for _ in range(order.units):
            _add_unit(table, purse, order.province)
    bids = not table.is_last_turn and not table.covers(player, "bank")
    instead: tuple[Order, ...] = (*purchase, Bid(0)) if bids else purchase
    table.tell(OrdersMissed(player, "consolidation", instead), ["PR-8.9"])
    if purchase:
        _tell_bought(
            table,
            player,
            {order.province: order.units for order in purchase},
            ["PR-8.7", "PR-8.9"],
            by_default=True,
        )


def _add_unit(table: Table, purse: Purse, province: int) -> None:
    purse.pay(UNIT_COST)
    table.units[province] += 1
    table.holder[province] = purse.player


def _limit_rules(table: Table, player: int) -> list[str]:
    rules = ["PR-8.7", "PR-8.8"]
    return rules + [
        rule
        for applies, rule in (
            (CRABS in table.force, "PR-4.18"),
            (table.is_faithful(player), "PR-11.6"),
        )
        if applies
    ]


def _tell_bought(
    table: Table, player: int, bought: dict[int, int], rules: list[str], *, by_default: bool
) -> None:
    if any(table.burnt[i] for i in bought):
        rules.append("PR-9.14")
    facts = UnitsBought(player, tuple(bought.items()), UNIT_COST * sum(bought.values()), by_default)
    table.tell(facts, rules)
