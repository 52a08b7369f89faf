"""A player's note that wants no answer."""

from pbem.desk.mandate import By, Refused, check_not_done, log_command
from pbem.desk.ports import Desk


async def dismiss_note(services: Desk, note_id: int, by: By) -> None:
    """Lay a note aside without an answer, as when its writer plays no more; nobody is told. Refused
    if it is answered or laid aside.
    """
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        note = await tx.work.notes.find(note_id)
        if note is None:
            raise Refused("unknown-note", f"there is no note {note_id}")
        await log_command(
            tx,
            by,
            "note dismiss",
            {"note": note_id},
            game_id=note.game_id,
            public=False,
        )
        if not await tx.work.notes.mark_answered(note_id):
            raise Refused("already-answered", f"note {note_id} has been answered or closed")
        services.steps.reached("gm.dismiss_note.written")
