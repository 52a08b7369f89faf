"""A state of all that one ruler knows, for what is reckoned before anything is drawn: whatever is
hidden from them lies in it as if there were none of it.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from engine.sovereigns.codes import ActionKind
from engine.sovereigns.orders import Action, Do, Pass
from engine.sovereigns.seasons.running_phase import WINDOWS
from engine.sovereigns.state import Dice, Kingdom, OpenBallot, Played, Points, State
from engine.sovereigns.view import KingdomView, OwnView, TableView


def known_state(view: TableView) -> State:
    """A function of the view alone, and `view_of` gives the same view of it back."""
    own = view.you
    state = State(
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
        ballots=tuple(_ballots(view)),
        objections=view.objections,
        rulings=own.rulings if own else (),
        winners=view.winners,
        ended_by=view.ended_by,
    )
    before = known_state(own.redone) if own is not None and own.redone is not None else state
    played = (
        Played(number, ruler, Pass(), Dice(), before)
        if kind is None
        else Played(number, ruler, _did(kind, target), Dice(), _able(state, kind))
        for number, ruler, kind, target in view.actions
    )
    return replace(state, undone=view.undone, played=tuple(played))


def _did(kind: ActionKind, target: int | None) -> Do:
    return Do((Action(kind, "R", None, target=target),))


def _able(state: State, kind: ActionKind) -> State:
    """Where an action of that kind could be done by any kingdom."""
    kingdoms = tuple(
        Kingdom(one.number, one.ruler, total=Points(9, 9, 9), faith=int(kind == "Spread"))
        for one in state.kingdoms
    )
    return replace(state, stage="season", kingdoms=kingdoms)


def _ballots(view: TableView) -> Iterator[OpenBallot]:
    """A claimant may have two: a yes is taken for the older one."""
    own = view.you
    said = Counter(own.voted if own is not None else ())
    for claimant, left in view.claims:
        ayes = (own.number,) if own is not None and said[claimant] > 0 else ()
        said[claimant] -= 1
        yield OpenBallot(claimant, ayes, left)


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
        dealt=own.dealt,
    )
