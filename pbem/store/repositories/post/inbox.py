"""Messages as they came: stored before the server is told, handled later, never lost."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from pbem.store.columns import end_of_second
from pbem.store.repositories.repository import Repository, Rows, bound, bound_list, given
from pbem.store.tables import addresses, inbox, parts

InboxState = Literal["new", "handled", "ignored", "shunted"]


class InboxRow(msgspec.Struct, frozen=True):
    """A message without its bytes (`Inbox.read_raw`). `id` tells the order of arrival; `facts` is a
    JSON document of the watcher's.

    A new message with a `game_id` is parked: it came too late for that game's open phase and waits
    for its close. The messages of the lowest `lane` are handled first; `sender` tells while a
    message waits which others are by the same hand.
    """

    id: int
    channel: str
    message_key: str
    received_at: datetime
    stored_at: datetime
    state: InboxState
    outcome: str | None
    game_id: int | None
    seat_id: int | None
    attempts: int
    trace: str | None
    facts: str
    lane: int
    sender: str


_SELECT = Rows(InboxRow, inbox)
PART = "part"
"""What becomes of a message that is handled as a part of an earlier one."""
UNHANDLED = (inbox.c.state == "new", inbox.c.game_id.is_(None))
_RECEIVED_BY = (
    sa.select(sa.func.count())
    .select_from(inbox)
    .where(*UNHANDLED, inbox.c.received_at <= bound("instant"))
)
_RELEASED = (
    inbox.update()
    .where(inbox.c.state == "new", inbox.c.game_id == bound("of_game"))
    .values(game_id=None, attempts=0)
)
_RAW = sa.select(inbox.c.raw).where(inbox.c.id == bound("inbox_id"))
_TAKEN_ALONG = (
    inbox.update()
    .where(
        inbox.c.state == "new",
        inbox.c.lane > bound("into"),
        inbox.c.channel == bound("by_channel"),
        inbox.c.sender == bound("by_sender"),
        inbox.c.id < bound("inbox_id"),
    )
    .values(lane=bound("into"))
)
_HELD = sa.exists().where(parts.c.inbox_id == inbox.c.id, parts.c.held_until > bound("now"))
_NEXT = (
    _SELECT.select.where(*UNHANDLED, ~_HELD)
    .order_by(inbox.c.lane, inbox.c.id)
    .limit(bound("limit"))
)
_FOLLOWING = {
    "all": _NEXT,
    "below": _NEXT.where(inbox.c.lane < bound("bound")),
    "but-not": _NEXT.where(
        sa.or_(inbox.c.lane < bound("bound"), inbox.c.sender.not_in(bound_list("senders")))
    ),
}
_ASKED = inbox.alias("asked")


def _picked(following: sa.Select[*tuple[Any, ...]]) -> sa.Executable:
    """The first of these that follow, with its bytes, if the message that was asked for waits."""
    asked = (_ASKED.c.id == bound("inbox_id"), _ASKED.c.state == "new", _ASKED.c.game_id.is_(None))
    return following.add_columns(inbox.c.raw).where(sa.exists().where(*asked))


_PICKED = {which: _picked(following) for which, following in _FOLLOWING.items()}
_TRIED = (
    inbox.update()
    .where(inbox.c.id == bound("inbox_id"), *UNHANDLED)
    .values(attempts=inbox.c.attempts + 1)
    .returning(inbox.c.attempts)
)


def _which(bound: int | None, but_not: Collection[str] | None) -> tuple[str, dict[str, object]]:
    """The statement that excludes what must be left out, and its values."""
    if bound is None or (but_not is not None and not but_not):
        return "all", {}
    if but_not is None:
        return "below", {"bound": bound}
    return "but-not", {"bound": bound, "senders": list(but_not)}


def handled_earlier(dialect: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Of the older messages of a channel whose key begins so and that were handled."""
    key = inbox.c.message_key
    older = (
        inbox.c.channel == bound("channel"),
        inbox.c.id < bound("before_id"),
        inbox.c.state == "handled",
        sa.func.substr(key, 1, sa.bindparam("length", type_=sa.Integer)) == bound("begins"),
    )
    if dialect == "postgresql":
        return older
    # which compares texts byte by byte, so that the index finds them
    return (*older, key >= bound("begins"), key < bound("ends_before"))


def values_of_earlier(key_prefix: str, inbox_id: int) -> dict[str, object]:
    """The values of `handled_earlier` apart from the channel."""
    return {
        "begins": key_prefix,
        "ends_before": f"{key_prefix}\U0010ffff",
        "length": len(key_prefix),
        "before_id": inbox_id,
    }


_EARLIER = {
    dialect: _SELECT.select.where(*handled_earlier(dialect))
    .order_by(inbox.c.id.desc())
    .limit(bound("limit"))
    for dialect in ("sqlite", "postgresql")
}
_SETTLED = (
    inbox.update().where(inbox.c.id == bound("inbox_id"), inbox.c.state == "new").values(sender="")
)
COUNT_WAITING = sa.select(sa.func.count()).select_from(
    sa.select(inbox.c.id)
    .where(
        inbox.c.state == "new",
        inbox.c.channel == bound("channel"),
        inbox.c.sender == bound("sender"),
    )
    .limit(bound("limit"))
    .subquery()
)


class NewMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message to be stored; `message_key` is the same whenever it comes."""

    channel: str
    message_key: str
    raw: bytes
    received_at: datetime
    stored_at: datetime
    facts: str = "{}"
    lane: int = 0
    sender: str = ""


class Inbox(Repository):
    """The messages that came in, each once by channel and key."""

    async def add_once(self, new: NewMessage, *, follows: bool = True) -> int | None:
        """Store a message. None: it is known already, and nothing happened.

        Earlier messages of the same sender that wait in a higher lane come down into this one, so
        that one writer's messages keep their order. Without `follows` none of theirs wait.
        """
        added = await self._insert_once(
            inbox, state="new", attempts=0, **msgspec.structs.asdict(new)
        )
        if added is not None and new.sender and follows:
            hand = {"by_channel": new.channel, "by_sender": new.sender}
            await self._changed(_TAKEN_ALONG, into=new.lane, inbox_id=added, **hand)
        return added

    async def find(self, inbox_id: int) -> InboxRow | None:
        return await self._find(_SELECT, id=inbox_id)

    async def knows(self, channel: str, message_key: str) -> bool:
        """Whether a message was stored, whatever became of it."""
        same = (inbox.c.channel == channel, inbox.c.message_key == message_key)
        return await self._count(inbox, *same) > 0

    async def newest_stored_at(self) -> datetime | None:
        return await self._value(datetime, sa.select(sa.func.max(inbox.c.stored_at)))

    async def read_raw(self, inbox_id: int) -> bytes | None:
        """The message byte for byte; None when there is no such message or its bytes were dropped
        (`drop_raw_before`).
        """
        return await self._value(bytes, _RAW, inbox_id=inbox_id)

    async def next_new(
        self,
        limit: int,
        *,
        now: datetime | None = None,
        bound: int | None = None,
        but_not: Collection[str] | None = None,
    ) -> list[InboxRow]:
        """The messages to be handled next: lane by lane, each in order of arrival; parked ones are
        left where they are, and so is what waits `now` for its next part (None: nothing does).

        From the lane `bound` on only those that are not by the senders `but_not` (None: none at
        all).
        """
        which, values = _which(bound, but_not)
        return await self._all(InboxRow, _FOLLOWING[which], limit=limit, now=now, **values)

    async def count_waiting_of(self, channel: str, sender: str, limit: int) -> int:
        """How many messages by one sender wait; no more than `limit` are counted."""
        return await self._number(COUNT_WAITING, channel=channel, sender=sender, limit=limit)

    async def lowest_lane_of(self, channel: str, sender: str) -> int | None:
        """The lane in which the first messages of a sender wait; None when none do."""
        waiting = (inbox.c.state == "new", inbox.c.channel == channel, inbox.c.sender == sender)
        return await self._value(int, sa.select(sa.func.min(inbox.c.lane)).where(*waiting))

    async def promote_known(self, lane: int, to: int) -> int:
        """Move the waiting messages of a writer who is no longer unknown to another lane; returns
        how many.
        """
        return await self._update(inbox, *_known_in(lane), lane=to)

    async def has_known(self, lane: int) -> bool:
        """Whether there is something to be promoted."""
        return await self._value(int, HAS_KNOWN, lane=lane) is not None

    async def park(self, inbox_id: int, game_id: int) -> bool:
        """Let a new message wait for the close of that game's open phase; its handling ends so.
        False: it is not new, or waits already.
        """
        return await self._set(inbox, inbox_id, *UNHANDLED, game_id=game_id, attempts=0)

    async def release(self, game_id: int) -> int:
        """Let go whatever was parked for a game, because its phase was closed or its deadline
        moved; how many messages.
        """
        return await self._changed(_RELEASED, of_game=game_id)

    async def forgive(self, inbox_id: int) -> bool:
        """Forget the tries of a new message: what went wrong was no fault of its own. False: there
        was nothing to forget.
        """
        return await self._set(
            inbox, inbox_id, inbox.c.state == "new", inbox.c.attempts > 0, attempts=0
        )

    async def pick(
        self,
        inbox_id: int,
        *,
        now: datetime | None = None,
        bound: int | None = None,
        but_not: Collection[str] | None = None,
    ) -> tuple[InboxRow, bytes | None] | None:
        """The message to handle next, as in `next_new`, with its bytes. None: the message that was
        asked for does not wait, or has to wait longer.
        """
        which, values = _which(bound, but_not)
        found = await self._connection.execute(
            _PICKED[which], values | {"inbox_id": inbox_id, "limit": 1, "now": now}
        )
        row: Any = found.first()
        return None if row is None else (InboxRow(*row[:-1]), row[-1])

    async def count_try(self, inbox_id: int) -> int | None:
        """The handling of a message begins: returns how often it has begun. In a unit of work of
        its own, so that one counts that ends with the process. None: there is nothing to handle.
        """
        return await self._value(int, _TRIED, inbox_id=inbox_id)

    async def mark_handled(
        self, inbox_id: int, outcome: str, *, game_id: int | None = None, seat_id: int | None = None
    ) -> bool:
        """A new message is handled. False: somebody else was first; take back what you did."""
        return await self._settle(
            inbox_id, state="handled", outcome=outcome, game_id=game_id, seat_id=seat_id
        )

    async def mark_ignored(
        self, inbox_id: int, outcome: str, *, game_id: int | None = None, seat_id: int | None = None
    ) -> bool:
        """A new message needs no handling (automatic mail, a stranger's); `outcome` says why.
        False: somebody else was first.
        """
        return await self._settle(
            inbox_id, state="ignored", outcome=outcome, game_id=game_id, seat_id=seat_id
        )

    async def mark_part(self, inbox_id: int) -> bool:
        """A new message is the next part of an earlier one, and is handled with it."""
        return await self._settle(inbox_id, state="ignored", outcome=PART)

    async def shunt(self, inbox_id: int, trace: str, outcome: str = "unexpected-error") -> bool:
        """Lay a new message aside with the traceback, so that it blocks nobody. False: somebody
        else was first.
        """
        return await self._settle(inbox_id, state="shunted", outcome=outcome, trace=trace)

    async def requeue(self, inbox_id: int, *, facts: str | None = None) -> bool:
        """Make a message new again, whatever became of it, with its attempts forgotten; `facts`
        replace the old ones. It goes first.

        False: it is new, or there is none.
        """
        fresh: dict[str, object] = dict.fromkeys(("outcome", "game_id", "seat_id", "trace"))
        fresh |= {"state": "new", "attempts": 0, "lane": 0, **given(facts=facts)}
        return await self._set(inbox, inbox_id, inbox.c.state != "new", **fresh)

    async def list_earlier(
        self, channel: str, key_prefix: str, inbox_id: int, limit: int = 20
    ) -> list[InboxRow]:
        """The older messages whose key begins so and that were handled already, the newest
        first.
        """
        values = values_of_earlier(key_prefix, inbox_id)
        return await self._all(
            InboxRow, _EARLIER[self._dialect], channel=channel, limit=limit, **values
        )

    async def list_received(
        self,
        channel: str,
        since: datetime,
        until: datetime,
        *,
        before_id: int,
        seat_id: int | None = None,
        limit: int = 200,
    ) -> list[InboxRow]:
        """The messages of a channel (and seat) that its server got between these instants, of those
        older than one; the newest first.
        """
        then = (inbox.c.received_at >= since, inbox.c.received_at <= until)
        its = given(channel=channel, seat_id=seat_id)
        return await self._newest(_SELECT, limit, inbox.c.id < before_id, *then, **its)

    async def list_of_outcomes(
        self, channel: str, outcomes: Sequence[str], since: datetime, limit: int
    ) -> list[InboxRow]:
        """The messages of a channel stored since then of which that became, the newest first."""
        stored = inbox.c.stored_at >= since
        return await self._newest(_SELECT, limit, stored, channel=channel, outcome=outcomes)

    async def list_by_state(self, state: InboxState, limit: int = 100) -> list[InboxRow]:
        """The newest messages in a state, the newest first."""
        return await self._newest(_SELECT, limit, state=state)

    async def count_by_state(self) -> dict[str, int]:
        """How many messages are in each state; a state without messages is left out."""
        statement = sa.select(inbox.c.state, sa.func.count()).group_by(inbox.c.state)
        return dict((await self._connection.execute(statement)).all())

    async def count_new_received_by(self, instant: datetime, *, below: int | None = None) -> int:
        """How many new messages (of the lanes `below`) the server received by `instant`; the
        instant's own second counts as in time. Parked ones are too late.
        """
        counted = _RECEIVED_BY if below is None else _RECEIVED_BY.where(inbox.c.lane < below)
        return await self._number(counted, instant=end_of_second(instant))

    async def drop_raw_before(self, instant: datetime) -> int:
        """Forget the bytes of handled and ignored messages stored before `instant`; how many. What
        is a part of a message goes with that one.

        The rows stay, so that a copy is still known.
        """
        whole = inbox.alias("whole")
        is_needed = sa.exists().where(
            parts.c.inbox_id == inbox.c.id,
            whole.c.id == parts.c.whole_id,
            whole.c.state.in_(("new", "shunted")),
        )
        return await self._update(
            inbox,
            inbox.c.state.in_(("handled", "ignored")),
            inbox.c.stored_at < instant,
            inbox.c.raw.is_not(None),
            ~is_needed,
            raw=None,
        )

    async def _settle(self, inbox_id: int, **values: object) -> bool:
        return await self._changed(_SETTLED, inbox_id=inbox_id, **values) == 1


def _known_in(lane: int | sa.BindParameter[int]) -> tuple[sa.ColumnElement[bool], ...]:
    theirs = (
        addresses.c.channel == inbox.c.channel,
        addresses.c.address == inbox.c.sender,
        addresses.c.state != "unconfirmed",
    )
    return (
        inbox.c.state == "new",
        inbox.c.lane == lane,
        sa.exists(sa.select(addresses.c.id).where(*theirs)),
    )


HAS_KNOWN = sa.select(inbox.c.id).where(*_known_in(bound("lane"))).limit(1)
