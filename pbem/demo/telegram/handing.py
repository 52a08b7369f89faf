"""How updates get to the bot: asked for by `getUpdates`, or pushed to its webhook."""

import asyncio
from dataclasses import dataclass
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPError, HTTPRequest

from pbem.demo.telegram.calls import Call
from pbem.demo.telegram.faults import ApiError
from pbem.demo.telegram.network import Network

_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_OTHER_POLLER = (
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is"
    " running"
)
_WEBHOOK_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the"
    " webhook first"
)
_PUSH_SECONDS = 60.0


@dataclass(slots=True)
class _Poll:
    """A request that waits for updates."""

    news: asyncio.Event
    refusal: ApiError | None = None


class Handing:
    """Long polling with Telegram's offsets, or pushing one update after the other, each confirmed
    by a 200.
    """

    def __init__(self, network: Network, *, retry_seconds: float | None = None) -> None:
        """`retry_seconds`: a push that failed is tried again after so long; None leaves that to
        `push` and to the next update.
        """
        self._network = network
        self._retry_seconds = retry_seconds
        self._poll: _Poll | None = None
        self._pushing: asyncio.Task[None] | None = None
        self.push_statuses: list[int] = []
        network.on_update.append(self._on_update)

    @property
    def is_polled(self) -> bool:
        """Whether a request waits for updates at this moment."""
        return self._poll is not None

    async def get_updates(self, call: Call) -> list[dict[str, Any]]:
        """The oldest unconfirmed updates; waits up to `timeout` seconds of real time for the
        first.
        """
        network = self._network
        if network.webhook.url:
            raise ApiError(409, _WEBHOOK_ACTIVE)
        self._end_poll(_OTHER_POLLER)
        kinds = call.json("allowed_updates")
        if kinds is not None:
            network.updates.allow(kinds)
        offset = call.number("offset", 0)
        if offset:
            network.updates.confirm_below(offset)
            await network.tell()
        limit = min(max(call.number("limit", 100), 1), 100)
        poll = self._poll = _Poll(asyncio.Event())
        try:
            await network.tell()
            if not network.updates.first(network.clock.now(), limit):
                await self._wait(poll, call.number("timeout", 0))
            if poll.refusal is not None:
                raise poll.refusal
            return [waiting.body for waiting in network.updates.first(network.clock.now(), limit)]
        finally:
            if self._poll is poll:
                self._poll = None

    async def set_webhook(self, call: Call) -> bool:
        """Push to this address from now on; "" stops pushing."""
        webhook = self._network.webhook
        webhook.url, webhook.secret = (
            call.fields.get("url", ""),
            call.fields.get("secret_token", ""),
        )
        webhook.last_error, webhook.last_error_at = "", None
        kinds = call.json("allowed_updates")
        if kinds is not None:
            self._network.updates.allow(kinds)
        self._end_poll("Conflict: terminated by setWebhook request")
        self._on_update()
        return True

    async def delete_webhook(self, call: Call) -> bool:
        """Back to asking."""
        self._network.webhook.url = ""
        if call.flag("drop_pending_updates"):
            self._network.updates.confirm_below(2**62)
        return True

    async def get_webhook_info(self, call: Call) -> dict[str, Any]:
        """Where to, how much waits, and what went wrong last."""
        webhook = self._network.webhook
        info: dict[str, Any] = {
            "url": webhook.url,
            "has_custom_certificate": False,
            "pending_update_count": len(self._network.updates),
        }
        if webhook.last_error_at is not None:
            info |= {
                "last_error_date": int(webhook.last_error_at.timestamp()),
                "last_error_message": webhook.last_error,
            }
        return info

    async def push(self) -> None:
        """Push what waits, until one push fails or nothing is left."""
        self._on_update()
        if self._pushing is not None:
            await asyncio.wait({self._pushing})

    async def close(self) -> None:
        self._end_poll("Conflict: the server shuts down")
        if self._pushing is not None:
            self._pushing.cancel()
            await asyncio.gather(self._pushing, return_exceptions=True)

    async def _wait(self, poll: _Poll, seconds: int) -> None:
        try:
            async with asyncio.timeout(seconds):
                await poll.news.wait()
        except TimeoutError:
            return

    def _end_poll(self, why: str) -> None:
        if self._poll is not None:
            self._poll.refusal = ApiError(409, why)
            self._poll.news.set()

    def _on_update(self) -> None:
        if self._poll is not None:
            self._poll.news.set()
        if self._network.webhook.url and (self._pushing is None or self._pushing.done()):
            self._pushing = asyncio.get_running_loop().create_task(self._push_all())

    async def _push_all(self) -> None:
        network = self._network
        while network.webhook.url and (waiting := network.updates.first(network.clock.now(), 1)):
            if await self._push_one(waiting[0].as_bytes()):
                network.updates.confirm(waiting[0].update_id)
                await network.tell()
            elif self._retry_seconds is None:
                return
            else:
                await asyncio.sleep(self._retry_seconds)

    async def _push_one(self, body: bytes) -> bool:
        webhook = self._network.webhook
        headers = {
            "Content-Type": "application/json",
            **({_SECRET_HEADER: webhook.secret} if webhook.secret else {}),
        }
        request = HTTPRequest(
            webhook.url, method="POST", headers=headers, body=body, request_timeout=_PUSH_SECONDS
        )
        try:
            answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        except (HTTPError, OSError) as error:
            status, text = 599, str(error) or type(error).__name__
        else:
            status, text = (
                answer.code,
                f"Wrong response from the webhook: {answer.code} {answer.reason}",
            )
        self.push_statuses.append(status)
        if status != 200:
            webhook.last_error, webhook.last_error_at = text, self._network.clock.now()
            await self._network.tell()
        return status == 200
