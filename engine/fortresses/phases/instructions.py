"""What standing instructions say of a battle (FW-10): losses, the last conqueror, retreats, and
whether to ask.
"""

from collections.abc import Callable, Sequence

from engine.fortresses.orders import (
    Always,
    BattleOrder,
    Condition,
    Instruction,
    Interactive,
    Keep,
    Lose,
    Order,
    Retreat,
)
from engine.fortresses.units import CODES, LAND_CODES, UnitCode, Units
from engine.fortresses.units import one as one_of

ALONE_AND_OUTNUMBERED = ((Condition("alone"), Condition("outnumbered")),)
OUTNUMBERED_LATER = ((Condition("outnumbered"), Condition("after", 1)),)


class Advice:
    """The instructions that hold for one battle: this turn's before presets, a zone's before
    general ones (FW-10.8, FF-8.7).
    """

    def __init__(
        self, zone: str, said: Sequence[Instruction], presets: Sequence[Instruction]
    ) -> None:
        ranked = [
            order
            for source in (said, presets)
            for place in (zone, "")
            for order in source
            if order.zone == place
        ]
        self._lose = next((order for order in ranked if isinstance(order, Lose)), None)
        self._keep = next((order for order in ranked if isinstance(order, Keep)), None)
        self._retreat = next((order for order in ranked if isinstance(order, Retreat)), None)
        self._asks = next((order for order in ranked if isinstance(order, Interactive)), None)

    @property
    def asks(self) -> bool:
        """Whether losses and retreats are asked for (FW-10.7)."""
        return self._asks is not None and self._asks.on

    @property
    def loss_order(self) -> tuple[UnitCode, ...]:
        """The types in the order in which they die: those named, then the cheapest first (FW-10.1,
        FW-10.2).
        """
        named = tuple(dict.fromkeys(self._lose.codes)) if self._lose is not None else ()
        return (*named, *(code for code in CODES if code not in named))

    @property
    def keeps_conqueror(self) -> bool:
        return self._keep is not None and self._keep.on

    def next_loss(self, board: Units) -> UnitCode:
        """Which unit dies next. ValueError if nobody is left."""
        order = [code for code in self.loss_order if board.of(code)]
        if not order:
            raise ValueError("nobody is left to die")
        others = [code for code in order if code not in LAND_CODES]
        if self.keeps_conqueror and order[0] in LAND_CODES and board.land == 1 and others:
            return others[0]  # FW-10.4
        return order[0]

    def losses(self, board: Units, hits: int) -> Units:
        """Which units this many hits kill (FW-7.7); hits beyond their number are lost (FW-7.8)."""
        dead = Units()
        for _ in range(min(hits, board.total)):
            dead += one_of(self.next_loss(board - dead))
        return dead

    def retreats(self, board: Units, started: Units, against: int, rounds: int) -> bool:
        """Whether the fliers leave before the next roll; `against` counts defenders and castle
        points (FW-10.5, FW-10.6).
        """
        is_met: dict[str, Callable[[Condition], bool]] = {
            "never": lambda _: False,
            "after": lambda condition: rounds >= condition.rounds,
            "outnumbered": lambda _: board.total < against,
            "alone": lambda _: _has_others(started) and not board.land + board.G,
            "first-loss": lambda _: board.D < started.D,
        }
        return any(
            all(is_met[condition.what](condition) for condition in all_of)
            for all_of in self.policy(started)
        )

    def policy(self, started: Units) -> tuple[tuple[Condition, ...], ...]:
        """When the fliers of those who `started` leave (FW-10.6)."""
        if self._retreat is not None:
            return self._retreat.policy
        return ALONE_AND_OUTNUMBERED if _has_others(started) else OUTNUMBERED_LATER


def _has_others(started: Units) -> bool:
    """Whether anybody but fliers began the battle."""
    return started.land + started.G > 0


def replaces(new: Order, old: Order) -> bool:
    """Whether a later instruction takes the place of an earlier one: one kind, one place
    (FF-8.7).
    """
    match new, old:
        case (Always(one), Always(other)):
            return replaces(one, other)
        case (BattleOrder(), BattleOrder()):
            return True
    if isinstance(new, Instruction) and isinstance(old, Instruction):
        return type(new) is type(old) and new.zone == old.zone
    return False


def added(presets: Sequence[Instruction], order: Instruction) -> tuple[Instruction, ...]:
    """Presets with one more, which goes to the end; what it replaces is gone."""
    return (*(old for old in presets if not replaces(order, old)), order)
