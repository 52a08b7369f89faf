"""Names, colours and seats at a table that has not begun: what is free, what is refused, and who
sits down.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pbem.desk.envelope.message import MAIL, Channel
from pbem.desk.lobby.rows import most_players
from pbem.desk.table import OpenTable
from pbem.grammar.called import NameRefused, parse_name, skeleton
from pbem.pages.lobby_view import Refusal
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sits down: a person we know or not yet, their address, and what they are called and wear
    at this table.
    """

    person: PersonRow | None
    address: str
    name: str
    colour: str
    zone: str | None = None
    channel: Channel = MAIL


def check_name(table: OpenTable, text: str, seat: SeatRow | None = None) -> str | Refusal:
    """The name as it would stand at this table; a refusal when it cannot, or looks like another
    one's. `seat` is who asks.
    """
    others = [row for row in table.seats if seat is None or row.id != seat.id]
    alike = tuple(
        row.name
        for row in others
        if row.name == text.strip() or skeleton(row.name) == skeleton(text)
    )
    try:
        name = parse_name(text, frozenset(table.kind.reserved_words))
    except NameRefused as refused:
        return Refusal(
            "name-taken" if alike and refused.code == "name-mixed" else refused.code,
            text[:60],
            alike,
        )
    return Refusal("name-taken", name, alike) if alike else name


def check_colour(table: OpenTable, colour: str, seat: SeatRow | None = None) -> str | Refusal:
    if colour not in table.kind.colours:
        return Refusal("unknown-colour", colour[:60])
    if any(row.colour == colour and (seat is None or row.id != seat.id) for row in table.seats):
        return Refusal("colour-taken", colour)
    return colour


def propose_name(table: OpenTable, sayings: Iterable[str], address: str) -> str:
    """A name that is free here: of what somebody is called, their first name, all of it, else what
    stands before the @.
    """
    for candidate in _candidates(sayings, address):
        name = check_name(table, candidate)
        if isinstance(name, str):
            return name
    raise AssertionError  # a table has fewer seats than there are candidates


def _candidates(sayings: Iterable[str], address: str) -> Iterator[str]:
    local = "".join(
        letter if letter.isalpha() else " " for letter in address.partition("@")[0]
    ).split()
    for saying in (*sayings, " ".join(word.capitalize() for word in local)):
        words = saying.replace('"', " ").split()
        if words:
            yield words[0]
            yield " ".join(words)
    first = next((word.capitalize() for word in local if len(word) > 1), "Guest")
    yield from (
        f"{first} {sign}"
        for sign in (
            "of the North",
            "of the South",
            "of the East",
            "of the West",
            "the Younger",
            "the Elder",
        )
    )
    yield from (f"Guest {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def propose_colour(table: OpenTable) -> str | None:
    """The next colour that is free; None when all are worn."""
    taken = {seat.colour for seat in table.seats}
    return next((colour for colour in table.kind.colours if colour not in taken), None)


async def seat_guest(
    work: Work, table: OpenTable, guest: Guest, now: datetime
) -> SeatRow | Refusal:
    """Sit somebody down whose name and colour were checked. The game is locked by the caller.

    Refused: `full`, `name-taken` or `colour-taken` (somebody else was quicker).
    """
    if len(table.seats) >= most_players(table):
        return Refusal("full")
    person_id = (
        guest.person.id if guest.person is not None else await _person_of(work, table, guest, now)
    )
    if guest.person is not None and guest.zone is not None:
        await work.people.set_time_zone(person_id, guest.zone)
    seat_id = await work.seats.add(
        game_id=table.game.id,
        number=len(table.seats) + 1,
        name=guest.name,
        colour=guest.colour,
        joined_at=now,
        person_id=person_id,
        name_key=skeleton(guest.name),
    )
    seat = await work.seats.find(seat_id) if seat_id is not None else None
    await work.observers.end(
        table.game.id, person_id, now
    )  # who plays looks on no more, not even when they leave again
    if seat is None:
        refusals = (check_name(table, guest.name), check_colour(table, guest.colour))
        return next(
            (refusal for refusal in refusals if isinstance(refusal, Refusal)),
            Refusal("name-taken", guest.name),
        )
    return seat


async def _person_of(work: Work, table: OpenTable, guest: Guest, now: datetime) -> int:
    """Somebody new, with a confirmed address."""
    zone = guest.zone or table.settings.zone
    person_id = await work.people.add(name=guest.name, locale="en", time_zone=zone, created_at=now)
    if await work.people.add_address(person_id, guest.channel, guest.address, "confirmed") is None:
        known = await work.people.find_by_address(
            guest.channel, guest.address
        )  # made known at the same moment, at another table
        return known.id if known is not None else person_id
    return person_id
