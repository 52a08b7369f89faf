"""From a kept piece of press to its readers: at once, at their hour, or not at all; to seats, game
masters, observers and groups.

Nothing that a reader gets, and nothing in how it is kept for them, tells who wrote grey press:
keys, ids and order are the reader's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from pbem.desk.envelope.addressing import Recipient, letter_to
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.letters.post import Post, Seats, Watchers, read_post
from pbem.desk.people.masters import masters_of_table
from pbem.desk.people.watchers import Watcher
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.press.preferences import Choice, due_at, read_choices
from pbem.desk.press.readers import GM, MASKED, OBSERVERS, seats_of
from pbem.desk.table import OpenTable, page_table
from pbem.pages.page import Page, Reader, Table
from pbem.pages.press import Piece
from pbem.store.repositories.post.press import PressRow

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
            await queue_letter(tx.work, letter, now)
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
    table, pages = desk.table, desk.post.context.pages.press

    def page_for(facts: Table, reader: Reader) -> Page:
        piece = piece_for(table, row, reader.number)
        return pages.letter(facts, reader, piece, may_answer=reader.number is not None)

    wanted = {seat.number for seat in seats_of(table, row)}
    seats, key = Seats(wanted, each_tenure=True), f"press:{row.id}"
    yield from desk.post.to(seats, page_for, KIND, key)
    if table.settings.press.observers and (row.kind == "public" or OBSERVERS in row.recipients):
        yield from desk.post.to(Watchers(), page_for, KIND, key)


async def _to_masters(tx: Transaction[Context], desk: PressDesk, row: PressRow) -> list[NewLetter]:
    """Game masters get what is for everybody or for them, and the rest where the table lets them
    read it. One who plays gets as a player what a player gets, and nothing of the others' private
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
        name = master.name or table.settings.gm_name or tx.services.policy.name
        reader = Reader(None, name, master.zone, master.locale)
        piece = piece_for(table, row, None)
        page = tx.services.pages.press.letter(
            page_table(table, tx.services.policy, tx.now()),
            reader,
            piece,
            may_answer=False,
        )
        letters.append(
            letter_to(
                tx.services,
                master.recipient(tx.services.key, name, table.game),
                page,
                KIND,
                f"press:{row.id}:gm:{master.address}",
            )
        )
    return letters


async def _to_groups(tx: Transaction[Context], desk: PressDesk, row: PressRow) -> None:
    """Public press stands in the table's groups too."""
    table, now = desk.table, tx.now()
    for chat in await tx.work.chats.list_of_game(table.game.id):
        if chat.channel != TELEGRAM:
            continue
        reader = Reader(None, chat.title, table.settings.zone)
        page = tx.services.pages.press.posted(
            page_table(table, tx.services.policy, now), reader, piece_for(table, row, None)
        )
        letter = letter_to(
            tx.services,
            Recipient(address=chat.address, name=chat.title, game=table.game),
            page,
            KIND,
            f"press:{row.id}:chat:{chat.id}",
        )
        letter = msgspec.structs.replace(letter, chat_thread=chat.thread_id)
        await queue_letter(tx.work, letter, now)
