"""Positions and messages by chance: legal ones, half legal ones and nonsense, for comparing two
adjudicators.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.games.sovereigns.second.goods import Told
from tests.games.sovereigns.second.table import Second
from tests.games.sovereigns.second.words import ATTRIBUTE, COST

CODES = [
    *(f"STAT-{kind} {attr}" for kind in ("ROLL", "DEF") for attr in "RMH"),
    *(f"STAT-ACT {action}" for action in ATTRIBUTE),
    "STAT-YEAR",
    "STAT-CALM",
    "STAT-DEPL",
    *COST,
]
ANACHRONISMS = [
    *("ANA-DIE R", "ANA-DIE M", "ANA-DIE H", "ANA-CHEAP BLD-WONDER", "ANA-CHEAP BLD-HOSPITAL"),
    *("ANA-DOUBLE STAT-CALM + STAT-ROLL M", "ANA-DOUBLE STAT-DEPL + STAT-ROLL R"),
    *("ANA-DOUBLE STAT-DEF M + STAT-DEF H", "ANA-DOUBLE STAT-YEAR + STAT-ROLL H"),
]
NAMES = "ABCDEFGHIKLM"
SUPPORT = ("full-support", "support", "indifference", "protest", "strike", "rebellion", "coup")


def some(rng: Random, values: Any, most: int) -> list[Any]:
    values = list(values)
    return rng.sample(values, min(len(values), rng.randint(0, most)))


def position(rng: Random) -> Told:
    """Any position a game might come to, and some it hardly would."""
    names = NAMES[: rng.choice((2, 2, 3, 3, 4, 5, 6))]
    if rng.random() < 0.1:
        return {"phase": "setup", "kingdoms": {name: {} for name in names}}
    titles = {
        f"t{n}": rng.choice(CODES if rng.random() < 0.75 else ANACHRONISMS)
        for n in range(rng.randint(0, 7))
    }
    phase = rng.choice(("season", "season", "season", "year-start"))
    season = rng.choice(("Spring", "Summer", "Autumn", "Winter"))
    kingdoms: Told = {}
    for name in names:
        k: Told = {attr: rng.choice((0, 1, 2, 3, 3, 4, 5, 6)) for attr in "RMH"}
        k["bld"] = [code + rng.choice(("", "", " lasting")) for code in some(rng, COST, 4)]
        k["tech"] = some(rng, titles, 4)
        k["faith"] = rng.choice((0, 0, 1, 2))
        if rng.random() < 0.3:
            k["next"] = {
                key: rng.choice((-2, -1, 1, 2))
                for key in some(rng, ("research", "year-start", "R", "M", "H", "roll"), 3)
            }
        k["discoveries"] = [
            discovery(rng, titles, f"d{name}{n}") for n in range(rng.choice((0, 0, 1, 2)))
        ]
        k["converted_by"] = some(rng, set(names) - {name}, 1)
        if rng.random() < 0.4:
            k["standing"] = {"season": action(rng, name, names, titles)}
        if rng.random() < 0.4:
            k.setdefault("standing", {})["year"] = answer(rng, names)
        if " Q" in str(k.get("standing")):
            del k["standing"]
        if phase == "season":
            k["ex"] = {attr: rng.randint(0, k[attr]) if rng.random() < 0.5 else 0 for attr in "RMH"}
            k["depleted"] = rng.randint(0, k["ex"]["R"])
            k["support"] = rng.choice(SUPPORT)
            k["rest"] = rng.randint(-2, 2)
            k["boons"] = rng.choices(("bonus", "dice"), k=rng.choice((0, 0, 1, 2)))
            k["security"] = rng.choice((0, 0, 1, 2))
            k["used"] = some(rng, (code.removesuffix(" lasting") for code in k["bld"]), 2)
            k["claimed"] = rng.random() < 0.2
            k["mods"] = [mod(rng) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
            if rng.random() < 0.2:
                k.setdefault("next", {})["defence"] = {rng.choice(sorted(set(names) - {name})): 1}
        kingdoms[name] = k
    told: Told = {
        "phase": phase,
        "kingdoms": kingdoms,
        "technologies": titles,
        "year": rng.randint(1, 3),
        "expeditions": rng.randint(0, 4),
    }
    told["loans"] = loans(rng, names, kingdoms)
    told["ballots"] = ballots(rng, names)
    if phase == "season":
        told["season"] = season
    return told


def ballots(rng: Random, names: Sequence[str]) -> list[Told]:
    """Now and then some, of one claimant in two years too; one vote at least is lacking."""
    found = []
    for claimant in rng.choices(names, k=rng.choice((0, 0, 0, 1, 2))):
        voters = [name for name in names if name != claimant]
        ayes = some(rng, voters, len(voters) - 1)
        found.append({"claimant": claimant, "ayes": ayes, "left": rng.randint(1, 48)})
    return sorted(found, key=lambda ballot: int(ballot["left"]))


def discovery(rng: Random, titles: Told, name: str) -> Told:
    if rng.random() < 0.5:
        return {"great": rng.random() < 0.5}
    return {
        "great": rng.random() < 0.3,
        "name": name,
        "code": rng.choice(CODES),
        "left": rng.randint(1, 24),
    }


def mod(rng: Random) -> Told:
    return {
        rng.choice(("flat", "die")): rng.choice((-2, -1, 1, 2)),
        "until": rng.choice(("season", "year")),
    }


def loans(rng: Random, names: str, kingdoms: Told) -> list[Told]:
    made: list[Told] = []
    room = {(name, attr): kingdoms[name][attr] for name in names for attr in "RM"}
    for _ in range(rng.choice((0, 0, 1, 2, 4))):
        lender, borrower = rng.sample(names, 2)
        attr = rng.choice("RM")
        n = rng.randint(0, min(2, room[borrower, attr]))
        if n:
            room[borrower, attr] -= n
            due = rng.choice(("year-end", 1, 2, 5))
            made.append(
                {"lender": lender, "borrower": borrower, "points": f"{n}{attr}", "due": due}
            )
    return made


def points(rng: Random, attr: str) -> str:
    text = (
        f"all {attr}" if rng.random() < 0.15 else f"{rng.choice((1, 1, 2, 2, 3, 3, 4, 0, 9))}{attr}"
    )
    if rng.random() < (0.3 if attr == "R" else 0.02):
        text += f" + {rng.choice((1, 1, 2, 3))} depleted"
    return text


def code(rng: Random, titles: Any) -> str:
    if rng.random() < 0.7:
        return rng.choice(CODES) if rng.random() < 0.97 else "STAT-MAGIC"
    return f"{rng.choice(ANACHRONISMS)} from {rng.choice([*titles, 'nothing'])}"


def one_action(rng: Random, me: str, names: str, titles: Any) -> str:
    others = [name for name in names if name != me]
    target = rng.choice(others) if rng.random() < 0.97 else rng.choice((me, "Q"))
    name = rng.choice(("Research", "Increase", "Attack", "Attack", *ATTRIBUTE, "Try", "Try"))
    attr = ATTRIBUTE.get(name) or rng.choice("RMH")
    told = points(rng, attr)
    if name == "Increase":
        text = f"Increase {rng.choice('MMMHHHR')}: {told}"
    elif name == "Research":
        text = f"Research: {told}" + (
            f", {rng.choice(('steel', 'gears', 'tea'))} = {code(rng, titles)}"
            if rng.random() < 0.6
            else ""
        )
    elif name == "Try":
        effect = rng.choice(("", " for -1", " for +1 R", " for +1 M", " for +1 H"))
        text = (
            f"Try: {told}"
            + (f" against {target}" if rng.random() < 0.6 else "")
            + f'{effect} "dig"'
        )
    elif name in ("Expedition", "Security", "Found", "Contact"):
        text = f"{name}: {told}"
    else:
        text = f"{name} {target}: {told}"
        if name == "Attack":
            text += rng.choice(("", "", f", burn {rng.choice(list(COST))}", ", spare buildings"))
        if name == "Espionage" and rng.random() < 0.5:
            text += f", seek {rng.choice([*titles, 'nothing'])}"
    return text + rng.choice(("", "", "", ", boon")) + rng.choice(("", "", "", ", works"))


def condition(rng: Random, names: str) -> str:
    one, other = rng.choice(names), rng.choice(names)
    if rng.random() < 0.02:
        one = "Q"
    return " if " + rng.choice(
        (
            f"{one} lives",
            f"{one} has fallen",
            f"{one} has more {rng.choice('RMH')} than {other}",
            f"{one} has at least {rng.randint(0, 5)}{rng.choice('RMH')}",
            f"{one} has at most {rng.randint(0, 5)}{rng.choice('RMH')}",
        )
    )


def action(rng: Random, me: str, names: str, titles: Any) -> str:
    text = one_action(rng, me, names, titles) + (
        condition(rng, names) if rng.random() < 0.2 else ""
    )
    while rng.random() < 0.25 and text.count(" else ") < 2:
        text += " else " + one_action(rng, me, names, titles)
    return text


def one_answer(rng: Random) -> str:
    if rng.random() < 0.25:
        return rng.choice(("Rule by Fear", "Rule by Fear, sure"))
    text = "Harmony: " + rng.choice(("1H", "2H", "3H", "3H", "9H", "0H", "all", "all but 1"))
    text += (
        f", rebellion {rng.randint(0, 4)}M{rng.choice(('', ' with works'))}"
        if rng.random() < 0.4
        else ""
    )
    text += (
        f", coup {rng.randint(0, 4)}M{rng.choice(('', ' with works'))}"
        if rng.random() < 0.3
        else ""
    )
    return text + (", works" if rng.random() < 0.2 else "")


def answer(rng: Random, names: str) -> str:
    text = one_answer(rng) + (condition(rng, names) if rng.random() < 0.3 else "")
    while rng.random() < 0.25 and text.count(" else ") < 2:
        text += " else " + one_answer(rng)
    return text


def item(rng: Random, titles: Any) -> str:
    if titles and rng.random() < 0.2:
        return f"tech {rng.choice(list(titles))}"
    if rng.random() < 0.03:
        return rng.choice(("1H permanent", "BLD-WALL", "0R permanent", "1R for 9 seasons"))
    term = rng.choice(
        (
            *("", " permanent", " permanent", " until year end", " for 1 seasons"),
            *(" for 2 seasons", " for 5 seasons"),
        )
    )
    return f"{rng.choice((1, 1, 1, 2, 2, 3))}{rng.choice('RM')}{term}{rng.choice(('', '', ' expended too'))}"


def offer(rng: Random, me: str, names: str, titles: Any) -> str:
    target = (
        rng.choice([name for name in names if name != me])
        if rng.random() < 0.97
        else rng.choice((me, "Q"))
    )
    sides = [
        ", ".join(item(rng, titles) for _ in range(rng.choice((0, 1, 1, 1, 2)))) or "nothing"
        for _ in range(2)
    ]
    return f"Offer {target}: {sides[0]} against {sides[1]}" + rng.choice(
        ("", "", f" within {rng.choice((1, 5, 48, 50))} hours")
    )


def line(rng: Random, s: Second, me: str) -> str:
    g = s.g
    names, titles = "".join(g["kingdoms"]), g["technologies"]
    offers = [one["id"] for one in g["offers"]] or [9]
    mine = [one["id"] for one in g["offers"] if one["to"] == me] or offers
    claimants = [one["claimant"] for one in g["ballots"]] or [rng.choice(names)]
    acts = [played["n"] for played in s.book.played] or [1]
    kind = rng.random()
    if g["phase"] == "setup" and kind < 0.8:
        numbers = rng.choice(((3, 3, 3), (4, 3, 2), (7, 1, 1), (1, 2, 6), (5, 5, 1), (7, 2, 0)))
        return f"Split {'/'.join(map(str, numbers))}" + rng.choice(("", ", Aldermark", ", Borland"))
    if kind < 0.34:
        return action(rng, me, names, titles)
    if kind < 0.46:
        return (
            answer(rng, names)
            if g["phase"] == "year-start" or g.get("season") == "Winter"
            else action(rng, me, names, titles)
        )
    if kind < 0.58:
        return offer(rng, me, names, titles)
    if kind < 0.70:
        return f"{rng.choice(('Accept', 'Accept', 'Accept', 'Decline', 'Withdraw'))} offer {rng.choice(mine)}"
    if kind < 0.78:
        return f"Build {rng.choice(list(COST))}"
    if kind < 0.82:
        return f"Propose {rng.choice(('steel', 'gears', 't1'))} = {code(rng, titles)}"
    if kind < 0.85:
        return f"Vote {rng.choice(('yes', 'yes', 'yes', 'no'))} on {rng.choice(claimants)}"
    if kind < 0.90 and s.book.played:
        return f"Object to action {rng.choice(acts)}: why"
    return rng.choice(
        (
            *("Pass", "Camp", "Camp", "Done", "Cancel all", "Claim victory", "Forget every year"),
            *("Forget every season", "nonsense"),
            f"Every season: {action(rng, me, names, titles)}",
            f"Every year: {answer(rng, names)}",
            "Abdicate" if rng.random() < 0.2 else "Done",
            "Redo: Pass",
        )
    )


def command(rng: Random, s: Second) -> str:
    """Something of the game master's."""
    g = s.g
    name = rng.choice(list(g["kingdoms"])) if rng.random() < 0.97 else "Q"
    tries = [
        who for who, mine in g["pending"].items() if mine.get("act") and '"dig"' in str(mine["act"])
    ]
    titles = [
        *g["technologies"],
        *(
            d["name"]
            for k in g["kingdoms"].values()
            for d in k.get("discoveries", ())
            if d.get("name")
        ),
        "zz",
    ]
    acts = [played["n"] for played in s.book.played] or [1]
    kind = rng.random()
    if s.objections and kind < 0.5:
        return f"gm verdict {rng.choice(s.objections)['id']} {rng.choice(('uphold', 'uphold', 'deny'))}"
    if tries and kind < 0.5:
        parts = [
            rng.choice(
                (
                    f"diff {rng.choice((2, 3, 5, 9, 20, 21))}",
                    f"contest {rng.choice('RMH')}",
                    f"attribute {rng.choice('RMH')}",
                )
            )
        ]
        parts += [
            rng.choice(
                (f"effect +{rng.randint(1, 3)} {rng.choice('RMH')}", "effect -2", 'effect "words"')
            )
        ] * rng.randint(0, 1)
        parts += [rng.choice(("repercussion -2", 'repercussion "words"'))] * rng.randint(0, 1)
        return f"gm rule {rng.choice(tries)} {' '.join(parts)}"
    if kind < 0.4:
        return f"gm rollback {rng.choice(acts)}"
    if kind < 0.65:
        word = rng.choice(("approve", "refuse", f"amend {rng.choice([*CODES, *ANACHRONISMS])}"))
        return f'gm tech "{rng.choice(titles)}" {word}'
    if kind < 0.75:
        return f'gm give {name} tech "{rng.choice(titles)}"'
    if kind < 0.9:
        return f"gm mod {name} {rng.choice(('+1', '-1', '-2', '+2'))} {rng.choice(('flat', 'die'))} until {rng.choice(('season', 'year'))}"
    total = rng.choice((0, 1, 2, 3, 4, 5))
    return f"gm set {name} {rng.choice('RMH')} {total}{rng.choice(('', f' ex {rng.randint(0, total)}'))}"
