"""What the rules made of something, or would make of it: `why`, `what if`, `preview`."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.ruleset import NotSupposable, Supposed
from pbem.board.board import TableFacts
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.past import Told, decode_events, lineage
from pbem.desk.ports import PictureRequest
from pbem.desk.table import OpenTable
from pbem.grammar.house.commands import Preview, WhatIf
from pbem.grammar.kit.reading import SupposedItem, Supposition
from pbem.pages.page import Page, PhaseEvents, Reader, ReceiptItem, SuppositionFacts, Table
from pbem.store.repositories.phases import parse_label
from pbem.store.work import Work

WHAT_IF = "what-if"


async def answer_what_if(talk: Conversation[Player], command: WhatIf) -> Page | None:
    """What would happen if; the page where nothing is supposed: it says why."""
    return await _answer_supposition(talk, command.question, is_preview=False)


async def answer_preview(talk: Conversation[Player], command: Preview) -> Page | None:
    """The same of one's own stored orders alone."""
    return await _answer_supposition(talk, "", is_preview=True)


async def _answer_supposition(
    talk: Conversation[Player], question: str, *, is_preview: bool
) -> Page | None:
    table, seat, standing = talk.table, talk.seat, talk.standing
    kind, most = table.kind, table.settings.suppositions
    at = (table.game.id, table.game.phase_number, seat.id, seat.tenure)
    asked = "preview" if is_preview else hashlib.sha256(question.encode()).hexdigest()[:12]
    texts = tuple(kind.ruleset.format_order(table.state, order) for order in standing.orders)
    facts = SuppositionFacts(question=question, is_preview=is_preview, most=most, standing=texts)
    given = await talk.work.suppositions.list_of(*at)
    if (talk.row.id, asked) in given:
        return None  # handled by hand once more: the answer is there
    refused = await _refusal(talk, len(given))
    if refused is not None:
        return await _page(talk, replace(facts, refused=refused.code, when=_phases_of(refused)))
    if kind.read_supposition is None:
        return await asyncio.to_thread(
            kind.pages.help,
            talk.page_table(),
            talk.reader,
            kind.ruleset.view(table.state, seat.number),
        )
    read = Supposition({seat.number: tuple(standing.orders)} if standing.orders else {})
    if not is_preview:
        read = await talk.services.apart.run(
            kind.read_supposition, table.known(seat.number), seat.number, standing, question
        )
    facts = replace(
        facts,
        orders=_texts(talk, read.orders),
        stored=read.stored,
        clauses=tuple(map(_clause, read.items)),
    )
    if not read.is_understood:
        return await _page(talk, replace(facts, refused="not-understood"))
    supposed = await asyncio.to_thread(kind.ruleset.suppose, table.state, seat.number, read.orders)
    picture_id = await _painted(talk, supposed)
    facts = replace(
        facts,
        after=kind.ruleset.view(supposed.state, seat.number),
        events=supposed.events,
        hangs=supposed.hangs,
        left=most - len(given) - 1,
    )
    page = await _page(talk, facts, has_picture=picture_id is not None)
    await talk.work.suppositions.add(talk.row.id, asked, *at)
    await talk.answer(page, WHAT_IF, f".{asked}", picture_id)
    return None


async def _painted(talk: Conversation[Player], supposed: Supposed[Any]) -> int | None:
    """The picture of what is supposed; None where the message has one in its answer, or it cannot
    be painted.
    """
    said = talk.services.dispatch.answers
    if said is not None and said.have_picture:
        return None
    picture = talk.services.painting.held.picture(await _request(talk, supposed))
    if picture is None:
        return None
    digest = hashlib.sha256(picture.png).hexdigest()
    return await talk.work.pictures.add_once(talk.table.game.id, digest, picture.png, picture.alt)


async def _refusal(talk: Conversation[Player], given: int) -> NotSupposable | None:
    """Why nothing can be supposed now, if so."""
    table, seat, most = talk.table, talk.seat, talk.table.settings.suppositions
    if table.game.status in ("over", "ended"):
        return NotSupposable("game-over")
    if seat.status != "active":
        return NotSupposable("not-asked")
    if most <= 0:
        return NotSupposable("off")
    if table.game.status != "running":
        return NotSupposable("paused")
    try:
        await asyncio.to_thread(table.kind.ruleset.suppose, table.state, seat.number, {})
    except NotSupposable as refused:
        return refused
    return NotSupposable("limit") if given >= most else None


def _phases_of(refused: NotSupposable) -> tuple[str, ...]:
    when = refused.facts.get("when", ())
    return tuple(str(kind) for kind in when) if isinstance(when, tuple) else ()


def _texts(
    talk: Conversation[Player], orders: Mapping[int, tuple[Any, ...]]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    rules, state = talk.table.kind.ruleset, talk.table.state
    return tuple(
        (number, tuple(rules.format_order(state, order) for order in given))
        for number, given in orders.items()
    )


def _clause(supposed: SupposedItem) -> tuple[int | None, ReceiptItem]:
    item = supposed.item
    return supposed.player, ReceiptItem(0, item.quote, item.caret, item.texts, item.problems)


async def _request(talk: Conversation[Player], supposed: Supposed[Any]) -> PictureRequest:
    """What is painted: the table as it would lie, from what the reader knows."""
    table, rules = talk.table, talk.table.kind.ruleset
    phase = rules.phase(supposed.state)
    facts = TableFacts(table.game.title, phase.kind, None, table.settings.zone, hypothesis=True)
    painted = [
        rules.encode_state(supposed.state),
        *(rules.encode_event(event) for event in supposed.events),
        repr(facts).encode(),
    ]
    return PictureRequest(
        key=hashlib.sha256(b"\n".join(painted)).hexdigest(),
        board=table.kind.board,
        view=rules.view(supposed.state, None),
        events=supposed.events,
        land=await talk.work.games.read_land(table.game.id) or b"",
        facts=facts,
    )


async def _page(
    talk: Conversation[Player], facts: SuppositionFacts, *, has_picture: bool = False
) -> Page:
    table = talk.table
    view = table.kind.ruleset.view(table.state, talk.seat.number)
    at = talk.page_table(has_picture=has_picture)
    return await asyncio.to_thread(table.kind.pages.supposition, at, talk.reader, view, facts)


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
