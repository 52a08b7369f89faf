"""Archives are kept up to date beside the service: what is out of date is found, one at a time, what
failed is tried again, and nobody waits for it.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive.catalogue import read_catalogue
from pbem.archive.outdated import Stamp, read_standing
from pbem.config import ArchiveSection
from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail
from pbem.desk import gm
from pbem.desk.gm.table_rules import set_people
from pbem.desk.ports import Services, Tally
from pbem.house import open_service
from pbem.publishing import EVERY, FIRST_PAUSE, LONGEST_PAUSE, OwnPress, Publishing
from tests.desk.harness import Desk, open_desk
from tests.house.test_service import ANNA, BEN, GM, HOST, ORDERS, House, config_of

BY = gm.By("test")


@dataclass
class Shelf(OwnPress):
    """A press that notes what it is asked for."""

    services: Services
    lies: dict[str, Stamp] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    rests: int = 0
    busy: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self) -> Mapping[str, Stamp]:
        return dict(self.lies)

    async def publish(self, slug: str) -> Stamp:
        self.done.append(slug)
        self.begun.set()
        if self.busy is not None:
            await self.busy.wait()
        if slug in self.broken:
            raise RuntimeError("no room on the disk")
        self.lies[slug] = (await read_standing(self.services)).public[slug]
        return self.lies[slug]

    async def take_away(self, slug: str) -> None:
        self.done.append(f"-{slug}")
        if slug in self.broken:
            raise RuntimeError("no right to do so")
        del self.lies[slug]

    async def rest(self) -> None:
        self.rests += 1


@dataclass
class Counting(Tally):
    counted: list[str] = field(default_factory=list)

    def archived(self, outcome: str) -> None:
        self.counted.append(outcome)


async def look(desk: Desk, publishing: Publishing, later: timedelta = EVERY) -> None:
    desk.clock.instant += later
    publishing.look()
    await publishing.wait()


async def test_what_was_missed_is_found_at_the_start_and_then_each_close(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        tally = Counting()
        services = replace(desk.services, tally=tally)
        shelf = Shelf(services)
        await shelf.publish("heron")
        publishing = Publishing(services, shelf)
        await look(desk, publishing)
        assert shelf.done == ["heron", "egret"]
        await look(desk, publishing)
        await desk.everybody_passes()
        await look(desk, publishing)
        assert shelf.done[2:] == ["heron", "egret"], "both had the same deadline"
        assert shelf.lies == (await read_standing(desk.services)).public
        assert set(tally.counted) == {"written"}
        assert shelf.rests == 3, "its process does not stay when there is nothing to do"


async def test_a_deadline_that_moves_is_published_too(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        shelf = Shelf(desk.services)
        publishing = Publishing(desk.services, shelf)
        await look(desk, publishing)
        async with desk.services.database.read() as work:
            (phase,) = await work.phases.list_running()
        await gm.extend(desk.services, "heron", phase.deadline + timedelta(hours=5), BY)
        await look(desk, publishing)
        await gm.pause(desk.services, "heron", BY)
        await look(desk, publishing)
        await look(desk, publishing)
    assert shelf.done == ["heron"] * 3


async def test_one_look_at_a_time_and_what_closes_meanwhile_comes_with_the_next(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        shelf = Shelf(desk.services, busy=asyncio.Event())
        publishing = Publishing(desk.services, shelf)
        desk.clock.instant += EVERY
        publishing.look()
        await shelf.begun.wait()
        await desk.everybody_passes()
        desk.clock.instant += EVERY
        publishing.look()
        assert publishing.is_busy
        assert shelf.busy is not None
        shelf.busy.set()
        await publishing.wait()
        assert shelf.done == ["heron"]
        await look(desk, publishing)
        assert shelf.lies == (await read_standing(desk.services)).public


async def test_what_fails_is_counted_keeps_nobody_waiting_and_is_tried_again_with_growing_pauses(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        tally = Counting()
        services = replace(desk.services, tally=tally)
        shelf = Shelf(services, broken={"heron"})
        publishing = Publishing(services, shelf)
        await look(desk, publishing)
        assert (shelf.done, tally.counted) == (["heron", "egret"], ["failed", "written"])
        await look(desk, publishing)
        assert shelf.done == ["heron", "egret"]
        await look(desk, publishing, FIRST_PAUSE)
        await look(desk, publishing, FIRST_PAUSE)
        assert shelf.done.count("heron") == 2, "the second pause is longer"
        await look(desk, publishing, FIRST_PAUSE)
        assert shelf.done.count("heron") == 3
        shelf.broken.clear()
        await look(desk, publishing, LONGEST_PAUSE)
        assert shelf.lies.keys() == {"heron", "egret"}


async def test_closes_go_first(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        shelf = Shelf(desk.services)
        publishing = Publishing(desk.services, shelf)
        with desk.services.precedence.closing():
            await look(desk, publishing)
            assert shelf.done == []
        await look(desk, publishing)
    assert shelf.done == ["heron"]


async def test_a_table_closed_to_observers_is_not_published_and_what_was_is_taken_away(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        await set_people(desk.services, "egret", {"observers": False}, BY)
        shelf = Shelf(desk.services)
        publishing = Publishing(desk.services, shelf)
        await look(desk, publishing)
        assert shelf.done == ["heron"]
        shelf.broken.add("heron")
        await set_people(desk.services, "heron", {"observers": False}, BY)
        await look(desk, publishing)
        assert (shelf.done[-1], list(shelf.lies)) == ("-heron", ["heron"])
        shelf.broken.clear()
        await look(desk, publishing, LONGEST_PAUSE)
        assert shelf.lies == {}


async def test_a_stop_breaks_off_what_is_under_way(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        shelf = Shelf(desk.services, busy=asyncio.Event())
        publishing = Publishing(desk.services, shelf)
        publishing.look()
        await shelf.begun.wait()
        await publishing.stop()
        assert not publishing.is_busy
        assert shelf.lies == {}


@pytest.mark.long(held_by="the other tests here, and tests/desk/upkeep/test_shelf.py")
async def test_a_service_publishes_its_games_in_a_process_of_its_own(tmp_path: Path) -> None:
    folder, clock = tmp_path / "site", FastClock()
    archive = ArchiveSection(folder=folder, base_url="https://play.house.example/games")
    config = config_of(tmp_path).model_copy(update={"archive": archive})
    async with EmbeddedMail(clock, host=HOST) as mail:
        for address in (ORDERS, GM, ANNA, BEN):
            await mail.add_account(address, f"pass-{address}", imap=address == ORDERS)
        async with open_service(
            config, clock, imap=mail.imap_settings(ORDERS), smtp=mail.smtp_settings(ORDERS)
        ) as service:
            await House(service, mail, clock).open_game()
            publishing = service.publishing
            assert publishing is not None
            publishing.look()
            await publishing.wait()
            standing = await read_standing(service.services)
            press = OwnPress(config, folder)
            assert (await press.read()) == standing.public
            await press.rest()
    assert {slug: card.stamp for slug, card in read_catalogue(folder).items()} == standing.public
    assert "https://play.house.example/games/heron/" in (folder / "feed.xml").read_text("utf-8")
    assert (folder / "heron" / "index.html").exists()
