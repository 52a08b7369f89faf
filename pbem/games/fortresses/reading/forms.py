"""What may be ordered, as forms with rows, and what words name: for offers."""

from collections.abc import Sequence
from functools import lru_cache

from engine.fortresses import orders as o
from engine.fortresses.orders import format_order, parse_order
from engine.fortresses.units import CODES, LAND_CODES
from pbem.games.fortresses.reading.compounds import JOINED, POLICIES
from pbem.games.fortresses.reading.kinds import DIALECT, INSTRUCTING, SAID, UNITS
from pbem.games.fortresses.reading.lexer import UNKNOWN, meant_by, zone_of
from pbem.games.fortresses.reading.position import gathered
from pbem.games.fortresses.reading.words import (
    PREFIX,
    begun_by,
    codes,
    misspelt,
    peopled_by,
    zones_by_name,
)
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.reading.forms import Form
from pbem.reading.items import Tongue, Value

_GO = {
    "to": set_of("to object head on against in"),
    "o": set_of("from of behind subject in with"),
    "via": set_of("via"),
    "sea": set_of("in with of object"),
    "foe": set_of("of object from"),
}
_AT = {"at": set_of("in for to head")}
_VERBS = set_of("ATTACK MOVE PICK FIGHT")
_CARRIED = set_of("CARRY PICK ABOARD DROP MOVE")


def _told(text: str, verbs: str) -> Form:
    """An instruction, of a zone or of none."""
    said = set_of(verbs)
    keys = ((text.split("{")[0], "at"),)
    return Form(text + "[ in {at:zone}]", said, _AT, keys, said)


ATTACK = Form(
    "Attack {to:zone} with {n:num}{u:unit} from {o:zone}[ via {via:zone}]",
    _VERBS,
    _GO,
    (("units", "u", "o"),),
    hidden={"foe": "kingdom"},
    guess=frozenset({"o", "u"}),
    heads=frozenset({"o", "to"}),
    mute=0.15,
    ways=frozenset({"to"}),
    every=frozenset({"u"}),
)
MOVE = Form(
    "Move {n:num}{u:unit} from {o:zone} to {to:zone}[ via {via:zone}]",
    set_of("MOVE PICK RETREAT"),
    _GO,
    (("units", "u", "o"),),
    guess=frozenset({"o", "u"}),
    heads=frozenset({"o", "to"}),
    ways=frozenset({"to"}),
    every=frozenset({"u"}),
)
CARRY = Form(
    "Galleon in {sea:zone} carries {n:num}{u:unit} from {o:zone}[ via {via:zone}] to {to:zone}",
    _CARRIED | _VERBS,
    {**_GO, "o": set_of("from of behind")},
    (("units", "u", "o"), ("units", "G", "sea")),
    hidden={"ship": "unit"},
    heads=frozenset({"ship"}),
    guess=frozenset({"sea", "o"}),
    mute=0.6,
)
BUY = Form(
    "Buy {n:num}{u:unit} in {o:zone}[ from {land:zone}]",
    set_of("BUY"),
    {"o": set_of("in for behind head of"), "land": set_of("from in")},
    (("buy", "u", "o"),),
    mute=0.3,
)
BUYNOTHING, NOATTACKS = (
    Form(format_order(SAID[kind]), frozenset({kind}), needs=frozenset({kind}))
    for kind in ("BUYNOTHING", "NOATTACKS")
)
LOSE = Form(
    "Lose {u:unit}[ then {u2:unit}][ then {u3:unit}][ in {at:zone}]",
    set_of("LOSE DIE"),
    _AT,
    (("lose", "at"),),
    set_of("LOSE DIE"),
)
INSTRUCTIONS = (
    LOSE,
    *(_told(format_order(SAID[kind]), kind) for kind in SAID if kind in INSTRUCTING),
)
RETREATS = Form(
    "Retreat dragons {policy:policy}[ in {at:zone}]",
    set_of("RETREAT"),
    _AT,
    (("retreat", "at"),),
    mute=0.1,
)
BATTLES = Form(
    "Battle order: {zones:zones}",
    set_of("BATTLEORDER FIGHT"),
    needs=set_of("BATTLEORDER"),
    keys=(("battles",),),
)
LOSENOW = Form("Lose {n:num}{u:unit}", set_of("LOSE DIE ATTACK"), keys=(("lose", "u"),), mute=0.1)
FLEE = Form(o.RetreatNow.form, set_of("RETREAT"), needs=set_of("RETREAT"), hidden={"u": "unit"})
STAY = Form(o.Stay.form, set_of("STAY REMAIN"), needs=set_of("STAY REMAIN"), hidden={"u": "unit"})
NEVER = (*o.COMMANDS, o.Done)


def _values(lexeme: Lexeme, plain: Plain) -> Sequence[Value]:
    kind, text = lexeme.kind, lexeme.text
    if kind == "PLACE":
        if lexeme.value is not None and lexeme.value >= 0:
            return (Value("zone", zone_of(lexeme)),)
        if lexeme.value == UNKNOWN:
            return tuple(Value("zone", zone) for zone in misspelt(text)) or (
                Value("nowhere", text),
            )
        return tuple(Value("zone", zone) for zone in meant_by(lexeme))
    if kind in UNITS and kind[1:] in CODES:
        return (Value("unit", kind[1:]),)
    if kind == "ULAND":
        return tuple(Value("unit", code) for code in LAND_CODES)
    if kind == "KINGDOM":
        return (Value("kingdom", text),)
    if kind in JOINED:
        return (Value(kind.lower(), text),)
    if kind in {"WORD", "COMMON"}:
        return _by_rule(text, known=kind == "COMMON")
    return ()


@lru_cache(maxsize=4096)
def _by_rule(text: str, *, known: bool) -> tuple[Value, ...]:
    """A zone by its code, by the beginning of its name, or by what its people are called."""
    if text in codes():
        zone = Value("zone", zones_by_name()[text])
        return (zone, Value("", None)) if known else (zone,)
    found = peopled_by(text) or (frozenset[str]() if known else begun_by(text[:9]))
    found = found or (frozenset[str]() if known else misspelt(text))
    if len(found) != 1 or len(text) < PREFIX:
        return ()
    zone = Value("zone", next(iter(found)))
    return (zone, Value("", None)) if known else (zone,)


TONGUE = Tongue(
    _values,
    DIALECT.verbs - {*POLICIES, "DONE"},
    {
        "PICK": _CARRIED | _VERBS,
        "FIGHT": set_of("FIGHT ATTACK"),
        "DROP": _CARRIED | {"ATTACK"},
    },
    set_of("MOVE PICK DROP FIGHT ABOARD CARRY"),
    frozenset({"unit"}),
    turns=set_of("ORELSE NEVERLEAVE EACH"),
)


def is_senseless(order: o.Order) -> bool:
    """Whether units would go by way of where they are, or where they go."""
    match order:
        case o.Attack(target, groups):
            return any({group.origin, target} & {*group.via} for group in groups)
        case o.Move(_, origin, target, via):
            return bool({origin, target} & {*via})
    return False


def joined(texts: Sequence[str]) -> Sequence[str]:
    """Orders about one zone as one: `Attack Saxony with 2L 1K from France`."""
    orders = [parse_order(text) for text in texts]
    found: list[o.Order] = []
    for order in orders:
        at = next((i for i, x in enumerate(found) if _both(x, order) is not None), None)
        both = None if at is None else _both(found[at], order)
        if at is None or both is None:
            found.append(order)
        else:
            found[at] = both
    return [format_order(order) for order in found]


def _both(one: o.Order, other: o.Order) -> o.Order | None:
    match one, other:
        case o.Attack(target, groups), o.Attack(same, more) if target == same:
            return o.Attack(target, gathered((*groups, *more)))
        case o.Move(), o.Move() if (one.origin, one.target, one.via) == (
            other.origin,
            other.target,
            other.via,
        ):
            return o.Move(one.units + other.units, one.origin, one.target, one.via)
        case o.Buy(units, zone), o.Buy(more_units, there) if zone == there:
            return o.Buy(units + more_units, zone)
        case o.LoseNow(units), o.LoseNow(more_units):
            return o.LoseNow(units + more_units)
    return None
