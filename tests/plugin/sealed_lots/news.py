"""What of a close is worth telling, and how much of it."""

from collections.abc import Iterator, Sequence

from engine.ruleset import Event, Facts
from pbem.pages.kit.columns import cut
from pbem.pages.kit.usual import Cast
from pbem.pages.news import BATTLE, MOST_SENTENCE, OUT, OVER, TAKEN, News, clause
from pbem.pages.rendering import phrase
from sealed_lots.board import key_of
from sealed_lots.rules import GameOver, LotSold, PlayerLeft

TEMPLATE = "sealed_lots/news.j2"


def news_of(events: Sequence[Event], cast: Cast, outcome: str) -> tuple[News, ...]:
    """The news of these events; `outcome` says who won."""
    return tuple(news for event in events for news in _news_of(event.facts, cast, outcome))


def _news_of(facts: Facts, cast: Cast, outcome: str) -> Iterator[News]:
    match facts:
        case LotSold(lot=lot, winner=winner, bids=bids, level=level):
            told = cut(phrase(TEMPLATE, "sold", facts, cast), MOST_SENTENCE)
            yield News(
                kind="sold",
                weight=TAKEN if winner else BATTLE,
                short=clause(told),
                told=told,
                size=dict(bids)[winner] if winner else 0,
                players=(winner, *level) if winner else level,
                area=key_of(lot),
                mark="taken" if winner else "battle",
                why=(phrase(TEMPLATE, "bids", facts, cast),),
            )
        case PlayerLeft(player=player):
            told = phrase(TEMPLATE, "left", facts, cast)
            yield News("left", OUT, clause(told), told, players=(player,), mark="out")
        case GameOver(winners=winners):
            yield News("over", OVER, clause(outcome), outcome, players=winners, mark="end")
