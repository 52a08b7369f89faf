"""A game master's look ahead: what everybody would be told if the open phase closed now. Written
down, and told to the table.

Nothing of it is stored, and chance is not foretold: dice are thrown and cards shuffled for it from
a stream of their own, so that nobody learns beforehand what the game's own will be.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any

from engine.chance import Chance
from engine.ruleset import Outcome, Ruleset
from pbem.desk.gm.acting import GM
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.mandate import By, check_not_done, check_sees, find_open_phase, log_command
from pbem.desk.phases.standings import read_standings
from pbem.desk.ports import Context, Desk
from pbem.desk.table import OpenTable, page_table
from pbem.pages.page import MARKER, Reader
from pbem.record.replay import RESHUFFLE

FOOT = "\n-- \n"


async def predict(services: Desk, slug: str, by: By) -> tuple[str, ...]:
    """The lines of what would be told. Refused for a game master who plays here, unless the table
    allows it.
    """
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        check_sees(table, by.person_id)
        entry = await log_command(tx, by, "game predict", {"phase": phase.number}, game_id=game.id)
        seed = bytes.fromhex(await tx.work.games.read_seed(game.id))
        standings = await read_standings(tx.work, table)
        post = await read_post(tx, table, now)
        await post.tell(
            tx.work,
            at_table(commander=by.person_id),
            lambda facts, reader: services.pages.announcements.predicted(
                facts, reader, now, by.name
            ),
            "looked",
            f"predicted:{entry}",
        )
        services.steps.reached("gm.predict.written")
    await ask_for_delivery(services, now)
    orders = {number: standing.orders for number, standing in standings.items() if standing.orders}
    return await asyncio.to_thread(_told, services, table, orders, seed)


def _reshuffled(rules: Ruleset[Any, Any], state: object, chance: Chance) -> object:
    """What is still to be drawn lies in another order than it does; a game without decks has
    nothing to shuffle.
    """
    try:
        return rules.act(state, GM, RESHUFFLE, chance).state
    except ValueError:
        return state


def _told(
    context: Context, table: OpenTable, orders: Mapping[int, tuple[object, ...]], seed: bytes
) -> tuple[str, ...]:
    rules = table.kind.ruleset
    chance = Chance(hashlib.sha256(b"foreseen|" + seed).digest(), table.game.chance_place)
    outcome: Outcome[object] = rules.adjudicate(
        _reshuffled(rules, table.state, chance), orders, chance
    )
    facts = page_table(table, context.policy, context.clock.now())
    public = tuple(event for event in outcome.events if event.is_for(None))
    page = table.kind.pages.happened(
        facts, Reader(None, "", table.settings.zone), rules.view(outcome.state, None), public
    )
    body = page.text.partition(MARKER)[2] or page.text
    return tuple(line.strip() for line in body.partition(FOOT)[0].splitlines() if line.strip())
