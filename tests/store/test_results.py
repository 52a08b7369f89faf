"""The contract of results and strikes: booked once, summed over all games, kept when somebody is
forgotten.
"""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from alembic import command

from pbem.store import Account, Database, NewResult, StoreConflict, Work, migrate, open_database
from pbem.store.migrations.steps import make_config
from pbem.store.repositories.forgetting import FORGOTTEN, Forgetting
from pbem.store.repositories.orders import NewOrders
from pbem.store.tables import gm_log

from .samples import HOUR, NOW, add_game, add_orders, add_person, add_seat, known, start_game
from .test_migrations import FOLDER


def result(game_id: int, seat_id: int, person_id: int | None, **told: object) -> NewResult:
    facts = {
        "tenure": 1,
        "place": 1,
        "players": 2,
        "won": False,
        "prize": 0,
        "how": "times-up",
        "at": NOW,
    } | told
    # told by the test
    return NewResult(game_id=game_id, seat_id=seat_id, person_id=person_id, **facts)  # type: ignore[arg-type]


async def finish(work: Work, slug: str, *people: int | None, prize: int = 2500) -> int:
    """A game that the first of these people has won, an hour after the one before."""
    game_id = await add_game(work, slug)
    await work.games.advance(game_id, 0, 1, 0, "over", NOW)
    for number, person_id in enumerate(people, start=1):
        seat_id = await add_seat(work, game_id, number, f"seat {number} of {slug}", person_id)
        won, at = number == 1, NOW + game_id * HOUR
        assert await work.results.add_once(
            result(
                game_id,
                seat_id,
                person_id,
                place=number,
                won=won,
                prize=prize if won else 0,
                players=len(people),
                at=at,
            )
        )
    return game_id


async def add_strike(
    work: Work, person_id: int, game_id: int, seat_id: int, reason: str = "told everybody"
) -> int:
    entry = known(await work.log.add(game_id=game_id, actor="Greta", command="game strike", at=NOW))
    return known(
        await work.strikes.add_once(
            person_id=person_id,
            game_id=game_id,
            seat_id=seat_id,
            log_id=entry,
            reason=reason,
            given_by="Greta",
            at=NOW,
        )
    )


async def test_a_result_is_booked_once_for_a_tenure(database: Database) -> None:
    async with database.write() as work:
        ada, game_id = await add_person(work), await start_game(work)
        first = result(game_id, 1, ada, won=True, prize=2500)
        assert await work.results.add_once(first)
        assert not await work.results.add_once(result(game_id, 1, ada, place=2))
        assert await work.results.add_once(
            result(game_id, 1, None, tenure=2, place=None, how="resigned")
        )
        rows = await work.results.list_of_game(game_id)
    assert [
        (row.tenure, row.person_id, row.place, row.won, row.prize, row.how, row.at) for row in rows
    ] == [(1, ada, 1, True, 2500, "times-up", NOW), (2, None, None, False, 0, "resigned", NOW)]


async def test_a_result_of_no_game_or_nobody_we_know_is_refused(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
    for wrong in (result(404, 1, None), result(game_id, 1, 404)):
        with pytest.raises(StoreConflict):
            async with database.write() as work:
                await work.results.add_once(wrong)


async def test_a_persons_results_come_with_their_games_the_newest_first(database: Database) -> None:
    async with database.write() as work:
        ada, ben = await add_person(work), await add_person(work, "Ben")
        await finish(work, "heron", ada, ben)
        await finish(work, "egret", ben, ada)
        found = await work.results.list_of_people([ada])
        assert len(await work.results.list_of_people([ada, ben])) == 4
        assert await work.results.list_of_people([]) == []
    assert [(row.title, row.seat_name, row.place, row.players, row.ruleset) for row in found] == [
        ("Egret", "seat 2 of egret", 2, 2, "herons"),
        ("Heron", "seat 1 of heron", 1, 2, "herons"),
    ]


async def test_accounts_are_ranked_by_treasury_then_wins_then_games(database: Database) -> None:
    async with database.write() as work:
        ada, ben, cid, dan, eve = [
            await add_person(work, name) for name in ("Ada", "Ben", "Cid", "Dan", "Eve")
        ]
        await finish(work, "heron", ada, ben)
        await finish(work, "egret", ben, cid, prize=1250)
        await finish(work, "ibis", ben, cid, None, prize=1250)
        lost = await finish(work, "crane", None, dan)
        seat = await add_seat(work, lost, 3, "left", eve)
        await work.results.add_once(result(lost, seat, eve, place=None, how="resigned"))
        accounts = await work.results.list_accounts(["resigned"])
    assert accounts == [
        Account(ben, 2500, 2, 3),
        Account(ada, 2500, 1, 1),
        Account(cid, 0, 0, 2),
        Account(dan, 0, 0, 1),
    ]


async def test_two_seats_at_one_game_are_one_game_played(database: Database) -> None:
    async with database.write() as work:
        ada = await add_person(work)
        game_id = await finish(work, "heron", ada)
        seat = await add_seat(work, game_id, 2, "Ben", ada)
        await work.results.add_once(result(game_id, seat, ada, place=2))
        assert await work.results.list_accounts([]) == [Account(ada, 2500, 1, 1)]


async def test_games_without_results_are_found_until_they_have_some(database: Database) -> None:
    async with database.write() as work:
        running, given_up, over = (
            await start_game(work),
            await add_game(work, "egret"),
            await start_game(work, "ibis"),
        )
        await work.games.end(given_up, "give_up", NOW)
        await work.games.end(over, "break_off", NOW)
        assert await work.results.list_unbooked(10) == [over]
        seat = (await work.seats.list_of_game(over))[0]
        await work.results.add_once(result(over, seat.id, None))
        assert await work.results.list_unbooked(10) == []
        assert running != over


async def test_answers_are_listed_with_whether_anything_stood(database: Database) -> None:
    async with database.write() as work:
        game_id = await start_game(work)
        await add_orders(work, game_id, 1, "Fortify! P1")
        await work.orders.add(
            NewOrders(
                game_id=game_id,
                phase_number=1,
                seat_id=1,
                tenure=2,
                source="resigned",
                received_at=NOW,
                orders="[]",
                canonical=(),
                final=True,
                created_at=NOW,
            )
        )
        rows = await work.results.list_answers(1)
    assert [
        (row.phase_number, row.tenure, row.version, row.canonical, row.final) for row in rows
    ] == [(1, 1, 1, ("Fortify! P1",), False), (1, 2, 2, (), True)]


async def test_a_strike_is_booked_once_and_counts_until_it_is_pardoned(database: Database) -> None:
    async with database.write() as work:
        ada, game_id = await add_person(work), await start_game(work)
        first = await add_strike(work, ada, game_id, 1)
        second = await add_strike(work, ada, game_id, 2)
        told = {
            "person_id": ada,
            "game_id": game_id,
            "seat_id": 1,
            "reason": "again",
            "given_by": "Greta",
            "at": NOW,
        }
        row = await work.strikes.newest_standing([1])
        assert row is not None
        # as told
        assert await work.strikes.add_once(log_id=row.log_id, **told) is None  # type: ignore[arg-type]
        assert await work.strikes.count_standing(ada) == 2
        newest = await work.strikes.newest_standing([1, 2])
        assert newest is not None
        assert newest.id == second
        assert await work.strikes.pardon(
            second, by="Greta", reason="it was a mistake", at=NOW + HOUR
        )
        assert not await work.strikes.pardon(second, by="Greta", reason="again", at=NOW + 2 * HOUR)
        newest = await work.strikes.newest_standing([1, 2])
        assert newest is not None
        assert newest.id == first
        assert await work.strikes.newest_standing([]) is None
        assert await work.strikes.count_standing(ada) == 1
        listed = await work.strikes.list_of_person(ada)
    assert [
        (row.title, row.seat_name, row.status, row.pardoned_at, row.pardon_reason) for row in listed
    ] == [
        ("Heron", "Ada", "running", None, None),
        ("Heron", "Ben", "running", NOW + HOUR, "it was a mistake"),
    ]


async def test_whoever_is_forgotten_keeps_the_sums_under_nobodys_name(database: Database) -> None:
    async with database.write() as work:
        ada, ben = await add_person(work), await add_person(work, "Ben")
        game_id = await finish(work, "heron", ada, ben)
        seat = (await work.seats.list_of_game(game_id))[0].id
        pardoned = await add_strike(work, ada, game_id, seat, "Ada Lovelace told everybody")
        await work.strikes.pardon(pardoned, by="Greta", reason="Ada was ill", at=NOW)
        await add_strike(work, ada, game_id, seat, "Ada Lovelace again")
        await Forgetting(work.connection).forget_person(ada)
        assert await work.results.list_accounts([]) == [
            Account(ada, 2500, 1, 1),
            Account(ben, 0, 0, 1),
        ]
        person = await work.people.find(ada)
        listed = await work.strikes.list_of_person(ada)
    assert person is not None
    assert person.name == FORGOTTEN
    assert [(row.reason, row.pardon_reason) for row in listed] == [("", ""), ("", None)]


async def test_strikes_of_the_log_are_taken_over(sqlite_url: str) -> None:
    database = open_database(sqlite_url)
    async with database.writer.begin() as connection:
        await connection.run_sync(lambda sync: command.upgrade(make_config(FOLDER, sync), "0003"))
        work = Work(connection, {})
        ada = await add_person(work)
        game_id = await add_game(work)
        await add_seat(work, game_id, 1, "Ada", ada)
        for number, detail in enumerate(
            (
                f'{{"phase": 2, "seat": "Ada", "person": {ada}, "reason": "showed orders"}}',
                '{"phase": 2, "seat": "Nobody", "person": 1, "reason": "no such seat"}',
                '{"phase": 2, "seat": "Ada", "person": null, "reason": "a seat that stood empty"}',
            )
        ):
            at = NOW + timedelta(days=number)
            await connection.execute(
                gm_log.insert().values(
                    game_id=game_id,
                    actor="Greta",
                    command="game strike",
                    detail=detail,
                    at=at,
                    public=True,
                )
            )
    await migrate(database)
    async with database.read() as work:
        (strike,) = await work.strikes.list_of_person(ada)
        assert (strike.title, strike.seat_name, strike.reason, strike.given_by, strike.at) == (
            *("Heron", "Ada", "showed orders", "Greta"),
            NOW,
        )
        assert await work.connection.scalar(sa.text("SELECT count(*) FROM strikes")) == 1
    await database.dispose()


async def test_people_are_found_by_their_name_and_by_those_of_their_seats(
    database: Database,
) -> None:
    async with database.write() as work:
        ada, ben, _cid = [await add_person(work, name) for name in ("Ada", "Ben", "Cid")]
        game_id = await add_game(work)
        seat_id = await add_seat(work, game_id, 1, "Ada", ben)
        await work.seats.replace_person(seat_id, 1, None, NOW)
        assert [person.id for person in await work.people.list_named("ADA", "ada")] == [ada, ben]
        assert [person.id for person in await work.people.list_named("ben", "ben")] == [ben]
        assert await work.people.list_named("Eve", "eve") == []
