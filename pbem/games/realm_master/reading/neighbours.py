"""Words of Realm-Master that mean one thing or another by their neighbours: `the swords stay`,
`going to Jerum`, `+` behind a number.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from pbem.games.realm_master.reading.parts import BOUNDS, LOSS, TOKENS, VERBS
from pbem.games.realm_master.reading.words import heroes_by_name
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain

_RANGE = re.compile(r"([<>]=?|=)\s*(\d{1,9})")
BOUND_SIGNS = {
    "<": "BELOW",
    ">": "ABOVE",
    "<=": "MOST",
    ">=": "LEAST",
    "=": "EXACT",
    "≤": "MOST",
    "≥": "LEAST",
}
_PERMITTED = frozenset({"may i", "can i", "could i", "might i"})
_PLEASE = frozenset({"please", "pls", "plz"})
_NEAR = 40
"""Words that are looked at behind one."""
_MAKING = frozenset({"turn", "make", "change", "convert", "set", "count", "treat"})
_DICE = frozenset({"RFACE", "BLANK", "HALF", "SWORD", "COIN", "HEART"})
_FALLBACKS = frozenset({"COMMA", "LAND", "HERO", "NOT"})
_GOODS = TOKENS.keys() | {"NUM"}
_EVERY = ("any", "every", "wherever", "whatever", "whichever", "land", "one of")
"""Words behind which `but` leaves something out."""
STARTS = frozenset({"NL", "SEMI", "DOT", "BANG", "ASK"})
PAUSES = STARTS | {"COMMA", "COLON", "DASH", "LPAR", "RPAR"}
_PLAIN = STARTS | {"COMMA", "COLON", "LAND", "CARD", "TO", "ATTACK", "ENTER", "TRIBUTE", *_DICE}
"""They mean the same everywhere."""
_THROW = frozenset({"REROLL", "KEEP"})
_ROLLS = frozenset({"roll", "throw", "toss"})


def in_words(lexemes: Sequence[Lexeme], plain: Plain) -> Iterator[Lexeme]:  # noqa: C901 - one case a sign
    """The lexemes with their sense at this place; `plain` is their text."""
    throws = False
    skip = 0
    for i, lexeme in enumerate(lexemes):
        if skip:
            skip -= 1
            continue
        if lexeme.kind in _PLAIN:
            throws = throws and lexeme.kind not in STARTS
            yield lexeme
            continue
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        before = lexemes[i - 1] if i else None
        throws = (throws or lexeme.kind in _THROW) and lexeme.kind not in STARTS
        follows = "NL" if after is None else after.kind
        tight = after is not None and after.start == lexeme.end
        number = before is not None and before.kind == "NUM" and before.end == lexeme.start
        match lexeme.kind:
            case "RANGE" if (found := _RANGE.fullmatch(lexeme.text)) is not None:
                split = lexeme.start + found.start(2)
                sign = plain.original[plain.where[lexeme.start]]
                kind = BOUND_SIGNS[sign if sign in BOUND_SIGNS else found[1]]
                kind = kind if len(found[1]) < 2 else BOUND_SIGNS[found[1]]
                if before is not None and before.kind in {"LEAVE", "STAY"}:  # `leave <4`
                    yield replace(lexeme, kind="IF", text="if", end=lexeme.start)
                yield replace(lexeme, kind=kind, text=found[1], end=split)
                yield Lexeme("NUM", found[2], split, lexeme.end, int(found[2]))
            case "IF" if (
                lexeme.text == "if"
                and after is not None
                and after.text == "not"
                and lexemes[i + 2 : i + 3]
                and lexemes[i + 2].kind in _FALLBACKS
            ):  # `Jerum. If not, Arub`
                yield replace(lexeme, kind="ELSE", text="if not", end=after.end)
                skip = 1
            case "HERO" if (
                before is not None and before.kind == "HERO" and _is_named(before, lexeme)
            ):
                continue  # `Princess Isaura`
            case "BAR" if lexeme.text == "=" and after is not None:
                yield replace(lexeme, kind="EXACT" if after.kind == "NUM" else "ARE")
            case "AND" if lexeme.text == "+" and number:
                ends = after is not None and after.kind in PAUSES
                if follows == "NUM":  # `4+5`
                    yield lexeme
                    continue
                yield replace(lexeme, kind="WORD" if tight and not ends else "MORE")
            case "WHENHIT" if after is not None and after.text == "by":  # `if hit by the elf`
                yield replace(lexeme, kind="IF")
                yield replace(after, kind="HITS", text="hit by")
                skip = 1
            case "OWNTURN" if (
                (before is None or before.kind in STARTS)
                and lexeme.text == "in the realm"
                and [x.kind for x in lexemes[i + 1 : i + 3] if x.kind != "COMMA"][:1] == ["WHENHIT"]
            ):
                yield replace(lexeme, kind="FILLER")  # `in the Realm, when attacked, I stay`
            case "OWNTURN" if before is not None and before.kind == "WHENHIT":
                yield replace(lexeme, kind="FILLER")  # it says where: `if attacked in the Realm`
            case "ONLY" if (
                lexeme.text.endswith("nothing else")
                and (before is None or before.kind in STARTS)
                and follows in STARTS | {"ONCE"}
            ):
                yield replace(lexeme, kind="GOON")
            case "NUM" if (throws or (before and before.text in _ROLLS)) and _counts(lexemes, i):
                yield replace(lexeme, kind="REFERS")  # `reroll two dice`: which?
            case "ARROW":
                yield replace(lexeme, kind="ARE")
            case "SLASH":
                yield replace(lexeme, kind="OR")
            case "HEDGE" if lexeme.value is not None:  # `in round 5`
                yield replace(lexeme, kind="WORD", value=None)
            case "HEDGE" if lexeme.text == "only the" and _leads(lexemes[i + 1 : i + 2], _DICE):
                yield replace(lexeme, kind="ONLY")
            case "FILLER" if lexeme.text.endswith("going to") and _leads(
                lexemes[i + 1 : i + 3], {"LAND", "BEST", "CHEAPEST"}
            ):
                yield replace(lexeme, kind="ENTER")
            case "FILLER" if lexeme.text == "go" and follows in {"LAND", "BEST", "CHEAPEST"}:
                yield replace(lexeme, kind="ENTER")
            case "BLOW":  # `should a blow bring me below 4 hearts`
                yield replace(lexeme, kind="WHENHIT", text="when hit", end=lexeme.start)
                yield Lexeme("COMMA", ",", lexeme.start, lexeme.start)
                yield replace(lexeme, kind="IF", text="if")
            case "COMMON" | "WORD" if lexeme.text in _MAKING and _leads(
                lexemes[i + 1 : i + 4], _DICE
            ):
                yield replace(lexeme, kind="FILLER")
            case "COMMON" | "WORD" if lexeme.text in _MAKING and _is_gold(lexemes[i + 1 : i + 4]):
                yield replace(lexeme, kind="TRADE")  # `convert 3 gold to hearts`
            case "BUT" if before is not None and before.text.startswith(_EVERY):
                yield replace(lexeme, kind="EXCEPT")  # `anywhere but Mertle`
            case "FORGETALL" if follows in {"BUT", "EXCEPT"}:
                yield replace(lexeme, kind="UNSETTLED")
            case "HAVE" if lexeme.text == "get" and _leads(lexemes[i + 1 : i + 4], {"CARD"}):
                conditional = before is not None and before.kind in {"IF", "UNLESS", "WHILE"}
                yield lexeme if conditional else replace(lexeme, kind="BUY")
            case "FILLER" | "TAKEIT" if lexeme.text in {"pay", "take"} and (
                end := _loss(lexemes[i + 1 : i + 4])
            ):
                yield replace(lexeme, kind="BLEED", end=lexemes[i + end].end)
                skip = end  # `pay the 4 hearts`
            case "SPARE":
                yield replace(lexeme, kind="NOT", text="not", end=lexeme.start)
                yield replace(lexeme, kind="ATTACK", text="attack")
            case "COLLECT" if _stays_for(lexemes, i):  # `stay in Jerum and collect a heart`
                goods = _leads(lexemes[i + 1 : i + 4], _GOODS)
                yield replace(lexeme, kind="ARE" if goods else "FILLER")
            case "COLLECT":
                yield replace(lexeme, kind="COMMON")
            case kind if (
                kind in BOUNDS and follows == "NUM" and before and before.kind in {"LEAVE", "STAY"}
            ):  # `leave below 4 hearts`
                yield replace(lexeme, kind="IF", text="if", end=lexeme.start)
                yield lexeme
            case "HAVE" | "COMMON" if lexeme.text in _ROLLS and _leads(
                lexemes[i + 1 : i + 3], {"REST"}
            ):  # `roll the rest`
                yield replace(lexeme, kind="REROLL", text="reroll")
            case "HAVE" | "COMMON" if lexeme.text in _ROLLS and _is_again(lexemes[i + 1 : i + 8]):
                yield replace(lexeme, kind="PLAY", text="throw")  # `roll all five again`
            case "ASKING" if lexeme.text in _PERMITTED and _is_requested(lexemes, i):
                yield replace(lexeme, kind="REQUEST")  # `could I attack, please?`
            case "OR" | "HEDGE" if lexeme.text == "either" and follows in PAUSES and before:
                yield replace(lexeme, kind="FILLER")  # `I won't enter either`
            case "DASH" if number and tight and after is not None and after.kind == "NUM":  # `2-3`
                yield replace(lexeme, kind="WORD")
            case _:
                yield lexeme


def _is_requested(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether leave is asked for what follows, and not whether that is allowed: somebody says
    please.
    """
    after = list(takewhile(lambda x: x.kind not in STARTS, lexemes[i + 1 : i + _NEAR]))
    before = takewhile(lambda x: x.kind not in STARTS, reversed(lexemes[max(i - 3, 0) : i]))
    polite = any(_PLEASE & {*x.text.split()} for x in (*before, *after))
    return polite and _leads(after, VERBS)


def _is_again(following: Sequence[Lexeme]) -> bool:
    """Whether it ends with `again` before anything else is said."""
    said = takewhile(lambda x: x.kind not in PAUSES | VERBS, following)
    return any(x.kind == "AGAIN" for x in said)


def _counts(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether a number says how many dice: in a word and by itself, or `2 dice`."""
    behind = lexemes[i + 1].text if i + 1 < len(lexemes) else ""
    near = [x for x in lexemes[max(i - 3, 0) : i + 4] if x.kind not in {"FILLER", "AND", "COMMA"}]
    listed = sum(x.kind == "NUM" for x in near) > 1
    placed = i > 0 and lexemes[i - 1].text in {"die", "dice", "number"}
    word = not lexemes[i].text.isdigit() and not any(x.kind in _DICE | TOKENS.keys() for x in near)
    return not placed and not listed and (behind == "dice" or word)


def _is_gold(following: Sequence[Lexeme]) -> bool:
    """Whether `3 gold` follows, or `3 of my gold`."""
    kinds = [x.kind for x in following if x.kind != "FILLER"]
    return kinds[:2] == ["NUM", "GOLD"]


def _stays_for(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether somebody is said to be in a land just before."""
    return any(x.kind in {"STAY", "ENTER", "MOVE"} for x in lexemes[max(i - 6, 0) : i])


def _is_named(one: Lexeme, other: Lexeme) -> bool:
    names = heroes_by_name()
    return names[one.text] == names[other.text]


def _leads(following: Sequence[Lexeme], kinds: Collection[str]) -> bool:
    """Whether one of these follows: `turn the Rs into coins`."""
    found = [x.kind for x in following if x.kind != "FILLER"]
    return bool(found) and found[0] in kinds


def _loss(following: Sequence[Lexeme]) -> int:
    """How many lexemes name what an ultimatum takes: `the 4 hearts`."""
    told = [(i, x) for i, x in enumerate(following, start=1) if x.kind != "FILLER"][:2]
    kinds = [x.kind for _, x in told]
    loses = kinds in (["NUM", "HEART"], ["NUM", "DAMAGE"]) and told[0][1].value == LOSS
    return told[1][0] if loses else 0
