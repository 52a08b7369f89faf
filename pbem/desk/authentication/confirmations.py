"""Mails that prove too little: a question goes to the registered address, and its yes frees what
its own letter quoted, and nothing else.

A letter lists every message that waits, each in full. What comes later is asked in a letter of its
own, which lists what still waits with it; an older letter still means what it quoted. What cannot
be quoted in full, comes from another address or fails the check of our own server is freed by no
yes: the letter says how it is sent with proof. Only a plain yes counts: a machine that answers
every mail must not confirm anything.

This many questions that nobody answers are asked a day; over that a letter a day says so, which can
be answered with proof.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.desk.authentication import kept
from pbem.desk.authentication.kept import (
    LIVE,
    Kept,
    Waiting,
    decode_kept,
    encode_kept,
    is_long,
    kept_until,
    let_go,
    let_go_if_over,
    orders_until,
    shown,
    still_waiting,
)
from pbem.desk.authentication.verdicts import Unproven
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL, Handled, NotYet
from pbem.desk.envelope.recipients import Recipient, SeatAt, question_token
from pbem.desk.letters.post import Addressee
from pbem.desk.letters.queue import queue_letter
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.table_names import parse_choice
from pbem.desk.ports import Context, Transaction
from pbem.desk.press.secrets import read_of_seat
from pbem.desk.table import house_table, load_table, mail_address_of, page_reader, page_table
from pbem.grammar.consent import No, Yes, read_consent
from pbem.grammar.instructions import Judge, Read, Sense, TooMuch
from pbem.grammar.press import opens_press
from pbem.pages.notices import AskedEnough, ConfirmSender, Quoted
from pbem.pages.page import Reader, Table
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.post.pending import NewPending, PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

ASKED_WITHIN = timedelta(days=1)
PURPOSE = kept.UNPROVEN
KIND, CAPPED, UNCLEAR = "confirm", "confirm-capped", "confirm-unclear"
UNPROVEN = "unproven:"
UNANSWERED_A_DAY = 3
UNCLEAR_A_DAY = 3
"""This many answers a day that are neither a yes nor a no are answered: what answers every letter
by itself comes to an end.
"""
KEPT_FOR_CODES = 1
"""This many more for messages that carry the seat's code: a forger without it cannot use them up.
"""
WAITING_MESSAGES = 20


async def ask_to_confirm(talk: Conversation[Unproven]) -> Handled | NotYet:
    """Let the mail wait, and ask the registered player whether it is theirs; what cannot be
    confirmed they are told of.
    """
    seat = talk.writer.seat
    address = await mail_address_of(talk.work, seat.person_id)
    waiting = Handled.at(seat, f"{UNPROVEN}{talk.writer.reason}")
    if address is None:
        return waiting
    open_one = await talk.work.pending.find_open(PURPOSE, address)
    if open_one is not None and await let_go_if_over(talk, open_one):
        open_one = None
    earlier = decode_kept(open_one) if open_one is not None else Kept()
    if len(earlier.listed) + len(earlier.untold) >= WAITING_MESSAGES:
        await _tell_capped(talk, talk.writer, address)
        return Handled.at(seat, f"{UNPROVEN}too-many-waiting", ignored=True)
    new = (*earlier.untold, _waiting(talk))
    allowed = UNANSWERED_A_DAY + (KEPT_FOR_CODES if talk.writer.phase is not None else 0)
    if await _count_unanswered(talk, address) < allowed:
        await _ask(
            talk,
            seat,
            address,
            open_one,
            (*await still_waiting(talk.work, earlier.listed), *new),
        )
        return waiting
    await _hold(talk, seat, address, open_one, Kept(listed=earlier.listed, untold=new))
    await _tell_capped(talk, talk.writer, address)
    return waiting


def _waiting(talk: Conversation[Unproven]) -> Waiting:
    row, mail, verdict = talk.row, talk.mail, talk.writer
    text, sender = shown(mail.text), ""
    why = (
        "unreadable" if mail.refused is not None else "dmarc-failed" if mail.trust == "fail" else ""
    )
    if not why and verdict.reason == "other-address":
        why, sender = "other-address", mail.sender or ""
    if not why and is_long(text):
        why = "long"
    quoted = text[: kept.QUOTED_CHARACTERS] if why else text
    return Waiting(
        row.id, quoted, row.received_at, 0 if verdict.seats else verdict.seat.game_id, why, sender
    )


async def _count_unanswered(tx: Transaction[Context], address: str) -> int:
    """How many questions of the last day nobody has answered with a yes, since the last one that
    somebody did.
    """
    count = 0
    for row in await tx.work.pending.list_asked_since(PURPOSE, address, tx.now() - ASKED_WITHIN):
        count = 0 if row.outcome == "confirmed" else count + bool(decode_kept(row).listed)
    return count


async def _hold(
    tx: Transaction[Context],
    seat: SeatRow,
    address: str,
    open_one: PendingRow | None,
    what: Kept,
) -> PendingRow:
    """Let these messages wait in the place of what waited: no letter has asked for those that are
    untold.
    """
    now, messages = tx.now(), (*what.listed, *what.untold)
    games = {one.game for one in messages} - {0} or {seat.game_id}
    until = await kept_until(tx.work, games, [one.at for one in messages], now, now)
    if open_one is not None and not what.untold:
        await tx.work.pending.settle(open_one.id, "expired", now)
    elif open_one is not None:
        await tx.work.pending.put_detail(open_one.id, encode_kept(what))
        return await tx.work.pending.add_waiting(open_one, messages[-1].id)
    pending, _is_new = await tx.work.pending.wait_under(
        NewPending(
            purpose=PURPOSE,
            address=address,
            inbox_ids=tuple(one.id for one in messages),
            created_at=now,
            expires_at=until,
            game_id=next(iter(games)) if len(games) == 1 else None,
            seat_id=seat.id,
            detail=encode_kept(what),
        )
    )
    return pending


async def _ask(
    tx: Transaction[Context],
    seat: SeatRow,
    address: str,
    open_one: PendingRow | None,
    messages: Sequence[Waiting],
) -> None:
    """Write to the registered address about all that waits; the newest letter is the question,
    where there is anything to confirm.
    """
    now = tx.now()
    pending = await _hold(tx, seat, address, open_one, Kept(listed=tuple(messages)))
    letter = await _question(tx, pending, seat, KIND)
    if not any(not one.why for one in messages):
        await tx.work.pending.settle(pending.id, "expired", now)
    await queue_letter(tx, letter)


async def _question(
    tx: Transaction[Context], pending: PendingRow, seat: SeatRow, kind: str, serial: int = 0
) -> NewLetter:
    """The letter that asks about all that the confirmation lists; without a code where there is
    nothing to confirm. `serial`: that many of its kind went before it.
    """
    now, listed = tx.now(), decode_kept(pending).listed
    about = {one.game for one in listed}
    game = await tx.work.games.find(about.pop()) if len(about) == 1 and 0 not in about else None
    token = (
        question_token(tx.services.key, pending.id) if any(not one.why for one in listed) else ""
    )
    facts, reader = await _facts(tx, seat, game, token)
    tables = (
        await _tables(tx.work, seat) if any(one.game == 0 and not one.why for one in listed) else []
    )
    titles = {
        game.id: game.title
        for one in listed
        if (game := await tx.work.games.find(one.game)) is not None
    }
    until = (
        await orders_until(tx.work, titles or [game.id for _, game in tables], now)
        or pending.expires_at
    )
    quoted = [
        Quoted(
            one.text,
            one.at,
            titles.get(one.game, "") if len(titles) > 1 else "",
            one.why,
            one.sender,
        )
        for one in listed
    ]
    names = [(game.slug, game.title) for _, game in tables]
    to = Recipient(pending.address, seat.name, seat.person_id, game, token)
    told = ConfirmSender(quoted, until, names, unclear=kind == UNCLEAR)
    who = Addressee(tx.services, to, replace(reader, code=token), facts)
    return who.letter(told, kind, f"{kind}:{pending.id}:{serial}")


async def _facts(
    tx: Transaction[Context], seat: SeatRow, game: GameRow | None, token: str
) -> tuple[Table, Reader]:
    person = await tx.work.people.find(seat.person_id)
    if game is not None:
        facts = page_table(await load_table(tx, game), tx.services, code=token)
        return facts, page_reader(seat, person, tx.services.policy.zone)
    return house_table(tx.services), page_reader(seat, person, tx.services.policy.zone)


async def _tables(work: Work, seat: SeatRow) -> list[tuple[SeatRow, GameRow]]:
    """The tables where the person who sits there plays."""
    seats = await work.seats.list_of_person(seat.person_id) if seat.person_id is not None else []
    games = [(one, await work.games.find(one.game_id)) for one in seats if one.status != "left"]
    return [(one, game) for one, game in games if game is not None and game.status in LIVE]


async def _tell_capped(tx: Transaction[Context], verdict: Unproven, address: str) -> None:
    """Once a day: we ask nothing else today, and how one writes with proof. Where one table is in
    question, an answer is proof itself.
    """
    now, seat = tx.now(), verdict.seat
    if await tx.has_had(MAIL, address, CAPPED, within=ASKED_WITHIN):
        return
    game = await tx.work.games.find(seat.game_id) if not verdict.seats else None
    facts, reader = await _facts(tx, seat, game, "")
    to = (
        SeatAt(game, seat, game.phase_number, address)
        if game is not None
        else Recipient(address, seat.name, seat.person_id)
    )
    key = f"{CAPPED}:{seat.id}:{now.isoformat()}"
    who = Addressee(tx.services, to, reader, facts)
    await queue_letter(tx, who.letter(AskedEnough(), CAPPED, key))


# --------------------------------------------------------------------------------------- the answer
async def settle_orders(talk: Conversation[object], pending: PendingRow) -> Handled:
    """The registered player answers: a yes sets free what that letter quoted in full, a no throws
    it away; else they are told.
    """
    now, what = talk.now(), decode_kept(pending)
    seat = await talk.work.seats.find(pending.seat_id)
    done = Handled.of(pending, "confirmed")
    if (
        seat is None or not what.listed
    ):  # nothing was quoted in full: a question of earlier days, or nobody sits there any more
        await let_go(talk, pending)
        return Handled.of(pending, "confirmation-too-late")
    asked = [one for one in what.listed if not one.why]
    tables = await _tables(talk.work, seat) if any(one.game == 0 for one in asked) else []
    answer = read_answer(
        talk.mail.text, len(asked), [game for _, game in tables] if tables else None
    )
    if answer is None or (answer[0] and await _says_more(talk, seat, talk.mail.text)):
        told = await talk.work.outbox.count_to_address_since(
            MAIL, pending.address, (UNCLEAR,), now - ASKED_WITHIN
        )
        if told < UNCLEAR_A_DAY:
            await queue_letter(talk, await _question(talk, pending, seat, UNCLEAR, told))
        return Handled.of(pending, "confirmation-unclear", ignored=True)
    chosen, named = answer
    settled = await talk.work.pending.settle(
        pending.id, "confirmed" if chosen else "refused", now, replaced_too=True
    )
    if settled is None:
        return Handled.of(pending, "confirmation-too-late")
    meant = next(
        (one.id for one, game in tables if named is not None and game.id == named.id), None
    )
    freed = await still_waiting(talk.work, [asked[number - 1] for number in chosen])
    for one in freed:
        row = await talk.work.inbox.find(one.id)
        facts = json.loads(row.facts) if row is not None else {}
        facts |= {"confirmed_by": pending.id} | ({"seat": meant} if one.game == 0 else {})
        await talk.work.inbox.requeue(one.id, facts=json.dumps(facts))
    if what.untold:
        await _go_on(talk, seat, settled)
    ids = tuple(one.id for one in freed)
    return Handled(
        "confirmed" if chosen else "confirmation-refused",
        game_id=done.game_id,
        seat_id=done.seat_id,
        receive_again=ids,
    )


async def _says_more(tx: Transaction[Context], seat: SeatRow, text: str) -> bool:
    """Whether more than the yes is wanted (`yes, final`): a yes alone is read
    here, and the rest would be lost.
    """
    game = await tx.work.games.find(seat.game_id)
    lines = [one for one in read_consent(text).rest.splitlines() if any(map(str.isalpha, one))]
    if game is None or not lines:
        return False
    read = await read_of_seat(tx, await load_table(tx, game), seat)
    return any(map(opens_press, lines)) or await tx.services.apart.run(_is_instruction, lines, read)


def _is_instruction(lines: Sequence[str], read: Read) -> bool:
    """Whether one of them would be taken if it were sent alone."""
    judge = Judge(read)
    try:
        return any(judge.sense(line) is Sense.TAKEN for line in lines)
    except TooMuch:
        return True


async def _go_on(tx: Transaction[Context], seat: SeatRow, settled: PendingRow) -> None:
    """What came while the question waited is asked about now, or waits on."""
    untold = decode_kept(settled).untold
    if await _count_unanswered(tx, settled.address) < UNANSWERED_A_DAY:
        await _ask(tx, seat, settled.address, None, untold)
    else:
        await _hold(tx, seat, settled.address, None, Kept(untold=untold))


def read_answer(
    text: str, count: int, games: Sequence[GameRow] | None
) -> tuple[tuple[int, ...], GameRow | None] | None:
    """Which of that many messages an answer confirms, by number from 1 (() none), and of which of
    these tables. None: it is not plain.
    """
    consent = read_consent(text)
    if isinstance(consent, No):
        return (), None
    if games is not None:
        choice = parse_choice(consent.rest, games)
        return (
            None
            if choice is None or len(choice[1].split()) > 1
            else (tuple(range(1, count + 1)), choice[0])
        )
    if not isinstance(consent, Yes) or consent.is_turned:
        return None
    if (count > 1 and not consent.is_signed) or any(map(str.isdigit, consent.beside)):
        return None
    numbers = consent.numbers
    if not all(1 <= number <= count for number in numbers):
        return None
    return numbers or tuple(range(1, count + 1)), None
