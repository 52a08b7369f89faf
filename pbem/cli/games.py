"""`pbem games`: the games that are installed, and which of them run."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pbem.cli.common import find_config
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.config import load_config
from pbem.registry import Listed, format_fault, list_games


def games(
    everything: Annotated[
        bool, typer.Option("--all", help="Also list games that the configuration leaves out.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List the installed games: id, title, players, version, contract version and package.

    A game that cannot run stands in the list with the reason.
    """
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
    least, most = one.game.ruleset.players
    return row | {
        "title": one.game.title,
        "players": f"{least} to {most}",
        "contract": f"{one.game.contract_version}",
    }
