"""What a Prometheus gets from a running service: numbers of a small game, and nobody's anything."""

import asyncio
import urllib.request
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from pbem.config import MetricsSection
from pbem.demo.clock import START, FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk.ports import Tally
from pbem.desk.upkeep.health import Health, unreachable
from pbem.house import open_service
from pbem.metrics import OTHER, Codes, HealthCollector, MetricsServer, counting, serving_metrics
from tests.house.test_service import ANNA, BEN, GM, HOST, ORDERS, House, config_of

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def scrape(port: int | None) -> str:
    def get() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(get)


def samples_of(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.long(held_by="tests/store/test_figures.py (what is counted)")
async def test_a_prometheus_sees_the_game_in_numbers_and_no_names(tmp_path: Path) -> None:
    config = config_of(tmp_path).model_copy(update={"metrics": MetricsSection(port=0)})
    clock = FastClock()
    async with EmbeddedMail(clock, host=HOST) as mail:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        async with open_service(
            config, clock, imap=mail.imap_settings(ORDERS), smtp=mail.smtp_settings(ORDERS)
        ) as service:
            there = House(service, mail, clock)
            await there.open_game()
            await there.post(ANNA, "bid 12. final")
            await there.post(BEN, "bid xylophone")
            await there.handled(2)
            before = await scrape(service.metrics_port)
            async with service.services.database.read() as work:
                (phase,) = await work.phases.list_running()
            clock.advance_to(phase.deadline + timedelta(seconds=4))
            await service.inbox.drain()
            await service.settle()
            after = await scrape(service.metrics_port)
    first, last = samples_of(before), samples_of(after)
    assert first["pbem_messages_total", (("outcome", "orders"),)] >= 1
    assert first["pbem_refusals_total", (("code", "not-understood"),)] == 1
    assert first["pbem_message_lag_seconds_count", ()] == 2
    assert first["pbem_games_running", ()] == 1
    assert first["pbem_letters_total", (("delivery", "sent"), ("letter", "receipt"))] >= 1
    assert ("pbem_closes_total", (("early", "no"), ("phase", "bidding"))) not in first
    assert last["pbem_closes_total", (("early", "no"), ("phase", "bidding"))] == 1
    assert last["pbem_close_lateness_seconds_bucket", (("le", "10.0"),)] == 1
    assert last["pbem_mark_age_seconds", (("mark", "closed"),)] >= 0
    assert last["pbem_mark_age_seconds", (("mark", "delivered"),)] >= 0
    assert last["pbem_disk_free_bytes", ()] > 0
    assert last["process_resident_memory_bytes", ()] > 0
    for word in ("anna", "ben", "heron", "xylophone", HOST, "orders@", "gm@"):
        assert word not in after.lower(), word
    labels = {label for _name, found in last for label, _value in found}
    assert labels <= {
        *("outcome", "code", "phase", "early", "letter", "delivery", "le", "mark", "verdict"),
        *("version", "generation"),
    }


async def test_of_a_service_that_does_not_answer_only_that_is_told() -> None:
    never = asyncio.Event()

    async def look() -> Health:
        await never.wait()
        return unreachable(START, "database-unreachable")

    registry = CollectorRegistry()
    registry.register(HealthCollector(asyncio.get_running_loop(), look, seconds=0.05))
    server = await asyncio.to_thread(MetricsServer, registry, "127.0.0.1", 0)
    try:
        assert samples_of(await scrape(server.port)) == {
            ("pbem_health", (("verdict", verdict),)): float(verdict == "failing")
            for verdict in ("ok", "degraded", "failing")
        }
    finally:
        await asyncio.to_thread(server.stop)


async def test_of_a_database_that_cannot_be_read_no_numbers_are_told() -> None:
    async def look() -> Health:
        return unreachable(START, "database-unreachable")

    async with serving_metrics(CollectorRegistry(), look, "127.0.0.1", 0) as server:
        assert {name for name, _labels in samples_of(await scrape(server.port))} == {
            "pbem_health",
            "pbem_build",
        }


def test_codes_are_a_bounded_set() -> None:
    codes = Codes(most=3)
    said = [
        *("orders", "stranger:unknown-sender", "Anna Smith", "anna@players.example"),
        "x" * 50,
        "copy",
        "note",
        "orders",
    ]
    assert [codes.normal(code) for code in said] == [
        "orders",
        "stranger",
        OTHER,
        OTHER,
        OTHER,
        "copy",
        OTHER,
        "orders",
    ]


async def test_a_worker_counts_where_its_port_is_free_and_works_where_it_is_not() -> None:
    async def look() -> Health:
        return unreachable(START, "database-unreachable")

    async with serving_metrics(CollectorRegistry(), look, "127.0.0.1", 0) as server:
        async with counting("127.0.0.1", server.port, look) as tally:
            tally.closed("orders", 2.0)
        assert "pbem_closes_total" not in await scrape(server.port)
        port = server.port
    async with counting("127.0.0.1", port, look) as tally:
        tally.closed("orders", 2.0)
        assert (
            samples_of(await scrape(port))[
                "pbem_closes_total", (("early", "no"), ("phase", "orders"))
            ]
            == 1
        )
    async with counting("127.0.0.1", None, look) as tally:
        assert isinstance(tally, Tally)
