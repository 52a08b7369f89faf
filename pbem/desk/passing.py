"""A player's note on its way to the game masters of the table."""

from pbem.desk.conversation import Conversation
from pbem.desk.outgoing import queue_letter
from pbem.desk.posting import gm_letters, read_desk_people
from pbem.desk.table import page_table


async def pass_note(talk: Conversation, text: str) -> None:
    """Keep a note and send it to the game masters of the table; a flood of notes is kept, and no longer sent."""
    work, parts, now = talk.work, talk.parts, talk.parts.clock.now()
    note_id = await work.notes.add_once(game_id=talk.table.game.id, seat_id=talk.seat.id, inbox_id=talk.row.id, text=text, created_at=now)
    if note_id is None or await talk.is_flooded("notice"):
        return
    desk = await read_desk_people(work, parts, talk.table)
    facts = page_table(talk.table, parts.policy, now)
    letters = gm_letters(
        parts,
        talk.table,
        desk,
        lambda reader: parts.notices.gm_note(facts, reader, talk.seat.name, text, note_id),
        kind="gm-note",
        dedupe_key=f"note:{note_id}",
    )
    for letter in letters:
        await queue_letter(work, letter, now)
    await work.notes.mark_passed(note_id)
