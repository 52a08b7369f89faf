"""Which of somebody's tables a message is about, on every channel: the one it names, the one it
answers, or the one spoken of last.

`G7: march ...` names a table by its number; `heron: ...` and `Heron, ...` by its short name or its
title, whole, and compared as names are (`people.names.skeleton`); the old judges' `SIGNON Aheron`
and `LIST heron` too. Inside a letter of a table a comma leads nowhere else, and what is a word of
the game, of the house, or somebody's name there is never a table.

What names none, of somebody who sits at several, is asked about once (`which_game`). In a chat the
choice stays until another table is named, thirty days at most; a mail that neither names a table
nor carries a code counts only where one table is in question, whatever was spoken of elsewhere.
"""

import dataclasses
import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

import msgspec

from pbem.desk.authentication.kept import LIVE
from pbem.desk.authentication.verdicts import (
    Facts,
    Known,
    Proven,
    Unproven,
    Verdict,
    Watching,
    WhichGame,
)
from pbem.desk.chat.inbound import first_version
from pbem.desk.envelope.message import TELEGRAM, Handled, Message
from pbem.desk.messages.conversation import Conversation, open_conversation
from pbem.desk.people.observers import find_watched
from pbem.desk.table import load_table
from pbem.game import Game, Games
from pbem.grammar.called import skeleton
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.kit.normalise import fold
from pbem.grammar.veterans import named_table
from pbem.pages.notices import NotYourGame
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
LONGEST_NAME = 120
"""So far into a line a table is named."""
MOST_SIGNS = 8

_NUMBER = re.compile(r"\s*(?:/)?[Gg](?:ame ?)?#?(?P<number>\d{1,9})[ ]*(?P<sign>[:,])[ \t]*")
_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|hallo|moin|good (?:morning|afternoon|evening))\b[^:@?\n]{0,40}\n\s*",
    re.IGNORECASE,
)
_COLONS = ":："
_NUMBER_ALONE = re.compile(r"#?\d{1,9}")
_BEHIND_NAME = re.compile(r"(?<![*_~\"'”’»)\]])[*_~\"'”’»)\]]*[:,：，][*_~\"'”’»)\]]*[ \t]*")
"""The sign behind a name, and what may stand around it: `*Heron*:`, `"Heron":`, `**Heron:**`."""
_TAKEN = frozenset(
    {"gm", "to", "press", "note", "an", "game master", "for gm", "note to gm", "to gm", "broadcast"}
)


class Named(NamedTuple):
    """The table that a text names at its beginning (None: one that is not theirs), what it says of
    it, and the name as it was written ("": a number).
    """

    game: GameRow | None
    rest: str
    name: str = ""


def parse_named(
    text: str, games: Sequence[GameRow], *, letter_of: int | None = None
) -> Named | None:
    """The table that a text names at its beginning. None: it names none. Within a letter of a table
    (`letter_of`) a comma leads to no other one.
    """
    old = named_table(text)
    if old is not None:
        tried = [skeleton(name) for name in old[0]]
        called = [game for game in games if not _skeletons(game).isdisjoint(tried)]
        if len(called) == 1:
            return Named(called[0], old[1], old[0][-1])
    numbered = _NUMBER.match(text)
    if numbered is not None:
        game = next((game for game in games if game.id == int(numbered["number"])), None)
        is_meant = game is not None and letter_of in (None, game.id)
        if numbered["sign"] == ":" or is_meant:
            return Named(game, text[numbered.end() :])
    greeting = _GREETING.match(text)
    if greeting is not None:
        return parse_named(text[greeting.end() :], games, letter_of=letter_of)
    return _by_name(text, games, letter_of)


def _by_name(text: str, games: Sequence[GameRow], letter_of: int | None) -> Named | None:
    """The longest whole name before one of the first signs: a title may hold signs itself."""
    begin = len(text) - len(text.lstrip())
    line = text[begin : begin + LONGEST_NAME].partition("\n")[0]
    known = [(game, _skeletons(game)) for game in games]
    found = None
    for sign in islice(_BEHIND_NAME.finditer(line), MOST_SIGNS):
        name = line[: sign.start()].strip()
        wanted = skeleton(name)
        called = [game for game, names in known if wanted in names]
        if len(called) != 1 or not any(map(str.isalpha, name)):
            continue
        leads_away = letter_of is not None and called[0].id != letter_of
        if leads_away and not any(colon in sign.group() for colon in _COLONS):
            continue
        found = Named(called[0], text[begin + sign.end() :], name)
    return found


def _skeletons(game: GameRow) -> frozenset[str]:
    return frozenset((skeleton(game.slug), skeleton(game.title)))


def is_word(name: str, kind: Game, people: Iterable[str]) -> bool:
    """Whether a name is a word of the game, of the house, or what somebody at the table is
    called.
    """
    plain = " ".join(re.findall(r"\w+", fold(name)))
    if plain in _TAKEN or load_words().knows(plain):
        return True
    if kind.vocabulary is not None and kind.vocabulary().knows(plain):
        return True
    alike = skeleton(name)
    return any(alike == skeleton(word) for word in (*kind.reserved_words, *kind.colours, *people))


def parse_choice(text: str, games: Sequence[GameRow]) -> tuple[GameRow, str] | None:
    """The table that an answer names, and what it says of it: `wolf`, `G7`, `7`, `wolf: bid 5`.
    None: it names none.
    """
    named = parse_named(text, games)
    if named is not None:
        return (named.game, named.rest) if named.game is not None else None
    first, _, rest = text.strip().partition("\n")
    name = first.strip(" \t.!?\"'")
    bare = parse_named(f"{'G' if _NUMBER_ALONE.fullmatch(name) else ''}{name.lstrip('#')}:", games)
    return (bare.game, rest) if bare is not None and bare.game is not None else None


@dataclasses.dataclass(frozen=True, slots=True)
class NotTheirs:
    """Proven to be of this seat's player, and about a table where they do not sit: no part of it
    may count at another one.
    """

    seat: SeatRow
    named: str


async def name_game(
    work: Work,
    kinds: Games,
    row: InboxRow,
    mail: Message,
    facts: Facts,
    verdict: Verdict,
) -> tuple[Verdict | NotTheirs, Message]:
    """The verdict on the seat that is meant, and the message without the table's name."""
    seats, known = facts.own_seats, facts.games
    if isinstance(verdict, Known) and mail.channel == TELEGRAM and mail.refused is None:
        return await find_watched(work, mail, verdict.person) or verdict, mail
    if not isinstance(verdict, Proven | WhichGame | Unproven) or mail.refused is not None:
        return verdict, mail
    if isinstance(verdict, Unproven):  # of the registered player, and perhaps not of the sender
        seats = await _seats_beside(work, verdict.seat)
        known = {
            game.id: game for game in await work.games.list_of([seat.game_id for seat in seats])
        }
    games = {
        seat.game_id: known[seat.game_id] for seat in seats if known[seat.game_id].status in LIVE
    }
    own = {seat.game_id: seat for seat in seats if seat.game_id in games}
    answered = await _answered(work, mail, own)
    letter_of = _letter_of(verdict, answered)
    named = parse_named(mail.text, list(games.values()), letter_of=letter_of)
    if named is not None and await _is_word(work, kinds, named, games, letter_of):
        named = None
    if isinstance(verdict, Unproven):
        return _name_unproven(verdict, mail, own, named)
    person_id = verdict.person.id if isinstance(verdict, WhichGame) else verdict.seat.person_id
    if named is not None:
        game = named.game
        if game is None:
            seat = verdict.seat if isinstance(verdict, Proven) else verdict.seats[0]
            return NotTheirs(seat, mail.text.partition(":")[0].strip()), mail
        mail = dataclasses.replace(mail, text=named.rest)
        mail = await _without_others(work, kinds, mail, games, game.id)
        if isinstance(verdict, Proven) and verdict.seat.game_id == game.id:
            return verdict, mail
        if mail.trust != "pass":  # the code proves another seat, and nothing else proves who wrote
            return Unproven(own[game.id], "no-code"), mail
        return Proven(own[game.id], None, is_named=mail.channel == TELEGRAM), mail
    if (watching := await _watching(work, mail, person_id, own)) is not None:
        return watching, mail
    first, noted = await first_version(work, row, mail), json.loads(row.facts)
    if ANSWERED in noted and (choice := parse_choice(mail.text, list(games.values()))) is not None:
        mail = dataclasses.replace(mail, text=choice[1])
    chosen = noted.get("seat") or (first[0].seat_id if first is not None else None)
    found = next((seat for seat in own.values() if seat.id == chosen), None) or answered
    if found is None and isinstance(verdict, WhichGame) and mail.channel == TELEGRAM:
        kept = await _find_spoken_of(work, verdict.person.id, row.received_at)
        found = next((seat for seat in verdict.seats if seat.game_id == kept), None)
    if found is None:
        about = verdict.seat.game_id if isinstance(verdict, Proven) else None
        return verdict, await _without_others(work, kinds, mail, games, about)
    if chosen == found.id:  # of a message that was kept: the name that it begins with is theirs
        kept_name = parse_named(mail.text, [games[found.game_id]], letter_of=0)
        if kept_name is not None and kept_name.name:
            mail = dataclasses.replace(mail, text=kept_name.rest)
    mail = await _without_others(work, kinds, mail, games, found.game_id)
    return Proven(found, None), mail


async def _without_others(
    work: Work, kinds: Games, mail: Message, games: dict[int, GameRow], about: int | None
) -> Message:
    """The message up to where it names another table than the one it is `about`, by its whole name
    and a colon.
    """
    if about is None or len(games) < 2:
        return mail
    lines = mail.text.splitlines()
    for at, line in enumerate(lines):
        if not any(colon in line for colon in _COLONS):
            continue
        named = parse_named(line, list(games.values()), letter_of=about)
        if named is None or named.game is None or named.game.id == about:
            continue
        if not await _is_word(work, kinds, named, games, about):
            said, elsewhere = "\n".join(lines[:at]), "\n".join(lines[at:])
            return dataclasses.replace(mail, text=said, elsewhere=elsewhere)
    return mail


def _letter_of(verdict: Verdict, answered: SeatRow | None) -> int | None:
    """The table whose letter a message answers, by its code or in a chat."""
    if isinstance(verdict, Proven | Unproven) and verdict.phase is not None:
        return verdict.seat.game_id
    return answered.game_id if answered is not None else None


async def _seats_beside(work: Work, seat: SeatRow) -> tuple[SeatRow, ...]:
    """The seats of the person who sits there."""
    if seat.person_id is None:
        return (seat,)
    seats = await work.seats.list_of_person(seat.person_id)
    return tuple(one for one in seats if one.status != "left")


def _name_unproven(
    verdict: Unproven, mail: Message, own: dict[int, SeatRow], named: Named | None
) -> tuple[Verdict, Message]:
    """The person who is registered is asked about the table that was named."""
    if named is None or named.game is None:
        return verdict, mail
    mail = dataclasses.replace(mail, text=named.rest)
    if not verdict.seats and verdict.seat.game_id == named.game.id:
        return verdict, mail
    return Unproven(own[named.game.id], verdict.reason), mail


async def _is_word(
    work: Work, kinds: Games, named: Named, games: dict[int, GameRow], letter_of: int | None
) -> bool:
    """Whether what looks like a table's name says something at the table whose letter is answered,
    or else at any of theirs.
    """
    if not named.name:
        return False
    asked = [games[letter_of]] if letter_of in games else list(games.values())
    for game in asked:
        kind = kinds.get(game.ruleset)
        people = [seat.name for seat in await work.seats.list_of_game(game.id)]
        if kind is not None and is_word(named.name, kind, people):
            return True
    return False


class _SpokenOf(msgspec.Struct, frozen=True):
    """The table that was spoken of last, and how long a message without a name is taken to be about
    it.
    """

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
    and no part of it an order.
    """
    person = (
        await work.people.find(person_id)
        if person_id is not None and mail.points_at is not None
        else None
    )
    found = await find_watched(work, mail, person, answering=True) if person is not None else None
    return found if found is not None and found.game_id not in own else None


async def tell_not_theirs(talk: Conversation[NotTheirs]) -> Handled:
    """Say that nothing was taken, and of which table that is not theirs they spoke."""
    seat, named = talk.writer.seat, talk.writer.named
    game = await talk.work.games.find(seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    table = await load_table(talk, game)
    player = await open_conversation(talk, table, seat)
    page = NotYourGame(named)
    await player.answer(page, "notice")
    return Handled("not-their-table", seat_id=seat.id)


async def _answered(work: Work, mail: Message, own: dict[int, SeatRow]) -> SeatRow | None:
    """The seat at the table that a message of ours was about, if this answers one in a chat. A mail
    carries its code.
    """
    if mail.points_at is None:
        return None
    letter = await work.outbox.find_by_message_id(mail.points_at)
    return own.get(letter.game_id) if letter is not None and letter.game_id is not None else None
