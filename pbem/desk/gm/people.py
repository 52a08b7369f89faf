"""Who sits at a table, and what is said to them: replace a player, unlock orders, announce, answer
a note.
"""

from collections.abc import Iterable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL
from pbem.desk.gm.command import commanded
from pbem.desk.gm.tables import barred, parse_other_address
from pbem.desk.letters.post import Post, at_table, read_post
from pbem.desk.mandate import By, Refused, find_game, find_open_phase
from pbem.desk.people.eligibility import find_askers, is_barred
from pbem.desk.people.stand_ins import make_known
from pbem.desk.people.substitutions import Successor, change_hands
from pbem.desk.phases.standings import end_of_deadline
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.press.secrets import check_words_of_master
from pbem.desk.table import OpenTable, load_table, standing_of
from pbem.grammar.called import NameRefused, parse_name, skeleton
from pbem.pages.announcements import Announced, NoteAnswered, Replaced
from pbem.pages.notice import notice_page
from pbem.pages.notices import OrdersUnlocked
from pbem.store.repositories.orders import NewOrders
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

MOST_CHARACTERS = 4000


def find_seat(table: OpenTable, name: str) -> SeatRow:
    """The seat of that name (as names are compared) or number. Refused if there is none."""
    for seat in table.seats:
        if (
            str(seat.number) == name.strip()
            or seat.name == name
            or skeleton(seat.name) == skeleton(name)
        ):
            return seat
    raise Refused(
        "unknown-seat",
        f"{table.game.title} has no player {name!r}; it has"
        f" {', '.join(s.name for s in table.seats)}",
    )


def check_text(text: str) -> str:
    """Words for others, without blanks around them. Refused if there are none, or too many."""
    text = text.strip()
    if not text:
        raise Refused("no-text", "there are no words in it")
    if len(text) > MOST_CHARACTERS:
        raise Refused("too-long", f"at most {MOST_CHARACTERS} characters")
    return text


async def replace(
    services: Desk,
    slug: str,
    seat_name: str,
    new_name: str | None,
    address: str,
    by: By,
    *,
    zone: str | None = None,
) -> int:
    """Give a seat (also one that stands empty) to somebody new; its number. Everybody is told, the
    one who had it once.

    At the table the seat keeps its name: events and orders tell of it. `new_name` names the
    newcomer, for the announcement. A new tenure begins: earlier codes prove nothing and earlier
    orders of this phase count no longer. Without an address it is somebody of that name who has
    asked for the seat. The person who has not asked for it is asked first (`offer_seat`).
    """
    address = parse_other_address(services.policy, address) if address else ""
    async with commanded(services, by, "gm.replace.written") as tx:
        game, table, _phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        entry = await tx.log(
            "game replace", {"seat": seat.name, "tenure": seat.tenure + 1}, game.id
        )
        if seat.number not in table.kind.ruleset.active(table.state):
            raise Refused(
                "eliminated", f"{seat.name} is out of the game, so nobody can take the seat"
            )
        if address:
            person_id = await _person_at(tx, table, address, new_name or seat.name, zone)
        else:
            person_id = await find_asker(tx.work, table, seat, new_name or "")
        whom = address or new_name or ""
        if await is_barred(tx.work, person_id):
            raise barred(whom)
        if any(other.person_id == person_id for other in table.seats):
            raise Refused("already-seated", f"{whom} has a seat at {game.title} already")

        newcomer = "" if table.hides_names else new_name or ""

        def tell(post: Post) -> Iterable[NewLetter]:
            table = at_table(but=seat.number, commander=by.person_id)
            told = Replaced(seat.name, newcomer, by.name)
            return post.to(table, told, "replaced", f"replaced:{entry}")

        new = Successor(person_id, "replaced", by.name)
        if await change_hands(tx, table, seat, new, tell) is None:
            raise Refused("conflict", "the seat changed at the same moment; look again")
    return seat.number


async def check_newcomer(
    work: Work, table: OpenTable, seat: SeatRow, address: str, name: str, zone: str | None
) -> None:
    """Refused if nobody of that address and name can have the seat, whatever they say."""
    if seat.number not in table.kind.ruleset.active(table.state):
        raise Refused("eliminated", f"{seat.name} is out of the game, so nobody can take the seat")
    _check_words(table, name, zone)
    person = await work.people.find_by_address(MAIL, address)
    if person is not None and await is_barred(work, person.id):
        raise barred(address)
    if person is not None and any(other.person_id == person.id for other in table.seats):
        raise Refused("already-seated", f"{address} has a seat at {table.game.title} already")


async def find_asker(work: Work, table: OpenTable, seat: SeatRow, name: str) -> int:
    """The person of that name who has asked for the seat. Refused if there is none, or several."""
    found = await find_askers(work, table, seat, name)
    if len(found) == 1:
        return found[0].id
    if found:
        raise Refused(
            "several",
            f"{len(found)} people called {name!r} have asked for the seat of {seat.name}; name one"
            " with an address",
        )
    raise Refused(
        "no-address",
        f"nobody called {name!r} has asked for the seat of {seat.name}; write replace PLAYER with"
        " NAME ADDRESS",
    )


async def _person_at(
    tx: Transaction[Context], table: OpenTable, address: str, name: str, zone: str | None
) -> int:
    """The person of that address, known or new, reached there from now on."""
    name = _check_words(table, name, zone)
    now = tx.now()
    person = await tx.work.people.find_by_address(MAIL, address)
    if person is None:
        return (await make_known(tx, MAIL, address, name, zone or table.settings.zone)).id
    if zone is not None:
        await tx.work.people.set_time_zone(person.id, zone)
    if await tx.work.people.confirm_address(MAIL, address):
        await tx.work.outbox.release_for_address(MAIL, address, now)
    return person.id


def _check_words(table: OpenTable, name: str, zone: str | None) -> str:
    """The name as it is kept."""
    try:
        name = parse_name(name, frozenset(table.kind.reserved_words))
        ZoneInfo(zone or table.settings.zone)
    except NameRefused as error:
        raise Refused("bad-name", f"{name!r} cannot be a name here ({error.code})") from error
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise Refused(
            "bad-zone", f"{zone!r} is not a time zone; write a name like Europe/Berlin"
        ) from error
    return name


async def unlock(services: Desk, slug: str, seat_name: str, by: By) -> None:
    """Let a player change orders that were final, until the deadline; everybody is told (PR-1.10).

    A game master who plays here is not told whether they were final: everything looks the same,
    also to the table.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.unlock.written") as tx:
        game, table, phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        entry = await tx.log("game unlock", {"seat": seat.name, "phase": phase.number}, game.id)
        if game.status == "running" and now >= end_of_deadline(phase.deadline):
            raise Refused("too-late", "the deadline has passed; nothing can change now")
        newest = await tx.work.orders.newest(seat.id, phase.number)
        if newest is not None and standing_of(table.kind, newest, seat).final:
            await tx.work.orders.add(
                NewOrders(
                    game_id=game.id,
                    phase_number=phase.number,
                    seat_id=seat.id,
                    tenure=seat.tenure,
                    source="gm",
                    received_at=newest.received_at,
                    orders=newest.orders,
                    canonical=newest.canonical,
                    final=False,
                    created_at=now,
                )
            )
        elif not _sees_no_secrets(table, by):
            raise Refused(
                "not-final",
                f"the orders of {seat.name} are not final, so the player can change them",
            )
        await tx.tell(table, OrdersUnlocked(seat.name), "unlocked", f"unlocked:{entry}")


def _sees_no_secrets(table: OpenTable, by: By) -> bool:
    return (
        by.person_id is not None
        and not table.settings.secrets
        and any(seat.person_id == by.person_id for seat in table.seats)
    )


async def announce(services: Desk, slug: str, text: str, by: By) -> None:
    """Say something to everybody at a table, in whatever state it is."""
    text = check_text(text)
    async with commanded(services, by, "gm.announce.written") as tx:
        game = await find_game(tx.work, slug)
        table = await load_table(tx, game)
        text = check_text(await check_words_of_master(tx, table, text, by))
        entry = await tx.log("game announce", {"text": text}, game.id)
        await tx.tell(table, Announced(text, by.name), "announcement", f"announcement:{entry}")


async def answer_note(services: Desk, note_id: int, text: str, by: By) -> None:
    """Answer a player's note, to that player alone. The log does not keep the words."""
    text = check_text(text)
    async with commanded(services, by, "gm.answer_note.written") as tx:
        note = await tx.work.notes.find(note_id)
        game = await tx.work.games.find(note.game_id) if note is not None else None
        if note is None or game is None:
            raise Refused("unknown-note", f"there is no note {note_id}")
        table = await load_table(tx, game)
        text = check_text(await check_words_of_master(tx, table, text, by))
        await tx.log("note answer", {"note": note_id}, game.id, public=False)
        if not await tx.work.notes.mark_answered(note_id):
            raise Refused("already-answered", f"note {note_id} was answered before")
        post = await read_post(tx, table)
        writer = next((row for row in post.seats() if row[1].seat.id == note.seat_id), None)
        tenures = await tx.work.seats.list_tenures(note.seat_id)
        if writer is None or any(
            writer[1].seat.tenure == tenure.tenure and note.created_at < tenure.since
            for tenure in tenures
        ):
            raise Refused(
                "writer-gone",
                f"whoever wrote note {note_id} does not sit there any more, or cannot be reached",
            )
        reader, to = writer
        page = notice_page(NoteAnswered(note.text, text, by.name), post.facts(to), reader)
        await post.send(tx.work, [post.letter(to, page, "note-answer", f"note-answer:{note_id}")])


async def dismiss_note(services: Desk, note_id: int, by: By) -> None:
    """Lay a note aside without an answer, as when its writer plays no longer; nobody is told.
    Refused if it is answered or laid aside.
    """
    async with commanded(services, by, "gm.dismiss_note.written") as tx:
        note = await tx.work.notes.find(note_id)
        if note is None:
            raise Refused("unknown-note", f"there is no note {note_id}")
        await tx.log("note dismiss", {"note": note_id}, note.game_id, public=False)
        if not await tx.work.notes.mark_answered(note_id):
            raise Refused("already-answered", f"note {note_id} has been answered or closed")
