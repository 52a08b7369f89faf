"""Messages of which nothing is taken, and those whose handling went wrong: how often each was
tried, and who is told.

A try is counted for the message itself, when its handling begins, and forgotten when that ends in
order. So only a process that ended in the middle of its own handling counts against a message,
however many are handled at once; after three such ends it is laid aside.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.authentication.verdicts import Proven
from pbem.desk.envelope.letter import Answering, Draft
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel, Handled, Message, NotYet
from pbem.desk.letters.post import operators, person_at, player_at
from pbem.desk.letters.queue import ask_for_delivery, queue_letter
from pbem.desk.messages.conversation import Conversation, open_conversation
from pbem.desk.messages.opening import rules_of
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import load_table, mail_address_of
from pbem.mail.inbound.markup import words_of_html
from pbem.mail.inbound.reader import ReadingRules, read_head
from pbem.mail.inbound.writer import read_writer
from pbem.mail.tokens import Purpose, proves
from pbem.pages.notices import GmKnocked, GmShunted, MailUnreadable, SetAside, ThroughAList
from pbem.store.errors import StoreError
from pbem.store.repositories.forgetting import EMPTY_LETTER
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.updates import Said, Tapped, read_update

FROM_A_LIST = "mailing-list"
THROUGH_A_LIST = "through-a-list"
EVERY = timedelta(days=1)


async def tell_of_list(talk: Conversation[object]) -> Handled | None:
    """A letter a day to the player whose code it is; None if it has no code of a player."""
    seat, now = await _seat_of(talk), talk.now()
    address = await mail_address_of(talk.work, seat.person_id) if seat is not None else None
    game = await talk.work.games.find(seat.game_id) if seat is not None else None
    if seat is None or game is None or address is None:
        return None
    done = Handled.at(seat, f"automatic:{FROM_A_LIST}", ignored=True)
    if await talk.has_had(MAIL, address, THROUGH_A_LIST, within=EVERY):
        return done
    person = await talk.work.people.find(seat.person_id)
    player = player_at(talk.services, await load_table(talk, game), seat, person, address)
    told = ThroughAList(talk.mail.sender or "", talk.mail.text)
    key = f"{THROUGH_A_LIST}:{seat.id}:{now.isoformat()}"
    await queue_letter(talk, player.letter(told, THROUGH_A_LIST, key))
    return done


async def _seat_of(talk: Conversation[object]) -> SeatRow | None:
    for claim in talk.mail.tokens:
        seat = await talk.work.seats.find(claim.seat) if claim.purpose is Purpose.ORDERS else None
        if seat is not None and proves(claim, talk.services.key, seat.tenure):
            return seat
    return None


async def answer_too_big(talk: Conversation[Proven]) -> Handled | NotYet:
    """A mail too big or too broken to be read: the player is told, nothing is guessed."""
    seat, refused = talk.writer.seat, talk.mail.refused or "too-big"
    game = await talk.work.games.find(seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    table = await load_table(talk, game)
    player = await open_conversation(talk, table, seat)
    await player.answer(
        MailUnreadable(refused),
        "notice",
    )
    return Handled.at(seat, f"unreadable:{refused}")


async def tell_unreadable(talk: Conversation[object]) -> Handled:
    """The same to somebody whom we know and who writes of no seat of theirs, or of one that nobody
    can tell. What our own mail server calls forged is not answered.
    """
    mail = talk.mail
    person = await talk.work.people.find_by_address(mail.channel, talk.address)
    if person is not None and mail.trust != "fail":
        known = talk.by(talk.writer, person)
        page = MailUnreadable(mail.refused or "too-big")
        await known.answer(page, "notice", f"@{mail.channel}")
    return Handled(f"unreadable:{mail.refused}", ignored=True)


KNOCKED_TOLD = "gm-knocked"
KNOCKED = ("stranger:unknown-sender", "stranger:no-seat")
LOOKED_AT = 200
NAMED = 20


async def tell_who_knocked(tx: Transaction[Context], since: datetime) -> None:
    """A letter to each configured game master, if any stranger wrote since then."""
    now = tx.now()
    rows = await tx.work.inbox.list_of_outcomes(MAIL, KNOCKED, since, LOOKED_AT)
    raws = [raw for row in rows if (raw := await tx.work.inbox.read_raw(row.id)) is not None]
    heads = [await asyncio.to_thread(read_head, raw, rules_of(tx.services.policy)) for raw in raws]
    knocks = Counter(head.sender for head in heads if head.sender)
    if not knocks:
        return
    named = [(address, count) for address, count in knocks.most_common(NAMED)]
    told = GmKnocked(named, len(knocks) - len(named))
    for operator in operators(tx.services):
        key = f"{KNOCKED_TOLD}:{now.isoformat()}:{operator.to.address}"
        await queue_letter(tx, operator.letter(told, KNOCKED_TOLD, key))


SURVIVALS = 3
SHUNTED, SET_ASIDE = "gm-shunted", "set-aside"
TOLD_A_DAY = 10

_log = structlog.get_logger("mishaps")


async def begin_try(services: Services, row: InboxRow) -> bool:
    """Count a try of a message that has been read, and is about to be handled. False: there is
    nothing to be handled, or it was tried often enough and is laid aside.
    """
    async with services.database.write(durable=False) as work:
        tries = await work.inbox.count_try(row.id)
        if tries is None or tries <= SURVIVALS:
            return tries is not None
        await work.rollback()
    trace = f"{SURVIVALS} times the process ended while it handled this message"
    await lay_aside(services, row, rules_of(services.policy), trace, trace, "ended-the-process")
    await ask_for_delivery(services, services.clock.now())
    return False


async def forget_tries(services: Desk, row: InboxRow) -> None:
    """What ended the try was no fault of the message."""
    with suppress(
        StoreError
        # the database may be gone: then the try counts, and a fourth of that kind is for the game
        # master
    ):
        async with services.database.write() as work:
            await work.inbox.forgive(row.id)


async def lay_aside(
    services: Desk,
    row: InboxRow,
    rules: ReadingRules,
    trace: str,
    error: str,
    outcome: str = "unexpected-error",
) -> None:
    """Lay a message aside; its writer and the configured game masters are told, of the first few a
    day.
    """
    async with services.database.read() as work:
        raw = await work.inbox.read_raw(row.id) or b""
    try:
        answering = _answering(row, raw, rules)
    # a message that not even its head can be read of is laid aside, too
    except Exception as error_of_head:  # noqa: BLE001
        _log.error("writer-unreadable", inbox=row.id, exc_info=error_of_head)
        answering = None
    async with services.write() as tx:
        if not await tx.work.inbox.shunt(row.id, trace, outcome):
            return
        who = await _tell_writer(tx, row, *answering) if answering is not None else ""
        await _tell_masters(tx, row, who, error)
    services.tally.received("shunted", (services.clock.now() - row.received_at).total_seconds())


def _answering(row: InboxRow, raw: bytes, rules: ReadingRules) -> tuple[str, Answering] | None:
    """Where a message came from, and how it is answered there; None: nobody wrote it, or nobody who
    reads an answer.
    """
    if row.channel == TELEGRAM:
        match read_update(raw):
            case Said(user_id=int(user_id), chat_kind="private", message_id=message_id):
                return str(user_id), Answering(None, (), TELEGRAM, message_id)
            case (
                Said(user_id=int(user_id)) | Tapped(user_id=user_id)
            ):  # in a group, or a button: told in private
                return str(user_id), Answering(None, (), TELEGRAM)
        return None
    writer = read_writer(raw, rules)
    return (
        (writer.address, Answering.to_mail(writer.message_id, writer.references))
        if writer is not None
        else None
    )


async def _tell_writer(
    tx: Transaction[Context], row: InboxRow, address: str, answering: Answering
) -> str:
    """Tell somebody we know that their message waits for the game master; their name. A stranger is
    told nothing: anybody may be named as who wrote.
    """
    now = tx.now()
    channel: Channel = answering.channel
    person = await tx.work.people.find_by_address(channel, address)
    if person is None:
        return ""
    if not await tx.has_had(channel, address, SET_ASIDE, most=TOLD_A_DAY):
        told, key = SetAside(row.received_at, channel), f"{SET_ASIDE}:{row.id}:{now.isoformat()}"
        writer = person_at(tx.services, person, address)
        await queue_letter(tx, writer.letter(told, SET_ASIDE, key, answering))
    return person.name


async def _tell_masters(tx: Transaction[Context], row: InboxRow, who: str, error: str) -> None:
    now = tx.now()
    for operator in operators(tx.services):
        if await tx.has_had(MAIL, operator.to.address, SHUNTED, most=TOLD_A_DAY):
            continue
        key = f"{SHUNTED}:{row.id}:{now.isoformat()}:{operator.to.address}"
        told = GmShunted(who, row.id, error)
        await queue_letter(tx, operator.letter(told, SHUNTED, key))


MOST_NAMED = 3
MOST_GUESSED = 5


async def letters_quoted(services: Desk, mail: Message) -> tuple[str, ...]:
    """The words of the letters that a mail answers; where it does not say which, those of the last
    ones to its sender.
    """
    named = dict.fromkeys((*mail.references[-MOST_NAMED:], mail.in_reply_to))
    async with services.database.read() as work:
        rows = [
            row
            for name in named
            if name is not None and (row := await work.outbox.find_by_message_id(name)) is not None
        ]
        if not rows and mail.sender is not None:
            rows = await work.outbox.list_last_to(MAIL, mail.sender, MOST_GUESSED)
    return tuple(words for row in rows for words in _words_of(row))


def _words_of(row: OutboxRow) -> list[str]:
    if row.channel != MAIL or row.letter == EMPTY_LETTER or not row.letter:
        return []
    draft = msgspec.json.decode(row.letter, type=Draft)
    return [draft.text] + ([words_of_html(draft.html)] if draft.html else [])
