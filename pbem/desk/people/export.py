"""What is kept of one person, as one ZIP file for that person.

It holds what is theirs alone: what they wrote, what was written to them, how their games went. What
others wrote in confidence to them as a game master stays out, and so does every address of others
in what we wrote.
"""

import asyncio
import html
import re
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from pbem.desk.chat.messages import ChatDraft
from pbem.desk.envelope.letter import Attachment, Draft
from pbem.desk.envelope.message import MAIL, TELEGRAM, Handled, WishForData
from pbem.desk.envelope.recipients import Enclosed
from pbem.desk.letters.post import person_at
from pbem.desk.letters.queue import queue_letter
from pbem.desk.mandate import Refused
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.opening import rules_of
from pbem.desk.people.erasure import Traces, ask_at_home, find_traces
from pbem.desk.ports import Context, Desk, Policy, Transaction
from pbem.desk.table import mail_address_of
from pbem.grammar.consent import parse_consent
from pbem.mail.inbound.reader import read_head
from pbem.pages.people import AskData, DataSent
from pbem.store.repositories.belongings import Belongings, StoredLetter, StoredMessage
from pbem.store.repositories.people import AddressRow, PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.work import Work

PURPOSE, KIND = "my-data", "my-data"
FILE_NAME = "my-data.zip"
MOST_BYTES = 10_000_000
"""A larger file goes by no mail."""

_ADDRESS = re.compile(r"[^\s<>\"'\\,;:()\[\]@]+@[^\s<>\"'\\,;:()\[\]@]+[^\W_]")
_ANOTHER = "(another address)"
_OF_OTHERS = ("unproven", "stranger")
"""Outcomes of messages that may be by anybody who writes this address into them."""


class _TooLarge(Exception):
    """More than goes by mail."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose data it is: their proven addresses and accounts, and the house's own address."""

    traces: Traces
    addresses: frozenset[str]
    house: Policy

    @property
    def person_id(self) -> int | None:
        return self.traces.person.id if self.traces.person is not None else None

    def hide(self, text: str) -> str:
        """A text of ours without any address of somebody else."""
        return _ADDRESS.sub(lambda found: self._shown(found[0]), text)

    def hide_in(self, value: Any) -> Any:
        """The same of all texts in a value."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self.hide_in(one) for one in value]
        if isinstance(value, dict):
            return {key: self.hide_in(one) for key, one in value.items()}
        return value

    def names(self, text: str) -> bool:
        """Whether one of their addresses stands there, as a whole."""
        return any(found[0].lower() in self.addresses for found in _ADDRESS.finditer(text))

    def _shown(self, address: str) -> str:
        local, _, host = address.lower().partition("@")
        is_known = (
            address.lower() in self.addresses
            or f"{local.partition('+')[0]}@{host}" == self.house.address
        )
        return address if is_known else _ANOTHER


class Exported(msgspec.Struct, frozen=True):
    """What the file holds, in numbers."""

    messages: int
    letters: int
    as_master: int
    """The letters to a game master, which stay out."""


async def export_person(services: Desk, address: str, into: IO[bytes]) -> Exported:
    """Write everything that is kept of the person who has this address, or Telegram account of that
    number. Refused with `unknown-address` when nothing is known of it.
    """
    async with services.database.read() as work:
        return await _write(work, services.policy, address.strip().lower(), into)


async def _write(
    work: Work,
    policy: Policy,
    address: str,
    into: IO[bytes],
    *,
    with_mails: bool = True,
    most: int | None = None,
) -> Exported:
    traces = await find_traces(work, address)
    if traces.is_empty:
        raise Refused("unknown-address", "nothing is known of that address")
    owner = _Owner(traces, await _own_addresses(work, traces), policy)
    counts = {"messages": 0, "letters": 0, "as_master": 0}
    with ZipFile(into, "w", ZIP_DEFLATED) as packed:
        async for some in _files(work, owner, counts, with_mails=with_mails):
            await asyncio.to_thread(_pack, packed, some)
            if most is not None and into.tell() > most:
                raise _TooLarge
        if most is not None and into.tell() > most:
            raise _TooLarge
    return Exported(**counts)


def _pack(packed: ZipFile, some: Iterable[tuple[str, bytes]]) -> None:
    """In a thread, for it takes its time. Every file has the same date: the same data make the same
    file.
    """
    for name, content in some:
        entry = ZipInfo(name)
        entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o600 << 16
        packed.writestr(entry, content)


async def _own_addresses(work: Work, traces: Traces) -> frozenset[str]:
    """Those that proved to be theirs; where none has, those that are known."""
    person = traces.person
    rows: list[AddressRow] = await work.people.list_addresses(person.id) if person else []
    proven = frozenset(row.address for row in rows if row.state != "unconfirmed")
    return proven or frozenset((*traces.addresses, *traces.chats))


# ------------------------------------------------------------------------------ what is in the file
async def _files(
    work: Work, owner: _Owner, counts: dict[str, int], *, with_mails: bool
) -> AsyncIterator[list[tuple[str, bytes]]]:
    """The files by their names, some at a time, in an order that is always the same."""
    yield await _documents(work, owner)
    if not with_mails:
        return
    store = Belongings(work.connection)
    async for messages in store.read_messages(owner.traces.written):
        found = await asyncio.to_thread(_messages_of, owner, messages)
        counts["messages"] += len(found)
        yield found
    slugs = await store.name_games()
    mastered = frozenset(id_ for id_, slug in slugs.items() if slug in owner.traces.mastered)
    async for letters in store.read_letters(owner.traces.letters_to):
        theirs = [letter for letter in letters if _is_to(letter, owner)]
        read = [letter for letter in theirs if not _is_to_master(letter, mastered)]
        counts["as_master"] += len(theirs) - len(read)
        counts["letters"] += len(read)
        yield await asyncio.to_thread(_letters_of, owner, read)


async def _documents(work: Work, owner: _Owner) -> list[tuple[str, bytes]]:
    store, traces = Belongings(work.connection), owner.traces
    person_id = owner.person_id
    about: dict[str, Any] = {}
    if person_id is not None:
        about |= await store.read_tables(person_id) | await store.read_doings(person_id)
    about["consents"] = await store.read_consents(owner.addresses)
    about["log"] = [
        row | {"detail": msgspec.json.decode(row["detail"])}
        for row in await store.read_log(traces.log_entries)
        if owner.names(row["detail"])
    ]
    orders = await store.read_orders(person_id) if person_id is not None else []
    names = _Names(
        await store.name_games(), await store.name_seats({span.seat_id for span in traces.spans})
    )
    documents = {
        "person.json": owner.hide_in(about),
        "orders.json": orders,
        "press.json": await store.read_press(traces.press),
        "notes.json": await store.read_notes(traces.notes),
    }
    return [(name, _as_json(names.of(value))) for name, value in documents.items()]


@dataclass(frozen=True, slots=True)
class _Names:
    """What stands for the numbers of rows: the short names of games, the names of seats."""

    games: dict[int, str]
    seats: dict[int, str]

    def of(self, value: Any) -> Any:
        """The same with names."""
        if isinstance(value, list):
            return [self.of(one) for one in value]
        if not isinstance(value, dict):
            return value
        said = {key: self.of(one) for key, one in value.items()}
        if "seat_id" in said:
            said = {"seat": self.seats.get(said.pop("seat_id")), **said}
        if "game_id" in said:
            said = {"game": self.games.get(said.pop("game_id")), **said}
        return said


def _as_json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _messages_of(owner: _Owner, messages: Iterable[StoredMessage]) -> list[tuple[str, bytes]]:
    """What they wrote, as it came: a mail whole, of a chat their own words."""
    found, rules = [], rules_of(owner.house)
    for one in messages:
        if one.raw is None:
            continue
        if one.channel == TELEGRAM:
            text = _words_of_update(one.raw, owner.traces.chats)
            if text is not None:
                found.append((f"chats/in/{one.id:06}.txt", f"{one.received_at}\n\n{text}".encode()))
            continue
        head = read_head(one.raw, rules)
        is_theirs = head.sender is not None and head.sender.lower() in owner.addresses
        if is_theirs and head.dmarc != "fail" and not (one.outcome or "").startswith(_OF_OTHERS):
            found.append((f"mails/in/{one.id:06}.eml", one.raw))
    return found


def _words_of_update(raw: bytes, chats: Collection[str]) -> str | None:
    """The words of theirs in an update, or the button they tapped; never what they answered."""
    for value in msgspec.json.decode(raw).values():
        sender = value.get("from") if isinstance(value, dict) else None
        if isinstance(sender, dict) and str(sender.get("id")) in chats:
            said = next((value[key] for key in ("text", "caption") if key in value), "")
            return str(said)
    return None


def _is_to(letter: StoredLetter, owner: _Owner) -> bool:
    """Whether it is to this person: an address may have been another person's before."""
    if letter.person_id is None:
        return letter.address in owner.addresses
    return letter.person_id == owner.person_id


def _is_to_master(letter: StoredLetter, mastered: Collection[int]) -> bool:
    """Whether it is to a game master: such letters quote notes, orders and addresses of players."""
    return (
        letter.kind.startswith("gm-")
        or ":gm:" in (letter.dedupe_key or "")
        or (letter.seat_id is None and letter.game_id in mastered)
    )


def _letters_of(owner: _Owner, letters: Iterable[StoredLetter]) -> list[tuple[str, bytes]]:
    return [_letter_of(owner, letter) for letter in letters]


def _letter_of(owner: _Owner, letter: StoredLetter) -> tuple[str, bytes]:
    """The words of a letter to them."""
    if letter.channel == TELEGRAM:
        said = msgspec.json.decode(letter.letter, type=ChatDraft)
        words = html.unescape(re.sub(r"<[^<>]*>", "", said.html))
        text, folder = f"{letter.created_at}\n\n{words}\n", "chats"
    else:
        draft = msgspec.json.decode(letter.letter, type=Draft)
        head = f"To: {letter.address}\nDate: {letter.created_at}\nSubject: {draft.subject}"
        text, folder = f"{head}\n\n{draft.text}", "mails"
    return f"{folder}/out/{letter.id:06}.txt", owner.hide(text).encode()


# ---------------------------------------------------------------------------------- asking for it
async def why_no_data(tx: Transaction[Context], person: PersonRow) -> str | None:
    """Why they cannot have the file now, as a code; None: they can."""
    address = await mail_address_of(tx.work, person.id)
    if address is None:
        return "no-address"
    return "today" if await tx.has_had(MAIL, address, KIND) else None


async def ask_for_data(tx: Transaction[Context], person: PersonRow, inbox_id: int) -> bool:
    """Ask at their mail address whether they want the file. False: nobody can be asked."""
    return await ask_at_home(tx, person, inbox_id, PURPOSE, AskData())


async def settle_export(talk: Conversation[object], pending: PendingRow) -> Handled | WishForData:
    """The person has answered: a plain yes makes the file, outside any lock."""
    consent = parse_consent(talk.mail.text)
    if consent is None:
        return Handled("confirmation-unclear", ignored=True)
    if pending.done_at is not None or pending.expires_at <= talk.now():
        return Handled("data-too-late")
    if not consent:
        await talk.work.pending.settle(pending.id, "refused", talk.now())
        return Handled("data-refused")
    return WishForData(pending.id, pending.address)


async def pack_for_mail(services: Desk, address: str) -> tuple[Attachment, bool]:
    """The file as it goes by mail, and whether the mails are in it."""
    for with_mails in (True, False):
        into = BytesIO()
        most = MOST_BYTES if with_mails else None
        try:
            async with services.database.read() as work:
                await _write(work, services.policy, address, into, with_mails=with_mails, most=most)
        except _TooLarge:
            continue
        file = await asyncio.to_thread(Attachment.pack, FILE_NAME, into.getvalue())
        return file, with_mails
    raise AssertionError("without the mails it is never too large")


async def send_data(
    tx: Transaction[Context], wish: WishForData, packed: tuple[Attachment, bool]
) -> Handled:
    """Send the file to the address that said yes, once a question and once a day."""
    file, with_mails = packed
    person = await tx.work.people.find_by_address(MAIL, wish.address)
    is_open = await tx.work.pending.settle(wish.pending_id, "confirmed", tx.now()) is not None
    if person is None or not is_open or await tx.has_had(MAIL, wish.address, KIND):
        return Handled("data-too-late")
    there = person_at(tx.services, person, wish.address)
    told, key = DataSent(with_mails=with_mails), f"{KIND}:{wish.pending_id}"
    await queue_letter(tx, there.letter(told, KIND, key, enclosed=Enclosed(file)))
    return Handled("data-sent")
