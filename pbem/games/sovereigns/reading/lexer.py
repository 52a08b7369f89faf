"""A message into lexemes of this game: kingdoms by every name (SS-13), points and their attribute
(`3R`), codes, technologies, what is quoted.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from engine.sovereigns.codes import ACTIONS
from pbem.games.sovereigns.reading.governors import governed
from pbem.games.sovereigns.reading.idioms import with_idioms
from pbem.games.sovereigns.reading.layout import with_ends, without_labels
from pbem.games.sovereigns.reading.nearby import settled
from pbem.games.sovereigns.reading.pieces import HEADS
from pbem.games.sovereigns.reading.position import UNKNOWN, Position
from pbem.games.sovereigns.reading.words import vocabulary
from pbem.grammar.kit.common import is_english, is_everyday
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import Plain, blanked, fold
from pbem.grammar.kit.senses import settle
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.vocabulary import Vocabulary

_ACTS = {action.lower(): action for action in ACTIONS}
_STATIC = rf"stat-(?:roll [rmh]|act (?:{'|'.join(_ACTS)})|def [rmh]|year|calm|depl)"
_BUILT = r"bld-(?:hospital|temple|vault|wall|works [rmh]|camp|wonder|works)"
_CODES = re.compile(
    rf"(?<![\w-])(?:ana-double {_STATIC} \+ {_STATIC}|ana-cheap {_BUILT}|ana-die [rmh]|{_STATIC}"
    rf"|{_BUILT})(?!\w)"
)
_QUOTED = re.compile(r'"[^"\n]{0,500}"')
_OBJECTION = re.compile(r"^object to action \d{1,4}: ?[^\n]{1,2000}$", re.MULTILINE)
"""A canonical text that may hold anything (SF-4)."""
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_GLUED = re.compile(r"(?:(\d{1,4})([rmh])|([rmh])(\d{1,4}))")
_MOST = 9999
"""Numbers above are read as this one, which is out of every range (SF-4)."""
_NOISE = re.compile(
    r"(?:m+u*w*a*)?(?:h+[aeo]+){2,}h*|mu+a+(?:h+a+)+|w+o{2,}h*|a+r+g+h+|gr{2,}|ya+y+|z{2,}|hm+|ra+w+r"
)
"""Laughter and growling."""
_LETTERS = {"r": "AR", "m": "AM", "h": "AH"}
_AIMS = frozenset(
    {"ATTACK", "ESPIONAGE", "THEFT", "SPREAD", "FOMENT", "OFFER", "GIVE", "LEND", "SELL", "ASKFOR"}
    | {"BORROW", "AGAINST", "TO", "IN", "FROM", "AT", "VOTE"}
)
"""Behind these a kingdom may stand."""
_NEEDS = frozenset({"ATTACK"})
"""Behind these one must."""
_SEATS = frozenset({"seat", "kingdom", "number", "player", "ruler"})
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_TITLES = frozenset({"king", "queen", "duke", "duchess", "emperor", "lord", "lady", "prince"})
_MAYBE = frozenset({"WORD", "COMMON", "FILLER", "NEG", "TURN"})
"""Kinds of words that may begin a name."""
_WANTING = frozenset({"i want", "we want", "want"})
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "their", "his", "her"})
_MOST_ARTICLES = 8
"""The most words back that are looked at."""


def lexemes_here(
    text: str, plain: Plain, position: Position, words: Vocabulary | None = None
) -> tuple[list[Lexeme], tuple[str, ...]]:
    """The lexemes of a folded text, and words of it that were read with a slip; `words`: others
    than those of the game.
    """
    apart = list(_apart(text, position))
    left = blanked(text, [(x.start, x.end) for x in apart])
    left = left if any("-" in name for name in position.names) else _HYPHEN.sub(" ", left)
    read = read_lexemes(left, words or vocabulary(), position.people)
    lexemes = sorted([*read, *apart], key=lambda x: x.start)
    named = _with_kingdoms(list(_spelt_out(lexemes, plain, position)), plain, position)
    found = settle(without_labels(named), left, frozenset({None, position.state.year}))
    acts = position.state.stage == "season"
    found = _as_we(found, position.me)
    found = list(
        settled(found, position.state.season, votes=bool(position.state.ballots), acts=acts)
    )
    found = with_idioms(list(with_ends(governed(found))), position)
    return found, tuple(plain.quote(x.start, x.end) for x in found if x.slip)


def _as_we(lexemes: Sequence[Lexeme], me: int) -> list[Lexeme]:
    """The writer's kingdom in front of its action: `Ravensmoor passes`."""
    found = list(lexemes)
    for i, (lexeme, after) in enumerate(pairwise(lexemes)):
        opens = not i or lexemes[i - 1].kind in {*ENDS, "COMMA", "AND", "COLON"}
        if lexeme.kind == "WHO" and lexeme.value == me and opens and after.kind in HEADS:
            found[i] = replace(lexeme, kind="FILLER", text="we")
        elif lexeme.kind == "ASKFOR" and lexeme.text in _WANTING and after.kind == "TO":
            found[i] = replace(lexeme, kind="FILLER")  # `I want to attack`
    return found


# ------------------------------------------------------------------------------------ taken whole
@lru_cache(maxsize=64)
def _inventions(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Names of technologies, the longest first."""
    folded = sorted({fold(name) for name in names}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, folded))})(?!\w)") if folded else None


def _apart(text: str, position: Position) -> Iterator[Lexeme]:
    """Quotes, codes and technologies there are: none of them within another."""
    taken: list[tuple[int, int]] = []
    for found in _OBJECTION.finditer(text):
        if ". " in found[0]:
            continue  # another sentence, which may order something
        taken.append(found.span())
        yield Lexeme("EXACT", "", *found.span())
    known = _inventions(tuple(position.state.technologies))
    numbers = {fold(name): i for i, name in enumerate(position.state.technologies)}
    for kind, pattern in (("QUOTE", _QUOTED), ("CODE", _CODES), ("TECH", known)):
        inside = blanked(text, taken)
        for found in pattern.finditer(inside) if pattern is not None else ():
            taken.append(found.span())
            words = _code_of(found[0]) if kind == "CODE" else found[0]
            yield Lexeme(kind, words, found.start(), found.end(), numbers.get(found[0]))


def _code_of(text: str) -> str:
    return " ".join(_ACTS.get(word, word.upper()) for word in text.split())


# ------------------------------------------------------------------------------------- spelt out
def _spelt_out(lexemes: Sequence[Lexeme], plain: Plain, position: Position) -> Iterator[Lexeme]:
    """Points in letters, numbers of other things, kingdoms of one letter."""
    for i, lexeme in enumerate(lexemes):
        text = lexeme.text
        glued = _GLUED.fullmatch(text) if lexeme.kind in {"WORD", "PLACE"} else None
        if glued is not None and text not in position.names:
            count, letter = glued[1] or glued[4], glued[2] or glued[3]
            middle = lexeme.start + (len(count) if glued[1] else 1)
            number = Lexeme("NUM", count, lexeme.start, middle, int(count))
            attribute = Lexeme(_LETTERS[letter], letter, middle, lexeme.end)
            if glued[3]:
                attribute = replace(attribute, start=lexeme.start, end=middle)
                yield from (attribute, replace(number, start=middle, end=lexeme.end))
            else:
                yield from (number, attribute)
        elif lexeme.kind == "WORD" and _NOISE.fullmatch(text):
            yield replace(lexeme, kind="FILLER")
        elif lexeme.slip and position.state.stage == "setup" and _is_large(plain, lexeme):
            yield replace(lexeme, kind="WORD", slip=False)  # `Orks`, a name
        elif lexeme.slip and _is_a_word(plain.quote(lexeme.start, lexeme.end)):
            word = fold(plain.quote(lexeme.start, lexeme.end))
            yield replace(lexeme, kind="COMMON", text=word, slip=False)
        elif text == "+" and _is_plus(lexemes, i):
            yield replace(lexeme, text="plus")
        elif lexeme.kind == "NUM" and (lexeme.value or 0) > _MOST:
            yield replace(lexeme, value=_MOST)
        elif lexeme.kind == "PLACE":
            yield replace(lexeme, kind="NUM" if text.startswith("#") else "WORD")
        elif len(text) == 1 and text.isalpha() and lexeme.end - lexeme.start == 1:
            yield _letter(lexemes, i, plain, position)
        else:
            yield lexeme


def _is_large(plain: Plain, lexeme: Lexeme) -> bool:
    return plain.quote(lexeme.start, lexeme.end)[:1].isupper()


def _is_plus(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`+1 on harmony rolls` in a line of its own, where a sign may be a bullet."""
    behind = lexemes[i + 1 : i + 2]
    begins = not i or lexemes[i - 1].kind == "NL"
    return begins and bool(behind) and behind[0].kind == "NUM" and behind[0].start == lexemes[i].end


def _is_a_word(written: str) -> bool:
    """What is English is written as it was meant: `steel` is no slip of `steal`."""
    return " " not in written and is_english(fold(written))


def _letter(lexemes: Sequence[Lexeme], i: int, plain: Plain, position: Position) -> Lexeme:
    """A letter alone: a kingdom of that name, or an attribute."""
    lexeme = lexemes[i]
    large = plain.quote(lexeme.start, lexeme.end).isupper()
    number = position.names.get(lexeme.text)
    starts = not i or lexemes[i - 1].kind in {"NL", "DOT", "BANG", "ASK"}
    article = lexeme.text in {"a", "i"} and starts
    if large and number is not None and not article:
        return replace(lexeme, kind="WHO", value=number)
    beside = [x.kind for x in (*lexemes[max(i - 1, 0) : i], *lexemes[i + 1 : i + 2])]
    before = lexemes[i - 1].kind if i else ""
    if large and number is None and before in _NEEDS and lexeme.text not in {"i", "a"}:
        return replace(lexeme, kind="WHO", value=UNKNOWN)
    if lexeme.text in _LETTERS and number is None and (large or "NUM" in beside):
        return replace(lexeme, kind=_LETTERS[lexeme.text], value=None)
    return lexeme


# -------------------------------------------------------------------------------------- kingdoms
def _with_kingdoms(lexemes: Sequence[Lexeme], plain: Plain, position: Position) -> list[Lexeme]:
    """Kingdoms by seat, by a beginning of their name, with a slip; one there is not where only a
    kingdom can stand.
    """
    found: list[Lexeme] = []
    at = 0
    while at < len(lexemes):
        lexeme = lexemes[at]
        after = lexemes[at + 1] if at + 1 < len(lexemes) else None
        seat = _seat_of(lexeme, after)
        if seat is not None and after is not None:
            led = lexeme.text == "seat" or _led(found) in _AIMS
            led &= not found or found[-1].text not in {"offer", "offers"}  # `offer number 2`
            if led:
                whole = replace(lexeme, end=after.end, text=f"{lexeme.text} {after.text}")
                found.append(replace(whole, kind="WHO", value=position.by_seat(seat)))
                at += 2
                continue
        if lexeme.kind == "WHO" and lexeme.text.startswith("player"):
            lexeme = replace(lexeme, value=position.by_seat(lexeme.value or 0))
        elif lexeme.kind in _MAYBE and lexeme.text.isalpha():
            lexeme = _named(lexeme, _led(found), plain, position)
        found.append(lexeme)
        at += 1
    return found


def _seat_of(lexeme: Lexeme, after: Lexeme | None) -> int | None:
    """`seat 3`, `the third seat`."""
    if after is None:
        return None
    if lexeme.text in _SEATS and after.kind == "NUM":
        return after.value
    return _ORDINALS.get(lexeme.text) if after.text in _SEATS else None


def _led(found: Sequence[Lexeme]) -> str:
    """The kind of the word before, except for articles."""
    near = (x.kind for x in reversed(found[-_MOST_ARTICLES:]) if x.text not in _ARTICLES)
    return next(near, "")


def _named(lexeme: Lexeme, led: str, plain: Plain, position: Position) -> Lexeme:
    text = lexeme.text
    capital = plain.quote(lexeme.start, lexeme.end)[:1].isupper()
    common = lexeme.kind != "WORD"
    expected = led in _AIMS
    if lexeme.kind in {"FILLER", "NEG", "TURN"}:
        begun = position.begun_by(text) if expected and capital else None
        return lexeme if begun is None else replace(lexeme, kind="WHO", value=begun)
    if not common or (capital and expected) or (expected and not is_everyday(text)):
        begun = position.begun_by(text)
        if begun is not None and (expected or capital):
            return replace(lexeme, kind="WHO", value=begun)
        near = None if common and is_everyday(text) else position.near_to(text)
        if near is not None:
            return replace(lexeme, kind="WHO", value=near, slip=True)
    if led in _NEEDS and (not common or capital) and text not in _TITLES:
        return replace(lexeme, kind="WHO", value=UNKNOWN)
    if expected and capital and len(text) > 2 and not (common and is_everyday(text)):
        return replace(lexeme, kind="WHO", value=UNKNOWN)
    return lexeme
