"""What several commands share: where the configuration is, how times are read and written."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import typer

from pbem import opening
from pbem.cli.exits import EXIT_REFUSED, report_failure
from pbem.config import Config, ConfigError, is_set_by, load_config
from pbem.desk.mandate import By
from pbem.desk.ports import Services

DEFAULT_CONFIG = Path("pbem.toml")

P = ParamSpec("P")
T = TypeVar("T")


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
            f"there is no {DEFAULT_CONFIG} in {Path.cwd()}. Name a file with --config or"
            " PBEM_CONFIG, or set PBEM_SERVICE__ADDRESS and so on. `pbem init` writes a file to"
            " start from"
        )
    return load_config(file)


def run_at_desk(
    config: Config,
    work: Callable[Concatenate[Services, P], Awaitable[T]],
    *given: P.args,
    **named: P.kwargs,
) -> T:
    """Do one thing at a desk of its own, while the service runs or not."""

    async def run() -> T:
        async with opening.open_desk(config) as services:
            return await work(services, *given, **named)

    return asyncio.run(run())


def ask_back(what: str, *, yes: bool, no_input: bool) -> None:
    """Return only with `--yes`, or with a yes typed at a terminal. typer.Exit otherwise."""
    if yes:
        return
    if no_input or not sys.stdin.isatty():
        report_failure(f"{what} Confirm with --yes.")
        raise typer.Exit(EXIT_REFUSED)
    if (
        typer.prompt(f"{what} Type yes to confirm", default="no", show_default=False)
        .strip()
        .casefold()
        != "yes"
    ):
        report_failure("nothing was done")
        raise typer.Exit(EXIT_REFUSED)


def by_operator() -> By:
    """Who types, for the log."""
    return By(os.environ.get("SUDO_USER") or os.environ.get("USER") or "operator")
