"""`pbem rules`: the rules guides as a page of the web."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.exits import EXIT_REFUSED, EXIT_USAGE, report_failure
from pbem.pages.kit.rules_page import render_rules
from pbem.registry import load_games


def rules(
    path: Annotated[
        Path, typer.Argument(help="File to write; - is the standard output.", metavar="[FILE]")
    ] = Path("rules.html"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write the short rules of all games as one web page, with an anchor for every rule.

    Put it where your players can read it, and set its address as rules_url in the configuration.
    Then every rule in a mail is a link.
    """
    page = render_rules([(game.title, game.book) for game in load_games().values()])
    if str(path) == "-":
        typer.echo(page, nl=False)
        return
    if path.is_dir():
        report_failure(f"{path} is a folder; name the file, like {path / 'rules.html'}")
        raise typer.Exit(EXIT_USAGE)
    if path.exists() and not force:
        report_failure(f"{path} already exists; --force overwrites it")
        raise typer.Exit(EXIT_REFUSED)
    path.write_text(page, encoding="utf-8")
    typer.echo(
        f"Wrote {path}. Put it on the web, and set its address in the configuration: [service]"
        " rules_url"
    )
