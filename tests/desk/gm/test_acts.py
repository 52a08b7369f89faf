"""Acts of the rules at an open phase: the new state beside the old one, the events, whom it asks;
and what happens at the same moment.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.desk import gm
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.upkeep.records import verify_game
from tests.desk.commanding import (
    GRETA,
    MeanwhilePainter,
    acts_of,
    logged,
    refused,
    seats_of,
    state_of,
    to_orders,
)
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.looks import after, kinds_to, phase_of, status_of

RESHUFFLE = {"act": "reshuffle"}


def strike(player: int) -> dict[str, object]:
    return {"act": "strike", "player": player}


async def place_of(desk: Desk) -> int:
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    return game.chance_place


async def test_an_act_keeps_the_state_before_and_after_its_events_and_where_the_stream_stands(
    desk: Desk,
) -> None:
    await to_orders(desk, 4)
    place = await place_of(desk)
    assert await gm.apply_act(desk.services, "heron", RESHUFFLE, GRETA) == 2
    assert await gm.apply_act(desk.services, "heron", strike(4), GRETA) == 2
    async with desk.services.database.read() as work:
        states = await work.states.list_of_phase(1, 2)
        events = [row.kind for row in await work.events.list_of_phase(1, 2)]
    assert [(row.ordinal, row.chance_place) for row in states] == [
        (0, place),
        (1, place + 4),
        (2, place + 4),
    ]
    assert await place_of(desk) == place + 4
    assert events == ["deck-renewed"] * 4 + ["eliminated", "ranking-changed"]
    assert [(row.phase_number, row.ordinal) for row in await acts_of(desk)] == [(2, 0), (2, 1)]
    assert (await phase_of(desk)).asked == (1, 2, 3)
    assert next(entry for entry in await logged(desk) if entry[0] == "game act") == (
        "game act",
        {"phase": 2, "act": RESHUFFLE},
        True,
    )
    await desk.work()
    assert len(await kinds_to(desk, "bulletin")) == 1 + 5 * 2, (
        "the close to the game master, two acts to all"
    )
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_an_act_that_is_impossible_changes_nothing(desk: Desk) -> None:
    await desk.open_game()
    for act in (strike(9), {"act": "dance"}, {}):
        assert await refused(gm.apply_act(desk.services, "heron", act, GRETA)) == "impossible-act"
    assert await acts_of(desk) == []
    assert await refused(gm.apply_act(desk.services, "ibis", RESHUFFLE, GRETA)) == "unknown-game"


@pytest.mark.parametrize("paused", [False, True])
async def test_an_act_that_ends_the_phase_goes_on_as_a_close_does(desk: Desk, paused: bool) -> None:
    """Two bid the same and bid again; one of them is struck, so that nothing is left to decide."""
    await desk.open_game(4)
    for name, bid in zip(("Anna", "Bartek", "Chloé", "Dmytro"), (9, 9, 3, 4), strict=True):
        await desk.write(name, f"bid {bid}. final")
    phase = await phase_of(desk)
    assert (phase.number, phase.kind, phase.asked) == (2, "rebid", (1, 2))
    if paused:
        await gm.pause(desk.services, "heron", GRETA)
        desk.clock.forward(hours=5)
    desk.clock.forward(seconds=10)
    assert await gm.apply_act(desk.services, "heron", strike(1), GRETA) == 3
    await desk.work()
    after_it = await phase_of(desk)
    assert (after_it.number, after_it.kind, after_it.asked) == (3, "orders", (2, 3, 4))
    assert after_it.deadline > desk.clock.now()
    assert (await status_of(desk))[:2] == ("paused" if paused else "running", 3)
    assert (await seats_of(desk))["Anna"].status == "eliminated"
    question = desk.last("Bartek", "orders due")
    assert any(part.get_content_type() == "text/calendar" for part in question.walk()) == (
        not paused
    ), "no deadline, no entry"
    if paused:
        desk.clock.forward(hours=2)
        assert await gm.resume(desk.services, "heron", GRETA) == after(after_it, hours=2)
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 4)
    assert await verify_game(desk.services, "heron") == []


async def test_an_act_that_ends_the_game_publishes_the_seed(desk: Desk) -> None:
    await desk.open_game(3)
    await gm.strike(desk.services, "heron", "Anna", "told", GRETA)
    if (await status_of(desk))[0] != "over":
        await gm.strike(desk.services, "heron", "Bartek", "told", GRETA)
    await desk.work()
    assert (await status_of(desk))[0] == "over"
    assert len(await kinds_to(desk, "ending")) == 4
    assert await verify_game(desk.services, "heron") == []


async def test_when_the_last_one_missing_is_struck_the_phase_closes(desk: Desk) -> None:
    await desk.open_game(4)
    for name in ("Anna", "Bartek", "Chloé"):
        await desk.write(name, f"bid {len(name)}. final")
    assert (await status_of(desk))[1] == 1
    await gm.strike(desk.services, "heron", "Dmytro", "told", GRETA)
    assert ("close_phase", (1, 1)) in desk.jobs.asked
    await desk.work()
    assert (await status_of(desk))[1] == 2
    assert await verify_game(desk.services, "heron") == []


async def test_orders_of_the_struck_do_not_count(desk: Desk) -> None:
    await desk.open_game(4)
    await desk.write("Dmytro", "bid 47")
    await gm.strike(desk.services, "heron", "Dmytro", "told", GRETA)
    await desk.work()
    await desk.write("Dmytro", "bid 3")
    assert "out of this game" in str(desk.letters("Dmytro")[-1]["Subject"])
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []
    assert not any(re.search(r"\b47\b", text_of(mail)) for mail in desk.letters("Anna"))


# ------------------------------------------------------------------------------- at the same moment
@pytest.mark.parametrize("act", [strike(4), RESHUFFLE], ids=["strike", "reshuffle"])
async def test_a_close_that_is_computed_while_an_act_takes_effect_is_computed_again(
    tmp_path: Path, act: dict[str, object]
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk, 4)
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.meanwhile = lambda: gm.apply_act(desk.services, "heron", act, GRETA)
        await close_phase(desk.services, 1, 2)
        assert await status_of(desk) == ("running", 2, 0), "overtaken, and not counted as a failure"
        await desk.work()
        assert (await status_of(desk))[1] == 3
        assert await verify_game(desk.services, "heron") == []


async def test_an_act_that_is_overtaken_by_a_close_is_done_in_the_phase_that_is_open_then(
    tmp_path: Path,
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk, 4)
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.meanwhile = lambda: close_phase(desk.services, 1, 2)
        assert await gm.apply_act(desk.services, "heron", strike(4), GRETA) == 3
        assert [row.phase_number for row in await acts_of(desk)] == [3]
        assert [command for command, _, _ in await logged(desk)].count("game act") == 1
        assert await verify_game(desk.services, "heron") == []


async def test_a_replacement_while_a_close_is_computed_is_not_closed_over(tmp_path: Path) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 40")
        desk.clock.instant = after(await phase_of(desk), seconds=2)
        painter.meanwhile = lambda: gm.replace(
            desk.services, "heron", "Anna", None, "otto@elsewhere.example", GRETA
        )
        await close_phase(desk.services, 1, 1)
        assert (await status_of(desk))[1] == 1
        await desk.work()
        assert (await status_of(desk))[1] == 2
        assert (await state_of(desk, 2)).players[0].realm == 50, (
            "what the former player bid was not taken"
        )
        assert await verify_game(desk.services, "heron") == []


async def test_orders_that_come_while_an_act_takes_effect_stand(tmp_path: Path) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk, 4)

        async def an_order() -> Any:
            await desk.write("Bartek", "Work P2", work=False)
            async with desk.services.database.read() as work:
                newest = (await work.inbox.next_new(1))[0].id
            await receive(desk.services, newest)

        painter.meanwhile = an_order
        await gm.apply_act(desk.services, "heron", strike(4), GRETA)
        async with desk.services.database.read() as work:
            assert [row.canonical for row in await work.orders.latest(1, 2)] == [
                ("Work, work! P2",)
            ]
        assert len(await acts_of(desk)) == 1
