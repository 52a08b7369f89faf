"""Booking what a game has come to for those who sat there: in the very transaction that ends it,
once for each time somebody had a seat.

Whoever has the seat at the end gets its place, and its share of the prize. Whoever had it before,
and resigned or was replaced, keeps the windows they were asked in, and nothing else of the game: it
is neither won nor lost for them. A game that was broken off has been played, and has neither places
nor prizes.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog

from engine.ruleset import Placing
from pbem.desk.authentication.tenures import return_at_the_end
from pbem.desk.ports import Desk
from pbem.desk.table import OpenTable, UnknownGame, load_table
from pbem.store.repositories.results import NewResult
from pbem.store.repositories.seats import SeatRow, TenureRow
from pbem.store.work import Work

BROKEN_OFF = "broken-off"
RESIGNED = "resigned"
REPLACED = "replaced"
SUBSTITUTED = "substituted"
"""Of whoever played for somebody who came back."""
AWAY = "away"
"""Of whoever let somebody play for them, and came back."""
LEFT = (RESIGNED, REPLACED, SUBSTITUTED, AWAY)
"""How those came out who had left before the end: the game is none of theirs."""

UNBOOKED_AT_ONCE = 100

_log = structlog.get_logger("results")


async def book_results(work: Work, table: OpenTable, state: Any | None, at: datetime) -> int:
    """Book a game that ends now with this state (None: it is broken off); how many results were not
    booked before.
    """
    await return_at_the_end(work, table, at)
    placings: Mapping[int, Placing] = {}
    if state is not None:
        placings = {placing.player: placing for placing in table.kind.ruleset.placings(state)}
    booked = 0
    for seat in table.seats:
        for new in _results_of(
            table, seat, await work.seats.list_tenures(seat.id), placings.get(seat.number), at
        ):
            booked += await work.results.add_once(new)
    return booked


def _results_of(
    table: OpenTable,
    seat: SeatRow,
    tenures: Sequence[TenureRow],
    placing: Placing | None,
    at: datetime,
) -> list[NewResult]:
    """One result for everybody who had the seat while the game ran; for the seat itself if it
    stands empty at the end.
    """
    begun_at, found = table.game.started_at, []
    for index, tenure in enumerate(tenures):
        is_last = index == len(tenures) - 1
        if not is_last and (
            tenure.person_id is None
            or tenure.until is None
            or (begun_at is not None and tenure.until <= begun_at)
        ):
            continue
        kept = placing if is_last else None
        found.append(
            NewResult(
                game_id=table.game.id,
                seat_id=seat.id,
                tenure=tenure.tenure,
                person_id=tenure.person_id,
                place=kept.place if kept is not None else None,
                players=len(table.seats) + (kept.beside if kept is not None else 0),
                won=kept is not None and kept.won,
                prize=kept.prize if kept is not None else 0,
                how=kept.how
                if kept is not None
                else BROKEN_OFF
                if is_last
                else _way_out(tenures, index),
                at=at,
            )
        )
    return found


def _way_out(tenures: Sequence[TenureRow], index: int) -> str:
    """How a seat was left: whoever resigns (or is forgotten) leaves it empty; a substitute gives it
    back to whom they had it from.
    """
    after = tenures[index + 1].person_id
    if after is None:
        return RESIGNED
    if index > 0 and after == tenures[index - 1].person_id:
        return SUBSTITUTED
    return (
        AWAY
        if len(tenures) > index + 2 and tenures[index + 2].person_id == tenures[index].person_id
        else REPLACED
    )


async def book_missing(services: Desk) -> int:
    """Book games that ended before there was anything to book; how many. What cannot be read any
    more is left alone, and logged.
    """
    done = 0
    async with services.database.read() as work:
        missing = await work.results.list_unbooked(UNBOOKED_AT_ONCE)
    for game_id in missing:
        async with services.database.write() as work:
            game = await work.games.lock(game_id)
            if game is None:
                continue
            try:
                table = await load_table(work, services.games, game)
                state = table.state if game.status == "over" else None
                done += (
                    await book_results(work, table, state, game.over_at or services.clock.now()) > 0
                )
            except (UnknownGame, ValueError) as error:
                _log.warning("results-not-booked", game=game_id, reason=str(error))
                await work.rollback()
    return done
