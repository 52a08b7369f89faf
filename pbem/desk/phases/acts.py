"""Acts that leave the phase open, a player's or a game master's: what is kept of one, alike for
both.

The close of a phase counts its acts: one that is computed meanwhile is overtaken, and computed anew
with the act done.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.chance import Chance
from engine.ruleset import Actor, Event, Outcome, Ruleset, encode_sound_state
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.posting import (
    PhaseResult,
    everybody_letters,
    next_phase_letters,
    read_recipients,
)
from pbem.desk.ports import Desk
from pbem.desk.table import OpenTable, encode_events, load_table
from pbem.record.replay import is_another_phase
from pbem.store.repositories.games import GameRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Done:
    """An act that has been computed, with the place of the stream of chance after it."""

    act: Mapping[str, object]
    outcome: Outcome[Any]
    place: int


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of the acts in a player's message: the state after them all, what happened, and the
    orders that were not possible.
    """

    state: Any
    events: tuple[Event, ...] = ()
    refused: tuple[Any, ...] = ()


def do_one(
    rules: Ruleset[Any, Any],
    state: Any,
    actor: Actor,
    act: Mapping[str, object],
    seed: bytes,
    place: int,
) -> Done:
    """Compute an act. ValueError if it is unknown or impossible, or if its outcome breaks an
    invariant of the game; RuntimeError if a player's would end the phase, which only a game
    master's may.
    """
    chance = Chance(seed, place)
    outcome: Outcome[Any] = rules.act(state, actor, dict(act), chance)
    if actor != "gm" and is_another_phase(rules.phase(state), rules.phase(outcome.state)):
        raise RuntimeError(f"the act {dict(act)!r} of player {actor} ended the phase")
    encode_sound_state(rules, outcome.state)
    return Done(act, outcome, chance.place)


async def log_act(
    work: Work, game: GameRow, actor: Actor, act: Mapping[str, object], at: datetime
) -> int:
    """Write an act down for the replay; its number within the phase, from 0. The actor is `gm`, or
    the player's number.
    """
    body = msgspec.json.encode(act).decode()
    return await work.acts.add(
        game_id=game.id, phase_number=game.phase_number, actor=str(actor), body=body, at=at
    )


async def keep_act(
    work: Work, table: OpenTable, outcome: Outcome[Any], ordinal: int, from_place: int, place: int
) -> None:
    """Keep what the act of that number made: the state after it, where chance stands, its events,
    and who is asked now.

    The game is locked by the caller.
    """
    game, rules = table.game, table.kind.ruleset
    number = game.phase_number
    if not await work.states.put_once(
        game.id,
        number,
        rules.encode_state(outcome.state),
        place,
        rules.version,
        ordinal=ordinal + 1,
    ):
        raise RuntimeError(
            f"game {game.id}, phase {number}: a state after act {ordinal} is there already"
        )
    if place != from_place:
        await work.games.move_chance(game.id, from_place, place)
    await work.events.add_all(game.id, number, encode_events(table.kind, outcome.events))
    await work.phases.set_asked(game.id, number, rules.phase(outcome.state).asked)


def told_to(events: tuple[Event, ...], player: int) -> tuple[Event, ...]:
    """What of these this player alone (or with some others) gets to know; what everybody knows is
    told otherwise.
    """
    return tuple(event for event in events if event.audience is not None and event.is_for(player))


async def act_at_once(
    work: Work, services: Desk, table: OpenTable, player: int, orders: Sequence[Any]
) -> Acted:
    """Do those of a player's accepted orders that take effect at once, in their order; the game is
    locked by the caller.

    What only the player may know comes back in `events`; what everybody may know goes to the table
    as a bulletin, without a new picture; who is asked now and was not before gets the question.
    """
    rules = table.kind.ruleset
    wanted = [(order, act) for order in orders if (act := rules.act_of(order)) is not None]
    here = rules.act_of_message(table.state, player, stands=True) if orders else None
    return await _act(
        work, services, table, player, wanted if here is None else [(here, here), *wanted]
    )


async def act_on_message(work: Work, services: Desk, table: OpenTable, player: int) -> OpenTable:
    """Do what any message of this player is in the rules, whatever it says, after what was over
    before it came, and give the table as it lies then; the game is locked by the caller.
    """
    if table.state is None or table.game.status != "running":
        return table
    rules = table.kind.ruleset
    for act in await _lapsed(work, table, services.clock.now()):
        await _act(work, services, table, "gm", [(act, act)])
        table = await _as_it_lies(work, services, table)
    act_of_theirs = rules.act_of_message(table.state, player, stands=False)
    if act_of_theirs is None:
        return table
    await _act(work, services, table, player, [(act_of_theirs, act_of_theirs)])
    return await _as_it_lies(work, services, table)


async def _lapsed(work: Work, table: OpenTable, now: datetime) -> list[Mapping[str, object]]:
    """What has waited for its hours since a player last did it."""
    lapsing = table.kind.ruleset.lapsing(table.state)
    done = await work.acts.list_of_game(table.game.id) if lapsing else []
    last = {row.body: row.at for row in done if row.actor != "gm"}
    over = ((lapse, last.get(msgspec.json.encode(lapse.of).decode())) for lapse in lapsing)
    return [
        lapse.act
        for lapse, at in over
        if at is not None and now - at >= timedelta(hours=lapse.hours)
    ]


async def _as_it_lies(work: Work, services: Desk, table: OpenTable) -> OpenTable:
    game = await work.games.lock(table.game.id)
    return table if game is None else await load_table(work, services.games, game)


async def _act(
    work: Work,
    services: Desk,
    table: OpenTable,
    actor: Actor,
    wanted: Sequence[tuple[Any, Mapping[str, object]]],
) -> Acted:
    rules, game, now = table.kind.ruleset, table.game, services.clock.now()
    if not wanted or table.phase is None:
        return Acted(table.state)
    seed = bytes.fromhex(await work.games.read_seed(game.id))
    state, place, ordinal = table.state, game.chance_place, 0
    events: list[Event] = []
    refused: list[Any] = []
    for order, act in wanted:
        try:
            done = await asyncio.to_thread(do_one, rules, state, actor, act, seed, place)
        except ValueError:
            refused.append(order)
            continue
        ordinal = await log_act(work, game, actor, act, now)
        await keep_act(work, table, done.outcome, ordinal, place, done.place)
        state, place = done.outcome.state, done.place
        events += done.outcome.events
        services.steps.reached("act.written")
    phase = rules.phase(state)
    asked_now = frozenset(phase.asked) - frozenset(table.phase.asked)
    if asked_now or any(event.is_for(None) for event in events):
        result = PhaseResult(
            table,
            state,
            tuple(events),
            phase,
            game.phase_number,
            table.phase.opened_at,
            table.phase.deadline,
            now,
        )
        desk = await read_recipients(work, services, table)
        letters = [
            *everybody_letters(services, result, desk, seed, has_picture=False, act=ordinal),
            *next_phase_letters(services, result, desk, asked_now, has_picture=False),
        ]
        await queue_letters(work, letters, now)
    return Acted(state, tuple(events), tuple(refused))
