"""What follows when a table fills, a vote comes in, or a seat is free again: the vote's clock, and
who is told.
"""

from datetime import timedelta

from pbem.desk.lobby.choosing import Chosen, choose, keep_choice
from pbem.desk.lobby.rows import LobbyRows, read_lobby_rows
from pbem.desk.lobby.telling import Herald
from pbem.desk.lobby.wishing import keep_wishes
from pbem.desk.ports import Context, Transaction
from pbem.grammar import seat_wishes as said
from pbem.store.repositories.seats import SeatRow

VOTING = timedelta(hours=24)
"""PR-1.4: whoever has not answered by then abstains."""


async def look_after_arrival(
    tx: Transaction[Context], game_id: int, seat: SeatRow, *, is_new: bool, was_invited: bool
) -> LobbyRows:
    """Somebody sat down, or said yes to an invitation; the table as it is afterwards.

    When nobody else can sit down and all have answered, everybody is told, and the vote is open for
    a day more; a table that starts by itself, with nothing left to vote on, starts at once.
    """
    rows, key = (
        await read_lobby_rows(tx.work, tx.services.games, game_id),
        f"{seat.id}:{seat.tenure}",
    )
    if rows.is_ready:
        rows = await _open_vote(tx, rows, key, but=frozenset({seat.id}) if is_new else frozenset())
    else:
        await Herald(tx.work, tx.services, rows).tell_masters(
            "lobby-joined",
            f"{game_id}:{key}",
            lambda table, reader, lobby: tx.services.pages.lobby.gm_joined(
                table, reader, lobby, seat.name, was_invited=was_invited
            ),
        )
    return rows


async def _open_vote(
    tx: Transaction[Context], rows: LobbyRows, key: str, *, but: frozenset[int]
) -> LobbyRows:
    """The table is full: the vote's clock runs from now, and everybody is told."""
    now, game_id, pages = tx.now(), rows.game.id, tx.services.pages.lobby
    until = now + VOTING if not rows.has_voted else now if rows.settings.starts == "full" else None
    await tx.work.games.set_voting(game_id, until)
    rows = await read_lobby_rows(tx.work, tx.services.games, game_id)
    herald = Herald(tx.work, tx.services, rows)
    await herald.tell_seats("lobby-full", f"{game_id}:{key}", pages.full, but=but)
    await herald.tell_masters("lobby-full", f"{game_id}:{key}", pages.gm_full)
    return rows


async def look_after_change(tx: Transaction[Context], game_id: int) -> None:
    """The game master has changed how the table fills or votes: it may be full by that, or full no
    more.
    """
    rows, now = await read_lobby_rows(tx.work, tx.services.games, game_id), tx.now()
    if rows.is_ready:
        await _open_vote(tx, rows, f"change:{now.isoformat()}", but=frozenset())
    elif rows.game.voting_until is not None:
        await tx.work.games.set_voting(game_id, None)


async def look_after_vote(tx: Transaction[Context], rows: LobbyRows) -> None:
    """A vote came in: when it was the last one that a full table waited for, the voting ends
    now.
    """
    now = tx.now()
    if rows.has_voted and rows.game.voting_until is not None and rows.game.voting_until > now:
        await tx.work.games.set_voting(rows.game.id, now)


async def take_side(tx: Transaction[Context], game_id: int, seat: SeatRow, chosen: Chosen) -> None:
    """Somebody chooses a team, a place or a faction. What others have taken meanwhile is not theirs
    any more; and a mate who is wished for and in no team is told, once.
    """
    rows = await read_lobby_rows(tx.work, tx.services.games, game_id)
    for wish in (
        said.Team(chosen.team or ""),
        said.Place(chosen.place or 0),
        said.Faction(chosen.faction or ""),
    ):
        here = next(row for row in rows.table.seats if row.id == seat.id)
        choice = choose(rows, here, Chosen.of(here), wish)
        if isinstance(choice, Chosen):
            await keep_choice(tx.work, here, choice)
            rows = await read_lobby_rows(tx.work, tx.services.games, game_id)
    if chosen.asked is not None and any(row.number == chosen.asked for row in rows.table.seats):
        mate, me = (
            rows.table.seat(chosen.asked),
            next(row for row in rows.table.seats if row.id == seat.id),
        )
        others = frozenset(row.id for row in rows.table.seats) - {mate.id}
        await Herald(tx.work, tx.services, rows).tell_seats(
            "lobby-mate",
            f"{game_id}:{seat.id}:{seat.tenure}",
            lambda table, reader, lobby: tx.services.pages.lobby.mate_wanted(
                table, reader, lobby, me.name
            ),
            but=others,
        )


async def free_seat(
    tx: Transaction[Context], before: LobbyRows, seat: SeatRow, *, declined: bool
) -> bool:
    """Somebody leaves a table that has not begun: those behind move up, and a full table is full no
    more.

    False: they sit there no more.
    """
    now, game_id = tx.now(), before.game.id
    if not await tx.work.seats.take_away(seat, now):
        return False
    await tx.work.votes.forget(seat.id)
    if seat.person_id is not None:
        await keep_wishes(tx.work, seat.person_id, game_id, ())
    await tx.work.games.set_voting(game_id, None)
    rows = await read_lobby_rows(tx.work, tx.services.games, game_id)
    herald, pages, key = (
        Herald(tx.work, tx.services, rows),
        tx.services.pages.lobby,
        f"{seat.id}:{seat.tenure}",
    )
    if before.is_full:
        await herald.tell_seats(
            "lobby-free",
            f"{game_id}:{key}",
            lambda table, reader, lobby: pages.free_again(table, reader, lobby, seat.name),
        )
    await herald.tell_masters(
        "lobby-left",
        f"{game_id}:{key}",
        lambda table, reader, lobby: pages.gm_left(
            table, reader, lobby, seat.name, declined=declined
        ),
    )
    return True
