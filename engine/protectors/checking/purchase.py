"""What may be bought, raised, named and bid, in Consolidation and in the first bids (sections 3, 8,
11, 12 and 13).
"""

from collections.abc import Sequence

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import (
    BANK_COST,
    FAITH_COST,
    GUARD_COST,
    Ability,
    ability_named,
    has_ability,
    has_used,
    holds_island,
    is_in_effect,
    may_choose_gift,
    refreshable,
    takeable,
)
from engine.protectors.checking.orders import unknown_province
from engine.protectors.checking.sheet import Sheet, refuse, warn
from engine.protectors.state import State
from engine.ruleset import Problem

_BELOW_TOP = numbers.TOP_LEVEL - 1


def supply_room(state: State, player: int, province: int, *, faith: bool = False) -> int:
    """How many units may still be bought in a province (PR-8.7); Faith feeds one more (PR-11.6)."""
    more = 1 if faith and not is_in_effect(state, player, "faith") else 0
    return max(0, numbers.supply_limit(state, province) + more - state.board[province].units)


def is_complete(state: State, player: int, orders: Sequence[o.Order]) -> bool:
    """A bid where one is taken, a purchase where one is possible, and the choice that the Sanctum
    owes.
    """
    if may_choose_gift(state, player) and not any(
        isinstance(order, o.Refresh | o.Take) for order in orders
    ):
        return False
    bids = numbers.is_last_turn(state) or is_in_effect(state, player, "bank")
    bids = bids or any(isinstance(order, o.Bid | o.UseBank) for order in orders)
    can_buy = state.players[player - 1].realm >= numbers.UNIT_COST
    can_buy = can_buy and any(
        supply_room(state, player, p) for p in numbers.provinces_of(state, player)
    )
    return bids and (
        not can_buy or any(isinstance(order, o.Buy | o.BuyNothing) for order in orders)
    )


def lack(sheet: Sheet, order: o.Order) -> Problem | None:
    """The ability, the Sanctum or the team that an order needs."""
    state, player = sheet.state, sheet.player
    match order:
        case o.UseFaith() if not has_ability(state, player, "faith"):
            return refuse("no-such-ability", "PR-11.6")
        case o.UseFaith() if has_used(state, player, "faith"):
            return refuse("used-up", "PR-11.6")
        case o.HireKing() if not has_ability(state, player, "king"):
            return refuse("no-such-ability", "PR-11.5")
        case o.HireKing() if has_used(state, player, "king"):
            return refuse("used-up", "PR-11.5")
        case o.UseBank() if not has_ability(state, player, "bank"):
            return refuse("no-such-ability", "PR-11.7")
        case o.UseBank() if has_used(state, player, "bank"):
            return refuse("used-up", "PR-11.7")
        case o.Refresh(ability=name) | o.Take(ability=name):
            return _lack_gift(
                sheet, ability_named(name), name, refreshes=isinstance(order, o.Refresh)
            )
        case o.ChooseFaction() if state.options.factions != "choice":
            return refuse("no-such-ability", "PR-3.2")
        case o.ChooseFaction() if state.players[player - 1].faction is not None:
            return refuse("used-up", "PR-11.8")
        case o.Use() if state.players[player - 1].team is None:
            return refuse("no-such-ability", "PR-13.2")
    return None


def _lack_gift(
    sheet: Sheet, ability: Ability | None, name: str, *, refreshes: bool
) -> Problem | None:
    """One choice for each capture of the Sanctum, of what it has to give (PR-12.3, PR-12.6)."""
    state, player = sheet.state, sheet.player
    offered = refreshable(state, player) if refreshes else takeable(state, player)
    if not holds_island(state, player) or (
        ability not in offered and not state.players[player - 1].extra
    ):
        return refuse("no-such-ability", "PR-12.3", ability=name)
    return None if may_choose_gift(state, player) else refuse("used-up", "PR-12.3", ability=name)


def judge(sheet: Sheet, order: o.Order) -> Problem | None:
    match order:
        case o.Bid(amount=n):
            return _judge_bid(sheet, n)
        case o.Use():
            return _judge_use(sheet, order)
        case o.Buy(units=n, province=p):
            unfit = _own(sheet, p, "PR-8.7")
            if unfit is None and n < 1:
                return refuse(
                    "out-of-range",
                    "PR-8.7",
                    number=n,
                    least=1,
                    most=supply_room(sheet.state, sheet.player, p),
                )
            return unfit
        case o.Upgrade():
            return _judge_upgrade(sheet, order)
        case o.Capitol(province=p):
            unfit = _own(sheet, p, "PR-8.6")
            if unfit is None and p not in numbers.capitols(sheet.state, sheet.player):
                return refuse(
                    "out-of-range",
                    "PR-8.6",
                    province=p,
                    own=numbers.capitols(sheet.state, sheet.player),
                )
            return unfit
        case o.HireKing():
            raised = (old.province for old in sheet.all if isinstance(old, o.Upgrade))
            if not numbers.capitols(sheet.state, sheet.player) and not any(
                sheet.state.board[p].level == _BELOW_TOP for p in raised
            ):
                return refuse("forbidden-this-turn", "PR-11.5")
            return _payable(sheet, order, "PR-11.5")
        case o.UseFaith():
            return _payable(sheet, order, "PR-11.6")
        case o.UseBank():
            if sheet.state.stage == "consolidation" and numbers.is_last_turn(sheet.state):
                return refuse("not-now", "PR-3.6", "PR-11.7", phase=sheet.state.stage)
            return _payable(sheet, order, "PR-11.7")
    return None


def warnings(sheet: Sheet) -> list[Problem]:
    """Purchases and bids that the purse or the supply limit will cut; the numbers stay as written
    (PR-8.8, PR-3.6).
    """
    found: list[Problem] = []
    purse = max(0, _purse(sheet) - sum(_price(order) for order in sheet.all))
    earlier = [(None, order) for order in sheet.kept if isinstance(order, o.Buy)]
    wanted = [*earlier, *((i, order) for i, order in sheet.new if isinstance(order, o.Buy))]
    rooms, money = _rooms(sheet), purse
    fits: list[int] = []
    for _, wish in wanted:
        fits.append(min(wish.units, rooms[wish.province]))
        rooms[wish.province] -= fits[-1]
    got = [0] * len(wanted)
    while money >= numbers.UNIT_COST and got != fits:
        for place, most in enumerate(fits):
            if got[place] < most and money >= numbers.UNIT_COST:
                got[place] += 1
                money -= numbers.UNIT_COST
    for (i, order), fit, bought in zip(wanted, fits, got, strict=True):
        if i is None:
            continue
        if fit < order.units:
            found.append(
                warn(
                    "supply-limit",
                    i,
                    "PR-8.7",
                    "PR-8.2",
                    province=order.province,
                    ordered=order.units,
                    room=fit,
                )
            )
        if bought < fit:
            found.append(
                warn(
                    "cannot-afford",
                    i,
                    "PR-8.8",
                    cost=numbers.UNIT_COST * sum(fits),
                    held=purse,
                    units=bought,
                )
            )
    for place, bid in sheet.new:
        if isinstance(bid, o.Bid) and bid.amount > money:
            found.append(
                warn("cannot-afford", place, "PR-3.6", "PR-8.10", cost=bid.amount, held=money)
            )
    return found


def _rooms(sheet: Sheet) -> dict[int, int]:
    faith = any(isinstance(order, o.UseFaith) for order in sheet.all)
    own = numbers.provinces_of(sheet.state, sheet.player)
    return {p: supply_room(sheet.state, sheet.player, p, faith=faith) for p in own}


def _purse(sheet: Sheet) -> int:
    """What can be spent in this window: one's own money and what is asked of team-mates
    (PR-13.2).
    """
    return sheet.realm + sum(order.amount for order in sheet.all if isinstance(order, o.Use))


def _price(order: o.Order) -> int:
    match order:
        case o.Upgrade():
            return numbers.UPGRADE_COST
        case o.UseFaith():
            return FAITH_COST
        case o.HireKing():
            return GUARD_COST
        case o.UseBank():
            return BANK_COST
    return 0


def _payable(sheet: Sheet, order: o.Order, *rules: str) -> Problem | None:
    """Upgrades and faction costs go before units and the bid (PR-8.10); this window brings in no
    further money.

    Money of team-mates counts where the message asks for it: mostly last, as in `Bid 25 (110 from
    Anna)`.
    """
    coming = {
        new.mate: new.amount
        for new in sheet.message
        if isinstance(new, o.Use) and _judge_use(sheet, new) is None
    }
    lent = sum(coming.values()) + sum(
        old.amount for old in sheet.kept if isinstance(old, o.Use) and old.mate not in coming
    )
    cost, held = (
        _price(order),
        sheet.realm + lent - sum(_price(other) for other in sheet.without(order)),
    )
    return refuse("cannot-afford", *rules, cost=cost, held=held) if cost > held else None


def _own(sheet: Sheet, province: int, *rules: str) -> Problem | None:
    if province == o.ISLAND:
        return refuse(
            "unknown-province",
            *rules,
            "PR-8.4",
            province=province,
            provinces=len(sheet.state.board) - 1,
        )
    unknown = unknown_province(sheet, province)
    if unknown is not None:
        return unknown
    if sheet.state.board[province].owner != sheet.player:
        own = numbers.provinces_of(sheet.state, sheet.player)
        return refuse("not-your-province", *rules, province=province, own=own)
    return None


def _judge_bid(sheet: Sheet, amount: int) -> Problem | None:
    state = sheet.state
    if state.stage == "consolidation" and numbers.is_last_turn(state):
        return refuse("not-now", "PR-3.6", "PR-4.21", phase=state.stage)
    if state.stage == "consolidation" and is_in_effect(state, sheet.player, "bank"):
        return refuse("not-now", "PR-11.7", phase=state.stage)
    if amount < 0:
        return refuse("out-of-range", "PR-3.1", number=amount, least=0, most=sheet.realm)
    return None


def _judge_use(sheet: Sheet, order: o.Use) -> Problem | None:
    team = sheet.state.players[sheet.player - 1].team
    mates = [
        seat
        for seat in sheet.state.players
        if seat.team == team and seat.number != sheet.player and seat.is_active
    ]
    if order.mate not in [seat.number for seat in mates]:
        return refuse("unknown-player", "PR-13.2", players=tuple(seat.name for seat in mates))
    if order.amount < 1:
        return refuse("out-of-range", "PR-13.2", number=order.amount, least=1)
    return None


def _judge_upgrade(sheet: Sheet, order: o.Upgrade) -> Problem | None:
    state, p = sheet.state, order.province
    unfit = _own(sheet, p, "PR-6.15")
    if unfit is not None:
        return unfit
    held = state.board[p]
    if held.burnt or held.level == numbers.TOP_LEVEL:
        return refuse("out-of-range", "PR-6.15", province=p, level=held.level, burnt=held.burnt)
    if held.order != "golden work":
        return refuse(
            "not-now",
            "PR-6.15",
            phase=state.stage,
            needs="golden work",
            own=numbers.upgradable(state, sheet.player),
        )
    if held.level == numbers.TOP_LEVEL - 1:
        others = set(numbers.capitols(state, sheet.player))
        others |= {
            other.province
            for other in sheet.without(order)
            if isinstance(other, o.Upgrade)
            and state.board[other.province].level == numbers.TOP_LEVEL - 1
        }
        if others:
            return refuse(
                "out-of-range",
                "PR-8.6",
                province=p,
                level=numbers.TOP_LEVEL,
                own=tuple(sorted(others)),
            )
    return _payable(sheet, order, "PR-6.15", "PR-8.10")
