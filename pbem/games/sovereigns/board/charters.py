"""A kingdom's charter: arms, names, totals, support with the lamps of faiths, and emblems."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.faces import Lettering, fit, width
from pbem.board.palette import CREAM, GILT, GOLD, INK, PAPER, SOFT_CREAM, arms_of, mix
from pbem.games.sovereigns.board.emblems import Emblem, emblems_of
from pbem.games.sovereigns.board.parts import Box, Layer, Sign, name_of, ruler_of
from pbem.games.sovereigns.board.scene import Kingdom, Scene
from pbem.games.sovereigns.board.seats import BAND, BAR, HEADING, ROW, Seat, size_of
from pbem.games.sovereigns.board.words import say

NUMBER = 36.0
"""Size of a total, px at size 1."""
TAIL = 24.0
BANNER = HEADING + 44.0 + TAIL
"""How high what is left of a fallen kingdom is, and its notch, px at size 1."""
MOST_ROWS = 2
LAMPS = 3
"""The most lamps that have room; further ones are counted."""
LAMP = 27.0
EMBLEM, EMBLEM_GAP = 36.0, 5.0
SUPPORT_COLOURS = {
    "none": "#6d6252",
    "full-support": "#1f6b3a",
    "support": "#35703f",
    "indifference": "#6d6252",
    "protest": "#9a5a16",
    "strike": "#9a3f16",
    "rebellion": "#8f170d",
    "coup": "#3c0d0a",
}
FALLEN, FALLEN_TINT = "#8e867a", "#c9c0ae"
ROUND, PALE, PLAN = "#dfe9e2", "#f3dcd4", "#f6ead0"


def rows_for(scene: Scene) -> int:
    """How many rows of emblems every charter has: as many as the fullest takes."""
    wide, k = size_of(len(scene.kingdoms))
    room = wide / k - 24
    full = max(len(_rows(emblems_of(kingdom), room)) for kingdom in scene.kingdoms)
    return min(MOST_ROWS, full)


def lay_charter(scene: Scene, place: int, seat: Seat) -> Layer:
    """All that stands on a charter."""
    kingdom = scene.kingdoms[place]
    arms, k = arms_of(kingdom.colour), seat.k
    layer = Layer(f"charter {place}", of=place)
    if not kingdom.alive:
        seat = _banner(seat)
    x, y, wide, high = seat.x, seat.y, seat.width, seat.height
    full, on = (arms.full, arms.on) if kingdom.alive else (FALLEN, INK)
    tint = mix(arms.full, PAPER, arms.share * 0.42) if kingdom.alive else FALLEN_TINT
    edge, line = (GOLD, 7.0) if kingdom.winner else (INK, 2.6)
    layer.boxes = [
        Box(x + 4, y + 5, wide, high, 12, "#b8aa88", line=0),
        Box(x, y, wide, high, 12, tint, edge, line),
        Box(x + 1.3, y + 1.3, wide - 2.6, HEADING * k, 11, full, line=0),
        Box(x + 1.3, y + HEADING * k - 12, wide - 2.6, 12, 0, full, line=0),
        Box(x, y + HEADING * k, wide, 0, 0, INK),
    ]
    if not kingdom.alive:
        tail = TAIL * k
        layer.boxes = [
            Box(x + 4, y + 5, wide, high, 0, "#b8aa88", line=0, tail=tail),
            Box(x, y, wide, high, 0, tint, INK, 2.6, tail=tail),
            Box(x + 1.3, y + 1.3, wide - 2.6, HEADING * k, 0, full, line=0),
            Box(x, y + HEADING * k, wide, 0, 0, INK),
            Box(x - 8, y - 7, wide + 16, 12, 6, GOLD),
        ]
    kind = "coat" if kingdom.alive else "fallen"
    layer.signs.append(Sign(f"{kind}-{place}", x + 34 * k, y + 37 * k, 26 * k, own=25))
    if kingdom.alive:
        layer.signs.append(Sign("crown", x + 34 * k, y + 1 * k, 10 * k, own=12))
    layer.write(
        name_of(kingdom, place),
        x + 68 * k,
        y + 28.5 * k,
        wide - 78 * k,
        Lettering(27 * k, on, "serif"),
    )
    below = say("sealed_by") if scene.stage == "setup" else ruler_of(kingdom, place)
    layer.write(
        below if kingdom.alive else say("fallen_ruler", below),
        x + 68 * k,
        y + 55.5 * k,
        wide - 78 * k,
        Lettering(25.5 * k, on),
    )
    if not kingdom.alive:
        _say_fall(layer, kingdom, seat)
    elif scene.stage == "setup":
        _seal(layer, place, seat)
    else:
        _fill(layer, scene, place, seat)
    return layer


def _banner(seat: Seat) -> Seat:
    """The room of a fallen kingdom: low, and away from the table."""
    high = BANNER * seat.k
    spare = seat.height - high
    lower = {"top": 0.0, "bottom": spare}.get(seat.side, spare / 2)
    return replace(seat, y=seat.y + lower, height=high)


def _say_fall(layer: Layer, kingdom: Kingdom, seat: Seat) -> None:
    middle = seat.y + (seat.height + (HEADING - TAIL) * seat.k) / 2
    layer.write(
        say("fallen", kingdom),
        seat.x + seat.width / 2,
        middle + 9 * seat.k,
        seat.width - 24,
        Lettering(25 * seat.k, INK, "serif", anchor="middle"),
    )


def _seal(layer: Layer, place: int, seat: Seat) -> None:
    """Before the splits are revealed."""
    k = seat.k
    top, bottom = seat.y + HEADING * k, seat.y + seat.height
    y = (top + bottom) / 2
    for dy in (-30.0, -10.0, 10.0, 30.0):
        layer.boxes.append(
            Box(seat.x + 24 * k, y + dy * k, seat.width - 48 * k, 0, 0, INK, "#b8a98a", 3.0)
        )
    layer.signs.append(Sign(f"seal-{place}", seat.x + seat.width / 2, y, 42 * k, own=42))


def _fill(layer: Layer, scene: Scene, place: int, seat: Seat) -> None:
    kingdom, k, x = scene.kingdoms[place], seat.k, seat.x
    _lay_totals(layer, kingdom, seat)
    _lay_support(layer, scene, place, seat)
    room = seat.width / k - 24
    rows = _rows(emblems_of(kingdom), room)
    more = sum(len(row) for row in rows[MOST_ROWS:])
    rows = rows[:MOST_ROWS]
    if more:
        last = list(rows[-1])
        while last and _long([*last, _more(more)]) > room:
            last.pop()
            more += 1
        rows[-1] = [*last, _more(more)]
    y = seat.y + (HEADING + BAND + BAR + 4 + ROW / 2) * k
    for row in rows:
        at = x + 12 * k
        for emblem in row:
            at += _lay_emblem(layer, emblem, at, y, k) + EMBLEM_GAP * k
        y += ROW * k


def _lay_totals(layer: Layer, kingdom: Kingdom, seat: Seat) -> None:
    """Three medals with their numbers; the numbers shrink together, then the medals too."""
    k, y = seat.k, seat.y + (HEADING + BAND / 2) * seat.k
    totals = (("R", kingdom.resources), ("M", kingdom.military), ("H", kingdom.harmony))
    long = sum(width(str(total), size=NUMBER * k) for _, total in totals)
    for half in (19 * k, 14 * k):
        room = seat.width - 24 * k - 3 * (2 * half + 5 * k) - 12 * k
        size = NUMBER * k * min(1.0, room / long)
        if size >= 22 * k:
            break
    gap = (seat.width - 24 * k - 3 * (2 * half + 5 * k) - long * size / (NUMBER * k)) / 3
    at = seat.x + 12 * k + gap / 4
    for attribute, total in totals:
        layer.signs.append(Sign(f"medal-{attribute}", at + half, y, half, own=20))
        at += 2 * half + 5 * k
        at += layer.write(str(total), at, y + size * 0.36, seat.width, Lettering(size, INK)) + gap


def _lay_support(layer: Layer, scene: Scene, place: int, seat: Seat) -> None:
    """The bar with its word and marks, and next to it the lamps of the faiths, its own first."""
    kingdom, k = scene.kingdoms[place], seat.k
    lit = ([place] if kingdom.faith else []) + list(kingdom.converted_by)
    more = len(lit) - LAMPS if len(lit) > LAMPS else 0
    shown = lit[: LAMPS - 1] if more else lit
    lamps = (len(shown) + bool(more)) * LAMP * k
    x, y = seat.x + 12 * k, seat.y + (HEADING + BAND) * k
    wide = seat.width - 24 * k - lamps
    if scene.stage != "over" or kingdom.support != "none":  # else nobody rolls any more
        colour = SUPPORT_COLOURS[kingdom.support]
        layer.boxes.append(Box(x, y, wide, BAR * k, 6 * k, colour, line=0))
        mark = say("support_mark", kingdom.support)
        used = layer.write(mark, x + 9 * k, y + 22 * k, wide / 3, Lettering(19 * k, CREAM))
        layer.write(
            say("support", kingdom.support),
            x + wide - 9 * k,
            y + 23.5 * k,
            wide - used - 22 * k,
            Lettering(25.5 * k, CREAM, anchor="end"),
        )
    at = x + wide + (LAMP / 2 + 2) * k
    for other in shown:
        kind = "own-lamp" if other == place else "lamp"
        layer.signs.append(Sign(f"{kind}-{other}", at, y + BAR * k / 2, 15 * k, own=16, narrow=0.8))
        at += LAMP * k
    if more:
        layer.write(
            say("plus", len(lit) - len(shown)),
            at,
            y + 22 * k,
            (LAMP - 4) * k,
            Lettering(19 * k, INK, anchor="middle"),
        )


# ------------------------------------------------------------------------------------------ emblems
def _more(number: int) -> Emblem:
    return Emblem("plan", "", says=say("more", number))


def _wide(emblem: Emblem) -> float:
    """At size 1, px."""
    if emblem.frame in ("building", "lasting") or not emblem.says:
        return EMBLEM
    sign = (43.0 if emblem.inside else 37.0) if emblem.sign else 2.0
    return sign + width(emblem.says, size=24) + 9


def _long(row: Sequence[Emblem]) -> float:
    return sum(_wide(emblem) + EMBLEM_GAP for emblem in row) - EMBLEM_GAP


def _rows(emblems: Sequence[Emblem], room: float) -> list[list[Emblem]]:
    """Broken into rows as words are into lines."""
    rows: list[list[Emblem]] = []
    for emblem in emblems:
        if not rows or _long([*rows[-1], emblem]) > room:
            rows.append([])
        rows[-1].append(emblem)
    return rows


def _lay_emblem(layer: Layer, emblem: Emblem, x: float, y: float, k: float) -> float:
    """Gold squares are buildings, round ends what it is good at, dashes what it may build."""
    wide, half = _wide(emblem) * k, EMBLEM * k / 2
    if emblem.sign:
        fill, edge, r, dashes = {
            "building": (GILT, INK, 5.0, ""),
            "lasting": (GILT, INK, 5.0, ""),
            "plan": (PLAN, INK, 5.0, "5 3"),
            "skill": (ROUND, INK, half, ""),
            "year": (PALE, INK, half, ""),
        }[emblem.frame]
        layer.boxes.append(Box(x, y - half, wide, 2 * half, r, fill, edge, 2.2, dashes))
    if emblem.frame == "lasting":
        layer.boxes.append(
            Box(x + 4, y - half + 4, wide - 8, 2 * half - 8, 3, SOFT_CREAM, INK, 1.6)
        )
    lettered = emblem.says and emblem.sign
    middle = x + ((22 if emblem.inside else 20) * k if lettered else wide / 2)
    if emblem.sign:
        size = 16.0 if emblem.inside else 12.5 if emblem.frame != "lasting" else 11.0
        layer.signs.append(Sign(emblem.sign, middle, y, size * k))
        if emblem.inside:
            layer.signs.append(Sign(emblem.inside, middle, y, 7.5 * k, inside=True))
    if emblem.says:
        text, size = fit(emblem.says, 24 * k, wide, 20 * k)
        at = x + (_wide(emblem) - width(emblem.says, size=24) - 9) * k
        layer.write(text, at, y + 8.5 * k, wide, Lettering(size, INK))
    return wide
