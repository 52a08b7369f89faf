"""Forms of orders: a canonical text with slots, and the rows of what may stand in them."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from engine.forms import Template

_SLOT = re.compile(r"\{(\w+)[:?][^{}]*+\}")

Bound = Mapping[str, Hashable]
"""Slots by name, with what stands in them."""


def is_number(kind: str) -> bool:
    """Whether a type is one of numbers: `num`, or (`num_realm`) of what they count."""
    return kind == "num" or kind.startswith("num_")


class FormRow(NamedTuple):
    """What may stand in the slots of a form together, within what bounds its numbers, and what one
    costs.
    """

    values: Mapping[str, Hashable]
    ranges: Mapping[str, tuple[int, int]] = {}
    price: int = 0


@dataclass(frozen=True, eq=False)
class Form:
    """`text` is a template of `engine.forms`. `hidden` slots (name: type) may be named and are not
    told: whose a place is.

    `roles` are the cues that a slot wants (one that wants none takes any); `verbs` the kinds of
    words that say the deed, `needs` those of which one must be said. `keys`: orders that
    are equal in one of these (a word, and slots) exclude each other. `guess`: slots that need not
    be said where there is only one way; `heads`: those that may be said once, before all that it is
    for. `strict` ones take only values in their roles. `mute` is what it costs that no verb is
    said. `spreads`: the slot that `all` and `the rest` are about. `ways` are slots whose cue says
    the deed, too: `wolf to the East`; `every`: slots that `all` leaves open, and no other order
    tells: `everything in the North`.
    """

    text: str
    verbs: frozenset[str] = frozenset()
    roles: Mapping[str, frozenset[str]] = field(default_factory=dict)
    keys: tuple[tuple[str, ...], ...] = ()
    needs: frozenset[str] = frozenset()
    hidden: Mapping[str, str] = field(default_factory=dict)
    guess: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()
    mute: float = 0.3
    spreads: str = ""
    ways: frozenset[str] = frozenset()
    every: frozenset[str] = frozenset()

    @cached_property
    def _template(self) -> Template:
        return Template(self.text, lambda kind: "[0-9]+" if is_number(kind) else ".+?")

    @cached_property
    def slots(self) -> Mapping[str, str]:
        """The type of each slot, in the order of the text; that of a flag is its name."""
        return {**self._template.slots, **self.hidden}

    @property
    def optional(self) -> frozenset[str]:
        """The slots in brackets."""
        return self._template.optional

    @property
    def flags(self) -> Mapping[str, str]:
        """The slots in which these words stand, or nothing."""
        return self._template.flags

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The slots that hold a number."""
        return frozenset(name for name, kind in self.slots.items() if is_number(kind))

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """The slots without which there is no order, except for numbers."""
        free = self.numbers | self.optional | {*self.hidden, *self.flags}
        return tuple(name for name in self.slots if name not in free)

    @cached_property
    def needed(self) -> frozenset[str]:
        """Those, and the numbers that may not be left out."""
        return frozenset(self.wanted) | (self.numbers - self.optional)

    def of_type(self, kind: str) -> Sequence[str]:
        """The slots that take values of a type."""
        return self._by_type.get(kind, ())

    @cached_property
    def _by_type(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for name, kind in self.slots.items():
            found.setdefault(kind, []).append(name)
        return found

    def tell(self, bound: Bound) -> str:
        """The canonical text with these values."""
        blank = dict.fromkeys(self._template.slots.keys() - self.optional, "")
        return self._template.tell({**blank, **bound})

    def shown(self, bound: Bound) -> str:
        """The text with these values, and the other slots by name: `march <n> from P2 to <to>`;
        what may be left out stays in brackets.
        """

        def part(found: re.Match[str]) -> str:
            name = found[1]
            left = f"[{self.flags[name]}]" if name in self.flags else f"<{name}>"
            return str(bound.get(name, left))

        return _SLOT.sub(part, self.text)

    def said_in(self, text: str) -> dict[str, Hashable] | None:
        """The values that a canonical text has in its slots; None if it is of another form."""
        said = self._template.said_in(text)
        if said is None:
            return None
        return {k: int(v) if k in self.numbers else v for k, v in said.items()}


class FormTable:
    """The rows of one form, found by what stands in them; a set of them is a number, a bit each.
    `purse` is what there is to pay with; None where nothing costs. Rows that an iterator makes are
    made when something is looked for among them, as a message names the values of few forms: it
    uses no variable that changes until then.
    """

    def __init__(self, form: Form, rows: Iterable[FormRow], purse: int | None = None) -> None:
        self.form = form
        self.purse = purse
        self._rows = rows
        self._held: dict[str, dict[Hashable, int]] = {}
        """By slots, the rows with each value."""

    @cached_property
    def rows(self) -> tuple[FormRow, ...]:
        return tuple(self._rows)

    @cached_property
    def all(self) -> int:
        """The set of all rows."""
        return (1 << len(self.rows)) - 1

    def having(self, slot: str, value: Hashable) -> int:
        """The rows with this value there; all of them for a number, which is looked at last, and
        where no row says anything.
        """
        if slot in self.form.numbers:
            return self.all
        if (held := self._held.get(slot)) is None:
            held = self._held[slot] = {}
            for i, row in enumerate(self.rows):
                if slot in row.values:
                    told = row.values[slot]
                    held[told] = held.get(told, 0) | 1 << i
        return held.get(value, 0) if held else self.all

    def of(self, mask: int) -> list[FormRow]:
        """The rows of a set."""
        found = []
        while mask:
            low = mask & -mask
            found.append(self.rows[low.bit_length() - 1])
            mask ^= low
        return found
