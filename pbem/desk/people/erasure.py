"""Forgetting somebody by address: what identifies them goes, the games they played stay whole.

What stays is the games' record: the name chosen at a table, the orders, the events. It is looked
for outside any lock (every message is read for the address), and let go of in one short transaction
that looks again at what came meanwhile. Somebody who asks for it by mail is confirmed first.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec

from pbem.desk.chat.buttons import with_answers
from pbem.desk.chat.messages import mail_draft_of
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel, Handled, WishToForget, channel_of
from pbem.desk.gm import By, Refused
from pbem.desk.letters.post import asked
from pbem.desk.letters.queue import ask_for_delivery, queue_letter
from pbem.desk.letters.routes import chat_addresses_of
from pbem.desk.lobby.resignations import vacate
from pbem.desk.lobby.rows import read_lobby_rows
from pbem.desk.lobby.seats import free_seat
from pbem.desk.mandate import log_command
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import decode_settings, encode_settings, load_table, mail_address_of, reader_of
from pbem.grammar.consent import parse_sure_consent
from pbem.pages.notice import Notice
from pbem.pages.people import AskForget
from pbem.store.repositories.forgetting import FORGOTTEN, Forgetting, TenureSpan
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.work import Work

EXCERPT_CHARACTERS = 30
TELLING_DIGITS = 7
"""A shorter number of an account stands in many a text by chance."""


@dataclass(frozen=True, slots=True)
class Traces:
    """What is known of somebody. `chats` are the numbers of their Telegram accounts. `written` are
    their messages, `naming` those of others in which they stand; `mastered` are the slugs of games
    they run, `seats` the titles of games in which they still sit.
    """

    person: PersonRow | None
    addresses: tuple[str, ...]
    chats: tuple[str, ...]
    spans: tuple[TenureSpan, ...]
    written: frozenset[int]
    naming: frozenset[int]
    last_message: int
    last_letter: int
    letters_to: frozenset[int]
    letters_naming: frozenset[int]
    notes: Mapping[int, tuple[int, str]]
    press: Mapping[int, int]
    confirmations: frozenset[int]
    log_entries: frozenset[int]
    seats: tuple[str, ...]
    mastered: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        found = (
            self.written,
            self.naming,
            self.letters_to,
            self.letters_naming,
            self.confirmations,
            self.log_entries,
        )
        return self.person is None and not any(found)


class Forgotten(msgspec.Struct, frozen=True):
    """What goes (or would go), in numbers; nothing in it tells who. `configured`: the configuration
    names the address as a game master.
    """

    done: bool
    addresses: int
    messages: int
    letters: int
    notes: int
    confirmations: int
    log_entries: int
    seats_left: tuple[str, ...]
    games_mastered: tuple[str, ...]
    configured: bool


async def forget(services: Desk, address: str, by: By, *, really: bool) -> Forgotten:
    """Find everything about the person who has this address (or Telegram account of that number),
    and let go of it if it is really meant.

    Refused with `unknown-address` when nothing is known of it, and with `own-address` for the
    service's own.
    """
    address = address.strip().lower()
    if address == services.policy.address or not (_is_chat(address) or "@" in address):
        raise Refused(
            "own-address", f"{address!r} is no address of somebody that could be forgotten"
        )
    async with services.database.read() as work:
        traces = await find_traces(work, address)
    if traces.is_empty:
        raise Refused("unknown-address", "nothing is known of that address")
    if really:
        async with services.write() as tx:
            traces = _together(
                traces, await find_traces(tx.work, address, traces.last_message, traces.last_letter)
            )
            await _let_go(tx, traces, by)
            services.steps.reached("forget.written")
        await ask_for_delivery(services, services.clock.now())
    return Forgotten(
        done=really,
        addresses=len(traces.addresses) + len(traces.chats),
        messages=len(traces.written | traces.naming),
        letters=len(traces.letters_to | traces.letters_naming),
        notes=len(traces.notes),
        confirmations=len(traces.confirmations),
        log_entries=len(traces.log_entries),
        seats_left=traces.seats,
        games_mastered=traces.mastered,
        configured=any(own in services.policy.gm_addresses for own in traces.addresses),
    )


async def forget_on_request(services: Desk, address: str) -> None:
    """Somebody has said at their own address that they want to be forgotten. A second time nothing
    is known of them any more.
    """
    try:
        await forget(services, address, By("somebody, of themselves"), really=True)
    except Refused as refused:
        if refused.code != "unknown-address":
            raise


async def find_traces(
    work: Work, address: str, after_message: int = 0, after_letter: int = 0
) -> Traces:
    """Everything that is known; of messages and letters, which are many, what came after these."""
    store = Forgetting(work.connection)
    channel = channel_of(address)
    person = await work.people.find_by_address(channel, address)
    known: list[tuple[str, str]] = [(channel, address)]
    known += (
        [(row.channel, row.address) for row in await work.people.list_addresses(person.id)]
        if person is not None
        else []
    )
    wanted = tuple(dict.fromkeys(one for channel, one in known if channel == MAIL))
    chats = tuple(dict.fromkeys(one for channel, one in known if channel == TELEGRAM))
    named = (*wanted, *(chat for chat in chats if len(chat) >= TELLING_DIGITS))
    spans = tuple(await store.tenures_of(person.id)) if person is not None else ()
    messages = await store.messages_of(wanted, after_message)
    updates = await store.updates_of(chats, after_message)
    notes = await store.notes_in(spans)
    games = [game for span in spans if (game := await _game_of(work, span.seat_id)) is not None]
    quoting = await _quoting(
        store, {game.id for game in games}, [text for _game, text in notes.values()], after_letter
    )
    written = messages.written | updates.written | await store.messages_in(spans)
    press = await store.press_of(person.id) if person is not None else {}
    quoting |= await store.letters_of_press(press) if press else set()
    to_them = frozenset(
        await store.letters_to((*wanted, *chats), person.id if person is not None else None)
    )
    mastered = (
        [await work.games.find(game_id) for game_id in await work.gms.list_games_of(person.id)]
        if person is not None
        else []
    )
    return Traces(
        person=person,
        addresses=wanted,
        chats=chats,
        spans=spans,
        written=frozenset(written),
        naming=(messages.naming | updates.naming) - messages.written - updates.written,
        last_message=max(messages.last_id, updates.last_id),
        last_letter=await store.newest_letter(),
        letters_to=to_them,
        letters_naming=frozenset(
            (await store.letters_naming(named, after_letter) | quoting) - to_them
        ),
        notes=notes,
        press=press,
        confirmations=frozenset(await store.confirmations_of(wanted, chats, written)),
        log_entries=frozenset(await store.log_entries_naming(named)),
        seats=await _sitting(work, person),
        mastered=tuple(game.slug for game in mastered if game is not None),
    )


def _together(before: Traces, now: Traces) -> Traces:
    """What was found in the long look, and what came since."""
    written = before.written | now.written
    letters_naming = (before.letters_naming | now.letters_naming) - now.letters_to
    return replace(
        now,
        written=written,
        naming=(before.naming | now.naming) - written,
        letters_naming=letters_naming,
    )


def _is_chat(address: str) -> bool:
    return address.isdecimal() and address.isascii()


async def _game_of(work: Work, seat_id: int) -> GameRow | None:
    seat = await work.seats.find(seat_id)
    return await work.games.find(seat.game_id) if seat is not None else None


async def _sitting(work: Work, person: PersonRow | None) -> tuple[str, ...]:
    """The titles of the games that are not over in which the person has a seat."""
    seats = await work.seats.list_of_person(person.id) if person is not None else []
    games = [await work.games.find(seat.game_id) for seat in seats if seat.status == "active"]
    return tuple(
        game.title
        for game in games
        if game is not None and game.status in ("open", "running", "paused")
    )


async def _quoting(
    store: Forgetting, game_ids: Collection[int], texts: Collection[str], after_letter: int
) -> set[int]:
    """Letters to game masters in which one of these notes is quoted."""
    excerpts = [
        excerpt for text in texts if (excerpt := " ".join(text.split())[:EXCERPT_CHARACTERS])
    ]
    if not excerpts:
        return set()
    found = set()
    for row in await store.letters_to_masters(game_ids, after_letter):
        letter = mail_draft_of(row)
        words = (
            " ".join(letter[0].text.replace("\n> ", " ").replace("\n", " ").split())
            if letter is not None
            else ""
        )
        if any(excerpt in words for excerpt in excerpts):
            found.add(row.id)
    return found


async def _let_go(tx: Transaction[Context], traces: Traces, by: By) -> None:
    store, now = Forgetting(tx.work.connection), tx.now()
    await store.overwrite_what_goes()
    detail = {
        "person": traces.person.id if traces.person is not None else None,
        "messages": len(traces.written),
        "letters": len(traces.letters_to),
    }
    await log_command(tx, by, "forget", detail, game_id=None, public=False)
    await store.drop_messages(traces.written)
    await store.drop_bytes(traces.naming)
    await store.empty_letters(traces.letters_to, to_the_person=True)
    await store.empty_letters(traces.letters_naming, to_the_person=False)
    await store.empty_notes(traces.notes)
    await store.empty_press(traces.press)
    await store.end_confirmations(traces.confirmations, now)
    await store.blot_log(traces.log_entries, (*traces.addresses, *traces.chats))
    await store.blot_links(traces.chats)
    if traces.person is None:
        return
    await _hide_master(tx.work, traces)
    person = traces.person
    seats = await tx.work.seats.list_of_person(person.id)
    await store.forget_person(person.id)
    await store.drop_deliveries(person.id)
    for seat in seats:
        game = await tx.work.games.lock(seat.game_id)
        if game is None or seat.status != "active":
            continue
        if game.status == "open":
            await free_seat(
                tx,
                await read_lobby_rows(tx, game.id),
                seat,
                declined=False,
            )
        elif game.status in ("running", "paused"):
            await vacate(tx, await load_table(tx, game), seat)


async def _hide_master(work: Work, traces: Traces) -> None:
    """The name they have as a game master in mails to come."""
    for slug in traces.mastered:
        game = await work.games.find_by_slug(slug)
        if game is None or traces.person is None:
            continue
        settings = decode_settings(game)
        if traces.person.name:
            await Forgetting(work.connection).blot_actor(traces.person.name, [game.id])
        if settings.gm_name == traces.person.name:
            await work.games.set_settings(
                game.id, encode_settings(msgspec.structs.replace(settings, gm_name=""))
            )


__all__ = ["FORGOTTEN", "Forgotten", "forget"]


PURPOSE = "forget"
"""Of the confirmations that the wish to be forgotten waits under."""

WAITS = timedelta(days=1)
ASKED_A_DAY = 3


class Wanted(msgspec.Struct, frozen=True):
    """Who wants it."""

    person_id: int


async def ask_to_forget(tx: Transaction[Context], person: PersonRow, inbox_id: int) -> bool:
    """Ask whether we forget them. False: nobody can be asked."""
    return await ask_at_home(
        tx, person, inbox_id, PURPOSE, AskForget(await _sitting(tx.work, person))
    )


async def ask_at_home(
    tx: Transaction[Context], person: PersonRow, inbox_id: int, purpose: str, told: Notice
) -> bool:
    """Ask this at the registered address, a few times a day. False: nobody can be asked."""
    address, asks = await mail_address_of(tx.work, person.id), f"{purpose}-confirm"
    channel: Channel = MAIL if address is not None else TELEGRAM
    if address is None:
        address = (await chat_addresses_of(tx.work, [person.id])).get(person.id)
    if address is None or await tx.has_had(channel, address, asks, most=ASKED_A_DAY):
        return False
    pending = await tx.wait_for_answer(
        purpose, address, WAITS, Wanted(person.id), inbox_ids=(inbox_id,)
    )
    there = asked(tx.services, pending, reader_of(person, tx.services), person.id)
    letter = there.letter(told, asks, f"{asks}:{pending.id}")
    await queue_letter(tx, with_answers(letter, tx.services, pending.id))
    return True


async def settle_forgetting(
    talk: Conversation[object], pending: PendingRow
) -> Handled | WishToForget:
    """The person has answered: a plain yes lets go of them, in units of work of its own; anything
    else changes nothing.
    """
    now, consent = talk.now(), parse_sure_consent(talk.mail.text)
    if consent is None:
        return Handled("confirmation-unclear", ignored=True)
    if pending.done_at is not None or pending.expires_at <= now:
        return Handled("forget-too-late")
    if not consent:
        await talk.work.pending.settle(pending.id, "refused", now)
        return Handled("forget-refused")
    return WishToForget(pending.address)
