"""Substitutes: somebody plays for a player until a day, and the seat goes back by itself; or takes
over from one who does not answer.

The person who is named is asked, and must say yes. While they play their code counts and the
player's does not; orders that stand at a change fall, as at every change. The sweep finds the
beginning and the end of each, and questions that nobody answered.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from pbem.desk.authentication.tenures import (
    RETURNED,
    SUBSTITUTE,
    Substitution,
    find_substitution,
    hand_over,
    list_substitutions,
)
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL, Handled, channel_of
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import (
    Addressee,
    Masters,
    Post,
    Seats,
    at_table,
    former_player,
    read_post,
)
from pbem.desk.letters.queue import ask_for_delivery, queue_letters
from pbem.desk.letters.results import newcomer_letters
from pbem.desk.letters.table_people import reach
from pbem.desk.mandate import log_event
from pbem.desk.messages.conversation import Conversation
from pbem.desk.people.absent_players import ask_masters, run_again
from pbem.desk.people.eligibility import why_no_seat
from pbem.desk.people.stand_ins import (
    PURPOSE,
    Asked,
    answer_asked,
    invite_next,
    is_still_wanted,
    make_known,
)
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, load_table, mail_address_of, page_reader, page_table
from pbem.grammar.consent import parse_consent
from pbem.pages.announcements import Replaced, Unseated
from pbem.pages.people import (
    AwayBegun,
    DoorClosed,
    PlayerReturned,
    StandInAnswered,
    StandInOver,
    StandsIn,
    TakenOver,
)
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow

MOST_DAYS = 60
NEVER = frozenset({"plays-here", "barred"})
"""Why even a game master's word gives somebody no seat."""


# --------------------------------------------------------------------------------------- the answer
async def settle_stand_in(talk: Conversation[object], pending: PendingRow) -> Handled:
    """The person who was asked has answered: a plain yes takes the seat, now or when its time
    comes; a no lets the next one be asked.
    """
    now, consent = talk.now(), parse_consent(talk.mail.text)
    game = await talk.work.games.lock(pending.game_id)
    if game is None or consent is None:
        return Handled.of(pending, "confirmation-unclear", ignored=True)
    handled = Handled("stand-in-too-late", game_id=game.id, seat_id=pending.seat_id)
    if (
        await talk.work.pending.settle(pending.id, "confirmed" if consent else "refused", now)
        is None
    ):
        return handled
    asked = msgspec.json.decode(pending.detail, type=Asked)
    table = await load_table(talk, game)
    if not consent:
        await _declined(talk, table, asked, pending.created_at)
        return Handled("stand-in-refused", game_id=game.id, seat_id=pending.seat_id)
    channel = channel_of(pending.address)
    seat = await is_still_wanted(talk.work, table, asked, pending.created_at)
    person = await talk.work.people.find_by_address(channel, pending.address)
    if (
        seat is None
        or (asked.until is not None and asked.until <= now)
        or (person is None and channel != MAIL)
    ):
        name = next((row.name for row in table.seats if row.id == asked.seat_id), asked.name)
        await answer_asked(talk, table, StandInOver(name, "not-needed"), pending, person)
        return handled
    why = await why_no_seat(talk.work, table, seat, person.id if person is not None else None)
    if why is not None and (not asked.is_offer or why in NEVER):
        await answer_asked(talk, table, DoorClosed("stand-in", why), pending, person)
        return Handled.at(seat, f"stand-in-{why}")
    if person is None:
        zone = asked.zone or table.settings.zone
        person = await make_known(talk, MAIL, pending.address, asked.name, zone)
    elif asked.zone:
        await talk.work.people.set_time_zone(person.id, asked.zone)
    if channel == MAIL and await talk.work.people.confirm_address(MAIL, pending.address):
        await talk.work.outbox.release_for_address(MAIL, pending.address, now)
    if asked.until is None:
        by, source = (asked.by, "replaced") if asked.is_offer else ("", "substitute")
        new = Successor(person.id, source, by, asked.name)
        await take_for_good(talk, table, seat, new, f"{pending.id}")
        return Handled.at(seat, "stand-in")
    await _agree(talk, table, seat, person, asked, asked.until)
    return Handled.at(seat, "stand-in")


async def _declined(
    tx: Transaction[Context], table: OpenTable, asked: Asked, asked_at: datetime
) -> None:
    seat = await is_still_wanted(tx.work, table, asked, asked_at)
    if seat is None:
        return
    if asked.cause:
        await go_on_asking(tx, table, seat, asked)
        return
    since, until = asked.since or tx.now(), asked.until or tx.now()
    await _tell_answer(tx, table, seat, asked, since, until, yes=False)


async def go_on_asking(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, asked: Asked
) -> None:
    """The next one on the list is asked; with nobody left the game masters are, but only once."""
    if not await invite_next(tx, table, seat, asked.cause, asked.missed) and asked.missed:
        await ask_masters(tx, table, seat, asked.cause, asked.missed, nobody_left=True)


async def _tell_answer(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    asked: Asked,
    since: datetime,
    until: datetime,
    *,
    yes: bool,
) -> None:
    """To the player whose seat it is, and to the game masters."""
    key = f"stand-in-answer:{seat.id}:{seat.tenure}:{since.isoformat()}:{asked.name}:{yes}"
    post = await read_post(tx, table)
    told = StandInAnswered(asked.name, since, until, yes=yes)
    own = Seats(() if asked.is_offer else (seat.number,))
    await post.tell(tx.work, (own, Masters()), told, "stand-in-answer", key)


async def _agree(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    person: PersonRow,
    asked: Asked,
    until: datetime,
) -> None:
    """It is agreed: the seat changes hands at its time, which may be now."""
    now = tx.now()
    since = max(asked.since, now) if asked.since is not None else now
    assert seat.person_id is not None  # noqa: S101 - a seat that is still wanted has somebody
    absence_id = await tx.work.absences.add(
        person_id=seat.person_id,
        game_id=table.game.id,
        since=since,
        until=until,
        substitute_id=person.id,
        created_at=now,
    )
    await log_event(
        tx,
        table.game.id,
        "seat substitute",
        {"seat": seat.name, "until": until},
        actor=asked.by,
        cause=f"substitute:{absence_id}",
    )
    if since <= now:
        one = next(
            one
            for one in await list_substitutions(tx.work, table.game.id)
            if one.absence.id == absence_id
        )
        await begin(tx, table, one)
    else:
        await _tell_answer(tx, table, seat, asked, since, until, yes=True)


# ----------------------------------------------------------------------------------- changing hands
async def begin(tx: Transaction[Context], table: OpenTable, one: Substitution) -> None:
    """The substitute has the seat from now on: they get the game so far, the player and the table
    are told.
    """
    now, seat, absence = tx.now(), one.seat, one.absence
    substitute = await tx.work.people.find(absence.substitute_id)
    if substitute is None or await why_no_seat(tx.work, table, seat, substitute.id) is not None:
        await tx.work.absences.cancel(absence.id, now)
        if substitute is not None:
            asked = Asked(seat.id, seat.tenure, substitute.name)
            await _tell_answer(tx, table, seat, asked, absence.since, absence.until, yes=False)
        return
    fresh = await hand_over(tx, table, seat, substitute.id, source=SUBSTITUTE)
    if fresh is None:
        return
    post, key = await read_post(tx, fresh), f"stands-in:{absence.id}"
    letters: list[NewLetter] = await newcomer_letters(
        tx, post, fresh.seat(seat.number), until=absence.until
    )
    letters += post.to(
        at_table(but=seat.number),
        StandsIn(seat.name, absence.until),
        "stands-in",
        key,
    )
    farewells = []
    for owner in await reach(tx.work, [one.owner_id]):
        to = owner.recipient(tx.services.key, fresh.game)
        who = Addressee(tx.services, to, owner.reader(to.token), post.facts())
        told = AwayBegun(substitute.name, absence.until)
        farewells.append(who.letter(told, "away-begun", f"{key}:{to.own}"))
    letters += await take_back_open_entries(tx, table, farewells, [seat.number])
    await queue_letters(tx.work, letters, now)


async def give_back(
    tx: Transaction[Context], table: OpenTable, one: Substitution, why: str
) -> None:
    """The seat is its player's again, once: `why` is `end`, `back` (the player says so), `resigned`
    (the substitute does) or `ejected`.
    """
    now, seat = tx.now(), one.seat
    if not await tx.work.absences.cancel(one.absence.id, now) or not one.begun:
        return
    former = await tx.work.people.find(seat.person_id)
    former_address = await mail_address_of(tx.work, seat.person_id) or ""
    fresh = await hand_over(tx, table, seat, one.owner_id, source=RETURNED)
    if fresh is None:
        return
    post, key = await read_post(tx, fresh), f"returned:{one.absence.id}"
    detail = {"seat": seat.name, "why": why}
    await log_event(tx, table.game.id, "seat returned", detail, cause=key)
    letters: list[NewLetter] = []
    if former is not None:
        to = Recipient(former_address, former.name, former.id, fresh.game, is_routed=True)
        reader = page_reader(seat, former, tx.services.policy.zone)
        substitute = Addressee(tx.services, to, reader, page_table(fresh, tx.services))
        letters.append(substitute.letter(StandInOver(seat.name, why), "stand-in-over", key))
    letters = await take_back_open_entries(tx, table, letters, [seat.number])
    if seat.number in fresh.kind.ruleset.active(fresh.state):
        letters += await newcomer_letters(tx, post, fresh.seat(seat.number))
    letters += post.to(
        at_table(but=seat.number),
        PlayerReturned(seat.name),
        "returned",
        key,
    )
    await queue_letters(tx.work, letters, now)


@dataclass(frozen=True, slots=True)
class Successor:
    """Who gets a seat for good, and how (`source`); `by` is the game master who gives it, and
    `called` how they call the newcomer.
    """

    person_id: int
    source: str
    by: str = ""
    called: str = ""


async def take_for_good(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, new: Successor, key: str
) -> OpenTable | None:
    """Somebody has the seat from now on, for good; the table is told, and the person who had it.
    None: somebody was first. What has the same `key` is done once.
    """
    kind = "replaced" if new.by else "taken-over"
    called = "" if table.hides_names else new.called
    told = Replaced(seat.name, called, new.by) if new.by else TakenOver(seat.name)

    def tell(post: Post) -> Iterable[NewLetter]:
        return post.to(at_table(but=seat.number), told, kind, f"taken-over:{key}")

    fresh = await change_hands(tx, table, seat, new, tell)
    if fresh is not None:
        detail = {"seat": seat.name}
        await log_event(tx, table.game.id, "seat taken over", detail, cause=f"taken:{key}")
    return fresh


async def change_hands(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    new: Successor,
    tell: Callable[[Post], Iterable[NewLetter]],
) -> OpenTable | None:
    """Somebody has the seat from now on, for good: the person who had it is told, the newcomer gets
    the game so far, and `tell` makes the letters to the table. None: somebody was first.
    """
    away = await find_substitution(tx.work, seat)
    owner_id = away.owner_id if away is not None else None
    losers = [who for who in {seat.person_id, owner_id} if who is not None and who != new.person_id]
    fresh = await hand_over(tx, table, seat, new.person_id, source=new.source)
    if fresh is None:
        return None
    farewells = []
    for former in await tx.work.people.list_by_ids(losers):
        address = await mail_address_of(tx.work, former.id)
        who = former_player(tx.services, fresh, seat, former, address)
        key = f"unseated:{seat.id}:{seat.tenure}:{former.id}"
        told = Unseated(new.by or tx.services.policy.name)
        farewells.append(who.letter(told, "unseated", key))
    fresh = await run_again(tx, fresh)
    post = await read_post(tx, fresh)
    letters = await take_back_open_entries(tx, table, farewells, [seat.number])
    letters += await newcomer_letters(tx, post, fresh.seat(seat.number))
    await post.send(tx.work, [*letters, *tell(post)])
    return fresh


async def come_back(tx: Transaction[Context], person: PersonRow, slug: str) -> list[GameRow]:
    """Somebody is back before the end, at that table or ("") at all: the seats are theirs again,
    and what was only agreed is off.
    """
    games = []
    for one in await list_substitutions(tx.work):
        game = (
            await tx.work.games.lock(one.absence.game_id or 0)
            if one.owner_id == person.id
            else None
        )
        if game is None or slug not in ("", game.slug, game.join_code):
            continue
        await give_back(tx, await load_table(tx, game), one, "back")
        games.append(game)
    return games


# ------------------------------------------------------------------------------------- by the sweep
async def tend_substitutes(services: Desk, game_id: int) -> None:
    """Do what is due about the people of a game that runs. May run twice, or die anywhere, without
    harm.
    """
    async with services.write() as tx:
        now, game = services.clock.now(), await tx.work.games.lock(game_id)
        if game is None or game.status not in ("running", "paused"):
            return
        for one in await list_substitutions(tx.work, game_id):
            table = await load_table(tx, game)
            if one.next_at <= now and not _closes_first(table, one.next_at):
                if one.begun or one.absence.until <= now:
                    await give_back(tx, table, one, "end")
                else:
                    await begin(tx, table, one)
        for pending in await tx.work.pending.list_open(PURPOSE):
            if pending.game_id == game_id and pending.expires_at <= now:
                await _expire(tx, game, pending)
        services.steps.reached("people.written")
    await ask_for_delivery(services, services.clock.now())


def _closes_first(table: OpenTable, instant: datetime) -> bool:
    """Whether the open phase was over before then, and is still to be closed: what was sent for it
    counts, no matter who has the seat now.
    """
    return (
        table.game.status == "running"
        and table.phase is not None
        and table.phase.deadline < instant
    )


async def _expire(tx: Transaction[Context], game: GameRow, pending: PendingRow) -> None:
    """Nobody has answered in time: it is as a no."""
    if await tx.work.pending.settle(pending.id, "expired", tx.now()) is not None:
        asked = msgspec.json.decode(pending.detail, type=Asked)
        await _declined(tx, await load_table(tx, game), asked, pending.created_at)


def check_span(since: datetime | None, until: datetime, now: datetime) -> str | None:
    """Why a substitute cannot play from then till then, as a code; None: they can."""
    if until <= max(now, since or now):
        return "past"
    return "too-long" if until - now > timedelta(days=MOST_DAYS) else None
