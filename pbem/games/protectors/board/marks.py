"""Arrows, hooks and battles of a scene, put where there is room for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.board.faces import Words, width
from pbem.board.palette import INK, LAND, Arms, arms_of
from pbem.board.paths import format_path
from pbem.games.protectors.board.blocks import Block, Coat, Man
from pbem.games.protectors.board.choice import Chosen
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.placement import NAMED_BELOW, Choice, PlacementCosts, mark_span
from pbem.games.protectors.board.scene import ISLAND, Battle, Fight, March, Province, Scene, Support
from pbem.games.protectors.board.strokes import SEAL_RADIUS, Arrow, Hook, march_arrow, support_hook
from pbem.games.protectors.board.words import say

RESULT_SIZE = 28.0
HALF_RIBBON = 41.0
SIGN, SIGN_GAP, RIBBON_ENDS = 13.0, 4.0, 9.0
"""Half the winner's sign, what is between it and the result, and the ends of a ribbon, px."""
TOO_CROWDED = 3.2
"""An arrow that may be left out is, when its best place costs more."""
MOST_RIBBONS = 3


@dataclass(frozen=True, slots=True)
class Ribbon:
    """One fight: a ribbon in the winner's colour with the winner's sign (its middle at `sign`), its
    half width and its top, at the mark's own scale.
    """

    arms: Arms
    half: float
    top: float
    sign: float
    words: Words


@dataclass(frozen=True, slots=True)
class BattleMark:
    """Crossed swords over a ribbon for each fight. `words` are the texts where they stand on the
    board.
    """

    province: int
    x: float
    y: float
    k: float
    swords: float
    ribbons: tuple[Ribbon, ...]

    @property
    def words(self) -> tuple[Words, ...]:
        return tuple(
            Words(
                r.words.text,
                self.x + r.words.x * self.k,
                self.y + r.words.y * self.k,
                r.words.size * self.k,
                r.words.fill,
                anchor="middle",
            )
            for r in self.ribbons
        )


@dataclass(frozen=True, slots=True)
class IsleMark:
    owner: str
    path: str
    fill: str
    x: float
    y: float
    words: tuple[Words, ...]
    coat: Coat | None
    man: Man | None


@dataclass(frozen=True, slots=True)
class Marks:
    table: PlacementCosts
    arrows: tuple[Arrow, ...]
    hooks: tuple[Hook, ...]
    battles: tuple[BattleMark, ...]
    left_out: int


def mark_scale(scale: float) -> float:
    """Marks grow more slowly than labels and stay legible on dense maps."""
    return max(0.77, min(scale * 0.9, 1.12))


def lay_marks(scene: Scene, chosen: Chosen, land: Land, blocks: Sequence[Block]) -> Marks:
    """Put all marks down together; drop those that may be dropped and find no room."""
    k = mark_scale(land.scale)
    table = PlacementCosts.laid(land, blocks)
    battles = [battle for battle in scene.battles if battle.province != ISLAND or land.island]
    choices = [_battle_choice(table, battle, k) for battle in battles] + [
        _order_choice(table, order, k) for order in chosen.orders
    ]
    settled = table.settle(choices)
    orders: list[tuple[March | Support, Choice, int]] = []
    left_out = chosen.left_out
    for place, (order, choice, (candidate, cost)) in enumerate(
        zip(chosen.orders, choices[len(battles) :], settled[len(battles) :], strict=True)
    ):
        if place >= chosen.optional and cost > TOO_CROWDED:
            table.lift(choice, candidate)
            left_out += 1
        else:
            orders.append((order, choice, candidate))
    arrows = [
        march_arrow(
            choice.shape(candidate),
            order,
            k,
            rider=scene.province(order.origin).owner != order.colour,
        )
        for order, choice, candidate in orders
        if isinstance(order, March)
    ]
    hooks = [
        support_hook(choice.shape(candidate), order, k)
        for order, choice, candidate in orders
        if isinstance(order, Support)
    ]
    marks = [
        battle_mark(battle, *choice.shape(candidate).tolist())
        for battle, choice, (candidate, _) in zip(battles, choices, settled, strict=False)
    ]
    return Marks(table, tuple(arrows), tuple(hooks), tuple(marks), left_out)


def _order_choice(table: PlacementCosts, order: March | Support, k: float) -> Choice:
    half, seal = (8.5, SEAL_RADIUS) if isinstance(order, March) else (5.0, 13.0)
    if ISLAND not in (order.origin, order.target) and table.land.border(order.origin, order.target):
        return table.crossing(order.origin, order.target, k, half=half, seal=seal)
    way = table.reaching if isinstance(order, Support) else table.sailing
    return way(order.origin, order.target, k, half=half, seal=seal)


def _battle_choice(table: PlacementCosts, battle: Battle, k: float) -> Choice:
    plain, named = (
        max(ribbon.half for ribbon in _ribbons(battle, named=named)) for named in (False, True)
    )
    fights = min(len(battle.fights), MOST_RIBBONS)
    return table.battle(battle.province, k, fights, plain, named)


def battle_mark(battle: Battle, x: float, y: float, k: float, share: float) -> BattleMark:
    """The mark of a battle; its number stands in the ribbon when less than half of it lies in the
    province.
    """
    ribbons = _ribbons(battle, named=share < NAMED_BELOW)
    top, _ = mark_span(len(ribbons))
    return BattleMark(battle.province, x, y, k, top + 34, ribbons)


def _ribbons(battle: Battle, *, named: bool) -> tuple[Ribbon, ...]:
    fights = battle.fights[-MOST_RIBBONS:]
    top, _ = mark_span(len(fights))
    return tuple(
        _ribbon(fight, top + 56 + 36 * i, battle.province if named and i == 0 else None)
        for i, fight in enumerate(fights)
    )


def _ribbon(fight: Fight, low: float, province: int | None) -> Ribbon:
    text = (
        say("result", fight.strength, fight.against)
        if province is None
        else say("result_at", province, fight.strength, fight.against)
    )
    arms, wide = arms_of(fight.winner), width(text, "sans", RESULT_SIZE)
    all_of_it = 2 * SIGN + SIGN_GAP + wide
    words = Words(
        text,
        (all_of_it - wide) / 2,
        low + 27,
        RESULT_SIZE,
        arms.on,
        anchor="middle",
    )
    half = max(HALF_RIBBON, all_of_it / 2 + RIBBON_ENDS)
    return Ribbon(arms, half, low, SIGN - all_of_it / 2, words)


def lay_island(island: Province | None, land: Land) -> IsleMark:
    """The Island in the middle of the Sea: its holder's arms and man, or what it is worth."""
    x, y = float(land.middle[0]), float(land.middle[1])
    arms = arms_of(island.owner) if island and island.owner else None
    words = [Words(say("island"), x, y - 3, 30, INK, "serif", "middle")]
    if arms is None:
        words.append(Words(say("island_worth"), x, y + 32, 30, INK, anchor="middle"))
    return IsleMark(
        owner=island.owner or "" if island else "",
        path=format_path((land.island,), close=True),
        fill=arms.tint if arms else LAND,
        x=x,
        y=y,
        words=tuple(words),
        coat=Coat(x - 22, y + 28, 21, arms) if arms else None,
        man=Man(x + 22, y + 30, 1, arms) if arms and island and island.units else None,
    )
