"""The lower part of a board of Realm-Master: the row of cards with the decks, and a panel for every
hero with the dice of the last turn.
"""

from collections.abc import Sequence

from pbem.board.faces import Lettering
from pbem.board.palette import CREAM, GILT, INK, SOFT_CREAM
from pbem.games.realm_master.board.isle import HIGH, WIDE
from pbem.games.realm_master.board.pieces import (
    LEAST_ON_CARD,
    TEXT,
    BoardPart,
    Box,
    DieOnBoard,
    Disc,
    Layer,
    Mark,
    Placed,
    disc_of,
    line,
    name_of,
    reach,
    together,
    wide,
)
from pbem.games.realm_master.board.scene import Blow, Card, Hero, Pile, Roll, Scene
from pbem.games.realm_master.board.words import say

CARD = (236.0, 150.0)
CARD_STEP = 250.0
UNDER = 32.0
"""How much of a covered card is seen."""
DECKS = 788.0
PANEL = 516.0
"""Width of a hero's panel, px."""
GAP = 12.0
HEAD, DICE, CARD_LINE = 106.0, 58.0, 30.0
"""Heights of a panel's parts: name and tokens, dice, a line of cards."""
MOST_CARD_LINES = 2
TITLE = 26.0
CARD_SIZE, CARD_ROOM = 24.0, PANEL - 34
HIT = 19.0
"""Radius of the token of somebody who was hit, px; those for whom there is no room are counted."""


def lay_market(scene: Scene) -> tuple[Layer, float]:
    """The row and the decks, and where they end."""
    top = HIGH + 20.0
    below = UNDER if scene.revealed is not None or any(pile.covers for pile in scene.row) else 0.0
    piles = [
        _pile(pile, 26 + CARD_STEP * i, top, f"offer {i + 1}") for i, pile in enumerate(scene.row)
    ]
    empty = (
        ()
        if scene.row
        else line("row", say("no_row"), 40, top + 86, 600, Lettering(30, GILT, "serif"))
    )
    return together([*piles, _decks(scene, top), Layer(texts=empty)]), top + CARD[1] + below + 28


def _pile(pile: Pile, x: float, y: float, where: str) -> Layer:
    wide_, high = CARD
    boxes = [Box("card", x, y, wide_, high)]
    texts: list[Placed] = [
        *line(where, pile.card.name, x + 13, y + 112, wide_ - 22, Lettering(TEXT, INK, "serif"))
    ]
    texts += line(
        where,
        say("kind", pile.card),
        x + 13,
        y + 139,
        wide_ - 22,
        Lettering(26, INK, least=LEAST_ON_CARD),
    )
    texts += line(
        where, str(pile.price), x + wide_ - 46, y + 55, 56, Lettering(36, INK, anchor="middle")
    )
    marks = [Mark("price", x + wide_ - 46, y + 43, 1.0), Mark(pile.card.key, x + 54, y + 46, 1.0)]
    if pile.covers:
        boxes.insert(0, Box("under", x + 8, y + 14, wide_, high + UNDER - 14))
        texts += line(
            where,
            say("covers", pile.covers),
            x + 16,
            y + high + UNDER - 8,
            wide_ - 14,
            Lettering(26, INK, least=LEAST_ON_CARD),
        )
    return Layer(boxes=tuple(boxes), marks=tuple(marks), texts=tuple(texts))


def _decks(scene: Scene, y: float) -> Layer:
    marks: list[Mark] = []
    texts: list[Placed] = []
    counts = (("deck", scene.deck), ("discard", scene.discard), ("turn_deck", scene.rounds_left))
    for i, (kind, count) in enumerate(counts):
        x = DECKS + 42 + 92 * i
        marks.append(Mark(kind, x, y + 58, 1.0, faint=count == 0))
        texts += line(
            "decks",
            str(count),
            x,
            y + 72,
            66,
            Lettering(38, INK if kind == "discard" else CREAM, anchor="middle"),
        )
        texts += line(
            "decks", say(kind), x, y + 145, 91, Lettering(26, SOFT_CREAM, anchor="middle")
        )
    if scene.revealed is not None:
        texts += line(
            "decks",
            say("revealed", scene.revealed),
            WIDE - 26,
            y + 178,
            276,
            Lettering(26, GILT, anchor="end"),
        )
    return Layer(marks=tuple(marks), texts=tuple(texts))


def lay_heroes(scene: Scene, top: float) -> tuple[list[BoardPart], float]:
    """The panels in seat order, two in a row, and where they end."""
    parts: list[BoardPart] = []
    y = top
    for first in range(0, len(scene.heroes), 2):
        pair = scene.heroes[first : first + 2]
        high = max(_height(hero) for hero in pair)
        for i, hero in enumerate(pair):
            x, seat = 18 + (PANEL + GAP) * i, first + i
            parts.append(BoardPart("pieces", _panel(hero, seat, x, y, high), colour=hero.colour))
            if hero.alive and hero.roll and hero.roll.dice:
                dice = _dice(scene, hero.roll, f"hero {seat}", x + 18, y + HEAD, x + PANEL - 16)
                parts.append(BoardPart("battles", dice, colour=hero.colour))
        y += high + GAP
    return parts, y


def _height(hero: Hero) -> float:
    """As high as what is said of the hero."""
    if not hero.alive:
        return HEAD
    return (
        HEAD
        + (DICE if hero.roll and hero.roll.dice else 0.0)
        + (CARD_LINE * len(_card_lines(hero.cards)) + 6 if hero.cards else 0.0)
    )


def _panel(hero: Hero, seat: int, x: float, y: float, high: float) -> Layer:
    where = f"hero {seat}"
    box = Box(
        "active" if hero.active or hero.winner else "panel" if hero.alive else "fallen",
        x,
        y,
        PANEL,
        high,
    )
    disc = disc_of(hero, x + 54, y + 53, 40)
    left, right = x + 108, x + PANEL - 16
    state = (
        say("wins")
        if hero.winner
        else ""
        if not hero.alive
        else hero.at or (say("is_outside") if hero.hero else "")
    )
    texts: list[Placed] = [
        *line(
            where,
            state,
            right,
            y + 41,
            128,
            Lettering(28, GILT if hero.at or hero.winner else SOFT_CREAM, anchor="end"),
        )
    ]
    until = right - (wide(texts[0].words.text, texts[0].words.size) + 14 if texts else 0)
    title = wide(hero.title, TITLE) + 10 if hero.title else 0.0
    texts += line(
        where,
        name_of(hero),
        left,
        y + 41,
        until - left - title,
        Lettering(32, CREAM if hero.alive else SOFT_CREAM, least=28),
    )
    if hero.title:
        texts += line(
            where, hero.title, reach(texts[-1:]) + 10, y + 41, title, Lettering(TITLE, SOFT_CREAM)
        )
    if not hero.alive:
        texts += line(
            where, say("fell", hero).strip(), left, y + 80, right - left, Lettering(28, SOFT_CREAM)
        )
        return Layer(boxes=(box,), discs=(disc,), texts=tuple(texts))
    marks = []
    if hero.hero:
        tokens = (
            ("heart", say("hearts", hero.tokens.hearts, hero.maximum)),
            ("gold", str(hero.tokens.gold)),
            ("banner", say("banners", hero.tokens.banners)),
        )
        at = left
        for kind, said in tokens:
            marks.append(Mark(kind, at + 15, y + 75, 0.66))
            texts += line(where, said, at + 37, y + 86, 92, Lettering(32, CREAM))
            at = reach(texts[-1:]) + 30
    else:
        texts += line(
            where, say("no_hero"), left, y + 82, right - left, Lettering(TEXT, SOFT_CREAM)
        )
    below = y + HEAD
    layers = [Layer(boxes=(box,), marks=tuple(marks), discs=(disc,), texts=tuple(texts))]
    if hero.roll and hero.roll.dice:
        below += DICE
    for i, said in enumerate(_card_lines(hero.cards)):
        layers.append(
            Layer(
                texts=line(
                    where,
                    said,
                    x + 18,
                    below + 22 + CARD_LINE * i,
                    CARD_ROOM,
                    Lettering(CARD_SIZE, GILT),
                )
            )
        )
    return together(layers)


def _dice(scene: Scene, roll: Roll, where: str, x: float, y: float, right: float) -> Layer:
    """Five dice, and whom they hit for how much."""
    casts = tuple(DieOnBoard(x + 23 + 52 * i, y + 22, 1.0, die) for i, die in enumerate(roll.dice))
    if not roll.blows:
        return Layer(casts=casts)
    at = x + 52 * len(roll.dice) + 10
    marks = [Mark("swords", at + 10, y + 22, 0.62)]
    texts: list[Placed] = []
    discs: list[Disc] = []
    at += 34
    shown = roll.blows[: _hits_that_fit(roll.blows, right - at)]
    for blow in shown:
        discs.append(disc_of(scene.heroes[blow.seat], at + HIT, y + 22, HIT, small=True))
        texts += line(
            where,
            str(blow.damage),
            at + 2 * HIT + 4,
            y + 32,
            right - at - 2 * HIT - 4,
            Lettering(28, CREAM),
        )
        at = reach(texts[-1:]) + 8
    if len(shown) < len(roll.blows):
        texts += line(
            where,
            say("more", len(roll.blows) - len(shown)),
            at,
            y + 32,
            right - at,
            Lettering(28, SOFT_CREAM),
        )
    return Layer(marks=tuple(marks), casts=casts, discs=tuple(discs), texts=tuple(texts))


def _hits_that_fit(blows: Sequence[Blow], room: float) -> int:
    """How many of those who were hit have room, with the count of the rest where some have none."""
    widths = [2 * HIT + 4 + wide(str(blow.damage), 28) + 8 for blow in blows]
    if sum(widths) <= room + 8:
        return len(widths)
    rest = wide(say("more", len(blows)), 28)
    return max(
        (count for count in range(1, len(widths)) if sum(widths[:count]) + rest <= room), default=1
    )


def _card_lines(cards: Sequence[Card]) -> list[str]:
    """The names of the cards in lines that fit; what does not is counted at the end of the last."""
    lines: list[list[str]] = [[]]
    for i, card in enumerate(cards):
        rest = len(cards) - i - 1
        last = len(lines) == MOST_CARD_LINES
        tail = [say("more", rest)] if last and rest else []
        if (
            not lines[-1]
            or wide(say("cards", [*lines[-1], card.name, *tail]), CARD_SIZE) <= CARD_ROOM
        ):
            lines[-1].append(card.name)
        elif not last:
            lines.append([card.name])
        else:
            lines[-1].append(say("more", rest + 1))
            break
    return [say("cards", names) for names in lines if names]
