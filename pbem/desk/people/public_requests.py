"""At a table's door: to look on, to take over a seat that stands empty, to be back, to be asked
when somebody is needed.

Who writes is known by proof, or asked at the address first: then only the full join code of a table
opens anything, and whoever does not know one learns nothing. What is said here may be said by
anybody, whether they play somewhere or not.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import msgspec

from pbem.desk.envelope.addressing import Recipient, asked_by, letter_to, question_token
from pbem.desk.envelope.answers import Answer, Question
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.desk.letters.answering import ask, say
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.letters.post import Masters, read_post
from pbem.desk.lobby.asking import tell_guessed
from pbem.desk.lobby.seating import propose_name
from pbem.desk.lobby.strangers import tell_no_such_code
from pbem.desk.lobby.vacancy import seat_of_code, vacant_seats
from pbem.desk.people.askers import note_asker
from pbem.desk.people.forgetting_by_mail import ask_to_forget
from pbem.desk.people.gate import why_no_seat
from pbem.desk.people.observing import begin_observing, stop_observing, why_not_observe
from pbem.desk.people.standing_in import preference_of
from pbem.desk.people.substituting import come_back, take_for_good
from pbem.desk.phases.absence import end_absences
from pbem.desk.ports import Services, Transaction
from pbem.desk.table import OpenTable, house_table, load_table, mail_address_of, page_table
from pbem.grammar import people as said
from pbem.grammar.called import called, skeleton
from pbem.grammar.consent import parse_consent
from pbem.grammar.house.lines import parse_wishes
from pbem.pages.page import Page, Reader, Table
from pbem.pages.people import Account
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow

PURPOSE = "door"
"""Of the confirmations that a wish at the door waits under."""

ASK, ANSWER = "door-confirm", "door-answer"
WAITS = timedelta(days=3)
ASKED_A_DAY = 3
WISHES_A_MESSAGE = 5
HERE = (said.Observe, said.StopObserving, said.TakeOver, said.Available, said.Back, said.ForgetMe)
"""The wishes that are about no seat of the writer's."""
Here = (
    said.Observe | said.StopObserving | said.TakeOver | said.Available | said.Back | said.ForgetMe
)


@dataclass(frozen=True, slots=True)
class Caller(Transaction[Services]):
    """Who writes; `person` None: an address that nobody of ours has. `proven`: beyond doubt
    theirs.
    """

    row: InboxRow
    mail: Message
    person: PersonRow | None
    proven: bool
    about: int | None = None
    """The game whose letter to observers is answered."""

    @property
    def address(self) -> str:
        return self.mail.sender or ""

    def named(self, wish: Here) -> "Caller":
        """The same, of whoever has told a name that can be one, and is not known by another."""
        if self.person is not None or not isinstance(wish, said.Observe) or not wish.name:
            return self
        return replace(
            self, mail=replace(self.mail, sender_name=called(wish.name, self.mail.sender_name))
        )

    def reader(self, zone: str) -> Reader:
        if self.person is None:
            return Reader(None, self.mail.sender_name, zone)
        return Reader(None, self.person.name, self.person.time_zone, self.person.locale)

    async def answer(self, page: Page, serial: str, game: OpenTable | None = None) -> None:
        """Answer to where it came from."""
        await say(self.work, self.services, self._answer(page, serial, game))

    async def ask(
        self, question: Callable[[], Awaitable[object]], beside: Page, serial: str
    ) -> None:
        """Ask what only a yes to a letter of its own settles. Where more is said to this message,
        that page in the one answer tells how to be asked.
        """
        await ask(self.services, Question(question, self._answer(beside, serial, None)))

    def _answer(self, page: Page, serial: str, game: OpenTable | None) -> Answer:
        letter = letter_to(
            self.services,
            Recipient(
                address=self.address,
                name=self.person.name if self.person is not None else self.mail.sender_name,
                person_id=self.person.id if self.person is not None else None,
                game=game.game if game is not None else None,
            ),
            page,
            ANSWER,
            f"{ANSWER}:{self.row.id}{serial}",
            answered=Answering.to(self.mail),
        )
        return Answer(page, letter, game.game.title if game is not None else "")


def wishes_here(mail: Message) -> tuple[Here, ...]:
    """The wishes at the door in a message that holds nothing else; () for any other message."""
    wishes = parse_wishes(mail.text if mail.text.strip() else mail.subject) or ()
    here = tuple(wish for wish in wishes if isinstance(wish, HERE))
    return here if len(here) == len(wishes) else ()


async def take_wishes(caller: Caller, wishes: Sequence[Here]) -> Handled | None:
    """Do what is wished. None: not a word of it is for us to hear from somebody unproven."""
    if caller.mail.is_vouched:
        caller = replace(caller, proven=True)
    outcome: Handled | None = None
    for index, wish in enumerate(wishes[:WISHES_A_MESSAGE]):
        if isinstance(
            wish, said.Observe | said.TakeOver
        ) and caller.services.intake.guesses.too_many(caller.mail, caller.now()):
            return await tell_guessed(caller, caller.row, caller.mail, caller.person)
        heard = await hear(caller, wish, f".{index}") if caller.proven else await _ask(caller, wish)
        outcome = heard or outcome
    return outcome


async def hear(caller: Caller, wish: Here, serial: str) -> Handled:
    """One wish of somebody proven, with its answer."""
    work, services, person = caller.work, caller.services, caller.person
    house = house_table(services.policy, services.clock.now())
    reader = caller.reader(services.policy.zone)
    match wish:
        case said.Observe(table=table):
            return await _observe(caller.named(wish), table, serial)
        case said.TakeOver(table=name, player=player):
            return await _take_over(caller, name, player, serial)
        case said.ForgetMe() if person is not None:
            forget = partial(ask_to_forget, caller, person, caller.row.id)
            address = await mail_address_of(work, person.id)
            if caller.mail.channel == TELEGRAM and address is not None:
                await forget()
                await caller.answer(services.pages.chat.forget_by_mail(house, reader), serial)
            else:
                await caller.ask(forget, services.pages.people.forget_alone(house, reader), serial)
            return Handled("forget-asked")
        case said.StopObserving(table=slug) if person is not None:
            titles = await stop_observing(caller, person, slug or await _about(caller))
            await caller.answer(services.pages.people.stopped(house, reader, titles), serial)
            return Handled("observing-stopped")
        case said.Back(table=slug) if person is not None:
            return await _back(caller, person, slug or await _about(caller), serial)
        case said.Available(yes=yes, table=slug) if person is not None:
            game = await work.games.find_by_slug(slug) if slug else None
            if slug and game is None:
                return await _refuse(caller, None, "stand-in", "unknown-table", serial)
            await work.preferences.put(person.id, preference_of(slug), "yes" if yes else None)
            title = game.title if game is not None else ""
            await caller.answer(
                services.pages.people.available(house, reader, title, yes=yes), serial
            )
            return Handled("available" if yes else "not-available")
    return Handled("stranger:unknown-sender", ignored=True)


async def _back(caller: Caller, person: PersonRow, slug: str, serial: str) -> Handled:
    """At the table that is meant, or ("") at all: no substitute plays for them any more, and they
    are not away.
    """
    work, services = caller.work, caller.services
    named = (
        (await work.games.find_by_code(slug) or await work.games.find_by_slug(slug))
        if slug
        else None
    )
    if slug and named is None:
        return await _refuse(caller, None, "back", "unknown-table", serial)
    games = await come_back(caller, person, slug)
    count, kept = await end_absences(
        work, person.id, services.clock.now(), named.id if named is not None else None
    )
    if not games or count or kept:
        house, reader = (
            house_table(services.policy, services.clock.now()),
            caller.reader(services.policy.zone),
        )
        at = named.title if named is not None else ""
        await caller.answer(
            services.pages.people.back(house, reader, count, at=at, kept=kept), serial
        )
    return Handled("back" if games else "back-from-nowhere", game_id=games[0].id if games else None)


async def _about(caller: Caller) -> str:
    """The short name of the table that is meant where none is named; "" for any."""
    game = await caller.work.games.find(caller.about) if caller.about is not None else None
    return game.slug if game is not None else ""


async def _find(caller: Caller, name: str) -> OpenTable | None:
    """The table of that code, or for somebody we know of that short name; locked."""
    found = await caller.work.games.find_by_code(name)
    if found is None and caller.person is not None and caller.proven:
        found = await caller.work.games.find_by_slug(name)
    game = await caller.work.games.lock(found.id) if found is not None else None
    return await load_table(caller.work, caller.services.games, game) if game is not None else None


async def _refuse(
    caller: Caller,
    table: OpenTable | None,
    what: str,
    why: str,
    serial: str,
    options: Sequence[str] = (),
) -> Handled:
    if why == "unknown-table":
        caller.services.intake.guesses.note(caller.mail, caller.now())
    if table is None and caller.person is None:
        return await tell_no_such_code(caller, caller.row, caller.mail, what)
    facts: Table = (
        page_table(table, caller.services.policy, caller.now())
        if table is not None
        else house_table(caller.services.policy, caller.now())
    )
    page = caller.services.pages.people.door_closed(
        facts, caller.reader(facts.zone), what, why, options=options
    )
    await caller.answer(page, serial, table)
    return Handled(f"{what}-{why}", game_id=table.game.id if table is not None else None)


async def _observe(caller: Caller, name: str, serial: str) -> Handled:
    table = await _find(caller, name)
    if table is None:
        return await _refuse(caller, None, "observe", "unknown-table", serial)
    why = await why_not_observe(caller.work, table, caller.person)
    if why is not None:
        return await _refuse(caller, table, "observe", why, serial)
    person = caller.person or await _make_known(caller, table)
    cause = f"{caller.row.id}{serial}"
    await begin_observing(
        caller,
        table,
        person,
        caller.address,
        Answering.to(caller.mail),
        cause,
    )
    return Handled("observing", game_id=table.game.id)


async def _make_known(caller: Caller, table: OpenTable) -> PersonRow:
    """Somebody new, reached where they wrote from."""
    work, now, zone = caller.work, caller.now(), table.settings.zone
    name = called(caller.mail.sender_name, propose_name(table, (), caller.address))
    person_id = await work.people.add(name=name, locale="en", time_zone=zone, created_at=now)
    if (
        await work.people.add_address(person_id, caller.mail.channel, caller.address, "confirmed")
        is None
    ):
        known = await work.people.find_by_address(caller.mail.channel, caller.address)
        return known or PersonRow(person_id, name, "en", zone, now)
    return PersonRow(person_id, name, "en", zone, now)


# -------------------------------------------------------------------------------------- taking over
async def _find_by_seat(caller: Caller, name: str) -> tuple[OpenTable, SeatRow] | None:
    """The table and the seat that a code of its own opens; locked."""
    found = await caller.work.games.find_by_slug(name.rpartition("-")[0])
    game = (
        await caller.work.games.lock(found.id)
        if found is not None and found.status in ("running", "paused")
        else None
    )
    table = await load_table(caller.work, caller.services.games, game) if game is not None else None
    seat = seat_of_code(caller.services, table, name) if table is not None else None
    return (table, seat) if table is not None and seat is not None else None


async def _why_not_take_over(
    caller: Caller, table: OpenTable, player: str, coded: SeatRow | None
) -> tuple[str, tuple[str, ...]] | SeatRow:
    """The seat, or why there is none to take; `coded`: the one that the code is of."""
    if table.game.status == "open":
        return "not-begun", ()
    if table.game.status not in ("running", "paused"):
        return "over", ()
    if table.settings.people.takeovers == "off":
        return "not-taken-over", ()
    vacant = vacant_seats(table) if coded is None else [coded]
    if not vacant:
        return "no-vacant-seat", ()
    found = [seat for seat in vacant if not player or skeleton(seat.name) == skeleton(player)]
    if not found:
        return "unknown-seat", tuple(seat.name for seat in vacant)
    whys = []
    for seat in found:
        why = await why_no_seat(
            caller.work, table, seat, caller.person.id if caller.person is not None else None
        )
        if why is None:
            return seat
        whys.append(why)
    return whys[0], ()


async def _take_over(caller: Caller, name: str, player: str, serial: str) -> Handled:
    work, services, by_code = caller.work, caller.services, await _find_by_seat(caller, name)
    table, coded = by_code if by_code is not None else (await _find(caller, name), None)
    if table is None:
        return await _refuse(caller, None, "take-over", "unknown-table", serial)
    found = await _why_not_take_over(caller, table, player, coded)
    if not isinstance(found, SeatRow):
        return await _refuse(caller, table, "take-over", found[0], serial, found[1])
    person, key = caller.person or await _make_known(caller, table), f"{caller.row.id}{serial}"
    handled = Handled("taken-over", game_id=table.game.id, seat_id=found.id)
    if table.settings.people.takeovers == "first" and coded is not None:
        await take_for_good(caller, table, found, person, key=key, source="takeover")
        return handled
    now = services.clock.now()
    await note_asker(work, table, found, person, now)
    facts, address = (
        page_table(table, services.policy, now),
        await mail_address_of(work, person.id) or "",
    )
    account = await _account_of(caller)
    post = await read_post(Transaction(work, services), table)
    await post.tell(
        work,
        Masters(),
        lambda facts, reader: services.pages.people.gm_take_over(
            facts, reader, found.name, person.name, address, account
        ),
        "gm-take-over",
        f"gm-take-over:{found.id}:{found.tenure}:{person.id}",
    )
    await caller.answer(
        services.pages.people.take_over_asked(facts, caller.reader(facts.zone), found.name),
        serial,
        table,
    )
    return Handled("take-over-asked", game_id=table.game.id, seat_id=found.id)


async def _account_of(caller: Caller) -> Account | None:
    """What a game master should know of somebody who asks in a chat, where anybody can have any
    name. None: they ask by mail.
    """
    if caller.mail.channel != TELEGRAM:
        return None
    if caller.person is None:
        return Account(None)
    return Account(
        caller.person.created_at, len(await caller.work.seats.list_of_person(caller.person.id))
    )


# ---------------------------------------------------------------------------- asking at the address
async def _ask(caller: Caller, wish: Here) -> Handled | None:
    """Whoever reads at the address is asked whether they wish it; a few times a day. None: nobody
    learns anything.
    """
    work, services, now = caller.work, caller.services, caller.now()
    if caller.mail.trust == "fail" or caller.mail.channel != MAIL:
        return None
    if isinstance(wish, said.ForgetMe):
        if caller.person is None:
            return None
        await ask_to_forget(caller, caller.person, caller.row.id)
        return Handled("forget-asked")
    table = (
        await _find(caller, wish.table) if isinstance(wish, said.Observe | said.TakeOver) else None
    )
    by_code = await _find_by_seat(caller, wish.table) if isinstance(wish, said.TakeOver) else None
    table = by_code[0] if by_code is not None else table
    if table is None:
        services.intake.guesses.note(caller.mail, now)
        return None
    if (
        await work.outbox.count_to_address_since(
            MAIL, caller.address, (ASK,), now - timedelta(days=1)
        )
        >= ASKED_A_DAY
    ):
        return Handled("door-asked-too-often", ignored=True, game_id=table.game.id)
    waiting = await work.pending.find_open(PURPOSE, caller.address)
    if waiting is not None:
        await work.pending.settle(waiting.id, "expired", now)
    pending, _ = await work.pending.wait_under(
        purpose=PURPOSE,
        address=caller.address,
        inbox_id=caller.row.id,
        now=now,
        expires_at=now + WAITS,
        game_id=table.game.id,
        detail=msgspec.json.encode(wish).decode(),
    )
    token, caller = question_token(services.key, pending.id), caller.named(wish)
    facts, reader = page_table(table, services.policy, now), caller.reader(table.settings.zone)
    if isinstance(wish, said.Observe):
        page = services.pages.people.ask_observer(facts, reader, token)
    else:
        vacant = vacant_seats(table) if by_code is None else [by_code[1]]
        wanted = wish.player if isinstance(wish, said.TakeOver) else ""
        name = wanted if wanted and by_code is None else vacant[0].name if vacant else "nobody"
        page = services.pages.people.ask_take_over(facts, reader, name, token)
    letter = letter_to(
        services,
        asked_by(
            services.key,
            pending,
            reader.name,
            caller.person.id if caller.person is not None else None,
            table.game,
        ),
        page,
        ASK,
        f"{ASK}:{pending.id}",
        answered=Answering.to(caller.mail),
    )
    await queue_letter(work, letter, now)
    return Handled("door-asked", game_id=table.game.id)


async def settle_wish(
    tx: Transaction[Services], row: InboxRow, mail: Message, pending: PendingRow
) -> Handled:
    """Whoever reads at the address has answered: a plain yes does what was wished."""
    consent = parse_consent(mail.text)
    if consent is None:
        return Handled("confirmation-unclear", ignored=True, game_id=pending.game_id)
    if (
        await tx.work.pending.settle(pending.id, "confirmed" if consent else "refused", tx.now())
        is None
    ):
        return Handled("door-too-late", game_id=pending.game_id)
    if not consent:
        return Handled("door-refused", game_id=pending.game_id)
    person = await tx.work.people.find_by_address(MAIL, pending.address)
    if person is not None and await tx.work.people.confirm_address(MAIL, pending.address):
        await tx.work.outbox.release_for_address(MAIL, pending.address, tx.now())
    return await hear(
        Caller(tx.work, tx.services, row, mail, person, proven=True),
        msgspec.json.decode(pending.detail, type=Here),
        "",
    )
