"""An old house is played on: a database and records made before the house was rearranged, see
tests/fixtures/before_rearranging/README.md.

What everybody writes is kept with them as mails, what the older state made of these mails as
records. Every order, draw and event must come out the same. The rules have a newer version since,
whose states hold more: digests of states, and seals over them, may differ.
"""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.operator import Operator, Said
from tests.desk.harness import StandingClock, address_of, open_desk
from tests.trouble.old_house import (
    DATABASE,
    KEPT,
    Line,
    carry_out,
    letters_sent,
    read_lines,
    unpack,
)

pytestmark = pytest.mark.long(
    held_by="tests/store/test_migrations.py (every step), tests/record/test_replay.py (records)"
)

_LISTED = json.loads((KEPT / "tables.json").read_text("utf-8"))
TABLES: dict[str, str] = _LISTED["open"]
"""Tables that the old house left open, and their games. Egret gathers its players; Crane is played
decision by decision.
"""
RUNNING = ("heron", "ibis", "crane")
ENDED: dict[str, str] = _LISTED["ended"]
"""Games of which the old house handed out the record when they were over."""


@dataclass
class PlayedOn:
    """What was seen of the house: as it was left, when all was there that had been waited for, some
    phases later, after all games.
    """

    migrated: Said
    statuses: list[dict[str, Any]] = field(default_factory=list)
    verified: list[dict[str, Said]] = field(default_factory=list)
    letters: list[list[list[str]]] = field(default_factory=list)
    records: dict[str, bytes] = field(default_factory=dict)

    def to(self, name: str, stage: int) -> list[tuple[str, str]]:
        """Subject and text of what somebody got on the way to a stage."""
        return [
            (subject, text)
            for recipient, subject, text in self.letters[stage]
            if recipient == address_of(name)
        ]

    def seats(self, slug: str, stage: int) -> dict[str, bool]:
        """Who has answered."""
        return {seat["name"]: seat["answered"] for seat in self.statuses[stage][slug]["seats"]}

    def phases(self, slug: str) -> list[int]:
        return [status[slug]["phase_number"] for status in self.statuses]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> PlayedOn:
    """The old house is opened on a copy of its database, and shut and opened again at every
    stage.
    """
    operator = Operator.at(tmp_path_factory.mktemp("house"))
    operator.database.parent.mkdir()
    operator.database.write_bytes(unpack(DATABASE))
    played = PlayedOn(operator.types("db", "migrate"))
    look(operator, played)
    played.letters.append([])
    mails: list[Any] = []
    for lines in read_lines().values():
        before = len(mails)
        sent, mails = asyncio.run(write(operator.database.parent, lines, mails))
        played.letters.append(sent[before:])
        look(operator, played)
    for slug in TABLES:
        file = operator.folder / f"{slug}.json"
        operator.types("game", "record", slug, "--out", str(file))
        played.records[slug] = file.read_bytes()
    return played


def look(operator: Operator, played: PlayedOn) -> None:
    """What the commands tell at this stage."""
    played.statuses.append(
        {slug: operator.types("game", "status", slug, "--json").json for slug in TABLES}
    )
    begun = [slug for slug in TABLES if played.statuses[-1][slug]["phase_number"]]
    played.verified.append({slug: operator.types("verify", slug) for slug in begun})


async def write(
    folder: Path, lines: list[Line], mails: list[Any]
) -> tuple[list[list[str]], list[Any]]:
    """Everybody writes, with `mails` in their mailboxes; all letters then, as words and as they
    are.
    """
    async with open_desk(folder, clock=StandingClock(datetime.fromisoformat(lines[0].at))) as desk:
        desk.postbox.mails.extend(mails)
        for line in lines:
            await carry_out(desk, line)
        async with desk.services.database.read() as work:
            assert set(await work.inbox.count_by_state()) == {"handled"}
            assert set(await work.outbox.count_by_state()) <= {"sent", "superseded"}
        return letters_sent(desk), list(desk.postbox.mails)


def test_the_house_is_found_as_it_was_left(house: PlayedOn) -> None:
    assert house.migrated.status == 0, house.migrated.err
    assert [house.statuses[0][slug]["status"] for slug in TABLES] == [
        *("running", "open", "running", "running"),
    ]
    assert all(house.statuses[0][slug]["ruleset"] == ruleset for slug, ruleset in TABLES.items())
    assert [house.statuses[0][slug]["phase_kind"] for slug in RUNNING] == [
        "orders",
        "round",
        "reroll",
    ]
    answered = house.seats("heron", 0)
    assert (answered["Anna"], answered["Chloé"], answered["Dmytro"], answered["Emil"]) == (
        *(True, True, False, False),
    )
    assert house.seats("ibis", 0) == {"Fenna": True, "Gustav": False, "Hana": False, "Ivo": False}
    assert [seat["name"] for seat in house.statuses[0]["egret"]["seats"]] == ["Mei"]


def test_every_running_game_is_replayed_without_a_difference_at_every_stage(
    house: PlayedOn,
) -> None:
    assert [set(found) for found in house.verified] == [
        set(RUNNING),
        set(TABLES),
        set(TABLES),
        set(TABLES),
    ]
    wrong = [said.out for found in house.verified for said in found.values() if said.status]
    assert wrong == []


def test_what_was_on_its_way_arrives(house: PlayedOn) -> None:
    """A mail that was stored and not yet read, and letters that a server had put off."""
    (taken, *_) = house.to("Emil", 1)
    assert "Turn 3: 1 order in, and final" in taken[0]
    told, taken = house.to("Chloé", 1)[:2]
    assert "Your press is sent" in told[0]
    assert "Winter comes." in told[1]
    assert "Turn 3: taken" in taken[0]


def test_a_waiting_yes_does_what_it_was_asked_for(house: PlayedOn) -> None:
    """A plan without a proof is taken, somebody is seated, and somebody gives up."""
    assert any("Round 3: 2 lines in, all fine" in subject for subject, _ in house.to("Gustav", 1))
    assert any("You have a seat" in subject for subject, _ in house.to("Nora", 1))
    assert any("Hana gives up" in text for _, text in house.to("Fenna", 1))
    assert any("Round 3: Hana dies" in subject for subject, _ in house.to("Hana", 1))


def test_orders_that_were_missing_are_taken_and_every_open_phase_closes(house: PlayedOn) -> None:
    for name in ("Dmytro", "Ivo", "Linnea"):
        assert any("in, " in subject for subject, _ in house.to(name, 1)), name
    assert any("purchases and bid due" in subject for subject, _ in house.to("Dmytro", 1))
    assert [house.phases(slug)[1] - house.phases(slug)[0] for slug in RUNNING] == [1, 1, 1]


def test_the_gathering_table_fills_votes_and_begins(house: PlayedOn) -> None:
    status = house.statuses[1]["egret"]
    assert (status["status"], status["phase_kind"]) == ("running", "bidding")
    assert list(house.seats("egret", 1)) == ["Mei", "Nora", "Oskar"]
    assert json.loads(house.records["egret"])["options"]["version"] == "grand"


def test_all_tables_are_played_on(house: PlayedOn) -> None:
    assert all(house.phases(slug)[2] - house.phases(slug)[1] >= 2 for slug in TABLES)
    for name, news in {
        "Bartek": "Turn 4: Chloé is out",
        "Hana": "Round 5: ",
        "Jarmila": "turn 4: Linnea hits Jarmila for 3",
        "Mei": "Oskar beats you in P4",
    }.items():
        assert any(news in subject for subject, _ in house.to(name, 2)), name


def played(record: bytes) -> dict[str, Any]:
    """What a record tells of the game, without the digests of its states and its rules' version."""
    told: dict[str, Any] = json.loads(record)
    del told["ruleset_version"]
    for step in (told["start"], *told["phases"]):
        step.pop("state", None)
        del step["seal"]
    return told


def test_the_games_end_and_their_records_are_those_of_the_old_house(house: PlayedOn) -> None:
    """One is won meanwhile, the others are broken off by the game master."""
    assert {slug: house.statuses[3][slug]["status"] for slug in TABLES} == {
        "heron": "ended",
        "egret": "ended",
        "ibis": "over",
        "crane": "ended",
    }
    for name, news in {"Fenna": "Gustav wins with", "Gustav": "You win with"}.items():
        assert any(news in subject for subject, _ in house.to(name, 2)), name
    for slug in TABLES:
        assert played(house.records[slug]) == played(unpack(KEPT / f"{slug}-record.json.xz")), slug


@pytest.mark.parametrize("slug", [*ENDED, *TABLES])
def test_an_old_record_is_played_again_to_all_that_was_sealed(slug: str, tmp_path: Path) -> None:
    raw = unpack(KEPT / f"{slug}-record.json.xz")
    file = tmp_path / f"{slug}.json"
    file.write_bytes(raw)
    told = json.loads(raw)
    assert told["ruleset"] == (ENDED | TABLES)[slug]
    said = Operator(tmp_path).types(
        "verify",
        str(file),
        "--commitment",
        told["commitment"],
        "--fingerprint",
        told["phases"][-1]["seal"],
    )
    assert (said.status, said.err) == (0, "")
    assert ("played to its end" if slug in (*ENDED, "ibis") else "broken off") in said.out
    assert "Every draw and event matches the record." in said.out
