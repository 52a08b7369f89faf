"""`pbem rules`: the rules guides as a page of the web."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.exits import EXIT_USAGE, refuse_to_overwrite, report_failure
from pbem.cli.options import ForceOption
from pbem.pages.kit.rules_page import render_rules
from pbem.registry import load_games


def rules(
    path: Annotated[
        Path, typer.Argument(help="File to write; - is the standard output.", metavar="[FILE]")
    ] = Path("rules.html"),
    force: ForceOption = False,
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
    refuse_to_overwrite(path, force=force)
    path.write_text(page, encoding="utf-8")
    typer.echo(
        f"Wrote {path}. Put it on the web, and set its address in the configuration: [service]"
        " rules_url"
    )
