"""From a draft to orders of Protectors: what a clause leaves out is taken from the position when only one thing can be meant.

Whatever a careful game master would ask about is refused here (`not-understood`, `ambiguous-province`, `ambiguous-player`,
`unknown-player`); whether the order is allowed is the engine's word.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import ABILITIES, Ability
from engine.protectors.state import State
from engine.ruleset import Fact, Standing
from pbem.grammar.binding import People
from pbem.grammar.drafts import Draft, may_name
from pbem.grammar.lexemes import Lexeme
from pbem.grammar.normalise import fold

Roles = Mapping[str, Lexeme | None]


@dataclass(frozen=True, slots=True)
class Built:
    """An order and the lexemes that said it, by role: where a caret belongs if the engine refuses it."""

    order: o.Order
    roles: Roles


class Refusal(Exception):  # noqa: N818 - it is data on its way, not an error
    """Why a clause makes no order: a problem code, the lexeme to point at, facts."""

    def __init__(self, code: str, at: Lexeme | None = None, **facts: Fact) -> None:
        super().__init__(code)
        self.code, self.at, self.facts = code, at, facts


@dataclass(slots=True)
class Position:
    """What the reader may use of the position: the player's own holdings and what is public."""

    state: State
    player: int
    people: People
    standing: Standing[o.Order]
    own: tuple[int, ...] = field(init=False)
    manned: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        board = self.state.board
        self.own = tuple(p for p in range(1, len(board)) if board[p].owner == self.player)
        self.manned = tuple(p for p in self.own if board[p].units)

    def units(self, province: int) -> int:
        """The player's own units there."""
        board = self.state.board
        return board[province].units if 0 <= province < len(board) and board[province].owner == self.player else 0

    @property
    def fights_dragon(self) -> bool:
        return self.state.stage == "dragon" or (self.state.stage == "bank" and self.state.attack is not None)

    @property
    def realm(self) -> int:
        return self.state.players[self.player - 1].realm


def build(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    """The orders of a draft; `named` are the provinces that other orders of the message occupy. Refusal if it makes none."""
    if draft.surplus is not None or (draft.unknown and not may_name(draft)):
        raise Refusal("not-understood", draft.surplus or draft.unknown[0])
    kind = _kind_here(draft, position)
    builder = _BUILDERS.get(kind)
    if builder is None:
        raise Refusal("not-understood", draft.verb)
    return builder(draft, position, named)


def _kind_here(draft: Draft, position: Position) -> str:
    """The verb, or what a clause without one means in this phase."""
    kind, stage = draft.kind, position.state.stage
    to_place = draft.target is not None or draft.dash is not None
    if kind in {"SEND", "GIVE", "MARCH", "ATTACK", "USE", "TAKE"}:
        dragon = "DRAGON" in draft.marks or (position.fights_dragon and not to_place and draft.who is None)
        if dragon and (draft.origin or draft.places or draft.quantity) and not draft.ability:
            return "COMMIT"
    if kind in {"SEND", "GIVE"}:
        return "MARCH" if to_place and draft.who is None else "SEND"
    if kind == "TAKE" and not draft.ability and (draft.after or to_place):
        return "ATTACK"
    if kind:
        return kind
    if draft.marks.keys() & {"SEADECK", "ENDDECK"}:
        return ""
    if stage == "orders" and to_place:
        return "MARCH"
    amount = bool(draft.numbers) or draft.quantity is not None
    if position.fights_dragon and amount:
        return "COMMIT"
    if draft.numbers and draft.lender is not None and stage in {"consolidation", "bidding", "rebid"}:
        return "USE"
    if stage == "consolidation" and draft.numbers and draft.at is not None:
        return "BUY"
    if stage == "bidding" and draft.ability is not None:
        return "FACTION"
    if stage in {"bidding", "rebid", "bank"} and draft.said() == {"number"}:
        return "BID"
    return ""


# ------------------------------------------------------------------------------------------------ small readings
def _refuse_unless(draft: Draft, *roles: str) -> None:
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


def _value(lexeme: Lexeme) -> int:
    return lexeme.value if lexeme.value is not None else 0


def _one_number(draft: Draft) -> Lexeme:
    if len({number.value for number in draft.numbers}) != 1:
        raise Refusal("not-understood", draft.numbers[1] if draft.numbers else None, missing="number")
    return draft.numbers[0]


def _player(draft: Draft, position: Position) -> Lexeme:
    """The player a clause names, with its number; a word that is no name is tried as the beginning of one."""
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
    others = tuple(person.name for person in position.people.persons if person.number in position.state.ranking)
    raise Refusal("unknown-player", lexeme, named=lexeme.text, players=others)


def _ambiguous(candidates: Iterable[int], at: Lexeme | None) -> Refusal:
    return Refusal("ambiguous-province", at, candidates=tuple(o.format_province(p) for p in candidates))


def _provinces(draft: Draft, position: Position, named: Sequence[int], default: Sequence[int], *, spreads: bool = False) -> list[tuple[int, Lexeme | None]]:
    """The provinces a clause is about: those named, a range, all or the rest of them, or the only one that could be meant."""
    places = list(draft.places)
    if draft.dash is not None:
        if len(places) != 1:
            raise Refusal("not-understood", draft.dash)
        first, last = _value(places[0]), _value(draft.dash)
        if not 0 < first < last <= first + 60:
            raise Refusal("not-understood", draft.dash)
        return [(p, draft.dash if p == last else places[0]) for p in range(first, last + 1)]
    if not places and draft.numbers:
        places = draft.numbers
    quantity = draft.quantity
    if places and quantity is not None and quantity.kind in {"ALL", "BOTH", "THEUNITS"}:
        quantity = None  # `everyone in P1 works`
    if quantity is not None and quantity.kind in {"HALF", "NOTHING", "THEUNITS"}:
        raise Refusal("not-understood", quantity)
    if places and quantity is None and not draft.excepted:
        return [(_value(place), place) for place in places]
    if draft.all_but is not None or places:
        raise Refusal("not-understood", draft.all_but or quantity or places[0])
    if quantity is not None or draft.excepted or "EACH" in draft.marks:
        but = {_value(place) for place in draft.excepted}
        if quantity is not None and quantity.kind == "ELSE":
            but |= set(named) or {p for p in map(o.ordered_province, position.standing.orders) if p is not None}
        if quantity is not None and quantity.kind == "BOTH" and len(default) != 2:
            raise _ambiguous(default, quantity)
        spread = [(p, quantity) for p in default if p not in but]
        if not spread:
            raise Refusal("not-understood", quantity)
        return spread
    if spreads:
        return [(p, draft.verb) for p in default]
    if len(default) == 1:
        return [(default[0], draft.verb)]
    raise _ambiguous(default, draft.verb) if default else Refusal("no-units" if position.own else "not-your-province", draft.verb)


def _amount(draft: Draft, position: Position, origin: int) -> int:
    """How many units: a number, or a word measured against what stands there."""
    present, quantity = position.units(origin), draft.quantity
    if draft.all_but is not None:
        if present <= _value(draft.all_but):
            raise Refusal("not-understood", draft.all_but, units=present)
        return present - _value(draft.all_but)
    if draft.numbers:
        if quantity is not None and not (quantity.kind in {"ALL", "BOTH"} and _value(draft.numbers[0]) == present):
            raise Refusal("not-understood", quantity)
        return _value(_one_number(draft))
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


# ------------------------------------------------------------------------------------------------ the orders window
def _fortify(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "dash", "number", "quantity", "golden", "excepted", "marks" if "EACH" in draft.marks else "place")
    golden = draft.golden is not None
    found = _provinces(draft, position, named, position.manned)
    kind: type[o.Fortify] | type[o.Work] = o.Fortify if draft.kind == "FORTIFY" else o.Work
    return [Built(kind(p, golden), {"province": at, "golden": draft.golden, "verb": draft.verb}) for p, at in found]


def _hold(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "dash", "number", "quantity", "excepted", "who" if draft.who and draft.who.value == position.player else "place")
    found = _provinces(draft, position, named, position.manned, spreads=True)
    return [Built(o.Hold(p), {"province": at, "verb": draft.verb}) for p, at in found]


def _march(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "origin", "target", "at", "dash", "number", "quantity", "golden", "delayed", "who" if draft.kind in {"ATTACK", "TAKE"} else "place")
    if draft.scattered:
        raise Refusal("not-understood", draft.quantity)
    origin, target, bare = draft.origin, draft.target or draft.dash, [*draft.before, *draft.after]
    if draft.kind in {"ATTACK", "TAKE"}:
        if target is None and draft.after:
            target = draft.after[-1]
            bare.remove(target)
        elif target is None and draft.at is not None:
            target = draft.at
        elif draft.at is not None and origin is None:
            origin = draft.at
    elif draft.at is not None:
        if origin is not None:
            raise Refusal("not-understood", draft.at)
        origin = draft.at
    if origin is None and bare:
        origin = bare.pop(0)
    if target is None and bare:
        target = bare.pop(0)
    if bare:
        raise Refusal("not-understood", bare[0])
    if target is None:
        target = _target_of_attack(draft, position, origin)
    owner = position.state.board[_value(target)].owner if _value(target) < len(position.state.board) else None
    if draft.who is not None and (draft.who.kind != "WHO" or owner != draft.who.value):
        raise Refusal("not-understood", draft.who)
    start = _value(origin) if origin is not None else _origin_of_march(draft, position, _value(target))
    golden, delayed = draft.golden is not None, draft.delayed is not None
    order = o.March(_amount(draft, position, start), start, _value(target), golden, delayed)
    number = draft.numbers[0] if draft.numbers else draft.quantity
    return [Built(order, {"province": origin, "target": target, "number": number, "golden": draft.golden, "verb": draft.verb})]


def _target_of_attack(draft: Draft, position: Position, origin: Lexeme | None) -> Lexeme:
    """`attack Anna from P2`: Anna's only province in reach."""
    if draft.who is not None and draft.who.kind == "WHO" and origin is not None and 0 <= _value(origin) < len(position.state.board):
        theirs = [p for p in numbers.march_targets(position.state, _value(origin)) if position.state.board[p].owner == draft.who.value]
        if len(theirs) == 1:
            return Lexeme("PLACE", draft.who.text, draft.who.start, draft.who.end, theirs[0])
        if theirs:
            raise _ambiguous(theirs, draft.who)
    raise Refusal("not-understood", None, missing="target")


def _origin_of_march(draft: Draft, position: Position, target: int) -> int:
    state = position.state
    manned = [*position.manned, *([o.ISLAND] if position.units(o.ISLAND) else [])]
    near = [p for p in manned if target in numbers.march_targets(state, p)]
    if len(near) == 1 or (not near and len(manned) == 1):
        return (near or manned)[0]
    if not near:
        raise Refusal("not-neighbours", draft.target or draft.verb, target=target)
    raise _ambiguous(near, draft.verb)


def _support(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "origin", "at", "target", "who", "golden", "unknown", "quantity" if draft.quantity and draft.quantity.kind in {"ALL", "THEUNITS"} else "who")
    origin, target, bare = draft.origin, draft.at or draft.target, [*draft.before, *draft.after]
    if origin is None and draft.before:
        origin = bare.pop(0)
    if target is None and bare:
        target = bare.pop(0)
    if origin is None and bare:
        origin = bare.pop(0)
    if bare or target is None:
        raise Refusal("not-understood", bare[0] if bare else None, missing="province")
    golden, state = draft.golden is not None, position.state
    if draft.who is None and not draft.unknown:
        if _value(target) not in position.own:
            raise Refusal("not-understood", None, missing="player")
        number, at = position.player, target
    else:
        at = _player(draft, position)
        number = _value(at)
    if origin is not None:
        start = _value(origin)
    else:
        near = [p for p in position.manned if _value(target) in numbers.support_targets(state, p, golden=golden)]
        if len(near) != 1 and (near or len(position.manned) != 1):
            raise _ambiguous(near, draft.verb) if near else Refusal("not-neighbours", target, target=_value(target))
        start = (near or position.manned)[0]
    return [Built(o.Support(number, _value(target), start, golden), {"who": at, "target": target, "province": origin, "golden": draft.golden, "verb": draft.verb})]


def _send(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "who", "number", "unknown", "quantity" if draft.quantity and draft.quantity.kind == "ALL" else "who")
    if not draft.numbers and draft.quantity is None:
        raise Refusal("not-understood", None, missing="number")
    amount = position.realm if not draft.numbers else _value(_one_number(draft))
    who = _player(draft, position)
    return [Built(o.Send(amount, _value(who)), {"who": who, "number": draft.numbers[0] if draft.numbers else draft.quantity, "verb": draft.verb})]


def _snitch(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "who", "unknown")
    who = _player(draft, position)
    return [Built(o.Snitch(_value(who)), {"who": who, "verb": draft.verb})]


def _same(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place" if not draft.places else "verb")
    last = dict(position.state.last_orders).get(position.player, ())
    kept = [order for order in last if o.ordered_province(order) not in named or o.ordered_province(order) is None]
    if not kept:
        raise Refusal("not-understood", draft.verb, missing="last-orders")
    return [Built(order, {"verb": draft.verb}) for order in kept]


def _cancel(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "number", "dash", "origin")
    if draft.origin is not None:
        draft.after.append(draft.origin)
    if not draft.places and not draft.numbers:
        raise Refusal("not-understood", draft.verb, missing="province")
    return [Built(o.Cancel(p), {"province": at, "verb": draft.verb}) for p, at in _provinces(draft, position, named, ())]


# ------------------------------------------------------------------------------------------------ buying and bidding
def _buy(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "number", "quantity", "marks" if set(draft.marks) <= {"EACH", "UNITS", "REALM", "WHICH", "PLAYER"} else "place")
    if draft.quantity is not None and draft.quantity.kind == "NOTHING" and not draft.numbers:
        return _buy_nothing(draft, position)
    number = _one_number(draft)
    units = _value(number)
    spread = (draft.scattered and draft.quantity is not None) or "EACH" in draft.marks
    if draft.quantity is not None and not spread and draft.quantity.kind != "ALL":
        raise Refusal("not-understood", draft.quantity)
    bare = Draft(verb=draft.verb, before=draft.before, after=draft.after, at=draft.at, quantity=draft.quantity)
    found = _provinces(bare, position, named, position.own) if not ("EACH" in draft.marks and not draft.places) else [(p, draft.marks["EACH"]) for p in position.own]
    if len(found) > 1 and units != 1 and not spread:
        raise Refusal("not-understood", number)
    return [Built(o.Buy(units, p), {"province": at, "number": number, "verb": draft.verb}) for p, at in found]


def _buy_nothing(draft: Draft, position: Position) -> list[Built]:
    """What stands of a purchase is taken back; that nothing is bought needs no order beside a bid (PR-8.9)."""
    standing = position.standing.orders
    taken_back = sorted({order.province for order in standing if isinstance(order, o.Buy)})
    orders: list[o.Order] = [o.Cancel(p) for p in taken_back]
    if not any(isinstance(order, o.Bid) for order in standing):
        orders.append(o.Bid(0))
    return [Built(order, {"verb": draft.verb, "default": draft.quantity}) for order in orders]


def _upgrade(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "number", "target")
    level = draft.target is not None and draft.target.kind == "NUM"
    if draft.target is not None and not level:
        raise Refusal("not-understood", draft.target)
    candidates = numbers.upgradable(position.state, position.player)
    return [Built(o.Upgrade(p), {"province": at, "verb": draft.verb}) for p, at in _provinces(draft, position, named, candidates)]


def _capitol(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "number", "target")
    if draft.target is not None:
        draft.after.append(draft.target)
    candidates = numbers.capitols(position.state, position.player)
    return [Built(o.Capitol(p), {"province": at, "verb": draft.verb}) for p, at in _provinces(draft, position, named, candidates)]


def _bid(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "number", "target", "quantity", "marks" if set(draft.marks) <= {"LEFT", "REALM", "UNITS"} else "number")
    at: Lexeme | None
    if draft.target is not None and draft.target.kind == "NUM" and not draft.numbers:
        amount, at = _value(draft.target), draft.target
    elif draft.numbers and draft.quantity is None and "LEFT" not in draft.marks and draft.target is None:
        at = _one_number(draft)
        amount = _value(at)
    elif draft.kind == "NOBID" or (draft.quantity is not None and draft.quantity.kind == "NOTHING" and not draft.numbers):
        amount, at = 0, draft.quantity or draft.verb
    elif draft.quantity is not None and draft.quantity.kind == "ALL" and not draft.numbers and not _spends(position):
        amount, at = position.realm, draft.quantity
    else:
        raise Refusal("not-understood", draft.quantity, missing="number")
    return [Built(o.Bid(amount), {"number": at, "verb": draft.verb})]


def _spends(position: Position) -> bool:
    return any(isinstance(order, o.Buy | o.Upgrade | o.UseFaith | o.HireKing | o.UseBank) for order in position.standing.orders)


def _use(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "number", "lender", "who")
    number = _one_number(draft)
    who = _player(Draft(who=draft.lender or draft.who), position)
    return [Built(o.Use(_value(number), _value(who)), {"who": who, "number": number, "verb": draft.verb})]


# ------------------------------------------------------------------------------------------------ the Dragon
def _commit(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "origin", "at", "number", "quantity", "sacrifice", "marks" if set(draft.marks) <= {"DRAGON", "UNITS", "THEM"} else "number")
    places = [*([draft.origin] if draft.origin else []), *draft.places]
    if draft.quantity is not None and draft.quantity.kind == "NOTHING" and not places and not draft.numbers:
        return [Built(o.CommitNothing(), {"verb": draft.verb or draft.quantity})]
    number = draft.numbers[0] if draft.numbers else draft.quantity
    if not places:
        everywhere = draft.quantity is not None and draft.quantity.kind == "ALL" and not draft.numbers
        if not everywhere and len(position.manned) != 1:
            raise _ambiguous(position.manned, draft.verb or number)
        targets: list[tuple[int, Lexeme | None]] = [(p, number) for p in position.manned]
    else:
        targets = [(_value(place), place) for place in places]
    if len(targets) > 1 and draft.numbers:
        raise Refusal("not-understood", number)
    built = []
    for province, at in targets:
        units = _amount(draft, position, province)
        order = o.Commit(units, province, _sacrificed(draft, units))
        built.append(Built(order, {"province": at, "number": number, "verb": draft.verb}))
    if not built:
        raise Refusal("no-units", draft.verb)
    return built


def _sacrificed(draft: Draft, committed: int) -> int | None:
    if not draft.sacrifice:
        return None
    said = draft.sacrifice[-1]
    match said.kind:
        case "NUM":
            return _value(said)
        case "ALL" | "THEM":
            return committed
        case "BOTH" if committed == 2:
            return 2
        case "NOTHING":
            return 0
        case "HALF" if committed % 2 == 0:
            return committed // 2
    raise Refusal("not-understood", said)


def _hide(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "quantity")
    return [Built(o.CommitNothing(), {"verb": draft.verb})]


def _burn(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "place", "at", "number", "dash")
    green = numbers.green_provinces(position.state, position.player)
    return [Built(o.Burn(p), {"province": at, "verb": draft.verb}) for p, at in _provinces(draft, position, named, green)]


def _fire(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "number")
    number = _one_number(draft)
    return [Built(o.Fire(_value(number)), {"number": number, "verb": draft.verb})]


# ------------------------------------------------------------------------------------------------ factions and the Sanctum
def _ability(lexeme: Lexeme) -> Ability | None:
    """The ability a phrase names, by its own words or by the verb it is also an order of."""
    keys = {"refresh": None}
    words = lexeme.text.removeprefix("use ").removeprefix("the ")
    for ability in ABILITIES:
        name = fold(ability.name).removeprefix("the ")
        if ability.key not in keys and (words in (name, name + "s") or words.removesuffix("s") == name or name.endswith(words) or words.endswith(name)):
            return ability
    return None


def _faction(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "ability")
    words = fold(draft.ability.text).replace("'", "") if draft.ability else ""
    faction = next((f for f in o.FACTIONS if fold(f).replace("'", "") == words), None)
    if faction is None:
        raise Refusal("not-understood", draft.ability or draft.verb)
    return [Built(o.ChooseFaction(faction), {"verb": draft.ability})]


def _palantir(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    decks = [mark for mark in ("SEADECK", "ENDDECK") if mark in draft.marks]
    if len(decks) != 1 or draft.said() - {"verb", "marks"}:
        raise Refusal("not-understood", draft.verb)
    return [Built(o.Palantir("sea" if decks == ["SEADECK"] else "end"), {"verb": draft.verb})]


def _refresh(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "ability")
    if draft.ability is not None:
        ability = _ability(draft.ability)
        if ability is None:
            raise Refusal("not-understood", draft.ability)
    else:
        used = [a for a in ABILITIES if a.tier == 1 and a.key in position.state.players[position.player - 1].used]
        if len(used) != 1:
            raise Refusal("not-understood", draft.verb, missing="ability", candidates=tuple(a.name for a in used))
        ability = used[0]
    return [Built(o.Refresh(ability.name), {"verb": draft.ability or draft.verb})]


def _take(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    _refuse_unless(draft, "ability")
    ability = _ability(draft.ability) if draft.ability is not None else None
    if ability is None:
        raise Refusal("not-understood", draft.ability or draft.verb, missing="ability")
    return [Built(o.Take(ability.name), {"verb": draft.ability})]


_Builder = Callable[[Draft, Position, Sequence[int]], list[Built]]


def _plain(order: o.Order) -> _Builder:
    def build_plain(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
        _refuse_unless(draft)
        return [Built(order, {"verb": draft.verb})]

    return build_plain


_BUILDERS: Mapping[str, _Builder] = {
    "FORTIFY": _fortify, "WORK": _fortify, "HOLD": _hold, "MARCH": _march, "ATTACK": _march, "SUPPORT": _support, "SEND": _send,
    "SNITCH": _snitch, "SAME": _same, "CANCEL": _cancel, "CANCELALL": _plain(o.Cancel()), "FINAL": _plain(o.Final()),
    "BUY": _buy, "UPGRADE": _upgrade, "CAPITOL": _capitol, "BID": _bid, "NOBID": _bid, "USE": _use,
    "COMMIT": _commit, "HIDDEN": _hide, "BURN": _burn, "FIRE": _fire, "NOTHINGTOSEE": _plain(o.Hide()),
    "BANK": _plain(o.UseBank()), "FAITH": _plain(o.UseFaith()), "KING": _plain(o.HireKing()), "FORECAST": _plain(o.Forecast()),
    "READDRAGONS": _plain(o.ReadDragonDeck()), "BOTTOM": _plain(o.PutAtBottom()), "PLACEDRAGON": _plain(o.PlaceDragon()),
    "FACTION": _faction, "PALANTIR": _palantir, "REFRESH": _refresh, "TAKE": _take,
}  # fmt: skip
