"""Three answers to copy, computed from the position: each legal as printed, each with its sum.

(1) the best attack there is, (2) the solid defence, in gold where the bracket allows, (3) what only
this turn's cards allow, or Support or Work. Bids, purchases and commitments are computed from the
purse and from min.US.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.protectors.cards import (
    BLESSINGS,
    DEEP_SNOW,
    FERRY,
    FLOOD,
    PIRATES,
    RESTLESSNESS,
    SEAFARERS,
    WINTER_STORMS,
)
from engine.protectors.numbers import FERRY_FARE, UNIT_COST, UPGRADE_COST, bonus_of, reward_of
from engine.protectors.orders import (
    FACTIONS,
    ISLAND,
    Bid,
    Burn,
    Buy,
    ChooseFaction,
    Commit,
    CommitNothing,
    Fortify,
    March,
    Order,
    Snitch,
    Support,
    Upgrade,
    Work,
)
from engine.protectors.view import GoldenType, ProvinceView, TableView
from pbem.games.protectors.pages.abilities import counted_bid
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.defaults import fill_up, strength_of
from pbem.games.protectors.pages.facts import (
    fortify_gain,
    has_ability,
    me,
    my_provinces,
    own,
    question_of,
    waits_with_bank,
    work_pay,
)
from pbem.pages.rendering import Twin, twin

TEMPLATE = "protectors/examples.j2"
SACRIFICE = re.compile(r" \(sac (\d+)\)")
ISLAND_WORTH = 2
"""With its 3 VP the Island is worth about as much as a province of this level."""


@dataclass(frozen=True, slots=True)
class Example:
    """Orders to copy and the facts of their explanation; `kind` names the macro that words it."""

    kind: str
    orders: tuple[Order, ...]
    facts: Mapping[str, object] = field(default_factory=dict)

    def texts(self, cast: Cast) -> tuple[str, ...]:
        return tuple(
            f"{text}." if text[-1] not in "!?." else text
            for text in map(spoken, cast.orders(self.orders))
        )

    def why(self, cast: Cast) -> Twin:
        return twin(TEMPLATE, self.kind.replace("-", "_"), self.facts, cast)


@dataclass(frozen=True, slots=True)
class Sum:
    """A march's strength where it arrives: units, gold, snow and support, against what stands there
    now.
    """

    units: int
    gold: int
    snow: int
    support: int
    total: int
    against: int
    defender: int | None
    target: int
    higher: bool
    fare: int = 0

    @property
    def wins(self) -> bool:
        return (
            self.total > self.against
            or (self.total == self.against and self.higher)
            or not self.against
        )


def spoken(text: str) -> str:
    """An order as somebody says it: `Commit 3 from P2, sacrifice 1`."""
    return SACRIFICE.sub(r", sacrifice \1", text)


def examples(view: TableView, cast: Cast) -> tuple[Example, ...]:
    """Up to three different answers for the phase that is open; none when nothing can be said."""
    found: Iterator[Example]
    match question_of(view):
        case "orders":
            found = _for_orders(view)
        case "bidding" | "rebid":
            found = _for_bids(view)
        case "bids":
            found = _for_late_bids(view)
        case "consolidation":
            found = _for_consolidation(view)
        case "dragon":
            found = _for_dragon(view)
        case _:
            found = iter(())
    unlike: dict[tuple[Order, ...], Example] = {}
    for example in found:
        if example.orders:
            unlike.setdefault(example.orders, example)
    return tuple(unlike.values())[:3]


def march_sum(view: TableView, march: March, support: int = 0) -> Sum:
    """What a March would come to against the units that stand in its target now (PR-7.6)."""
    target, mine = view.province(march.target), me(view)
    gold, snow = int(march.golden), int(view.is_in_force(DEEP_SNOW))
    enemy = target.owner if target.owner != mine.number else None
    against = target.units if enemy is not None else 0
    theirs = view.player(enemy).rank if enemy is not None else None
    higher = mine.rank is not None and (theirs is None or mine.rank < theirs)
    total = march.units + gold - (snow if against else 0) + support
    return Sum(
        march.units,
        gold,
        snow if against else 0,
        support,
        total,
        against,
        enemy,
        march.target,
        higher,
        _fare(view, march),
    )


def _fare(view: TableView, march: March) -> int:
    if not view.is_in_force(FERRY) or view.is_in_force(SEAFARERS):
        return 0
    at_hand = march.target in view.province(march.origin).neighbours and not view.is_in_force(FLOOD)
    return 0 if at_hand else FERRY_FARE


# ------------------------------------------------------------------------------------------- orders
def _for_orders(view: TableView) -> Iterator[Example]:
    yield from _best_attack(view)
    yield from _solid_defence(view)
    yield from _by_card(view)
    yield from _work(view)
    yield from _support(view)


def _friends(view: TableView) -> frozenset[int]:
    """The reader and their team: an example never attacks, fears or tells on them."""
    return frozenset((own(view).number, *own(view).mates))


def _manned(view: TableView) -> tuple[ProvinceView, ...]:
    return tuple(province for province in my_provinces(view) if province.units)


def _near(view: TableView, province: ProvinceView) -> tuple[int, ...]:
    return () if view.is_in_force(FLOOD) else province.neighbours


def _may(view: TableView, golden: GoldenType) -> bool:
    return golden in own(view).golden or (
        golden == "march" and has_ability(view, own(view).number, "crusade")
    )


def _hold_the_rest(view: TableView, busy: Sequence[int], golden: bool = False) -> tuple[Order, ...]:
    """Fortify for the units that are left, the first in gold if asked; not where the card forbids
    it (PR-4.12).
    """
    if view.is_in_force(RESTLESSNESS):
        return ()
    left = [province.number for province in _manned(view) if province.number not in busy]
    return tuple(
        Fortify(p, golden and i == 0 and _may(view, "fortify")) for i, p in enumerate(left)
    )


def _best_attack(view: TableView) -> Iterator[Example]:
    mine, gold, friends = own(view).number, _may(view, "march"), _friends(view)
    choices: list[tuple[tuple[int, ...], Sum, tuple[Order, ...]]] = []
    for origin in _manned(view):
        for number in _near(view, origin):
            target = view.province(number)
            if target.owner in friends:
                continue
            march = March(origin.units, origin.number, number, golden=gold and bool(target.units))
            alone = march_sum(view, march)
            helpers = [
                p for p in _manned(view) if p.number != origin.number and number in _near(view, p)
            ]
            helped = march_sum(view, march, sum(p.units for p in helpers))
            best, extra = alone, _hold_the_rest(view, (origin.number,))
            if helped.wins and not alone.wins:
                best = helped
                support = tuple(Support(mine, number, p.number) for p in helpers)
                extra = (
                    *support,
                    *_hold_the_rest(view, (origin.number, *(p.number for p in helpers))),
                )
            worth = (
                int(best.wins),
                int(not target.burnt),
                target.level,
                best.total - best.against,
                -number,
            )
            choices.append((worth, best, (march, *extra)))
    if choices:
        _, best, orders = max(choices, key=lambda choice: choice[0])
        yield Example("attack", orders, {"sum": best, "burnt": view.province(best.target).burnt})


def threat_to(view: TableView, province: ProvinceView) -> int:
    """The most units of one neighbour that could march in next door."""
    near = [view.province(number) for number in _near(view, province)]
    return max(
        (
            other.units
            for other in near
            if other.owner is not None and other.owner not in _friends(view)
        ),
        default=0,
    )


def _solid_defence(view: TableView) -> Iterator[Example]:
    if view.is_in_force(RESTLESSNESS) or not _manned(view):
        return
    threatened = max(_manned(view), key=lambda p: (threat_to(view, p), p.level, -p.number))
    golden = _may(view, "fortify")
    orders = (Fortify(threatened.number, golden), *_hold_the_rest(view, (threatened.number,)))
    gain = fortify_gain(view, golden=golden)
    facts = {
        "place": threatened.number,
        "units": threatened.units,
        "gold": gain,
        "total": threatened.units + gain,
        "golden": golden,
    }
    yield Example("defence", orders, facts | {"threat": threat_to(view, threatened)})


def _by_card(view: TableView) -> Iterator[Example]:
    if view.is_in_force(SEAFARERS) or view.is_in_force(FERRY):
        yield from _over_the_sea(view)
    if view.is_in_force(PIRATES):
        others = [n for n in view.ranking if n not in _friends(view)]
        if others:
            yield Example(
                "snitch", (Snitch(others[0]), *_hold_the_rest(view, ())), {"on": others[0]}
            )
    if view.is_in_force(BLESSINGS) and not view.is_in_force(WINTER_STORMS):
        yield from _work(view, every=True)


def _over_the_sea(view: TableView) -> Iterator[Example]:
    """A March that only the Sea allows: to the emptiest, greenest, highest province beyond the
    neighbours.
    """
    friends, choices = _friends(view), []
    for origin in _manned(view):
        for target in (*view.provinces, *([view.island] if view.island is not None else [])):
            far = target.number != origin.number and target.number not in _near(view, origin)
            if not far or target.owner in friends:
                continue
            march = March(1 if not target.units else origin.units, origin.number, target.number)
            result = march_sum(view, march)
            if result.fare <= own(view).realm:
                value = ISLAND_WORTH if target.number == ISLAND else target.level
                worth = (
                    int(result.wins),
                    int(not target.burnt),
                    value,
                    -target.units,
                    origin.units,
                    -target.number,
                )
                choices.append((worth, march, result, target.burnt))
    if choices:
        _, march, result, burnt = max(choices, key=lambda choice: choice[0])
        orders = (march, *_hold_the_rest(view, (march.origin,)))
        yield Example("sea", orders, {"sum": result, "burnt": burnt, "purse": own(view).realm})


def _work(view: TableView, *, every: bool = False) -> Iterator[Example]:
    blessed = view.is_in_force(BLESSINGS)
    fertile = [p for p in _manned(view) if not p.burnt or blessed]
    if not fertile:
        return
    calm = sorted(fertile, key=lambda p: (threat_to(view, p), p.number))
    chosen = calm if every else calm[:1]
    rest = _hold_the_rest(view, [p.number for p in chosen], golden=True)
    golden = _may(view, "work") and not every and not chosen[0].burnt and chosen[0].level < 3
    pay = (
        0
        if view.is_in_force(WINTER_STORMS)
        else work_pay(view) * (2 if blessed else 1) * len(chosen)
    )
    first = chosen[0]
    facts = {
        "places": [p.number for p in chosen],
        "pay": pay,
        "golden": golden,
        "level": first.level + 1,
        "units": first.units,
    }
    yield Example(
        "work", (*(Work(p.number, golden) for p in chosen), *rest), facts | {"cost": UPGRADE_COST}
    )


def _support(view: TableView) -> Iterator[Example]:
    """A neighbour, team-mates before others."""
    mine, golden = own(view).number, _may(view, "support")
    near = [
        (origin, view.province(number))
        for origin in _manned(view)
        for number in _near(view, origin)
    ]
    held = [(origin, there) for origin, there in near if there.owner is not None and there.units]
    for origin, there in sorted(held, key=lambda pair: pair[1].owner not in own(view).mates)[:1]:
        rest = _hold_the_rest(view, (origin.number,))
        facts = {
            "who": there.owner,
            "mine": there.owner == mine,
            "place": there.number,
            "units": origin.units + int(golden),
        }
        yield Example(
            "support",
            (Support(there.owner or mine, there.number, origin.number, golden), *rest),
            facts,
        )


# ---------------------------------------------------------------------------------- bids, purchases
def _for_bids(view: TableView) -> Iterator[Example]:
    """Where a faction is chosen with the bid each example names another one, for each reader
    others.
    """
    purse, you = own(view).realm, own(view).number
    chooses = (
        view.stage == "bidding" and view.options.factions == "choice" and me(view).faction is None
    )
    for place, amount in enumerate(dict.fromkeys((min(purse, purse // 3 + 1), purse, 0))):
        faction = ChooseFaction(FACTIONS[(you + 2 * place) % len(FACTIONS)])
        orders = (faction, Bid(amount)) if chooses else (Bid(amount),)
        yield Example("bid", orders, {"amount": amount, "left": purse - amount})


def _for_late_bids(view: TableView) -> Iterator[Example]:
    """The Bank sees all other bids: the least that brings each place, the first place first, as
    they count (PR-3.5, PR-11.7).
    """
    purse, you = own(view).realm, own(view).number
    others = [
        (counted_bid(view, player, spent), view.player(player).rank or 0)
        for player, spent in view.bids
        if player != you
    ]
    more, rank = counted_bid(view, you, 0), me(view).rank or 0
    wanted = (
        max(0, counts - more + (theirs < rank)) for counts, theirs in sorted(others, reverse=True)
    )
    for amount in dict.fromkeys(amount for amount in (*wanted, 0) if amount <= purse):
        counts = amount + more
        ahead = sum(
            theirs > counts or (theirs == counts and place < rank) for theirs, place in others
        )
        facts = {
            "amount": amount,
            "left": purse - amount,
            "counts": counts,
            "more": more,
            "place": ahead + 1,
            "of": len(others) + 1,
        }
        yield Example("late-bid", (Bid(amount),), facts)


def _for_consolidation(view: TableView) -> Iterator[Example]:
    purse = own(view).realm
    yield from _purchase(view, "strong", purse)
    if own(view).upgradable and purse >= UPGRADE_COST:
        yield from _purchase(view, "upgrade", purse, own(view).upgradable[0])
    if waits_with_bank(view, own(view).number):
        return
    if not view.last_turn:
        bid = purse // 2 + 1 if purse else 0
        yield Example("save", (Bid(bid),), {"amount": bid, "left": purse - bid})
        yield from _purchase(view, "measured", min(purse, UNIT_COST))
        yield Example("save", (Bid(purse),), {"amount": purse, "left": 0})
        yield Example("save", (Bid(0),), {"amount": 0, "left": purse})


def _purchase(
    view: TableView, kind: str, purse: int, raised: int | None = None
) -> Iterator[Example]:
    """An upgrade if named, then as many units as `purse` pays, then half of what is left for the
    bid.
    """
    upgrade = UPGRADE_COST if raised is not None else 0
    bought = fill_up(view, purse - upgrade)
    cost = upgrade + UNIT_COST * sum(units for _, units in bought)
    if not cost:
        return
    left = own(view).realm - cost
    later = waits_with_bank(view, own(view).number)
    bid = 0 if view.last_turn or later else (left if kind == "strong" else (left + 1) // 2)
    orders: list[Order] = [] if raised is None else [Upgrade(raised)]
    orders += [Buy(units, province) for province, units in bought]
    if not (view.last_turn or later):
        orders.append(Bid(bid))
    level = view.province(raised).level + 1 if raised is not None else 0
    facts = {
        "cost": cost,
        "bid": bid,
        "left": left - bid,
        "raised": raised,
        "level": level,
        "units": sum(n for _, n in bought),
    }
    yield Example("purchase", tuple(orders), facts | {"last": view.last_turn, "later": later})


# --------------------------------------------------------------------------------------- the Dragon
def _for_dragon(view: TableView) -> Iterator[Example]:
    least = me(view).minimum
    everything = _enough(view, 10**6)
    most = strength_of(view, everything)
    exact = _enough(view, least) if least else ()
    if exact and strength_of(view, exact) >= least:
        yield _commitment(view, exact, least)
    for factor in (3, 2):
        wanted = max(factor, factor * least)
        if wanted <= most:
            yield _commitment(view, _enough(view, wanted), least)
            break
    else:
        if everything:
            yield _commitment(view, everything, least)
    yield _hidden(view, least)


def _enough(view: TableView, wanted: int) -> tuple[Commit, ...]:
    """Commitments that reach `wanted` US (or all there are): fullest provinces first, working ones
    last.
    """
    chosen: list[Commit] = []
    reached = 0
    for province in sorted(_manned(view), key=lambda p: (p.order is not None, -p.units, p.number)):
        if reached >= wanted:
            break
        loss = 1 if province.order is not None else 0
        units = min(province.units, wanted - reached + loss)
        chosen.append(Commit(units, province.number))
        reached += max(0, units - loss)
    return tuple(sorted(chosen, key=lambda commit: commit.province))


def _commitment(view: TableView, commits: tuple[Commit, ...], least: int) -> Example:
    strength, units = strength_of(view, commits), sum(commit.units for commit in commits)
    green = sum(not province.burnt for province in my_provinces(view))
    met = strength >= least
    vp, bonus = bonus_of(strength, least) if met else (0, 0)
    reward = reward_of(green) if met and least else 0
    facts = {"strength": strength, "least": least, "met": met, "vp": vp, "realm": reward + bonus}
    return Example(
        "commit", commits, facts | {"lost": min(units, least) if met else units, "units": units}
    )


def _hidden(view: TableView, least: int) -> Example:
    """Nothing committed: who falls short names what burns (PR-9.11, PR-9.12)."""
    mine, orders = me(view), [CommitNothing()]
    green = sorted(
        (p for p in my_provinces(view) if not p.burnt), key=lambda p: (p.level, p.units, p.number)
    )
    grand, bottom = mine.rank == 1, view.ranking[-1] == mine.number and mine.rank != 1
    burning = [] if grand else [p.number for p in green[:least]]
    if 0 < len(burning) < len(green):
        return Example(
            "hide",
            (*orders, *(Burn(number) for number in burning)),
            {"least": least, "grand": grand, "bottom": bottom, "burning": burning, "last": False},
        )
    last = bool(burning) and len(burning) == len(green)
    return Example(
        "hide",
        tuple(orders),
        {"least": least, "grand": grand, "bottom": bottom, "burning": burning, "last": last},
    )
