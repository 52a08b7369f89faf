"""What pages say of chances: the answer to a supposition, and a line for a letter or a menu."""

from collections.abc import Sequence
from functools import lru_cache

from engine.fortresses import orders as o
from engine.fortresses.atlas import alliance_of, neighbours
from engine.fortresses.odds import Odds
from engine.fortresses.suppositions import odds_of
from engine.fortresses.units import NONE
from engine.fortresses.view import TableView
from engine.ruleset import Event, Problem
from pbem.games.fortresses.pages.cast import Cast, cast_of
from pbem.pages.rendering import phrase

TEMPLATE = "fortresses/odds.j2"
ENDS = (
    ("won", ("taken", "cleared")),
    ("held", ("held", "held")),
    ("nobody", ("nobody is left", "nobody is left")),
    ("no_effect", ("only Dragons are left", "only Dragons are left")),
)


def odds_line(view: TableView, order: o.Order | Odds, lines: Sequence[o.Order] = ()) -> str:
    """`62 % to take it; you lose about 2.1 units (5 gold)`; empty for what is no attack, or none
    that can be fought. `lines` are the reader's others that stand: their instructions count.
    """
    match order:
        case Odds():
            asked = order
        case o.Attack(target, groups):
            units = sum((group.units for group in groups), NONE)
            asked = Odds(target, units, view.active)
        case o.Carry():
            asked = Odds(order.drop, order.units, view.active)
        case _:
            return ""
    told = _told(view, asked, tuple(line for line in lines if isinstance(line, o.Instruction)))
    if isinstance(told, Problem):
        return ""
    return phrase(TEMPLATE, "brief", told.facts, cast_of(view, view.you))


@lru_cache(maxsize=1024)
def _told(view: TableView, asked: Odds, lines: tuple[o.Instruction, ...]) -> Event | Problem:
    """A letter asks for the same chances in three dresses."""
    return odds_of(view, asked, lines)


def rows_of(event: Event, cast: Cast) -> tuple[tuple[str, str], ...]:
    """How it may end, and how likely that is; what cannot be is left out."""
    at_sea = cast.is_sea(event.facts.zone)  # type: ignore[attr-defined]  # odds are of a zone
    found = ((words[at_sea], getattr(event.facts, name)) for name, words in ENDS)
    return tuple((words, phrase(TEMPLATE, "percent", share)) for words, share in found if share)


def example(view: TableView, words: str) -> str:
    """A question of this position: land units of the kingdom whose turn it is, and an enemy's Land
    next to them.
    """
    for zone in view.zones:
        units = dict(zone.units).get(view.active, NONE).only(("L", "K"))
        for near in neighbours(zone.name, "land") if units.total else ():
            owner = view.zone(near).owner
            if owner is not None and alliance_of(owner) != alliance_of(view.active):
                return words.format(near, units.text, zone.name)
    return words.format("Syria", "2L 1K", "Egypt")
