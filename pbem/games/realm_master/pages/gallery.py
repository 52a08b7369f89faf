"""How a game of Realm-Master stands or ended, and what became of each player."""

from dataclasses import dataclass

from engine.realm_master.view import HeroView, TableView
from pbem.games.realm_master.pages.cast import Cast
from pbem.pages.rendering import phrase

SUBJECTS = "realm_master/subjects.j2"
NEWS = "realm_master/news.j2"


@dataclass(frozen=True, slots=True)
class Result:
    """Who won with how many banners, how many `ahead` of the next (`behind`: nobody where all
    others are dead, or where somebody has more and a game master's word decided).
    """

    winners: tuple[int, ...]
    banners: int
    ahead: int
    behind: tuple[int, ...]


def result_of(view: TableView) -> Result:
    """Of a game that is over."""
    banners = max((view.player(number).banners for number in view.winners), default=0)
    others = [held for held in view.players if held.alive and held.number not in view.winners]
    most = max((held.banners for held in others), default=0)
    if not others or most > banners:
        return Result(view.winners, banners, 0, ())
    behind = tuple(held.number for held in others if held.banners == most)
    return Result(view.winners, banners, banners - most, behind)


def outcome_of(view: TableView, cast: Cast) -> str:
    """Who won and how; while nobody has, how it stands."""
    if not view.ended_by:
        return phrase(SUBJECTS, "standing", view, cast.name(ranked(view)[0].number))
    return phrase(SUBJECTS, "outcome", result_of(view), cast, view.ended_by, view.round)


def headline_of(view: TableView, cast: Cast) -> str:
    """Who won and by how much, without a full stop."""
    return phrase(NEWS, "end", result_of(view), cast, view.ended_by)


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
