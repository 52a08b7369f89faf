"""Technologies in a player's own words (SS-7): what their effects are as codes, and what is their
name.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from engine.sovereigns.codes import Attribute
from engine.sovereigns.orders import Proposal
from pbem.games.sovereigns.reading.words import ACTIONS, ATTRIBUTE_OF, BUILDINGS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.slots import SILENT
from pbem.grammar.kit.vocabulary import parse_words

_VAGUE = re.compile(
    r"^(?:something|anything|an idea|ideas?) (?:with|about|for|like|of) ", re.IGNORECASE
)
_LONGEST = 40
"""Signs in a technology's name."""
_REACH = 8
"""The most words of an effect behind its number."""
_PASSED = SILENT | set_of(
    "IN TO FOR AT OF ALL POINTS ROLLS WITH WHICH EACH OTHER COND BYONE DASH FROM"
)
_MORE = frozenset({"more", "extra", "additional", "another"})


def effect_at(lexemes: Sequence[Lexeme], i: int) -> tuple[str, int] | None:
    """The effect that begins here, and how many lexemes it takes: `+1 on all military rolls` is
    `STAT-ROLL M`; of a coming roll it is `+1 M` or `-1` (SS-8.4).
    """
    first = lexemes[i]
    if first.kind == "CODE":
        return first.text, 1
    if first.kind == "CALM":
        return "STAT-CALM", 1
    if first.kind == "DEPLETION":
        behind = [x.kind for x in lexemes[i + 1 : i + 4]]
        return "STAT-DEPL", 1 + len(behind) * (set(behind) <= {"NUM", "DASH", "RANGE"})
    signed = _signed(lexemes, i)
    return None if signed is None else _of_rolls(lexemes, *signed, i)


def _signed(lexemes: Sequence[Lexeme], i: int) -> tuple[int, bool, int] | None:
    """`+1`, `plus 2`, `-1`, `one die more`: the number, whether of dice, where it ends."""
    first = lexemes[i]
    j = i
    if first.kind == "AND" and first.text in {"+", "plus"}:
        j += 1
        if j < len(lexemes) and lexemes[j].kind == "NUM":
            value = lexemes[j].value or 0
        else:
            return None
    elif first.kind == "NUM" and (first.value or 0) < 0:
        value = first.value or 0
    elif first.kind == "DASH" and i + 1 < len(lexemes) and lexemes[i + 1].kind == "NUM":
        value, j = -(lexemes[i + 1].value or 0), i + 1
    elif first.kind == "NUM" and [x.text for x in lexemes[i + 1 : i + 3]] == ["die", "more"]:
        return first.value or 0, True, i + 3
    else:
        return None
    j += 1
    dice = j < len(lexemes) and lexemes[j].kind == "POINTS" and lexemes[j].text[:2] == "di"
    j += dice
    return value, dice, j + (j < len(lexemes) and lexemes[j].text in _MORE)


def _of_rolls(
    lexemes: Sequence[Lexeme], value: int, dice: bool, at: int, start: int
) -> tuple[str, int] | None:
    attribute: Attribute | None = None
    kind, defence, year, coming = "", False, False, False
    end = at
    for j in range(at, min(at + _REACH, len(lexemes))):
        one = lexemes[j]
        if one.kind in ATTRIBUTE_OF and attribute is None and not kind:
            attribute = ATTRIBUTE_OF[one.kind]
        elif one.kind in ACTIONS and not kind and attribute is None:
            kind = ACTIONS[one.kind][0]
        elif one.kind == "DEFENCE":
            defence = True
        elif one.kind == "YEARSTART":
            year = True
        elif one.kind == "NEXT" or one.text.startswith("next "):
            coming = True
        elif one.text in {"roll", "rolls"}:
            pass
        elif one.kind not in _PASSED and one.text not in _MORE:
            break
        else:
            continue
        end = j + 1
    count = end - start
    if value > 0 and not (attribute or kind or defence or year or coming):
        return None
    if coming or (value < 0 and not (attribute or kind or defence)):
        return (f"+{value} {attribute}" if value > 0 else str(value)), count
    return _code(value, dice, attribute, kind, defence=defence, year=year), count


def _code(
    value: int, dice: bool, attribute: Attribute | None, kind: str, *, defence: bool, year: bool
) -> str:
    """The code of an effect; one with a question mark has another number."""
    found, right = "", 1
    if year:
        found = "STAT-YEAR"
    elif defence and attribute is not None:
        found, right = f"STAT-DEF {attribute}", 2
    elif kind:
        found, right = f"STAT-ACT {kind}", 2
    elif attribute is not None:
        found = f"ANA-DIE {attribute}" if dice else f"STAT-ROLL {attribute}"
    if not found or (dice and not found.startswith("ANA")):
        return f"{found}?"
    return found if value == right else f"{found}?"


def building_code(lexemes: Sequence[Lexeme], building: Lexeme) -> str:
    """The code that allows a building: of what it is, and whether it is of the cheap kind."""
    code = BUILDINGS[building.kind]
    if code == "BLD-WORKS":
        letter = next((ATTRIBUTE_OF[x.kind] for x in lexemes if x.kind in ATTRIBUTE_OF), None)
        code = f"{code} {letter}" if letter else f"{code}?"
    texts = [x.text for x in lexemes]
    cheap = any(x in {"destroyed", "cheaper", "cheap"} for x in texts)
    return f"ANA-CHEAP {code}" if cheap else code


@lru_cache(maxsize=1)
def _ideas() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Beginnings of words by what they are nearest to, in order."""
    return tuple(parse_words(files(__package__) / "inventions.words"))


def suggested(written: str, code: str) -> Proposal | None:
    """A proposal for a vague idea (SS-7.5): what it is nearest to, if it is near anything."""
    name = _VAGUE.sub("", written).strip(" .,;:!\"'=")[:_LONGEST] or "a new idea"
    if code and code != "?":
        return Proposal(name, code.removesuffix("?"))
    words = fold(written).split()
    for kind, begun in _ideas():
        if any(word.startswith(begun) for word in words):
            return Proposal(name, _nearest(kind))
    return None


def _nearest(kind: str) -> str:
    if kind in ACTIONS:
        return f"STAT-ACT {ACTIONS[kind][0]}"
    if kind in {"MILITARY", "HARMONY"}:
        return f"STAT-ROLL {kind[0]}"
    return BUILDINGS[f"B{kind}"]
