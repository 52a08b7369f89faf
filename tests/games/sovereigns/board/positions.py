"""Scenes of the court for tests: told by hand, by lot, and as full and as awkward as they can
be.
"""

from random import Random
from typing import Any, get_args

from msgspec.structs import replace

from engine.sovereigns.codes import ACTIONS, COSTS
from engine.sovereigns.events import Result
from engine.sovereigns.seasons.actions import CONTESTED
from engine.sovereigns.state import SEASONS, SUPPORTS, Building
from pbem.board.palette import COLOURS
from pbem.games.sovereigns.board.scene import Kingdom, Notice, Roll, Scene

NAMES = (
    "Aldermark Borland Cyrene Dunholm Estmere Fairhaven Gothmar Highmoor Istria Jarlsund Kestrel"
    " Lorraine"
).split()
RULERS = "Anna Bartek Chloé Dmytro Emil Fenna Gustav Hedwig Ines Jonas Konstantinos Leila".split()
AWKWARD = (
    "W" * 40,
    "שלום עולם",
    "<b>&Co</b>",
    "李雷 🀄",
    "a" * 40,
    "The Most Serene Republic of the Isles",
)
EFFECTS = (
    *(f"STAT-{kind} {attribute}" for kind in ("ROLL", "DEF") for attribute in "RMH"),
    *(f"STAT-ACT {action}" for action in ACTIONS),
    *("STAT-YEAR", "STAT-CALM", "STAT-DEPL", "ANA-DIE R", "ANA-DIE M", "ANA-DIE H"),
    *COSTS,
    "ANA-CHEAP BLD-WONDER",
    "ANA-DOUBLE STAT-CALM + STAT-ROLL M",
)
RESULTS: tuple[Result, ...] = get_args(Result)


def scene(kingdoms: tuple[Kingdom, ...], **more: Any) -> Scene:
    told: dict[str, Any] = {
        "table": "Heron",
        "year": 3,
        "stage": "season",
        "season": "Autumn",
        "phase": "Autumn orders",
        "due": ("Orders due", "Mon 23 Nov", "18:00 CET"),
        "kingdoms": kingdoms,
        "told": "Summer",
    }
    return Scene(**told | more)


def kingdom(i: int, totals: tuple[int, int, int] = (3, 3, 3), **more: Any) -> Kingdom:
    told: dict[str, Any] = {
        "name": NAMES[i],
        "ruler": RULERS[i],
        "colour": COLOURS[i],
        "resources": totals[0],
        "military": totals[1],
        "harmony": totals[2],
        "support": "indifference",
    }
    return Kingdom(**told | more)


def roll(
    n: int, who: int, action: str, dice: str, difficulty: int, result: Result, **more: Any
) -> Roll:
    """`dice` are digits; the total is their sum and `plus`."""
    thrown = tuple(map(int, dice))
    told: dict[str, Any] = {
        "sort": "action",
        "kingdom": who,
        "n": n,
        "action": action,
        "dice": thrown,
        "total": sum(thrown) + int(more.get("plus", 0)),
        "difficulty": difficulty,
        "result": result,
        "contested": "against" in more,
    }
    return Roll(**told | more)


def owned(*codes: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"invention {i}", code) for i, code in enumerate(codes, start=1))


def built(*codes: str) -> tuple[Building, ...]:
    return tuple(Building(f"BLD-{code}") for code in codes)


def five(**more: Any) -> Scene:
    """A council of five in Autumn, and what they did in Summer."""
    kingdoms = (
        kingdom(0, (4, 5, 2), support="support", buildings=built("WALL", "WORKS M"),
                tech=owned("STAT-ROLL M", "STAT-ACT Attack"), converted_by=(4,)),
        kingdom(1, (3, 2, 5), support="full-support", buildings=built("HOSPITAL"),
                tech=owned("STAT-ROLL H", "STAT-ROLL R", "BLD-VAULT")),
        kingdom(2, (6, 1, 3), buildings=built("VAULT", "TEMPLE"), security=1,
                tech=owned("STAT-ROLL R", "STAT-ACT Research", "STAT-DEF M")),
        kingdom(3, (2, 4, 2), support="strike", tech=owned("STAT-ACT Expedition"), flat=-1),
        kingdom(4, (3, 3, 4), support="protest", buildings=built("CAMP"), faith=1,
                tech=owned("STAT-ROLL H"), open_discoveries=1),
    )  # fmt: skip
    rolls = (
        roll(11, 2, "Research", "654", 7, "great", plus=1),
        roll(12, 0, "Attack", "543", 8, "success", plus=2, target=1, against=(2, 6)),
        roll(13, 3, "Theft", "21", 4, "failure", target=2, against=(4,)),
        roll(14, 4, "Spread", "665", 5, "great", target=0, against=(3, 2)),
        roll(15, 1, "Expedition", "35", 9, "failure"),
    )
    return scene(kingdoms, **{"rolls": rolls, "next_expedition": 9} | more)


def duel(**more: Any) -> Scene:
    """Two that attack each other."""
    kingdoms = (
        kingdom(0, (12, 7, 3), tech=owned("STAT-ROLL M")),
        kingdom(1, (3, 104, 11), support="full-support"),
    )
    rolls = (
        roll(3, 1, "Attack", "4455", 14, "success", target=0, against=(6, 5, 3)),
        roll(4, 0, "Attack", "611", 21, "disaster", target=1, against=(6, 6, 5, 4)),
    )
    return scene(kingdoms, **{"rolls": rolls} | more)


def three(**more: Any) -> Scene:
    kingdoms = tuple(kingdom(i, (3 + i, 3, 3), support="support") for i in range(3))
    rolls = (
        roll(5, 0, "Foment", "21", 9, "disaster", target=2, against=(4, 5)),
        roll(6, 1, "Try", "543", 7, "success", words="dig a canal to divert their river"),
        Roll(sort="void", kingdom=2, n=7, reason="target-fallen"),
    )
    return scene(kingdoms, **{"rolls": rolls} | more)


def twelve(**more: Any) -> Scene:
    """A council of twelve, one of them fallen, in Spring; what eleven did in Winter."""
    rng = Random(5)
    kingdoms = [
        kingdom(
            i,
            (rng.randint(1, 7), rng.randint(1, 7), rng.randint(1, 7)),
            support=rng.choice(SUPPORTS[1:]),
            tech=owned(*rng.sample(EFFECTS, rng.randint(0, 4))),
            buildings=built(*(code[4:] for code in rng.sample(list(COSTS), rng.randint(0, 2)))),
            faith=int(i in (7, 3)),
            converted_by=(7,) if i in (1, 4) else (3, 7) if i == 9 else (),
        )
        for i in range(12)
    ]
    kingdoms[8] = kingdom(8, (0, 0, 0), alive=False, fell=1, how="coup", support="none")
    kingdoms[5] = replace(kingdoms[5], military=12)
    rolls = (
        roll(1, 0, "Attack", "5436", 9, "great", plus=2, target=3, against=(2, 6, 1)),
        roll(2, 2, "Research", "62", 7, "success", plus=1),
        roll(3, 6, "Foment", "1", 9, "disaster", target=10, against=(4, 5)),
        roll(4, 9, "Theft", "46", 7, "success", plus=2, target=11, against=(3, 4)),
        roll(5, 7, "Spread", "332", 12, "failure", plus=1, target=1, against=(5, 6, 1)),
        roll(6, 4, "Increase", "661", 10, "success", words="M"),
        roll(7, 11, "Attack", "652143", 16, "success", plus=1, target=5, against=(2, 2, 6, 1, 5)),
        roll(8, 5, "Security", "53", 7, "success"),
        roll(9, 3, "Espionage", "64", 3, "great", target=7, against=(3,)),
        roll(10, 1, "Contact", "223", 9, "failure", plus=1),
        roll(11, 10, "Expedition", "635", 12, "success"),
    )
    told = {
        "year": 7,
        "season": "Spring",
        "phase": "Spring orders",
        "told": "Winter",
        "rolls": rolls,
    }
    return scene(tuple(kingdoms), **told | more)


def year_start(count: int = 8, **more: Any) -> Scene:
    """Spring has opened: the rolls for support, with rebellion and coup."""
    totals = (18, 14, 10, 7, 4, 2, 0, 16, 13, 9, 6, 3)
    names = (*SUPPORTS[1:], "full-support", "support", "indifference", "protest", "strike")
    rolls: list[Roll] = []
    for i in range(count):
        if i == 7:
            rolls.append(Roll(sort="fear", kingdom=i, support="full-support"))
            continue
        dice = tuple([6] * (totals[i] // 6) + ([totals[i] % 6] if totals[i] % 6 else []))
        support = names[i]
        rolls.append(Roll(sort="support", kingdom=i, dice=dice, total=totals[i], support=support))
        if support == "rebellion":
            rolls.append(Roll(sort="rebellion", kingdom=i, dice=(3, 1), total=4, difficulty=5,
                              result="failure"))  # fmt: skip
        if support == "coup":
            rolls.append(Roll(sort="coup", kingdom=i, dice=(3, 6, 2), plus=1, total=12,
                              difficulty=10, result="success"))  # fmt: skip
    kingdoms = tuple(kingdom(i, support=names[i]) for i in range(count))
    told = {"season": "Spring", "phase": "Spring orders", "told": "year-start"}
    return scene(kingdoms, **told | {"rolls": tuple(rolls)} | more)


def set_up(count: int, **more: Any) -> Scene:
    """Before the splits are revealed."""
    kingdoms = tuple(Kingdom(name="", ruler=RULERS[i], colour=COLOURS[i]) for i in range(count))
    told = {
        "year": 1,
        "stage": "setup",
        "season": "Spring",
        "phase": "Set-up",
        "told": "",
        "due": ("Splits due", "Mon 23 Nov", "18:00 CET"),
    }
    return scene(kingdoms, **told | more)


def end(winners: tuple[int, ...] = (0,), **more: Any) -> Scene:
    shown = five()
    kingdoms = tuple(
        replace(held, winner=i in winners)
        if i in winners or len(winners) != 1
        else replace(kingdom(i, (0, 0, 0), support="none"), alive=False, fell=i)
        for i, held in enumerate(shown.kingdoms)
    )
    told = {"stage": "over", "phase": "The end", "due": ("Game over", "", ""), "told": "Autumn"}
    how = "last-standing" if len(winners) == 1 else "years" if winners else "draw"
    return scene(kingdoms, **told | {"ended_by": how, "rolls": shown.rolls} | more)


NOTICES = (
    Notice(kind="redo", kingdom=1, number=14, hours=20),
    Notice(kind="ballot", kingdom=0, hours=41),
    Notice(kind="proposal", kingdom=0, what="boiling water", code="STAT-ROLL R", hours=23),
    Notice(kind="objection", kingdom=1, number=13, what="a cake", hours=9),
    Notice(kind="ruling", what="A canal takes three seasons to dig, and it needs a technology."),
)


# --------------------------------------------------------------------------------------------- by lot
def by_lot(lot: int, count: int | None = None) -> Scene:
    """As full as a table can be: long names, up to fifteen emblems, an action of everybody with up
    to twelve dice on either side, totals up to three digits.
    """
    rng = Random(lot)
    count = count or 2 + lot % 11
    colours = rng.sample(COLOURS, count)
    kingdoms = tuple(_any_kingdom(rng, i, count, colours[i]) for i in range(count))
    order = rng.sample(range(count), count)
    first = rng.choice((1, 95, 994))
    rolls = tuple(_any_roll(rng, first + n, who, count) for n, who in enumerate(order))
    return scene(
        kingdoms,
        table=rng.choice(("Heron", *AWKWARD)),
        year=rng.choice((1, 12, 1000)),
        season=rng.choice(SEASONS),
        rolls=rolls,
        notices=tuple(
            replace(notice, kingdom=notice.kingdom % count)
            for notice in rng.sample(NOTICES, rng.randint(0, 5))
        ),
    )


def _any_kingdom(rng: Random, i: int, count: int, colour: str) -> Kingdom:
    most = rng.choice((1, 4, 8))
    return Kingdom(
        name=rng.choice((NAMES[i], *AWKWARD)),
        ruler=rng.choice((RULERS[i], *AWKWARD)),
        colour=colour,
        resources=rng.choice((0, 3, 12, 104)),
        military=rng.choice((0, 3, 12, 104)),
        harmony=rng.choice((0, 3, 12, 104)),
        support=rng.choice(SUPPORTS),
        tech=owned(*rng.sample(EFFECTS, rng.randint(0, most))),
        buildings=tuple(
            Building(code, rng.random() < 0.2)
            for code in rng.sample(list(COSTS), min(len(COSTS), rng.randint(0, most)))
        ),
        faith=rng.choice((0, 1, 2)),
        converted_by=tuple(
            sorted(set(rng.sample(range(count), rng.randint(0, min(4, count)))) - {i})
        ),
        security=rng.choice((0, 1, 2)),
        flat=rng.choice((0, -2, 2)),
        dice=rng.choice((0, 0, -1)),
        open_discoveries=rng.choice((0, 0, 2)),
        alive=rng.random() < 0.9,
        fell=rng.randint(1, 11),
    )


def _any_roll(rng: Random, n: int, who: int, count: int) -> Roll:
    if rng.random() < 0.1:
        return Roll(sort="void", kingdom=who, n=n, reason="faith")
    action = rng.choice((*CONTESTED, *CONTESTED, *ACTIONS, "Try"))
    others = [other for other in range(count) if other != who]
    target = rng.choice(others) if action in CONTESTED or action == "Try" else None
    contested = action in CONTESTED
    dice, against = _dice(rng), _dice(rng) if contested else ()
    plus, plus_against = rng.choice((0, 3, -2)), rng.choice((0, 3, -2))
    total = max(0, sum(dice) + plus)
    difficulty = max(0, sum(against) + plus_against) if contested else rng.randint(7, 20)
    good, far = total >= difficulty, abs(total - difficulty) >= 7
    return Roll(
        sort="action",
        kingdom=who,
        n=n,
        action=action,
        target=target,
        result=RESULTS[0 if good and far else 1 if good else 3 if far else 2],
        dice=dice,
        plus=plus,
        against=against,
        plus_against=plus_against,
        contested=contested,
        total=total,
        difficulty=difficulty,
        words=rng.choice(("", "dig a canal " * 20, AWKWARD[1])),
        is_again=rng.random() < 0.2,
        is_undone=rng.random() < 0.1,
    )


def _dice(rng: Random) -> tuple[int, ...]:
    return tuple(rng.randint(1, 6) for _ in range(rng.choice((0, 1, 2, 3, 5, 9, 12))))


def samples() -> dict[str, Scene]:
    """What is looked at, and what every test of pictures goes over."""
    return {
        "two": duel(),
        "three": three(),
        "five": five(),
        "eight": year_start(),
        "twelve": twelve(),
        "year start of twelve": year_start(12),
        "set-up": set_up(4),
        "set-up of twelve": set_up(12),
        "end": end(),
        "shared end": end((1, 2)),
        "draw": end(()),
        "notices of two": duel(notices=NOTICES),
        "notices of five": five(notices=NOTICES),
        "notices of twelve": twelve(notices=NOTICES),
        "supposed": five(hypothesis=True, due=("", "", ""), phase="What if?"),
        "nothing yet": year_start(6, rolls=(), told=""),
    }
