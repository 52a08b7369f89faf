"""Giving up a seat in a game that runs: asked back by a fresh mail, whose yes leaves the seat vacant and tells everybody.

The seat stays in the game: the rules' defaults are done for it, nobody waits for it, and every token of the tenure that ended is worth
nothing any more.
"""

from datetime import timedelta

import msgspec

from pbem.desk.chat.buttons import with_answers
from pbem.desk.close import may_close_early, read_standings
from pbem.desk.conversation import Conversation
from pbem.desk.handling import Handled
from pbem.desk.letters import Answering, letter_to_address, letter_to_seat, seat_token
from pbem.desk.message import Message
from pbem.desk.outgoing import queue_letter, queue_letters
from pbem.desk.ports import Parts
from pbem.desk.posting import gm_letters, read_desk_people
from pbem.desk.table import OpenTable, load_table, page_reader, page_table
from pbem.grammar.consent import parse_consent
from pbem.mail.tokens import Purpose, format_reply_address, make_token
from pbem.store.pending import PendingRow
from pbem.store.seats import SeatRow
from pbem.store.work import Work

PURPOSE = "resign"
"""Of the confirmations that a resignation waits under."""

KIND = "resign-confirm"
WAITS = timedelta(days=1)
ASKED_A_DAY = 3


class Resigning(msgspec.Struct, frozen=True):
    """Which tenure is to end: a question of a tenure that is over ends no other."""

    tenure: int


async def ask_to_resign(talk: Conversation) -> None:
    """Ask at the registered address, in place of a question that waits there; a few times a day."""
    work, parts, seat, now = talk.work, talk.parts, talk.seat, talk.parts.clock.now()
    if await work.outbox.count_to_address_since(talk.mail.channel, talk.address, (KIND,), now - timedelta(days=1)) >= ASKED_A_DAY:
        return
    waiting = await work.pending.find_waiting(PURPOSE, talk.address, now)
    if waiting is not None:
        await work.pending.settle(waiting.id, "expired", now)
    pending, _ = await work.pending.wait_under(
        purpose=PURPOSE, address=talk.address, inbox_id=talk.row.id, now=now, expires_at=now + WAITS, game_id=talk.table.game.id,
        seat_id=seat.id, detail=msgspec.json.encode(Resigning(seat.tenure)).decode(),
    )  # fmt: skip
    token = make_token(parts.key, Purpose.CONFIRM, pending.id, 0, 0)
    page = parts.lobby_pages.ask_resign(page_table(talk.table, parts.policy, now, code=token), talk.reader, token)
    letter = letter_to_address(
        page, kind=KIND, dedupe_key=f"{KIND}:{pending.id}", policy=parts.policy, address=talk.address, to_name=seat.name,
        reply_to=format_reply_address(parts.policy.address, token) if parts.policy.subaddressing else None, token=token,
        game=talk.table.game, person_id=seat.person_id, answering=Answering.to(talk.mail),
    )  # fmt: skip
    words = parts.chat_pages.words
    await queue_letter(work, with_answers(letter, parts.key, seat.person_id, pending.id, words("yes"), words("no")), now)


async def settle_resignation(work: Work, parts: Parts, mail: Message, pending: PendingRow) -> Handled:
    """The player has answered: a plain yes gives the seat up, anything else changes nothing."""
    now, consent = parts.clock.now(), parse_consent(mail.text)
    game = await work.games.lock(pending.game_id) if pending.game_id is not None else None
    seat = await work.seats.find(pending.seat_id) if pending.seat_id is not None else None
    if game is None or seat is None or consent is None:
        return Handled("confirmation-unclear", ignored=True, game_id=pending.game_id, seat_id=pending.seat_id)
    done = Handled("resignation-too-late", game_id=game.id, seat_id=seat.id)
    if await work.pending.settle(pending.id, "confirmed" if consent else "refused", now) is None:
        return done
    if not consent:
        return Handled("resignation-refused", game_id=game.id, seat_id=seat.id)
    tenure = msgspec.json.decode(pending.detail, type=Resigning).tenure
    if game.status not in ("running", "paused") or seat.status != "active" or seat.tenure != tenure:
        return done
    table = await load_table(work, parts.games, game)
    await _say_farewell(work, parts, table, seat, mail)
    await vacate(work, parts, table, seat)
    fresh = await load_table(work, parts.games, game)
    early = game.status == "running" and may_close_early(fresh, await read_standings(work, fresh))
    return Handled("resigned", game_id=game.id, seat_id=seat.id, close=(game.id, game.phase_number) if early else None)


async def _say_farewell(work: Work, parts: Parts, table: OpenTable, seat: SeatRow, mail: Message) -> None:
    """To whoever resigned, at the address that said so."""
    now, game = parts.clock.now(), table.game
    person = await work.people.find(seat.person_id) if seat.person_id is not None else None
    farewell = letter_to_address(
        parts.lobby_pages.resigned(page_table(table, parts.policy, now), page_reader(seat, person, parts.policy.zone)), kind="resigned",
        dedupe_key=f"resigned:{game.id}:{seat.id}:{seat.tenure}", policy=parts.policy, address=mail.sender or "", to_name=seat.name,
        game=game, person_id=seat.person_id, answering=Answering.to(mail),
    )  # fmt: skip
    await queue_letter(work, farewell, now)


async def vacate(work: Work, parts: Parts, table: OpenTable, seat: SeatRow) -> None:
    """The seat stands empty from now on; whoever still sits there is told, and the game masters."""
    now, game, pages = parts.clock.now(), table.game, parts.lobby_pages
    await work.seats.replace_person(seat.id, seat.tenure, None, now)
    await work.seats.change_status(seat.id, "active", "left")
    if await work.orders.newest(seat.id, game.phase_number) is not None:  # the log tells that what was sent before counts no more
        await work.orders.add(
            game_id=game.id, phase_number=game.phase_number, seat_id=seat.id, tenure=seat.tenure + 1, source="resigned", received_at=now,
            orders_json=table.kind.ruleset.encode_orders(()).decode(), canonical=(), final=False, created_at=now, inbox_id=None,
        )  # fmt: skip
    fresh = await load_table(work, parts.games, game)
    desk = await read_desk_people(work, parts, fresh)
    key = f"{game.id}:{seat.id}:{seat.tenure}"
    facts = page_table(fresh, parts.policy, now)
    for reader, other, address in desk.readers(parts):
        theirs = page_table(fresh, parts.policy, now, code=seat_token(parts.key, other, game.phase_number))
        letter = letter_to_seat(
            pages.player_resigned(theirs, reader, seat.name), kind="player-resigned", dedupe_key=f"player-resigned:{key}:{other.id}",
            policy=parts.policy, key=parts.key, game=game, seat=other, phase_number=game.phase_number, address=address,
        )  # fmt: skip
        await queue_letter(work, letter, now)
    to_masters = gm_letters(
        parts,
        fresh,
        desk,
        lambda reader: pages.gm_resigned(facts, reader, seat.name),
        kind="player-resigned",
        dedupe_key=f"player-resigned:{key}",
    )
    await queue_letters(work, to_masters, now)
