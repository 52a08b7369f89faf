"""`pbem game ...` for a running game: its clock, its people, its past. The same words as in a game
master's mail.

What nobody can undo needs `--yes`, or a yes typed at a terminal.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from pbem.cli.commands import command
from pbem.cli.common import ask_back, by_operator, read_config, run_at_desk
from pbem.cli.dates import parse_deadline
from pbem.cli.exits import EXIT_REFUSED, EXIT_USAGE, report_failure
from pbem.cli.failing import at_desk, told
from pbem.cli.game import parse_zone_option
from pbem.cli.options import (
    ConfigOption,
    GameArgument,
    JsonOption,
    NoInputOption,
    PlayerArgument,
    YesOption,
    parse_settings,
)
from pbem.desk import gm
from pbem.desk.gm.rulings import foresee_at
from pbem.desk.gm.seats import offer_seat
from pbem.desk.upkeep.status import read_status
from pbem.grammar.gm import commands as c

TimeArgument = Annotated[
    list[str],
    typer.Argument(
        help="by 24h, to 2026-11-23 18:00 (in the service's zone), or +36h from now.",
        metavar="TIME...",
    ),
]


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
        now_open = run_at_desk(settings, read_status, slug).deadline
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
        run_at_desk(settings, gm.extend, slug, deadline, by_operator(), shorten=earlier)
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
    if not at_desk(config, gm.close_now, slug, phase, by_operator()):
        report_failure(f"phase {phase} of {slug} is not open; nothing was closed")
        raise typer.Exit(EXIT_REFUSED)
    typer.echo(f"{slug}: the service will close phase {phase} within seconds, if it runs")


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
    settled = at_desk(config, gm.change_options, slug, parse_settings(pairs), by_operator())
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
    name, by = " ".join(names), by_operator()
    at_desk(config, offer_seat, slug, player, name, address, by, zone=zone or None)
    typer.echo(f"{slug}: we ask {address}, who has the seat of {player} from their yes on")


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
        foreseen = run_at_desk(settings, foresee_at, slug, words)
    change = f"{foreseen.correction.text}. {' '.join(foreseen.told)}"
    ask_back(f"{slug}: {change} We tell everybody, with the reason.", yes=yes, no_input=no_input)
    at_desk(config, gm.correct, slug, foreseen.correction.text, reason, by_operator())
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
    at_desk(config, gm.rule, slug, " ".join(what), by_operator())
    typer.echo(f"{slug}: ruled")


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
    texts = at_desk(config, gm.look, slug, player, by_operator())
    if as_json:
        typer.echo(json.dumps(list(texts), ensure_ascii=False))
        return
    for text in texts:
        typer.echo(text)
    if not texts:
        typer.echo(f"{player} has sent no orders")


NOTE = "Number of the note, from `pbem game notes`."

pause = command(c.Pause, "{slug} is paused; pbem game resume {slug} ends the pause")
resume = command(c.Resume, "{slug} continues; the deadline is {local:%a %d %b %Y %H:%M %Z}")
unlock = command(
    c.Unlock,
    "{slug}: {player} may change their orders again",
    asks="This lets {player} change final orders in {slug}.",
)
strike = command(
    c.Strike,
    "{slug}: {player} has a strike",
    asks="This gives {player} a strike in {slug}, and the Dragon takes the seat at once.",
    reason="What they did; everybody in the game reads it.",
)
pardon = command(
    c.Pardon,
    lambda said: (
        "{slug}: took back the strike of {player}; over all games {answer} {remain}".format(
            **said, remain="remains" if said["answer"] == 1 else "remain"
        )
    ),
    reason="Why you take it back; everybody in the game reads it.",
)
announce = command(c.Announce, "sent to everybody in {slug}", text="Text, in quotes.")
answer = command(c.Answer, "answered note {note}", note=NOTE, text="Answer, in quotes.")
dismiss = command(c.Dismiss, "closed note {note}", note=NOTE)
roll_back = command(
    c.RollBack,
    "{slug} is back at the beginning of phase {phase}, which is now phase {answer}",
    asks="This returns {slug} to the beginning of phase {phase} and undoes everything since.",
    phase="Number of the phase to return to, as it opened.",
    reshuffle="Shuffle again the cards that nobody has seen.",
)
end = command(
    c.End,
    "ended {slug}",
    asks=(
        "This ends {slug} for good. If it has begun, we publish its seed, and nobody can continue"
        " it."
    ),
)
grant = command(
    c.Grant,
    "the deadline of {slug} is now {answer:%Y-%m-%d %H:%M} UTC; everybody is told",
    request="Number of the request.",
)
refuse = command(
    c.Refuse,
    "the deadline of {slug} stays; the player who asked is told",
    request="Number of the request.",
)
defaults = command(
    c.Defaults,
    lambda said: (
        f"{said['slug']}: {'everybody waits for' if said['off'] else 'defaults play for'}"
        f" {said['answer']}; everybody is told"
    ),
    off="Wait for the player again.",
)
eject = command(
    c.Eject,
    "{slug}: emptied the seat of {player}, or returned it to its player",
    asks="{player} loses the seat in {slug}.",
)
remove = command(
    c.Remove,
    "{slug}: {player} is out of the game",
    asks="{player} leaves the game {slug} for good.",
)
