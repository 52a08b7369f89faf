"""Mails in: watch a mailbox, hand every mail over, and only then tell the server that it is read."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from pbem.mail.imap_commands import ImapConnection, ImapError, ImapSettings, MailFacts, Selected, format_day
from pbem.mail.ports import Clock, Store, StoredMail

__all__ = ["ImapError", "ImapInbox", "ImapSettings"]

_log = structlog.get_logger(__name__)
_MAX_IDLE_SECONDS = 28 * 60.0  # servers hang up after half an hour (RFC 2177)
_OVERSIZE_HEADER_OCTETS = 256 * 1024


class _StoreFailedError(Exception):
    """At least one mail of a sweep could not be stored."""


class ImapInbox:
    """A mailbox that is watched for ever.

    Store first, acknowledge second: a mail is marked read (or moved) after `store` has returned, and stays unread if it raised. So a mail
    may be handed over twice, and never be lost. Mails are found by being unread; those that arrive while we watch are found even if
    somebody else reads them first. When the server has renumbered the mailbox (UIDVALIDITY), everything in it is handed over again.

    `drained_until` is the moment, by `clock`, before which everything that the server held is known to be stored.
    """

    def __init__(
        self,
        settings: ImapSettings,
        clock: Clock,
        jitter: Callable[[], float],
        *,
        known_uidvalidity: int | None = None,
        on_drained: Callable[[datetime], None] | None = None,
        again_since: datetime | None = None,
        on_read_again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`jitter` draws from 0 to 1 and spreads the reconnections; `known_uidvalidity` is that of the last mail stored, if known.

        Mails that came on the day (UTC) of `again_since` or later are read again, whoever has seen them, and `on_read_again` is called
        once all are stored; before that nothing counts as drained.
        """
        self._settings = settings
        self._clock = clock
        self._jitter = jitter
        self._on_drained = on_drained
        self._uidvalidity = known_uidvalidity
        self._first_new_uid: int | None = None
        self._again_since = again_since
        self._on_read_again = on_read_again
        self._resync = False
        self._failures = 0
        self._wake = asyncio.Event()
        self._drains: list[asyncio.Future[datetime]] = []
        self.drained_until: datetime | None = None
        self.last_success_at: datetime | None = None
        self.last_error: str | None = None

    async def watch(self, store: Store) -> None:
        """Run until cancelled, through every trouble of network, server and store."""
        try:
            while True:
                connection = ImapConnection(self._settings)
                try:
                    await self._serve(connection, await connection.open(), store)
                except (ImapError, _StoreFailedError) as error:
                    self.last_error = str(error)
                    self._failures += 1
                    _log.warning("imap.trouble", error=str(error), failures=self._failures)
                finally:
                    await connection.close()
                await asyncio.sleep(self._back_off_seconds())
        finally:
            for waiting in self._drains:
                if not waiting.done():
                    waiting.set_exception(ImapError("the inbox is closed"))
            self._drains.clear()

    async def drain(self) -> datetime:
        """Look now, and return the new `drained_until`. Waits as long as the mailbox cannot be read; the caller sets the limit."""
        waiting: asyncio.Future[datetime] = asyncio.get_running_loop().create_future()
        self._drains.append(waiting)
        self._wake.set()
        try:
            return await waiting
        finally:
            if waiting in self._drains:
                self._drains.remove(waiting)

    async def _serve(self, connection: ImapConnection, selected: Selected, store: Store) -> None:
        if self._uidvalidity is not None and selected.uidvalidity != self._uidvalidity:
            _log.warning("imap.renumbered", before=self._uidvalidity, now=selected.uidvalidity)
            self._resync = True
            self._first_new_uid = None
        if self._first_new_uid is None:
            self._first_new_uid = selected.uidnext
        self._uidvalidity = selected.uidvalidity
        while True:
            self._wake.clear()
            await self._sweep(connection, selected.uidvalidity, store)
            await connection.wait(min(self._settings.poll_seconds, _MAX_IDLE_SECONDS), self._wake)

    async def _sweep(self, connection: ImapConnection, uidvalidity: int, store: Store) -> None:
        """Store all there is to store."""
        asked_at, asking = self._clock.now(), list(self._drains)
        seen = await self._seen_uids(connection) if self._again_since is not None else []
        uids = sorted({*await self._waiting_uids(connection), *seen})
        errors = []
        for uid in uids:
            mail = await self._fetch(connection, uidvalidity, uid, seen_before=uid in seen)
            if mail is None:
                continue
            # Whatever the store raises, the next mail gets its chance and this one stays unread.
            (error,) = await asyncio.gather(store(mail), return_exceptions=True)
            if error is None:
                await connection.mark_done(uid)
            else:
                _log.error("imap.store_failed", uid=uid, exc_info=error)
                errors.append(error)
        if errors:
            raise _StoreFailedError(f"{len(errors)} of {len(uids)} mails could not be stored: {type(errors[0]).__name__}")
        if uids:
            self._first_new_uid = max(self._first_new_uid or 0, uids[-1] + 1)
        self._resync = False
        await self._end_reading_again()
        self._failures = 0
        self.last_error = None
        self.last_success_at = self._clock.now()
        self.drained_until = asked_at
        for waiting in asking:
            if not waiting.done():
                waiting.set_result(asked_at)
        if self._on_drained is not None:
            self._on_drained(asked_at)

    async def _seen_uids(self, connection: ImapConnection) -> list[int]:
        """The mails to be read again that were stored once: those which came since then and are marked read."""
        assert self._again_since is not None  # noqa: S101 - the caller has looked
        return await connection.search(f"SEEN SINCE {format_day(self._again_since)}")

    async def _end_reading_again(self) -> None:
        if self._again_since is not None:
            if self._on_read_again is not None:
                (error,) = await asyncio.gather(self._on_read_again(), return_exceptions=True)
                if error is not None:
                    raise _StoreFailedError(f"that all was read again could not be stored: {type(error).__name__}")
            self._again_since = None

    async def _waiting_uids(self, connection: ImapConnection) -> list[int]:
        if self._resync or self._settings.done_mailbox is not None:
            return await connection.search("ALL")
        uids = set(await connection.search("UNSEEN"))
        if self._first_new_uid is not None:
            # Somebody may have opened a mail in another program before we saw it. "n:*" names the last mail even if it is below n.
            new = await connection.search(f"UID {self._first_new_uid}:*")
            uids.update(uid for uid in new if uid >= self._first_new_uid)
        return sorted(uids)

    async def _fetch(self, connection: ImapConnection, uidvalidity: int, uid: int, *, seen_before: bool) -> StoredMail | None:
        facts: MailFacts | None = await connection.fetch_facts(uid)
        if facts is None:
            return None
        oversize = facts.size > self._settings.max_mail_octets
        raw = await connection.fetch(uid, f"BODY.PEEK[HEADER]<0.{_OVERSIZE_HEADER_OCTETS}>" if oversize else "BODY.PEEK[]")
        return None if raw is None else StoredMail(raw, facts.received_at, uidvalidity, uid, oversize, seen_before)

    def _back_off_seconds(self) -> float:
        growing = self._settings.back_off_seconds * 2.0 ** min(self._failures - 1, 30)
        return min(growing, self._settings.max_back_off_seconds) * (0.5 + 0.5 * self._jitter())
