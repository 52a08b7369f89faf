"""What a clause of Protectors leaves out, taken from the position when only one thing can be meant.

Whatever a careful game master would ask about is refused (`not-understood`, `ambiguous-province`,
`ambiguous-player`, `unknown-player`); whether an order is allowed is the engine's word.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.protectors import orders as o
from engine.protectors.state import State
from engine.ruleset import Fact, Standing
from pbem.games.protectors.reading.drafts import Draft
from pbem.grammar.kit.binding import People
from pbem.grammar.kit.lexemes import Lexeme

Roles = Mapping[str, Lexeme | None]


@dataclass(frozen=True, slots=True)
class Built:
    """An order and the lexemes that said it, by role: where a caret belongs if the engine refuses
    it.
    """

    order: o.Order
    roles: Roles


class Refusal(Exception):
    """Why a clause makes no order: a problem code, the lexeme to point at, facts."""

    def __init__(self, code: str, at: Lexeme | None = None, **facts: Fact) -> None:
        super().__init__(code)
        self.code, self.at, self.facts = code, at, facts


@dataclass(slots=True)
class Position:
    """What the reader may use of the position: the player's own holdings and what is public.

    `spent`: what the message's purchases cost (None: cannot be told, since some of them would be
    cut).
    """

    state: State
    player: int
    people: People
    standing: Standing[o.Order]
    own: tuple[int, ...] = field(init=False)
    manned: tuple[int, ...] = field(init=False)
    spent: int | None = None

    def __post_init__(self) -> None:
        board = self.state.board
        self.own = tuple(p for p in range(1, len(board)) if board[p].owner == self.player)
        self.manned = tuple(p for p in self.own if board[p].units)

    def units(self, province: int) -> int:
        """The player's own units there."""
        board = self.state.board
        return (
            board[province].units
            if 0 <= province < len(board) and board[province].owner == self.player
            else 0
        )

    @property
    def fights_dragon(self) -> bool:
        return self.state.stage == "dragon" or (
            self.state.stage == "bank" and self.state.attack is not None
        )

    @property
    def realm(self) -> int:
        return self.state.players[self.player - 1].realm


def refuse_unless(draft: Draft, *roles: str) -> None:
    """A clause that says more than its verb takes is not understood."""
    surplus = draft.said() - {"verb", *roles}
    if surplus:
        raise Refusal("not-understood", _lexeme_of(draft, min(surplus)) or draft.verb)


def _lexeme_of(draft: Draft, role: str) -> Lexeme | None:
    match role:
        case "place":
            return draft.places[0]
        case "number":
            return draft.numbers[-1]
        case "sacrifice":
            return draft.sacrifice[0]
        case "excepted":
            return draft.excepted[0]
        case "unknown":
            return draft.unknown[0]
        case "marks":
            return next(iter(draft.marks.values()))
        case "quantity":
            return draft.quantity or draft.all_but
    lexeme = getattr(draft, role)
    return lexeme if isinstance(lexeme, Lexeme) else None


def value_of(lexeme: Lexeme) -> int:
    return lexeme.value if lexeme.value is not None else 0


def one_number(draft: Draft) -> Lexeme:
    if len({number.value for number in draft.numbers}) != 1:
        raise Refusal(
            "not-understood", draft.numbers[1] if draft.numbers else None, missing="number"
        )
    return draft.numbers[0]


def player_named(draft: Draft, position: Position) -> Lexeme:
    """The player a clause names, with its number; a word that is no name is tried as the beginning
    of one.
    """
    lexeme = draft.who or (draft.unknown[0] if draft.unknown else None)
    if lexeme is None:
        raise Refusal("not-understood", None, missing="player")
    if lexeme.kind == "WHO":
        return lexeme
    found = position.people.candidates(lexeme.text)
    if len(found) == 1:
        return Lexeme("WHO", lexeme.text, lexeme.start, lexeme.end, found[0])
    if found:
        names = tuple(position.people.name_of(number) for number in found)
        raise Refusal("ambiguous-player", lexeme, candidates=names)
    others = tuple(
        person.name for person in position.people.persons if person.number in position.state.ranking
    )
    raise Refusal("unknown-player", lexeme, named=lexeme.text, players=others)


def ambiguous(candidates: Iterable[int], at: Lexeme | None) -> Refusal:
    return Refusal(
        "ambiguous-province", at, candidates=tuple(o.format_province(p) for p in candidates)
    )


def provinces_named(
    draft: Draft,
    position: Position,
    named: Sequence[int],
    default: Sequence[int],
    *,
    spreads: bool = False,
) -> list[tuple[int, Lexeme | None]]:
    """The provinces a clause is about: those named, a range, all or the rest of them, or the only
    one that could be meant.
    """
    places = list(draft.places)
    other = next(
        (place for place in places if draft.before and value_of(place) != value_of(places[0])), None
    )
    if other is not None and other not in draft.before:
        raise Refusal("not-understood", other)  # `P1 defends P2`: which of them?
    but = {value_of(place) for place in draft.excepted}
    if draft.dash is not None:
        return _range_named(draft, draft.dash, but)
    if not places and draft.numbers:
        places = draft.numbers
    quantity = draft.quantity
    if places and quantity is not None and quantity.kind in {"ALL", "BOTH", "THEUNITS"}:
        quantity = None  # `everyone in P1 works`
    if quantity is not None and quantity.kind in {"HALF", "NOTHING", "THEUNITS"}:
        raise Refusal("not-understood", quantity)
    if places and quantity is None and not draft.excepted:
        return [(value_of(place), place) for place in places]
    if draft.all_but is not None or places:
        raise Refusal("not-understood", draft.all_but or quantity or places[0])
    if quantity is not None or draft.excepted or "EACH" in draft.marks:
        if quantity is not None and quantity.kind == "ELSE":
            but |= set(named) or {
                p for p in map(o.ordered_province, position.standing.orders) if p is not None
            }
        if quantity is not None and quantity.kind == "BOTH" and len(default) != 2:
            raise ambiguous(default, quantity)
        spread = [(p, quantity) for p in default if p not in but]
        if not spread:
            raise (
                Refusal("not-understood", quantity)
                if default
                else _nothing_there(position, quantity)
            )
        return spread
    if spreads:
        return [(p, draft.verb) for p in default]
    if len(default) == 1:
        return [(default[0], draft.verb)]
    raise ambiguous(default, draft.verb) if default else _nothing_there(position, draft.verb)


def _range_named(draft: Draft, dash: Lexeme, but: set[int]) -> list[tuple[int, Lexeme | None]]:
    """`P1-P3`, `P1-P3 except P2`."""
    if len(draft.places) != 1:
        raise Refusal("not-understood", dash)
    first, last = value_of(draft.places[0]), value_of(dash)
    if not 0 < first < last <= first + 60:
        raise Refusal("not-understood", dash)
    if not but <= set(range(first, last + 1)):
        raise Refusal("not-understood", draft.excepted[0])
    return [
        (p, dash if p == last else draft.places[0]) for p in range(first, last + 1) if p not in but
    ]


def _nothing_there(position: Position, at: Lexeme | None) -> Refusal:
    """Who has no units anywhere can do nothing with them; who has no province either has nothing at
    all.
    """
    return Refusal("no-units" if position.own else "not-your-province", at)


def money_of(draft: Draft, position: Position) -> int:
    """All of a purse, or `all but 5` of it, in $Realm."""
    kept = value_of(draft.all_but) if draft.all_but is not None else 0
    if kept < 0 or (kept and kept >= position.realm):
        raise Refusal("not-understood", draft.all_but)
    return position.realm - kept


def amount_of(draft: Draft, position: Position, origin: int) -> int:
    """How many units: a number, or a word measured against what stands there."""
    present, quantity = position.units(origin), draft.quantity
    if draft.all_but is not None:
        if present <= value_of(draft.all_but):
            raise Refusal("not-understood", draft.all_but, units=present)
        return present - value_of(draft.all_but)
    if draft.numbers:
        if quantity is not None and not (
            quantity.kind in {"ALL", "BOTH"} and value_of(draft.numbers[0]) == present
        ):
            raise Refusal("not-understood", quantity)
        return value_of(one_number(draft))
    if quantity is None:
        if present == 1:
            return 1
        if present == 0:
            return 1  # the engine says why not
        raise Refusal("not-understood", None, missing="number", units=present, province=origin)
    if present == 0:
        return 1
    match quantity.kind:
        case "ALL" | "THEUNITS":
            return present
        case "BOTH" if present == 2:
            return 2
        case "HALF" if present % 2 == 0:
            return present // 2
    raise Refusal("not-understood", quantity, units=present)
