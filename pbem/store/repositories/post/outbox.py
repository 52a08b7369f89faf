"""Letters to be sent. A row is written in the transaction that has something to say, and sent
afterwards.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.repositories.repository import (
    Condition,
    Repository,
    Rows,
    bound,
    bound_list,
    columns_of,
    given,
)
from pbem.store.tables import outbox

OutboxState = Literal["queued", "sending", "sent", "refused", "withheld"]


class Due(NamedTuple):
    """A letter that may go now."""

    id: int
    channel: str
    address: str
    lane: int

    @property
    def is_answer(self) -> bool:
        """Answers to somebody go before all else."""
        return self.lane == 0


class NewOutboxRow(msgspec.Struct, frozen=True, kw_only=True):
    """A letter to be put into the outbox, to be sent from `due_at` on (None: at once)."""

    channel: str
    kind: str
    address: str
    letter: str
    message_id: str | None
    created_at: datetime
    due_at: datetime | None = None
    game_id: int | None = None
    seat_id: int | None = None
    person_id: int | None = None
    picture_id: int | None = None
    epoch: int = 0
    dedupe_key: str | None = None
    correlation: str | None = None
    lane: int = 1

    def values(self) -> dict[str, object]:
        """The whole row."""
        due_at = self.due_at or self.created_at
        new = {"state": "queued", "attempts": 0, "due_at": due_at, "next_try_at": due_at}
        return msgspec.structs.asdict(self) | new


class OutboxRow(NewOutboxRow, frozen=True, kw_only=True):
    """A letter. `letter` is a JSON document with everything needed to compose it; `message_id`
    stays the same over all attempts.

    While a letter is being sent, `next_try_at` is the end of the sender's lease. `correlation`
    joins it in the logs to what caused it. Of what is due the lowest `lane` goes first: answers to
    somebody before what the house tells by itself.
    """

    id: int
    due_at: datetime
    state: OutboxState
    attempts: int
    next_try_at: datetime
    answer: str | None
    sent_at: datetime | None

    @property
    def is_answer(self) -> bool:
        """As of `Due`."""
        return self.lane == 0


_SELECT = Rows(OutboxRow, outbox)
MAYBE_SENT = "maybe-sent"
"""How the answer of a letter begins that may have arrived, although nobody has told us, as long as
it is tried.
"""
LEFT_UNSAID = f"{MAYBE_SENT}: the process ended"
_ORDER = (outbox.c.lane, outbox.c.next_try_at, outbox.c.id)
_UNSENT = outbox.c.state.in_(("queued", "sending"))
_HELD = (outbox.c.state == "queued", outbox.c.attempts == 0)
LETTERS_DUE = (
    sa.select(outbox.c.id)
    .where(_UNSENT, outbox.c.next_try_at <= bound("now"))
    .order_by(*_ORDER)
    .limit(bound("limit"))
)
_CLAIMED = (
    outbox.update()
    .where(
        outbox.c.id.in_(
            # Where several hosts send, none waits for what another one is just taking.
            sa.select(outbox.c.id)
            .where(
                outbox.c.id.in_(bound_list("outbox_ids")),
                _UNSENT,
                outbox.c.next_try_at <= bound("now"),
            )
            .with_for_update(skip_locked=True)
        )
    )
    .values(
        state="sending",
        attempts=outbox.c.attempts + 1,
        next_try_at=bound("until"),
        # The process that sent it has ended without a result.
        answer=sa.case((outbox.c.state == "sending", LEFT_UNSAID), else_=outbox.c.answer),
    )
    .returning(*columns_of(OutboxRow, outbox))
)
_SENT = (
    outbox.update()
    .where(outbox.c.id == bound("outbox_id"), outbox.c.state != "sent")
    .values(state="sent", sent_at=bound("at"), answer=bound("words"))
)
_GIVEN_BACK = (
    outbox.update()
    .where(outbox.c.id.in_(bound_list("outbox_ids")), outbox.c.state == "sending")
    .values(
        state="queued",
        attempts=outbox.c.attempts - 1,
        next_try_at=sa.case((outbox.c.attempts == 1, outbox.c.due_at), else_=bound("now")),
    )
)
_SUSPENDED = (outbox.c.state == "withheld", outbox.c.answer == "address-suspended")
_SENT_ON = sa.select(outbox.c.sent_at).where(
    outbox.c.channel == bound("channel"),
    outbox.c.state == "sent",
    outbox.c.sent_at >= bound("since"),
)
_MADE_FOR = (
    outbox.c.channel == bound("channel"),
    outbox.c.address == bound("address"),
    outbox.c.kind.in_(bound_list("kinds")),
    outbox.c.created_at >= bound("since"),
)
_COUNT_TO = sa.select(sa.func.count()).select_from(outbox).where(*_MADE_FOR)


_LIKE = re.compile(r"[%_/]")


@cache
def _next_due(domains: int) -> sa.Select[tuple[int, str, str, int]]:
    """The letters that go first, with this many domains left out."""
    return (
        sa.select(outbox.c.id, outbox.c.channel, outbox.c.address, outbox.c.lane)
        .where(
            _UNSENT,
            outbox.c.next_try_at <= bound("now"),
            outbox.c.channel.not_in(bound_list("closed")),
            sa.or_(outbox.c.lane == 0, outbox.c.channel.not_in(bound_list("quiet"))),
            outbox.c.address.not_in(bound_list("addresses")),
            *(
                outbox.c.address.not_like(bound(f"domain{number}"), escape="/")
                for number in range(domains)
            ),
        )
        .order_by(*_ORDER)
        .limit(bound("limit"))
    )


@cache
def _counts_to(limits: int) -> sa.Select[Any]:
    """A statement with one count for each of `limits`; all share `kinds` and `since`."""
    counts: list[sa.ColumnElement[Any]] = [
        sa.func.count().filter(
            outbox.c.kind.in_(bound_list(f"kinds{number}")),
            outbox.c.created_at >= bound(f"since{number}"),
        )
        for number in range(limits)
    ]
    return sa.select(*counts).where(*_MADE_FOR)


class Outbox(Repository):
    """The letters that go out."""

    def __init__(self, connection: AsyncConnection) -> None:
        super().__init__(connection)
        self.queued: list[int | None] = []
        """Those that this unit of work has put there to be sent at once, by their ids as far as
        they are known.
        """

    async def queue(self, letter: NewOutboxRow) -> int | None:
        """Put a letter in the outbox. None: one of that `dedupe_key` is there already."""
        queued = await self._insert_once(outbox, ("dedupe_key",), **letter.values())
        if queued is not None and letter.due_at is None:
            self.queued.append(queued)
        return queued

    async def queue_all(self, letters: Sequence[NewOutboxRow]) -> None:
        """As `queue` for several at once, in their order."""
        await self._add_all(outbox, [letter.values() for letter in letters], ("dedupe_key",))
        self.queued += [None for letter in letters if letter.due_at is None]

    async def find(self, outbox_id: int) -> OutboxRow | None:
        return await self._find(_SELECT, id=outbox_id)

    async def find_by_message_id(self, message_id: str) -> OutboxRow | None:
        return await self._find(_SELECT, message_id=message_id)

    async def find_by_key(self, dedupe_key: str) -> OutboxRow | None:
        return await self._find(_SELECT, dedupe_key=dedupe_key)

    async def due_ids(self, now: datetime, limit: int) -> list[int]:
        """What should be sent now, and what a sender's lease ran out of; answers first, then the
        longest due. The letters themselves are long and not read.
        """
        return await self._values(int, LETTERS_DUE, now=now, limit=limit)

    async def list_due(
        self,
        now: datetime,
        limit: int,
        *,
        but_no_channel: Collection[str] = (),
        but_no_news: Collection[str] = (),
        but_not_to: Collection[str] = (),
        but_no_domain: Collection[str] = (),
    ) -> list[Due]:
        """The letters that should be sent first of those that may go there now; by the channels
        `but_no_news` only answers may.
        """
        values: dict[str, object] = {
            "now": now,
            "limit": limit,
            "closed": list(but_no_channel),
            "quiet": list(but_no_news),
            "addresses": list(but_not_to),
        }
        for number, domain in enumerate(but_no_domain):
            values[f"domain{number}"] = "%@" + _LIKE.sub(r"/\g<0>", domain)
        statement = _next_due(len(but_no_domain))
        rows = (await self._connection.execute(statement, values)).all()
        return [Due._make(row) for row in rows]

    async def head_to(
        self, channel: str, address: str, now: datetime, most_attempts: int
    ) -> OutboxRow | None:
        """The oldest letter that is due to an address by now, and that had fewer tries than
        that.
        """
        there = (*_to(channel, address), outbox.c.attempts < most_attempts, outbox.c.due_at <= now)
        found = await self._list(_SELECT, *there, _UNSENT, limit=1)
        return found[0] if found else None

    async def postpone_behind(self, head: OutboxRow, now: datetime, until: datetime) -> int:
        """Whatever is due at the address of a letter and waits behind it waits until then; how many
        letters.
        """
        behind = (*_to(head.channel, head.address), outbox.c.id > head.id)
        due = (outbox.c.state == "queued", outbox.c.due_at <= now, outbox.c.next_try_at <= now)
        return await self._update(outbox, *behind, *due, next_try_at=until)

    async def hasten(self, channel: str, address: str, by: datetime) -> int:
        """What waits for an address is tried again by then; how many letters."""
        waiting = (outbox.c.state == "queued", outbox.c.next_try_at > by, outbox.c.due_at <= by)
        return await self._update(outbox, *_to(channel, address), *waiting, next_try_at=by)

    async def next_due_at(self) -> datetime | None:
        """When the next letter wants to be looked at; None when nothing waits."""
        return await self._earliest(outbox.c.next_try_at, _UNSENT)

    async def claim(
        self, outbox_ids: Collection[int], now: datetime, lease_seconds: float
    ) -> list[OutboxRow]:
        """Take those of these letters that are due to send them within the lease, counting the
        attempt; what goes first in front. What somebody else has is left out.
        """
        until = now + timedelta(seconds=lease_seconds)
        ids = list(outbox_ids)
        rows = await self._all(OutboxRow, _CLAIMED, outbox_ids=ids, now=now, until=until)
        taken = {row.id: row for row in rows}
        return [taken[id_] for id_ in ids if id_ in taken]

    async def give_back(self, outbox_ids: Collection[int], now: datetime) -> None:
        """Give taken letters back as if they had never been taken; untried ones are due since they
        were due.
        """
        await self._changed(_GIVEN_BACK, outbox_ids=list(outbox_ids), now=now)

    async def free_leases(self, now: datetime) -> int:
        """Make letters due again that a process was sending; returns how many. The caller knows
        that no process still sends.
        """
        return await self._update(
            outbox, outbox.c.state == "sending", outbox.c.next_try_at > now, next_try_at=now
        )

    async def mark_sent(self, outbox_id: int, sent_at: datetime, answer: str) -> bool:
        """The server has taken the letter: true whatever was thought of it meanwhile. False: it was
        marked sent before.
        """
        return await self._changed(_SENT, outbox_id=outbox_id, at=sent_at, words=answer) == 1

    async def mark_all_sent(self, sent: Sequence[tuple[int, datetime, str]]) -> None:
        """As `mark_sent`, for several letters: when, and in which words."""
        await self._connection.execute(
            _SENT, [{"outbox_id": id_, "at": at, "words": words} for id_, at, words in sent]
        )

    async def defer(self, outbox_id: int, next_try_at: datetime, answer: str) -> bool:
        """Not now: try again at `next_try_at`. False: nobody is sending it (any more)."""
        return await self._end_sending(
            outbox_id, state="queued", next_try_at=next_try_at, answer=answer
        )

    async def try_again(self, outbox_id: int, next_try_at: datetime, answer: str) -> bool:
        """It was sent and came back: send it once more, not before `next_try_at`. False: it was not
        sent.
        """
        anew = {"state": "queued", "sent_at": None, "next_try_at": next_try_at, "answer": answer}
        return await self._change(outbox_id, "sent", **anew)

    async def postpone(self, outbox_id: int, next_try_at: datetime) -> bool:
        """It is not its turn yet: give it back as if it had never been taken. False: nobody has it
        (any more).
        """
        return await self._end_sending(
            outbox_id, state="queued", next_try_at=next_try_at, attempts=outbox.c.attempts - 1
        )

    async def name(self, outbox_id: int, message_id: str) -> bool:
        """Keep under which id the letter is known on its channel. False: another letter is known
        under it.
        """
        return await self._update_unless_taken(
            outbox, outbox.c.id == outbox_id, message_id=message_id
        )

    async def rewrite(self, outbox_id: int, letter: str, now: datetime) -> bool:
        """Try again at once with other words. False: nobody is sending it (any more)."""
        return await self._end_sending(outbox_id, state="queued", next_try_at=now, letter=letter)

    async def readdress(self, channel: str, address: str, new_address: str, now: datetime) -> int:
        """Whatever is still to be sent to an address goes to another one, at once; how many
        letters.
        """
        anew = {"address": new_address, "state": "queued", "next_try_at": now}
        return await self._update(outbox, *_to(channel, address), _UNSENT, **anew)

    async def wait_no_longer(
        self, person_id: int, until: datetime, *, but_no: Collection[str] = ()
    ) -> int:
        """What waits for a person's hour goes then at the latest, but no letters of these kinds;
        how many letters.
        """
        theirs = (outbox.c.person_id == person_id, outbox.c.kind.not_in(but_no))
        return await self._hasten_held(until, *theirs)

    async def list_held(self, game_id: int, kind: str, now: datetime) -> list[OutboxRow]:
        """The letters of a kind about a game that wait for their hour, the oldest first."""
        return await self._list(_SELECT, *_HELD, outbox.c.due_at > now, game_id=game_id, kind=kind)

    async def release_held(self, game_id: int, kind: str, now: datetime) -> int:
        """These letters wait no longer; how many."""
        return await self._hasten_held(now, outbox.c.game_id == game_id, outbox.c.kind == kind)

    async def drop_untried(self, kind: str, **of: object) -> int:
        """Letters of a kind are not to be sent if nobody has tried; `of` whom; how many."""
        theirs = (outbox.c[name] == value for name, value in of.items())
        return await self._delete(outbox, outbox.c.kind == kind, *theirs, *_HELD)

    async def _hasten_held(self, until: datetime, *where: Condition) -> int:
        waiting = (outbox.c.state == "queued", outbox.c.due_at > until)
        return await self._update(outbox, *where, *waiting, due_at=until, next_try_at=until)

    async def take_back(self, outbox_ids: Collection[int]) -> bool:
        """These letters are not to be sent: others tell what they tell. False: one of them is on
        its way, or was sent.
        """
        if not outbox_ids:
            return True
        theirs = outbox.c.id.in_(list(outbox_ids))
        return await self._delete(outbox, theirs, *_HELD) == len(outbox_ids)

    async def list_unsent_to(self, channel: str, address: str) -> list[OutboxRow]:
        """What is still to be sent to an address, the oldest first."""
        return await self._list(_SELECT, _UNSENT, channel=channel, address=address)

    async def list_before(self, row: OutboxRow, limit: int) -> list[OutboxRow]:
        """What is still to be sent to the same address on the same channel before this; what is to
        wait longer waits for itself. The oldest first.
        """
        older = (outbox.c.id < row.id, outbox.c.due_at <= row.due_at, _UNSENT)
        return await self._list(_SELECT, *_to(row.channel, row.address), *older, limit=limit)

    async def list_sent_since(
        self, channel: str, since: datetime, address: str | None = None
    ) -> list[datetime]:
        """When letters went out on a channel (to one address) since then, in any order."""
        to = [] if address is None else [outbox.c.address == address]
        return await self._values(datetime, _SENT_ON.where(*to), channel=channel, since=since)

    async def refuse(self, outbox_id: int, answer: str) -> bool:
        """The server refused for good. False: nobody is sending it (any more)."""
        return await self._end_sending(outbox_id, state="refused", answer=answer)

    async def withhold(self, outbox_id: int, answer: str) -> bool:
        """Do not send after all (its address was suspended, its restore says no mail). False: it is
        settled already.
        """
        return await self._withhold(answer, outbox.c.id == outbox_id) == 1

    async def withhold_for_address(
        self, channel: str, address: str, answer: str = "address-suspended"
    ) -> int:
        """Withhold whatever is still to be sent to an address; how many letters."""
        return await self._withhold(answer, *_to(channel, address))

    async def release_for_address(self, channel: str, address: str, now: datetime) -> int:
        """Send what was withheld because an address was suspended after all; how many letters."""
        anew = {"state": "queued", "next_try_at": now, "answer": None}
        return await self._update(outbox, *_to(channel, address), *_SUSPENDED, **anew)

    async def list_withheld_to(self, channel: str, address: str, limit: int) -> list[OutboxRow]:
        """The newest letters that were withheld because an address was suspended, the oldest of
        them first.
        """
        there = (*_to(channel, address), *_SUSPENDED)
        return (await self._newest(_SELECT, limit, *there))[::-1]

    async def release(self, outbox_id: int, now: datetime) -> bool:
        """Send a letter that was withheld after all, as if it were new. False: it is not withheld
        (any more).
        """
        anew = {"state": "queued", "attempts": 0, "answer": None}
        return await self._change(outbox_id, "withheld", **anew, due_at=now, next_try_at=now)

    async def withhold_before_epoch(self, epoch: int, answer: str = "restored") -> int:
        """Withhold what older epochs left unsent (a restored backup must not send its mails again);
        how many letters.
        """
        return await self._withhold(answer, outbox.c.epoch < epoch)

    async def withhold_for_cause(self, correlation: str, answer: str) -> int:
        """Withhold what a cause has queued and nobody has tried to send; how many letters."""
        untried = (outbox.c.state == "queued", outbox.c.attempts == 0)
        return await self._withhold(answer, outbox.c.correlation == correlation, *untried)

    async def _withhold(self, answer: str, *where: Condition) -> int:
        """Do not send those that are unsent of the letters of which that is true; how many."""
        return await self._update(outbox, *where, _UNSENT, state="withheld", answer=answer)

    async def list_last_of_seat(
        self, seat_id: int, kinds: Sequence[str] = (), limit: int = 1
    ) -> list[OutboxRow]:
        """The newest letters to a seat (of some kinds), whatever became of them, the newest first:
        what `resend` copies.
        """
        of_kinds = given(kind=kinds or None)
        return await self._newest(_SELECT, limit, seat_id=seat_id, **of_kinds)

    async def last_picture_of(self, game_id: int, kinds: Sequence[str]) -> int | None:
        """The newest picture in letters of some kinds about a game."""
        shown = (
            outbox.c.game_id == game_id,
            outbox.c.kind.in_(kinds),
            outbox.c.picture_id.is_not(None),
        )
        newest = sa.select(outbox.c.picture_id).where(*shown).order_by(outbox.c.id.desc()).limit(1)
        return await self._value(int, newest)

    async def list_in_chats_since(
        self, channel: str, game_id: int, kinds: Sequence[str], since: datetime
    ) -> list[OutboxRow]:
        """The letters of some kinds about a game that were made for a channel since then, the
        oldest first.
        """
        made = outbox.c.created_at >= since
        return await self._list(_SELECT, made, game_id=game_id, channel=channel, kind=kinds)

    async def list_last_to(self, channel: str, address: str, limit: int) -> list[OutboxRow]:
        """The newest letters to an address on a channel, whatever became of them, the newest
        first.
        """
        return await self._newest(_SELECT, limit, channel=channel, address=address)

    async def count_to_address_since(
        self, channel: str, address: str, kinds: Sequence[str], since: datetime
    ) -> int:
        """How many letters of these kinds were made for an address since then: what a loop of
        answers is stopped by.
        """
        return await self._number(
            _COUNT_TO, channel=channel, address=address, kinds=kinds, since=since
        )

    async def count_of_game_since(self, game_id: int, kind: str, since: datetime) -> int:
        """How many letters of a kind were made about a game since then."""
        of_game = (outbox.c.game_id == game_id, outbox.c.kind == kind)
        return await self._count(outbox, *of_game, outbox.c.created_at >= since)

    async def count_each_to_address(
        self, channel: str, address: str, limits: Sequence[tuple[Sequence[str], datetime]]
    ) -> list[int]:
        """As `count_to_address_since`, for several kinds and times at once."""
        values: dict[str, object] = {
            "channel": channel,
            "address": address,
            "kinds": list({kind for kinds, _ in limits for kind in kinds}),
            "since": min(since for _, since in limits),
        }
        for number, (kinds, since) in enumerate(limits):
            values |= {f"kinds{number}": kinds, f"since{number}": since}
        return [*(await self._connection.execute(_counts_to(len(limits)), values)).one()]

    async def list_by_state(
        self, state: OutboxState, limit: int = 100, *, game_id: int | None = None
    ) -> list[OutboxRow]:
        """The newest letters in a state, the newest first."""
        return await self._newest(_SELECT, limit, state=state, **given(game_id=game_id))

    async def count_by_state(self, game_id: int | None = None) -> dict[str, int]:
        """How many letters (of one game) are in each state; a state without letters is left out."""
        statement = sa.select(outbox.c.state, sa.func.count()).group_by(outbox.c.state)
        if game_id is not None:
            statement = statement.where(outbox.c.game_id == game_id)
        return dict((await self._connection.execute(statement)).all())

    async def count_withheld(self, game_id: int) -> dict[str, int]:
        """How many letters of a game were withheld, by the reason that was kept with them."""
        statement = sa.select(sa.func.coalesce(outbox.c.answer, ""), sa.func.count()).group_by(
            outbox.c.answer
        )
        rows = await self._connection.execute(
            statement.where(outbox.c.game_id == game_id, outbox.c.state == "withheld")
        )
        return dict(rows.all())

    async def _end_sending(self, outbox_id: int, **values: object) -> bool:
        return await self._change(outbox_id, "sending", **values)

    async def _change(self, outbox_id: int, _from: OutboxState, /, **values: object) -> bool:
        """A step of a letter's life. False: it is not in the state that the step begins in."""
        return await self._set(outbox, outbox_id, outbox.c.state == _from, **values)


def _to(channel: str, address: str) -> tuple[Condition, Condition]:
    return (outbox.c.channel == channel, outbox.c.address == address)
