"""`pbem gm`: who may run games by mail."""

from typing import Annotated

import typer

from pbem.cli.common import by_operator
from pbem.cli.failing import at_desk, show_rows
from pbem.cli.options import ConfigOption, JsonOption
from pbem.desk.gm.masters import MasterLine, invite_master, list_game_masters, revoke_master


def invite(
    address: Annotated[str, typer.Argument(help="Mail address from which they will write.")],
    name: Annotated[str, typer.Option(help="Their name in the games.")] = "",
    table: Annotated[
        str, typer.Option(help="Only this game, by its short name; default: every game.")
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Let a person run games by mail, and send them a code; repeat it to send a new one."""
    only = table or None
    is_new = at_desk(config, invite_master, address, by_operator(), name=name, slug=only)
    code = "the code" if is_new else "a new code"
    typer.echo(f"{address} may run {only or 'every game'}; a mail with {code} is on its way")


def list_them(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the game masters."""
    show_rows(
        at_desk(config, list_game_masters),
        lambda one: {
            "address": one.address,
            "name": one.name,
            "configured": one.is_configured,
            "tables": one.tables,
            "bounced": one.has_bounced,
        },
        _line_of,
        as_json=as_json,
        none="there is no game master; pbem gm invite ADDRESS adds one",
    )


def _line_of(one: MasterLine) -> str:
    which = "every game" if one.tables is None else ", ".join(one.tables)
    configured = " (configuration)" if one.is_configured else ""
    bounced = " (bounced)" if one.has_bounced else ""
    return f"{one.address:32} {one.name or '(no name yet)':20} {which}{configured}{bounced}"


def revoke(
    address: Annotated[str, typer.Argument(help="Address of the game master.")],
    config: ConfigOption = None,
) -> None:
    """Revoke a game master's codes, so that they can no longer run games."""
    done = at_desk(config, revoke_master, address, by_operator())
    if done == "revoked":
        typer.echo(f"{address} can no longer run games")
    else:
        typer.echo(
            f"{address} is in the configuration: its old codes no longer work, and the next mails"
            " bring a new one"
        )
