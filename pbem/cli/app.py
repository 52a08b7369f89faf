"""The tree of commands. Each is imported when it is called (`pbem.cli.lazy`)."""

import typer

from pbem.cli.lazy import lazy_group
from pbem.cli.places import DATABASE, GAME, HOUSE, MAIL, MASTERS, Places

app = typer.Typer(
    name="pbem",
    cls=lazy_group(HOUSE),
    help="A post office for board games: orders by e-mail in plain words.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _add(name: str, places: Places, about: str) -> None:
    group = typer.Typer(cls=lazy_group(places), help=about, no_args_is_help=True)
    app.add_typer(group, name=name)


_add("game", GAME, "Tables: open one, invite players, start, and everything while it runs.")
_add("gm", MASTERS, "Game masters: who may run tables by mail.")
_add("mail", MAIL, "Raw mails: inspect one, list the shunted, requeue one.")
_add("db", DATABASE, "The database itself: its version, its migration, its move to another kind.")


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", is_eager=True
    ),
) -> None:
    """Nothing of its own but --version."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"pbem {installed('pbem')}")
        raise typer.Exit
