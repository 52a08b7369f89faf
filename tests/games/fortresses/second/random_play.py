"""Random positions and random texts, some legal, some nearly so, some nonsense."""

from random import Random
from typing import Any

from tests.games.fortresses.second.board import (
    CASTLES,
    FORTRESSES,
    KINGDOMS,
    LANDS,
    SEAS,
    SIDE,
    UNITS,
    WAYS,
    ZONES,
    Board,
    coast,
    count_text,
    enemies,
    here,
    is_friendly,
    moved,
    steps,
    take_apart,
)

SEATS: list[dict[str, list[str]]] = [
    {kingdom: [kingdom] for kingdom in KINGDOMS},
    {"Ann": ["silver", "gold"], "Ben": ["red", "blue"]},
    {"Ann": ["silver", "gold"], "Ben": ["red"], "Cara": ["blue"]},
    {"Ann": ["silver"], "Ben": ["red", "blue"], "Cara": ["gold"]},
]
NO_ORDERS = ("Frobnicate the galleon", "Buy 1W in Avalon", "Move 1L from Ruritania to Avalon")
"""Lines that nobody can read, or about places that there are not."""
CONDITIONS = [
    *("never", "after 1 round", "after 2 rounds", "when outnumbered", "when alone"),
    "at first loss",
]


# ---------------------------------------------------------------------------------------- positions
def random_position(rng: Random) -> dict[str, Any]:
    told: dict[str, Any] = {
        "year": rng.choice((1, 2, 2, 3)),
        "active": rng.choice(KINGDOMS),
        "phase": "attack",
    }
    if told["year"] == 1 and told["active"] == "silver":
        told["phase"] = "reinforce"
    told["seats"] = {name: list(kingdoms) for name, kingdoms in rng.choice(SEATS).items()}
    if rng.random() < 0.4:
        told["base"] = "start"
    else:
        _scatter(rng, told)
    for kingdom in KINGDOMS:
        if rng.random() < 0.15:
            told.setdefault("missed", {})[kingdom] = rng.randint(1, 4)
        if rng.random() < 0.3:
            told.setdefault("presets", {})[kingdom] = [random_instruction(rng)]
    return told


def _scatter(rng: Random, told: dict[str, Any]) -> None:
    """Lands given away at random, a fraction of them garrisoned; nobody beside an enemy, nobody
    above supply.
    """
    owners = {land: LANDS[land]["owner"] for land in LANDS}
    for land in rng.sample(list(LANDS), rng.randint(0, 14)):
        owners[land] = rng.choice(KINGDOMS)
    wiped = rng.choice(KINGDOMS) if rng.random() < 0.15 else ""
    if wiped:
        heir = rng.choice([kingdom for kingdom in KINGDOMS if kingdom != wiped])
        owners = {land: heir if owner == wiped else owner for land, owner in owners.items()}
    if len({SIDE[owners[land]] for land in FORTRESSES}) == 1:
        return
    density, left = (
        rng.uniform(0.2, 1.0),
        {kingdom: {code: UNITS[code]["supply"] for code in UNITS} for kingdom in KINGDOMS},
    )
    units: dict[str, str] = {}
    for zone in ZONES:
        if rng.random() > density:
            continue
        side = SIDE[owners[zone]] if zone in LANDS else rng.choice(list(SIDE.values()))
        parts = []
        for kingdom in KINGDOMS:
            if (
                kingdom == wiped
                or SIDE[kingdom] != side
                or rng.random() < (0.7 if zone in LANDS and owners[zone] != kingdom else 0.1)
            ):
                continue
            lot = {}
            for code in "LKWD" if zone in LANDS else "G":
                number = min(
                    left[kingdom][code],
                    rng.choice(
                        {"L": (0, 1, 2, 3, 5), "D": (0, 0, 0, 0, 1, 2)}.get(
                            code, (0, 0, 1, 1, 2, 3)
                        )
                    ),
                )
                left[kingdom][code] -= number
                lot[code] = number
            if any(lot.values()):
                parts.append(f"{kingdom} {count_text(lot)}")
        if parts:
            units[zone] = ", ".join(parts)
    told["owners"], told["units"] = owners, units


# -------------------------------------------------------------------------------------------- lines
def random_instruction(rng: Random) -> str:
    place = f" in {rng.choice(ZONES)}" if rng.random() < 0.2 else ""
    match rng.randrange(4):
        case 0:
            return f"Lose {' then '.join(rng.sample(list(UNITS), rng.randint(1, 5)))}{place}"
        case 1:
            return f"Keep {rng.choice(('a', 'no'))} conqueror{place}"
        case 2:
            parts = [
                " and ".join(rng.sample(CONDITIONS, rng.randint(1, 2)))
                for _ in range(rng.randint(1, 2))
            ]
            return f"Retreat dragons {' or '.join(parts)}{place}"
    return f"{rng.choice(('Interactive', 'Interactive', 'Not interactive'))}{place}"


def some_of(rng: Random, units: dict[str, int], codes: str) -> str:
    """A part of these units, now and then one more than there are."""
    lot = {}
    for code in codes:
        there = units.get(code, 0)
        if there and rng.random() < 0.85:
            lot[code] = rng.choice((there, rng.randint(1, there))) + (rng.random() < 0.01)
    return count_text(lot)


def attack(rng: Random, board: Board) -> str:
    active = board["active"]
    goals = [
        zone
        for zone in ZONES
        if (zone in LANDS and not is_friendly(board, zone)) or enemies(board, zone)
    ]
    near = [
        goal
        for goal in goals
        if any(board["units"].get(zone, {}).get(active) for zone in WAYS["air"][goal])
    ]
    target = rng.choice(near or goals or ZONES) if rng.random() < 0.96 else rng.choice(ZONES)
    groups = []
    for origin in ZONES:
        there = here(board, origin, active)
        codes = [
            code
            for code in there
            if steps(UNITS[code]["kind"], origin, target) <= UNITS[code]["move"]
            and (code != "D" or rng.random() < 0.7)
        ]
        text = some_of(rng, there, "".join(codes) if rng.random() < 0.98 else "".join(there))
        if text != "-" and origin != target and rng.random() < 0.8:
            groups.append(f"{text} from {origin}")
    if not groups or rng.random() < 0.02:
        groups = [f"{rng.randint(1, 2)}{rng.choice('LKWGD')} from {rng.choice(ZONES)}"]
    rng.shuffle(groups)
    return f"Attack {target} with {'; '.join(groups[:4])}"


def carry(rng: Random, board: Board) -> str:
    active = board["active"]
    ships = [sea for sea in SEAS if here(board, sea, active).get("G")] or list(SEAS)
    sea = rng.choice(ships if rng.random() < 0.97 else list(SEAS))
    finals = [sea, *SEAS[sea]["sea"]] + [
        far for other in SEAS[sea]["sea"] for far in SEAS[other]["sea"]
    ]
    final = rng.choice(finals)
    shores = SEAS[sea]["coast"] + SEAS[final]["coast"]
    garrisoned = [
        land for land in shores if any(here(board, land, active).get(code) for code in "LKW")
    ]
    origin = rng.choice(garrisoned or shores)
    if rng.random() < 0.15:
        origin = rng.choice(WAYS["land"][origin] or [origin])
    wanted = board["phase"] == "reinforce"
    drops = [land for land in SEAS[final]["coast"] if is_friendly(board, land) == wanted]
    drop = rng.choice(drops or list(LANDS)) if rng.random() < 0.95 else rng.choice(list(LANDS))
    there = [code for code in "LKW" if here(board, origin, active).get(code)] or list("LK")
    unit = rng.choice(there)
    via = []
    if rng.random() < 0.2 and unit == "K":
        via.append(rng.choice(WAYS["land"][origin] or [origin]))
    if final != sea and rng.random() < 0.6:
        via.append(final)
    if via and via[0] == origin:
        via.pop(0)
    number = 2 if rng.random() < 0.01 else 1
    way = f" via {', '.join(via)}" if via else ""
    return f"Galleon in {sea} carries {number}{unit} from {origin}{way} to {drop}"


def move(rng: Random, board: Board, *, is_kept: bool) -> str:
    active = board["active"]
    origins = [zone for zone in ZONES if here(board, zone, active)] or ZONES
    origin = rng.choice(origins if rng.random() < 0.97 else ZONES)
    there = dict(here(board, origin, active))
    if board["phase"] == "reinforce" and rng.random() < 0.9:
        for code, number in moved(board, origin).items():
            there[code] -= number
    goals = [
        zone
        for zone in ZONES
        if steps("air", origin, zone) <= rng.randint(1, 3)
        and (zone in SEAS or is_friendly(board, zone))
    ]
    target = rng.choice(goals or ZONES) if rng.random() < 0.95 else rng.choice(ZONES)
    codes = [
        code for code in there if steps(UNITS[code]["kind"], origin, target) <= UNITS[code]["move"]
    ]
    text = some_of(rng, there, "".join(codes))
    if is_kept and rng.random() < 0.4:
        text = rng.choice(("all", "all L", "all K", "all D", "all G", "all W"))
    return f"Move {text if text != '-' else '1L'} from {origin} to {target}"


def buy(rng: Random, board: Board) -> str:
    active = board["active"]
    own = [land for land in FORTRESSES + CASTLES if board["owners"][land] == active]
    land = rng.choice(own or list(LANDS)) if rng.random() < 0.93 else rng.choice(list(LANDS))
    if rng.random() < 0.3:
        seas = coast(land)
        sea = rng.choice(seas if seas and rng.random() < 0.97 else list(SEAS))
        return f"Buy {rng.choice((1, 1, 1, 2))}G in {sea}" + (
            f" from {land}" if rng.random() < 0.6 else ""
        )
    if rng.random() < 0.01:
        return f"Buy 1G in {land}"
    number = rng.randint(1, 4) if land in FORTRESSES else 1
    return f"Buy {number}{rng.choice('LLLKKWD')} in {land}"


def reinforcements(rng: Random, board: Board, *, is_kept: bool) -> list[str]:
    lines = [buy(rng, board) for _ in range(rng.choice((0, 1, 2, 3, 4)))]
    lines += [move(rng, board, is_kept=is_kept) for _ in range(rng.choice((0, 1, 2, 4)))]
    lines += [carry(rng, board) for _ in range(rng.choice((0, 0, 1)))]
    if rng.random() < 0.1:
        lines.append("Buy nothing")
    if rng.random() < 0.1:
        lines.append(f"Always: {random_instruction(rng)}")
    if rng.random() < 0.05:
        lines.append(attack(rng, board))
    if rng.random() < 0.15:
        lines.append(rng.choice(NO_ORDERS))
    if is_kept and rng.random() < 0.04:
        lines.append(rng.choice(("Draw", "Concede")))
    rng.shuffle(lines)
    if rng.random() < 0.6:
        lines.append("Done")
    return lines


def attacks(rng: Random, board: Board) -> list[str]:
    lines = [attack(rng, board) for _ in range(rng.choice((0, 1, 1, 2, 3, 4)))]
    lines += [carry(rng, board) for _ in range(rng.choice((0, 0, 1, 2, 3)))]
    lines += [random_instruction(rng) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    if rng.random() < 0.2:
        lines.append(f"Battle order: {', '.join(rng.sample(ZONES, rng.randint(1, 20)))}")
    if rng.random() < 0.1:
        lines.append(f"Always: {random_instruction(rng)}")
    rng.shuffle(lines)
    if rng.random() < 0.1:
        lines.append(rng.choice(("Done", "No attacks")))
    if rng.random() < 0.3:
        lines += [f"Then: {line}" for line in reinforcements(rng, board, is_kept=True)]
    if rng.random() < 0.05:
        lines.append(rng.choice((buy(rng, board), move(rng, board, is_kept=False), "Stay")))
    if rng.random() < 0.05:
        lines.insert(rng.randint(0, len(lines)), rng.choice(NO_ORDERS))
    return lines


def answers(rng: Random, board: Board) -> list[str]:
    ours = board["battles"][0]["attackers"]
    lines = []
    if rng.random() < 0.7:
        pool = [code for code in ours for _ in range(ours[code])]
        lot = rng.sample(
            pool, min(len(pool), max(1, board["battles"][0]["hits"] + (rng.random() < 0.05)))
        )
        lines.append(f"Lose {count_text({code: lot.count(code) for code in lot})}")
    if rng.random() < 0.6 and ours.get("D"):
        lines.append(rng.choice(("Stay", "Stay", "Retreat dragons")))
    return lines


# -------------------------------------------------------------------------------------------- texts
def random_texts(rng: Random, told: dict[str, Any]) -> dict[str, list[str]]:
    board = take_apart(told, {})
    seat = next(name for name, kingdoms in told["seats"].items() if told["active"] in kingdoms)
    name = told["command"].get(told["active"], seat)
    texts: dict[str, list[str]] = {}
    players = [player for player, kingdoms in told["seats"].items() if kingdoms]
    if rng.random() < 0.06:
        texts[rng.choice(players)] = [command(rng)]
    elif max(told["missed"].values(), default=0) >= 3 and rng.random() < 0.4:
        texts[rng.choice(players)] = [
            rng.choice(("Take command", "Take command", "Claim the win")),
            *attacks(rng, board),
        ]
    if rng.random() < 0.85 and name not in texts:
        texts[name] = {"attack": attacks, "battle": answers}.get(
            told["phase"], lambda r, b: reinforcements(r, b, is_kept=False)
        )(rng, board)
        if rng.random() < 0.03:
            texts[name].insert(0, f"{rng.choice(KINGDOMS).capitalize()}: {attack(rng, board)}")
        if told["held"] and rng.random() < 0.4:
            texts[name].insert(
                rng.randint(0, len(texts[name])),
                rng.choice(("Cancel all", "Cancel 1", "Cancel 2", "Cancel 9")),
            )
    if name != seat and rng.random() < 0.5:  # the player who was absent is back
        texts[seat] = rng.choice((["Draw"], ["Hello, I am back"], attacks(rng, board), ["Done"]))
    if rng.random() < 0.06:
        other = rng.choice(players)
        texts.setdefault(other, [command(rng)] if rng.random() < 0.7 else [attack(rng, board)])
    return texts


def command(rng: Random) -> str:
    return rng.choice(
        ("Draw", "Draw", "Concede", "Take command", "Take command", "Claim the win", "Resign")
    )


def meddle(rng: Random, told: dict[str, Any]) -> None:
    """What seldom comes of itself: lines stored earlier, turns missed, a kingdom under its
    partner's command.
    """
    if told["phase"] != "battle" and rng.random() < 0.4:
        told["held"] = random_held(rng, told)
    if rng.random() < 0.6:
        kingdom = rng.choice(KINGDOMS)
        seat = next(name for name, kingdoms in told["seats"].items() if kingdom in kingdoms)
        told["missed"] = {**told["missed"], kingdom: rng.choice((2, 3, 3, 4))}
        partners = [
            name
            for name, own in told["seats"].items()
            if own and name != seat and SIDE[own[0]] == SIDE[kingdom]
        ]
        if partners and rng.random() < 0.5:
            told["command"] = {**told["command"], kingdom: partners[0]}


def random_held(rng: Random, told: dict[str, Any]) -> list[str]:
    """Lines stored earlier for the open phase."""
    board = take_apart(told, {})
    lines = (
        attacks(rng, board)
        if told["phase"] == "attack"
        else reinforcements(rng, board, is_kept=False)
    )
    orders = [line for line in lines if line.removeprefix("Then: ") not in NO_ORDERS]
    return [line for line in orders if line not in ("Then: Draw", "Then: Concede")]
