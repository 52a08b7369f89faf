"""Which rows of which forms use all that a message names, each value in a role that fits."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.reading.forms import Form, FormTable, is_number
from pbem.reading.items import Mention, Value

BEAM = 40
"""The most beginnings that the search follows at once."""
MOST_STEPS = 1500
"""The most steps for a message; if it needs more, nothing is offered."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What it costs that something is said otherwise than it might be; the least is meant."""

    joined: float = 0.1
    comma: float = 0.1
    sentence: float = 0.7
    unparted: float = 0.5
    no_cue: float = 0.25
    odd_cue: float = 0.5
    other: float = 0.2
    unsaid_deed: float = 1.5
    weak_deed: float = 0.4
    near: float = 0.2
    far: float = 0.8
    only: float = 0.7
    way: float = 0.4
    all_of: float = 0.2
    common: float = 0.04
    poor: float = 0.3
    uncued: float = inf
    """What may be left out is said without its cue, or a cue is only suggested for another."""
    again: float = inf
    """What it costs that a sentence names its deed twice."""


COSTS = Costs()
_PLACED = frozenset({"from", "in", "via", "owner"})
_ROLES = frozenset({"from", "to", "in", "with", "for", "via"})
"""Cues that are said; the others are only suggested by what stands around."""
_FAINT = frozenset({"of", "behind"})


class Atom(Struct, frozen=True):
    """An order as far as it is said: `mask` are the rows that still fit."""

    table: FormTable
    bound: Mapping[str, Hashable]
    mask: int
    sentence: int
    gap: int = 0
    verbs: frozenset[str] = frozenset()
    muted: bool = False
    led: bool = False
    """Its verb stands before it."""
    spread: str = ""
    less: tuple[Value, ...] = ()
    many: bool | None = None
    taken: str = ""
    """Its canonical text, if it stands."""

    @property
    def form(self) -> Form:
        return self.table.form


class Start(NamedTuple):
    """How another order begins: what is said of it, the rows that fit, and what that costs."""

    table: FormTable
    bound: Mapping[str, Hashable]
    mask: int
    cost: float = 0.0
    spread: str = ""
    way: frozenset[str] = frozenset()


class Beginning(Struct, frozen=True):
    """What the first items may mean; `deed`: verbs for what follows, of which sentence, and
    whether they say little; `excepts`: what follows is left out.
    """

    cost: float
    atoms: tuple[Atom, ...] = ()
    deed: frozenset[str] = frozenset()
    sentence: int = -1
    weak: bool = False
    excepts: bool = False


@dataclass(slots=True)
class Search:
    """`tables` are what may be ordered, one a form."""

    tables: Sequence[FormTable]
    costs: Costs = COSTS
    steps: int = 0
    """The steps so far."""
    _by_type: dict[str, list[tuple[FormTable, str]]] = field(default_factory=dict)
    _starts: dict[Value | None, list[Start]] = field(default_factory=dict)
    _orders: list[Atom] = field(default_factory=list)
    _roles: dict[tuple[Form, str], float | None] = field(default_factory=dict)
    """Of one item, whatever it follows: how it begins an order by what it may name or by how many
    it says; the orders that were taken there; what it costs in a slot.
    """

    def __post_init__(self) -> None:
        for table in self.tables:
            for slot, kind in table.form.slots.items():
                self._by_type.setdefault(kind, []).append((table, slot))

    def run(self, items: Sequence[Mention]) -> list[Beginning]:
        """What all items may mean, the cheapest first; nothing, if that takes too long to find."""
        beam, self.steps = [Beginning(0.0)], 0
        for item in items:
            self._starts, self._roles, self._orders = {}, {}, [*self._taken(item)]
            after = list[Beginning]()
            for begun in beam:
                after += self._step(self._to_sentence(begun, item), item)
            self.steps += len(after)
            if self.steps > MOST_STEPS:
                return []
            after.sort(key=attrgetter("cost"))
            beam = after[:BEAM]
        return [self._ended(one) for one in beam]

    def _to_sentence(self, begun: Beginning, item: Mention) -> Beginning:
        """A deed without a thing of its own stays in its sentence."""
        if begun.deed and begun.sentence != item.sentence:
            begun = self._ended(begun)
        if begun.excepts and item.gap >= 3:
            begun = replace(begun, excepts=False)
        return begun

    def _ended(self, begun: Beginning) -> Beginning:
        if not begun.deed:
            return begun
        more = self.costs.weak_deed if begun.weak else self.costs.unsaid_deed
        if any(atom.form.verbs & begun.deed for atom in begun.atoms):
            more = min(more, self.costs.again)
        return replace(begun, cost=begun.cost + more, deed=frozenset(), weak=False)

    # ------------------------------------------------------------------------------- one item more
    def _step(self, begun: Beginning, item: Mention) -> Iterator[Beginning]:
        if item.taken:
            yield replace(begun, atoms=(*begun.atoms, *self._orders))
            return
        if item.corrects:
            for value in item.values:
                yield from self._corrections(begun, item, value)
            return
        if item.spare is not None:
            yield replace(begun, cost=begun.cost + item.spare)
        if item.verbs:
            yield from self._deeds(begun, item)
        elif item.quantity == "EXCEPT":
            if begun.atoms and self._is_open(begun.atoms[-1]):
                yield replace(begun, excepts=True)
        elif item.quantity:
            yield from self._quantities(begun, item)
        elif begun.excepts:
            for value in item.values:
                yield self._with_last(begun, 0.0, less=(*begun.atoms[-1].less, value))
        else:
            for value in item.values:
                yield from self._bindings(begun, item, value)
                yield from self._openings(begun, item, value)

    def _corrections(self, begun: Beginning, item: Mention, value: Value) -> Iterator[Beginning]:
        """It is said instead of what the last order says there: `P3 with two, no, P4`."""
        last = begun.atoms[-1] if begun.atoms else None
        if last is None or last.taken or begun.deed:
            return
        form = last.form
        slots = [slot for slot in form.of_type(value.kind) if slot in last.bound]
        led = {name for name, roles in form.roles.items() if roles & item.cues}
        slots = [slot for slot in slots if slot in led] if led else slots[-1:]
        for slot in slots:
            bound = {**last.bound, slot: value.value}
            mask = last.table.all
            for name in form.slots.keys() & bound.keys():
                mask &= last.table.having(name, bound[name])
            if mask:
                yield self._with_last(begun, 0.0, bound=bound, mask=mask)

    def _is_open(self, atom: Atom) -> bool:
        """Whether something may be left out of it."""
        return bool(atom.spread) or "ALL" in atom.bound.values()

    def _taken(self, item: Mention) -> Iterator[Atom]:
        for text in item.taken:
            for table in self.tables:
                bound = table.form.said_in(text)
                if bound is not None:
                    verbs = table.form.verbs
                    yield Atom(table, bound, 0, item.sentence, 3, verbs, taken=text)
                    break

    def _with_last(self, begun: Beginning, cost: float, **changes: object) -> Beginning:
        last = replace(begun.atoms[-1], **changes)
        return replace(begun, cost=begun.cost + cost, atoms=(*begun.atoms[:-1], last))

    def _deeds(self, begun: Beginning, item: Mention) -> Iterator[Beginning]:
        costs, weak = self.costs, item.spare is not None
        last = begun.atoms[-1] if begun.atoms else None
        if last is not None and not last.taken and last.sentence == item.sentence:
            parted = last.muted and item.gap > 0
            leads = parted and any(x.led and x.sentence == item.sentence for x in begun.atoms)
            if last.form.verbs & item.verbs and not leads:  # `keep swords and hearts, and roll ...`
                back = last.form.mute if last.muted else 0.0
                verbs = last.verbs | item.verbs
                yield self._with_last(begun, -back, verbs=verbs, muted=False)
        before = self._ended(begun)
        for table in self.tables:
            form = table.form
            if not form.wanted and form.verbs & item.verbs and table.rows:
                atom = Atom(table, {}, table.all, item.sentence, item.gap, item.verbs)
                cost, atoms = before.cost + costs.other, (*before.atoms, atom)
                yield replace(before, cost=cost, atoms=atoms)
        yield replace(before, deed=item.verbs, sentence=item.sentence, weak=weak)

    def _quantities(self, begun: Beginning, item: Mention) -> Iterator[Beginning]:
        last = begun.atoms[-1] if begun.atoms else None
        gap = self._gap(item)
        if last is not None and not last.taken and not begun.deed:
            free = last.form.numbers - last.form.optional - {*last.bound}
            slot = next(iter(free), None)
            if slot is not None and item.quantity != "EACH":
                bound = {**last.bound, slot: item.quantity}
                yield self._with_last(begun, gap, bound=bound)
            if last.form.spreads and last.form.spreads not in last.bound and not last.spread:
                yield self._with_last(begun, gap, spread=item.quantity, many=item.many)
        if None not in self._starts:
            self._starts[None] = [*self._starts_of_quantity(item)]
        yield from self._opened(begun, item, self._starts[None])
        if item.quantity == "BOTH" and last is not None and not last.taken:
            if 2 in last.bound.values():
                yield replace(begun, cost=begun.cost + gap)
            for slot in (x for x in last.form.numbers if last.bound.get(x) == "ALL"):
                yield self._with_last(begun, gap, bound={**last.bound, slot: "BOTH"})

    def _starts_of_quantity(self, item: Mention) -> Iterator[Start]:
        for table in self.tables:
            form = table.form
            if not table.rows:
                continue
            for slot in form.numbers - form.optional if item.quantity != "EACH" else ():
                yield Start(table, {slot: item.quantity}, table.all)
            if form.spreads:
                yield Start(table, {}, table.all, spread=item.quantity)

    def _gap(self, item: Mention) -> float:
        return (0.0, self.costs.joined, self.costs.comma, self.costs.sentence)[item.gap]

    def _bindings(self, begun: Beginning, item: Mention, value: Value) -> Iterator[Beginning]:
        """It says more of the order before it."""
        last = begun.atoms[-1] if begun.atoms else None
        if last is None or last.taken:
            return
        deed, verbs = begun.deed, last.verbs
        if deed and not deed & last.form.verbs:
            return
        if value.kind == "total" and last.sentence == item.sentence and "total" not in last.bound:
            yield self._with_last(begun, 0.0, bound={**last.bound, "total": value.value})
        for slot in last.form.of_type(value.kind):
            if slot in last.bound or last.sentence + 1 < item.sentence:
                continue
            mask = last.mask & last.table.having(slot, value.value)
            role = self._role(last.form, slot, item)
            listed = item.gap and any(x in last.bound for x in last.form.of_type(value.kind))
            if not mask or role is None or (listed and role):
                continue  # `P1 and P2` is no way from one to the other
            many = item.many if not is_number(value.kind) and item.many is not None else last.many
            way = self._way(last.form, slot, item)
            done = self._with_last(
                begun,
                role + self._gap(item) - (last.form.mute if way and last.muted else 0.0),
                bound={**last.bound, slot: value.value},
                mask=mask,
                verbs=verbs | deed | way,
                many=many,
                muted=last.muted and not way,
            )
            yield replace(done, deed=frozenset(), weak=False) if deed or done.weak else done

    def _openings(self, begun: Beginning, item: Mention, value: Value) -> Iterator[Beginning]:
        """It begins another order."""
        if value not in self._starts:
            self._starts[value] = [*self._starts_of(item, value)]
        yield from self._opened(begun, item, self._starts[value])

    def _starts_of(self, item: Mention, value: Value) -> Iterator[Start]:
        for table, slot in self._by_type.get(value.kind, ()):
            form = table.form
            hidden = slot in form.hidden and form.wanted and slot not in form.heads
            if slot in form.optional or hidden:
                continue
            mask = table.having(slot, value.value)
            role = self._role(table.form, slot, item)
            if mask and role is not None:
                way = self._way(form, slot, item)
                yield Start(table, {slot: value.value}, mask, role, way=way)

    def _opened(
        self, begun: Beginning, item: Mention, starts: Sequence[Start]
    ) -> Iterator[Beginning]:
        """Each of these begins another order."""
        costs, deed = self.costs, begun.deed
        last = begun.atoms[-1] if begun.atoms else None
        before = {atom.table: atom for atom in begun.atoms}
        parts = last is None or last.taken or item.gap or deed
        unparted = 0.0 if parts else costs.unparted
        for table, bound, mask, cost, spread, way in starts:
            verbs, muted = deed & table.form.verbs, False
            led = bool(verbs)
            if deed and not verbs:
                if not begun.weak:
                    continue
                cost += costs.weak_deed
            if not verbs:
                same = before.get(table)
                reach = 1 if table.form.needs else 2
                if same is not None and item.sentence - same.sentence < reach:
                    cost += costs.comma if same is last else costs.other
                    verbs, led = same.verbs, same.led
                elif not way:
                    cost, muted = cost + table.form.mute, True
            atom = Atom(
                table,
                bound,
                mask,
                item.sentence,
                item.gap,
                verbs | way,
                muted,
                led,
                spread,
                many=item.many,
            )
            yield Beginning(
                begun.cost + (cost + unparted),
                (*begun.atoms, atom),
                sentence=begun.sentence,
                excepts=begun.excepts,
            )

    def _way(self, form: Form, slot: str, item: Mention) -> frozenset[str]:
        """What a cue says of the deed."""
        return item.cues & {"to"} if slot in form.ways else frozenset()

    def _role(self, form: Form, slot: str, item: Mention) -> float | None:
        """What it costs that a value stands there for this slot; None: it may not."""
        if (form, slot) not in self._roles:
            self._roles[form, slot] = self._cost_of_role(form, slot, item)
        return self._roles[form, slot]

    def _cost_of_role(self, form: Form, slot: str, item: Mention) -> float | None:
        wants = form.roles.get(slot)
        if wants is None and is_number(form.slots[slot]) and item.cues & _PLACED:
            return None  # `in year 3`
        if wants is None or wants & item.cues:
            return 0.0
        cues, loose = item.cues, self.costs.uncued
        if slot in form.strict or (slot in form.optional and (cues or loose == inf)):
            return None
        others = frozenset[str]().union(*(x for name, x in form.roles.items() if name != slot))
        if others & cues:
            return loose if loose < inf and others & cues <= _FAINT else None
        return self.costs.odd_cue if item.cues & _ROLES else self.costs.no_cue
