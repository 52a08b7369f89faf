"""`pbem gm`: who may run tables by mail."""

import json
from typing import Annotated

import typer

from pbem.cli.common import by_operator, read_config, run_at_desk
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.desk.gm.masters import invite_master, list_game_masters, revoke_master


def invite(
    address: Annotated[str, typer.Argument(help="The mail address from which they will write.")],
    name: Annotated[str, typer.Option(help="How they are called at the tables.")] = "",
    table: Annotated[
        str, typer.Option(help="Only this table, by its short name; else every one.")
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
    which = table or "every table"
    typer.echo(
        f"{address} runs {which}; the code is on its way"
        if is_new
        else f"{address} runs {which}; a new code is on its way"
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
            which = "every table" if line.tables is None else ", ".join(line.tables)
            marks = (
                f"{' (configuration)' if line.is_configured else ''}"
                f"{' (bounced)' if line.has_bounced else ''}"
            )
            typer.echo(f"{line.address:32} {line.name or '(no name yet)':20} {which}{marks}")
    if not lines and not as_json:
        typer.echo("nobody runs tables by mail; pbem gm invite ADDRESS lets somebody")


def revoke(
    address: Annotated[str, typer.Argument(help="The game master's address.")],
    config: ConfigOption = None,
) -> None:
    """Revoke a game master's codes, so that they can no longer run games."""
    with told():
        done = run_at_desk(
            read_config(config), lambda services: revoke_master(services, address, by_operator())
        )
    if done == "revoked":
        typer.echo(f"{address} runs no tables any more")
    else:
        typer.echo(
            f"{address} stands in the configuration: its old codes are worthless, the next letters"
            " bring a new one"
        )
