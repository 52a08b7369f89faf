"""Forgetting a person: what they wrote and what was written to them goes, what the games are made
of stays.

Nothing here decides whose what is; the desk says so by addresses, tenures and ids.
"""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, columns_of
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


class Forgetting(Repository):
    """The statements of forgetting; used within one unit of work each."""

    __slots__ = ()

    # -------------------------------------------------------------------------------------- finding
    async def tenures_of(self, person_id: int) -> list[TenureSpan]:
        statement = sa.select(tenures.c.seat_id, tenures.c.since, tenures.c.until).where(
            tenures.c.person_id == person_id
        )
        return await self._all(TenureSpan, statement.order_by(tenures.c.seat_id, tenures.c.tenure))

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
        written: set[int] = set()
        naming: set[int] = set()
        columns = (inbox.c.id, inbox.c.state, inbox.c.raw)
        statement = (
            sa.select(*columns).where(inbox.c.raw.is_not(None)).order_by(inbox.c.id).limit(_BATCH)
        )
        while rows := (
            await self._connection.execute(statement.where(inbox.c.id > after_id))
        ).all():
            after_id = int(rows[-1].id)
            for row in rows:
                raw = row.raw.lower().replace(b"\r\n", b"\n")
                if not any(needle in raw for needle in needles):
                    continue
                if any(
                    needle in line
                    for line in _SENDER.findall(raw[:_HEAD_OCTETS].partition(b"\n\n")[0])
                    for needle in needles
                ):
                    written.add(int(row.id))
                elif row.state in ("handled", "ignored"):
                    naming.add(int(row.id))
        return Naming(frozenset(written), frozenset(naming), after_id)

    async def updates_of(self, chats: Collection[str], after_id: int = 0) -> Naming:
        """Updates of these Telegram accounts, by their numeric ids, and settled ones of others in
        which one stands; after `after_id`.
        """
        written: set[int] = set()
        naming: set[int] = set()
        columns = (inbox.c.id, inbox.c.state, inbox.c.raw)
        statement = (
            sa.select(*columns)
            .where(inbox.c.channel == TELEGRAM, inbox.c.raw.is_not(None))
            .order_by(inbox.c.id)
            .limit(_BATCH)
        )
        numbers = {int(chat) for chat in chats}
        while rows := (
            await self._connection.execute(statement.where(inbox.c.id > after_id))
        ).all():
            after_id = int(rows[-1].id)
            for row in rows if numbers else ():
                sender, named = _accounts_in(row.raw)
                if sender in numbers:
                    written.add(int(row.id))
                elif numbers & named and row.state in ("handled", "ignored"):
                    naming.add(int(row.id))
        return Naming(frozenset(written), frozenset(naming), after_id)

    async def letters_to(self, wanted: Collection[str], person_id: int | None) -> set[int]:
        """Letters to these addresses, or to the person wherever they were sent."""
        to = [outbox.c.address.in_(list(wanted))] + (
            [outbox.c.person_id == person_id] if person_id is not None else []
        )
        return set(
            (await self._connection.execute(sa.select(outbox.c.id).where(sa.or_(*to)))).scalars()
        )

    async def letters_naming(self, wanted: Collection[str], after_id: int = 0) -> set[int]:
        """Letters to anybody in which one of these addresses stands, of those made after
        `after_id`.
        """
        named = _names(outbox.c.letter, wanted)
        return set(
            (
                await self._connection.execute(
                    sa.select(outbox.c.id).where(outbox.c.id > after_id, named)
                )
            ).scalars()
        )

    async def newest_letter(self) -> int:
        """The id of the letter made last; 0 when there is none."""
        return await self._number(sa.select(sa.func.coalesce(sa.func.max(outbox.c.id), 0)))

    async def letters_to_masters(
        self, game_ids: Collection[int], after_id: int = 0
    ) -> list[LetterBody]:
        """Letters about these games to nobody who sits there, made after `after_id`: what may quote
        a note.
        """
        statement = sa.select(*columns_of(LetterBody, outbox)).where(
            outbox.c.game_id.in_(list(game_ids)), outbox.c.seat_id.is_(None), outbox.c.id > after_id
        )
        return await self._all(
            LetterBody, statement.where(outbox.c.letter != EMPTY_LETTER).order_by(outbox.c.id)
        )

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
        found = set((await self._connection.execute(statement)).scalars())
        for row in await self._connection.execute(sa.select(pending.c.id, pending.c.inbox_ids)):
            if not set(written).isdisjoint(row.inbox_ids):
                found.add(int(row.id))
        return found

    async def log_entries_naming(self, wanted: Collection[str]) -> set[int]:
        named = _names(gm_log.c.detail, wanted)
        return set((await self._connection.execute(sa.select(gm_log.c.id).where(named))).scalars())

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
        for row in (
            await self._connection.execute(
                sa.select(inbox.c.id, inbox.c.message_key).where(inbox.c.id.in_(list(ids)))
            )
        ).all():
            gone = {
                "raw": None,
                "trace": None,
                "sender": "",
                "message_key": f"|{row.message_key.rpartition('|')[2]}|{row.id}",
                "outcome": sa.case((waiting, "forgotten"), else_=inbox.c.outcome),
                "state": sa.case((waiting, "ignored"), else_=inbox.c.state),
            }
            await self._changed(inbox.update().where(inbox.c.id == row.id).values(**gone))

    async def drop_bytes(self, ids: Collection[int]) -> None:
        """What others wrote stays handled as it was; only its bytes go."""
        await self._changed(
            inbox.update().where(inbox.c.id.in_(list(ids))).values(raw=None, trace=None)
        )

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
        for row in (
            await self._connection.execute(
                sa.select(outbox.c.id, outbox.c.dedupe_key).where(outbox.c.id.in_(list(ids)))
            )
        ).all():
            changed = dict(values)
            if to_the_person:  # a message in a chat is called by the chat's number
                changed["message_id"] = sa.case(
                    (outbox.c.channel == TELEGRAM, None), else_=outbox.c.message_id
                )
            if to_the_person and row.dedupe_key is not None and "@" in row.dedupe_key:
                changed["dedupe_key"] = hashlib.sha256(row.dedupe_key.encode()).hexdigest()
            await self._changed(outbox.update().where(outbox.c.id == row.id).values(**changed))

    async def empty_notes(self, ids: Collection[int]) -> None:
        await self._changed(
            notes.update().where(notes.c.id.in_(list(ids))).values(text="", state="answered")
        )

    async def empty_press(self, ids: Collection[int]) -> None:
        await self._changed(press.update().where(press.c.id.in_(list(ids))).values(text=""))

    async def drop_deliveries(self, person_id: int) -> None:
        """Delete the delivery of press that waits for the person's hour."""
        await self._connection.execute(
            deliveries.delete().where(deliveries.c.person_id == person_id)
        )

    async def end_confirmations(self, ids: Collection[int], now: datetime) -> None:
        """Close them, without a trace of the person they were asked of."""
        gone: dict[str, object] = {"address": FORGOTTEN, "detail": "{}", "inbox_ids": ()}
        gone |= {
            "done_at": sa.func.coalesce(pending.c.done_at, sa.literal(now, pending.c.done_at.type)),
            "outcome": sa.func.coalesce(pending.c.outcome, "expired"),
        }
        await self._changed(pending.update().where(pending.c.id.in_(list(ids))).values(**gone))

    async def blot_log(self, ids: Collection[int], wanted: Collection[str]) -> None:
        """The addresses are blotted out of the log's details; that something was done stays."""
        for row in (
            await self._connection.execute(
                sa.select(gm_log.c.id, gm_log.c.detail).where(gm_log.c.id.in_(list(ids)))
            )
        ).all():
            detail = msgspec.json.encode(_blotted(msgspec.json.decode(row.detail), wanted)).decode()
            await self._changed(gm_log.update().where(gm_log.c.id == row.id).values(detail=detail))

    async def blot_actor(self, name: str, game_ids: Collection[int]) -> None:
        """What somebody did as a game master of these tables (and of none) stays, and their name
        goes.
        """
        theirs = sa.or_(gm_log.c.game_id.is_(None), gm_log.c.game_id.in_(list(game_ids)))
        await self._changed(
            gm_log.update().where(gm_log.c.actor == name, theirs).values(actor=FORGOTTEN)
        )
        for by in (strikes.c.given_by, strikes.c.pardoned_by):
            await self._changed(
                strikes.update()
                .where(by == name, strikes.c.game_id.in_(list(game_ids)))
                .values({by.name: FORGOTTEN})
            )

    async def blot_links(self, chats: Collection[str]) -> None:
        """Links that these accounts have followed stay used, by nobody."""
        await self._changed(
            links.update().where(links.c.used_by.in_(list(chats))).values(used_by=FORGOTTEN)
        )

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
            await self._connection.execute(table.delete().where(table.c.person_id == person_id))
        told = strikes.update().where(strikes.c.person_id == person_id)
        await self._changed(
            told.values(
                reason="",
                pardon_reason=sa.case((strikes.c.pardon_reason.is_(None), None), else_=""),
            )
        )
        await self._changed(
            people.update()
            .where(people.c.id == person_id)
            .values(name=FORGOTTEN, locale="en", time_zone="UTC")
        )


def _names(column: sa.Column[str], wanted: Collection[str]) -> sa.ColumnElement[bool]:
    """Whether one of these addresses stands in a JSON column, looked at as the text it is."""
    text = sa.type_coerce(column, sa.Text)
    return sa.or_(sa.false(), *(text.icontains(address, autoescape=True) for address in wanted))


def _blotted(value: object, wanted: Collection[str]) -> object:
    if isinstance(value, str):
        for address in wanted:
            at = value.lower().find(address)
            while at >= 0:
                value = value[:at] + FORGOTTEN + value[at + len(address) :]
                at = value.lower().find(address)
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
