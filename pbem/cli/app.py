"""The tree of commands. Each is imported when it is called (`pbem.cli.lazy`)."""

from typing import Annotated

import typer

from pbem.cli.lazy import lazy_group
from pbem.cli.options import ConfigOption, JsonOption
from pbem.cli.places import load_places

app = typer.Typer(
    name="pbem",
    cls=lazy_group(load_places()),
    help="Run a post office for board games: orders in plain words, by e-mail and Telegram.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _add(name: str, about: str, *, is_command: bool = False) -> typer.Typer:
    """A group of commands; one that `is_command` too does something without any of them."""
    group = typer.Typer(
        cls=lazy_group(load_places(name)),
        help=about,
        no_args_is_help=not is_command,
        invoke_without_command=is_command,
    )
    app.add_typer(group, name=name)
    return group


_add("game", "Open a game, invite players, start it, and run it to its end.")
_add("gm", "Choose who may run games by mail.")
_add("people", "Give a person a copy of all that is kept of them.")
_add("mail", "Inspect a raw mail, list the messages in quarantine, requeue one.")
_add("db", "Show the version of the database, migrate it, or copy it to another kind.")
_games = _add("games", "List the installed games, check one, or write a new one.", is_command=True)


@_games.callback()
def games(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Also list games that the configuration leaves out.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List the installed games: id, title, players, version, contract version and package.

    A game that cannot run stands in the list with the reason.
    """
    if context.invoked_subcommand is None:
        from pbem.cli.games import show_games

        show_games(config, everything=everything, as_json=as_json)


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(False, "--version", help="Print the version.", is_eager=True),
) -> None:
    """Only --version."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"pbem {installed('pbem')}")
        raise typer.Exit
