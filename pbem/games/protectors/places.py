"""Who came out where: the one order that boards, letters and archives tell the end in."""

from engine.protectors.events import Score
from engine.protectors.view import PlayerView, TableView


def ranked(view: TableView) -> list[PlayerView]:
    """The players: at the end winners first, then by the score alone (PR-14.3); before it by rank.
    Then the fallen, the last to fall first.
    """
    places = {player: place for place, (player, *_) in enumerate(view.scores)}
    return sorted(
        view.players,
        key=lambda player: (
            player.number not in view.winners,
            player.rank is None,
            places.get(player.number, player.rank or 0),
            -(player.fell_in or 0),
            player.number,
        ),
    )


def placed(view: TableView) -> list[Score]:
    """The scores of the end in that order: the first has the first place, and who is out none."""
    scores = {score[0]: score for score in view.scores}
    return [scores[player.number] for player in ranked(view) if player.number in scores]
