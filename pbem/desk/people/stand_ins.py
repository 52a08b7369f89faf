"""Asking somebody to play on a seat: the one its player has named, or the next on the list of those
who said that they can.
"""

from datetime import datetime, timedelta

import msgspec

from pbem.desk.authentication.tenures import find_substitution
from pbem.desk.chat.buttons import with_answers
from pbem.desk.envelope.message import Channel
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.letters import post
from pbem.desk.letters.queue import queue_letter
from pbem.desk.letters.routes import chat_addresses_of
from pbem.desk.people.eligibility import why_no_seat
from pbem.desk.people.masters import masters_of_table
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, mail_address_of, reader_of
from pbem.pages.notice import Notice
from pbem.pages.page import Reader
from pbem.pages.people import AskStandIn
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

PURPOSE = "stand-in"
"""Of the confirmations that a question to a substitute waits under."""

KIND = "stand-in-confirm"
WAITS_NAMED = timedelta(days=3)
WAITS_LISTED = timedelta(days=1)
"""So long the next one on the list is not asked."""
AVAILABLE = "substitute"


class Asked(msgspec.Struct, frozen=True):
    """Who is asked to play on which tenure of a seat. `until` None: for good. `cause` names the
    event that the list was asked for, and `missed` how many windows that was about; "" where the
    seat's player or a game master has named somebody. `zone` is the time zone that the game master
    has told with it.
    """

    seat_id: int
    tenure: int
    name: str
    person_id: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    by: str = ""
    cause: str = ""
    missed: int = 0
    zone: str = ""

    @property
    def is_offer(self) -> bool:
        """Whether a game master offers the seat for good, be it empty or not."""
        return self.until is None and not self.cause


def preference_of(slug: str) -> str:
    """The name under which it is kept that somebody can substitute, at one table or ("") at any."""
    return f"{AVAILABLE}.{slug}" if slug else AVAILABLE


async def address_to_ask(work: Work, person_id: int) -> str | None:
    """Where somebody we know is asked: by mail, or where that is not possible in their chat."""
    return await mail_address_of(work, person_id) or (
        await chat_addresses_of(work, (person_id,))
    ).get(person_id)


async def ask_person(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, address: str, asked: Asked
) -> PendingRow | None:
    """Write to that address (or chat). None: a question of the kind waits there already."""
    if await tx.work.pending.find_open(PURPOSE, address) is not None:
        return None
    within = WAITS_LISTED if asked.cause else WAITS_NAMED
    pending = await tx.wait_for_answer(
        PURPOSE, address, within, asked, game_id=table.game.id, seat_id=seat.id
    )
    person = await tx.work.people.find(asked.person_id)
    zone, locale = (
        (person.time_zone, person.locale) if person is not None else (table.settings.zone, "en")
    )
    reader = Reader(None, asked.name, zone, locale)
    there = post.asked(tx.services, pending, reader, asked.person_id, table)
    told = AskStandIn(seat.name, asked.since, asked.until, asked.by)
    letter = there.letter(told, KIND, f"{KIND}:{pending.id}")
    await queue_letter(tx, with_answers(letter, tx.services, pending.id))
    return pending


async def invite_next(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, cause: str, missed: int
) -> bool:
    """Ask the next on the list whether they take the seat over: those of this table first, then
    those of the house, each once for what happened. False: there is nobody left.
    """
    now, game = tx.now(), table.game
    masters = {
        master.person_id for master in await masters_of_table(tx.work, tx.services.policy, game.id)
    }
    for name in (preference_of(game.slug), preference_of("")):
        for person_id in await tx.work.preferences.list_named(name):
            asked_before = await tx.work.log.find_by_cause(f"{cause}:{person_id}") is not None
            if (
                asked_before
                or person_id in masters
                or await why_no_seat(tx.work, table, seat, person_id) is not None
            ):
                continue
            person = await tx.work.people.find(person_id)
            address = await address_to_ask(tx.work, person_id)
            if person is None or address is None:
                continue
            asked = Asked(seat.id, seat.tenure, person.name, person_id, cause=cause, missed=missed)
            if await ask_person(tx, table, seat, address, asked) is None:
                continue
            detail = msgspec.json.encode({"seat": seat.name}).decode()
            await tx.work.log.add(
                game_id=game.id,
                actor=tx.services.policy.name,
                command="substitute asked",
                at=now,
                detail=detail,
                cause=f"{cause}:{person_id}",
            )
            return True
    return False


async def is_still_wanted(
    work: Work, table: OpenTable, asked: Asked, asked_at: datetime
) -> SeatRow | None:
    """The seat, if it is in the tenure that was asked about and the reason still holds; of one
    whose player has ordered since, None.
    """
    seat = next((row for row in table.seats if row.id == asked.seat_id), None)
    statuses = ("active", "left") if asked.is_offer else ("active",)
    if (
        seat is None
        or seat.tenure != asked.tenure
        or seat.status not in statuses
        or table.game.status not in ("running", "paused")
    ):
        return None
    if asked.is_offer and seat.number not in table.kind.ruleset.active(table.state):
        return None
    if not asked.cause:
        return seat
    answers = await work.results.list_answers(seat.id)
    has_written = any(
        answer.tenure == seat.tenure and answer.canonical and answer.received_at >= asked_at
        for answer in answers
    )
    return None if has_written else seat


async def answer_asked(
    tx: Transaction[Context],
    table: OpenTable,
    told: Notice,
    pending: PendingRow,
    person: PersonRow | None,
) -> None:
    """A letter back to where the question went."""
    facts = post.facts_around(tx.services, table if table.state is not None else None)
    reader = (
        reader_of(person, tx.services)
        if person is not None
        else Reader(None, "", table.settings.zone)
    )
    person_id = person.id if person is not None else None
    to = Recipient(pending.address, reader.name, person_id, table.game)
    letter = post.Addressee(tx.services, to, reader, facts).letter(
        told, "notice", f"stand-in-answer:{pending.id}"
    )
    await queue_letter(tx, letter)


async def may_be_given_away(work: Work, seat: SeatRow) -> bool:
    """Whether the seat is of the person who sits there; one that a substitute has goes back to
    somebody else.
    """
    return await find_substitution(work, seat) is None


async def make_known(
    tx: Transaction[Context], channel: Channel, address: str, name: str, zone: str
) -> PersonRow:
    """Somebody new, with a confirmed address; the person who has just become known by it."""
    people, now = tx.work.people, tx.now()
    person_id = await people.add(name=name, locale="en", time_zone=zone, created_at=now)
    new = PersonRow(person_id, name, "en", zone, now)
    if await people.add_address(person_id, channel, address, "confirmed") is None:
        return await people.find_by_address(channel, address) or new
    return new
