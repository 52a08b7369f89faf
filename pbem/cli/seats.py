"""`pbem game ...` about the players: the rules about people, a substitute, defaults, an empty seat,
out of the game.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, TypeVar

import typer

from pbem.cli.common import ask_back, by_operator, read_config
from pbem.cli.dates import parse_moment
from pbem.cli.exits import EXIT_USAGE, report_failure
from pbem.cli.failing import at_desk, told
from pbem.cli.game import parse_rules
from pbem.cli.options import (
    ConfigOption,
    GameArgument,
    NoInputOption,
    PlayerArgument,
    YesOption,
    taking,
)
from pbem.desk.gm import seats as use_cases
from pbem.desk.gm import table_rules
from pbem.desk.ports import Services
from pbem.grammar.gm.commands import Span, Unread
from pbem.grammar.gm.rules import PEOPLE
from pbem.grammar.gm.times import instant_of
from pbem.grammar.people import parse_since, parse_until

T = TypeVar("T")


def people(
    slug: GameArgument,
    rules: Annotated[
        str,
        typer.Argument(help="What to change, like 'nmr 2 then substitute, observers off'."),
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Set a game's rules about people, and tell everybody; without RULES, show them."""
    if not rules:

        async def read(services: Services) -> str:
            async with services.read() as tx:
                return await table_rules.read_rules(tx, slug)

        typer.echo(at_desk(config, read))
        return
    changes = parse_rules(PEOPLE, rules)
    said = at_desk(config, table_rules.set_people, slug, changes, by_operator())
    typer.echo(f"people in {slug}: {said}")


@dataclass(frozen=True, slots=True)
class Substituting:
    """What the line says of a substitute."""

    slug: GameArgument
    player: PlayerArgument
    who: Annotated[
        list[str],
        typer.Argument(
            help="Name (optional) and address of the substitute.", metavar="[NAME] ADDRESS"
        ),
    ]
    until: Annotated[
        str,
        typer.Option(help="When the seat goes back: a day, a day with an hour, or +10d from now."),
    ]
    since: Annotated[
        str, typer.Option("--from", help="When the substitute begins; default: with their yes.")
    ] = ""
    yes: YesOption = False
    no_input: NoInputOption = False
    config: ConfigOption = None


@taking(Substituting)
def substitute(asked: Substituting) -> None:
    """Ask a person to play for a player until a day. With their yes the seat is theirs until
    then.
    """
    *names, address = asked.who
    with told():
        settings = read_config(asked.config)
        now, zone = datetime.now(UTC), settings.service.zone
        begin = _moment(asked.since, zone, now, is_end=False) if asked.since else None
        end = _moment(asked.until, zone, begin or now, is_end=True)
    ask_back(
        f"We ask {address} to play for {asked.player} in {asked.slug} until"
        f" {end:%Y-%m-%d %H:%M} UTC.",
        yes=asked.yes,
        no_input=asked.no_input,
    )
    wanted = use_cases.Wanted(address, end, " ".join(names), begin)
    by = by_operator()
    seat = at_desk(asked.config, use_cases.substitute, asked.slug, asked.player, wanted, by)
    typer.echo(f"{asked.slug}: we ask {address} to play for {seat}")


def _moment(text: str, zone: str, now: datetime, *, is_end: bool) -> datetime:
    """A day, a day with an hour, or a length from now. Ends with a usage error for other text."""
    try:
        said = parse_until(text) if is_end else parse_since(text, "")
    except Unread:
        try:
            return parse_moment(text, zone, now)
        except ValueError as error:
            report_failure(f"{text!r} is not a time; write 2026-11-23, 2026-11-23 18:00, or +10d")
            raise typer.Exit(EXIT_USAGE) from error
    if isinstance(said, Span):
        return parse_moment(f"+{said.minutes}m", zone, now)
    return instant_of(said, now, zone)
