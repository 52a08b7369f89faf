"""`pbem game`: what a game master does with a game. Each command is logged with its typist."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from pbem.cli.common import by_operator, read_config, run_at_desk
from pbem.cli.exits import EXIT_USAGE, report_failure
from pbem.cli.failing import at_desk, told
from pbem.cli.options import ConfigOption, GameArgument, SettingOption, parse_settings, taking
from pbem.desk import gm
from pbem.desk.gm.table_rules import set_clock
from pbem.desk.ports import Services
from pbem.desk.press.words import set_press
from pbem.desk.table import SUPPOSITIONS
from pbem.desk.upkeep.status import read_status
from pbem.grammar.gm.commands import Unread
from pbem.grammar.gm.rules import CLOCK, PEOPLE, PRESS, Clauses
from pbem.grammar.gm.times import parse_zone
from pbem.grammar.gm.values import Lexicon, Questions
from pbem.grammar.languages import ENGLISH, LanguageRefused, parse_language
from pbem.grammar.people_rules import OF_NEW_TABLES, changed_rules
from pbem.grammar.press_rules import ALL_PRESS, apply_change
from pbem.registry import default_game, load_games

V = TypeVar("V")


def _parse_players(text: str) -> tuple[int, int]:
    """`5-9`, `7`, or nothing."""
    found = re.fullmatch(r"([1-9]\d{0,2})(?:-(\d{1,3}))?", text.strip())
    if not text:
        return 0, 0
    if found is None:
        raise typer.BadParameter(f"{text!r} is no number of players; write 5-9 or 7")
    return int(found[1]), int(found[2] or found[1])


def parse_zone_option(text: str) -> str:
    """The IANA name of a zone or of its city, as in a mail; "" stays so."""
    try:
        return parse_zone(text) if text else ""
    except Unread as error:
        near = f"; perhaps {' or '.join(error.nearest)}" if error.nearest else ""
        said = "names no one time zone" if error.kind == "ambiguous" else "is no time zone"
        report_failure(f"--zone: {text!r} {said}{near or '; write a name like Europe/Berlin'}")
        raise typer.Exit(EXIT_USAGE) from error


def parse_language_option(text: str) -> str:
    """The code of a language. Ends with a usage error for any other text."""
    found = parse_language(text)
    if isinstance(found, LanguageRefused):
        near = (
            f"; perhaps {' or '.join(found.suggestions)}"
            if found.suggestions
            else "; write a name like German"
        )
        report_failure(f"--language: {text!r} is not a language whose dates we know{near}")
        raise typer.Exit(EXIT_USAGE)
    return "en" if found == ENGLISH else found


@dataclass(frozen=True, slots=True)
class Opening:
    """What the line says of a new game."""

    slug: Annotated[str, typer.Argument(help="Short name for commands and addresses, like heron.")]
    title: Annotated[
        str, typer.Option(help="Name in mails; default: the short name with a capital.")
    ] = ""
    ruleset: Annotated[
        str, typer.Option(help="Kind of game; default: the first that `pbem games` lists.")
    ] = ""
    option: SettingOption = None
    hours: Annotated[
        list[str] | None,
        typer.Option(help="Set the length of a phase, like orders=48; may be repeated."),
    ] = None
    zone: Annotated[str, typer.Option(help="Time zone of the game; default: the service's.")] = ""
    own_map: Annotated[
        Path | None,
        typer.Option("--map", help="Map file of your own, for a game that takes one."),
    ] = None
    gm_name: Annotated[str, typer.Option(help="Name of the game master in mails.")] = ""
    players: Annotated[
        str, typer.Option(help="Number of players, like 5-9 or 7; default: what the game takes.")
    ] = ""
    vote: Annotated[
        list[str] | None,
        typer.Option(help="Let the players vote on a question, like version; may be repeated."),
    ] = None
    starts: Annotated[
        str,
        typer.Option(
            "--start",
            help="Start: gm (the game master starts it) or full (when all seats are taken).",
        ),
    ] = "gm"
    expires: Annotated[
        int | None, typer.Option(help="Days until a game that has not begun is given up.")
    ] = None
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Let a game master who plays here look at secrets.")
    ] = False
    suppositions: Annotated[
        int,
        typer.Option(help="How often a player may ask `what if` in a phase; 0: never."),
    ] = SUPPOSITIONS
    press: Annotated[
        str,
        typer.Option(help="Set which press is allowed, like 'public only, none during dragon'."),
    ] = "all"
    clock: Annotated[
        str,
        typer.Option(help="Set when deadlines are, like 'clock 18:00, days -MTWTF-, quiet 22-7'."),
    ] = ""
    language: Annotated[
        str,
        typer.Option(help="Language of dates, like German or de, for players who choose none."),
    ] = "English"
    people: Annotated[
        str,
        typer.Option(help="Set the rules about people, like 'nmr 2 then gm, observers off'."),
    ] = ""
    config: ConfigOption = None


@taking(Opening)
def new(asked: Opening) -> None:
    """Open a game for players to join."""
    with told():
        settings = read_config(asked.config)
        try:
            windows = {
                kind: float(length) for kind, length in parse_settings(asked.hours or []).items()
            }
        except ValueError as error:
            report_failure(f"--hours needs a number of hours, like orders=48: {error}")
            raise typer.Exit(EXIT_USAGE) from error
        zone = parse_zone_option(asked.zone)
        try:
            map_text = (
                asked.own_map.read_text(encoding="utf-8") if asked.own_map is not None else ""
            )
        except (OSError, UnicodeDecodeError) as error:
            report_failure(f"cannot read {asked.own_map}: {error}")
            raise typer.Exit(EXIT_USAGE) from error
        least, most = _parse_players(asked.players)
        if asked.starts not in ("gm", "full"):
            report_failure(f"--start takes gm or full, not {asked.starts!r}")
            raise typer.Exit(EXIT_USAGE)
        ruleset = asked.ruleset or default_game(load_games(settings.games.enabled)).ruleset.id
        table = gm.NewTable(
            asked.slug,
            asked.title or asked.slug.capitalize(),
            ruleset,
            parse_settings(asked.option or []),
            zone or settings.service.zone,
            asked.gm_name,
            windows,
            map_text,
            least_players=least,
            most_players=most,
            votes=tuple(asked.vote or ()),
            starts="full" if asked.starts == "full" else "gm",
            clock=parse_rules(CLOCK, asked.clock) if asked.clock else None,
            open_days=asked.expires,
            secrets=asked.secrets,
            suppositions=asked.suppositions,
            press=apply_change(ALL_PRESS, parse_rules(PRESS, asked.press)),
            language=parse_language_option(asked.language),
            people=changed_rules(
                OF_NEW_TABLES, parse_rules(PEOPLE, asked.people) if asked.people else {}
            ),
        )
        code = run_at_desk(settings, _open, table)
    typer.echo(
        f"{table.title} is open. Players join by writing `join {code}` to"
        f" {settings.service.address}."
    )
    typer.echo(f"Or keep a seat: pbem game invite {asked.slug} NAME ADDRESS")


async def _open(services: Services, table: gm.NewTable) -> str | None:
    """The code by which people join."""
    await gm.open_table(services, table, by_operator())
    return (await read_status(services, table.slug)).join_code


def parse_rules(rules: Clauses[V], text: str, services: Services | None = None) -> V:
    """What is said about a table's time, press or people. Ends with a usage error that names what
    cannot be read.
    """
    games = services.games.values() if services is not None else ()
    windows = tuple(window for game in games for window in game.ruleset.windows)
    try:
        return rules.parse(text, Lexicon({"": Questions({}, windows)}))
    except Unread as error:
        about = {"clock-clause": "time", "press-clause": "press"}.get(error.what, "people")
        report_failure(
            f"{error.written!r} is not a rule about {about}; write these, with commas between:"
            f" {', '.join(rules.hears)}"
        )
        raise typer.Exit(EXIT_USAGE) from error


def clock(
    slug: GameArgument,
    rules: Annotated[
        str,
        typer.Argument(
            help=("What to change, like 'clock 18:00, days -MTWTF-, quiet 22-7, orders 48h'.")
        ),
    ],
    config: ConfigOption = None,
) -> None:
    """Set when a game's deadlines are and what moves them, from the next phase on. Everybody is
    told.
    """

    async def change(services: Services) -> str:
        return await set_clock(services, slug, parse_rules(CLOCK, rules, services), by_operator())

    said = at_desk(config, change)
    typer.echo(f"deadlines at {slug}: {said}")


def press_rules(
    slug: GameArgument,
    rules: Annotated[
        str,
        typer.Argument(help="What to change, like 'public only, grey, none during dragon'."),
    ],
    config: ConfigOption = None,
) -> None:
    """Set which press a game allows. Everybody is told."""
    said = at_desk(config, set_press, slug, parse_rules(PRESS, rules), by_operator())
    typer.echo(f"press at {slug}: {said}")


def invite(
    slug: GameArgument,
    people: Annotated[
        list[str],
        typer.Argument(
            help="Pairs of NAME ADDRESS, as many as you like.", metavar="NAME ADDRESS..."
        ),
    ],
    colour: Annotated[
        str, typer.Option(help="Colour of the player; default: the next free one.")
    ] = "",
    zone: Annotated[str, typer.Option(help="Time zone of the player; default: the game's.")] = "",
    config: ConfigOption = None,
) -> None:
    """Keep seats for players and write to them."""
    if len(people) % 2:
        report_failure("write names and addresses in pairs: NAME ADDRESS NAME ADDRESS ...")
        raise typer.Exit(EXIT_USAGE)
    zone = parse_zone_option(zone)
    with told():
        settings = read_config(config)
        wanted = {"colour": colour or None, "zone": zone or None}
        for name, address in zip(people[::2], people[1::2], strict=True):
            number = run_at_desk(settings, gm.invite, slug, name, address, by_operator(), **wanted)
            typer.echo(f"{name} <{address}> has seat {number}")


def team(
    slug: GameArgument,
    player: Annotated[str, typer.Argument(help="Name of the player in the game.")],
    name: Annotated[
        str,
        typer.Argument(metavar="TEAM", help="Name of the team; none leaves it open, - keeps it."),
    ] = "-",
    place: Annotated[
        int | None, typer.Option(min=0, help="Place within the team, from 1; 0 leaves it open.")
    ] = None,
    faction: Annotated[
        str | None, typer.Option(help="Faction of the player; none leaves it open.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Give a player a team, a place in it, or a faction, before the start."""
    wanted = None if name == "-" else "" if name == "none" else name
    by = by_operator()
    at_desk(config, gm.seat_in_team, slug, player, by, team=wanted, place=place, faction=faction)
    typer.echo(f"{slug}: {player} has that seat now")


def start(
    slug: GameArgument,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="Change a game option first, like provinces=8."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Deal the game and ask the first question."""
    if option:
        at_desk(config, gm.change_options, slug, parse_settings(option), by_operator())
    players = at_desk(config, gm.start, slug, by_operator())
    typer.echo(f"{slug} has begun with {players} players")
