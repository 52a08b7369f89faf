"""`pbem game ...` for a running game: its clock, its people, its past. The same words as in a game
master's mail.

What nobody can undo needs `--yes`, or a yes typed at a terminal.
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
    str, typer.Argument(help="Name of the player in the game, or number of the seat.")
]
TimeArgument = Annotated[
    list[str],
    typer.Argument(
        help="by 24h, to 2026-11-23 18:00 (in the service's zone), or +36h from now.",
        metavar="TIME...",
    ),
]
ReasonOption = Annotated[str, typer.Option(help="Reason; everybody in the game reads it.")]


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
        f"This moves the deadline of {slug} earlier and tells everybody.",
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
                f"{' '.join(until)!r} is not a time; write by 24h, to 2026-11-23 18:00, or +36h"
            )
            raise typer.Exit(EXIT_USAGE) from error
        if earlier and deadline >= now_open:
            report_failure(
                f"that is not earlier than the present deadline; `pbem game extend {slug}` moves it"
                " later"
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
        typer.Argument(help="Number of the open phase, from `pbem game status`."),
    ],
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Close a phase now, even if orders are missing."""
    ask_back(
        f"This closes phase {phase} of {slug} now, even if orders are missing.",
        yes=yes,
        no_input=no_input,
    )
    done = _do(config, lambda services: gm.close_now(services, slug, phase, by_operator()))
    if not done:
        report_failure(f"phase {phase} of {slug} is not open; nothing was closed")
        raise typer.Exit(EXIT_REFUSED)
    typer.echo(f"{slug}: the service will close phase {phase} within seconds, if it runs")


def pause(slug: GameArgument, reason: ReasonOption = "", config: ConfigOption = None) -> None:
    """Stop a game's clock; players may still send orders."""
    _do(config, lambda services: gm.pause(services, slug, by_operator(), reason))
    typer.echo(f"{slug} is paused; pbem game resume {slug} ends the pause")


def resume(slug: GameArgument, config: ConfigOption = None) -> None:
    """Start the clock again; the deadline moves by the length of the pause."""
    with told():
        settings = read_config(config)
        deadline = run_at_desk(settings, lambda services: gm.resume(services, slug, by_operator()))
    typer.echo(
        f"{slug} continues; the deadline is"
        f" {deadline.astimezone(ZoneInfo(settings.service.zone)):%a %d %b %Y %H:%M %Z}"
    )


def option(
    slug: GameArgument,
    pairs: Annotated[
        list[str],
        typer.Argument(
            help="NAME=VALUE, like version=grand; may be repeated.", metavar="NAME=VALUE..."
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
        typer.echo(f"the vote on {' and '.join(settled)} is off")


def replace(
    slug: GameArgument,
    player: PlayerArgument,
    newcomer: Annotated[
        list[str],
        typer.Argument(
            help="Name (optional) and address of the new player.", metavar="[NAME] ADDRESS"
        ),
    ],
    zone: Annotated[
        str, typer.Option(help="Time zone of the new player; default: the game's.")
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
        f"We ask {address} to take the seat of {player} in {slug}. With their yes {player} loses"
        " it.",
        yes=yes,
        no_input=no_input,
    )
    _do(
        config,
        lambda services: offer_seat(
            services, slug, player, " ".join(names), address, by_operator(), zone=zone or None
        ),
    )
    typer.echo(f"{slug}: we ask {address}, who has the seat of {player} from their yes on")


def unlock(
    slug: GameArgument,
    player: PlayerArgument,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Let a player change final orders. Everybody is told."""
    ask_back(f"This lets {player} change final orders in {slug}.", yes=yes, no_input=no_input)
    _do(config, lambda services: gm.unlock(services, slug, player, by_operator()))
    typer.echo(f"{slug}: {player} may change their orders again")


def strike(
    slug: GameArgument,
    player: PlayerArgument,
    reason: Annotated[str, typer.Argument(help="What they did; everybody in the game reads it.")],
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Give a player a strike for showing secret orders; the Dragon takes the seat at once."""
    ask_back(
        f"This gives {player} a strike in {slug}, and the Dragon takes the seat at once.",
        yes=yes,
        no_input=no_input,
    )
    _do(config, lambda services: gm.strike(services, slug, player, reason, by_operator()))
    typer.echo(f"{slug}: {player} has a strike")


def correct(
    slug: GameArgument,
    what: Annotated[
        list[str],
        typer.Argument(help="What should be, like P3 units 5 or Anna money 75.", metavar="WHAT..."),
    ],
    reason: Annotated[
        str,
        typer.Option(help="Reason; everybody reads it, and it stays in the record of the game."),
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
    ask_back(f"{slug}: {change} We tell everybody, with the reason.", yes=yes, no_input=no_input)
    _do(
        config,
        lambda services: gm.correct(
            services, slug, foreseen.correction.text, reason, by_operator()
        ),
    )
    typer.echo(f"corrected {slug}: {change}")


def rule(
    slug: GameArgument,
    what: Annotated[
        list[str],
        typer.Argument(help="Answer, like approve steel or deny 2.", metavar="ANSWER..."),
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
        str, typer.Argument(help="Why you take it back; everybody in the game reads it.")
    ],
    config: ConfigOption = None,
) -> None:
    """Take back the newest strike of a player in this game; the game stays as it is."""
    left = _do(config, lambda services: gm.pardon(services, slug, player, reason, by_operator()))
    typer.echo(
        f"{slug}: took back the strike of {player}; over all games {left}"
        f" {'remains' if left == 1 else 'remain'}"
    )


def announce(
    slug: GameArgument,
    text: Annotated[str, typer.Argument(help="Text, in quotes.")],
    config: ConfigOption = None,
) -> None:
    """Send a text to everybody in a game."""
    _do(config, lambda services: gm.announce(services, slug, text, by_operator()))
    typer.echo(f"sent to everybody in {slug}")


def answer(
    note: Annotated[int, typer.Argument(help="Number of the note, from `pbem game notes`.")],
    text: Annotated[str, typer.Argument(help="Answer, in quotes.")],
    config: ConfigOption = None,
) -> None:
    """Answer a player's note; only that player reads it."""
    _do(config, lambda services: gm.answer_note(services, note, text, by_operator()))
    typer.echo(f"answered note {note}")


def dismiss(
    note: Annotated[int, typer.Argument(help="Number of the note, from `pbem game notes`.")],
    config: ConfigOption = None,
) -> None:
    """Close a player's note without an answer, for example when its writer has left."""
    _do(config, lambda services: dismiss_note(services, note, by_operator()))
    typer.echo(f"closed note {note}")


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
        f"You will see the orders of {player} in {slug}. We log it and tell everybody there.",
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
        typer.echo(f"{player} has sent no orders")


def roll_back(
    slug: GameArgument,
    phase: Annotated[int, typer.Argument(help="Number of the phase to return to, as it opened.")],
    reshuffle: Annotated[
        bool, typer.Option("--reshuffle", help="Shuffle again the cards that nobody has seen.")
    ] = False,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Undo everything since a phase opened, and open it again."""
    ask_back(
        f"This returns {slug} to the beginning of phase {phase} and undoes everything since.",
        yes=yes,
        no_input=no_input,
    )
    number = _do(
        config,
        lambda services: gm.roll_back(services, slug, phase, by_operator(), reshuffle=reshuffle),
    )
    typer.echo(f"{slug} is back at the beginning of phase {phase}, which is now phase {number}")


def end(
    slug: GameArgument,
    reason: ReasonOption = "",
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Break a game off for good and publish its seed, or give up a game that has not begun."""
    ask_back(
        f"This ends {slug} for good. If it has begun, we publish its seed, and nobody can"
        " continue it.",
        yes=yes,
        no_input=no_input,
    )
    _do(config, lambda services: gm.end(services, slug, by_operator(), reason))
    typer.echo(f"ended {slug}")
