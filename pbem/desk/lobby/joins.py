"""Joining by code: from any address, confirmed there; the answer seats. A person proven already is
seated at once.

On Telegram the numeric id is proof enough, also of somebody whom nobody knew before: they are
seated at once.

The person who does not know a right code learns nothing, not even that no such table exists: a
wrong one is logged and never answered. One question waits for an address at a time, and a few a day
are asked at most.
"""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from pbem.desk.authentication.verdicts import Proven
from pbem.desk.envelope.answers import CODES_A_MESSAGE
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import MAIL, Handled, Message
from pbem.desk.lobby.barred import turn_away
from pbem.desk.lobby.herald import Herald
from pbem.desk.lobby.join_questions import (
    ANSWER,
    PURPOSE,
    Joiner,
    Wanted,
    ask,
    ask_further,
    drop_taken,
    hear,
    is_answered_enough,
    refuse,
    settle_on,
    tell_guessed,
    tell_no_such_code,
    tell_wrong_code,
    without,
)
from pbem.desk.lobby.rows import LobbyRows, keep_wishes, lobby_for, read_lobby_rows, words_of
from pbem.desk.lobby.seat_messages import take_lobby_message
from pbem.desk.lobby.seats import Guest, look_after_arrival, seat_guest, take_side
from pbem.desk.messages.conversation import Conversation, Visitor, open_conversation
from pbem.desk.messages.inquiries import INQUIRIES, answer_inquiries
from pbem.desk.messages.notes import pass_note
from pbem.grammar import joining
from pbem.grammar import seat_wishes as said
from pbem.grammar.consent import No, Yes, read_consent
from pbem.grammar.lobby import LobbyReading, read_lobby
from pbem.pages.lobby import Seated
from pbem.pages.lobby_view import Refusal
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow

SEATED_TRIES = 2
BEFORE_THE_BEGINNING = 0
"""The phase of whatever is asked at a table that has not begun."""
AGREEING = said.Name | said.Colour | said.Colours | said.Zone | said.Vote | said.Accept | said.Side
"""The person who answers the question with one of these wants the seat."""


def wants_to_join(mail: Message, *, anywhere: bool = False) -> tuple[tuple[str, str], ...]:
    """The join code that a mail begins with (or its subject, when there is no text), and what is
    said behind it.

    `anywhere`: on any line of it, for the person who can have written about nothing else; then
    perhaps several. () when it is about something else.
    """
    text = mail.text if mail.text.strip() else mail.subject
    first = joining.parse_join(text)
    return (first,) if first is not None else joining.find_joins(text) if anywhere else ()


async def ask_joiner(talk: Conversation[Visitor], wishes: Sequence[tuple[str, str]]) -> Handled:
    """Somebody (a person if it is proven) wants to join the table of a code: a mail to the
    address asks, its answer seats.
    """
    person = talk.writer.person
    if talk.services.intake.guesses.too_many(talk.mail, talk.now()):
        return await tell_guessed(talk)
    game, words = None, ""
    for code, rest in wishes[:CODES_A_MESSAGE]:
        found = await talk.work.games.find_by_code(code)
        if found is not None:
            game, words = await talk.work.games.lock(found.id), rest
            break
    if game is None:
        talk.services.intake.guesses.note(talk.mail, talk.now())
        if person is None:
            return await tell_no_such_code(talk, "join")
        return await tell_wrong_code(talk)
    if talk.mail.trust == "fail":
        return Handled("join-unproven", ignored=True, game_id=game.id)
    joiner = await _open(talk, game.id, talk.address, person)
    rows = joiner.writer.rows
    why = _closed(rows)
    if why is not None:
        return await refuse(joiner, why)
    seat = _seat_of(joiner)
    if seat is not None and person is not None and await _names_another(joiner, seat, words):
        return await _send_seat_again(joiner, seat)
    if seat is not None and person is not None:
        player = await open_conversation(talk, rows.table, seat)
        return await take_lobby_message(player, words, joining=True, accepts=True)
    if seat is not None:
        return await _send_seat_again(joiner, seat)
    barred = await turn_away(joiner)
    if barred is not None:
        return barred
    if rows.is_full:
        return await refuse(joiner, "full")
    if talk.mail.is_vouched:
        return await _seat_at_once(joiner, words)
    wanted, refusals = hear(rows, Wanted(), await _read(joiner, words))
    if person is not None and not refusals:
        outcome = await _seat(joiner, wanted)
        if isinstance(outcome, SeatRow):
            return joiner.writer.handled("joined", seat_id=outcome.id)
        wanted, refusals = without(wanted, outcome), [outcome]
    return await ask(joiner, wanted, refusals)


async def _read(talk: Conversation[Joiner], words: str) -> LobbyReading:
    choices, names = words_of(talk.writer.rows), (talk.mail.sender_name,)
    return await talk.services.apart.run(read_lobby, words, choices, joining=True, signed_as=names)


async def _seat_at_once(talk: Conversation[Joiner], words: str) -> Handled:
    """Who writes from a chat is known by its id. They sit down under a name that is free; what else
    they wrote is said by the person who sits there, with a receipt that tells what of it could not
    be.
    """
    wanted, refusals = hear(talk.writer.rows, Wanted(), await _read(talk, words))
    outcome = await _seat(talk, msgspec.structs.replace(wanted, note=None))
    for _ in range(SEATED_TRIES):  # somebody took that name or colour at this very moment
        if isinstance(outcome, SeatRow):
            break
        outcome = await _seat(talk, without(wanted, outcome))
    if isinstance(outcome, Refusal):
        return await refuse(talk, "full")
    if refusals or wanted.note:
        rows = await read_lobby_rows(talk, talk.writer.rows.game.id)
        player = await open_conversation(talk, rows.table, outcome)
        await take_lobby_message(player, words, joining=True)
    return talk.writer.handled("joined", seat_id=outcome.id)


async def settle_join(talk: Conversation[object], pending: PendingRow) -> Handled | Proven:
    """The person who reads at the address has answered: a seat is given, or asked about further.
    Who sits there, and says more than yes or no when the table has begun, answers the old letter as
    a player does: that is for the caller.
    """
    now = talk.now()
    game = await talk.work.games.lock(pending.game_id)
    if game is None:
        return Handled("join-unread", ignored=True)
    joiner = await _open(talk, game.id, pending.address, None)
    rows = joiner.writer.rows
    why, seat, consent = _closed(rows), _seat_of(joiner), read_consent(talk.mail.text)
    if seat is not None and why is None:
        return await _hear_seated(joiner, seat)
    if seat is not None and why is not None:
        is_answer = isinstance(consent, No) or not consent.rest.strip()
        return (
            joiner.writer.handled("join-known", ignored=True, seat_id=seat.id)
            if is_answer
            else Proven(seat, BEFORE_THE_BEGINNING)
        )
    if (
        pending.outcome == "confirmed"
    ):  # they have sat there, and left again; only the join code lets them in once more
        return joiner.writer.handled("join-over", ignored=True)
    if isinstance(consent, No):
        await talk.work.pending.settle(pending.id, "refused", now)
        return joiner.writer.handled("join-declined")
    if why is not None or rows.is_full:
        await talk.work.pending.settle(pending.id, "refused", now)
        return await refuse(joiner, why or "full")
    barred = await turn_away(joiner)
    if barred is not None:
        await talk.work.pending.settle(pending.id, "refused", now)
        return barred
    reading = await _read(joiner, consent.rest)
    wanted, refusals = hear(rows, msgspec.json.decode(pending.detail, type=Wanted), reading)
    wanted, lost = drop_taken(rows, wanted)
    refusals += lost
    agreed = isinstance(consent, Yes) or any(isinstance(wish, AGREEING) for wish in reading.wishes)
    if not agreed and not refusals:
        wanted = msgspec.structs.replace(wanted, note=None)
        refusals = [Refusal("not-understood", _first_line(talk.mail.text), ("yes",))]
    if pending.expires_at <= now or pending.outcome == "refused":
        return await ask(joiner, wanted, refusals)
    if agreed and not refusals:
        outcome = await _seat(joiner, wanted)
        if isinstance(outcome, SeatRow):
            await talk.work.pending.settle(pending.id, "confirmed", now, replaced_too=True)
            waiting = await talk.work.pending.find_open(PURPOSE, pending.address)
            if (
                waiting is not None and waiting.game_id == game.id
            ):  # a newer question about the same table is over, too
                await talk.work.pending.settle(waiting.id, "expired", now)
            await _show_asked(
                joiner, outcome, [wish for wish in reading.wishes if isinstance(wish, said.Show)]
            )
            return joiner.writer.handled("joined", seat_id=outcome.id)
        wanted, refusals = without(wanted, outcome), [outcome]
    if pending.done_at is not None:
        return await ask(joiner, wanted, refusals)
    return await ask_further(joiner, pending, wanted, refusals)


async def _open(
    talk: Conversation[object], game_id: int, address: str, person: PersonRow | None
) -> Conversation[Joiner]:
    known = person or await talk.work.people.find_by_address(talk.mail.channel, address)
    rows = await read_lobby_rows(talk, game_id)
    return replace(talk.by(Joiner(rows, known), known), address=address)


def _closed(rows: LobbyRows) -> str | None:
    """Why nobody can sit down at all; None while the table is open."""
    return {"open": None, "running": "begun", "paused": "begun"}.get(rows.game.status, "over")


def _seat_of(talk: Conversation[Joiner]) -> SeatRow | None:
    known = talk.writer.known
    return next(
        (
            seat
            for seat in talk.writer.rows.table.seats
            if known is not None and seat.person_id == known.id
        ),
        None,
    )


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:80] if lines else ""


async def _seat(talk: Conversation[Joiner], wanted: Wanted) -> SeatRow | Refusal:
    """Sit them down, cast their votes, pass on their note, and tell them and the game master; all
    or nothing.
    """
    work, rows, now = talk.work, talk.writer.rows, talk.now()
    name, colour = settle_on(talk, wanted)
    guest = Guest(talk.writer.known, talk.address, name, colour, wanted.zone, talk.mail.channel)
    seat = await seat_guest(talk, rows.table, guest)
    if isinstance(seat, Refusal):
        return seat
    if (
        await work.people.confirm_address(talk.mail.channel, talk.address)
        and talk.mail.channel == MAIL
    ):
        await work.outbox.release_for_address(MAIL, talk.address, now)
    for question, answer in wanted.votes.items():
        if answer in rows.ballot.get(question, ()):
            await work.votes.put(seat.id, question, answer, now)
    if wanted.colours and seat.person_id is not None:
        await keep_wishes(work, seat.person_id, rows.game.id, wanted.colours)
    await take_side(talk, rows.game.id, seat, wanted.side)
    invitation = (
        await work.invitations.find_of_person(rows.game.id, seat.person_id)
        if seat.person_id is not None
        else None
    )
    if invitation is not None:
        await work.invitations.mark_answered(invitation.id, now)
    fresh = await look_after_arrival(talk, rows.game.id, seat, is_new=True, was_invited=False)
    await Herald(talk, fresh).tell_newcomer(seat, talk.address, Answering.to(talk.mail))
    if wanted.note:
        await pass_note(
            await open_conversation(talk, fresh.table, seat),
            wanted.note,
        )
    return seat


async def _show_asked(
    talk: Conversation[Joiner], seat: SeatRow, wishes: Sequence[said.Show]
) -> None:
    """What the yes asks to see besides, in answers of its own."""
    commands = [wish.command for wish in wishes if type(wish.command) in INQUIRIES]
    if commands:
        rows = await read_lobby_rows(talk, talk.writer.rows.game.id)
        await answer_inquiries(
            await open_conversation(talk, rows.table, seat),
            commands,
        )


async def _hear_seated(talk: Conversation[Joiner], seat: SeatRow) -> Handled:
    """The same answer once more changes nothing; what else is said by it is said by the person who
    sits there.
    """
    consent = read_consent(talk.mail.text)
    if isinstance(consent, No) or not consent.rest.strip():
        return talk.writer.handled("join-known", seat_id=seat.id)
    player = await open_conversation(talk, talk.writer.rows.table, seat)
    return await take_lobby_message(player, consent.rest, joining=True)


async def _names_another(talk: Conversation[Joiner], seat: SeatRow, words: str) -> bool:
    """Whether somebody wants to sit down by another name than the person who sits there already: a
    second person at the same address. Who sits there takes another name without the join code. A
    chat is one person's.
    """
    if seat.id in talk.writer.rows.unanswered or talk.row.channel != MAIL:
        return False
    reading = await _read(talk, words)
    return any(isinstance(one, said.Name) and one.name != seat.name for one in reading.wishes)


async def _send_seat_again(talk: Conversation[Joiner], seat: SeatRow) -> Handled:
    """Perhaps the person who sits there asks to join again: their own address is told how the seat
    stands. Nothing is changed.
    """
    if await is_answered_enough(talk):
        return talk.writer.handled("join-known", ignored=True, seat_id=seat.id)
    player = await open_conversation(talk, talk.writer.rows.table, seat)
    page = Seated(lobby_for(talk.writer.rows, seat, talk.now()), is_again=True)
    await player.answer(page, ANSWER)
    return talk.writer.handled("join-known", seat_id=seat.id)
