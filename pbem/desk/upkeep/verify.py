"""Replaying a game from the store: every state and event must come out byte for byte as it was
kept.
"""

import asyncio
from collections.abc import Iterator

from engine.chance import commitment
from pbem.desk.gm import Refused
from pbem.desk.ports import Desk
from pbem.desk.table import OpenTable, encode_events, load_table
from pbem.desk.upkeep.recording import Kept, KeptPhase, read_kept, rules_of_store
from pbem.record.replay import Played, replay
from pbem.store.repositories.states import StateRow


async def verify_game(services: Desk, slug: str) -> list[str]:
    """What differs between the replay and what was kept, a line each; empty when all is as it
    should be.

    The seed is secret until the game is over, so that only the service itself can replay a running
    game.
    """
    async with services.read() as tx:
        game = await tx.work.games.find_by_slug(slug)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.phase_number == 0:
            raise Refused("not-running", f"{slug} has not begun")
        table = await load_table(tx, game)
        kept = await read_kept(tx.work, table)
    return await asyncio.to_thread(lambda: list(_differences(table, kept)))


def _differences(table: OpenTable, kept: Kept) -> Iterator[str]:
    if commitment(kept.story.seed) != table.game.commitment:
        yield "the seed is not the one that was committed to"
    yield from kept.faults
    if any("cannot be replayed" in fault for fault in kept.faults):
        return
    end_place = 0
    for played in replay(kept.story, rules_of_store(table.kind)):
        phase = kept.phases.get(played.number, KeptPhase((), ()))
        if played.number:
            yield from _state_differences(table, phase, played)
        if played.stuck:
            yield played.stuck
            return
        yield from _event_differences(table, phase, played)
        end_place = played.end_place
    if end_place != table.game.chance_place:
        yield f"{end_place} draws were made in all, {table.game.chance_place} were kept"


def _state_differences(table: OpenTable, phase: KeptPhase, played: Played) -> Iterator[str]:
    """The states a phase opened with, and had after each of its acts; the one after an act that
    ended it opens the next phase.
    """
    states = {row.ordinal: row for row in phase.states}
    yield from _compare_state(
        states.pop(0, None), played.state, played.place, f"phase {played.number}"
    )
    for index, act in enumerate(played.acts):
        if index == len(played.acts) - 1 and played.ended == "act":
            break
        where = f"phase {played.number}, after act {index} ({act.act.get('act')})"
        yield from _compare_state(states.pop(index + 1, None), act.state, act.place, where)
    if not played.stuck and played.ended in ("close", "over", "broken off"):
        for ordinal in sorted(states):
            yield (
                f"phase {played.number}: a state after act {ordinal - 1} was kept, and there was no"
                " such act"
            )


def _compare_state(kept: StateRow | None, state: bytes, place: int, where: str) -> Iterator[str]:
    if kept is None or kept.body != state:
        yield f"{where}: the state differs"
    if kept is not None and kept.chance_place != place:
        yield f"{where}: {place} draws were made, {kept.chance_place} were kept"


def _event_differences(table: OpenTable, phase: KeptPhase, played: Played) -> Iterator[str]:
    """The events that a phase made: at its opening (a reshuffle), by its acts, at its close."""
    made = encode_events(
        table.kind, [table.kind.ruleset.decode_event(raw) for raw in played.events]
    )
    where = f"phase {played.number}" if played.number else "the start"
    if len(phase.events) != len(made):
        yield f"{where}: {len(made)} events come out, {len(phase.events)} were kept"
    for row, event in zip(phase.events, made, strict=False):
        if (row.kind, row.body, row.audience, row.rules) != (
            event.kind,
            event.body,
            event.audience,
            event.rules,
        ):
            yield f"{where}: event {row.ordinal} ({row.kind}) differs"
