"""Starting a table: its teams are formed, the game is dealt and the first question asked."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.chance import Chance
from engine.ruleset import Ballot, Outcome
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import Enclosed
from pbem.desk.gm.command import commanded
from pbem.desk.letters.post import Post, at_table, read_post
from pbem.desk.letters.results import ResultLetters
from pbem.desk.lobby.barred import free_kept, kept_for_barred
from pbem.desk.lobby.choices import Chosen, as_played, choose, keep_choice
from pbem.desk.lobby.rows import Granted, choices_at, grant_wishes, keep_granted, read_lobby_rows
from pbem.desk.mandate import (
    By,
    Refused,
    check_not_begun,
    check_not_done,
    find_game,
    lock_game,
    log_command,
    log_event,
)
from pbem.desk.phases.outcome import Closed, keep_outcome, make_result, next_minute, paint
from pbem.desk.ports import Desk, Services, Transaction
from pbem.desk.table import load_table
from pbem.desk.upkeep.records import as_told
from pbem.grammar import seat_wishes as said
from pbem.grammar.lobby import Trouble, find_faction
from pbem.pages.lobby import ColoursSettled
from pbem.pages.lobby_view import Refusal
from pbem.pages.page import Page, Reader, Table
from pbem.store.repositories.seats import fold_name


async def start(services: Services, slug: str, by: By) -> int:
    """Count the votes, deal the game and ask the first question; the number of players.

    The votes are settled before the set-up, from the same stream of chance, and kept as the one act
    of phase 0, so that a replay can repeat them. Its body, a JSON object:

    {"act": "votes", "questions": ["version", ...], "votes": [{"version": "grand", ...}, {}, ...]}

    with one object a seat, in the order of the seats, empty for a player who abstained: the
    arguments of `Ruleset.settle_votes`. The game's options are kept as settled, so that settling
    them again changes nothing. A table without a vote has no such act.

    Who was invited, has not answered and has three strikes by now is not dealt in: that seat is
    given up first (PR-1.11).
    """
    now = services.clock.now()
    async with services.read() as tx:
        await check_not_done(tx.work, by)
        game = await find_game(tx.work, slug)
        check_not_begun(game)
        table = await load_table(tx, game)
        rows = await read_lobby_rows(tx, game.id)
        barred = await kept_for_barred(tx.work, rows)
        seed = bytes.fromhex(await tx.work.games.read_seed(game.id))
        before = table
        table, granted = grant_wishes(before, rows.wishes)
        post = await read_post(tx, table)
    if barred:
        await free_kept(services, game.id)
        return await start(services, slug, by)
    rules = table.kind.ruleset
    chance = Chance(seed)
    if len(table.seats) < table.settings.least_players:
        raise Refused(
            "cannot-start",
            f"the table is for at least {table.settings.least_players} players, and"
            f" {len(table.seats)} sit there",
        )
    options: dict[str, Any] = msgspec.json.decode(game.options)
    questions, votes = list(table.settings.votes), [rows.votes_of(seat) for seat in table.seats]
    try:
        ballot = rules.settle_votes(questions, votes, chance) if questions else Ballot({}, ())
        options |= ballot.options
        played = rules.choices(options)
        seats = [as_played(as_told(seat), played) for seat in table.seats]
        dealt: Outcome[Any] = rules.setup(options, seats, chance)
        outcome = Outcome(dealt.state, (*ballot.events, *dealt.events))
    except ValueError as error:
        raise Refused("cannot-start", str(error)) from error
    land_seed = int.from_bytes(hashlib.sha256(game.slug.encode()).digest()[:4], "big") >> 1
    land = await services.painting.painter.land(
        table.kind.board, rules.view(outcome.state, None), land_seed, table.settings.map_text
    )
    result = make_result(table, outcome, next_minute(now), now)
    picture = await paint(services, result, land)
    telling = ResultLetters.of(post, result, has_picture=picture is not None)
    letters = await asyncio.to_thread(
        lambda: [
            *_welcomes(telling),
            *(_colours(post, granted) if granted else ()),
            *telling.questions(),
        ]
    )

    async def within(tx: Transaction[Desk]) -> bool:
        """Nobody sat down or voted meanwhile; the land, the votes and the log belong to the same
        unit of tx.work.
        """
        again = await read_lobby_rows(tx, game.id)
        if (again.table.seats, again.votes, again.wishes) != (
            before.seats,
            rows.votes,
            rows.wishes,
        ):
            return False
        if (again.game.options, again.game.settings, again.game.status) != (
            game.options,
            game.settings,
            game.status,
        ):
            return False
        await tx.work.games.keep_land(game.id, land)
        await keep_granted(tx.work, before, table)
        for row, seat in zip(
            table.seats, seats, strict=True
        ):  # what is not played with was not told to the rules
            await keep_choice(tx.work, row, Chosen(seat.team, seat.place, seat.faction))
        if questions:
            await tx.work.games.set_options(game.id, msgspec.json.encode(options).decode())
            body = msgspec.json.encode(
                {"act": "votes", "questions": questions, "votes": votes}
            ).decode()
            await tx.work.acts.add(game_id=game.id, phase_number=0, actor="gm", body=body, at=now)
        await log_command(
            tx,
            by,
            "game start",
            {"players": len(seats), "commitment": game.commitment},
            game_id=game.id,
        )
        if granted:
            detail = {"players": {one.name: one.colour for one in granted}}
            await log_event(tx, game.id, "colours settled", detail)
        return True

    closed = Closed(result, chance.place, letters, picture)
    if not await keep_outcome(services, closed, within):
        raise Refused(
            "conflict",
            f"{game.title} has begun, or a player joined at the same moment; look again",
        )
    return len(seats)


def _colours(post: Post, granted: Sequence[Granted]) -> Iterator[NewLetter]:
    """Who got which of the colours they wished for, to everybody."""
    return post.to(
        at_table(),
        ColoursSettled(granted),
        "colours",
        f"colours:{post.table.game.id}",
    )


def _welcomes(telling: ResultLetters) -> Iterator[NewLetter]:
    """The welcome: the game in ten lines, three examples, the commitment. To everybody, and to the
    game masters.
    """
    result, kind, game = telling.result, telling.post.table.kind, telling.post.table.game

    def page_for(facts: Table, reader: Reader) -> Page:
        view = kind.ruleset.view(result.state, reader.number)
        return kind.pages.welcome(facts, reader, view, game.commitment, result.events)

    enclosed = Enclosed(shows_board=telling.has_picture)
    return telling.post.to(at_table(), page_for, "welcome", f"welcome:{game.id}", enclosed)


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
    async with commanded(services, by) as tx:
        game = await lock_game(tx.work, slug)
        check_not_begun(game)
        detail = {"player": player, "team": team, "place": place, "faction": faction}
        await tx.log("game team", {k: v for k, v in detail.items() if v is not None}, game.id)
        if faction is not None:
            wishes.append(_faction_named(faction, choices_at(await load_table(tx, game)).factions))
        for wish in wishes:
            rows = await read_lobby_rows(tx, game.id)
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
