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
        help="Configuration file; default: pbem.toml in this folder.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do it without a question.")]
NoInputOption = Annotated[
    bool, typer.Option("--no-input", help="Never ask; refuse what needs --yes.")
]
GameArgument = Annotated[str, typer.Argument(help="Short name of the game, like heron.")]
PlayerArgument = Annotated[
    str, typer.Argument(help="Name of the player in the game, or number of the seat.")
]
ReasonOption = Annotated[str, typer.Option(help="Reason; everybody in the game reads it.")]


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
