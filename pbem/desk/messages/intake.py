"""Storing what a watcher brings, before the server is told that we have it; its writer is guessed
once, for its lane alone.
"""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import structlog

from pbem.desk.chat.inbound import place_update
from pbem.desk.chat.links import ENTER, hash_of
from pbem.desk.correlation import caused_by
from pbem.desk.envelope.message import (
    CONFIRMATIONS,
    MAIL,
    PLAYERS,
    STRANGERS,
    STRANGERS_HOLD,
    TELEGRAM,
    Channel,
)
from pbem.desk.jobs import Job
from pbem.desk.messages.opening import rules_of
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.upkeep.housekeeping import READ_BEFORE
from pbem.mail.inbound.message import Headers, parse_head
from pbem.mail.inbound.reader import Head, ReadingRules, read_head
from pbem.mail.ports import Lanes, StoredMail
from pbem.mail.tokens import Purpose, TokenClaim, proves
from pbem.store.repositories.post.inbox import NewMessage
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.journal import ChatJournal
from pbem.telegram.ports import StoredUpdate
from pbem.telegram.updates import Said, Unreadable, Update, read_update

HEAD_OCTETS = 256 * 1024
MAX_ID_CHARACTERS = 250

_log = structlog.get_logger("intake")


async def store_mail(services: Desk, mail: StoredMail) -> None:
    """Keep the raw mail, each once by Message-ID and content, and ask for its handling. Whatever
    raises leaves it on the server.
    """
    with services.precedence.urgent():
        await _store_mail(services, mail)


async def _store_mail(services: Desk, mail: StoredMail) -> None:
    facts = {"uidvalidity": mail.uidvalidity, "uid": mail.uid, "oversize": mail.oversize}
    if mail.seen_before:
        facts["seen_before"] = True
    key, head = await asyncio.to_thread(
        _look_at, mail.raw, rules_of(services.policy), mail.received_at
    )
    async with services.write() as tx:
        origin = await origin_of_mail(tx, head)
        inbox_id = await tx.work.inbox.add_once(
            NewMessage(
                channel=MAIL,
                message_key=key,
                raw=mail.raw,
                received_at=mail.received_at,
                stored_at=services.clock.now(),
                facts=json.dumps(facts),
                lane=origin.lane,
                sender=origin.sender,
            ),
            follows=origin.follows,
        )
    services.steps.reached("intake.stored")
    if inbox_id is None:
        _log.info("mail-known", uid=mail.uid)
        return
    with caused_by(f"m{inbox_id}"):
        _log.info("mail-stored", inbox=inbox_id, uid=mail.uid, size=len(mail.raw))
        services.jobs.ask(Job("receive", (inbox_id,)))


def _look_at(raw: bytes, rules: ReadingRules, received_at: datetime) -> tuple[str, Head]:
    return message_key(raw, received_at), read_head(raw, rules)


def mail_lanes(services: Desk) -> Lanes:
    """In which order the mails that wait on the server are fetched and stored."""

    async def judge(heads: Sequence[bytes]) -> list[tuple[int, str]]:
        rules = rules_of(services.policy)
        read = await asyncio.to_thread(lambda: [read_head(head, rules) for head in heads])
        async with services.read() as tx:
            return await origins_of_mails(tx, read)

    return Lanes(judge, STRANGERS, STRANGERS_HOLD)


async def store_update(services: Desk, update: StoredUpdate, *, seen_before: bool = False) -> None:
    """Keep an update of a chat as it came, each once, and ask for its handling. Whatever raises
    leaves it unconfirmed.

    It counts from when the chat's server got it, as a mail does, or from now where the update does
    not say. `seen_before`: it is read from the journal, after the database that knew it was lost.
    """
    await store_updates(services, [update], seen_before=seen_before)


async def store_updates(
    services: Desk, updates: Sequence[StoredUpdate], *, seen_before: bool = False
) -> None:
    """The same for all the updates of one answer, in one transaction: all of them are kept, or
    none.
    """
    now = services.clock.now()
    read = [(update, read_update(update.raw)) for update in updates]
    facts = json.dumps({"seen_before": True} if seen_before else {})
    stored: list[tuple[int, int, StoredUpdate]] = []
    async with services.write() as tx:
        for update, said in read:
            said_at = said.dated if isinstance(said, Said) else update.received_at
            origin = await origin_of_update(tx.work, said)
            inbox_id = await tx.work.inbox.add_once(
                NewMessage(
                    channel=TELEGRAM,
                    message_key=update_key(update),
                    raw=update.raw,
                    received_at=min(said_at, update.received_at),
                    stored_at=now,
                    facts=facts,
                    lane=origin.lane,
                    sender=origin.sender,
                ),
                follows=origin.follows,
            )
            if inbox_id is not None:
                whole_id = await place_update(tx, inbox_id, said, follows=origin.follows)
                stored.append((inbox_id, whole_id, update))
    services.steps.reached("intake.stored")
    for inbox_id, whole_id, update in stored:
        with caused_by(f"m{inbox_id}"):
            _log.info(
                "update-stored", inbox=inbox_id, update=update.update_id, size=len(update.raw)
            )
            services.jobs.ask(Job("receive", (whole_id,)))


async def read_journal_again(
    services: Desk, journal: ChatJournal, restored_since: datetime | None
) -> int:
    """Take from the journal what this database does not know, because it went back to an earlier
    state; how many updates.

    `restored_since` is when to begin after a restore. Without, a database that does not know the
    journal's last line went back as well (PostgreSQL is restored by its own tools): then from a day
    before the newest message it knows. May run twice without harm.
    """
    since = restored_since
    if since is None:
        last = await asyncio.to_thread(journal.newest)
        async with services.database.read() as work:
            if last is None or await work.inbox.knows(TELEGRAM, update_key(last)):
                return 0
            newest = await work.inbox.newest_stored_at()
        if newest is None:
            return 0
        since = newest - READ_BEFORE
    count = 0
    for update in journal.since(since):
        async with services.database.read() as work:
            if await work.inbox.knows(TELEGRAM, update_key(update)):
                continue
        await store_update(services, update, seen_before=True)
        count += 1
    return count


def update_key(update: StoredUpdate) -> str:
    """What makes an update one and the same: Telegram's numbers begin again now and then."""
    return f"{update.update_id}|{hashlib.sha256(update.raw).hexdigest()}"


def message_key(raw: bytes, received_at: datetime | None = None) -> str:
    """What makes a mail one and the same: its Message-ID and its content. An ID that is no plain
    text stands as its hash.

    Of mails without ID and date two may be alike and not the same: then the second counts as well
    that our mail server received them in. Their numbers there do not: a server may number its mails
    again, and the same mail is read twice.
    """
    head = parse_head(raw[:HEAD_OCTETS])
    headers = Headers(head) if head is not None else None
    found = headers.message_ids("message-id") if headers is not None else ()
    message_id, digest = found[0] if found else "", hashlib.sha256(raw).hexdigest()
    if (
        len(message_id) > MAX_ID_CHARACTERS
        or not (message_id.isascii() and message_id.isprintable())
        or "|" in message_id
    ):
        message_id = f"<{hashlib.sha256(message_id.encode('utf-8', 'surrogatepass')).hexdigest()}>"
    is_nameless = not message_id and (headers is None or headers.date() is None)
    is_told_apart = is_nameless and received_at is not None
    return f"{message_id}|{digest}" + (f"|{received_at:%Y%m%d%H%M%S}" if is_told_apart else "")


CLAIMS_LOOKED_AT = 10
MOST_WAITING = {PLAYERS: 50, CONFIRMATIONS: 20}
"""With that many messages waiting a sender's next ones go into the lane behind."""


class Origin(NamedTuple):
    """A message's lane, and its sender as the inbox knows them. `follows`: something else of the
    same hand may wait.
    """

    lane: int
    sender: str
    follows: bool


async def origin_of_mail(tx: Transaction[Context], head: Head) -> Origin:
    """Where a mail belongs."""
    if head.sender is None:
        return Origin(STRANGERS, "", follows=False)
    claims, is_proven = head.tokens[:CLAIMS_LOOKED_AT], head.dmarc == "pass"
    likely = is_proven or (bool(claims) and head.dmarc != "fail")
    found = await tx.work.writers.find_sender(
        MAIL,
        head.sender,
        next((claim.seat for claim in claims if claim.purpose is Purpose.ORDERS), None),
        sender=_hand(head.sender, is_theirs=likely),
        is_proven=is_proven,
        limit=max(MOST_WAITING.values()),
    )
    address = found.address
    owner = address.person_id if address is not None and address.state != "unconfirmed" else None
    own = owner is not None and head.dmarc != "fail"
    proven, ours = own and is_proven, False
    for claim in claims:
        person_id = await _proven_by(tx, claim, found.seat)
        ours = ours or person_id is not None
        proven = proven or (own and person_id == owner)
    lane = PLAYERS if proven else CONFIRMATIONS if ours or address is not None else STRANGERS
    is_theirs = is_proven or (ours and head.dmarc != "fail")
    return await _settled(
        tx.work,
        MAIL,
        lane,
        _hand(head.sender, is_theirs=is_theirs),
        found.waiting if is_theirs == likely else None,
        is_theirs=is_theirs,
    )


def _hand(address: str, *, is_theirs: bool) -> str:
    """The sender of a mail as the inbox knows them."""
    return address if is_theirs else f"?{address}"


async def origins_of_mails(
    tx: Transaction[Context], heads: Sequence[Head]
) -> list[tuple[int, str]]:
    """The lanes and senders of many mails. Most of a flood bear no code, no proof and no address we
    know: one look tells that of all of them.
    """
    known = await tx.work.people.which_known(
        MAIL, {head.sender for head in heads if head.sender is not None}
    )
    found: dict[Head, Origin] = {}
    for head in dict.fromkeys(heads):
        if head.sender is None or head.sender in known or head.tokens or head.dmarc == "pass":
            found[head] = await origin_of_mail(tx, head)
        else:
            found[head] = Origin(STRANGERS, _hand(head.sender, is_theirs=False), follows=False)
    return [found[head][:2] for head in heads]


async def origin_of_update(work: Work, update: Update) -> Origin:
    """Where an update belongs. Telegram vouches for the user."""
    user_id = None if isinstance(update, Unreadable) else update.user_id
    if user_id is None:
        return Origin(STRANGERS, "", follows=False)
    sender = str(user_id)
    found = await work.writers.find_sender(
        TELEGRAM, sender, None, sender=sender, is_proven=True, limit=max(MOST_WAITING.values())
    )
    is_known = found.address is not None and found.address.state != "unconfirmed"
    lane = PLAYERS if is_known else STRANGERS
    if lane == STRANGERS and isinstance(update, Said) and update.start_payload:
        if await work.links.find(hash_of(update.start_payload.removeprefix(ENTER))) is not None:
            lane = CONFIRMATIONS
    return await _settled(work, TELEGRAM, lane, sender, found.waiting, is_theirs=True)


async def _settled(
    work: Work, channel: Channel, lane: int, sender: str, waiting: int | None, *, is_theirs: bool
) -> Origin:
    """With regard to what waits already (None: that is not counted yet): the person who follows a
    link and keeps writing is no stranger, and the person who floods waits behind.
    """
    if waiting is None and lane in MOST_WAITING:
        waiting = await work.inbox.count_waiting_of(channel, sender, MOST_WAITING[lane])
    if is_theirs and lane == STRANGERS and waiting:
        before = await work.inbox.lowest_lane_of(channel, sender)
        lane = lane if before is None else min(lane, max(before, CONFIRMATIONS))
    if lane in MOST_WAITING and (waiting or 0) >= MOST_WAITING[lane]:
        lane += 1
    return Origin(lane, sender, follows=bool(waiting))


async def _proven_by(
    tx: Transaction[Context], claim: TokenClaim, named: SeatRow | None
) -> int | None:
    """The person that a true code of ours was given to; 0: it is true, and names nobody. None: it
    proves nothing. `named` is a seat that was read already.
    """
    match claim.purpose:
        case Purpose.ORDERS:
            is_read = named is not None and named.id == claim.seat
            seat = named if is_read else await tx.work.seats.find(claim.seat)
            return (
                seat.person_id
                if seat is not None and proves(claim, tx.services.key, seat.tenure)
                else None
            )
        case Purpose.GM:
            master = await tx.work.masters.find(claim.seat)
            return (
                master.person_id
                if master is not None and proves(claim, tx.services.key, master.generation)
                else None
            )
        case Purpose.WATCH:
            return claim.seat if proves(claim, tx.services.key, 0) else None
        case Purpose.CONFIRM:
            return 0 if proves(claim, tx.services.key, 0) else None
    return None
