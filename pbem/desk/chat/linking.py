"""Binding a Telegram account to a person: by a one-time link that goes to their mail address, and
by the numeric id alone.

A code has 128 bits, lives two days, works once, and is kept as its hash. Who follows it is told in
the chat, and the mail address hears of it with the word that undoes it. An account is one person's
only, and a person has one.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from pbem.desk.chat.commands import MINE
from pbem.desk.chat.writing import note_letter, say_note
from pbem.desk.envelope.addressing import (
    NewLetter,
    NewLink,
    Recipient,
    SeatAt,
    letter_to_address,
    letter_to_master,
    letter_to_seat,
)
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.people.masters import find_master
from pbem.desk.ports import Services
from pbem.desk.table import house_table, load_table, mail_address_of, page_reader, page_table
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.inbox import InboxRow
from pbem.store.repositories.links import LinkRow
from pbem.store.repositories.marks import BOT
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.text import deep_link
from pbem.telegram.updates import Said

PERSON, GROUP = "telegram", "telegram-group"
"""What a link is for."""
LIVES = timedelta(hours=48)
CODE_OCTETS = 16
LINKED, UNLINKED = "telegram-linked", "telegram-unlinked"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to be handed out: where it leads, and what is kept of it."""

    url: str
    code: str
    kept: NewLink


def make_link(
    key: bytes,
    bot: str,
    purpose: str,
    *,
    about: str,
    now: datetime,
    person_id: int | None,
    game_id: int | None = None,
) -> Link:
    """A link for this person (and table). The same `about` gives the same code: a letter made twice
    has one.
    """
    told = "|".join(("link", purpose, str(person_id), str(game_id), about)).encode()
    code = (
        base64.urlsafe_b64encode(hmac.new(key, told, hashlib.sha256).digest()[:CODE_OCTETS])
        .decode()
        .rstrip("=")
    )
    kept = NewLink(hash_of(code), purpose, now + LIVES, person_id, game_id)
    return Link(deep_link(bot, code, to_group=purpose == GROUP), code, kept)


def orders_link(bot: str, game_id: int) -> str:
    """A link that leads to one's own orders at a table, in private."""
    return deep_link(bot, f"{MINE}{game_id}")


def hash_of(code: str) -> str:
    """What is kept of a code."""
    return hashlib.sha256(code.encode()).hexdigest()


async def read_bot(work: Work) -> str | None:
    """The username of our bot; None where there is none, or it has not been reached yet."""
    mark = await work.marks.find(BOT)
    return mark.detail if mark is not None else None


async def offer_link(
    work: Work, services: Services, person_id: int, table: Table, reader: Reader, *, by_mail: bool
) -> Page:
    """The answer to `telegram`: the link, to a mail address alone."""
    pages, now = services.chat_pages, services.clock.now()
    bot = await read_bot(work)
    if bot is None:
        return pages.link_not_offered(table, reader, "no-bot")
    if await chat_of(work, person_id) is not None:
        return pages.link_not_offered(table, reader, "linked")
    if not by_mail:
        return pages.link_not_offered(table, reader, "by-mail")
    link = make_link(
        services.key, bot, PERSON, about=f"word:{now.isoformat()}", now=now, person_id=person_id
    )
    await keep_link(work, link.kept, now)
    return pages.link_offered(table, reader, link.url, link.kept.expires_at)


async def keep_link(work: Work, kept: NewLink, now: datetime) -> None:
    """Make it live; the same one a second time stays as it is."""
    if await work.links.find(kept.code_hash) is None:
        await work.links.add(
            code_hash=kept.code_hash,
            purpose=kept.purpose,
            created_at=now,
            expires_at=kept.expires_at,
            person_id=kept.person_id,
            game_id=kept.game_id,
        )


async def chat_of(work: Work, person_id: int) -> str | None:
    """The numeric id of somebody's Telegram account, in whatever state the chat is."""
    rows = await work.people.list_addresses(person_id)
    return next((row.address for row in rows if row.channel == TELEGRAM), None)


def fault_of(link: LinkRow | None, purpose: str, now: datetime) -> str | None:
    """Why a link leads nowhere; None: it is good."""
    if link is None or link.purpose != purpose:
        return "unknown"
    return "used" if link.used_at is not None else "expired" if link.expires_at <= now else None


async def follow_link(
    work: Work, services: Services, row: InboxRow, said: Said, code: str
) -> Handled:
    """Somebody pressed Start behind a link."""
    now, chat_id = services.clock.now(), str(said.user_id)
    link = await work.links.find(hash_of(code))
    known = await work.people.find_by_address(TELEGRAM, chat_id)
    why = fault_of(link, PERSON, now)
    person = (
        await work.people.find(link.person_id)
        if why is None and link is not None and link.person_id is not None
        else None
    )
    if known is not None and link is not None and link.person_id == known.id:
        await work.people.confirm_address(TELEGRAM, chat_id)
        why = "known"
    elif known is not None and why is None:
        why = "taken"
    elif why is None and (
        person is None or link is None or not await work.links.use(link.id, chat_id, now)
    ):
        why = "unknown" if person is None else "used"
    if why is not None or person is None:
        name = known.name if known is not None else said.user_name
        page = services.chat_pages.link_refused(
            house_table(services.policy, now), _reader(services, known, name), why or "unknown"
        )
        await say_note(work, services, _note(services, row, said, page, name, known))
        return Handled(f"link-{why or 'unknown'}", ignored=known is None)
    await _bind(work, services, row, said, person, now)
    return Handled("linked")


async def _bind(
    work: Work, services: Services, row: InboxRow, said: Said, person: PersonRow, now: datetime
) -> None:
    chat_id, house = str(said.user_id), house_table(services.policy, now)
    reader = _reader(services, person, person.name)
    before = await chat_of(work, person.id)
    if before is not None:
        page = services.chat_pages.moved_away(house, reader)
        await queue_letter(
            work,
            note_letter(services, page, chat_id=before, to_name=person.name, key=f"moved:{row.id}"),
            now,
        )
        await work.people.remove_address(person.id, TELEGRAM, before)
    await work.links.withdraw(person.id, PERSON, now)
    await work.people.add_address(person.id, TELEGRAM, chat_id, "confirmed")
    seats = [seat for seat in await work.seats.list_of_person(person.id) if seat.status != "left"]
    titles = []
    for seat in seats:
        game = await work.games.find(seat.game_id)
        if game is not None and game.status not in ("over", "ended"):
            titles.append(game.title)
    runs_tables = await work.masters.find(person.id) is not None
    page = services.chat_pages.linked(house, reader, titles, runs_tables=runs_tables)
    await queue_letter(work, _note(services, row, said, page, person.name, person), now)
    await _tell_mail(work, services, row, said, person, seats, now)


async def _tell_mail(
    work: Work,
    services: Services,
    row: InboxRow,
    said: Said,
    person: PersonRow,
    seats: list[SeatRow],
    now: datetime,
) -> None:
    """The mail address hears of it; an answer to that letter is proof, so that it can undo what
    somebody else did.
    """
    address = await mail_address_of(work, person.id)
    if address is None:
        return
    key, name = f"{LINKED}:{row.id}", said.user_name or str(said.user_id)
    seat = next(iter(seats), None)
    game = await work.games.find(seat.game_id) if seat is not None else None
    letter: NewLetter
    house, master = (
        house_table(services.policy, now),
        await find_master(work, services.policy, person.id),
    )
    if seat is not None and game is not None:
        table = page_table(await load_table(work, services.games, game), services.policy, now)
        reader = page_reader(seat, person, services.policy.zone)
        letter = letter_to_seat(
            services.chat_pages.linked_told(table, reader, name),
            to=SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
            kind=LINKED,
            dedupe_key=key,
            policy=services.policy,
            key=services.key,
        )
        letter = msgspec.structs.replace(letter, only=MAIL)
    elif master is not None:
        page = services.chat_pages.linked_told(
            house, _reader(services, person, person.name or services.policy.name), name
        )
        letter = letter_to_master(
            page,
            kind=LINKED,
            dedupe_key=key,
            policy=services.policy,
            key=services.key,
            master=master,
            to_name=person.name or services.policy.name,
        )
        letter = msgspec.structs.replace(letter, only=MAIL)
    else:
        page = services.chat_pages.linked_told(house, _reader(services, person, person.name), name)
        letter = letter_to_address(
            page,
            to=Recipient(address=address, name=person.name, person_id=person.id),
            kind=LINKED,
            dedupe_key=key,
            policy=services.policy,
        )
    await queue_letter(work, letter, now)


async def unlink(
    work: Work, services: Services, person_id: int, table: Table, reader: Reader, *, by_mail: bool
) -> Page:
    """Nothing written in their chat counts any more, and nothing is sent there; never where nobody
    could reach them otherwise.

    The page answers where it was asked; asked by mail the chat is told as well.
    """
    now, chat_id = services.clock.now(), await chat_of(work, person_id)
    if chat_id is None:
        await work.links.withdraw(person_id, PERSON, now)
        return services.chat_pages.unlinked(table, reader, "none")
    if await mail_address_of(work, person_id) is None:
        return services.chat_pages.unlinked(table, reader, "last")
    await work.people.remove_address(person_id, TELEGRAM, chat_id)
    await work.links.withdraw(person_id, PERSON, now)
    await work.outbox.withhold_for_address(TELEGRAM, chat_id, UNLINKED)
    page = services.chat_pages.unlinked(table, reader, "done")
    if by_mail:
        key = f"{UNLINKED}:{person_id}:{now.isoformat()}"
        await queue_letter(
            work, note_letter(services, page, chat_id=chat_id, to_name=reader.name, key=key), now
        )
    return page


def _note(
    services: Services, row: InboxRow, said: Said, page: Page, name: str, person: PersonRow | None
) -> NewLetter:
    return note_letter(
        services,
        page,
        chat_id=str(said.user_id),
        to_name=name,
        key=str(row.id),
        reply_to=said.message_id,
        person_id=person.id if person is not None else None,
    )


def _reader(services: Services, person: PersonRow | None, name: str) -> Reader:
    return (
        Reader(None, name, person.time_zone, person.locale)
        if person is not None
        else Reader(None, name, services.policy.zone)
    )
