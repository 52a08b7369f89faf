"""How the correspondents play: bold, rarely mad. A plan comes from a player's own view and from
what `legal` offers, nothing else.
"""

import math
import random
from collections import Counter
from dataclasses import dataclass, field

from engine.protectors import orders as o
from engine.protectors.cards import BLESSINGS, DEEP_SNOW, PIRATES, WINTER_STORMS
from engine.protectors.view import GoldenType, ProvinceView
from pbem.games.protectors.play.abilities import (
    borrow,
    buy_abilities,
    choose_faction,
    hide_from_dragon,
    summon,
    wait_for_others,
)
from pbem.games.protectors.play.sight import Sight
from pbem.play import Temper

UNIT_COST = 75
UPGRADE_COST = 25
NEARLY_BROKE = 40


@dataclass(slots=True)
class _Hand:
    """What is decided so far, and what is still allowed with it."""

    offered: frozenset[o.Order]
    rng: random.Random
    gold_left: Counter[GoldenType]
    chosen: list[o.Order] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)

    def give(self, order: o.Order) -> bool:
        if order in self.offered and order not in self.chosen:
            self.chosen.append(order)
            return True
        return False

    def give_gilded(self, gold: GoldenType, golden: o.Order, plain: o.Order) -> None:
        """The golden order while there is gold of its type, else the plain one."""
        if self.gold_left[gold] > 0 and self.give(golden):
            self.gold_left[gold] -= 1
        else:
            self.give(plain)


def plan(sight: Sight, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """The orders of a player in the open phase. `legal` offers every one, and they fit together."""
    match sight.view.stage:
        case "bidding":
            return (*choose_faction(sight, rng), *_bid(sight, temper, rng, sight.realm))
        case "rebid":
            return _bid(sight, temper, rng, sight.realm)
        case "orders":
            return _orders(sight, temper, rng)
        case "dragon":
            return _commitment(sight, temper, rng)
        case "consolidation":
            return _purchase(sight, temper, rng)
        case "bank":  # its owner answers after all others
            return (
                _bid(sight, temper, rng, sight.realm)
                if sight.view.attack is None
                else _commitment(sight, temper, rng)
            )
    return ()


# -------------------------------------------------------------------------------------------- money
def _bid(sight: Sight, temper: Temper, rng: random.Random, money: int) -> tuple[o.Order, ...]:
    """A share of what is there; odd figures, as people bid to get past round ones. Team-mates may
    have to pay for it.
    """
    amount = min(money, round(money * rng.uniform(0.1, 0.25 + 0.45 * temper.ambition)))
    if rng.random() < 0.08:
        amount = 0
    if o.Bid(amount) not in sight.offered:
        return ()
    lent = borrow(sight, temper, rng) if amount and money <= NEARLY_BROKE else None
    return (o.Bid(amount),) if lent is None else (o.Bid(money + lent.amount), lent)


def _purchase(sight: Sight, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """Capitol, levels, units where they are fewest and the neighbours strongest, and a bid from
    what remains.
    """
    you = sight.view.you
    if you is None:
        return ()
    offered = sight.offered
    chosen, money = buy_abilities(sight, rng, you.realm)
    if you.capitols and (capitol := o.Capitol(you.capitols[0])) in offered:
        chosen.append(capitol)
    for province in you.upgradable:
        if money >= UPGRADE_COST and (upgrade := o.Upgrade(province)) in offered:
            chosen.append(upgrade)
            money -= UPGRADE_COST
    room = dict(you.room)
    bought = dict.fromkeys(room, 0)
    while money >= UNIT_COST and any(room[p] > bought[p] for p in room):
        needy = max(
            (p for p in room if room[p] > bought[p]),
            key=lambda p: (_danger(sight, p) - sight.view.province(p).units - bought[p], -p),
        )
        bought[needy] += 1
        money -= UNIT_COST
    chosen += [
        order for p, units in bought.items() if units and (order := o.Buy(units, p)) in offered
    ]
    if not sight.view.last_turn and o.UseBank() not in chosen:
        chosen += _bid(sight, temper, rng, money)
    return tuple(chosen)


# -------------------------------------------------------------------------------- the orders window
def _orders(sight: Sight, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    crusade: tuple[GoldenType, ...] = ("march",) if sight.me.has_crusade else ()
    hand = _Hand(sight.offered, rng, Counter((*sight.me.golden, *crusade)))
    own = [p for p in sight.me.provinces if sight.view.province(p).units]
    for p in sorted(own, key=lambda p: (-sight.view.province(p).units, p)):
        if p not in hand.taken:
            _order_province(sight, temper, hand, p)
    if sight.view.is_in_force(PIRATES) and rng.random() < 0.75:
        suspects = [x for x in sight.view.ranking if x != sight.me.number and not sight.is_mate(x)]
        if suspects:
            hand.give(o.Snitch(suspects[0] if rng.random() < 0.6 else rng.choice(suspects)))
    if sight.realm >= 40 and rng.random() < 0.07 + 0.06 * temper.loyalty:
        friends = sight.mates or [x for x in sight.view.ranking if x != sight.me.number]
        hand.give(o.Send(rng.choice((5, 10, 15, 20)), rng.choice(friends)))
    return tuple(hand.chosen)


def _order_province(sight: Sight, temper: Temper, hand: _Hand, p: int) -> None:
    """Weigh what the units of one province could do, and draw among it, the better the likelier."""
    here = sight.view.province(p)
    danger = _danger(sight, p)
    choices: list[tuple[float, str, int]] = [
        (0.3 + 0.4 * max(0.0, danger - here.units + 1), "fortify", p),
        (_worth_of_work(sight, here, danger), "work", p),
    ]
    for order in hand.offered:
        if (
            isinstance(order, o.March)
            and order.origin == p
            and order.units == 1
            and not order.golden
            and not order.delayed
        ):
            choices.append(
                (_worth_of_attack(sight, temper, hand, here, order.target), "march", order.target)
            )
    for q in here.neighbours:
        owner = sight.view.province(q).owner
        if owner is not None and owner != sight.me.number:
            choices.append((_worth_of_support(sight, temper, q), "support", q))
    choices.sort(key=lambda choice: (choice[1], choice[2]))
    weights = [math.exp(3.0 * worth) for worth, _, _ in choices]
    _, kind, target = hand.rng.choices(choices, weights)[0]
    if kind == "fortify":
        hand.give_gilded("fortify", o.Fortify(p, golden=True), o.Fortify(p))
    elif kind == "work":
        if here.level < 3 and not here.burnt and hand.gold_left["work"] and hand.rng.random() < 0.6:
            hand.give_gilded("work", o.Work(p, golden=True), o.Work(p))
        else:
            hand.give(o.Work(p))
    elif kind == "support":
        friend = sight.view.province(target).owner or sight.me.number
        hand.give_gilded(
            "support", o.Support(friend, target, p, golden=True), o.Support(friend, target, p)
        )
    else:
        _march(sight, hand, here, target)


def _march(sight: Sight, hand: _Hand, here: ProvinceView, target: int) -> None:
    """With all but one where that will do; a second province of ours next to the target
    supports.
    """
    there = sight.view.province(target)
    units = (
        here.units
        if there.units >= here.units - 1 or _danger(sight, here.number) == 0
        else max(1, here.units - 1)
    )
    if there.owner == sight.me.number:
        units = max(1, here.units - 1)
    delayed = there.owner is not None and there.units == 0 and hand.rng.random() < 0.25
    golden = o.March(units, here.number, target, golden=True, delayed=delayed)
    hand.give_gilded("march", golden, o.March(units, here.number, target, delayed=delayed))
    for q in there.neighbours:
        near = sight.view.province(q)
        if (
            q != here.number
            and near.owner == sight.me.number
            and near.units
            and q not in hand.taken
            and there.units
        ):
            helping = o.Support(sight.me.number, target, q)
            if (
                not any(o.ordered_province(order) == q for order in hand.chosen)
                and helping in hand.offered
            ):
                hand.give_gilded(
                    "support", o.Support(sight.me.number, target, q, golden=True), helping
                )
                hand.taken.add(q)


def _worth_of_work(sight: Sight, here: ProvinceView, danger: float) -> float:
    if here.burnt and not sight.view.is_in_force(BLESSINGS):
        return -1.0
    if sight.view.is_in_force(WINTER_STORMS):
        return 0.1
    worth = 1.1 + (0.8 if sight.view.is_in_force(BLESSINGS) else 0.0)
    return worth - 0.5 * max(0.0, danger - here.units + 1)


def _worth_of_attack(
    sight: Sight, temper: Temper, hand: _Hand, here: ProvinceView, target: int
) -> float:
    """The chance to win times the prize, less the risk."""
    there, me = sight.view.province(target), sight.me
    if there.owner == me.number:
        return -0.6 + 0.4 * max(0.0, _danger(sight, target) - there.units)
    snow = 1 if sight.view.is_in_force(DEEP_SNOW) else 0
    attack = here.units - snow + (1 if "march" in hand.gold_left else 0)
    if sight.is_mate(there.owner):
        return -3.0
    prize = 0.6 if there.burnt else 1.5 + 0.4 * there.level
    if target == o.ISLAND:
        prize += 1.2
    if there.owner is None:
        chance = 0.8
    else:
        owner = sight.view.player(there.owner)
        defence = there.units + (0.6 if there.units else 0.0)
        edge = attack - defence + (0.3 if (me.rank or 99) < (owner.rank or 99) else -0.3)
        chance = 1.0 / (1.0 + math.exp(-1.8 * edge))
        if len(owner.provinces) == 1:
            prize += 0.6 + (0.6 if sight.view.turn > 3 else -0.8)
    left_bare = (
        0.5 * min(2.0, _danger(sight, here.number))
        if len(me.provinces) == 1 or there.units >= here.units - 1
        else 0.2
    )
    early = 0.6 if sight.view.turn == 1 else 0.0
    return (
        (0.9 + 0.9 * temper.boldness) * chance * prize
        - (1 - chance) * 0.35 * here.units
        - left_bare * (1.1 - temper.boldness)
        - early
    )


def _worth_of_support(sight: Sight, temper: Temper, target: int) -> float:
    """To stand by a neighbour who is in danger, more gladly a weak one than the leader."""
    there = sight.view.province(target)
    if there.owner is None or (
        there.owner == sight.view.ranking[0] and not sight.is_mate(there.owner)
    ):
        return -0.5
    need = _danger(sight, target) - there.units
    return (
        0.5 * temper.loyalty
        + 0.3 * max(-1.0, min(2.0, need))
        + (0.5 if sight.is_mate(there.owner) else 0.0)
    )


def _danger(sight: Sight, p: int) -> float:
    """How many units of one other player could come."""
    threats: dict[int, int] = {}
    for q in sight.view.province(p).neighbours:
        near = sight.view.province(q)
        if (
            near.owner is not None
            and near.owner != sight.me.number
            and not sight.is_mate(near.owner)
        ):
            threats[near.owner] = max(threats.get(near.owner, 0), near.units)
    return max(threats.values(), default=0)


# --------------------------------------------------------------------------------------- the Dragon
def _commitment(sight: Sight, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """Everything when the realm can win together; just enough not to burn when it cannot."""
    attack, me = sight.view.attack, sight.me
    if attack is None:
        return ()
    offered = sight.offered
    working = sum(
        1 for province in sight.view.provinces if province.order is not None and province.units
    )
    together = (
        sum(player.units for player in sight.view.players if player.rank is not None) - working
    )
    own = [sight.view.province(p) for p in me.provinces if sight.view.province(p).units]
    hopeful = together > attack.dpl + (1 if rng.random() < 0.5 else 0)
    if apart := wait_for_others(sight, rng) or (() if hopeful else hide_from_dragon(sight, rng)):
        return apart
    wanted = me.units if hopeful else min(me.units, me.minimum)
    if hopeful and rng.random() > 0.55 + 0.4 * temper.loyalty:
        wanted = min(me.units, max(2 * me.minimum, 1))
    chosen: list[o.Order] = []
    helped = summon(sight, rng, attack.dpl + 2 - together) if together + 6 > attack.dpl else ()
    to_lose = me.minimum
    for here in sorted(own, key=lambda here: (here.order is not None, -here.units, here.number)):
        units = min(here.units, wanted)
        if units <= 0:
            break
        sacrifice = min(units, to_lose)
        spoken = (
            o.Commit(units, here.number, sacrifice)
            if hopeful and sacrifice
            else o.Commit(units, here.number)
        )
        if spoken in offered:
            chosen.append(spoken)
            wanted -= units
            to_lose -= sacrifice
    if not chosen and o.CommitNothing() in offered:
        chosen.append(o.CommitNothing())
    short = me.minimum - sum(order.units for order in chosen if isinstance(order, o.Commit))
    if short > 0:
        poor = sorted(
            (sight.view.province(p) for p in me.provinces if not sight.view.province(p).burnt),
            key=lambda q: (q.level, q.units, q.number),
        )
        chosen += [burn for here in poor[:short] if (burn := o.Burn(here.number)) in offered]
    return (*chosen, *helped)
