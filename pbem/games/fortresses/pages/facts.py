"""What a kingdom can do now: whom it can attack from where and with what chance, where it may place
new units, which of its units may still move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engine.fortresses import orders as o
from engine.fortresses.atlas import Kingdom, alliance_of, cost_of, facts_of, zones
from engine.fortresses.defaults import defaults, lacking
from engine.fortresses.legal import legal
from engine.fortresses.odds import Fight, chances
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.phases.ways import bar_between
from engine.fortresses.stored_lines import merge
from engine.fortresses.table import Table, points_of
from engine.fortresses.units import CODES, NONE, Units, one
from engine.fortresses.view import TableView, ZoneView, state_of
from engine.ruleset import Standing

LIKELY = 60
"""A chance in percent that makes an attack worth an example."""
SURE = 90
"""A chance in percent at which an example has enough units."""
UNLIKELY = 15
"""Below this chance in percent an attack is only named."""
MOST_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Target:
    """A zone that can be attacked: who can get there from where, and how likely all of them
    together win, in percent.
    """

    zone: ZoneView
    defenders: Units
    groups: tuple[o.Group, ...]
    chance: int

    @property
    def order(self) -> o.Attack:
        return o.Attack(self.zone.name, self.groups)


@lru_cache(maxsize=64)
def targets(view: TableView) -> tuple[Target, ...]:
    """All that can be attacked by land, sea and air without carriage; Fortresses first, then
    Castles, then the likeliest.
    """
    if view.stage != "attack":
        return ()
    table = Table(state_of(view))
    origins = [(name, table.unmoved(name)) for name in table.units if table.unmoved(name).total]
    found = (_target(view, table, zone, origins) for zone in view.zones if _is_hostile(table, zone))
    rank = ("fortress", "castle", "none")
    return tuple(
        sorted(
            filter(None, found),
            key=lambda target: (
                rank.index(target.zone.structure),
                not target.zone.is_land,
                -target.chance,
                target.zone.name,
            ),
        )
    )


def shown_targets(view: TableView) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """The targets that a letter tells in full, and those that it only names: what is unlikely, and
    what there is no room for.
    """
    found = targets(view)
    shown = [target for target in found if target.chance >= UNLIKELY][:MOST_SHOWN]
    return tuple(shown), tuple(target for target in found if target not in shown)


def _is_hostile(table: Table, zone: ZoneView) -> bool:
    return table.is_held(zone.name) or (zone.is_land and not table.is_ours(zone.name))


def _target(
    view: TableView, table: Table, zone: ZoneView, origins: Sequence[tuple[str, Units]]
) -> Target | None:
    groups = []
    for origin, units in origins:
        able = units.only(
            code for code in CODES if bar_between(table, code, origin, zone.name) is None
        )
        if able.total:
            groups.append(o.Group(able, origin))
    everybody = sum((group.units for group in groups), NONE)
    defenders = sum(table.enemies(zone.name).values(), NONE)
    if not everybody.total or (not defenders.total and not everybody.land):  # FW-6.4
        return None
    if zone.is_land and not everybody.land:  # fliers alone conquer nothing (FW-7.15)
        return None
    return Target(zone, defenders, tuple(groups), percent(view, o.Attack(zone.name, tuple(groups))))


def percent(view: TableView, order: o.Attack) -> int:
    """How likely this attack takes the Land or clears the Sea, by the instructions in force."""
    ours = sum((group.units for group in order.groups), NONE)
    there = _enemies(view, order.target)
    return _percent(view, Fight(order.target, ours, there, points_of(order.target)))


def _percent(view: TableView, fight: Fight) -> int:
    said = [line for line in view.held if isinstance(line, o.Instruction)]
    presets = view.kingdom(view.active).presets
    advice = Advice(fight.zone, [*view.instructions, *said], presets)
    won = chances(fight, advice).won
    return round(100 * won) if won in (0, 1) else min(99, max(1, round(100 * won)))


def _enemies(view: TableView, zone: str) -> Units:
    ours = alliance_of(view.active)
    there = (units for kingdom, units in view.zone(zone).units if alliance_of(kingdom) != ours)
    return sum(there, NONE)


def examples(view: TableView) -> tuple[o.Attack, ...]:
    """Up to two attacks worth a try: on what is strongest of that which is
    likely to fall, and on what is easiest. From one place if that is enough.
    """
    likely = [target for target in targets(view) if target.chance >= LIKELY and target.zone.is_land]
    chosen = dict.fromkeys(
        (*likely[:1], *sorted(likely, key=lambda target: (-target.chance, target.zone.name))[:1])
    )
    return tuple(_modest(view, target) for target in chosen)


@lru_cache(maxsize=64)
def landing(view: TableView) -> o.Carry | None:
    """A landing that is likely to succeed, from a Sea without enemies; if there is one, where no
    unit gets by land.
    """
    by_land = {target.zone.name for target in targets(view)}
    rank = ("none", "castle", "fortress")

    def worth(order: o.Carry) -> tuple[bool, bool, int, int]:
        attack = o.Attack(order.drop, (o.Group(order.units, order.origin),))
        chance, structure = percent(view, attack), view.zone(order.drop).structure
        return chance >= LIKELY, order.drop not in by_land, rank.index(structure), chance

    found = (order for order in legal(state_of(view), view.asked[0]) if isinstance(order, o.Carry))
    safe = [order for order in found if not _enemies(view, order.final or order.sea).total]
    best = max(safe, key=worth, default=None)
    return best if best is not None and worth(best)[0] else None


def _modest(view: TableView, target: Target) -> o.Attack:
    """The fewest units from one place that win about as surely as all together, or else all; one
    takes an empty Land (FW-7.4).
    """
    if not target.defenders.total:
        group = next(group for group in target.groups if group.units.land)
        code = next(code for code, _ in group.units.pairs())
        return o.Attack(target.zone.name, (o.Group(one(code), group.origin),))
    alone = (
        o.Attack(target.zone.name, (o.Group(units, group.origin),))
        for group in target.groups
        for units in (group.units - Units(D=group.units.D),)
        if units.land
    )
    found = ((order, percent(view, order)) for order in alone)
    able = [(order, chance) for order, chance in found if chance >= min(SURE, target.chance)]
    fewest = min(able, key=lambda pair: (pair[0].groups[0].units.total, -pair[1]), default=None)
    return target.order if fewest is None else fewest[0]


# --------------------------------------------------------------------------------------- Reinforce
@dataclass(frozen=True, slots=True)
class Room:
    """A Land where new units may be placed; `most` None: any number. `seas` are those where its new
    Galleons may lie.
    """

    land: str
    most: int | None
    seas: tuple[str, ...]


def rooms(view: TableView) -> tuple[Room, ...]:
    """Where the active kingdom may place new units, Fortresses first."""
    if view.stage != "reinforce":
        return ()
    table = Table(state_of(view))
    own = [zone for zone in view.zones if zone.owner == view.active and zone.structure != "none"]
    own.sort(key=lambda zone: (zone.structure != "fortress", zone.name))
    return tuple(
        Room(
            zone.name,
            None if zone.structure == "fortress" else 1,
            tuple(sea for sea in zones()[zone.name].coast if not table.is_held(sea)),
        )
        for zone in own
    )


def like_rooms(view: TableView) -> tuple[tuple[tuple[str, ...], int | None, tuple[str, ...]], ...]:
    """The rooms, Lands of equal ones together: their names, how many each, and the Seas."""
    found: dict[tuple[int | None, tuple[str, ...]], list[str]] = {}
    for room in rooms(view):
        found.setdefault((room.most, room.seas), []).append(room.land)
    return tuple((tuple(lands), most, seas) for (most, seas), lands in found.items())


def purchase(view: TableView) -> o.Buy | None:
    """A mixed purchase that can be made besides the lines held, for an example: one strong unit,
    and Legions.
    """
    if not rooms(view) or rooms(view)[0].most is not None:
        return None
    bought = sum((one.units for one in view.held if isinstance(one, o.Buy)), NONE)
    left, gold = view.kingdom(view.active).supply - bought, view.gold - cost_of(bought)
    strong = Units(W=1) if gold >= 7 and left.W else NONE  # 5 and a Legion
    legions = min(left.L, (gold - 5 * strong.W) // 2)
    units = strong + Units(L=max(0, legions))
    return o.Buy(units, rooms(view)[0].land) if units.total else None


def movable(view: TableView) -> tuple[tuple[str, str], ...]:
    """Where the active kingdom has units that may still move, with a text of them."""
    found = ((zone.name, _own(zone, view.active) - zone.moved) for zone in view.zones)
    return tuple((name, units.text) for name, units in found if units.total)


def _own(zone: ZoneView, kingdom: Kingdom) -> Units:
    return dict(zone.units).get(kingdom, NONE)


# ----------------------------------------------------------------------------------------- battle
def battle_answers(view: TableView) -> tuple[tuple[o.Order, ...], ...]:
    """Every whole answer worth a line: losses with what the Dragons do next."""
    orders = list(legal(state_of(view), view.asked[0]))
    losses = [order for order in orders if isinstance(order, o.LoseNow)]
    stances = [order for order in orders if isinstance(order, o.Stay | o.RetreatNow)]
    if not losses or not stances:
        return tuple((order,) for order in (*losses, *stances))
    return tuple((loss, stance) for loss in losses for stance in stances)


def percent_after(view: TableView, answer: Sequence[o.Order]) -> int:
    """How likely the attacker wins the open battle after this answer."""
    battle = view.battles[0]
    dead = sum((order.units for order in answer if isinstance(order, o.LoseNow)), NONE)
    stances = [
        isinstance(order, o.RetreatNow) for order in answer if not isinstance(order, o.LoseNow)
    ]
    fight = Fight(
        battle.zone,
        battle.attackers - dead,
        _enemies(view, battle.zone),
        battle.points,
        battle.started,
        battle.round,
        stances[0] if stances else None,
    )
    return _percent(view, fight)


# --------------------------------------------------------------------------- what orders leave open
@dataclass(frozen=True, slots=True)
class Open:
    """Something that orders leave open, with what it is about: the purchases or losses that the
    rules would add, or the gold left. `line` closes it.
    """

    name: Literal["done", "purchases", "gold", "losses", "dragons"]
    told: object
    line: str


def open_of(view: TableView, orders: Sequence[o.Order]) -> Iterator[Open]:
    """What the orders of the commander leave open; nothing where none are in."""
    lines, standing = tuple(merge(view.held, orders)[0]), Standing(tuple(orders))
    if not lines or not view.asked:
        return
    state, player = state_of(view), view.asked[0]
    wanted = lacking(state, player, standing)
    added = defaults(state, player, standing)[len(lines) :]
    if view.stage == "battle":
        losses = next((order for order in added if isinstance(order, o.LoseNow)), None)
        if "Lose" in wanted and losses is not None:
            yield Open("losses", losses, o.format_order(losses))
        if "Stay" in wanted:
            yield Open("dragons", None, "Stay")
        return
    if "Done" not in wanted:
        return
    if view.stage == "reinforce":
        buys = tuple(order for order in added if isinstance(order, o.Buy))
        bought = [order for order in lines if isinstance(order, o.Buy)]
        left = view.gold - sum(cost_of(order.units) for order in bought)
        if buys:
            yield Open("purchases", buys, "Buy nothing")
        elif bought and left >= facts_of("L").cost:
            yield Open("gold", left, "")
    if view.options.early_close:
        yield Open("done", None, "Done")
