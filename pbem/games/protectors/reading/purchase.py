"""Drafts into what is bought, raised, named and bid (rules, section 8; 3 for first bids, 13 for
money of team-mates).
"""

from collections.abc import Sequence

from engine.protectors import numbers
from engine.protectors import orders as o
from pbem.games.protectors.reading.drafts import Draft
from pbem.games.protectors.reading.position import (
    Built,
    Position,
    Refusal,
    money_of,
    one_number,
    player_named,
    provinces_named,
    refuse_unless,
    value_of,
)
from pbem.grammar.kit.lexemes import Lexeme


def build_buy(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(
        draft,
        "place",
        "at",
        "number",
        "quantity",
        "target" if draft.verb is not None and draft.verb.text.startswith("add") else "place",
        "marks"
        if set(draft.marks) <= {"EACH", "UNITS", "REALM", "WHICH", "PLAYER", "ALSO"}
        else "place",
    )
    if draft.all_but is not None:
        raise Refusal("not-understood", draft.all_but)  # `buy nothing except 1 in P1`
    if draft.quantity is not None and draft.quantity.kind == "NOTHING" and not draft.numbers:
        return _buy_nothing(draft)
    if draft.target is not None:  # `add 1 to P2`
        draft.after, draft.target = [*draft.after, draft.target], None
    number = one_number(draft)
    units = value_of(number)
    if units == 0 and draft.quantity is None:
        return _buy_nothing(draft)
    spread = (draft.scattered and draft.quantity is not None) or "EACH" in draft.marks
    if draft.quantity is not None and not spread and draft.quantity.kind != "ALL":
        raise Refusal("not-understood", draft.quantity)
    bare = Draft(
        verb=draft.verb,
        before=draft.before,
        after=draft.after,
        at=draft.at,
        quantity=draft.quantity,
    )
    found = (
        provinces_named(bare, position, named, position.own)
        if not ("EACH" in draft.marks and not draft.places)
        else [(p, draft.marks["EACH"]) for p in position.own]
    )
    if len(found) > 1 and units != 1 and not spread:
        raise Refusal("not-understood", number)
    return [
        Built(o.Buy(units, p), {"province": at, "number": number, "verb": draft.verb})
        for p, at in found
    ]


def with_standing(fresh: list[Built], position: Position) -> list[Built]:
    """`also buy 1 in P2`: a purchase names the whole list (PR-1.10), so that what stands of it is
    said again.
    """
    wanted = {
        order.province: order.units
        for order in position.standing.orders
        if isinstance(order, o.Buy)
    }
    roles = fresh[0].roles
    for built in fresh:
        if isinstance(built.order, o.Buy):
            wanted[built.order.province] = wanted.get(built.order.province, 0) + built.order.units
    return [Built(o.Buy(units, province), roles) for province, units in wanted.items()]


def _buy_nothing(draft: Draft) -> list[Built]:
    """An answer all the same: without it something is bought by default (PR-8.9)."""
    return [Built(o.BuyNothing(), {"verb": draft.verb, "default": draft.quantity})]


def build_upgrade(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "place", "at", "number", "target")
    level = draft.target is not None and draft.target.kind == "NUM"
    if draft.target is not None and not level:
        raise Refusal("not-understood", draft.target)
    candidates = numbers.upgradable(position.state, position.player)
    return [
        Built(o.Upgrade(p), {"province": at, "verb": draft.verb})
        for p, at in provinces_named(draft, position, named, candidates)
    ]


def build_capitol(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "place", "at", "number", "target")
    if draft.target is not None:
        draft.after.append(draft.target)
    candidates = numbers.capitols(position.state, position.player)
    return [
        Built(o.Capitol(p), {"province": at, "verb": draft.verb})
        for p, at in provinces_named(draft, position, named, candidates)
    ]


def build_bid(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(
        draft,
        "number",
        "target",
        "origin",
        "quantity",
        "marks" if set(draft.marks) <= {"LEFT", "REALM", "UNITS"} else "number",
    )
    at: Lexeme | None
    if (
        draft.origin is not None
        and draft.origin.kind == "NUM"
        and not draft.numbers
        and draft.target is None
    ):
        draft.numbers = [draft.origin]  # `a bid of 20`
    elif draft.origin is not None:
        raise Refusal("not-understood", draft.origin)
    rest = draft.marks.get("LEFT") or (
        draft.quantity if draft.quantity is not None and draft.quantity.kind == "ELSE" else None
    )
    if draft.all_but is not None and (draft.quantity is None or draft.quantity.kind != "ALL"):
        raise Refusal("not-understood", draft.all_but)  # `bid nothing but 5`
    if (
        rest is not None
        and not draft.numbers
        and draft.target is None
        and position.spent is not None
    ):
        return [
            Built(
                o.Bid(max(0, position.realm - position.spent)), {"number": rest, "verb": draft.verb}
            )
        ]
    if draft.target is not None and draft.target.kind == "NUM" and not draft.numbers:
        amount, at = value_of(draft.target), draft.target
    elif (
        draft.numbers
        and draft.quantity is None
        and "LEFT" not in draft.marks
        and draft.target is None
    ):
        at = one_number(draft)
        amount = value_of(at)
    elif draft.kind == "NOBID" or (
        draft.quantity is not None and draft.quantity.kind == "NOTHING" and not draft.numbers
    ):
        amount, at = 0, draft.quantity or draft.verb
    elif (
        draft.all_but is not None
        and not draft.numbers
        and draft.target is None
        and position.spent is not None
    ):
        amount, at = money_of(draft, position) - position.spent, draft.all_but
        if amount < 0:
            raise Refusal("not-understood", draft.all_but)
    elif (
        draft.quantity is not None
        and draft.quantity.kind == "ALL"
        and not draft.numbers
        and not _spends(position)
    ):
        amount, at = money_of(draft, position), draft.quantity
    else:
        raise Refusal("not-understood", draft.quantity, missing="number")
    return [Built(o.Bid(amount), {"number": at, "verb": draft.verb})]


def _spends(position: Position) -> bool:
    return any(
        isinstance(order, o.Buy | o.Upgrade | o.UseFaith | o.HireKing | o.UseBank)
        for order in position.standing.orders
    )


def build_use(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "number", "lender", "who")
    number = one_number(draft)
    who = player_named(Draft(who=draft.lender or draft.who), position)
    return [
        Built(
            o.Use(value_of(number), value_of(who)),
            {"who": who, "number": number, "verb": draft.verb},
        )
    ]
