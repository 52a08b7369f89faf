"""Sending the letters of the outbox: each claimed, composed, sent, and the answer recorded.

Several mails are claimed in one transaction, which also records those that were sent meanwhile, so
that no connection waits for the database (`pbem.desk.hand`). Between the server's 250 and our
record lies the only window in which a crash sends a letter twice; both copies carry the same
Message-ID, and there are never more than a few letters in it.
"""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from datetime import datetime

import structlog

from pbem.desk.correlation import caused_by
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.hand import AHEAD, Answered, Taken, choose
from pbem.desk.jobs import Job
from pbem.desk.letters.bounces import wait_for_try
from pbem.desk.letters.deliver_chat import (
    BEHIND_ANOTHER,
    LETS_BY_AFTER,
    send_to_chat,
    wait_for_turn,
)
from pbem.desk.letters.deliver_mail import record_failure, send_mail
from pbem.desk.ports import Desk, Services
from pbem.desk.precedence import AT_ONCE, Courtesy
from pbem.mail.ports import Deferred, Delivery, Sent
from pbem.store.errors import StoreError
from pbem.store.repositories.marks import DELIVERED, MARK_SPACING
from pbem.store.repositories.post.outbox import Due, OutboxRow
from pbem.store.work import Work

CHANNELS = frozenset[str]((MAIL, TELEGRAM))
LEASE_SECONDS = 300.0
LETTERS_A_TURN = 20
"""This many letters in a row give way to more urgent work, for no longer than one close does."""
TURN_SECONDS = 30.0
"""A turn ends within the time a job may take, also when its last letter hangs."""

_log = structlog.get_logger("deliver")


async def free_leases(services: Desk) -> int:
    """Called once when a service begins: what the last process was sending when it ended is due
    again at once; how many letters.

    Only one service sends from an SQLite file, which its directory's lock sees to. On a database
    shared by several hosts another one may be in the middle of sending, so there a lease runs to
    its end.
    """
    if services.database.file is None:
        return 0
    async with services.database.write() as work:
        freed = await work.outbox.free_leases(services.clock.now())
    services.steps.reached("leases.freed")
    if freed:
        _log.info("leases-freed", letters=freed)
    return freed


async def deliver_next(services: Services) -> None:
    """A turn: send whatever is due and may go, each time the letter that should go first: whichever
    this was asked for, an answer goes before news, and nothing waits for somebody whose server
    hangs (`slots`).
    """
    hand, loop = services.dispatch.hand, asyncio.get_running_loop()
    until = loop.time() + TURN_SECONDS
    hand.turns += 1
    try:
        await _look(services)
        while loop.time() < until:
            courtesy = services.precedence.courtesy()
            for _ in range(LETTERS_A_TURN):
                if hand.is_closing or not await _deliver_first(services, courtesy):
                    return
        async with services.database.read() as work:
            for outbox_id in await work.outbox.due_ids(services.clock.now(), AT_ONCE):
                services.jobs.ask(Job("deliver", (outbox_id,)))
    finally:
        hand.turns -= 1
        await _settle(services)


async def _deliver_first(services: Services, courtesy: Courtesy) -> bool:
    """Send the letter that should go first. False: none may go, or those that may not wait for one
    that is on its way.
    """
    await courtesy.give_way()
    hand, slots, now = services.dispatch.hand, services.dispatch.slots, services.clock.now()
    if hand.is_low and not hand.looking.locked():  # else somebody is at it, and some are left
        await _look(services)
    elif hand.is_doubtful:
        async with hand.looking:
            if hand.is_doubtful:
                await _write(services, ())

    def waits(due: Due) -> bool:
        if not due.is_answer and services.precedence.holds_news:
            return True
        return slots.bars(due.channel, due.address, now, is_answer=due.is_answer)

    letter = hand.pop(waits, now)
    if letter is None:
        has_given_back = await _look(services)
        letter = hand.pop(waits, now)
        if letter is None:
            return has_given_back
    due = letter.due
    if due.channel == TELEGRAM:
        async with services.database.read() as work:
            head = await work.outbox.head_to(TELEGRAM, due.address, now, LETS_BY_AFTER)
        # a chat keeps its order: the first goes, or all behind it wait as long as it does
        if head is not None and head.next_try_at > now:
            until = now + BEHIND_ANOTHER if head.state == "sending" else head.next_try_at
            async with services.database.write() as work:
                await work.outbox.postpone_behind(head, now, until)
            hand.leave(due.channel, due.address)
            return True
        outbox_id = due.id if head is None else head.id
    with slots.take(due.channel, due.address, now, is_answer=due.is_answer) as slot:
        if slot is not None:  # else somebody was quicker
            slot.hung = (
                await _send(services, letter.row)
                if isinstance(letter, Taken)
                else await deliver(services, outbox_id)
            )
    return True


async def deliver(services: Services, outbox_id: int) -> bool | None:
    """Send one letter if it is due and nobody else is sending it. Whether its server hung; None:
    nobody was asked.
    """
    async with services.dispatch.hand.looking:
        rows = await _write(services, (outbox_id,))
    if not rows:
        return None
    (row,) = rows
    if row.channel == TELEGRAM:
        with caused_by(_cause(row)):
            services.steps.reached("deliver.claimed")
            await send_to_chat(services, row)
        return None
    hung = await _send(services, row)
    await _record(services)
    return hung


async def _look(services: Services) -> bool:
    """Record what was sent, and take what goes next, unless somebody has just begun to. Whether
    letters were given back: we must look for them again.
    """
    hand, slots = services.dispatch.hand, services.dispatch.slots
    looks = hand.looks
    async with hand.looking:
        if hand.looks != looks:
            return False
        hand.looks += 1
        now = services.clock.now()
        is_stale = bool(hand.stale(now))
        full = hand.full(slots.full(now), MAIL)
        async with services.database.read() as work:
            found = await work.outbox.list_due(
                now,
                AHEAD,
                but_no_channel=full.channels,
                but_no_news=CHANNELS if services.precedence.holds_news else full.for_news,
                but_not_to=full.addresses,
                but_no_domain=full.domains,
            )
        answers = any(due.is_answer for due in found)
        with services.precedence.urgent() if answers else nullcontext():
            rows = await _write(services, choose(found, MAIL), gives_way=not answers)
        # By the time they came: however slow the database, they are fresh then.
        taken_at = services.clock.now()
        hand.put([Taken.take(row, taken_at) for row in rows], found, MAIL)
        return is_stale


async def _record(services: Services) -> None:
    """Put on record what was sent."""
    async with services.dispatch.hand.looking:
        await _write(services, ())


async def _record_late(services: Services) -> None:
    """As `_record`, for those who send and cannot, as their next letter takes its time."""
    try:
        await _record(services)
    except StoreError as error:  # it stays in hand, and the next one who looks meets the trouble
        _log.warning("letters-not-recorded", reason=str(error))


async def _settle(services: Services) -> None:
    """At the end of the last turn: nothing stays off the record or in hand. Until then others see
    to both.
    """
    hand = services.dispatch.hand
    if not hand.turns:
        async with hand.looking:
            await _write(services, (), leave_nothing=not hand.turns)


async def _write(
    services: Services,
    outbox_ids: Sequence[int],
    *,
    gives_way: bool = False,
    leave_nothing: bool = False,
) -> list[OutboxRow]:
    """One transaction, while `looking` is held: what was sent is marked so, what was in hand for
    too long given back, and of these letters those claimed that may go now; they are returned.
    """
    hand, now = services.dispatch.hand, services.clock.now()
    answered, stale = tuple(hand.answered), hand.stale(now, all_of_them=leave_nothing)
    if not (answered or stale or outbox_ids):
        return []
    async with services.database.write(gives_way=gives_way) as work:
        if answered:
            await work.outbox.mark_all_sent([(x.row.id, x.at, x.answer) for x in answered])
            if hand.marked_at is None or abs(now - hand.marked_at) >= MARK_SPACING:
                await work.marks.put_at_most_every(MARK_SPACING, DELIVERED, now)
        if stale:
            await work.outbox.give_back(stale, now)
        rows = await _claim(work, outbox_ids, now) if outbox_ids else []
    hand.drop(stale, answered)
    if answered:
        if hand.marked_at is None or abs(now - hand.marked_at) >= MARK_SPACING:
            hand.marked_at = now
        services.steps.reached("deliver.recorded")
    for letter in answered:
        _tell(services, letter.row, Sent(letter.answer), letter.at)
    return rows


async def _claim(work: Work, outbox_ids: Collection[int], now: datetime) -> list[OutboxRow]:
    """Take these letters, all by one channel, but those that may not go now or never."""
    rows = await work.outbox.claim(outbox_ids, now, LEASE_SECONDS)
    if not rows:
        return []
    addresses = {row.address for row in rows}
    troubled = await work.people.find_troubled(rows[0].channel, addresses)
    ready = []
    for row in rows:
        address = troubled.get(row.address)
        if address is not None and address.state == "suspended":
            await work.outbox.withhold(row.id, "address-suspended")
            continue
        if row.channel == TELEGRAM:
            later = await wait_for_turn(work, row, now)
        else:
            later = await wait_for_try(work, address, now) if address is not None else None
        if later is not None:
            await work.outbox.postpone(row.id, later)
            continue
        ready.append(row)
    return ready


async def _send(services: Services, row: OutboxRow) -> bool | None:
    """Send a mail that is ours. Whether its server hung; None: nobody was asked."""
    delivery = await send_mail(services, row)
    now = services.clock.now()
    match delivery:
        case None:
            return None
        case Sent(answer=answer):
            services.dispatch.hand.note(Answered(row, now, answer), lambda: _record_late(services))
            return False
    with caused_by(_cause(row)):
        async with services.write() as tx:
            await record_failure(tx, row, delivery, now)
    services.steps.reached("deliver.recorded")
    _tell(services, row, delivery, now)
    return isinstance(delivery, Deferred) and delivery.hung


def _tell(services: Services, row: OutboxRow, delivery: Delivery, now: datetime) -> None:
    came_to = type(delivery).__name__.lower()
    services.tally.sent(row.kind, came_to, (now - row.due_at).total_seconds())
    _log.info(
        "letter",
        outbox=row.id,
        kind=row.kind,
        delivery=came_to,
        attempts=row.attempts,
        correlation=_cause(row),
    )


def _cause(row: OutboxRow) -> str:
    """What the letter is sent for; its own id if nothing is known."""
    return row.correlation or f"d{row.id}"
