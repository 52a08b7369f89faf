"""`pbem verify` and `pbem game record`: a game replayed, from the store or from a file that anyone
may hold.
"""

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from engine.chance import Draw
from pbem.cli.exits import EXIT_FAILED, EXIT_USAGE, refuse_to_overwrite, report_failure
from pbem.cli.failing import at_desk
from pbem.cli.options import ConfigOption, ForceOption, GameArgument
from pbem.desk.upkeep.record_words import read_record
from pbem.desk.upkeep.records import verify_game
from pbem.record.compare import Comparison, compare
from pbem.record.difference import format_difference, printable
from pbem.record.record import MOST_OCTETS, Record, RecordError, format_record, parse_record
from pbem.record.replay import Rules
from pbem.registry import load_games

_WIDTH = 110


def record(
    slug: GameArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File to write; - is the standard output. Default: NAME-record.json here."
        ),
    ] = None,
    force: ForceOption = False,
    config: ConfigOption = None,
) -> None:
    """Write the record of a finished game: a file from which anyone can replay it."""
    path = out or Path(f"{slug}-record.json")
    to_stdout = str(path) == "-"
    refuse_to_overwrite(path, force=force or to_stdout)
    found = at_desk(config, read_record, slug)
    if to_stdout:
        typer.echo(format_record(found).decode(), nl=False)
        return
    try:
        path.write_bytes(format_record(found))
    except OSError as error:
        report_failure(f"cannot write {path}: {error.strerror}")
        raise typer.Exit(EXIT_USAGE) from error
    typer.echo(
        f"Wrote {path}. Anyone with this file can check the game: pbem verify {path.name}\n"
        f"Fingerprint {found.fingerprint}"
    )


def verify(
    what: Annotated[
        str,
        typer.Argument(
            help="Record file, or short name of a game of this service.",
            metavar="FILE|GAME",
        ),
    ],
    commitment: Annotated[
        str, typer.Option(help="SHA-256 from your welcome mail, to compare.", metavar="HEX")
    ] = "",
    fingerprint: Annotated[
        str,
        typer.Option(help="Fingerprint from the last mail, to compare.", metavar="HEX"),
    ] = "",
    draws: Annotated[
        bool,
        typer.Option("--draws", help="List every draw: its number, phase, label and result."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Replay a game from its seed and orders, compare everything, and name each difference.

    FILE is the record that came with the game's last mail; you need only this file. GAME is
    compared byte for byte with what this service has stored.
    """
    path = Path(what)
    if path.is_file():
        _verify_file(path, commitment, fingerprint, draws=draws)
    elif path.suffix or "/" in what:
        report_failure(f"there is no file {what}")
        raise typer.Exit(EXIT_USAGE)
    else:
        _verify_game(what, commitment, fingerprint, config, draws=draws)


def _verify_game(
    slug: str, commitment: str, fingerprint: str, config: Path | None, *, draws: bool
) -> None:
    differences = at_desk(config, verify_game, slug)
    if draws or commitment or fingerprint:
        found = at_desk(config, read_record, slug)
        if draws:
            _list_draws(found)
        differences += list(_wrong_numbers(found, commitment, fingerprint))
    for line in differences:
        typer.echo(line)
    if differences:
        raise typer.Exit(EXIT_FAILED)
    typer.echo(f"{slug}: every state and event follows from the seed and the orders")


def _verify_file(path: Path, commitment: str, fingerprint: str, *, draws: bool) -> None:
    found = _read_file(path)
    games = load_games()
    game = games.get(found.ruleset)
    if game is None:
        report_failure(
            f"{path} is a record of {found.ruleset!r}; this program plays {', '.join(games)}"
        )
        raise typer.Exit(EXIT_FAILED)
    phases = "phase" if len(found.phases) == 1 else "phases"
    typer.echo(
        f"{path}: {printable(found.title)}, {found.ruleset} by rules version"
        f" {printable(found.ruleset_version)}, {len(found.players)} players, {len(found.phases)}"
        f" {phases},"
        f" {'broken off' if found.phases[-1].ended == 'broken off' else 'played to its end'}"
    )
    comparison = compare(found, Rules(game.ruleset, game.read_canonical))
    if draws:
        _list_draws(found)
    wrong = list(_wrong_numbers(found, commitment, fingerprint))
    for line in (*_told_of(comparison, found), *wrong):
        typer.echo(line)
    for name, value, given, where in (
        (
            "Commitment",
            found.commitment,
            commitment,
            "in your welcome mail; --commitment HEX compares them",
        ),
        (
            "Fingerprint",
            found.fingerprint,
            fingerprint,
            "in the game's last mail; --fingerprint HEX compares them",
        ),
    ):
        typer.echo(
            f"{name:12} {value}\n{'':12}"
            f" {'compared with what you gave' if given else f'must be the same as {where}'}"
        )
    if comparison.differences or wrong:
        raise typer.Exit(EXIT_FAILED)


def _read_file(path: Path) -> Record:
    try:
        with path.open("rb") as file:
            return parse_record(file.read(MOST_OCTETS + 1))
    except OSError as error:
        report_failure(f"cannot read {path}: {error.strerror}")
        raise typer.Exit(EXIT_USAGE) from error
    except RecordError as error:
        report_failure(f"cannot check {path}: {error}")
        raise typer.Exit(EXIT_USAGE) from error


def _told_of(comparison: Comparison, found: Record) -> Iterator[str]:
    """What the comparison found, a line each."""
    if not comparison.is_same_version:
        yield (
            f"The game was played by rules version {found.ruleset_version}; this program plays"
            f" version {comparison.ruleset_version}. It compares draws and events, but cannot"
            " compare states."
        )
    if comparison.is_as_played:
        what = (
            "Every draw, state and event" if comparison.is_same_version else "Every draw and event"
        )
        yield f"{what} matches the record."
        return
    yield from map(format_difference, comparison.differences)
    if comparison.departed is not None:
        place = f"Phase {comparison.departed}" if comparison.departed else "The start"
        more = f"; because of it {_phases(comparison.after)} too" if comparison.after else ""
        yield f"{place} is the first that differs in the replay{more}."
        if not comparison.is_same_version:
            yield (
                "That may be the rules' own change: only a program with rules version"
                f" {found.ruleset_version} can tell for certain."
            )
    else:
        yield "Everything else matches the record."


def _phases(numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return f"phase {numbers[0]}"
    together = numbers == tuple(range(numbers[0], numbers[-1] + 1))
    return (
        f"phases {numbers[0]} to {numbers[-1]}"
        if together
        else f"phases {', '.join(map(str, numbers))}"
    )


def _wrong_numbers(found: Record, commitment: str, fingerprint: str) -> Iterator[str]:
    for name, given, value in (
        ("commitment", commitment, found.commitment),
        ("fingerprint", fingerprint, found.fingerprint),
    ):
        if given and "".join(given.split()).lower() != value:
            yield f"the {name} differs from yours: the record has {value}"


def _list_draws(found: Record) -> None:
    """Every draw of the record."""
    typer.echo(f"{'draw':>5}  {'phase':>5}  {'label and kind':34}  result")
    for phase, draw in [(0, draw) for draw in found.start.draws] + [
        (one.number, draw) for one in found.phases for draw in one.draws
    ]:
        result = printable(
            ", ".join(draw.result) if isinstance(draw.result, tuple) else str(draw.result)
        )
        label = textwrap.wrap(printable(f"{draw.label} ({_kind_of(draw)})"), 34) or [""]
        lines = textwrap.wrap(result, _WIDTH - 50) or [""]
        for index in range(max(len(label), len(lines))):
            numbers = (
                (str(draw.place), str(phase) if phase else "start") if index == 0 else ("", "")
            )
            left = label[index] if index < len(label) else ""
            right = lines[index] if index < len(lines) else ""
            typer.echo(f"{numbers[0]:>5}  {numbers[1]:>5}  {left:34}  {right}".rstrip())


def _kind_of(draw: Draw) -> str:
    if isinstance(draw.of, int):
        return f"a number from 1 to {draw.of}"
    if isinstance(draw.result, tuple):
        return f"shuffle of {len(draw.of)}"
    return "coin" if draw.of == ("heads", "tails") else f"one of {len(draw.of)}"
