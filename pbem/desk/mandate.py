"""Who commands, what every command begins with, and the log that makes a repeated request one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pbem.desk.correlation import begin_command
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.work import Work


class Refused(Exception):
    """The command cannot be carried out; `code` says why, the words are for the person who typed
    it.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class AlreadyDone(Exception):
    """The very same request was carried out before; `row` is what was logged then."""

    def __init__(self, row: GmLogRow) -> None:
        super().__init__(row.command)
        self.row = row


@dataclass(frozen=True, slots=True)
class By:
    """Who commands: a name for the log and for announcements, and the person if it is one we know.

    `cause` names the request (a message and the line in it): with one, a command that was carried
    out raises `AlreadyDone` the next time, and changes nothing. `phase` is the one that the command
    was meant for, where it means nothing in another.
    """

    name: str
    person_id: int | None = None
    cause: str | None = None
    phase: int | None = None


async def find_game(work: Work, slug: str) -> GameRow:
    """The game of that short name. Refused if there is none."""
    game = await work.games.find_by_slug(slug)
    if game is None:
        raise Refused("unknown-game", f"there is no game {slug!r}")
    return game


async def lock_game(work: Work, slug: str) -> GameRow:
    """The same, held until this unit of work ends."""
    game = await work.games.lock((await find_game(work, slug)).id)
    if game is None:
        raise Refused("unknown-game", f"there is no game {slug!r}")
    return game


async def check_not_done(work: Work, by: By) -> None:
    """Raises AlreadyDone if the same request was carried out before: it is not judged again by how
    things stand now.
    """
    row = await work.log.find_by_cause(by.cause) if by.cause is not None else None
    if row is not None:
        raise AlreadyDone(row)


def check_not_begun(game: GameRow, words: str = "") -> None:
    """Refused, with why, for a table that is not open any more; `words` say what cannot be done
    once it has begun.
    """
    if game.status == "open":
        return
    if game.status in ("over", "ended"):
        raise Refused(
            "over", f"{game.title} has {'ended' if game.phase_number else 'been given up'}"
        )
    raise Refused("already-started", f"{game.title} has begun{'; ' + words if words else ''}")


async def find_open_phase(
    tx: Transaction[Context], slug: str, *, paused_too: bool = False
) -> tuple[GameRow, OpenTable, PhaseRow]:
    """A running game, locked, with its open phase. Refused if there is none, or (unless
    `paused_too`) if its clock is stopped.
    """
    game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
    if game is not None and game.status == "paused" and not paused_too:
        raise Refused("paused", f"{slug} is paused; resume it first")
    if game is None or game.status not in ("running", "paused"):
        raise Refused("not-running", f"{slug} has no open phase")
    table = await load_table(tx, game)
    if table.phase is None or table.phase.status == "closed":
        raise Refused("not-running", f"{slug} has no open phase")
    return game, table, table.phase


def check_phase(phase: PhaseRow, by: By) -> None:
    """Refused if the command was meant for another phase than the open one: that was closed at this
    very moment.
    """
    if by.phase not in (None, phase.number):
        raise Refused(
            "phase-over",
            f"that was about phase {by.phase}, which is over; phase {phase.number} is open",
        )


def plays(table: OpenTable, person_id: int | None) -> bool:
    """Whether that person has a seat at the table."""
    return person_id is not None and any(seat.person_id == person_id for seat in table.seats)


def check_sees(table: OpenTable, person_id: int | None) -> None:
    """Refused for a game master who plays here, unless the table lets them see secrets."""
    if plays(table, person_id) and not table.settings.secrets:
        raise Refused(
            "plays-here",
            f"you play at {table.game.title}, and the table has not allowed you to see secrets",
        )


def check_neutral(table: OpenTable, person_id: int | None) -> None:
    """Refused for a game master who plays here: they do not judge at their own table."""
    if plays(table, person_id):
        raise Refused(
            "plays-here",
            f"you play at {table.game.title}, so somebody else must judge;"
            " `promote NAME ADDRESS` names one",
        )


async def log_event(
    tx: Transaction[Context],
    game_id: int | None,
    command: str,
    detail: object = None,
    *,
    actor: str = "",
    cause: str | None = None,
    public: bool = True,
) -> int | None:
    """Log what happens; the number of the entry. The house does it, unless somebody else is the
    `actor`. None: something of the same `cause` is logged already.
    """
    return await tx.work.log.add(
        game_id=game_id,
        actor=actor or tx.services.policy.name,
        command=command,
        at=tx.now(),
        detail=msgspec.json.encode(detail or {}).decode(),
        public=public,
        cause=cause,
    )


async def log_command(
    tx: Transaction[Context],
    by: By,
    command: str,
    detail: Mapping[str, Any],
    *,
    game_id: int | None,
    public: bool = True,
) -> int:
    """Log a command within the unit of work that carries it out, best done first; the number of the
    entry.

    Raises AlreadyDone, which takes the whole unit of work back, when the same request is logged
    already.
    """
    row = await log_event(
        tx, game_id, command, detail, actor=by.name, cause=by.cause, public=public
    )
    if row is None:
        done = await tx.work.log.find_by_cause(by.cause or "")
        assert done is not None  # noqa: S101 - the log only ever grows
        raise AlreadyDone(done)
    begin_command(row)
    return row
