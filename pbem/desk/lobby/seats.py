"""Seats at a table that has not begun: which names and colours are free, who sits down, and what
that means for the table.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from pbem.desk.envelope.message import MAIL, Channel
from pbem.desk.lobby.choices import Chosen, choose, keep_choice
from pbem.desk.lobby.herald import Herald
from pbem.desk.lobby.rows import (
    LobbyRows,
    keep_wishes,
    most_players,
    name_of_colour,
    read_lobby_rows,
)
from pbem.desk.people.stand_ins import make_known
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable
from pbem.grammar import seat_wishes as said
from pbem.grammar.called import NameRefused, parse_name, skeleton
from pbem.pages.lobby import FreeAgain, GmFull, GmJoined, GmLeft, MateWanted, TableFull
from pbem.pages.lobby_view import Refusal
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sits down: a person we know or not yet, their address, and what they are called and wear
    at this table.
    """

    person: PersonRow | None
    address: str
    name: str
    colour: str
    zone: str | None = None
    channel: Channel = MAIL


def check_name(table: OpenTable, text: str, seat: SeatRow | None = None) -> str | Refusal:
    """The name as it would stand at this table; a refusal when it cannot, or looks like another
    one's. `seat` is who asks.
    """
    others = [row for row in table.seats if seat is None or row.id != seat.id]
    alike = tuple(
        row.name
        for row in others
        if row.name == text.strip() or skeleton(row.name) == skeleton(text)
    )
    try:
        name = parse_name(text, frozenset(table.kind.reserved_words))
    except NameRefused as refused:
        return Refusal(
            "name-taken" if alike and refused.code == "name-mixed" else refused.code,
            text[:60],
            alike,
        )
    return Refusal("name-taken", name, alike) if alike else name


def check_colour(table: OpenTable, colour: str, seat: SeatRow | None = None) -> str | Refusal:
    if colour not in table.kind.colours:
        return Refusal("unknown-colour", colour[:60])
    if any(row.colour == colour and (seat is None or row.id != seat.id) for row in table.seats):
        return Refusal("colour-taken", colour)
    return colour


def propose_name(table: OpenTable, sayings: Iterable[str], address: str) -> str:
    """A name that is free here: of what somebody is called, their first name, all of it, else what
    stands before the @.
    """
    for candidate in _candidates(sayings, address):
        name = check_name(table, candidate)
        if isinstance(name, str):
            return name
    raise AssertionError  # a table has fewer seats than there are candidates


def _candidates(sayings: Iterable[str], address: str) -> Iterator[str]:
    local = "".join(
        letter if letter.isalpha() else " " for letter in address.partition("@")[0]
    ).split()
    for saying in (*sayings, " ".join(word.capitalize() for word in local)):
        words = saying.replace('"', " ").split()
        if words:
            yield words[0]
            yield " ".join(words)
    first = next((word.capitalize() for word in local if len(word) > 1), "Guest")
    yield from (
        f"{first} {sign}"
        for sign in (
            "of the North",
            "of the South",
            "of the East",
            "of the West",
            "the Younger",
            "the Elder",
        )
    )
    yield from (f"Guest {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def propose_colour(table: OpenTable) -> str | None:
    """The next colour that is free; None when all are worn."""
    taken = {seat.colour for seat in table.seats}
    return next((colour for colour in table.kind.colours if colour not in taken), None)


async def seat_guest(tx: Transaction[Context], table: OpenTable, guest: Guest) -> SeatRow | Refusal:
    """Sit somebody down whose name and colour were checked. The game is locked by the caller.

    Refused: `full`, `name-taken` or `colour-taken` (somebody else was quicker).
    """
    if len(table.seats) >= most_players(table):
        return Refusal("full")
    work, now, zone = tx.work, tx.now(), guest.zone or table.settings.zone
    person = guest.person or await make_known(tx, guest.channel, guest.address, guest.name, zone)
    person_id = person.id
    if guest.person is not None and guest.zone is not None:
        await work.people.set_time_zone(person_id, guest.zone)
    name = name_of_colour(guest.colour) if table.hides_names else guest.name
    seat_id = await work.seats.add(
        game_id=table.game.id,
        number=len(table.seats) + 1,
        name=name,
        colour=guest.colour,
        joined_at=now,
        person_id=person_id,
        name_key=skeleton(name),
    )
    seat = await work.seats.find(seat_id)
    await work.observers.end(
        table.game.id, person_id, now
    )  # a player does not watch, not even after they leave again
    if seat is None:
        refusals = (check_name(table, guest.name), check_colour(table, guest.colour))
        return next(
            (refusal for refusal in refusals if isinstance(refusal, Refusal)),
            Refusal("name-taken", guest.name),
        )
    return seat


VOTING = timedelta(hours=24)
"""PR-1.4: the person who has not answered by then abstains."""


async def look_after_arrival(
    tx: Transaction[Context], game_id: int, seat: SeatRow, *, is_new: bool, was_invited: bool
) -> LobbyRows:
    """Somebody sat down, or said yes to an invitation; the table as it is afterwards.

    When nobody else can sit down and all have answered, everybody is told, and the vote is open for
    a day more; a table that starts by itself, with nothing left to vote on, starts at once.
    """
    rows = await read_lobby_rows(tx, game_id)
    key = f"{seat.id}:{seat.tenure}"
    if rows.is_ready:
        rows = await _open_vote(tx, rows, key, but=frozenset({seat.id}) if is_new else frozenset())
    else:
        await Herald(tx, rows).tell_masters(
            "lobby-joined",
            f"{game_id}:{key}",
            lambda lobby: GmJoined(lobby, seat.name, was_invited=was_invited),
        )
    return rows


async def _open_vote(
    tx: Transaction[Context], rows: LobbyRows, key: str, *, but: frozenset[int]
) -> LobbyRows:
    """The table is full: the vote's clock runs from now, and everybody is told."""
    now, game_id = tx.now(), rows.game.id
    until = now + VOTING if not rows.has_voted else now if rows.settings.starts == "full" else None
    await tx.work.games.set_voting(game_id, until)
    rows = await read_lobby_rows(tx, game_id)
    herald = Herald(tx, rows)
    await herald.tell_seats("lobby-full", f"{game_id}:{key}", TableFull, but=but)
    await herald.tell_masters("lobby-full", f"{game_id}:{key}", GmFull)
    return rows


async def look_after_change(tx: Transaction[Context], game_id: int) -> None:
    """The game master has changed how the table fills or votes: it may be full by that, or no
    longer full.
    """
    rows, now = await read_lobby_rows(tx, game_id), tx.now()
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
    rows = await read_lobby_rows(tx, game_id)
    for wish in (
        said.Team(chosen.team or ""),
        said.Place(chosen.place or 0),
        said.Faction(chosen.faction or ""),
    ):
        here = next(row for row in rows.table.seats if row.id == seat.id)
        choice = choose(rows, here, Chosen.of(here), wish)
        if isinstance(choice, Chosen):
            await keep_choice(tx.work, here, choice)
            rows = await read_lobby_rows(tx, game_id)
    if chosen.asked is not None and any(row.number == chosen.asked for row in rows.table.seats):
        mate = rows.table.seat(chosen.asked)
        me = next(row for row in rows.table.seats if row.id == seat.id)
        others = frozenset(row.id for row in rows.table.seats) - {mate.id}
        await Herald(tx, rows).tell_seats(
            "lobby-mate",
            f"{game_id}:{seat.id}:{seat.tenure}",
            lambda lobby: MateWanted(lobby, me.name),
            but=others,
        )


async def free_seat(
    tx: Transaction[Context], before: LobbyRows, seat: SeatRow, *, declined: bool
) -> bool:
    """Somebody leaves a table that has not begun: those behind move up, and the table is no longer
    full. False: they no longer sit there.
    """
    now, game_id = tx.now(), before.game.id
    if not await tx.work.seats.take_away(seat, now):
        return False
    await tx.work.votes.forget(seat.id)
    if seat.person_id is not None:
        await keep_wishes(tx.work, seat.person_id, game_id, ())
    await tx.work.games.set_voting(game_id, None)
    rows = await read_lobby_rows(tx, game_id)
    herald = Herald(tx, rows)
    key = f"{seat.id}:{seat.tenure}"
    if before.is_full:
        await herald.tell_seats(
            "lobby-free",
            f"{game_id}:{key}",
            lambda lobby: FreeAgain(lobby, seat.name),
        )
    await herald.tell_masters(
        "lobby-left",
        f"{game_id}:{key}",
        lambda lobby: GmLeft(lobby, seat.name, declined=declined),
    )
    return True
