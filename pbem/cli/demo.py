"""`pbem demo` and `pbem try`: a game over embedded servers, to watch and to join."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.ruleset import Ruleset
from pbem.cli.exits import EXIT_FAILED, EXIT_USAGE, report_failure
from pbem.cli.failing import told
from pbem.cli.options import SettingOption, parse_settings, taking
from pbem.game import Game
from pbem.logs import set_up_logs

_DEFAULT_SEED = 222


class VersionChoice(StrEnum):
    """The two boards of the rules."""

    NORMAL = "normal"
    GRAND = "grand"


class FactionsChoice(StrEnum):
    """How factions are handed out, if they are."""

    NONE = "none"
    CHOICE = "choice"
    CHANCE = "chance"


RulesetOption = Annotated[
    str, typer.Option(help="Game to play; default: the first that `pbem games` lists.")
]
SeedOption = Annotated[int, typer.Option(help="Seed; the same seed gives the same game.", min=0)]


@dataclass(frozen=True, slots=True)
class Showing:
    """The options of a game to show."""

    ruleset: RulesetOption = ""
    players: Annotated[
        int | None,
        typer.Option(
            help="Number of players; default: the usual number in that game.", min=2, max=16
        ),
    ] = None
    version: Annotated[
        VersionChoice, typer.Option(help="Board: normal has one province a player, grand has more.")
    ] = VersionChoice.NORMAL
    factions: Annotated[
        FactionsChoice, typer.Option(help="Factions: none, chosen with the first bid, or dealt.")
    ] = FactionsChoice.NONE
    island: Annotated[
        bool, typer.Option("--island", help="Play with the Island and its Wizard Sanctum.")
    ] = False
    teams: Annotated[
        int,
        typer.Option(help="Number of teams of equal size; 0: everybody plays alone.", min=0, max=8),
    ] = 0
    option: SettingOption = None
    seed: SeedOption = _DEFAULT_SEED
    turns: Annotated[
        int | None, typer.Option(help="Stop after this many turns, with the score so far.", min=1)
    ] = None
    out: Annotated[Path, typer.Option(help="Folder for the site.", file_okay=False)] = Path(
        "demo-out"
    )
    telegram: Annotated[
        bool, typer.Option(help="Let three of seven players use Telegram, or all use mail.")
    ] = True


@taking(Showing)
def demo(asked: Showing) -> None:
    """Watch scripted players play a whole game by e-mail and Telegram, over real SMTP, IMAP and Bot
    API servers within this process.

    Exit status 1 if a message could not be handled, if Telegram's limits were broken, or if the
    replay of the game's record differs.
    """
    from rich.console import Console

    options: dict[str, object] = parse_settings(asked.option or [])
    if asked.version is not VersionChoice.NORMAL:
        options.setdefault("version", asked.version.value)
    if asked.factions is not FactionsChoice.NONE:
        options["factions"] = asked.factions.value
    options |= {
        name: value for name, value in (("island", asked.island), ("teams", asked.teams)) if value
    }
    _needs_extra()
    from pbem.demo.performance import perform
    from pbem.demo.stage import Playbill, play_of

    game = _find_game(asked.ruleset)
    players = asked.players or play_of(game).usual_players
    _check_table(game.ruleset, options, players)
    set_up_logs(json_lines=not sys.stderr.isatty(), quiet=True)
    _tell_of_pictures()
    asked.out.mkdir(parents=True, exist_ok=True)  # better told now than after the game
    bill = Playbill(game.ruleset.id, options)
    with told(), _trouble():
        performance = asyncio.run(
            perform(
                Console(),
                players=players,
                played=bill,
                seed=asked.seed,
                turns=asked.turns,
                out=asked.out,
                telegram=asked.telegram,
            )
        )
    if not performance.went_well:
        counts = performance.counts
        trouble = (
            f"{counts.shunted} messages could not be handled"
            if counts.shunted
            else "the replay of the game differs from the game"
        )
        report_failure(
            f"the service broke Telegram's limits {counts.violations} times"
            if counts.violations
            else trouble
        )
        raise typer.Exit(EXIT_FAILED)


def _find_game(ruleset: str) -> Game:
    from pbem.registry import format_fault, list_games

    listed = list_games(tried=True)
    shown = {one.id: one.game for one in listed if one.game is not None and one.game.play}
    found = shown.get(ruleset) if ruleset else next(iter(shown.values()), None)
    if found is None:
        for one in listed:
            if one.fault is not None:
                report_failure(f"{one.id}: {format_fault(one)}")
        report_failure(
            f"there is no demonstration of {ruleset!r}; choose one of: {', '.join(shown)}"
        )
        raise typer.Exit(EXIT_USAGE)
    return found


def _check_table(rules: Ruleset[Any, Any], options: dict[str, object], players: int) -> None:
    """Better told now than when the table is opened: what is no option of this game, and how many
    cannot play it.
    """
    try:
        rules.check_options(options)
        rules.check_players(options, players)
    except ValueError as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_USAGE) from error


def try_seat(
    ruleset: RulesetOption = "",
    option: SettingOption = None,
    seed: SeedOption = _DEFAULT_SEED,
    out: Annotated[Path, typer.Option(help="Folder for the pictures.", file_okay=False)] = Path(
        "try-out"
    ),
) -> None:
    """Play one seat yourself in this terminal, against scripted players.

    You see the mail. Type your answer, and end it with an empty line. `send nothing` lets the
    deadline pass, and `quit` leaves.
    """
    from rich.console import Console

    options: dict[str, object] = {**parse_settings(option or [])}
    _needs_extra()
    from pbem.demo.seat import play_seat
    from pbem.demo.stage import Playbill, play_of

    game = _find_game(ruleset)
    _check_table(game.ruleset, options, play_of(game).usual_players)
    set_up_logs(json_lines=not sys.stderr.isatty(), quiet=True)
    _tell_of_pictures()
    with told(), _trouble():
        asyncio.run(
            play_seat(
                Console(), sys.stdin, played=Playbill(game.ruleset.id, options), seed=seed, out=out
            )
        )


def _tell_of_pictures() -> None:
    """A line says what to install where boards cannot be painted: the game has none then."""
    from pbem.doctor.machine import check_boards
    from pbem.findings import Grade

    found = asyncio.run(check_boards())
    if found.grade is Grade.BROKEN:
        report_failure(" -> ".join((f"no pictures: {found.words}", found.mend)))


@contextmanager
def _trouble() -> Iterator[None]:
    """A demonstration that cannot continue says why in a line."""
    from pbem.demo.mailboxes import PostageError
    from pbem.demo.pace import StalledError

    try:
        yield
    except (StalledError, PostageError) as error:
        report_failure(f"the demonstration cannot continue: {error}")
        raise typer.Exit(EXIT_FAILED) from error


def _needs_extra() -> None:
    """The embedded servers are an extra: import them only where they are installed."""
    if find_spec("aiosmtpd") is None or find_spec("pymap") is None:
        report_failure(
            "this needs the embedded mail servers: in the source of pbem, pip install '.[demo]'"
        )
        raise typer.Exit(EXIT_FAILED)
