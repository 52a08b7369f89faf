"""Updates in by webhook: Telegram calls us, and hears 200 only when the update is stored."""

import asyncio
import contextlib
import hmac
import re
import socket
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog
from telegram import WebhookInfo
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler, stream_request_body

from pbem.clock import Clock
from pbem.telegram.batch import number_of, whole_number
from pbem.telegram.connection import Connection
from pbem.telegram.ports import PolledElsewhere, Store, StoredUpdate, TelegramTrouble
from pbem.telegram.settings import WebhookSettings
from pbem.telegram.updates import WANTED
from pbem.watching import Watcher

_log = structlog.get_logger(__name__)
_MAX_BODY_OCTETS = 1024 * 1024
_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header


class TelegramWebhook(Watcher):
    """The updates of one bot, taken in for ever: the sibling of `TelegramPoller` where Telegram can
    reach us.

    A request without the secret gets 401, with a wrong one 403, before a byte of its body is read.
    Whatever the store raises is answered with 500, and Telegram comes again (and forgets after 24
    hours). It calls us for one update at a time, so that they come in order.

    `drained_until` is the moment, by `clock`, before which everything that Telegram held is known
    to be stored: it said then that it had nothing left to hand over.
    """

    def __init__(
        self,
        connection: Connection,
        settings: WebhookSettings,
        clock: Clock,
        jitter: Callable[[], float],
    ) -> None:
        pauses = connection.settings
        super().__init__(clock, jitter, (pauses.back_off_seconds, pauses.max_back_off_seconds))
        self._connection = connection
        self._settings = settings

    def is_silent(self) -> bool:
        """Whether Telegram has not been heard of for three checks."""
        seconds = self._settings.check_seconds + self._connection.settings.timeout_seconds
        return self._is_silent_for(3 * timedelta(seconds=seconds))

    async def watch(self, store: Store) -> None:
        """Run until cancelled, through every trouble of network, Telegram and store.

        Raises OSError if the port is taken, and `PolledElsewhere` if somebody has given Telegram
        another address for this bot.
        """
        application = Application(
            [
                (
                    re.escape(self._settings.path),
                    _Hook,
                    {"take": lambda raw: self._take(store, raw), "secret": self._settings.secret},
                )
            ],
            log_function=_log_request,
        )
        server = HTTPServer(
            application,
            max_body_size=_MAX_BODY_OCTETS,
            idle_connection_timeout=self._settings.idle_seconds,
            body_timeout=self._settings.body_seconds,
        )
        server.add_sockets([_listening(self._settings.host, self._settings.port)])
        try:
            with self._watching("telegram.webhook_died", TelegramTrouble("the webhook has ended")):
                await self._watch()
        finally:
            server.stop()
            await server.close_all_connections()

    async def _watch(self) -> None:
        is_set = False
        while True:
            try:
                if not is_set:
                    await self._set()
                    is_set = True
                await self._check()
                pause = (
                    self._settings.drain_seconds if self._drains else self._settings.check_seconds
                )
            except PolledElsewhere:
                raise
            except TelegramTrouble as error:
                self._fail(error)
                _log.warning("telegram.trouble", error=str(error), failures=self._failures)
                pause = max(self._back_off_seconds(), error.seconds or 0.0)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)

    async def _set(self) -> None:
        url, secret = self._settings.url, self._settings.secret
        await self._connection.demand(
            self._connection.bot.set_webhook(
                url,
                secret_token=secret,
                allowed_updates=WANTED,
                max_connections=1,
                drop_pending_updates=False,
            )
        )

    async def _check(self) -> None:
        """Ask what Telegram still holds."""
        self._wake.clear()
        asked_at, asking = self._clock.now(), list(self._drains)
        info = await self._connection.demand(self._connection.bot.get_webhook_info())
        waiting_there = whole_number(info.pending_update_count)
        if waiting_there is None or not isinstance(info.url, str):
            raise TelegramTrouble("Telegram does not say what it holds")
        if info.url != self._settings.url:
            raise PolledElsewhere(
                "the webhook of this bot has been taken away"
                if info.url
                else "the webhook of this bot has been deleted"
            )
        self._failures = 0
        self.last_success_at = self._clock.now()
        if waiting_there:
            self._tell_of_waiting(info)
            return
        self.last_error = None
        self._tell_drained(asked_at, asking)

    def _tell_of_waiting(self, info: WebhookInfo) -> None:
        if info.last_error_message:
            self.last_error = self._connection.scrub(str(info.last_error_message))
            _log.warning(
                "telegram.updates_wait", count=info.pending_update_count, error=self.last_error
            )

    async def _take(self, store: Store, raw: bytes) -> int:
        """The HTTP status for one update. One that nobody can read is stored anyway: refused,
        Telegram would repeat it for ever.
        """
        update_id = number_of(raw)
        if update_id is None:
            _log.warning("telegram.no_update", octets=len(raw))
            return 400
        (error,) = await asyncio.gather(
            store(StoredUpdate(update_id, raw, self._clock.now())), return_exceptions=True
        )
        if error is not None:
            self.last_error = f"an update could not be stored: {type(error).__name__}"
            _log.error("telegram.store_failed", update_id=update_id, exc_info=error)
            return 500
        return 200


@stream_request_body
class _Hook(RequestHandler):
    """One call by Telegram, or by somebody who would like to be."""

    SUPPORTED_METHODS = ("POST",)

    def initialize(self, take: Callable[[bytes], Awaitable[int]], secret: str) -> None:
        self._take = take
        self._secret = secret.encode()
        self._body = bytearray()

    def prepare(self) -> None:
        """Before the body: who does not know the secret is not listened to."""
        presented = self.request.headers.get(_SECRET_HEADER)
        if presented is None:
            self._refuse(401)
        elif not hmac.compare_digest(presented.encode("utf-8", "surrogateescape"), self._secret):
            self._refuse(403)

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk

    async def post(self) -> None:
        self.set_status(await self._take(bytes(self._body)))

    def _refuse(self, status: int) -> None:
        _log.warning("telegram.webhook_refused", status=status, by=self.request.remote_ip)
        self.set_status(status)
        self.finish()


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.create_server(
        (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
    )
    listener.setblocking(False)
    return listener


def _log_request(handler: RequestHandler) -> None:
    _log.debug("telegram.webhook", status=handler.get_status(), by=handler.request.remote_ip)
