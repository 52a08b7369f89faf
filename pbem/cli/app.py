"""The tree of commands."""

import typer

from pbem.cli import (
    cases,
    db,
    demo,
    doctor,
    game,
    games,
    gm,
    mail,
    oauth,
    operations,
    people,
    rules,
    running,
    service,
    store,
    verify,
    why,
)

app = typer.Typer(
    name="pbem",
    help="A post office for board games: orders by e-mail in plain words.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
running.register(game.app)
game.app.command("record")(verify.record)
app.add_typer(game.app, name="game")
app.add_typer(gm.app, name="gm")
app.add_typer(mail.app, name="mail")
app.add_typer(db.app, name="db")
app.command("demo")(demo.demo)
app.command("try")(demo.try_seat)
app.command("init")(service.init)
app.command("serve")(service.serve)
app.command("worker")(service.worker)
app.command("backup")(store.backup)
app.command("restore")(store.restore)
app.command("accept-clock")(store.accept_clock)
app.command("doctor")(doctor.doctor)
app.command("oauth")(oauth.oauth)
app.command("health")(operations.health)
app.command("profile")(people.profile)
app.command("hall-of-fame")(people.hall_of_fame)
app.command("forget")(operations.forget)
app.command("export")(operations.export)
app.command("why")(why.why)
app.command("verify")(verify.verify)
app.command("adjudicate")(cases.adjudicate)
app.command("rules")(rules.rules)
app.command("games")(games.games)


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
