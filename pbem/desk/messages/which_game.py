"""Which of several tables somebody means: asked once on the channel where they wrote; what they
wrote is kept, and handled when they say.

By mail the question is a letter of no table, with a code of its own: what answers it cannot be
taken for orders of one of them. It quotes all that waits, and its answer is about that alone: what
comes later is asked in a letter of its own. It is answered by a table's name (`wolf`, `G7`), in a
chat with a button too, and what stands behind the name (`G7: march ...`) is handled after what was
kept.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.desk.authentication.kept import (
    FULL_CHARACTERS,
    LIVE,
    WHICH,
    Kept,
    Waiting,
    decode_kept,
    encode_kept,
    keep_quote,
    kept_until,
    let_go_if_over,
    shown,
    tell_over,
)
from pbem.desk.authentication.verdicts import Known, Proven, WhichGame
from pbem.desk.chat.buttons import Choose, Holder, Keyboard
from pbem.desk.chat.edits import say_instead
from pbem.desk.chat.messages import LOOKED_BACK, message_of
from pbem.desk.envelope.message import TELEGRAM, Handled, NotYet
from pbem.desk.envelope.recipients import Recipient, question_token
from pbem.desk.messages.conversation import Conversation, OfPerson
from pbem.desk.messages.inquiries import answer_person
from pbem.desk.messages.players import take_message
from pbem.desk.messages.table_names import ANSWERED, keep_spoken_of, parse_choice
from pbem.desk.ports import Context, Transaction
from pbem.pages.chat import WhichTable
from pbem.pages.notice import notice_page
from pbem.pages.notices import WhichGameAsked
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import NewPending, PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.text import escape

KIND = "which-game"
ASKED_AGAIN_AFTER = timedelta(minutes=10)
ASKED_A_DAY = 20
Tables = Sequence[tuple[SeatRow, GameRow]]


async def ask_which(
    talk: Conversation[WhichGame],
    *,
    anew: bool = False,
) -> Handled | NotYet:
    """Keep the message, and ask once; what else is written meanwhile waits under the same question.
    `anew`: ask in any case.

    What is about no table is answered anyway.
    """
    answered, rest = await answer_person(talk)
    if answered and not rest.strip():
        return Handled("answered")
    now = talk.now()
    address = talk.mail.sender or ""
    tables = await _tables(talk.work, talk.writer.seats)
    open_one = await talk.work.pending.find_open(WHICH, address)
    if open_one is not None and await let_go_if_over(talk, open_one):
        open_one = None
    choice = parse_choice(talk.mail.text, [game for _, game in tables])
    if open_one is not None and choice is not None and not talk.mail.is_edit:
        return await _choose(talk, open_one, _seat_at(tables, choice[0]), choice)
    until = await kept_until(
        talk.work, [game.id for _, game in tables], [talk.row.received_at], now, now
    )
    earlier: tuple[Waiting, ...] = ()
    if talk.mail.is_quoted and open_one is not None:  # its letter still means what it quoted
        earlier = await _still_kept(talk.work, decode_kept(open_one).listed)
        await talk.work.pending.settle(open_one.id, "expired", now)
    listed = (
        (
            *earlier,
            Waiting(talk.row.id, shown(talk.mail.text)[:FULL_CHARACTERS], talk.row.received_at),
        )
        if talk.mail.is_quoted
        else ()
    )
    pending, is_new = await talk.work.pending.wait_under(
        NewPending(
            purpose=WHICH,
            address=address,
            inbox_ids=(*(one.id for one in earlier), talk.row.id),
            created_at=now,
            expires_at=until,
            detail=encode_kept(Kept(listed=listed)),
        )
    )
    if not talk.mail.is_quoted:
        pending = await talk.work.pending.add_waiting(pending, talk.row.id)
        await keep_quote(talk.work, pending, talk.mail.text)
    # A command in a chat wants an answer: it gets the question again, at the bottom.
    if is_new or anew or talk.mail.is_command or now - pending.created_at >= ASKED_AGAIN_AFTER:
        await _ask(talk, tables, pending)
    return Handled("which-game")


async def _still_kept(work: Work, messages: Sequence[Waiting]) -> tuple[Waiting, ...]:
    rows = [await work.inbox.find(one.id) for one in messages]
    return tuple(
        one
        for one, row in zip(messages, rows, strict=True)
        if row is not None and row.outcome == KIND
    )


async def _tables(work: Work, seats: Sequence[SeatRow]) -> list[tuple[SeatRow, GameRow]]:
    return [
        (seat, game) for seat in seats if (game := await work.games.find(seat.game_id)) is not None
    ]


async def _ask(talk: Conversation[WhichGame], tables: Tables, pending: PendingRow) -> None:
    services, mail, person = talk.services, talk.mail, talk.writer.person
    if await talk.has_had(mail.channel, talk.address, KIND, most=ASKED_A_DAY):
        return
    house, until = talk.page_table(), pending.expires_at
    titles, names = [game.title for _, game in tables], [game.slug for _, game in tables]
    key = f"{KIND}:{pending.id}:{talk.row.id}"
    if mail.is_quoted:
        token = question_token(services.key, pending.id)
        quoted = [one.text for one in decode_kept(pending).listed]
        page = notice_page(WhichGameAsked(titles, names, until, quoted), house, talk.reader, token)
        to = Recipient(talk.address, person.name, person.id, token=token)
        await talk.send(talk.letter(page, KIND, key, to=to))
        return
    keyboard = Keyboard(services.key, Holder(person.id))
    for seat, game in tables:
        keyboard.line((game.title, Choose(pending.id, seat.id)))
    page = notice_page(WhichTable(titles, until), house, talk.reader)
    await talk.send(keyboard.below(talk.letter(page, KIND, key)))


# --------------------------------------------------------------------------------------- the answer
async def answer_which(talk: Conversation[object], pending: PendingRow) -> Handled | NotYet:
    """Somebody answers the question, in words. What names no table is kept with the rest, and asked
    about again.
    """
    person = await talk.work.people.find_by_address(talk.mail.channel, pending.address)
    seats = await talk.work.seats.list_of_person(person.id) if person is not None else []
    tables = [
        (seat, game)
        for seat, game in await _tables(talk.work, seats)
        if game.status in LIVE and seat.status != "left"
    ]
    choice = parse_choice(talk.mail.text, [game for _, game in tables])
    facts = json.loads(talk.row.facts)
    chosen = next((seat for seat, _ in tables if seat.id == facts.get("seat")), None)
    if chosen is not None:  # it was answered, by this message or while this one waited
        text = (
            _rest(choice[1], person) if ANSWERED in facts and choice is not None else talk.mail.text
        )
        return await take_message(talk.saying(replace(talk.mail, text=text)), Proven(chosen, None))
    if person is None or not tables:
        return Handled("stranger:no-seat", ignored=True)
    if choice is None:
        asked = WhichGame(person, tuple(seat for seat, _ in tables))
        return await ask_which(talk.by(asked, person), anew=True)
    return await _choose(
        talk.by(Known(person), person), pending, _seat_at(tables, choice[0]), choice
    )


def _seat_at(tables: Tables, game: GameRow) -> SeatRow:
    return next(seat for seat, other in tables if other.id == game.id)


def _rest(text: str, person: PersonRow | None) -> str:
    """What is said besides, without the name that letters end with."""
    names = {person.name.casefold()} if person is not None else set()
    return "\n".join(
        line for line in text.strip().splitlines() if line.strip(" -,.").casefold() not in names
    ).strip()


async def _choose(
    talk: Conversation[OfPerson], pending: PendingRow, seat: SeatRow, choice: tuple[GameRow, str]
) -> Handled:
    """What was kept is handled for the table, and then what the answer says besides, even where
    nothing is kept any more.
    """
    person, game = talk.writer.person, choice[0]
    rest = _rest(choice[1], person)
    kept = await settle_choice(talk, pending, seat)
    if kept is None:
        await tell_over(talk, pending)
    else:
        await _show_choice(talk, talk.mail.sender or "", game, pending, person)
    again = (
        json.dumps(json.loads(talk.row.facts) | {"seat": seat.id, ANSWERED: pending.id})
        if rest
        else None
    )
    ids = tuple(inbox_id for inbox_id in kept or () if inbox_id != talk.row.id)
    outcome = "which-game-chosen" if kept is not None else "which-game-over"
    return Handled(
        outcome,
        game_id=game.id,
        seat_id=seat.id,
        receive_again=(*ids, talk.row.id) if again else ids,
        again=again,
    )


async def settle_choice(
    tx: Transaction[Context], pending: PendingRow, seat: SeatRow
) -> tuple[int, ...] | None:
    """Let the messages that wait be handled as of that seat, once; their ids. None: they are
    handled already, or were let go of.
    """
    now = tx.now()
    if await let_go_if_over(tx, pending):
        return None
    if pending.done_at is not None and not await _still_kept(tx.work, decode_kept(pending).listed):
        return None  # a newer question was asked since, and all of this one was answered by it
    settled = await tx.work.pending.settle(
        pending.id, "confirmed", now, replaced_too="@" in pending.address
    )
    if settled is None:
        return None
    if "@" not in pending.address:  # what a mail names is no choice in the chat
        await keep_spoken_of(tx.work, seat, now)
    freed = []
    for inbox_id in settled.inbox_ids:
        waiting = await tx.work.inbox.find(inbox_id)
        if waiting is not None and waiting.outcome == KIND:
            await tx.work.inbox.requeue(
                inbox_id, facts=json.dumps(json.loads(waiting.facts) | {"seat": seat.id})
            )
            freed.append(inbox_id)
    return tuple(freed)


async def _show_choice(
    tx: Transaction[Context],
    chat_id: str,
    game: GameRow,
    pending: PendingRow,
    person: PersonRow,
) -> None:
    """The questions of the chat have no buttons any more, and say what was chosen."""
    for question in await tx.work.outbox.list_last_to(TELEGRAM, chat_id, LOOKED_BACK):
        message_id = message_of(question)
        if (
            question.kind == KIND
            and (question.dedupe_key or "").startswith(f"{KIND}:{pending.id}:")
            and message_id is not None
        ):
            html, key = f"<b>{escape(game.title)}</b>", f"which:{pending.id}:{message_id}"
            await say_instead(tx, (chat_id, message_id), html, key, person.id)
