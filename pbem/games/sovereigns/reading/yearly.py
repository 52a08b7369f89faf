"""Answers at the year's start (SS-4), and the split of the set-up (SS-1.3)."""

from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.actions import counted
from pbem.games.sovereigns.reading.pieces import Amount, Parts
from pbem.games.sovereigns.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme


def way_of(parts: Parts, position: Position) -> o.Way | Lexeme | None:
    """The answer of these words, or the word that is too much; None if they are not an answer."""
    wrong = [x for name, x in parts.marks.items() if name in {"CODE", "EFFECT", "NAME"}]
    if "ELSE" in parts.marks and "KEEPBACK" not in parts.marks:
        wrong.append(parts.marks["ELSE"])  # `leave one, roll the rest`
    wrong += [who for who, _ in parts.whos if who.value != position.me]
    if parts.loose or wrong:
        return (parts.loose or wrong)[0]
    if parts.head("FEAR") is not None:
        fresh = [one for one in parts.amounts if not one.bare]
        return fresh[0].lexeme if fresh else o.Way(fear=True, sure="SURE" in parts.marks)
    if not position.asks_for_year and all(one.attribute != "H" for one in parts.amounts):
        return next((one.lexeme for one in parts.amounts), None)
    found = _found(parts)
    return found if isinstance(found, Lexeme) else _way(found, parts, position)


def arms_of(parts: Parts, position: Position) -> dict[str, int]:
    """An answer of rebellion and coup alone; nothing if there is more."""
    found = _found(parts)
    if isinstance(found, Lexeme) or parts.loose or not found.keys() <= {"REBELLION", "COUP"}:
        return {}
    return _arms(found, position)


def _found(parts: Parts) -> dict[str, Amount] | Lexeme:
    """The amounts by what they are for; the word that is too much."""
    found: dict[str, Amount] = {}
    leads = sorted(
        (lexeme.start, name)
        for name, lexeme in parts.marks.items()
        if name in {"REBELLION", "COUP", "KEEPBACK"}
    )
    for amount in parts.amounts:
        if amount.bare or amount.depleted:
            if amount.depleted:
                return amount.lexeme
            continue
        led = [name for start, name in leads if start < amount.lexeme.start and name not in found]
        slot = led[-1] if led and not (led[-1] != "KEEPBACK" and amount.attribute == "H") else "H"
        if slot in found or (slot == "H" and amount.attribute not in {"H", None}):
            return amount.lexeme
        found[slot] = amount
    return found


def _way(found: dict[str, Amount], parts: Parts, position: Position) -> o.Way | Lexeme | None:
    kept = found.get("KEEPBACK")
    points, but = found.get("H"), 0
    total = position.own.total.H
    count: int | None = None
    if kept is not None:
        if kept.count is None or points is not None:
            return kept.lexeme
        if kept.count > 1 and total > kept.count:
            count = total - kept.count
        else:
            but = kept.count
    elif points is None:
        return None
    else:
        count, but = points.count, points.but
    arms = _arms(found, position)
    works = any(one.kind == "BWORKS" for one in parts.buildings)
    return o.Way(
        points=count,
        but=but,
        works=works,
        rebellion=arms.get("rebellion"),
        coup=arms.get("coup"),
    )


def _arms(found: dict[str, Amount], position: Position) -> dict[str, int]:
    """Points for the rolls of rebellion and coup; all are those that are free now."""
    told: dict[str, int] = {}
    for name in ("REBELLION", "COUP"):
        if name in found:
            count = counted(found[name], position.free("M"))
            told[name.lower()] = position.free("M") if count is None else count
    return told
