"""A whole game on PostgreSQL and Redis with a serving process and several workers, through
everything that can happen to them.
"""

import asyncio
import random
import signal
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.stage import play_of
from pbem.desk import gm
from pbem.desk.jobs import Job
from pbem.desk.ports import Services
from pbem.desk.table import load_table
from pbem.desk.upkeep.records import verify_game
from pbem.play import Person, ScriptedQuestion, Seen
from tests.desk.harness import SEED, Desk, open_desk, parse
from tests.played import PLAYED
from tests.scale.fleet import GM, NAMES, Fleet, address_of, letters_of, open_fleet
from tests.servers.postgres import Postgres
from tests.servers.redis import Redis, running_redis
from workers.inprocess import WORKER_THREADS
from workers.jobs import message_of
from workers.onredis import open_broker

pytestmark = [
    pytest.mark.servers,
    pytest.mark.long(
        held_by="tests/scale/test_several_hosts.py (two hosts on one PostgreSQL, the same record),"
        " tests/scale/test_worker_alive.py and tests/workers/test_onredis.py (workers on Redis)"
    ),
]

BURST = 6
WRITTEN_PHASES = 5
"""So many phases everybody writes in; then nobody does, and the Dragon takes the realm."""

PERSON = Person("Anna", "anna@players.example", "UTC", (), "lines", 0.0, 0.5, 0.5, 0.5)
OPENED = datetime(2026, 11, 16, tzinfo=UTC)
CLOSING = OPENED + timedelta(days=3)
"""When everybody thinks does not matter."""

Rows = dict[str, list[Any]]


@dataclass
class Played:
    """What is left of the game."""

    rows: Rows
    reference: Rows
    differences: list[str]
    states: Counter[str]
    mails: dict[str, list[bytes]]
    letters: list[tuple[str, str]]
    texts: dict[int, dict[str, list[str]]]
    ends: list[int]
    rival: tuple[int, list[str]]
    versions: list[tuple[int, tuple[str, ...]]]


async def plans(services: Services, number: int) -> dict[str, str]:
    """What everybody orders in the open phase, as the demonstration's players would."""
    async with services.read() as tx:
        game = await tx.work.games.find_by_slug("heron")
        assert game is not None
        table = await load_table(tx, game)
    rules, play = table.kind.ruleset, play_of(table.kind)
    texts = {}
    for seat in table.seats:
        view: Any = rules.view(table.state, seat.number)
        seen = Seen(seat.number, view, tuple(rules.legal(table.state, seat.number)))
        question = ScriptedQuestion(
            PERSON, seen, play.stage_of(view), number, number, OPENED, CLOSING
        )
        orders = (
            play.plan(question, random.Random(f"{number} {seat.number}"))
            if seat.status == "active"
            else ()
        )
        texts[seat.name] = "\n".join(rules.format_order(table.state, order) for order in orders)
    return texts


async def open_phase(services: Services) -> int | None:
    async with services.database.read() as work:
        running = await work.phases.list_running()
    return running[0].number if running else None


async def read_rows(services: Services) -> Rows:
    """What a game comes to, without any instant."""
    async with services.database.read() as work:
        game = await work.games.find_by_slug("heron")
        assert game is not None
        latest = [
            row
            for number in range(1, game.phase_number)
            for row in await work.orders.latest(game.id, number)
        ]
        return {
            "game": [game.status, game.phase_number, game.chance_place, game.attempts],
            "phases": [
                (phase.number, phase.kind, phase.status, phase.asked)
                for phase in await work.phases.list_of_game(game.id)
            ],
            "states": [
                await work.states.find(game.id, number)
                for number in range(1, game.phase_number + 1)
            ],
            "events": [
                (row.phase_number, row.ordinal, row.kind, row.body, row.audience, row.rules)
                for row in await work.events.list_of_game(game.id)
            ],
            "orders": sorted(
                (row.phase_number, row.seat_id, row.canonical, row.final) for row in latest
            ),
            "seats": [
                (seat.number, seat.name, seat.status)
                for seat in await work.seats.list_of_game(game.id)
            ],
        }


async def play_reference(folder: Path, texts: dict[int, dict[str, list[str]]]) -> Rows:
    """The same orders in one process on SQLite, where nothing ever went wrong."""
    async with open_desk(folder) as desk:
        await desk.open_game(names=NAMES)
        number: int | None = 1
        while number is not None:
            await _write_all(desk, texts.get(number, {}))
            if await open_phase(desk.services) == number:
                await desk.everybody_passes()
            number = await open_phase(desk.services)
        return await read_rows(desk.services)


async def _write_all(desk: Desk, texts: dict[str, list[str]]) -> None:
    questions = {name: desk.turn_mail(name) for name in texts}
    for name, mine in texts.items():
        for text in mine:
            await desk.write(name, text, answering=questions[name])


class Evening:
    """The game as it is played, phase by phase."""

    def __init__(self, fleet: Fleet, services: Services, redis: Redis) -> None:
        self.fleet = fleet
        self.services = services
        self.redis = redis
        self.texts: dict[int, dict[str, list[str]]] = {}
        self.stored = 0

    async def write(self, number: int, *, burst: bool = False, final: bool = False) -> None:
        """Everybody answers; the service has stored it, whoever will handle it."""
        mine = {name: [text] for name, text in (await plans(self.services, number)).items() if text}
        if burst:
            mine["Anna"] = [*(f"bid {count}" for count in range(1, BURST)), *mine.get("Anna", [])]
        for name in NAMES if final else ():
            mine[name] = [*mine.get(name, []), "final"]
        self.texts[number] = mine
        questions = {name: await self.fleet.question(self.services, name) for name in mine}
        for name, texts in mine.items():
            for text in texts:
                await self.fleet.post(name, text, questions[name])
        self.stored += sum(map(len, mine.values()))
        await self.fleet.said("mail-stored", times=self.stored)

    async def handled(self) -> None:
        """Everything stored is handled, and every answer has arrived."""
        await self.fleet.said("mail-handled", times=self.stored)
        await self.fleet.all_arrived(self.services)

    async def close(self, number: int) -> None:
        """The game master closes the phase; the bulletins and the next questions have arrived."""
        await gm.close_now(self.services, "heron", number, gm.By("test"))
        await self.closed(number)

    async def closed(self, number: int) -> None:
        await self.fleet.said("phase-closed", phase=number)
        await self.fleet.all_arrived(self.services)


async def play(folder: Path, database_url: str, redis: Redis) -> Played:
    async with open_fleet(folder, database_url, redis.url) as (fleet, services):
        server = await fleet.begin("serve")
        first = await fleet.begin_doomed("close.painted")
        await fleet.said("serving")
        rival = await fleet.begin("serve")
        new = gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta", seed=SEED)
        await gm.open_table(services, new, gm.By("test"))
        for name in NAMES:
            await gm.invite(services, "heron", name, address_of(name), gm.By("test"))
        await gm.start(services, "heron", gm.By("test"))
        evening = Evening(fleet, services, redis)

        # Phase 1: whoever closes is killed, once before it writes and once in the middle of the
        # transaction.
        await evening.write(1, burst=True)
        await evening.handled()
        await gm.close_now(services, "heron", 1, gm.By("test"))
        assert await first.ended() == -signal.SIGKILL
        second = await fleet.begin_doomed("close.written")
        assert await second.ended() == -signal.SIGKILL
        async with services.database.read() as work:
            game = await work.games.find_by_slug("heron")
        assert game is not None
        assert game.phase_number == 1
        workers = [await fleet.begin("worker"), await fleet.begin("worker", "--threads", "3")]
        await evening.closed(1)

        # Phase 2: the queue is emptied while jobs wait in it.
        for worker in workers:
            await fleet.said("working", by=worker)
            worker.tell(signal.SIGSTOP)
        await evening.write(2)
        assert redis.say("FLUSHALL").startswith(b"+OK")
        for worker in workers:
            worker.tell(signal.SIGCONT)
        await evening.handled()
        await evening.close(2)

        # Phase 3: every job there ever was comes again, twice.
        await evening.write(3)
        await evening.handled()
        await ask_again(services, redis.url)
        await evening.close(3)

        # Phase 4: the broker is away while orders come in.
        redis.stop()
        if await open_phase(services) is not None:
            await evening.write(4)
        await fleet.said("broker-away", by=server)
        redis.start()
        await fleet.said("broker-back", by=server)
        await evening.handled()

        # And so on: everybody is done early, and at last nobody writes any more.
        number = await open_phase(services)
        while number is not None:
            if 4 < number <= WRITTEN_PHASES:
                await evening.write(number, final=True)
                await evening.handled()
                await evening.closed(number)
            else:
                await evening.close(number)
            number = await open_phase(services)

        async with services.database.read() as work:
            letters = await letters_of(work)
            states = Counter(await work.outbox.count_by_state()) + Counter(
                await work.inbox.count_by_state()
            )
            anna = (await work.seats.list_of_game(1))[0]
            versions = [
                (row.version, row.canonical) for row in await work.orders.history(anna.id, 1)
            ]
        differences = await verify_game(services, "heron")
        rows = await read_rows(services)
        mails = {
            address: await fleet.mail.mails(address) for address in (GM, *map(address_of, NAMES))
        }
        await fleet.stop()
        ends = [hand.process.returncode or 0 for hand in (server, *workers)]
        rival_end = await rival.ended()
    played = Played(
        rows=rows,
        reference={},
        differences=differences,
        states=states,
        mails=mails,
        letters=letters,
        texts=evening.texts,
        ends=ends,
        rival=(rival_end, rival.other),
        versions=versions,
    )
    (folder / "reference").mkdir()
    return replace(played, reference=await play_reference(folder / "reference", evening.texts))


async def ask_again(services: Services, url: str) -> None:
    """Put every job that there could ever have been into the queue, twice."""
    async with services.database.read() as work:
        letters = [row.id for row in await work.outbox.list_by_state("sent", 10_000)]
        messages = [row.id for row in await work.inbox.list_by_state("handled", 10_000)]
    number = await open_phase(services) or 0
    phases = range(1, number + 2)
    jobs = [Job("deliver", (letter,)) for letter in letters]
    jobs += [Job("receive", (message,)) for message in messages]
    jobs += [Job("close_phase", (1, phase)) for phase in phases]
    jobs += [Job("remind", (1, phase)) for phase in phases]
    jobs += [Job("tend_table", (1,)), Job("keep_house")]

    def put() -> None:
        broker = open_broker(url)
        for job in jobs * 2:
            broker.enqueue(message_of(job))
        broker.client.close()

    await asyncio.to_thread(put)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Played:
    with running_redis() as redis:
        return asyncio.run(
            play(tmp_path_factory.mktemp("fleet"), postgres.url(postgres.create()), redis)
        )


def test_the_game_is_played_to_its_end_and_every_state_can_be_replayed(played: Played) -> None:
    assert played.rows["game"][0] == "over"
    assert len(played.rows["phases"]) > WRITTEN_PHASES
    assert played.differences == []


@pytest.mark.parametrize("part", ["game", "phases", "states", "events", "orders", "seats"])
def test_it_came_out_as_in_one_process_on_sqlite_where_nobody_was_killed(
    played: Played, part: str
) -> None:
    assert played.rows[part] == played.reference[part]


def test_every_letter_came_once_and_nothing_else_came(played: Played) -> None:
    arrived = Counter(
        (address, str(parse(raw)["Message-ID"]))
        for address, mails in played.mails.items()
        for raw in mails
    )
    assert arrived == Counter(played.letters)
    assert set(arrived.values()) == {1}


def test_every_order_was_answered_and_nothing_waits(played: Played) -> None:
    written = sum(len(texts) for mine in played.texts.values() for texts in mine.values())
    assert played.states["handled"] == written
    # A letter whose worker was killed between the server's answer and the record has arrived, and
    # waits out its lease. Each thread of the two that were killed may have had one.
    assert played.states["sent"] + played.states["sending"] == len(played.letters)
    assert set(played.states) <= {"handled", "sent", "sending"}
    assert played.states["sending"] <= 2 * WORKER_THREADS
    answers = [parse(raw) for mails in played.mails.values() for raw in mails]
    answered = Counter(
        str(mail["In-Reply-To"]) for mail in answers if str(mail["In-Reply-To"]).count("@") == 1
    )
    assert (
        sum(
            answered[f"<{number}.{address_of(name)}>"]
            for number in range(1, written + 1)
            for name in NAMES
        )
        == written
    )


def test_messages_are_handled_in_the_order_they_came_whoever_handles_them(played: Played) -> None:
    assert [version for version, _ in played.versions] == list(range(1, BURST + 1))
    assert [texts[0] for _, texts in played.versions[: BURST - 1]] == [
        f"Bid {count}" for count in range(1, BURST)
    ]


def test_a_second_service_says_who_was_first(played: Played) -> None:
    status, said = played.rival
    assert status == 5
    assert "already served by pbem serve: process" in "".join(said)


def test_everybody_stops_cleanly(played: Played) -> None:
    assert played.ends == [0, 0, 0]
