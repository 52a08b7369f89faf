"""Handling one stored message: what is new in it, then one transaction with its writer, what it
says and whether it is legal.

Messages are handled lane by lane (`lanes`), each in the order they arrived, one at a time in a
process. An unexpected exception shunts the message with its traceback and never blocks the next
(`mishaps`). A mail received after the open phase's deadline is parked until that phase is closed:
then it is answered as what it is, a mail for a phase that is over.
"""

import json
import traceback
from contextlib import nullcontext
from dataclasses import replace

import structlog

from pbem.apart import OverLimit
from pbem.desk.chat.inbound import take_parts
from pbem.desk.correlation import caused_by
from pbem.desk.envelope.answers import Answers
from pbem.desk.envelope.message import (
    STRANGERS,
    TELEGRAM,
    Commanding,
    Disposal,
    Handled,
    NotYet,
    Outdated,
    WishForData,
    WishToForget,
)
from pbem.desk.gm_commands import carry_out
from pbem.desk.jobs import Job
from pbem.desk.letters.queue import ask_for_delivery, ask_for_queued, queue_letters, send_answers
from pbem.desk.messages.errands import handle_with_pictures, handle_with_proposals
from pbem.desk.messages.mishaps import begin_try, forget_tries, lay_aside, letters_quoted
from pbem.desk.messages.opening import Opened, open_mail, open_update, rules_of
from pbem.desk.messages.policy import handle_by_policy, judge_message
from pbem.desk.people.erasure import forget_on_request
from pbem.desk.people.export import pack_for_mail, send_data
from pbem.desk.ports import Desk, Services, Transaction
from pbem.mail.inbound.rewrapped import repeats
from pbem.pages.gm import tap_words
from pbem.store.errors import StoreError
from pbem.store.repositories.post.inbox import InboxRow
from pbem.telegram.parts import may_have_parts
from pbem.telegram.updates import Tapped, Update

TAKEN_ELSEWHERE = "taken-elsewhere"
MOST_JUDGED = 3
"""How often who wrote is judged again because a seat changes hands just then."""

_log = structlog.get_logger("receive")


async def receive(services: Services, inbox_id: int) -> None:
    """Handle this message, and before it whatever should be handled first; as far as the strangers'
    budget goes, if it is one of theirs.
    """
    async with services.intake.turn:
        while (picked := await _pick(services, inbox_id)) is not None:
            row, raw = picked
            with (
                caused_by(f"m{row.id}"),
                services.precedence.urgent() if row.lane < STRANGERS else nullcontext(),
            ):
                await _handle(services, row, raw)
            if row.id == inbox_id:
                break


async def _pick(services: Services, inbox_id: int) -> tuple[InboxRow, bytes | None] | None:
    """The message whose turn it is, with its bytes. None: the one that was asked for waits no
    longer, or has to wait longer.
    """
    now = services.clock.now()
    async with services.database.read() as work:
        but_not = services.intake.strangers.exhausted(now)
        picked = await work.inbox.pick(inbox_id, now=now, bound=STRANGERS, but_not=but_not)
    if picked is not None and picked[0].lane >= STRANGERS:
        services.intake.strangers.spend(now, picked[0].sender)
    return picked


async def _handle(services: Services, row: InboxRow, raw: bytes | None) -> None:
    """A try is counted from when the message has been read, which happens in a process of its own
    and can end no other.
    """
    is_begun = False
    try:
        if raw is None:
            async with services.database.write() as work:
                await work.inbox.mark_ignored(row.id, "bytes-dropped")
            return
        opened = await _open(services, row, raw)
        is_begun = await begin_try(services, row)
        if is_begun:
            await handle_with_proposals(
                services,
                row.id,
                lambda asking: handle_with_pictures(
                    asking, lambda with_pictures: _dispose(with_pictures, opened)
                ),
            )
    except (
        StoreError
    ):  # the database cannot be written: nothing is lost, the sweep comes back to it
        if is_begun:
            await forget_tries(services, row)
        raise
    # whatever it is: laid aside with its traceback, and the next message is handled
    except Exception as error:  # noqa: BLE001
        _log.error("message-shunted", inbox=row.id, exc_info=error)
        outcome = "took-too-long" if isinstance(error, OverLimit) else "unexpected-error"
        await lay_aside(
            services,
            row,
            rules_of(services.policy),
            traceback.format_exc(),
            type(error).__name__,
            outcome,
        )
        await ask_for_delivery(services, services.clock.now())


async def _open(services: Desk, row: InboxRow, raw: bytes) -> Opened:
    """In a process of its own."""
    if row.channel == TELEGRAM:
        parts = await take_parts(services, row.id) if may_have_parts(raw) else []
        update, message = await services.apart.run(open_update, raw, parts)
        return Opened(row, message, update=update)
    oversize = bool(json.loads(row.facts).get("oversize"))
    rules = rules_of(services.policy)
    mail, bounce = await services.apart.run(open_mail, raw, rules, oversize=oversize)
    if bounce is None and mail.text and mail.quotes:
        letters = await letters_quoted(services, mail)
        if repeats(mail.text, letters):
            rules = replace(rules, letters=letters)
            mail, bounce = await services.apart.run(open_mail, raw, rules, oversize=oversize)
    return Opened(row, mail, bounce)


async def _dispose(services: Services, opened: Opened) -> None:
    """Answer or ignore the message, in one transaction with everything that follows from it; what a
    game master commands and what forgets somebody follow in transactions of their own.
    """
    row = opened.row
    disposal, queued = await _take(services, opened)
    match disposal:
        case NotYet():
            _log.info("mail-parked", inbox=row.id, game=disposal.game_id)
            await _answer_tap(services, opened.update, "")
        case WishToForget():
            await forget_on_request(services, disposal.address)
            await _answer_tap(services, opened.update, "")
        case WishForData():
            await _follow(services, opened, await _send_data(services, row, disposal))
        case Commanding():
            await _follow(services, opened, await _command(services, opened, disposal))
        case Handled():
            await _follow(services, opened, disposal)
    now = services.clock.now()
    if isinstance(disposal, Commanding | WishToForget | WishForData):
        await ask_for_delivery(services, now)
    else:
        await ask_for_queued(services, queued, now)


async def _follow(services: Services, opened: Opened, handled: Handled) -> None:
    """What there is to do once a message is dealt with."""
    if handled.outcome == TAKEN_ELSEWHERE:
        return
    row = opened.row
    services.steps.reached("receive.kept")
    await _answer_tap(services, opened.update, handled.pop, alert=handled.alert)
    lag = (services.clock.now() - row.received_at).total_seconds()
    services.tally.received(handled.outcome, lag)
    _log.info("mail-handled", inbox=row.id, outcome=handled.outcome, ignored=handled.ignored)
    if handled.close is not None:
        services.jobs.ask(Job("close_phase", handled.close))
    for waiting in handled.receive_again:
        services.jobs.ask(Job("receive", (waiting,)))


async def _take(
    services: Services, opened: Opened, tries: int = MOST_JUDGED
) -> tuple[Disposal, list[int | None]]:
    """What the policy says, and what is written with it; and the letters to send."""
    try:
        return await _take_once(services, opened)
    except Outdated:  # the seat changed hands in between: who wrote is judged again
        if tries <= 1:
            raise
    return await _take(services, opened, tries - 1)


async def _take_once(services: Services, opened: Opened) -> tuple[Disposal, list[int | None]]:
    answers = Answers()
    services = replace(services, dispatch=replace(services.dispatch, answers=answers))
    async with services.write() as tx:
        disposal = await handle_by_policy(await judge_message(tx, opened))
        await send_answers(tx, answers)
        if isinstance(disposal, NotYet):
            await tx.work.inbox.park(opened.row.id, disposal.game_id)
        elif isinstance(disposal, Handled):
            disposal = await _settle(tx, opened.row, disposal)
    return disposal, tx.work.outbox.queued


async def _command(services: Services, opened: Opened, commanding: Commanding) -> Handled:
    """Carry out what is commanded; then settle the message with the letters that tell of it."""
    commanded = await carry_out(services, opened.row, opened.mail, commanding)
    services.steps.reached("receive.commanded")
    handled = Handled(commanded.outcome, game_id=commanded.game_id)
    async with services.write() as tx:
        if commanding.tap and not await tx.work.taps.use(commanding.tap, services.clock.now()):
            handled = Handled("tap-again", ignored=True, pop=tap_words("taken"))
        else:
            await queue_letters(tx.work, commanded.letters, services.clock.now())
        if commanded.settles is not None:
            await tx.work.pending.settle(commanded.settles, "confirmed", services.clock.now())
        return await _settle(tx, opened.row, handled)


async def _send_data(services: Services, row: InboxRow, wish: WishForData) -> Handled:
    """Make the file that is wanted; then settle the message with the letter that brings it."""
    packed = await pack_for_mail(services, wish.address)
    async with services.write() as tx:
        return await _settle(tx, row, await send_data(tx, wish, packed))


async def _answer_tap(
    services: Services, update: Update | None, words: str, *, alert: bool = False
) -> None:
    """End the waiting of the person who tapped. It is lost with the process, and then ends by
    itself.
    """
    if isinstance(update, Tapped) and services.dispatch.messenger is not None:
        await services.dispatch.messenger.answer_tap(update.callback_id, words, alert=alert)


async def _settle(tx: Transaction[Desk], row: InboxRow, handled: Handled) -> Handled:
    """The message is dealt with, as the last thing of its transaction. Where another process was
    first, nothing is kept.
    """
    settle = tx.work.inbox.mark_ignored if handled.ignored else tx.work.inbox.mark_handled
    if not await settle(row.id, handled.outcome, game_id=handled.game_id, seat_id=handled.seat_id):
        await tx.work.rollback()
        return Handled(TAKEN_ELSEWHERE, ignored=True)
    if handled.again is not None:
        await tx.work.inbox.requeue(row.id, facts=handled.again)
    if json.loads(row.facts).get(
        "seen_before"
    ):  # found again after a restore: a service whose memory is lost has answered it
        await tx.work.outbox.withhold_for_cause(f"m{row.id}", "answered-before-restore")
    tx.services.steps.reached("receive.written")
    return handled
