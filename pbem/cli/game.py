"""`pbem game`: what a game master does with a table. Each command is logged with who typed it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar
from zoneinfo import ZoneInfo

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from pbem import house
from pbem.cli.common import ConfigOption, JsonOption, by_operator, parse_moment, read_config
from pbem.cli.failing import EXIT_REFUSED, EXIT_USAGE, report_failure, told
from pbem.config import Config
from pbem.desk import gm
from pbem.desk.ports import Parts
from pbem.desk.status import list_tables, read_status

app = typer.Typer(help="Tables: open one, invite players, start, look, extend, close.", no_args_is_help=True)

GameArgument = Annotated[str, typer.Argument(help="The game's short name, like heron.")]
T = TypeVar("T")


def _run(config: Config, work: Callable[[Parts], Awaitable[T]]) -> T:
    async def run() -> T:
        async with house.open_desk(config) as parts:
            return await work(parts)

    return asyncio.run(run())


def _parse_settings(pairs: list[str]) -> dict[str, Any]:
    """`key=value` pairs; numbers and true/false are read as such."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, mark, value = pair.partition("=")
        if not mark or not key:
            raise typer.BadParameter(f"{pair!r} is not of the form key=value")
        options[key] = int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)
    return options


@app.command("new")
def new(
    slug: Annotated[str, typer.Argument(help="A short name for commands and addresses, like heron.")],
    title: Annotated[str, typer.Option(help="The table's name in mails; default: the short name with a capital.")] = "",
    ruleset: Annotated[str, typer.Option(help="Which game.")] = "protectors",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="A table option, like version=grand; several may be given.")
    ] = None,
    hours: Annotated[list[str] | None, typer.Option(help="A window of another length, like orders=48; several may be given.")] = None,
    zone: Annotated[str, typer.Option(help="The table's time zone; default: the service's.")] = "",
    own_map: Annotated[Path | None, typer.Option("--map", help="A map file of your own; see docs/maps.md.")] = None,
    gm_name: Annotated[str, typer.Option(help="The game master's name in mails.")] = "",
    config: ConfigOption = None,
) -> None:
    """Open a table."""
    with told():
        settings = read_config(config)
        try:
            windows = {kind: float(length) for kind, length in _parse_settings(hours or []).items()}
            ZoneInfo(zone or settings.service.zone)
        except (ValueError, KeyError, OSError) as error:
            report_failure(f"--hours wants a number of hours and --zone a name like Europe/Berlin: {error}")
            raise typer.Exit(EXIT_USAGE) from error
        try:
            map_text = own_map.read_text(encoding="utf-8") if own_map is not None else ""
        except (OSError, UnicodeDecodeError) as error:
            report_failure(f"{own_map} cannot be read: {error}")
            raise typer.Exit(EXIT_USAGE) from error
        options = _parse_settings(option or [])
        table_zone = zone or settings.service.zone
        table = gm.NewTable(slug, title or slug.capitalize(), ruleset, options, table_zone, gm_name, windows, map_text)
        _run(settings, lambda parts: gm.open_table(parts, table, by_operator()))
    typer.echo(f"{table.title} is open. Next: pbem game invite {slug} NAME ADDRESS")


@app.command("invite")
def invite(
    slug: GameArgument,
    people: Annotated[list[str], typer.Argument(help="NAME ADDRESS, as many pairs as you like.", metavar="NAME ADDRESS...")],
    colour: Annotated[str, typer.Option(help="The player's colour; default: the next free one.")] = "",
    zone: Annotated[str, typer.Option(help="The player's time zone; default: the table's.")] = "",
    config: ConfigOption = None,
) -> None:
    """Give people a seat and write them."""
    if len(people) % 2:
        report_failure("names and addresses come in pairs: NAME ADDRESS NAME ADDRESS ...")
        raise typer.Exit(EXIT_USAGE)
    with told():
        settings = read_config(config)
        for name, address in zip(people[::2], people[1::2], strict=True):

            async def one(parts: Parts, name: str = name, address: str = address) -> int:
                return await gm.invite(parts, slug, name, address, by_operator(), colour=colour or None, zone=zone or None)

            number = _run(settings, one)
            typer.echo(f"{name} <{address}> has seat {number}")


@app.command("start")
def start(
    slug: GameArgument,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="Change a table option first, like provinces=8.")] = None,
    config: ConfigOption = None,
) -> None:
    """Deal the game and ask the first question."""
    with told():
        if option:
            options = _parse_settings(option)
            _run(read_config(config), lambda parts: gm.change_options(parts, slug, options, by_operator()))
        players = _run(read_config(config), lambda parts: gm.start(parts, slug, by_operator()))
    typer.echo(f"{slug} has begun with {players} players")


@app.command("list")
def list_games(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List all tables."""
    with told():
        rows = _run(read_config(config), list_tables)
    for row in rows:
        if as_json:
            typer.echo(
                json.dumps({"game": row.slug, "title": row.title, "ruleset": row.ruleset, "status": row.status, "phase": row.phase_number})
            )
        else:
            typer.echo(f"{row.slug:20} {row.status:8} phase {row.phase_number:<4} {row.ruleset}  {row.title}")
    if not rows and not as_json:
        typer.echo("no table is open; pbem game new NAME opens one")


@app.command("status")
def status(slug: GameArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """One screen about a table: who has answered, the deadline, what bounced, what waits for you."""
    with told():
        settings = read_config(config)
        facts = _run(settings, lambda parts: read_status(parts, slug))
    if as_json:
        typer.echo(msgspec.json.encode(facts).decode())
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{facts.title} ({facts.slug}, {facts.ruleset}): {facts.status}", markup=False)
    if facts.deadline is not None:
        local = facts.deadline.astimezone(ZoneInfo(settings.service.zone))
        held = " - held: the mailbox cannot be read" if facts.held_since else ""
        console.print(f"Turn {facts.turn}, phase {facts.phase_number} ({facts.phase}), until {local:%a %d %b %H:%M %Z}{held}", markup=False)
    table = Table(box=None, pad_edge=False)
    for heading in ("", "player", "colour", "address", "has", "answered"):
        table.add_column(heading)
    for seat in facts.seats:
        gone = seat.status != "active"
        answered = seat.status if gone else "final" if seat.final else {True: "yes", False: "no", None: "not asked"}[seat.answered]
        reach = seat.address if seat.address_state == "confirmed" else f"{seat.address} ({seat.address_state})"
        table.add_row(str(seat.number), seat.name, seat.colour, reach, f"{seat.versions} messages", answered)
    console.print(table)
    console.print(
        f"Letters: {', '.join(f'{count} {state}' for state, count in facts.letters.items())}. Shunted messages: {facts.shunted}. "
        f"Notes waiting: {facts.notes_waiting}.", markup=False,
    )  # fmt: skip
    if facts.attempts:
        console.print(
            f"The close failed {facts.attempts} times; `pbem game close {facts.slug} {facts.phase_number}` tries again.", markup=False
        )


@app.command("extend")
def extend(
    slug: GameArgument,
    until: Annotated[str, typer.Argument(help="2026-11-23T18:00 in the service's zone, or +36h, +2d from now.")],
    shorten: Annotated[bool, typer.Option("--shorten", help="Allow an earlier deadline than the one now.")] = False,
    config: ConfigOption = None,
) -> None:
    """Move the open deadline and announce it."""
    with told():
        settings = read_config(config)
        try:
            deadline = parse_moment(until, settings.service.zone, datetime.now(UTC))
        except ValueError as error:
            report_failure(f"{until!r} is no time; write 2026-11-23T18:00 or +36h")
            raise typer.Exit(EXIT_USAGE) from error
        _run(settings, lambda parts: gm.extend(parts, slug, deadline, by_operator(), shorten=shorten))
    typer.echo(f"{slug}: the deadline is {deadline.astimezone(ZoneInfo(settings.service.zone)):%a %d %b %Y %H:%M %Z}")


@app.command("close")
def close(
    slug: GameArgument,
    phase: Annotated[int, typer.Argument(help="The phase's number, from `pbem game status`: another one is not closed.")],
    config: ConfigOption = None,
) -> None:
    """Close a phase now, whoever is missing."""
    with told():
        done = _run(read_config(config), lambda parts: gm.close_now(parts, slug, phase, by_operator()))
    if not done:
        report_failure(f"phase {phase} of {slug} is not the open one; nothing was closed")
        raise typer.Exit(EXIT_REFUSED)
    typer.echo(f"{slug}: phase {phase} closes within seconds, if the service runs")
