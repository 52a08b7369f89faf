"""Press of game masters: a word to some players or to all of a table, relayed as any press is, and
answered to the game masters.
"""

from pbem.desk.gm.people import check_text
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.mandate import By, Refused, check_not_done, find_game, log_command
from pbem.desk.ports import Desk
from pbem.desk.press.alone import without_codes
from pbem.desk.press.instructions import check_words_of_master
from pbem.desk.press.readers import recipients_of, roll_of
from pbem.desk.press.relaying import read_press_desk, relay
from pbem.desk.table import OpenTable, load_table
from pbem.grammar.addressees import Doubt, To, find_readers
from pbem.store.repositories.post.press import NewPress

WRITTEN = "game press to"


async def write_press(services: Desk, slug: str, whom: str, text: str, by: By) -> tuple[str, ...]:
    """Write to these players (as players name one another), or to `all`; the names of who is
    written to, none for everybody.

    The log says to whom, and not what. Refused with `unknown-seat` for a reader who is not beyond
    doubt: then nobody is written to.
    """
    text, now = check_text(text), services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        table = await load_table(tx.work, services.games, game)
        to = _readers(table, whom)
        text = check_text(await check_words_of_master(tx, table, text, by))
        names = tuple(seat.name for seat in table.seats if seat.number in to.players)
        detail = {"players": list(names) or "all", "phase": game.phase_number}
        await log_command(tx, by, WRITTEN, detail, game_id=game.id, public=False)
        press_id = await tx.work.press.add(
            NewPress(
                game_id=game.id,
                phase_number=game.phase_number,
                seat_id=None,
                person_id=by.person_id,
                inbox_id=None,
                kind=to.kind,
                grey=False,
                recipients=recipients_of(to),
                text=without_codes(text),
                created_at=now,
            )
        )
        row = await tx.work.press.find(press_id) if press_id is not None else None
        if row is not None:
            await relay(tx, await read_press_desk(tx, table), row)
        services.steps.reached("gm.press.written")
    await ask_for_delivery(services, now)
    return names


def _readers(table: OpenTable, whom: str) -> To:
    """Who is meant, beyond doubt."""
    try:
        to = find_readers(whom, roll_of(table, None), grey=False)
    except Doubt as doubt:
        options = doubt.unsent.options
        if options:
            raise Refused(
                "unknown-seat",
                f"{whom!r} may be {options[0]}, or nobody at {table.game.title}; nothing was sent",
            ) from doubt
    else:
        vacant = [
            seat.name
            for seat in table.seats
            if seat.number in to.players and seat.person_id is None
        ]
        if vacant:
            raise Refused("vacant", f"nobody sits at {vacant[0]} just now")
        if not to.gm:
            return to
    names = ", ".join(seat.name for seat in table.seats if seat.status != "left")
    raise Refused(
        "unknown-seat", f"{whom!r} is nobody to write to at {table.game.title}; there are {names}"
    )
