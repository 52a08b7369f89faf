"""Every single order a player may give now, from what that player may know: help, buttons and tests
come from it.
"""

from collections.abc import Iterator

from engine.sovereigns import orders as o
from engine.sovereigns.checking.messages import refusal_of
from engine.sovereigns.codes import COSTS, ActionKind, Attribute
from engine.sovereigns.seasons.running_phase import base_of
from engine.sovereigns.setup import LEAST, START_SUM
from engine.sovereigns.state import State

_ALONE: tuple[tuple[ActionKind, Attribute], ...] = (
    ("Research", "R"),
    ("Expedition", "M"),
    ("Security", "M"),
    ("Found", "H"),
    ("Contact", "H"),
)
_AGAINST: tuple[tuple[ActionKind, Attribute], ...] = (
    ("Attack", "M"),
    ("Espionage", "M"),
    ("Theft", "M"),
    ("Spread", "H"),
    ("Foment", "H"),
)


def legal(state: State, player: int) -> Iterator[o.Order]:
    """Orders of every kind that would not be refused; of words, proposals and bargains only
    samples, for they are without number.
    """
    for order in _sayable(state, player):
        if refusal_of(state, player, order, (), ()) is None:
            yield order


def _sayable(state: State, player: int) -> Iterator[o.Order]:
    """The same with those that would be refused."""
    if state.undone is not None:
        yield from _redos(state, player)
    kingdom = state.kingdom(player)
    if not kingdom.alive:
        return
    if state.stage == "setup":
        for resources in range(LEAST, START_SUM):
            for military in range(LEAST, START_SUM - resources):
                yield o.Split(resources, military, START_SUM - resources - military)
        return
    for points in range(1, kingdom.total.H + 1):
        yield o.Year((o.Way(points=points),))
    yield o.Year((o.Way(fear=True, sure=kingdom.total.H < 1),))
    others = [number for number in state.living if number != player]
    for action in _actions(state, player, others):
        yield o.Do((action,))
    for building in COSTS:
        yield o.Build(building)
    yield o.Camp()
    yield from (o.Pass(), o.Done(), o.Claim(), o.Abdicate(), o.Forget("year"), o.Forget("season"))
    for offer in state.offers:
        if player in (offer.giver, offer.taker):
            number = offer.number_for(player)
            yield from (
                o.Answer("Accept", number),
                o.Answer("Decline", number),
                o.Answer("Withdraw", number),
            )
    for claimant in dict.fromkeys(ballot.claimant for ballot in state.ballots):
        yield from (o.Vote(yes=True, claimant=claimant), o.Vote(yes=False, claimant=claimant))
    for other in others:
        yield o.Offer(other, (o.OfferItem(1, "R"),), ())
        yield from (o.Offer(other, (o.OfferItem(technology=name),), ()) for name in kingdom.tech)
    for played in state.played:
        yield o.Object(played.number, "")
    if any(not discovery.name for discovery in kingdom.discoveries):
        yield o.Propose(o.Proposal("new ways", "STAT-ROLL R"))


def _redos(state: State, player: int) -> Iterator[o.Order]:
    """What can be done instead of an action that was taken back, as all lay before it (SF-9.13)."""
    yield o.Redo(o.Pass())
    base = base_of(state)
    others = [number for number in base.living if number != player]
    yield from (o.Redo(o.Do((action,))) for action in _actions(base, player, others))


def _actions(state: State, player: int, others: list[int]) -> Iterator[o.Action]:
    kingdom = state.kingdom(player)
    raised: tuple[Attribute, ...] = ("M", "H")
    for kind, attribute in _ALONE:
        for points in range(1, kingdom.free(attribute) + 1):
            yield o.Action(kind, attribute, points)
    for attribute in raised:
        for points in range(1, kingdom.free("R") + 1):
            yield o.Action("Increase", "R", points, raises=attribute)
    if kingdom.depleted < kingdom.ex.R:
        yield o.Action("Research", "R", 0, depleted=1)
        for attribute in raised:
            yield o.Action("Increase", "R", 0, depleted=1, raises=attribute)
    for kind, attribute in _AGAINST:
        for target in others:
            for points in range(1, kingdom.free(attribute) + 1):
                yield o.Action(kind, attribute, points, target=target)
