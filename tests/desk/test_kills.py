"""The process is really killed, at every labelled step of every use case, and started again: nothing is lost, nothing happens twice."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.desk.harness import open_desk, parse
from tests.desk.killing import CountedSteps, killings, live_to_the_end, on_the_wire
from tests.desk.scenario import WireFile, play, read_record

LABELS = {
    "intake": ("intake.stored", "receive.written", "receive.kept", "remind.written"),
    "close.counted": ("close.counted",),
    "close.painted": ("close.painted", "hold.written"),
    "close.rendered": ("close.rendered",),
    "close.written": ("close.written", "deadline.written"),
    "close.kept": ("close.kept", "hold.kept"),
    "deliver.claimed": ("deliver.claimed",),
    "deliver.answered": ("deliver.answered",),
    "deliver.recorded": ("deliver.recorded",),
}
"""What ends the process, in one run of the scenario each."""


async def record_of(folder: Path) -> dict[str, list[Any]]:
    async with open_desk(folder) as desk:
        return await read_record(desk)


Undisturbed = tuple[dict[str, list[Any]], list[tuple[str, bytes]], Counter[str]]


async def play_undisturbed(folder: Path) -> Undisturbed:
    steps = CountedSteps()
    async with open_desk(folder, steps=steps) as desk:
        there = on_the_wire(desk, folder)
        await play(there, folder / "progress")
        return await read_record(there), WireFile(folder / "wire").taken(), steps.reached_steps


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return asyncio.run(play_undisturbed(tmp_path_factory.mktemp("undisturbed")))


def test_every_step_that_is_reached_is_one_that_kills(undisturbed: Undisturbed) -> None:
    assert set(undisturbed[2]) == {label for group in LABELS.values() for label in group}


@pytest.mark.parametrize("group", LABELS)
def test_a_killed_service_goes_on_where_it_stood(tmp_path: Path, group: str, undisturbed: Undisturbed) -> None:
    record, wire, _ = undisturbed
    lives = live_to_the_end(tmp_path, LABELS[group])
    killed = killings(tmp_path)
    assert lives == len(killed) + 1
    assert {place.split()[1] for place in killed} == set(LABELS[group])
    mine = asyncio.run(record_of(tmp_path))
    for part, rows in record.items():
        assert mine[part] == rows, part

    sent, expected = Counter(WireFile(tmp_path / "wire").taken()), Counter(wire)
    assert set(sent) == set(expected), "every letter, and byte for byte the same"
    repeated = sum(sent.values()) - sum(expected.values())
    assert repeated == sum(place.endswith("deliver.answered") for place in killed), "only between the server's answer and its record"
    message_ids = Counter(str(parse(raw)["Message-ID"]) for _, raw in expected)
    assert max(message_ids.values()) == 1
