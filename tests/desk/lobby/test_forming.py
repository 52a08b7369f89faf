"""The game master seats players in teams before the start, by mail and from the command line."""

from pathlib import Path

import pytest

from pbem.desk import gm
from tests.desk.lobbies import BY, join, lobby, seats_of
from tests.desk.mastery import command

TEAMS = {"teams": 2, "factions": "choice"}


async def test_a_game_master_gives_team_place_and_faction(tmp_path: Path) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=4) as desk:
        await join(desk, "Anna", "Bartek", "Chloé")
        await gm.seat_in_team(
            desk.services, "heron", "anna", BY, team="Red", place=2, faction="kaluak"
        )
        await gm.seat_in_team(desk.services, "heron", "Bartek", BY, team="red")
        for code, changes in (
            ("impossible-team", {"team": "red"}),
            ("impossible-team", {"place": 1}),
            ("unknown-faction", {"faction": "Elves"}),
        ):
            with pytest.raises(gm.Refused) as refused:
                await gm.seat_in_team(desk.services, "heron", "Chloé", BY, **changes)
            assert refused.value.code == code
        with pytest.raises(gm.Refused, match="nobody called"):
            await gm.seat_in_team(desk.services, "heron", "Zoe", BY, team="Red")
        found = [(seat.name, seat.team, seat.place, seat.faction) for seat in await seats_of(desk)]
        assert found == [
            ("Anna", "Red", 2, "Kalu'Ak"),
            ("Bartek", "Red", None, None),
            ("Chloé", None, None, None),
        ]
        await gm.seat_in_team(desk.services, "heron", "Anna", BY, team="", faction="")
        anna = (await seats_of(desk))[0]
        assert (anna.team, anna.place, anna.faction) == (None, None, None)


async def test_the_same_by_mail(tmp_path: Path) -> None:
    async with lobby(tmp_path, options=TEAMS, least_players=4, most_players=4) as desk:
        await join(desk, "Anna", "Bartek")
        await command(
            desk,
            "set team Anna: Red, place 1 of heron\nset faction Bartek: Iron Light of heron\nset team Bartek red of heron",
        )
        found = [(seat.name, seat.team, seat.place, seat.faction) for seat in await seats_of(desk)]
        assert found == [("Anna", "Red", 1, None), ("Bartek", "Red", None, "Iron Light")]
