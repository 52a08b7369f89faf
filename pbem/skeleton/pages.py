"""The pages: the usual ones, with the words of `templates/`."""

from collections.abc import Sequence

from engine.ruleset import Event
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.kit.rules import Book
from pbem.pages.kit.usual import Cast, UsualPages
from pbem.pages.kit.usual_menu import UsualMenu
from pbem.pages.news import BATTLE, OUT, OVER, News, clause
from pbem.pages.rendering import phrase

from .rules import RULES, GameOver, Guess, Guessed, Player, PlayerLeft, View

WORDS = f"{__package__}/words.j2"


class Pages(UsualPages):
    """What differs from the usual pages."""

    title = "Skeleton"
    about = "a secret number to guess, for 2 to 6 players"
    turn_word = "round"
    order_word = "guess"
    package = __package__
    book = Book(__package__, "GU")
    phrases = (("Guess 50", "you guess 50; also: 50, my guess is 50"),)

    def format_order(self, view: View, order: Guess) -> str:
        return RULES.forms.format(order)

    def answers(self, view: View) -> Sequence[tuple[str, str]]:
        return (("Guess 50", "The middle."),)

    def gaps(self, view: View, cast: Cast, orders: Sequence[Guess]) -> Sequence[Gap]:
        return () if orders else (Gap("your guess", line="Guess 50"),)

    def ranked(self, view: View) -> Sequence[Player]:
        return sorted(view.players, key=lambda player: player.number not in view.winners)

    def fate(self, view: View, player: Player) -> str:
        return phrase(WORDS, "fate", view, player)

    def news(self, view: View, events: Sequence[Event], you: int | None = None) -> Sequence[News]:
        cast, told = self._cast(view, you), []
        for event in events:
            match event.facts:
                case Guessed(player=player, side=side) as facts:
                    line = phrase(WORDS, "guess", facts, cast)
                    told.append(
                        News("guessed", BATTLE, clause(line), line, side == "there", (player,))
                    )
                case PlayerLeft(player=player) as facts:
                    line = phrase(WORDS, "gone", facts, cast)
                    told.append(
                        News("left", OUT, clause(line), line, players=(player,), mark="out")
                    )
                case GameOver(winners=winners):
                    line = self.outcome(view)
                    told.append(News("over", OVER, clause(line), line, players=winners, mark="end"))
        return told


PAGES = Pages()
MENU = UsualMenu(PAGES, "Guess...", columns=8)
