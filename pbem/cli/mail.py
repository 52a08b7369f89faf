"""`pbem mail`: look at a raw mail, at the shunted ones, and put one back."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem import opening
from pbem.cli.common import find_config
from pbem.cli.exits import EXIT_FAILED, EXIT_NOT_FOUND, report_failure
from pbem.cli.failing import at_desk, show_rows, told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.config import Config, load_config
from pbem.desk.messages.opening import rules_of
from pbem.desk.ports import Services
from pbem.mail.inbound.reader import ReadingRules, format_inspection, read_mail
from pbem.store.repositories.post.inbox import InboxRow


def inspect(
    file: Annotated[Path, typer.Argument(help="Raw mail (.eml).")],
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Show how the service reads a raw mail, without acting on it."""
    with told():
        rules = _rules(load_config(find_config(config)))
    try:
        raw = file.read_bytes()
    except OSError as error:
        report_failure(f"{file}: {error.strerror}")
        raise typer.Exit(EXIT_FAILED) from error
    facts = format_inspection(read_mail(raw, rules))
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for key, value in facts.items():
        typer.echo(f"{key:10} {'-' if value is None else value}")


def _rules(config: Config) -> ReadingRules:
    """Without an address of our own (in a file or the environment) any address may be the one that
    carries the token.
    """
    return (
        rules_of(opening.policy_of(config))
        if "address" in config.service.model_fields_set
        else ReadingRules()
    )


def shunted(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the messages in quarantine, whose handling failed."""

    async def read(services: Services) -> list[InboxRow]:
        async with services.database.read() as work:
            return await work.inbox.list_by_state("shunted")

    def line(row: InboxRow) -> str:
        last = (row.trace or "").strip().rpartition("\n")[2]
        return f"{row.id:6}  {row.received_at:%Y-%m-%d %H:%M}  {last}"

    show_rows(
        at_desk(config, read),
        lambda row: {
            "id": row.id,
            "received_at": row.received_at.isoformat(),
            "outcome": row.outcome,
            "trace": row.trace,
        },
        line,
        as_json=as_json,
        none="no messages in quarantine",
    )


def requeue(
    message: Annotated[
        int, typer.Argument(help="Number of the message, from `pbem mail shunted`.")
    ],
    config: ConfigOption = None,
) -> None:
    """Handle a message again, from the start."""

    async def put_back(services: Services) -> bool:
        async with services.database.write() as work:
            return await work.inbox.requeue(message)

    if not at_desk(config, put_back):
        report_failure(f"there is no message {message} to handle again")
        raise typer.Exit(EXIT_NOT_FOUND)
    typer.echo(f"the service will handle message {message} again within seconds, if it runs")
