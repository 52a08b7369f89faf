"""What several commands share: where the configuration is, how times are read and written, how logs are set up."""

import logging
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import structlog
import typer

from pbem.config import Config, load_config
from pbem.desk.gm import By

DEFAULT_CONFIG = Path("pbem.toml")

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", envvar="PBEM_CONFIG", help="The configuration file; without it pbem.toml here, if there is one."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def read_config(path: Path | None) -> Config:
    """The configuration named, or the one lying here. ConfigError if it cannot be used."""
    if path is None and DEFAULT_CONFIG.exists():
        path = DEFAULT_CONFIG
    return load_config(path)


def by_operator() -> By:
    """Who types, for the log."""
    return By(os.environ.get("SUDO_USER") or os.environ.get("USER") or "operator")


def parse_moment(text: str, zone: str, now: datetime) -> datetime:
    """`2026-11-23 18:00` in the table's zone, or `+36h`, `+2d`, `+30m` from now. ValueError if it is neither."""
    stripped = text.strip()
    if stripped.startswith("+") and stripped[1:-1].isdigit() and stripped[-1] in "mhd":
        unit = {"m": "minutes", "h": "hours", "d": "days"}[stripped[-1]]
        try:
            return now + timedelta(**{unit: int(stripped[1:-1])})
        except OverflowError as error:
            raise ValueError(f"{stripped} is beyond all time") from error
    moment = datetime.fromisoformat(stripped)
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=ZoneInfo(zone))).astimezone(UTC)


def set_up_logs(*, json_lines: bool, verbose: bool = False, quiet: bool = False) -> None:
    """Logs go to stderr: readable lines on a terminal, JSON otherwise. They hold ids and codes, never bodies or tokens."""
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.INFO
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if json_lines
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty() and "NO_COLOR" not in os.environ)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
