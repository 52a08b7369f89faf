"""How a game of Protectors stands or ended, and what became of each player; the words are in
`protectors/news.j2`.
"""

from engine.protectors.view import PlayerView, TableView
from pbem.games.protectors.pages.cast import cast_of
from pbem.pages.news import Lead
from pbem.pages.rendering import phrase

NEWS = "protectors/news.j2"


def outcome_of(view: TableView) -> str:
    """Who won and how; while nobody has, how it stands."""
    return (
        phrase(NEWS, "outcome", view, cast_of(view, None)) if view.ended_by else standing_of(view)
    )


def standing_of(view: TableView) -> str:
    return phrase(NEWS, "standing", view, cast_of(view, None))


def lead_of_end(view: TableView) -> Lead:
    """Who won, with how many points, and how far ahead."""
    return Lead(phrase(NEWS, "won", view, cast_of(view, None)), outcome_of(view))


def fate_of(view: TableView, player: PlayerView) -> str:
    """What became of a player, after the faction and the team where there are any."""
    return phrase(NEWS, "fate", view, player, cast_of(view, None))
