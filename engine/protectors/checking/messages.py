"""Check a player's new orders against those that stand: refusals, warnings, and what replaces what
(PR-6.19, PR-1.10).
"""

from collections.abc import Sequence

import msgspec

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import is_in_effect
from engine.protectors.asked import STAGES_OF, asked_players, is_time_for
from engine.protectors.checking import dragon as checking_dragon
from engine.protectors.checking import orders as checking_orders
from engine.protectors.checking import purchase as checking_purchase
from engine.protectors.checking.sheet import Sheet, clashes, golden_type, of_order, refuse, replaces
from engine.protectors.factions.peeks import LOOKS, MOVES, PEEKS
from engine.protectors.state import State
from engine.ruleset import Checked, Problem, Standing


def check(
    state: State, player: int, standing: Standing[o.Order], orders: Sequence[o.Order]
) -> Checked[o.Order]:
    """Check the orders of one message. Never raises for what a player wrote.

    Of two orders of one message that name the same thing, the first stands. Against an earlier
    message the new one stands, and a golden order takes the gold from the earlier one of its type.
    A `Final` next to a refused order is held back, because it is meant for the whole message.
    """
    if standing.final:
        return _check_after_final(state, player, standing, orders)
    sheet = Sheet(state, player, standing.orders)
    sheet.message = tuple(orders)
    problems: list[Problem] = []
    accepted: list[tuple[int, o.Order]] = []
    for i, order in enumerate(orders):
        refusal = _judge(sheet, order)
        if refusal is not None:
            problems.append(of_order(refusal, i))
            continue
        accepted.append((i, order))
        if isinstance(order, o.Final):
            continue
        if isinstance(order, o.Cancel):
            gone = _cancel(sheet, order)
            problems += [
                of_order(refuse("not-now", "PR-6.17", phase=state.stage), index)
                for index in sorted(gone)
                if isinstance(orders[index], MOVES)
            ]
            accepted = [entry for entry in accepted if entry[0] not in gone]
        else:
            _enter(sheet, i, order)
    refused = bool(problems)
    if refused:
        problems += [
            of_order(refuse("final-held", "PR-1.10"), i)
            for i, order in accepted
            if isinstance(order, o.Final)
        ]
        accepted = [entry for entry in accepted if not isinstance(entry[1], o.Final)]
    is_final = any(isinstance(order, o.Final) for _, order in accepted)
    problems += _warnings(sheet)
    after = tuple(sheet.all)
    complete = is_complete(state, player, after)
    if state.options.finality == "strict" and accepted and complete and not refused:
        is_final = True
    return Checked(
        accepted=tuple(order for _, order in accepted),
        standing=Standing(orders=after, final=is_final),
        problems=tuple(problems),
        replaced=tuple(sheet.fell),
        complete=complete,
    )


def _check_after_final(
    state: State, player: int, standing: Standing[o.Order], orders: Sequence[o.Order]
) -> Checked[o.Order]:
    """Nothing is changed any more; but a look at a card changes nothing, and is answered still
    (PR-1.10, PR-6.17).
    """
    sheet = Sheet(state, player, standing.orders)
    sheet.message = tuple(orders)
    problems: list[Problem] = []
    for i, order in enumerate(orders):
        refusal = (
            _judge(sheet, order) if isinstance(order, PEEKS) else refuse("already-final", "PR-1.10")
        )
        if refusal is None:
            sheet.new.append((i, order))
        else:
            problems.append(of_order(refusal, i))
    complete = is_complete(state, player, standing.orders)
    return Checked(
        accepted=tuple(sheet.fresh), standing=standing, problems=tuple(problems), complete=complete
    )


def is_complete(state: State, player: int, orders: Sequence[o.Order]) -> bool:
    """Whether a set answers all that the open phase asks of this player (PR-1.10 `strict`,
    PR-2.3).
    """
    if player not in asked_players(state):
        return True
    match state.stage:
        case "orders":
            ordered = {o.ordered_province(order) for order in orders} - {None}
            held = {p for p in numbers.provinces_of(state, player) if state.board[p].units}
            return held <= ordered if held else bool(orders)
        case "dragon":
            answers = o.Commit | o.CommitNothing | o.Hide | o.UseBank
            return is_in_effect(state, player, "bank") or any(
                isinstance(order, answers) for order in orders
            )
        case "consolidation":
            return checking_purchase.is_complete(state, player, orders)
        case "bank" if state.attack is not None:
            return any(isinstance(order, o.Commit | o.CommitNothing | o.Hide) for order in orders)
        case "bidding" if (
            state.options.factions == "choice" and state.players[player - 1].faction is None
        ):
            kinds = {type(order) for order in orders}
            return {o.Bid, o.ChooseFaction} <= kinds
    return any(isinstance(order, o.Bid) for order in orders)


MOST = 999_999_999
"""No number in an order is above this."""


def _judge(sheet: Sheet, order: o.Order) -> Problem | None:
    """The first reason against an order, or None: abilities first, then the phase, then the rest,
    last what stands.
    """
    state, player = sheet.state, sheet.player
    lacking = (
        checking_dragon.lack(sheet, order)
        or checking_purchase.lack(sheet, order)
        or checking_orders.lack(sheet, order)
    )
    if lacking is not None:
        return lacking
    waits = checking_dragon.wait_for_bank(sheet, order)
    if waits is not None:
        return waits
    asked = asked_players(state)
    if player in state.ranking and player not in asked and is_time_for(state, order):
        names = tuple(state.players[number - 1].name for number in asked)
        return refuse("not-now", *_rules_of_time(order), phase=state.stage, asked=names)
    if player not in asked or not is_time_for(state, order):
        return refuse(
            "not-now", *_rules_of_time(order), phase=state.stage, when=tuple(STAGES_OF[type(order)])
        )
    number = max(
        int(getattr(order, name, None) or 0) for name in ("amount", "units", "count", "sacrifice")
    )
    if number > MOST:
        return refuse("out-of-range", number=number, most=MOST)
    if isinstance(order, o.Final):
        return None
    if isinstance(order, o.Cancel):
        return _judge_cancel(sheet, order)
    return (
        checking_orders.judge(sheet, order)
        or checking_purchase.judge(sheet, order)
        or checking_dragon.judge(sheet, order)
        or _judge_clash(sheet, order)
    )


def _rules_of_time(order: o.Order) -> tuple[str, ...]:
    match order:
        case o.Bid() | o.Use():
            return "PR-2.1", "PR-8.11"
        case o.Buy() | o.BuyNothing():
            return "PR-2.1", "PR-8.7"
        case o.Commit() | o.CommitNothing():
            return "PR-2.1", "PR-9.1"
        case o.Burn():
            return "PR-2.1", "PR-9.12"
    return ("PR-2.1",)


def _judge_cancel(sheet: Sheet, order: o.Cancel) -> Problem | None:
    province = order.province
    if province is None:
        return None
    unknown = checking_orders.unknown_province(sheet, province)
    if unknown is not None:
        return unknown
    if sheet.state.board[province].owner != sheet.player and not any(
        _is_about(old, province) for old in sheet.all
    ):
        return refuse("not-your-province", "PR-6.1", province=province)
    return None


def _judge_clash(sheet: Sheet, order: o.Order) -> Problem | None:
    for first in sheet.fresh:
        if clashes(first, order):
            rule = "PR-6.1" if o.ordered_province(order) is not None else "PR-1.10"
            return refuse("second-order", rule, stands=sheet.text(first))
    kind = golden_type(order)
    if kind is not None:
        golden = [first for first in sheet.fresh if golden_type(first) == kind]
        if len(golden) >= checking_orders.golden_allowance(sheet, kind):
            return refuse("second-golden", "PR-3.10", stands=sheet.text(golden[0]))
    return None


def _enter(sheet: Sheet, index: int, order: o.Order) -> None:
    for old in [old for old in sheet.kept if replaces(order, old)]:
        sheet.drop(old)
    sheet.new.append((index, order))
    kind = golden_type(order)
    if kind is None:
        return
    spare = checking_orders.golden_allowance(sheet, kind) - sum(
        golden_type(new) == kind for new in sheet.fresh
    )
    gilded = [old for old in sheet.kept if golden_type(old) == kind]
    for old in gilded[: max(0, len(gilded) - spare)]:
        _take_gold(sheet, old)


def _take_gold(sheet: Sheet, old: o.Order) -> None:
    """An earlier golden order becomes plain; an extended Support, which only gold allows, falls
    (PR-1.10, PR-6.12).
    """
    place = sheet.kept.index(old)
    sheet.drop(old)
    if isinstance(old, o.Support) and old.target not in numbers.support_targets(
        sheet.state, old.origin, golden=False
    ):
        return
    if isinstance(old, o.Fortify | o.March | o.Support | o.Work):
        sheet.kept.insert(place, msgspec.structs.replace(old, golden=False))


def _is_about(order: o.Order, province: int) -> bool:
    match order:
        case (
            o.Buy(province=p)
            | o.Upgrade(province=p)
            | o.Capitol(province=p)
            | o.Commit(province=p)
            | o.Burn(province=p)
        ):
            return p == province
    return o.ordered_province(order) == province


def _cancel(sheet: Sheet, order: o.Cancel) -> set[int]:
    """Take orders off the sheet, and return the indices of those that belong to this message. Peeks
    are not among them: they are answered at once.
    """
    province = order.province
    for old in [old for old in sheet.kept if province is None or _is_about(old, province)]:
        sheet.drop(old)
    gone = {
        i
        for i, new in sheet.new
        if (province is None and not isinstance(new, LOOKS))
        or (province is not None and _is_about(new, province))
    }
    sheet.new = [(i, new) for i, new in sheet.new if i not in gone]
    return gone


def _warnings(sheet: Sheet) -> list[Problem]:
    match sheet.state.stage:
        case "orders":
            return checking_orders.warnings(sheet)
        case "dragon" | "bank" if sheet.state.attack is not None:
            return checking_dragon.warnings(sheet)
    return checking_purchase.warnings(sheet)
