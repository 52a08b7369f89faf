"""Standing instructions, answers in a battle, and words that are whole orders (FW-10, FW-9)."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.units import UnitCode
from pbem.games.fortresses.reading.kinds import ANSWERS, ORDERS, PLAIN, SAID, THERE
from pbem.games.fortresses.reading.lexer import AMBIGUOUS, meant_by, zone_of
from pbem.games.fortresses.reading.moves import NOT_UNDERSTOOD, Made, ambiguous
from pbem.games.fortresses.reading.pieces import Amount, Joint, Place, Run, Say, counted
from pbem.games.fortresses.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of

_BESIDE: Mapping[str, frozenset[str]] = {
    "LOSE": frozenset({"THEN", "FIRST", "BEFORE", "DIE"}),
    "DIE": frozenset({"THEN", "FIRST", "BEFORE"}),
    "RETREAT": frozenset(
        {"OUTNUMBERED", "ALONE", "FIRSTLOSS", "NEVERLEAVE", "AFTER", "ROUND", "NUM", "ORELSE"}
    ),
    "STAY": frozenset({"FOR"}),
    "BATTLEORDER": frozenset({"FIRST", "THEN", "FIGHT"}),
    "FIGHT": frozenset({"BEFORE", "FIRST", "THEN"}),
    "CANCEL": frozenset({"NUM"}),
    "DRAW": frozenset({"DRAW", "KINGDOM", "FOR", "TO"}),
    "CONCEDE": frozenset({"CONCEDE"}),
    "RESIGN": frozenset({"RESIGN"}),
    "CLAIM": frozenset({"CLAIM", "KINGDOM", "FOR"}),
    "TAKECOMMAND": frozenset({"TAKECOMMAND", "KINGDOM", "FOR", "IN"}),
}
"""The words that each of these may stand with."""
_STAYING = set_of("REMAIN HOME THERE ELSE")
_NO = frozenset({"no", "do", "don't", "dont", "never"})
_WITH_UNITS = ANSWERS | {"CANCEL"}
_WITH_PLACES = THERE | {"BATTLEORDER", "FIGHT"}


@dataclass(slots=True)
class _Told:
    """A run by what stands in it."""

    run: Run
    kind: str
    units: list[Amount]
    places: list[Place]
    words: list[Say]
    span: tuple[int, int]

    def made(self, order: o.Line | None, caret: Lexeme | None = None) -> Made:
        return Made(order if order is not None else NOT_UNDERSTOOD, *self.span, caret)


def instructions_of(run: Run, position: Position) -> Iterator[Made]:
    """What a run of words of this kind comes to."""
    told = _told(run)
    allowed = _BESIDE.get(told.kind, frozenset()) | {"ALWAYS", "THEM", told.kind}
    odd = [say.lexeme for say in told.words if say.kind not in allowed]
    odd += [x.lexeme for x in told.units if told.kind not in _WITH_UNITS or x.excepted]
    odd += [x.lexeme for x in told.places if told.kind not in _WITH_PLACES or x.role == "via"]
    unclear = [x.lexeme for x in told.places if x.lexeme.value == AMBIGUOUS]
    if odd:
        yield told.made(None, odd[0])
    elif unclear:
        yield Made(ambiguous("zone", meant_by(unclear[0])), *told.span, unclear[0])
    elif told.kind in PLAIN:
        yield told.made(SAID[told.kind])
    elif position.stage == "battle":
        yield told.made(_answer(told, position))
    else:
        always = run.says("ALWAYS") is not None
        orders = _orders_of(told, position)
        for order in orders:
            if not always:
                yield told.made(order)
            else:
                kept = o.Always(order) if isinstance(order, o.Instruction) else None
                yield told.made(kept)
        if not orders:
            yield told.made(None)


def placed(runs: list[Run]) -> list[Run]:
    """`In Anatolia lose legions first, keep one unit`: a zone that leads goes for all of them."""
    first = runs[0].pieces[0] if runs else None
    if not isinstance(first, Place) or first.role != "in" or runs[0].family != "order":
        return runs
    for before, run in itertools.pairwise(runs):
        bare = not any(isinstance(piece, Place) for piece in run.pieces)
        instructs = any(
            isinstance(x, Say) and x.kind in ORDERS - {"DONE", "CANCEL"} for x in run.solid
        )
        if before.family == run.family == "order" and bare and instructs:
            run.pieces.append(first)
    return runs


def _told(run: Run) -> _Told:
    words = [piece for piece in run.solid if isinstance(piece, Say)]
    units = [piece for piece in run.solid if isinstance(piece, Amount)]
    places = [piece for piece in run.solid if isinstance(piece, Place)]
    kinds = [say.kind for say in words if say.kind in {*SAID, *_BESIDE, *_WITH_PLACES}]
    kinds.sort(key=lambda kind: kind != "BATTLEORDER")  # `fight the battles in this order`
    lexemes = [piece.lexeme for piece in run.solid]
    span = min(x.start for x in lexemes), max(x.end for x in lexemes)
    return _Told(run, kinds[0] if kinds else "", units, places, words, span)


def _orders_of(told: _Told, position: Position) -> Sequence[o.Line]:
    """The orders; none: it is not understood."""
    zones = [zone_of(place.lexeme) for place in told.places]
    said = SAID.get(told.kind)
    if isinstance(said, o.Instruction):
        return [replace(said, zone=zone) for zone in zones or [""]]
    match told.kind:
        case "LOSE" | "DIE":
            codes = _codes(told)
            return [o.Lose(codes, zone) for zone in zones[:1] or [""]] if codes else ()
        case "RETREAT":
            policy, fliers = _policy(told), _are_fliers(told, position)
            return [o.Retreat(policy, zone) for zone in zones or [""]] if policy and fliers else ()
        case "NEVERRETREAT" | "STAY" if _is_denied(told):
            never, fliers = ((o.Condition("never"),),), _are_fliers(told, position)
            return [o.Retreat(never, zone) for zone in zones or [""]] if fliers else ()
        case "BATTLEORDER":
            return [o.BattleOrder(tuple(zones))] if zones else ()
        case "FIGHT" if len(zones) > 1 and told.run.says("FIRST", "THEN", "BEFORE"):
            return [o.BattleOrder(tuple(zones))]
        case "CANCEL" if (numbers := _numbers(told)) and not told.units:
            return [o.Cancel(number) for number in numbers]
        case "CANCEL" if told.units and all(not x.code and x.count is None for x in told.units):
            return [o.Cancel()]
    return ()


def is_staying(run: Run) -> bool:
    """`the knight of Egypt stays at home`, `the rest stays`: it orders nothing. A dragon that stays
    may be one that fights on.
    """
    units = [piece for piece in run.solid if isinstance(piece, Amount)]
    kinds = {piece.kind for piece in run.solid if isinstance(piece, Say)}
    told = bool(units) or "ELSE" in kinds
    return told and {"REMAIN"} <= kinds <= _STAYING and all(one.code != "D" for one in units)


def _is_denied(told: _Told) -> bool:
    """`no retreat`, `to the bitter end`: that dragons never leave."""
    return told.kind == "NEVERRETREAT" or told.words[0].lexeme.text.split()[0] in _NO


def _numbers(told: _Told) -> list[int]:
    return [say.lexeme.value or 0 for say in told.words if say.kind == "NUM"]


def _are_fliers(told: _Told, position: Position) -> bool:
    """Dragons, and no number of them but that of all."""
    return all(
        amount.code == "D" and (amount.is_bare or amount.count in {None, position.fliers})
        for amount in told.units
    )


def _codes(told: _Told) -> tuple[UnitCode, ...]:
    """Types in the order in which they go; nothing if one is counted, or said twice."""
    codes = [amount.type for amount in told.units]
    plain = all(amount.is_bare or amount.count is None for amount in told.units)
    many = len(told.places) > 1
    found = tuple(code for code in codes if code is not None)
    return found if plain and not many and len(set(found)) == len(codes) else ()


def _policy(told: _Told) -> tuple[tuple[o.Condition, ...], ...]:
    """Conditions joined by and, which bind before or; nothing if there are none."""
    ways: list[list[o.Condition]] = [[]]
    number: int | None = None
    after = False
    for piece in told.run.pieces:
        kind = piece.kind if isinstance(piece, Say | Joint) else ""
        match kind:
            case "ORELSE":
                ways.append([])
            case "NUM" if isinstance(piece, Say):
                number = piece.lexeme.value
            case "AFTER":
                after = True
            case "ROUND" if after and number is not None and 0 < number < 1000:
                ways[-1].append(o.Condition("after", number))
                number, after = None, False
            case "ROUND":
                return ()
            case "OUTNUMBERED":
                ways[-1].append(o.Condition("outnumbered"))
            case "ALONE":
                ways[-1].append(o.Condition("alone"))
            case "FIRSTLOSS":
                ways[-1].append(o.Condition("first-loss"))
            case "NEVERLEAVE":
                ways[-1].append(o.Condition("never"))
    whole = number is None and not after and all(ways)
    return tuple(tuple(way) for way in ways) if whole else ()


def _answer(told: _Told, position: Position) -> o.Line | None:
    """An answer to the question of an interactive battle (FW-10.7)."""
    here = all(zone_of(place.lexeme) == position.table.battles[0].zone for place in told.places)
    fliers = _are_fliers(told, position)
    match told.kind:
        case "LOSE" | "DIE" if here and told.run.says("FIRST", "BEFORE") is None:
            return losses(told.units)
        case "RETREAT" if here and fliers and {x.kind for x in told.words} <= {"RETREAT", "THEM"}:
            return o.RetreatNow()
        case "STAY" | "REMAIN" | "NEVERRETREAT" if here and fliers:
            return o.Stay()
    return None


def losses(amounts: Sequence[Amount]) -> o.LoseNow | None:
    """The losses of each type, all of them counted; None if they are not."""
    units = counted(amounts)
    return o.LoseNow(units) if units is not None else None
