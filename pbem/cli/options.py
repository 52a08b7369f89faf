"""Options and arguments that several commands have."""

from pathlib import Path
from typing import Annotated, Any

import typer

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        envvar="PBEM_CONFIG",
        help="The configuration file; without it pbem.toml here, if there is one.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking back.")]
NoInputOption = Annotated[
    bool, typer.Option("--no-input", help="Never ask back; without --yes nothing is done.")
]
GameArgument = Annotated[str, typer.Argument(help="The game's short name, like heron.")]


def parse_settings(pairs: list[str]) -> dict[str, Any]:
    """`key=value` pairs; numbers and true/false are read as such."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, mark, value = pair.partition("=")
        if not mark or not key:
            raise typer.BadParameter(f"{pair!r} is not of the form key=value")
        options[key] = (
            int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)
        )
    return options
