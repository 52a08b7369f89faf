"""Starting a table: the game is dealt and the first question asked."""

import asyncio
import hashlib
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.chance import Chance
from engine.ruleset import Outcome, Seat
from pbem.desk.close import keep_outcome, make_occasion, paint
from pbem.desk.gm.mandate import By, Refused, find_game, log_command
from pbem.desk.letters import NewLetter, letter_to_seat, seat_token
from pbem.desk.ports import Parts
from pbem.desk.posting import DeskPeople, Occasion, gm_letters, next_phase_letters, read_desk_people
from pbem.desk.table import load_table, page_table
from pbem.store.work import Work


async def start(parts: Parts, slug: str, by: By) -> int:
    """Deal the game and ask the first question; the number of players."""
    now = parts.clock.now()
    async with parts.database.read() as work:
        game = await find_game(work, slug)
        if game.status != "open":
            raise Refused("already-started", f"{game.title} has begun")
        table = await load_table(work, parts.games, game)
        seed = bytes.fromhex(await work.games.read_seed(game.id))
        desk = await read_desk_people(work, parts, table)
    rules = table.kind.ruleset
    seats = [Seat(seat.number, seat.name, seat.colour or "") for seat in table.seats]
    chance = Chance(seed)
    try:
        outcome: Outcome[Any] = rules.setup(msgspec.json.decode(game.options), seats, chance)
    except ValueError as error:
        raise Refused("cannot-start", str(error)) from error
    land_seed = int.from_bytes(hashlib.sha256(game.slug.encode()).digest()[:4], "big") >> 1
    land = await table.kind.painter.land(rules.view(outcome.state, None), land_seed, table.settings.map_text)
    occasion = make_occasion(table, outcome, rules.phase(outcome.state), 1, _next_minute(now), now)
    picture = await paint(parts, occasion, land)
    has_picture = picture is not None
    letters = await asyncio.to_thread(
        lambda: [
            *_welcomes(parts, occasion, desk, has_picture=has_picture),
            *next_phase_letters(parts, occasion, desk, has_picture=has_picture),
        ]
    )

    async def within(work: Work) -> bool:
        """Nobody sat down meanwhile; the land and the log belong to the same unit of work."""
        if tuple(await work.seats.list_of_game(game.id)) != table.seats:
            return False
        await work.games.keep_land(game.id, land)
        await log_command(work, parts, by, "game start", {"players": len(seats), "commitment": game.commitment}, game_id=game.id)
        return True

    if not await keep_outcome(parts, occasion, chance.place, letters, picture, now, within):
        raise Refused("conflict", f"{game.title} has begun, or somebody sat down at the same moment; look again")
    return len(seats)


def _next_minute(now: datetime) -> datetime:
    return now if now.second == 0 and now.microsecond == 0 else now.replace(second=0, microsecond=0) + timedelta(minutes=1)


def _welcomes(parts: Parts, occasion: Occasion, desk: DeskPeople, *, has_picture: bool) -> list[NewLetter]:
    """The welcome: the game in ten lines, three examples, the commitment. To everybody, and to the game masters."""
    table, game, phase = occasion.table, occasion.table.game, occasion.new_phase()
    letters = []
    for reader, seat, address in desk.readers(parts):
        facts = page_table(
            table, parts.policy, occasion.now, code=seat_token(parts.key, seat, occasion.number), phase=phase, has_picture=has_picture
        )
        page = table.kind.pages.welcome(facts, reader, table.kind.ruleset.view(occasion.state, seat.number), game.commitment)
        letters.append(
            letter_to_seat(
                page, kind="welcome", dedupe_key=f"welcome:{game.id}:{seat.id}", policy=parts.policy, key=parts.key, game=game, seat=seat,
                phase_number=occasion.number, address=address, shows_board=True,
            )
        )  # fmt: skip
    facts = page_table(table, parts.policy, occasion.now, phase=phase, has_picture=has_picture)
    view = table.kind.ruleset.view(occasion.state, None)
    letters.extend(
        gm_letters(
            parts, table, desk, lambda reader: table.kind.pages.welcome(facts, reader, view, game.commitment), kind="welcome",
            dedupe_key=f"welcome:{game.id}", shows_board=True,
        )
    )  # fmt: skip
    return letters
