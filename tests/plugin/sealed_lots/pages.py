"""The pages of Sealed Lots: the usual ones, with the words of `templates/`."""

from collections.abc import Sequence

from engine.ruleset import Event
from pbem.pages.archive import Area, Chip, Close, Dot, Dots, Plot
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.kit.rules import Book
from pbem.pages.kit.usual import Cast, UsualPages
from pbem.pages.kit.usual_menu import UsualMenu
from pbem.pages.news import News
from pbem.pages.rendering import phrase
from sealed_lots.board import key_of
from sealed_lots.news import TEMPLATE as NEWS
from sealed_lots.news import news_of
from sealed_lots.rules import LOTS, RULES, Bid, LotOffered, LotSold, Player, View


class SealedLotsPages(UsualPages):
    """What differs from the usual pages."""

    title = "Sealed Lots"
    about = "secret bids for ten lots and a commission that nobody knows, for 2 to 5 players"
    turn_word = "round"
    order_word = "bid"
    package = "sealed_lots"
    book = Book("sealed_lots", "SL")
    secrecy = "Nobody else sees your bid before the lot is sold."
    phrases = (
        ("Bid 7", "you pay 7 coins if the lot becomes yours; also: 7, offer 7, seven coins"),
        ("Bid all", "your whole purse"),
        ("Pass", "no bid: the same as Bid 0"),
    )

    def format_order(self, view: View, order: Bid) -> str:
        return RULES.forms.format(order)

    def answers(self, view: View) -> Sequence[tuple[str, str]]:
        half = view.own.coins // 2
        return ((f"Bid {half}", "You pay that much if it becomes yours."), ("Pass", "No bid."))

    def gaps(self, view: View, cast: Cast, orders: Sequence[Bid]) -> Sequence[Gap]:
        return () if orders else (Gap("your bid", line="Pass"),)

    def ranked(self, view: View) -> Sequence[Player]:
        return sorted(
            view.players,
            key=lambda player: (player.number in view.winners, player.rank),
            reverse=True,
        )

    def fate(self, view: View, player: Player) -> str:
        return phrase("sealed_lots/words.j2", "fate", view, player)

    def seen(self, events: Sequence[Event], cast: Cast) -> Sequence[str]:
        return [event.facts.lot for event in events if isinstance(event.facts, LotOffered)]

    def news(self, view: View, events: Sequence[Event], you: int | None = None) -> Sequence[News]:
        cast = Cast(tuple(player.name for player in view.players), you or 0)
        return news_of(events, cast, self.outcome(view))

    def when(self, view: View, events: Sequence[Event]) -> str:
        """The round of the sale: the view is already in the next one."""
        opened = [event.facts.round for event in events if isinstance(event.facts, LotOffered)]
        if not opened:
            return super().when(view, events)
        return f"{self.turn_word.capitalize()} {opened[0] - 1}"

    def outcome(self, view: View) -> str:
        if view.how != "rounds" or len(view.winners) > 1:
            return super().outcome(view)
        return phrase(NEWS, "won", *self.ranked(view)[:2])

    # -------------------------------------------------------------------------------- the archive
    def areas(self, view: View) -> Sequence[Area]:
        """All lots: each is with its buyer, on offer, or on the shelf."""
        buyers = {lot: player for player in view.players for lot in player.lots}
        return [
            Area(
                key=key_of(lot),
                name=lot,
                holder=buyers[lot].number if lot in buyers else None,
                words=phrase(NEWS, "lies", buyers.get(lot), lot == view.lot),
            )
            for lot in LOTS
        ]

    def chips(self, view: View) -> Sequence[Chip]:
        return [
            Chip(
                player.number,
                (("coins", str(player.coins)), ("lots", str(len(player.lots)))),
                is_out=player.gone,
            )
            for player in view.players
        ]

    def ordered(self, view: View, events: Sequence[Event]) -> Sequence[tuple[int, tuple[str, ...]]]:
        """A sale shows all bids."""
        return [
            (player, (self.format_order(view, Bid(coins)),))
            for event in events
            if isinstance(event.facts, LotSold)
            for player, coins in event.facts.bids
        ]

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        """Who held what, as usual, and what everybody bid for it."""
        dots = tuple(
            Dot(close.turn, player, coins, is_best=player == event.facts.winner)
            for close in closes
            for event in close.events
            if isinstance(event.facts, LotSold)
            for player, coins in event.facts.bids
        )
        return (*super().plots(closes), Dots("Bids", "coins", dots))


PAGES = SealedLotsPages()
MENU = UsualMenu(PAGES, "Bid...")
