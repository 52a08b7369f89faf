"""`pbem games`: the games that are installed, which of them run, and whether one of them is as the
guide asks (`check`).
"""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from engine.ruleset import format_numbers
from pbem.cli.common import find_config
from pbem.cli.exits import (
    EXIT_CONFLICT,
    EXIT_FAILED,
    EXIT_NOT_FOUND,
    EXIT_USAGE,
    report_failure,
)
from pbem.cli.failing import told
from pbem.cli.options import JsonOption
from pbem.config import load_config
from pbem.findings import Grade, format_finding, worst_of
from pbem.logs import set_up_logs
from pbem.registry import Listed, format_fault, list_games


def show_games(config: Path | None, *, everything: bool, as_json: bool) -> None:
    """List the games of a configuration, or `everything` that is installed."""
    with told():
        file: Path | None = find_config(config)
        enabled = () if everything else load_config(file).games.enabled
        listed = list_games(enabled, tried=True)
    rows = [_row(one) for one in listed]
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(rows) + b"\n")
        return
    widths = [max((len(str(row[key])) for row in rows), default=0) for key in _COLUMNS]
    for row in rows:
        cells = [str(row[key]).ljust(width) for key, width in zip(_COLUMNS, widths, strict=True)]
        typer.echo("  ".join((*cells, str(row["fault"]))).rstrip())


_COLUMNS = ("id", "title", "players", "version", "contract", "distribution")


def _row(one: Listed) -> dict[str, str]:
    row = {
        "id": one.id,
        "title": "",
        "players": "",
        "version": one.version,
        "contract": "",
        "distribution": one.distribution,
        "fault": "",
    }
    if one.game is None:
        return row | {"fault": format_fault(one)}
    return row | {
        "title": one.game.title,
        "players": format_numbers(*one.game.ruleset.players),
        "contract": f"{one.game.contract_version}",
    }


_END = {
    Grade.OK: "Everything is well.",
    Grade.WARNING: "It can be played; read the warnings above.",
    Grade.BROKEN: "It is not ready to be played. Fix what is broken, from the top.",
}


def check(
    game: Annotated[str, typer.Argument(help="Id of the game, as `pbem games` lists it.")],
    fast: Annotated[bool, typer.Option("--fast", help="Try less of everything: a minute.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check a game as its guide asks: words, book, sentences, rules, secrets, letters and boards.

    Without --fast its scripted players also play a whole game by mail and chat, which is replayed.
    Exit status 1 if anything is broken.
    """
    listed = {one.id: one for one in list_games(tried=True)}
    if game not in listed:
        report_failure(f"no game {game!r} is installed; `pbem games` lists those that are")
        raise typer.Exit(EXIT_NOT_FOUND)
    checked = listed[game].game
    if checked is None:
        report_failure(f"{game}: {format_fault(listed[game])}")
        raise typer.Exit(EXIT_FAILED)
    from pbem.conformance.examination import FAST, WHOLE, check_game

    set_up_logs(json_lines=not sys.stderr.isatty(), quiet=True)
    findings = []
    for finding in check_game(checked, FAST if fast else WHOLE):
        findings.append(finding)
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(finding) + b"\n")
            continue
        typer.echo(format_finding(finding))
    worst = worst_of(findings)
    if not as_json:
        typer.echo(_END[worst])
    if worst is Grade.BROKEN:
        raise typer.Exit(EXIT_FAILED)


def new(
    name: Annotated[str, typer.Argument(help="Id of the game: small letters, digits, hyphens.")],
    out: Annotated[Path, typer.Option(help="Folder to write it into.", file_okay=False)] = Path(),
) -> None:
    """Write a new game that plays, a number to guess, to begin a game of your own from.

    Install it with `pip install -e`, and check it with `pbem games check`.
    """
    from pbem.conformance.beginning import write_game

    try:
        folder = write_game(name, out)
    except ValueError as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_USAGE) from error
    except FileExistsError as error:
        report_failure(f"{out / name} exists already")
        raise typer.Exit(EXIT_CONFLICT) from error
    typer.echo(f"{folder} is written. Install and check it:")
    typer.echo(f"  pip install -e {folder}")
    typer.echo(f"  pbem games check {name} --fast")
