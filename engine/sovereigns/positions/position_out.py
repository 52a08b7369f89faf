"""Positions written out in the shape of cases (SF-3), for comparing and for `--json`."""

from collections.abc import Mapping

from engine.ruleset import Standing
from engine.sovereigns.codes import ATTRIBUTES
from engine.sovereigns.orders import Order, Year
from engine.sovereigns.positions.position_words import LASTING, YEAR_END
from engine.sovereigns.state import Discovery, Kingdom, State
from engine.sovereigns.wording import format_item, format_order


def format_position(state: State, standings: Mapping[int, Standing[Order]]) -> dict[str, object]:
    """The position as a case would tell it; pending orders for the year start, sent in Winter, are
    taken from `standings`.
    """
    names = {kingdom.number: kingdom.ruler for kingdom in state.kingdoms}
    told: dict[str, object] = {
        "year": state.year,
        "phase": state.stage,
        "hour": state.hour,
        "expeditions": state.expeditions,
        "counts": {
            "actions": state.actions,
            "offers": state.offered,
            "objections": state.objections_made,
        },
        "kingdoms": {
            names[number]: _kingdom(
                state, state.kingdom(number), names, standings.get(number, Standing())
            )
            for number in state.seating
        },
        "technologies": dict(state.technologies),
        "loans": [
            {
                "lender": names[loan.lender],
                "borrower": names[loan.borrower],
                "points": f"{loan.points}{loan.attribute}",
                "due": YEAR_END if loan.due is None else loan.due,
            }
            for loan in state.loans
        ],
        "offers": [
            {
                "id": offer.id,
                "from": names[offer.giver],
                "to": names[offer.taker],
                "gives": [format_item(item) for item in offer.gives],
                "wants": [format_item(item) for item in offer.wants],
                "left": offer.left,
            }
            for offer in state.offers
        ],
        "ballots": [
            {
                "claimant": names[ballot.claimant],
                "ayes": sorted(names[aye] for aye in ballot.ayes),
                "left": ballot.left,
            }
            for ballot in state.ballots
        ],
    }
    if state.stage in ("season", "over"):
        told["season"] = state.season
    if state.stage == "over":
        winners = [names[number] for number in state.seating if number in state.winners]
        told["winner"] = winners[0] if len(winners) == 1 else winners or "draw"
    return told


def _kingdom(
    state: State, kingdom: Kingdom, names: Mapping[int, str], standing: Standing[Order]
) -> dict[str, object]:
    if not kingdom.alive:
        return {"alive": False}
    told: dict[str, object] = {attribute: kingdom.total.of(attribute) for attribute in ATTRIBUTES}
    if kingdom.name and kingdom.name != kingdom.ruler:
        told["name"] = kingdom.name
    defence = {names[other]: amount for other, amount in kingdom.next.defence.items() if amount}
    coming = {
        key.replace("_", "-"): getattr(kingdom.next, key)
        for key in ("research", "year_start", "R", "M", "H", "roll")
    }
    year_order = next(
        (order for order in standing.orders if isinstance(order, Year)), kingdom.year_order
    )
    standing_orders = (("year", kingdom.every_year), ("season", kingdom.every_season))
    return told | {
        "alive": True,
        "ex": {attribute: kingdom.ex.of(attribute) for attribute in ATTRIBUTES},
        "depleted": kingdom.depleted,
        "support": kingdom.support,
        "rest": kingdom.rest,
        "mods": [
            {
                key: value
                for key, value in (("flat", m.flat), ("die", m.die), ("until", m.until))
                if value
            }
            for m in kingdom.mods
        ],
        "next": {key: amount for key, amount in coming.items() if amount}
        | ({"defence": defence} if defence else {}),
        "tech": list(kingdom.tech),
        "bld": [
            building.code + (LASTING if building.lasting else "") for building in kingdom.buildings
        ],
        "used": list(kingdom.used),
        "faith": kingdom.faith,
        "converted_by": [names[number] for number in kingdom.converted_by],
        "boons": list(kingdom.boons),
        "security": kingdom.security,
        "discoveries": [_discovery(discovery) for discovery in kingdom.discoveries],
        "claimed": kingdom.claimed,
        "standing": {
            key: format_order(state, order) for key, order in standing_orders if order is not None
        },
        "year_order": None if year_order is None else format_order(state, year_order),
    }


def _discovery(discovery: Discovery) -> dict[str, object]:
    if not discovery.name:
        return {"great": discovery.great}
    return {
        "great": discovery.great,
        "name": discovery.name,
        "code": discovery.code,
        "left": discovery.left,
    }
