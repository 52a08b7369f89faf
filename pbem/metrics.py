"""Numbers for a Prometheus: what happened is counted as it happens, how the house stands is looked
up when somebody asks.

Labels are kinds and codes of our own making, from bounded sets: never a name, an address, a game or
a player.
"""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import CancelledError as FutureCancelled
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pbem.desk.ports import Tally
from pbem.desk.upkeep.health import Health, Verdict

LOOK_SECONDS = 5.0
MOST_CODES = 80
LATENESS_SECONDS = (1, 2, 5, 10, 30, 60, 300, 900, 3600, 14400)
WAITING_SECONDS = (0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 14400, 86400)
OTHER = "other"

_log = structlog.get_logger("metrics")
_CODE = re.compile(r"[a-z]+(?:-[a-z]+){0,6}")

Look = Callable[[], Awaitable[Health]]


class Codes:
    """The codes seen as one label: what is no code, or comes when there are too many, is
    `other`.
    """

    def __init__(self, most: int = MOST_CODES) -> None:
        self._most = most
        self._seen: set[str] = set()
        self._lock = threading.Lock()

    def normal(self, code: str) -> str:
        """The part before a colon, which is where particulars begin."""
        head = code.partition(":")[0]
        if len(head) > 40 or not _CODE.fullmatch(head):
            return OTHER
        with self._lock:
            if head not in self._seen and len(self._seen) >= self._most:
                return OTHER
            self._seen.add(head)
        return head


class PrometheusTally(Tally):
    """The desk's `Tally`, counting in a registry of its own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        counter, histogram = (
            partial(Counter, registry=registry),
            partial(Histogram, registry=registry),
        )
        self._codes = {label: Codes() for label in ("outcome", "code", "phase", "letter")}
        self._messages = counter("pbem_messages", "Messages handled, by outcome.", ("outcome",))
        self._lag = histogram(
            "pbem_message_lag_seconds",
            "From the mail server's receipt of a message to its handling.",
            buckets=WAITING_SECONDS,
        )
        self._refusals = counter("pbem_refusals", "Orders refused, by reason.", ("code",))
        self._closes = counter(
            "pbem_closes",
            "Phases closed, by kind; early: before the deadline, as all were final.",
            ("phase", "early"),
        )
        self._lateness = histogram(
            "pbem_close_lateness_seconds",
            "From the deadline to the close, of closes that waited for it.",
            buckets=LATENESS_SECONDS,
        )
        words = "Attempts to send a letter, by kind and result."
        self._letters = counter("pbem_letters", words, ("letter", "delivery"))
        words = "From a letter's due time to the server's yes."
        self._age = histogram("pbem_letter_age_seconds", words, buckets=WAITING_SECONDS)
        words = "Archives of games brought up to date, or failed to be."
        self._archives = counter("pbem_archives", words, ("outcome",))

    def received(self, outcome: str, lag_seconds: float) -> None:
        self._messages.labels(self._codes["outcome"].normal(outcome)).inc()
        self._lag.observe(max(lag_seconds, 0.0))

    def refused(self, code: str) -> None:
        self._refusals.labels(self._codes["code"].normal(code)).inc()

    def closed(self, kind: str, lateness_seconds: float) -> None:
        early = lateness_seconds < 0
        self._closes.labels(self._codes["phase"].normal(kind), "yes" if early else "no").inc()
        if not early:
            self._lateness.observe(lateness_seconds)

    def sent(self, kind: str, delivery: str, age_seconds: float) -> None:
        result = delivery if delivery in ("sent", "deferred", "refused") else OTHER
        self._letters.labels(self._codes["letter"].normal(kind), result).inc()
        if result == "sent":
            self._age.observe(max(age_seconds, 0.0))

    def archived(self, outcome: str) -> None:
        self._archives.labels(outcome if outcome in ("written", "failed") else OTHER).inc()


class HealthCollector(Collector):
    """Asks the service for its state when a Prometheus asks us; runs in the threads of the metrics
    server.

    If the service does not answer in time, it reports only that: no number is better than an old
    one.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, look: Look, seconds: float = LOOK_SECONDS
    ) -> None:
        self._loop = loop
        self._look = look
        self._seconds = seconds

    def describe(self) -> Iterator[Metric]:
        """Nothing is asked when we are registered."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        asked = asyncio.run_coroutine_threadsafe(self._ask(), self._loop)
        try:
            health = asked.result(self._seconds)
        except (TimeoutError, FutureCancelled):
            asked.cancel()
            yield _verdict_gauge(Verdict.FAILING)
        else:
            yield from gauges_of(health)

    async def _ask(self) -> Health:
        return await self._look()


def gauges_of(health: Health) -> Iterator[Metric]:
    """A look at the service as gauges."""
    yield _verdict_gauge(health.verdict)
    build = GaugeMetricFamily("pbem_build", "The program's version.", labels=("version",))
    build.add_metric([health.version], 1.0)
    yield build
    if not health.is_known:
        return
    plain = {
        "pbem_inbox_waiting": ("Messages not handled yet.", health.inbox_waiting),
        "pbem_inbox_lag_seconds": (
            "How long the longest waiting message waits.",
            health.inbox_lag_seconds,
        ),
        "pbem_outbox_waiting": ("Letters due and not sent.", health.outbox_waiting),
        "pbem_outbox_age_seconds": (
            "How long the longest unsent letter is due.",
            health.outbox_age_seconds,
        ),
        "pbem_games_running": ("Games under way.", health.games_running),
        "pbem_closes_overdue": ("Open phases whose deadline is over.", health.overdue_closes),
        "pbem_closes_held": ("Closes that wait for the mailbox.", health.held_closes),
        "pbem_closes_failed": ("Closes that failed too often.", health.failed_closes),
        "pbem_messages_shunted": ("Messages laid aside.", health.shunted),
        "pbem_addresses_suspended": ("Addresses nothing is sent to.", health.suspended_addresses),
    }
    for name, (words, value) in plain.items():
        yield GaugeMetricFamily(name, words, value=float(value))
    if health.disk_free_bytes is not None:
        yield GaugeMetricFamily(
            "pbem_disk_free_bytes",
            "Free where the database lies.",
            value=float(health.disk_free_bytes),
        )
    ages = GaugeMetricFamily(
        "pbem_mark_age_seconds", "How long ago the service last did this.", labels=("mark",)
    )
    for name, mark in health.marks.items():
        ages.add_metric([name], mark.age_seconds)
    yield ages


def _verdict_gauge(holding: Verdict) -> Metric:
    verdicts = GaugeMetricFamily(
        "pbem_health", "1 for the verdict that holds.", labels=("verdict",)
    )
    for verdict in Verdict:
        verdicts.add_metric([verdict.value], float(verdict is holding))
    return verdicts


class MetricsServer:
    """Where a Prometheus may ask; `port` is the one that was taken."""

    def __init__(self, registry: CollectorRegistry, host: str, port: int) -> None:
        self._server, self._thread = start_http_server(port, host, registry)
        self.port = int(self._server.server_port)

    def stop(self) -> None:
        """Ends within a second; to be called in a thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def new_registry() -> CollectorRegistry:
    """A registry with what is known of every process: memory, file handles, garbage."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


@asynccontextmanager
async def counting(host: str, port: int | None, look: Look) -> AsyncIterator[Tally]:
    """Count for a worker, and answer a Prometheus at the port if one is set and free: where the
    service or another worker of this host has it, this worker is simply not asked.
    """
    if port is None:
        yield Tally()
        return
    registry = new_registry()
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(serving_metrics(registry, look, host, port))
        except OSError as error:
            _log.warning("metrics-port-taken", port=port, reason=str(error))
        yield PrometheusTally(registry)


@asynccontextmanager
async def serving_metrics(
    registry: CollectorRegistry, look: Look, host: str, port: int
) -> AsyncIterator[MetricsServer]:
    """Answer a Prometheus at this port (0: a free one) as long as the block lasts. OSError when the
    port is taken.
    """
    registry.register(HealthCollector(asyncio.get_running_loop(), look))
    server = await asyncio.to_thread(MetricsServer, registry, host, port)
    try:
        yield server
    finally:
        await asyncio.to_thread(server.stop)
