"""What players say of their own time: `away from 3 to 10 July`, and `wait`, `nowait` and
`ready`.

Who is away says so once, and the deadlines to come move for it, each table's within its own limit.
The open deadline never moves for an absence, and an absence moves one deadline a table. Days are
those of the player's own zone. Nobody learns who waits, or who is ready.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from engine.ruleset import Standing
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.grace import owes
from pbem.desk.windows import instant_at
from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.commands import Absences, Away, NoWait, Unclear, Wait
from pbem.grammar.house.commands import Ready as SaidReady
from pbem.grammar.house.reading import read_orders
from pbem.grammar.kit.reading import Reading
from pbem.grammar.people import Back
from pbem.grammar.times import days_of, format_absence
from pbem.pages.notice import Notice
from pbem.pages.notices import GameOver, PlayerEliminated
from pbem.pages.page import Page
from pbem.pages.time import (
    AbsenceLine,
    AbsencesListed,
    AbsencesTakenBack,
    AbsenceUnclear,
    Absent,
    IsNotReady,
    IsReady,
    PhaseWaits,
    PhaseWaitsNoMore,
)
from pbem.store.repositories.absences import AbsenceRow
from pbem.store.work import Work

MOST = 6
"""Absences of one person that lie ahead."""


async def answer_away(talk: Conversation[Player], command: Away) -> Notice:
    """Keep an absence, once however often it is said."""
    work, person_id = talk.work, talk.seat.person_id
    now, zone, said = talk.now(), talk.reader.zone, command.when
    if isinstance(said, Unclear):
        return AbsenceUnclear(said.what, said.part)
    try:
        first, last = days_of(said, now.astimezone(ZoneInfo(zone)).date())
    except Unread as unread:
        return AbsenceUnclear(unread.what, unread.written)
    if person_id is None:
        return AbsencesListed(())
    since, until = interval_of(first, last, zone, now)
    game_id = talk.table.game.id if said.here else None
    known = await own_absences(work, person_id, now)
    settings = talk.table.settings
    if not any(
        (row.game_id, row.until) == (game_id, until) and abs(row.since - since) < timedelta(days=1)
        for row in known
    ):
        if len(known) >= MOST:
            return AbsenceUnclear("too-many", format_absence(said))
        await work.absences.add(
            person_id=person_id,
            game_id=game_id,
            since=since,
            until=until,
            substitute_id=None,
            created_at=now,
        )
    line = AbsenceLine(first, last, talk.table.game.title if game_id is not None else "")
    open_until = talk.table.phase.deadline if talk.table.phase is not None else None
    falls_in = (
        open_until
        if open_until is not None
        and since <= open_until < until
        and talk.table.game.status == "running"
        else None
    )
    return Absent(line, settings.absence_days, falls_in, tells_names=settings.tells_names)


def interval_of(first: date, last: date, zone: str, now: datetime) -> tuple[datetime, datetime]:
    """From the beginning of the first day (or from now on) to the end of the last."""
    midnight = time(0, 0)
    return max(instant_at(first, midnight, zone), now), instant_at(
        last + timedelta(days=1), midnight, zone
    )


async def own_absences(work: Work, person_id: int, now: datetime) -> list[AbsenceRow]:
    """A person's absences that are not over; those with a substitute are told where the substitute
    is.
    """
    return [
        row for row in await work.absences.list_of([person_id], now) if row.substitute_id is None
    ]


async def answer_absences(talk: Conversation[Player], command: Absences) -> Notice:
    """Show a player their own absences."""
    now, zone = talk.now(), ZoneInfo(talk.reader.zone)
    rows = (
        await own_absences(talk.work, talk.seat.person_id, now)
        if talk.seat.person_id is not None
        else []
    )
    lines: list[AbsenceLine] = []
    for row in rows:
        game = await talk.work.games.find(row.game_id)
        last = (row.until - timedelta(minutes=1)).astimezone(zone).date()
        lines.append(
            AbsenceLine(
                row.since.astimezone(zone).date(), last, game.title if game is not None else ""
            )
        )
    return AbsencesListed(tuple(lines))


async def end_absences(
    work: Work, person_id: int, now: datetime, game_id: int | None = None
) -> tuple[int, int]:
    """Somebody is back, or goes nowhere, at one table or (None) at all: how many absences are taken
    back, and how many of those for all tables stay, for one table is not all. What has moved stays
    where it is.
    """
    rows = await own_absences(work, person_id, now)
    ended = [row for row in rows if game_id is None or row.game_id == game_id]
    for row in ended:
        await work.absences.cancel(row.id, now)
    return len(ended), sum(row.game_id is None for row in rows if row not in ended)


async def answer_back(talk: Conversation[Player], command: Back) -> Notice:
    """`back`, `SET NOABSENCE`."""
    count, _ = (
        await end_absences(talk.work, talk.seat.person_id, talk.now())
        if talk.seat.person_id is not None
        else (0, 0)
    )
    return AbsencesTakenBack(count)


FINAL_WORD = "final"
"""What settles a player's orders, in the grammar of every game."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The result of the word `ready`: the message as it counts, and the answer to the word where
    there is no receipt.
    """

    reading: Reading
    talk: Conversation[Player]
    page: Page | Notice | None = None


def _plays(talk: Conversation[Player]) -> bool:
    """Whether a phase is open in which this seat still has a part."""
    return (
        talk.table.phase is not None
        and talk.table.game.status in ("running", "paused")
        and talk.seat.status == "active"
    )


async def answer_wait(talk: Conversation[Player], command: Wait) -> Page | Notice:
    """The phase stays open until its deadline."""
    if not _plays(talk):
        return _over(talk)
    await talk.work.waits.add(
        talk.table.game.id, talk.table.game.phase_number, talk.seat.id, talk.now()
    )
    return PhaseWaits()


async def answer_nowait(talk: Conversation[Player], command: NoWait) -> Page | Notice:
    """It may close before, once everybody is final; if everybody is, the sweep finds that."""
    if not _plays(talk):
        return _over(talk)
    await talk.work.waits.drop(talk.table.game.id, talk.table.game.phase_number, talk.seat.id)
    return PhaseWaitsNoMore(is_final=talk.standing.final)


async def take_ready(
    talk: Conversation[Player], reading: Reading, standing: Standing[Any]
) -> Ready:
    """All that is owed is there: it becomes final, and nothing waits any more. Where something is
    missing nothing becomes final.
    """
    if not any(isinstance(command, SaidReady) for command in reading.commands):
        return Ready(reading, talk)
    if not _plays(talk):
        return Ready(reading, talk, _over(talk))
    table, number = talk.table, talk.seat.number
    await talk.work.waits.drop(table.game.id, table.game.phase_number, talk.seat.id)
    assert table.phase is not None  # noqa: S101 - it plays
    if number not in table.phase.asked or standing.final:
        return Ready(reading, talk, IsReady())
    after = reading.checked.standing if reading.checked is not None else standing
    if owes(table, number, after):
        return Ready(reading, talk, IsNotReady())
    said = talk.said.with_order(FINAL_WORD)
    again = await talk.services.apart.run(table.reader(read_orders, number, standing), said)
    if again.checked is None or not again.items:
        return Ready(reading, talk, IsNotReady())
    return Ready(again, talk.about(said))


def _over(talk: Conversation[Player]) -> Notice:
    if talk.seat.status == "eliminated":
        return PlayerEliminated()
    return GameOver()
