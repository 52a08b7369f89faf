"""Battles (FW-7), with the standing instructions (FW-10)."""

from collections.abc import Callable
from typing import Any

from tests.games.fortresses.second.board import (
    KINGDOMS,
    LANDS,
    SIDE,
    UNITS,
    Board,
    add,
    enemies,
    here,
    moved,
)
from tests.games.fortresses.second.judging import points
from tests.games.fortresses.second.reading import DEFAULT_LOSSES, read

Roll = Callable[[int], int]
Battle = dict[str, Any]


# ------------------------------------------------------------------------------------- instructions
def spoken(board: Board, do: str, zone: str) -> dict[str, Any] | None:
    """What is said of this for a battle here: this turn's words before presets, and within each the
    zone's before the general ones.
    """
    for texts in (board["instructions"], board["presets"].get(board["active"], [])):
        for place in (zone, ""):
            for text in reversed(texts):
                line = read(text)
                if line["do"] == do and line["zone"] == place:
                    return line
    return None


def is_on(board: Board, do: str, zone: str) -> bool:
    line = spoken(board, do, zone)
    return bool(line and line["on"])


def should_retreat(board: Board, battle: Battle) -> bool:
    """FW-10.5 and 10.6."""
    ours, began = battle["attackers"], battle["started"]
    if not ours.get("D"):
        return False
    theirs = (
        sum(sum(units.values()) for units in enemies(board, battle["zone"]).values())
        + battle["points"]
    )
    began_with_others = sum(began.values()) > began.get("D", 0)
    truth: dict[str, bool] = {
        "never": False,
        "when outnumbered": sum(ours.values()) < theirs,
        "when alone": began_with_others and sum(ours.values()) == ours["D"],
        "at first loss": ours["D"] < began["D"],
    }
    line = spoken(board, "retreat", battle["zone"])
    if line is None:
        if began_with_others:
            return truth["when alone"] and truth["when outnumbered"]
        return battle["round"] >= 1 and truth["when outnumbered"]
    for all_of in line["policy"]:
        holds = [
            battle["round"] >= int(part.split()[1]) if part.startswith("after") else truth[part]
            for part in all_of
        ]
        if all(holds):
            return True
    return False


def next_loss(board: Board, battle: Battle) -> str:
    """Which type the attacker loses next (FW-10.1, 10.2, 10.4)."""
    ours = battle["attackers"]
    line = spoken(board, "lose", battle["zone"])
    order: list[str] = list(line["order"]) if line else []
    order += [code for code in DEFAULT_LOSSES if code not in order]
    there = [code for code in order if ours.get(code)]
    land_units = sum(ours.get(code, 0) for code in "LKW")
    if is_on(board, "keep", battle["zone"]) and there[0] in "LKW" and land_units == 1:
        there = [code for code in there if code in "GD"] or there
    return there[0]


# ------------------------------------------------------------------------------------------- losses
def lose(board: Board, battle: Battle, code: str, events: list[dict[str, Any]]) -> None:
    zone = battle["zone"]
    for heap in (battle["attackers"], here(board, zone, board["active"]), moved(board, zone)):
        add(heap, {code: 1}, -1)
    if code != "G":
        return
    aboard = [i for i, passenger in enumerate(board["passengers"]) if passenger["sea"] == zone]
    if battle["attackers"].get("G", 0) >= len(aboard):
        return  # one without a passenger sank (FW-10.3)
    cheapest = min(UNITS[board["passengers"][i]["unit"]]["cost"] for i in aboard)
    lost = max(i for i in aboard if UNITS[board["passengers"][i]["unit"]]["cost"] == cheapest)
    passenger = board["passengers"].pop(lost)
    unit, land = passenger["unit"], passenger["land"]
    board["carried"][zone] -= 1
    add(here(board, land, board["active"]), {unit: 1}, -1)
    add(moved(board, land), {unit: 1}, -1)
    for other in board["battles"]:
        if other["zone"] == land:
            add(other["attackers"], {unit: 1}, -1)
    events.append({"kind": "drowned", "zone": zone, "unit": unit, "land": land})


def lose_defender(board: Board, battle: Battle) -> None:
    """FW-7.9 and 7.11: castle points, then the cheapest type; of the ally who has more of it, else
    of the one whose turn comes first.
    """
    if battle["points"]:
        battle["points"] -= 1
        return
    there = enemies(board, battle["zone"])
    for code in ("L", "K", "W", "D", "G"):
        most = max((units.get(code, 0) for units in there.values()), default=0)
        if not most:
            continue
        turn = KINGDOMS.index(board["active"])
        for step in range(1, len(KINGDOMS)):
            kingdom = KINGDOMS[(turn + step) % len(KINGDOMS)]
            if there.get(kingdom, {}).get(code, 0) == most:
                add(here(board, battle["zone"], kingdom), {code: 1}, -1)
                return


# ----------------------------------------------------------------------------------------- fighting
def fight(
    board: Board, roll: Roll, events: list[dict[str, Any]], answer: dict[str, Any] | None = None
) -> None:
    """Battle by battle, until a question or the end of them; `answer`: to the question about the
    first.
    """
    while board["battles"]:
        battle = board["battles"][0]
        if "started" not in battle:
            ours = battle["attackers"]
            if not ours or not enemies(board, battle["zone"]):
                end(board, battle, "cancelled" if not ours else "", 0, events)
                continue
            battle.update(started=dict(ours), points=points(battle["zone"]), round=0, hits=0)
            if asks(board, battle):
                return
        if not rounds(board, battle, roll, events, answer):
            return
        answer = None


def asks(board: Board, battle: Battle) -> bool:
    """FF-3: whether there is something to choose."""
    if not is_on(board, "interactive", battle["zone"]):
        return False
    ours, hits = battle["attackers"], battle["hits"]
    number = sum(ours.values())
    if 0 < hits < number and len([code for code in ours if ours[code]]) > 1:
        return True
    return bool(ours.get("D")) and hits < number and bool(enemies(board, battle["zone"]))


def rounds(
    board: Board,
    battle: Battle,
    roll: Roll,
    events: list[dict[str, Any]],
    answer: dict[str, Any] | None,
) -> bool:
    """Fights on. False: a question is open."""
    zone = battle["zone"]
    while True:
        said = answer or {}
        answer = None
        codes = (
            [code for code, number in said["lose"].items() for _ in range(number)]
            if said.get("lose")
            else []
        )
        for i in range(battle["hits"]):
            lose(board, battle, codes[i] if codes else next_loss(board, battle), events)
        battle["hits"] = 0
        ours, theirs = battle["attackers"], enemies(board, zone)
        if not ours or not theirs:
            break
        goes = said["retreat"] if said.get("retreat") is not None else should_retreat(board, battle)
        if goes and ours.get("D"):
            events.append({"kind": "retreated", "zone": zone, "units": f"{ours['D']}D"})
            del ours["D"]
            if not ours:
                break
        attack = [roll(UNITS[code]["die"]) for code in UNITS for _ in range(ours.get(code, 0))]
        dice = [
            UNITS[code]["die"]
            for code in UNITS
            for kingdom in theirs
            for _ in range(theirs[kingdom].get(code, 0))
        ]
        strong = sum(sum(units.values()) for units in theirs.values()) + battle["points"]
        for _ in range(min(strong, len([pips for pips in attack if pips >= 6]))):
            lose_defender(board, battle)
        defence = [roll(die) for die in dice]
        battle["round"] += 1
        battle["hits"] = min(len([pips for pips in defence if pips >= 6]), sum(ours.values()))
        events.append(
            {
                "kind": "round",
                "zone": zone,
                "round": battle["round"],
                "attack": attack,
                "defence": defence,
            }
        )
        if asks(board, battle):
            return False
    end(board, battle, "", battle["round"], events)
    return True


def end(
    board: Board, battle: Battle, result: str, number: int, events: list[dict[str, Any]]
) -> None:
    """FW-7.15 to 7.17, 7.4, 7.20."""
    zone, ours = battle["zone"], battle["attackers"]
    board["battles"].pop(0)
    board["passengers"] = [
        passenger for passenger in board["passengers"] if passenger["sea"] != zone
    ]
    if not result:
        if enemies(board, zone):
            result = "held"
        elif not ours:
            result = "nobody left"
        elif zone not in LANDS:
            result = "won"
        else:
            result = "conquered" if any(ours.get(code) for code in "LKW") else "no effect"
    events.append({"kind": "battle", "zone": zone, "rounds": number, "result": result})
    if result == "conquered":
        events.append(
            {
                "kind": "conquered",
                "zone": zone,
                "kingdom": board["active"],
                "of": board["owners"][zone],
            }
        )
        board["owners"][zone] = board["active"]
    sides = {
        SIDE[board["owners"][land]] for land in LANDS if LANDS[land]["structure"] == "fortress"
    }
    if len(sides) == 1:
        over(board, sides.pop(), "fortresses", events)


def over(board: Board, winner: str, by: str, events: list[dict[str, Any]]) -> None:
    board.update(
        phase="over",
        winner=winner,
        by=by,
        gold=0,
        moved={},
        carried={},
        held=[],
        answered=False,
        battles=[],
        passengers=[],
    )
    events.append({"kind": "game-over", "winner": winner, "by": by})
