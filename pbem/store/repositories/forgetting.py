"""Forgetting a person: what they wrote and what was written to them goes, what the games are made
of stays.

Nothing here decides whose what is; the desk says so by addresses, tenures and ids.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Condition, Repository, Rows
from pbem.store.tables import (
    absences,
    addresses,
    deliveries,
    gm_log,
    gms,
    inbox,
    links,
    masters,
    notes,
    observers,
    outbox,
    pending,
    people,
    preferences,
    press,
    strikes,
    taps,
    tenures,
)

FORGOTTEN = "(forgotten)"
EMPTY_LETTER = "{}"
TELEGRAM = "telegram"

_HEAD_OCTETS = 262_144
_BATCH = 200
_SENDER = re.compile(rb"^(?:from|sender|reply-to|return-path)[ \t]*:.*(?:\n[ \t].*)*", re.MULTILINE)


class TenureSpan(msgspec.Struct, frozen=True):
    """Somebody's time on a seat."""

    seat_id: int
    since: datetime
    until: datetime | None


class Naming(msgspec.Struct, frozen=True):
    """Messages by somebody, messages of others that name them, and the last id that was looked
    at.
    """

    written: frozenset[int]
    naming: frozenset[int]
    last_id: int


class LetterBody(msgspec.Struct, frozen=True):
    """A letter to be looked at."""

    id: int
    channel: str
    letter: str
    message_id: str | None


_LETTER_BODY = Rows(LetterBody, outbox)
_SPAN = Rows(TenureSpan, tenures)


class Forgetting(Repository):
    """The statements of forgetting; used within one unit of work each."""

    # -------------------------------------------------------------------------------------- finding
    async def tenures_of(self, person_id: int) -> list[TenureSpan]:
        return await self._list(_SPAN, person_id=person_id)

    async def messages_in(self, spans: Sequence[TenureSpan]) -> set[int]:
        """Messages that were handled for a seat while the person had it."""
        found: set[int] = set()
        for span in spans:
            within = [
                inbox.c.seat_id == span.seat_id,
                inbox.c.received_at >= span.since.replace(microsecond=0),
            ]
            if span.until is not None:
                within.append(inbox.c.received_at < span.until)
            found.update(
                (await self._connection.execute(sa.select(inbox.c.id).where(*within))).scalars()
            )
        return found

    async def messages_of(self, wanted: Collection[str], after_id: int = 0) -> Naming:
        """Messages whose sender is one of these addresses, and settled ones of others in which one
        stands; of those after `after_id`.
        """
        needles = [address.encode() for address in wanted]

        def judge(message: bytes) -> tuple[bool, bool]:
            raw = message.lower().replace(b"\r\n", b"\n")
            if not any(needle in raw for needle in needles):
                return False, False
            heads = _SENDER.findall(raw[:_HEAD_OCTETS].partition(b"\n\n")[0])
            return any(needle in head for head in heads for needle in needles), True

        return await self._look_through(judge, after_id)

    async def updates_of(self, chats: Collection[str], after_id: int = 0) -> Naming:
        """Updates of these Telegram accounts, by their numeric ids, and settled ones of others in
        which one stands; after `after_id`.
        """
        numbers = {int(chat) for chat in chats}

        def judge(update: bytes) -> tuple[bool, bool]:
            sender, named = _accounts_in(update)
            return sender in numbers, not numbers.isdisjoint(named)

        return await self._look_through(judge, after_id, inbox.c.channel == TELEGRAM)

    async def _look_through(
        self, judge: Callable[[bytes], tuple[bool, bool]], after_id: int, *where: Condition
    ) -> Naming:
        """The stored messages after that one, some at a time; `judge` says whether one is written
        by the person, and whether it names them.
        """
        written: set[int] = set()
        naming: set[int] = set()
        stored = sa.select(inbox.c.id, inbox.c.state, inbox.c.raw).order_by(inbox.c.id)
        some = stored.where(inbox.c.raw.is_not(None), *where).limit(_BATCH)
        while rows := (await self._connection.execute(some.where(inbox.c.id > after_id))).all():
            after_id = rows[-1].id
            for row in rows:
                is_written, is_named = judge(row.raw)
                if is_written:
                    written.add(row.id)
                elif is_named and row.state in ("handled", "ignored"):
                    naming.add(row.id)
        return Naming(frozenset(written), frozenset(naming), after_id)

    async def letters_to(self, wanted: Collection[str], person_id: int | None) -> set[int]:
        """Letters to these addresses, or to the person wherever they were sent."""
        to = [outbox.c.address.in_(list(wanted))] + (
            [outbox.c.person_id == person_id] if person_id is not None else []
        )
        return set(await self._values(int, sa.select(outbox.c.id).where(sa.or_(*to))))

    async def letters_naming(self, wanted: Collection[str], after_id: int = 0) -> set[int]:
        """Letters to anybody, made after `after_id`, in which one of these addresses stands."""
        needles = [address.lower() for address in wanted]
        naming: set[int] = set()
        some = sa.select(outbox.c.id, outbox.c.letter).order_by(outbox.c.id).limit(_BATCH)
        while rows := (await self._connection.execute(some.where(outbox.c.id > after_id))).all():
            after_id = rows[-1].id
            letters = ((row.id, row.letter.lower()) for row in rows)
            naming |= {id_ for id_, text in letters if any(needle in text for needle in needles)}
        return naming

    async def newest_letter(self) -> int:
        """The id of the letter made last; 0 when there is none."""
        return await self._number(sa.select(sa.func.coalesce(sa.func.max(outbox.c.id), 0)))

    async def letters_to_masters(
        self, game_ids: Collection[int], after_id: int = 0
    ) -> list[LetterBody]:
        """Letters about these games to nobody who sits there, made after `after_id`: what may quote
        a note.
        """
        quoting = (outbox.c.id > after_id, outbox.c.letter != EMPTY_LETTER)
        return await self._list(_LETTER_BODY, *quoting, game_id=game_ids, seat_id=None)

    async def press_of(self, person_id: int) -> dict[int, int]:
        """The person's press that still has words: the game by id."""
        statement = sa.select(press.c.id, press.c.game_id).where(
            press.c.person_id == person_id, press.c.text != ""
        )
        return {int(row.id): int(row.game_id) for row in await self._connection.execute(statement)}

    async def letters_of_press(self, found: Mapping[int, int]) -> set[int]:
        """Letters to anybody in which one of these pieces of press stands. Their keys name the
        pieces.
        """
        letters: set[int] = set()
        statement = sa.select(outbox.c.id, outbox.c.dedupe_key).where(
            outbox.c.kind.in_(("press", "press-digest"))
        )
        for row in await self._connection.execute(
            statement.where(outbox.c.game_id.in_(set(found.values())))
        ):
            named = (row.dedupe_key or "").split(":")[1:2]
            if any(piece.isdigit() and int(piece) in found for piece in ".".join(named).split(".")):
                letters.add(int(row.id))
        return letters

    async def notes_in(self, spans: Sequence[TenureSpan]) -> dict[int, tuple[int, str]]:
        """The person's notes that still have words: the game and the words by id."""
        found = {}
        for span in spans:
            within = [
                notes.c.seat_id == span.seat_id,
                notes.c.created_at >= span.since,
                notes.c.text != "",
            ]
            if span.until is not None:
                within.append(notes.c.created_at < span.until)
            for row in await self._connection.execute(
                sa.select(notes.c.id, notes.c.game_id, notes.c.text).where(*within)
            ):
                found[int(row.id)] = (int(row.game_id), str(row.text))
        return found

    async def confirmations_of(
        self, wanted: Collection[str], chats: Collection[str] = (), written: Collection[int] = ()
    ) -> set[int]:
        """Confirmations asked of these addresses and accounts, about the addresses, or because of
        these messages.
        """
        about = _names(pending.c.detail, wanted)
        statement = sa.select(pending.c.id).where(
            sa.or_(pending.c.address.in_([*wanted, *chats]), about)
        )
        found = set(await self._values(int, statement))
        for row in await self._connection.execute(sa.select(pending.c.id, pending.c.inbox_ids)):
            if not set(written).isdisjoint(row.inbox_ids):
                found.add(int(row.id))
        return found

    async def log_entries_naming(self, wanted: Collection[str]) -> set[int]:
        named = _names(gm_log.c.detail, wanted)
        return set(await self._values(int, sa.select(gm_log.c.id).where(named)))

    # ----------------------------------------------------------------------------------- letting go
    async def overwrite_what_goes(self) -> None:
        """On SQLite: let what is deleted from now on be overwritten in the file."""
        if self._connection.dialect.name == "sqlite":
            await self._connection.exec_driver_sql("PRAGMA secure_delete = ON")

    async def drop_messages(self, ids: Collection[int]) -> None:
        """Bytes, traceback and Message-ID go; what still waited is ignored. The row stays, so that
        ids continue meaning what they did.
        """
        waiting = inbox.c.state.in_(("new", "shunted"))
        for row in await self._those(inbox, inbox.c.message_key, ids):
            gone = {
                "raw": None,
                "trace": None,
                "sender": "",
                "message_key": f"|{row.message_key.rpartition('|')[2]}|{row.id}",
                "outcome": sa.case((waiting, "forgotten"), else_=inbox.c.outcome),
                "state": sa.case((waiting, "ignored"), else_=inbox.c.state),
            }
            await self._set(inbox, row.id, **gone)

    async def _those(
        self, table: sa.Table, column: sa.Column[Any], ids: Collection[int]
    ) -> Sequence[Any]:
        """These rows of a table, their ids and one column of them."""
        statement = sa.select(table.c.id, column).where(table.c.id.in_(list(ids)))
        return (await self._connection.execute(statement)).all()

    async def drop_bytes(self, ids: Collection[int]) -> None:
        """What others wrote stays handled as it was; only its bytes go."""
        await self._update(inbox, inbox.c.id.in_(list(ids)), raw=None, trace=None)

    async def empty_letters(self, ids: Collection[int], *, to_the_person: bool) -> None:
        """The words go, and what was not sent yet is not sent. Of letters to the person also where
        they went and what was answered.
        """
        unsent = outbox.c.state.in_(("queued", "sending"))
        values: dict[str, object] = {
            "letter": EMPTY_LETTER,
            "state": sa.case((unsent, "withheld"), else_=outbox.c.state),
        }
        if to_the_person:
            values |= {"address": FORGOTTEN, "answer": None}
        for row in await self._those(outbox, outbox.c.dedupe_key, ids):
            changed = dict(values)
            if to_the_person:  # a message in a chat is called by the chat's number
                changed["message_id"] = sa.case(
                    (outbox.c.channel == TELEGRAM, None), else_=outbox.c.message_id
                )
            if to_the_person and row.dedupe_key is not None and "@" in row.dedupe_key:
                changed["dedupe_key"] = hashlib.sha256(row.dedupe_key.encode()).hexdigest()
            await self._set(outbox, row.id, **changed)

    async def empty_notes(self, ids: Collection[int]) -> None:
        await self._update(notes, notes.c.id.in_(list(ids)), text="", state="answered")

    async def empty_press(self, ids: Collection[int]) -> None:
        await self._update(press, press.c.id.in_(list(ids)), text="")

    async def drop_deliveries(self, person_id: int) -> None:
        """Delete the delivery of press that waits for the person's hour."""
        await self._delete(deliveries, deliveries.c.person_id == person_id)

    async def end_confirmations(self, ids: Collection[int], now: datetime) -> None:
        """Close them, without a trace of the person they were asked of."""
        gone: dict[str, object] = {"address": FORGOTTEN, "detail": "{}", "inbox_ids": ()}
        gone |= {
            "done_at": sa.func.coalesce(pending.c.done_at, sa.literal(now, pending.c.done_at.type)),
            "outcome": sa.func.coalesce(pending.c.outcome, "expired"),
        }
        await self._update(pending, pending.c.id.in_(list(ids)), **gone)

    async def blot_log(self, ids: Collection[int], wanted: Collection[str]) -> None:
        """The addresses are blotted out of the log's details; that something was done stays."""
        for row in await self._those(gm_log, gm_log.c.detail, ids):
            detail = msgspec.json.encode(_blotted(msgspec.json.decode(row.detail), wanted)).decode()
            await self._set(gm_log, row.id, detail=detail)

    async def blot_actor(self, name: str, game_ids: Collection[int]) -> None:
        """What somebody did as a game master of these tables (and of none) stays, and their name
        goes.
        """
        theirs = sa.or_(gm_log.c.game_id.is_(None), gm_log.c.game_id.in_(list(game_ids)))
        await self._update(gm_log, gm_log.c.actor == name, theirs, actor=FORGOTTEN)
        for by in (strikes.c.given_by, strikes.c.pardoned_by):
            there = (by == name, strikes.c.game_id.in_(list(game_ids)))
            await self._update(strikes, *there, **{by.name: FORGOTTEN})

    async def blot_links(self, chats: Collection[str]) -> None:
        """Links that these accounts have followed stay used, by nobody."""
        await self._update(links, links.c.used_by.in_(list(chats)), used_by=FORGOTTEN)

    async def forget_person(self, person_id: int) -> None:
        """The person stays as a bare number: what they won and missed keeps its sums, under
        nobody's name.
        """
        for table in (
            addresses,
            gms,
            masters,
            preferences,
            links,
            taps,
            deliveries,
            observers,
            absences,
        ):
            await self._delete(table, table.c.person_id == person_id)
        await self._update(
            strikes,
            strikes.c.person_id == person_id,
            reason="",
            pardon_reason=sa.case((strikes.c.pardon_reason.is_(None), None), else_=""),
        )
        await self._set(people, person_id, name=FORGOTTEN, locale="en", time_zone="UTC")


def _names(column: sa.Column[str], wanted: Collection[str]) -> sa.ColumnElement[bool]:
    """Whether one of these addresses stands in a JSON column, looked at as the text it is."""
    text = sa.type_coerce(column, sa.Text)
    return sa.or_(sa.false(), *(text.icontains(address, autoescape=True) for address in wanted))


def _blotted(value: object, wanted: Collection[str]) -> object:
    if isinstance(value, str):
        for address in wanted:
            value = re.sub(re.escape(address), FORGOTTEN, value, flags=re.IGNORECASE)
        return value
    if isinstance(value, list):
        return [_blotted(item, wanted) for item in value]
    if isinstance(value, dict):
        return {key: _blotted(item, wanted) for key, item in value.items()}
    return value


def _accounts_in(raw: bytes) -> tuple[int | None, frozenset[int]]:
    """Whose update it is, and every number of an account or a chat in it. What cannot be read is
    nobody's.
    """
    try:
        update = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return None, frozenset()
    found: set[int] = set()
    waiting: list[object] = [update]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            number = value.get("id")
            if isinstance(number, int):
                found.add(number)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    said = (
        next((value for value in update.values() if isinstance(value, dict)), {})
        if isinstance(update, dict)
        else {}
    )
    sender = said.get("from")
    return (sender.get("id") if isinstance(sender, dict) else None), frozenset(found)
