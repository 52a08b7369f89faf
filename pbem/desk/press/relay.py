"""From a kept piece of press to its readers: at once, at their hour, or not at all; to seats, game
masters, observers and groups.

Nothing that a reader gets, and nothing in how it is kept for them, tells who wrote grey press:
keys, ids and order are the reader's own.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from pbem.desk.envelope.answers import OWN_ORDERS, PRESS_SENT
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.gm.command import commanded
from pbem.desk.gm.people import check_text
from pbem.desk.letters.post import Addressee, Post, Seats, Watchers, master_at, read_post
from pbem.desk.letters.queue import queue_letter
from pbem.desk.letters.table_people import Watcher
from pbem.desk.mandate import By, Refused, lock_game
from pbem.desk.people.masters import masters_of_table
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.press.readers import (
    GM,
    MASKED,
    OBSERVERS,
    Choice,
    due_at,
    read_choices,
    recipients_of,
    roll_of,
    seats_of,
)
from pbem.desk.press.secrets import check_words_of_master, without_codes
from pbem.desk.table import OpenTable, load_table, page_table
from pbem.grammar.addressees import Doubt, To, find_readers
from pbem.pages.notice import Notice
from pbem.pages.page import Reader, Table
from pbem.pages.press import Piece, PressLetter, PressPosted
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.post.press import NewPress, PressRow
from pbem.store.work import Work

KIND = "press"
MASTER = "the game master"
"""Who wrote what no seat has written."""


@dataclass(frozen=True, slots=True)
class PressDesk:
    """A table and all who may read its press, looked up once."""

    table: OpenTable
    post: Post
    observers: tuple[Watcher, ...]


async def read_press_desk(tx: Transaction[Context], table: OpenTable) -> PressDesk:
    post = await read_post(tx, table)
    watchers = post.people.watchers if table.settings.press.observers else ()
    return PressDesk(table, post, watchers)


def piece_for(table: OpenTable, row: PressRow, number: int | None) -> Piece:
    """The press as the player of that number may see it (None: somebody without a seat)."""
    writer = next((seat for seat in table.seats if seat.id == row.seat_id), None)
    is_mine = writer is not None and writer.number == number
    is_masked = MASKED in row.recipients
    names: tuple[str, ...] = ()
    if not row.grey and not is_masked:
        names = tuple(
            "you" if seat.number == number else seat.name
            for seat in table.seats
            if seat.number in row.recipients
        )
        names += ("the game master",) if GM in row.recipients else ()
        names += ("the observers",) if OBSERVERS in row.recipients else ()
    elif is_mine and not is_masked:
        names = tuple(seat.name for seat in table.seats if seat.number in row.recipients)
    return Piece(
        writer=MASTER if row.seat_id is None else "" if row.grey or writer is None else writer.name,
        kind=row.kind,
        readers=names,
        text=row.text,
        at=row.created_at,
        grey=row.grey,
        answers_grey=is_masked and not row.grey,
        is_mine=is_mine,
    )


async def relay(tx: Transaction[Desk], desk: PressDesk, row: PressRow) -> None:
    """Queue the letters, and let it wait for those who want it at an hour of theirs."""
    now = tx.services.clock.now()
    letters = list(_letters(desk, row))
    letters += await _to_masters(tx, desk, row)
    people = {letter.person_id for letter in letters if letter.person_id is not None}
    choices = await read_choices(tx.work, row.game_id, people)
    zones = {
        person.id: person.time_zone for person in await tx.work.people.list_by_ids(sorted(people))
    }
    writer = next((seat.number for seat in desk.table.seats if seat.id == row.seat_id), None)
    for letter in letters:
        choice = choices.get(letter.person_id or 0, Choice())
        if row.seat_id is not None and not choice.wants(writer, grey=row.grey):
            continue
        if choice.digest == "at once" or letter.person_id is None or row.seat_id is None:
            await queue_letter(tx, letter)
        else:
            zone = zones.get(letter.person_id, tx.services.policy.zone)
            await tx.work.press.tell_later(
                row.id, [letter.person_id], due_at(choice.digest, now, zone)
            )
    if row.kind == "public" and desk.table.settings.press.groups:
        await _to_groups(tx, desk, row)
    tx.services.steps.reached("press.written")


def _letters(desk: PressDesk, row: PressRow) -> Iterator[NewLetter]:
    """To seats and observers."""
    table = desk.table

    def page_for(facts: Table, reader: Reader) -> Notice:
        piece = piece_for(table, row, reader.number)
        return PressLetter(piece, may_answer=reader.number is not None)

    wanted = {seat.number for seat in seats_of(table, row)}
    seats, key = Seats(wanted, each_tenure=True), f"press:{row.id}"
    yield from desk.post.to(seats, page_for, KIND, key)
    if table.settings.press.observers and (row.kind == "public" or OBSERVERS in row.recipients):
        yield from desk.post.to(Watchers(), page_for, KIND, key)


async def _to_masters(tx: Transaction[Context], desk: PressDesk, row: PressRow) -> list[NewLetter]:
    """Game masters get what is for everybody or for them, and the rest where the table lets them
    read it. One who plays gets as a player what a player gets, and none of the others' private
    press.
    """
    table = desk.table
    is_told = GM in row.recipients
    if row.kind != "public" and not is_told and not table.settings.press.gm_reads:
        return []
    sitting = {seat.person_id for seat in table.seats if seat.status != "left"}
    letters = []
    for master in await masters_of_table(tx.work, tx.services.policy, table.game.id):
        if row.seat_id is None and row.person_id == master.person_id:
            continue  # their own words
        if (
            master.person_id in sitting
            and not is_told
            and (row.kind == "public" or not table.settings.secrets)
        ):
            continue
        told = PressLetter(piece_for(table, row, None), may_answer=False)
        reader = master_at(tx.services, master, table)
        letters.append(reader.letter(told, KIND, f"press:{row.id}:gm:{master.address}"))
    return letters


async def _to_groups(tx: Transaction[Context], desk: PressDesk, row: PressRow) -> None:
    """Public press stands in the table's groups too."""
    table = desk.table
    for chat in await tx.work.chats.list_of_game(table.game.id):
        if chat.channel != TELEGRAM:
            continue
        reader = Reader(None, chat.title, table.settings.zone)
        to = Recipient(chat.address, chat.title, game=table.game)
        who = Addressee(tx.services, to, reader, page_table(table, tx.services))
        told = PressPosted(piece_for(table, row, None))
        letter = who.letter(told, KIND, f"press:{row.id}:chat:{chat.id}")
        letter = msgspec.structs.replace(letter, chat_thread=chat.thread_id)
        await queue_letter(tx, letter)


WRITTEN = "game press to"


async def write_press(services: Desk, slug: str, whom: str, text: str, by: By) -> tuple[str, ...]:
    """Write to these players (as players name one another), or to `all`; the names of those who are
    written to, none for everybody.

    The log says to whom, and not what. Refused with `unknown-seat` for a reader who is not beyond
    doubt: then nobody is written to.
    """
    text, now = check_text(text), services.clock.now()
    async with commanded(services, by, "gm.press.written") as tx:
        game = await lock_game(tx.work, slug)
        table = await load_table(tx, game)
        to = _readers(table, whom)
        text = check_text(await check_words_of_master(tx, table, text, by))
        names = tuple(seat.name for seat in table.seats if seat.number in to.players)
        detail = {"players": list(names) or "all", "phase": game.phase_number}
        await tx.log(WRITTEN, detail, game.id, public=False)
        press_id = await tx.work.press.add(
            NewPress(
                game_id=game.id,
                phase_number=game.phase_number,
                seat_id=None,
                person_id=by.person_id,
                inbox_id=None,
                kind=to.kind,
                grey=False,
                recipients=recipients_of(to),
                text=without_codes(text),
                created_at=now,
            )
        )
        row = await tx.work.press.find(press_id) if press_id is not None else None
        if row is not None:
            await relay(tx, await read_press_desk(tx, table), row)
    return names


def _readers(table: OpenTable, whom: str) -> To:
    """Who is meant, beyond doubt."""
    try:
        to = find_readers(whom, roll_of(table, None), grey=False)
    except Doubt as doubt:
        options = doubt.unsent.options
        if options:
            raise Refused(
                "unknown-seat",
                f"{whom!r} may be {options[0]}, or nobody at {table.game.title}; nothing was sent",
            ) from doubt
    else:
        vacant = [
            seat.name
            for seat in table.seats
            if seat.number in to.players and seat.person_id is None
        ]
        if vacant:
            raise Refused("vacant", f"nobody sits at {vacant[0]} just now")
        if not to.gm:
            return to
    names = ", ".join(seat.name for seat in table.seats if seat.status != "left")
    raise Refused(
        "unknown-seat", f"{whom!r} is nobody to write to at {table.game.title}; there are {names}"
    )


_IDS = re.compile(r"press(?:-digest)?:(?P<ids>\d+(?:\.\d+)*):")
_LONGEST = 60
_TELLING = frozenset({PRESS_SENT, "answer", OWN_ORDERS, "notice"})
"""Letters that repeat to somebody what they wrote."""


@dataclass(frozen=True, slots=True)
class Unmasking:
    """The grey press of a game by the seat that wrote it, and the pieces that answer some."""

    words: Mapping[int, tuple[str, ...]]
    answers: frozenset[int]

    def is_in_letter(self, row: OutboxRow, text: str) -> bool:
        """Whether a letter tells its reader's own grey press, or an answer to it."""
        found = _IDS.match(row.dedupe_key or "")
        if found is not None:
            return any(int(number) in self.answers for number in found["ids"].split("."))
        if row.seat_id is None or row.seat_id not in self.words or row.kind not in _TELLING:
            return False
        return row.kind == PRESS_SENT or self._has_words(row.seat_id, text)

    def is_in_message(self, seat_id: int, text: str) -> bool:
        """Whether somebody wrote grey press in it."""
        return seat_id in self.words and self._has_words(seat_id, text)

    def _has_words(self, seat_id: int, text: str) -> bool:
        squeezed = _squeezed(text)
        return any(words in squeezed for words in self.words[seat_id])


async def read_unmasking(work: Work, game_id: int) -> Unmasking:
    """Look it up for one game."""
    rows = await work.press.list_of_game(game_id)
    words: dict[int, tuple[str, ...]] = {}
    for row in rows:
        if row.grey and row.seat_id is not None and row.text:
            words[row.seat_id] = (*words.get(row.seat_id, ()), _squeezed(row.text)[:_LONGEST])
    return Unmasking(words, frozenset(row.id for row in rows if row.recipients[:1] == (MASKED,)))


def _squeezed(text: str) -> str:
    return " ".join(text.replace("\n> ", "\n").split())
