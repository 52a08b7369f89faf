"""Teams, places within them and factions, chosen before the start: what is possible with what
others have chosen.

The person who chooses nothing is dealt into what is free when the game starts.
"""

from collections.abc import Iterator
from string import ascii_uppercase

import msgspec

from engine.ruleset import Choices, Seat
from pbem.desk.lobby.rows import LobbyRows, choices_at, name_of_colour, team_size
from pbem.grammar import seat_wishes as said
from pbem.grammar.called import NameRefused, parse_name, skeleton
from pbem.pages.lobby_view import Refusal
from pbem.store.repositories.seats import SeatRow, fold_name
from pbem.store.work import Work


class Chosen(msgspec.Struct, frozen=True):
    """What somebody has chosen for themselves so far. `asked` is a player wished for as a mate who
    is in no team yet.
    """

    team: str | None = None
    place: int | None = None
    faction: str | None = None
    asked: int | None = None

    @staticmethod
    def of(seat: SeatRow) -> "Chosen":
        return Chosen(seat.team, seat.place, seat.faction)


def as_played(seat: Seat, choices: Choices) -> Seat:
    """A seat without what the game is not played with after all: the vote, or the game master, has
    settled it otherwise.
    """
    if not choices.teams:
        seat = msgspec.structs.replace(seat, team=None, place=None)
    return seat if seat.faction in choices.factions else msgspec.structs.replace(seat, faction=None)


def choose(rows: LobbyRows, seat: SeatRow | None, own: Chosen, wish: said.Side) -> Chosen | Refusal:
    """What somebody (on that seat, or None: who has none yet) has chosen after this wish; a refusal
    if it cannot be.
    """
    choices = choices_at(rows.table)
    others = [row for row in rows.table.seats if seat is None or row.id != seat.id]
    if isinstance(wish, said.Faction):
        return _choose_faction(choices, others, own, wish.name)
    if not choices.teams:
        return Refusal("no-teams", _written(wish))
    size = team_size(rows.table, choices)
    match wish:
        case said.Team(name=""):
            return msgspec.structs.replace(own, team=None, place=None)
        case said.Team(name=name):
            colours = rows.table.kind.colours if rows.table.hides_names else ()
            players = frozenset(name_of_colour(colour).casefold() for colour in colours)
            return _choose_team(choices, size, others, own, name, players)
        case said.Mate(name=name):
            return _choose_mate(choices, size, others, own, name)
        case said.Place(number=number):
            return _choose_place(size, others, own, number)


def _written(wish: said.Side) -> str:
    match wish:
        case said.Team(name=name):
            return f"team {name}".strip()
        case said.Mate(name=name):
            return f"with {name}"
        case said.Place(number=number):
            return f"place {number}"
    return f"faction {wish.name}"


def _choose_faction(
    choices: Choices, others: list[SeatRow], own: Chosen, name: str
) -> Chosen | Refusal:
    if name and name not in choices.factions:
        return Refusal("no-factions", f"faction {name}")
    there = tuple(row.name for row in others if name and row.faction == name)
    if there and not choices.factions_shared:
        return Refusal("faction-taken", f"faction {name}", there)
    return msgspec.structs.replace(own, faction=name or None)


def _choose_team(
    choices: Choices,
    size: int,
    others: list[SeatRow],
    own: Chosen,
    name: str,
    players: frozenset[str] = frozenset(),
) -> Chosen | Refusal:
    """`players` are what players will be called at this table, in small letters."""
    if name.isdecimal() and 1 <= int(name) <= choices.teams:
        name = ascii_uppercase[int(name) - 1]  # `team 1`
    teams = _teams(others)
    team = next((known for known in teams if fold_name(known) == fold_name(name)), None)
    if team is None:
        try:
            team = parse_name(name, players)
        except NameRefused as refused:
            return Refusal(refused.code, name[:60])
        alike = tuple(f"team {known}" for known in teams if skeleton(known) == skeleton(team))
        if alike:
            return Refusal("team-alike", team, alike)
        named = tuple(f"with {row.name}" for row in others if skeleton(row.name) == skeleton(team))
        if named:
            return Refusal("team-is-player", f"team {team}", named)
        if len(teams) >= choices.teams:
            return Refusal("teams-named", f"team {team}", tuple(f"team {known}" for known in teams))
    members = [row for row in others if row.team == team]
    if len(members) >= size:
        return Refusal("team-full", f"team {team}", tuple(row.name for row in members))
    taken = {row.place for row in members}
    place = (
        own.place
        if own.team is not None
        and fold_name(own.team) == fold_name(team)
        and own.place not in taken
        else None
    )
    return msgspec.structs.replace(own, team=team, place=place)


def _teams(seats: list[SeatRow]) -> list[str]:
    """The names of the teams there are, in the order of the seats in them."""
    return list(dict.fromkeys(row.team for row in seats if row.team is not None))


def _choose_mate(
    choices: Choices, size: int, others: list[SeatRow], own: Chosen, name: str
) -> Chosen | Refusal:
    found = _named(others, name)
    if len(found) != 1:
        options = tuple(f"with {row.name}" for row in (found or others))
        return Refusal("ambiguous-mate" if found else "unknown-mate", f"with {name}"[:60], options)
    mate = found[0]
    if mate.team is not None:
        return _choose_team(choices, size, others, own, mate.team)
    if own.team is not None:
        return msgspec.structs.replace(own, asked=mate.number)
    teams = _teams(others)
    if len(teams) >= choices.teams:
        return Refusal(
            "mate-without-team", f"with {mate.name}", tuple(f"team {known}" for known in teams)
        )
    return msgspec.structs.replace(own, team=next(_letters(teams)), place=None, asked=mate.number)


def _letters(teams: list[str]) -> Iterator[str]:
    return (
        letter
        for letter in ascii_uppercase
        if letter.casefold() not in {fold_name(team) for team in teams}
    )


def _named(seats: list[SeatRow], name: str) -> list[SeatRow]:
    """The players that a word can mean: by all of the name, else by its beginning."""
    word = fold_name(name)
    exact = [row for row in seats if fold_name(row.name) == word]
    return exact or [row for row in seats if word and fold_name(row.name).startswith(word)]


def _choose_place(size: int, others: list[SeatRow], own: Chosen, number: int) -> Chosen | Refusal:
    if number == 0:
        return msgspec.structs.replace(own, place=None)
    if own.team is None:
        return Refusal("place-without-team", f"place {number}")
    if not 1 <= number <= size:
        return Refusal("place-range", f"place {number}", (str(size),))
    there = tuple(row.name for row in others if row.team == own.team and row.place == number)
    return (
        Refusal("place-taken", f"place {number}", there)
        if there
        else msgspec.structs.replace(own, place=number)
    )


async def keep_choice(work: Work, seat: SeatRow, chosen: Chosen) -> None:
    """Write down what was chosen for a seat; the game is locked by the caller."""
    if (seat.team, seat.place) != (chosen.team, chosen.place):
        await work.seats.choose_team(seat.id, chosen.team, chosen.place)
    if seat.faction != chosen.faction:
        await work.seats.choose_faction(seat.id, chosen.faction)
