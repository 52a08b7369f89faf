"""Colours by preference: a list of wishes a player, granted when the game starts, in the order of
joining.

Whoever wishes for none keeps the colour they wear, and nobody else gets it. Of the others each in
turn gets the first of their wishes that is left; where none is, they keep their own if it is left,
else they get the next free one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from pbem.desk.table import OpenTable
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Granted:
    """What somebody who had wishes wears in the game; `nth` counts the wish that it was from 1 (0:
    none of them).
    """

    name: str
    colour: str
    nth: int


def wishes_name(game_id: int) -> str:
    """The preference under which somebody's wishes at a table are kept."""
    return f"colours.{game_id}"


async def keep_wishes(work: Work, person_id: int, game_id: int, colours: Sequence[str]) -> None:
    """The newest list counts; an empty one takes it back."""
    await work.preferences.put(person_id, wishes_name(game_id), ",".join(colours) or None)


async def read_wishes(
    work: Work, game_id: int, person_ids: Collection[int]
) -> dict[int, tuple[str, ...]]:
    """The wishes of those of these people who have any."""
    rows = await work.preferences.list_of(person_ids) if person_ids else []
    return {
        row.person_id: tuple(row.value.split(","))
        for row in rows
        if row.name == wishes_name(game_id)
    }


def grant_wishes(
    table: OpenTable, wishes: Mapping[int, Sequence[str]]
) -> tuple[OpenTable, tuple[Granted, ...]]:
    """The table as its game begins, and what became of the wishes, in the order of joining."""
    asking = {
        seat.id: wishes[seat.person_id]
        for seat in table.seats
        if seat.person_id is not None and seat.person_id in wishes
    }
    worn = {seat.colour for seat in table.seats if seat.id not in asking}
    left = [colour for colour in table.kind.colours if colour not in worn]
    seats: list[SeatRow] = []
    granted: list[Granted] = []
    for seat in table.seats:
        wished = asking.get(seat.id, ())
        colour = (
            next(
                (
                    wish
                    for wish in (*wished, seat.colour, *left)
                    if wish is not None and wish in left
                ),
                None,
            )
            if wished
            else None
        )
        if colour is not None:
            left.remove(colour)
            granted.append(
                Granted(seat.name, colour, wished.index(colour) + 1 if colour in wished else 0)
            )
        seats.append(msgspec.structs.replace(seat, colour=colour) if colour is not None else seat)
    return replace(table, seats=tuple(seats)), tuple(granted)


async def keep_granted(work: Work, before: OpenTable, after: OpenTable) -> None:
    """Write down who wears what from now on."""
    changed = [
        seat
        for was, seat in zip(before.seats, after.seats, strict=True)
        if was.colour != seat.colour
    ]
    for seat in changed:
        await work.seats.recolour(seat.id, None)  # two may change with one another
    for seat in changed:
        await work.seats.recolour(seat.id, seat.colour)
