"""The letters of teams on arms, where their names have no room."""

from collections.abc import Mapping
from string import ascii_uppercase

from pbem.board.faces import legible
from pbem.games.protectors.board.scene import Scene


def team_letters(scene: Scene) -> Mapping[str, str]:
    """The letter of each player by colour, empty without teams: the initials of the teams, or
    letters in the order of their names where two begin alike.
    """
    seats = [seat for bracket in (*scene.ranking, scene.out) for seat in bracket if seat.team]
    teams = sorted({seat.team for seat in seats})
    initials = {team: legible(team.strip()[:1].upper(), "") for team in teams}
    if not all(initials.values()) or len(set(initials.values())) < len(teams):
        initials = dict(zip(teams, ascii_uppercase, strict=False))
    return {seat.colour: initials[seat.team] for seat in seats}
