"""The tree of commands. Each is imported when it is called (`pbem.cli.lazy`)."""

import typer

from pbem.cli.lazy import lazy_group
from pbem.cli.places import load_places

app = typer.Typer(
    name="pbem",
    cls=lazy_group(load_places()),
    help="Run a post office for board games: orders in plain words, by e-mail and Telegram.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _add(name: str, about: str) -> None:
    group = typer.Typer(cls=lazy_group(load_places(name)), help=about, no_args_is_help=True)
    app.add_typer(group, name=name)


_add("game", "Open a game, invite players, start it, and run it to its end.")
_add("gm", "Choose who may run games by mail.")
_add("mail", "Inspect a raw mail, list the messages in quarantine, requeue one.")
_add("db", "Show the version of the database, migrate it, or copy it to another kind.")


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(False, "--version", help="Print the version.", is_eager=True),
) -> None:
    """Only --version."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"pbem {installed('pbem')}")
        raise typer.Exit
