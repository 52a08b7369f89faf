"""The label of a province as numbers: arms, number, army, level, order of last turn.

The number keeps its place whatever happens to the province; everything scales with the label's own
scale k.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.board.faces import Words, width
from pbem.board.palette import ASH, CREAM, GOLD, INK, LAND, Arms, arms_of
from pbem.games.protectors.board.land import Label
from pbem.games.protectors.board.scene import OrderMark, Province

P_SIZE, NUMBER_SIZE, TIMES_SIZE = 27.0, 43.0, 35.0
ARMS_RADIUS, GAP, MEN_APART = 23.5, 6.0, 22.5
UPPER_ROW, LOWER_ROW, BASELINE = -20.0, 29.0, 15.0
MOST_MEN = 3
"""More units are one man and a number."""
TAG_HALF, LEVEL_SIZE, BADGE_RADIUS = 14.5, 27.0, 14.5
LETTER_SIZE = 22.0
"""Of a team's letter on arms of the radius `ARMS_RADIUS`, px."""
Box = tuple[float, float, float, float]
Inside = Callable[[float, float, float], float]
"""How much of a disc (x, y, radius) lies inside the province, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Coat:
    """A player's arms: a shield on a start province, a disc elsewhere; on its shoulder the letter
    of the player's team, or none.
    """

    x: float
    y: float
    radius: float
    arms: Arms
    start: bool = False
    team: str = ""

    @property
    def k(self) -> float:
        return self.radius / 26

    @property
    def letter(self) -> Words | None:
        """Where the letter stands on the board: next to the sign, not on it."""
        if not self.team:
            return None
        k = self.radius / ARMS_RADIUS
        x, y, size = self.x - 24 * k, self.y - 23 * k, LETTER_SIZE * k
        return Words(self.team, x, y + size * 0.365, size, INK, anchor="middle")


@dataclass(frozen=True, slots=True)
class Man:
    x: float
    y: float
    k: float
    arms: Arms


@dataclass(frozen=True, slots=True)
class Tag:
    """The gatehouse of a level, which is written on it."""

    x: float
    y: float
    k: float
    level: int

    @property
    def half(self) -> float:
        return TAG_HALF

    @property
    def words(self) -> Words:
        size = LEVEL_SIZE * self.k
        return Words(str(self.level), self.x, self.y + 14.5 * self.k, size, INK, anchor="middle")


@dataclass(frozen=True, slots=True)
class Badge:
    """A hammer or a battlement next to the men, in the ring of the player who ordered it."""

    x: float
    y: float
    radius: float
    kind: str
    fill: str
    ring: str
    colour: str


@dataclass(frozen=True, slots=True)
class Flame:
    x: float
    y: float
    k: float


@dataclass(frozen=True, slots=True)
class Block:
    province: int
    owner: str
    words: tuple[Words, ...]
    coat: Coat | None
    flame: Flame | None
    men: tuple[Man, ...]
    tag: Tag | None
    badge: Badge | None
    writing: tuple[Box, ...]
    """The boxes of the number (of `×4` and of the level): nothing may cover them."""
    pieces: tuple[Box, ...]
    """The boxes of arms, men and gatehouse."""


def label_block(
    province: Province, label: Label, team: str = "", inside: Inside = lambda *_: 1.0
) -> Block:
    """Everything that is said of a province at its label. `team` is the letter of its owner's;
    `inside` tells where the province has room for the order of last turn.
    """
    k, x, y = label.scale, float(label.x), float(label.y)
    arms = arms_of(province.owner) if province.owner else None
    ink, halo = (CREAM, ASH) if province.burnt else (INK, arms.tint if arms else LAND)
    second = bool(arms and province.units) or province.level > 0
    top = y + (UPPER_ROW if second else 0.0) * k
    p_wide = (width("P", "serif", P_SIZE) + 0.5) * k
    wide = p_wide + width(str(province.number), "serif", NUMBER_SIZE * k)
    icon = (2 * ARMS_RADIUS + GAP) * k if arms or province.burning else 0.0
    left = x - (icon + wide) / 2
    base = top + BASELINE * k
    words = [
        Words("P", left + icon, base, P_SIZE * k, ink, "serif", halo=halo),
        Words(
            str(province.number),
            left + icon + p_wide,
            base,
            NUMBER_SIZE * k,
            ink,
            "serif",
            halo=halo,
        ),
    ]
    mid = left + ARMS_RADIUS * k
    coat = Coat(mid, top, ARMS_RADIUS * k, arms, province.start, team) if arms else None
    flame = Flame(mid, top + k, 1.75 * k) if province.burning and not arms else None
    men: tuple[Man, ...] = ()
    low, tag = y + LOWER_ROW * k, None
    pieces = [(mid - 25 * k, top - 27 * k, mid + 25 * k, top + 31 * k)] if icon else []
    if team and coat:
        pieces.append((mid - 37 * k, top - 36 * k, mid - 11 * k, top - 10 * k))
    aside = (5 + BADGE_RADIUS) * k
    spots = [(left + icon + wide + aside, top), (left - aside, top)]
    if second:
        men, times, (start, end) = _army(province, arms, x, low, k, ink, halo)
        words += times
        tag = Tag(end - TAG_HALF * k, low - k, k, province.level) if province.level else None
        pieces.append((start - 2, low - 19 * k, end + 2, low + 19 * k))
        spots = [(end + aside, low), (start - aside, low), *spots]
    elif icon:
        spots.insert(0, (mid + 26 * k, top + 36 * k))
    badge = _badge(province.order, spots, BADGE_RADIUS * k, inside) if province.order else None
    if badge:
        r = badge.radius
        pieces.append((badge.x - r, badge.y - r, badge.x + r, badge.y + r))
    number = (left + icon - 3 * k, top - 20 * k, left + icon + wide + 3 * k, top + 19 * k)
    return Block(
        province.number,
        province.owner or "",
        tuple(words),
        coat,
        flame,
        men,
        tag,
        badge,
        (number, *(word.box for word in [*words[2:], *([tag.words] if tag else [])])),
        tuple(pieces),
    )


def _army(
    province: Province, arms: Arms | None, x: float, y: float, k: float, ink: str, halo: str
) -> tuple[tuple[Man, ...], list[Words], tuple[float, float]]:
    """Men and their number, centred together with the gatehouse; and how far the row reaches."""
    units, tag = province.units, 2 * TAG_HALF * k if province.level else 0.0
    count = units if arms and units <= MOST_MEN else min(units, 1) if arms else 0
    times = f"×{units}" if arms and units > MOST_MEN else ""
    army = MEN_APART * count * k + (width(times, "sans", TIMES_SIZE * k) + 3 * k if times else 0.0)
    gap = 5 * k if tag and army else 0.0
    left = x - (army + gap + tag) / 2
    men = tuple(Man(left + MEN_APART * (i + 0.5) * k, y, k, arms) for i in range(count) if arms)
    words = (
        [Words(times, left + (MEN_APART + 1) * k, y + 13 * k, TIMES_SIZE * k, ink, halo=halo)]
        if times
        else []
    )
    return men, words, (left, left + army + gap + tag)


def _badge(
    order: OrderMark, spots: Sequence[tuple[float, float]], radius: float, inside: Inside
) -> Badge:
    """At the first of these spots that lies in the province, or the one that does so most."""
    x, y = max(spots, key=lambda spot: inside(spot[0], spot[1], radius))
    return Badge(
        x,
        y,
        radius,
        order.kind,
        GOLD if order.golden else CREAM,
        arms_of(order.colour).full,
        order.colour,
    )
