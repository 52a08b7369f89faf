"""What every plot needs: values to places, ticks that people count in, labels that do not touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log1p, log10
from statistics import median

_STEPS = (1, 2, 5, 10)
_SKEWED = 6
"""A greatest value this many times the middle one makes a scale of logarithms: the small ones stay
apart.
"""


@dataclass(frozen=True, slots=True)
class Scale:
    """From 0 (at `zero`) to `most` (at `top`), px; `is_bent`: places go by the logarithm."""

    most: float
    zero: float
    top: float
    is_bent: bool = False

    def at(self, value: float) -> float:
        value = max(0.0, value)
        share = log1p(value) / log1p(self.most) if self.is_bent else value / self.most
        return self.zero + (self.top - self.zero) * share

    def ticks(self, apart: float) -> tuple[float, ...]:
        """Round values at least this many px from one another, 0 first."""
        if not self.is_bent:
            step = self._step(apart)
            return tuple(i * step for i in range(int(self.most / step) + 1)) if step else (0.0,)
        found, size = [0.0], floor(log10(max(self.most, 1)))
        for exponent in range(size + 1):
            for step in _STEPS[:-1]:
                value = float(step * 10**exponent)
                if value <= self.most and abs(self.at(value) - self.at(found[-1])) >= apart:
                    found.append(value)
        return tuple(found)

    def _step(self, apart: float) -> float:
        """The smallest of 1, 2, 5, 10, 20 ... that leaves this many px between two ticks."""
        for exponent in range(8):
            for step in _STEPS[:-1]:
                value = float(step * 10**exponent)
                if abs(self.at(value) - self.zero) >= apart:
                    return value
        return 0.0


def scale_of(values: Sequence[float], zero: float, top: float, *, may_bend: bool = False) -> Scale:
    """A scale that all of these fit on."""
    most = max((*values, 1.0))
    positive = [value for value in values if value > 0]
    is_bent = may_bend and bool(positive) and most > _SKEWED * median(positive)
    return Scale(most, zero, top, is_bent)


def spread(places: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """The same places, moved as little as need be until they are this far apart, in their order;
    between `low` and `high` as far as there is room.
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    found = list(places)
    at = low
    for i in order:
        found[i] = at = max(found[i], at)
        at += apart
    at = high
    for i in reversed(order):
        found[i] = at = min(found[i], at)
        at -= apart
    return found


def figure(value: float) -> str:
    """A number as people write it: whole where it is."""
    return f"{value:g}"
