"""Which orders of a year work: all at once, each order as strong as the orders that help it.

Whether an order works may hang on others, and those on it. So the first one asked is guessed to
fail; if the answer hangs on that guess, the other one is tried as well. Where both would hold, the
units go round in a ring, and all of them move.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from straits.state import Campaign, Move, Support, place_of


@dataclass
class Resolver:
    """`orders` by the places of their units, and whose these are."""

    orders: Mapping[str, Campaign]
    owners: Mapping[str, int]
    _known: dict[str, bool] = field(default_factory=dict)
    _guessed: dict[str, bool] = field(default_factory=dict)
    _hung_on: list[str] = field(default_factory=list)

    def works(self, unit: str) -> bool:
        """Whether the order of the unit at this place works."""
        if unit in self._known:
            return self._known[unit]
        if unit in self._guessed:
            if unit not in self._hung_on:
                self._hung_on.append(unit)
            return self._guessed[unit]
        before = len(self._hung_on)
        self._guessed[unit] = False
        first = self._tried(unit)
        if len(self._hung_on) > before:
            if self._hung_on[before] != unit:  # hangs on an order that was asked earlier
                self._hung_on.append(unit)
                self._guessed[unit] = first
                return first
            self._forget(before)
            self._guessed[unit] = True
            if self._tried(unit) != first:
                ring = self._forget(before) | {unit}
                self._known |= {one: True for one in ring if isinstance(self.orders[one], Move)}
                return self.works(unit)
        self._forget(before)
        del self._guessed[unit]
        self._known[unit] = first
        return first

    def _forget(self, before: int) -> set[str]:
        """What was guessed since; the one asked first keeps its guess."""
        hung = self._hung_on[before:]
        del self._hung_on[before:]
        for one in hung[1:]:
            self._guessed.pop(one, None)
        return set(hung)

    def _tried(self, unit: str) -> bool:
        order = self.orders[unit]
        if isinstance(order, Support):
            return not self._is_cut(order)
        return not isinstance(order, Move) or self._gets_there(order)

    def _is_cut(self, order: Support) -> bool:
        """ST-3.4: by an attack from elsewhere, or by one that beats the unit."""
        return any(
            attack.unit != (order.target or order.of) or self.works(attack.unit)
            for attack in self._moves_to(order.unit)
            if self.owners[attack.unit] != self.owners[order.unit]
        )

    def _gets_there(self, order: Move) -> bool:
        """ST-3.2, ST-3.3, ST-3.5."""
        target = place_of(order.target)
        there = self.orders.get(target)
        meets = isinstance(there, Move) and place_of(there.target) == order.unit
        stays = there is not None and (
            meets or not (isinstance(there, Move) and self.works(target))
        )
        if stays and self.owners[target] == self.owners[order.unit]:
            return False
        strength = 1 + self._help(order.unit, target, self.owners[target] if stays else 0)
        if stays:
            attacks = isinstance(there, Move)
            own = place_of(there.target) if isinstance(there, Move) else ""
            if strength <= 1 + (self._help(target, own) if meets or not attacks else 0):
                return False
        others = (one for one in self._moves_to(target) if one.unit != order.unit)
        return all(strength > self._presses(one, target) for one in others)

    def _presses(self, order: Move, target: str) -> int:
        """How strongly a unit keeps others out: not at all where the one it meets beats it."""
        there = self.orders.get(target)
        meets = isinstance(there, Move) and place_of(there.target) == order.unit
        return 0 if meets and self.works(target) else 1 + self._help(order.unit, target)

    def _help(self, unit: str, target: str, but: int = 0) -> int:
        """Supports for a move, or (`target` empty) for a unit that holds; none of `but`."""
        return sum(
            self.works(one.unit)
            for one in self.orders.values()
            if isinstance(one, Support)
            and (one.of, one.target) == (unit, target)
            and self.owners[one.unit] != but
        )

    def _moves_to(self, target: str) -> list[Move]:
        return [
            one
            for one in self.orders.values()
            if isinstance(one, Move) and place_of(one.target) == target
        ]
