"""Looking after tables that wait for players. Those that have not begun expire, their vote ends,
and full ones start by themselves; a game whose empty seats nobody takes is broken off.
"""

from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.gm.history import end
from pbem.desk.gm.starts import start
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.lobby.herald import Herald
from pbem.desk.lobby.resignations import tend_people
from pbem.desk.lobby.rows import LobbyRows, read_lobby_rows
from pbem.desk.mandate import By, Refused, log_event
from pbem.desk.people.absent_players import waits_for_players
from pbem.desk.phases.first_turn import tell_open_seats
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import decode_settings, encode_settings, load_table
from pbem.pages.lobby import GmCannotStart, GmVotingOver, TableExpired, TableExpiresSoon
from pbem.store.repositories.games import GameRow

REMIND_BEFORE = timedelta(days=3)
VOTES_LAST = timedelta(days=1)
"""A table that expires in the middle of its vote is kept so much longer than the vote."""
MAX_STARTS = 3
BY_ITSELF = "the table itself"
NOBODY_CAME = "A seat stayed open: nobody took it."

_log = structlog.get_logger("tending")


def next_tending_at(game: GameRow) -> datetime | None:
    """When we must look after an open table, or a paused one, next; None when nothing happens there
    by itself.
    """
    votes_until = game.voting_until if game.status == "open" else None
    return min(
        (
            instant
            for instant in (votes_until, _reminder_at(game), game.expires_at)
            if instant is not None
        ),
        default=None,
    )


def _reminder_at(game: GameRow) -> datetime | None:
    """Some days before a table expires, once for each time it is set to expire; a table of a few
    days is not reminded at its birth.
    """
    if game.expires_at is None or decode_settings(game).reminded_of == game.expires_at:
        return None
    since = game.paused_at or game.created_at
    return max(game.expires_at - REMIND_BEFORE, since + (game.expires_at - since) / 2)


async def tend_table(services: Services, game_id: int) -> None:
    """Do what is due at an open table, or about the people of one that runs, if anything is. May
    run twice, or die anywhere, without harm.
    """
    starts = False
    async with services.database.read() as work:
        found = await work.games.find(game_id)
    if found is not None and found.status in ("running", "paused"):
        await tend_people(services, game_id)
        await _tend_empty_seats(services, game_id)
        return
    async with services.write() as tx:
        now = services.clock.now()
        game = await tx.work.games.lock(game_id)
        if game is None or game.status != "open":
            return
        rows = await read_lobby_rows(tx, game_id)
        if game.voting_until is not None and game.voting_until <= now:
            starts = await _end_vote(tx, rows)
        elif game.expires_at is not None and game.expires_at <= now:
            await _expire(tx, rows)
        elif (remind_at := _reminder_at(game)) is not None and remind_at <= now:
            await _remind(tx, rows)
        services.steps.reached("tend.written")
    services.steps.reached("tend.kept")
    if starts:
        await _start(services, rows)
    await ask_for_delivery(services, services.clock.now())


async def _tend_empty_seats(services: Services, game_id: int) -> None:
    """A game that waits for somebody to take its empty seats: everybody is reminded once, and in
    the end it is broken off.
    """
    async with services.write() as tx:
        now = services.clock.now()
        game = await tx.work.games.lock(game_id)
        if game is None or game.status != "paused" or game.expires_at is None:
            return
        table = await load_table(tx, game)
        is_over = game.expires_at <= now
        is_of_the_lobby = game.paused_at is not None and game.expires_at <= game.paused_at
        if is_of_the_lobby or not await waits_for_players(tx.work, table):
            await tx.work.games.set_expiry(game_id, None)  # or it was stopped by a person
            return
        if not is_over and (remind_at := _reminder_at(game)) is not None and remind_at <= now:
            await _keep_reminded(tx, game)
            key = f"seats-open:{game_id}:{game.expires_at.isoformat()}"
            await tell_open_seats(tx, table, game.expires_at, key, again=True)
        services.steps.reached("tend.written")
    services.steps.reached("tend.kept")
    if is_over:
        try:
            await end(services, game.slug, By(services.policy.name), NOBODY_CAME, only_as=game)
        except Refused as refused:  # somebody took a seat, or ended it, at this very moment
            _log.info("not-broken-off", game=game_id, code=refused.code)
    await ask_for_delivery(services, services.clock.now())


async def _keep_reminded(tx: Transaction[Context], game: GameRow) -> None:
    kept = msgspec.structs.replace(decode_settings(game), reminded_of=game.expires_at)
    await tx.work.games.set_settings(game.id, encode_settings(kept))


async def _end_vote(tx: Transaction[Context], rows: LobbyRows) -> bool:
    """The vote is over. True: the table starts by itself now; else its game master is told that it
    can.
    """
    game = rows.game
    if not rows.is_ready:
        await tx.work.games.set_voting(game.id, None)
        return False
    if rows.settings.starts == "full":
        if await tx.work.games.count_attempt(game.id, tx.services.clock.now()) <= MAX_STARTS:
            return True
        await _give_up_starting(
            tx,
            rows,
            "the service ended, or something went wrong, during each try; the log has the details",
        )
        return False
    await tx.work.games.set_voting(game.id, None)
    await Herald(tx, rows).tell_masters("lobby-voted", _key(game), GmVotingOver)
    return False


async def _start(services: Services, rows: LobbyRows) -> None:
    """The very start that a game master would ask for. What does not fit is told to them once, and
    not tried again.
    """
    try:
        await start(services, rows.game.slug, By(BY_ITSELF))
    except Refused as refused:
        _log.info("start-refused", game=rows.game.id, code=refused.code)
        if refused.code in ("conflict", "already-started"):
            return  # somebody came or left at the same moment: the sweep looks again
        async with services.write() as tx:
            game = await tx.work.games.lock(rows.game.id)
            if (
                game is not None
                and game.status == "open"
                and game.voting_until == rows.game.voting_until
            ):
                await _give_up_starting(tx, rows, str(refused))


async def _give_up_starting(tx: Transaction[Context], rows: LobbyRows, error: str) -> None:
    game = rows.game
    await tx.work.games.set_voting(game.id, None)
    await tx.work.games.forget_attempts(game.id)
    await Herald(tx, rows).tell_masters(
        "lobby-cannot-start",
        _key(game),
        lambda lobby: GmCannotStart(lobby, error),
    )


async def _expire(tx: Transaction[Context], rows: LobbyRows) -> None:
    """The table is given up, and everybody told; one in the middle of its vote is kept till that is
    over.
    """
    game, now = rows.game, tx.services.clock.now()
    if game.voting_until is not None:
        await tx.work.games.set_expiry(game.id, game.voting_until + VOTES_LAST)
        return
    herald = Herald(tx, rows)
    await herald.tell_seats("lobby-expired", f"{game.id}", TableExpired)
    await herald.tell_masters("lobby-expired", f"{game.id}", TableExpired)
    await tx.work.games.end(game.id, "give_up", now)
    await log_event(tx, game.id, "table expired", actor=BY_ITSELF)


async def _remind(tx: Transaction[Context], rows: LobbyRows) -> None:
    game = rows.game
    assert game.expires_at is not None  # noqa: S101 - only a table that expires is reminded
    await _keep_reminded(tx, game)
    herald, key = Herald(tx, rows), f"{game.id}:{game.expires_at.isoformat()}"
    await herald.tell_seats("lobby-reminder", key, TableExpiresSoon)
    await herald.tell_masters("lobby-reminder", key, TableExpiresSoon)


def _key(game: GameRow) -> str:
    return f"{game.id}:{game.voting_until.isoformat() if game.voting_until is not None else ''}"
