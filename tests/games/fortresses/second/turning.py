"""A step (FF-3): the texts come in, the open phase closes, and play goes on to the next request."""

from copy import deepcopy
from typing import Any

from tests.games.fortresses.second.board import (
    CASTLES,
    FORTRESSES,
    KINGDOMS,
    LANDS,
    POINTS,
    SIDE,
    UNITS,
    ZONES,
    Board,
    add,
    count_text,
    enemies,
    here,
    income,
    is_friendly,
    on_board,
    put_together,
    steps,
    take_apart,
)
from tests.games.fortresses.second.fighting import Roll, fight, over
from tests.games.fortresses.second.judging import shift
from tests.games.fortresses.second.listening import Heard, listen
from tests.games.fortresses.second.phases import judge_reinforce
from tests.games.fortresses.second.reading import STANDING, Line, read

Events = list[dict[str, Any]]


def step(
    told: dict[str, Any], options: dict[str, Any], texts: dict[str, list[str]], roll: Roll
) -> dict[str, Any]:
    """What a program says of this step with `--json` (FF-6)."""
    board, events = take_apart(told, options), []  # type: tuple[Board, Events]
    heard = listen(board, texts, events)
    if board["phase"] != "over":
        close(board, heard, roll, events)
    problems = {name: codes for name, codes in heard.problems.items() if codes}
    means = {name: lines for name, lines in heard.means.items() if lines}
    return {"reached": put_together(board), "problems": problems, "means": means, "events": events}


def close(board: Board, heard: Heard, roll: Roll, events: Events) -> None:
    board["is_opened"] = True
    lines = heard.standing
    if board["phase"] == "attack":
        close_attack(board, lines)
        fight(board, roll, events)
    elif board["phase"] == "battle":
        fight(board, roll, events, heard.answer)
    else:
        close_reinforce(board, lines, events)
        return
    if board["phase"] == "over":
        return
    if board["battles"]:
        board["phase"] = "battle"
        return
    open_reinforce(board, events, heard)


# ------------------------------------------------------------------------------------------- Attack
def close_attack(board: Board, lines: list[Line]) -> None:
    attackers: dict[str, dict[str, int]] = {}
    passengers: list[dict[str, str]] = []
    order: list[str] = []
    board["held"] = [line["inner"]["text"] for line in lines if line["do"] == "then"]
    hostile = {zone for zone in ZONES if enemies(board, zone)}
    for line in lines:
        if line["do"] == "attack":
            for units, origin in line["groups"]:
                shift(board, units, origin, line["target"])
                add(attackers.setdefault(line["target"], {}), units)
        elif line["do"] == "carry":
            sea, final, drop = line["sea"], line["final"], line["drop"]
            shift(board, {"G": 1}, sea, final)
            board["carried"][final] = board["carried"].get(final, 0) + 1
            if final in hostile:
                add(attackers.setdefault(final, {}), {"G": 1})
                passengers.append({"sea": final, "unit": next(iter(line["units"])), "land": drop})
            shift(board, line["units"], line["origin"], drop)
            add(attackers.setdefault(drop, {}), line["units"])
        elif line["do"] == "battle order":
            order = line["zones"]
    mentioned = list(attackers)
    wanted = [zone for zone in dict.fromkeys(order) if zone in attackers] + [
        zone for zone in mentioned if zone not in order
    ]
    wanted = [zone for zone in wanted if zone not in LANDS] + [
        zone for zone in wanted if zone in LANDS
    ]
    board["battles"] = [{"zone": zone, "attackers": attackers[zone]} for zone in wanted]
    board["passengers"] = sorted(
        passengers, key=lambda passenger: mentioned.index(passenger["land"])
    )
    board["instructions"] = []
    for line in lines:
        if line["do"] in STANDING:
            put_down(board["instructions"], line)
    keep_presets(board, lines)


def put_down(texts: list[str], line: Line) -> None:
    """The later one of a kind and place replaces the earlier (FF-8.7)."""
    for text in list(texts):
        other = read(text)
        if (other["do"], other["zone"]) == (line["do"], line["zone"]):
            texts.remove(text)
    texts.append(line["text"])


def keep_presets(board: Board, lines: list[Line]) -> None:
    for line in lines:
        if line["do"] == "always":
            put_down(board["presets"].setdefault(board["active"], []), line["inner"])


# ---------------------------------------------------------------------------------------- Reinforce
def open_reinforce(board: Board, events: Events, heard: Heard) -> None:
    """FW-8.1 to 8.3; kept lines are judged now (FW-4.8)."""
    active = board["active"]
    board["phase"], board["instructions"] = "reinforce", []
    board["gold"] = income(board, active)
    events.append({"kind": "income", "kingdom": active, "gold": board["gold"]})
    for units in board["moved"].values():
        units.pop("D", None)
    kept = [read(text) for text in board["held"]]
    board["held"] = []
    is_skipped = not board["gold"] and not _can_move(board)
    codes = judge_reinforce(deepcopy(board), kept)
    heard.refuse(board, [code for code in codes if code])
    standing = [line for line, code in zip(kept, codes, strict=True) if not code]
    is_done = len(standing) == len(kept) and any(line["do"] == "done" for line in kept)
    if is_skipped or is_done:
        close_reinforce(board, standing, events)
        return
    board["held"] = [line["text"] for line in standing if line["do"] != "done"]
    board["is_opened"] = True


def _can_move(board: Board) -> bool:
    for zone in ZONES:
        units = here(board, zone, board["active"])
        gone = board["moved"].get(zone, {})
        if any(number > gone.get(code, 0) or code == "D" for code, number in units.items()):
            return True
    return False


def close_reinforce(board: Board, lines: list[Line], events: Events) -> None:
    active = board["active"]
    codes = judge_reinforce(board, lines)
    assert not [code for code in codes if code and code != "unspent"]
    for line in lines:
        if line["do"] == "buy":
            events.append(
                {
                    "kind": "bought",
                    "kingdom": active,
                    "zone": line["zone"],
                    "units": count_text(line["units"]),
                }
            )
    if not any(line["do"] in ("buy", "buy nothing") for line in lines):
        buy_by_default(board, events)
    keep_presets(board, lines)
    fly_home(board, events)
    events.append({"kind": "gold-left", "kingdom": active, "gold": board["gold"]})
    count_missed(board, events)
    board.update(
        gold=0, held=[], moved={}, carried={}, answered=False, instructions=[], is_opened=False
    )
    next_turn(board, events)


def buy_by_default(board: Board, events: Events) -> None:
    """FW-8.15."""
    active = board["active"]
    number = min(
        board["gold"] // UNITS["L"]["cost"],
        UNITS["L"]["supply"] - on_board(board, active).get("L", 0),
    )
    strongholds = [land for land in FORTRESSES if board["owners"][land] == active][:1]
    castles = [land for land in CASTLES if board["owners"][land] == active]
    places = [(land, number) for land in strongholds] or [(land, 1) for land in castles[:number]]
    for land, legions in places:
        if legions > 0:
            add(here(board, land, active), {"L": legions})
            board["gold"] -= legions * UNITS["L"]["cost"]
            events.append(
                {
                    "kind": "default-purchase",
                    "kingdom": active,
                    "zone": land,
                    "units": f"{legions}L",
                }
            )


def fly_home(board: Board, events: Events) -> None:
    """FW-8.14."""
    active = board["active"]
    friendly = [land for land in LANDS if is_friendly(board, land)]
    for zone in ZONES:
        dragons = here(board, zone, active).get("D", 0)
        if dragons and zone not in friendly:
            home = min(
                friendly,
                key=lambda land: (
                    steps("air", zone, land),
                    -POINTS[LANDS[land]["structure"]],
                    land,
                ),
            )
            add(here(board, zone, active), {"D": dragons}, -1)
            add(here(board, home, active), {"D": dragons})
            events.append(
                {
                    "kind": "flew-home",
                    "kingdom": active,
                    "units": f"{dragons}D",
                    "zone": zone,
                    "to": home,
                }
            )


def count_missed(board: Board, events: Events) -> None:
    """FW-4.12, FF-8.14."""
    active = board["active"]
    if not board["is_opened"] or board["answered"] or active in board["command"]:
        return
    player = next(name for name, kingdoms in board["seats"].items() if active in kingdoms)
    board["missed"][active] = board["missed"].get(active, 0) + 1
    events.append({"kind": "missed", "player": player, "kingdom": active})
    if board["missed"][active] == 3:
        events.append({"kind": "absent", "player": player})


# ------------------------------------------------------------------------------------ the next turn
def next_turn(board: Board, events: Events) -> None:
    nobody = Heard(board)
    while True:
        if board["active"] == KINGDOMS[-1]:
            limit = board["options"]["year_limit"]
            if limit and board["year"] >= limit:
                over(board, by_year_limit(board), "year-limit", events)
                return
            board["year"] += 1
        active = board["active"] = KINGDOMS[(KINGDOMS.index(board["active"]) + 1) % len(KINGDOMS)]
        units = on_board(board, active)
        if not units and active not in board["owners"].values():
            events.append({"kind": "turn-skipped", "year": board["year"], "kingdom": active})
            continue
        events.append({"kind": "turn", "year": board["year"], "kingdom": active})
        board["phase"] = "attack"
        if not units or (board["year"] == 1 and active == "silver"):
            open_reinforce(board, events, nobody)
        return


def by_year_limit(board: Board) -> str:
    """FW-9.2."""
    strength: dict[str, tuple[int, int]] = {}
    for side in ("silver_gold", "red_blue"):
        kingdoms = [kingdom for kingdom in KINGDOMS if SIDE[kingdom] == side]
        strongholds = sum(board["owners"][land] in kingdoms for land in FORTRESSES)
        strength[side] = (strongholds, sum(income(board, kingdom) for kingdom in kingdoms))
    if strength["silver_gold"] == strength["red_blue"]:
        return "draw"
    return max(strength, key=lambda side: strength[side])
