"""People around a table that runs: observers, substitutes, and whoever takes over."""

from datetime import datetime
from email.message import EmailMessage

import msgspec

from pbem.desk import gm
from pbem.desk.table import decode_settings, encode_settings
from pbem.grammar.people_rules import PeopleRules
from pbem.store.repositories.seats import SeatRow
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import code_of, game_of, seats_of

BY = gm.By("test")


async def set_rules(desk: Desk, **rules: object) -> None:
    """The table says so about its people from now on."""
    game = await game_of(desk)
    async with desk.services.database.write() as work:
        # by name
        settings = msgspec.structs.replace(decode_settings(game), people=PeopleRules(**rules))  # type: ignore[arg-type]
        await work.games.set_settings(game.id, encode_settings(settings))


async def look_on(desk: Desk, *names: str) -> None:
    """People ask to look on, and confirm it."""
    for name in names:
        await desk.write(name, f"observe {await code_of(desk)}", token=False, dmarc=None)
        await desk.write(name, "yes", answering=desk.letters(name)[-1], dmarc=None)


async def seat_of(desk: Desk, name: str) -> SeatRow:
    return next(seat for seat in await seats_of(desk) if seat.name == name)


async def person_of(desk: Desk, name: str) -> int:
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", address_of(name))
    assert person is not None
    return person.id


async def plays(desk: Desk, seat: str) -> str:
    """The address of whoever has that seat now; "" for nobody."""
    row = await seat_of(desk, seat)
    async with desk.services.database.read() as work:
        found = await work.people.list_addresses(row.person_id) if row.person_id is not None else []
    return found[0].address if found else ""


async def deadline_of(desk: Desk) -> datetime:
    async with desk.services.database.read() as work:
        phase = await work.phases.current((await game_of(desk)).id)
    assert phase is not None
    return phase.deadline


def subjects(desk: Desk, name: str) -> list[str]:
    return [str(mail["Subject"]) for mail in desk.letters(name)]


def flat(mail: EmailMessage | None) -> str:
    return " ".join(text_of(mail).split())
