"""Reading what people keep of their games: profiles and the hall of fame.

Of somebody else a reader learns nothing about games that still run: neither where they play, nor
what they missed there, nor strikes given there (but at a table the two share, where everybody was
told). Of games that are over the reader learns the title only of those they were in as well.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec
import structlog

from engine.ruleset import Placing
from pbem.desk.authentication.tenures import return_at_the_end
from pbem.desk.people.eligibility import STRIKES, Closed, read_closed, read_windows
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, UnknownGame, decode_settings, load_table
from pbem.game import Games
from pbem.grammar.called import skeleton
from pbem.grammar.people_rules import PeopleRules
from pbem.pages.results import (
    CurrentTable,
    FameLine,
    GameResult,
    Hall,
    KindSums,
    Profile,
    Strike,
    Windows,
)
from pbem.store.repositories.forgetting import FORGOTTEN
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.results import Account, NewResult, PersonResult
from pbem.store.repositories.seats import SeatRow, TenureRow
from pbem.store.repositories.strikes import PersonStrike
from pbem.store.work import Work

FAME_LINES = 20
LIVE = ("open", "running", "paused")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who reads a profile: a person and the games they sit or sat in; `person_id` None is the
    person who runs the machine, and sees all.
    """

    person_id: int | None
    games: frozenset[int] = frozenset()

    def sees_all_of(self, person: PersonRow) -> bool:
        return self.person_id is None or self.person_id == person.id


OPERATOR = Viewer(None)


async def read_viewer(work: Work, person_id: int) -> Viewer:
    """The person as a reader of profiles; games in which names are hidden tell nothing."""
    seats = await work.seats.list_of_person(person_id)
    results = await work.results.list_of_people([person_id])
    shared = {seat.game_id for seat in seats} | {result.game_id for result in results}
    hiding = [game.id for game in await work.games.list_of(sorted(shared)) if hides_names(game)]
    return Viewer(person_id, frozenset(shared.difference(hiding)))


def hides_names(game: GameRow) -> bool:
    """Whether players of the game may not learn who the others are."""
    return game.status in LIVE and decode_settings(game).people.hidden_names


async def read_profile(
    tx: Transaction[Context], person: PersonRow, viewer: Viewer, *, called: str | None = None
) -> Profile:
    """What the viewer may read of this person; `called` is the name they were asked for by, else
    the one of the hall of fame.
    """
    booked = await tx.work.results.list_of_people([person.id])
    windows = await _windows_of(tx.work, booked)
    sees_all = viewer.sees_all_of(person)
    results = tuple(
        GameResult(
            title=row.title if sees_all or row.game_id in viewer.games else "",
            kind=_kind(tx.services.games, row.ruleset),
            seat=row.seat_name if sees_all or row.game_id in viewer.games else "",
            place=row.place,
            players=row.players,
            won=row.won,
            prize=row.prize,
            how=row.how,
            ended_at=row.at,
            windows=counted,
        )
        for row, counted in zip(booked, windows, strict=True)
    )
    strikes = [
        row
        for row in await tx.work.strikes.list_of_person(person.id)
        if sees_all or _is_known(row, viewer)
    ]
    left = {row.game_id for row in booked if row.how in LEFT and row.how != SUBSTITUTED}
    left -= {row.game_id for row in booked if row.how not in LEFT}
    return Profile(
        name=called if called is not None else shown_name(person, booked)[0],
        is_own=viewer.person_id == person.id,
        games=len({row.game_id for row in booked if row.how not in LEFT}),
        wins=sum(row.won for row in booked),
        treasury=sum(row.prize for row in booked),
        left=len(left),
        windows=sum(windows, Windows()),
        kinds=_sum_kinds(tx.services.games, booked),
        results=results,
        strikes=tuple(
            _strike(row, tells=sees_all or row.game_id in viewer.games) for row in strikes
        ),
        is_barred=sum(row.pardoned_at is None for row in strikes) >= STRIKES,
        tables=await _read_tables(tx, person) if sees_all else (),
    )


def _kind(games: Games, ruleset: str) -> str:
    return games[ruleset].pages.title if ruleset in games else ruleset


def _is_known(strike: PersonStrike, viewer: Viewer) -> bool:
    """Whether a viewer who is somebody else may know of it at all."""
    return strike.status not in LIVE or strike.game_id in viewer.games


def _strike(row: PersonStrike, *, tells: bool) -> Strike:
    return Strike(
        title=row.title if tells else "",
        reason=row.reason if tells else "",
        given_at=row.at,
        pardoned=row.pardoned_at is not None,
        pardon_reason=(row.pardon_reason or "") if tells else "",
    )


async def _windows_of(work: Work, booked: Sequence[PersonResult]) -> list[Windows]:
    """The windows of each of these results; every game is read once."""
    closed: dict[int, Closed] = {}
    found = []
    for row in booked:
        game, seat = await work.games.find(row.game_id), await work.seats.find(row.seat_id)
        if game is None or seat is None:
            found.append(Windows())
            continue
        if game.id not in closed:
            closed[game.id] = await read_closed(work, game)
        found.append(await read_windows(work, closed[game.id], seat.id, seat.number, row.tenure))
    return found


def _sum_kinds(games: Games, booked: Sequence[PersonResult]) -> tuple[KindSums, ...]:
    """The sums of each kind of game, what was played most first."""
    sums = []
    for ruleset in dict.fromkeys(row.ruleset for row in booked):
        rows = [row for row in booked if row.ruleset == ruleset]
        places = Counter(row.place for row in rows if row.place is not None)
        sums.append(
            KindSums(
                kind=_kind(games, ruleset),
                games=len({row.game_id for row in rows if row.how not in LEFT}),
                wins=sum(row.won for row in rows),
                treasury=sum(row.prize for row in rows),
                places=tuple(sorted(places.items())),
            )
        )
    return tuple(sorted(sums, key=lambda kind: -kind.games))


async def _read_tables(tx: Transaction[Context], person: PersonRow) -> tuple[CurrentTable, ...]:
    """Where somebody plays now, with the windows so far; for their own eyes."""
    tables = []
    for seat in await tx.work.seats.list_of_person(person.id):
        game = await tx.work.games.find(seat.game_id)
        if game is None or game.status not in LIVE or seat.status == "left":
            continue
        windows = await read_windows(
            tx.work, await read_closed(tx.work, game), seat.id, seat.number, seat.tenure
        )
        tables.append(
            CurrentTable(
                game.title, _kind(tx.services.games, game.ruleset), seat.name, game.status, windows
            )
        )
    return tuple(tables)


# --------------------------------------------------------------------------------- the hall of fame
async def read_hall(work: Work, viewer_id: int | None = None) -> Hall:
    """The best of the house, and the viewer's own line where it is further down."""
    accounts = await work.results.list_accounts(LEFT)
    ranks = _ranks(accounts)
    shown = accounts[:FAME_LINES]
    mine = next(
        (account for account in accounts[FAME_LINES:] if account.person_id == viewer_id), None
    )
    wanted = [*shown, *([mine] if mine is not None else [])]
    named = await _name(work, [account.person_id for account in wanted])
    lines = [
        FameLine(
            rank=ranks[account.person_id],
            name=named[account.person_id][0],
            treasury=account.treasury,
            wins=account.wins,
            games=account.games,
            took_over=named[account.person_id][1],
            is_reader=account.person_id == viewer_id,
        )
        for account in wanted
    ]
    lines = _tell_apart(lines, [named[account.person_id][2] for account in wanted])
    return Hall(tuple(lines[: len(shown)]), lines[-1] if mine is not None else None, len(accounts))


def _ranks(accounts: Sequence[Account]) -> dict[int, int]:
    """The rank of each, the same for those who are level; they come in order."""
    ranks: dict[int, int] = {}
    before: tuple[int, int, int] | None = None
    rank = 0
    for index, account in enumerate(accounts, start=1):
        score = (account.treasury, account.wins, account.games)
        rank = rank if score == before else index
        ranks[account.person_id], before = rank, score
    return ranks


async def _name(work: Work, person_ids: Collection[int]) -> Mapping[int, tuple[str, bool, str]]:
    """For each person the name, whether it is that of a seat taken over, and the title of their
    newest game.
    """
    booked: dict[int, list[PersonResult]] = {person_id: [] for person_id in person_ids}
    for row in await work.results.list_of_people(person_ids):
        booked[row.person_id].append(row)
    named = {}
    for person in await work.people.list_by_ids(person_ids):
        rows = booked[person.id]
        named[person.id] = (*shown_name(person, rows), rows[0].title if rows else "")
    return named


class _Told(msgspec.Struct, frozen=True):
    """Of a game's settings."""

    people: PeopleRules = PeopleRules()


def shown_name(person: PersonRow, booked: Iterable[PersonResult]) -> tuple[str, bool]:
    """The name that everybody may read of somebody, and whether it is that of a seat which they had
    from somebody else.

    The service's own name of a person was perhaps never told to anybody. So it is shown only if
    they played under it in a game that is over, or such a game told it at its end; else the name
    they chose at their newest table. "" for somebody who has been forgotten.
    """
    if person.name == FORGOTTEN:
        return "", False
    rows = list(booked)
    if any(msgspec.json.decode(row.settings, type=_Told).people.hidden_names for row in rows):
        return person.name, False
    chosen = [row.seat_name for row in rows if row.tenure == 1]
    if not rows or any(skeleton(name) == skeleton(person.name) for name in chosen):
        return person.name, False
    return (chosen[0], False) if chosen else (rows[0].seat_name, True)


def _tell_apart(lines: list[FameLine], titles: Sequence[str]) -> list[FameLine]:
    """Names that look alike get the title of a game added, so that nobody passes for
    another.
    """
    alike = Counter((skeleton(line.name), line.took_over) for line in lines if line.name)
    return [
        (
            replace(line, table=title)
            if line.name and alike[skeleton(line.name), line.took_over] > 1
            else line
        )
        for line, title in zip(lines, titles, strict=True)
    ]


BROKEN_OFF = "broken-off"
RESIGNED = "resigned"
REPLACED = "replaced"
SUBSTITUTED = "substituted"
"""Of the person who played for somebody who came back."""
AWAY = "away"
"""Of the person who let somebody play for them, and came back."""
LEFT = (RESIGNED, REPLACED, SUBSTITUTED, AWAY)
"""How those came out who had left before the end: the game does not count as theirs."""

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
    """How a seat was left: the person who resigns (or is forgotten) leaves it empty; a substitute
    gives it back to whom they had it from.
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
        async with services.write() as tx:
            game = await tx.work.games.lock(game_id)
            if game is None:
                continue
            try:
                table = await load_table(tx, game)
                state = table.state if game.status == "over" else None
                done += (
                    await book_results(tx.work, table, state, game.over_at or services.clock.now())
                    > 0
                )
            except (UnknownGame, ValueError) as error:
                _log.warning("results-not-booked", game=game_id, reason=str(error))
                await tx.work.rollback()
    return done
