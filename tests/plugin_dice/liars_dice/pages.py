"""The pages of Liar's Dice: the usual ones, with the words of `templates/`."""

from collections.abc import Iterator, Sequence

from engine.ruleset import Event, Facts
from liars_dice.rules import RULES
from liars_dice.state import (
    Bid,
    BidMade,
    Challenge,
    Challenged,
    GameOver,
    Order,
    Player,
    PlayerOut,
    View,
)
from pbem.pages.archive import Chip
from pbem.pages.kit.columns import cut
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.kit.rules import Book
from pbem.pages.kit.usual import Cast, UsualPages
from pbem.pages.kit.usual_menu import UsualMenu
from pbem.pages.news import MOST_SENTENCE, OUT, OVER, SMALL, TAKEN, News, clause
from pbem.pages.rendering import phrase

WORDS = "liars_dice/words.j2"


class LiarsDicePages(UsualPages):
    """What differs from the usual pages."""

    title = "Liar's Dice"
    about = "bids on hidden dice and the courage to doubt them, for 2 to 6 players"
    turn_word = "round"
    in_turns = frozenset({"turn"})
    order_word = "order"
    package = "liars_dice"
    book = Book("liars_dice", "LD")
    secrecy = "Everybody learns your bid, and nobody your dice before a challenge."
    phrases = (
        ("Bid 3 fives", "all dice together show at least 3 fives; also: 3 fives, raise to 3 fives"),
        ("Liar", "you doubt the last bid; also: challenge, I don't believe it"),
    )

    def format_order(self, view: View, order: Order) -> str:
        return RULES.forms.format(order)

    def answers(self, view: View) -> Sequence[tuple[str, str]]:
        """The lowest bid that is left, and a doubt."""
        legal = [*RULES.legal(RULES.assume(view), view.you or 0)]
        bids = [self.format_order(view, one) for one in legal if isinstance(one, Bid)]
        told = [(bid, "The lowest bid that you can make.") for bid in bids[:1]]
        return [*told, ("Liar", "You doubt the last bid.")] if view.bids else told

    def gaps(self, view: View, cast: Cast, orders: Sequence[Order]) -> Sequence[Gap]:
        return () if orders else (Gap("your bid or challenge", line=self.answers(view)[-1][0]),)

    def ranked(self, view: View) -> Sequence[Player]:
        order = (*view.fallen, *(p.number for p in view.players if p.number not in view.fallen))
        return sorted(
            view.players,
            key=lambda one: (one.number in view.winners, len(one.dice), order.index(one.number)),
            reverse=True,
        )

    def fate(self, view: View, player: Player) -> str:
        return phrase(WORDS, "fate", view, player)

    def news(self, view: View, events: Sequence[Event], you: int | None = None) -> Sequence[News]:
        cast = self._cast(view, you)
        return tuple(news for event in events for news in self._news_of(event.facts, cast, view))

    def _news_of(self, facts: Facts, cast: Cast, view: View) -> Iterator[News]:
        match facts:
            case BidMade(player=player):
                told = phrase(WORDS, "bids", facts, cast)
                yield News("bid", SMALL, clause(told), told, players=(player,))
            case Challenged(round=turn, player=player, bidder=bidder, loser=loser):
                told = cut(phrase(WORDS, "doubted", facts, cast), MOST_SENTENCE)
                both = (loser, player + bidder - loser)
                hands = phrase(WORDS, "shown", facts, cast)
                yield News(
                    "doubt", TAKEN, clause(told), told, players=both, why=(hands,), turn=turn
                )
            case PlayerOut(player=player):
                told = phrase(WORDS, "leaves", facts, cast)
                yield News("out", OUT, clause(told), told, players=(player,), mark="out")
            case GameOver(winners=winners):
                outcome = self.outcome(view)
                yield News("over", OVER, clause(outcome), outcome, players=winners, mark="end")

    def chips(self, view: View) -> Sequence[Chip]:
        return [
            Chip(one.number, (("dice", str(len(one.dice))),), is_out=not one.dice)
            for one in view.players
        ]

    def ordered(self, view: View, events: Sequence[Event]) -> Sequence[tuple[int, tuple[str, ...]]]:
        """All orders are public as soon as they are carried out."""
        told: list[tuple[int, tuple[str, ...]]] = []
        for event in events:
            match event.facts:
                case BidMade(player=player, count=count, face=face):
                    told.append((player, (self.format_order(view, Bid(count, face)),)))
                case Challenged(player=player):
                    told.append((player, (self.format_order(view, Challenge()),)))
        return told


PAGES = LiarsDicePages()
MENU = UsualMenu(PAGES, "Bid or doubt...", columns=3)
