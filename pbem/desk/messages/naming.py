"""Which of somebody's tables a message is about, on every channel: the one it names, the one it
answers, or the one spoken of last.

`G7: march ...` and `heron: ...` name a table by its number or its short name (or as much of either
name as only one of theirs begins with), the old judges' `SIGNON Aheron` and `LIST heron` by its
short name. What names none, of somebody who sits at several, is asked about once (`which_game`). In
a chat the choice stays until another table is named, thirty days at most; a mail that neither names
a table nor carries a code counts only where one table is in question, whatever was spoken of
elsewhere.
"""

import dataclasses
import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from pbem.desk.authentication.judging import Known, Proven, Unproven, Verdict, Watching, WhichGame
from pbem.desk.authentication.kept import LIVE
from pbem.desk.chat.edits import first_version
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import TELEGRAM, Message
from pbem.desk.messages.conversation import open_conversation
from pbem.desk.people.names import skeleton
from pbem.desk.people.observing import find_watched
from pbem.desk.ports import Services
from pbem.desk.table import load_table
from pbem.grammar.veterans import named_table
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

SPOKEN_OF = "game.telegram"
"""The preference under which the choice is kept, for the chat alone."""
SPOKEN_OF_FOR = timedelta(days=30)
ANSWERED = "which"
"""The fact of a message that has answered which table is meant: what it says besides is still to be
handled.
"""
SHORTEST_PIECE = 3

_NUMBER = re.compile(r"\s*(?:/)?[Gg](?:ame ?)?#?(?P<number>\d{1,9})[ ]*:[ \t]*")
_NUMBER_ALONE = re.compile(r"#?\d{1,9}")
_NAME = re.compile(r"\s*(?P<name>[\w][\w '-]{0,60}?)[ ]*:[ \t]*")
_TAKEN = frozenset(
    {"gm", "to", "press", "note", "an", "game master", "for gm", "note to gm", "to gm", "broadcast"}
)


def parse_named(text: str, games: Sequence[GameRow]) -> tuple[GameRow | None, str] | None:
    """The table that a text names at its beginning, and what it says of it. None: it names none; a
    game of None: one that is not theirs.
    """
    old = named_table(text)
    if old is not None:
        tried = [skeleton(name) for name in old[0]]
        called = [
            game for game in games if skeleton(game.slug) in tried or skeleton(game.title) in tried
        ]
        if len(called) == 1:
            return called[0], old[1]
    numbered = _NUMBER.match(text)
    if numbered is not None:
        game = next((game for game in games if game.id == int(numbered["number"])), None)
        return game, text[numbered.end() :]
    named = _NAME.match(text)
    if named is None or named["name"].casefold() in _TAKEN:
        return None
    wanted = skeleton(named["name"])
    found = [game for game in games if wanted in (skeleton(game.slug), skeleton(game.title))]
    if not found and len(wanted) >= SHORTEST_PIECE:
        found = [
            game
            for game in games
            if skeleton(game.slug).startswith(wanted) or skeleton(game.title).startswith(wanted)
        ]
    return (found[0], text[named.end() :]) if len(found) == 1 else None


def parse_choice(text: str, games: Sequence[GameRow]) -> tuple[GameRow, str] | None:
    """The table that an answer names, and what it says of it: `wolf`, `G7`, `7`, `wolf: bid 5`.
    None: it names none.
    """
    named = parse_named(text, games)
    if named is not None:
        return (named[0], named[1]) if named[0] is not None else None
    first, _, rest = text.strip().partition("\n")
    name = first.strip(" \t.!?\"'")
    bare = parse_named(f"{'G' if _NUMBER_ALONE.fullmatch(name) else ''}{name.lstrip('#')}:", games)
    return (bare[0], rest) if bare is not None and bare[0] is not None else None


@dataclasses.dataclass(frozen=True, slots=True)
class NotTheirs:
    """Proven to be of this seat's player, and about a table where they do not sit: nothing of it
    may count at another one.
    """

    seat: SeatRow
    named: str


async def name_game(
    work: Work, row: InboxRow, mail: Message, seats: Sequence[SeatRow], verdict: Verdict
) -> tuple[Verdict | NotTheirs, Message]:
    """The verdict on the seat that is meant, and the message without the table's name."""
    if isinstance(verdict, Known) and mail.channel == TELEGRAM and mail.refused is None:
        return await find_watched(work, mail, verdict.person) or verdict, mail
    if (
        not isinstance(verdict, Proven | WhichGame | Unproven)
        or mail.refused is not None
        or (isinstance(verdict, Unproven) and not verdict.seats)
    ):
        return verdict, mail
    games = {
        game.id: game
        for seat in seats
        if (game := await work.games.find(seat.game_id)) is not None and game.status in LIVE
    }
    own = {seat.game_id: seat for seat in seats if seat.game_id in games}
    named = parse_named(mail.text, list(games.values()))
    if isinstance(verdict, Unproven):
        if named is None or named[0] is None:
            return verdict, mail
        return Unproven(own[named[0].id], verdict.reason), dataclasses.replace(mail, text=named[1])
    person_id = verdict.person.id if isinstance(verdict, WhichGame) else verdict.seat.person_id
    if named is not None:
        game, rest = named
        if game is None:
            seat = verdict.seat if isinstance(verdict, Proven) else verdict.seats[0]
            return NotTheirs(seat, mail.text.partition(":")[0].strip()), mail
        mail = dataclasses.replace(mail, text=rest)
        if isinstance(verdict, Proven) and verdict.seat.game_id == game.id:
            return verdict, mail
        if mail.trust != "pass":  # the code proves another seat, and nothing else proves who wrote
            return Unproven(own[game.id], "no-code"), mail
        return Proven(own[game.id], None, is_named=mail.channel == TELEGRAM), mail
    if (watching := await _watching(work, mail, person_id, own)) is not None:
        return watching, mail
    first, facts = await first_version(work, row, mail), json.loads(row.facts)
    if ANSWERED in facts and (choice := parse_choice(mail.text, list(games.values()))) is not None:
        mail = dataclasses.replace(mail, text=choice[1])
    chosen = facts.get("seat") or (first[0].seat_id if first is not None else None)
    found = next((seat for seat in own.values() if seat.id == chosen), None) or await _answered(
        work, mail, own
    )
    if found is None and isinstance(verdict, WhichGame) and mail.channel == TELEGRAM:
        kept = await _find_spoken_of(work, verdict.person.id, row.received_at)
        found = next((seat for seat in verdict.seats if seat.game_id == kept), None)
    return (Proven(found, None) if found is not None else verdict), mail


class _SpokenOf(msgspec.Struct, frozen=True):
    """The table that was spoken of last, and how long what names none is taken to be about it."""

    game: int
    until: datetime


async def keep_spoken_of(work: Work, seat: SeatRow, now: datetime) -> None:
    """From now on what names no table is taken to be about this one, in the player's chat."""
    kept = _SpokenOf(seat.game_id, now + SPOKEN_OF_FOR)
    if seat.person_id is not None:
        await work.preferences.put(seat.person_id, SPOKEN_OF, msgspec.json.encode(kept).decode())


async def _find_spoken_of(work: Work, person_id: int, now: datetime) -> int | None:
    value = await work.preferences.get(person_id, SPOKEN_OF)
    kept = msgspec.json.decode(value, type=_SpokenOf) if value is not None else None
    return kept.game if kept is not None and now < kept.until else None


async def _watching(
    work: Work, mail: Message, person_id: int | None, own: dict[int, SeatRow]
) -> Watching | None:
    """What a player of one table answers to a letter for observers of another one is about that,
    and nothing of it an order.
    """
    person = (
        await work.people.find(person_id)
        if person_id is not None and mail.points_at is not None
        else None
    )
    found = await find_watched(work, mail, person, answering=True) if person is not None else None
    return found if found is not None and found.game_id not in own else None


async def tell_not_theirs(
    work: Work, services: Services, row: InboxRow, mail: Message, verdict: NotTheirs
) -> Handled:
    """Say that nothing was taken, and of which table that is not theirs they spoke."""
    game = await work.games.find(verdict.seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    talk = await open_conversation(
        work, services, row, mail, await load_table(work, services.games, game), verdict.seat
    )
    await talk.answer(
        services.pages.notices.not_your_game(talk.page_table(), talk.reader, verdict.named),
        "notice",
    )
    return Handled("not-their-table", seat_id=verdict.seat.id)


async def _answered(work: Work, mail: Message, own: dict[int, SeatRow]) -> SeatRow | None:
    """The seat at the table that a message of ours was about, if this answers one in a chat. A mail
    carries its code.
    """
    if mail.points_at is None:
        return None
    letter = await work.outbox.find_by_message_id(mail.points_at)
    return own.get(letter.game_id) if letter is not None and letter.game_id is not None else None
