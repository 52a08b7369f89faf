"""`pbem gm`: who may run games by mail."""

import json
from typing import Annotated

import typer

from pbem.cli.common import by_operator, read_config, run_at_desk
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.desk.gm.masters import invite_master, list_game_masters, revoke_master


def invite(
    address: Annotated[str, typer.Argument(help="Mail address from which they will write.")],
    name: Annotated[str, typer.Option(help="Their name in the games.")] = "",
    table: Annotated[
        str, typer.Option(help="Only this game, by its short name; default: every game.")
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Let a person run games by mail, and send them a code; repeat it to send a new one."""
    with told():
        is_new = run_at_desk(
            read_config(config),
            lambda services: invite_master(
                services, address, by_operator(), name=name, slug=table or None
            ),
        )
    which = table or "every game"
    typer.echo(
        f"{address} may run {which}; a mail with the code is on its way"
        if is_new
        else f"{address} may run {which}; a mail with a new code is on its way"
    )


def list_them(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the game masters."""
    with told():
        lines = run_at_desk(read_config(config), list_game_masters)
    for line in lines:
        if as_json:
            facts = {
                "address": line.address,
                "name": line.name,
                "configured": line.is_configured,
                "tables": line.tables,
                "bounced": line.has_bounced,
            }
            typer.echo(json.dumps(facts, ensure_ascii=False))
        else:
            which = "every game" if line.tables is None else ", ".join(line.tables)
            marks = (
                f"{' (configuration)' if line.is_configured else ''}"
                f"{' (bounced)' if line.has_bounced else ''}"
            )
            typer.echo(f"{line.address:32} {line.name or '(no name yet)':20} {which}{marks}")
    if not lines and not as_json:
        typer.echo("there is no game master; pbem gm invite ADDRESS adds one")


def revoke(
    address: Annotated[str, typer.Argument(help="Address of the game master.")],
    config: ConfigOption = None,
) -> None:
    """Revoke a game master's codes, so that they can no longer run games."""
    with told():
        done = run_at_desk(
            read_config(config), lambda services: revoke_master(services, address, by_operator())
        )
    if done == "revoked":
        typer.echo(f"{address} can no longer run games")
    else:
        typer.echo(
            f"{address} is in the configuration: its old codes no longer work, and the next mails"
            " bring a new one"
        )
