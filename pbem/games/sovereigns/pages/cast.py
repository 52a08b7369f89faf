"""Names of rulers and kingdoms in the words of one reader: what every sentence about a game of
States & Sovereigns needs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.sovereigns.codes import ActionKind
from engine.sovereigns.events import OfferFacts, number_of_offer
from engine.sovereigns.orders import Every, Order
from engine.sovereigns.state import OpenOffer, Points
from engine.sovereigns.view import OwnView, TableView
from engine.sovereigns.wording import format_order
from pbem.pages.kit import usual
from pbem.pages.kit.arms import arms_of
from pbem.pages.kit.rules import Book
from pbem.pages.rendering import clean_line

BOOK = Book("pbem.games.sovereigns", "SS")
"""The rules guide of this game."""


@dataclass(frozen=True, slots=True)
class Cast(usual.Cast):
    """Besides the rulers' names: those of the kingdoms, who lives (in seat order), the kind of the
    open phase, and what the reader alone knows: free points, open offers, the texts of kept orders.
    `signs` are the arms as phones show them, `seats` count from 1; both by number.
    """

    kingdoms: tuple[str, ...] = ()
    living: tuple[int, ...] = ()
    stage: str = "season"
    free: Points | None = None
    offers: tuple[OpenOffer, ...] = ()
    kept: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    actions: tuple[tuple[int, int, ActionKind | None, int | None], ...] = ()
    """Those of the season before: number and ruler."""

    def kingdom(self, number: int) -> str:
        """`Aldermark`; its ruler's name before it has one."""
        return self.kingdoms[number - 1] or self.name(number)

    def sign(self, number: int) -> str:
        """The arms as an emoji; empty where they are not known."""
        return self.signs[number - 1] if self.signs else ""

    def seat(self, number: int) -> str:
        """The seat, as orders and the picture name a kingdom; empty where it is not known."""
        return str(self.seats[number - 1]) if self.seats else ""

    def realm(self, number: int) -> str:
        """`Aldermark (Ann)`."""
        name = self.kingdoms[number - 1]
        return f"{name} ({self.name(number)})" if name else self.name(number)

    def parties(self, players: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.realm, players))

    def offer(self, facts: OfferFacts) -> int:
        """The number that the reader calls an offer by."""
        return number_of_offer(facts, self.you)

    def realms(self, numbers: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(map(self.kingdom, numbers))

    @property
    def others(self) -> tuple[str, ...]:
        """The living kingdoms but the reader's own."""
        return tuple(self.kingdom(number) for number in self.living if number != self.you)


def cast_of(view: TableView, you: int | None) -> Cast:
    """The cast of this table for one reader, who is the public or has this view."""
    own = view.you if you is not None and view.you is not None and view.you.number == you else None
    return Cast(
        tuple(clean_line(kingdom.ruler) for kingdom in view.kingdoms),
        you or 0,
        tuple(clean_line(kingdom.name) for kingdom in view.kingdoms),
        view.living,
        view.stage,
        own.free if own is not None else None,
        own.offers if own is not None else (),
        _kept(view, own) if own is not None else (),
        tuple(arms_of(kingdom.colour.casefold()).emoji for kingdom in view.kingdoms),
        tuple(kingdom.seat for kingdom in view.kingdoms),
        view.actions,
    )


def order_text(view: TableView, order: Order) -> str:
    """The canonical text of an order; a view names its kingdoms as a state does."""
    names: Any = view
    return format_order(names, order)


def _kept(view: TableView, own: OwnView) -> tuple[str, ...]:
    standing = (own.every_year, own.every_season)
    orders: list[Order] = [Every(order) for order in standing if order is not None]
    if own.year_order is not None:
        orders.append(own.year_order)
    return tuple(order_text(view, order) for order in orders)
