"""The letters that tell of a result: the bulletin to everybody, news to some, the next question to
those asked; and what somebody gets who sits down in the middle of a game.

Everything here is pure: rows and views in, letters out. What the public may know is rendered once
and addressed to all.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Event, Phase
from pbem.desk.chat.links import PERSON, make_link
from pbem.desk.chat.menus import Asked, with_entries
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import Enclosed, seat_token
from pbem.desk.hours import view_at
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.post import OUTSIDE, Masters, Post, Seats, Told
from pbem.desk.letters.table_people import Digests
from pbem.desk.phases.past import ALL_TOLD, BULLETIN, Untold, lineage, read_past, tell_past
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_table
from pbem.desk.upkeep.records import RecordFile
from pbem.pages.page import Page, Reader, RecordFacts, Table
from pbem.store.repositories.phases import Label, PhaseRow, format_label, parse_label
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
    untold: Untold = ALL_TOLD
    """What came before and is told with it."""
    is_told: bool = True
    """Whether the table is told of it now, and not at the end of the open span."""
    span_began_at: datetime | None = None

    @property
    def told(self) -> tuple[Event, ...]:
        """All that we tell now."""
        return (*self.untold.events, *self.events)

    def struck(self) -> frozenset[int] | None:
        """The players who are told before their digest: those who attacked or were attacked. None:
        all are told now, if in the phase that was closed all acted together, or somebody's act was
        told already, or the game is over.
        """
        table, pages, before = self.table, self.table.kind.pages, self.table.phase
        waits = before is not None and before.kind in pages.in_turns and self.deadline is not None
        if not waits or self.untold.is_told_of:
            return None
        view = table.kind.ruleset.view(self.state, None)
        public = [event for event in self.events if event.is_for(None)]
        struck = (one for one in pages.news(view, public) if one.mark)
        return frozenset(player for one in struck for player in one.players)

    @property
    def is_end_of_turn(self) -> bool:
        """Whether the next question is of another turn."""
        before = self.table.phase
        return before is not None and self.phase.turn > parse_label(before).turn

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
class ResultLetters:
    """The letters that tell of a result. `act` is the number of the act that it came from, where no
    phase was closed; `has_picture`: the board goes with them.
    """

    post: Post
    result: PhaseResult
    act: int | None = None
    has_picture: bool = False

    @classmethod
    def of(
        cls, post: Post, result: PhaseResult, act: int | None = None, *, has_picture: bool = False
    ) -> "ResultLetters":
        """The same for the post of a table, as the result leaves it."""
        table, phase = result.table, result.new_phase()
        shown = replace(post, table=table, now=result.now, number=result.number, shown=phase)
        return cls(shown, result, act, has_picture)

    def bulletin(
        self, seed: bytes, record: RecordFile | None = None, *, is_told: bool = False
    ) -> Iterator[NewLetter]:
        """The bulletin, or at the end the ending with the seed and the record: one page, rendered
        once, to everybody and the game masters; the end to each player as theirs. Nothing within a
        span. `is_told`: players and game masters are told otherwise.
        """
        result, pages = self.result, self.result.table.kind.pages
        if not result.is_told:
            return
        game = result.table.game
        view = result.table.kind.ruleset.view(result.state, None)
        facts = self.post.facts(has_picture=self.has_picture)
        over = result.phase.over
        kind = "ending" if over is not None else BULLETIN

        def told_of(events: Sequence[Event]) -> Told:
            public = tuple(event for event in events if event.is_for(None))
            if over is None:
                return pages.bulletin(facts, view, public)
            end = (view, public, seed.hex(), game.commitment, record_facts(record))
            page = pages.ending(facts, *end)

            def told(_: Table, reader: Reader) -> Page:
                won_by = reader.name if reader.number in over.winners else ""
                told_to = replace(facts, won_by=won_by, told_to=reader.number)
                return page if reader.number is None else pages.ending(told_to, *end)

            return told

        file = record.attachment if record is not None else None
        enclosed = Enclosed(file, shows_board=self.has_picture)
        digests = self._digests()
        held = digests.untold.held
        asked = result.phase.asked if self.act is None and result.deadline is not None else ()
        before: dict[int | None, tuple[Event, ...]] = {None: ()}
        before |= {one.since: one.events for one in held.values()}
        for since, events in before.items():
            told = told_of((*events, *result.told))
            number = game.phase_number if since is None else since
            key = f"{kind}:{game.id}:{number}{self._suffix}"
            inside = () if is_told else self.to_table(told, kind, key, enclosed, asked)
            for letter in (*inside, *self.post.to(OUTSIDE, told, kind, key, enclosed)):
                waiting = held.get(letter.dedupe_key.removeprefix(f"{key}:"))
                if since == (waiting.since if waiting is not None else None):
                    yield digests.timed(letter, self._number_of(letter), waiting)

    def _digests(self) -> Digests:
        result = self.result
        return Digests(
            self.post.people,
            result.untold if self.act is None else ALL_TOLD,
            result.struck() if self.act is None else None,
            result.table.phase.asked if result.table.phase is not None else (),
            result.is_end_of_turn,
            result.now,
            result.table.settings.zone,
        )

    def to_table(
        self, told: Told, kind: str, key: str, enclosed: Enclosed, but: Collection[int] = ()
    ) -> Iterator[NewLetter]:
        """A page to the players, `but` these seats, and to the game masters. After an act who is
        asked has the menu below it in a chat: it may ask for a word.
        """
        asked = () if self.act is None else self.result.phase.asked
        seats = Seats(but=but, each_tenure=True, on_list=True)
        for letter in self.post.to(seats, told, kind, key, enclosed):
            seat = self._seat_of(letter)
            yield self._with_menu(letter, seat) if seat.number in asked else letter
        yield from self.post.to(Masters(), told, kind, key, enclosed)

    def _seat_of(self, letter: NewLetter) -> SeatRow:
        return next(one for one in self.result.table.seats if one.id == letter.seat_id)

    def _number_of(self, letter: NewLetter) -> int | None:
        """The player it is for; None: somebody without a seat."""
        return self._seat_of(letter).number if letter.seat_id is not None else None

    def news(self, but_not: Collection[object]) -> Iterator[NewLetter]:
        """What an act has brought that some may know alone, to each of them but those who are told
        otherwise, with the menu in a chat.
        """
        result, phase = self.result, self.result.new_phase()
        if phase is None:
            return
        kind, game = result.table.kind, result.table.game
        for reader, to in self.post.seats():
            told = tuple(
                event
                for event in result.events
                if event.audience is not None and event.is_for(to.seat.number)
            )
            if not told or to.seat.number in but_not:
                continue
            view = kind.ruleset.view(result.state, to.seat.number)
            page = kind.pages.happened(self.post.facts(), reader, view, told)
            key = f"news:{game.id}:{phase.number}:{to.seat.id}:{to.seat.tenure}{self._suffix}"
            yield self._with_menu(self.post.letter(to, page, "news", key), to.seat)

    def questions(self, only: Collection[int] | None = None) -> Iterator[NewLetter]:
        """The next question to everybody who is asked (`only` these of them), with the deadline as
        a calendar file, unless the clock stands still.
        """
        result, phase, post = self.result, self.result.new_phase(), self.post
        if phase is None:
            return
        bot, people, digests = post.people.bot, post.people, self._digests()
        for reader, to in post.seats(Seats(result.phase.asked if only is None else only)):
            seat = to.seat
            held = digests.untold.held.get(f"{seat.id}:{seat.tenure}")
            key = f"turn:{post.table.game.id}:{phase.number}:{seat.id}:{seat.tenure}{self._suffix}"
            link = None
            is_new = result.phase.turn <= INVITED_TURNS
            if is_new and bot is not None and to.address and seat.person_id not in people.chats:
                link = make_link(
                    post.context.key,
                    bot,
                    PERSON,
                    about=key,
                    now=result.now,
                    person_id=seat.person_id,
                )
            page = turn_page(
                post,
                Asked(result.table, result.state, phase, seat),
                reader,
                (*(held.events if held is not None else ()), *result.told),
                has_picture=self.has_picture,
                telegram=link.url if link is not None else "",
            )
            game, policy = post.table.game, post.context.policy
            calendar = phase_calendar(policy, game, phase, result.now, page)
            enclosed = Enclosed(calendar=calendar, shows_board=self.has_picture)
            letter = post.letter(to, page, "turn", key, enclosed)
            letter = self._with_menu(letter, seat, people.letters.get(seat.id, 0))
            letter = digests.with_answers(letter if held is None else held.told_in(letter))
            yield letter if link is None else msgspec.structs.replace(letter, link=link.kept)

    @property
    def _suffix(self) -> str:
        return "" if self.act is None else f":act{self.act}"

    def _with_menu(self, letter: NewLetter, seat: SeatRow, letters: int = 0) -> NewLetter:
        phase = self.result.new_phase()
        if phase is None or seat.person_id not in self.post.people.chats:
            return letter
        asked = Asked(self.result.table, self.result.state, phase, seat)
        return with_entries(self.post.context, letter, asked, letters=letters)


def turn_page(
    post: Post,
    asked: Asked,
    reader: Reader,
    events: tuple[Event, ...],
    *,
    has_picture: bool = False,
    telegram: str = "",
) -> Page:
    """The turn mail of one player: from this player's own view and events alone. `telegram` is a
    link for a player who does not play there yet.
    """
    kind, seat = asked.table.kind, asked.seat
    view = kind.ruleset.view(asked.state, seat.number)
    known = tuple(event for event in events if event.is_for(seat.number))
    code = seat_token(post.context.key, seat, asked.phase.number)
    facts = page_table(
        asked.table,
        post.context,
        now=post.now,
        code=code,
        phase=asked.phase,
        has_picture=has_picture,
        in_chat=post.is_in_chat(seat.person_id),
    )
    return kind.pages.turn(replace(facts, telegram=telegram), reader, view, known, asked.standing)


def not_asked_any_more(result: PhaseResult) -> frozenset[int]:
    """The seats that are no longer asked in a phase that stays open after an act."""
    phase = result.table.phase
    return frozenset(phase.asked if phase is not None else ()) - frozenset(result.phase.asked)


def record_facts(record: RecordFile | None) -> RecordFacts | None:
    """What a page tells of the file that goes with it."""
    if record is None:
        return None
    return RecordFacts(record.attachment.filename, record.fingerprint, record.past)


PICTURED = ("turn", "bulletin", "welcome")


async def newcomer_letters(
    tx: Transaction[Context], post: Post, seat: SeatRow, *, until: datetime | None = None
) -> list[NewLetter]:
    """The welcome in the middle of a game and, if this seat is asked, the question; none if nobody
    can be reached there. `until`: then the seat goes back to whom it belongs.
    """
    found = next((one for one in post.seats() if one[1].seat.id == seat.id), None)
    if found is None:
        return []
    (reader, to), table, game = found, post.table, post.table.game
    picture_id = next(
        (
            row.picture_id
            for row in await tx.work.outbox.list_last_of_seat(seat.id, PICTURED, 6)
            if row.picture_id
        ),
        None,
    )
    view = view_at(table, seat.number, post.now)
    past = tell_past(table, await read_past(tx.work, table), view, seat.number)
    has_picture = picture_id is not None
    facts = replace(post.facts(to, has_picture=has_picture), stand_in_until=until)
    page = await asyncio.to_thread(
        table.kind.pages.takeover, facts, reader, view, past, game.commitment
    )
    key = f"welcome:{game.id}:{seat.id}:{seat.tenure}"
    welcome = post.letter(to, page, "welcome", key, Enclosed(picture_id=picture_id))
    if table.phase is None or seat.number not in table.phase.asked:
        return [welcome]
    page = await asyncio.to_thread(
        turn_page,
        post,
        Asked(table, table.state, table.phase, seat),
        reader,
        await _last_events(tx.work, table),
        has_picture=has_picture,
    )
    calendar = phase_calendar(post.context.policy, game, table.phase, post.now, page)
    key = f"turn:{game.id}:{post.number}:{seat.id}:{seat.tenure}"
    enclosed = Enclosed(calendar=calendar, picture_id=picture_id)
    return [welcome, post.letter(to, page, "turn", key, enclosed)]


async def _last_events(work: Work, table: OpenTable) -> tuple[Event, ...]:
    """What happened in the phase before, to everybody and to each."""
    line = lineage(await work.phases.list_of_game(table.game.id), table.game.phase_number)
    rows = await work.events.list_of_phase(table.game.id, line[-1]) if line else []
    return tuple(table.kind.ruleset.decode_event(row.body.encode()) for row in rows)
