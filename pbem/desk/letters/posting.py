"""Who gets which letter when something has happened at a table: bulletins to everybody, questions
to those asked.

Everything here is pure: rows and views in, letters out. Letters are pages of one reader each; what
the public may know is rendered once and addressed to all.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Event, Phase, Standing
from pbem.desk.chat.links import PERSON, make_link, orders_link, read_bot
from pbem.desk.chat.menus import with_entries
from pbem.desk.envelope.addressing import (
    Enclosed,
    MasterAddress,
    Recipient,
    SeatAt,
    letter_to,
    seat_token,
)
from pbem.desk.envelope.letter import Attachment, ChatButton, NewLetter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.labels import Label, format_label
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.routing import Reach, reach_of
from pbem.desk.people.masters import masters_of, read_around
from pbem.desk.people.watchers import Watcher, read_watchers
from pbem.desk.ports import Context
from pbem.desk.press.readers import may_read
from pbem.desk.table import OpenTable, mail_addresses, page_reader, page_table
from pbem.desk.upkeep.recording import RecordFile
from pbem.pages.page import Page, Reader, RecordFacts
from pbem.store.repositories.around import Around
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

INVITED_TURNS = 2
"""In the first turns a letter offers the way to play by Telegram; later `help` does."""


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """A phase that was closed (or a game that began), and what is asked now; `number` is the new
    phase's.
    """

    table: OpenTable
    state: Any
    events: tuple[Event, ...]
    phase: Phase
    number: int
    opened_at: datetime
    deadline: datetime | None
    now: datetime
    moved_for: tuple[int, ...] = ()
    """The absences for which the deadline is later."""
    untold: tuple[Event, ...] = ()
    """What came before and is told with it."""
    is_told: bool = True
    """Whether the table is told of it now, and not at the end of the span that goes on."""
    span_began_at: datetime | None = None

    @property
    def told(self) -> tuple[Event, ...]:
        """All that there is to tell of now."""
        return (*self.untold, *self.events)

    def label(self, rolled_back_to: int | None = None) -> Label:
        """What is kept of the new phase for showing it."""
        absent = {absence.person_id for absence in self.table.away if absence.key in self.moved_for}
        names = [
            seat.name if self.table.settings.tells_names else ""
            for seat in self.table.seats
            if seat.person_id in absent
        ]
        return Label(
            self.phase.turn,
            rolled_back_to,
            tuple(dict.fromkeys(names)),
            self.phase.span.key if self.phase.span is not None else "",
            self.span_began_at,
            not self.is_told,
            self.phase.reminders,
        )

    def new_phase(self, rolled_back_to: int | None = None) -> PhaseRow | None:
        """The next phase as the store will hold it, no reminder counted; None when the game is
        over.
        """
        if self.deadline is None:
            return None
        return PhaseRow(
            id=0,
            game_id=self.table.game.id,
            number=self.number,
            kind=self.phase.kind,
            asked=self.phase.asked,
            opened_at=self.opened_at,
            deadline=self.deadline,
            closed_at=None,
            status="open",
            held_since=None,
            ics_sequence=0,
            reminders_sent=0,
            label=format_label(self.label(rolled_back_to)),
        )


@dataclass(frozen=True, slots=True)
class Recipients:
    """The people around a table: who sits where, their mail addresses ("": reached in a chat
    alone), the game masters', and who looks on.
    """

    table: OpenTable
    seated: tuple[tuple[SeatRow, PersonRow, str], ...]
    gms: tuple[MasterAddress, ...]
    watchers: tuple[Watcher, ...] = ()
    chats: frozenset[int] = frozenset()
    """Who of them is reached on Telegram."""
    groups: tuple[tuple[str, int | None], ...] = ()
    """The chats of the table's groups, and their topics."""
    bot: str | None = None
    letters: Mapping[int, int] = field(default_factory=dict)
    """By seat, of those in a chat: how much press of others the open phase has brought them."""
    reach: Reach = field(default_factory=lambda: Reach({}, {}))
    """How all of them are reached."""

    def readers(self, context: Context) -> Iterator[tuple[Reader, SeatRow, str]]:
        """Everybody at the table who can be reached, also the eliminated."""
        for seat, person, address in self.seated:
            yield page_reader(seat, person, context.policy.zone), seat, address


async def read_recipients(work: Work, context: Context, table: OpenTable) -> Recipients:
    """Look up everybody of a table, and the game masters who may run it."""
    around = await read_around(work, context.policy, table.game.id)
    bot = await read_bot(work)
    return await recipients_of(work, context, table, around, bot, context.clock.now())


async def recipients_of(
    work: Work, context: Context, table: OpenTable, around: Around, bot: str | None, now: datetime
) -> Recipients:
    """The same, by who is `around` the table and the name of the bot."""
    reach = reach_of(around, now)
    mails = mail_addresses(row for one in around.people.values() for row in one.addresses)
    seated = [
        (seat, around.people[seat.person_id].person, mails.get(seat.person_id, ""))
        for seat in table.seats
        if seat.person_id is not None
        and seat.status != "left"
        and (seat.person_id in mails or seat.person_id in reach.telegram)
    ]
    chats = frozenset(person.id for _, person, _ in seated if person.id in reach.telegram)
    groups = tuple(
        (row.address, row.thread_id)
        for row in await work.chats.list_of_game(table.game.id)
        if row.channel == TELEGRAM
    )
    return Recipients(
        table,
        tuple(seated),
        masters_of(around, context.policy),
        await read_watchers(work, table, around),
        chats,
        groups,
        bot,
        await _count_letters(
            work, table, [seat for seat, person, _ in seated if person.id in chats]
        ),
        reach,
    )


async def _count_letters(work: Work, table: OpenTable, seats: Sequence[SeatRow]) -> dict[int, int]:
    if table.phase is None or not seats:
        return {}
    rows = [
        row for row in await work.press.list_since(table.game.id, table.phase.opened_at) if row.text
    ]
    return {
        seat.id: sum(row.seat_id != seat.id and may_read(table, row, seat) for row in rows)
        for seat in seats
    }


def gm_letters(
    context: Context,
    table: OpenTable,
    desk: Recipients,
    page_for: Callable[[Reader], Page],
    *,
    kind: str,
    dedupe_key: str,
    attachment: Attachment | None = None,
    shows_board: bool = False,
    commander: int | None = None,
) -> Iterator[NewLetter]:
    """The same page to every game master of the table but the `commander`, who has an answer of
    their own; an answer to it is proof, and means this table.
    """
    for master in desk.gms:
        if commander is not None and master.person_id == commander:
            continue
        code = master.token_by(context.key, table.game.id)
        name = master.name or table.settings.gm_name or context.policy.name
        page = page_for(Reader(None, name, master.zone, master.locale, code))
        key = f"{dedupe_key}:gm:{master.address}"
        yield letter_to(
            context,
            master.recipient(context.key, name, table.game),
            page,
            kind,
            key,
            Enclosed(attachment=attachment, shows_board=shows_board),
        )


def everybody_letters(
    context: Context,
    result: PhaseResult,
    desk: Recipients,
    seed: bytes,
    *,
    has_picture: bool,
    act: int | None = None,
    record: RecordFile | None = None,
    is_told: bool = False,
) -> Iterator[NewLetter]:
    """The bulletin, or at the end the ending with the seed and the record: one page, rendered once,
    to everybody and the game masters. Nothing while a span goes on. `act` is the number of the act
    that it tells of, where no phase was closed. `is_told`: players and game masters are told
    otherwise.
    """
    if not result.is_told:
        return
    table, game = result.table, result.table.game
    view = table.kind.ruleset.view(result.state, None)
    public = tuple(event for event in result.told if event.is_for(None))
    facts = page_table(
        table, context.policy, result.now, phase=result.new_phase(), has_picture=has_picture
    )
    if result.phase.over is not None:
        kind, page = (
            "ending",
            table.kind.pages.ending(
                facts, view, public, seed.hex(), game.commitment, record_facts(record)
            ),
        )
    else:
        kind, page = "bulletin", table.kind.pages.bulletin(facts, view, public)
    key = f"{kind}:{game.id}:{game.phase_number}" + ("" if act is None else f":act{act}")
    attachment = record.attachment if record is not None else None
    if is_told:
        yield from outside_letters(
            context, result, desk, page, kind=kind, dedupe_key=key, attachment=attachment
        )
        return
    told_otherwise = (
        frozenset(result.phase.asked)
        if act is None and result.deadline is not None
        else frozenset()
    )
    yield from shared_letters(
        context,
        result,
        desk,
        page,
        kind=kind,
        dedupe_key=key,
        attachment=attachment,
        told_otherwise=told_otherwise,
        answered=None if act is None else result.new_phase(),
    )


def not_asked_any_more(result: PhaseResult) -> frozenset[int]:
    """The seats that are asked no more in a phase that stays open after an act."""
    phase = result.table.phase
    return frozenset(phase.asked if phase is not None else ()) - frozenset(result.phase.asked)


def news_letters(
    context: Context,
    result: PhaseResult,
    desk: Recipients,
    *,
    act: int,
    but_not: Collection[object],
) -> Iterator[NewLetter]:
    """What an act of that number has brought that some may know alone, to each of them but those
    who are told otherwise, with the menu in a chat.
    """
    table, phase = result.table, result.new_phase()
    if phase is None:
        return
    for reader, seat, address in desk.readers(context):
        told = tuple(
            event
            for event in result.events
            if event.audience is not None and event.is_for(seat.number)
        )
        if not told or seat.number in but_not:
            continue
        facts = page_table(table, context.policy, result.now, phase=phase)
        view = table.kind.ruleset.view(result.state, seat.number)
        letter = letter_to(
            context,
            SeatAt(game=table.game, seat=seat, phase_number=phase.number, address=address),
            table.kind.pages.happened(facts, reader, view, told),
            "news",
            f"news:{table.game.id}:{phase.number}:{seat.id}:{seat.tenure}:act{act}",
        )
        if seat.person_id in desk.chats:
            letter = with_entries(context, letter, table, result.state, phase, seat, Standing())
        yield letter


def record_facts(record: RecordFile | None) -> RecordFacts | None:
    """What a page tells of the file that goes with it."""
    if record is None:
        return None
    return RecordFacts(record.attachment.filename, record.fingerprint, record.past)


def shared_letters(
    context: Context,
    result: PhaseResult,
    desk: Recipients,
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    attachment: Attachment | None = None,
    told_otherwise: frozenset[int] = frozenset(),
    answered: PhaseRow | None = None,
) -> Iterator[NewLetter]:
    """One page with the board, the same for everybody at the table (but for seats that are told
    otherwise), the game masters and whoever looks on. In a chat the menu is below it if it tells of
    the phase that is open (`answered`): it may ask for a word.
    """
    for _reader, seat, address in desk.readers(context):
        if seat.number in told_otherwise:
            continue
        letter = letter_to(
            context,
            SeatAt(
                game=result.table.game,
                seat=seat,
                phase_number=result.number,
                address=address,
                on_list=True,
            ),
            page,
            kind,
            f"{dedupe_key}:{seat.id}:{seat.tenure}",
            Enclosed(attachment=attachment, shows_board=True),
        )
        if answered is not None and seat.number in answered.asked and seat.person_id in desk.chats:
            table, state = result.table, result.state
            letter = with_entries(context, letter, table, state, answered, seat, Standing())
        yield letter
    yield from gm_letters(
        context,
        result.table,
        desk,
        lambda _reader: page,
        kind=kind,
        dedupe_key=dedupe_key,
        attachment=attachment,
        shows_board=True,
    )
    yield from outside_letters(
        context, result, desk, page, kind=kind, dedupe_key=dedupe_key, attachment=attachment
    )


def outside_letters(
    context: Context,
    result: PhaseResult,
    desk: Recipients,
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    attachment: Attachment | None = None,
) -> Iterator[NewLetter]:
    """The page with the board to whoever looks on, and to the table's groups."""
    for watcher in desk.watchers:
        yield letter_to(
            context,
            watcher.recipient(context.key, result.table.game),
            page,
            kind,
            watcher.keyed(dedupe_key),
            Enclosed(attachment=attachment, shows_board=True),
        )
    yield from group_letters(
        context, result.table, desk, page, kind=kind, dedupe_key=dedupe_key, shows_board=True
    )


def group_letters(
    context: Context,
    table: OpenTable,
    desk: Recipients,
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    shows_board: bool = False,
) -> Iterator[NewLetter]:
    """What everybody may know to the table's groups, with a button that leads each reader to their
    own orders, in private.
    """
    button = (
        ()
        if desk.bot is None
        else (
            (
                ChatButton(
                    context.pages.chat.words("my_orders"), url=orders_link(desk.bot, table.game.id)
                ),
            ),
        )
    )
    for chat_id, thread_id in desk.groups:
        letter = letter_to(
            context,
            Recipient(address=chat_id, name="", game=table.game),
            page,
            kind,
            f"{dedupe_key}:group:{chat_id}",
            Enclosed(shows_board=shows_board),
        )
        yield msgspec.structs.replace(letter, buttons=button, chat_thread=thread_id)


def next_phase_letters(
    context: Context,
    result: PhaseResult,
    desk: Recipients,
    only: frozenset[int] | None = None,
    *,
    has_picture: bool,
    act: int | None = None,
) -> Iterator[NewLetter]:
    """The next question to everybody who is asked (`only` these of them), with the deadline as a
    calendar file, unless the clock stands still. `act` is the number of the act by which they are
    asked, where no phase was closed.
    """
    table, game, phase = result.table, result.table.game, result.new_phase()
    if phase is None:
        return
    asked = frozenset(result.phase.asked) if only is None else only
    for reader, seat, address in desk.readers(context):
        if seat.number not in asked:
            continue
        key = f"turn:{game.id}:{phase.number}:{seat.id}:{seat.tenure}"
        key += "" if act is None else f":act{act}"
        link = None
        is_new = result.phase.turn <= INVITED_TURNS
        if is_new and desk.bot is not None and address and seat.person_id not in desk.chats:
            link = make_link(
                context.key, desk.bot, PERSON, about=key, now=result.now, person_id=seat.person_id
            )
        page = turn_page(
            context,
            table,
            result.state,
            phase,
            reader,
            seat,
            result.told,
            Standing(),
            result.now,
            has_picture=has_picture,
            telegram=link.url if link is not None else "",
        )
        letter = letter_to(
            context,
            SeatAt(game=game, seat=seat, phase_number=phase.number, address=address),
            page,
            "turn",
            key,
            Enclosed(
                calendar=phase_calendar(context.policy, game, phase, result.now, page)
                if game.status != "paused"
                else None,
                shows_board=True,
            ),
        )
        if seat.person_id in desk.chats:
            letter = with_entries(
                context,
                letter,
                table,
                result.state,
                phase,
                seat,
                Standing(),
                letters=desk.letters.get(seat.id, 0),
            )
        yield letter if link is None else msgspec.structs.replace(letter, link=link.kept)


def turn_page(
    context: Context,
    table: OpenTable,
    state: Any,
    phase: PhaseRow,
    reader: Reader,
    seat: SeatRow,
    events: tuple[Event, ...],
    standing: Standing[Any],
    now: datetime,
    *,
    has_picture: bool,
    telegram: str = "",
) -> Page:
    """The turn mail of one player: from this player's own view and events alone. `telegram` is a
    link for who does not play there yet.
    """
    view = table.kind.ruleset.view(state, seat.number)
    known = tuple(event for event in events if event.is_for(seat.number))
    code = seat_token(context.key, seat, phase.number)
    facts = replace(
        page_table(table, context.policy, now, code=code, phase=phase, has_picture=has_picture),
        telegram=telegram,
    )
    return table.kind.pages.turn(facts, reader, view, known, standing)
