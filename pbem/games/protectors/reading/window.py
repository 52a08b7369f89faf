"""Drafts into the orders of the orders window (rules, section 6; section 10 for snitches)."""

from collections.abc import Sequence

from engine.protectors import numbers
from engine.protectors import orders as o
from pbem.games.protectors.reading.drafts import Draft
from pbem.games.protectors.reading.position import (
    Built,
    Position,
    Refusal,
    ambiguous,
    amount_of,
    money_of,
    one_number,
    player_named,
    provinces_named,
    refuse_unless,
    value_of,
)
from pbem.grammar.kit.lexemes import Lexeme


def _take_units_of(draft: Draft) -> None:
    """`all of P1 works`: what is done with the units of a province is done there."""
    if draft.origin is not None and draft.at is None and not draft.places:
        draft.at, draft.origin = draft.origin, None


def build_fortify(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _take_units_of(draft)
    refuse_unless(
        draft,
        "place",
        "at",
        "dash",
        "number",
        "quantity",
        "golden",
        "excepted",
        "marks" if "EACH" in draft.marks else "place",
    )
    golden = draft.golden is not None
    found = provinces_named(draft, position, named, position.manned)
    kind: type[o.Fortify | o.Work] = o.Fortify if draft.kind == "FORTIFY" else o.Work
    return [
        Built(kind(p, golden), {"province": at, "golden": draft.golden, "verb": draft.verb})
        for p, at in found
    ]


_HOLDING = frozenset(
    {
        "hold",
        "holds",
        "holding",
        "stay put",
        "stand still",
        "stand fast",
        "hold position",
        "hold fast",
        "sit tight",
    }
)
"""Words that mean all provinces when none is named."""


def build_hold(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _take_units_of(draft)
    refuse_unless(
        draft,
        "place",
        "at",
        "dash",
        "number",
        "quantity",
        "excepted",
        "who" if draft.who and draft.who.value == position.player else "place",
    )
    idle = draft.verb is not None and draft.verb.text not in _HOLDING
    found = provinces_named(draft, position, named, position.manned, spreads=not idle)
    return [Built(o.Hold(p), {"province": at, "verb": draft.verb}) for p, at in found]


def build_march(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(
        draft,
        "place",
        "origin",
        "target",
        "at",
        "dash",
        "number",
        "quantity",
        "golden",
        "delayed",
        "who" if draft.kind in {"ATTACK", "TAKE"} else "place",
    )
    if draft.scattered:
        raise Refusal("not-understood", draft.quantity)
    of_money = "REALM" in draft.marks or (
        draft.kind == "GIVE" and not draft.origin and "UNITS" not in draft.marks
    )
    if draft.kind in {"SEND", "GIVE"} and of_money:
        raise Refusal(
            "not-understood", draft.marks.get("REALM") or draft.target
        )  # money for a province?
    origin, target, bare = draft.origin, draft.target or draft.dash, [*draft.before, *draft.after]
    if draft.kind in {"ATTACK", "TAKE"}:
        if target is None and draft.after:
            target = draft.after[-1]
            bare.remove(target)
        elif target is None and draft.at is not None:
            target = draft.at
        elif draft.at is not None and origin is None:
            origin = draft.at
    elif draft.at is not None:
        if origin is not None:
            raise Refusal("not-understood", draft.at)
        origin = draft.at
    if origin is None and bare:
        origin = bare.pop(0)
    if target is None and bare:
        target = bare.pop(0)
    if bare:
        raise Refusal("not-understood", bare[0])
    if target is None:
        target = _target_of_attack(draft, position, origin)
    owner = (
        position.state.board[value_of(target)].owner
        if value_of(target) < len(position.state.board)
        else None
    )
    if draft.who is not None and (draft.who.kind != "WHO" or owner != draft.who.value):
        raise Refusal("not-understood", draft.who)
    start = (
        value_of(origin)
        if origin is not None
        else _origin_of_march(draft, position, value_of(target))
    )
    golden, delayed = draft.golden is not None, draft.delayed is not None
    units = amount_of(draft, position, start)
    if (
        draft.kind in {"SEND", "GIVE"}
        and origin is None
        and "UNITS" not in draft.marks
        and units > max(1, position.units(start))
    ):
        raise Refusal(
            "not-understood", draft.numbers[0] if draft.numbers else None
        )  # `send 30 to P3`: units, or money?
    order = o.March(units, start, value_of(target), golden, delayed)
    number = draft.numbers[0] if draft.numbers else draft.quantity
    return [
        Built(
            order,
            {
                "province": origin,
                "target": target,
                "number": number,
                "golden": draft.golden,
                "verb": draft.verb,
            },
        )
    ]


def _target_of_attack(draft: Draft, position: Position, origin: Lexeme | None) -> Lexeme:
    """`attack Anna from P2`, `attack Anna`: Anna's only province in reach, else the only one that
    is Anna's.
    """
    if draft.who is not None and draft.who.kind == "WHO":
        state = position.state
        owned = [p for p, held in enumerate(state.board) if held.owner == draft.who.value]
        starts = (
            [value_of(origin)]
            if origin is not None
            else [*position.manned, *([o.ISLAND] if position.units(o.ISLAND) else [])]
        )
        reach = {
            p
            for start in starts
            if 0 <= start < len(state.board)
            for p in numbers.march_targets(state, start)
        }
        theirs = [p for p in owned if p in reach] or (owned if origin is None else [])
        if len(theirs) == 1:
            return Lexeme("PLACE", draft.who.text, draft.who.start, draft.who.end, theirs[0])
        if theirs:
            raise ambiguous(theirs, draft.who)
    raise Refusal("not-understood", None, missing="target")


def _origin_of_march(draft: Draft, position: Position, target: int) -> int:
    state = position.state
    manned = [*position.manned, *([o.ISLAND] if position.units(o.ISLAND) else [])]
    near = [p for p in manned if target in numbers.march_targets(state, p)]
    if len(near) == 1 or (not near and len(manned) == 1):
        return (near or manned)[0]
    if not near:
        raise Refusal("not-neighbours", draft.target or draft.verb, target=target)
    raise ambiguous(near, draft.verb)


def build_support(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(
        draft,
        "place",
        "origin",
        "at",
        "target",
        "who",
        "golden",
        "unknown",
        "quantity"
        if draft.quantity and draft.quantity.kind in {"ALL", "THEUNITS"} and draft.all_but is None
        else "who",
    )
    origin, target, bare = draft.origin, draft.at or draft.target, [*draft.before, *draft.after]
    if origin is None and draft.before:
        origin = bare.pop(0)
    if target is None and bare:
        target = bare.pop(0)
    if origin is None and bare:
        origin = bare.pop(0)
    if bare or target is None:
        raise Refusal("not-understood", bare[0] if bare else None, missing="province")
    golden, state = draft.golden is not None, position.state
    if draft.who is None and not draft.unknown:
        if value_of(target) not in position.own:
            raise Refusal("not-understood", None, missing="player")
        number, at = position.player, target
    else:
        at = player_named(draft, position)
        number = value_of(at)
    if origin is not None:
        start = value_of(origin)
    else:
        near = [
            p
            for p in position.manned
            if value_of(target) in numbers.support_targets(state, p, golden=golden)
        ]
        if len(near) != 1 and (near or len(position.manned) != 1):
            raise (
                ambiguous(near, draft.verb)
                if near
                else Refusal("not-neighbours", target, target=value_of(target))
            )
        start = (near or position.manned)[0]
    return [
        Built(
            o.Support(number, value_of(target), start, golden),
            {
                "who": at,
                "target": target,
                "province": origin,
                "golden": draft.golden,
                "verb": draft.verb,
            },
        )
    ]


def build_send(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    if draft.quantity is not None and draft.quantity.kind == "NOTHING" and not draft.numbers:
        return build_unsend(draft, position, named)
    if draft.numbers and value_of(draft.numbers[0]) == 0 and without_transfer(draft, position):
        raise Refusal(
            "out-of-range",
            draft.numbers[0],
            number=0,
            least=1,
            most=position.realm,
            missing="cancel-all",
        )
    refuse_unless(
        draft,
        "who",
        "number",
        "unknown",
        "quantity" if draft.quantity and draft.quantity.kind == "ALL" else "who",
    )
    if not draft.numbers and draft.quantity is None:
        raise Refusal("not-understood", None, missing="number")
    if "UNITS" in draft.marks:
        raise Refusal(
            "not-understood", draft.marks["UNITS"]
        )  # units go to provinces, money to players
    amount = money_of(draft, position) if not draft.numbers else value_of(one_number(draft))
    who = player_named(draft, position)
    return [
        Built(
            o.Send(amount, value_of(who)),
            {
                "who": who,
                "number": draft.numbers[0] if draft.numbers else draft.quantity,
                "verb": draft.verb,
            },
        )
    ]


def build_unsend(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    """A transfer taken back: no order says so for one alone, so that it is refused, and what comes
    to the same is offered.
    """
    raise Refusal("not-understood", draft.verb, missing="cancel-all")


def without_transfer(draft: Draft, position: Position) -> tuple[o.Order, ...]:
    """`Cancel all`, and again what else stands: the transfers meant are gone then. Nothing if there
    are none.
    """
    if draft.unknown:
        return ()
    standing = position.standing.orders
    gone = [
        order
        for order in standing
        if isinstance(order, o.Send) and (draft.who is None or order.to == draft.who.value)
    ]
    return (o.Cancel(), *(order for order in standing if order not in gone)) if gone else ()


def build_snitch(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "who", "unknown")
    who = player_named(draft, position)
    return [Built(o.Snitch(value_of(who)), {"who": who, "verb": draft.verb})]


def build_same(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "excepted", "place", "at")
    if draft.verb is not None and draft.verb.text == "the same":
        raise Refusal("not-understood", draft.verb)  # as what?
    named = [*named, *(value_of(place) for place in draft.excepted)]
    last = dict(position.state.last_orders).get(position.player, ())
    kept = [
        order
        for order in last
        if o.ordered_province(order) not in named or o.ordered_province(order) is None
    ]
    if draft.places:  # `same as last turn for P1`
        only = {value_of(place) for place in draft.places}
        kept = [order for order in kept if o.ordered_province(order) in only]
    if not kept:
        raise Refusal("not-understood", draft.verb, missing="last-orders")
    return [Built(order, {"verb": draft.verb}) for order in kept]


def build_cancel(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(
        draft, "place", "at", "number", "dash", "origin", "target", "golden", "delayed", "who"
    )
    if (
        draft.who is not None and draft.origin is None and not draft.places
    ):  # `cancel the 10 for Mark`
        return build_unsend(draft, position, named)
    if (
        draft.origin is not None
    ):  # `cancel the march from P2 to P3`, `cancel the support for Mark in P10 from P1`
        draft.before, draft.after, draft.at, draft.numbers = [draft.origin], [], None, []
    if not draft.places and not draft.numbers:
        raise Refusal("not-understood", draft.verb, missing="province")
    return [
        Built(o.Cancel(p), {"province": at, "verb": draft.verb})
        for p, at in provinces_named(draft, position, named, ())
    ]
