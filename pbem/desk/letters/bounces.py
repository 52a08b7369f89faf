"""Addresses that do not work, groups that refuse our messages, and who is told.

Where nobody is reached, the address is suspended at once and its letters are withheld. Any other
failure may pass: one letter a day is tried, and after `GIVE_UP_AFTER` the address is suspended too.
A message from the address ends both.
"""

import hashlib
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.desk.letters.post import Masters, person_at, read_post
from pbem.desk.letters.queue import queue_letter
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table
from pbem.mail.inbound.bounces import Bounce
from pbem.mail.tokens import Purpose, parse_message_id_token, proves
from pbem.pages.chat import ChatClosed, GroupRefuses
from pbem.pages.notice import Notice
from pbem.pages.notices import GmBounce, MailComesBack
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.people import AddressRow
from pbem.store.repositories.post.chats import ChatRow
from pbem.store.work import Work
from pbem.telegram.refusals import Kind

GIVE_UP_AFTER = timedelta(days=5)
TRY_EVERY = timedelta(days=1)


def is_troubled(known: AddressRow) -> bool:
    return known.state == "suspended" or known.failed_at is not None


async def reopen_address(work: Work, known: AddressRow, now: datetime) -> None:
    """A message from an address that did not work shows that it works again: what waits for it is
    sent.
    """
    if not is_troubled(known):
        return
    await work.people.confirm_address(known.channel, known.address)
    if known.channel == MAIL:  # what a chat did not take has gone by mail
        await work.outbox.release_for_address(MAIL, known.address, now)
        await work.outbox.hasten(MAIL, known.address, now)


async def wait_for_try(work: Work, known: AddressRow, now: datetime) -> datetime | None:
    """When the next letter to this address may be tried; None: now. One that was not heard of for a
    day has arrived.
    """
    if known.failed_at is None:
        return None
    tried = [
        sent
        for sent in await work.outbox.list_sent_since(known.channel, known.failed_at, known.address)
        if sent > known.failed_at
    ]
    if any(now - sent >= TRY_EVERY for sent in tried):
        return None
    again = max([known.failed_at, *tried]) + TRY_EVERY
    return again if again > now else None


async def count_failure(
    tx: Transaction[Context], address: str, answer: str, *, game_id: int | None
) -> datetime | None:
    """A letter did not arrive, for a reason that may go away: when it may be tried again. None: it
    is no longer tried.
    """
    now = tx.services.clock.now()
    known = await tx.work.people.find_address(MAIL, address)
    if known is None or known.state == "suspended":
        return None
    since = (
        known.failing_since
        if known.failing_since and known.failed_at and now - known.failed_at < GIVE_UP_AFTER
        else now
    )
    if now - since >= GIVE_UP_AFTER:
        await suspend_address(tx, MAIL, address, answer, game_id=game_id)
        return None
    await tx.work.people.note_failure(MAIL, address, answer[:500], since, now)
    if since == now:
        await _tell(tx, known, answer, game_id=game_id, until=since + GIVE_UP_AFTER)
    return now + TRY_EVERY


async def suspend_address(
    tx: Transaction[Context], channel: str, address: str, answer: str, *, game_id: int | None
) -> bool:
    """Send nothing there any more. False: it was suspended already, or is nobody's."""
    now = tx.services.clock.now()
    if not await tx.work.people.suspend_address(channel, address, answer[:500], now):
        return False
    await tx.work.outbox.withhold_for_address(channel, address)
    known = await tx.work.people.find_address(channel, address)
    if known is not None:
        await _tell(tx, known, answer, game_id=game_id, until=None)
    return True


async def _tell(
    tx: Transaction[Context],
    known: AddressRow,
    answer: str,
    *,
    game_id: int | None,
    until: datetime | None,
) -> None:
    """Tell the game masters of the table, and the person on their other ways. `until`: we try
    letters until then; None: we no longer try.
    """
    now = tx.services.clock.now()
    person = await tx.work.people.find(known.person_id)
    game = await tx.work.games.find(game_id)
    table = await load_table(tx, game) if game is not None else None
    key = f"bounce:{hashlib.sha256(f'{known.address}:{now.isoformat()}'.encode()).hexdigest()[:16]}"
    others = [
        row
        for row in await tx.work.people.list_addresses(known.person_id)
        if row.state != "suspended" and row.id != known.id
    ]
    if person is not None and known.channel == MAIL:
        for row in others:
            if row.state != "confirmed":
                continue
            told = MailComesBack(known.address, answer, until)
            there = person_at(tx.services, person, row.address, table)
            await queue_letter(tx, there.letter(told, "bounce", f"{key}:{row.id}"))
    if table is None:
        return
    who = (
        person.name
        if person is not None
        else known.address
        if known.channel == MAIL
        else "Somebody"
    )
    by_mail = any(row.channel == MAIL for row in others)

    def page(facts: Table, reader: Reader) -> Page | Notice:
        if known.channel == TELEGRAM:
            return ChatClosed(who, by_mail=by_mail)
        return GmBounce(who, known.address, answer, until)

    post = await read_post(tx, table)
    await post.tell(tx.work, Masters(), page, "gm-bounce", key)


async def take_bounce(tx: Transaction[Context], bounce: Bounce, mail: Message) -> str:
    """What a delivery report means for us; the outcome code.

    It must prove itself: by the token in the return path it came to, or by naming a letter of ours
    whose Message-ID holds one. Other letters of ours have no return path, so that nobody can
    honestly report them.
    """
    seat = None
    for claim in mail.tokens:
        if claim.purpose is Purpose.BOUNCE:
            row = await tx.work.seats.find(claim.seat)
            if row is not None and proves(claim, tx.services.key, row.tenure):
                seat = row
    named = (
        bounce.message_id
        if parse_message_id_token(bounce.message_id or "", tx.services.policy.host) is not None
        else None
    )
    letter = await tx.work.outbox.find_by_message_id(named) if named else None
    if seat is None and letter is None:
        return "bounce-unproven"
    if bounce.kind == "delayed":
        return "bounce-delayed"
    person_id = (
        seat.person_id if seat is not None else letter.person_id if letter is not None else None
    )
    game_id = seat.game_id if seat is not None else letter.game_id if letter is not None else None
    own = (
        {row.address for row in await tx.work.people.list_addresses(person_id)}
        if person_id is not None
        else set()
    )
    address = (
        bounce.recipient.lower()
        if bounce.recipient and bounce.recipient.lower() in own
        else letter.address
        if letter is not None
        else None
    )
    if address is None and len(own) == 1:
        address = next(iter(own))
    if address is None:
        return "bounce-of-nobody"
    said = bounce.said or f"{bounce.status or ''} delivery failed".strip()
    if bounce.kind == "hard":
        await suspend_address(tx, MAIL, address, said, game_id=game_id)
        return "bounce-hard"
    again = await count_failure(tx, address, said, game_id=game_id)
    if again is not None and letter is not None and letter.address == address:
        await tx.work.outbox.try_again(letter.id, again, said)
    return "bounce-soft"


PAUSES_SECONDS = (60, 300, 900, 3600)
"""How long a message waits for a group that refuses it, each time it is tried."""
REFUSED = "gm-group-refuses"
TOLD_A_DAY = 12
A_DAY = timedelta(days=1)
"""The most letters of this kind that a table writes in a day: the owner of a group may give us
rights and take them again and again.
"""
OF_PICTURES = frozenset({"no-pictures"})
OF_TOPICS = frozenset({"topic-closed", "topic-gone"})


def is_group(address: str) -> bool:
    """Whether a chat is a group's."""
    return address.startswith("-")


async def note_refused(tx: Transaction[Context], address: str, kind: Kind) -> None:
    """A group takes nothing from us now."""
    chat = await tx.work.chats.find(TELEGRAM, address)
    if chat is not None:
        await _note(tx, chat, {kind}, allowed=set())


async def note_taken(
    tx: Transaction[Context],
    address: str,
    refused: Collection[Kind],
    *,
    with_picture: bool,
    thread_id: int | None,
) -> None:
    """A group has taken a message, perhaps without its picture or outside of its topic."""
    chat = await tx.work.chats.find(TELEGRAM, address)
    if chat is None:
        return
    in_own_topic = thread_id is not None and thread_id == chat.thread_id
    kinds = set(refused) - (set() if in_own_topic else OF_TOPICS)
    allowed = {"no-words", "removed", "shut", "general-closed"}
    if with_picture:
        allowed |= OF_PICTURES
    if in_own_topic:
        allowed |= OF_TOPICS
    await _note(tx, chat, kinds, allowed=allowed - kinds)


async def reopen_group(work: Work, chat: ChatRow | None, by: datetime) -> None:
    """A group has spoken, or gave us rights: what waits for it is tried again by then. One that an
    earlier version of this program has closed for good is open again.
    """
    if chat is None or chat.game_id is None:
        return
    if chat.state == "left":
        await work.chats.put(TELEGRAM, chat.address, title=chat.title, state="active", since=by)
    if chat.refused is not None:
        await work.outbox.hasten(TELEGRAM, chat.address, by)


async def _note(
    tx: Transaction[Context],
    chat: ChatRow,
    kinds: AbstractSet[str],
    *,
    allowed: AbstractSet[str],
) -> None:
    """A group refuses this, and no longer refuses what is `allowed`. Its game masters hear of what
    they do not know yet.
    """
    now = tx.services.clock.now()
    stays = [kind for kind in chat.refuses if kind not in allowed]
    new = sorted(kinds - set(stays))
    if new or stays != list(chat.refuses):
        await tx.work.chats.refuse(chat.id, [*stays, *new], now if new else chat.refused_at)
    if "topic-gone" in new:
        await tx.work.chats.leave_topic(chat.id)
    for kind in new:
        await _tell_masters(tx, chat, kind, now)


async def _tell_masters(tx: Transaction[Context], chat: ChatRow, kind: str, now: datetime) -> None:
    game = await tx.work.games.find(chat.game_id)
    if game is None:
        return
    table = await load_table(tx, game)
    if await tx.work.outbox.count_of_game_since(game.id, REFUSED, now - A_DAY) >= TOLD_A_DAY:
        return
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        Masters(),
        GroupRefuses(chat.title, kind),
        REFUSED,
        f"{REFUSED}:{chat.id}:{kind}:{now.isoformat()}",
    )
