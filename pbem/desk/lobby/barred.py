"""Somebody whom no table takes (PR-1.11), or this one does not, asks for a seat, says yes to one
that was kept, or has one kept when the game begins: they are told why, and of strikes the game
masters are told, too.
"""

from pbem.desk.envelope.message import Handled
from pbem.desk.letters.post import former_player
from pbem.desk.letters.queue import ask_for_delivery, queue_letter
from pbem.desk.lobby.herald import Herald
from pbem.desk.lobby.join_questions import Joiner, refuse
from pbem.desk.lobby.rows import LobbyRows, read_lobby_rows
from pbem.desk.lobby.seats import free_seat
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.people.eligibility import is_barred, is_unreliable
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import mail_address_of
from pbem.pages.lobby import GmBarred, NotJoined
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

BARRED, UNRELIABLE = "barred", "unreliable"


async def turn_away(talk: Conversation[Joiner]) -> Handled | None:
    """At the door. None: nothing is held against them."""
    person = talk.writer.known
    if person is None:
        return None
    if await is_unreliable(talk.work, talk.writer.rows.settings, person.id):
        return await refuse(talk, UNRELIABLE)
    if not await is_barred(talk.work, person.id):
        return None
    handled = await refuse(talk, BARRED)
    await _tell_masters(talk, talk.writer.rows, person.id, person.name)
    return handled


async def give_back(talk: Conversation[Player], rows: LobbyRows) -> Handled | None:
    """At a seat that was kept for them before the third strike: it is free again. None: nothing is
    held against them.
    """
    work, seat, game = talk.work, talk.seat, talk.table.game
    if seat.person_id is None or not await is_barred(work, seat.person_id):
        return None
    await talk.send(talk.farewell(NotJoined(BARRED), BARRED))
    await free_seat(talk, rows, seat, declined=True)
    await _tell_masters(
        talk,
        await read_lobby_rows(talk, game.id),
        seat.person_id,
        seat.name,
    )
    return Handled.at(seat, BARRED)


async def kept_for_barred(work: Work, rows: LobbyRows) -> tuple[SeatRow, ...]:
    """Seats whose invitations nobody has answered, and which are for people with three strikes."""
    return tuple(
        [
            seat
            for seat in rows.table.seats
            if seat.id in rows.unanswered and await is_barred(work, seat.person_id)
        ]
    )


async def free_kept(services: Desk, game_id: int) -> None:
    """The game is to begin: seats that were kept for such people are free, and they and the game
    masters are told.
    """
    now = services.clock.now()
    async with services.write() as tx:
        game = await tx.work.games.lock(game_id)
        rows = await read_lobby_rows(tx, game_id)
        for seat in (
            await kept_for_barred(tx.work, rows)
            if game is not None and game.status == "open"
            else ()
        ):
            person = await tx.work.people.find(seat.person_id)
            address = await mail_address_of(tx.work, seat.person_id)
            if not await free_seat(tx, rows, seat, declined=True) or person is None:
                continue
            rows = await read_lobby_rows(tx, game_id)
            if address is not None:
                former = former_player(services, rows.table, seat, person, address)
                key = f"{BARRED}:{seat.id}:{seat.tenure}"
                await queue_letter(tx, former.letter(NotJoined(BARRED), "notice", key))
            await _tell_masters(tx, rows, person.id, seat.name, asked=False)
    await ask_for_delivery(services, now)


async def _tell_masters(
    tx: Transaction[Context],
    rows: LobbyRows,
    person_id: int,
    name: str,
    *,
    asked: bool = True,
) -> None:
    """Once a person and table."""
    await Herald(tx, rows).tell_masters(
        BARRED,
        f"{rows.game.id}:{person_id}",
        lambda lobby: GmBarred(lobby, name, asked=asked),
    )
