"""A game with everything in it that can change its course is replayed byte for byte, and a row that
was changed is named.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from pbem.store import tables
from tests.desk.commanding import GRETA, acts_of
from tests.desk.harness import NAMES, SEED, Desk, address_of, open_desk
from tests.desk.looks import status_of
from tests.played import PLAYED


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[Desk]:
    """Votes, orders, an unlock, a strike, replacements, a reshuffle, roll backs of several kinds, a
    pause, and the end.
    """
    async with open_desk(tmp_path) as desk:
        new = gm.NewTable(
            "heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta", seed=SEED, votes=("version",)
        )
        await gm.open_table(desk.services, new, GRETA)
        for name in NAMES[:4]:
            await gm.invite(desk.services, "heron", name, address_of(name), GRETA)
        async with desk.services.database.write() as work:
            await work.votes.put(1, "version", "grand", desk.clock.now())
            await work.votes.put(2, "version", "normal", desk.clock.now())
        await gm.start(desk.services, "heron", GRETA)
        await desk.work()
        await desk.write("Anna", "bid 12. final")
        await gm.unlock(desk.services, "heron", "Anna", GRETA)
        await desk.write("Anna", "bid 5")
        await desk.write("Bartek", "bid 40")
        await gm.replace(desk.services, "heron", "Bartek", "Otto", "otto@elsewhere.example", GRETA)
        await desk.everybody_passes()
        await desk.write("Chloé", "Work P1\nWork P2\nWork P3\nWork P4")
        await gm.apply_act(desk.services, "heron", {"act": "reshuffle"}, GRETA)
        await gm.pause(desk.services, "heron", GRETA)
        desk.clock.forward(hours=40)
        await gm.resume(desk.services, "heron", GRETA)
        await desk.everybody_passes()
        await desk.write("Anna", "bid 2")
        await gm.roll_back(desk.services, "heron", 2, GRETA)
        await desk.work()
        await desk.write("Dmytro", "Work P1\nWork P2\nWork P3\nWork P4")
        await gm.replace(desk.services, "heron", "Dmytro", None, "ada@elsewhere.example", GRETA)
        await desk.everybody_passes()
        await gm.roll_back(desk.services, "heron", 4, GRETA, reshuffle=True)
        await gm.strike(desk.services, "heron", "Chloé", "told", GRETA)
        await desk.everybody_passes()
        await desk.everybody_passes()
        await gm.end(desk.services, "heron", GRETA)
        await desk.work()
        yield desk


async def tamper(
    desk: Desk, table: sa.Table, where: sa.ColumnElement[bool], **values: Any
) -> list[str]:
    """Change one row, replay, and put it back."""
    async with desk.services.database.write() as work:
        was = (
            await work.connection.execute(
                sa.select(*(table.c[name] for name in values)).where(where)
            )
        ).one()
        await work.connection.execute(sa.update(table).where(where).values(values))
    differences = await verify_game(desk.services, "heron")
    async with desk.services.database.write() as work:
        await work.connection.execute(
            sa.update(table).where(where).values(dict(zip(values, was, strict=True)))
        )
    return differences


@pytest.mark.long(held_by="tests/record/test_replay.py (what was changed is named)")
async def test_a_game_with_everything_in_it_verifies_and_each_changed_row_is_named(
    played: Desk,
) -> None:
    assert (await status_of(played))[0] == "ended"
    bodies = [row.body for row in await acts_of(played)]
    assert [body.split('"')[3] for body in bodies] == [
        *("votes", "reshuffle", "roll back", "roll back", "strike"),
    ]
    assert await verify_game(played.services, "heron") == []

    acts, orders, states, events = tables.acts, tables.orders, tables.states, tables.events
    at = {row.body: row.id for row in await acts_of(played)}
    votes, shuffled, back, back_again, struck = (at[body] for body in bodies)

    assert (
        "the start"
        in (
            await tamper(
                played,
                acts,
                acts.c.id == votes,
                body='{"act":"votes","questions":["version"],"votes":[{},{}]}',
            )
        )[0]
    )
    assert (await tamper(played, acts, acts.c.id == votes, body='{"act":"votes"}'))[0].startswith(
        "the start cannot be replayed"
    )
    assert (
        "phase 2: act 0 (juggle) cannot be replayed"
        in (await tamper(played, acts, acts.c.id == shuffled, body='{"act":"juggle"}'))[0]
    )
    assert (await tamper(played, acts, acts.c.id == shuffled, body="[]"))[
        0
    ] == "phase 2: act 0 cannot be read"
    assert (
        await tamper(
            played, acts, acts.c.id == back, body='{"act":"roll back","to":1,"reshuffle":false}'
        )
    )[0] == "phase 4: the state differs"
    assert (
        "phase 3: the roll back cannot be replayed"
        in (await tamper(played, acts, acts.c.id == back, body='{"act":"roll back","to":8}'))[0]
    )
    told = await tamper(
        played, acts, acts.c.id == back_again, body='{"act":"roll back","to":4,"reshuffle":false}'
    )
    assert told[0] == "phase 6: the state differs"
    assert (await tamper(played, acts, acts.c.id == struck, body='{"act":"strike","player":1}'))[
        0
    ].startswith("phase 6, after act 0 (strike)")
    assert (await tamper(played, acts, acts.c.id == struck, actor="2"))[0].startswith(
        "phase 6: act 0 (strike) cannot be replayed"
    )

    unlocked = sa.and_(orders.c.source == "gm")
    told = await tamper(played, orders, unlocked, orders='[{"order":"bid","amount":6}]')
    assert told == ["phase 1: version 2 of Anna was unlocked, and says something else"]
    emptied = sa.and_(orders.c.source == "replaced", orders.c.phase_number == 1)
    assert any(
        line.startswith("phase 1: event")
        for line in await tamper(played, orders, emptied, orders='[{"order":"bid","amount":40}]')
    )
    bid = sa.and_(orders.c.phase_number == 1, orders.c.seat_id == 1, orders.c.version == 3)
    assert any(
        line.startswith("phase 1: event")
        for line in await tamper(played, orders, bid, orders='[{"order":"bid","amount":6}]')
    )
    assert (await tamper(played, orders, bid, orders='[{"order":"sing"}]'))[
        0
    ] == "phase 1: version 3 of Anna holds no orders that can be read"

    state = sa.and_(states.c.phase_number == 2, states.c.ordinal == 1)
    assert await tamper(played, states, state, body=b"{}") == [
        "phase 2, after act 0 (reshuffle): the state differs"
    ]
    [told_of_draws] = await tamper(played, states, state, chance_place=2)
    assert told_of_draws.startswith("phase 2, after act 0 (reshuffle)")
    assert told_of_draws.endswith("2 were kept")
    opened = sa.and_(states.c.phase_number == 4, states.c.ordinal == 0)
    assert await tamper(played, states, opened, body=b"{}") == ["phase 4: the state differs"]
    async with played.services.database.read() as work:
        assert await work.events.list_of_phase(1, 3) == [], (
            "what was rolled back before its close has no events"
        )
    reshuffled = sa.and_(events.c.phase_number == 6, events.c.ordinal == 1)
    assert await tamper(played, events, reshuffled, kind="forged") == [
        "phase 6: event 1 (forged) differs"
    ]
    game = tables.games
    assert await tamper(played, game, game.c.id == 1, commitment="0" * 64) == [
        "the seed is not the one that was committed to"
    ]
    assert (await tamper(played, game, game.c.id == 1, chance_place=3))[0].endswith(
        "draws were made in all, 3 were kept"
    )
    assert await verify_game(played.services, "heron") == []


@pytest.mark.long(held_by="tests/record/test_replay.py (one thing that was changed is named)")
async def test_an_act_that_was_taken_out_leaves_a_state_that_nobody_made(played: Desk) -> None:
    async with played.services.database.write() as work:
        await work.connection.execute(sa.delete(tables.acts).where(tables.acts.c.phase_number == 2))
    assert "phase 2: a state after act 0 was kept, and there was no such act" in await verify_game(
        played.services, "heron"
    )
