"""What the rules do for a reader who sends nothing, and what the orders that stand leave open."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protectors.abilities import FIRE_COST, ISLAND_WEAPONS, magister_strength
from engine.protectors.cards import RESTLESSNESS
from engine.protectors.numbers import UNIT_COST
from engine.protectors.orders import (
    Bid,
    Buy,
    BuyNothing,
    ChooseFaction,
    Commit,
    Fire,
    Hide,
    Order,
    ProvinceOrder,
    Refresh,
    Take,
    UseBank,
    ordered_province,
)
from engine.protectors.view import TableView
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.facts import me, my_provinces, own, question_of, waits_with_bank
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.rendering import phrase

MISSING = "protectors/missing.j2"


@dataclass(frozen=True, slots=True)
class Default:
    """What the rules do for a reader who sends nothing: fortified places, the golden one, units
    bought (units, place).

    `no_bid`: this Consolidation asks for no bid; a faction, or a gift of the Sanctum, may be drawn
    instead of chosen.
    """

    fortified: tuple[str, ...] = ()
    golden: str = ""
    forbidden: bool = False
    bought: tuple[tuple[int, str], ...] = ()
    cost: int = 0
    no_bid: bool = False
    draws_faction: bool = False
    draws_gift: bool = False


def default_of(view: TableView, cast: Cast) -> Default:
    """PR-6.2, PR-4.12 and PR-8.9, for the phase that is open."""
    if view.stage == "orders":
        places = cast.places(province.number for province in my_provinces(view) if province.units)
        if view.is_in_force(RESTLESSNESS):
            return Default(forbidden=True)
        return Default(places, places[0] if places and "fortify" in own(view).golden else "")
    if view.stage == "consolidation":
        bought = fill_up(view)
        return Default(
            bought=tuple((units, cast.place(p)) for p, units in bought),
            cost=UNIT_COST * sum(n for _, n in bought),
            no_bid=view.last_turn or waits_with_bank(view, own(view).number),
            draws_gift=owes_gift(view, ()),
        )
    if view.stage == "bidding":
        return Default(draws_faction=view.options.factions == "choice" and me(view).faction is None)
    return Default()


def fill_up(view: TableView, purse: int | None = None) -> tuple[tuple[int, int], ...]:
    """(province, units) that a silent player buys: one by one where fewest stand, lowest number
    first (PR-8.9).
    """
    money = own(view).realm if purse is None else purse
    room = dict(own(view).room)
    here = {province.number: province.units for province in my_provinces(view)}
    bought: dict[int, int] = {}
    while money >= UNIT_COST and (
        open_places := [p for p in sorted(room) if room[p] > 0 and p in here]
    ):
        place = min(open_places, key=lambda p: (here[p], p))
        bought[place] = bought.get(place, 0) + 1
        here[place] += 1
        room[place] -= 1
        money -= UNIT_COST
    return tuple(sorted(bought.items()))


# ---------------------------------------------------------------------------------- what is missing
@dataclass(frozen=True, slots=True)
class Missing:
    """What the standing orders leave open: places without an order (units, place), no bid, no
    purchase, short of min.US by.
    """

    idle: tuple[tuple[int, str], ...] = ()
    nothing: bool = False
    no_bid: bool = False
    no_purchase: bool = False
    committed: int = 0
    strength: int = 0
    minimum: int = 0
    no_faction: bool = False
    no_gift: bool = False


def missing_of(
    view: TableView, cast: Cast, orders: Sequence[Order], *, whole: bool = False
) -> Missing:
    """What a reader may still want to say in the open phase (PR-6.3, PR-8.9, PR-9.4); `whole`: all
    of it even where nothing was said yet.
    """
    question, has_begun = question_of(view), whole or bool(orders)
    if question == "orders":
        busy = {ordered_province(order) for order in orders if isinstance(order, ProvinceOrder)}
        idle = tuple(
            (p.units, cast.place(p.number))
            for p in my_provinces(view)
            if p.units and p.number not in busy
        )
        return Missing(idle if busy or whole else (), nothing=not busy)
    if question == "dragon":
        if any(isinstance(order, Hide | UseBank) for order in orders):
            return Missing()
        committed = sum(order.units for order in orders if isinstance(order, Commit))
        return Missing(
            nothing=not orders,
            committed=committed,
            strength=strength_of(view, orders),
            minimum=me(view).minimum,
        )
    if question in ("bidding", "rebid", "bids", "consolidation"):
        settled = any(isinstance(order, Bid | UseBank) for order in orders)
        settled |= view.last_turn or (
            question == "consolidation" and waits_with_bank(view, own(view).number)
        )
        can_buy = question == "consolidation" and bool(fill_up(view))
        buys = not can_buy or any(isinstance(order, Buy | BuyNothing) for order in orders)
        chooses = (
            question == "bidding" and view.options.factions == "choice" and me(view).faction is None
        )
        chosen = any(isinstance(order, ChooseFaction) for order in orders)
        return Missing(
            nothing=not orders,
            no_bid=has_begun and not settled,
            no_purchase=has_begun and not buys,
            no_faction=has_begun and chooses and not chosen,
            no_gift=owes_gift(view, orders),
        )
    return Missing(nothing=not orders)


def owes_gift(view: TableView, orders: Sequence[Order]) -> bool:
    """Whether the Wizard Sanctum's gift is still to be chosen (PR-12.3)."""
    offered = any(use.key == "gift" and use.now for use in own(view).usable)
    return offered and not any(isinstance(order, Refresh | Take) for order in orders)


def strength_of(view: TableView, orders: Sequence[Order]) -> int:
    """What is sent against the Dragon: every unit 1, a working province 1 less but not below 0
    (PR-9.2); Highmagisters as far as they can be paid (PR-11.1), and 1 for the Island if any unit
    goes (PR-12.5).
    """
    commits = [order for order in orders if isinstance(order, Commit)]
    units = sum(
        max(0, commit.units - (view.province(commit.province).order is not None))
        for commit in commits
    )
    called = sum(
        min(order.count, own(view).realm // FIRE_COST)
        for order in orders
        if isinstance(order, Fire)
    )
    armed = (
        bool(commits)
        and view.island is not None
        and view.island.owner == own(view).number
        and view.island.units > 0
    )
    return units + magister_strength(called) + (ISLAND_WEAPONS if armed else 0)


def gaps_of(view: TableView, missing: Missing) -> tuple[Gap, ...]:
    """What is missing, in words. A player who has sent nothing yet gets no list, because the rules
    do it all.
    """
    places = [place for _, place in missing.idle]
    least = missing.minimum - missing.strength
    word = "Hold" if view.is_in_force(RESTLESSNESS) else "Fortify!"
    asked = (
        ("idle", bool(places), ". ".join(f"{word} {place}" for place in places), (places,)),
        ("faction", missing.no_faction, "", ()),
        ("purchase", missing.no_purchase, "buy nothing", ()),
        ("bid", missing.no_bid, "bid 0", ()),
        ("gift", missing.no_gift, "", ()),
        ("short", least > 0, "", (least,)),
    )
    return tuple(
        Gap(
            phrase(MISSING, name, *args),
            "" if missing.nothing else phrase(MISSING, f"{name}_effect", *args),
            "" if missing.nothing else line,
        )
        for name, is_open, line, args in asked
        if is_open
    )
