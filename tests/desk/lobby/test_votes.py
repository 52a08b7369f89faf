"""The vote before the start (PR-1.4), and tables that start by themselves."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.desk import gm
from pbem.desk.phases.lobbies import tend_table
from pbem.desk.upkeep.records import verify_game
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import (
    BY,
    answer,
    flat,
    game_of,
    join,
    lobby,
    names_of,
    seats_of,
    subject_of,
    to_gm,
)


async def acts_of(desk: Desk) -> list[dict[str, Any]]:
    async with desk.services.database.read() as work:
        return [
            json.loads(row.body)
            for row in await work.acts.list_of_phase((await game_of(desk)).id, 0)
        ]


async def events_of(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        return [row.kind for row in await work.events.list_of_phase((await game_of(desk)).id, 0)]


def begun(desk: Desk, name: str) -> str:
    return next(flat(mail) for mail in desk.letters(name) if "WHAT YOU VOTED FOR" in text_of(mail))


async def test_a_full_table_votes_for_a_day_and_starts_by_itself(tmp_path: Path) -> None:
    async with lobby(
        tmp_path, votes=("version",), least_players=3, most_players=3, starts="full"
    ) as desk:
        await join(desk, "Anna", "Bartek", "Emil")
        assert "All seats are taken" in subject_of(desk.letters("Anna")[-1])
        assert "All seats are taken" in subject_of(to_gm(desk)[-1])
        assert "All seats are taken. The vote is open" in flat(desk.letters("Emil")[-1])
        await answer(desk, "Anna", "vote grand")
        await answer(desk, "Bartek", "grand please")
        desk.clock.forward(hours=23)
        await desk.work()
        assert (await game_of(desk)).status == "open"
        desk.clock.forward(hours=2)
        await desk.work(times=2)
        game = await game_of(desk)
        assert (game.status, game.phase_number) == ("running", 1)
        assert json.loads(game.options)["version"] == "grand"
        assert await acts_of(desk) == [
            {
                "act": "votes",
                "questions": ["version"],
                "votes": [{"version": "grand"}, {"version": "grand"}, {}],
            }
        ]
        assert (await events_of(desk))[:2] == ["option-voted", "game-set-up"]
        assert "The players vote for version grand (normal 0, grand 2)" in begun(desk, "Emil")
        assert (
            sum(
                "Welcome" in text_of(mail) or "WELCOME TO HERON" in text_of(mail)
                for mail in desk.letters("Emil")
            )
            >= 1
        )


async def test_the_vote_ends_at_once_when_everybody_has_voted(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",), most_players=2, starts="full") as desk:
        await join(desk, "Anna", wish=", vote normal")
        await join(desk, "Bartek")
        assert (await game_of(desk)).status == "open"
        await answer(desk, "Bartek", "vote normal")
        game = await game_of(desk)
        assert game.status == "running"
        assert json.loads(game.options)["version"] == "normal"


async def test_a_full_table_with_nothing_to_vote_on_starts_at_once(tmp_path: Path) -> None:
    async with lobby(tmp_path, most_players=2, starts="full") as desk:
        await join(desk, "Anna", "Bartek")
        assert (await game_of(desk)).status == "running"
        assert await acts_of(desk) == []


async def test_a_tie_falls_to_the_coin_of_the_games_own_stream_before_the_set_up(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",), most_players=2) as desk:
        await join(desk, "Anna", wish=", vote grand")
        await join(desk, "Bartek", wish=", vote normal")
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        assert "the coin decided" in begun(desk, "Anna")
        async with desk.services.database.read() as work:
            state = await work.states.find(1, 1)
            rows = await work.events.list_of_phase(1, 0)
        assert state is not None
        assert state.chance_place == 6  # the coin, the start places, four decks
        assert rows[0].kind == "option-voted"
        await desk.write("Anna", "bid 3")
        await desk.everybody_passes()
        assert await verify_game(desk.services, "heron") == []


async def test_a_game_master_may_start_before_the_vote_is_over_and_is_told_when_it_is(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",), most_players=2) as desk:
        await join(desk, "Anna", "Bartek")
        assert "start heron" in text_of(to_gm(desk)[-1])
        await answer(desk, "Anna", "vote grand")
        await answer(desk, "Bartek", "vote grand")
        assert "The vote is over" in subject_of(to_gm(desk)[-1])
        desk.clock.forward(days=2)
        await desk.work()
        assert sum("The vote is over" in subject_of(mail) for mail in to_gm(desk)) == 1
        await answer(desk, "Anna", "vote normal")  # and may change it until the start
        assert await gm.start(desk.services, "heron", BY) == 2
        assert (await acts_of(desk))[0]["votes"] == [{"version": "normal"}, {"version": "grand"}]


async def test_too_few_players_cannot_start(tmp_path: Path) -> None:
    async with lobby(tmp_path, least_players=3) as desk:
        await join(desk, "Anna", "Bartek")
        with pytest.raises(gm.Refused, match="at least 3 players"):
            await gm.start(desk.services, "heron", BY)
        assert (await game_of(desk)).status == "open"
        await gm.change_table(desk.services, "heron", gm.TableChanges(least_players=2), BY)
        await gm.start(desk.services, "heron", BY)


async def test_a_start_that_is_impossible_is_told_to_the_game_master_once(tmp_path: Path) -> None:
    async with lobby(
        tmp_path, most_players=2, starts="full", options={"version": "grand", "provinces": 20}
    ) as desk:
        with pytest.raises(gm.Refused, match="could not start by itself"):
            await gm.change_table(desk.services, "heron", gm.TableChanges(most_players=16), BY)
        await gm.change_options(desk.services, "heron", {"provinces": 6}, BY)
        await gm.change_table(desk.services, "heron", gm.TableChanges(most_players=3), BY)
        async with (
            desk.services.database.write() as work
        ):  # as no command of a game master would leave it
            await work.games.set_options(1, json.dumps({"version": "grand", "provinces": 4}))
        await join(desk, "Anna", "Bartek", "Emil")
        for _ in range(3):
            desk.clock.forward(hours=1)
            await desk.work()
        assert (await game_of(desk)).status == "open"
        told = [mail for mail in to_gm(desk) if "could not start" in subject_of(mail)]
        assert len(told) == 1
        assert "6 to 52 provinces, not 4" in flat(told[0])
        await gm.change_options(desk.services, "heron", {"provinces": 6}, BY)
        assert await gm.start(desk.services, "heron", BY) == 3


async def test_who_leaves_a_full_table_frees_it_and_the_vote_waits(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",), most_players=2, starts="full") as desk:
        await join(desk, "Anna", "Bartek")
        await answer(desk, "Anna", "vote grand")
        await answer(desk, "Bartek", "leave")
        assert "A seat is free again" in subject_of(desk.letters("Anna")[-1])
        assert (await game_of(desk)).voting_until is None
        desk.clock.forward(days=2)
        await desk.work()
        assert (await game_of(desk)).status == "open"
        await join(desk, "Emil", wish=", vote grand")
        assert (await game_of(desk)).status == "running"
        assert [name for name, _ in await names_of(desk)] == ["Anna", "Emil"]


async def test_a_table_does_not_start_by_itself_before_the_invited_have_answered(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, most_players=2, starts="full") as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await desk.work()
        await join(desk, "Bartek")
        assert "as soon as Anna has answered" in flat(desk.letters("Bartek")[-1])
        assert (await game_of(desk)).status == "open"
        await answer(desk, "Anna", "yes")
        assert (await game_of(desk)).status == "running"


async def test_a_table_that_expires_in_the_middle_of_its_vote_is_kept_till_it_is_over(
    tmp_path: Path,
) -> None:
    async with lobby(
        tmp_path, votes=("version",), most_players=2, starts="full", open_days=1
    ) as desk:
        desk.clock.forward(hours=20)
        await join(desk, "Anna", "Bartek")
        desk.clock.forward(hours=10)
        await desk.work()
        assert (await game_of(desk)).status == "open"
        desk.clock.forward(hours=15)
        await desk.work()
        assert (await game_of(desk)).status == "running"


async def test_tending_a_table_twice_or_too_early_does_no_harm(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",), most_players=2, starts="full") as desk:
        await tend_table(desk.services, 1)
        await tend_table(desk.services, 99)
        await join(desk, "Anna", "Bartek")
        desk.clock.forward(hours=25)
        for _ in range(3):
            await tend_table(desk.services, 1)
        await desk.work()
        assert (await game_of(desk)).phase_number == 1
        assert (
            sum(
                "Heron" in subject_of(mail) and "begin" in subject_of(mail).lower()
                for mail in desk.letters("Anna")
            )
            <= 1
        )


async def test_a_start_that_dies_each_time_is_given_up(tmp_path: Path) -> None:
    async with lobby(tmp_path, most_players=2, starts="full") as desk:
        await gm.change_table(desk.services, "heron", gm.TableChanges(votes=("version",)), BY)
        await join(desk, "Anna", "Bartek")
        async with desk.services.database.write() as work:
            for _ in range(3):
                await work.games.count_attempt(1, desk.clock.now())
        desk.clock.forward(hours=25)
        await desk.work()
        assert (await game_of(desk)).status == "open"
        assert "could not start" in subject_of(to_gm(desk)[-1])


async def test_a_wider_or_narrower_table_is_full_by_that(tmp_path: Path) -> None:
    async with lobby(tmp_path, most_players=3, starts="full", votes=("version",)) as desk:
        await join(desk, "Anna", "Bartek")
        await gm.change_table(desk.services, "heron", gm.TableChanges(most_players=2), BY)
        game = await game_of(desk)
        assert game.voting_until == desk.clock.now() + timedelta(hours=24)
        await gm.change_table(desk.services, "heron", gm.TableChanges(most_players=4), BY)
        assert (await game_of(desk)).voting_until is None
        assert len(await seats_of(desk)) == 2
        assert msgspec.json.decode((await game_of(desk)).settings)["most_players"] == 4
