"""`pbem profile` and `pbem hall-of-fame`: what people keep of their games. `pbem people export`:
all that is kept of one person.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import IO, Annotated

import msgspec
import typer

from pbem.cli.common import read_config, run_at_desk
from pbem.cli.exits import refuse_to_overwrite
from pbem.cli.failing import at_desk, told
from pbem.cli.options import ConfigOption, ForceOption, JsonOption
from pbem.desk.mandate import Refused
from pbem.desk.people.export import Exported, export_person
from pbem.desk.people.profiles import OPERATOR, read_hall, read_profile
from pbem.desk.ports import Services
from pbem.grammar.called import skeleton
from pbem.pages.results import Hall, Profile, hall_text, profile_text
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work


def profile(
    who: Annotated[
        str,
        typer.Argument(
            help="Mail address, or name of a person or of a seat.", metavar="NAME|ADDRESS"
        ),
    ],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a person has played, won and missed here, their strikes, and where they play
    now.
    """

    async def read(services: Services) -> Profile:
        async with services.read() as tx:
            return await read_profile(tx, await _find(tx.work, who), OPERATOR)

    with told():
        settings = read_config(config)
        found = run_at_desk(settings, read)
    if as_json:
        facts = asdict(found)
        del facts["is_own"]
        typer.echo(json.dumps(facts, ensure_ascii=False, default=_as_text))
    else:
        typer.echo(profile_text(found, settings.service.zone), nl=False)


def hall_of_fame(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the best players of this house, by treasury, games won and games played."""

    async def read(services: Services) -> Hall:
        async with services.database.read() as work:
            return await read_hall(work)

    hall = at_desk(config, read)
    if as_json:
        for line in hall.lines:
            facts = asdict(line)
            del facts["is_reader"]
            typer.echo(json.dumps(facts, ensure_ascii=False))
    else:
        typer.echo(hall_text(hall), nl=False)


def export(
    address: Annotated[
        str,
        typer.Argument(help="Any address of the person, or the number of their Telegram account."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")] = Path("person.zip"),
    force: ForceOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Write all that is kept of a person into one file for that person.

    It is a ZIP file that only you may read. It holds nothing that other people keep secret, and no
    address of theirs in our own mails.
    """
    refuse_to_overwrite(out, force=force)

    async def write(services: Services) -> Exported:
        with new_file(out) as into:
            return await export_person(services, address, into)

    with told():
        written = run_at_desk(read_config(config), write)
    if as_json:
        typer.echo(
            json.dumps(msgspec.structs.asdict(written) | {"file": str(out)}, ensure_ascii=False)
        )
        return
    typer.echo(f"{out}: {written.messages} messages, {written.letters} mails to them")
    if written.as_master:
        typer.echo(f"{written.as_master} mails to them as a game master were left out")


@contextmanager
def new_file(file: Path) -> Iterator[IO[bytes]]:
    """A file that only its owner may read, whole or not there."""
    beside = file.with_name(f".{file.name}.part")
    beside.unlink(missing_ok=True)
    try:
        with open(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as into:
            yield into
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _as_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


async def _find(work: Work, who: str) -> PersonRow:
    """The one person of that address or name. Refused for nobody, or several."""
    if "@" in who:
        person = await work.people.find_by_address("mail", who.strip().lower())
        if person is None:
            raise Refused("unknown-person", f"nobody has the address {who}")
        return person
    found = await work.people.list_named(who.strip(), skeleton(who))
    if not found:
        raise Refused("unknown-person", f"nobody here has the name {who!r}, in a game or outside")
    if len(found) > 1:
        addresses = [
            row.address
            for row in await work.people.list_addresses_of([person.id for person in found])
        ]
        raise Refused(
            "several",
            f"{len(found)} people have or had the name {who!r}; name one by an address:"
            f" {', '.join(addresses)}",
        )
    return found[0]
