"""What a game master sees of the tables: one screen each, nobody's orders, and what they
may do next about each line: words that stand ready to be sent back or tapped.

Nothing here is done by itself, and what cannot be taken back needs a confirmation as always. To a
game master who plays nothing is offered that only the orders of the others know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import is_idle, list_substitutions
from pbem.desk.chat.messages import SUPERSEDED
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.gm.rulings import list_waiting
from pbem.desk.lobby.herald import takeover_code, vacant_seats
from pbem.desk.mandate import find_game
from pbem.desk.phases.ballots import KINDS, detail_of, number_of
from pbem.desk.phases.grace import count_graces
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, load_table, standing_of
from pbem.pages.gm import MotionStatus, NextStep, NoteStatus, SeatStatus, TableLine, TableStatus
from pbem.pages.page import PeopleFacts
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.post.notes import NoteState
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

UNANSWERED: tuple[NoteState, ...] = ("waiting", "passed")
UNSENT = ("queued", "sending", "refused", "withheld")


async def list_tables(services: Desk) -> list[GameRow]:
    async with services.database.read() as work:
        return await work.games.list_by_status()


async def read_status(services: Desk, slug: str) -> TableStatus:
    """One screen about a table, as an operator may see it."""
    async with services.read() as tx:
        return await read_status_for(tx, slug, None)


async def read_status_for(tx: Transaction[Context], slug: str, viewer: int | None) -> TableStatus:
    """One screen about a table. It tells who has answered, which only the game master may know, and
    nobody's orders.

    `viewer` is the person who will read it: one who plays at the table learns nothing that the
    others have sent, unless the table allows it. None: the operator.
    """
    game = await find_game(tx.work, slug)
    table = await load_table(tx, game)
    phase, settings = table.phase, table.settings
    plays = viewer is not None and any(seat.person_id == viewer for seat in table.seats)
    hides = plays and not settings.secrets
    newest = (
        {row.seat_id: row for row in await tx.work.orders.latest(game.id, game.phase_number)}
        if phase is not None
        else {}
    )
    invited = {
        row.person_id: row.answered_at is not None
        for row in await tx.work.invitations.list_of_game(game.id)
    }
    sitting = [seat.person_id for seat in table.seats if seat.person_id is not None]
    people = {one.id: one.name for one in await tx.work.people.list_by_ids(sitting)}
    has_codes = settings.people.takeovers == "first" and not hides
    vacant = vacant_seats(table) if has_codes else []
    codes = {seat.number: takeover_code(tx.services, table, seat) for seat in vacant}
    graces = await _graces_left(tx.work, table, viewer if hides else None)
    back = {
        one.seat.number: one.absence.until
        for one in await list_substitutions(tx.work, game.id)
        if one.begun
    }
    seats = []
    for seat in table.seats:
        row = newest.get(seat.id)
        shown = not hides or seat.person_id == viewer
        standing = standing_of(table.kind, row, seat)
        version = row.version if row is not None else 0
        told = await _seat_status(tx.work, table, seat, standing, version, invited, shown=shown)
        own = people.get(seat.person_id or 0, "")
        is_hidden = table.hides_names and not shown
        told = replace(
            told,
            address="" if is_hidden else told.address,
            person="" if is_hidden or own == seat.name else own,
            takeover_code=codes.get(seat.number, ""),
            graces=graces.get(seat.number),
            until=back.get(seat.number),
            idle=is_idle(table, seat),
        )
        seats.append(told)
    letters = await tx.work.outbox.count_by_state(game.id)
    withheld = await _count_withheld(tx.work, game.id)
    votes: dict[str, int] = dict.fromkeys(settings.votes, 0) if game.status == "open" else {}
    for vote in await tx.work.votes.list_of_game(game.id) if votes else ():
        if vote.question in votes:
            votes[vote.question] += 1
    shunted = (await tx.work.inbox.count_by_state()).get("shunted", 0)
    notes = await list_notes(tx.work, [slug])
    pages = table.kind.pages
    status = TableStatus(
        slug=game.slug,
        title=game.title,
        ruleset=game.ruleset,
        status=game.status,
        phase_number=game.phase_number,
        phase=pages.phase_name(phase.kind) if phase is not None else "",
        turn_word=pages.turn_word,
        phase_kind=phase.kind if phase is not None else "",
        turn=int(msgspec.json.decode(phase.label).get("turn", 0)) if phase is not None else 0,
        deadline=phase.deadline if phase is not None else None,
        settles_at=table.settles_at,
        held_since=phase.held_since if phase is not None else None,
        paused_at=game.paused_at,
        attempts=game.attempts,
        seats=tuple(seats),
        notes=notes,
        shunted=shunted,
        letters={state: letters.get(state, 0) for state in UNSENT}
        | {"withheld": sum(withheld.values())},
        withheld=withheld,
        zone=settings.zone,
        hides_answers=hides,
        seats_least=settings.least_players,
        seats_most=settings.most_players or table.kind.ruleset.players[1],
        votes=votes,
        starts=settings.starts,
        join_code=game.join_code,
        expires_at=game.expires_at,
        voting_until=game.voting_until,
        motions=await _list_motions(tx.work, game),
        waiting=() if plays else await list_waiting(tx, table),
        people=PeopleFacts(**msgspec.structs.asdict(settings.people)),
    )
    return status if viewer is None else replace(status, steps=next_steps(status))


async def _count_withheld(work: Work, game_id: int) -> dict[str, int]:
    """What was not sent, by reason. A message that a later one took the place of is no loss, and is
    not told.
    """
    return {
        reason: count
        for reason, count in (await work.outbox.count_withheld(game_id)).items()
        if reason != SUPERSEDED
    }


async def _list_motions(work: Work, game: GameRow) -> tuple[MotionStatus, ...]:
    """What is open before the table, and what players ask their game master for."""
    found = []
    for row in await work.motions.list_open(game.id):
        detail = detail_of(row)
        found.append(
            MotionStatus(
                number_of(row) if row.kind in KINDS else row.id,
                row.kind,
                row.closes_at,
                detail.what,
                detail.until,
            )
        )
    return tuple(found)


async def _graces_left(work: Work, table: OpenTable, only: int | None) -> dict[int, int]:
    """How often each seat will still be waited for, by number; of the reader alone where the reader
    plays here: who was late is told to nobody.
    """
    if not table.settings.graces or table.game.status not in ("running", "paused"):
        return {}
    rows = await work.graces.list_of_game(table.game.id)
    return {
        seat.number: max(table.settings.graces - count_graces(rows, seat), 0)
        for seat in table.seats
        if seat.status == "active" and (only is None or seat.person_id == only)
    }


async def list_lines(tx: Transaction[Context], game_ids: Sequence[int]) -> tuple[TableLine, ...]:
    """These tables, a line each."""
    lines = []
    for game_id in game_ids:
        game, phase = await tx.work.games.find(game_id), await tx.work.phases.current(game_id)
        if game is not None:
            is_live = phase is not None and game.status in ("running", "paused")
            deadline = phase.deadline if phase is not None and game.status == "running" else None
            name = (
                tx.services.games[game.ruleset].pages.phase_name(phase.kind)
                if phase is not None and is_live
                else ""
            )
            lines.append(
                TableLine(game.slug, game.title, game.status, game.phase_number, name, deadline)
            )
    return tuple(lines)


async def list_notes(work: Work, slugs: Sequence[str]) -> tuple[NoteStatus, ...]:
    """The players' notes at these tables that nobody has answered, the oldest first."""
    found = []
    for slug in slugs:
        game = await find_game(work, slug)
        names = {seat.id: seat.name for seat in await work.seats.list_of_game(game.id)}
        for state in UNANSWERED:
            found += [
                NoteStatus(row.id, names.get(row.seat_id, "-"), row.text)
                for row in await work.notes.list_by_state(state, game.id)
            ]
    return tuple(sorted(found, key=lambda note: note.number))


async def _seat_status(
    work: Work,
    table: OpenTable,
    seat: SeatRow,
    standing: Standing[Any],
    version: int,
    invited: Mapping[int, bool],
    *,
    shown: bool,
) -> SeatStatus:
    known = await work.people.list_addresses(seat.person_id) if seat.person_id is not None else []
    rows = [row for row in known if row.channel == MAIL]
    by_chat = any(row.channel == TELEGRAM and row.state == "confirmed" for row in known)
    asked = table.phase is not None and seat.number in table.phase.asked and seat.status == "active"
    lacking: tuple[str, ...] = ()
    answered = None
    if asked and shown:
        lacking = (
            () if standing.final else table.kind.ruleset.lacking(table.state, seat.number, standing)
        )
        answered = not lacking
    return SeatStatus(
        number=seat.number,
        name=seat.name,
        colour=seat.colour or "",
        address=rows[0].address if rows else "",
        address_state=rows[0].state if rows else "chat" if by_chat else "none",
        status=_status_of(table, seat),
        asked=asked,
        answered=answered,
        final=standing.final and table.kind.ruleset.final_locks if shown else None,
        versions=version if shown else None,
        lacking=lacking,
        accepted=invited.get(seat.person_id) if seat.person_id is not None else None,
    )


def _status_of(table: OpenTable, seat: SeatRow) -> str:
    """An empty seat that has left the game needs nobody any more."""
    if (
        seat.status == "left"
        and table.state is not None
        and seat.number not in table.kind.ruleset.active(table.state)
    ):
        return "eliminated"
    return seat.status


MOST_NOTES = 3


def next_steps(status: TableStatus) -> tuple[NextStep, ...]:
    """The steps in the order of the lines they are about; for a table that is over there are
    none.
    """
    match status.status:
        case "open":
            return _before_the_start(status)
        case "paused":
            return (
                NextStep("resume", f"{status.slug}: resume"),
                *_about_seats(status),
                *_about_notes(status),
            )
        case "running":
            return (*_about_the_clock(status), *_about_seats(status), *_about_notes(status))
    return ()


def _before_the_start(status: TableStatus) -> tuple[NextStep, ...]:
    sitting = sum(seat.accepted is not False and seat.status != "left" for seat in status.seats)
    steps = [NextStep("invite", f"{status.slug}: invite NAME ADDRESS", is_whole=False)]
    if sitting >= max(status.seats_least, 2):
        steps.insert(0, NextStep("start", f"{status.slug}: start"))
    return (*steps, *_about_notes(status))


def _about_the_clock(status: TableStatus) -> tuple[NextStep, ...]:
    steps = [
        NextStep(f"{request.kind}-{answer}", f"{status.slug}: {answer} {request.number}")
        for request in status.motions
        if request.kind == "request"
        for answer in ("grant", "refuse")
    ]
    steps.append(NextStep("extend", f"{status.slug}: extend by 24h"))
    all_in = not status.hides_answers and all(seat.answered for seat in status.seats if seat.asked)
    if all_in or status.attempts or status.held_since is not None:
        steps.append(NextStep("close", f"{status.slug}: close phase {status.phase_number}"))
    return (*steps, NextStep("pause", f"{status.slug}: pause"))


def _about_seats(status: TableStatus) -> tuple[NextStep, ...]:
    steps = []
    for seat in status.seats:
        if seat.idle:
            steps.append(NextStep("awake", f"{status.slug}: defaults {seat.name} off"))
        if seat.status == "left" or (
            seat.status == "active" and seat.address_state in ("suspended", "none")
        ):
            steps.append(
                NextStep(
                    "replace",
                    f"{status.slug}: replace {seat.name} with NAME ADDRESS",
                    is_whole=False,
                )
            )
    return tuple(steps)


def _about_notes(status: TableStatus) -> tuple[NextStep, ...]:
    steps = [NextStep("notes", f"{status.slug}: notes")] if status.notes else []
    for note in status.notes[:MOST_NOTES]:
        steps.append(NextStep("answer", f"answer {note.number}: ...", is_whole=False))
        steps.append(NextStep("dismiss", f"dismiss {note.number}"))
    return tuple(steps)
