"""The dice: throwing, fixing R, and what the faces bring (RM-3.5 to RM-3.9)."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from engine.realm_master.cards import CHARM, HERO_MAXIMUM, KNUCKLE, STANDARD_POLE
from engine.realm_master.conditions import Face
from engine.realm_master.decisions import fix_faces, places_to_reroll
from engine.realm_master.events import DiceResolved, DiceRolled, Gain
from engine.realm_master.plans import line_of, told, use
from engine.realm_master.table import Table

DICE = 5
COUNTED: tuple[Face, ...] = ("c", "h", "b")
UNROLLED: tuple[Face, ...] = ("-", "-", "-", "-", "-")
Throw = Literal["roll", "reroll", "second", "knuckle"]


def has_five(faces: Sequence[Face], face: Face) -> bool:
    """Five means five dice, R among them; bonuses of cards do not count (RM-2.16)."""
    return len(faces) == DICE and all(shown == face for shown in faces)


def swords_of(table: Table) -> int:
    """Swords of the active hero, the squire's sixth among them (RM-2.14, RM-2.17)."""
    turn = table.now()
    squire = table.players[turn.player].hero == "squire" and has_five(turn.faces, "s")
    return turn.faces.count("s") + squire


def throw(table: Table, kind: Throw, places: Sequence[int]) -> None:
    """Throw these dice, left to right, each a draw of its own (RM-0.2, RM-0.3)."""
    turn = table.now()
    dice = list(turn.rolled or UNROLLED)
    for place in places:
        dice[place - 1] = table.die(f"turn {turn.number}: {kind}")
    table.turn = replace(turn, rolled=tuple(dice))
    rules = {
        "roll": ["RM-3.5", "RM-0.2", "RM-0.3"],
        "reroll": ["RM-3.5", "RM-0.3", "RM-9.4", "RM-10.2"],
        "second": ["RM-T17", "RM-9.5"],
        "knuckle": ["RM-B03", "RM-9.5"],
    }[kind]
    table.tell(DiceRolled(turn.number, turn.player, kind, tuple(places), tuple(dice)), rules)


def reroll(table: Table, kind: Literal["reroll", "second", "knuckle"]) -> bool:
    """One of the rerolls, if the rules allow it. True if it asks."""
    turn = table.now()
    player = turn.player
    if kind == "second" and table.effect("second-reroll") is None:
        return False
    if kind == "knuckle" and not table.owns(player, KNUCKLE):
        return False
    is_decided, line = told(table, player, kind)
    if not is_decided:
        return table.ask(kind, [player])
    if line is None and kind != "reroll":  # as the first time
        line = line_of(table.players[player].plan, "reroll")
    use(table, player, line)
    places = places_to_reroll(turn.rolled, line, table.sight(player, dice=turn.rolled))
    if kind == "knuckle":
        places = places[:1]
    if places:
        throw(table, kind, places)
    return False


def fix(table: Table) -> bool:
    """R become faces once the last reroll is done (RM-3.6). True if it asks."""
    turn = table.now()
    is_decided, line = told(table, turn.player, "faces")
    if not is_decided and _is_choice(table):
        return table.ask("faces", [turn.player])
    if "R" in turn.rolled:
        use(table, turn.player, line)
    table.turn = replace(turn, faces=fix_faces(table, turn.player, turn.rolled, line))
    return False


def _is_choice(table: Table) -> bool:
    turn = table.now()
    return "R" in turn.rolled or table.owns(turn.player, CHARM)


def resolve(table: Table) -> None:
    """Take gold, hearts and banners (RM-3.7 to RM-3.9); the squire's sixth of a kind among them
    (RM-2.17).
    """
    turn = table.now()
    player, faces = turn.player, turn.faces
    squire = table.players[player].hero == "squire"
    bonus = faces[0] if squire and faces[0] != "-" and has_five(faces, faces[0]) else ""
    count = {face: faces.count(face) + (face == bonus) for face in COUNTED}
    healed = table.heal(player, count["h"])
    banners, lone = divmod(count["b"], 2)
    pole = int(bool(lone) and table.owns(player, STANDARD_POLE))
    table.earn(player, count["c"] + pole)
    table.honour(player, banners)
    rules = ["RM-3.7", "RM-3.9", *(["RM-3.6", "RM-9.6"] if "R" in turn.rolled else [])]
    if healed and table.players[player].at is not None:
        rules.append("RM-3.8")
    if table.players[player].hearts > HERO_MAXIMUM:
        rules.append("RM-B05")
    if bonus:
        rules += ["RM-2.14", "RM-2.17", "RM-2.16"]
    if pole:
        rules.append("RM-B07")
    gain = Gain(healed, count["c"] + pole, banners)
    table.tell(DiceResolved(turn.number, player, faces, gain, swords_of(table), bonus, pole), rules)
