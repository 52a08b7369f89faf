"""Discard cards played in one's own turn (RM-6.4): when they can be, and what they do."""

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.cards import (
    BOLT,
    CHARM,
    CUTPURSE,
    GOLDEN_TOUCH,
    MINTED_HONOUR,
    PLAYABLE,
    WAR_HORN,
    all_buy_cards,
)
from engine.realm_master.conditions import FACES, Face
from engine.realm_master.events import CardPlayed
from engine.realm_master.state import Check, Step
from engine.realm_master.table import Table
from engine.realm_master.turns.deaths import settle_wound

DRAUGHT_HEARTS, HORN_SWORDS, CUTPURSE_GOLD, TOUCH_GOLD, BOLT_HEARTS = 3, 2, 2, 3, 2
ON_HERO, ON_LAND = (CUTPURSE, BOLT), (GOLDEN_TOUCH,)


def fault_of(table: Table, line: o.Play) -> str | None:
    """Why nobody can play a card as ordered: a code, None if it can be played."""
    wants_hero, wants_land, wants_die = (
        line.card in ON_HERO,
        line.card in ON_LAND,
        line.card == CHARM,
    )
    if line.card not in PLAYABLE:
        return "not-playable"
    if (line.hero is not None, line.land is not None, line.die is not None) != (
        wants_hero,
        wants_land,
        wants_die,
    ):
        return "target-wanted"
    if wants_land and line.land not in table.lands:
        return "land-not-in-play"
    if wants_die and (
        line.face is None or (line.die not in FACES and line.die not in ("1", "2", "3", "4", "5"))
    ):
        return "target-wanted"
    return None


def why_not(table: Table, player: int, line: o.Play) -> str | None:
    """Why this hero cannot play that card at this moment of his turn; a code, None if he can."""
    fault = fault_of(table, line)
    if fault is not None:
        return fault
    if not table.owns(player, line.card):
        return "not-your-card"
    if line.hero is not None:
        target = table.who_is(line.hero)
        if target is None or target == player or not table.players[target].alive:
            return "no-such-target"
    if line.card == WAR_HORN and Step("attack") not in table.agenda:
        return "too-late"
    if line.card == CHARM:
        if not is_time_for_charm(table):
            return "not-now"
        if _place_of(table, line) is None:
            return "no-such-die"
    return None


def is_time_for_charm(table: Table) -> bool:
    """After the last reroll, before R are fixed (RM-B13)."""
    steps = [task.name for task in table.agenda if isinstance(task, Step)]
    return steps[:1] == ["faces"]


def play(table: Table, player: int, line: o.Play) -> None:
    """The card's effect; `why_not` has found nothing. The card goes to the discard pile
    (RM-6.6).
    """
    table.throw_away(player, line.card)
    target = None if line.hero is None else table.who_is(line.hero)
    amount, place = 0, None
    match line.card:
        case "B08":
            amount = table.heal(player, DRAUGHT_HEARTS)
        case "B09":
            amount = HORN_SWORDS
            table.turn = replace(table.now(), horn=table.now().horn + amount)
        case "B11" if target is not None:
            amount = min(CUTPURSE_GOLD, table.players[target].gold)
            table.earn(target, -amount)
            table.earn(player, amount)
        case "B12":
            amount = 1
            table.honour(player, amount)
        case "B13":
            place = _place_of(table, line)
            _turn_die(table, place, line.face)
        case "B16" if target is not None:
            amount = table.hurt(target, BOLT_HEARTS)
        case "B17" if line.land is not None:
            amount = table.take(line.land, "gold", TOUCH_GOLD)
            table.earn(player, amount)
    table.tell(
        CardPlayed(player, line.card, target, line.land, amount, place, line.face),
        [all_buy_cards()[line.card].rule, "RM-6.4", "RM-6.6", "RM-9.12"],
    )
    if line.card == BOLT and target is not None:
        settle_wound(table, target, player, "bolt")
    elif line.card == MINTED_HONOUR:
        table.push(Check())


def _place_of(table: Table, line: o.Play) -> int | None:
    """The die a Charm turns: the place told, or the first that shows the face told."""
    dice = table.now().rolled
    if line.die is not None and line.die.isdigit():
        return int(line.die)
    return next((i + 1 for i, face in enumerate(dice) if face == line.die), None)


def _turn_die(table: Table, place: int | None, face: Face | None) -> None:
    turn = table.now()
    if place is not None and face is not None:
        dice = turn.rolled
        table.turn = replace(turn, rolled=(*dice[: place - 1], face, *dice[place:]))
