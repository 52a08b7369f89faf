"""`pbem db version`, `db migrate`, `db copy`."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from pbem import opening
from pbem.cli.common import read_config
from pbem.cli.exits import EXIT_FAILED, EXIT_REFUSED, report_failure
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.config import Config, DatabaseSection, ServiceSection, load_config
from pbem.store.copy import copy_database
from pbem.store.errors import StoreConflict
from pbem.store.upgrade import Version, migrate_with_backup, read_version


def version(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show the database's version, and the version this program needs."""

    async def run() -> Version:
        database = opening.database_of(settings)
        try:
            return await read_version(database)
        finally:
            await database.dispose()

    with told():
        settings = read_config(config)
        found = asyncio.run(run())
    if as_json:
        typer.echo(json.dumps({"taken": found.taken, "newest": found.newest}))
    elif found.taken is None:
        typer.echo(f"the database is empty; this program will create it at step {found.newest}")
    elif found.is_newest:
        typer.echo(f"the database is at step {found.taken}, the newest")
    else:
        typer.echo(
            f"the database is at step {found.taken}, but this program needs step"
            f" {found.newest}{'' if found.is_older else ' and is older'}"
        )
    if found.taken is not None and not found.is_newest:
        raise typer.Exit(EXIT_FAILED)


def migrate(
    config: ConfigOption = None,
    backup: Annotated[
        Path | None,
        typer.Option(
            "--backup", help="Where to copy an SQLite database first; default: next to it."
        ),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Confirm that you have a backup of the PostgreSQL database."),
    ] = False,
) -> None:
    """Migrate the database to the version this program needs. Stop the service first."""
    now = datetime.now(UTC)

    async def run() -> tuple[Version, Path | None]:
        async with opening.alone_in(settings) as database:
            before = await read_version(database)
            if database.file is None and backup is not None:
                raise StoreConflict("back up a PostgreSQL database with pg_dump, then say --yes")
            if database.file is None and before.is_older and not yes:
                raise StoreConflict("make a backup with pg_dump first, then say --yes")
            return before, await migrate_with_backup(database, now, backup)

    with told():
        settings = read_config(config)
        if not settings.database.address():
            settings.service.data_dir.mkdir(parents=True, exist_ok=True)
        before, copy = asyncio.run(run())
    if copy is not None:
        typer.echo(f"kept the old database as {copy}")
    if before.is_newest:
        typer.echo(f"the database is at step {before.taken}, the newest: nothing to do")
    else:
        typer.echo(f"migrated the database to step {before.newest}")


def copy(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FROM", help="Database URL, or a configuration file that names one."
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="TO", help="Database URL or configuration file of an empty database."
        ),
    ],
) -> None:
    """Copy everything from one database into another, empty one. Stop the service first."""

    async def run() -> dict[str, int]:
        async with opening.alone_in(here) as reading, opening.alone_in(there) as writing:
            return await copy_database(reading, writing)

    with told():
        here, there = _config_of(source), _config_of(target)
        if here.database_url() == there.database_url():
            report_failure("FROM and TO are the same database")
            raise typer.Exit(EXIT_REFUSED)
        counts = asyncio.run(run())
    for name, rows in sorted(counts.items()):
        if rows:
            typer.echo(f"{rows:>9,} {name}")
    typer.echo(f"{sum(counts.values()):>9,} rows copied and compared")


def _config_of(named: str) -> Config:
    """The configuration named, or one for this database alone."""
    if "://" not in named:
        return load_config(Path(named))
    url = DatabaseSection(url=named)
    file = opening.database_of(Config.model_construct(database=url)).file
    return Config.model_construct(
        database=url,
        service=ServiceSection(data_dir=file.parent) if file is not None else ServiceSection(),
    )
