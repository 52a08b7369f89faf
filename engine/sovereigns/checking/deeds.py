"""Judging what takes effect at once: offers and answers, proposals, claims, votes and objections
(SF-4).
"""

from collections.abc import Sequence

from engine.sovereigns import orders as o
from engine.sovereigns.checking.actions import NAME, is_known
from engine.sovereigns.codes import is_code
from engine.sovereigns.seasons.running_phase import OBJECTION_HOURS
from engine.sovereigns.seasons.technologies import place_for
from engine.sovereigns.seasons.trades import MOST_SEASONS, find_offer, why_fails
from engine.sovereigns.state import State

MOST_TEXT = 2000


MOST_TRADED = 999
"""The most points of one kind in an offer; no kingdom ever has more."""
MOST_OFFERS = 12
"""The most open offers of one ruler: one to each other kingdom, and one more."""


def refusal_of_deed(state: State, player: int, order: o.Order) -> str | None:
    """The first refusal of a deed; None if it stands."""
    match order:
        case o.Offer():
            made = sum(offer.giver == player for offer in state.offers)
            return _refusal_of_offer(state, player, order) or (
                "too-many" if made >= MOST_OFFERS else None
            )
        case o.Answer():
            return "no-offer" if find_offer(state, player, order) is None else None
        case o.Propose(proposal):
            return _refusal_of_proposal(state, player, proposal)
        case o.Claim():
            return "used-up" if state.kingdom(player).claimed else None
        case o.Vote(_, claimant):
            if claimant == 0 or not is_known(state, claimant):
                return "unknown-kingdom"
            return (
                None
                if claimant != player
                and any(ballot.claimant == claimant for ballot in state.ballots)
                else "no-ballot"
            )
        case o.Object():
            return _refusal_of_objection(state, player, order)
    return None


def warnings_of_deed(state: State, player: int, order: o.Order) -> tuple[str, ...]:
    """An acceptance that will fail stands, and the offer is gone by it (SS-5.7, SS-7.12)."""
    if isinstance(order, o.Answer) and order.verb == "Accept":
        offer = find_offer(state, player, order)
        failure = None if offer is None else why_fails(state, offer)
        return () if failure is None else (failure,)
    return ()


def _refusal_of_offer(state: State, player: int, order: o.Offer) -> str | None:
    if order.to == 0 or not is_known(state, order.to):
        return "unknown-kingdom"
    if order.to == player or not state.kingdom(order.to).alive:
        return "bad-target"
    items = (*order.gives, *order.wants)
    for item in items:
        refusal = _refusal_of_item(item)
        if refusal is not None:
            return refusal
    if not items:
        return "min-one"
    if not 1 <= order.hours <= o.OFFER_HOURS:
        return "out-of-range"
    return _refusal_of_technologies(
        state, player, order.to, order.gives
    ) or _refusal_of_technologies(state, order.to, player, order.wants)


def _refusal_of_item(item: o.OfferItem) -> str | None:
    if item.technology:
        return None
    if item.building:
        return "building-trade"
    if item.attribute in (None, "H"):
        return "harmony-trade"
    if item.points < 1:
        return "min-one"
    lasts = item.stretch != "seasons" or 1 <= item.seasons <= MOST_SEASONS
    return None if lasts and item.points <= MOST_TRADED else "out-of-range"


def _refusal_of_technologies(
    state: State, giver: int, taker: int, items: Sequence[o.OfferItem]
) -> str | None:
    for item in items:
        if item.technology and item.technology not in state.kingdom(giver).tech:
            return "no-tech"
        if item.technology in state.kingdom(taker).tech:
            return "already-owned"
    return None


def _refusal_of_proposal(state: State, player: int, proposal: o.Proposal) -> str | None:
    if not is_code(proposal.code) or not NAME.fullmatch(proposal.name):
        return "no-code"
    if all(discovery.name for discovery in state.kingdom(player).discoveries):
        return "no-discovery"
    return "no-code" if place_for(state, player, proposal) is None else None


def _refusal_of_objection(state: State, player: int, order: o.Object) -> str | None:
    if state.undone is not None:  # nothing else is taken back until that is done again (SS-10.5)
        return "no-action"
    if all(played.number != order.action for played in state.played):
        return "no-action"
    if state.hour >= OBJECTION_HOURS:
        return "too-late"
    if state.kingdom(player).objected:
        return "used-up"
    return "out-of-range" if len(order.why) > MOST_TEXT or not order.why.isprintable() else None
