"""The contract of games, phases, states, events and acts: above all the one step from a phase to
the next.
"""

import asyncio
from random import Random

import pytest

from pbem.store import Database, GameRow, NewEvent, PhaseRow, Work
from pbem.store.life import GAME_LIFE, GameStatus, GameStep
from pbem.store.repositories.games import NewGame
from pbem.store.repositories.phases import NewPhase
from tests.rings import sampled

from .samples import HOUR, NOW, add_game, known, open_phase, queue_letter, start_game


async def find_game(database: Database, game_id: int) -> GameRow:
    async with database.read() as work:
        row = await work.games.find(game_id)
    assert row is not None
    return row


async def find_phase(work: Work, game_id: int, number: int = 1) -> PhaseRow:
    row = await work.phases.find(game_id, number)
    assert row is not None
    return row


async def close_first_phase(work: Work, game_id: int) -> bool:
    """All a close writes, as one unit of work."""
    if not await work.games.advance(game_id, 1, 2, 19, "running", NOW + 72 * HOUR):
        return False
    await work.states.put_once(game_id, 2, b"state 2", 19, "1")
    await work.events.add_all(
        game_id,
        1,
        [NewEvent("battle", '{"at":3}', None, ("PR-7.8",)), NewEvent("drawn", "{}", (1,), ())],
    )
    await open_phase(work, game_id, 2)
    for seat in (1, 2):
        await queue_letter(work, f"<{seat}.2@x>", dedupe_key=f"bulletin:{game_id}:1:{seat}")
    return True


async def test_a_slug_names_one_game(database: Database) -> None:
    async with database.write() as work:
        heron = await add_game(work, "heron")
        again = await work.games.add(
            NewGame(
                slug="heron",
                title="",
                ruleset="",
                options="{}",
                seed="",
                commitment="",
                settings="{}",
                created_at=NOW,
            )
        )
        assert again is None
        found = await work.games.find_by_slug("heron")
    assert found is not None
    assert (found.id, found.status, found.phase_number, found.created_at) == (heron, "open", 0, NOW)


async def test_a_game_does_not_carry_its_seed_about(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        assert await work.games.read_seed(game_id) == "5e" * 32
    assert "5e5e" not in repr(await find_game(database, game_id))


async def test_the_start_is_a_step_from_phase_zero(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        assert await work.games.advance(game_id, 0, 1, 7, "running", NOW)
        assert not await work.games.advance(game_id, 0, 1, 7, "running", NOW)
    game = await find_game(database, game_id)
    assert (game.status, game.phase_number, game.chance_place, game.started_at) == (
        "running",
        1,
        7,
        NOW,
    )


async def test_of_many_closes_of_a_phase_one_counts(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)

    async def close() -> bool:
        async with database.write() as work:
            return await close_first_phase(work, game_id)

    won = await asyncio.gather(*(close() for _ in range(12)))
    assert won.count(True) == 1
    async with database.read() as work:
        assert [event.ordinal for event in await work.events.list_of_phase(game_id, 1)] == [0, 1]
        assert await work.outbox.count_by_state() == {"queued": 2}
        first, second = await work.phases.list_of_game(game_id)
    assert (first.status, first.closed_at) == ("closed", NOW + 72 * HOUR)
    assert second.status == "open"
    game = await find_game(database, game_id)
    assert (game.phase_number, game.chance_place, game.started_at) == (2, 19, NOW)


async def test_a_close_that_breaks_leaves_nothing(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
    before = await find_game(database, game_id)

    async def close_and_break() -> None:
        async with database.write() as work:
            await close_first_phase(work, game_id)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await close_and_break()
    assert await find_game(database, game_id) == before
    async with database.read() as work:
        assert await work.states.find(game_id, 2) is None
        assert await work.events.list_of_game(game_id) == []
        assert await work.outbox.count_by_state() == {}
        assert (await find_phase(work, game_id)).status == "open"


@pytest.mark.parametrize("status", ["paused", "ended"])
async def test_a_game_that_does_not_run_is_not_closed(database: Database, status: str) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.games.pause(game_id, NOW)
        assert status == "paused" or await work.games.end(game_id, "break_off", NOW)
    async with database.write() as work:
        assert not await work.games.advance(game_id, 1, 2, 19, "running", NOW)
        assert (await find_phase(work, game_id)).status == "open"


STEPS: tuple[GameStep, ...] = ("advance", "pause", "resume", "give_up", "break_off")


async def take(work: Work, game: GameRow, step: GameStep, rng: Random) -> bool:
    """Try a step of the life of a game, wherever it stands; whether it was taken."""
    if step == "pause":
        return await work.games.pause(game.id, NOW)
    if step == "resume":
        return await work.games.resume(game.id)
    if step != "advance":
        return await work.games.end(game.id, step, NOW)
    status: GameStatus = "over" if rng.random() < 0.1 else "running"
    number = game.phase_number
    if not await work.games.advance(game.id, number, number + 1, number, status, NOW):
        return False
    if status == "running":
        await open_phase(work, game.id, number + 1)
    return True


@pytest.mark.parametrize("seed", sampled(range(20), 4))
async def test_nothing_but_the_table_of_its_life_moves_a_game(
    database: Database, seed: int
) -> None:
    rng = Random(seed)
    async with database.write() as work:
        game_id = await add_game(work)
    for _ in range(12):
        before, step = await find_game(database, game_id), rng.choice(STEPS)
        async with database.write() as work:
            if rng.random() < 0.3:
                await work.phases.hold(game_id, before.phase_number, NOW)
            taken = await take(work, before, step, rng)
        after = await find_game(database, game_id)
        begins, ends = GAME_LIFE[step]
        assert taken == (before.status in begins)
        assert after.status in ends if taken else after.status == before.status
        async with database.read() as work:
            phases = [await find_phase(work, game_id, n) for n in range(1, before.phase_number + 1)]
            assert all(phase.status == "closed" for phase in phases[: after.phase_number - 1])
            current = await work.phases.current(game_id)
        if after.status in ("running", "paused"):
            assert current is not None
            assert (current.number, current.status == "closed") == (after.phase_number, False)


async def test_a_game_does_not_leave_a_phase_it_never_opened(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        assert await work.games.advance(game_id, 0, 1, 7, "running", NOW)
        assert not await work.games.advance(game_id, 1, 2, 8, "running", NOW)
    assert (await find_game(database, game_id)).phase_number == 1


async def test_the_last_step_ends_the_game(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.games.advance(game_id, 1, 2, 30, "over", NOW + HOUR)
        assert await work.phases.current(game_id) is None
        assert not await work.games.pause(game_id, NOW)
        assert not await work.games.end(game_id, "break_off", NOW)
        assert not await work.games.advance(game_id, 2, 3, 31, "running", NOW)
    game = await find_game(database, game_id)
    assert (game.status, game.over_at) == ("over", NOW + HOUR)


async def test_attempts_are_counted_till_a_close_succeeds(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
    for attempt in (1, 2, 3):
        async with database.write() as work:
            assert await work.games.count_attempt(game_id, NOW) == attempt
    async with database.write() as work:
        assert await close_first_phase(work, game_id)
        assert await work.games.count_attempt(404, NOW) == 0
        assert not await work.games.forget_attempts(game_id)
    assert (await find_game(database, game_id)).attempts == 0


async def test_an_act_draws_from_where_the_stream_stands_or_not_at_all(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.games.move_chance(game_id, 7, 9)
        assert not await work.games.move_chance(game_id, 7, 11)
    assert (await find_game(database, game_id)).chance_place == 9


async def test_outlines_are_set_once(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        assert await work.games.read_land(game_id) is None
        assert await work.games.keep_land(game_id, b"outlines")
        assert not await work.games.keep_land(game_id, b"others")
        assert await work.games.read_land(game_id) == b"outlines"


async def test_options_change_before_the_start_only(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        assert await work.games.set_options(game_id, '{"version":"grand"}')
        await work.games.advance(game_id, 0, 1, 7, "running", NOW)
        assert not await work.games.set_options(game_id, "{}")
        assert await work.games.set_settings(game_id, '{"hours":48}')
    game = await find_game(database, game_id)
    assert (game.options, game.settings) == ('{"version":"grand"}', '{"hours":48}')


async def test_games_are_listed_by_their_status(database: Database) -> None:
    async with database.write() as work:
        heron, crane = await add_game(work, "heron"), await start_game(work, "crane")
        assert [game.id for game in await work.games.list_by_status("running")] == [crane]
        assert [game.id for game in await work.games.list_by_status()] == [heron, crane]
        locked = await work.games.lock(crane)
        assert locked is not None
        assert locked.slug == "crane"
        assert await work.games.lock(404) is None


async def test_a_phase_number_is_opened_once(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        opened = await work.phases.open(
            NewPhase(game_id=game_id, number=1, kind="other", asked=(), opened_at=NOW, deadline=NOW)
        )
        assert opened is None
        phase = await work.phases.current(game_id)
    assert phase is not None
    assert (phase.kind, phase.asked, phase.status, phase.label) == ("orders", (1, 2), "open", "{}")


async def test_the_clock_looks_at_the_phases_of_running_games_by_their_deadlines(
    database: Database,
) -> None:
    async with database.write() as work:
        late, soon = (
            await start_game(work, "late", NOW + 2 * HOUR),
            await start_game(work, "soon", NOW + HOUR),
        )
        paused = await start_game(work, "paused", NOW)
        await work.games.pause(paused, NOW)
        held = await start_game(work, "held", NOW)
        assert await work.phases.hold(held, 1, NOW)
    async with database.read() as work:
        assert [phase.game_id for phase in await work.phases.list_running()] == [held, soon, late]


async def test_a_close_is_held_and_put_off_each_once(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.phases.hold(game_id, 1, NOW)
        assert not await work.phases.hold(game_id, 1, NOW + HOUR)
        assert (await find_phase(work, game_id)).held_since == NOW
        assert await work.phases.reopen(game_id, 1)
        assert not await work.phases.reopen(game_id, 1)
        assert (await find_phase(work, game_id)).status == "open"


async def test_a_deadline_moves_once_however_often_it_is_asked(database: Database) -> None:
    deadline = NOW + 72 * HOUR
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.phases.move_deadline(game_id, 1, deadline, deadline + 24 * HOUR)
        assert not await work.phases.move_deadline(game_id, 1, deadline, deadline + 24 * HOUR)
        phase = await find_phase(work, game_id)
    assert (phase.deadline, phase.ics_sequence) == (deadline + 24 * HOUR, 1)


async def test_a_reminder_goes_out_once(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.phases.count_reminder(game_id, 1, 0)
        assert not await work.phases.count_reminder(game_id, 1, 0)
        assert await work.phases.count_reminder(game_id, 1, 1)
        assert (await find_phase(work, game_id)).reminders_sent == 2


async def test_nothing_happens_to_a_closed_phase(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await close_first_phase(work, game_id)
        assert not await work.phases.hold(game_id, 1, NOW)
        assert not await work.phases.reopen(game_id, 1)
        assert not await work.phases.count_reminder(game_id, 1, 0)
        assert not await work.phases.set_asked(game_id, 1, ())
        assert not await work.phases.arm_reminders(game_id, 1, 0)
        assert not await work.phases.move_deadline(game_id, 1, NOW + 72 * HOUR, NOW)
        assert await work.phases.count_reminder(game_id, 2, 0)
        assert await work.phases.arm_reminders(game_id, 2, 0)
        assert await work.phases.count_reminder(game_id, 2, 0), "the same one again"
        assert await work.phases.set_asked(game_id, 2, (2,))
        assert (await find_phase(work, game_id, 2)).asked == (2,)


async def test_a_state_is_never_overwritten(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        assert await work.states.put_once(game_id, 1, b"first", 7, "1")
        assert not await work.states.put_once(game_id, 1, b"second", 8, "2")
        state = await work.states.find(game_id, 1)
    assert state is not None
    assert (state.body, state.chance_place, state.ruleset_version) == (b"first", 7, "1")


async def test_events_keep_their_order_audience_and_rules(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        assert await work.events.add_all(game_id, 1, []) == 0
        assert (
            await work.events.add_all(
                game_id,
                1,
                [NewEvent("a", "{}", None, ("PR-7.8", "PR-7.9")), NewEvent("b", '{"n":1}', (), ())],
            )
            == 2
        )
        assert await work.events.add_all(game_id, 1, [NewEvent("c", "{}", (2, 1), ())]) == 1
        await work.events.add_all(game_id, 2, [NewEvent("d", "{}", None, ())])
    async with database.read() as work:
        events = await work.events.list_of_phase(game_id, 1)
        assert [event.kind for event in await work.events.list_of_game(game_id)] == [
            *("a", "b", "c", "d"),
        ]
        assert [event.kind for event in await work.events.list_of_game(game_id, from_phase=2)] == [
            "d"
        ]
    assert [(event.ordinal, event.kind, event.audience, event.rules) for event in events] == [
        (0, "a", None, ("PR-7.8", "PR-7.9")),
        (1, "b", (), ()),
        (2, "c", (2, 1), ()),
    ]


async def test_acts_of_many_at_once_are_numbered_without_a_gap(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)

    async def act(number: int) -> int:
        async with database.write() as work:
            return await work.acts.add(
                game_id=game_id, phase_number=1, actor=f"seat {number}", body="{}", at=NOW
            )

    assert sorted(await asyncio.gather(*(act(number) for number in range(20)))) == list(range(20))
    async with database.read() as work:
        acts = await work.acts.list_of_phase(game_id, 1)
        assert acts == await work.acts.list_of_game(game_id)
    assert [known(row.ordinal) for row in acts] == list(range(20))
    assert acts[0].at == NOW
