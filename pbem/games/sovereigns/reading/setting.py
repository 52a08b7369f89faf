"""The set-up (SS-1.3): how nine points are split, and what the kingdom is called."""

import re
from collections.abc import Sequence

from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES
from engine.sovereigns.setup import MOST_NAME, START_SUM
from pbem.games.sovereigns.reading.pieces import Parts
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.slots import SILENT

_ENDS = frozenset({"COMMA", "COLON", "DASH", "LPAR", "RPAR", "CUE", "NUM", "AND", "BUT", *ATTRIBUTE_OF})
_WORDS = frozenset({"WORD", "COMMON", "WHO", "TECH"})
_PASSED = frozenset({"HEADING", "SLASH", "SPEND", "AND", "COMMA", "EACH", "ELSE"})
_EACH = re.compile(r"(\w+) (?:of|in|into) (?:everything|each|all)")


def counts_of(parts: Parts, lexemes: Sequence[Lexeme]) -> dict[str, int] | Lexeme | None:
    """The numbers by attribute; the word that is too much, or None if there are none."""
    numbers = [x for x in lexemes if x.kind == "NUM"]
    solid = [x for x in lexemes if x.kind not in SILENT | {"COMMA", "AND", "SPEND"}]
    kinds = [x.kind for x in solid]
    for i in range(len(kinds) - 4):
        if kinds[i : i + 5] == ["NUM", "SLASH", "NUM", "SLASH", "NUM"]:
            if len(numbers) != len(ATTRIBUTES):
                return numbers[-1]
            return {a: x.value or 0 for a, x in zip(ATTRIBUTES, numbers, strict=True)}
    each = next((i for i in range(len(kinds)) if kinds[i : i + 3] == ["NUM", "OF", "ALL"]), None)
    if each is not None and len(numbers) == 1:
        return dict.fromkeys(ATTRIBUTES, solid[each].value or 0)
    found: dict[str, int] = {}
    for amount in parts.amounts:
        if amount.bare:
            continue
        if amount.attribute is None or amount.count is None or amount.attribute in found:
            return amount.lexeme
        found[amount.attribute] = amount.count
    rest = [one.attribute for one in parts.amounts if one.bare and one.attribute not in found]
    if "ELSE" in parts.marks and len(rest) == 1 and rest[0] is not None:
        found[rest[0]] = START_SUM - sum(found.values())
    return found or None


def name_in(lexemes: Sequence[Lexeme], plain: Plain, *, alone: bool) -> str:
    """What the kingdom is to be called: behind `call us`, or what stands alone with a capital
    (`alone`: if it may); empty if nothing is.
    """
    called = next((i for i, x in enumerate(lexemes) if x.kind == "CALLED"), None)
    if called is not None:
        return _named(lexemes[called + 1 :], plain, sure=True)
    if not alone:
        return ""
    for i, lexeme in enumerate(lexemes):
        before = lexemes[i - 1].kind if i else ""
        if lexeme.kind in _WORDS and before in {"", "COMMA", "NUM", "DOT", "DASH", *ATTRIBUTE_OF}:
            name = _named(lexemes[i:], plain, sure=False)
            if name:
                return name
    return ""


def _named(lexemes: Sequence[Lexeme], plain: Plain, *, sure: bool) -> str:
    run: list[Lexeme] = []
    for lexeme in lexemes:
        article = lexeme.text in {"the", "a", "of"} or (run and lexeme.kind == "OF")
        if lexeme.kind == "COLON" and not run:
            continue
        if lexeme.kind in _ENDS or (lexeme.kind in SILENT and not article):
            break
        if lexeme.kind == "WITH":
            break
        run.append(lexeme)
    if not run:
        return ""
    name = " ".join(plain.quote(run[0].start, run[-1].end).split()).strip("\"'.,;:!")
    capital = name[:1].isupper()
    if not sure and not (capital and all(x.kind in _WORDS for x in run)):
        return ""
    return name if 0 < len(name) <= MOST_NAME else ""


def split_of(counts: dict[str, int], name: str) -> o.Split | None:
    """The split, if all three are told."""
    if len(counts) < len(ATTRIBUTES):
        return None
    return o.Split(counts["R"], counts["M"], counts["H"], name)
