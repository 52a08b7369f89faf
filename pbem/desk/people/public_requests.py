"""At a table's door: to watch, to take over a seat that stands empty, to be back, to be asked when
somebody is needed.

Who writes is known by proof, or asked at the address first: then only the full join code of a table
opens anything, and the person who does not know one learns nothing. What is said here may be said
by anybody, whether they play somewhere or not.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

import msgspec

from pbem.desk.authentication.kept import settle_unless_yes
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import MAIL, TELEGRAM, Handled, Message
from pbem.desk.letters.post import Masters, asked, facts_around, read_post
from pbem.desk.letters.queue import queue_letter
from pbem.desk.lobby.herald import seat_of_code, vacant_seats
from pbem.desk.lobby.join_questions import tell_guessed, tell_no_such_code
from pbem.desk.lobby.seats import propose_name
from pbem.desk.messages.conversation import Conversation, Visitor, begin_conversation
from pbem.desk.people.absent_players import waits_for_players
from pbem.desk.people.eligibility import note_asker, why_no_seat
from pbem.desk.people.erasure import ask_to_forget
from pbem.desk.people.export import ask_for_data, why_no_data
from pbem.desk.people.observers import begin_observing, stop_observing, why_not_observe
from pbem.desk.people.stand_ins import make_known, preference_of
from pbem.desk.people.substitutions import Successor, come_back, take_for_good
from pbem.desk.phases.player_time import end_absences
from pbem.desk.table import OpenTable, load_table, mail_address_of, page_table
from pbem.grammar import people as said
from pbem.grammar.called import called, skeleton
from pbem.grammar.consent import parse_consent
from pbem.grammar.house.lines import parse_wishes
from pbem.pages.chat import AskedByMail
from pbem.pages.notice import Notice, notice_page
from pbem.pages.page import Reader
from pbem.pages.people import (
    Account,
    AskObserver,
    AskTakeOver,
    BackAgain,
    DataNotSent,
    DoorClosed,
    ForgetAlone,
    GmTakeOver,
    ObservingStopped,
    SubstituteAvailable,
    TakeOverAsked,
)
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow

PURPOSE = "door"
"""Of the confirmations that a wish at the door waits under."""

ASK, ANSWER = "door-confirm", "door-answer"
WAITS = timedelta(days=3)
ASKED_A_DAY = 3
WISHES_A_MESSAGE = 5
HERE = (
    *(said.Observe, said.StopObserving, said.TakeOver, said.Available, said.Back),
    *(said.ForgetMe, said.OwnData),
)
"""The wishes that are about no seat of the writer's."""
Here = (
    said.Observe
    | said.StopObserving
    | said.TakeOver
    | said.Available
    | said.Back
    | said.ForgetMe
    | said.OwnData
)


def _named(talk: Conversation[Visitor], wish: Here) -> Conversation[Visitor]:
    """The same, under the name that somebody unknown gives, if it can be one."""
    if talk.writer.person is not None or not isinstance(wish, said.Observe) or not wish.name:
        return talk
    mail = replace(talk.mail, sender_name=called(wish.name, talk.mail.sender_name))
    return begin_conversation(talk, talk.row, mail, talk.writer, None)


def _reader(talk: Conversation[Visitor], zone: str) -> Reader:
    """The person who wrote; somebody unknown sees the times of the table."""
    return talk.reader if talk.writer.person is not None else replace(talk.reader, zone=zone)


def wishes_here(mail: Message) -> tuple[Here, ...]:
    """The wishes at the door in a message that holds nothing else; () for any other message."""
    wishes = parse_wishes(mail.text if mail.text.strip() else mail.subject) or ()
    here = tuple(wish for wish in wishes if isinstance(wish, HERE))
    return here if len(here) == len(wishes) else ()


async def take_wishes(talk: Conversation[Visitor], wishes: Sequence[Here]) -> Handled | None:
    """Do what is wished. None: not a word of it is for us to hear from somebody unproven."""
    if talk.mail.is_vouched:
        talk = replace(talk, writer=replace(talk.writer, is_proven=True))
    outcome: Handled | None = None
    for index, wish in enumerate(wishes[:WISHES_A_MESSAGE]):
        if isinstance(wish, said.Observe | said.TakeOver) and talk.services.intake.guesses.too_many(
            talk.mail, talk.now()
        ):
            return await tell_guessed(talk)
        heard = (
            await hear(talk, wish, f".{index}") if talk.writer.is_proven else await _ask(talk, wish)
        )
        outcome = heard or outcome
    return outcome


async def hear(talk: Conversation[Visitor], wish: Here, serial: str) -> Handled:
    """One wish of somebody proven, with its answer."""
    work, person = talk.work, talk.writer.person
    match wish:
        case said.Observe(table=table):
            return await _observe(_named(talk, wish), table, serial)
        case said.TakeOver(table=name, player=player):
            return await _take_over(talk, name, player, serial)
        case said.ForgetMe() if person is not None:
            forget = partial(ask_to_forget, talk, person, talk.row.id)
            address = await mail_address_of(work, person.id)
            if talk.mail.channel == TELEGRAM and address is not None:
                await forget()
                await talk.answer(AskedByMail("forget"), ANSWER, serial)
            else:
                await talk.ask(forget, ForgetAlone(), ANSWER, serial)
            return Handled("forget-asked")
        case said.OwnData() if person is not None:
            return await _data(talk, person, serial)
        case said.StopObserving(table=slug) if person is not None:
            titles = await stop_observing(talk, person, slug or await _about(talk))
            await talk.answer(ObservingStopped(titles), ANSWER, serial)
            return Handled("observing-stopped")
        case said.Back(table=slug) if person is not None:
            return await _back(talk, person, slug or await _about(talk), serial)
        case said.Available(yes=yes, table=slug) if person is not None:
            game = await work.games.find_by_slug(slug) if slug else None
            if slug and game is None:
                return await _refuse(talk, None, "stand-in", "unknown-table", serial)
            await work.preferences.put(person.id, preference_of(slug), "yes" if yes else None)
            title = game.title if game is not None else ""
            await talk.answer(SubstituteAvailable(title, yes=yes), ANSWER, serial)
            return Handled("available" if yes else "not-available")
    return Handled("stranger:unknown-sender", ignored=True)


async def _data(talk: Conversation[Visitor], person: PersonRow, serial: str) -> Handled:
    """A copy of what is kept of them: asked at their mail address, wherever they write."""
    why = await why_no_data(talk, person)
    if why is not None:
        await talk.answer(DataNotSent(why), ANSWER, serial)
        return Handled(f"data-{why}")
    asks = partial(ask_for_data, talk, person, talk.row.id)
    if talk.mail.channel == TELEGRAM:
        await asks()
        await talk.answer(AskedByMail("data"), ANSWER, serial)
    else:
        await talk.ask(asks, DataNotSent("alone"), ANSWER, serial)
    return Handled("data-asked")


async def _back(talk: Conversation[Visitor], person: PersonRow, slug: str, serial: str) -> Handled:
    """At the table that is meant, or ("") at all: no substitute plays for them any more, and they
    are not away.
    """
    work = talk.work
    named = (
        (await work.games.find_by_code(slug) or await work.games.find_by_slug(slug))
        if slug
        else None
    )
    if slug and named is None:
        return await _refuse(talk, None, "back", "unknown-table", serial)
    games = await come_back(talk, person, slug)
    about = named.id if named is not None else None
    count, kept = await end_absences(work, person.id, talk.now(), about)
    if not games or count or kept:
        at = named.title if named is not None else ""
        await talk.answer(BackAgain(count, at=at, kept=kept), ANSWER, serial)
    return Handled("back" if games else "back-from-nowhere", game_id=games[0].id if games else None)


async def _about(talk: Conversation[Visitor]) -> str:
    """The short name of the table that is meant by a message without a name; "" for any."""
    game = await talk.work.games.find(talk.writer.about)
    return game.slug if game is not None else ""


async def _find(talk: Conversation[Visitor], name: str) -> OpenTable | None:
    """The table of that code, or for somebody we know of that short name; locked."""
    found = await talk.work.games.find_by_code(name)
    if found is None and talk.writer.person is not None and talk.writer.is_proven:
        found = await talk.work.games.find_by_slug(name)
    game = await talk.work.games.lock(found.id) if found is not None else None
    return await load_table(talk, game) if game is not None else None


async def _refuse(
    talk: Conversation[Visitor],
    table: OpenTable | None,
    what: str,
    why: str,
    serial: str,
    options: Sequence[str] = (),
) -> Handled:
    if why == "unknown-table":
        talk.services.intake.guesses.note(talk.mail, talk.now())
    if table is None and talk.writer.person is None:
        return await tell_no_such_code(talk, what)
    facts = facts_around(talk.services, table)
    page = notice_page(DoorClosed(what, why, options=options), facts, _reader(talk, facts.zone))
    await talk.answer(page, ANSWER, serial, game=table.game if table is not None else None)
    return Handled(f"{what}-{why}", game_id=table.game.id if table is not None else None)


async def _observe(talk: Conversation[Visitor], name: str, serial: str) -> Handled:
    table = await _find(talk, name)
    if table is None:
        return await _refuse(talk, None, "observe", "unknown-table", serial)
    why = await why_not_observe(talk.work, table, talk.writer.person)
    if why is not None:
        return await _refuse(talk, table, "observe", why, serial)
    person = talk.writer.person or await _make_known(talk, table)
    answering, cause = Answering.to(talk.mail), f"{talk.row.id}{serial}"
    await begin_observing(talk, table, person, talk.address, answering, cause)
    return Handled("observing", game_id=table.game.id)


async def _make_known(talk: Conversation[Visitor], table: OpenTable) -> PersonRow:
    """Somebody new, reached where they wrote from."""
    name = called(talk.mail.sender_name, propose_name(table, (), talk.address))
    return await make_known(talk, talk.mail.channel, talk.address, name, table.settings.zone)


# -------------------------------------------------------------------------------------- taking over
async def _find_by_seat(talk: Conversation[Visitor], name: str) -> tuple[OpenTable, SeatRow] | None:
    """The table and the seat that a code of its own opens; locked."""
    found = await talk.work.games.find_by_slug(name.rpartition("-")[0])
    game = (
        await talk.work.games.lock(found.id)
        if found is not None and found.status in ("running", "paused")
        else None
    )
    table = await load_table(talk, game) if game is not None else None
    seat = seat_of_code(talk.services, table, name) if table is not None else None
    return (table, seat) if table is not None and seat is not None else None


async def _why_not_take_over(
    talk: Conversation[Visitor], table: OpenTable, player: str, coded: SeatRow | None
) -> tuple[str, tuple[str, ...]] | SeatRow:
    """The seat, or why there is none to take; `coded`: the one that the code is of."""
    if table.game.status == "open":
        return "not-begun", ()
    if table.game.status not in ("running", "paused"):
        return "over", ()
    if table.settings.people.takeovers == "off" and not await waits_for_players(talk.work, table):
        return "not-taken-over", ()
    vacant = vacant_seats(table) if coded is None else [coded]
    if not vacant:
        return "no-vacant-seat", ()
    found = [seat for seat in vacant if not player or skeleton(seat.name) == skeleton(player)]
    if not found:
        return "unknown-seat", tuple(seat.name for seat in vacant)
    person_id, whys = talk.writer.person.id if talk.writer.person is not None else None, []
    for seat in found:
        why = await why_no_seat(talk.work, table, seat, person_id)
        if why is None:
            return seat
        whys.append(why)
    return whys[0], ()


async def _take_over(talk: Conversation[Visitor], name: str, player: str, serial: str) -> Handled:
    work, by_code = talk.work, await _find_by_seat(talk, name)
    table, coded = by_code if by_code is not None else (await _find(talk, name), None)
    if table is None:
        return await _refuse(talk, None, "take-over", "unknown-table", serial)
    found = await _why_not_take_over(talk, table, player, coded)
    if not isinstance(found, SeatRow):
        return await _refuse(talk, table, "take-over", found[0], serial, found[1])
    person, key = talk.writer.person or await _make_known(talk, table), f"{talk.row.id}{serial}"
    handled = Handled.at(found, "taken-over")
    if coded is not None and (
        table.settings.people.takeovers == "first" or await waits_for_players(work, table)
    ):
        await take_for_good(talk, table, found, Successor(person.id, "takeover"), key)
        return handled
    await note_asker(talk, table, found, person)
    facts = page_table(table, talk.services)
    address = await mail_address_of(work, person.id) or ""
    told = GmTakeOver(found.name, person.name, address, await _account_of(talk))
    post, key = await read_post(talk, table), f"{found.id}:{found.tenure}:{person.id}"
    await post.tell(work, Masters(), told, "gm-take-over", f"gm-take-over:{key}")
    page = notice_page(TakeOverAsked(found.name), facts, _reader(talk, facts.zone))
    await talk.answer(page, ANSWER, serial, game=table.game)
    return Handled.at(found, "take-over-asked")


async def _account_of(talk: Conversation[Visitor]) -> Account | None:
    """What a game master should know of somebody who asks in a chat, where anybody can have any
    name. None: they ask by mail.
    """
    if talk.mail.channel != TELEGRAM:
        return None
    if talk.writer.person is None:
        return Account(None)
    return Account(
        talk.writer.person.created_at,
        len(await talk.work.seats.list_of_person(talk.writer.person.id)),
    )


# ---------------------------------------------------------------------------- asking at the address
async def _ask(talk: Conversation[Visitor], wish: Here) -> Handled | None:
    """The person who reads at the address is asked whether they wish it; a few times a day. None:
    nobody learns anything.
    """
    services, now = talk.services, talk.now()
    if talk.mail.trust == "fail" or talk.mail.channel != MAIL:
        return None
    if isinstance(wish, said.ForgetMe):
        if talk.writer.person is None:
            return None
        await ask_to_forget(talk, talk.writer.person, talk.row.id)
        return Handled("forget-asked")
    if isinstance(wish, said.OwnData):
        if talk.writer.person is None or await why_no_data(talk, talk.writer.person) is not None:
            return None
        await ask_for_data(talk, talk.writer.person, talk.row.id)
        return Handled("data-asked")
    table = (
        await _find(talk, wish.table) if isinstance(wish, said.Observe | said.TakeOver) else None
    )
    by_code = await _find_by_seat(talk, wish.table) if isinstance(wish, said.TakeOver) else None
    table = by_code[0] if by_code is not None else table
    if table is None:
        services.intake.guesses.note(talk.mail, now)
        return None
    if await talk.has_had(MAIL, talk.address, ASK, most=ASKED_A_DAY):
        return Handled("door-asked-too-often", ignored=True, game_id=table.game.id)
    pending = await talk.wait_for_answer(
        PURPOSE, talk.address, WAITS, wish, inbox_ids=(talk.row.id,), game_id=table.game.id
    )
    talk = _named(talk, wish)
    told: Notice = AskObserver()
    if not isinstance(wish, said.Observe):
        vacant = vacant_seats(table) if by_code is None else [by_code[1]]
        wanted = wish.player if isinstance(wish, said.TakeOver) else ""
        name = wanted if wanted and by_code is None else vacant[0].name if vacant else "nobody"
        told = AskTakeOver(name)
    person_id = talk.writer.person.id if talk.writer.person is not None else None
    there = asked(services, pending, _reader(talk, table.settings.zone), person_id, table)
    answered = Answering.to(talk.mail)
    await queue_letter(talk, there.letter(told, ASK, f"{ASK}:{pending.id}", answered))
    return Handled("door-asked", game_id=table.game.id)


async def settle_wish(talk: Conversation[object], pending: PendingRow) -> Handled:
    """The person who reads at the address has answered: a plain yes does what was wished."""
    consent = parse_consent(talk.mail.text)
    if (refused := await settle_unless_yes(talk, pending, consent, "door")) is not None:
        return refused
    person = await talk.work.people.find_by_address(MAIL, pending.address)
    if person is not None and await talk.work.people.confirm_address(MAIL, pending.address):
        await talk.work.outbox.release_for_address(MAIL, pending.address, talk.now())
    return await hear(
        talk.by(Visitor(person, is_proven=True), person),
        msgspec.json.decode(pending.detail, type=Here),
        "",
    )
