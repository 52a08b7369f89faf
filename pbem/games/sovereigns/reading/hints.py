"""Hints in sentences of this game besides their orders: a word to an open offer, terms of a bargain
or points in a sentence of their own.
"""

from collections.abc import Sequence

from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.amendments import BACK
from pbem.games.sovereigns.reading.deals import says
from pbem.games.sovereigns.reading.entries import POINTS_MISSING, OrderEntry
from pbem.games.sovereigns.reading.pieces import AMOUNTS, HEADS, TRADE
from pbem.games.sovereigns.reading.position import Position
from pbem.grammar.kit.holding import solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring

_ANSWERS = frozenset({"deal", "nay", "aye", "no"})
_DEALING = frozenset("give gives giving pay pays paying lend lends want wants expect owe".split())
_POINTED = AMOUNTS | {"BOTHOF", "NUM", "ALL", "HALF", "ELSE"}


def answers(judged: Sequence[Judged], lexemes: Sequence[Lexeme], position: Position) -> bool:
    """`Ben: no.`: a word to somebody whose offer is open."""
    named = {x.value for x in lexemes if x.kind == "WHO"}
    theirs = {offer.giver for offer in position.offers_to_me()}
    cued = any(one.clause.cue == "correct" for one in judged)
    short = len(solid_of(lexemes)) < 3
    return short and bool(named & theirs) and (cued or any(x.kind == "YES" for x in lexemes))


def waits(judged: Sequence[Judged], lexemes: Sequence[Lexeme], position: Position) -> bool:
    """Whether a sentence that orders nothing may be meant as an order: a word to an offer or a
    ballot that is open, goods for somebody, orders that are taken back.
    """
    kinds = {x.kind for x in lexemes}
    asked = any(one.claimant != position.me for one in position.state.ballots)
    asked |= bool(position.offers_to_me())
    said = bool({x.text for x in lexemes} & _ANSWERS) or "YES" in kinds
    said |= "OFFERNOUN" in kinds and any(map(says, lexemes))
    own = bool(kinds & {"OFFERNOUN", "OFFER"}) and bool(position.offers_of_mine())
    goods = {"WHO", "NUM"} <= kinds and bool(kinds & {"TECH", "KEEPS"})
    goods |= "WHO" in kinds and sum(x.kind == "TECH" for x in lexemes) > 1
    back = any(one.clause.cue == "retract" for one in judged)
    back |= any(x.kind == "NEG" and x.text.startswith(BACK) for x in lexemes)
    return (asked and said) or own or goods or back


def supposes(part: Sequence[Judged], cue: str) -> bool:
    """`if they are gone, attack Cyrene instead`."""
    said = {x.kind for one in part if one.ring is Ring.ORDER for x in one.clause.lexemes}
    return cue == "instead" and "CONDITION" in said


def bargains(entry: OrderEntry | None, lexemes: Sequence[Lexeme]) -> bool:
    """Whether a sentence mentions goods behind an offer."""
    kinds = {x.kind for x in lexemes}
    offered = entry is not None and isinstance(entry.order, o.Offer)
    goods = bool(kinds & TRADE) and bool(kinds & {"NUM", "TECH"})
    terms = {"TECH", "EXPENDED", "WITHIN", "KEEPS", "YEAREND", "FORSEASONS"}
    kept = "KEEPBACK" in kinds and bool(kinds & {"OTHER", "AM", "AR", "TECH"})
    timed = {"HOURS", "NUM"} <= kinds
    return offered and (goods or kept or timed or bool(kinds & terms))


def wants_more(entry: OrderEntry | None, lexemes: Sequence[Lexeme]) -> bool:
    """Whether what stands behind an offer for nothing may tell what it is for, in words that nobody
    knows: `Offer Borland steel. We want their gunpowder.`
    """
    if entry is None or not isinstance(entry.order, o.Offer):
        return False
    if entry.order.gives and entry.order.wants:
        return False
    words = [x for x in lexemes if x.start >= entry.end]
    said = {word for x in words for word in x.text.split()}
    deals = any(x.kind == "AGAINST" for x in words) or bool(said & _DEALING)
    return deals and not said & {"nothing", "back"}


def is_bargain(lexemes: Sequence[Lexeme]) -> bool:
    kinds = {x.kind for x in lexemes}
    return (
        "NUM" in kinds and bool(kinds & {"AR", "AM"}) and bool(kinds & {"FOR", "AGAINST", "TECH"})
    )


def proposed(entry: OrderEntry | None) -> o.Proposal | None:
    match entry:
        case OrderEntry(order=o.Do(ways=(o.Action(proposal=proposal),))):
            return proposal
    return None


def counts(entry: OrderEntry | None, lexemes: Sequence[Lexeme]) -> bool:
    """Whether a sentence mentions points behind an action that lacks them."""
    kinds = {x.kind for x in lexemes}
    return entry is not None and POINTS_MISSING in entry.warnings and bool(kinds & _POINTED)


def is_of_offer(lexemes: Sequence[Lexeme], judged: Sequence[Judged]) -> bool:
    """`my offer to Ben: forget it`, `Borland's offer: no`."""
    kinds = {x.kind for x in lexemes}
    cued = any(one.clause.cue in {"retract", "correct"} for one in judged) or "YES" in kinds
    return cued and "OFFERNOUN" in kinds and not kinds & HEADS


def is_sorry(judged: Sequence[Judged]) -> bool:
    """`Sorry Chloé, ...`, with nothing before it that it might correct."""
    first = judged[0].clause if judged else None
    called = first is not None and {x.kind for x in solid_of(first.lexemes)} == {"WHO"}
    return called and first is not None and first.cue == "soft"
