"""What a player of Protectors sees."""

from dataclasses import dataclass
from functools import cached_property

from engine.protectors import orders as o
from engine.protectors.events import BattleFought
from engine.protectors.view import PlayerView, TableView
from pbem.play import Seen


@dataclass(frozen=True)
class Sight:
    """All that a player can see: their own view, and the legal orders. `fought` are the provinces
    of the last battles.
    """

    view: TableView
    legal: tuple[o.Order, ...]
    fought: tuple[int, ...] = ()

    @property
    def me(self) -> PlayerView:
        if self.view.you is None:
            raise ValueError("a plan needs a player's own view")
        return self.view.player(self.view.you.number)

    @property
    def realm(self) -> int:
        return self.view.you.realm if self.view.you is not None else 0

    @cached_property
    def offered(self) -> frozenset[o.Order]:
        return frozenset(self.legal)

    @property
    def mates(self) -> tuple[int, ...]:
        """Those of one's own team who are still in the game."""
        return self.view.you.mates if self.view.you is not None else ()

    def is_mate(self, player: int | None) -> bool:
        return player is not None and player in self.mates


def sight_of(seen: Seen) -> Sight:
    """What is seen, as this game's own."""
    fought = tuple(
        event.facts.province for event in seen.events if isinstance(event.facts, BattleFought)
    )
    return Sight(seen.view, seen.legal, fought)
