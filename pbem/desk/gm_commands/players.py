"""Who a command means at a table, and whether they still play."""

from pbem.desk.gm import Refused
from pbem.desk.gm_commands.kind import Item, Situation
from pbem.desk.gm_commands.rights import NotDone
from pbem.desk.table import OpenTable
from pbem.grammar.called import skeleton
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.lines import nearest_name
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


async def find_playing(work: Work, table: OpenTable, player: str) -> SeatRow:
    """The seat of a player; Refused if they are out of the game."""
    seat = await find_player(work, table, player)
    if seat.number not in table.kind.ruleset.active(table.state):
        raise Refused("eliminated", f"{seat.name} is already out of the game")
    return seat


async def check_plays(situation: Situation, _item: Item, command: c.Strike | c.Remove) -> None:
    await find_playing(situation.work, situation.table, command.player)


async def find_player(work: Work, table: OpenTable, written: str) -> SeatRow:
    """The seat of a player as names are compared, or of a number; or the seat of the one person
    who sits at the table under that name of their own.
    """
    people = {
        person.id: person.name
        for person in await work.people.list_by_ids(
            [s.person_id for s in table.seats if s.person_id is not None]
        )
    }
    own = {seat.id: people.get(seat.person_id or 0, "") for seat in table.seats}
    for seat in table.seats:
        if str(seat.number) == written:
            return seat
    bare = skeleton(written)
    found = [
        seat
        for seat in table.seats
        if bare and bare in (skeleton(seat.name), skeleton(own[seat.id]))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        seats = tuple(
            f"{seat.name} (seat"
            f" {seat.number}{', ' + own[seat.id] if own[seat.id] != seat.name else ''})"
            for seat in found
        )
        raise NotDone("which-player", table=table.game.title, written=written, players=seats)
    players = tuple(
        f"{seat.name} ({own[seat.id]})" if own[seat.id] not in ("", seat.name) else seat.name
        for seat in table.seats
    )
    names = [name for seat in table.seats for name in (seat.name, own[seat.id]) if name]
    raise NotDone(
        "unknown-player",
        table=table.game.title,
        written=written,
        nearest=nearest_name(written, names) or "",
        players=players,
    )
