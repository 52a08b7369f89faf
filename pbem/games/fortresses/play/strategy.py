"""How scripted players of Fortresses decide, from their own view alone: armies gather before the
nearest enemy Fortress, take what they can on the way, and leave a guard at home.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.fortresses import orders as o
from engine.fortresses.atlas import (
    Kingdom,
    alliance_of,
    distances,
    facts_of,
    fortresses,
    lands,
    neighbours,
    zones,
)
from engine.fortresses.orders import format_order
from engine.fortresses.table import points_of
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one
from engine.fortresses.view import TableView
from pbem.games.fortresses.pages.at_hand import AtHand, Reach
from pbem.games.fortresses.play.estimates import expected, worth
from pbem.play import Seen, Temper

FAR = 99
IN_ONE_GO = 0.5
"""The chance that one message describes a whole turn."""
PATIENT = 3
"""After this many Years fewer and fewer stay at home, so that a game comes to its end."""
ENOUGH = 0.55
"""Nobody is sent beyond what leaves so large a share of the force."""
DRAGON_AT, GALLEON_AT = 1, 2
"""A kingdom with fewer of them may buy one."""


def plan(seen: Seen, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """What is ordered in the open phase; never nothing, for a phase waits for a word."""
    view: TableView = seen.view
    sight = _Sight(view, seen.legal, temper, rng)
    match view.stage:
        case "attack":
            return tuple(_attack(sight))
        case "reinforce":
            return tuple(_reinforce(sight))
        case "battle":
            return tuple(_answer(sight))
    return ()


@dataclass(frozen=True, slots=True)
class _Sight:
    """The board as the active kingdom's player sees it."""

    view: TableView
    legal: Sequence[o.Order]
    temper: Temper
    rng: random.Random

    @property
    def kingdom(self) -> Kingdom:
        return self.view.active

    @property
    def impatience(self) -> int:
        return max(0, self.view.year - PATIENT)

    def is_ours(self, zone: str) -> bool:
        owner = self.view.zone(zone).owner
        return owner is not None and alliance_of(owner) == alliance_of(self.kingdom)

    def enemies(self, zone: str) -> Units:
        return sum(
            (
                units
                for kingdom, units in self.view.zone(zone).units
                if alliance_of(kingdom) != alliance_of(self.kingdom)
            ),
            NONE,
        )

    def threat(self, land: str) -> Units:
        """Enemy land units that could be there after two more moves of theirs."""
        near = distances(land, "land")
        return sum(
            (
                self.enemies(zone).only(LAND_CODES)
                for zone, far in near.items()
                if far <= facts_of("K").move
            ),
            NONE,
        )

    def goal(self) -> str:
        """The enemy Fortress that is nearest to the heart of this kingdom; at home what was
        lost.
        """
        wanted = [land for land in fortresses() if not self.is_ours(land)]
        home = next(land for land in fortresses() if zones()[land].owner == self.kingdom)
        return min(
            wanted, key=lambda land: (distances(home, "land").get(land, FAR), land), default=home
        )


# ------------------------------------------------------------------------------------------- Attack
def _attack(sight: _Sight) -> Iterator[o.Order]:
    hand = AtHand(sight.view, ())
    reach = hand.reach(sight.legal)
    free = {origin: _to_spare(sight, hand, origin) for origin in reach}
    landed: set[str] = set()
    found: list[o.Order] = []
    for target in sorted(
        {target for targets in reach.values() for target in targets},
        key=lambda target: (-_value(sight, target), target),
    ):
        groups = _force(sight, reach, free, target)
        if groups:
            for group in groups:
                free[group.origin] -= group.units
            landed.add(target)
            found.append(o.Attack(target, groups))
    found += _landings(sight, hand, free, landed)
    if not found:
        yield o.NoAttacks()
        return
    yield from found
    yield from _instructions(sight, found)
    if sight.rng.random() < IN_ONE_GO:
        sent = AtHand(sight.view, found)
        gold = sight.view.kingdom(sight.kingdom).income
        yield from (o.Then(order) for order in _purchases(sight, gold))
        yield from (o.Then(order) for order in _moves(sight, sent, _next_lands(sight, sent)))


def _next_lands(sight: _Sight, hand: AtHand) -> Reach:
    """Where the land units that do not attack can go later: one Land on, among those of the
    alliance.
    """
    return {
        origin: {
            target: LAND_CODES for target in neighbours(origin, "land") if sight.is_ours(target)
        }
        for origin in lands()
        if hand.free(origin).land
    }


def _value(sight: _Sight, target: str) -> float:
    """What it is worth to have that zone, and to be rid of a player who is there."""
    zone = sight.view.zone(target)
    if not zone.is_land:
        return 1 + worth(sight.enemies(target)) / 4
    prize = {"fortress": 20, "castle": 4, "none": 1}[zone.structure] + (2 if zone.great_city else 0)
    nearness = max(0, 4 - distances(target, "land").get(sight.goal(), FAR))
    return prize + nearness + worth(sight.enemies(target)) / 6


def _to_spare(sight: _Sight, hand: AtHand, origin: str) -> Units:
    """What may leave: a Fortress keeps a guard of Legions, more where enemies are near; nothing
    else does.
    """
    free = hand.free(origin)
    zone = sight.view.zone(origin)
    if zone.structure != "fortress":
        return free
    danger = sight.threat(origin)
    guard = min(free.L, max(1, danger.total - sight.impatience))
    kept = one("L", guard)
    if danger.total > guard + 4:
        kept += one("W", free.W)
    return free - kept


def _force(
    sight: _Sight,
    reach: Reach,
    free: dict[str, Units],
    target: str,
) -> tuple[o.Group, ...]:
    """Whom to send there: everybody who can come, if that is enough; less where less does."""
    coming = {
        origin: free[origin].only(targets[target])
        for origin, targets in sorted(reach.items())
        if target in targets and free[origin].only(targets[target]).total
    }
    there, is_land = sight.enemies(target), zones()[target].is_land
    force = sum(coming.values(), NONE)
    if is_land and not force.land:
        return ()
    if not there.total:
        return _one_of(coming)
    points = points_of(target)
    least = 0.45 - sight.temper.boldness * 0.3 - sight.impatience * 0.03
    if zones()[target].structure == "fortress":
        least /= 2
    if expected(force, there, points) < least:
        return ()
    while True:
        smaller = _without_one(coming, there, points, max(least, ENOUGH), is_land)
        if smaller is None:
            break
        coming = smaller
    return tuple(o.Group(units, origin) for origin, units in coming.items() if units.total)


def _one_of(coming: dict[str, Units]) -> tuple[o.Group, ...]:
    """The cheapest land unit that can come takes an empty Land."""
    for code in LAND_CODES:
        for origin, units in coming.items():
            if units.of(code):
                return (o.Group(one(code), origin),)
    return ()


def _without_one(
    coming: dict[str, Units], there: Units, points: int, least: float, is_land: bool
) -> dict[str, Units] | None:
    """The force without one of its units, the dearest first, if that still is enough."""
    force = sum(coming.values(), NONE)
    for code in reversed(CODES):
        if not force.of(code) or (is_land and force.land == 1 and code in LAND_CODES):
            continue
        if expected(force - one(code), there, points) >= least:
            origin = next(origin for origin, units in coming.items() if units.of(code))
            return {**coming, origin: coming[origin] - one(code)}
    return None


def _landings(
    sight: _Sight, hand: AtHand, free: dict[str, Units], landed: set[str]
) -> Iterator[o.Carry]:
    """Galleons put a unit into Lands without enemies, where they need not fight on the way."""
    used: dict[str, Units] = {}
    for ride in sorted(
        hand.carriages(sight.legal),
        key=lambda ride: (-_value(sight, ride.drop), format_order(ride)),
    ):
        final = ride.final or ride.sea
        left = free.get(ride.origin, _to_spare(sight, hand, ride.origin)) - used.get(
            ride.origin, NONE
        )
        ships = hand.free(ride.sea).G - used.get(ride.sea, NONE).G
        ships -= hand.free(ride.sea).G - free.get(ride.sea, hand.free(ride.sea)).G
        if (
            ride.drop in landed
            or sight.enemies(ride.drop).total
            or sight.enemies(final).total
            or not left.holds(ride.units)
            or ships < 1
        ):
            continue
        landed.add(ride.drop)
        used[ride.origin] = used.get(ride.origin, NONE) + ride.units
        used[ride.sea] = used.get(ride.sea, NONE) + one("G")
        yield ride


def _instructions(sight: _Sight, found: Sequence[o.Order]) -> Iterator[o.Order]:
    """Now and then a word about losses, and who holds the Land; a careful player is asked."""
    rng = sight.rng
    attacks = [order for order in found if isinstance(order, o.Attack)]
    if not attacks:
        return
    first = attacks[0]
    force = sum((group.units for group in first.groups), NONE)
    if force.D and force.land:
        yield o.Keep(True, first.target)
        if rng.random() < 0.3:
            yield o.Retreat(((o.Condition("first-loss"),),), first.target)
    if force.K and force.W and rng.random() < 0.3:
        yield o.Lose(("L", "K"), first.target)
    if force.L and len(list(force.pairs())) > 1 and rng.random() < 0.04:
        yield o.Interactive(True, first.target)


# ---------------------------------------------------------------------------------------- Reinforce
def _reinforce(sight: _Sight) -> Iterator[o.Order]:
    stored = list(sight.view.held)
    hand = AtHand(sight.view, tuple(stored))
    bought = list(_purchases(sight, hand.gold)) if not hand.bought else []
    if not bought and not hand.bought:
        yield o.BuyNothing()
    yield from bought
    hand = AtHand(sight.view, (*stored, *bought))
    yield from _moves(sight, hand, hand.reach(sight.legal))


def _purchases(sight: _Sight, gold: int) -> Iterator[o.Buy]:
    """Shields and hitters into the Fortress that is nearest to the goal; without one a unit into
    each castle.
    """
    mine = sight.view.kingdom(sight.kingdom)
    own = [land for land in lands() if sight.view.zone(land).owner == sight.kingdom]
    goal, supply, rng = sight.goal(), mine.supply, sight.rng
    strong = sorted(
        (land for land in own if zones()[land].structure == "fortress"),
        key=lambda land: (distances(land, "land").get(goal, FAR), land),
    )
    if not strong:
        for land in sorted(own):
            code: UnitCode = "W" if rng.random() < 0.4 else "K"
            if (
                zones()[land].structure == "castle"
                and gold >= facts_of(code).cost
                and supply.of(code)
            ):
                gold -= facts_of(code).cost
                supply -= one(code)
                yield o.Buy(one(code), land)
        return
    if mine.units.G < GALLEON_AT and gold > 12 and supply.G and rng.random() < 0.2:
        sea = next((sea for sea in zones()[strong[0]].coast if not sight.enemies(sea).total), "")
        if sea:
            gold -= facts_of("G").cost
            yield o.Buy(one("G"), sea, strong[0])
    wanted, army = NONE, mine.units
    if army.D < DRAGON_AT and gold >= facts_of("D").cost and supply.D and rng.random() < 0.3:
        wanted += one("D")
        gold -= facts_of("D").cost
    while True:
        have = army + wanted
        dear: UnitCode = "W" if rng.random() < 0.5 else "K"
        order: tuple[UnitCode, ...] = (
            ("L", dear, "K") if have.L < 2 * (have.K + have.W) else (dear, "K", "L")
        )
        code = next(
            (
                code
                for code in order
                if facts_of(code).cost <= gold and (supply - wanted).of(code) > 0
            ),
            "G",
        )
        if code == "G":
            break
        wanted += one(code)
        gold -= facts_of(code).cost
    if wanted.total:
        yield o.Buy(wanted, strong[0])


def _moves(sight: _Sight, hand: AtHand, reach: Reach) -> Iterator[o.Move]:
    """Armies draw near to the goal; Dragons go with them."""
    goal = sight.goal()
    far = distances(goal, "land")
    for origin, targets in reach.items():
        if not zones()[origin].is_land and not hand.free(origin).D:
            continue
        spare = _to_spare(sight, hand, origin)
        going: dict[str, Units] = {}
        for code, count in spare.pairs():
            here = _distance(far, goal, origin, code)
            ways = [
                target
                for target, codes in targets.items()
                if code in codes and zones()[target].is_land
            ]
            best = min(
                ways,
                key=lambda target: (_distance(far, goal, target, code), target),
                default=origin,
            )
            if code == "G" or _distance(far, goal, best, code) >= here:
                continue
            going[best] = going.get(best, NONE) + one(code, count)
        for target, units in going.items():
            yield o.Move(units, origin, target)


def _distance(far: Mapping[str, int], goal: str, zone: str, code: UnitCode) -> int:
    return distances(goal, "air").get(zone, FAR) if code == "D" else far.get(zone, FAR)


# ------------------------------------------------------------------------------------------ battles
def _answer(sight: _Sight) -> Iterator[o.Order]:
    """As usual the cheapest die; Dragons leave what is lost."""
    battle = sight.view.battles[0]
    there = sight.enemies(battle.zone)
    losses = [order for order in sight.legal if isinstance(order, o.LoseNow)]
    dead = losses[0].units if losses else NONE
    yield from losses[:1]
    if o.Stay() in sight.legal:
        is_lost = expected(battle.attackers - dead, there, battle.points) < 0
        yield o.RetreatNow() if is_lost else o.Stay()
