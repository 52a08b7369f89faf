"""What a refusal or a warning is about, as plain data for pages: the points that are free, what a
building costs, what the numbers of a split come to.
"""

from collections.abc import Mapping, Sequence

from engine.ruleset import Fact
from engine.sovereigns import orders as o
from engine.sovereigns.checking.deeds import MOST_TRADED
from engine.sovereigns.seasons.seasons import CAMP_COST, plan_for
from engine.sovereigns.state import State


def facts_of(
    state: State, player: int, code: str, order: o.Order, spent: int
) -> Mapping[str, Fact]:
    """Of an order that this code is said of; `spent` are Resources that constructions ordered
    before will take.
    """
    match code, order:
        case "split-sum", o.Split(resources, military, harmony):
            return {"sum": resources + military + harmony}
        case ("not-enough", o.Build(building)):
            plan = plan_for(state, player, building)
            cost = 0 if plan is None else plan[0]
            return {"building": building, "cost": cost, **_free(state, player, spent)}
        case ("not-enough", o.Camp()) if not state.kingdom(player).ex.M:
            return {"building": "BLD-CAMP", "attribute": "M", "expended": 0}
        case ("not-enough", o.Camp()):
            return {"building": "BLD-CAMP", "cost": CAMP_COST, **_free(state, player, spent)}
        case ("no-tech" | "already-owned", o.Build(building)):
            return {"building": building}
        case ("no-tech" | "already-owned", o.Offer()):
            return _technology(state, player, code, order)
        case ("not-enough" | "nothing-to-deplete", o.Do(ways)) if player <= len(state.kingdoms):
            kingdom = state.kingdom(player)
            short = next(
                (way for way in ways if (way.points or 0) > kingdom.free(way.attribute)), ways[0]
            )
            free = max(0, kingdom.free(short.attribute))
            return {"attribute": short.attribute, "free": free}
        case "not-enough", o.Year():
            return {"attribute": "H", "free": max(0, state.kingdom(player).total.H)}
        case "out-of-range", o.Offer(_, gives, wants) if any(
            item.points > MOST_TRADED for item in (*gives, *wants)
        ):
            return {"most": MOST_TRADED}
        case "out-of-range", o.Offer(hours=hours) if not 1 <= hours <= o.OFFER_HOURS:
            return {"hours": hours}
        case "no-action", o.Redo():
            return {"redo": True}
        case "no-code", o.Propose(proposal):
            return {"word": proposal.code}
    return {}


def _free(state: State, player: int, spent: int) -> Mapping[str, Fact]:
    return {"attribute": "R", "free": max(0, state.kingdom(player).free("R") - spent)}


def _technology(state: State, player: int, code: str, order: o.Offer) -> Mapping[str, Fact]:
    """The technology that the giver lacks, or that the taker has."""
    sides: Sequence[tuple[int, int, tuple[o.OfferItem, ...]]] = (
        (player, order.to, order.gives),
        (order.to, player, order.wants),
    )
    for giver, taker, items in sides:
        for item in items:
            owned = item.technology in state.kingdom(taker if code != "no-tech" else giver).tech
            if item.technology and owned == (code != "no-tech"):
                return {"technology": item.technology}
    return {}
