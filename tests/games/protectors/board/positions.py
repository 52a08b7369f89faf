"""Busy positions by lot, for pictures: they obey no rule but look like a turn in which much
happened.
"""

from collections.abc import Callable
from functools import cache
from random import Random

from engine.protectors.lands import LandPlan, generate_land
from pbem.board.palette import COLOURS
from pbem.games.protectors.board.drawing import draw
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.scene import (
    Battle,
    Dragon,
    Fight,
    March,
    OrderMark,
    Province,
    Scene,
    Seat,
    Support,
)
from pbem.games.protectors.board.shores import make_land

NAMES = (
    *("Anna", "Bartek", "Yusuf", "Chloé", "Дмитро", "Sana", "Otto", "Mei", "Ελένη", "Goran"),
    *("Paolo", "Tomás", "Łukasz", "Vera", "Hana", "Carmen"),
)
CARDS = ("Power Overwhelming", "Misty Mountains", "Crab Infestation!", "The End is Nigh!")


@cache
def land_of(players: int, provinces: int) -> Land:
    """A land of few drafts: quick, and no better than it must be."""
    return make_land(generate_land(players, provinces), 1, drafts=2)


def measured() -> dict[str, Callable[[], str]]:
    """What `bench.board` paints, by its figure: seven provinces with the ranking below."""
    scene, land = busy_scene(7, 7), land_of(7, 7)
    return {"board_ms": lambda: draw(scene, land)}


def busy_scene(players: int, provinces: int, lot: int = 1, *, marks: float = 1.0) -> Scene:
    """A scene with every kind of mark."""
    plan, chance = generate_land(players, provinces), Random(lot)
    colours = COLOURS[:players]
    land: dict[int, Province] = {
        n: Province(n, start=n in plan.starts) for n in range(1, provinces + 1)
    }
    for colour, start in zip(colours, plan.starts, strict=True):
        land[start] = Province(
            start, colour, chance.randint(0, 6), chance.randint(0, 3), start=True
        )
    for _ in range(provinces * 2):
        here = land[chance.randint(1, provinces)]
        there = chance.choice(plan.neighbours(here.number))
        if here.owner and not land[there].owner and there not in plan.starts:
            land[there] = Province(
                there, here.owner, chance.randint(0, 3), chance.choice((0, 0, 1, 2))
            )
    for number in chance.sample(range(1, provinces + 1), max(1, provinces // 8)):
        owner = land[number].owner if chance.random() < 0.5 else None
        land[number] = Province(
            number,
            owner,
            land[number].units if owner else 0,
            burnt=True,
            start=number in plan.starts,
        )
    marches: list[March] = []
    supports: list[Support] = []
    battles: list[Battle] = []
    for number in chance.sample(range(1, provinces + 1), provinces):
        here = land[number]
        if not here.owner:
            continue
        beside, lot_ = land[chance.choice(plan.neighbours(number))], chance.random() / marks
        gold = chance.random() < 0.3
        if lot_ < 0.5:
            fought = beside.owner not in {None, here.owner} and all(
                battle.province != beside.number for battle in battles
            )
            marches.append(
                March(
                    here.owner,
                    number,
                    beside.number,
                    chance.randint(1, 6),
                    gold,
                    chance.random() < 0.3,
                    fought=fought,
                )
            )
            if fought and beside.owner:
                pair = (
                    (here.owner, beside.owner)
                    if chance.random() < 0.5
                    else (beside.owner, here.owner)
                )
                fights = tuple(
                    Fight(pair[0], pair[1], chance.randint(3, 12), chance.randint(-2, 3))
                    for _ in range(1 + (chance.random() < 0.2))
                )
                battles.append(Battle(beside.number, fights))
        elif lot_ < 0.72:
            supports.append(_support(here, plan, gold, chance))
        else:
            land[number] = Province(
                number,
                here.owner,
                here.units,
                here.level,
                here.burnt,
                here.start,
                OrderMark(chance.choice(("work", "fortify")), here.owner, gold),
            )
    board = tuple(land[number] for number in sorted(land))
    return Scene(
        table="Heron",
        turn=11,
        phase="Orders",
        due=("Orders due", "Wed 23 Dec", "18:00 CET"),
        dragon=Dragon(provinces * 3 // 2, provinces * 2, 1 + provinces // 14),
        cards=CARDS,
        provinces=board,
        ranking=ranking(board, colours, chance),
        arrows_turn=10,
        marches=tuple(marches),
        supports=tuple(supports),
        battles=tuple(battles),
    )


def _support(here: Province, plan: LandPlan, gold: bool, chance: Random) -> Support:
    near = plan.neighbours(here.number)
    far = sorted({q for p in near for q in plan.neighbours(p)} - {*near, here.number})
    if far and chance.random() < 0.3:
        return Support(
            here.owner or "", here.number, chance.choice(far), golden=True, extended=True
        )
    return Support(
        here.owner or "", here.number, chance.choice(near), gold, fought=chance.random() < 0.3
    )


def ranking(
    board: tuple[Province, ...], colours: tuple[str, ...], chance: Random
) -> tuple[tuple[Seat, ...], ...]:
    seats = [
        Seat(
            name,
            colour,
            chance.randint(0, 21),
            sum(p.owner == colour for p in board),
            sum(p.units for p in board if p.owner == colour),
        )
        for name, colour in zip(NAMES, colours, strict=False)
    ]
    chance.shuffle(seats)
    count = min(4, len(seats))
    sizes = [len(seats) // count + (place < len(seats) % count) for place in range(count)]
    return tuple(
        tuple(seats[sum(sizes[:place]) : sum(sizes[: place + 1])]) for place in range(count)
    )
