"""`pbem game ...` for a table that runs: its clock, its people, its past. The same words as in a
game master's mail.

What cannot be taken back wants `--yes`, or a yes typed at a terminal.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from pbem.cli.common import ask_back, by_operator, read_config, run_at_desk
from pbem.cli.dates import parse_deadline
from pbem.cli.exits import EXIT_REFUSED, EXIT_USAGE, report_failure
from pbem.cli.failing import told
from pbem.cli.game import parse_zone_option
from pbem.cli.options import (
    ConfigOption,
    GameArgument,
    JsonOption,
    NoInputOption,
    YesOption,
    parse_settings,
)
from pbem.desk import gm
from pbem.desk.gm.correcting import foresee_at
from pbem.desk.gm.notes import dismiss_note
from pbem.desk.gm.seats import offer_seat
from pbem.desk.ports import Services
from pbem.desk.upkeep.status import read_status
from pbem.grammar.gm.commands import Unread
from pbem.pages.gm import GmPages, Result, Value

PlayerArgument = Annotated[
    str, typer.Argument(help="The player's name at the table, or the number of the seat.")
]
TimeArgument = Annotated[
    list[str],
    typer.Argument(
        help="by 24h, to 2026-11-23 18:00 (in the service's zone), or +36h from now.",
        metavar="TIME...",
    ),
]
ReasonOption = Annotated[str, typer.Option(help="Why; everybody at the table reads it.")]


def _do(config: Path | None, work: Callable[[Services], Awaitable[Any]]) -> Any:
    with told():
        return run_at_desk(read_config(config), work)


def extend(slug: GameArgument, until: TimeArgument, config: ConfigOption = None) -> None:
    """Move the open deadline later, and tell everybody."""
    _move(slug, until, config, earlier=False)


def shorten(
    slug: GameArgument,
    until: TimeArgument,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Move the open deadline earlier, and tell everybody."""
    ask_back(
        f"The deadline of {slug} is brought forward, and everybody is told.",
        yes=yes,
        no_input=no_input,
    )
    _move(slug, until, config, earlier=True)


def _move(slug: str, until: list[str], config: Path | None, *, earlier: bool) -> None:
    with told():
        settings = read_config(config)
        zone = settings.service.zone
        now_open = run_at_desk(settings, lambda services: read_status(services, slug)).deadline
        if now_open is None:
            raise gm.Refused("not-running", f"{slug} has no open phase")
        try:
            deadline = parse_deadline(until, now_open, zone, datetime.now(UTC), earlier=earlier)
        except ValueError as error:
            report_failure(
                f"{' '.join(until)!r} is no time; write by 24h, to 2026-11-23 18:00, or +36h"
            )
            raise typer.Exit(EXIT_USAGE) from error
        if earlier and deadline >= now_open:
            report_failure(
                f"that is no earlier than the deadline now; `pbem game extend {slug}` moves it to a"
                " later time"
            )
            raise typer.Exit(EXIT_REFUSED)
        run_at_desk(
            settings,
            lambda services: gm.extend(services, slug, deadline, by_operator(), shorten=earlier),
        )
    typer.echo(
        f"{slug}: the deadline is {deadline.astimezone(ZoneInfo(zone)):%a %d %b %Y %H:%M %Z}"
    )


def close(
    slug: GameArgument,
    phase: Annotated[
        int,
        typer.Argument(
            help="The phase's number, from `pbem game status`: another one is not closed."
        ),
    ],
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Close a phase now, even if orders are missing."""
    ask_back(f"Phase {phase} of {slug} closes now, whoever is missing.", yes=yes, no_input=no_input)
    done = _do(config, lambda services: gm.close_now(services, slug, phase, by_operator()))
    if not done:
        report_failure(f"phase {phase} of {slug} is not the open one; nothing was closed")
        raise typer.Exit(EXIT_REFUSED)
    typer.echo(f"{slug}: phase {phase} closes within seconds, if the service runs")


def pause(slug: GameArgument, reason: ReasonOption = "", config: ConfigOption = None) -> None:
    """Stop a game's clock; players may still send orders."""
    _do(config, lambda services: gm.pause(services, slug, by_operator(), reason))
    typer.echo(f"{slug} is paused; pbem game resume {slug} lets it go on")


def resume(slug: GameArgument, config: ConfigOption = None) -> None:
    """Start the clock again; the deadline moves by the length of the pause."""
    with told():
        settings = read_config(config)
        deadline = run_at_desk(settings, lambda services: gm.resume(services, slug, by_operator()))
    typer.echo(
        f"{slug} goes on; the deadline is"
        f" {deadline.astimezone(ZoneInfo(settings.service.zone)):%a %d %b %Y %H:%M %Z}"
    )


def option(
    slug: GameArgument,
    pairs: Annotated[
        list[str],
        typer.Argument(
            help="NAME=VALUE, like version=grand; several may be given.", metavar="NAME=VALUE..."
        ),
    ],
    config: ConfigOption = None,
) -> None:
    """Change an option of a game before it starts."""
    options = parse_settings(pairs)
    settled = _do(
        config, lambda services: gm.change_options(services, slug, options, by_operator())
    )
    typer.echo(f"{slug}: {', '.join(pairs)}")
    if settled:
        typer.echo(f"there is no vote on {' and '.join(settled)} any more")


def replace(
    slug: GameArgument,
    player: PlayerArgument,
    newcomer: Annotated[
        list[str],
        typer.Argument(
            help="The new player's name, if wanted, and address.", metavar="[NAME] ADDRESS"
        ),
    ],
    zone: Annotated[
        str, typer.Option(help="The new player's time zone; default: the table's.")
    ] = "",
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Ask a new player to take a seat for good. With their yes we drop the seat's orders, and old
    codes no longer work.
    """
    *names, address = newcomer
    zone = parse_zone_option(zone)
    ask_back(
        f"With the yes of {address}, {player} loses the seat at {slug} to them.",
        yes=yes,
        no_input=no_input,
    )
    _do(
        config,
        lambda services: offer_seat(
            services, slug, player, " ".join(names), address, by_operator(), zone=zone or None
        ),
    )
    typer.echo(f"{slug}: {address} is asked, and plays on for {player} from their yes on")


def unlock(
    slug: GameArgument,
    player: PlayerArgument,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Let a player change final orders. Everybody is told."""
    ask_back(
        f"The final orders of {player} at {slug} may be changed again.", yes=yes, no_input=no_input
    )
    _do(config, lambda services: gm.unlock(services, slug, player, by_operator()))
    typer.echo(f"{slug}: the orders of {player} are unlocked")


def strike(
    slug: GameArgument,
    player: PlayerArgument,
    reason: Annotated[str, typer.Argument(help="What was done; everybody at the table reads it.")],
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Give a player a strike for showing secret orders; the Dragon takes the seat at once."""
    ask_back(
        f"{player} gets a strike, and the Dragon takes the seat at {slug} at once.",
        yes=yes,
        no_input=no_input,
    )
    _do(config, lambda services: gm.strike(services, slug, player, reason, by_operator()))
    typer.echo(f"{slug}: {player} has a strike")


def correct(
    slug: GameArgument,
    what: Annotated[
        list[str],
        typer.Argument(help="What shall be, like P3 units 5 or Anna money 75.", metavar="WHAT..."),
    ],
    reason: Annotated[
        str,
        typer.Option(
            help="Why; everybody at the table reads it, and it stays in the record of the game."
        ),
    ],
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Correct units, an owner, a treasury, the Dragon, a card or an elimination. Everybody is
    told.
    """
    words = " ".join(what)
    with told():
        settings = read_config(config)
        try:
            foreseen = run_at_desk(settings, lambda services: foresee_at(services, slug, words))
        except Unread as error:
            facts: dict[str, Value] = {
                "what": error.what,
                "written": error.written,
                "nearest": error.nearest,
            }
            report_failure(GmPages().unread_text(Result(words, "unread", error.kind, facts)))
            raise typer.Exit(EXIT_USAGE) from error
    change = f"{foreseen.correction.text}. {' '.join(foreseen.told)}"
    ask_back(f"{slug}: {change} Everybody is told, with the reason.", yes=yes, no_input=no_input)
    _do(
        config,
        lambda services: gm.correct(
            services, slug, foreseen.correction.text, reason, by_operator()
        ),
    )
    typer.echo(f"{slug} is set right: {change}")


def rule(
    slug: GameArgument,
    what: Annotated[
        list[str],
        typer.Argument(help="The answer, like approve steel or deny 2.", metavar="ANSWER..."),
    ],
    config: ConfigOption = None,
) -> None:
    """Answer a game's question to its game master: a ruling, a proposal, an objection."""
    try:
        _do(config, lambda services: gm.rule(services, slug, " ".join(what), by_operator()))
    except Unread as error:
        facts: dict[str, Value] = {
            "what": error.what,
            "written": error.written,
            "nearest": error.nearest,
        }
        report_failure(GmPages().unread_text(Result(" ".join(what), "unread", error.kind, facts)))
        raise typer.Exit(EXIT_USAGE) from error
    typer.echo(f"{slug}: ruled")


def pardon(
    slug: GameArgument,
    player: PlayerArgument,
    reason: Annotated[
        str, typer.Argument(help="Why it is taken back; everybody at the table reads it.")
    ],
    config: ConfigOption = None,
) -> None:
    """Take back the newest strike of a player in this game; the game stays as it is."""
    left = _do(config, lambda services: gm.pardon(services, slug, player, reason, by_operator()))
    typer.echo(
        f"{slug}: the strike of {player} is taken back; over all games {left}"
        f" {'stands' if left == 1 else 'stand'} still"
    )


def announce(
    slug: GameArgument,
    text: Annotated[str, typer.Argument(help="The text, in quotes.")],
    config: ConfigOption = None,
) -> None:
    """Send a text to everybody in a game."""
    _do(config, lambda services: gm.announce(services, slug, text, by_operator()))
    typer.echo(f"announced to everybody at {slug}")


def answer(
    note: Annotated[int, typer.Argument(help="The note's number, from `pbem game notes`.")],
    text: Annotated[str, typer.Argument(help="The answer, in quotes.")],
    config: ConfigOption = None,
) -> None:
    """Answer a player's note; only that player reads it."""
    _do(config, lambda services: gm.answer_note(services, note, text, by_operator()))
    typer.echo(f"note {note} is answered")


def dismiss(
    note: Annotated[int, typer.Argument(help="The note's number, from `pbem game notes`.")],
    config: ConfigOption = None,
) -> None:
    """Close a player's note without an answer, for example when its writer has left."""
    _do(config, lambda services: dismiss_note(services, note, by_operator()))
    typer.echo(f"note {note} is laid aside")


def look(
    slug: GameArgument,
    player: PlayerArgument,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a player's orders. We log it and tell everybody in the game."""
    ask_back(
        f"You see the orders of {player} at {slug}; it is logged, and everybody there is told.",
        yes=yes,
        no_input=no_input,
    )
    texts = _do(config, lambda services: gm.look(services, slug, player, by_operator()))
    if as_json:
        typer.echo(json.dumps(list(texts), ensure_ascii=False))
        return
    for text in texts:
        typer.echo(text)
    if not texts:
        typer.echo(f"nothing stands for {player}")


def roll_back(
    slug: GameArgument,
    phase: Annotated[int, typer.Argument(help="The phase to play on from: as it opened.")],
    reshuffle: Annotated[
        bool, typer.Option("--reshuffle", help="Shuffle again what nobody has seen of the decks.")
    ] = False,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Undo everything since a phase opened, and open it again."""
    ask_back(
        f"{slug} goes back to the beginning of phase {phase}; everything since is undone.",
        yes=yes,
        no_input=no_input,
    )
    number = _do(
        config,
        lambda services: gm.roll_back(services, slug, phase, by_operator(), reshuffle=reshuffle),
    )
    typer.echo(f"{slug} is back where phase {phase} began; it is phase {number} now")


def end(
    slug: GameArgument,
    reason: ReasonOption = "",
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Break a game off for good and publish its seed, or give up a game that has not begun."""
    ask_back(
        f"{slug} ends for good, and if it has begun its seed is published; it cannot be taken up"
        " again.",
        yes=yes,
        no_input=no_input,
    )
    _do(config, lambda services: gm.end(services, slug, by_operator(), reason))
    typer.echo(f"{slug} is ended")
