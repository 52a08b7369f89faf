"""Replaying a game from its seed and orders: every state and event must come out byte for byte as it was kept."""

from typing import Any

import msgspec

from engine.chance import Chance, commitment
from engine.ruleset import Outcome, Seat
from pbem.desk.gm import Refused
from pbem.desk.ports import Game, Parts
from pbem.desk.table import encode_events, load_table, standing_of
from pbem.store.events import EventRow
from pbem.store.work import Work


async def verify_game(parts: Parts, slug: str) -> list[str]:
    """What differs between the replay and what was kept, a line each; empty when all is as it should be.

    The seed is secret until the game is over, so that only the service itself can replay a running game.
    """
    async with parts.database.read() as work:
        game = await work.games.find_by_slug(slug)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.phase_number == 0:
            raise Refused("not-running", f"{slug} has not begun")
        table = await load_table(work, parts.games, game)
        seed = bytes.fromhex(await work.games.read_seed(game.id))
        differences = [] if commitment(seed) == game.commitment else ["the seed is not the one that was committed to"]
        rules = table.kind.ruleset
        chance = Chance(seed)
        seats = [Seat(seat.number, seat.name, seat.colour or "") for seat in table.seats]
        outcome: Outcome[Any] = rules.setup(msgspec.json.decode(game.options), seats, chance)
        await _compare(work, table.kind, game.id, 1, outcome, chance, differences)
        for number in range(1, game.phase_number):
            rows = {row.seat_id: row for row in await work.orders.latest(game.id, number)}
            active = set(rules.active(outcome.state))
            orders = {}
            for seat in table.seats:
                tenure = rows[seat.id].tenure if seat.id in rows else seat.tenure
                standing = standing_of(table.kind, rows.get(seat.id), msgspec.structs.replace(seat, tenure=tenure))
                if seat.number in active and standing.orders:
                    orders[seat.number] = standing.orders
            chance = Chance(seed, chance.place)
            outcome = rules.adjudicate(outcome.state, orders, chance)
            await _compare(work, table.kind, game.id, number + 1, outcome, chance, differences)
    return differences


async def _compare(
    work: Work, kind: Game, game_id: int, number: int, outcome: Outcome[Any], chance: Chance, differences: list[str]
) -> None:
    """The state that phase `number` opened with, and the events that led to it."""
    kept = await work.states.find(game_id, number)
    if kept is None or kept.body != kind.ruleset.encode_state(outcome.state):
        differences.append(f"phase {number}: the state differs")
    if kept is not None and kept.chance_place != chance.place:
        differences.append(f"phase {number}: {chance.place} draws were made, {kept.chance_place} were kept")
    rows: list[EventRow] = await work.events.list_of_phase(game_id, number - 1)
    made = encode_events(kind, outcome.events)
    if len(rows) != len(made):
        differences.append(f"phase {number}: {len(made)} events come out, {len(rows)} were kept")
    for row, event in zip(rows, made, strict=False):
        if (row.kind, row.body, row.audience, row.rules) != (event.kind, event.body, event.audience, event.rules):
            differences.append(f"phase {number}: event {row.ordinal} ({row.kind}) differs")
