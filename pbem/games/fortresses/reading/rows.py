"""All that a player may order now, form by form: the rows of the forms, for offers."""

from collections.abc import Iterator, Mapping, Sequence

from engine.fortresses.atlas import distances, facts_of, lands, neighbours, zones
from engine.fortresses.state import State
from engine.fortresses.table import Table as Board
from engine.fortresses.units import CODES, LAND_CODES
from pbem.games.fortresses.reading.compounds import POLICIES
from pbem.games.fortresses.reading.forms import (
    ATTACK,
    BATTLES,
    BUY,
    BUYNOTHING,
    CARRY,
    FLEE,
    INSTRUCTIONS,
    LOSENOW,
    MOVE,
    NOATTACKS,
    RETREATS,
    STAY,
)
from pbem.reading.forms import Form, FormRow, FormTable

_MOST_ROUNDS = 9


def space(state: State, player: int) -> Iterator[FormTable]:
    """All that may be ordered in this phase, by form."""
    board = Board(state)
    if board.is_over or player != board.commander(board.active):
        return
    match board.stage:
        case "attack":
            yield FormTable(ATTACK, _steps(board, attacks=True))
            yield FormTable(CARRY, _carried(board, attacks=True))
            yield from (FormTable(form, _units(form)) for form in INSTRUCTIONS)
            yield FormTable(RETREATS, _flights())
            yield FormTable(BATTLES, [FormRow({})])
            yield FormTable(NOATTACKS, [FormRow({})])
        case "reinforce":
            yield FormTable(MOVE, _steps(board, attacks=False))
            yield FormTable(CARRY, _carried(board, attacks=False))
            yield FormTable(BUY, _bought(board), board.gold)
            yield FormTable(BUYNOTHING, [FormRow({})])
        case "battle":
            most = {"n": (1, board.battles[0].hits)}
            mine = board.battles[0].attackers
            yield FormTable(LOSENOW, (FormRow({"u": c}, most) for c in CODES if mine.of(c)))
            yield from (FormTable(form, [FormRow({"u": "D"})]) for form in (FLEE, STAY))


def _flights() -> Iterator[FormRow]:
    rounds = range(1, _MOST_ROUNDS + 1)
    after = (f"after {count} round{'s' * (count > 1)}" for count in rounds)
    yield from (FormRow({"policy": policy}) for policy in (*POLICIES.values(), *after))


def _units(form: Form) -> Iterator[FormRow]:
    yield from (FormRow({"u": code}) for code in CODES) if "u" in form.slots else [FormRow({})]


def _is_target(board: Board, zone: str, *, attacks: bool) -> bool:
    land = zones()[zone].is_land
    foes = bool(board.enemies(zone)) or (land and not board.is_ours(zone))
    return foes if attacks else not foes


def _steps(board: Board, *, attacks: bool) -> Iterator[FormRow]:
    for origin in board.units:
        for code, count in board.unmoved(origin).pairs():
            unit = facts_of(code)
            for target, far in distances(origin, unit.kind).items():
                if 0 < far <= unit.move and _is_target(board, target, attacks=attacks):
                    row = {"o": origin, "to": target, "u": code}
                    yield FormRow(_with_foe(row, board, target, attacks=attacks), {"n": (1, count)})


def _with_foe(
    row: Mapping[str, str], board: Board, target: str, *, attacks: bool
) -> Mapping[str, str]:
    owner = board.owners.get(target) or next(iter(board.enemies(target)), None)
    return {**row, "foe": owner} if attacks and owner is not None else row


def _carried(board: Board, *, attacks: bool) -> Iterator[FormRow]:
    for sea, zone in zones().items():
        if zone.is_land or not board.unmoved(sea).G:
            continue
        far = facts_of("G").move
        near = [final for final, way in distances(sea, "sea").items() if way <= far]
        drops = {drop for final in near for drop in zones()[final].coast}
        aims = [x for x in drops if _is_target(board, x, attacks=attacks)]
        ends = [(drop, _final(sea, near, drop)) for drop in aims]
        for origin in board.units:
            if origin not in lands() or not {origin, *neighbours(origin, "land")} & drops:
                continue
            units = board.unmoved(origin)
            for code in LAND_CODES:
                count = units.of(code)
                for drop, final in ends if count else ():
                    if drop != origin:
                        row = {"sea": sea, "o": origin, "u": code, "to": drop, "ship": "G"}
                        row |= {"via": final} if final and final != sea else {}
                        yield FormRow(row, {"n": (1, count)})


def _final(sea: str, near: Sequence[str], drop: str) -> str:
    """From which sea it is dropped; the nearest."""
    reach = distances(sea, "sea")
    found = sorted((reach[final], final) for final in near if drop in zones()[final].coast)
    return found[0][1] if found else ""


def _bought(board: Board) -> Iterator[FormRow]:
    for name, zone in zones().items():
        for code in CODES if zone.is_land else ("G",):
            most = board.gold // facts_of(code).cost
            lands = [""] if zone.is_land else ["", *filter(board.is_ours, zone.coast)]
            if not most or (zone.is_land and not board.is_ours(name)):
                continue
            for land in lands:
                row = {"o": name, "u": code} | ({"land": land} if land else {})
                yield FormRow(row, {"n": (1, most)}, facts_of(code).cost)
