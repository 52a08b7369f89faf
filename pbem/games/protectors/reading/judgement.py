"""Slots into orders, by their signatures and by what the position leaves open."""

from collections.abc import Callable, Mapping

from engine.protectors import orders as o
from pbem.games.protectors.reading.dialect import MARCHING, PAYING, SIGNATURES
from pbem.games.protectors.reading.position import Position, Unclear, one_number, value_of
from pbem.games.protectors.reading.purchases import BUYING
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import Slots

Build = Callable[[Slots, Position], list[o.Order]]
_ALL_HOLD = frozenset(
    {"hold", "holds", "holding", "stay put", "stand still", "sit tight", "stand fast"}
    | {"hold position", "hold fast"}
)
"""Words that mean all provinces when the clause names no place."""
_SENDING = frozenset({"SEND", "GIVE", "MARCH", "ATTACK", "USE", "TAKE"})


def build(slots: Slots, position: Position) -> list[o.Order]:
    """The orders of a clause. Unclear if it says more than its order takes, or too little."""
    kind = kind_of(slots, position)
    signature = SIGNATURES.get(kind)
    if signature is None:
        raise Unclear("not-understood", slots.verb)
    _fit(slots, kind)
    plain = _PLAIN.get(kind)
    if plain is None and kind not in _BUILD:
        raise Unclear("not-understood", slots.verb)
    return [plain] if plain is not None else _BUILD[kind](slots, position)


def kind_of(slots: Slots, position: Position) -> str:
    """The order word as it is meant in this window. Money goes to players, units go to provinces:
    `send 2 from P1 to P2` is a march; against the Dragon it is a commitment.
    """
    kind, stage = slots.kind, position.state.stage
    if kind == "TAKE" and slots.who and slots.numbers and not position.fights_dragon:
        return "USE"
    if kind == "TAKE" and "FACTIONNAME" in slots.marks and stage == "bidding":
        return "FACTION"
    offers = kind == "BID" and slots.verb is not None and slots.verb.text.startswith("offer")
    if not (offers or kind in _SENDING or kind in PAYING):
        return kind
    filled = slots.filled()
    ways = filled & {"target", "dash"}
    if (kind in _SENDING or offers) and position.fights_dragon and not ways and not slots.who:
        if filled & {"origin", "place", "quantity", "number"} and "ABILITY" not in slots.marks:
            return "COMMIT"
    if kind in PAYING and filled & {"origin", *ways} and not slots.who:
        return kind if "MONEY" in slots.marks else "MARCH"
    return kind


def _fit(slots: Slots, kind: str) -> None:
    signature = SIGNATURES[kind]
    names = kind in {"SUPPORT", "SEND", "GIVE", "SNITCH", "USE"} and not slots.who
    loose = slots.loose[1:] if names else slots.loose
    if slots.turns or loose:
        raise Unclear("not-understood", (slots.turns or loose)[0])
    for flag, lexeme in slots.flags.items():
        if flag not in signature.flags:
            raise Unclear("not-understood", lexeme)
    harmless = signature.marks | {"UNITS", "ALSO", "THERE", "THEM"}
    for mark, lexeme in slots.marks.items():
        if mark not in harmless:
            raise Unclear("not-understood", lexeme)
    surplus = slots.filled() - signature.slots - {"flag", "mark"}
    for flag, mark in (("GOLD", "NOGOLD"), ("DELAY", "NODELAY")):
        if flag in slots.flags and mark in slots.marks:
            raise Unclear("not-understood", slots.marks[mark])
    if surplus:
        raise Unclear("not-understood", _held(slots, min(surplus)))


def _held(slots: Slots, name: str) -> Lexeme | None:
    lists = {"place": slots.places, "number": slots.numbers}
    held = next(iter(lists.get(name, ())), getattr(slots, name, None))
    return held if isinstance(held, Lexeme) else None


def _stay(slots: Slots, position: Position) -> list[o.Order]:
    golden = "GOLD" in slots.flags
    if any(who.value != position.player for who in slots.who):
        raise Unclear("not-understood", slots.who[0])
    if (
        slots.before
        and slots.after
        and {value_of(p) for p in slots.before} != {value_of(p) for p in slots.after}
    ):
        raise Unclear("not-understood", slots.after[0])  # `P1 defends P2`
    hold = slots.kind == "HOLD"
    whole = hold and slots.verb is not None and slots.verb.text in _ALL_HOLD
    found = position.provinces_of(slots, position.manned, bare_is_all=whole)
    total = slots.marks.get("TOTAL")
    if total is not None and value_of(total) != len(found):
        raise Unclear("not-understood", total)  # `the other two`, and there are three
    if slots.kind == "FORTIFY":
        return [o.Fortify(p, golden) for p in found]
    return [o.Hold(p) if hold else o.Work(p, golden) for p in found]


def _march(slots: Slots, position: Position) -> list[o.Order]:
    origin, target = slots.origin, slots.target or slots.dash
    bare = [*slots.before, *slots.after]
    if slots.kind == "ATTACK" and target is None:
        held = slots.after or slots.at
        target = held[-1] if held else None
        bare = [place for place in bare if place is not target]
        rest = [place for place in slots.at if place is not target]
    else:
        rest = list(slots.at)
    if slots.target is not None and slots.dash is not None:
        raise Unclear("not-understood", slots.dash)
    rest += bare
    if origin is None and rest:
        origin = rest.pop(0)
    if target is None and rest:
        target = rest.pop(0)
    if target is None and slots.kind == "ATTACK" and slots.who and not rest:
        target = _target_of(slots, position, origin)
    if rest or target is None:
        raise Unclear("not-understood", rest[0] if rest else slots.verb, missing="target")
    board, goal = position.state.board, value_of(target)
    owner = board[goal].owner if goal < len(board) else None
    if slots.who and (slots.kind != "ATTACK" or [w.value for w in slots.who] != [owner]):
        raise Unclear("not-understood", slots.who[0])
    start = (
        value_of(origin)
        if origin is not None
        else position.start_for(goal, position.marching_to(goal), slots.verb or target)
    )
    units = value_of(slots.numbers[0]) if slots.numbers else 0
    money = slots.kind == "GIVE" or units > max(1, position.units(start)) or not slots.numbers
    if slots.kind in PAYING and "UNITS" not in slots.marks and origin is None and money:
        raise Unclear("not-understood", slots.verb)  # `send 30 to P3`: units, or money?
    golden, delayed = "GOLD" in slots.flags, "DELAY" in slots.flags
    return [o.March(position.amount_of(slots, start), start, goal, golden, delayed)]


def _target_of(slots: Slots, position: Position, origin: Lexeme | None) -> Lexeme | None:
    """`attack Anna from P2`, `attack Anna`: Anna's only province in reach, else her only one."""
    who = slots.who[0]
    board = position.state.board
    owned = [p for p, held in enumerate(board) if held.owner == who.value]
    reach = {
        p
        for p in owned
        for start in ([value_of(origin)] if origin is not None else position.marching_to(p))
        if p in position.targets(start)
    }
    theirs = [p for p in owned if p in reach] or (owned if origin is None else [])
    if len(theirs) == 1:
        return Lexeme("PLACE", who.text, who.start, who.end, theirs[0])
    if theirs:
        raise position.ambiguous(theirs, who)
    return None


def _support(slots: Slots, position: Position) -> list[o.Order]:
    if slots.quantity is not None and slots.quantity.kind not in {"ALL", "THEUNITS", "BOTH"}:
        raise Unclear("not-understood", slots.quantity)
    golden, origin = "GOLD" in slots.flags, slots.origin
    bare = [*slots.before, *slots.at, *slots.after]
    verb = slots.verb
    ahead = [x for x in slots.at if verb is not None and x.start < verb.start]
    if origin is None and (slots.before or (ahead and len(bare) > 1)):
        origin = bare.pop(0)  # `P5 supports Anna in P4`, `my army in P5 supports ...`
    target = slots.target
    if target is None and bare:
        target = bare.pop(0)
    if origin is None and bare:
        origin = bare.pop(0)
    if bare or target is None:
        raise Unclear("not-understood", bare[0] if bare else slots.verb, missing="province")
    goal = value_of(target)
    named = slots.who or slots.loose
    if not named and goal not in position.own:
        raise Unclear("not-understood", slots.verb, missing="player")
    number = position.player_of(slots) if named else position.player
    start = (
        value_of(origin)
        if origin is not None
        else position.start_for(goal, position.supporting(goal, golden=golden), target)
    )
    units = slots.numbers and value_of(one_number(slots))
    if units and units != position.units(start):
        raise Unclear("not-understood", slots.numbers[0])
    return [o.Support(number, goal, start, golden)]


def _send(slots: Slots, position: Position) -> list[o.Order]:
    quantity = slots.quantity
    if "UNITS" in slots.marks:
        raise Unclear("not-understood", slots.marks["UNITS"])
    if quantity is not None and (quantity.kind != "ALL" or slots.numbers):
        raise Unclear("not-understood", quantity)
    kept = slots.marks.get("ALLBUT")
    amount = position.purse - (value_of(kept) if kept else 0)
    if quantity is None:
        amount = value_of(one_number(slots))
    return [o.Send(amount, position.player_of(slots))]


def _get(slots: Slots, position: Position) -> list[o.Order]:
    """`Anna gets 20`, `P3 gets two`."""
    if slots.places:
        return BUYING["BUY"](slots, position)
    if not slots.who:
        raise Unclear("not-understood", slots.verb)
    return _send(slots, position)


def _snitch(slots: Slots, position: Position) -> list[o.Order]:
    return [o.Snitch(position.player_of(slots))]


def _cancel(slots: Slots, position: Position) -> list[o.Order]:
    places = [slots.origin] if slots.origin is not None else slots.places
    if not places or (slots.target is not None and slots.origin is None):
        raise Unclear("not-understood", slots.verb, missing="province")
    if slots.numbers or slots.who or (slots.origin and slots.places):
        raise Unclear("not-understood", slots.verb)
    return [o.Cancel(value_of(place)) for place in places]


def _palantir(slots: Slots, position: Position) -> list[o.Order]:
    decks = [mark for mark in ("SEADECK", "ENDDECK") if mark in slots.marks]
    if len(decks) != 1:
        raise Unclear("not-understood", slots.verb)
    return [o.Palantir("sea" if decks == ["SEADECK"] else "end")]


def _same(slots: Slots, position: Position) -> list[o.Order]:
    last = dict(position.state.last_orders).get(position.player, ())
    but = {*position.named, *map(value_of, slots.excepted)}
    only = set(map(value_of, slots.places))
    kept = [
        order
        for order in last
        if (o.ordered_province(order) in only if only else True)
        and (o.ordered_province(order) is None or o.ordered_province(order) not in but)
    ]
    said = slots.verb.text.split() if slots.verb is not None else []
    if not last:
        raise Unclear("not-understood", slots.verb, missing="last-orders")
    bare = len(set(said) - {"the"}) == 1 and said != ["repeat"]
    if not kept or bare or said == ["as", "before"]:
        raise Unclear("not-understood", slots.verb)
    return list(kept)


_BUILD: Mapping[str, Build] = {
    "FORTIFY": _stay,
    "WORK": _stay,
    "HOLD": _stay,
    **dict.fromkeys(MARCHING, _march),
    "SUPPORT": _support,
    **dict.fromkeys(PAYING, _send),
    "GET": _get,
    "SNITCH": _snitch,
    "CANCEL": _cancel,
    "PALANTIR": _palantir,
    "SAME": _same,
    **BUYING,
}
_PLAIN: Mapping[str, o.Order] = {
    "CANCELALL": o.Cancel(),
    "FINAL": o.Final(),
    "FORECAST": o.Forecast(),
    "READDRAGONS": o.ReadDragonDeck(),
    "BOTTOM": o.PutAtBottom(),
    "PLACEDRAGON": o.PlaceDragon(),
    "NOBID": o.Bid(0),
    "HIDDEN": o.CommitNothing(),
    "PASS": o.BuyNothing(),
    "NOTHINGTOSEE": o.Hide(),
    "BANK": o.UseBank(),
    "FAITH": o.UseFaith(),
}
