"""Offers, trades and gifts (SS-5): made by one ruler, executed whole when the other accepts."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from engine.chance import Chance
from engine.sovereigns import events as e
from engine.sovereigns.codes import Attribute
from engine.sovereigns.orders import Answer, Offer, OfferItem
from engine.sovereigns.seasons.technologies import obtain
from engine.sovereigns.state import Loan, OpenOffer, State
from engine.sovereigns.table import Moved, Table

MOST_SEASONS = 8
"""The longest term of a loan in seasons (SS-5.6)."""

Failure = Literal["not-enough", "already-owned"]
"""Why a trade fails whole: a side lacks what it should give, or the other has it already."""
_RULES_OF: Mapping[Failure, Sequence[str]] = {"not-enough": (), "already-owned": ("SS-7.12",)}
_Carried = list[tuple[OfferItem, Attribute, Moved]]


def make_offer(table: Table, player: int, order: Offer, *, numbered: bool) -> None:
    """`numbered`: its two rulers each call it by a number of their own. Without such numbers it is
    called by its id, as in records that are older than they are.
    """
    parties = (player, order.to)
    numbers = _numbers(table, *parties) if numbered and not table.state.by_table else None
    offer = OpenOffer(
        table.state.offered + 1, *parties, order.gives, order.wants, order.hours, numbers
    )
    table.put(offered=offer.id, offers=(*table.state.offers, offer))
    made = e.OfferMade(offer.id, *parties, order.gives, order.wants, _told(offer))
    table.tell(made, ["SS-5.4", "SS-5.5"], parties)


def _numbers(table: Table, giver: int, taker: int) -> tuple[int, int]:
    """The giver's and the taker's number of a new offer. Each counts only the offers that they have
    made or got (SS-5.4). Ids once used as such numbers are not used again.
    """
    told = table.state.offered - table.state.numbered
    table.put(numbered=table.state.numbered + 1)
    for party in (giver, taker):
        table.change(party, dealt=table.of(party).dealt + 1)
    return told + table.of(giver).dealt, told + table.of(taker).dealt


def _told(offer: OpenOffer) -> e.Numbers:
    return UNSET if offer.numbers is None else offer.numbers


def find_offer(state: State, player: int, order: Answer) -> OpenOffer | None:
    """The open offer that this ruler may answer so; None if there is none."""
    for offer in state.offers:
        answers = offer.giver if order.verb == "Withdraw" else offer.taker
        if player == answers and offer.number_for(player) == order.offer:
            return offer
    return None


def answer(table: Table, player: int, order: Answer) -> None:
    """Accept, decline or withdraw; ValueError if there is no such offer."""
    offer = find_offer(table.state, player, order)
    if offer is None:
        raise ValueError("no-offer")
    parties = (offer.giver, offer.taker)
    table.put(offers=tuple(other for other in table.state.offers if other != offer))
    if order.verb != "Accept":
        table.tell(e.OfferClosed(offer.id, player, *parties, _told(offer)), ["SS-5.4"], parties)
        return
    before = table.state
    failure = _execute(table, offer)
    if failure is None:
        done = e.Traded(offer.id, *parties, offer.gives, offer.wants, _told(offer))
        table.tell(done, ["SS-5.1", "SS-5.4", "SS-5.7", "SS-2.6"], parties)
    else:  # the trade fails whole, and is gone
        table.state = before
        table.tell(
            e.TradeFailed(offer.id, *parties, _told(offer)),
            ["SS-5.7", *_RULES_OF[failure]],
            parties,
        )


def why_fails(state: State, offer: OpenOffer) -> Failure | None:
    """Why the trade would fail if it were accepted now; None if it would not."""
    return _execute(Table(state, Chance(b"")), offer)


def _execute(table: Table, offer: OpenOffer) -> Failure | None:
    """Take from both sides, then give to both: each must hold what it gives before (SS-5.7), and
    nobody pays for a technology that they have (SS-7.12). Else why not; the table is spoilt then.
    """
    start = table.state
    sides = ((offer.giver, offer.taker, offer.gives), (offer.taker, offer.giver, offer.wants))
    if any(exceeds_own(start, giver, items) for giver, _, items in sides):
        return "not-enough"
    carried = [_collect(table, giver, items) for giver, _, items in sides]
    if any(load is None for load in carried):
        return "not-enough"
    for giver, taker, items in sides:
        names = {item.technology for item in items if item.technology}
        if not names <= set(start.kingdom(giver).tech):
            return "not-enough"
        if names & set(start.kingdom(taker).tech):
            return "already-owned"
    for (giver, taker, items), load in zip(sides, carried, strict=True):
        for item, attribute, moved in load or ():
            table.give(taker, attribute, moved)
            if item.stretch != "permanent":
                loan = Loan(
                    giver,
                    taker,
                    attribute,
                    item.points,
                    item.seasons if item.stretch == "seasons" else None,
                )
                table.put(loans=(*table.state.loans, loan))
        for item in items:
            if item.technology:
                obtain(table, taker, item.technology, "SS-5.3")
    return None


def exceeds_own(state: State, giver: int, items: Sequence[OfferItem]) -> bool:
    """Whether a side would give more than its total less what it has borrowed (SS-5.11, SF-9.2)."""
    attributes: tuple[Attribute, ...] = ("R", "M")
    for attribute in attributes:
        wanted = sum(item.points for item in items if item.attribute == attribute)
        borrowed = sum(
            loan.points
            for loan in state.loans
            if loan.borrower == giver and loan.attribute == attribute
        )
        if wanted and wanted > state.kingdom(giver).total.of(attribute) - borrowed:
            return True
    return False


def _collect(table: Table, giver: int, items: Sequence[OfferItem]) -> _Carried | None:
    """The points of one side on their way; None if there are too few (SS-5.8)."""
    load: _Carried = []
    for item in items:
        if item.attribute is not None:
            kingdom = table.of(giver)
            if item.points > (
                kingdom.total.of(item.attribute) if item.expended else kingdom.free(item.attribute)
            ):
                return None
            load.append(
                (item, item.attribute, table.take(giver, item.attribute, item.points, home=False))
            )
    return load


def expire(table: Table, *, at_close: bool) -> None:
    """An hour passes over the open offers, or their season closes (SS-5.5)."""
    left = tuple(replace(offer, left=offer.left - 1) for offer in table.state.offers)
    table.put(offers=() if at_close else tuple(offer for offer in left if offer.left > 0))
    for offer in left:
        if at_close or offer.left <= 0:
            parties = (offer.giver, offer.taker)
            table.tell(
                e.OfferExpired(offer.id, *parties, _told(offer)), ["SS-5.5", "SS-9.2"], parties
            )
