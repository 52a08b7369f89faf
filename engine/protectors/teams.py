"""Forming teams and placing them on the land: members lie side by side, the teams in an order that
chance deals (PR-13.1).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from string import ascii_uppercase

from engine.chance import Chance
from engine.protectors.lands import LandPlan
from engine.ruleset import Seat

Teams = Mapping[str, tuple[int, ...]]
"""The members of each team by number, in the order in which they lie on the land, clockwise."""


def team_size(count: int, players: int) -> int:
    """How many each of this many equal teams has; ValueError if equal teams of two or more cannot
    be made.
    """
    if count < 2 or players % count or players == count:
        raise ValueError(f"{players} players do not make {count} equal teams of two or more")
    return players // count


def form_teams(count: int, seats: Sequence[Seat], chance: Chance) -> Teams:
    """Form `count` teams of equal size as the seats ask. Seats that ask for none are dealt at
    random into the free places.

    Teams that nobody names are called A, B and so on. Members lie in the order of the places they
    chose within the team, the others in the order of joining between them. ValueError, naming the
    player, if the wishes do not fit.
    """
    size = team_size(count, len(seats))
    members: dict[str, list[Seat]] = {}
    for seat in seats:
        if seat.team is not None:
            if not seat.team.strip():
                raise ValueError(f"the team of {seat.name} has no name")
            members.setdefault(seat.team, []).append(seat)
    for team, found in members.items():
        if len(found) > size:
            raise ValueError(
                f"{count} teams of {size} players are wanted, and team {team} has {len(found)}:"
                f" {_names(found)}"
            )
    if len(members) > count:
        told = "; ".join(f"{team} with {_names(found)}" for team, found in members.items())
        raise ValueError(f"{count} teams are wanted, and {len(members)} are named: {told}")
    for letter in _letters(members):
        if len(members) == count:
            break
        members[letter] = []
    unnamed = {seat.name: seat for seat in seats if seat.team is None}
    if unnamed:
        drawn = iter(chance.shuffle("teams", tuple(unnamed)))
        for found in members.values():
            found += [unnamed[next(drawn)] for _ in range(size - len(found))]
    return {
        team: _in_order(team, sorted(found, key=lambda seat: seat.number))
        for team, found in members.items()
    }


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(seat.name for seat in seats)


def _letters(taken: Collection[str]) -> Iterator[str]:
    """Names for teams that have none: letters that are no other team's name."""
    folded = {team.casefold() for team in taken}
    return (letter for letter in ascii_uppercase if letter.casefold() not in folded)


def _in_order(team: str, members: Sequence[Seat]) -> tuple[int, ...]:
    places = [seat.place for seat in members if seat.place is not None]
    if len(set(places)) < len(places) or not all(1 <= place <= len(members) for place in places):
        raise ValueError(f"team {team}: places 1 to {len(members)} within the team, each once")
    chosen = {seat.place: seat.number for seat in members if seat.place is not None}
    rest = [seat.number for seat in members if seat.place is None]
    return tuple(
        chosen[place] if place in chosen else rest.pop(0) for place in range(1, len(members) + 1)
    )


def arcs_of(land: LandPlan, teams: int) -> tuple[tuple[int, ...], ...]:
    """The start provinces of each team side by side, clockwise; ValueError if this land has no such
    places.

    Where the start places of a land do not border each other, every team gets as many provinces in
    a row along the outermost ring, at equal distances, so that the land looks the same to each
    team.
    """
    size = len(land.starts) // teams
    arcs = tuple(land.starts[i * size : (i + 1) * size] for i in range(teams))
    if all(_lie_side_by_side(land, arc) for arc in arcs):
        return arcs
    outer = land.rings[-1] if land.rings else None
    if outer is None:
        raise ValueError(
            f"the start provinces of the map, in the order told, do not let teams of {size} start"
            " as neighbours"
        )
    step = outer.count // teams
    return tuple(tuple(outer.first + i * step + j for j in range(size)) for i in range(teams))


def _lie_side_by_side(land: LandPlan, arc: Sequence[int]) -> bool:
    """Whether these provinces hang together by borders among themselves."""
    reached, ahead = {arc[0]}, [arc[0]]
    while ahead:
        new = {near for near in land.neighbours(ahead.pop()) if near in arc} - reached
        reached |= new
        ahead += new
    return reached == set(arc)
