"""Corners and legend of the map, and the strip below it with a card for every kingdom."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.fortresses.atlas import Kingdom, facts_of
from engine.fortresses.units import CODES
from pbem.board.faces import CORNER, Lettering, Words, broken, legible, width
from pbem.board.palette import CREAM, GILT, HOT, INK, OCEAN, SOFT_CREAM
from pbem.games.fortresses.board.banners import BANNERS
from pbem.games.fortresses.board.ground import HIGH, WIDE
from pbem.games.fortresses.board.room import Box
from pbem.games.fortresses.board.scene import Realm, Scene
from pbem.games.fortresses.board.words import say

STRIP = 312
"""Height of the strip, px."""
CARD_WIDE, CARD_HIGH = 246.0, 226.0
LONGEST_NAME = 80
LEFT, RIGHT = 32.0, WIDE - 34.0
SIGN_STEP = 47.0
PHASE_ROOM = 168.0
TEXT = 30.0
"""The least size of a text, px: 10 on a phone 360 wide."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A shape of the template around its middle, in a kingdom's colours if it is one's."""

    kind: str
    x: float
    y: float
    k: float
    kingdom: Kingdom | None = None
    fill: str = INK
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Margins:
    """`boxes` are what corners and legend take of the map."""

    words: tuple[Words, ...]
    signs: tuple[Sign, ...]
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A kingdom's card in the strip, its upper left corner at x, y; `active`: to play now."""

    kingdom: Kingdom
    x: float
    y: float
    active: bool
    words: tuple[Words, ...]
    signs: tuple[Sign, ...]


def line(text: str, x: float, y: float, room: float, lettering: Lettering) -> Iterator[Words]:
    """A text made to fit its room; nothing for no text."""
    if text:
        yield lettering.write(text, x, y, room, TEXT)


def lay_corners(scene: Scene) -> Margins:
    """Upper left the question and the players asked, upper right the deadline; the legend at the
    foot.
    """
    active = scene.active
    table = legible(scene.table[:LONGEST_NAME], "")
    title = say("supposed_year" if scene.hypothesis else "year", scene.year)
    if scene.chronicle:
        title = scene.chronicle.turn
    words = [
        *line(table, LEFT, 54, 252, Lettering(CORNER, INK, "serif", halo=OCEAN)),
        *line(title, LEFT, 102, 160, Lettering(50, INK, "serif", halo=OCEAN)),
        *line(
            say("kingdom", active.kingdom) if active else "",
            LEFT,
            134,
            150,
            Lettering(CORNER, INK, "serif", halo=OCEAN),
        ),
    ]
    first = 134 + 31 * (active is not None)
    for i, text in enumerate(broken(scene.phase, CORNER, PHASE_ROOM, "serif")):
        words += line(
            text, LEFT, first + 33 * i, PHASE_ROOM, Lettering(CORNER, INK, "serif", halo=OCEAN)
        )
    left = list(words)
    signs: list[Sign] = []
    if scene.winner:
        right = [
            *line(
                say("won", scene.winner), RIGHT, 62, 200, Lettering(31, INK, "serif", anchor="end")
            ),
            *line(
                say("winner", scene.winner),
                RIGHT,
                96,
                222,
                Lettering(34, INK, "serif", anchor="end"),
            ),
            *line(
                say("how", scene.how),
                RIGHT,
                128,
                222,
                Lettering(CORNER, INK, "serif", anchor="end"),
            ),
        ]
        pair = [realm.kingdom for realm in scene.realms if realm.alliance == scene.winner]
        signs += [
            Sign("shield", RIGHT - 112 + 62 * i, 168, 1.7, kingdom)
            for i, kingdom in enumerate(pair)
        ]
    else:
        right = [
            words
            for i, (text, fill) in enumerate(zip(scene.due, (INK, HOT, HOT), strict=True))
            for words in line(
                text, RIGHT, 62 + 34 * i, 218, Lettering(CORNER, fill, "serif", anchor="end")
            )
        ]
    legend, glyphs = _legend()
    boxes = [_around(left)]
    if right:
        boxes.append(_around([*right], below=60 if signs else 0))
    boxes.append(_around(legend, left=40))
    return Margins((*left, *right, *legend), (*signs, *glyphs), tuple(boxes))


def _around(words: Iterable[Words], *, left: float = 0, below: float = 0) -> Box:
    boxes = [word.box for word in words]
    return (
        min(box[0] for box in boxes) - 4 - left,
        min(box[1] for box in boxes) - 4,
        max(box[2] for box in boxes) + 4,
        max(box[3] for box in boxes) + 4 + below,
    )


def _legend() -> tuple[list[Words], list[Sign]]:
    """The five types, in the sands."""
    words, signs, x, y = [], [], 46.0, HIGH - 26.0
    for code in CODES:
        name = facts_of(code).name
        signs.append(Sign(code, x + 10, y - 10, 1.05))
        words.append(Words(name, x + 27, y, CORNER, INK, "serif"))
        x += 27 + width(name, "serif", CORNER) + 13
    return words, signs


def lay_notes(scene: Scene, left_out: int) -> Iterator[Words]:
    """What the numbers of a seal mean, and how many marks there was no room for."""
    if any(battle.rounds for battle in scene.battles):
        yield from line(say("seal"), 62, HIGH - 62, 440, Lettering(CORNER, INK, "serif"))
    if left_out and (scene.marches or scene.landings or scene.battles):
        yield from line(
            say("left_out", left_out), 76, HIGH - 95, 440, Lettering(CORNER, INK, "serif")
        )


# ---------------------------------------------------------------------------------------- the strip
def lay_strip(scene: Scene) -> Margins:
    """The alliances with the Fortresses they hold."""
    words: list[Words] = []
    signs: list[Sign] = []
    for i, (alliance, owners) in enumerate(scene.fortresses):
        left = 24.0 + 528 * i
        words += line(
            say("alliance", alliance), left + 4, HIGH + 44, 240, Lettering(32, CREAM, "serif")
        )
        signs += _fortresses(owners, left)
    return Margins(tuple(words), tuple(signs))


def lay_cards(scene: Scene) -> tuple[Card, ...]:
    """The cards of the kingdoms, those of an alliance side by side."""
    return tuple(
        _card(realm, 24.0 + 528 * i + 254 * j, HIGH + 68.0)
        for i, (alliance, _) in enumerate(scene.fortresses)
        for j, realm in enumerate(realm for realm in scene.realms if realm.alliance == alliance)
    )


def _fortresses(owners: tuple[Kingdom, ...], left: float) -> Iterator[Sign]:
    """Eight would win; those that are held come first, empty places up to four."""
    places = max(4, len(owners))
    step = min(54.0, 216.0 / places)
    for i in range(places):
        x, k = left + 290 + step * i, min(0.92, step / 56)
        if i < len(owners):
            yield Sign("fortress", x, HIGH + 38, k, owners[i])
        else:
            yield Sign("no-fortress", x, HIGH + 38, k)


def _card(realm: Realm, x: float, y: float) -> Card:
    banner = BANNERS[realm.kingdom]
    kingdom = say("kingdom", realm.kingdom)
    name = legible(realm.player[:LONGEST_NAME], kingdom)
    below = say("to_play", realm.kingdom) if realm.active else kingdom
    if realm.seat:
        below = say("for", legible(realm.seat[:LONGEST_NAME], kingdom))
    words = [
        *line(name, x + 62, y + 37, CARD_WIDE - 68, Lettering(TEXT, CREAM)),
        *line(
            below,
            x + 62,
            y + 71,
            CARD_WIDE - 68,
            Lettering(TEXT, GILT if realm.active else SOFT_CREAM),
        ),
    ]
    gold = str(realm.gold)
    at, row = x + 46, y + 107
    words.append(Words(gold, at, row, TEXT, CREAM))
    words.append(
        Words(say("income", realm.income), at + width(gold, size=TEXT) + 6, row, TEXT, GILT)
    )
    words.append(Words(str(realm.lands), x + 199, row, TEXT, CREAM))
    words += line(say("supply"), x + 16, row + 40, CARD_WIDE - 30, Lettering(TEXT, SOFT_CREAM))
    signs = [
        Sign("shield", x + 33, y + 40, 1.75, realm.kingdom),
        Sign("coin", x + 26, row - 10, 1.0),
        Sign("flag", x + 177, row, 1.0),
    ]
    for i, (code, left) in enumerate(realm.supply):
        middle = x + 29 + SIGN_STEP * i
        signs.append(Sign(code, middle, row + 64, 1.14, fill=banner.light, faint=not left))
        words.append(
            Words(
                str(left), middle, row + 107, TEXT, CREAM if left else SOFT_CREAM, anchor="middle"
            )
        )
    return Card(realm.kingdom, x, y, realm.active, tuple(words), tuple(signs))
