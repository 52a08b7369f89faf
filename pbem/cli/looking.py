"""`pbem game list`, `status`, `notes` and `log`: a look at the tables. Nothing is changed."""

import json
from datetime import UTC, datetime
from textwrap import indent
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
import typer

from pbem import opening
from pbem.cli.common import read_config, run_at_desk
from pbem.cli.failing import at_desk, show_rows, told
from pbem.cli.options import ConfigOption, GameArgument, JsonOption
from pbem.config import Config
from pbem.desk.mandate import find_game
from pbem.desk.ports import Services
from pbem.desk.table import table_of_house
from pbem.desk.upkeep.status import list_notes, list_tables, read_status
from pbem.pages.gm import NoteStatus, TableStatus, table_status_text
from pbem.pages.page import Reader
from pbem.store.repositories.log import GmLogRow


def list_games(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List all games."""
    show_rows(
        at_desk(config, list_tables),
        lambda row: {
            "game": row.slug,
            "title": row.title,
            "ruleset": row.ruleset,
            "status": row.status,
            "phase": row.phase_number,
        },
        lambda row: (
            f"{row.slug:20} {row.status:8} phase {row.phase_number:<4} {row.ruleset}  {row.title}"
        ),
        as_json=as_json,
        none="there is no game; pbem game new NAME opens one",
    )


def status(slug: GameArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show a game on one screen: missing orders, the deadline, bounced mails, and your tasks."""
    with told():
        settings = read_config(config)
        facts = run_at_desk(settings, read_status, slug)
    if as_json:
        typer.echo(msgspec.json.encode(facts).decode())
        return
    typer.echo(status_text(settings, facts), nl=False)


def status_text(config: Config, facts: TableStatus) -> str:
    """The screen, as the answer to a game master's mail shows it."""
    now = datetime.now(UTC)
    return table_status_text(
        table_of_house(opening.policy_of(config), now), Reader(None, "", config.service.zone), facts
    )


def notes(slug: GameArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show players' notes without an answer."""

    async def read(services: Services) -> tuple[NoteStatus, ...]:
        async with services.database.read() as work:
            return await list_notes(work, [slug])

    show_rows(
        at_desk(config, read),
        lambda note: {"note": note.number, "who": note.who, "text": note.text},
        lambda note: f"{note.number}  {note.who}\n{indent(note.text, '    ', lambda _line: True)}",
        as_json=as_json,
        none="no open notes; pbem game answer NUMBER TEXT answers one",
    )


def log(
    slug: GameArgument,
    limit: Annotated[int, typer.Option(min=1, help="Number of entries, the newest first.")] = 50,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was done with a game, by whom and when."""

    async def read(services: Services) -> list[GmLogRow]:
        async with services.database.read() as work:
            return await work.log.list_of_game((await find_game(work, slug)).id, limit=limit)

    with told():
        settings = read_config(config)
        rows = run_at_desk(settings, read)
    zone = ZoneInfo(settings.service.zone)

    def line(row: GmLogRow) -> str:
        said = ", ".join(f"{key} {value}" for key, value in json.loads(row.detail).items())
        at = f"{row.at.astimezone(zone):%Y-%m-%d %H:%M %Z}"
        return f"{at}  {row.actor:12} {row.command:14} {said}"

    show_rows(
        rows,
        lambda row: {
            "at": row.at.isoformat(),
            "actor": row.actor,
            "command": row.command,
            "detail": json.loads(row.detail),
            "public": row.public,
        },
        line,
        as_json=as_json,
    )
