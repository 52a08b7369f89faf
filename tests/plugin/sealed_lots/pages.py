"""The pages of Sealed Lots: the usual ones, with the words of `templates/`."""

from collections.abc import Sequence

from engine.ruleset import Event
from pbem.pages.kit.rules import Book
from pbem.pages.kit.usual import Cast, UsualPages
from pbem.pages.kit.usual_menu import UsualMenu
from pbem.pages.rendering import phrase
from sealed_lots.rules import Bid, LotOffered, Player, View


class SealedLotsPages(UsualPages):
    """What differs from the usual pages."""

    title = "Sealed Lots"
    about = "secret bids for ten lots and a commission that nobody knows, for 2 to 5 players"
    turn_word = "round"
    package = "sealed_lots"
    book = Book("sealed_lots", "SL")
    secrecy = "Nobody else sees your bid before the lot is sold."
    phrases = (
        ("Bid 7", "you pay 7 coins if the lot becomes yours; also: 7, offer 7, seven coins"),
        ("Bid all", "your whole purse"),
        ("Pass", "no bid: the same as Bid 0"),
    )

    def format_order(self, view: View, order: Bid) -> str:
        return f"Bid {order.coins}"

    def answers(self, view: View) -> Sequence[tuple[str, str]]:
        half = view.own.coins // 2
        return ((f"Bid {half}", "You pay so much if it becomes yours."), ("Pass", "No bid."))

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


PAGES = SealedLotsPages()
MENU = UsualMenu(PAGES, "Bid...")
