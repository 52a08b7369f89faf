"""Names, places and orders in the words of one reader: what every sentence about a game of
Protectors needs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from engine.protectors.orders import ISLAND, Order, format_order, format_province
from engine.protectors.state import DRAGON
from engine.protectors.view import TableView
from pbem.pages.kit import usual
from pbem.pages.rendering import clean_line

_DECKS = {"event": "Event", "dragons": "There be Dragons?", "sea": "Sea", "end": "End"}


@dataclass(frozen=True)
class Cast(usual.Cast):
    """Besides the names: on how many provinces they play.

    `teams` are all teams with their members; `island` tells whether there is one.
    """

    provinces: int = 0
    teams: tuple[tuple[str, tuple[int, ...]], ...] = ()
    island: bool = False
    _by_number: dict[int, str] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "_by_number", dict(enumerate(self.names, start=1)) | {DRAGON: "the Dragon"}
        )

    @cached_property
    def seats(self) -> int:
        return len(self.names)

    def name(self, player: int) -> str:
        return self._by_number[player]

    def place(self, province: int) -> str:
        return format_province(province)

    def headed(self, province: int) -> str:
        """A province as the head of a sentence."""
        return "The Island" if province == ISLAND else format_province(province)

    def label(self, province: int) -> str:
        """A province as the label of a line."""
        return "Island" if province == ISLAND else format_province(province)

    def places(self, provinces: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(format_province, provinces))

    def order(self, order: Order) -> str:
        return format_order(order, self._by_number)

    def orders(self, orders: Iterable[Order]) -> tuple[str, ...]:
        return tuple(format_order(order, self._by_number) for order in orders)

    def team_of(self, player: int) -> str | None:
        return next((team for team, members in self.teams if player in members), None)

    def team(self, players: Iterable[int]) -> str | None:
        """The team that all of these players are of, if there is one."""
        teams = {self.team_of(player) for player in players}
        return teams.pop() if len(teams) == 1 else None

    def titled(self, card: str) -> str:
        """The name of a card as the head of a sentence."""
        return card if card.endswith(("!", "?")) else card + "."

    def deck(self, deck: str) -> str:
        return _DECKS.get(deck, deck)


def cast_of(view: TableView, you: int | None) -> Cast:
    """The cast of this table for one reader."""
    return _cast(
        tuple(player.name for player in view.players),
        you or 0,
        len(view.provinces),
        view.teams,
        view.island is not None,
    )


@lru_cache(maxsize=128)
def _cast(
    names: tuple[str, ...],
    you: int,
    provinces: int,
    teams: tuple[tuple[str, tuple[int, ...]], ...],
    island: bool,
) -> Cast:
    told = tuple((clean_line(team), members) for team, members in teams)
    return Cast(tuple(map(clean_line, names)), you, provinces, told, island)
