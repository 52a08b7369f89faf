"""`pbem archive`: games as sites that work offline, and the index of the house."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer

from pbem.archive.house import INDEX
from pbem.archive.shelf import archive_games
from pbem.archive.site import Archived, write_posters
from pbem.cli.common import by_operator, read_config, run_at_desk
from pbem.cli.exits import EXIT_USAGE, report_failure
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.config import Config, folder_url, web_page
from pbem.desk.ports import Services


def archive(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="Short names of games, like heron; without any: all public games that have begun.",
            metavar="[GAME]...",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder of all archives; default: that of the configuration.",
            file_okay=False,
            metavar="DIR",
        ),
    ] = None,
    base_url: Annotated[
        str,
        typer.Option(
            help="Where that folder lies on the web; needed for feeds and shared links.",
            metavar="URL",
        ),
    ] = "",
    private: Annotated[
        bool,
        typer.Option("--private", help="Add everybody's mails; only for games that are over."),
    ] = False,
    poster: Annotated[
        bool,
        typer.Option(
            "--poster", help="Write only the posters of games that are over; default folder: here."
        ),
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Write the archive of each game as a site that works offline, and an index of all games.

    A running game shows only what is public. `--private` is logged, and everybody at the table is
    told. What an earlier archive left in the folder is brought up to date.
    """
    with told():
        settings = read_config(config)
        if poster:
            _write_posters(settings, games or (), out or Path(), as_json=as_json)
            return
        folder = out or settings.archive.folder
        if folder is None:
            _refuse("name a folder with --out DIR, or set archive.folder in the configuration")
        if private and not games:
            _refuse("--private needs the name of a game")
        url = _url(base_url) if base_url else settings.archive.url if out is None else ""

        async def write(services: Services) -> list[Archived]:
            return await archive_games(
                services, games or (), folder, by_operator(), base_url=url, private=private
            )

        written = run_at_desk(settings, write)
    index = folder / INDEX
    for lacking in {one.unpainted for one in written} - {""}:
        report_failure(f"pictures are missing from these pages: {lacking}")
    if as_json:
        rows = [
            {
                "index": str(one.index),
                "steps": one.steps,
                "letters": one.letters,
                "unpainted": one.unpainted,
            }
            for one in written
        ]
        typer.echo(msgspec.json.encode({"index": str(index), "games": rows}).decode())
        return
    for one in written:
        letters = f" and {one.letters} mails" if private else ""
        typer.echo(f"{one.steps} steps{letters}: {one.index}")
    typer.echo(f"All games: {index}")


def _write_posters(settings: Config, games: Sequence[str], folder: Path, *, as_json: bool) -> None:
    if not games:
        _refuse("--poster needs the name of a game")

    async def write(services: Services) -> list[Path]:
        return [path for slug in games for path in await write_posters(services, slug, folder)]

    written = [str(path) for path in run_at_desk(settings, write)]
    typer.echo(
        msgspec.json.encode({"posters": written}).decode() if as_json else "\n".join(written)
    )


def _url(given: str) -> str:
    try:
        return folder_url(web_page(given))
    except ValueError as error:
        _refuse(f"--base-url: {error}")


def _refuse(why: str) -> NoReturn:
    report_failure(why)
    raise typer.Exit(EXIT_USAGE)
