"""Seats that change hands by themselves, the process ending at each step: every letter once, the
same seats.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.desk.harness import Desk, open_desk, parse
from tests.desk.lobbies import seats_of
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.visitors import look_on, set_rules

LABELS = (
    *("people.written", "leaving.done", "gm.remove.written", "close.written", "receive.written"),
    "receive.kept",
)


async def work_on(desk: Desk) -> None:
    """Work until all is done, begun again where the process ended."""
    for _ in range(2):
        with suppress(Ended):
            await desk.work()
            return


@dataclass(frozen=True)
class Kept:
    """What has become of it all; `seats` with their tenures, persons and states."""

    seats: Sequence[tuple[str, int, int | None, str]]
    letters: Counter[tuple[str, str]]
    acts: list[str]
    log: Counter[str]


async def play(desk: Desk, steps: DiesAt) -> Kept:
    """Wanda plays for Anna for three days and is asked to take Bartek's seat, of whom nothing
    comes; Chloé resigns, and is out.
    """
    await desk.open_game(4)
    await look_on(desk, "Wanda", "Wilma")
    await desk.write("Wilma", "I can substitute", answering=desk.letters("Wilma")[1], dmarc=None)
    await set_rules(desk, nmr_count=1, nmr_then="substitute", resigned="eliminate")
    await desk.write(
        "Anna",
        "Wanda wanda@players.example plays for me from 17 November 2026 06:00 until 20 November 2026 06:00",
    )
    steps.armed = True
    with suppress(Ended):
        await desk.write(
            "Wanda",
            "yes",
            answering=desk.last("Wanda", "Will you play for Anna"),
            dmarc=None,
            work=False,
        )
    await work_on(desk)
    with suppress(Ended):
        await desk.write("Chloé", "resign", work=False)
    await work_on(desk)
    with suppress(Ended):
        await desk.write(
            "Chloé", "yes", answering=desk.last("Chloé", "give up your seat"), work=False
        )
    await work_on(desk)
    for hours in (18, 12, 30, 48):
        desk.clock.forward(hours=hours)
        await work_on(desk)
    seats = [(seat.name, seat.tenure, seat.person_id, seat.status) for seat in await seats_of(desk)]
    letters = Counter(
        (mail.recipient, str(parse(mail.raw)["Message-ID"])) for mail in desk.postbox.mails
    )
    async with desk.services.database.read() as work:
        acts = [act.body for act in await work.acts.list_of_game(1)]
        log = Counter(row.command for row in await work.log.list_of_game(1, limit=500))
    return Kept(seats, letters, acts, log)


@pytest.mark.long(held_by="tests/desk/whole/test_twice.py (every job done again)")
async def test_wherever_the_process_ends_every_seat_has_whom_it_should(tmp_path: Path) -> None:
    outcomes: dict[str, Kept] = {}
    for label in ("", *LABELS):
        folder = tmp_path / (label or "whole")
        folder.mkdir()
        steps = DiesAt(label)
        async with open_desk(folder, steps=steps) as desk:
            outcomes[label] = await play(desk, steps)
        assert steps.seen >= set(LABELS), set(LABELS) - steps.seen
        assert outcomes[label] == outcomes[""], label
    kept = outcomes[""]
    assert max(kept.letters.values()) == 1
    assert kept.acts == ['{"act":"remove","player":3}']
    assert (kept.log["seat substitute"], kept.log["seat returned"], kept.log["seat resigned"]) == (
        1,
        1,
        1,
    )
    assert [tenure for _name, tenure, _person, _status in kept.seats] == [3, 1, 2, 1]
