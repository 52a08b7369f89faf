"""A state of all that one ruler knows, for what is reckoned before anything is drawn: whatever is
hidden from them lies in it as if there were none of it.
"""

from msgspec.structs import replace

from engine.sovereigns.seasons.running_phase import WINDOWS
from engine.sovereigns.state import Kingdom, OpenBallot, State
from engine.sovereigns.view import KingdomView, OwnView, TableView


def known_state(view: TableView) -> State:
    """A function of the view alone, and `view_of` gives the same view of it back, except for the
    actions of the season closed last and their redo.
    """
    own = view.you
    return State(
        options=view.options,
        kingdoms=tuple(_kingdom(kingdom, own) for kingdom in view.kingdoms),
        seating=view.seating,
        stage=view.stage,
        year=view.year,
        season=view.season,
        hour=view.hour,
        paused=view.deadline - WINDOWS.get(view.stage, 0),
        expeditions=view.expeditions,
        fallen=max(kingdom.fell for kingdom in view.kingdoms),
        technologies=dict(view.technologies),
        loans=own.loans if own else (),
        offers=own.offers if own else (),
        ballots=tuple(
            OpenBallot(claimant, (own.number,) if own and claimant in own.voted else (), left)
            for claimant, left in view.claims
        ),
        objections=view.objections,
        rulings=own.rulings if own else (),
        winners=view.winners,
        ended_by=view.ended_by,
    )


def _kingdom(seen: KingdomView, own: OwnView | None) -> Kingdom:
    kingdom = Kingdom(
        number=seen.number,
        ruler=seen.ruler,
        colour=seen.colour,
        name=seen.name,
        total=seen.total,
        alive=seen.alive,
        support=seen.support,
        rest=seen.rest,
        mods=seen.mods,
        tech=tuple(name for name, _ in seen.tech),
        buildings=seen.buildings,
        faith=seen.faith,
        converted_by=seen.converted_by,
        security=seen.security,
        discoveries=seen.discoveries,
        claimed=seen.claimed,
        fell=seen.fell,
    )
    if own is None or own.number != seen.number:
        return kingdom
    return replace(
        kingdom,
        ex=own.ex,
        depleted=own.depleted,
        used=own.used,
        boons=own.boons,
        next=own.next,
        every_year=own.every_year,
        every_season=own.every_season,
        year_order=own.year_order,
        abdicating=own.abdicating,
        objected=own.objected,
    )
