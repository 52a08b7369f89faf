"""Giving up a seat in a game that runs: confirmed by a fresh mail, whose yes leaves the seat vacant
and tells everybody. Where the seat then leaves the game, the sweep finds it.

What remains to do lies in the database from the very transaction of the resignation on, and is done
once, however often it is tried.

Unless the table says otherwise the seat stays in the game: the rules' defaults are done for it, and
nobody waits for it. Every token of the tenure that ended is worth nothing any more.
"""

from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.authentication.kept import settle_unless_yes
from pbem.desk.authentication.tenures import find_substitution, hand_over, list_substitutions
from pbem.desk.chat.buttons import with_answers
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import Handled
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.gm.seats import remove
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import Addressee, asked, at_table, facts_around, read_post
from pbem.desk.letters.queue import ask_for_delivery, queue_letter, queue_letters
from pbem.desk.lobby.herald import vacancy_letters
from pbem.desk.mandate import AlreadyDone, By, Refused, log_event
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.people.stand_ins import PURPOSE as STAND_IN
from pbem.desk.people.substitutions import give_back, tend_substitutes
from pbem.desk.phases.standings import may_close_early, read_standings
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import OpenTable, load_table, page_reader
from pbem.grammar.consent import parse_sure_consent
from pbem.pages.lobby import AskResign, GmResigned, PlayerResigned, Resigned
from pbem.pages.notice import Notice
from pbem.pages.page import Reader, Table
from pbem.pages.people import GmSeatGivenUp
from pbem.store.repositories.post.pending import NewPending, PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

LEAVING = "leaving"
"""Of what waits to be done about a seat that was given up."""

CHANGES = (LEAVING, STAND_IN)
"""Of what comes by itself about people."""

LEAVING_WAITS = timedelta(days=3650)
BY_RULE = "the table's rule"

_log = structlog.get_logger("leaving")


class Leaving(msgspec.Struct, frozen=True):
    """The tenure in which the seat stands empty: once somebody has it, nothing remains to
    do.
    """

    tenure: int


async def let_leave(work: Work, seat: SeatRow, tenure: int, now: datetime) -> None:
    """The seat, which stands empty in this tenure, must leave the game; within the unit of work
    that has emptied it.
    """
    await work.pending.wait_under(
        NewPending(
            purpose=LEAVING,
            address=f"seat:{seat.id}:{tenure}",
            created_at=now,
            expires_at=now + LEAVING_WAITS,
            game_id=seat.game_id,
            seat_id=seat.id,
            detail=msgspec.json.encode(Leaving(tenure)).decode(),
        )
    )


async def list_changes(work: Work) -> list[tuple[int, datetime]]:
    """What comes by itself about the people of the games that run: the game's id, and when. What is
    over already counts as well.
    """
    changes = [(one.seat.game_id, one.next_at) for one in await list_substitutions(work)]
    for row in await work.pending.list_open(*CHANGES):
        if row.game_id is not None:
            at = row.created_at if row.purpose == LEAVING else row.expires_at
            changes.append((row.game_id, at))
    return changes


async def tend_people(services: Services, game_id: int) -> None:
    """Do what is due about the people of a game that runs. May run twice, or die anywhere, without
    harm.
    """
    await tend_substitutes(services, game_id)
    async with services.database.read() as work:
        leaving = [row for row in await work.pending.list_open(LEAVING) if row.game_id == game_id]
    for pending in leaving:
        await _take_out(services, pending)
    if leaving:
        await ask_for_delivery(services, services.clock.now())


async def _take_out(services: Services, pending: PendingRow) -> None:
    async with services.database.read() as work:
        game = await work.games.find(pending.game_id)
        seat = await work.seats.find(pending.seat_id)
    if game is None or seat is None:
        return
    tenure = msgspec.json.decode(pending.detail, type=Leaving).tenure
    outcome = True
    try:
        await remove(
            services,
            game.slug,
            str(seat.number),
            "",
            By(BY_RULE, cause=f"leaving:{pending.id}"),
            only_of=(seat.id, tenure),
        )
    except AlreadyDone:
        _log.info("left-before", game=game.id, seat=seat.id)
    except Refused as refused:
        if refused.code == "conflict":
            return  # the table changes at this very moment: the sweep comes back
        _log.info("not-taken-out", game=game.id, seat=seat.id, code=refused.code)
        outcome = False
    services.steps.reached("leaving.done")
    async with services.database.write() as work:
        await work.pending.settle(
            pending.id, "confirmed" if outcome else "refused", services.clock.now()
        )


PURPOSE = "resign"
"""Of the confirmations that a resignation waits under."""

KIND = "resign-confirm"
WAITS = timedelta(days=1)
ASKED_A_DAY = 3


class Resigning(msgspec.Struct, frozen=True):
    """Which tenure is to end: a question of a tenure that is over ends no other."""

    tenure: int


async def ask_to_resign(talk: Conversation[Player]) -> None:
    """Ask at the registered address, in place of a question that waits there; a few times a day."""
    work, services, seat = talk.work, talk.services, talk.seat
    if await talk.has_had(talk.mail.channel, talk.address, KIND, most=ASKED_A_DAY):
        return
    pending = await talk.wait_for_answer(
        PURPOSE,
        talk.address,
        WAITS,
        Resigning(seat.tenure),
        inbox_ids=(talk.row.id,),
        game_id=talk.table.game.id,
        seat_id=seat.id,
    )
    there = asked(services, pending, talk.reader, seat.person_id, talk.table)
    told = AskResign(await what_becomes(work, talk.table, seat))
    letter = there.letter(told, KIND, f"{KIND}:{pending.id}", Answering.to(talk.mail))
    await queue_letter(talk, with_answers(letter, services, pending.id))


async def settle_resignation(talk: Conversation[object], pending: PendingRow) -> Handled:
    """The player has answered: a plain yes gives the seat up, anything else changes nothing."""
    consent = parse_sure_consent(talk.mail.text)
    game = await talk.work.games.lock(pending.game_id)
    seat = await talk.work.seats.find(pending.seat_id)
    if game is None or seat is None or consent is None:
        return Handled.of(pending, "confirmation-unclear", ignored=True)
    if (refused := await settle_unless_yes(talk, pending, consent, "resignation")) is not None:
        return refused
    tenure = msgspec.json.decode(pending.detail, type=Resigning).tenure
    if game.status not in ("running", "paused") or seat.status != "active" or seat.tenure != tenure:
        return Handled.at(seat, "resignation-too-late")
    table = await load_table(talk, game)
    if (
        await what_becomes(talk.work, table, seat) != "returned"
    ):  # then the letter about the return is the answer
        await _say_farewell(talk, table, seat)
    await vacate(talk, table, seat)
    fresh = await load_table(talk, game)
    early = game.status == "running" and may_close_early(
        fresh, await read_standings(talk.work, fresh)
    )
    return Handled(
        "resigned",
        game_id=game.id,
        seat_id=seat.id,
        close=(game.id, game.phase_number) if early else None,
    )


async def _say_farewell(talk: Conversation[object], table: OpenTable, seat: SeatRow) -> None:
    """To the person who resigned, at the address that said so."""
    now, game = talk.now(), table.game
    person = await talk.work.people.find(seat.person_id)
    to = Recipient(talk.mail.sender or "", seat.name, seat.person_id, game)
    reader = page_reader(seat, person, talk.services.policy.zone)
    who = Addressee(talk.services, to, reader, facts_around(talk.services, table))
    key = f"resigned:{game.id}:{seat.id}:{seat.tenure}"
    farewell = who.letter(Resigned(), "resigned", key, Answering.to(talk.mail))
    letters = await take_back_open_entries(talk, table, [farewell], [seat.number])
    await queue_letters(talk.work, letters, now)


async def what_becomes(work: Work, table: OpenTable, seat: SeatRow) -> str:
    """What becomes of a seat whose player resigns, as a code: a substitute gives it back
    (`returned`), else it is as the table says.
    """
    one = await find_substitution(work, seat)
    if one is not None and one.begun:
        return "returned"
    return (
        table.settings.people.resigned
        if seat.number in table.kind.ruleset.active(table.state)
        else "vacant"
    )


async def vacate(tx: Transaction[Context], table: OpenTable, seat: SeatRow) -> None:
    """The seat stands empty from now on, or goes back to whom a substitute had it from; the person
    who still sits there is told, and the game masters. What becomes of the seat is as the table
    says.
    """
    now = tx.now()
    then = await what_becomes(tx.work, table, seat)
    one = await find_substitution(tx.work, seat)
    if one is not None and one.begun:
        await give_back(tx, table, one, "resigned")
        return
    fresh = await hand_over(tx, table, seat, None, source="resigned")
    if fresh is None:
        return
    await log_event(
        tx,
        table.game.id,
        "seat resigned",
        {"seat": seat.name},
        actor=seat.name,
        cause=f"resigned:{seat.id}:{seat.tenure}",
    )
    if then == "eliminate":
        await let_leave(tx.work, seat, seat.tenure + 1, now)
    post = await read_post(tx, fresh)
    key = f"player-resigned:{table.game.id}:{seat.id}:{seat.tenure}"

    def told(facts: Table, reader: Reader) -> Notice:
        if reader.number is not None:
            return PlayerResigned(seat.name, then)
        if then == "gm":
            return GmSeatGivenUp(seat.name, can_go=True)
        return GmResigned(seat.name, then)

    await post.tell(tx.work, at_table(), told, "player-resigned", key)
    if then != "eliminate":
        await post.send(tx.work, await vacancy_letters(tx, post, seat.number))
