"""What a game master may do, and which table and which player a command means."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pbem.desk.gm import Refused
from pbem.desk.gm.deadlines import open_requests
from pbem.desk.gm_commands.kind import Item, Situation
from pbem.desk.people.masters import games_run_by
from pbem.desk.phases.standings import read_standings
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, decode_settings, load_table
from pbem.game import Games
from pbem.grammar.called import skeleton
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Questions, Unread
from pbem.grammar.gm.lines import nearest_name
from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.words import PHRASES
from pbem.pages.gm import Value
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

LIVE = ("open", "running", "paused")
MOST_TABLES = 5
"""The most tables that one answer shows."""


class NotDone(Exception):
    """A command that the desk refuses before it asks a use case: a code with facts, for the
    page.
    """

    def __init__(self, code: str, **facts: Value) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Asking:
    """A table whose game may wait for a word: how the answers begin that it waits for, and what
    reads them; a word on what was decided without one is an answer too.
    """

    slug: str
    words: frozenset[str]
    read: Callable[[str], object]

    def hears(self, line: str) -> bool:
        """Whether a line is an answer, or begins like one."""
        if line.split()[0].strip(".,:!").casefold() in self.words:
            return True
        try:
            self.read(line)
        except Unread:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Rights:
    """A game master, the tables they may run (the newest first), and whether they may open others.
    `default` is the table whose mail was answered.
    """

    person: PersonRow
    games: tuple[GameRow, ...]
    every_table: bool
    default: int | None
    asking: tuple[Asking, ...] = ()

    def is_ruling(self, table: str, line: str) -> bool:
        """Whether a line answers what the game asks at a table ("": at any of theirs)."""
        return any(one.hears(line) for one in self.asking if table in ("", one.slug))

    def find(self, written: str) -> GameRow:
        """The table that a command means. NotDone, with what may be meant, when it means no table,
        or several.
        """
        if written:
            slug = slug_of(written)
            found = [game for game in self.games if game.slug == slug] or [
                game for game in self.games if slug_of(game.title) == slug
            ]
            if len(found) == 1:
                return found[0]
            live = tuple(game.slug for game in self.games if game.status in LIVE)
            near = nearest_name(slug, [game.slug for game in self.games])
            raise NotDone("unknown-table", written=written, nearest=near or "", tables=live)
        mine = [game for game in self.games if game.id == self.default]
        live_games = mine or [game for game in self.games if game.status in LIVE]
        if len(live_games) == 1:
            return live_games[0]
        if not live_games:
            raise NotDone("no-table", any=bool(not self.games))
        raise NotDone("which-table", tables=tuple(game.slug for game in live_games))

    def find_all(self, written: str) -> list[str]:
        """The short names of the tables that a question is about: of all that live, where it may
        mean several.
        """
        try:
            return [self.find(written).slug]
        except NotDone as error:
            if error.code != "which-table":
                raise
        return [game.slug for game in self.games if game.status in LIVE][:MOST_TABLES]


async def read_rights(
    tx: Transaction[Context], person: PersonRow, default: int | None
) -> Rights | None:
    """None: this person runs no tables (any more)."""
    if await tx.work.masters.find(person.id) is None:
        return None
    allowed = await games_run_by(tx.work, tx.services.policy, person.id)
    games = reversed(await tx.work.games.list_by_status())
    theirs = tuple(game for game in games if allowed is None or game.id in allowed)
    asking = await _read_asking(tx, theirs)
    return Rights(person, theirs, allowed is None, default, asking)


async def _read_asking(tx: Transaction[Context], games: tuple[GameRow, ...]) -> tuple[Asking, ...]:
    asking = []
    for game in games:
        kind = tx.services.games.get(game.ruleset)
        if kind is None or kind.read_ruling is None or game.status not in ("running", "paused"):
            continue
        table = await load_table(tx, game)
        if table.phase is None:
            continue
        standings = await read_standings(tx.work, table)
        requests = kind.ruleset.ruling_requests(table.state, standings)
        answers = (answer for request in requests for answer in request.answers)
        words = frozenset(answer.split()[0].casefold() for answer in answers)
        if not requests and not await open_requests(tx.work, game):
            words = kind.ruling_words
        read = partial(kind.read_ruling, table.state, standings)
        asking.append(Asking(game.slug, words, read))
    return tuple(asking)


def lexicon_of(games: Games, rights: Rights, sender_name: str = "") -> Lexicon:
    """What the grammar must know to read this game master's mail. `sender_name` is the one that the
    mail came under.
    """
    rulesets = {
        kind.ruleset.id: Questions(kind.ruleset.questions, tuple(kind.ruleset.windows))
        for kind in games.values()
    }
    names = {
        rights.person.name,
        sender_name,
        *(decode_settings(game).gm_name for game in rights.games),
    }
    signers = {part.strip(" ,.").casefold() for name in names for part in (name, *name.split())}
    return Lexicon(
        rulesets,
        frozenset(game.slug for game in rights.games),
        frozenset(signers - {""} - set(PHRASES)),
        is_ruling=rights.is_ruling,
    )


def name_of(person: PersonRow, gm_name: str = "") -> str:
    """How a game master is called in the log and at the table."""
    return person.name or gm_name or "the game master"


async def find_playing(work: Work, table: OpenTable, player: str) -> SeatRow:
    """The seat of a player; Refused if they are out of the game."""
    seat = await find_player(work, table, player)
    if seat.number not in table.kind.ruleset.active(table.state):
        raise Refused("eliminated", f"{seat.name} is already out of the game")
    return seat


async def check_plays(situation: Situation, _item: Item, command: c.Strike | c.Remove) -> None:
    await find_playing(situation.work, situation.table, command.player)


async def find_player(work: Work, table: OpenTable, written: str) -> SeatRow:
    """The seat of a player as names are compared, or of a number; or the seat of the one person
    who sits at the table under that name of their own.
    """
    people = {
        person.id: person.name
        for person in await work.people.list_by_ids(
            [s.person_id for s in table.seats if s.person_id is not None]
        )
    }
    own = {seat.id: people.get(seat.person_id or 0, "") for seat in table.seats}
    for seat in table.seats:
        if str(seat.number) == written:
            return seat
    bare = skeleton(written)
    found = [
        seat
        for seat in table.seats
        if bare and bare in (skeleton(seat.name), skeleton(own[seat.id]))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        seats = tuple(
            f"{seat.name} (seat"
            f" {seat.number}{', ' + own[seat.id] if own[seat.id] != seat.name else ''})"
            for seat in found
        )
        raise NotDone("which-player", table=table.game.title, written=written, players=seats)
    players = tuple(
        f"{seat.name} ({own[seat.id]})" if own[seat.id] not in ("", seat.name) else seat.name
        for seat in table.seats
    )
    names = [name for seat in table.seats for name in (seat.name, own[seat.id]) if name]
    raise NotDone(
        "unknown-player",
        table=table.game.title,
        written=written,
        nearest=nearest_name(written, names) or "",
        players=players,
    )
