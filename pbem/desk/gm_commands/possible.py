"""Whether a command that is asked back can succeed at all, as things stand: nobody is asked about
what would be refused.
"""

from pbem.desk.authentication.tenures import find_substitution
from pbem.desk.envelope.message import MAIL
from pbem.desk.gm import Refused
from pbem.desk.gm.correcting import foresee
from pbem.desk.gm.deadlines import check_deadline
from pbem.desk.gm.opening import parse_address
from pbem.desk.gm.people import check_text, find_asker
from pbem.desk.gm_commands.resolving import Item, find_player
from pbem.desk.mandate import find_game
from pbem.desk.people.barring import is_barred
from pbem.desk.people.substituting import MOST_DAYS, check_span
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, load_table, standing_of
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.words import is_dangerous
from pbem.store.work import Work


async def check_possible(work: Work, services: Services, person_id: int, item: Item) -> None:
    """Refused if the command's use case would refuse it now. To a game master who plays at the
    table nothing is told by it that only the orders of the others know.
    """
    if not is_dangerous(item.command):
        return
    table = await load_table(work, services.games, await find_game(work, item.command.table))
    title, phase = table.game.title, table.phase
    match item.command:
        case c.Close() | c.Shorten() if table.game.status == "paused":
            raise Refused("paused", f"{title} is paused; let it go on first")
        case c.Shorten() if phase is not None and item.until is not None:
            check_deadline(phase, item.until, services.clock.now(), shorten=True)
        case c.Replace(player=player, name=name, address=address):
            await _check_newcomer(work, services, table, player, name, address)
        case c.Strike(player=player):
            await _check_plays(work, table, player)
        case c.Correct(what=what, reason=reason):
            check_text(reason)
            foresee(table, what)
        case c.Substitute(player=player, address=address):
            await _check_stand_in(work, services, table, player, address, item)
        case c.Remove(player=player):
            await _check_plays(work, table, player)
        case c.Eject(player=player):
            if (await find_player(work, table, player)).person_id is None:
                raise Refused("vacant", f"the seat of {player} stands empty already")
            await _check_plays(work, table, player)
        case c.Look() | c.Predict() if _plays(table, person_id) and not table.settings.secrets:
            raise Refused(
                "plays-here",
                f"you play at {title}, and the table has not allowed you to see secrets",
            )
        case c.Unlock(player=player) if phase is not None and not _plays(table, person_id):
            seat = await find_player(work, table, player)
            newest = await work.orders.newest(seat.id, phase.number)
            if newest is None or not standing_of(table.kind, newest, seat).final:
                raise Refused(
                    "not-final",
                    f"the orders of {seat.name} are not final; they can be changed as it is",
                )


async def _check_stand_in(
    work: Work, services: Services, table: OpenTable, player: str, address: str, item: Item
) -> None:
    """Who it is asked of is told by their own answer; here only what the command itself cannot
    be.
    """
    if services.policy.is_own(parse_address(address)):
        raise Refused(
            "bad-address", f"{address} is the address players write to; nobody can play from it"
        )
    await _check_plays(work, table, player)
    seat = await find_player(work, table, player)
    if seat.person_id is None:
        raise Refused(
            "vacant", f"the seat of {player} stands empty; give it to somebody with replace"
        )
    if await find_substitution(work, seat) is not None:
        raise Refused("has-substitute", f"somebody plays for {player} already, or will")
    now = services.clock.now()
    if item.until is not None and check_span(item.since, item.until, now) is not None:
        raise Refused(
            "bad-time", f"an end is wanted that is to come, and at most {MOST_DAYS} days away"
        )


def _plays(table: OpenTable, person_id: int) -> bool:
    return any(seat.person_id == person_id for seat in table.seats)


async def _check_plays(work: Work, table: OpenTable, player: str) -> None:
    seat = await find_player(work, table, player)
    if seat.number not in table.kind.ruleset.active(table.state):
        raise Refused("eliminated", f"{seat.name} is out of the game already")


async def _check_newcomer(
    work: Work, services: Services, table: OpenTable, player: str, name: str, address: str
) -> None:
    address = parse_address(address) if address else ""
    if services.policy.is_own(address):
        raise Refused(
            "bad-address", f"{address} is the address players write to; nobody can play from it"
        )
    await _check_plays(work, table, player)
    if not address:
        await find_asker(work, table, await find_player(work, table, player), name)
        return
    person = await work.people.find_by_address(MAIL, address)
    if person is not None and await is_barred(work, person.id):
        raise Refused(
            "barred", f"{address} has three strikes over all games; no table takes them any more"
        )
    if person is not None and _plays(table, person.id):
        raise Refused("already-seated", f"{address} has a seat at {table.game.title} already")
