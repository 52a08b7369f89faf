"""`pbem init`, `pbem serve` and `pbem worker`."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem import house, opening
from pbem.cli.common import read_config
from pbem.cli.exits import EXIT_FAILED, refuse_to_overwrite, report_failure
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, ForceOption, VerboseOption
from pbem.config import Config, ConfigError
from pbem.logs import set_up_logs
from pbem.sample import SAMPLE
from workers.inprocess import WORKER_THREADS


def init(
    path: Annotated[Path, typer.Argument(help="File to write.")] = Path("pbem.toml"),
    force: ForceOption = False,
) -> None:
    """Write a commented configuration to start from."""
    refuse_to_overwrite(path, force=force)
    try:
        path.write_text(SAMPLE, encoding="utf-8")
        path.chmod(0o600)
    except OSError as error:
        report_failure(f"cannot write {path.absolute()} ({error.strerror or error})")
        raise typer.Exit(EXIT_FAILED) from error
    typer.echo(f"Wrote {path}. Fill in the mailbox, then: pbem doctor --config {path}")


def serve(
    config: ConfigOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Run the service with a real mailbox until SIGTERM or Ctrl-C."""
    with told():
        settings = _begin(config, verbose=verbose)
        asyncio.run(house.serve(settings))


def _begin(config: Path | None, *, verbose: bool) -> Config:
    """Read the configuration, and set up logs. ConfigError where nobody has said what the service's
    own address is: it would write to players as one they cannot answer.
    """
    settings = read_config(config)
    if "address" not in settings.service.model_fields_set:
        raise ConfigError("service.address: it is not set; set the address that players write to")
    set_up_logs(json_lines=not sys.stderr.isatty(), verbose=verbose)
    return settings


def worker(
    config: ConfigOption = None,
    threads: Annotated[
        int,
        typer.Option(
            "--threads", min=1, max=64, help="Mails to send in parallel; closes: an eighth of it."
        ),
    ] = WORKER_THREADS,
    alive: Annotated[
        Path | None,
        typer.Option("--alive", help="File to touch while the worker reaches database and broker."),
    ] = None,
    verbose: VerboseOption = False,
) -> None:
    """Run the service's jobs, on this host or any other, until SIGTERM or Ctrl-C. Needs PostgreSQL
    and Redis.
    """
    with told():
        settings = _begin(config, verbose=verbose)
        with opening.needing_scale("broker.url"):
            from pbem.worker import work
        asyncio.run(work(settings, threads=threads, alive_file=alive))
