"""What may be committed against the Dragon, and how else an attack may be answered (sections 9 and
11).
"""

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import (
    BANK_COST,
    FIRE_COST,
    HIDE_COST,
    HIDE_COST_WITH_ASHES,
    MOST_MAGISTERS,
    has_ability,
    has_used,
    is_in_effect,
    reads_ashes,
)
from engine.protectors.checking.orders import unknown_province
from engine.protectors.checking.sheet import ANSWERS, Sheet, refuse, warn
from engine.ruleset import Problem


def lack(sheet: Sheet, order: o.Order) -> Problem | None:
    """The ability that an order needs."""
    state, player = sheet.state, sheet.player
    match order:
        case o.Fire() if not has_ability(state, player, "fire"):
            return refuse("no-such-ability", "PR-11.1")
        case o.Fire() if has_used(state, player, "fire"):
            return refuse("used-up", "PR-11.1")
        case o.Hide() if not has_ability(state, player, "nothing"):
            return refuse("no-such-ability", "PR-11.2")
        case o.Hide() if has_used(state, player, "nothing") and not reads_ashes(state, player):
            return refuse("used-up", "PR-11.2", "PR-11.3")
    return None


def hiding_cost(sheet: Sheet) -> int:
    """What it costs not to be seen (PR-11.2, PR-11.3), in $Realm."""
    each = HIDE_COST_WITH_ASHES if reads_ashes(sheet.state, sheet.player) else HIDE_COST
    return each * len(numbers.provinces_of(sheet.state, sheet.player))


def judge(sheet: Sheet, order: o.Order) -> Problem | None:
    state = sheet.state
    match order:
        case o.Commit():
            return _judge_commit(sheet, order)
        case o.Burn(province=p):
            unknown = unknown_province(sheet, p)
            if unknown is not None:
                return unknown
            green = numbers.green_provinces(state, sheet.player)
            if state.board[p].owner != sheet.player or p == o.ISLAND:
                return refuse("not-your-province", "PR-9.12", province=p, own=green)
            if state.board[p].burnt:
                return refuse("out-of-range", "PR-9.12", province=p, own=green)
        case o.Fire(count=n) if not 1 <= n <= MOST_MAGISTERS:
            return refuse("out-of-range", "PR-11.1", number=n, least=1, most=MOST_MAGISTERS)
        case o.Hide() if hiding_cost(sheet) > sheet.realm:
            return refuse("cannot-afford", "PR-11.2", cost=hiding_cost(sheet), held=sheet.realm)
        case o.UseBank() if state.stage == "dragon" and sheet.realm < BANK_COST:
            return refuse("cannot-afford", "PR-11.7", cost=BANK_COST, held=sheet.realm)
    return None


def warnings(sheet: Sheet) -> list[Problem]:
    found: list[Problem] = []
    for i, order in sheet.new:
        match order:
            case o.Commit(units=n, province=p, sacrifice=sac):
                present = sheet.state.board[p].units
                if n > present:
                    found.append(
                        warn("too-few-units", i, "PR-9.1", units=present, ordered=n, province=p)
                    )
                elif sac is not None and sac > n:
                    found.append(
                        warn(
                            "too-few-units",
                            i,
                            "PR-9.5",
                            units=n,
                            ordered=sac,
                            province=p,
                            sacrifice=True,
                        )
                    )
            case o.Fire(count=n) if FIRE_COST * n > sheet.realm:
                found.append(
                    warn(
                        "cannot-afford",
                        i,
                        "PR-11.1",
                        cost=FIRE_COST * n,
                        held=sheet.realm,
                        units=sheet.realm // FIRE_COST,
                    )
                )
    return found


def wait_for_bank(sheet: Sheet, order: o.Order) -> Problem | None:
    """Who has the Bank answers the Dragon after the others, in a window of its own (PR-11.7)."""
    if (
        isinstance(order, ANSWERS)
        and sheet.state.stage == "dragon"
        and is_in_effect(sheet.state, sheet.player, "bank")
    ):
        return refuse("not-now", "PR-11.7", phase=sheet.state.stage)
    return None


def _judge_commit(sheet: Sheet, order: o.Commit) -> Problem | None:
    unknown = unknown_province(sheet, order.province)
    if unknown is not None:
        return unknown
    held = sheet.state.board[order.province]
    if order.province == o.ISLAND:
        return refuse("forbidden-this-turn", "PR-12.2", province=order.province)
    if held.owner != sheet.player:
        own = tuple(
            p for p in numbers.provinces_of(sheet.state, sheet.player) if sheet.state.board[p].units
        )
        return refuse("not-your-province", "PR-9.1", province=order.province, own=own)
    if not held.units:
        return refuse("no-units", "PR-9.1", province=order.province)
    if order.units < 1:
        return refuse("out-of-range", "PR-9.1", number=order.units, least=1, most=held.units)
    if order.sacrifice is not None and order.sacrifice < 0:
        return refuse("out-of-range", "PR-9.5", number=order.sacrifice, least=0, most=order.units)
    return None
