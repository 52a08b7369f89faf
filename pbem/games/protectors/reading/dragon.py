"""Drafts into commitments against the Dragon, and into what factions and the Sanctum can do (rules,
sections 9, 11 and 12).
"""

from collections.abc import Mapping, Sequence

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import ABILITIES, Ability
from pbem.games.protectors.reading.drafts import Draft
from pbem.games.protectors.reading.position import (
    Built,
    Position,
    Refusal,
    ambiguous,
    amount_of,
    one_number,
    provinces_named,
    refuse_unless,
    value_of,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import fold


def build_commit(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(
        draft,
        "place",
        "origin",
        "at",
        "number",
        "quantity",
        "sacrifice",
        "marks" if set(draft.marks) <= {"DRAGON", "UNITS", "THEM"} else "number",
    )
    places = [*([draft.origin] if draft.origin else []), *draft.places]
    none = (draft.quantity is not None and draft.quantity.kind == "NOTHING") or (
        len(draft.numbers) == 1 and draft.numbers[0].value == 0
    )
    if none and not places:
        return [Built(o.CommitNothing(), {"verb": draft.verb or draft.quantity})]
    number = draft.numbers[0] if draft.numbers else draft.quantity
    if not places:
        everywhere = (
            draft.quantity is not None
            and (draft.quantity.kind == "ALL" or draft.scattered)
            and not draft.numbers
        )
        if not everywhere and len(position.manned) != 1:
            raise ambiguous(position.manned, draft.verb or number)
        targets: list[tuple[int, Lexeme | None]] = [(p, number) for p in position.manned]
    else:
        targets = [(value_of(place), place) for place in places]
    if len(targets) > 1 and draft.numbers:
        raise Refusal("not-understood", number)
    built = []
    for province, at in targets:
        if (
            draft.all_but is not None
            and at is not None
            and at.start > draft.all_but.start
            and len(position.manned) > 1
        ):
            raise Refusal(
                "not-understood", draft.all_but
            )  # `everything except 1 from P2`: of all provinces, or of this one?
        units = (
            position.units(province) if draft.scattered else amount_of(draft, position, province)
        )
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
            return value_of(said)
        case "ALL" | "THEM":
            return committed
        case "BOTH" if committed == 2:
            return 2
        case "NOTHING":
            return 0
        case "HALF" if committed % 2 == 0:
            return committed // 2
    raise Refusal("not-understood", said)


def build_hide(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "quantity")
    return [Built(o.CommitNothing(), {"verb": draft.verb})]


def build_burn(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "place", "at", "number", "dash")
    green = numbers.green_provinces(position.state, position.player)
    return [
        Built(o.Burn(p), {"province": at, "verb": draft.verb})
        for p, at in provinces_named(draft, position, named, green)
    ]


def build_fire(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "number")
    number = one_number(draft)
    return [Built(o.Fire(value_of(number)), {"number": number, "verb": draft.verb})]


def _ability(lexeme: Lexeme) -> Ability | None:
    """The ability a phrase names, by its own words or by the verb it is also an order of."""
    words = lexeme.text.removeprefix("use ").removeprefix("hire ").removeprefix("the ")
    for ability in ABILITIES:
        name = fold(ability.name).removeprefix("the ")
        short = name.removesuffix(" sustains us").removesuffix(" here")
        if words in {name, name + "s", short}:
            return ability
    return next((ability for ability in ABILITIES if ability.key == _SHORT_NAMES.get(words)), None)


def _letters(text: str) -> str:
    """`Kalu'Ak` and `kaluak`, `Iron Light` and `ironlight` are one."""
    return "".join(sign for sign in fold(text) if sign.isalnum())


def build_faction(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "ability")
    words = _letters(draft.ability.text) if draft.ability else ""
    faction = next((f for f in o.FACTIONS if _letters(f) == words), None)
    if faction is None:
        raise Refusal("not-understood", draft.ability or draft.verb)
    return [Built(o.ChooseFaction(faction), {"verb": draft.ability})]


def build_palantir(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    decks = [mark for mark in ("SEADECK", "ENDDECK") if mark in draft.marks]
    if len(decks) != 1 or draft.said() - {"verb", "marks"}:
        raise Refusal("not-understood", draft.verb)
    return [Built(o.Palantir("sea" if decks == ["SEADECK"] else "end"), {"verb": draft.verb})]


def build_refresh(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "ability")
    if draft.ability is not None:
        ability = _ability(draft.ability)
        if ability is None:
            raise Refusal("not-understood", draft.ability)
    else:
        used = [
            a
            for a in ABILITIES
            if a.tier == 1 and a.key in position.state.players[position.player - 1].used
        ]
        if len(used) != 1:
            raise Refusal(
                "not-understood",
                draft.verb,
                missing="ability",
                candidates=tuple(a.name for a in used),
            )
        ability = used[0]
    return [Built(o.Refresh(ability.name), {"verb": draft.ability or draft.verb})]


def build_take(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    refuse_unless(draft, "ability")
    ability = _ability(draft.ability) if draft.ability is not None else None
    if ability is None:
        raise Refusal("not-understood", draft.ability or draft.verb, missing="ability")
    return [Built(o.Take(ability.name), {"verb": draft.ability})]


_SHORT_NAMES: Mapping[str, str] = {
    "bank": "bank",
    "faith": "faith",
    "forecast": "forecast",
    "fire with fire": "fire",
    "summon": "fire",
    "king": "king",
    "great game of politics": "politics",
}
