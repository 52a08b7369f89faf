"""Options and arguments that several commands have."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

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
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Log more.")]
SettingOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", help="Set a game option, like version=grand; may be repeated."),
]
GameArgument = Annotated[str, typer.Argument(help="Short name of the game, like heron.")]
PlayerArgument = Annotated[
    str, typer.Argument(help="Name of the player in the game, or number of the seat.")
]
ReasonOption = Annotated[str, typer.Option(help="Reason; everybody in the game reads it.")]


Given = TypeVar("Given")


def taking(value: type[Given]) -> Callable[[Callable[[Given], None]], Callable[..., None]]:
    """Make a command of a function: its arguments and options are the fields of this dataclass,
    which it gets as one value.
    """

    def command_of(run: Callable[[Given], None]) -> Callable[..., None]:
        def command(**given: object) -> None:
            run(value(**given))

        hints = get_type_hints(value, include_extras=True)
        parameters = [
            Parameter(
                one.name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if one.default is MISSING else one.default,
                annotation=hints[one.name],
            )
            for one in fields(value)  # type: ignore[arg-type]
        ]
        command.__doc__, command.__name__ = run.__doc__, run.__name__
        command.__annotations__ = hints
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command

    return command_of


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
