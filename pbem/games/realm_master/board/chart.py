"""The upper part of a board of Realm-Master: the round and its card, the four lands, and the shore
of those outside.
"""

from collections.abc import Iterator

from engine.realm_master.conditions import land_name
from pbem.board.faces import CORNER, Lettering, broken, legible, width
from pbem.board.palette import HOT, INK
from pbem.games.realm_master.board.isle import HIGH, WIDE
from pbem.games.realm_master.board.pieces import (
    LONGEST_NAME,
    TEXT,
    BoardPart,
    Box,
    DieOnBoard,
    Layer,
    Mark,
    Pip,
    Placed,
    disc_of,
    line,
    name_of,
    reach,
)
from pbem.games.realm_master.board.scene import Land, Scene, Tokens
from pbem.games.realm_master.board.words import say

EDGE = 40.0
LEFT_ROOM, RIGHT_ROOM = 296.0, 262.0
CARD = Box("turn-card", 346.0, 34.0, 424.0, 112.0)
TILES = ((106.0, 214.0), (586.0, 214.0), (106.0, 478.0), (586.0, 478.0))
"""The upper left corners of what is said of each land, in row order."""
TILE = (392.0, 206.0)
TOKEN_KINDS = ("heart", "gold", "banner")
ASIDE = 334.0
"""From the left of a tile to the middle of a player who stands there, or of the land's emblem."""
LOWER = 3.0
"""So much lower they lie than the middle, to leave the words above them free of a winner's crown.
"""
SHORE_LINE = HIGH - 98.0
"""The middles of the tokens of those outside, px from the top."""


def lay_chart(scene: Scene) -> list[BoardPart]:
    lands = [
        BoardPart(
            "pieces", _land(scene, land, *corner), land_name(land.key), _occupant(scene, land)
        )
        for land, corner in zip(scene.lands, TILES, strict=True)
    ]
    return [BoardPart("margins", _header(scene)), *lands, *_outside(scene)]


def _occupant(scene: Scene, land: Land) -> str:
    """The colour of a player who stands there."""
    return "" if land.occupant is None else scene.heroes[land.occupant].colour


def _header(scene: Scene) -> Layer:
    name = legible(scene.table[:LONGEST_NAME], "")
    texts = [
        *line(
            "header",
            scene.chronicle.turn if scene.chronicle else say("round", scene.round, scene.over),
            EDGE,
            88,
            LEFT_ROOM,
            Lettering(58, INK, "serif", least=30),
        )
    ]
    lower = [text for text in (name, scene.phase) if text]
    if len(lower) == 2 and width(say("table", *lower), "serif", CORNER) <= LEFT_ROOM:
        lower = [say("table", *lower)]
    for i, text in enumerate(lower):
        texts += line(
            "header",
            text,
            EDGE,
            119 + 33 * i,
            LEFT_ROOM,
            Lettering(CORNER, INK, "serif", least=TEXT),
        )
    if scene.round and not scene.over and not scene.chronicle and len(lower) == 1:
        last = scene.rounds_left == 0
        texts += line(
            "header",
            say("rounds", scene.rounds_left),
            EDGE,
            119 + 33 * len(lower),
            LEFT_ROOM,
            Lettering(CORNER, HOT if last else INK, "serif"),
        )
    below = INK if scene.over else HOT
    for text, y, fill in zip(scene.due, (74, 110, 144), (INK, below, below), strict=True):
        texts += line(
            "header",
            text,
            WIDE - EDGE,
            y,
            RIGHT_ROOM,
            Lettering(CORNER, fill, "serif", anchor="end"),
        )
    if scene.card is None:
        return Layer(texts=tuple(texts))
    left, room = CARD.x + 108, CARD.width - 120
    lines = broken(say("turn_text", scene.card), CORNER, room, "serif")
    top = CARD.y + (50 if len(lines) == 1 else 37)
    texts += line(
        "turn card", say("turn_title", scene.card), left, top, room, Lettering(36, INK, "serif")
    )
    for i, text in enumerate(lines):
        texts += line(
            "turn card", text, left, top + 34 + 33 * i, room, Lettering(CORNER, INK, "serif")
        )
    return Layer(
        boxes=(CARD,),
        marks=(Mark(scene.card.kind, CARD.x + 60, CARD.y + CARD.height / 2, 1.0),),
        texts=tuple(texts),
    )


def _land(scene: Scene, land: Land, x: float, y: float) -> Layer:
    """Name, entry, tokens and room at the left; at the right who stands there, or what the land
    looks like.
    """
    where = land.key
    texts: list[Placed] = [
        *line(where, land.name, x, y + 34, 268, Lettering(37, INK, "serif", least=TEXT))
    ]
    marks: list[Mark] = []
    _entry(land, x, y + 74, texts, marks)
    for i, (kind, count) in enumerate(
        zip(TOKEN_KINDS, (land.tokens.hearts, land.tokens.gold, land.tokens.banners), strict=True)
    ):
        left = x + 82 * i
        marks.append(Mark(kind, left + 25, y + 122, 1.0, faint=count == 0))
        texts += line(where, str(count), left + 53, y + 137, 27, Lettering(40, INK, least=24))
    held = say("held", land.tokens.sum, land.capacity)
    texts += line(where, held, x, y + 192, 92, Lettering(TEXT, INK))
    left = reach(texts[-1:]) + (7 if land.dice else 14)
    pips: tuple[Pip, ...] = ()
    casts: tuple[DieOnBoard, ...] = ()
    if land.dice:
        casts = tuple(
            DieOnBoard(left + 16 + 32 * i, y + 183, 0.66, die) for i, die in enumerate(land.dice)
        )
    else:
        pips = tuple(
            Pip(left + 9 + 19 * i, y + 182, taken=i < land.tokens.sum) for i in range(land.capacity)
        )
    if land.occupant is None:
        marks.append(Mark(land.key, x + ASIDE - 4, y + 104, 0.92))
        return Layer(pips=pips, marks=tuple(marks), casts=casts, texts=tuple(texts))
    hero = scene.heroes[land.occupant]
    texts += line(
        where,
        name_of(hero),
        x + ASIDE,
        y + 169,
        150,
        Lettering(TEXT, INK, anchor="middle", least=27),
    )
    return Layer(
        pips=pips,
        marks=tuple(marks),
        casts=casts,
        discs=(disc_of(hero, x + ASIDE, y + 85, 50),),
        texts=tuple(texts),
    )


def _entry(land: Land, x: float, y: float, texts: list[Placed], marks: list[Mark]) -> None:
    """What it costs, what it gives besides, and what attacks are worth there: `Enter 1 (gold) 1
    (heart)  +2 (heart)`.
    """
    at = x
    room = 284.0

    def write(text: str) -> None:
        nonlocal at
        texts.extend(line(land.key, text, at, y, x + room - at, Lettering(TEXT, INK)))
        at = reach(texts[-1:]) + 3

    def draw(kind: str) -> None:
        nonlocal at
        marks.append(Mark(kind, at + 14, y - 11, 0.56))
        at += 31

    write(say("entry") if land.cost.sum else say("free"))
    at += 4
    for kind, count in _counts(land.cost):
        write(str(count))
        draw(kind)
    at += 3
    for kind, count in (*_counts(land.bonus), *((("sword", land.attack),) if land.attack else ())):
        write(say("plus", count))
        draw(kind)


def _counts(tokens: Tokens) -> list[tuple[str, int]]:
    counts = (("heart", tokens.hearts), ("gold", tokens.gold), ("banner", tokens.banners))
    return [(kind, count) for kind, count in counts if count]


def _outside(scene: Scene) -> Iterator[BoardPart]:
    """A place on the shore for every hero, which stays empty while he is inside; the fallen keep
    theirs. The shore is no area: nobody holds it.
    """
    heading = line(
        "outside", say("outside"), EDGE, SHORE_LINE - 62, 300, Lettering(TEXT, INK, "serif")
    )
    camp = Mark("camp", WIDE - 132, SHORE_LINE - 75)
    yield BoardPart("pieces", Layer(marks=(camp,), texts=heading))
    step = (WIDE - 2 * EDGE) / max(len(scene.heroes), 1)
    for seat, hero in enumerate(scene.heroes):
        if hero.at:
            continue
        x = EDGE + step * (seat + 0.5)
        name = line(
            f"outside {seat}",
            name_of(hero),
            x,
            HIGH - 24,
            step - 14,
            Lettering(28, INK, anchor="middle", least=27),
        )
        disc = disc_of(hero, x, SHORE_LINE + LOWER, 43)
        yield BoardPart("pieces", Layer(discs=(disc,), texts=name), colour=hero.colour)
