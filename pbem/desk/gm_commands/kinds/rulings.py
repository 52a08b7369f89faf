"""What a game master rules: corrections, strikes, orders opened again, the game rolled back."""

from typing import Any

import msgspec

from pbem.desk import gm
from pbem.desk.gm import Refused
from pbem.desk.gm.history import roll_back
from pbem.desk.gm.people import check_text, unlock
from pbem.desk.gm.rulings import foresee, read_ruling
from pbem.desk.gm.strikes import pardon, strike
from pbem.desk.gm_commands.kind import CommandKind, Facts, Item, Outcome, Situation, uses
from pbem.desk.gm_commands.rights import check_plays, find_player
from pbem.desk.mandate import check_neutral, plays
from pbem.desk.table import OpenTable, standing_of
from pbem.grammar.gm import commands as c
from pbem.store.work import Work


async def _read_correction(situation: Situation, item: Item, command: c.Correct) -> Item:
    table = situation.table
    what = table.kind.read_correction(table.state, command.what).text
    return msgspec.structs.replace(item, command=msgspec.structs.replace(command, what=what))


async def _check_correction(situation: Situation, _item: Item, command: c.Correct) -> None:
    check_text(command.reason)
    foresee(situation.table, command.what)


async def _preview_correction(_work: Work, table: OpenTable, command: c.Correct) -> Facts:
    """What it would come to as things stand; nothing where only what is asked before it makes it
    possible.
    """
    try:
        return {"told": foresee(table, command.what).told}
    except Refused:
        return {"told": ()}


async def _read_ruling(situation: Situation, item: Item, command: c.Ruling) -> Item:
    what = (await read_ruling(situation.work, situation.table, command.what)).text
    return msgspec.structs.replace(item, command=msgspec.structs.replace(command, what=what))


async def _check_judge(situation: Situation, _item: Item, _command: c.Ruling) -> None:
    check_neutral(situation.table, situation.person.id)


async def _check_final(situation: Situation, _item: Item, command: c.Unlock) -> None:
    work, table = situation.work, situation.table
    if table.phase is None or plays(table, situation.person.id):
        return
    seat = await find_player(work, table, command.player)
    newest = await work.orders.newest(seat.id, table.phase.number)
    is_final = newest is not None and standing_of(table.kind, newest, seat).final
    if not (is_final and table.kind.ruleset.final_locks):
        raise Refused(
            "not-final", f"the orders of {seat.name} are not final, so the player can change them"
        )


async def _check_phase(situation: Situation, item: Item, command: c.RollBack) -> Item:
    game = situation.table.game
    if not 1 <= command.phase <= game.phase_number:
        raise Refused(
            "no-such-phase",
            f"{game.title} has no phase {command.phase}; it is in phase {game.phase_number}",
        )
    return item


async def _preview_phase(_work: Work, _table: OpenTable, command: c.RollBack) -> Facts:
    return {"phase": command.phase}


async def _tell_phase(outcome: Outcome, _command: c.RollBack) -> Facts:
    detail = outcome.detail
    return {"new_phase": int(detail["phase"]) + 1 if "phase" in detail else None}


KINDS: tuple[CommandKind[Any], ...] = (
    CommandKind(
        c.Correct,
        over="is over; nothing of it can be set right any more",
        resolve=_read_correction,
        check=_check_correction,
        preview=_preview_correction,
        do=uses(gm.correct),
        logged=("told",),
    ),
    CommandKind(
        c.Ruling,
        over="is over; nothing of it waits for your word any more",
        resolve=_read_ruling,
        check=_check_judge,
        do=uses(gm.rule),
        logged=("told",),
    ),
    CommandKind(c.Strike, check=check_plays, do=uses(strike)),
    CommandKind(c.Pardon, do=uses(pardon)),
    CommandKind(c.Unlock, check=_check_final, do=uses(unlock)),
    CommandKind(
        c.RollBack,
        resolve=_check_phase,
        preview=_preview_phase,
        do=uses(roll_back),
        tell=_tell_phase,
    ),
)
