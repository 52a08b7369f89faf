"""Offers, trades and gifts (SS-5): made by one ruler, executed whole when the other accepts."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.chance import Chance
from engine.sovereigns import events as e
from engine.sovereigns.codes import Attribute
from engine.sovereigns.orders import Answer, Item, Offer
from engine.sovereigns.seasons.technologies import obtain
from engine.sovereigns.state import Loan, OpenOffer, State
from engine.sovereigns.table import Moved, Table

MOST_SEASONS = 8
"""The longest term of a loan in seasons (SS-5.6)."""

_Carried = list[tuple[Item, Attribute, Moved]]


def make_offer(table: Table, player: int, order: Offer) -> None:
    number = table.state.offered + 1
    offer = OpenOffer(number, player, order.to, order.gives, order.wants, order.hours)
    table.put(offered=number, offers=(*table.state.offers, offer))
    made = e.OfferMade(number, player, order.to, order.gives, order.wants)
    table.tell(made, ["SS-5.4", "SS-5.5"], (player, order.to))


def find_offer(state: State, player: int, order: Answer) -> OpenOffer | None:
    """The open offer that this ruler may answer so; None if there is none."""
    for offer in state.offers:
        if offer.id == order.offer and player == (
            offer.giver if order.verb == "Withdraw" else offer.taker
        ):
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
        table.tell(e.OfferClosed(offer.id, player, *parties), ["SS-5.4"], parties)
        return
    before = table.state
    if _execute(table, offer):
        done = e.Traded(offer.id, *parties, offer.gives, offer.wants)
        table.tell(done, ["SS-5.1", "SS-5.4", "SS-5.7", "SS-2.6"], parties)
    else:  # the trade fails whole, and is gone
        table.state = before
        table.tell(e.TradeFailed(offer.id, *parties), ["SS-5.7"], parties)


def would_fail(state: State, offer: OpenOffer) -> bool:
    """Whether the trade would fail if it were accepted now."""
    return not _execute(Table(state, Chance(b"")), offer)


def _execute(table: Table, offer: OpenOffer) -> bool:
    """Take from both sides, then give to both: each must hold the points before (SS-5.7)."""
    start = table.state
    sides = ((offer.giver, offer.taker, offer.gives), (offer.taker, offer.giver, offer.wants))
    if any(exceeds_own(start, giver, items) for giver, _, items in sides):
        return False
    carried = [_collect(table, giver, items) for giver, _, items in sides]
    for (giver, taker, items), load in zip(sides, carried, strict=True):
        if load is None or any(
            item.technology and item.technology not in start.kingdom(giver).tech for item in items
        ):
            return False
        for item, attribute, moved in load:
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
    return True


def exceeds_own(state: State, giver: int, items: Sequence[Item]) -> bool:
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


def _collect(table: Table, giver: int, items: Sequence[Item]) -> _Carried | None:
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
            table.tell(e.OfferExpired(offer.id, *parties), ["SS-5.5", "SS-9.2"], parties)
