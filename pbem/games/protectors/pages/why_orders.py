"""What became of each order, and why: the revealed orders of a turn held against what happened
afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.protectors import orders as o
from engine.protectors.ability_events import KingFought
from engine.protectors.events import (
    BattleFought,
    CapitolNamed,
    LevelRaised,
    MarchMade,
    MoneySent,
    OrderFailed,
    OrdersMissed,
    OrdersRevealed,
    PurchaseCut,
    Side,
    SupportCut,
    Term,
    UnitsBought,
    WorkDone,
)
from engine.protectors.questions import OrderKind
from engine.ruleset import Event
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.why_rows import WhyRow, head, line, rules_of_term, words
from pbem.games.protectors.pages.why_story import places_of, places_of_order
from pbem.games.protectors.pages.why_sums import event_rows
from pbem.pages.rendering import Twin

Outcome = tuple[Twin, Sequence[str], bool]
"""A sentence, its rules, and whether the order came to all that was ordered."""


def rows_of(
    events: Sequence[Event],
    player: int,
    cast: Cast,
    province: int | None,
    kind: OrderKind | None = None,
    *,
    open_turn: bool,
) -> tuple[tuple[WhyRow, ...], Twin | None]:
    """The orders of a player, or those about one province or of one kind, each with its outcome;
    and how many fell short.

    Where none of that kind stood, a line says so, and all orders are shown.
    """
    if kind is not None and not any(_is_of_kind(event, player, kind) for event in events):
        all_rows, _ = rows_of(events, player, cast, province, open_turn=open_turn)
        return all_rows, words(
            "none_of_kind", kind, cast.name(player), player == cast.you
        ) if all_rows else None
    rows: list[WhyRow] = []
    given = failed = beaten = 0
    for event in events:
        facts = event.facts
        if (
            province is not None
            and isinstance(facts, OrderFailed | PurchaseCut | UnitsBought)
            and province not in places_of(facts)
        ):
            continue
        if kind is not None and isinstance(
            facts, PurchaseCut | UnitsBought | LevelRaised | CapitolNamed
        ):
            continue
        match facts:
            case OrdersMissed(player=whose, phase=phase, instead=instead) if whose == player:
                rows.append(line(words("defaults", phase, cast.orders(instead)), event.rules))
            case OrdersRevealed(orders=orders):
                mine = next((theirs for whose, theirs in orders if whose == player), ())
                for order in mine:
                    if (
                        province is not None and province not in places_of_order(order)
                    ) or not _is_kind(order, kind):
                        continue
                    given += 1
                    told = _outcomes(events, player, order, cast, open_turn=open_turn)
                    is_lost = False
                    if (fought := _fought(events, player, order)) is not None:
                        battle, side, rules = fought
                        is_lost = side is battle.loser
                        told.append(
                            (
                                words("fought", battle, side, side.player == player, cast),
                                rules,
                                True,
                            )
                        )
                    if (met := _met_king(events, player, order)) is not None:
                        king, is_lost, rules = met
                        told.append((words("met_king", king, cast), rules, True))
                    failed += any(not well for _, _, well in told)
                    beaten += is_lost and all(well for _, _, well in told)
                    rows.append(
                        head(
                            words("plain", cast.order(order)),
                            ["PR-6.1"] if isinstance(order, o.ProvinceOrder) else [],
                        )
                    )
                    rows += [line(body, rules) for body, rules, _ in told]
            case OrderFailed(player=whose, order=order) if (
                whose == player
                and _is_kind(order, kind)
                and not _was_revealed(events, player, order)
            ):
                given, failed = given + 1, failed + 1
                rows.append(head(words("plain", cast.order(order))))
                rows.append(line(words("failed", facts, cast), event.rules))
            case PurchaseCut(player=whose) if whose == player:
                given, failed = given + 1, failed + 1
                rows += event_rows(event, cast)
            case (
                UnitsBought(player=whose) | LevelRaised(player=whose) | CapitolNamed(player=whose)
            ) if whose == player:
                rows += event_rows(event, cast)
    return tuple(rows), words("tally", failed, given, beaten) if given else None


_KINDS: Mapping[OrderKind, type[o.Order]] = {
    "march": o.March,
    "support": o.Support,
    "fortify": o.Fortify,
    "work": o.Work,
}


def _is_kind(order: o.Order, kind: OrderKind | None) -> bool:
    return kind is None or isinstance(order, _KINDS[kind])


def _is_of_kind(event: Event, player: int, kind: OrderKind) -> bool:
    """Whether an event tells of orders of that kind that a player gave."""
    match event.facts:
        case OrdersRevealed(orders=orders):
            return any(
                whose == player and _is_kind(order, kind)
                for whose, theirs in orders
                for order in theirs
            )
        case OrderFailed(player=whose, order=order):
            return whose == player and _is_kind(order, kind)
    return False


def _was_revealed(events: Sequence[Event], player: int, order: o.Order) -> bool:
    return any(
        isinstance(event.facts, OrdersRevealed)
        and any(whose == player and order in theirs for whose, theirs in event.facts.orders)
        for event in events
    )


def _fought(
    events: Sequence[Event], player: int, order: o.Order
) -> tuple[BattleFought, Side, Sequence[str]] | None:
    """The fight that decided what a carried out March, Fortify or Support was for, the side that it
    was on, and its rules.
    """
    found = None
    if isinstance(order, o.March) and not any(
        made.units for made, _ in _marches(events, player, order)
    ):
        return None
    for event in events:
        battle = event.facts
        if not isinstance(battle, BattleFought):
            continue
        for side in (battle.winner, battle.loser):
            match order:
                case o.March(target=place, delayed=delayed):
                    is_ours = (side.player, battle.stage) == (
                        player,
                        "delayed" if delayed else "march",
                    )
                case o.Fortify(province=place):
                    is_ours = side.player == player
                case o.Support(origin=origin, target=place):
                    is_ours = any(
                        (term.player, term.province) == (player, origin) for term in side.terms
                    )
                case _:
                    return None
            if is_ours and battle.province == place:
                found = battle, side, event.rules
    return found


def _met_king(
    events: Sequence[Event], player: int, order: o.Order
) -> tuple[KingFought, bool, Sequence[str]] | None:
    """The Mountain King's fight where a carried out order was for, whether the side it was for lost
    it, and its rules (PR-11.4).
    """
    if isinstance(order, o.March) and not any(
        made.units for made, _ in _marches(events, player, order)
    ):
        return None
    for event in events:
        king = event.facts
        if not isinstance(king, KingFought):
            continue
        match order:
            case o.March(target=place) if place == king.province and player == king.intruder:
                return king, king.won, event.rules
            case o.Fortify(province=place) if place == king.province and player == king.player:
                return king, not king.won, event.rules
            case o.Support(player=whom, target=place) if place == king.province and whom in (
                king.intruder,
                king.player,
            ):
                return king, king.won == (whom == king.intruder), event.rules
    return None


def _outcomes(
    events: Sequence[Event], player: int, order: o.Order, cast: Cast, *, open_turn: bool
) -> list[Outcome]:
    """The outcome of one order: why it failed, or what it did."""
    failed: list[Outcome] = [
        (words("failed", event.facts, cast), event.rules, False)
        for event in events
        if isinstance(event.facts, OrderFailed)
        and event.facts.player == player
        and event.facts.order == order
    ]
    match order:
        case o.March():
            return failed or list(_marched(events, player, order, cast))
        case o.Support():
            return [
                *_lent(events, player, order, cast),
                *_cut(events, player, order, cast),
                *failed,
            ]
        case o.Fortify(province=place):
            return failed or list(_defended(events, player, place, cast))
        case o.Work(province=place, golden=golden):
            worked = failed or _worked(
                events, player, place, cast, golden=golden, open_turn=open_turn
            )
            return [*_weakened(events, player, place, cast), *worked]
        case o.Send(amount=amount, to=to):
            return failed or list(_sent(events, MoneySent(player, to, amount), cast))
        case o.Snitch():
            return failed or [(words("snitched"), ("PR-10.1",), True)]
    return failed or [(words("held"), ("PR-6.1",), True)]


def _sent(events: Sequence[Event], wanted: MoneySent, cast: Cast) -> Iterator[Outcome]:
    for event in events:
        if event.facts == wanted:
            yield words("sent_money", wanted, cast), event.rules, True


def _marched(events: Sequence[Event], player: int, order: o.March, cast: Cast) -> Iterator[Outcome]:
    for made, rules in _marches(events, player, order):
        is_whole = made.units >= made.ordered
        yield words("marched" if is_whole else "march_cut", made, cast), rules, is_whole


def _marches(
    events: Sequence[Event], player: int, order: o.March
) -> Iterator[tuple[MarchMade, Sequence[str]]]:
    for event in events:
        made = event.facts
        if isinstance(made, MarchMade) and (made.player, made.origin, made.target) == (
            player,
            order.origin,
            order.target,
        ):
            yield made, event.rules


def _sides(events: Sequence[Event]) -> Iterator[tuple[BattleFought, Side]]:
    for event in events:
        if isinstance(event.facts, BattleFought):
            yield event.facts, event.facts.winner
            yield event.facts, event.facts.loser


def _lent(events: Sequence[Event], player: int, order: o.Support, cast: Cast) -> Iterator[Outcome]:
    """The same help in several fights of one battle is told once."""
    told: set[tuple[str, Term]] = set()
    for battle, side in _sides(events):
        for term in side.terms:
            helps = term.source in ("support", "golden-support") and (
                term.player,
                term.province,
            ) == (player, order.origin)
            if helps and battle.province == order.target and (battle.stage, term) not in told:
                told.add((battle.stage, term))
                yield (
                    words("lent_sum", term, side.player, battle.province, cast),
                    [*rules_of_term(term), "PR-7.9"],
                    True,
                )


def _cut(events: Sequence[Event], player: int, order: o.Support, cast: Cast) -> Iterator[Outcome]:
    for event in events:
        if isinstance(event.facts, SupportCut) and (event.facts.player, event.facts.province) == (
            player,
            order.origin,
        ):
            yield words("cut", event.facts, cast), event.rules, False


def _own_terms(
    events: Sequence[Event], player: int, place: int, sources: tuple[str, ...]
) -> list[Term]:
    """What orders of a province added to its Defender, once for all fights of a battle."""
    found = [
        t
        for battle, side in _sides(events)
        if battle.province == place and side.player == player
        for t in side.terms
    ]
    return list(dict.fromkeys(term for term in found if term.source in sources))


def _defended(events: Sequence[Event], player: int, place: int, cast: Cast) -> Iterator[Outcome]:
    terms = _own_terms(events, player, place, ("fortify", "golden-fortify", "defenders"))
    if terms:
        yield (
            words("fortified", sum(term.amount for term in terms), cast.place(place)),
            [term.rule for term in terms],
            True,
        )
    else:
        yield words("quiet", cast.name(player), cast.place(place)), ["PR-6.4"], True


def _weakened(events: Sequence[Event], player: int, place: int, cast: Cast) -> Iterator[Outcome]:
    if _own_terms(events, player, place, ("work",)):
        yield words("weakened", cast.place(place)), ["PR-6.14"], True


def _worked(
    events: Sequence[Event], player: int, place: int, cast: Cast, *, golden: bool, open_turn: bool
) -> list[Outcome]:
    wanted = WorkDone(place, player, golden)
    done = [event for event in events if event.facts == wanted]
    if done:
        return [(words("worked", golden), done[0].rules, True)]
    over = not open_turn or any(event.kind == "production" for event in events)
    rules = ["PR-6.15" if golden else "PR-6.14"]
    return [(words("work_lost", cast.place(place), not over), rules, not over)]
