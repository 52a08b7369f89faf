"""One bot's way to Telegram: python-telegram-bot's `Bot` over two pools of connections, one of them
for asking for updates.
"""

import asyncio
import functools
import os
import re
import ssl
from collections.abc import Awaitable, Sequence
from datetime import timedelta
from typing import Any, Self, TypeVar
from urllib.parse import urlencode

import httpx
import msgspec
from telegram import Bot
from telegram.error import Conflict, RetryAfter, TelegramError, TimedOut
from telegram.request import HTTPXRequest

from pbem.telegram.batch import cut_updates, number_of
from pbem.telegram.ports import PolledElsewhere, TelegramTrouble
from pbem.telegram.settings import TelegramSettings

UPDATES_AT_ONCE = 100
MAX_ERROR_CHARACTERS = 1000
NOT_TELEGRAM = "an answer that is none of Telegram's"
_Result = TypeVar("_Result")
_MOST_SECONDS = 180.0
"""For one call in all, where a server sends byte after byte, each just in time: less than the
outbox lends a message out for.
"""
MOST_WAITED_SECONDS = 3600.0
"""Telegram may ask for longer, or for something absurd: then it is asked again after an hour, and
can say so again.
"""
_GRACE_SECONDS = 10.0  # a long poll that Telegram ends in time must not end in a time-out of ours


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Reading the certificates of all the world takes a while: once is enough."""
    return httpx.create_ssl_context()


def seconds_of(error: RetryAfter) -> float | None:
    """How long Telegram wants us to wait, but no longer than we ever do; None where what it says is
    no span of time.
    """
    wanted: object = error.retry_after  # the library hands on whatever stood there
    if isinstance(wanted, timedelta):
        return min(max(wanted.total_seconds(), 0.0), MOST_WAITED_SECONDS)
    return (
        min(max(float(wanted), 0.0), MOST_WAITED_SECONDS)
        if isinstance(wanted, int | float)
        else None
    )


class Connection:
    """`async with Connection(settings) as connection:`; the sender and the poller, or the sender
    and the webhook, share it.
    """

    def __init__(self, settings: TelegramSettings) -> None:
        # From now on the library gives spans of time as such; else it warns of its own future each
        # time Telegram asks us to wait.
        os.environ.setdefault("PTB_TIMEDELTA", "1")
        self.settings = settings
        self._base_url = f"{settings.api_url.rstrip('/')}/bot"
        seconds = settings.timeout_seconds
        patience = {f"{step}_timeout": seconds for step in ("read", "write", "connect", "pool")}
        common: dict[str, Any] = {**patience, "httpx_kwargs": {"verify": _trusted()}}
        self._sending = HTTPXRequest(
            connection_pool_size=settings.connections,
            media_write_timeout=settings.picture_timeout_seconds,
            **common,
        )
        self._asking = HTTPXRequest(connection_pool_size=2, **common)
        self.bot = Bot(
            settings.token,
            base_url=self._base_url,
            request=self._sending,
            get_updates_request=self._asking,
        )

    async def __aenter__(self) -> Self:
        await self._sending.initialize()
        await self._asking.initialize()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._sending.shutdown()
        await self._asking.shutdown()

    async def updates(
        self, offset: int | None, wait_seconds: int, kinds: Sequence[str]
    ) -> list[tuple[int | None, bytes]]:
        """The oldest updates that Telegram holds, at most `UPDATES_AT_ONCE`, each with its ID and
        in its own bytes; waits for the first. An update so bent that it has no ID comes with None.

        `offset` confirms all updates below it, and Telegram forgets them. Raises `TelegramTrouble`,
        `PolledElsewhere`.

        This is no call of `Bot.get_updates`: that one answers in objects, fails on a whole batch
        for one update that it cannot read, and the bytes that Telegram sent are what has to be
        kept.
        """
        asked: dict[str, str | int] = {
            "limit": UPDATES_AT_ONCE,
            "timeout": wait_seconds,
            "allowed_updates": msgspec.json.encode(kinds).decode(),
        }
        if offset is not None:
            asked["offset"] = offset
        url = f"{self._base_url}{self.settings.token}/getUpdates?{urlencode(asked)}"
        answer = await self.demand(
            self._asking.retrieve(url, read_timeout=wait_seconds + _GRACE_SECONDS)
        )
        found = cut_updates(answer)
        if found is None:
            raise TelegramTrouble("no updates in Telegram's answer")
        return [(number_of(update), update) for update in found]

    async def ask(self, call: Awaitable[_Result]) -> _Result:
        """Await a call of the library's. Raises `telegram.error.TelegramError`, also for answers
        that do not come from Telegram.

        The library fails on those in its own ways: a proxy between us may answer with any JSON.
        """
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                return await call
        except TimeoutError as error:
            raise TimedOut from error
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            OSError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            raise TelegramError(f"{NOT_TELEGRAM}: {type(error).__name__}") from error

    async def demand(self, call: Awaitable[_Result]) -> _Result:
        """Await a call of the library's. Raises `TelegramTrouble`, `PolledElsewhere`."""
        try:
            return await self.ask(call)
        except TelegramError as error:
            raise self.trouble(error) from error

    def trouble(self, error: TelegramError) -> TelegramTrouble:
        """The same in our own words, without the token."""
        text = self.scrub(error)
        if isinstance(error, Conflict):
            return PolledElsewhere(text)
        return TelegramTrouble(text, seconds_of(error) if isinstance(error, RetryAfter) else None)

    def scrub(self, error: TelegramError | str) -> str:
        """The token is part of every URL, and must not come into a log with one; the library
        changes the case of what Telegram says.

        The words are Telegram's and may be anything: they are cut, and half characters taken out,
        so that every log and store takes them.
        """
        text = str(error if isinstance(error, str) else error.message)[:MAX_ERROR_CHARACTERS]
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return re.sub(re.escape(self.settings.token), "***", whole, flags=re.IGNORECASE)
