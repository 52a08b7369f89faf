"""What a game comes to is booked once for whoever sat there, in the transaction that ends it; and
how reliably they answered is counted.
"""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.lobby.resignations import vacate
from pbem.desk.people.eligibility import read_closed, read_windows
from pbem.desk.people.erasure import forget
from pbem.desk.people.profiles import book_missing
from pbem.desk.phases.close import close_phase
from pbem.desk.table import load_table
from pbem.desk.upkeep.housekeeping import keep_house
from pbem.pages.results import Windows
from pbem.store import tables
from pbem.store.repositories.orders import NewOrders
from pbem.store.repositories.results import ResultRow
from tests.desk.commanding import GRETA, state_of
from tests.desk.gm.test_twice import DeadlySteps, Killed
from tests.desk.harness import NAMES, Desk, address_of, open_desk
from tests.desk.looks import phase_of, status_of
from tests.played import PLAYED

OTTO = "otto@elsewhere.example"


async def give_all_to(desk: Desk, winner: int, slug: str = "heron") -> None:
    """Every province is set to one player: at the next Eliminate Players step they are the last one
    standing.
    """
    async with desk.services.read() as tx:
        game = await tx.work.games.find_by_slug(slug)
        assert game is not None
        state = (await load_table(tx, game)).state
    for place, held in enumerate(state.board):
        if held.owner not in (None, winner):
            await gm.apply_act(
                desk.services, slug, {"act": "set-owner", "province": place, "owner": winner}, GRETA
            )


async def play_to_a_victory(
    desk: Desk,
    slug: str = "heron",
    players: int = 3,
    winner: int = 1,
    names: Sequence[str] | None = None,
) -> None:
    """Two windows: bids, and the orders in which all others fall."""
    names = NAMES if names is None else names

    async def play() -> None:
        await desk.open_game(players, slug=slug, names=names)
        await desk.everybody_passes()
        await give_all_to(desk, winner, slug)
        await desk.everybody_passes()

    await desk.once(("victory", slug, players, winner, tuple(names)), play)
    assert (await status_of(desk, slug))[0] == "over"


async def results_of(desk: Desk, slug: str = "heron") -> list[ResultRow]:
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug(slug)
        assert game is not None
        return await work.results.list_of_game(game.id)


async def told(
    desk: Desk, slug: str = "heron"
) -> list[tuple[int, int, str | None, int | None, bool, int, str]]:
    """Seat, tenure, whose it was, place, victory, prize, how."""
    rows = await results_of(desk, slug)
    async with desk.services.database.read() as work:
        people = {
            person.id: person.name
            for person in await work.people.list_by_ids([row.person_id or 0 for row in rows])
        }
    return [
        (
            row.seat_id,
            row.tenure,
            people.get(row.person_id or 0),
            row.place,
            row.won,
            row.prize,
            row.how,
        )
        for row in rows
    ]


async def windows_of(desk: Desk, seat: int = 1, tenure: int = 1) -> Windows:
    """The windows of a seat of the first game, whose numbers are its ids."""
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        assert game is not None
        return await read_windows(work, await read_closed(work, game), seat, seat, tenure)


async def resign(desk: Desk, number: int) -> None:
    async with desk.services.write() as tx:
        game = await tx.work.games.lock(1)
        assert game is not None
        table = await load_table(tx, game)
        await vacate(tx, table, table.seat(number))


# ------------------------------------------------------------------------------------------ booking
async def test_a_victory_is_booked_with_places_and_the_prize(desk: Desk) -> None:
    await play_to_a_victory(desk)
    assert await told(desk) == [
        (1, 1, "Anna", 1, True, 2500, "last-standing"),
        (2, 1, "Bartek", 2, False, 0, "eliminated"),
        (3, 1, "Chloé", 2, False, 0, "eliminated"),
    ]
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    assert {(row.at, row.players) for row in await results_of(desk)} == {(game.over_at, 3)}


async def test_the_dragons_victory_is_booked_without_a_winner(desk: Desk) -> None:
    await desk.open_game()
    for _ in range(4):
        await desk.everybody_passes()
    assert (await status_of(desk))[0] == "over"
    rows = await results_of(desk)
    assert [(row.place, row.won, row.prize) for row in rows] == [
        (3, False, 0),
        (3, False, 0),
        (2, False, 0),
    ]
    assert {row.players for row in rows} == {4}, "the Dragon is one of them"


@pytest.mark.parametrize("times", [1, 3])
async def test_a_close_that_runs_several_times_books_once(desk: Desk, times: int) -> None:
    await play_to_a_victory(desk)
    before = await results_of(desk)
    for _ in range(times):
        await close_phase(desk.services, 1, 2)
    assert await results_of(desk) == before


async def test_a_close_that_is_killed_before_it_is_kept_books_nothing_and_the_next_one_everything(
    tmp_path: Path,
) -> None:
    steps = DeadlySteps("close.written")
    async with open_desk(tmp_path, steps=steps) as desk:
        await desk.open_game()
        await desk.everybody_passes()
        await give_all_to(desk, 2)
        steps.is_armed = True
        with pytest.raises(Killed):
            await desk.everybody_passes()
        assert steps.was_reached
        assert await results_of(desk) == []
        await desk.work()
        assert [(row.seat_id, row.place, row.prize) for row in await results_of(desk)] == [
            (1, 2, 0),
            (2, 1, 2500),
            (3, 2, 0),
        ]


async def test_a_strike_that_ends_the_game_books_it_in_the_same_transaction(desk: Desk) -> None:
    await desk.open_game(2)
    await gm.strike(desk.services, "heron", "Bartek", "told everybody", GRETA)
    assert (await status_of(desk))[0] == "over"
    assert [(row.place, row.how) for row in await results_of(desk)] == [
        (2, "dragon"),
        (3, "eliminated"),
    ]


async def test_a_game_that_is_broken_off_has_been_played_without_places_and_prizes(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await desk.everybody_passes()
    await gm.end(desk.services, "heron", GRETA, "too few are left")
    assert await told(desk) == [
        (1, 1, "Anna", None, False, 0, "broken-off"),
        (2, 1, "Bartek", None, False, 0, "broken-off"),
    ]
    assert await windows_of(desk) == Windows(1, 1), "the window that was open counts for nobody"


async def test_a_table_that_never_began_is_not_booked(desk: Desk) -> None:
    await gm.open_table(desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), GRETA)
    await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), GRETA)
    await gm.end(desk.services, "heron", GRETA)
    assert await results_of(desk) == []


async def test_whoever_sits_there_at_the_end_gets_the_place_and_who_left_before_keeps_no_game(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    await gm.replace(desk.services, "heron", "Anna", "Otto", OTTO, GRETA)
    await resign(desk, 2)
    await gm.replace(desk.services, "heron", "Bartek", "Pia", "pia@elsewhere.example", GRETA)
    await resign(desk, 3)
    await give_all_to(desk, 1)
    await desk.everybody_passes()
    assert await told(desk) == [
        (1, 1, "Anna", None, False, 0, "replaced"),
        (1, 2, "Otto", 1, True, 2500, "last-standing"),
        (2, 1, "Bartek", None, False, 0, "resigned"),
        (2, 3, "Pia", 2, False, 0, "eliminated"),
        (3, 1, "Chloé", None, False, 0, "resigned"),
        (3, 2, None, 2, False, 0, "eliminated"),
    ]


async def test_a_game_from_before_is_booked_by_the_house_keeping_and_once(desk: Desk) -> None:
    await play_to_a_victory(desk)
    before = [(row.seat_id, row.place, row.prize, row.at) for row in await results_of(desk)]
    async with desk.services.database.write() as work:
        await work.connection.execute(tables.results.delete())
    desk.clock.forward(days=2)
    await keep_house(desk.services)
    assert [(row.seat_id, row.place, row.prize, row.at) for row in await results_of(desk)] == before
    assert await book_missing(desk.services) == 0


async def test_a_game_from_before_that_cannot_be_read_any_more_is_left_alone(desk: Desk) -> None:
    await play_to_a_victory(desk, "heron")
    await play_to_a_victory(desk, "egret")
    async with desk.services.database.write() as work:
        await work.connection.execute(tables.results.delete())
        await work.connection.execute(
            tables.states.update().where(tables.states.c.game_id == 1).values(body=b"{}")
        )
    assert await book_missing(desk.services) == 1
    assert await results_of(desk, "heron") == []
    assert len(await results_of(desk, "egret")) == 3


# -------------------------------------------------------------------------------------- reliability
async def test_answered_windows_are_those_in_which_something_stood_at_the_close(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 7")
    await desk.write("Bartek", "march 2 from P2 to P9")
    await desk.everybody_passes()
    await desk.write("Bartek", "yes", answering=await desk.write("Bartek", "final"))
    await desk.everybody_passes()
    assert await windows_of(desk, 1) == Windows(2, 1), "bid, then silent"
    assert await windows_of(desk, 2) == Windows(2, 1), (
        "nothing of it stood, then content with the defaults"
    )
    assert await windows_of(desk, 3) == Windows(2, 2)


async def test_orders_that_came_too_late_are_no_answer(desk: Desk) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.clock.instant = phase.deadline + timedelta(seconds=1)
    await desk.write("Anna", "bid 7", received_at=phase.deadline + timedelta(seconds=1))
    assert (await phase_of(desk)).number == 2
    assert await windows_of(desk) == Windows(1, 1)


async def test_a_window_that_everybodys_final_closed_is_missed_by_nobody(desk: Desk) -> None:
    await desk.open_game()
    await resign(desk, 3)
    for name in ("Anna", "Bartek"):
        await desk.write(name, "bid 7. final")
    assert (await phase_of(desk)).number == 2
    assert await windows_of(desk, 1) == Windows(1, 0)
    assert await windows_of(desk, 3) == Windows(0, 0), "a seat that stands empty is nobody's"


async def test_phases_that_were_rolled_back_count_for_nobody(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 7")
    await desk.everybody_passes()
    await desk.everybody_passes()
    assert (await windows_of(desk), await windows_of(desk, 2)) == (Windows(2, 1), Windows(2, 2))
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    assert await windows_of(desk) == Windows(0, 0)
    await desk.write("Bartek", "bid 3")
    await desk.everybody_passes()
    assert (await windows_of(desk), await windows_of(desk, 2)) == (Windows(1, 1), Windows(1, 0))


async def test_a_newcomer_answers_for_whole_windows_only_and_is_thanked_for_half_ones(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    desk.clock.forward(hours=1)
    for name in ("Anna", "Bartek"):
        await gm.replace(
            desk.services, "heron", name, None, f"new-{name.lower()}@elsewhere.example", GRETA
        )
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    async with desk.services.database.write() as work:  # as the newcomer's mail would leave it
        await work.orders.add(
            NewOrders(
                game_id=1,
                phase_number=phase.number,
                seat_id=1,
                tenure=2,
                source="mail",
                received_at=desk.clock.now(),
                orders="[]",
                canonical=("Hold P1",),
                final=False,
                created_at=desk.clock.now(),
            )
        )
    await desk.everybody_passes()
    assert [await windows_of(desk, 1, tenure) for tenure in (1, 2)] == [
        Windows(1, 1),
        Windows(1, 0),
    ]
    assert [await windows_of(desk, 2, tenure) for tenure in (1, 2)] == [
        Windows(1, 1),
        Windows(0, 0),
    ]
    await desk.everybody_passes()
    assert await windows_of(desk, 2, 2) == Windows(1, 1)


async def test_what_somebody_sent_and_left_behind_is_no_answer_of_the_newcomer(desk: Desk) -> None:
    await desk.open_game()
    desk.clock.forward(hours=1)
    await desk.write("Anna", "bid 7")
    await gm.replace(desk.services, "heron", "Anna", None, OTTO, GRETA)
    await desk.everybody_passes()
    assert [await windows_of(desk, 1, tenure) for tenure in (1, 2)] == [
        Windows(0, 0),
        Windows(0, 0),
    ]


async def test_a_deadline_that_was_brought_forward_is_held_against_nobody(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 7")
    assert await gm.close_now(desk.services, "heron", 1, GRETA)
    desk.clock.forward(seconds=1)
    await desk.work()
    assert (await windows_of(desk), await windows_of(desk, 2)) == (Windows(1, 0), Windows(0, 0))
    phase = await phase_of(desk)
    await gm.extend(desk.services, "heron", phase.deadline + timedelta(hours=10), GRETA)
    await gm.extend(
        desk.services, "heron", phase.deadline + timedelta(hours=4), GRETA, shorten=True
    )
    await desk.everybody_passes()
    assert await windows_of(desk, 2) == Windows(1, 1), "still later than it was at first"


async def test_a_pause_takes_no_time_away(desk: Desk) -> None:
    await desk.open_game()
    await gm.pause(desk.services, "heron", GRETA)
    desk.clock.forward(days=3)
    assert await windows_of(desk) == Windows(0, 0)
    await gm.resume(desk.services, "heron", GRETA)
    await desk.everybody_passes()
    assert await windows_of(desk) == Windows(1, 1)


async def test_a_close_without_the_mailbox_is_held_against_nobody(desk: Desk) -> None:
    await desk.open_game()
    desk.mailbox.broken = True
    await desk.everybody_passes()
    desk.clock.forward(hours=3)
    await desk.work()
    assert (await phase_of(desk)).number == 2
    assert await windows_of(desk) == Windows(0, 0)


async def test_who_is_out_is_not_asked_and_misses_nothing(desk: Desk) -> None:
    await desk.open_game(4)
    await gm.strike(desk.services, "heron", "Dmytro", "told everybody", GRETA)
    await desk.everybody_passes()
    assert await windows_of(desk, 4) == Windows(0, 0)
    assert await windows_of(desk, 1) == Windows(1, 1)


async def test_forgetting_somebody_keeps_what_they_won_under_nobodys_name(desk: Desk) -> None:
    await play_to_a_victory(desk)
    before = await results_of(desk)
    await forget(desk.services, address_of("Anna"), GRETA, really=True)
    assert await results_of(desk) == before
    assert (await told(desk))[0] == (1, 1, "(forgotten)", 1, True, 2500, "last-standing")
    async with desk.services.database.read() as work:
        found = (
            await work.connection.execute(sa.select(sa.func.sum(tables.results.c.prize)))
        ).scalar_one()
    assert found == 2500


async def test_the_state_of_a_victory_is_that_of_the_last_phase(desk: Desk) -> None:
    await play_to_a_victory(desk, winner=3)
    placings = desk.services.games[PLAYED].ruleset.placings(await state_of(desk, 3))
    assert [(row.place, row.prize) for row in await results_of(desk)] == [
        (placing.place, placing.prize) for placing in placings
    ]
