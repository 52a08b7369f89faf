"""Taking back a turn or a round: the table as it lay, and the dice already drawn kept for playing
it again (RM-11.9).
"""

from collections.abc import Mapping

from msgspec.structs import replace

from engine.chance import Chance
from engine.realm_master.events import TakenBack
from engine.realm_master.flow import run, stop
from engine.realm_master.state import Plans, Record, State
from engine.realm_master.table import Table
from engine.ruleset import Outcome


def take_back(state: State, what: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """`{"turn": N}`: back to the beginning of turn N; `{"round": True}`: to the opening of this
    round, or of the one before if no turn of this one has been played. ValueError if that is not
    kept.

    In a round played from plans the window opens again for the turns that are left, so that the
    table can be corrected first; else the turn begins again at once. Draws come from what was drawn
    before, each for the same throw of the same turn, and only then fresh.
    """
    record = _find(state, what)
    before = record.before
    kept = tuple(other for other in state.records if _is_before(other, record))
    drawn = tuple(draw for draw in (*state.stock, *state.drawn) if draw.turn > record.turn)
    again = replace(
        before,
        records=kept,
        drawn=tuple(draw for draw in state.drawn if draw.turn <= record.turn),
        stock=drawn,
        options=state.options,
        question=state.question,
        agenda=before.agenda
        if before.mode != "standing" or before.agenda[0] == Plans()
        else (Plans(), *before.agenda),
    )
    table = Table(again, chance)
    number = record.turn + 1 if record.what == "turn" else before.round
    table.tell(
        TakenBack(record.what, number, sum(isinstance(draw.result, int) for draw in drawn)),
        ["RM-11.9", "RM-11.10"],
    )
    if record.what == "round":
        table.records.append(record)
    run(table)
    return stop(table)


def _find(state: State, what: Mapping[str, object]) -> Record:
    match dict(what):
        case {"turn": int(turn)} if not isinstance(turn, bool):
            found = [
                record
                for record in state.records
                if record.what == "turn" and record.turn + 1 == turn
            ]
        case {"round": True}:
            found = [
                record
                for record in state.records
                if record.what == "round" and record.turn < state.turns
            ]
        case _:
            raise ValueError(f"nothing to take back: {dict(what)!r}")
    if not found:
        kept = ", ".join(str(record.turn + 1) for record in state.records if record.what == "turn")
        raise ValueError(f"that cannot be taken back; the turns kept are {kept or 'none'}")
    return found[-1]


def _is_before(other: Record, record: Record) -> bool:
    """Whether a record is older than the one gone back to."""
    if other == record:
        return False
    return other.turn < record.turn or (
        other.turn == record.turn and other.what == "round" and record.what == "turn"
    )
