"""The table words about people, of somebody who sits there: who watches, the table's log, a
substitute, and what is said at any door.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from pbem.desk.authentication.tenures import list_substitutions
from pbem.desk.envelope.message import MAIL
from pbem.desk.gm.tables import parse_address
from pbem.desk.mandate import Refused
from pbem.desk.messages.conversation import Conversation, Player, Visitor
from pbem.desk.people.eligibility import why_no_seat
from pbem.desk.people.observers import name_watchers
from pbem.desk.people.profiles import read_viewer
from pbem.desk.people.public_requests import Here, hear
from pbem.desk.people.stand_ins import AVAILABLE, Asked, address_to_ask, ask_person
from pbem.desk.people.substitutions import MOST_DAYS, check_span, come_back
from pbem.desk.phases.motions import answer_concession, answer_draw
from pbem.desk.phases.player_time import answer_back
from pbem.desk.table import OpenTable
from pbem.grammar import people as said
from pbem.grammar.called import called, skeleton
from pbem.grammar.gm.commands import Span, Unread, WallTime
from pbem.grammar.gm.times import instant_of
from pbem.grammar.house.commands import AnyCommand, word_of
from pbem.pages.notice import Notice
from pbem.pages.page import Page
from pbem.pages.people import LogLine, StandInAsked, StandInUnclear, TableLog, WatchersListed
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

ASKED_A_DAY = 3
LINES = 40

Answer = Callable[[Conversation[Player], Any], Awaitable[Page | Notice | None]]


async def _at_the_door(talk: Conversation[Player], wish: Here) -> Page | None:
    """What somebody without a seat may say as well is heard as if they had none."""
    person = await _person(talk)
    if person is not None:
        await hear(
            talk.by(Visitor(person, is_proven=True), person),
            wish,
            f".{word_of(wish)}",
        )
    return None


async def _person(talk: Conversation[Player]) -> PersonRow | None:
    return await talk.work.people.find(talk.seat.person_id)


async def answer_back_too(talk: Conversation[Player], wish: said.Back) -> Page | Notice | None:
    """`back` of somebody who sits here: also where another plays for them. With a table's name,
    there alone.
    """
    person = await _person(talk)
    if wish.table:
        return await _at_the_door(talk, wish)
    if person is not None:
        await come_back(talk, person, "")
    return await answer_back(talk, wish)


async def _watchers(talk: Conversation[Player], wish: said.Watchers) -> Notice:
    count, names = await name_watchers(talk.work, talk.table)
    allowed = talk.table.settings.people.observers
    return WatchersListed(count, names, allowed=allowed)


async def _log(talk: Conversation[Player], wish: said.ReadLog) -> Notice:
    lines, more = await read_log(talk.work, talk.table, talk.seat, LINES)
    return TableLog(lines, more=more)


async def _stand_in(talk: Conversation[Player], wish: said.StandIn) -> Page | Notice:
    """Ask whom the player has named whether they play for them."""
    now = talk.now()

    def unclear(why: str, written: str = "") -> Notice:
        return StandInUnclear(why, written, MOST_DAYS)

    if talk.table.game.status not in ("running", "paused") or talk.seat.status != "active":
        return unclear("not-now")
    if talk.table.hides_names:  # an answer would tell whether somebody plays here
        return unclear("hidden")
    own = await list_substitutions(talk.work, talk.table.game.id)
    if any(one.seat.id == talk.seat.id for one in own):
        return unclear(
            "substitute"
            if any(one.seat.id == talk.seat.id and one.begun for one in own)
            else "already"
        )
    try:
        since = instant_of(wish.since, now, talk.reader.zone) if wish.since is not None else None
        until = _until(wish.until, since or now, talk.reader.zone)
    except Unread:
        return unclear("no-time")
    why = check_span(since, until, now)
    if why is not None:
        return unclear(why)
    found = await _find(talk, wish)
    if isinstance(found, str):
        return unclear(found, wish.who or wish.address)
    person, address = found
    why = await why_no_seat(
        talk.work, talk.table, talk.seat, person.id if person is not None else None
    )
    name = called(
        wish.who or (person.name if person is not None else ""), address.partition("@")[0]
    )
    if why is not None:
        return unclear("plays-here" if why in ("plays-here", "knew-another-seat") else why, name)
    asked_today = await talk.work.pending.count_asked_since(
        "stand-in", talk.seat.id, now - timedelta(days=1)
    )
    asked = Asked(
        talk.seat.id,
        talk.seat.tenure,
        name,
        person.id if person is not None else None,
        since if since is not None and since > now else None,
        until,
        talk.seat.name,
    )
    if (
        asked_today >= ASKED_A_DAY
        or await ask_person(talk, talk.table, talk.seat, address, asked) is None
    ):
        return unclear("too-often")
    return StandInAsked(name, asked.since, until)


def _until(until: WallTime | Span, since: datetime, zone: str) -> datetime:
    return (
        since + timedelta(minutes=until.minutes)
        if isinstance(until, Span)
        else instant_of(until, since, zone)
    )


async def _find(
    talk: Conversation[Player], wish: said.StandIn
) -> tuple[PersonRow | None, str] | str:
    """Who is meant, with a mail address (or their chat); or why nobody. By name alone only whom the
    player knows: observers here, those of games they share, and those who have said that they can
    substitute.
    """
    work = talk.work
    if wish.address:
        try:
            address = parse_address(wish.address)
        except Refused:
            return "bad-address"
        person = await work.people.find_by_address(MAIL, address)
        own = talk.services.policy.is_own(address) or (
            person is not None and person.id == talk.seat.person_id
        )
        return "own-address" if own else (person, address)
    known = {row.person_id for row in await work.observers.list_of_game(talk.table.game.id)}
    known |= set(await work.preferences.list_named(AVAILABLE))
    called: dict[int, set[str]] = {}
    viewer = (
        await read_viewer(work, talk.seat.person_id) if talk.seat.person_id is not None else None
    )
    for game_id in viewer.games if viewer is not None else ():
        for seat in await work.seats.list_of_game(game_id):
            if seat.person_id is not None:
                known.add(seat.person_id)
                called.setdefault(seat.person_id, set()).add(skeleton(seat.name))
    wanted = skeleton(wish.who)
    found = [
        person
        for person in await work.people.list_by_ids(known - {talk.seat.person_id or 0})
        if wanted in {skeleton(person.name), *called.get(person.id, ())}
    ]
    if len(found) != 1:
        return "several" if found else "unknown"
    reached = await address_to_ask(work, found[0].id)
    return (found[0], reached) if reached is not None else "unreachable"


PEOPLE_WORDS: Mapping[type[AnyCommand], Answer] = {
    said.Observe: _at_the_door,
    said.StopObserving: _at_the_door,
    said.TakeOver: _at_the_door,
    said.Available: _at_the_door,
    said.ForgetMe: _at_the_door,
    said.OwnData: _at_the_door,
    said.Back: answer_back_too,
    said.Watchers: _watchers,
    said.ReadLog: _log,
    said.StandIn: _stand_in,
    said.Draw: answer_draw,
    said.Concede: answer_concession,
}


READ = 1000
TOLD = (
    "told",
    "seat",
    "player",
    "name",
    "phase",
    "from",
    "to",
    "until",
    "reason",
    "text",
    "missed",
    "players",
    "reshuffle",
    "version",
    "options",
)
"""What of an entry's detail is told; anything else stays with the game masters."""
INSTANTS = frozenset({"from", "to", "until"})
HOUSE = "the game master"
HIDDEN_ADDRESS = "(an address)"
_ADDRESS = re.compile(r"(?<![^\s<>@,;:()])[^\s<>@,;:()]++@[^\s<>@,;:()]+")
HIDDEN = frozenset(
    {"gm asked", "note dismiss", "seat asked for", "substitute asked", "seat missed"}
)
"""Entries about a game master's own mails."""


async def read_log(
    work: Work, table: OpenTable, seat: SeatRow, most: int
) -> tuple[tuple[LogLine, ...], bool]:
    """The newest entries that this seat may read, the oldest of them first; and whether there were
    more.

    An entry that is not for everybody is read by the seat that it names, from the beginning of its
    present tenure on: what was done about the person who had it before is theirs.
    """
    since = next(
        (row.since for row in await work.seats.list_tenures(seat.id) if row.tenure == seat.tenure),
        None,
    )
    found = []
    for row in await work.log.list_of_game(table.game.id, limit=READ):
        detail: dict[str, Any] = msgspec.json.decode(row.detail)
        is_own = (
            detail.get("seat") == seat.name
            and (since is None or row.at >= since)
            and row.command not in HIDDEN
        )
        if row.public or is_own:
            found.append(_line(row, detail))
    return tuple(reversed(found[:most])), len(found) > most


def _line(row: GmLogRow, detail: Mapping[str, Any]) -> LogLine:
    said = tuple(
        (key, _told(key, detail[key]))
        for key in TOLD
        if key in detail and detail[key] not in (None, "", False, [], {})
    )
    by = HOUSE if "@" in row.actor else row.actor
    return LogLine(row.at, by, row.command, said, is_private=not row.public)


def _told(key: str, value: object) -> str | datetime:
    """Instants as such, to be told in the reader's own time; all else as text, without anybody's
    address.
    """
    if isinstance(value, str) and key in INSTANTS:
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return _ADDRESS.sub(HIDDEN_ADDRESS, value)
    if isinstance(value, dict):
        value = ", ".join(f"{name} {said}" for name, said in value.items())
    elif isinstance(value, list) and key == "told":
        value = " ".join(map(str, value)).removesuffix(".")
    elif isinstance(value, list):
        value = ", ".join(map(str, value))
    return _ADDRESS.sub(HIDDEN_ADDRESS, str(value))
