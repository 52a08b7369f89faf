"""What the reader may use of the position, and what a clause leaves out that only one thing can be.

Whatever a careful game master would ask about is refused here; whether an order is allowed is the
engine's word.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import BANK_COST, FAITH_COST, GUARD_COST
from engine.protectors.checking.purchase import supply_room
from engine.protectors.state import State
from engine.ruleset import Fact, Standing
from pbem.games.protectors.reading.ledger import LedgerEntry
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.people import People
from pbem.grammar.kit.slots import Slots

_COSTS: dict[type[o.Order], int] = {
    o.Upgrade: numbers.UPGRADE_COST,
    o.UseFaith: FAITH_COST,
    o.HireKing: GUARD_COST,
    o.UseBank: BANK_COST,
}
_ANOTHER = frozenset({"the other", "the other one", "the other province", "my other province"})
"""The rest, if that is one province."""


class Unclear(Exception):
    """Why a clause makes no order: a code, the lexeme to point at, facts."""

    def __init__(self, code: str, at: Lexeme | None = None, **facts: Fact) -> None:
        super().__init__(code)
        self.code, self.at, self.facts = code, at, facts


@dataclass(slots=True)
class Position:
    """The player's own holdings and what is public; `named`: provinces that the message has orders
    for, which are not among the rest.
    """

    state: State
    player: int
    people: People
    standing: Standing[o.Order]
    own: tuple[int, ...] = field(init=False)
    manned: tuple[int, ...] = field(init=False)
    named: Collection[int] = ()
    spent: int | None = None
    """The cost of the message's purchases (None: unknown, since some of them would be cut)."""

    def __post_init__(self) -> None:
        board = self.state.board
        self.own = tuple(p for p in range(1, len(board)) if board[p].owner == self.player)
        self.manned = tuple(p for p in self.own if board[p].units)

    @property
    def fights_dragon(self) -> bool:
        state = self.state
        return state.stage == "dragon" or (state.stage == "bank" and state.attack is not None)

    @property
    def purse(self) -> int:
        return self.state.players[self.player - 1].realm

    def units(self, province: int) -> int:
        board = self.state.board
        held = board[province] if 0 <= province < len(board) else None
        return held.units if held is not None and held.owner == self.player else 0

    @property
    def spends(self) -> bool:
        """Whether something stands that costs money."""
        bought = o.Buy | o.Upgrade | o.UseFaith | o.HireKing | o.UseBank
        return bool(self.spent) or any(isinstance(x, bought) for x in self.standing.orders)

    def cost_of(self, told: Sequence[o.Order]) -> int | None:
        """What the purchases of a message cost, and those that stand if it names none; None if some
        of them would be cut.
        """
        standing = self.standing.orders
        buys = [order for order in told if isinstance(order, o.Buy)] or [
            order for order in standing if isinstance(order, o.Buy)
        ]
        wanted: dict[int, int] = {}
        for buy in buys:
            wanted[buy.province] = wanted.get(buy.province, 0) + buy.units
        for province, units in wanted.items():
            own = province in self.own
            if not own or units > supply_room(self.state, self.player, province):
                return None
        others = [*told, *(order for order in standing if not isinstance(order, o.Buy))]
        rest = sum(_COSTS.get(type(order), 0) for order in others)
        return numbers.UNIT_COST * sum(wanted.values()) + rest

    def ambiguous(self, provinces: Sequence[int], at: Lexeme | None) -> Unclear:
        return Unclear(
            "ambiguous-province", at, candidates=tuple(map(o.format_province, provinces))
        )

    def nothing_there(self, at: Lexeme | None) -> Unclear:
        return Unclear("no-units" if self.own else "not-your-province", at)

    def player_of(self, slots: Slots) -> int:
        """The player a clause names; a word that is no name is tried as the beginning of one."""
        at = slots.who[0] if slots.who else slots.loose[0] if slots.loose else None
        if at is None:
            raise Unclear("not-understood", slots.verb, missing="player")
        if len(slots.who) > 1:
            raise Unclear("not-understood", slots.who[1])
        if at.kind == "WHO":
            return value_of(at)
        found = self.people.candidates(at.text)
        if len(found) == 1:
            return found[0]
        if found:
            names = tuple(map(self.people.name_of, found))
            raise Unclear("ambiguous-player", at, candidates=names)
        others = tuple(self.people.name_of(number) for number in self.state.ranking)
        raise Unclear("unknown-player", at, named=at.text, players=others)

    def provinces_of(
        self, slots: Slots, choices: Sequence[int], *, bare_is_all: bool = False
    ) -> list[int]:
        """Where a clause is done: as named, a range, all, the rest, or the only one it can be."""
        at, quantity = slots.verb, slots.quantity
        but = {value_of(place) for place in slots.excepted}
        if slots.dash is not None:
            first, last = (value_of(slots.places[0]) if slots.places else 0), value_of(slots.dash)
            if len(slots.places) != 1 or not 0 < first < last <= first + 60:
                raise Unclear("not-understood", slots.dash)
            if not but <= set(range(first, last + 1)):
                raise Unclear("not-understood", slots.excepted[0])
            return [p for p in range(first, last + 1) if p not in but]
        if slots.places:
            if but or (quantity is not None and quantity.kind not in {"ALL", "BOTH", "THEUNITS"}):
                raise Unclear("not-understood", quantity or slots.excepted[0])
            if _counts_others(quantity, len(slots.places)):
                raise Unclear("not-understood", quantity)
            return list(dict.fromkeys(map(value_of, slots.places)))
        kind = quantity.kind if quantity is not None else "EACH" if "EACH" in slots.marks else ""
        if kind in {"HALF", "NOTHING"}:
            raise Unclear("not-understood", quantity)
        if kind == "BOTH" and len(choices) != 2:
            raise self.ambiguous(choices, quantity)
        if but and not kind and not bare_is_all:
            raise Unclear("not-understood", slots.excepted[0])  # `except P1 works`
        if kind in {"ALL", "ELSE", "BOTH", "EACH"} or bare_is_all:
            if not but <= set(self.own):
                raise Unclear("not-understood", slots.excepted[0])
            if kind == "ELSE":
                standing = map(o.ordered_province, self.standing.orders)
                but |= set(self.named) or {p for p in standing if p is not None}
            found = [p for p in choices if p not in but]
            units = slots.marks.get("UNITS")
            many = units is not None and units.text.endswith("s")
            one = quantity is not None and quantity.text in _ANOTHER and not many
            one = one and "TOTAL" not in slots.marks
            if one and len(found) > 1:
                raise self.ambiguous(found, quantity)
            if not found or _counts_others(quantity, len(found)):
                raise Unclear("not-understood", at) if choices else self.nothing_there(at)
            return found
        if len(choices) == 1:
            return [choices[0]]
        raise self.ambiguous(choices, at) if choices else self.nothing_there(at)

    def amount_of(self, slots: Slots, origin: int) -> int:
        """How many units: a number, or a word measured against what stands there."""
        here, quantity = self.units(origin), slots.quantity
        but = slots.marks.get("ALLBUT")
        if _counts_others(quantity, here):
            raise Unclear("not-understood", quantity)
        if but is not None:
            if slots.numbers or here <= value_of(but):
                raise Unclear("not-understood", but)
            return here - value_of(but)
        if slots.numbers:
            number = one_number(slots)
            same = quantity is None or quantity.kind == "THEUNITS"
            same = same or (
                quantity is not None and quantity.kind == "ELSE" and here > value_of(number)
            )
            all_here = quantity is not None and value_of(number) == here
            lacks = quantity is not None and quantity.kind == "ALL" and value_of(number) > here
            if not (same or all_here or lacks):  # of what is lacking the engine says so
                raise Unclear("not-understood", quantity)
            return value_of(number)
        kind = quantity.kind if quantity is not None else ""
        if kind == "ALL" and quantity is not None and quantity.value not in {None, here}:
            raise Unclear("not-understood", quantity, missing="number", units=here, province=origin)
        if here == 0 or (here == 1 and kind in {"", "THEUNITS", "ALL"}):
            return 1  # if there is none, the engine says so
        if kind in {"ALL", "THEUNITS"} or (kind == "BOTH" and here == 2):
            return here
        raise Unclear("not-understood", quantity, missing="number", units=here, province=origin)

    def start_for(self, target: int, reach: Sequence[int], at: Lexeme | None) -> int:
        """The only province from which this one is in reach."""
        if len(reach) == 1 or (not reach and len(self.manned) == 1):
            return (list(reach) or list(self.manned))[0]
        if not reach:
            raise Unclear("not-neighbours", at, target=target)
        raise self.ambiguous(reach, at)

    def marching_to(self, target: int) -> list[int]:
        island = [o.ISLAND] if self.units(o.ISLAND) else []
        return [p for p in (*self.manned, *island) if target in self.targets(p)]

    def targets(self, origin: int) -> Sequence[int]:
        held = 0 <= origin < len(self.state.board)
        return numbers.march_targets(self.state, origin) if held else ()

    def supporting(self, target: int, *, golden: bool) -> list[int]:
        return [
            p
            for p in self.manned
            if target in numbers.support_targets(self.state, p, golden=golden)
        ]


def _counts_others(quantity: Lexeme | None, count: int) -> bool:
    """Whether the words give another number than there is: `all three`, and there are two."""
    if quantity is None or quantity.kind not in {"ALL", "BOTH"}:
        return False
    told = 2 if quantity.kind == "BOTH" else quantity.value
    return told is not None and told != count


def value_of(lexeme: Lexeme) -> int:
    return lexeme.value if lexeme.value is not None else 0


def one_number(slots: Slots) -> Lexeme:
    if len({number.value for number in slots.numbers}) != 1:
        at = slots.numbers[1] if slots.numbers else slots.verb
        raise Unclear("not-understood", at, missing="number")
    return slots.numbers[0]


def named_by(entries: Sequence[LedgerEntry]) -> set[int]:
    """All provinces that orders of a message are for, but those that spread."""
    return {
        province
        for entry in entries
        if not (entry.gone or entry.talk or entry.slots.kind == "SAME")
        for province in entry.provinces()
    }
