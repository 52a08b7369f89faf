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
from pbem.games.protectors.pages.why_story import places_of, places_of_order, those
from pbem.games.protectors.pages.why_sums import event_rows
from pbem.pages.rendering import Twin

Outcome = tuple[Twin, Sequence[str], bool]
"""A sentence, its rules, and whether the order did all that it says."""


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
    if kind is not None and not _gave(events, player, kind):
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
                    at_fights = () if _is_stopped(events, player, order) else events
                    if (fought := _fought(at_fights, player, order)) is not None:
                        battle, side, rules = fought
                        is_lost = side is battle.loser
                        body = words("fought", battle, side, side.player == player, cast)
                        told.append((body, rules, True))
                    if (met := _met_king(at_fights, player, order)) is not None:
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


def _gave(events: Sequence[Event], player: int, kind: OrderKind) -> bool:
    """Whether a player gave orders of that kind."""
    failed = (facts.order for facts, _ in those(events, OrderFailed, player=player))
    revealed = (
        order
        for facts, _ in those(events, OrdersRevealed)
        for whose, theirs in facts.orders
        if whose == player
        for order in theirs
    )
    return any(_is_kind(order, kind) for order in (*failed, *revealed))


def _was_revealed(events: Sequence[Event], player: int, order: o.Order) -> bool:
    return any(
        whose == player and order in theirs
        for revealed, _ in those(events, OrdersRevealed)
        for whose, theirs in revealed.orders
    )


def _is_stopped(events: Sequence[Event], player: int, order: o.Order) -> bool:
    """Whether it is a March of which no unit arrived: it takes part in no fight."""
    made = _marches(events, player, order) if isinstance(order, o.March) else ()
    return isinstance(order, o.March) and not any(march.units for march, _ in made)


def _fought(
    events: Sequence[Event], player: int, order: o.Order
) -> tuple[BattleFought, Side, Sequence[str]] | None:
    """The fight that decided what a carried out March, Fortify or Support was for, the side that it
    was on, and its rules.
    """
    found = None
    for battle, rules in those(events, BattleFought):
        for side in (battle.winner, battle.loser):
            match order:
                case o.March(target=place, delayed=delayed):
                    stage = "delayed" if delayed else "march"
                    is_ours = side.player == player and battle.stage == stage
                case o.Fortify(province=place):
                    is_ours = side.player == player
                case o.Support(origin=origin, target=place):
                    is_ours = any(x.player == player and x.province == origin for x in side.terms)
                case _:
                    return None
            if is_ours and battle.province == place:
                found = battle, side, rules
    return found


def _met_king(
    events: Sequence[Event], player: int, order: o.Order
) -> tuple[KingFought, bool, Sequence[str]] | None:
    """The Mountain King's fight where a carried out order was for, whether the side it was for lost
    it, and its rules (PR-11.4).
    """
    for king, rules in those(events, KingFought):
        match order:
            case o.March(target=place) if place == king.province and player == king.intruder:
                return king, king.won, rules
            case o.Fortify(province=place) if place == king.province and player == king.player:
                return king, not king.won, rules
            case o.Support(player=whom, target=place) if place == king.province and whom in (
                king.intruder,
                king.player,
            ):
                return king, king.won == (whom == king.intruder), rules
    return None


def _outcomes(
    events: Sequence[Event], player: int, order: o.Order, cast: Cast, *, open_turn: bool
) -> list[Outcome]:
    """The outcome of one order: why it failed, or what it did."""
    failed: list[Outcome] = [
        (words("failed", facts, cast), rules, False)
        for facts, rules in those(events, OrderFailed, player=player, order=order)
    ]
    match order:
        case o.March():
            marched = (
                (made, rules, made.units >= made.ordered)
                for made, rules in _marches(events, player, order)
            )
            return failed or [
                (words("marched" if whole else "march_cut", made, cast), rules, whole)
                for made, rules, whole in marched
            ]
        case o.Support(origin=origin):
            cuts = those(events, SupportCut, player=player, province=origin)
            cut = [(words("cut", facts, cast), rules, False) for facts, rules in cuts]
            return [*_lent(events, player, order, cast), *cut, *failed]
        case o.Fortify(province=place):
            return failed or list(_defended(events, player, place, cast))
        case o.Work(province=place, golden=golden):
            worked = failed or _worked(
                events, player, place, cast, golden=golden, open_turn=open_turn
            )
            return [*_weakened(events, player, place, cast), *worked]
        case o.Send(amount=amount, to=to):
            sent = those(events, MoneySent, sender=player, to=to, amount=amount)
            return failed or [
                (words("sent_money", facts, cast), rules, True) for facts, rules in sent
            ]
        case o.Snitch():
            return failed or [(words("snitched"), ("PR-10.1",), True)]
    return failed or [(words("held"), ("PR-6.1",), True)]


def _marches(
    events: Sequence[Event], player: int, order: o.March
) -> Iterator[tuple[MarchMade, Sequence[str]]]:
    return those(events, MarchMade, player=player, origin=order.origin, target=order.target)


def _sides(events: Sequence[Event]) -> Iterator[tuple[BattleFought, Side]]:
    for battle, _ in those(events, BattleFought):
        yield battle, battle.winner
        yield battle, battle.loser


def _lent(events: Sequence[Event], player: int, order: o.Support, cast: Cast) -> Iterator[Outcome]:
    """The same help in several fights of one battle counts once."""
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
    for _, rules in those(events, WorkDone, province=place, player=player, golden=golden):
        return [(words("worked", golden), rules, True)]
    over = not open_turn or any(event.kind == "production" for event in events)
    rule = "PR-6.15" if golden else "PR-6.14"
    return [(words("work_lost", cast.place(place), not over), [rule], not over)]
