"""Every command of a game master, given twice for the same cause, and broken off at its last step
and given again: it is done once.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from pbem.store import tables
from tests.desk.commanding import count_of
from tests.desk.harness import Desk, open_desk
from tests.desk.looks import phase_of
from tests.rings import sampled

Command = Callable[[Desk, gm.By], Awaitable[object]]


async def later(desk: Desk, by: gm.By) -> object:
    return await gm.extend(
        desk.services, "heron", (await phase_of(desk)).deadline + timedelta(hours=5), by
    )


async def paused(desk: Desk) -> None:
    await gm.pause(desk.services, "heron", gm.By("test"))
    desk.clock.forward(hours=1)


async def nothing(desk: Desk) -> None:
    """The game as it is."""


async def struck(desk: Desk) -> None:
    await gm.strike(desk.services, "heron", "Bartek", "told", gm.By("test"))


COMMANDS: dict[str, tuple[Callable[[Desk], Awaitable[None]], Command]] = {
    "extend": (nothing, later),
    "close": (nothing, lambda desk, by: gm.close_now(desk.services, "heron", 1, by)),
    "pause": (nothing, lambda desk, by: gm.pause(desk.services, "heron", by)),
    "resume": (paused, lambda desk, by: gm.resume(desk.services, "heron", by)),
    "replace": (
        nothing,
        lambda desk, by: gm.replace(
            desk.services, "heron", "Anna", "Otto", "otto@elsewhere.example", by
        ),
    ),
    "unlock": (nothing, lambda desk, by: gm.unlock(desk.services, "heron", "Anna", by)),
    "strike": (nothing, lambda desk, by: gm.strike(desk.services, "heron", "Bartek", "told", by)),
    "pardon": (
        struck,
        lambda desk, by: gm.pardon(desk.services, "heron", "Bartek", "it was Anna", by),
    ),
    "act": (
        nothing,
        lambda desk, by: gm.apply_act(desk.services, "heron", {"act": "reshuffle"}, by),
    ),
    "announce": (nothing, lambda desk, by: gm.announce(desk.services, "heron", "good morning", by)),
    "answer_note": (nothing, lambda desk, by: gm.answer_note(desk.services, 1, "yes", by)),
    "look": (nothing, lambda desk, by: gm.look(desk.services, "heron", "Anna", by)),
    "roll_back": (
        nothing,
        lambda desk, by: gm.roll_back(desk.services, "heron", 1, by, reshuffle=True),
    ),
    "end": (nothing, lambda desk, by: gm.end(desk.services, "heron", by)),
}
WRITTEN = (
    *("gm_log", "outbox", "acts", "states", "events", "orders", "phases", "tenures", "people"),
    *("notes", "strikes", "results"),
)


class Killed(BaseException):
    """The process ends here."""


class DeadlySteps:
    """Ends whatever reaches this step the first time."""

    def __init__(self, step: str) -> None:
        self._step = step
        self.is_armed = False
        self.was_reached = False

    def reached(self, step: str) -> None:
        if self.is_armed and step == self._step:
            self.is_armed, self.was_reached = False, True
            raise Killed(step)


async def set_up(desk: Desk) -> None:
    """Four players, one of whom is final and has written a note."""
    await desk.open_game(4)
    await desk.write("Anna", "bid 9. final")
    await desk.write("Anna", "GM: may I?")


async def rows_of(desk: Desk) -> dict[str, Sequence[object]]:
    """What a table holds in the end, without the letters' bodies."""
    async with desk.services.database.read() as work:
        found: dict[str, Sequence[object]] = {}
        for name, columns in {
            "games": ("status", "phase_number", "chance_place", "paused_at"),
            "phases": ("number", "kind", "asked", "deadline", "status", "ics_sequence", "label"),
            "seats": ("number", "name", "tenure", "status", "person_id"),
            "orders": ("phase_number", "seat_id", "tenure", "version", "orders", "final", "source"),
            "states": ("phase_number", "ordinal", "body", "chance_place"),
            "events": ("phase_number", "ordinal", "kind", "body"),
            "acts": ("phase_number", "ordinal", "body"),
            "gm_log": ("command", "cause"),
            "outbox": ("kind", "address", "dedupe_key"),
            "notes": ("id", "state"),
        }.items():
            table = tables.metadata.tables[name]
            rows = await work.connection.execute(
                sa.select(*(table.c[column] for column in columns))
            )
            found[name] = sorted(map(tuple, rows.all()), key=repr)
        return found


@pytest.mark.parametrize("name", sampled(tuple(COMMANDS), 3))
async def test_a_command_is_done_once_for_one_cause_and_again_after_it_was_broken_off(
    tmp_path: Path, name: str
) -> None:
    before, command = COMMANDS[name]
    (tmp_path / "smooth").mkdir()
    async with open_desk(tmp_path / "smooth") as desk:
        await set_up(desk)
        await before(desk)
        await command(desk, gm.By("Greta", cause="inbox:7.1"))
        smooth = await rows_of(desk)
        counts = await count_of(desk, *WRITTEN)
        for _ in range(2):
            with pytest.raises(gm.AlreadyDone) as done:
                await command(desk, gm.By("Greta", cause="inbox:7.1"))
            assert done.value.row.cause == "inbox:7.1"
        assert await count_of(desk, *WRITTEN) == counts
        assert await rows_of(desk) == smooth
        await desk.work()
        assert await verify_game(desk.services, "heron") == []

    steps = DeadlySteps(f"gm.{name}.written")
    async with open_desk(tmp_path, steps=steps) as desk:
        await set_up(desk)
        await before(desk)
        counts = await count_of(desk, *WRITTEN)
        steps.is_armed = True
        with pytest.raises(Killed):
            await command(desk, gm.By("Greta", cause="inbox:7.1"))
        assert steps.was_reached
        assert await count_of(desk, *WRITTEN) == counts, "The phase is as it was"
        await command(desk, gm.By("Greta", cause="inbox:7.1"))
        assert await rows_of(desk) == smooth, "as if nothing had happened"


async def test_another_cause_is_another_command(desk: Desk) -> None:
    await desk.open_game()
    for line in (1, 2):
        await gm.announce(
            desk.services, "heron", "good morning", gm.By("Greta", cause=f"inbox:7.{line}")
        )
    await gm.announce(desk.services, "heron", "good morning", gm.By("Greta"))
    await gm.announce(desk.services, "heron", "good morning", gm.By("Greta"))
    [letters] = await count_of(desk, "outbox")
    await gm.announce(desk.services, "heron", "good morning", gm.By("Greta"))
    assert await count_of(desk, "outbox") == [letters + 4]


async def test_what_was_refused_may_be_asked_for_again(desk: Desk) -> None:
    await desk.open_game()
    by = gm.By("Greta", cause="inbox:7.1")
    with pytest.raises(gm.Refused):
        await gm.unlock(desk.services, "heron", "Anna", by)
    await desk.write("Anna", "bid 9. final")
    await gm.unlock(desk.services, "heron", "Anna", by)
