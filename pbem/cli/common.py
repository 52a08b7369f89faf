"""What several commands share: where the configuration is, how times are read and written."""

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, TypeVar
from zoneinfo import ZoneInfo

import typer

from pbem import house
from pbem.cli.failing import EXIT_REFUSED, report_failure
from pbem.config import Config, ConfigError, is_set_by, load_config
from pbem.desk.gm import By
from pbem.desk.ports import Services
from pbem.grammar.gm.commands import Unread
from pbem.grammar.gm.times import instant_of, parse_span, parse_wall_time

DEFAULT_CONFIG = Path("pbem.toml")

T = TypeVar("T")

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        envvar="PBEM_CONFIG",
        help="The configuration file; without it pbem.toml here, if there is one.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking back.")]
NoInputOption = Annotated[
    bool, typer.Option("--no-input", help="Never ask back; without --yes nothing is done.")
]


def find_config(path: Path | None) -> Path | None:
    """The file named, or the one lying here; None when there is none."""
    return DEFAULT_CONFIG if path is None and DEFAULT_CONFIG.exists() else path


def read_config(path: Path | None) -> Config:
    """The configuration named, or the one lying here, or that of the environment. ConfigError if it
    cannot be used, or there is none: defaults alone would be another post office, which nobody
    serves.
    """
    file = find_config(path)
    if file is None and not is_set_by(os.environ):
        raise ConfigError(
            f"there is no {DEFAULT_CONFIG} in {Path.cwd()}; name a file with --config or"
            " PBEM_CONFIG, or set PBEM_SERVICE__ADDRESS and so on; `pbem init` writes a file to"
            " begin with"
        )
    return load_config(file)


def run_at_desk(config: Config, work: Callable[[Services], Awaitable[T]]) -> T:
    """Do one thing at a desk beside the service."""

    async def run() -> T:
        async with house.open_desk(config) as services:
            return await work(services)

    return asyncio.run(run())


def ask_back(what: str, *, yes: bool, no_input: bool) -> None:
    """Go on only with `--yes`, or with a typed yes at a terminal. typer.Exit otherwise."""
    if yes:
        return
    if no_input or not sys.stdin.isatty():
        report_failure(f"{what} Say --yes if it shall be done.")
        raise typer.Exit(EXIT_REFUSED)
    if (
        typer.prompt(f"{what} Type yes to do it", default="no", show_default=False)
        .strip()
        .casefold()
        != "yes"
    ):
        report_failure("nothing was done")
        raise typer.Exit(EXIT_REFUSED)


def by_operator() -> By:
    """Who types, for the log."""
    return By(os.environ.get("SUDO_USER") or os.environ.get("USER") or "operator")


def parse_moment(text: str, zone: str, now: datetime) -> datetime:
    """`2026-11-23 18:00` in the table's zone, or `+36h`, `+2d`, `+30m` from now. ValueError if it
    is neither.
    """
    stripped = text.strip()
    if stripped.startswith("+") and stripped[1:-1].isdigit() and stripped[-1] in "mhd":
        unit = {"m": "minutes", "h": "hours", "d": "days"}[stripped[-1]]
        try:
            return now + timedelta(**{unit: int(stripped[1:-1])})
        except OverflowError as error:
            raise ValueError(f"{stripped} is beyond all time") from error
    moment = datetime.fromisoformat(stripped)
    return (
        moment if moment.tzinfo is not None else moment.replace(tzinfo=ZoneInfo(zone))
    ).astimezone(UTC)


def parse_deadline(
    words: list[str], deadline: datetime | None, zone: str, now: datetime, *, earlier: bool = False
) -> datetime:
    """`by 24h` after (or before) the deadline now; `to 2026-11-23 18:00` or `to Monday 23 November,
    18:00`; `+36h` from now.

    ValueError, saying what, if it is none of them.
    """
    text = " ".join(words).strip()
    said = re.sub(r"^(?:to|until|till) ", "", text)
    try:
        if text.startswith("by "):
            span = parse_span(text.removeprefix("by "))
            if span is None or deadline is None:
                raise ValueError(f"{text!r} is no length of time, or there is no deadline")
            return (
                deadline - timedelta(minutes=span.minutes)
                if earlier
                else deadline + timedelta(minutes=span.minutes)
            )
        return instant_of(parse_wall_time(said), now, zone)
    except Unread:
        return parse_moment(said, zone, now)
