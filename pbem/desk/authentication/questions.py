"""The questions of ours that wait for an answer: one table of their kinds, and how each is settled.

An answer proves itself by the code of the question's own letter, or by a chat's numeric id. What it
does depends on the kind alone.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pbem.desk import gm_commands, lobby
from pbem.desk.authentication import addresses
from pbem.desk.authentication.addresses import leave_alias
from pbem.desk.authentication.confirmations import settle_orders
from pbem.desk.authentication.kept import (
    UNPROVEN,
    WHICH,
    decode_kept,
    end_kept,
    is_over,
    let_go_if_over,
    still_waiting,
    tell_elsewhere,
    tell_over,
    tell_unclear,
    why_over,
)
from pbem.desk.authentication.verdicts import Confirming, Proven
from pbem.desk.correlation import correlated
from pbem.desk.envelope.message import MAIL, TELEGRAM, Disposal, Handled, Message
from pbem.desk.lobby import resignations
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.players import take_message
from pbem.desk.messages.which_game import answer_which
from pbem.desk.people import erasure, export, public_requests, stand_ins, substitutions
from pbem.desk.ports import Context, Desk, Transaction
from pbem.grammar.consent import parse_consent
from pbem.mail.tokens import proves
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.work import Work


async def _settle_join(talk: Conversation[object], pending: PendingRow) -> Disposal:
    joined = await lobby.settle_join(talk, pending)
    return await take_message(talk, joined) if isinstance(joined, Proven) else joined


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question. `is_told_late`: an answer that comes too late is told so here; the others
    have words of their own. `asks` are the words that tell of one that waits in a chat, where a
    plain yes answers it. `keeps_messages`: under it messages wait. `is_told_unclear`: so is an
    answer that says neither yes nor no.
    """

    settle: Callable[[Conversation[object], PendingRow], Awaitable[Disposal]]
    is_told_late: bool = True
    asks: str = ""
    keeps_messages: bool = False
    is_told_unclear: bool = False


QUESTIONS: Mapping[str, Kind] = {
    UNPROVEN: Kind(settle_orders, keeps_messages=True),
    WHICH: Kind(answer_which, is_told_late=False, keeps_messages=True),
    lobby.PURPOSE: Kind(_settle_join, is_told_late=False),
    resignations.PURPOSE: Kind(
        resignations.settle_resignation, asks="asks_resign", is_told_unclear=True
    ),
    public_requests.PURPOSE: Kind(public_requests.settle_wish, is_told_unclear=True),
    stand_ins.PURPOSE: Kind(
        substitutions.settle_stand_in, asks="asks_stand_in", is_told_unclear=True
    ),
    export.PURPOSE: Kind(export.settle_export, is_told_unclear=True),
    erasure.PURPOSE: Kind(erasure.settle_forgetting, asks="asks_forget", is_told_unclear=True),
    addresses.PURPOSE: Kind(addresses.settle_address, is_told_unclear=True),
    addresses.ALIAS_PURPOSE: Kind(addresses.settle_alias, is_told_unclear=True),
    gm_commands.PURPOSE: Kind(gm_commands.settle_command, is_told_late=False, asks="asks_gm"),
}


async def settle_confirmation(
    talk: Conversation[Confirming],
) -> Disposal:
    """The answer to a question of ours, from the address that was asked: what it says depends on
    what was asked.
    """
    claim = talk.writer.claim
    pending = await talk.work.pending.find(claim.seat)
    if pending is None or pending.purpose not in QUESTIONS:
        return Handled("confirmation-unproven", ignored=True)
    if not proves(claim, talk.services.key, 0):
        return Handled("confirmation-unproven", ignored=True)
    if talk.mail.trust == "fail" or not talk.mail.addressed:
        return Handled("confirmation-unproven", ignored=True)
    if not await _is_asked(talk.work, talk.mail, pending):
        await tell_elsewhere(talk, pending)
        return Handled("confirmation-unproven", ignored=True)
    return await settle_pending(talk, pending)


async def settle_pending(talk: Conversation[object], pending: PendingRow) -> Disposal:
    """The same, of somebody who is known to be whom we asked. An answer that comes too late is told
    so.
    """
    kind = QUESTIONS[pending.purpose]
    if kind.keeps_messages and pending.purpose == UNPROVEN:
        await let_go_if_over(talk, pending)
        pending = await talk.work.pending.find(pending.id) or pending
    consent = parse_consent(talk.mail.text)
    if (
        kind.is_told_late
        and is_over(pending, talk.services)
        and consent is not None
        and not await _still_means(talk, pending)
    ):
        is_copy = talk.mail.channel == MAIL and why_over(pending) == (
            "yes" if consent else "no"
        )  # the same mail, sent or delivered again
        if not is_copy:
            await tell_over(talk, pending)
        return Handled.of(pending, "question-over")
    if consent is None and kind.is_told_unclear and not is_over(pending, talk.services):
        await tell_unclear(talk, pending)
    return await kind.settle(talk, pending)


async def _still_means(tx: Transaction[Context], pending: PendingRow) -> bool:
    """Whether a question in whose place a newer one was asked still has something of its own that
    waits.
    """
    if (
        pending.purpose != UNPROVEN
        or why_over(pending) != "replaced"
        or pending.expires_at <= tx.now()
    ):
        return False
    return bool(await still_waiting(tx.work, decode_kept(pending).listed))


async def _is_asked(work: Work, mail: Message, pending: PendingRow) -> bool:
    """Whether the answer comes from whom was asked: from that very address, or from the one that
    was asked about, or, where a chat was asked that turned out to be closed, from where the
    question went instead.
    """
    if mail.sender == pending.address:
        return True
    if pending.purpose == addresses.ALIAS_PURPOSE:
        return mail.sender == addresses.alias_of(pending).address
    asked = await work.people.find_address(TELEGRAM, pending.address) if mail.sender else None
    known = (
        await work.people.find_address(mail.channel, mail.sender or "")
        if asked is not None
        else None
    )
    return (
        asked is not None
        and known is not None
        and known.person_id == asked.person_id
        and known.state != "unconfirmed"
    )


@correlated("q")
async def end_question(services: Desk, pending_id: int) -> None:
    """Nobody has answered it in time. May run twice, or die anywhere, without harm."""
    await leave_alias(services, pending_id)
    await end_kept(services, pending_id)
