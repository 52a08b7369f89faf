"""Handing out the record of a game that has ended: to a player who asks for it by mail, and to
the operator of the house.
"""

import asyncio

from pbem.desk.chat.messages import mail_draft_of
from pbem.desk.envelope.letter import Attachment
from pbem.desk.envelope.recipients import Enclosed
from pbem.desk.letters.results import record_facts
from pbem.desk.mandate import Refused, find_game
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.ports import Desk
from pbem.desk.table import load_table
from pbem.desk.upkeep.records import RecordFile, make_record, read_kept, record_game
from pbem.grammar.house.commands import Record as SaidRecord
from pbem.pages.announcements import RecordMissing, RecordSecret, RecordSent
from pbem.pages.notice import Notice
from pbem.record.record import Record, parse_record

ENDING = ("ending",)


async def answer_record(talk: Conversation[Player], command: SaidRecord) -> Notice | None:
    """The word `record`: the file, once the seed is published."""
    game = talk.table.game
    if game.status not in ("over", "ended") or game.phase_number == 0:
        return RecordSecret()
    file = await _sent_file(talk) or await record_game(talk.work, talk.table)
    if file is None:
        return RecordMissing()
    facts, seed = record_facts(file), await talk.work.games.read_seed(game.id)
    assert facts is not None  # noqa: S101 - there is a file
    page = talk.page(RecordSent(seed, game.commitment, facts))
    enclosed = Enclosed(attachment=file.attachment)
    letter = talk.letter(page, "answer", talk.dedupe_key("record"), enclosed=enclosed)
    await talk.say(page, letter)
    return None


async def _sent_file(talk: Conversation[Player]) -> RecordFile | None:
    """The very file that went to this seat with the last letter."""
    for row in await talk.work.outbox.list_last_of_seat(talk.seat.id, ENDING, limit=6):
        found = mail_draft_of(row)
        if found is not None and found[0].attachment is not None:
            return await asyncio.to_thread(_file_of, found[0].attachment)
    return None


def _file_of(attachment: Attachment) -> RecordFile:
    return RecordFile(attachment, parse_record(attachment.content).fingerprint)


async def read_record(services: Desk, slug: str) -> Record:
    """The record of a game, as its players got it. Refused before its end (`too-early`), or if it
    never began or cannot be played again.
    """
    async with services.read() as tx:
        game = await find_game(tx.work, slug)
        table = await load_table(tx, game)
        if game.phase_number == 0:
            raise Refused("not-running", f"{slug} has not begun")
        if game.status not in ("over", "ended"):
            raise Refused(
                "too-early", f"{slug} is not over; its seed and its orders are secret until then"
            )
        kept = await read_kept(tx.work, table)
    try:
        return await asyncio.to_thread(make_record, table, kept)
    except ValueError as error:
        raise Refused(
            "unrecordable", f"{slug} cannot be played again as it was kept: {error}"
        ) from error
