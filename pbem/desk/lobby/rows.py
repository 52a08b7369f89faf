"""A table before its game begins, as it is read within a unit of work, and as one reader may see
it.
"""

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Choices, Ruleset
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, Settings, load_table
from pbem.grammar.called import skeleton
from pbem.grammar.joining import CODE_LENGTH, CODE_LETTERS
from pbem.grammar.lobby import Choices as Words
from pbem.pages.lobby_view import Lobby, Question, SeatInLobby
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.motions import VoteRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class LobbyRows:
    """Seats, votes and invitations of a table that has not begun. `unanswered` are the ids of seats
    whose invitation is open.
    """

    table: OpenTable
    votes: tuple[VoteRow, ...]
    unanswered: frozenset[int]
    wishes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Who of those who sit there wishes for which colours, by the person's id."""

    @property
    def game(self) -> GameRow:
        return self.table.game

    @property
    def settings(self) -> Settings:
        return self.table.settings

    @property
    def is_full(self) -> bool:
        return len(self.table.seats) >= most_players(self.table)

    @property
    def is_ready(self) -> bool:
        """Nobody else can sit down, and everybody who sits there has said so."""
        return self.is_full and not self.unanswered

    @property
    def has_voted(self) -> bool:
        """Whether everybody has answered every question put to the vote."""
        given = {(vote.seat_id, vote.question) for vote in self.votes}
        return all(
            (seat.id, question) in given
            for seat in self.table.seats
            for question in self.settings.votes
        )

    @property
    def ballot(self) -> dict[str, tuple[str, ...]]:
        """The questions put to the vote here, with their answers."""
        known = self.table.kind.ruleset.questions
        return {question: known[question] for question in self.settings.votes if question in known}

    def votes_of(self, seat: SeatRow) -> dict[str, str]:
        return {
            vote.question: vote.answer
            for vote in self.votes
            if vote.seat_id == seat.id and vote.question in self.settings.votes
        }


def most_players(table: OpenTable) -> int:
    """How many can sit at the table."""
    return table.settings.most_players or table.kind.ruleset.players[1]


async def read_lobby_rows(tx: Transaction[Context], game_id: int) -> LobbyRows:
    """Read a table as it stands now."""
    work = tx.work
    game = await work.games.find(game_id)
    if game is None:
        raise LookupError(f"there is no game {game_id}")
    table = await load_table(tx, game)
    waiting = {
        row.person_id
        for row in await work.invitations.list_of_game(game.id)
        if row.answered_at is None
    }
    unanswered = frozenset(seat.id for seat in table.seats if seat.person_id in waiting)
    people = {seat.person_id for seat in table.seats if seat.person_id is not None}
    wishes = await read_wishes(work, game.id, people)
    return LobbyRows(table, tuple(await work.votes.list_of_game(game.id)), unanswered, wishes)


def lobby_for(rows: LobbyRows, seat: SeatRow | None, now: datetime) -> Lobby:
    """What the reader on that seat (None: the game master, or somebody without one) may see."""
    table, game = rows.table, rows.game
    mine = rows.votes_of(seat) if seat is not None else {}
    here = {row.id for row in table.seats}
    counts = {
        question: sum(vote.question == question and vote.seat_id in here for vote in rows.votes)
        for question in rows.settings.votes
    }
    taken = {row.colour for row in table.seats}
    choices = choices_at(table)
    is_voting = game.voting_until is not None and game.voting_until > now
    return Lobby(
        sitting=tuple(
            SeatInLobby(
                row.number,
                row.name,
                row.colour or "",
                row.id not in rows.unanswered,
                seat is not None and row.id == seat.id,
                *_chosen(row, choices),
            )
            for row in table.seats
        ),
        least=rows.settings.least_players,
        most=most_players(table),
        starts=rows.settings.starts,
        code=game.join_code or "",
        questions=tuple(
            Question(name, answers, mine.get(name, ""), counts[name], *_unfit(rows, name))
            for name, answers in rows.ballot.items()
        ),
        free_colours=tuple(colour for colour in table.kind.colours if colour not in taken),
        expires_at=game.expires_at,
        voting_until=game.voting_until if is_voting else None,
        teams=choices.teams,
        team_size=team_size(table, choices) if choices.teams else 0,
        teams_voted=choices.teams_voted,
        factions=choices.factions,
        factions_voted=choices.factions_voted,
        factions_shared=choices.factions_shared,
        factions_later=choices.factions_later,
        wishes=rows.wishes.get(seat.person_id or 0, ()) if seat is not None else (),
    )


def _chosen(row: SeatRow, choices: Choices) -> tuple[str, int, str]:
    """Team, place and faction, as far as the game may be played with them."""
    team, place = (row.team, row.place) if choices.teams else (None, None)
    return team or "", place or 0, row.faction or "" if row.faction in choices.factions else ""


def _unfit(rows: LobbyRows, question: str) -> tuple[tuple[str, ...], int]:
    """The answers that could not be played by that many, where another can: the players of a full
    table, or those who sit there now.
    """
    settings = rows.settings
    is_fixed = settings.most_players > 0 and (
        settings.starts == "full" or settings.least_players == settings.most_players
    )
    players = settings.most_players if is_fixed else len(rows.table.seats)
    if players < settings.least_players:
        return (), 0
    options, rules = msgspec.json.decode(rows.game.options), rows.table.kind.ruleset
    fits = {
        answer: _fits(rules, options | rules.options_voted({question: answer}), players)
        for answer in rows.ballot[question]
    }
    return tuple(answer for answer, fit in fits.items() if not fit) if any(
        fits.values()
    ) else (), players


def _fits(rules: Ruleset[Any, Any], options: Mapping[str, object], players: int) -> bool:
    try:
        rules.check_players(options, players)
    except ValueError:
        return False
    return True


def choices_at(table: OpenTable) -> Choices:
    """What players choose for themselves at this table."""
    options: dict[str, Any] = msgspec.json.decode(table.game.options)
    return table.kind.ruleset.choices(options, table.settings.votes)


def team_size(table: OpenTable, choices: Choices) -> int:
    """How many a team has at most, when all seats are taken."""
    return most_players(table) // choices.teams


def words_of(rows: LobbyRows) -> Words:
    """What can be chosen in words: colours, also by their symbols, and the answers to what is voted
    on.
    """
    kind = rows.table.kind
    words: Mapping[str, str] = dict(
        zip(kind.reserved_words[len(kind.colours) :], kind.colours, strict=False)
    )
    choices = choices_at(rows.table)
    people = tuple(seat.name for seat in rows.table.seats)
    return Words(
        {colour: colour for colour in kind.colours} | dict(words),
        rows.ballot,
        choices.factions,
        people,
        bool(choices.teams),
    )


_OTHERWISE = {"grey": "Silver", "white": "Ivory"}
"""`grey` and `white` say with whose name press goes, so nobody is called so."""


def name_of_colour(colour: str) -> str:
    """What a player is called where names are hidden."""
    return _OTHERWISE.get(colour) or colour.capitalize()


SEAT_CODE_LENGTH = 10


def make_join_code(slug: str, secret: bytes) -> str:
    """`heron-k7m2qd`: the table's short name and six letters drawn from fresh random bytes (27^6
    possibilities).
    """
    digest = hashlib.sha256(b"join code|" + slug.encode() + b"|" + secret).digest()
    return f"{slug}-{_letters(digest, CODE_LENGTH)}"


def make_takeover_code(slug: str, key: bytes, seat_id: int, tenure: int) -> str:
    """`heron-` and ten letters: what gives one seat away, as long as it stands empty in this tenure
    (27^10 possibilities).
    """
    about = f"takeover code|{slug}|{seat_id}|{tenure}".encode()
    return f"{slug}-{_letters(hmac.new(key, about, hashlib.sha256).digest(), SEAT_CODE_LENGTH)}"


def _letters(digest: bytes, length: int) -> str:
    number, letters = int.from_bytes(digest, "big"), []
    for _ in range(length):
        number, index = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[index])
    return "".join(letters)


@dataclass(frozen=True, slots=True)
class Granted:
    """What somebody who had wishes wears in the game; `nth` counts the wish that it was from 1 (0:
    none of them).
    """

    name: str
    colour: str
    nth: int


def wishes_name(game_id: int) -> str:
    """The preference under which somebody's wishes at a table are kept."""
    return f"colours.{game_id}"


async def keep_wishes(work: Work, person_id: int, game_id: int, colours: Sequence[str]) -> None:
    """The newest list counts; an empty one takes it back."""
    await work.preferences.put(person_id, wishes_name(game_id), ",".join(colours) or None)


async def read_wishes(
    work: Work, game_id: int, person_ids: Collection[int]
) -> dict[int, tuple[str, ...]]:
    """The wishes of those of these people who have any."""
    rows = await work.preferences.list_of(person_ids) if person_ids else []
    return {
        row.person_id: tuple(row.value.split(","))
        for row in rows
        if row.name == wishes_name(game_id)
    }


def grant_wishes(
    table: OpenTable, wishes: Mapping[int, Sequence[str]]
) -> tuple[OpenTable, tuple[Granted, ...]]:
    """The table as its game begins, and what became of the wishes, in the order of joining."""
    asking = {
        seat.id: wishes[seat.person_id]
        for seat in table.seats
        if seat.person_id is not None and seat.person_id in wishes
    }
    worn = {seat.colour for seat in table.seats if seat.id not in asking}
    left = [colour for colour in table.kind.colours if colour not in worn]
    seats: list[SeatRow] = []
    granted: list[Granted] = []
    for seat in table.seats:
        wished = asking.get(seat.id, ())
        colour = (
            next(
                (
                    wish
                    for wish in (*wished, seat.colour, *left)
                    if wish is not None and wish in left
                ),
                None,
            )
            if wished
            else None
        )
        if colour is not None:
            left.remove(colour)
            granted.append(
                Granted(seat.name, colour, wished.index(colour) + 1 if colour in wished else 0)
            )
        name = name_of_colour(colour or "") if table.hides_names else seat.name
        worn_now = msgspec.structs.replace(seat, colour=colour, name=name)
        seats.append(worn_now if colour is not None else seat)
    return replace(table, seats=tuple(seats)), tuple(granted)


async def keep_granted(work: Work, before: OpenTable, after: OpenTable) -> None:
    """Write down who wears what from now on."""
    changed = [
        seat
        for was, seat in zip(before.seats, after.seats, strict=True)
        if was.colour != seat.colour
    ]
    for seat in changed:  # two may change with one another
        await work.seats.recolour(seat.id, None)
        if after.hides_names:
            await work.seats.rename(seat.id, f"seat {seat.number}")
    for seat in changed:
        await work.seats.recolour(seat.id, seat.colour)
        if after.hides_names:
            await work.seats.rename(seat.id, seat.name, name_key=skeleton(seat.name))
