"""What pages say of chances: a line for a letter or a menu, and the answer to a supposition."""

from collections.abc import Sequence

from engine.ruleset import Event
from engine.sovereigns import orders as o
from engine.sovereigns.events import ActionVoid, ChartTold, OddsTold
from engine.sovereigns.odds import (
    ActionOdds,
    YearOdds,
    known_table,
    odds_of_order,
    odds_of_year,
    permille,
)
from engine.sovereigns.seasons.seasons import construct
from engine.sovereigns.suppositions import STAGES
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.cast import Cast
from pbem.games.sovereigns.pages.events import lines_of
from pbem.pages.rendering import clean_line, phrase

TEMPLATE = "sovereigns/odds.j2"


def odds_line(view: TableView, order: o.Order, lines: Sequence[o.Order] = ()) -> str:
    """`58 % (needs 7)`, `at least 35 %: Borland can roll up to 4 dice`, `74 % for Indifference or
    better`: of the alternative that would be taken as all lies now, with the points that it would
    use. Empty for what is not rolled, or would not be now. `lines` are the reader's others that
    stand: what they build is paid before (SS-7.10).
    """
    if view.you is None or view.stage not in STAGES:
        return ""
    table, player = known_table(view), view.you.number
    if isinstance(order, o.Do) and view.stage == "season":
        construct(table, player, lines)
        told = odds_of_order(table, player, order)
        return _of_action(view, told) if isinstance(told, ActionOdds) else ""
    if isinstance(order, o.Year):
        year = odds_of_year(table, player, order)
        return "" if year is None else _of_year(year)
    return ""


def _of_action(view: TableView, odds: ActionOdds) -> str:
    return phrase(
        TEMPLATE,
        "brief",
        permille(odds.worst.passed),
        permille(odds.best.passed),
        odds.difficulty,
        odds.cases[-1].dice,
        "" if odds.target is None else name_of(view, odds.target),
    )


def _of_year(odds: YearOdds) -> str:
    quiet = odds.share("full-support", "support", "indifference")
    risings = permille(odds.share("rebellion")), permille(odds.share("coup"))
    return phrase(TEMPLATE, "brief_year", permille(quiet), *risings)


def name_of(view: TableView, number: int) -> str:
    """A kingdom's name; before it has one, its ruler's."""
    kingdom = view.kingdom(number)
    return clean_line(kingdom.name or kingdom.ruler)


# ----------------------------------------------------------------------------------- a supposition
def supposed_values(view: TableView, cast: Cast, events: Sequence[Event]) -> dict[str, object]:
    """The possible outcomes, and questions that could be asked."""
    chances = [event for event in events if isinstance(event.facts, OddsTold | ChartTold)]
    voids = [event for event in events if isinstance(event.facts, ActionVoid)]
    others = [event for event in events if event not in (*chances, *voids)]
    return {
        "chances": chances,
        "voids": voids,
        "lines": lines_of(others, cast),
        "example": "what if I roll 2 harmony?"
        if view.stage == "year-start"
        else f"what if I attack {_other(cast)} with 2?",
        "odds_example": odds_example(view, cast),
    }


def odds_example(view: TableView, cast: Cast) -> str:
    """A question of this position."""
    return (
        "odds of 2 harmony"
        if view.stage == "year-start"
        else f"odds of attacking {_other(cast)} with 3"
    )


def _other(cast: Cast) -> str:
    return next(iter(cast.others), "Borland")
