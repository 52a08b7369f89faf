"""`why P6`: how something came out as it did, from the stored events, as far as whoever asks may
know.
"""

import asyncio
from collections.abc import Sequence

from pbem.desk.labels import parse_label
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.past import Told, lineage
from pbem.desk.table import OpenTable, decode_events
from pbem.pages.page import Page, PhaseEvents, Reader, Table
from pbem.store.work import Work


async def answer_why(talk: Conversation[Player], words: str) -> Page:
    """The answer to a player's question; at a table whose game has none, what can be said there."""
    past = await read_whole_past(talk.work, talk.table)
    return await asyncio.to_thread(
        why_page, talk.table, talk.page_table(), talk.reader, past, words
    )


async def read_whole_past(work: Work, table: OpenTable) -> tuple[Told, ...]:
    """Every phase that led to the open one, it included, the first first; and those that were
    rolled back, without their events.
    """
    number = table.game.phase_number
    phases = {phase.number: phase for phase in await work.phases.list_of_game(table.game.id)}
    line = {*lineage(tuple(phases.values()), number), number}
    rows = await work.events.list_of_game(table.game.id)
    return tuple(
        Told(
            n,
            phases.get(n),
            tuple(row for row in rows if row.phase_number == n) if n in line else (),
            n not in line,
        )
        for n in range(number + 1)
    )


def why_page(table: OpenTable, at: Table, reader: Reader, past: Sequence[Told], words: str) -> Page:
    """What this reader is told (number None: what everybody may know)."""
    kind = table.kind
    view = kind.ruleset.view(table.state, reader.number)
    if kind.read_question is None:
        return kind.pages.help(at, reader, view)
    question = kind.read_question(view, reader.number, words)
    known = tuple(events_of(table, told, reader.number) for told in past)
    return kind.pages.why(at, reader, view, question, known)


def events_of(table: OpenTable, told: Told, player: int | None) -> PhaseEvents:
    """What this player (None: everybody) may know of a phase."""
    turn = parse_label(told.phase).turn if told.phase is not None else 0
    kind = told.phase.kind if told.phase is not None else "start"
    return PhaseEvents(
        told.number, turn, kind, decode_events(table.kind, told.events, player), told.is_undone
    )
