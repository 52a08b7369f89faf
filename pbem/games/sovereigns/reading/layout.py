"""How a text is laid out: labels (`Points: 3`) and headers (`action | target | points`) say where
what belongs, and are no words of an order; below a long line another order may begin.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from msgspec.structs import replace

from pbem.games.sovereigns.reading.pieces import AIMED, AMOUNTS, DO, HEADS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS

_LEADS = frozenset(
    {"action", "actions", "order", "orders", "what", "trade", "trades", "buildings", "offer to"}
)
"""Labels of a line of its own."""
_FOLLOWS = frozenset(
    {"points", "with", "target", "technology", "tech", "effect", "effects", "code", "for", "whom"}
    | {"i give", "we give", "i want", "we want", "kingdom", "dice", "attribute", "term", "terms"}
)
"""Labels of a line that continues with the one above."""
_HEADS = _LEADS | _FOLLOWS | {"to", "season", "name", "choice", "value", "military", "number"}
_KEPT = frozenset({"i give", "we give", "i want", "we want", "technology", "tech", "what"})
_SIDES = frozenset({"i give", "we give", "i want", "we want"})
_TITLES = _HEADS - _SIDES
_LABELS = _LEADS | _FOLLOWS
_SIGNS = frozenset({"COLON", "BAR"})
_OPEN = frozenset({"WITH", "OF", "FOR", "AT"})
_JOINED = frozenset({"target", "points", "with", "dice", "whom"})
"""What stands behind these is no part of its own."""
_NAMED = frozenset({"technology", "tech"})
_SMALL = re.compile(r"^[a-z]|(?<=year: )[a-z]|(?<=season: )[a-z]|(?<=redo: )[a-z]")
_CODED = re.compile(r"\b(?:\d+[rmh]|(?:stat|bld|ana)-[a-z]+(?: [rmh])?)\b")


def with_capitals(text: str) -> str:
    """A canonical text in small letters, with those that it has large: `every year: harmony: 2`."""
    return _CODED.sub(_large, _SMALL.sub(_large, text))


def _large(found: re.Match[str]) -> str:
    return found[0].upper()


def without_labels(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes without headers and labels; a labelled line continues with the one above it."""
    found: list[Lexeme] = []
    in_table = False
    for line in _lines(lexemes):
        if _is_header(line):
            in_table = True
            if found:
                found.append(line[-1])
            continue
        label = _label_of(line)
        if in_table:
            line = [replace(x, kind="BAR") if x.kind == "SEMI" else x for x in line]
        follows = label in _FOLLOWS and bool(found) and found[-1].kind == "NL"
        if follows and label in _JOINED:
            del found[-1]
        elif follows:
            found[-1] = replace(found[-1], kind="COMMA")
        if label and (follows or label not in _NAMED):
            line = _unlabelled(line, label)
        found += line
    return found


def _lines(lexemes: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    """Each with its end; a line that ends in the air continues in the next."""
    line: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "NL" and line and _hangs(line, lexemes[i + 1 : i + 3]):
            continue
        line.append(lexeme)
        if lexeme.kind == "NL":
            yield line
            line = []
    if line:
        yield line


def _hangs(line: Sequence[Lexeme], behind: Sequence[Lexeme]) -> bool:
    """Whether a line ends in the air, or the next continues with it: `attack` / `Borland`,
    `increase military` / `with 2`.
    """
    follows = [x.kind for x in behind]
    if not follows or follows[0] == "NL":
        return False
    last = line[-1].kind
    if last in _OPEN or (last in AIMED and follows[0] == "WHO"):
        return True
    if last == "INCREASE" and follows[0] in AMOUNTS:
        return True
    kinds = {x.kind for x in line}
    counted = follows[0] == "WITH" and follows[1:] in (["NUM"], ["ALL"])
    return counted and bool(kinds & DO) and not kinds & {"NUM", "ALL", "HALF"}


def _is_header(line: Sequence[Lexeme]) -> bool:
    words = [x for x in line if x.kind not in {"BAR", "SEMI", "NL", "COMMA", "DASH"}]
    return len(words) > 1 and all(x.text in _TITLES for x in words)


def _label_of(line: Sequence[Lexeme]) -> str:
    """`Points:`, `What .....`, `| action |`."""
    words = [x for x in line if x.kind != "BAR" or x is not line[0]]
    if len(words) < 3 or words[0].text not in _LABELS:
        return ""
    behind = words[1]
    dotted = behind.kind in {"COMMA", "DOT"} and behind.text[:1] in {"…", "."}
    return words[0].text if behind.kind in _SIGNS or dotted else ""


def _unlabelled(line: list[Lexeme], label: str) -> list[Lexeme]:
    first = next(i for i, x in enumerate(line) if x.text == label)
    rest = line[first + 1 :]
    while rest and (rest[0].kind in _SIGNS or rest[0].text[:1] in {"…", "."}):
        rest = rest[1:]
    if label in _NAMED:
        return [replace(line[first], kind="CALLED"), *rest]
    return [line[first], *rest] if label in _KEPT - {"what"} else rest


# ------------------------------------------------------------------------------- long lines
_WRAPPED = 55
"""From this length on a line may have been broken by the mail program."""
_CONDITIONS = set_of("IF UNLESS WHILE ONLYIF COND CONDITION")
_HANGING = set_of(
    "to must shall will should would can we i our my the a and or an that may now which who"
)


def with_ends(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """The lexemes with an end to each long line below which another order begins: `..., since it
    is known` / `research with 2`; but not to a condition, which may be one of both lines.
    """
    line = 0
    said: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "NL":
            below = list(takewhile(lambda x: x.kind not in ENDS, islice(lexemes, i + 1, None)))
            wide = lexeme.start - line >= _WRAPPED
            if wide and not (i and lexemes[i - 1].text in _HANGING) and _are_two(said, below):
                yield Lexeme("DOT", ".", lexeme.start, lexeme.start)
            line, said = lexeme.end, []
        elif lexeme.kind in ENDS:
            said = []
        else:
            said.append(lexeme)
        yield lexeme


def _are_two(above: Sequence[Lexeme], below: Sequence[Lexeme]) -> bool:
    """Whether an order begins below a line that has one of its own: an order word, or points that
    it spends as the line below does.
    """
    kinds, others = {x.kind for x in above}, {x.kind for x in below}
    if not below or below[0].kind not in HEADS or kinds & _CONDITIONS:
        return False
    return bool(kinds & HEADS) or bool(kinds & AMOUNTS and others & AMOUNTS)
