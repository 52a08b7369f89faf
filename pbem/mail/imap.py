"""Mails in: watch a mailbox, hand every mail over, and only then tell the server that it is
read.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from pbem.clock import Clock
from pbem.mail.imap_commands import ImapConnection, ImapSettings, Selected, format_day
from pbem.mail.ports import ImapError, Lanes, Store, StoredMail
from pbem.mail.waiting_mails import WaitingMail, WaitingMails
from pbem.watching import Watcher

__all__ = ["ImapError", "ImapInbox", "ImapSettings"]

_log = structlog.get_logger(__name__)
_MAX_IDLE_SECONDS = 28 * 60.0  # servers hang up after half an hour (RFC 2177)
_OVERSIZE_HEADER_OCTETS = 256 * 1024
_HEADS_AT_ONCE = 50
_HEAD_OCTETS = 32 * 1024
_BATCH_OCTETS = 1024 * 1024
_AWAITED_BEHIND = 100
"""A drain waits for this many mails from behind the bound: no flood, but what a quiet mailbox
holds.
"""


class _StoreFailedError(Exception):
    """At least one mail of a sweep could not be stored."""


async def _all_alike(heads: Sequence[bytes]) -> Sequence[tuple[int, str]]:
    return [(0, "")] * len(heads)


_ONE_LANE = Lanes(_all_alike, bound=1, hold=timedelta(0))


@dataclass(slots=True)
class _Asking:
    """Somebody who waits for a drain. `looked_at`: when we looked for what he waits for; `behind`:
    of how much more of it he waits.
    """

    told: asyncio.Future[datetime]
    looked_at: datetime
    behind: int = _AWAITED_BEHIND


class ImapInbox(Watcher):
    """A mailbox that is watched for ever.

    Store first, acknowledge second: a mail is marked read (or moved) after `store` has returned,
    and stays unread if it raised. So a mail may be handed over twice, and never be lost. Mails are
    found by being unread; those that arrive while we watch are found even if somebody else reads
    them first. When the server has renumbered the mailbox (UIDVALIDITY), everything in it is handed
    over again.

    The heads of all that waits are looked at first, and `Lanes` say what is read before what; after
    every few mails we look for new ones, so that a flood from behind holds up no mail of a lane in
    front.

    `drained_until` is the moment, by `clock`, before which everything that the server held is known
    to be stored, except for mails from behind the bound of the lanes that have held it up for so
    long as those allow.
    """

    def __init__(
        self,
        settings: ImapSettings,
        clock: Clock,
        jitter: Callable[[], float],
        *,
        again_since: datetime | None = None,
        on_read_again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`clock` and `jitter` are as of `Watcher`.

        Mails of the day (UTC) of `again_since` or later are read again, even if marked as read, and
        `on_read_again` is called once all are stored; before that nothing counts as drained.
        """
        pauses = (settings.back_off_seconds, settings.max_back_off_seconds)
        super().__init__(clock, jitter, pauses)
        self._settings = settings
        self._uidvalidity: int | None = None
        self._first_new_uid: int | None = None
        self._again_since = again_since
        self._on_read_again = on_read_again
        self._lanes = _ONE_LANE
        self._resync = False
        self._seek_seen = again_since is not None
        self._forget_waiting()

    async def watch(self, store: Store, lanes: Lanes | None = None) -> None:
        """Run until cancelled, through every trouble of network, server and store. Without `lanes`
        mails are stored as they came.
        """
        self._lanes = lanes or _ONE_LANE
        try:
            while True:
                connection = ImapConnection(self._settings)
                try:
                    await self._serve(connection, await connection.open(), store)
                except (ImapError, _StoreFailedError) as error:
                    self._fail(error)
                    _log.warning("imap.trouble", error=str(error), failures=self._failures)
                finally:
                    await connection.close()
                await asyncio.sleep(self._back_off_seconds())
        finally:
            self._end(ImapError("the inbox is closed"))

    async def _serve(self, connection: ImapConnection, selected: Selected, store: Store) -> None:
        if self._uidvalidity is not None and selected.uidvalidity != self._uidvalidity:
            _log.warning("imap.renumbered", before=self._uidvalidity, now=selected.uidvalidity)
            self._resync = True
            self._seek_seen = self._again_since is not None
            self._first_new_uid = None
            self._forget_waiting()
        if self._first_new_uid is None:
            self._first_new_uid = selected.uidnext
        self._uidvalidity = selected.uidvalidity
        seconds, was_told = min(self._settings.poll_seconds, _MAX_IDLE_SECONDS), False
        while True:
            found = await self._sweep(connection, selected.uidvalidity, store)
            least = self._settings.least_pause_seconds if was_told and not found else 0.0
            was_told = await connection.wait(seconds, self._wake, least)

    def _forget_waiting(self) -> None:
        self._unlooked: deque[tuple[int, datetime | None, bool]] = (
            deque()
        )  # as a `WaitingMail`: UID, found_after, seen_before
        self._waiting = WaitingMails()
        self._looked_at: datetime | None = None

    async def _sweep(self, connection: ImapConnection, uidvalidity: int, store: Store) -> bool:
        """Store all there is to store; whether there was any."""
        found = False
        bound, asking, errors = self._lanes.bound, list[_Asking](), list[BaseException]()
        asked_at = await self._find(connection, asking, again=False)
        self._waiting.take_back()
        while True:
            await self._look_at_heads(connection)
            batch = self._waiting.batch(_BATCH_OCTETS, below=bound if self._unlooked else None)
            is_behind, found = not self._waiting.has_below(bound), found or bool(batch)
            for mail in batch:
                errors += await self._read(connection, uidvalidity, store, mail)
            if not self._unlooked and (not batch or not self._waiting):
                break
            self._tell_of_the_front(asked_at, asking, len(batch) if is_behind else 0)
            if batch:
                asked_at = await self._find(connection, asking, again=True)
        if errors:
            self._tell_of_the_front(
                asked_at, asking, _AWAITED_BEHIND
            )  # what cannot be stored from behind is not waited for
            raise _StoreFailedError(
                f"{len(errors)} mails could not be stored: {type(errors[0]).__name__}"
            )
        await self._end_reading_again()
        self._failures = 0
        self.last_error = None
        self._tell(asked_at, asking)
        return found

    async def _find(
        self, connection: ImapConnection, asking: list[_Asking], *, again: bool
    ) -> datetime:
        """Find what waits, and return when we looked; `again`, within a sweep: what has come
        meanwhile.
        """
        self._wake.clear()
        asked_at, wanted = self._clock.now(), list(self._drains)
        if not again and self._seek_seen and self._again_since is not None:
            # The mails to be read again that were stored once: those which came since then and are
            # marked read.
            seen = frozenset(await connection.search(f"SEEN SINCE {format_day(self._again_since)}"))
        else:
            seen = frozenset()
        uids = await self._new_uids(connection) if again else await self._waiting_uids(connection)
        known = {*self._waiting.uids(), *(uid for uid, _, _ in self._unlooked)} if not again else ()
        for uid in sorted(seen.union(uids).difference(known)):
            self._unlooked.append((uid, self._looked_at, uid in seen))
            self._first_new_uid = max(self._first_new_uid or 0, uid + 1)
        if not again:
            self._resync = self._seek_seen = False
        self._looked_at = asked_at
        already = {one.told for one in asking}
        asking += [_Asking(told, asked_at) for told in wanted if told not in already]
        return asked_at

    async def _look_at_heads(self, connection: ImapConnection) -> None:
        """Put a few of the mails that were found into their lanes."""
        found = [self._unlooked[index] for index in range(min(_HEADS_AT_ONCE, len(self._unlooked)))]
        if not found:
            return
        octets = _HEAD_OCTETS if self._lanes is not _ONE_LANE else 0
        heads = {
            head.uid: head
            for head in await connection.fetch_heads([uid for uid, _, _ in found], octets)
        }
        (judged,) = await asyncio.gather(
            self._lanes.judge([head.head for head in heads.values()]), return_exceptions=True
        )
        if isinstance(judged, BaseException):
            raise _StoreFailedError(
                f"mails could not be put into lanes: {type(judged).__name__}"
            ) from judged
        places = dict(zip(heads, judged, strict=True))
        for uid, found_after, seen_before in found:
            self._unlooked.popleft()
            if uid in heads:
                head = heads[uid]
                self._waiting.add(
                    WaitingMail(uid, head.size, head.received_at, found_after, seen_before),
                    *places[uid],
                )

    async def _read(
        self, connection: ImapConnection, uidvalidity: int, store: Store, waiting: WaitingMail
    ) -> list[BaseException]:
        """Fetch a mail and store it; what went wrong with that."""
        oversize = waiting.size > self._settings.max_mail_octets
        section = f"BODY.PEEK[HEADER]<0.{_OVERSIZE_HEADER_OCTETS}>" if oversize else "BODY.PEEK[]"
        raw = await connection.fetch(waiting.uid, section)
        if raw is not None:
            mail = StoredMail(
                raw, waiting.received_at, uidvalidity, waiting.uid, oversize, waiting.seen_before
            )
            # Whatever the store raises, the next mail gets its chance and this one stays unread.
            (error,) = await asyncio.gather(store(mail), return_exceptions=True)
            if error is not None:
                _log.error("imap.store_failed", uid=waiting.uid, exc_info=error)
                return [error]
        self._waiting.drop(waiting.uid)
        if raw is not None:
            await connection.mark_done(waiting.uid)
        return []

    def _tell_of_the_front(
        self, asked_at: datetime, asking: list[_Asking], read_behind: int
    ) -> None:
        """How far the mailbox is read while mails from behind the bound are left, if nothing else
        is.
        """
        if (
            self._unlooked
            or self._waiting.has_below(self._lanes.bound)
            or self._again_since is not None
        ):
            return
        first = self._waiting.first_found
        reached = [
            asked_at - self._lanes.hold,
            self.drained_until,
            first.found_after if first is not None else None,
        ]
        until = max(instant for instant in reached if instant is not None)
        done = []
        for one in asking:
            one.behind -= read_behind
            if until >= one.looked_at or one.behind <= 0:
                done.append(one)
        self._tell(until, done)

    def _tell(self, until: datetime, asking: list[_Asking]) -> None:
        self.last_success_at = self._clock.now()
        self._tell_drained(until, [one.told for one in asking])

    async def _end_reading_again(self) -> None:
        if self._again_since is not None:
            if self._on_read_again is not None:
                (error,) = await asyncio.gather(self._on_read_again(), return_exceptions=True)
                if error is not None:
                    raise _StoreFailedError(
                        f"that all was read again could not be stored: {type(error).__name__}"
                    )
            self._again_since = None

    async def _waiting_uids(self, connection: ImapConnection) -> list[int]:
        if self._resync or self._settings.done_mailbox is not None:
            return await connection.search("ALL")
        return [*await connection.search("UNSEEN"), *await self._new_uids(connection)]

    async def _new_uids(self, connection: ImapConnection) -> list[int]:
        """Somebody may have opened a mail in another program before we saw it: what has come since
        we looked, read or not.
        """
        if self._first_new_uid is None:
            return []
        # "n:*" names the last mail even if it is below n.
        return [
            uid
            for uid in await connection.search(f"UID {self._first_new_uid}:*")
            if uid >= self._first_new_uid
        ]
