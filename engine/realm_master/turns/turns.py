"""A hero's turn, step by step (RM-3.4)."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.cards import MENDING, TOLL_WRIT, WAR_HORN
from engine.realm_master.checking.legal import can_act, can_come_in
from engine.realm_master.conditions import holds
from engine.realm_master.decisions import (
    hearts_by_default,
    land_to_enter,
    realm_choice,
    wants_attack,
)
from engine.realm_master.events import AttackForgone, StayedOutside, TurnBegan
from engine.realm_master.plans import counts_now, expire, told, use
from engine.realm_master.state import STEPS, Begin, Check, Do, Fall, Smoke, Step, StepName, Turn
from engine.realm_master.table import Table
from engine.realm_master.turns.attacks import targets
from engine.realm_master.turns.dice import DICE, fix, reroll, resolve, swords_of, throw
from engine.realm_master.turns.entries import has_key
from engine.realm_master.turns.lands import FEW_HEROES, enter, is_free, leave, stay
from engine.realm_master.turns.rounds import keep_record
from engine.realm_master.turns.shop import do, lines_at, skip, trade_for_life


def begin_turn(table: Table, task: Begin) -> bool:
    if not table.players[task.player].alive:
        return False
    table.push(task)
    keep_record(table, "turn")
    table.agenda.pop(0)
    table.turns += 1
    table.stock = [draw for draw in table.stock if draw.turn >= table.turns]
    table.turn = Turn(table.turns, task.player, inside=table.players[task.player].at is not None)
    table.push(*map(Step, STEPS))
    return False


def step(table: Table, task: Step) -> bool:
    """One step; of a hero who died in it only the end of his turn is left (RM-7.10). True if it
    asks.
    """
    if task.name != "end" and not table.players[table.now().player].alive:
        return False
    return _STEPS[task.name](table)


def do_line(table: Table, task: Do) -> bool:
    if table.players[table.now().player].alive:
        do(table, task)
    return False


def _start(table: Table) -> bool:
    turn = table.now()
    player, held = turn.player, table.players[turn.player]
    writ = int(turn.inside and table.owns(player, TOLL_WRIT))
    table.earn(player, writ)
    mending = table.heal(player, 1) if not turn.inside and table.owns(player, MENDING) else 0
    table.change(player, plan=replace(held.plan, last=held.plan.lines))
    rules = [
        "RM-3.2",
        "RM-3.4",
        "RM-1.2",
        *(["RM-B06"] if writ else []),
        *(["RM-B15"] if mending else []),
    ]
    table.tell(TurnBegan(turn.number, player, held.at, writ, mending), rules)
    table.push(*lines_at(table, "early"))
    return False


def _roll(table: Table) -> bool:
    throw(table, "roll", range(1, DICE + 1))
    return False


def _knuckle(table: Table) -> bool:
    if reroll(table, "knuckle"):
        return True
    table.push(*lines_at(table, "charm"))
    return False


def _take(table: Table) -> bool:
    resolve(table)
    table.push(Check())
    return False


def _shop(table: Table) -> bool:
    table.push(*lines_at(table, "shop"))
    return False


def _attack(table: Table) -> bool:
    turn = table.now()
    player, swords = turn.player, swords_of(table)
    if not swords:
        return False
    if not targets(table):
        locked = ["RM-4.3", "RM-5.13"] if len(table.occupants) > 1 else []
        table.tell(AttackForgone(player, swords, "nobody"), ["RM-4.10", *locked])
        return False
    is_decided, line = told(table, player, "attack")
    if not is_decided:
        return table.ask("attack", [player])
    use(table, player, line)
    if not wants_attack(table, player, line):
        table.tell(AttackForgone(player, swords, "declined"), ["RM-4.1", "RM-9.7"])
        return False
    table.push(Smoke())
    for horn in [
        line
        for line in table.players[player].plan.lines
        if isinstance(line, o.Play) and line.card == WAR_HORN
    ]:
        if (
            not horn.early
            and counts_now(table, player, horn)
            and holds(horn.when, table.sight(player))
        ):
            table.push(Step("attack"))  # the horn is blown while the attack is still to come
            do(table, Do(horn, final=True))
            table.agenda.remove(Step("attack"))
    table.turn = replace(table.now(), attacked=True)
    return False


def _room(table: Table) -> bool:
    """Enter; or stay, move or leave (RM-5.3, RM-5.10)."""
    turn = table.now()
    is_inside = table.players[turn.player].at is not None
    if turn.inside and is_inside and _stay_or_go(table):
        return True
    if not turn.inside and not is_inside and _enter(table):
        return True
    table.push(Check(), *lines_at(table, "last"))
    return False


def _stay_or_go(table: Table) -> bool:
    player = table.now().player
    is_decided, line = told(table, player, "realm")
    if not is_decided:
        return table.ask("realm", [player])
    use(table, player, line)
    choice = realm_choice(table, player, line)
    if choice == "leave":
        leave(table, player, "turn")
    elif choice == "stay":
        if table.is_standing and isinstance(line, o.Realm) and _named_no_stay(table, player, line):
            skip(table, player, line, "land-occupied")
        stay(table, player)
    else:
        enter(table, player, choice, swords=swords_of(table))
    return False


def _named_no_stay(table: Table, player: int, line: o.Realm) -> bool:
    """Whether a move was wanted and none of its lands could be had."""
    wanted = [choice.word for choice in line.choices if holds(choice.when, table.sight(player))]
    return bool(wanted) and "stay" not in wanted


def _enter(table: Table) -> bool:
    player = table.now().player
    is_decided, line = told(table, player, "enter")
    if not is_decided and is_free(table) and can_come_in(table, player):
        return table.ask("enter", [player])
    if not has_key(table, player):
        table.tell(StayedOutside(player, "no-sword"), ["RM-5.3"])
        return False
    if not is_free(table):
        table.tell(
            StayedOutside(player, "no-room"),
            ["RM-5.1" if len(table.living) > FEW_HEROES else "RM-5.2", "RM-5.4"],
        )
        return False
    land = land_to_enter(table, player, line)
    if land is not None:
        use(table, player, line)
        enter(table, player, land, swords=swords_of(table))
        return False
    if isinstance(line, o.Enter) and any(
        holds(choice.when, table.sight(player)) and choice.word != o.NOWHERE
        for choice in line.choices
    ):
        skip(table, player, line, "cannot-enter")
    table.tell(StayedOutside(player, "wish"), ["RM-5.3", "RM-9.10"])
    return False


def _last(table: Table) -> bool:
    """Ask what is bought or played at the end; the exchange is made by default where nobody
    answers, or is asked (RM-9.12, RM-9.13).
    """
    player = table.now().player
    if table.is_standing:
        return False
    is_decided, answer = told(table, player, "last")
    if not is_decided and not table.players[player].plan.auto:
        return can_act(table, player, "last") and table.ask("last", [player])
    if answer is None:
        trade_for_life(table, hearts_by_default(table, player))
    return False


def _end(table: Table) -> bool:
    player = table.now().player
    table.change(player, plan=expire(table.players[player].plan))
    conceding = [other for other in table.living if table.players[other].conceding]
    table.push(*[task for other in conceding for task in (Fall(other, None, "concede"), Check())])
    table.turn = None
    oldest = min((record.turn for record in table.records), default=0)
    table.drawn = [draw for draw in table.drawn if draw.turn > oldest]
    return False


_STEPS: Mapping[StepName, Callable[[Table], bool]] = {
    "start": _start,
    "roll": _roll,
    "reroll": lambda table: reroll(table, "reroll"),
    "second": lambda table: reroll(table, "second"),
    "knuckle": _knuckle,
    "faces": fix,
    "take": _take,
    "shop": _shop,
    "attack": _attack,
    "room": _room,
    "last": _last,
    "end": _end,
}
