"""Acts: what takes effect at once instead of at the close. Computed and rendered outside any lock,
kept in one transaction, as a close.
"""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.ruleset import Event, Ruleset
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.jobs import Job
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import Post, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.letters.results import PhaseResult, ResultLetters, not_asked_any_more
from pbem.desk.mandate import By, Refused, check_not_done, log_command
from pbem.desk.phases.acts import (
    Done,
    deadline_after,
    do_one,
    keep_act,
    log_act,
    newly_wanted,
    tell_hour,
)
from pbem.desk.phases.clock import move_deadline
from pbem.desk.phases.outcome import (
    Closed,
    Within,
    keep_outcome,
    keep_table,
    make_result,
    next_minute,
    paint,
    queue_with_picture,
)
from pbem.desk.phases.past import Untold, read_events_before, read_untold
from pbem.desk.phases.standings import may_close_early, read_standings
from pbem.desk.ports import Desk, Services, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.desk.upkeep.records import RecordFile, record_ending
from pbem.record.replay import GivenAct
from pbem.store.work import Work

GM: Literal["gm"] = "gm"
"""The actor of every act of a game master, as the rules know it."""

TRIES = 3


@dataclass(frozen=True, slots=True)
class Acting:
    """Everything an act is computed from, read in one look. `acts` of this phase have taken effect
    before; `has_picture`: the board after this one is painted.
    """

    table: OpenTable
    post: Post
    seed: bytes
    land: bytes
    acts: int
    before: tuple[Event, ...]
    untold: Untold
    has_picture: bool = False


Telling = Callable[[Transaction[Desk], "Acting", int], Awaitable[Iterable[NewLetter]]]
"""Further letters that tell of an act, of the log entry's number; asked for within the transaction
that keeps it.
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """An act of the rules, and how it is logged and told besides its own bulletin; `step` is the
    command's name. One that `tells_all` by letters of its own has a bulletin only for the person
    who gets none of these, as long as the phase stays open.
    """

    act: Mapping[str, object]
    command: str
    detail: Mapping[str, Any]
    step: str
    tell: Telling | None = None
    tells_all: bool = False
    is_secret: bool = False
    """Whether the table's log keeps it from the players."""


async def apply_act(services: Services, slug: str, act: Mapping[str, object], by: By) -> int:
    """Do an act of the rules at an open phase, now; the number of the phase that is open
    afterwards.

    Its public events go out with the board. Orders that stand still stand, unless the act ends the
    phase (or the game): then it continues as after a close. At a table whose clock is stopped it
    stays stopped.
    """
    return await do_act(
        services, slug, lambda _table: Plan(act, "game act", {"act": dict(act)}, "act"), by
    )


async def do_act(
    services: Services, slug: str, plan_for: Callable[[OpenTable], Plan], by: By
) -> int:
    """As `apply_act`; `plan_for` makes the plan from the table as it stands, and may refuse."""
    for _ in range(TRIES):
        acting = await read_acting(services, slug, by)
        if await tell_hour(services, acting.table):
            acting = await read_acting(services, slug, by)
        number = await _try(services, acting, plan_for(acting.table), by)
        if number is not None:
            return number
    raise Refused("conflict", f"{slug} changes too fast just now; try again")


async def read_acting(services: Desk, slug: str, by: By) -> Acting:
    """A running or paused table, as it stands. Refused if it is neither."""
    async with services.read() as tx:
        await check_not_done(tx.work, by)
        found = await tx.work.games.find_by_slug(slug)
        if found is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        table = await load_table(tx, found)
        if found.status not in ("running", "paused") or table.phase is None:
            raise Refused("not-running", f"{slug} has no open phase")
        return Acting(
            table,
            await read_post(tx, table),
            bytes.fromhex(await tx.work.games.read_seed(found.id)),
            await tx.work.games.read_land(found.id) or b"",
            len(await tx.work.acts.list_of_phase(found.id, found.phase_number)),
            await read_events_before(
                tx.work, table.kind, found.id, found.phase_number, with_acts=True
            ),
            await read_untold(tx.work, table, tx.now()),
        )


async def _try(services: Services, acting: Acting, plan: Plan, by: By) -> int | None:
    """Compute the act and keep it, if the table is still as it was read. None: it is not."""
    table, game, now = acting.table, acting.table.game, services.clock.now()
    assert table.phase is not None  # noqa: S101 - read_acting has looked
    rules: Ruleset[Any, Any] = table.kind.ruleset
    try:
        done = await asyncio.to_thread(
            do_one, rules, table.state, GM, plan.act, acting.seed, game.chance_place
        )
    except ValueError as error:
        raise Refused("impossible-act", str(error)) from error
    outcome = done.outcome
    asked = rules.phase(outcome.state)
    ends = done.ends
    if ends:
        result = make_result(table, outcome, next_minute(now), now, untold=acting.untold)
    else:
        phase = table.phase
        result = PhaseResult(
            table,
            outcome.state,
            outcome.events,
            asked,
            phase.number,
            phase.opened_at,
            deadline_after(table, outcome.state, now),
            now,
        )
    picture = await paint(services, result, acting.land, acting.before)
    record = (
        await record_ending(services, table, GivenAct(GM, plan.act))
        if asked.over is not None
        else None
    )
    acting = dataclasses.replace(acting, has_picture=picture is not None)
    letters = await asyncio.to_thread(
        _letters, result, acting, record, ends=ends, tells_all=plan.tells_all
    )

    async def within(tx: Transaction[Desk]) -> bool:
        detail = {"phase": game.phase_number} | dict(plan.detail)
        entry = await log_command(
            tx,
            by,
            plan.command,
            detail,
            game_id=game.id,
            public=not plan.is_secret,
        )
        if not await is_unchanged(tx.work, acting):
            return False
        await log_act(tx.work, game, GM, plan.act, now)
        if plan.tell is not None:
            told = await plan.tell(tx, acting, entry)
            if plan.tells_all and not ends:
                told = await take_back_open_entries(tx, table, told, not_asked_any_more(result))
            await queue_with_picture(tx.work, game.id, told, picture, now)
        return True

    step = f"gm.{plan.step}.written"
    closed = Closed(result, done.place, letters, picture, step, stays_paused=True)
    if ends:
        kept = await keep_outcome(services, closed, within)
    else:
        kept = await _keep(services, closed, done, acting.acts, within, is_told=plan.tells_all)
    if not kept:
        return None
    await ask_for_delivery(services, now)
    await _ask_for_close(services, game.id)
    return result.number


def _letters(
    result: PhaseResult,
    acting: Acting,
    record: RecordFile | None,
    *,
    ends: bool,
    tells_all: bool,
) -> list[NewLetter]:
    """A bulletin, if the public may know anything of it; what some may know alone; and the next
    question, if there is another one or something is wanted of somebody.
    """
    letters: list[NewLetter] = []
    act = None if ends else acting.acts
    telling = ResultLetters.of(acting.post, result, act, has_picture=acting.has_picture)
    if ends or any(event.is_for(None) for event in result.events):
        letters += telling.bulletin(acting.seed, record, is_told=tells_all and not ends)
    if ends:
        letters += telling.questions()
    elif not tells_all:
        wanted = newly_wanted(result.table, result.state)
        letters += telling.news(but_not=wanted)
        letters += telling.questions(wanted)
    return letters


async def is_unchanged(work: Work, acting: Acting) -> bool:
    """Whether the table, locked from now on, is as it was read: its phase, its acts, its seats."""
    game = acting.table.game
    now = await work.games.lock(game.id)
    if now is None or (now.status, now.phase_number, now.chance_place) != (
        game.status,
        game.phase_number,
        game.chance_place,
    ):
        return False
    same_acts = len(await work.acts.list_of_phase(game.id, game.phase_number)) == acting.acts
    phase = await work.phases.find(game.id, game.phase_number)
    same_phase = (
        phase is not None
        and acting.table.phase is not None
        and phase.deadline == acting.table.phase.deadline
    )
    return (
        same_acts
        and same_phase
        and tuple(await work.seats.list_of_game(game.id)) == acting.table.seats
    )


async def _keep(
    services: Desk,
    acted: Closed,
    done: Done,
    ordinal: int,
    within: Within,
    *,
    is_told: bool,
) -> bool:
    """Keep an act that leaves the phase open: the state after it, its events, who is asked and
    active now, and its letters. `is_told`: letters of its own have told everybody.
    """
    result, table = acted.result, acted.result.table
    async with services.write() as tx:
        if not await within(tx):
            await tx.work.rollback()
            return False
        await keep_act(tx.work, table, done.outcome, ordinal, table.game.chance_place, done.place)
        before = table.phase
        if before is not None and result.deadline not in (None, before.deadline):
            await move_deadline(tx.work, services.policy, before, result.deadline, result.now)
        if not is_told:
            taken_back = not_asked_any_more(result)
            letters = await take_back_open_entries(tx, table, acted.letters, taken_back)
            acted = dataclasses.replace(acted, letters=letters)
        await keep_table(tx.work, acted)
        services.steps.reached(acted.step)
    return True


async def _ask_for_close(services: Desk, game_id: int) -> None:
    """A player who was missing is perhaps not asked any longer: the phase may close now."""
    async with services.read() as tx:
        game = await tx.work.games.find(game_id)
        if game is None or game.status != "running":
            return
        table = await load_table(tx, game)
        if may_close_early(table, await read_standings(tx.work, table)):
            services.jobs.ask(Job("close_phase", (game.id, game.phase_number)))
