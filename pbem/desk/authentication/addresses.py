"""A person's own addresses: another one is registered by its own yes, one is forgotten at once, and
never the last. An address that writes with the code of somebody's seat is asked about at the
registered one.

The person who asks is proven already. A new address is asked by a fresh mail, so that nobody is
registered who does not want to be; nothing tells whether it is somebody else's here. Somebody who
was invited under one name of their mailbox writes from another, and cannot answer from the first:
so the answer counts from either address, since it carries the code of the letter to the registered
one.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import msgspec

from pbem.desk.authentication.kept import (
    ALIAS,
    QUOTED_CHARACTERS,
    is_waiting,
    settle_unless_yes,
    shown,
)
from pbem.desk.authentication.verdicts import Unproven
from pbem.desk.chat.links import chat_of
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import MAIL, TELEGRAM, Handled
from pbem.desk.envelope.recipients import Recipient, letter_to
from pbem.desk.letters.post import Masters, asked, read_post
from pbem.desk.letters.queue import ask_for_delivery, queue_letter
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import load_table, mail_address_of, page_reader, page_table
from pbem.grammar.addresses import AddAddress, AddressWish, ForgetAddress
from pbem.grammar.consent import parse_consent
from pbem.mail.inbound.automatic import is_nobody_s
from pbem.mail.inbound.senders import is_address
from pbem.pages.notice import notice_page
from pbem.pages.notices import AddressAdded, AddressesListed, ConfirmAddress, ConfirmAlias, GmAlias
from pbem.pages.page import Reader
from pbem.store.repositories.post.pending import PendingRow

PURPOSE = "address"
"""Of the confirmations that another address waits under."""

KIND = "address-confirm"
WAITS = timedelta(days=3)
ASKED_A_DAY = 3
MOST_ADDRESSES = 5
WISHES_A_MESSAGE = 5


class Registering(msgspec.Struct, frozen=True):
    """Whose address it would be, in which tenure it was asked for."""

    person_id: int
    tenure: int


async def take_addresses(talk: Conversation[Player], wishes: Sequence[AddressWish]) -> None:
    """Do what is wished, and answer with the addresses as they are then."""
    results: list[tuple[str, str]] = []
    for wish in wishes[:WISHES_A_MESSAGE]:
        match wish:
            case AddAddress(address=address):
                results.append((await _ask_there(talk, address), address))
            case ForgetAddress(address=address):
                results.append((await _forget(talk, address), address))
    rows = (
        await talk.work.people.list_addresses(talk.seat.person_id)
        if talk.seat.person_id is not None
        else []
    )
    has_chat = any(row.channel == TELEGRAM for row in rows)
    own = [(row.address, row.state == "suspended") for row in rows if row.channel == MAIL]
    if talk.mail.channel == MAIL and talk.address not in {address for address, _suspended in own}:
        talk = replace(
            talk, address=await mail_address_of(talk.work, talk.seat.person_id) or talk.address
        )
    await talk.answer(
        AddressesListed(results, own, has_chat=has_chat),
        "notice",
        ".addresses",
    )


async def _ask_there(talk: Conversation[Player], address: str) -> str:
    """Ask at an address whether it is theirs; a few times a day."""
    work, services, seat, now = talk.work, talk.services, talk.seat, talk.now()
    is_fit = is_address(address) and not is_nobody_s(address)
    if seat.person_id is None or not is_fit or services.policy.is_own(address):
        return "unfit"
    own = await work.people.list_addresses(seat.person_id)
    if address in {row.address for row in own}:
        return "known"
    if len(own) >= MOST_ADDRESSES:
        return "too-many"
    if (
        await work.pending.count_asked_since(PURPOSE, seat.id, now - timedelta(days=1))
        >= ASKED_A_DAY
    ):
        return "too-often"
    wanted = Registering(seat.person_id, seat.tenure)
    waiting = await work.pending.find_waiting(PURPOSE, address, now)
    if waiting is not None and msgspec.json.decode(waiting.detail, type=Registering) == wanted:
        return "asked"
    pending = await talk.wait_for_answer(  # the letter of somebody else's wish frees nothing more
        PURPOSE,
        address,
        WAITS,
        wanted,
        inbox_ids=(talk.row.id,),
        game_id=talk.table.game.id,
        seat_id=seat.id,
    )
    if await work.people.find_address(MAIL, address) is not None:
        return "asked"
    there = asked(services, pending, talk.reader, seat.person_id, talk.table)
    told = ConfirmAddress(seat.name, address)
    await queue_letter(talk, there.letter(told, KIND, f"{KIND}:{pending.id}"))
    return "asked"


async def _forget(talk: Conversation[Player], address: str) -> str:
    work, person_id = talk.work, talk.seat.person_id
    rows = await work.people.list_addresses(person_id) if person_id is not None else []
    if person_id is None or address not in {row.address for row in rows}:
        return "not-yours"
    if address in talk.services.policy.gm_addresses:
        return "configured"
    if not any(row.address != address and row.state == "confirmed" for row in rows):
        return "last"
    await work.people.remove_address(person_id, MAIL, address)
    return "forgotten"


async def settle_address(talk: Conversation[object], pending: PendingRow) -> Handled:
    """The person who reads at the new address has answered: a plain yes registers it, and the
    address known so far is told.
    """
    consent = parse_consent(talk.mail.text)
    if (refused := await settle_unless_yes(talk, pending, consent, "address")) is not None:
        return refused
    wanted = msgspec.json.decode(pending.detail, type=Registering)
    return await bind_address(talk, pending, wanted, pending.address)


async def bind_address(
    tx: Transaction[Context], pending: PendingRow, wanted: Registering, address: str
) -> Handled:
    """Register it, and tell both addresses."""
    done = Handled.of(pending, "address-too-late")
    seat = await tx.work.seats.find(pending.seat_id)
    game = await tx.work.games.find(pending.game_id)
    if (
        seat is None
        or game is None
        or seat.person_id != wanted.person_id
        or seat.tenure != wanted.tenure
    ):
        return done
    before = await mail_address_of(tx.work, wanted.person_id)
    if await tx.work.people.add_address(wanted.person_id, MAIL, address, "confirmed") is None:
        return replace(done, outcome="address-taken")
    table = await load_table(tx, game)
    person = await tx.work.people.find(wanted.person_id)
    reader: Reader = page_reader(seat, person, tx.services.policy.zone)
    chat_id = await chat_of(tx.work, wanted.person_id) if before is None else None
    told = [
        (MAIL, before or address),
        (MAIL, address),
        *([(TELEGRAM, chat_id)] if chat_id is not None else []),
    ]
    for channel, there in dict.fromkeys(told):
        page = notice_page(
            AddressAdded(address, from_chat=chat_id is not None),
            page_table(table, tx.services),
            reader,
        )
        letter = letter_to(
            tx.services,
            Recipient(address=there, name=seat.name, person_id=wanted.person_id, game=game),
            page,
            "address-added",
            f"address-added:{pending.id}:{there}",
            answered=Answering(None, (), channel, None),
        )
        await queue_letter(tx, letter)
    return replace(done, outcome="address-added")


ALIAS_PURPOSE = ALIAS
ALIAS_KIND, UNANSWERED = "alias-confirm", "gm-alias"
WAITING_MESSAGES = 20


class Alias(msgspec.Struct, frozen=True):
    """Whose address it would be, in which tenure of which seat, and which."""

    person_id: int
    tenure: int
    address: str


async def ask_whose(talk: Conversation[Unproven]) -> Handled | None:
    """Let the mail wait and ask at the registered address; None where that cannot be asked."""
    seat, sender, now = talk.writer.seat, talk.mail.sender, talk.now()
    if (
        talk.writer.reason != "other-address"
        or sender is None
        or seat.person_id is None
        or talk.mail.channel != MAIL
        or talk.mail.trust == "fail"
        or not talk.mail.addressed
        or talk.mail.refused is not None
        or talk.services.policy.is_own(sender)
        or await talk.work.people.find_address(MAIL, sender) is not None
        or await talk.work.pending.find_waiting(PURPOSE, sender, now) is not None
    ):
        return None
    registered = await mail_address_of(talk.work, seat.person_id)
    game = await talk.work.games.find(seat.game_id)
    own = await talk.work.people.list_addresses(seat.person_id)
    if registered is None or game is None or len(own) >= MOST_ADDRESSES:
        return None
    waiting = Handled.at(seat, "unproven:other-address")
    alias = Alias(seat.person_id, seat.tenure, sender)
    open_one = await talk.work.pending.find_open(ALIAS_PURPOSE, registered)
    if open_one is not None and alias_of(open_one) == alias and open_one.expires_at > now:
        if len(open_one.inbox_ids) < WAITING_MESSAGES:
            await talk.work.pending.add_waiting(open_one, talk.row.id)
        return waiting
    since = now - timedelta(days=1)
    if await talk.work.pending.count_asked_since(ALIAS_PURPOSE, seat.id, since) >= ASKED_A_DAY:
        return None
    pending = await talk.wait_for_answer(  # one about another address no longer counts
        ALIAS_PURPOSE,
        registered,
        WAITS,
        alias,
        inbox_ids=(talk.row.id,),
        game_id=seat.game_id,
        seat_id=seat.id,
    )
    person, table = await talk.work.people.find(seat.person_id), await load_table(talk, game)
    reader = page_reader(seat, person, talk.services.policy.zone)
    there = asked(talk.services, pending, reader, seat.person_id, table)
    told = ConfirmAlias(sender, shown(talk.mail.text)[:QUOTED_CHARACTERS])
    await queue_letter(talk, there.letter(told, ALIAS_KIND, f"{ALIAS_KIND}:{pending.id}"))
    return waiting


def alias_of(pending: PendingRow) -> Alias:
    """What is asked."""
    return msgspec.json.decode(pending.detail, type=Alias)


async def settle_alias(talk: Conversation[object], pending: PendingRow) -> Handled:
    """A plain yes makes the address theirs, and what came from it is handled again."""
    consent = parse_consent(talk.mail.text)
    if (refused := await settle_unless_yes(talk, pending, consent, "address")) is not None:
        return refused
    alias = alias_of(pending)
    wanted = Registering(alias.person_id, alias.tenure)
    bound = await bind_address(talk, pending, wanted, alias.address)
    if bound.outcome != "address-added":
        return bound
    waiting = [
        row for id_ in pending.inbox_ids if (row := await talk.work.inbox.find(id_)) is not None
    ]
    freed = [row for row in waiting if is_waiting(row)]
    for row in freed:
        await talk.work.inbox.requeue(row.id)
    return replace(bound, receive_again=tuple(row.id for row in freed))


async def leave_alias(services: Desk, pending_id: int) -> None:
    """Nobody has answered in time: the game masters of the table are told, who may register the
    address. May run twice.
    """
    now = services.clock.now()
    async with services.write() as tx:
        pending = await tx.work.pending.find(pending_id)
        if (
            pending is None
            or pending.purpose != ALIAS_PURPOSE
            or pending.expires_at > now
            or await tx.work.pending.settle(pending.id, "expired", now) is None
        ):
            return
        alias = alias_of(pending)
        game = await tx.work.games.find(pending.game_id)
        seat = await tx.work.seats.find(pending.seat_id)
        if game is None or seat is None or seat.person_id != alias.person_id:
            return
        table = await load_table(tx, game)
        post = await read_post(tx, table)
        await post.tell(
            tx.work,
            Masters(),
            GmAlias(seat.name, pending.address, alias.address),
            UNANSWERED,
            f"{UNANSWERED}:{pending.id}",
        )
        services.steps.reached("alias.left")
    await ask_for_delivery(services, now)
