"""Forming teams and placing them on the land: members lie side by side, the teams in an order that chance deals (PR-13.1)."""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.protectors.lands import LandPlan
from engine.ruleset import Seat

Teams = Mapping[str, tuple[int, ...]]
"""The members of each team by number, in the order in which they lie on the land, clockwise."""


def form_teams(count: int, seats: Sequence[Seat], chance: Chance) -> Teams:
    """So many teams of equal size: those of the seats, or drawn when no seat tells one; ValueError if they do not fit.

    Members lie in the order of the places they chose within the team, the others in the order of joining between them.
    """
    if count < 2 or len(seats) % count or len(seats) == count:
        raise ValueError(f"{len(seats)} players do not make {count} equal teams of two or more")
    size = len(seats) // count
    told = [seat.team for seat in seats if seat.team is not None]
    members: dict[str, list[Seat]] = {}
    if told:
        for seat in seats:
            if seat.team is None or not seat.team.strip():
                raise ValueError(f"{seat.name} is of no team")
            members.setdefault(seat.team, []).append(seat)
    else:
        by_name = {seat.name: seat for seat in seats}
        drawn = [by_name[name] for name in chance.shuffle("teams", tuple(by_name))]
        members = {_letter(i): sorted(drawn[i * size : (i + 1) * size], key=lambda seat: seat.number) for i in range(count)}
    if len(members) != count or any(len(found) != size for found in members.values()):
        told_sizes = ", ".join(f"{team} with {len(found)}" for team, found in members.items())
        raise ValueError(f"{count} teams of {size} players are wanted, not {told_sizes}")
    return {team: _in_order(team, found) for team, found in members.items()}


def _letter(i: int) -> str:
    return chr(ord("A") + i)


def _in_order(team: str, members: Sequence[Seat]) -> tuple[int, ...]:
    places = [seat.place for seat in members if seat.place is not None]
    if len(set(places)) < len(places) or not all(1 <= place <= len(members) for place in places):
        raise ValueError(f"team {team}: places 1 to {len(members)} within the team, each once")
    chosen = {seat.place: seat.number for seat in members if seat.place is not None}
    rest = [seat.number for seat in members if seat.place is None]
    return tuple(chosen[place] if place in chosen else rest.pop(0) for place in range(1, len(members) + 1))


def arcs_of(land: LandPlan, teams: int) -> tuple[tuple[int, ...], ...]:
    """The start provinces of each team side by side, clockwise; ValueError if this land has no such places.

    Where the start places of a land do not border each other, every team gets as many provinces in a row along the outermost
    ring, at equal distances, so that the land looks the same to each team.
    """
    size = len(land.starts) // teams
    arcs = tuple(land.starts[i * size : (i + 1) * size] for i in range(teams))
    if all(_lie_side_by_side(land, arc) for arc in arcs):
        return arcs
    outer = land.rings[-1] if land.rings else None
    if outer is None:
        raise ValueError(f"the start provinces of the map, in the order told, do not let teams of {size} start as neighbours")
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
