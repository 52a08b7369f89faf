"""`away from 3 to 10 July`: who is away says so once, and the deadlines to come move for it, each
table's within its own limit.

The open deadline never moves for an absence, and an absence moves one deadline a table. Days are
those of the player's own zone.
"""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.windows import instant_at
from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.commands import Absences, Away, Unclear
from pbem.grammar.people import Back
from pbem.grammar.times import days_of, format_absence
from pbem.pages.notice import Notice
from pbem.pages.time import AbsenceLine, AbsencesListed, AbsencesTakenBack, AbsenceUnclear, Absent
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
