"""`pbem health`: how the service is, for a monitor and for the eye. `pbem forget`: what is known of
a person goes.
"""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated

import msgspec
import typer

from pbem.cli.common import by_operator, read_config
from pbem.cli.exits import EXIT_FAILED
from pbem.cli.failing import at_desk, told
from pbem.cli.options import ConfigOption, JsonOption
from pbem.config import Config
from pbem.desk.people.erasure import Forgotten
from pbem.desk.people.erasure import forget as forget_address
from pbem.desk.upkeep.health import Health, Reason, Verdict, look_at_health, unreachable
from pbem.store.database import open_database
from pbem.store.lock import is_lost

WORDS: dict[Reason, str] = {
    "clock-behind": "this machine's clock is behind the one that left the marks",
    "close-failed": "a close failed three times; the service tries it again",
    "close-held": "a close waits because the mailbox cannot be read",
    "close-overdue": "a deadline has passed and the phase is still open",
    "database-missing": "there is no database yet; the first start of the service creates it",
    "database-outdated": (
        "the database is not at this program's version; the service migrates it at its start"
    ),
    "database-replaced": (
        "the database file was deleted or replaced while the service used it: stop the service,"
        " then `pbem restore`"
    ),
    "database-unreachable": "the database cannot be read",
    "disk-low": "the disk is nearly full",
    "inbox-waits": "messages are waiting to be handled",
    "mailbox-unread": "the service has not read the mailbox lately",
    "never-served": "no service has run on this database yet",
    "outbox-waits": "mails are waiting to be sent",
    "service-silent": "the service has given no sign of life lately",
    "shunted": "messages are in quarantine; `pbem mail shunted` lists them",
    "telegram-stopped": (
        "another program takes the updates of our bot; stop it, then restart the service"
    ),
    "telegram-unread": "the service has not read Telegram lately",
}


async def _look(config: Config) -> Health:
    """Looks, and makes nothing: neither a folder, nor a file, nor a table."""
    now = datetime.now(UTC)
    database = open_database(config.database_url())
    if database.file is not None and not database.file.exists() and not is_lost(database.file):
        return unreachable(now, "database-missing")
    try:
        return await look_at_health(database, now)
    finally:
        await database.dispose()


def health(
    as_json: JsonOption = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 also when degraded.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Report from the database whether the service is ok, degraded or failing, and why.

    Exit status 1 when it is failing. Ask as often as you like, from any host that reaches the
    database.
    """
    with told():
        settings = read_config(config)
        found = asyncio.run(_look(settings))
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        for line in lines_of(found):
            typer.echo(line)
    if found.verdict is Verdict.FAILING or (strict and found.verdict is not Verdict.OK):
        raise typer.Exit(EXIT_FAILED)


def lines_of(found: Health) -> list[str]:
    """A look at the service in words."""
    lines = [f"{found.verdict.value}  (pbem {found.version}, {found.at:%Y-%m-%d %H:%M:%S} UTC)"]
    lines += [f"  {reason}: {WORDS[reason]}" for reason in found.reasons]
    if not found.is_known:
        return lines
    lines += [f"  {name:10} {_ago(mark.age_seconds)}" for name, mark in found.marks.items()]
    lines.append(
        f"  {found.games_running} games running; closes overdue {found.overdue_closes}, held"
        f" {found.held_closes}, failed {found.failed_closes}"
    )
    lines.append(
        f"  messages waiting {found.inbox_waiting} (longest {_span(found.inbox_lag_seconds)}),"
        f" in quarantine {found.shunted}"
    )
    lines.append(
        f"  mails waiting {found.outbox_waiting} (longest {_span(found.outbox_age_seconds)}),"
        f" refused today {found.outbox_refused_lately}, addresses suspended"
        f" {found.suspended_addresses}"
    )
    if found.disk_free_bytes is not None:
        lines.append(f"  disk free {found.disk_free_bytes / 1e9:.1f} GB")
    return lines


def _span(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _ago(seconds: float) -> str:
    return f"{_span(seconds)} ago" if seconds >= 0 else f"{_span(-seconds)} ahead"


def forget(
    address: Annotated[
        str,
        typer.Argument(help="Any address of the person, or the number of their Telegram account."),
    ],
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete; without --yes this is a dry run.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Delete a person's name, addresses, mails and notes. Their games stay whole.

    The games' records stay: the name chosen in a game, the orders, the events. You cannot undo it.
    """
    gone = at_desk(config, forget_address, address, by_operator(), really=yes)
    if as_json:
        typer.echo(msgspec.json.encode(gone).decode())
        return
    for line in _lines_of_forgotten(gone):
        typer.echo(line)


def _lines_of_forgotten(gone: Forgotten) -> list[str]:
    go, leave = ("went", "was left") if gone.done else ("would go", "would be left")
    lines = [
        f"{gone.addresses} addresses and the name {go}",
        (
            f"{gone.messages} raw mails, {gone.letters} mails to them, {gone.notes} notes and"
            f" {gone.confirmations} confirmations {go}"
        ),
        (
            f"{gone.log_entries} entries of the log {'lost' if gone.done else 'would lose'} the"
            " address"
        ),
    ]
    lines += [f"a seat {leave} in {title}; its game master is told" for title in gone.seats_left]
    lines += [
        f"{slug} {'has' if gone.done else 'would have'} one game master less"
        for slug in gone.games_mastered
    ]
    if gone.configured:
        lines.append("the configuration names the address among gm.addresses: take it out there")
    lines.append(
        "Delete mails on the mail server and backups yourself."
        if gone.done
        else "This was a dry run; --yes deletes."
    )
    return lines
