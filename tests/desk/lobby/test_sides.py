"""Teams, places and factions chosen by mail before the start; whoever names none is dealt at
random.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from tests.desk.harness import Desk, text_of
from tests.desk.lobbies import (
    BY,
    answer,
    code_of,
    flat,
    game_of,
    join,
    knock,
    lobby,
    seats_of,
    subject_of,
    to_gm,
)
from tests.desk.looks import phase_of
from tests.played import PLAYED

TEAMS = {"teams": 2, "factions": "choice"}


async def sides_of(desk: Desk) -> dict[str, tuple[str | None, int | None, str | None]]:
    return {seat.name: (seat.team, seat.place, seat.faction) for seat in await seats_of(desk)}


async def state_of(desk: Desk) -> Any:
    async with desk.services.database.read() as work:
        row = await work.states.find((await game_of(desk)).id, 1)
    assert row is not None
    return desk.services.games[PLAYED].ruleset.decode_state(row.body)


async def test_players_choose_team_place_and_faction_and_the_rest_is_dealt(tmp_path: Path) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=4) as desk:
        await join(desk, "Anna", "Bartek", "Chloé", "Emil")
        told = flat(await answer(desk, "Anna", "team Red, place 2\nfaction kaluak"))
        assert "You are in team Red." in told
        assert "Your place in the team is 2." in told
        assert "Your faction is Kalu'Ak" in told.replace("’", "'")
        assert "Red, place 2" in told
        assert "open" in told
        assert "You are in team Red." in flat(await answer(desk, "Emil", "with Anna"))
        assert await sides_of(desk) == {
            "Anna": ("Red", 2, "Kalu'Ak"),
            "Bartek": (None, None, None),
            "Chloé": (None, None, None),
            "Emil": ("Red", None, None),
        }
        assert await gm.start(desk.services, "heron", BY) == 4
        await desk.work()
        state = await state_of(desk)
        members = {player.name: player.team for player in state.players}
        assert members["Anna"] == members["Emil"] == "Red"
        assert members["Bartek"] == members["Chloé"] == "A"
        starts = {player.name: player.start for player in state.players}
        assert starts["Anna"] == starts["Emil"] + 1, "her place is the second of the team"
        assert [player.faction for player in state.players] == ["Kalu'Ak", None, None, None]
        phase = await phase_of(desk)
        assert (phase.deadline - phase.opened_at).total_seconds() == 48 * 3600
        await desk.everybody_passes()
        assert await verify_game(desk.services, "heron") == []


REFUSED = (
    ("team Red", "That team is full: Anna and Bartek."),
    ("with Anna", "That team is full"),
    ("team Rеd", "in one a"),
    ("team Anna", "That is a player's name"),
    ("team 5", "A name needs letters"),
    ("team \u202eRed", "A name needs letters, and must not have hidden signs"),
    (f"team {'x' * 50}", "at most 40 characters"),
    ("with Zoe", "This game has no player of that name"),
    ("place 2", "Name your team first"),
    ("faction Elves", "There is no such faction"),
    ("team Blue, place 3", "A team has places 1 to 2"),
)


async def test_what_cannot_be_chosen_is_refused_in_words(tmp_path: Path) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=4) as desk:
        await join(desk, "Anna", "Bartek", "Emil")
        for name in ("Anna", "Bartek"):
            await answer(desk, name, "team Red")
        for text, words in REFUSED:
            assert words in flat(await answer(desk, "Emil", text)).replace("’", "'"), text


async def test_teams_that_have_all_their_names_take_no_third(tmp_path: Path) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=6) as desk:
        await join(desk, "Anna", "Bartek", "Emil")
        await answer(desk, "Anna", "team Red, place 1")
        await answer(desk, "Bartek", "team 2")
        assert "All teams have their names already" in flat(
            await answer(desk, "Emil", "team Green")
        )
        await answer(desk, "Emil", "team red")
        assert "Anna has that place" in flat(await answer(desk, "Emil", "place 1"))
        assert await sides_of(desk) == {
            "Anna": ("Red", 1, None),
            "Bartek": ("B", None, None),
            "Emil": ("Red", None, None),
        }
        assert "You are in no team" in flat(await answer(desk, "Emil", "no team"))
        await answer(desk, "Anna", "leave")
        assert await sides_of(desk) == {"Bartek": ("B", None, None), "Emil": (None, None, None)}


async def test_a_mate_in_no_team_is_told_once_and_answers_with_the_same_words(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=4) as desk:
        await join(desk, "Anna", "Bartek", "Emil")
        told = flat(await answer(desk, "Anna", "with Bartek"))
        assert "You are in team A." in told
        assert "Bartek is in no team yet" in told
        asked = desk.letters("Bartek")[-1]
        assert "would like to play in a team with you" in subject_of(asked)
        await answer(desk, "Anna", "with Bartek")
        assert desk.letters("Bartek")[-1]["Message-ID"] == asked["Message-ID"]
        assert not any("would like to play" in subject_of(mail) for mail in desk.letters("Emil"))
        await answer(desk, "Bartek", "with Anna", to=asked)
        assert (await sides_of(desk))["Bartek"] == ("A", None, None)


async def test_teams_and_factions_can_be_said_when_joining(tmp_path: Path) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=4) as desk:
        await join(desk, "Anna", wish=", team Red, faction Hodir, place 2")
        code = await code_of(desk)
        await knock(desk, "Emil", f"join {code} as Emil, place 7, team Red")
        assert "Name your team first" in flat(desk.letters("Emil")[-1])
        await answer(desk, "Emil", "yes, place 1")
        assert await sides_of(desk) == {"Anna": ("Red", 2, "Hodir"), "Emil": ("Red", 1, None)}
        assert "Red, place 2" in flat(desk.letters("Emil")[-1])


async def test_a_table_without_teams_and_factions_says_so(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Emil")
        told = flat(await answer(desk, "Emil", "team Red\nfaction Hodir"))
        assert "This game has no teams." in told
        assert "Nobody chooses a faction in this game." in told
        assert "Team" not in text_of(desk.letters("Emil")[-1])


@pytest.mark.parametrize(
    ("players", "answers", "teams"), [(3, "yes", 0), (4, "yes", 2), (4, "no", 0)]
)
async def test_what_was_chosen_counts_if_the_vote_goes_that_way(
    tmp_path: Path, players: int, answers: str, teams: int
) -> None:
    names = ("Anna", "Bartek", "Chloé", "Emil")[:players]
    async with lobby(
        tmp_path,
        votes=("team game", "factions"),
        least_players=3,
        most_players=players,
        starts="full",
    ) as desk:
        await join(desk, *names[:-1])
        await answer(desk, "Anna", "team Red, faction Hodir")
        await join(desk, names[-1])
        told = flat(desk.letters("Anna")[-1])
        assert (
            "3 players cannot play team game yes. If that still wins, you play without it." in told
        ) == (players == 3)
        for name in names:
            await answer(desk, name, f"vote team game: {answers}, vote factions: no")
        game = await game_of(desk)
        assert game.status == "running"
        assert json.loads(game.options)["teams"] == teams
        assert (await sides_of(desk))["Anna"] == ("Red" if teams else None, None, None)
        voted = next(
            flat(mail) for mail in desk.letters("Anna") if "WHAT YOU VOTED FOR" in text_of(mail)
        )
        assert ("3 players do not make equal teams" in voted) == (players == 3)
        await desk.everybody_passes()
        assert await verify_game(desk.services, "heron") == []


async def test_a_table_that_starts_when_it_is_full_wants_a_number_that_divides(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, options={"teams": 2}, most_players=4, starts="full") as desk:
        with pytest.raises(gm.Refused, match="do not make 2 equal teams"):
            await gm.change_table(desk.services, "heron", gm.TableChanges(most_players=5), BY)
        with pytest.raises(gm.Refused, match="do not make 3 equal teams"):
            await gm.change_options(desk.services, "heron", {"teams": 3}, BY)
        await join(desk, "Anna", "Bartek", "Chloé", "Emil")
        assert (await game_of(desk)).status == "running"


async def test_too_many_in_a_team_block_a_start_that_comes_early_and_say_who(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, options={"teams": 2}) as desk:
        await join(desk, "Anna", "Bartek", "Chloé", "Emil")
        for name in ("Anna", "Bartek", "Chloé"):
            await answer(desk, name, "team Red")
        with pytest.raises(gm.Refused, match="team Red has 3: Anna, Bartek, Chloé"):
            await gm.start(desk.services, "heron", BY)
        await answer(desk, "Chloé", "team Blue")
        assert await gm.start(desk.services, "heron", BY) == 4


async def test_two_mates_of_one_line_are_asked_each_and_a_team_is_left_in_two_words(
    tmp_path: Path,
) -> None:
    async with lobby(
        tmp_path, options={"teams": 2, "factions": "choice"}, least_players=4, most_players=6
    ) as desk:
        await join(desk, "Anna", "Bartek", "Chloé", "Emil")
        told = flat(await answer(desk, "Emil", "I want to play with Chloe and Anna"))
        assert "Nobody of that name" not in told
        for name in ("Chloé", "Anna"):
            assert "would like to play in a team with you" in subject_of(desk.letters(name)[-1])
        assert "Your place in the team is 1." in flat(await answer(desk, "Emil", "place: 1st"))
        assert "You are in no team" in flat(await answer(desk, "Emil", "leave team"))
        assert (await sides_of(desk))["Emil"] == (None, None, None)


async def test_f105_a_game_master_is_not_told_to_choose_a_faction(tmp_path: Path) -> None:
    async with lobby(tmp_path, options={"factions": "choice"}) as desk:
        await join(desk, "Anna")
        masters = "".join(flat(mail) for mail in to_gm(desk))
        assert ("Players choose a faction now" in masters, "Choose a faction" in masters) == (
            True,
            False,
        )
        assert "Choose a faction now" in "".join(flat(mail) for mail in desk.letters("Anna"))
