"""Taking back what has happened, and breaking a game off."""

import asyncio
import dataclasses
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.chance import Chance
from engine.ruleset import Event, Outcome, Ruleset
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import Enclosed
from pbem.desk.gm.acts import GM, TRIES, Acting, is_unchanged, read_acting
from pbem.desk.gm.command import commanded
from pbem.desk.letters.calendars import take_back_entries
from pbem.desk.letters.post import OUTSIDE, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery, queue_letters
from pbem.desk.letters.results import PhaseResult, ResultLetters, record_facts
from pbem.desk.lobby.herald import tell_names
from pbem.desk.mandate import By, Refused, check_not_done, find_game, log_command
from pbem.desk.people.profiles import book_results
from pbem.desk.phases.outcome import Closed, keep_outcome, make_result, next_minute, paint
from pbem.desk.phases.past import (
    BULLETIN,
    decode_events,
    encode_events,
    lineage,
    list_untold,
    read_events_before,
)
from pbem.desk.ports import Desk, Services, Transaction
from pbem.desk.table import load_table
from pbem.desk.upkeep.records import RecordFile, RollBackAct, record_game
from pbem.pages.announcements import Ended
from pbem.pages.page import RollBack
from pbem.record.replay import RESHUFFLE
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import parse_label
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Target:
    """Where a roll back goes: the state that phase opened with, what had led to it, and what is
    undone.
    """

    body: bytes
    led_to_it: tuple[Event, ...]
    pictured: tuple[Event, ...]
    undone: tuple[tuple[int, str], ...]
    undone_events: tuple[Event, ...]


async def roll_back(
    services: Services, slug: str, to_phase: int, by: By, *, reshuffle: bool = False
) -> int:
    """Play on from how phase `to_phase` opened, in a new phase whose number comes back; a paused
    game runs again.

    The decks return as they lay, and new draws continue from where the stream stands; `reshuffle`
    shuffles what is still to be drawn. Orders are not carried over. Never after the end: the seed
    is published then, and the person who has it knows what would be drawn.
    """
    for _ in range(TRIES):
        number = await _try(services, slug, to_phase, by, reshuffle=reshuffle)
        if number is not None:
            return number
    raise Refused("conflict", f"{slug} changes too fast just now; try again")


async def _try(
    services: Services, slug: str, to_phase: int, by: By, *, reshuffle: bool
) -> int | None:
    acting = await _read_acting(services, slug, by)
    target = await _read_target(services, slug, to_phase)
    now = services.clock.now()
    table, game = acting.table, acting.table.game
    rules: Ruleset[Any, Any] = table.kind.ruleset
    chance = Chance(acting.seed, game.chance_place)
    outcome: Outcome[Any] = Outcome(rules.decode_state(target.body), ())
    if reshuffle:
        try:
            outcome = await asyncio.to_thread(rules.act, outcome.state, GM, RESHUFFLE, chance)
        except ValueError as error:
            raise Refused("impossible-act", str(error)) from error
    number = game.phase_number + 1
    opened = make_result(table, Outcome(outcome.state, ()), next_minute(now), now)
    picture = await paint(services, opened, acting.land, target.pictured)
    facts = RollBack(
        target.undone, target.undone_events, reshuffle, game.status == "paused", by.name
    )
    running = dataclasses.replace(
        table, game=msgspec.structs.replace(game, status="running", paused_at=None)
    )
    shown = dataclasses.replace(opened, table=running, events=target.led_to_it)
    letters = await asyncio.to_thread(
        _letters, shown, acting, facts, has_picture=picture is not None
    )

    async def within(tx: Transaction[Desk]) -> bool:
        detail = {"phase": game.phase_number, "to": to_phase, "reshuffle": reshuffle}
        await log_command(tx, by, "game rollback", detail, game_id=game.id)
        if not await is_unchanged(tx.work, acting):
            return False
        body = msgspec.json.encode(RollBackAct(to_phase, reshuffle)).decode()
        await tx.work.acts.add(
            game_id=game.id, phase_number=game.phase_number, actor=GM, body=body, at=now
        )
        await tx.work.events.add_all(game.id, number, encode_events(table.kind, outcome.events))
        return True

    closed = Closed(
        opened, chance.place, letters, picture, "gm.roll_back.written", rolled_back_to=to_phase
    )
    if not await keep_outcome(services, closed, within):
        return None
    await ask_for_delivery(services, now)
    return number


async def _read_acting(services: Desk, slug: str, by: By) -> Acting:
    async with services.database.read() as work:
        await check_not_done(work, by)
        game = await find_game(work, slug)
    if game.status in ("over", "ended"):
        raise Refused(
            "seed-published",
            f"{slug} is over and its seed is published, so anyone could know the draws beforehand",
        )
    return await read_acting(services, slug, by)


async def _read_target(services: Desk, slug: str, to_phase: int) -> Target:
    async with services.database.read() as work:
        game = await find_game(work, slug)
        kind = services.games[game.ruleset]
        phases = {phase.number: phase for phase in await work.phases.list_of_game(game.id)}
        states = await work.states.list_of_phase(game.id, to_phase)
        if (
            to_phase not in phases
            or to_phase > game.phase_number
            or not states
            or states[0].ordinal != 0
        ):
            raise Refused(
                "no-such-phase",
                f"{slug} has no phase {to_phase}; it is in phase {game.phase_number}",
            )
        past = lineage(tuple(phases.values()), to_phase)
        line = (*lineage(tuple(phases.values()), game.phase_number), game.phase_number)
        undone = [number for number in line if number not in past]
        led_to_it = await work.events.list_of_phase(game.id, past[-1]) if past else []
        rows = [
            row for number in undone for row in await work.events.list_of_phase(game.id, number)
        ]
        return Target(
            body=states[0].body,
            led_to_it=tuple(kind.ruleset.decode_event(row.body.encode()) for row in led_to_it),
            pictured=await read_events_before(work, kind, game.id, to_phase, with_acts=False),
            undone=tuple(
                (parse_label(phases[number]).turn, phases[number].kind) for number in undone
            ),
            undone_events=decode_events(kind, rows, None),
        )


def _letters(
    shown: PhaseResult, acting: Acting, facts: RollBack, *, has_picture: bool
) -> list[NewLetter]:
    """What is undone, to everybody with the board; and the question of the new phase to whom it is
    asked.
    """
    table, game = shown.table, shown.table.game
    telling = ResultLetters.of(acting.post, shown, has_picture=has_picture)
    page_facts = telling.post.facts(has_picture=has_picture)
    enclosed = Enclosed(shows_board=has_picture)
    page = table.kind.pages.rolled_back(
        page_facts, table.kind.ruleset.view(shown.state, None), facts
    )
    key = f"bulletin:{game.id}:{game.phase_number}:rolled-back"
    return [
        *telling.to_table(page, "bulletin", key, enclosed),
        *telling.post.to(OUTSIDE, page, "bulletin", key, enclosed),
        *telling.questions(),
    ]


async def end(
    services: Desk, slug: str, by: By, reason: str = "", *, only_as: GameRow | None = None
) -> None:
    """Break a game off for good: no orders are taken any more, and everybody gets the seed and the
    record, so that what was drawn can be checked. Refused if the game is not `only_as` it was then.
    """
    for _ in range(TRIES):
        if await _try_end(services, slug, by, reason, only_as):
            return
    raise Refused("conflict", f"{slug} changes too fast just now; try again")


async def _try_end(services: Desk, slug: str, by: By, reason: str, only_as: GameRow | None) -> bool:
    now = services.clock.now()
    record, recorded = await _record_so_far(services, slug, by)
    async with commanded(services, by, "gm.end.written") as tx:
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None or game.status in ("over", "ended"):
            raise Refused("over", f"{slug} is already over")
        if only_as not in (None, game):
            raise Refused("conflict", f"{slug} changed at the same moment")
        if await _how_far(tx.work, game) != recorded:
            await tx.work.rollback()
            return False
        table = await load_table(tx, game)
        entry = await tx.log("game end", {"phase": game.phase_number, "reason": reason}, game.id)
        await tx.work.games.end(game.id, "break_off", now)
        await tx.work.outbox.release_held(game.id, BULLETIN, now)
        await tx.work.inbox.release(game.id)  # what waited for the close is told so
        if game.phase_number:
            await book_results(tx.work, table, None, now)
            await tell_names(tx, table)
        seed = await tx.work.games.read_seed(game.id) if game.phase_number else ""
        ended = dataclasses.replace(
            table, game=msgspec.structs.replace(game, status="ended", over_at=now)
        )
        post = await read_post(tx, ended)
        written = post.to(
            at_table(),
            Ended(by.name, reason, seed, game.commitment, record_facts(record)),
            "ending",
            f"ended:{entry}",
            Enclosed(attachment=record.attachment if record is not None else None),
        )
        over = await list_untold(tx.work, table)
        letters = take_back_entries(services.policy, table, written, over, now)
        await queue_letters(tx.work, letters, now)
    return True


async def _record_so_far(
    services: Desk, slug: str, by: By
) -> tuple[RecordFile | None, tuple[int, int]]:
    """The record of a game that is about to be broken off, and how far it goes."""
    async with services.read() as tx:
        await check_not_done(tx.work, by)
        game = await find_game(tx.work, slug)
        table = await load_table(tx, game)
        return await record_game(tx.work, table) if game.phase_number else None, await _how_far(
            tx.work, game
        )


async def _how_far(work: Work, game: GameRow) -> tuple[int, int]:
    """The open phase, and how many acts have taken effect in it."""
    return game.phase_number, len(await work.acts.list_of_phase(game.id, game.phase_number))
