"""How a game of Realm-Master stands or ended, and what became of each player, for a gallery."""

from engine.realm_master.view import HeroView, TableView
from pbem.games.realm_master.pages.cast import Cast
from pbem.pages.rendering import phrase

SUBJECTS = "realm_master/subjects.j2"


def outcome_of(view: TableView, cast: Cast) -> str:
    """Who won and how; while nobody has, how it stands."""
    if not view.ended_by:
        return phrase(SUBJECTS, "standing", view, cast.name(ranked(view)[0].number))
    return phrase(SUBJECTS, "outcome", cast.people(view.winners), view.ended_by)


def ranked(view: TableView) -> tuple[HeroView, ...]:
    """Winners first, then the living as RM-7.8 compares them, then the dead, the last to die
    first.
    """
    return tuple(
        sorted(
            view.players,
            key=lambda held: (
                held.number not in view.winners,
                not held.alive,
                -held.banners,
                -held.hearts,
                -held.gold,
                -len(held.cards),
                -held.fell_in,
                held.number,
            ),
        )
    )


def fate_of(view: TableView, held: HeroView, cast: Cast) -> str:
    killer = "" if held.fell_to is None else cast.name(held.fell_to)
    wins = held.number in view.winners
    return phrase(SUBJECTS, "fate", held, cast.hero(held.number), wins, killer)
