"""The Bot API over HTTP on loopback, as python-telegram-bot speaks to it."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Self

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from pbem.clock import Clock
from pbem.demo.telegram.calls import Call
from pbem.demo.telegram.faults import ApiError, Fault
from pbem.demo.telegram.handing import Handing
from pbem.demo.telegram.meter import Violation
from pbem.demo.telegram.methods import BotMethods
from pbem.demo.telegram.network import Network
from pbem.demo.telegram.people import Group, User
from pbem.telegram.settings import TelegramSettings

_TOKEN = "1000001:stand-in"
_MAX_BODY_OCTETS = 32 * 1024 * 1024


class TelegramStandIn:
    """`async with TelegramStandIn(clock) as telegram: anna = telegram.user("Anna"); await
    anna.starts()`.

    Everything is in memory. Instants are those of the injected clock; only long polls wait in real
    time.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        token: str = _TOKEN,
        username: str = "realm_bot",
        reads_all: bool = True,
        keeps_limits: bool = False,
        push_retry_seconds: float | None = None,
    ) -> None:
        """`reads_all`: in groups the bot hears every word (privacy mode off). `keeps_limits`: what
        goes beyond Telegram's limits is refused with 429, not only recorded. `push_retry_seconds`:
        a webhook push that failed is tried again by itself.
        """
        self.token = token
        self.port = 0
        self.is_down = False
        self.calls: list[Call] = []
        self.network = Network(clock, username, reads_all)
        self.handing = Handing(self.network, retry_seconds=push_retry_seconds)
        self._methods = BotMethods(self.network, keeps_limits=keeps_limits)
        self._faults: dict[str, list[Fault]] = {}
        self._server: HTTPServer | None = None

    async def __aenter__(self) -> Self:
        application = Application(
            [(r"/bot([^/]+)/(\w+)", _Endpoint, {"answer": self._answer})], log_function=_keep_quiet
        )
        self._server = HTTPServer(application, max_body_size=_MAX_BODY_OCTETS)
        sockets = bind_sockets(self.port, "127.0.0.1")
        self.port = sockets[0].getsockname()[1]
        self._server.add_sockets(sockets)
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.handing.close()
        if self._server is not None:
            self._server.stop()
            await self._server.close_all_connections()

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> TelegramSettings:
        """What the production client needs to be this bot."""
        return TelegramSettings(token=self.token, api_url=self.api_url)

    @property
    def username(self) -> str:
        return self.network.username

    @property
    def waiting(self) -> int:
        """How many updates the bot has not confirmed."""
        return len(self.network.updates)

    @property
    def violations(self) -> list[Violation]:
        """Where the bot wrote faster than Telegram allows."""
        return self.network.meter.violations

    def user(self, name: str) -> User:
        """Somebody with a phone, who has not written to the bot yet."""
        return User(self.network, name)

    def group(self, title: str) -> Group:
        """A group without the bot."""
        return Group(self.network, title)

    def fail(self, method: str, *faults: Fault) -> None:
        """The next calls of this method go wrong so, one after the other."""
        self._faults.setdefault(method, []).extend(faults)

    def counts(self) -> Counter[str]:
        """How often each method was called."""
        return Counter(call.method for call in self.calls)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds; it is looked at whenever something has changed here."""
        await self.network.until(condition)

    async def emptied(self) -> None:
        """Wait until the bot has confirmed everything."""
        await self.until(lambda: not self.waiting)

    async def polled(self) -> None:
        """Wait until the bot asks for updates and none are there."""
        await self.until(lambda: self.handing.is_polled and not self.waiting)

    async def _answer(self, token: str, call: Call) -> dict[str, Any] | Fault:
        """The JSON of the answer, or how there is none."""
        self.calls.append(call)
        await self.network.tell()
        if self.is_down:
            return Fault("drop")
        waiting = self._faults.get(call.method)
        fault = waiting.pop(0) if waiting else None
        if fault is not None and fault.how in {"drop", "silence"}:
            return fault
        if fault is not None and fault.how == "answer":
            return fault.error.body()
        try:
            answer = {"ok": True, "result": await self._result(token, call)}
        except ApiError as error:
            answer = error.body()
        return fault or answer

    async def _result(self, token: str, call: Call) -> Any:
        if token != self.token:
            raise ApiError(401, "Unauthorized")
        handing = {
            "getUpdates": self.handing.get_updates,
            "setWebhook": self.handing.set_webhook,
            "deleteWebhook": self.handing.delete_webhook,
            "getWebhookInfo": self.handing.get_webhook_info,
        }
        method = handing.get(call.method) or self._methods.by_name.get(call.method)
        if method is None:
            raise ApiError(404, "Not Found: method not found")
        return await method(call)


class _Endpoint(RequestHandler):
    """One request: JSON, a form, multipart or a query."""

    def initialize(self, answer: Callable[[str, Call], Any]) -> None:
        self._answer = answer
        self._answering: asyncio.Task[Any] | None = None

    async def get(self, token: str, method: str) -> None:
        await self.post(token, method)

    async def post(self, token: str, method: str) -> None:
        fields = {name: values[-1].decode() for name, values in self.request.arguments.items()}
        if self.request.headers.get("Content-Type", "").startswith("application/json"):
            body = json.loads(self.request.body or b"{}")
            fields |= {
                name: value if isinstance(value, str) else json.dumps(value)
                for name, value in body.items()
            }
        files = {name: uploads[-1].body for name, uploads in self.request.files.items()}
        # A task of its own, so that a client that hangs up ends its long poll.
        self._answering = asyncio.ensure_future(self._answer(token, Call(method, fields, files)))
        await asyncio.wait({self._answering})
        if self._answering.cancelled():
            return
        answer = self._answering.result()
        if not isinstance(answer, Fault):
            self.set_status(answer.get("error_code", 200))
            self.finish(answer)
        elif answer.how == "garble":
            self.finish(answer.text)
        elif answer.how == "silence":
            self._answering = asyncio.ensure_future(asyncio.Event().wait())
            await asyncio.wait({self._answering})
        else:
            self.detach().close()

    def on_connection_close(self) -> None:
        if self._answering is not None:
            self._answering.cancel()


def _keep_quiet(handler: RequestHandler) -> None:
    """Paths hold the token."""
