"""The post of a table: it makes the letters to an audience."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec

from pbem.desk.chat.links import orders_link
from pbem.desk.chat.messages import NOTE
from pbem.desk.envelope.letter import Answering, ChatButton, NewLetter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.envelope.recipients import (
    NOTHING,
    Enclosed,
    MasterAddress,
    Recipient,
    SeatAt,
    letter_to,
    question_token,
)
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.queue import queue_letters
from pbem.desk.letters.table_people import TablePeople, Watcher, read_table_people
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, house_table, page_reader, page_table, reader_of
from pbem.pages.chat import button_words
from pbem.pages.notice import Notice, notice_page
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

Told = Page | Notice | Callable[[Table, Reader], Page | Notice]
"""The same page for everybody; a notice, as each reader sees it; or what each reader is told."""


def _page_for(told: Told, table: Table, reader: Reader) -> Page:
    """The page that this reader gets."""
    told = told if isinstance(told, Page | Notice) else told(table, reader)
    return notice_page(told, table, reader) if isinstance(told, Notice) else told


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits at the table: `only` these seat numbers, and none of `but`. With `each_tenure` a
    letter of the same key goes to every later player of a seat as well; `on_list`: everybody gets
    the same page.
    """

    only: Collection[int] | None = None
    but: Collection[int | None] = ()
    each_tenure: bool = False
    on_list: bool = False

    def has(self, number: int) -> bool:
        return (self.only is None or number in self.only) and number not in self.but


@dataclass(frozen=True, slots=True)
class Masters:
    """The game masters of the table, `but` the person who has an answer of their own."""

    but: int | None = None


@dataclass(frozen=True, slots=True)
class Watchers:
    """The observers of the table."""


@dataclass(frozen=True, slots=True)
class Groups:
    """The chats of the table's groups."""


Audience = Seats | Masters | Watchers | Groups


@dataclass(frozen=True, slots=True)
class Addressee:
    """The reader of a letter of their own: how its page and its envelope know them, and what the
    page shows around what they are told.
    """

    context: Context
    to: SeatAt | Recipient
    reader: Reader
    facts: Table

    def letter(
        self,
        told: Told,
        kind: str,
        key: str,
        answered: Answering | None = None,
        enclosed: Enclosed = NOTHING,
    ) -> NewLetter:
        """The letter that tells them this (`letter_to`)."""
        page = _page_for(told, self.facts, self.reader)
        return letter_to(self.context, self.to, page, kind, key, enclosed, answered)

    def note(
        self, told: Told, key: str, *, kind: str = NOTE, reply_to: int | None = None
    ) -> NewLetter:
        """A short answer in a chat that tells them this."""
        answered = Answering(None, (), TELEGRAM, reply_to)
        return self.letter(told, kind, f"{kind}:{key}", answered)


def facts_around(context: Context, table: OpenTable | None, code: str = "") -> Table:
    """What a page shows around what it tells: of the table, or of the house."""
    return house_table(context) if table is None else page_table(table, context, code=code)


def player_at(
    context: Context, table: OpenTable, seat: SeatRow, person: PersonRow | None, address: str
) -> Addressee:
    """The player who sits there now; an answer proves the seat."""
    to = SeatAt(table.game, seat, table.game.phase_number, address)
    reader = page_reader(seat, person, context.policy.zone)
    return Addressee(context, to, reader, page_table(table, context))


def former_player(
    context: Context, table: OpenTable, seat: SeatRow, person: PersonRow, address: str | None
) -> Addressee:
    """A person who had the seat, on their own ways; an answer proves nothing."""
    to = Recipient(address or "", seat.name, person.id, table.game, is_routed=True)
    reader = page_reader(seat, person, context.policy.zone)
    return Addressee(context, to, reader, page_table(table, context))


def person_at(
    context: Context,
    person: PersonRow | None,
    address: str,
    table: OpenTable | None = None,
    name: str = "",
) -> Addressee:
    """Somebody at this very address; an answer proves nothing. A stranger has this `name`."""
    reader, game = reader_of(person, context, name), table.game if table is not None else None
    to = Recipient(address, reader.name, person.id if person is not None else None, game)
    return Addressee(context, to, reader, facts_around(context, table))


def watcher_at(context: Context, table: OpenTable, watcher: Watcher) -> Addressee:
    """Somebody who watches; an answer gives only what everybody may know."""
    to = watcher.recipient(context.key, table.game)
    return Addressee(context, to, watcher.reader(to.token), page_table(table, context))


def master_at(context: Context, master: MasterAddress, table: OpenTable | None = None) -> Addressee:
    """A game master; an answer is proof, and means the table."""
    own = table.settings.gm_name if table is not None else ""
    name, game = (
        master.name or own or context.policy.name,
        table.game if table is not None else None,
    )
    to = master.recipient(context.key, name, game)
    return Addressee(context, to, master.reader(name), facts_around(context, table))


def operators(context: Context) -> Iterator[Addressee]:
    """The game masters whom the configuration names, by their addresses."""
    for address in context.policy.gm_addresses:
        reader = Reader(None, "the game master", context.policy.zone)
        to = Recipient(address, reader.name)
        yield Addressee(context, to, reader, house_table(context))


def asked(
    context: Context,
    pending: PendingRow,
    reader: Reader,
    person_id: int | None,
    table: OpenTable | None = None,
) -> Addressee:
    """The reader of a question, at the address (or chat) that it waits for; only an answer from
    there proves anything.
    """
    token, game = question_token(context.key, pending.id), table.game if table is not None else None
    to = Recipient(pending.address, reader.name, person_id, game, token)
    return Addressee(context, to, replace(reader, code=token), facts_around(context, table, token))


OUTSIDE: tuple[Audience, ...] = (Watchers(), Groups())
"""Who has no part in the game."""


def at_table(*, but: int | None = None, commander: int | None = None) -> tuple[Audience, ...]:
    """The players `but` one seat number, and the game masters but the `commander`, who hears of it
    in the answer.
    """
    return Seats(but=(but,)), Masters(but=commander)


@dataclass(frozen=True, slots=True)
class Post:
    """What all letters of a table at an instant have in common. Answers to them are for the phase
    of this `number`; pages show the phase `shown` (None: the open one), whose deadline goes with
    letters to players as a calendar entry if they are `dated`.
    """

    context: Context
    table: OpenTable
    people: TablePeople
    now: datetime
    number: int
    shown: PhaseRow | None = None
    dated: bool = False

    def to(
        self,
        audience: Audience | tuple[Audience, ...],
        told: Told,
        kind: str,
        key: str,
        enclosed: Enclosed = NOTHING,
    ) -> Iterator[NewLetter]:
        """The letters that tell each reader this; `key` is what they have in common."""
        has_picture = enclosed.shows_board
        for one in audience if isinstance(audience, tuple) else (audience,):
            match one:
                case Seats():
                    for reader, seat in self.seats(one):
                        facts = self.facts(seat, has_picture=has_picture)
                        written = _page_for(told, facts, reader)
                        own = f"{seat.seat.id}:{seat.seat.tenure}" if one.each_tenure else seat.own
                        with_it = replace(enclosed, calendar=self._calendar(written))
                        yield self.letter(seat, written, kind, f"{key}:{own}", with_it)
                case Masters() | Watchers():
                    facts = self.facts(has_picture=has_picture)
                    readers = self.masters(one) if isinstance(one, Masters) else self.watchers()
                    for reader, to in readers:
                        written = _page_for(told, facts, reader)
                        yield self.letter(to, written, kind, f"{key}:{to.own}", enclosed)
                case Groups():
                    yield from self._to_groups(told, kind, key, enclosed)

    async def tell(
        self,
        work: Work,
        audience: Audience | tuple[Audience, ...],
        told: Told,
        kind: str,
        key: str,
        enclosed: Enclosed = NOTHING,
    ) -> None:
        """Queue these letters."""
        await self.send(work, self.to(audience, told, kind, key, enclosed))

    async def send(self, work: Work, letters: Iterable[NewLetter]) -> None:
        """Queue letters, to be sent at once."""
        await queue_letters(work, letters, self.now, self.people.reach)

    def letter(
        self,
        to: SeatAt | Recipient,
        page: Page,
        kind: str,
        key: str,
        enclosed: Enclosed = NOTHING,
    ) -> NewLetter:
        """One letter, of a key of its own."""
        return letter_to(self.context, to, page, kind, key, enclosed)

    def seats(self, of: Seats = Seats()) -> Iterator[tuple[Reader, SeatAt]]:
        """These players, also the eliminated."""
        for seat, person, address in self.people.seated:
            if of.has(seat.number):
                reader = page_reader(seat, person, self.context.policy.zone)
                yield reader, SeatAt(self.table.game, seat, self.number, address, of.on_list)

    def masters(self, of: Masters = Masters()) -> Iterator[tuple[Reader, Recipient]]:
        """These game masters; an answer of theirs means this table."""
        for master in self.people.gms:
            if of.but is None or master.person_id != of.but:
                yield self.master(master)

    def master(self, master: MasterAddress) -> tuple[Reader, Recipient]:
        """One game master as a reader."""
        name = master.name or self.table.settings.gm_name or self.context.policy.name
        to = master.recipient(self.context.key, name, self.table.game)
        return master.reader(name, to.token), to

    def watchers(self) -> Iterator[tuple[Reader, Recipient]]:
        """The observers; an answer of theirs gives only what everybody may know."""
        for watcher in self.people.watchers:
            to = watcher.recipient(self.context.key, self.table.game)
            yield watcher.reader(to.token), to

    def facts(self, to: SeatAt | None = None, *, has_picture: bool = False) -> Table:
        """The facts around the game that a page shows; to a player with the code of an answer."""
        code = to.token_by(self.context.key) if to is not None else ""
        return page_table(
            self.table,
            self.context,
            now=self.now,
            code=code,
            phase=self.shown,
            has_picture=has_picture,
            in_chat=self.is_in_chat(to.seat.person_id if to is not None else None),
        )

    def is_in_chat(self, person_id: int | None) -> bool:
        """Whether a letter to this person may be read in a chat; None: one to several people."""
        chats = self.people.reach.telegram
        return bool(chats or self.people.groups) if person_id is None else person_id in chats

    def _calendar(self, page: Page) -> str | None:
        """The deadline as a file, if letters have it."""
        if self.shown is None or not self.dated:
            return None
        return phase_calendar(self.context.policy, self.table.game, self.shown, self.now, page)

    def _to_groups(
        self, told: Told, kind: str, key: str, enclosed: Enclosed
    ) -> Iterator[NewLetter]:
        """With a button that leads each reader to their own orders, in private. A file goes to no
        group.
        """
        words, bot = button_words("my_orders"), self.people.bot
        url = orders_link(bot, self.table.game.id) if bot is not None else ""
        buttons = ((ChatButton(words, url=url),),) if url else ()
        facts, with_it = self.facts(), Enclosed(shows_board=enclosed.shows_board)
        for chat_id, thread_id in self.people.groups:
            to = Recipient(chat_id, "", game=self.table.game, own=f"group:{chat_id}")
            reader = Reader(None, "", self.context.policy.zone)
            written = _page_for(told, facts, reader)
            letter = self.letter(to, written, kind, f"{key}:{to.own}", with_it)
            yield msgspec.structs.replace(letter, buttons=buttons, chat_thread=thread_id)


async def read_post(
    tx: Transaction[Context],
    table: OpenTable,
    moved: PhaseRow | None = None,
) -> Post:
    """The post of a table, with everybody around it looked up. `moved` is a phase whose deadline
    has moved: its calendar entry goes along.
    """
    now = tx.now()
    people = await read_table_people(tx, table, now)
    number, is_moved = table.game.phase_number, moved is not None
    return Post(tx.services, table, people, now, number, shown=moved, dated=is_moved)
