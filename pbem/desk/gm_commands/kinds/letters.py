"""Words to players, and players' notes."""

from typing import Any

import msgspec

from pbem.desk.gm.people import announce, answer_note, dismiss_note
from pbem.desk.gm_commands.kind import CommandKind, Facts, Outcome, uses
from pbem.desk.gm_commands.tally import Tally
from pbem.desk.press.relay import write_press
from pbem.desk.table import OpenTable
from pbem.grammar.gm import commands as c
from pbem.store.work import Work


def _each_note(command: c.Dismiss) -> list[c.Dismiss]:
    return [
        msgspec.structs.replace(command, note=note, also=())
        for note in (command.note, *command.also)
    ]


async def _preview_writer(work: Work, _table: OpenTable, command: c.Answer | c.Dismiss) -> Facts:
    return {"player": await _writer_of(work, command.note)}


async def _tell_writer(outcome: Outcome, command: c.Answer | c.Dismiss) -> Facts:
    return {"player": await _writer_of(outcome.work, command.note)}


async def _writer_of(work: Work, note_id: int) -> str:
    note = await work.notes.find(note_id)
    seat = await work.seats.find(note.seat_id) if note is not None else None
    return seat.name if seat is not None else ""


KINDS: tuple[CommandKind[Any], ...] = (
    CommandKind(c.Notes, look_up=Tally.show_notes),
    CommandKind(
        c.Announce,
        do=uses(announce),
    ),
    CommandKind(
        c.Write,
        says=lambda command: {"player": command.whom},
        do=uses(write_press),
    ),
    CommandKind(
        c.Answer,
        preview=_preview_writer,
        do=uses(answer_note),
        tell=_tell_writer,
    ),
    CommandKind(
        c.Dismiss,
        split=_each_note,
        preview=_preview_writer,
        do=lambda services, _, command, by: dismiss_note(services, command.note, by),
        tell=_tell_writer,
    ),
)
