"""What may be ordered in the orders window (sections 6 and 12, and the cards of section 4)."""

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import (
    ASH_READING,
    ASHES_COST,
    PALANTIR_COST,
    has_ability,
    has_used,
    holds_island,
    reads_ashes,
)
from engine.protectors.cards import FLOOD, PIRATES, RESTLESSNESS
from engine.protectors.checking.sheet import Sheet, golden_type, refuse, warn
from engine.protectors.factions.seeing import is_movable, seen_card
from engine.protectors.state import DeckName
from engine.protectors.view import GoldenType
from engine.ruleset import Problem


def golden_allowance(sheet: Sheet, kind: GoldenType) -> int:
    """How many golden orders of a type the player may give: by the bracket, and one March of a
    Crusade (PR-3.9, PR-11.6).
    """
    rights = numbers.golden_rights(numbers.bracket_of(sheet.state, sheet.player))
    return (kind in rights) + (
        kind == "march" and has_ability(sheet.state, sheet.player, "crusade")
    )


def unknown_province(sheet: Sheet, number: int) -> Problem | None:
    """The Island is known only where it is played with."""
    if number == o.ISLAND and numbers.has_island(sheet.state):
        return None
    if 1 <= number < len(sheet.state.board):
        return None
    return refuse(
        "unknown-province", "PR-1.5", province=number, provinces=len(sheet.state.board) - 1
    )


def unknown_player(sheet: Sheet, number: int, *rules: str, other: bool = False) -> Problem | None:
    """Players who are out of the game, and where another is meant the player's own, do not
    serve.
    """
    known = 1 <= number <= len(sheet.state.players)
    if known and number in sheet.state.ranking and not (other and number == sheet.player):
        return None
    rivals = tuple(
        seat.name
        for seat in sheet.state.players
        if seat.is_active and not (other and seat.number == sheet.player)
    )
    named = sheet.state.players[number - 1].name if known else ""
    return refuse(
        "unknown-player",
        *rules,
        named=named,
        eliminated=known and number not in sheet.state.ranking,
        players=rivals,
    )


def lack(sheet: Sheet, order: o.Order) -> Problem | None:
    """The ability that a peek needs."""
    state, player = sheet.state, sheet.player
    match order:
        case o.Forecast() | o.ReadDragonDeck() if not has_ability(state, player, "forecast"):
            return refuse("no-such-ability", "PR-11.2")
        case o.Forecast() if any(
            (seen.player, seen.deck) == (player, "event") for seen in state.peeks
        ):
            return refuse("used-up", "PR-11.2")
        case o.ReadDragonDeck() if has_used(state, player, ASH_READING):
            return refuse("used-up", "PR-11.2")
        case o.PutAtBottom() | o.PlaceDragon() if not (
            has_ability(state, player, "forecast") and reads_ashes(state, player)
        ):
            return refuse("no-such-ability", "PR-11.3")
        case o.Palantir() if not holds_island(state, player):
            return refuse("no-such-ability", "PR-12.4")
    return None


def judge(sheet: Sheet, order: o.Order) -> Problem | None:
    match order:
        case o.Fortify(province=p):
            return _own_units(sheet, p) or _restless(sheet) or _gold(sheet, order)
        case o.Work(province=p):
            return _own_units(sheet, p) or _gold(sheet, order)
        case o.Hold(province=p):
            return _own_units(sheet, p, island=True)
        case o.March():
            return _judge_march(sheet, order)
        case o.Support():
            return _judge_support(sheet, order)
        case o.Send():
            return _judge_send(sheet, order)
        case o.Snitch(on=x):
            if PIRATES not in numbers.cards_in_force(sheet.state):
                return refuse("not-now", "PR-10.1", phase=sheet.state.stage, card=PIRATES)
            return unknown_player(sheet, x, "PR-10.1", other=True)
        case o.PutAtBottom():
            return _judge_move(
                sheet, order, "event", any(isinstance(new, o.Forecast) for new in sheet.all)
            )
        case o.PlaceDragon():
            return _judge_move(
                sheet, order, "dragons", any(isinstance(new, o.ReadDragonDeck) for new in sheet.all)
            )
        case o.ReadDragonDeck() | o.Palantir():
            cost, free = (
                _price(order),
                sheet.realm - _sent(sheet, order) - sum(_price(new) for new in sheet.fresh),
            )
            if cost > free:
                return refuse("cannot-afford", "PR-6.17", cost=cost, held=free)
    return None


def _judge_move(
    sheet: Sheet, order: o.PutAtBottom | o.PlaceDragon, deck: DeckName, asked: bool
) -> Problem | None:
    """The card looked at must lie on top still and be one the ashes move; `asked`: this message
    looks first (PR-11.3).
    """
    card = seen_card(sheet.state.peeks, sheet.player, deck)
    if card is None:
        return None if asked else refuse("not-now", "PR-11.3", phase=sheet.state.stage)
    return None if is_movable(order, card) else refuse("forbidden-this-turn", "PR-11.3", card=card)


def warnings(sheet: Sheet) -> list[Problem]:
    found: list[Problem] = []
    mates = numbers.mates_of(sheet.state, sheet.player)
    for i, order in sheet.new:
        if isinstance(order, o.March):
            there = sheet.state.board[order.target]
            if there.owner in mates and there.units:
                name = sheet.state.players[there.owner - 1].name
                found.append(
                    warn("fights-team-mate", i, "PR-13.4", province=order.target, player=name)
                )
            present = sheet.state.board[order.origin].units
            if order.delayed:
                present += _arriving(sheet, order.origin)
            if order.units > present:
                rules = ("PR-6.7", "PR-6.5") if order.delayed else ("PR-6.5",)
                found.append(
                    warn(
                        "too-few-units",
                        i,
                        *rules,
                        units=present,
                        ordered=order.units,
                        province=order.origin,
                    )
                )
    return found + _unpaid_fares(sheet)


def _arriving(sheet: Sheet, province: int) -> int:
    """The player's own units that march in before a delayed March leaves (PR-6.7)."""
    marches = [
        order
        for order in sheet.all
        if isinstance(order, o.March) and order.target == province and not order.delayed
    ]
    return sum(min(march.units, sheet.state.board[march.origin].units) for march in marches)


def _unpaid_fares(sheet: Sheet) -> list[Problem]:
    """Fares beyond the purse: money may still come, so that the orders stand for now (PR-6.16,
    PR-6.18).
    """
    paying = [
        order
        for order in sheet.all
        if isinstance(order, o.March)
        and numbers.pays_ferry(sheet.state, order.origin, order.target)
    ]
    cost = numbers.FERRY_FARE * len(paying)
    looks = sum(
        _price(order) for order in sheet.fresh
    )  # paid at once; those of earlier messages are
    held = (
        sheet.realm - looks - sum(order.amount for order in sheet.all if isinstance(order, o.Send))
    )
    if not sheet.new or cost <= held:
        return []
    rules = ("PR-4.17", "PR-6.17", "PR-6.18")
    mine = [i for i, order in sheet.new if order in paying]
    return [warn("cannot-afford", i, *rules, cost=cost, held=held) for i in mine] or [
        warn("cannot-afford", None, *rules, cost=cost, held=held) for _ in paying[:1]
    ]


def _own_units(sheet: Sheet, province: int, *, island: bool = False) -> Problem | None:
    """PR-6.1: one's own province with units; on the Island only a March can be ordered
    (PR-12.2).
    """
    unknown = unknown_province(sheet, province)
    if unknown is not None:
        return unknown
    held = sheet.state.board[province]
    if held.owner != sheet.player:
        own = tuple(
            p
            for p, mine in enumerate(sheet.state.board)
            if mine.owner == sheet.player and mine.units
        )
        return refuse("not-your-province", "PR-6.1", province=province, own=own)
    if not held.units:
        return refuse("no-units", "PR-6.1", province=province)
    if province == o.ISLAND and not island:
        return refuse("forbidden-this-turn", "PR-12.2", province=province)
    return None


def _restless(sheet: Sheet) -> Problem | None:
    if RESTLESSNESS in numbers.cards_in_force(sheet.state):
        return refuse("forbidden-this-turn", "PR-4.12", card=RESTLESSNESS)
    return None


def _gold(sheet: Sheet, order: o.Order) -> Problem | None:
    kind = golden_type(order)
    if kind is None or golden_allowance(sheet, kind):
        return None
    bracket = numbers.bracket_of(sheet.state, sheet.player)
    rights = numbers.golden_rights(bracket)
    return refuse(
        "no-gold-in-bracket",
        "PR-3.9",
        type=kind,
        bracket=bracket or 0,
        golden=tuple(str(right) for right in rights),
    )


def _judge_march(sheet: Sheet, order: o.March) -> Problem | None:
    state = sheet.state
    unfit = _own_units(sheet, order.origin, island=True) or unknown_province(sheet, order.target)
    if unfit is not None:
        return unfit
    if order.units < 1:
        return refuse(
            "out-of-range",
            "PR-6.5",
            number=order.units,
            least=1,
            most=state.board[order.origin].units,
        )
    targets = numbers.march_targets(state, order.origin)
    if order.target not in targets:
        if not targets and FLOOD in numbers.cards_in_force(state):
            return refuse("forbidden-this-turn", "PR-4.15", card=FLOOD)
        rule = "PR-12.1" if o.ISLAND in (order.origin, order.target) else "PR-6.5"
        return refuse(
            "not-neighbours", rule, province=order.origin, target=order.target, neighbours=targets
        )
    return _gold(sheet, order)


def _judge_support(sheet: Sheet, order: o.Support) -> Problem | None:
    state = sheet.state
    unfit = (
        _own_units(sheet, order.origin)
        or unknown_province(sheet, order.target)
        or unknown_player(sheet, order.player, "PR-6.9")
    )
    if unfit is not None:
        return unfit
    if FLOOD in numbers.cards_in_force(state):
        return refuse("forbidden-this-turn", "PR-4.15", card=FLOOD)
    reach = numbers.support_targets(state, order.origin, golden=order.golden)
    if order.target not in reach:
        rules = ("PR-6.12", "PR-6.9") if order.golden else ("PR-6.9",)
        return refuse(
            "not-neighbours", *rules, province=order.origin, target=order.target, neighbours=reach
        )
    return _gold(sheet, order)


def _sent(sheet: Sheet, order: o.Order) -> int:
    return sum(other.amount for other in sheet.without(order) if isinstance(other, o.Send))


def _judge_send(sheet: Sheet, order: o.Send) -> Problem | None:
    unfit = unknown_player(sheet, order.to, "PR-6.16", other=True)
    if unfit is not None:
        return unfit
    held = sheet.realm - _sent(sheet, order) - sum(_price(new) for new in sheet.fresh)
    if order.amount < 1:
        return refuse("out-of-range", "PR-6.16", number=order.amount, least=1, most=held)
    if order.amount > held:
        return refuse("cannot-afford", "PR-6.16", cost=order.amount, held=held)
    return None


def _price(order: o.Order) -> int:
    match order:
        case o.ReadDragonDeck():
            return ASHES_COST
        case o.Palantir():
            return PALANTIR_COST
    return 0
