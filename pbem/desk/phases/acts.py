"""Acts that leave the phase open, a player's or a game master's: what is kept of one, alike for
both.

The close of a phase counts its acts: one that is computed meanwhile is overtaken, and computed
again with the act done.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.chance import Chance
from engine.ruleset import Actor, Event, Outcome, Ruleset, Standing, encode_sound_state
from pbem.desk.envelope.message import STRANGERS
from pbem.desk.hours import act_due, act_of_time
from pbem.desk.jobs import Job
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.letters.results import PhaseResult, ResultLetters, not_asked_any_more
from pbem.desk.phases.clock import move_deadline
from pbem.desk.phases.past import encode_events
from pbem.desk.ports import Desk, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.record.replay import is_another_phase
from pbem.store.repositories.games import GameRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Done:
    """An act that has been computed, with the place of the stream of chance after it, and whether
    the open phase ends by it.
    """

    act: Mapping[str, object]
    outcome: Outcome[Any]
    place: int
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Acted:
    """The result of the acts in a player's message: the state after them all, what happened, and
    the orders that were not possible; `ends`: the open phase would end by one, which was not done.
    """

    state: Any
    events: tuple[Event, ...] = ()
    refused: tuple[Any, ...] = ()
    ends: bool = False


def do_one(
    rules: Ruleset[Any, Any],
    state: Any,
    actor: Actor,
    act: Mapping[str, object],
    seed: bytes,
    place: int,
) -> Done:
    """Compute an act. ValueError if it is unknown or impossible, or if its outcome breaks an
    invariant of the game.
    """
    chance = Chance(seed, place)
    outcome: Outcome[Any] = rules.act(state, actor, dict(act), chance)
    encode_sound_state(rules, outcome.state)
    ends = is_another_phase(rules.phase(state), rules.phase(outcome.state))
    return Done(act, outcome, chance.place, ends)


def orders_that_end(
    rules: Ruleset[Any, Any],
    state: Any,
    player: int,
    orders: Sequence[Any],
    seed: bytes,
    place: int,
) -> tuple[Any, ...]:
    """Those of a player's orders by which, done at once, the open phase would end: that may hang on
    what is drawn.
    """
    found = []
    for order in orders:
        act = rules.act_of(order)
        try:
            if act is not None and do_one(rules, state, player, act, seed, place).ends:
                found.append(order)
        except ValueError:  # it is not possible: who does it is told so
            continue
    return tuple(found)


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
            f"game {game.id}, phase {number}: a state after act {ordinal} already exists"
        )
    if place != from_place:
        await work.games.move_chance(game.id, from_place, place)
    await work.events.add_all(game.id, number, encode_events(table.kind, outcome.events))
    await work.phases.set_asked(game.id, number, rules.phase(outcome.state).asked)


def deadline_after(table: OpenTable, state: Any, now: datetime) -> datetime:
    """The deadline after an act: where it has changed how long the phase lasts it moves by as
    much.
    """
    assert table.phase is not None  # noqa: S101 - acts are done in open phases
    phase = table.kind.ruleset.phase
    hours = phase(state).hours - phase(table.state).hours
    deadline = table.phase.deadline
    return max(deadline + timedelta(hours=hours), now) if hours else deadline


def newly_wanted(table: OpenTable, state: Any) -> frozenset[int]:
    """Of whom something is wanted after an act that was not wanted before."""
    assert table.phase is not None  # noqa: S101 - acts are done in open phases
    rules = table.kind.ruleset
    asked = set(rules.phase(state).asked)
    found = asked - set(table.phase.asked)
    for player in asked - found:
        before = rules.lacking(table.state, player, Standing())
        found |= {player} if set(rules.lacking(state, player, Standing())) - set(before) else set()
    return frozenset(found)


def told_to(events: tuple[Event, ...], player: int) -> tuple[Event, ...]:
    """What of these this player alone (or with some others) gets to know; what everybody knows is
    told otherwise.
    """
    return tuple(event for event in events if event.audience is not None and event.is_for(player))


async def act_at_once(
    tx: Transaction[Desk], table: OpenTable, player: int, orders: Sequence[Any], at: datetime
) -> Acted:
    """Do those of a player's accepted orders that take effect at once, in their order, as of the
    instant `at` which they came; the game is locked by the caller.

    What only the player may know comes back in `events`; what others may know alone is written to
    them; what everybody may know goes to the table as a bulletin, without a new picture; of whom
    something is wanted that was not before gets the question.
    """
    rules = table.kind.ruleset
    wanted = [(order, act) for order in orders if (act := rules.act_of(order)) is not None]
    if wanted:
        table = await _told_hour(tx, table, act_of_time(table, at))
    here = rules.act_of_message(table.state, player, stands=True) if orders else None
    return await _act(tx, table, player, wanted if here is None else [(here, here), *wanted])


async def act_on_message(
    tx: Transaction[Desk], table: OpenTable, player: int, at: datetime
) -> OpenTable | None:
    """Do what was over before a message of this player came, at that instant, and what any message
    of theirs is in the rules, whatever it says; the table as it lies then. None: the phase ends by
    what was over, so that the message has to wait for that. The game is locked by the caller.
    """
    if table.state is None or table.game.status != "running":
        return table
    rules = table.kind.ruleset
    for act in (*await _lapsed(tx.work, table, tx.services.clock.now()), act_due(table, at)):
        if act is None:
            continue
        if (await _act(tx, table, "gm", [(act, act)])).ends:
            return None
        table = await _as_it_lies(tx, table)
    act_of_theirs = rules.act_of_message(table.state, player, stands=False)
    if act_of_theirs is None:
        return table
    await _act(tx, table, player, [(act_of_theirs, act_of_theirs)])
    return await _as_it_lies(tx, table)


async def let_run_out(services: Desk, game_id: int, number: int) -> None:
    """Let what has run out of the open phase run out, once all messages that came before are read;
    where the phase ends by it, its close is asked for.
    """
    now, ends = services.clock.now(), False
    async with services.write() as tx:
        game = await tx.work.games.lock(game_id)
        if game is None or game.status != "running" or game.phase_number != number:
            return
        table = await load_table(tx, game)
        act = act_due(table, now)
        if act is None or await tx.work.inbox.count_new_received_by(now, below=STRANGERS):
            return
        ends = (await _act(tx, table, "gm", [(act, act)])).ends
        services.steps.reached("hours.written")
    if ends:
        services.jobs.ask(Job("close_phase", (game_id, number)))
    await ask_for_delivery(services, now)


async def tell_hour(services: Desk, table: OpenTable) -> bool:
    """Tell the rules the hour before a game master acts at a table that was read like this; whether
    that has changed it.
    """
    act = act_of_time(table, services.clock.now())
    if act is None or table.game.status != "running":
        return False
    async with services.write() as tx:
        game = await tx.work.games.lock(table.game.id)
        if game != table.game:
            return True
        acted = await _act(tx, table, "gm", [(act, act)])
    if acted.ends:
        services.jobs.ask(Job("close_phase", (table.game.id, table.game.phase_number)))
        return False
    await ask_for_delivery(services, services.clock.now())
    return True


async def _told_hour(
    tx: Transaction[Desk], table: OpenTable, act: Mapping[str, object] | None
) -> OpenTable:
    if act is None:
        return table
    await _act(tx, table, "gm", [(act, act)])
    return await _as_it_lies(tx, table)


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


async def _as_it_lies(tx: Transaction[Desk], table: OpenTable) -> OpenTable:
    game = await tx.work.games.lock(table.game.id)
    return table if game is None else await load_table(tx, game)


async def _act(
    tx: Transaction[Desk],
    table: OpenTable,
    actor: Actor,
    wanted: Sequence[tuple[Any, Mapping[str, object]]],
) -> Acted:
    rules, game, now = table.kind.ruleset, table.game, tx.services.clock.now()
    if not wanted or table.phase is None:
        return Acted(table.state)
    seed = bytes.fromhex(await tx.work.games.read_seed(game.id))
    state, place, ordinal = table.state, game.chance_place, 0
    events: list[Event] = []
    refused: list[Any] = []
    ends = False
    for order, act in wanted:
        try:
            done = await asyncio.to_thread(do_one, rules, state, actor, act, seed, place)
        except ValueError:
            refused.append(order)
            continue
        if done.ends:  # a close does that, which paints and asks again
            ends = True
            refused.append(order)
            continue
        ordinal = await log_act(tx.work, game, actor, act, now)
        await keep_act(tx.work, table, done.outcome, ordinal, place, done.place)
        state, place = done.outcome.state, done.place
        events += done.outcome.events
        tx.services.steps.reached("act.written")
    acted = Acted(state, tuple(events), tuple(refused), ends)
    if events or state is not table.state:
        await _tell(tx, table, acted, actor, ordinal, seed)
    return acted


async def _tell(
    tx: Transaction[Desk],
    table: OpenTable,
    acted: Acted,
    actor: Actor,
    ordinal: int,
    seed: bytes,
) -> None:
    """Tell the result of acts to those it concerns; where they change how long the phase lasts its
    deadline moves.
    """
    rules, now, state, events = (
        table.kind.ruleset,
        tx.services.clock.now(),
        acted.state,
        acted.events,
    )
    phase, before = rules.phase(state), table.phase
    assert before is not None  # noqa: S101 - `_act` has looked
    deadline = deadline_after(table, state, now)
    if deadline != before.deadline:
        await move_deadline(tx.work, tx.services.policy, before, deadline, now)
    wanted = newly_wanted(table, state)
    others = any(event.audience is not None for event in events)
    is_public = any(event.is_for(None) for event in events)
    if not (wanted or others or is_public):
        return
    result = PhaseResult(
        table,
        state,
        events,
        phase,
        table.game.phase_number,
        before.opened_at,
        deadline,
        now,
    )
    post = await read_post(tx, table)
    telling = ResultLetters.of(post, result, ordinal)
    letters = [
        *(telling.bulletin(seed) if is_public else ()),
        *telling.news(but_not={actor, *wanted}),
        *telling.questions(wanted),
    ]
    letters = await take_back_open_entries(tx, table, letters, not_asked_any_more(result))
    await post.send(tx.work, letters)
