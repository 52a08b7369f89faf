"""`pbem backup`, `pbem restore` and `pbem accept-clock`: what an operator does about the database
itself.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import read_config
from pbem.cli.exits import EXIT_NOT_FOUND, EXIT_REFUSED, report_failure
from pbem.cli.failing import at_desk, told
from pbem.cli.options import ConfigOption, ForceOption
from pbem.config import Config
from pbem.desk.phases.hindrances import accept_clock as take_clock
from pbem.desk.ports import Services
from pbem.desk.upkeep.housekeeping import Restored, begin_restored, kept_name
from pbem.store.backup import put_in_place, unnamed_copy, write_backup
from pbem.store.database import open_database
from pbem.store.lock import lock_database
from pbem.store.migrations import migrate


def backup(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    force: ForceOption = False,
    config: ConfigOption = None,
) -> None:
    """Copy the database into a file and check the copy. The service may run."""
    now = datetime.now(UTC)
    with told():
        database = _sqlite_file(read_config(config))
        if not database.exists():
            report_failure(f"there is no database at {database}")
            raise typer.Exit(EXIT_NOT_FOUND)
        size = write_backup(database, file, now, overwrite=force)
    typer.echo(f"wrote {file}: {size:,} bytes, checked")


def restore(
    file: Annotated[Path, typer.Argument(help="Backup file.")],
    send: Annotated[
        bool,
        typer.Option(
            "--send/--no-send",
            help="Send mails that were waiting in the backup; most were probably sent since.",
        ),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Restore the database from a backup. Stop the service first; the old database is kept."""
    now = datetime.now(UTC)
    with told():
        settings = read_config(config)
        database = _sqlite_file(
            settings
        ).resolve()  # a name that leads to it stays, and leads to the backup then
        if not file.exists():
            report_failure(f"there is no file {file}")
            raise typer.Exit(EXIT_NOT_FOUND)
        settings.service.data_dir.mkdir(parents=True, exist_ok=True)
        kept = kept_name(database, now)
        with lock_database(database, to_restore=True), unnamed_copy(file, database) as copy:
            restored = asyncio.run(_begin(copy, now, send=send))
            was_there = put_in_place(copy, database, kept)
    typer.echo(f"restored {database} as of {restored.made_at:%Y-%m-%d %H:%M} UTC")
    if was_there:
        typer.echo(f"kept the old database as {kept}")
    if restored.withheld:
        typer.echo(
            f"withheld {restored.withheld} mails that were waiting in it; --send would have"
            " sent them"
        )
    typer.echo(
        "the next `pbem serve` reads the mailbox and the journal of chats again from the day"
        " before, and takes what has come since"
    )


def accept_clock(config: ConfigOption = None) -> None:
    """Accept the corrected system clock now, instead of waiting for it to catch up."""

    async def accept(services: Services) -> bool:
        return await take_clock(services.database, services.clock.now())

    was_behind = at_desk(config, accept)
    typer.echo("accepted the clock" if was_behind else "the clock was not behind; nothing changed")


def _sqlite_file(settings: Config) -> Path:
    """The database's file. On PostgreSQL there is none, and other tools do this."""
    database = open_database(settings.database_url())
    if database.file is None:
        report_failure(
            "this database is PostgreSQL: use pg_dump and pg_restore, which copy one moment while"
            " the service runs"
        )
        raise typer.Exit(EXIT_REFUSED)
    return database.file


async def _begin(copy: Path, now: datetime, *, send: bool) -> Restored:
    database = open_database(f"sqlite+aiosqlite:///{copy}")
    await migrate(database)
    restored = await begin_restored(database, now, send=send)
    await database.dispose()
    return restored
