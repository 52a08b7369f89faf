"""Teams, places and factions that the game master gives before the start, by the same rules as the
players choose them.
"""

from collections.abc import Sequence

from pbem.desk.lobby.choosing import Chosen, choose, keep_choice
from pbem.desk.lobby.rows import choices_at, read_lobby_rows
from pbem.desk.mandate import By, Refused, check_not_begun, check_not_done, find_game, log_command
from pbem.desk.ports import Desk
from pbem.desk.table import load_table
from pbem.grammar import seat_wishes as said
from pbem.grammar.lobby import Trouble, find_faction
from pbem.pages.lobby_view import Refusal
from pbem.store.repositories.seats import fold_name

WHY = {
    "no-teams": "the table is played without teams",
    "no-factions": "nobody chooses that faction at this table",
    "faction-taken": "another player has that faction",
    "team-full": "the team is full",
    "teams-named": "all teams have their names already",
    "team-alike": "there is a team whose name looks the same",
    "team-is-player": "that is a player's name",
    "place-without-team": "a place is one within a team",
    "place-range": "a team has no such place",
    "place-taken": "somebody has that place",
}


def _faction_named(text: str, factions: Sequence[str]) -> said.Side:
    found = find_faction(text, factions) if text else said.Faction()
    if isinstance(found, Trouble):
        near = ", ".join(option.removeprefix("faction ") for option in found.options)
        raise Refused("unknown-faction", f"there is no faction {text!r}; perhaps {near}")
    return found


async def seat_in_team(
    services: Desk,
    slug: str,
    player: str,
    by: By,
    *,
    team: str | None = None,
    place: int | None = None,
    faction: str | None = None,
) -> None:
    """Give a player a team, a place in it or a faction; "" and 0 leave it open again, None as it
    is. Refused if it cannot be.
    """
    wishes: list[said.Side] = []
    wishes += [said.Team(team)] if team is not None else []
    wishes += [said.Place(place)] if place is not None else []
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        check_not_begun(game)
        detail = {"player": player, "team": team, "place": place, "faction": faction}
        await log_command(
            tx,
            by,
            "game team",
            {k: v for k, v in detail.items() if v is not None},
            game_id=game.id,
        )
        if faction is not None:
            wishes.append(
                _faction_named(
                    faction, choices_at(await load_table(tx.work, services.games, game)).factions
                )
            )
        for wish in wishes:
            rows = await read_lobby_rows(tx.work, services.games, game.id)
            seat = next(
                (row for row in rows.table.seats if fold_name(row.name) == fold_name(player)), None
            )
            if seat is None:
                raise Refused("unknown-player", f"nobody called {player!r} sits at {game.title}")
            chosen = choose(rows, seat, Chosen.of(seat), wish)
            if isinstance(chosen, Refusal):
                among = f" ({', '.join(chosen.options)})" if chosen.options else ""
                raise Refused(
                    "impossible-team",
                    f"{chosen.written}: {WHY.get(chosen.code, 'that cannot be a name')}{among}",
                )
            await keep_choice(tx.work, seat, chosen)
