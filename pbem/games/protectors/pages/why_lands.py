"""Why a province is whose it is: its orders, battles and losses in the order in which they
happened.
"""

from engine.protectors.ability_events import KingFought
from engine.protectors.events import (
    BattleFought,
    DragonAttacked,
    GameSetUp,
    OrdersRevealed,
    SupportCut,
)
from engine.protectors.orders import Support
from engine.ruleset import Event
from pbem.games.protectors.pages import why_sums as sums
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.why_case import Found, WhyCase, matter_of
from pbem.games.protectors.pages.why_rows import Matter, WhyRow, heading, line, words
from pbem.games.protectors.pages.why_story import (
    is_about,
    places_of,
    places_of_order,
    players_of,
    support_from,
    those,
)


def province(case: WhyCase) -> Found:
    """Everything about a province in the order in which it happened, its battles as sums."""
    place = case.question.province if case.question.province is not None else 0
    matters: list[Matter] = []
    rows: list[WhyRow] = []
    key = "happened"

    def close(following: str) -> None:
        nonlocal rows, key
        if rows:
            matters.append(Matter(heading(key), tuple(rows)))
        rows, key = [], following

    for happening in case.happenings:
        event, facts = happening.event, happening.facts
        if isinstance(facts, SupportCut) and _helped(case, facts) == place:
            rows += sums.event_rows(event, case.cast)
            continue
        if not is_about(happening, case.question):
            continue
        match facts:
            case OrdersRevealed():
                close("orders")
                rows += _orders_about(event, facts, place, case.cast)
            case BattleFought():
                close("after")
                matters.append(sums.battle(event, facts, case.cast))
            case KingFought():
                close("after")
                matters.append(sums.king(event, facts, case.cast))
            case DragonAttacked():
                rows += _burning(facts, place, case.cast)
            case GameSetUp(starts=starts):
                who = next(player for player, start in starts if start == place)
                body = words("start_of", case.cast, who, case.cast.place(place))
                rows.append(line(body, ["PR-1.2", "PR-1.12"]))
            case _:
                rows += sums.event_rows(event, case.cast)
    close("after")
    ends = (x for x in reversed(case.events) if x.kind == "taken" and place in places_of(x.facts))
    taken = next(ends, None)
    if taken is not None:
        return tuple(matters), sums.event_rows(taken, case.cast)[0].body, taken.rules
    fought = [
        happening.facts
        for happening in case.told
        if isinstance(happening.facts, BattleFought | KingFought)
    ]
    if not fought:
        return tuple(matters), None, ()
    last = fought[-1]
    return (
        tuple(matters),
        words("king_won_there" if isinstance(last, KingFought) else "won_there", last, case.cast),
        (),
    )


def _helped(case: WhyCase, cut: SupportCut) -> int | None:
    """The province into which a support that was cut would have gone."""
    for revealed, _ in those(case.events, OrdersRevealed):
        order = support_from(dict(revealed.orders).get(cut.player, ()), cut.province)
        return order.target if order is not None else None
    return None


def _orders_about(event: Event, facts: OrdersRevealed, place: int, cast: Cast) -> list[WhyRow]:
    rows = []
    for player, orders in facts.orders:
        for order in orders:
            if place in places_of_order(order):
                rules = ["PR-6.9"] if isinstance(order, Support) else ["PR-6.1"]
                rows.append(line(words("ordered", player, cast.order(order), cast), rules))
    if place in facts.holding:
        rows.append(line(words("holding", cast.headed(place)), ["PR-6.3"]))
    return rows


def _burning(facts: DragonAttacked, place: int, cast: Cast) -> list[WhyRow]:
    """A province that burns, and units of it that do not return."""
    rows = []
    for share in facts.shares:
        lost = sum(pledge.lost for pledge in share.pledges if pledge.province == place)
        if lost:
            body = words("sent_away", share, lost, facts.won, cast)
            rows.append(line(body, ["PR-9.5" if facts.won else "PR-9.10"]))
        if place in share.burnt:
            body = words("burnt", share, cast.place(place), cast)
            rows.append(line(body, ["PR-9.4", "PR-9.11", "PR-9.12"]))
    return rows


def battles(case: WhyCase) -> Found:
    """The battles of somebody, or all of them where that one fought none; and whatever else cost
    units.
    """
    mine = [happening for happening in case.told if case.about in players_of(happening.facts)]
    matters: list[Matter] = []
    rows: list[WhyRow] = []
    for happening in mine or case.told:
        match happening.facts:
            case BattleFought() as facts:
                matters.append(sums.battle(happening.event, facts, case.cast))
            case KingFought() as facts:
                matters.append(sums.king(happening.event, facts, case.cast))
            case DragonAttacked() as facts:
                shares = [
                    share
                    for share in facts.shares
                    if share.pledges and (share.player == case.about or not mine)
                ]
                rule = "PR-9.5" if facts.won else "PR-9.10"
                rows += [
                    line(words("share_after", share, case.cast, facts.won, False), [rule])
                    for share in shares
                ]
            case _:
                rows += sums.event_rows(happening.event, case.cast)
    return (*matters, *matter_of("happened", rows)), None, ()
