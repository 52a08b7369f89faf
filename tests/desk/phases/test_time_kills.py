"""An absence, a vote and a grace, the process ending at each of their steps: every letter once, the
same deadlines.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.store.repositories.phases import PhaseRow
from tests.desk.harness import Desk, open_desk, parse
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.looks import phase_of
from tests.desk.timekeeping import motions_of, set_settings

LABELS = (
    *("motion.written", "motion.settled", "grace.written", "grace.kept", "close.written"),
    *("receive.written", "receive.kept"),
)


async def work_on(desk: Desk) -> None:
    """Work until all is done, begun again where the process ended."""
    for _ in range(2):
        with suppress(Ended):
            await desk.work()
            return


@dataclass(frozen=True)
class Kept:
    """What has become of it all: the first phase's rows as they were seen, and the last phase."""

    seen: list[PhaseRow]
    last: PhaseRow
    outcome: str | None
    letters: Counter[tuple[str, str]]


async def play(desk: Desk, steps: DiesAt) -> Kept:
    """Anna is away and asks for more time, nobody else answers; Bartek is late twice over."""
    await desk.open_game(3)
    await set_settings(desk, extensions="vote", graces=1)
    steps.armed = True
    for name, words in (
        ("Anna", "more time"),
        ("Anna", "away from 17 to 22 November"),
        ("Chloé", "vote no"),
        ("Anna", "bid 2"),
    ):
        with suppress(Ended):
            await desk.write(name, words, work=False)
        await work_on(desk)
    (motion,) = await motions_of(desk)
    desk.clock.instant = motion.closes_at
    await work_on(desk)
    seen = []
    for _ in range(2):
        phase = await phase_of(desk)
        seen.append(phase)
        desk.clock.instant = phase.deadline.replace(second=2)
        await work_on(desk)
    letters = Counter(
        (mail.recipient, str(parse(mail.raw)["Message-ID"])) for mail in desk.postbox.mails
    )
    return Kept(seen, await phase_of(desk), (await motions_of(desk))[0].outcome, letters)


@pytest.mark.long(held_by="tests/desk/whole/test_twice.py (every job done again)")
async def test_wherever_the_process_ends_time_is_kept_the_same(tmp_path: Path) -> None:
    outcomes: dict[str, Kept] = {}
    for label in ("", *LABELS):
        folder = tmp_path / (label or "whole")
        folder.mkdir()
        steps = DiesAt(label)
        async with open_desk(folder, steps=steps) as desk:
            outcomes[label] = await play(desk, steps)
        assert steps.seen >= set(LABELS), "all of it happens"
        assert outcomes[label] == outcomes[""], label
    kept = outcomes[""]
    assert [phase.number for phase in kept.seen] == [1, 1], "a grace, then the close"
    assert (kept.seen[1].ics_sequence, kept.last.number, kept.last.ics_sequence, kept.outcome) == (
        *(1, 2, 0, "failed"),
    )
    assert '"away"' in kept.last.label
    assert max(kept.letters.values()) == 1
