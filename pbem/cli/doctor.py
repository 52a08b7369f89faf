"""`pbem doctor`: check everything, and say in words what to fix."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pbem.cli.common import find_config, read_config
from pbem.cli.exits import EXIT_FAILED
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.config import Config
from pbem.doctor.examination import examine
from pbem.findings import Finding, Grade, format_finding, worst_of
from pbem.logs import set_up_logs
from pbem.opening import SystemClock

_END = {
    Grade.OK: "Everything is well.",
    Grade.WARNING: "It works; read the warnings above.",
    Grade.BROKEN: "It will not work like this. Fix what is broken, from the top.",
}


def doctor(
    wait: Annotated[float, typer.Option(help="Seconds to wait for our own mail.", min=0.0)] = 60.0,
    mail: Annotated[
        bool,
        typer.Option("--mail/--no-mail", help="Log in to the mail servers and send a test mail."),
    ] = True,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Check the configuration, the database, the boards and the clock, log in to both mail servers,
    and send a test mail.

    Exit status 1 if anything is broken. The service may run; the test mails
    are removed again.
    """
    set_up_logs(json_lines=not sys.stderr.isatty(), quiet=True)
    with told():
        file = find_config(config)
        settings = read_config(config)
        findings = asyncio.run(
            _examine(settings, file, mail=mail, wait_seconds=wait, as_json=as_json)
        )
    worst = worst_of(findings)
    if as_json:
        typer.echo(
            json.dumps(
                {"verdict": worst.value, "findings": msgspec.to_builtins(findings)},
                ensure_ascii=False,
            )
        )
    else:
        typer.echo(_END[worst])
    if worst is Grade.BROKEN:
        raise typer.Exit(EXIT_FAILED)


async def _examine(
    settings: Config, file: Path | None, *, mail: bool, wait_seconds: float, as_json: bool
) -> list[Finding]:
    findings = []
    async for finding in examine(
        settings, file, SystemClock(), mail=mail, wait_seconds=wait_seconds
    ):
        findings.append(finding)
        if not as_json:
            typer.echo(format_finding(finding))
    return findings
