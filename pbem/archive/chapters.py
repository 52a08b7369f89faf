"""What a gallery tells of a game, read from the store: each close as the public knew it, and the
letters of a game that is over.

Bulletins are made anew from the states and events that were kept, so that they are there however
old the game is.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Event
from pbem.desk.chat.drafts import ChatDraft
from pbem.desk.chat.reading import message_of_update
from pbem.desk.envelope.letter import Draft
from pbem.desk.envelope.message import MAIL, TELEGRAM, message_of_mail
from pbem.desk.envelope.opened import rules_of
from pbem.desk.labels import parse_label
from pbem.desk.letters.posting import PhaseResult
from pbem.desk.phases.past import count_pictured, lineage
from pbem.desk.phases.results import paint
from pbem.desk.ports import Services
from pbem.desk.press.relaying import piece_for
from pbem.desk.press.unmasking import read_unmasking
from pbem.desk.table import OpenTable, decode_events, load_table, page_table
from pbem.mail.inbound.reading import read_mail
from pbem.pages.gallery import Happening
from pbem.pages.page import Page, Reader, RecordFacts
from pbem.pages.press import Piece
from pbem.store.errors import StoreError
from pbem.store.repositories.events import EventRow
from pbem.store.repositories.forgetting import EMPTY_LETTER
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work
from pbem.telegram.updates import read_update

MOST_LETTERS = 100_000


@dataclass(frozen=True, slots=True)
class Chapter:
    """The start (phase 0) or one close: what everybody was told, and the board as it lay then."""

    phase_number: int
    turn: int
    kind: str
    at: datetime
    page: Page
    png: bytes
    alt: str
    happenings: tuple[Happening, ...]
    view: Any


@dataclass(frozen=True, slots=True)
class _Close:
    """The rows of one close."""

    number: int
    phase: PhaseRow | None
    next_phase: PhaseRow | None
    events: tuple[EventRow, ...]
    state: Any
    at: datetime


@dataclass(frozen=True, slots=True)
class _Kept:
    table: OpenTable
    seed: str
    land: bytes
    closes: tuple[_Close, ...]


async def read_chapters(
    services: Services, game: GameRow, record: RecordFacts | None = None
) -> list[Chapter]:
    """Every close of the game that still counts, the start first. Phases that were rolled back are
    left out. `record` is the file that the last one tells of.
    """
    kept = await _read(services, game)
    chapters: list[Chapter] = []
    told: list[tuple[Event, ...]] = []
    spans: list[str] = []
    for close in kept.closes:
        public = decode_events(kept.table.kind, close.events, None)
        lately = told[len(told) - count_pictured(spans, kept.table.kind.pictured) :]
        chapters.append(
            await _chapter(
                services,
                kept,
                close,
                public,
                [event for events in lately for event in events],
                record,
            )
        )
        told.append(public)
        spans.append(parse_label(close.phase).span if close.phase is not None else "")
    return chapters


async def _read(services: Services, game: GameRow) -> _Kept:
    async with services.database.read() as work:
        table = await load_table(work, services.games, game)
        seed, land = await work.games.read_seed(game.id), await work.games.read_land(game.id) or b""
        phases = await work.phases.list_of_game(game.id)
        closes = await _closes(
            work,
            table,
            {phase.number: phase for phase in phases},
            lineage(phases, game.phase_number),
        )
    return _Kept(table, seed, land, closes)


async def _closes(
    work: Work, table: OpenTable, phases: dict[int, PhaseRow], line: tuple[int, ...]
) -> tuple[_Close, ...]:
    """`line` are the phases that count, without the last; each led to the next one of it, or to the
    last.
    """
    game, rules = table.game, table.kind.ruleset
    found = []
    for number in line:
        row = await work.states.find(game.id, number + 1)
        if row is None:
            raise StoreError(f"the state after phase {number} of {game.slug} is missing")
        phase = phases.get(number)
        at = phase.closed_at if phase is not None else game.started_at
        events = tuple(await work.events.list_of_phase(game.id, number))
        found.append(
            _Close(
                number,
                phase,
                phases.get(number + 1),
                events,
                rules.decode_state(row.body),
                at or game.created_at,
            )
        )
    return tuple(found)


async def _chapter(
    services: Services,
    kept: _Kept,
    close: _Close,
    public: tuple[Event, ...],
    before: list[Event],
    record: RecordFacts | None,
) -> Chapter:
    table, pages = kept.table, kept.table.kind.pages
    rules = table.kind.ruleset
    view, phase = rules.view(close.state, None), rules.phase(close.state)
    deadline = close.next_phase.deadline if close.next_phase is not None else None
    result = PhaseResult(
        table, close.state, public, phase, close.number + 1, close.at, deadline, close.at
    )
    picture = await paint(services, result, kept.land, before)
    facts = page_table(
        table, services.policy, close.at, phase=close.next_phase, has_picture=picture is not None
    )
    reader = Reader(None, "everybody", table.settings.zone)
    if close.number == 0:
        page = pages.welcome(facts, reader, view, table.game.commitment, public)
    elif phase.over is not None:
        page = pages.ending(facts, view, public, kept.seed, table.game.commitment, record)
    else:
        page = pages.bulletin(facts, view, public)
    turn = parse_label(close.phase).turn if close.phase is not None else 0
    told = (
        Happening(close.number, turn, event.kind, pages.describe_event(event, view))
        for event in public
    )
    return Chapter(
        phase_number=close.number,
        turn=turn,
        kind=close.phase.kind if close.phase is not None else "start",
        at=close.at,
        page=page,
        png=picture.png if picture is not None else b"",
        alt=picture.alt if picture is not None else "",
        happenings=tuple(happening for happening in told if happening.words),
        view=view,
    )


async def read_public_press(services: Services, table: OpenTable) -> list[Piece]:
    """What was said to everybody, the oldest first."""
    async with services.database.read() as work:
        rows = await work.press.list_of_game(table.game.id, MOST_LETTERS)
    return [piece_for(table, row, None) for row in rows if row.kind == "public" and row.text]


# ------------------------------------------------------------------------------------------ private
@dataclass(frozen=True, slots=True)
class PrivateMail:
    """A mail to or from a seat. Of one that came in only its new text is here; of ours the page and
    its picture.

    `place` orders mails of the same second (mail servers stamp no more): our news, what came in,
    our answers.
    """

    seat_number: int
    ours: bool
    at: datetime
    kind: str
    subject: str
    text: str
    html: str
    png: bytes
    place: tuple[int, int]


async def read_private_mails(services: Services, game: GameRow) -> list[PrivateMail]:
    """Everything between the post office and those who sat there, in order. What was tidied away
    since is missing, and what would tell who wrote press without a name.
    """
    async with services.database.read() as work:
        numbers = {seat.id: seat.number for seat in await work.seats.list_of_game(game.id)}
        sent = [
            row
            for row in await work.outbox.list_by_state("sent", MOST_LETTERS, game_id=game.id)
            if row.seat_id in numbers
        ]
        pictures = {row.picture_id for row in sent if row.picture_id is not None}
        drawn = {
            number: picture.png
            for number in pictures
            if (picture := await work.pictures.find(number)) is not None
        }
        hidden = await read_unmasking(work, game.id)
        mailed = {row.dedupe_key for row in sent if row.channel == MAIL}
        mails = []
        for row in sent:
            draft = _draft_of(row, mailed)
            if (
                row.seat_id is not None
                and draft is not None
                and not hidden.is_in_letter(row, draft.text)
            ):
                mails.append(_ours(row, draft, numbers[row.seat_id], drawn))
        for message in await work.inbox.list_by_state("handled", MOST_LETTERS):
            raw = await work.inbox.read_raw(message.id) if message.seat_id in numbers else None
            if raw is None or message.seat_id is None:
                continue
            if message.channel == TELEGRAM:
                mail = message_of_update(read_update(raw))
            else:
                mail = message_of_mail(read_mail(raw, rules_of(services.policy)))
            if hidden.is_in_message(message.seat_id, mail.text):
                continue
            outcome, place = message.outcome or "", (1, message.id)
            mails.append(
                PrivateMail(
                    numbers[message.seat_id],
                    False,
                    message.received_at,
                    outcome,
                    mail.subject,
                    mail.text,
                    "",
                    b"",
                    place,
                )
            )
    return sorted(mails, key=lambda mail: (mail.at.replace(microsecond=0), mail.place))


def _draft_of(row: OutboxRow, mailed: Collection[str | None]) -> Draft | None:
    """A letter as the mail it was, or would have been; None for one that is known already, or whose
    words are gone.
    """
    if row.letter == EMPTY_LETTER:
        return None
    if row.channel == MAIL:
        return msgspec.json.decode(row.letter, type=Draft)
    if (row.dedupe_key or "").partition(f"@{TELEGRAM}")[0] in mailed:
        return None
    return msgspec.json.decode(row.letter, type=ChatDraft).mail


def _ours(row: OutboxRow, draft: Draft, seat_number: int, drawn: dict[int, bytes]) -> PrivateMail:
    png = drawn.get(row.picture_id, b"") if row.picture_id is not None else b""
    place = (2 if draft.auto_submitted == "auto-replied" else 0, row.id)
    return PrivateMail(
        seat_number,
        True,
        row.created_at,
        row.kind,
        draft.subject,
        draft.text,
        draft.html or "",
        png,
        place,
    )
