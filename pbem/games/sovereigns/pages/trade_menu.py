"""The menu of trades: open offers and their answers, and simple offers of one's own."""

from collections.abc import Sequence

from engine.sovereigns import orders as o
from engine.sovereigns.codes import Attribute
from engine.sovereigns.state import Loan
from engine.sovereigns.view import KingdomView
from engine.sovereigns.wording import format_item
from pbem.games.sovereigns.pages.choices import Menu, label
from pbem.pages.menu import MenuButton, MenuStep, Path

MOST_TRADED = 2
"""Larger bargains, and those for some seasons, are written."""
STRETCHES: tuple[o.Stretch, ...] = ("permanent", "year")
NOTHING = "nothing"


def trade(menu: Menu, path: Path) -> MenuStep | None:
    """Offers that are open, and whom to make one (SS-5.4)."""
    if menu.view.stage != "season":
        return None
    opened = [
        MenuButton(
            label("offer", offer.id, menu.view.kingdom(offer.giver), offer.giver == me),
            ("offer", str(offer.id)),
        )
        for me in (menu.own.number,)
        for offer in menu.own.offers
    ]
    others = [
        MenuButton(label("deal", menu.view.kingdom(number)), ("deal", str(number)))
        for number in menu.view.living
        if number != menu.own.number
    ]
    return menu.look("trade", menu.pages([*opened, *others], ("trade",)), ())


def offer(menu: Menu, path: Path) -> MenuStep | None:
    """An open offer, and what can be answered to it."""
    offer = next((one for one in menu.own.offers if (path[1:] or ("",))[0] == str(one.id)), None)
    if offer is None:
        return None
    verbs: tuple[tuple[str, o.Order], ...] = (
        ("accept", o.Answer("Accept", offer.id)),
        ("decline", o.Answer("Decline", offer.id)),
        ("withdraw", o.Answer("Withdraw", offer.id)),
    )
    takes = [
        MenuButton(label("answer", word), takes=menu.text(order))
        for word, order in verbs
        if order in menu.legal and menu.stands(order)
    ]
    return menu.look("offer", [takes], ("trade",), offer=offer)


def deal(menu: Menu, path: Path) -> MenuStep | None:
    """A simple offer: one thing given for one thing wanted, or a gift (SS-5.5, SS-5.6)."""
    others = [str(number) for number in menu.view.living if number != menu.own.number]
    if menu.view.stage != "season" or len(path) < 2 or path[1] not in others:
        return None
    other = menu.view.kingdom(int(path[1]))
    owed = [loan for loan in menu.own.loans if loan.borrower == menu.own.number]
    chosen: list[o.OfferItem | None] = []
    for at, (giver, taker) in enumerate(((menu.me, other), (other, menu.me))):
        items = _tradable(giver, taker, owed if giver == menu.me else ())
        named: dict[str, o.OfferItem | None] = {format_item(item): item for item in items}
        if at == 0 or chosen[0] is not None:
            named[NOTHING] = None
        head = path[: 2 + at]
        if len(path) < 3 + at or path[2 + at] not in named:
            buttons = [MenuButton(label("item", item), (*head, n)) for n, item in named.items()]
            back = head[:-1] if at else ("trade",)
            return menu.look(
                "deal",
                menu.pages(buttons, head),
                back,
                other=other,
                given=chosen[0] if at else None,
                wants=at == 1,
            )
        chosen.append(named[path[2 + at]])
    gives, wants = (() if item is None else (item,) for item in chosen)
    return menu.confirm(o.Offer(other.number, gives, wants), [], path[:3])


def _tradable(giver: KingdomView, taker: KingdomView, owed: Sequence[Loan]) -> list[o.OfferItem]:
    """Points that are one's own, a few of them, for good or for the year; technologies that the
    other lacks.
    """
    items: list[o.OfferItem] = []
    sorts: tuple[Attribute, ...] = ("R", "M")
    for attribute in sorts:
        borrowed = sum(loan.points for loan in owed if loan.attribute == attribute)
        most = min(MOST_TRADED, giver.total.of(attribute) - borrowed)
        items += [
            o.OfferItem(n, attribute, stretch) for n in range(1, most + 1) for stretch in STRETCHES
        ]
    has = {name for name, _ in taker.tech}
    return [*items, *(o.OfferItem(technology=name) for name, _ in giver.tech if name not in has)]
