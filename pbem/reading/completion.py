"""What was said of orders made whole: what neighbours say, what is the only way, how many."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.reading.forms import Form, FormRow, FormTable, is_number
from pbem.reading.items import Said
from pbem.reading.search import Atom, Costs

FAR = 6
"""Among this many orders on either side one is looked for that says what this one does not."""
FULL = 3
"""An offer of this many things, all of them said, is beyond doubt."""
HINTS = 2
"""From this many things on, a sentence is more than a mention."""
TOPIC = 1
"""The most other words in a heading of the next sentences."""
MOST = 12
"""The most orders that one quantity may spread to."""


_WAYS = frozenset({"to"})
"""Cues that say a deed."""


class Closed(NamedTuple):
    """Canonical texts of new orders, each with its sentence, and what it costs that they are
    meant.
    """

    cost: float
    told: tuple[tuple[str, int], ...]
    begun: float = 0.0
    """What it cost before it was made whole."""

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(text for text, _ in self.told)


class _Whole(NamedTuple):
    """An order with all its values."""

    form: Form
    values: Mapping[str, Hashable]
    price: int = 0

    @property
    def cost(self) -> int:
        """What it costs in all."""
        counts = (self.values.get(name, 1) for name in sorted(self.form.numbers))
        count = next(counts, 1)
        return self.price * count if isinstance(count, int) else 0

    @property
    def text(self) -> str:
        return self.form.tell(self.values)

    def taken(self) -> list[tuple[Hashable, ...]]:
        """What no other order may share."""
        slots = self.form.slots
        return [
            tuple(self.values.get(part) if part in slots else part for part in key)
            for key in self.form.keys
        ]


def _is_head(atom: Atom, after: Atom) -> bool:
    """Whether it only says what the next ones are about: `North: 2L from South`."""
    alone = not (atom.taken or after.taken or atom.spread) and {*atom.bound} <= atom.form.heads
    return (
        alone and after.gap != 1 and after.form is atom.form and not {*atom.bound} & {*after.bound}
    )


def may_be_told_in_full(form: Form) -> bool:
    """Whether so much can be said of it that a word which nobody knows changes nothing."""
    return not form.flags and len(form.needed) >= FULL


def _is_told_in_full(atom: Atom) -> bool:
    """Whether so much is said."""
    return may_be_told_in_full(atom.form) and atom.form.needed <= atom.bound.keys()


def _is_rest(atom: Atom) -> bool:
    """Whether it is about what the others leave."""
    return "ELSE" in (atom.spread, *atom.bound.values())


def _price(atom: Atom) -> int:
    """What one of what was taken costs."""
    for row in atom.table.rows if atom.table.purse is not None else ():
        if row.price and all(atom.bound.get(name) == row.values[name] for name in row.values):
            return row.price
    return 0


def _fits(row: FormRow, bound: Mapping[str, Hashable]) -> bool:
    """Whether there are as many as are said."""
    return all(
        low <= said <= high
        for name, (low, high) in row.ranges.items()
        if isinstance(said := bound.get(name, low), int)
    )


class Proposed(NamedTuple):
    """What somebody says that is meant: by `id`, what stands in each row; and all that may be
    ordered, form by form. A word that nobody knows may then be one of its values.
    """

    lines: Mapping[int, Mapping[str, Hashable]]
    tables: Mapping[Form, FormTable]

    def ways(self, atom: Atom, bound: Mapping[str, Hashable]) -> list[FormRow]:
        """All that may be done with this."""
        table = self.tables[atom.form]
        mask = table.all
        for name, value in bound.items():
            mask &= table.having(name, value)
        return table.of(mask)


@dataclass(slots=True)
class Closing:
    """Closes what a search has found; None where something is left open."""

    said: Said
    costs: Costs
    is_open: bool = False
    """Whether the last ones were not closed since there are several ways."""
    spent: int = 0
    """What the orders that are closed cost."""
    heads: frozenset[int] = frozenset()
    known: dict[int, Mapping[str, Hashable]] = field(default_factory=dict)
    """The values of each order, with those it takes from others."""
    proposed: Proposed | None = None
    left: dict[int, int] = field(default_factory=dict)
    """How many words of each sentence may still say what was not read."""

    def of(self, atoms: Sequence[Atom], cost: float) -> Closed | None:
        """The new orders among these atoms, if all of them can be made whole."""
        begun = cost
        said = self.said
        heads = {i for i in range(len(atoms) - 1) if _is_head(atoms[i], atoms[i + 1])}
        for i, x in enumerate(atoms):
            most = said.counts[x.sentence] + TOPIC * (i in heads)
            if self.proposed is None and said.common.get(x.sentence, 0) > most:
                return None  # more is talked than ordered
        keys: set[tuple[Hashable, ...]] = set()
        told: list[tuple[str, int]] = []
        self.is_open, self.spent, self.known = (
            False,
            0,
            {i: atom.bound for i, atom in enumerate(atoms)},
        )
        for atom in atoms:
            if atom.taken:
                keys.update(_Whole(atom.form, atom.bound).taken())
                self.spent += _Whole(atom.form, atom.bound, _price(atom)).cost
        self.heads, self.left = frozenset(heads), dict(said.unknown)
        cost += len(heads) * self.costs.near
        later = [i for i, atom in enumerate(atoms) if not atom.taken and _is_rest(atom)]
        first = [i for i, atom in enumerate(atoms) if not atom.taken and i not in (*later, *heads)]
        for i in (*first, *later):
            found = self._close(i, atoms, keys)
            if found is None:
                return None
            more, orders = found
            cost += more
            for order in orders:
                own = order.taken()
                if any(key in keys for key in own):
                    return None
                keys.update(own)
                self.spent += order.cost
            told += [(order.text, atoms[i].sentence) for order in orders]
        purse = max((atom.table.purse or 0 for atom in atoms), default=0)
        if purse and self.spent > purse:
            cost += self.costs.poor
        if not told or len({text for text, _ in told}) < len(told):
            return None
        return Closed(cost + self._unused(), tuple(told), begun)

    def _unused(self) -> float:
        """What common words cost."""
        return sum(self.said.common.values()) * self.costs.common

    def _close(
        self, i: int, atoms: Sequence[Atom], keys: set[tuple[Hashable, ...]]
    ) -> tuple[float, list[_Whole]] | None:
        atom, costs = atoms[i], self.costs
        form = atom.form
        if not self._is_order(atom):
            return None
        bound, mask, cost = dict(atom.bound), atom.mask, 0.0
        missing = [name for name in form.wanted if name not in bound]
        every = next((v for v in bound.values() if v in ("ALL", "BOTH")), None)
        if atom.spread:
            missing = [name for name in missing if name != form.spreads]
        for name in [*missing]:
            if every is not None and name in form.every:
                continue
            near = self._neighbour(i, name, atoms, mask, bound)
            if near is not None:
                more, value = near
                bound[name], cost = value, cost + more
                mask &= atom.table.having(name, value)
                missing.remove(name)
        self.known[i] = bound
        rows = atom.table.of(mask)
        if not rows:
            return None
        if atom.spread:
            rows = self.proposed.ways(atom, bound) if self.proposed is not None else rows
            spread = self._spread(atom, rows, bound, keys)
            return None if spread is None else (cost, spread)
        if missing:
            ways = {tuple(row.values[name] for name in missing) for row in rows}
            if (len(ways) > 1 and every is None) or len(ways) > MOST:
                self.is_open = True
                return None
            if len(ways) == 1 and self.proposed is not None:
                several = len(self.proposed.ways(atom, bound)) > 1
                if several and not self._may_mean(atom, len(missing)):
                    return None
            elif len(ways) == 1:
                guessed = bool(atom.verbs or every) and form.guess.issuperset(missing)
                if self._is_doubtful(atom) or not guessed:
                    return None
                if self.said.common.get(atom.sentence, 0) > (every is None):
                    return None
                cost += (costs.only if atom.verbs - _WAYS else costs.way) * len(missing)
            else:
                cost += costs.all_of
                return self._every(atom, rows, bound, every == "BOTH", cost)
        row = rows[0]
        listed = any(x.form is form and x.sentence == atom.sentence for x in atoms if x is not atom)
        many = next((x.many for x in atoms if x.form is form and x.many is not None), None)
        counted = self._counted(atom, row, bound, many=many if listed else None)
        if counted is None:
            return None
        more, values = counted
        return cost + more, [_Whole(form, {**row.values, **values}, row.price)]

    def _is_order(self, atom: Atom) -> bool:
        """Whether its deed is said, and it is no mere mention."""
        if atom.form.needs and not atom.form.needs & atom.verbs and not self._may_mean(atom, 1):
            return False
        if self.proposed is not None:
            return True
        hinted = atom.muted and not atom.spread and len(atom.bound) < HINTS
        if hinted and self.said.common.get(atom.sentence):
            return False  # `The North is almost full`
        return not self.said.is_strange or _is_told_in_full(atom)

    def _may_mean(self, atom: Atom, count: int) -> bool:
        """Whether this many words are left that may say what somebody proposes, and nobody read."""
        self.left[atom.sentence] = self.left.get(atom.sentence, 0) - count
        return self.proposed is not None and self.left[atom.sentence] >= 0

    def _is_doubtful(self, atom: Atom) -> bool:
        """Whether a word may stand for what was not said."""
        return atom.sentence in self.said.points | self.said.dangling

    def _neighbour(
        self, i: int, name: str, atoms: Sequence[Atom], mask: int, bound: Mapping[str, Hashable]
    ) -> tuple[float, Hashable] | None:
        """The value that the nearest order has there, if it fits."""
        atom = atoms[i]
        if atom.sentence in self.said.dangling:
            return None

        def far(j: int) -> tuple[int, int, int, bool]:
            between = range(min(i, j) + 1, max(i, j) + 1)
            gap = max(atoms[k].gap for k in between)
            return abs(atoms[j].sentence - atom.sentence), gap, abs(j - i), j > i

        near = (j for j in range(max(0, i - FAR), min(len(atoms), i + FAR + 1)) if j != i)
        for j in sorted(near, key=far):
            other = atoms[j]
            if other.form is not atom.form or name not in self.known[j]:
                continue
            value = self.known[j][name]
            rows = atom.table.of(mask & atom.table.having(name, value))
            if not any(_fits(row, bound) for row in rows):
                continue
            sentences = abs(other.sentence - atom.sentence)
            if sentences > 1:
                return None
            is_far = sentences and j not in self.heads and name in other.bound
            return (self.costs.far if is_far else self.costs.near), value
        return None

    def _spread(
        self,
        atom: Atom,
        rows: Sequence[FormRow],
        bound: Mapping[str, Hashable],
        keys: set[tuple[Hashable, ...]],
    ) -> list[_Whole] | None:
        form = atom.form
        slot = form.spreads
        less = {value.value for value in atom.less}
        if not less <= {row.values[slot] for row in rows}:
            return None
        orders: list[_Whole] = []
        for row in rows:
            if row.values[slot] in less:
                continue
            counted = self._counted(atom, row, bound)
            if counted is None:
                return None
            order = _Whole(form, {**row.values, **counted[1]}, row.price)
            if atom.spread == "ELSE" and any(key in keys for key in order.taken()):
                continue
            orders.append(order)
        if not orders or len(orders) > MOST or len({x.values[slot] for x in orders}) < len(orders):
            return None
        if atom.spread == "ELSE" and atom.many is False and len(orders) > 1:
            return None  # `the other province`
        if (atom.spread == "BOTH" and len(orders) != 2) or atom.spread == "HALF":
            return None
        if bound.get("total", len(orders)) != len(orders):
            return None
        return orders

    def _every(
        self,
        atom: Atom,
        rows: Sequence[FormRow],
        bound: Mapping[str, Hashable],
        two: bool,
        cost: float,
    ) -> tuple[float, list[_Whole]] | None:
        """All that fits: `everything in the North`, `both my fleets`."""
        orders, total = list[_Whole](), 0
        left = {value.value: 1 for value in atom.less}
        number = next((v.value for v in atom.less if is_number(v.kind)), None)
        nouns = [v.value for v in atom.less if not is_number(v.kind)]
        if len(nouns) > 1 or (atom.less and not nouns):
            return None
        for row in rows:
            values = {k: ("ALL" if v in ("ALL", "BOTH") else v) for k, v in bound.items()}
            counted = self._counted(atom, row, values)
            if counted is None:
                return None
            full = {**row.values, **counted[1]}
            slot = next(iter(atom.form.numbers), "")
            count = full.get(slot, 1)
            if not isinstance(count, int):
                return None
            if nouns and nouns[0] in row.values.values():
                left.pop(nouns[0], None)
                if number is None and count != 1:
                    return None
                count -= number if isinstance(number, int) else count
                full[slot] = count
            total += count
            if count > 0:
                orders.append(_Whole(atom.form, full))
        if any(noun in left for noun in nouns) or (two and total != 2):
            return None
        return cost, sorted(orders, key=lambda order: order.text)

    def _counted(
        self, atom: Atom, row: FormRow, bound: Mapping[str, Hashable], *, many: bool | None = None
    ) -> tuple[float, dict[str, Hashable]] | None:
        """The values with their numbers, within their ranges; `many`: it belongs to a list in the
        plural.
        """
        values, cost = dict(bound), 0.0
        for name in atom.form.numbers:
            low, high = row.ranges.get(name, (0, 10**9))
            if values.get("total", high) != high:
                return None
            said = values.get(name)
            if row.price and said in {"ALL", "ELSE"}:
                said = high = min(high, ((atom.table.purse or 0) - self.spent) // row.price)
            if said is None:
                if name in atom.form.optional:
                    continue
                if (said := self._proposed_count(atom, row, name)) is not None:
                    values[name] = said
                    continue
                told = bool(atom.verbs) or atom.many is not None or many is not None
                bought = bool(row.price) and atom.many is not False
                if self._is_doubtful(atom) or high == 10**9 or bought or not told:
                    return None
                if (atom.many is True and high > 1) or (many is True and atom.many is not False):
                    said, cost = high, cost + self.costs.all_of
                elif atom.many is not True and high == 1:
                    said, cost = 1, cost + self.costs.all_of
                else:
                    return None
            elif said == "ALL":
                said = high - self._left_out(atom, row)
            elif said == "BOTH":
                said = 2 if high == 2 else None
            elif said == "HALF":
                said = high // 2 if high % 2 == 0 else None
            if not isinstance(said, int) or not low <= said <= high:
                return None
            values[name] = said
        return cost, values

    def _proposed_count(self, atom: Atom, row: FormRow, name: str) -> int | None:
        """How many of it are proposed, if this many may be meant: `the knights` are more
        than one.
        """
        if self.proposed is None or (bound := self.proposed.lines.get(id(row))) is None:
            return None
        count, (low, high) = bound.get(name), row.ranges.get(name, (0, 10**9))
        if not isinstance(count, int) or atom.many not in (None, count > 1):
            return None
        is_told = low == high or (atom.many is not None and count == (high if atom.many else 1))
        return count if is_told or self._may_mean(atom, 1) else None

    def _left_out(self, atom: Atom, row: FormRow) -> int:
        """How many of this row stay: `all units but one`."""
        count = 0
        for value in atom.less:
            if isinstance(value.value, int) and is_number(value.kind):
                count = value.value
        return count if count or not atom.less else 10**9
