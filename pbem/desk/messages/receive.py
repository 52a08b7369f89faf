"""Handling one stored message: who wrote, what is new in it, what it says, whether it is legal;
then one transaction.

Messages are handled lane by lane (`lanes`), each in the order they arrived, one at a time in a
process. An unexpected exception shunts the message with its traceback and never blocks the next
(`mishaps`). A mail received after the open phase's deadline is parked until that phase is closed:
then it is answered as what it is, a mail for a phase that is over.
"""

import json
import traceback
from contextlib import nullcontext
from dataclasses import dataclass, replace

import structlog

from pbem.apart import OverLimit
from pbem.desk.authentication.confirming import ask_to_confirm, settle_confirmation
from pbem.desk.authentication.facts import confirmed_seat, proven_person, read_facts
from pbem.desk.authentication.judging import (
    Confirming,
    Known,
    Master,
    PerhapsMaster,
    Proven,
    Stranger,
    Unproven,
    Verdict,
    Watching,
    WhichGame,
    judge,
)
from pbem.desk.authentication.kept import is_waiting
from pbem.desk.chat.strangers import answer_stranger
from pbem.desk.chat.updates import take_update
from pbem.desk.gm_commands import ask_master, carry_out, is_about_telegram, take_commands
from pbem.desk.jobs import Job
from pbem.desk.letters.bounces import take_bounce
from pbem.desk.letters.correlation import caused_by
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.painting import handle_with_pictures
from pbem.desk.lobby import ask_joiner, wants_to_join
from pbem.desk.messages.handling import Commanding, Forgetting, Handled, NotYet
from pbem.desk.messages.inquiries import answer_known, answer_person
from pbem.desk.messages.lanes import STRANGERS
from pbem.desk.messages.message import MAIL, TELEGRAM, Message, message_of_mail
from pbem.desk.messages.mishaps import begin_try, forget_tries, lay_aside
from pbem.desk.messages.naming import NotTheirs, name_game, tell_not_theirs
from pbem.desk.messages.opening import open_mail, open_update
from pbem.desk.messages.players import take_message
from pbem.desk.messages.unreadable import answer_too_big, tell_unreadable
from pbem.desk.messages.which_game import ask_which
from pbem.desk.people.forgetting import forget_on_request
from pbem.desk.people.observing import answer_watcher, may_watch
from pbem.desk.people.public_requests import Caller, take_wishes, wishes_here
from pbem.desk.phases.close import ask_for_delivery
from pbem.desk.ports import Policy, Services
from pbem.grammar.people import Back
from pbem.mail.inbound.bounces import Bounce
from pbem.mail.inbound.reading import ReadingRules, read_mail
from pbem.store.errors import StoreError
from pbem.store.repositories.inbox import InboxRow
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work
from pbem.telegram.updates import Tapped, Update

COPIES_LOOKED_AT = 100

_log = structlog.get_logger("receive")

Disposal = Handled | NotYet | Commanding | Forgetting


@dataclass(frozen=True, slots=True)
class Opened:
    """A message taken out of its envelope."""

    row: InboxRow
    mail: Message
    bounce: Bounce | None = None
    update: Update | None = None


def rules_of(policy: Policy) -> ReadingRules:
    """How raw mails are read here."""
    return ReadingRules(
        own_addresses=frozenset({policy.address}),
        host=policy.host,
        authserv_id=policy.authserv_id,
        subaddressing=policy.subaddressing,
    )


async def receive(services: Services, inbox_id: int) -> None:
    """Handle this message, and before it whatever should be handled first; as far as the strangers'
    budget goes, if it is one of theirs.
    """
    async with services.intake:
        while (row := await _next(services, inbox_id)) is not None:
            with (
                caused_by(f"m{row.id}"),
                services.precedence.urgent() if row.lane < STRANGERS else nullcontext(),
            ):
                await _handle(services, row)
                await ask_for_delivery(services, services.clock.now())
            if row.id == inbox_id:
                break


async def _next(services: Services, inbox_id: int) -> InboxRow | None:
    """The message whose turn it is. None: the one that was asked for waits no more, or has to wait
    longer.
    """
    now = services.clock.now()
    async with services.database.read() as work:
        asked = await work.inbox.find(inbox_id)
        if asked is None or asked.state != "new" or asked.game_id is not None:
            return None
        row = next(
            iter(
                await work.inbox.next_new(
                    1, bound=STRANGERS, but_not=services.strangers.exhausted(now)
                )
            ),
            None,
        )
    if row is not None and row.lane >= STRANGERS:
        services.strangers.spend(now, row.sender)
    return row


async def _handle(services: Services, row: InboxRow) -> None:
    """A try is counted from when the message has been read, which happens in a process of its own
    and can end no other.
    """
    is_begun = False
    try:
        opened = await _open(services, row)
        is_begun = opened is not None and await begin_try(services, row, rules_of(services.policy))
        if opened is not None and is_begun:
            await handle_with_pictures(
                services, lambda with_pictures: _dispose(with_pictures, opened)
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


async def _open(services: Services, row: InboxRow) -> Opened | None:
    async with services.database.read() as work:
        raw = await work.inbox.read_raw(row.id)
    if raw is None:
        async with services.database.write() as work:
            await work.inbox.mark_ignored(row.id, "bytes-dropped")
        return None
    if row.channel == TELEGRAM:
        update, message = await services.apart.run(open_update, raw)
        return Opened(row, message, update=update)
    oversize = bool(json.loads(row.facts).get("oversize"))
    mail, bounce = await services.apart.run(
        open_mail, raw, rules_of(services.policy), oversize=oversize
    )
    return Opened(row, mail, bounce)


async def _dispose(services: Services, opened: Opened) -> None:
    """Answer or ignore the message, in one transaction with everything that follows from it.

    A game master's commands come before that transaction, each in its own.
    """
    row, mail = opened.row, opened.mail
    async with services.database.write() as work:
        disposal = await _judge(work, services, opened)
        if isinstance(disposal, Forgetting):
            await work.rollback()
        if isinstance(disposal, NotYet):
            await work.inbox.park(row.id, disposal.game_id)
            _log.info("mail-parked", inbox=row.id, game=disposal.game_id)
        if isinstance(disposal, Commanding):
            await work.rollback()
        elif not isinstance(disposal, NotYet | Forgetting) and not await _settle(
            work, services, row, disposal
        ):
            return
    if isinstance(disposal, Forgetting):
        await forget_on_request(services, disposal.address)
        await _answer_tap(services, opened.update, "")
        return
    if isinstance(disposal, NotYet):
        await _answer_tap(services, opened.update, "")
        return
    if isinstance(disposal, Commanding):
        commanding = disposal
        commanded = await carry_out(services, row, mail, commanding)
        services.steps.reached("receive.commanded")
        disposal = Handled(commanded.outcome, game_id=commanded.game_id)
        async with services.database.write() as work:
            if commanding.tap and not await work.taps.use(commanding.tap, services.clock.now()):
                disposal = Handled(
                    "tap-again", ignored=True, pop=services.gm_pages.tap_words("taken")
                )
            else:
                await queue_letters(work, commanded.letters, services.clock.now())
            if commanded.settles is not None:
                await work.pending.settle(commanded.settles, "confirmed", services.clock.now())
            if not await _settle(work, services, row, disposal):
                return
    services.steps.reached("receive.kept")
    await _answer_tap(services, opened.update, disposal.pop, alert=disposal.alert)
    lag = (services.clock.now() - row.received_at).total_seconds()
    services.tally.received(disposal.outcome, lag)
    _log.info("mail-handled", inbox=row.id, outcome=disposal.outcome, ignored=disposal.ignored)
    if disposal.close is not None:
        services.jobs.ask(Job("close_phase", disposal.close))
    for waiting in disposal.receive_again:
        services.jobs.ask(Job("receive", (waiting,)))


async def _answer_tap(
    services: Services, update: Update | None, words: str, *, alert: bool = False
) -> None:
    """End the waiting of whoever tapped. It is lost with the process, and then ends by itself."""
    if isinstance(update, Tapped) and services.messenger is not None:
        await services.messenger.answer_tap(update.callback_id, words, alert=alert)


async def _settle(work: Work, services: Services, row: InboxRow, handled: Handled) -> bool:
    """The message is dealt with, as the last thing of its transaction. False: another process was
    first, and nothing is kept.
    """
    settle = work.inbox.mark_ignored if handled.ignored else work.inbox.mark_handled
    if not await settle(row.id, handled.outcome, game_id=handled.game_id, seat_id=handled.seat_id):
        await work.rollback()
        return False
    if handled.again is not None:
        await work.inbox.requeue(row.id, facts=handled.again)
    if json.loads(row.facts).get(
        "seen_before"
    ):  # found again after a restore: a service whose memory is lost has answered it
        await work.outbox.withhold_for_cause(f"m{row.id}", "answered-before-restore")
    services.steps.reached("receive.written")
    return True


async def _judge(work: Work, services: Services, opened: Opened) -> Disposal:
    """Whose message it is, and what becomes of it."""
    mail = opened.mail
    if opened.bounce is not None:
        return Handled(await take_bounce(work, services, opened.bounce, mail), ignored=True)
    if (
        opened.update is not None
        and (taken := await take_update(work, services, opened.row, opened.update)) is not None
    ):
        return taken
    reason = mail.automatic or (None if mail.sender is not None else mail.refused or "no-sender")
    if reason is not None:
        return Handled(f"{'automatic' if mail.automatic else 'refused'}:{reason}", ignored=True)
    facts = await read_facts(work, mail)
    verdict, mail = await name_game(
        work, opened.row, mail, facts.own_seats, judge(mail, facts, services.key)
    )
    if isinstance(verdict, NotTheirs):
        return await tell_not_theirs(work, services, opened.row, mail, verdict)
    opened = replace(opened, mail=mail)
    if (
        isinstance(verdict, Proven)
        and mail.channel == MAIL
        and await _is_copy(work, services, opened, verdict.seat.id)
    ):
        return Handled("copy", ignored=True, game_id=verdict.seat.game_id, seat_id=verdict.seat.id)
    return await _act(work, services, opened, verdict)


async def _act(work: Work, services: Services, opened: Opened, verdict: Verdict) -> Disposal:
    wishes = (
        wants_to_join(opened.mail, anywhere=isinstance(verdict, Stranger | Known))
        if not isinstance(verdict, Confirming | Master)
        else ()
    )
    if wishes and opened.mail.refused is None:
        return await ask_joiner(
            work, services, opened.row, opened.mail, wishes, await proven_person(work, verdict)
        )
    if (heard := await _hear_at_the_door(work, services, opened, verdict)) is not None:
        return heard
    if (
        opened.mail.channel == TELEGRAM
        and (in_chat := await _act_in_chat(work, services, opened.row, opened.mail, verdict))
        is not None
    ):
        return in_chat
    if (
        opened.mail.refused is not None
        and (unread := await _act_on_unreadable(work, services, opened.row, opened.mail, verdict))
        is not None
    ):
        return unread
    match verdict:
        case Master(person=person) if is_about_telegram(opened.mail.text):
            await answer_person(work, services, opened.row, opened.mail, person)
            return Handled("answered")
        case Master():
            return await take_commands(work, services, opened.row, opened.mail, verdict)
        case PerhapsMaster():
            return await ask_master(work, services, opened.row, opened.mail, verdict)
        case Stranger(reason=reason):
            return Handled(f"stranger:{reason}", ignored=True)
        case Known(person=person):
            return await answer_known(work, services, opened.row, opened.mail, person)
        case Watching(person=person, game_id=game_id):
            return await _take_watcher(work, services, opened.row, opened.mail, person, game_id)
        case Confirming(claim=claim):
            return await settle_confirmation(work, services, opened.row, opened.mail, claim)
        case Unproven():
            if (seat := await confirmed_seat(work, opened.row, verdict)) is not None:
                return await take_message(
                    work, services, opened.row, opened.mail, Proven(seat, verdict.phase)
                )
            return await ask_to_confirm(work, services, opened.row, opened.mail, verdict)
        case WhichGame():
            return await ask_which(work, services, opened.row, opened.mail, verdict)
        case Proven():
            return await take_message(work, services, opened.row, opened.mail, verdict)


async def _act_on_unreadable(
    work: Work, services: Services, row: InboxRow, mail: Message, verdict: Verdict
) -> Handled | NotYet | None:
    """A message too big or too broken to be read; None: it makes no difference to what follows."""
    match verdict:
        case Master() | PerhapsMaster() | WhichGame() | Known():
            await tell_unreadable(work, services, row, mail)
            return Handled(f"unreadable:{mail.refused}", ignored=True)
        case Proven():
            return await answer_too_big(work, services, row, mail, verdict)
    return None


async def _hear_at_the_door(
    work: Work, services: Services, opened: Opened, verdict: Verdict
) -> Handled | None:
    """A message that holds nothing but wishes about looking on, taking over and the like; None: it
    is about something else.
    """
    wishes = (
        ()
        if isinstance(verdict, Confirming | Master) or opened.mail.refused is not None
        else wishes_here(opened.mail)
    )
    if not wishes:
        return None
    match verdict:
        case Proven(seat=seat):
            if any(
                isinstance(wish, Back) for wish in wishes
            ):  # they are back at the table where they sit as well
                return None
            person = await work.people.find(seat.person_id) if seat.person_id is not None else None
        case WhichGame(person=person) | Known(person=person):
            pass
        case Watching(person=person, game_id=game_id):
            return await take_wishes(
                Caller(work, services, opened.row, opened.mail, person, proven=True, about=game_id),
                wishes,
            )
        case _:
            known = await work.people.find_by_address(opened.mail.channel, opened.mail.sender or "")
            return await take_wishes(
                Caller(work, services, opened.row, opened.mail, known, proven=False), wishes
            )
    return await take_wishes(
        Caller(work, services, opened.row, opened.mail, person, proven=person is not None), wishes
    )


async def _take_watcher(
    work: Work, services: Services, row: InboxRow, mail: Message, person: PersonRow, game_id: int
) -> Handled:
    """Somebody answers a letter to observers of a table."""
    game = await work.games.find(game_id)
    if game is None or mail.refused is not None or not await may_watch(work, game, person):
        return Handled("watching-no-more", ignored=True, game_id=game_id)
    answered, rest = await answer_person(work, services, row, mail, person)
    if answered and not rest.strip():
        return Handled("answered", game_id=game_id)
    return await answer_watcher(work, services, row, mail, person, game)


async def _act_in_chat(
    work: Work, services: Services, row: InboxRow, mail: Message, verdict: Verdict
) -> Handled | None:
    """What is answered otherwise in a chat, whose sender is always known; None: it is as by
    mail.
    """
    match verdict:
        case Stranger():
            return await answer_stranger(work, services, row, mail)
        case Known(person=person):
            known = await answer_known(work, services, row, mail, person)
            return (
                await answer_stranger(work, services, row, mail, person) if known.ignored else known
            )
    return None


async def _is_copy(work: Work, services: Services, opened: Opened, seat_id: int) -> bool:
    """Whether this player's message was handled before under the same Message-ID and says the same:
    sent or delivered twice.

    Not by the ID alone: somebody else may have used it first, and some programs give every mail the
    same. Without an ID the date stands in its place, which the sender's signature covers too.
    """
    message_id, mail = opened.row.message_key.partition("|")[0], opened.mail
    if not message_id and mail.dated is None:
        return False
    for earlier in await work.inbox.list_earlier(
        MAIL, f"{message_id}|", opened.row.id, COPIES_LOOKED_AT
    ):
        raw = (
            await work.inbox.read_raw(earlier.id)
            if earlier.seat_id == seat_id and not is_waiting(earlier)
            else None
        )
        known = (
            message_of_mail(await services.apart.run(read_mail, raw, rules_of(services.policy)))
            if raw is not None
            else None
        )
        if (
            known is not None
            and known.text == mail.text
            and (message_id or known.dated == mail.dated)
        ):
            return True
    return False
