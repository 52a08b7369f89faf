"""Slots into the orders of the other windows: purchases and bids, the Dragon, factions and the
Sanctum.
"""

from collections.abc import Callable, Mapping

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import ABILITIES, Ability
from pbem.games.protectors.reading.position import Position, Unclear, one_number, value_of
from pbem.games.protectors.reading.shapes import is_each
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.slots import Slots

_WHOLE = frozenset({"whole", "entire", "full", "complete", "all"})
_ALL_NINE = 9
"""Highmagisters (PR-11.1)."""
_ALL_OF_THEM = frozenset({"they", "them", "those", "all"})


def _buy(slots: Slots, position: Position) -> list[o.Order]:
    quantity = slots.quantity
    if quantity is not None and quantity.kind == "NOTHING" and not slots.numbers:
        return [o.BuyNothing()]
    each = quantity is not None and (quantity.kind == "EACH" or is_each(quantity))
    if quantity is not None and (not each or (quantity.kind != "EACH" and slots.places)):
        raise Unclear("not-understood", quantity)
    counted = [value_of(number) for number in slots.numbers]
    if len(counted) == 2 and counted[1] == counted[0] * numbers.UNIT_COST:
        del slots.numbers[1]  # `buy 1 in P1 for 75`
    units = value_of(one_number(slots))
    if units == 0 and quantity is None:
        return [o.BuyNothing()]
    named = [*slots.places, *([slots.target] if slots.target else [])]
    places = [value_of(p) for p in named]
    if not places:
        return [o.Buy(units, p) for p in position.provinces_of(slots, position.own)]
    if len(places) > 1 and quantity is None and units != 1:
        raise Unclear("not-understood", named[1])
    return [o.Buy(units, p) for p in places]


def _upgrade(slots: Slots, position: Position) -> list[o.Order]:
    choices = numbers.upgradable(position.state, position.player)
    return [o.Upgrade(p) for p in position.provinces_of(slots, choices)]


def _capitol(slots: Slots, position: Position) -> list[o.Order]:
    choices = numbers.capitols(position.state, position.player)
    return [o.Capitol(p) for p in position.provinces_of(slots, choices)]


def _bid(slots: Slots, position: Position) -> list[o.Order]:
    number = slots.target or slots.origin
    if number is not None and (number.kind != "NUM" or slots.numbers or slots.quantity):
        raise Unclear("not-understood", number)
    quantity = slots.quantity
    rest = slots.marks.get("LEFT") or (quantity if quantity and quantity.kind == "ELSE" else None)
    if rest is not None:
        if number is not None or position.spent is None:
            raise Unclear("not-understood", rest)
        left = max(0, position.purse - position.spent)
        if slots.numbers and value_of(one_number(slots)) != left:
            raise Unclear("not-understood", rest)  # `bid the remaining 35`, and it is not so much
        return [o.Bid(left)]
    if quantity is not None and not slots.numbers:
        kept = slots.marks.get("ALLBUT")
        if quantity.kind == "NOTHING" and kept is None:
            return [o.Bid(0)]
        spent = position.spent if kept is not None else None if position.spends else 0
        if quantity.kind == "ALL" and spent is not None:
            left = position.purse - spent - (value_of(kept) if kept is not None else 0)
            if left > 0:
                return [o.Bid(left)]
    if quantity is not None:
        raise Unclear("not-understood", quantity, missing="number")
    return [o.Bid(value_of(number or one_number(slots)))]


def _king(slots: Slots, position: Position) -> list[o.Order]:
    for place in slots.places:
        if value_of(place) not in position.own:
            raise Unclear("not-understood", place)
    return [o.HireKing()]


def _use(slots: Slots, position: Position) -> list[o.Order]:
    return [o.Use(value_of(one_number(slots)), position.player_of(slots))]


def _lend(slots: Slots, position: Position) -> list[o.Order]:
    """`Anna lends me 40`."""
    slots = slots.copy()
    slots.who = [who for who in slots.who if who.value != position.player]
    return _use(slots, position)


def _commit(slots: Slots, position: Position) -> list[o.Order]:
    quantity = slots.quantity
    places = [*([slots.origin] if slots.origin else []), *slots.places]
    numbers_said = list(slots.numbers)
    sacrifice = _sacrifice(slots, numbers_said)
    but = slots.marks.get("ALLBUT")
    if but is not None and places and places[0].start > but.start and len(position.manned) > 1:
        raise Unclear("not-understood", but)  # `everything except 1 from P2`: of all, or of this?
    none = (quantity is not None and quantity.kind == "NOTHING") or (
        [number.value for number in numbers_said] == [0]
    )
    if none and not places:
        return [o.CommitNothing()]
    slots = slots.copy()
    slots.numbers = numbers_said
    if sacrifice == "all" and quantity is not None and numbers_said:
        if quantity.kind == "BOTH" and value_of(numbers_said[0]) != 2:
            raise Unclear("not-understood", quantity)
        slots.quantity = quantity = None  # `2 from P1, sac both`
    each = "EACH" in slots.marks or (quantity is not None and is_each(quantity))
    if not places and (each or (quantity is not None and quantity.kind == "ALL")):
        targets = list(position.manned)
    elif places:
        targets = list(dict.fromkeys(map(value_of, places)))
    else:
        targets = position.provinces_of(slots, position.manned)
    if len(targets) > 1 and numbers_said and not each:
        raise Unclear("not-understood", numbers_said[0])
    if each:
        slots.quantity = None
    first = slots.marks.get("SAC")
    bare = places and first is not None and first.start == slots.start
    bare = bare and not (numbers_said or quantity)  # `sacrifice 2 from P2`
    found: list[o.Order] = []
    for p in targets:
        units = sacrifice if isinstance(sacrifice, int) and bare else position.amount_of(slots, p)
        lost = units if sacrifice == "all" else sacrifice
        found.append(o.Commit(units, p, lost if isinstance(lost, int) else None))
    if not found:
        raise Unclear("no-units", slots.verb)
    return found


def _sacrifice(slots: Slots, said: list[Lexeme]) -> int | str | None:
    """How many are offered: the number behind the word; takes it out of `said`."""
    mark = slots.marks.get("SAC")
    if mark is None:
        return None
    behind = next((number for number in said if number.start > mark.start), None)
    before = next((number for number in reversed(said) if number.start < mark.start), None)
    if behind is not None:
        said.remove(behind)
        return value_of(behind)
    if _ALL_OF_THEM & set(mark.text.split()):
        return "all"  # `they may all die`
    if "THEM" in slots.marks or (slots.quantity is not None and slots.quantity.start > mark.start):
        return "all"
    quantity = slots.quantity
    if quantity is not None and before is not None and quantity.start > before.start:
        return "all"  # `3 from P1, all expendable`
    if before is not None and len(said) > 1:
        said.remove(before)
        return value_of(before)  # `2 from P2 (1 to sacrifice)`
    if before is not None and value_of(before) == 1:
        return 1
    raise Unclear("not-understood", mark)


def _burn(slots: Slots, position: Position) -> list[o.Order]:
    green = numbers.green_provinces(position.state, position.player)
    return [o.Burn(p) for p in position.provinces_of(slots, green)]


def _fire(slots: Slots, position: Position) -> list[o.Order]:
    said = slots.verb.text.split() if slots.verb is not None else []
    if not slots.numbers and _WHOLE & {*said}:
        return [o.Fire(_ALL_NINE)]
    return [o.Fire(value_of(one_number(slots)))]


def _letters(text: str) -> str:
    return "".join(sign for sign in fold(text) if sign.isalnum())


def _faction(slots: Slots, position: Position) -> list[o.Order]:
    name = slots.marks.get("FACTIONNAME")
    said = _letters(name.text) if name is not None else ""
    for faction in o.FACTIONS:
        if _letters(faction) == said:
            return [o.ChooseFaction(faction)]
    raise Unclear("not-understood", name or slots.verb)


def _ability(slots: Slots) -> Ability | None:
    name = slots.marks.get("ABILITY")
    if name is None:
        return None
    said = name.text.removeprefix("use ").removeprefix("hire ").removeprefix("the ")
    for ability in ABILITIES:
        whole = fold(ability.name).removeprefix("the ")
        short = whole.removesuffix(" sustains us").removesuffix(" here")
        if said in {whole, whole + "s", short, fold(str(ability.key))}:
            return ability
    raise Unclear("not-understood", name)


def _refresh(slots: Slots, position: Position) -> list[o.Order]:
    used = position.state.players[position.player - 1].used
    found = [ability for ability in ABILITIES if ability.tier == 1 and ability.key in used]
    ability = _ability(slots) or (found[0] if len(found) == 1 else None)
    if ability is None:
        raise Unclear("not-understood", slots.verb, missing="ability")
    return [o.Refresh(ability.name)]


def _take(slots: Slots, position: Position) -> list[o.Order]:
    ability = _ability(slots)
    if ability is None:
        raise Unclear("not-understood", slots.verb, missing="ability")
    return [o.Take(ability.name)]


BUYING: Mapping[str, Callable[[Slots, Position], list[o.Order]]] = {
    "BUY": _buy,
    "UPGRADE": _upgrade,
    "CAPITOL": _capitol,
    "BID": _bid,
    "KING": _king,
    "USE": _use,
    "LEND": _lend,
    "COMMIT": _commit,
    "BURN": _burn,
    "FIRE": _fire,
    "FACTION": _faction,
    "REFRESH": _refresh,
    "TAKE": _take,
}
"""How each of these is built."""
