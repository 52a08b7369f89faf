"""What may be ordered, as forms with rows, and what words name: for offers."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engine.fortresses import orders as o
from engine.fortresses.atlas import distances, facts_of, lands, neighbours, zones
from engine.fortresses.orders import format_order, parse_order
from engine.fortresses.state import State
from engine.fortresses.table import Table as Board
from engine.fortresses.units import CODES, LAND_CODES
from pbem.games.fortresses.reading.compounds import JOINED, POLICIES
from pbem.games.fortresses.reading.kinds import DIALECT, UNITS
from pbem.games.fortresses.reading.lexing import UNKNOWN, meant_by, zone_of
from pbem.games.fortresses.reading.scene import gathered
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
from pbem.reading.forms import Form, Row, Table
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
BUYNOTHING = Form(o.BuyNothing.form, set_of("BUYNOTHING"), needs=set_of("BUYNOTHING"))
NOATTACKS = Form(o.NoAttacks.form, set_of("NOATTACKS"), needs=set_of("NOATTACKS"))
LOSE = Form(
    "Lose {u:unit}[ then {u2:unit}][ then {u3:unit}][ in {at:zone}]",
    set_of("LOSE DIE"),
    _AT,
    (("lose", "at"),),
    set_of("LOSE DIE"),
)
INSTRUCTIONS = (
    LOSE,
    _told("Keep a conqueror", "KEEP"),
    _told("Keep no conqueror", "KEEPNONE"),
    _told("Interactive", "INTERACT"),
    _told("Not interactive", "NOTINTERACT"),
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
_MOST_ROUNDS = 9
NEVER = (o.Draw, o.Concede, o.Resign, o.ClaimWin, o.TakeCommand, o.Done)


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


def space(state: State, player: int) -> Iterator[Table]:
    """All that may be ordered in this phase, by form."""
    board = Board(state)
    if board.is_over or player != board.commander(board.active):
        return
    match board.stage:
        case "attack":
            yield Table(ATTACK, _steps(board, attacks=True))
            yield Table(CARRY, _carried(board, attacks=True))
            yield from (Table(form, _units(form)) for form in INSTRUCTIONS)
            yield Table(RETREATS, _flights())
            yield Table(BATTLES, [Row({})])
            yield Table(NOATTACKS, [Row({})])
        case "reinforce":
            yield Table(MOVE, _steps(board, attacks=False))
            yield Table(CARRY, _carried(board, attacks=False))
            yield Table(BUY, _bought(board), board.gold)
            yield Table(BUYNOTHING, [Row({})])
        case "battle":
            most = {"n": (1, board.battles[0].hits)}
            mine = board.battles[0].attackers
            yield Table(LOSENOW, (Row({"u": c}, most) for c in CODES if mine.of(c)))
            yield from (Table(form, [Row({"u": "D"})]) for form in (FLEE, STAY))


def _flights() -> Iterator[Row]:
    rounds = range(1, _MOST_ROUNDS + 1)
    after = (f"after {count} round{'s' * (count > 1)}" for count in rounds)
    yield from (Row({"policy": policy}) for policy in (*POLICIES.values(), *after))


def _units(form: Form) -> Iterator[Row]:
    yield from (Row({"u": code}) for code in CODES) if "u" in form.slots else [Row({})]


def _is_target(board: Board, zone: str, *, attacks: bool) -> bool:
    land = zones()[zone].is_land
    foes = bool(board.enemies(zone)) or (land and not board.is_ours(zone))
    return foes if attacks else not foes


def _steps(board: Board, *, attacks: bool) -> Iterator[Row]:
    for origin in board.units:
        for code, count in board.unmoved(origin).pairs():
            unit = facts_of(code)
            for target, far in distances(origin, unit.kind).items():
                if 0 < far <= unit.move and _is_target(board, target, attacks=attacks):
                    row = {"o": origin, "to": target, "u": code}
                    yield Row(_with_foe(row, board, target, attacks=attacks), {"n": (1, count)})


def _with_foe(
    row: Mapping[str, str], board: Board, target: str, *, attacks: bool
) -> Mapping[str, str]:
    owner = board.owners.get(target) or next(iter(board.enemies(target)), None)
    return {**row, "foe": owner} if attacks and owner is not None else row


def _carried(board: Board, *, attacks: bool) -> Iterator[Row]:
    for sea, zone in zones().items():
        if zone.is_land or not board.unmoved(sea).G:
            continue
        far = facts_of("G").move
        near = [final for final, way in distances(sea, "sea").items() if way <= far]
        drops = {drop for final in near for drop in zones()[final].coast}
        for origin in board.units:
            if origin not in lands() or not {origin, *neighbours(origin, "land")} & drops:
                continue
            for code in LAND_CODES:
                count = board.unmoved(origin).of(code)
                for drop in drops if count else ():
                    if _is_target(board, drop, attacks=attacks) and drop != origin:
                        final = _final(sea, near, drop)
                        row = {"sea": sea, "o": origin, "u": code, "to": drop, "ship": "G"}
                        row |= {"via": final} if final and final != sea else {}
                        yield Row(row, {"n": (1, count)})


def _final(sea: str, near: Sequence[str], drop: str) -> str:
    """From which sea it is dropped; the nearest."""
    reach = distances(sea, "sea")
    found = sorted((reach[final], final) for final in near if drop in zones()[final].coast)
    return found[0][1] if found else ""


def _bought(board: Board) -> Iterator[Row]:
    for name, zone in zones().items():
        for code in CODES if zone.is_land else ("G",):
            most = board.gold // facts_of(code).cost
            lands = [""] if zone.is_land else ["", *filter(board.is_ours, zone.coast)]
            if not most or (zone.is_land and not board.is_ours(name)):
                continue
            for land in lands:
                row = {"o": name, "u": code} | ({"land": land} if land else {})
                yield Row(row, {"n": (1, most)}, facts_of(code).cost)


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
