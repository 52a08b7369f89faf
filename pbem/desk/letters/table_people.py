"""The people around a table, and how each of them is reached: also observers, and those for whom
somebody plays just now. And when they are told news that may wait: where players act one after
another it comes in a digest, with the reader's own next question or at the end of the turn.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from pbem.desk.authentication.tenures import owners_away
from pbem.desk.chat.links import read_bot
from pbem.desk.envelope.answers import RECEIPT
from pbem.desk.envelope.letter import Draft, NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.envelope.recipients import MasterAddress, Recipient
from pbem.desk.letters.routes import Reach, Route, chat_addresses_of, reach_of, routes_of
from pbem.desk.people.masters import masters_of, read_around
from pbem.desk.phases.past import Held, Untold
from pbem.desk.ports import Context, Transaction
from pbem.desk.press.readers import due_at, may_read
from pbem.desk.table import OpenTable, mail_addresses, mail_addresses_of
from pbem.mail.tokens import Purpose, make_token
from pbem.pages.joining import join_pages, text_main
from pbem.pages.page import Page, Reader
from pbem.store.repositories.around import Around
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

WAITS_AT_MOST = timedelta(days=7)
"""A digest comes in the first morning after so long, whatever happens."""
STRUCK_WAITS_AT_MOST = timedelta(days=3)
"""So long a mail about an attack waits for its reader's own question."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches, and their mail address ("": reached in a chat alone). `away`: it is
    their own seat that another plays.
    """

    person: PersonRow
    address: str
    away: bool = False

    def recipient(self, key: bytes, game: GameRow) -> Recipient:
        """Them as the reader of a letter: an answer to it is about this table, and gives nothing
        but what everybody may know.
        """
        return Recipient(
            self.address,
            self.person.name,
            self.person.id,
            game,
            watch_token(key, self.person.id, game.id),
            is_routed=True,
            looks_on=True,
            own=f"watch:{self.person.id}",
        )

    def reader(self, code: str) -> Reader:
        return Reader(
            None, self.person.name, self.person.time_zone, self.person.locale, code, looks_on=True
        )


async def read_watchers(work: Work, table: OpenTable, around: Around) -> tuple[Watcher, ...]:
    """Everybody who watches a table now and can be reached. Nobody who sits there is among them,
    whatever they said before.
    """
    away = await owners_away(work, table.game.id) if around.substituted else frozenset()
    observing = (
        {who for who, somebody in around.people.items() if somebody.observes}
        if table.settings.people.observers
        else set()
    )
    seated = {seat.person_id for seat in table.seats if seat.status != "left"}
    return await reach(work, (observing | away) - seated, away)


async def reach(
    work: Work, person_ids: Collection[int], away: Collection[int] = ()
) -> tuple[Watcher, ...]:
    """These people, as far as they can be reached."""
    if not person_ids:
        return ()
    reached = await mail_addresses_of(work, person_ids)
    chats = await chat_addresses_of(work, person_ids)
    return tuple(
        Watcher(person, reached.get(person.id, ""), person.id in away)
        for person in await work.people.list_by_ids(person_ids)
        if person.id in reached or person.id in chats
    )


def watch_token(key: bytes, person_id: int, game_id: int) -> str:
    """What proves an answer of somebody who watches a table."""
    return make_token(key, Purpose.WATCH, person_id, 0, game_id)


@dataclass(frozen=True, slots=True)
class TablePeople:
    """Who sits at a table and can be reached, also the eliminated, with their mail addresses ("":
    reached in a chat alone); its game masters; and its observers.
    """

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


async def read_table_people(
    tx: Transaction[Context], table: OpenTable, now: datetime
) -> TablePeople:
    """Look up everybody of a table, and the game masters who may run it."""
    around = await read_around(tx.work, tx.services.policy, table.game.id)
    return await table_people_of(tx, table, around, await read_bot(tx.work), now)


async def table_people_of(
    tx: Transaction[Context], table: OpenTable, around: Around, bot: str | None, now: datetime
) -> TablePeople:
    """The same, from the people `around` the table and the name of the bot."""
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
        for row in await tx.work.chats.list_of_game(table.game.id)
        if row.channel == TELEGRAM
    )
    return TablePeople(
        tuple(seated),
        masters_of(around, tx.services.policy),
        await read_watchers(tx.work, table, around),
        chats,
        groups,
        bot,
        await _count_letters(
            tx.work, table, [seat for seat, person, _ in seated if person.id in chats]
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
        seat.id: sum(row.seat_id != seat.id and may_read(row, seat) for row in rows)
        for seat in seats
    }


@dataclass(frozen=True, slots=True)
class Digests:
    """Which letters of a close go at once, and what they tell. `struck` are the numbers of the
    players whom its news is about; None: nothing waits. Those of them who `acted`, and those in a
    chat, are told now. `is_end` of a turn: then everybody is told who has no part in the game, or
    was told nothing in that turn. `zone` is the table's.
    """

    people: TablePeople
    untold: Untold
    struck: Collection[int] | None
    acted: Collection[int]
    is_end: bool
    now: datetime
    zone: str

    def timed(self, letter: NewLetter, number: int | None, held: Held | None) -> NewLetter:
        """A bulletin, to the player of that number or to somebody outside. It takes the place of
        what was `held` back.
        """
        told = letter if held is None else held.told_in(letter)
        is_struck = self.struck is not None and number in self.struck
        ways = routes_of(letter, self.people.reach)
        is_now = number in self.acted or any(way.channel == TELEGRAM for way in ways)
        if self.struck is None or (is_struck and is_now) or self._ends(number, held, letter):
            return self.with_answers(told)
        due = held.due_at if held is not None else self._morning(letter.person_id)
        if is_struck:
            due = min(due, self.now + STRUCK_WAITS_AT_MOST)
        return msgspec.structs.replace(told, due_at=due)

    def with_answers(self, letter: NewLetter) -> NewLetter:
        """The letter with the answers that wait for it, if it goes the same way alone. They stand
        last, but a receipt in a bulletin first.
        """
        ways, own = routes_of(letter, self.people.reach), _page_of(letter.draft)
        pages, instead = [own], list(letter.instead)
        for row in self.untold.answers.get(letter.seat_id or 0, ()):
            said = msgspec.json.decode(row.letter, type=Draft)
            is_alike = row.person_id == letter.person_id and ways == (Route(MAIL, row.address),)
            if not is_alike or row.picture_id is not None or said.attachment is not None:
                continue
            is_first = row.kind == RECEIPT and letter.kind == "bulletin"
            pages.insert(0 if is_first else len(pages), _page_of(said))
            instead.append(row.id)
        if len(pages) == 1 or any(page.html_main is None for page in pages):
            return letter
        page = join_pages(pages, "")
        draft = msgspec.structs.replace(
            letter.draft,
            text=page.text,
            html=page.html,
            main=page.html_main,
            list_id=None,
            secret=text_main(own),
        )
        return msgspec.structs.replace(letter, draft=draft, instead=tuple(instead))

    def _ends(self, number: int | None, held: Held | None, letter: NewLetter) -> bool:
        """Whether the waiting ends: with the turn, or since the reader wants no digest. The chats
        of a table's groups have none if a game master wants none.
        """
        if self.is_end and (number is None or (held is not None and held.is_long)):
            return True
        people = [letter.person_id]
        if letter.person_id is None:
            people = [master.person_id for master in self.people.gms]
        return any(map(self.people.reach.is_told_at_once, people))

    def _morning(self, person_id: int | None) -> datetime:
        """When news of this moment is told at the latest."""
        zones = {
            **{person.id: person.time_zone for _, person, _ in self.people.seated},
            **{watcher.person.id: watcher.person.time_zone for watcher in self.people.watchers},
            **{master.person_id: master.zone for master in self.people.gms},
        }
        zone = zones.get(person_id or 0, self.zone)
        return due_at("daily", self.now + WAITS_AT_MOST, zone)


def _page_of(draft: Draft) -> Page:
    return Page(draft.subject, draft.text, draft.html or "", html_main=draft.main)
