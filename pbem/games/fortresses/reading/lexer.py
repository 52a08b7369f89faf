"""A message into lexemes of this game: zones by every spelling (FW-11.2), units and their numbers
(`2L1K`), and words whose meaning depends on their neighbours.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.fortresses.atlas import KINGDOMS, atlas, zones
from engine.fortresses.units import CODES
from pbem.games.fortresses.reading.kinds import UNITS
from pbem.games.fortresses.reading.senses import settled, without_frames
from pbem.games.fortresses.reading.words import (
    PREFIX,
    SLIP,
    begun_by,
    codes,
    near_to,
    peopled_by,
    vocabulary,
    zones_by_name,
)
from pbem.grammar.kit.common import is_english
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.people import People
from pbem.grammar.kit.senses import settle
from pbem.grammar.kit.vocabulary import spelt_out

AMBIGUOUS, UNKNOWN = -1, -2
"""The values of a place that may be several zones, or that does not exist."""
_NAMES = tuple(zones())
_NUMBERS = {name: i for i, name in enumerate(_NAMES)}
_LEADS = frozenset({"FROM", "TO", "VIA", "IN", "ATTACK", "INTO", "ARROW"})
_WAYS = frozenset({"FROM", "TO", "VIA"})
_GLUED = re.compile(r"(?:\d{1,3}[lkwgd])+")
_PIECE = re.compile(r"(\d{1,3})([lkwgd])")
_WATERS = frozenset({"sea", "ocean", "channel"})
_LONG = [name.split() for name in zones_by_name() if " " in name]
_MOST_WORDS, _FIRST_WORDS = max(map(len, _LONG)), frozenset(words[0] for words in _LONG)
_ON_FLIERS = frozenset({"OUTNUMBERED", "ALONE", "FIRSTLOSS"})
_FLIERS = frozenset(
    "the my our we i they he she it we're they're he's it's its i'm are is am get gets be".split()
)
_JOINING = frozenset({"and", "nor"})
_NO_PLACE = UNITS | {"WORD", "COMMON"}
"""Before these a word of its own is no zone: `Irish legions`, `constant fear`."""


def zone_of(place: Lexeme) -> str:
    """The zone of a place, or the written word if there is no such zone."""
    value = place.value if place.value is not None else UNKNOWN
    return _NAMES[value] if value >= 0 else place.text


_ARTICLES = frozenset({"the", "a", "an", "my"})


def _joined(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Without the line ends inside an order: `via the Aegean` / `Sea`, `from Egypt` / `via Syria`,
    `with all` / `legions`; but `Cancel all` ends its line.
    """
    last = len(lexemes) - 1
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "NL" and 0 < i < last:
            before, after = lexemes[i - 1], lexemes[i + 1]
            hangs = before.text in _ARTICLES or before.kind in _WAYS
            hangs |= before.kind == "ALL" and after.kind in UNITS | {"FROM", "IN", "EXCEPT"}
            hangs |= before.kind[0] == "Z" and after.text in _WATERS
            if hangs or after.kind == "VIA":
                continue
        yield lexeme


def lexemes_here(
    text: str, plain: Plain, people: People, year: int, own: frozenset[str] = frozenset()
) -> tuple[list[Lexeme], tuple[str, ...]]:
    """The lexemes of a folded text, and words of it that were read with a slip; `own` are the
    kingdoms of a player who writes.
    """
    read = list(
        _spelt_out(
            list(_joined(read_lexemes(spelt_out(text, atlas()), vocabulary(), people))), plain
        )
    )
    framed = without_frames(_with_zones(read, plain))
    zoned = _with_conditions(settled(framed, own))
    found = settle(zoned, text, frozenset({None, year}))
    slips = tuple(plain.quote(x.start, x.end) for x in found if x.slip)
    return found, slips


def _spelt_out(lexemes: Sequence[Lexeme], plain: Plain) -> Iterator[Lexeme]:
    """Units and numbers that stand without a blank between them, and letters for units."""
    for i, lexeme in enumerate(lexemes):
        before = lexemes[i - 1] if i else None
        text = lexeme.text
        if lexeme.kind == "WORD" and _GLUED.fullmatch(text):
            for piece in _PIECE.finditer(text):
                start, end = lexeme.start + piece.start(), lexeme.start + piece.end()
                yield Lexeme("NUM", piece[1], start, end - 1, int(piece[1]))
                yield Lexeme(f"U{piece[2].upper()}", piece[2], end - 1, end)
        elif len(text) == 1 and text.upper() in CODES and lexeme.end - lexeme.start == 1:
            is_large = plain.quote(lexeme.start, lexeme.end).isupper()
            counted = before is not None and before.kind == "NUM"
            yield replace(lexeme, kind=f"U{text.upper()}") if is_large or counted else lexeme
        else:
            yield lexeme


def _with_conditions(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """`as soon as we're outnumbered`, `once the dragon is alone`: a word that hangs something on
    what the dragons do is part of that.
    """
    found: list[Lexeme] = []
    flees = any(x.kind == "RETREAT" for x in lexemes)
    for lexeme in lexemes:
        if flees and lexeme.kind in _ON_FLIERS:
            i = len(found) - 1
            while i >= 0 and (found[i].text in _FLIERS or found[i].kind == "UD"):
                i -= 1
            if i >= 0 and found[i].kind == "COND":
                lexeme = replace(lexeme, start=found[i].start)
                del found[i:]
        found.append(lexeme)
    return found


def _with_zones(lexemes: Sequence[Lexeme], plain: Plain) -> list[Lexeme]:
    """Zones as places, by name, code, beginning or with a slip; kingdoms by their names."""
    found: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        kind, text = lexeme.kind, lexeme.text
        before = found[-1].kind if found else ""
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        if found and lexeme.start < found[-1].end:  # of a name of several words
            continue
        if (begun := _of_words(lexemes[i : i + _MOST_WORDS])) is not None:
            lexeme = begun
        elif kind[0] == "Z" and kind[1:].isdigit():
            lexeme = _named(lexeme, before, after, plain)
        elif kind == "PLACE":  # `P1`, `#3` are no zones
            lexeme = replace(lexeme, kind="NUM" if text.startswith("#") else "WORD")
        elif kind == "KINGDOM" and before == "NUM":  # `16 gold`
            lexeme = replace(lexeme, kind="COMMON")
            found[-1] = replace(found[-1], kind="COMMON")
        elif kind == "WHO" and text in KINGDOMS:
            lexeme = replace(lexeme, kind="KINGDOM")
        elif text in _WATERS and before == "PLACE" and _is_sea(found[-1]):
            found[-1] = replace(found[-1], end=lexeme.end)
            continue
        elif text in {"fall", "falls"} and before == "PLACE":
            lexeme = replace(lexeme, kind="COMMON")  # `Norway falls today`
        elif kind in {"WORD", "COMMON", "PROVINCE", "FILLER"} and text.isalpha():
            lexeme = _spelt(lexeme, found, after, plain)
        found.append(lexeme)
    return found


def _of_words(lexemes: Sequence[Lexeme]) -> Lexeme | None:
    """A zone by a beginning of several words: `bay of bis`, `North S`."""
    for count in range(len(lexemes), 1, -1):
        text = " ".join(x.text for x in lexemes[:count])
        if lexemes[0].text in _FIRST_WORDS and len(text) > PREFIX and (names := begun_by(text)):
            value = _NUMBERS[next(iter(names))] if len(names) == 1 else AMBIGUOUS
            return Lexeme("PLACE", text, lexemes[0].start, lexemes[count - 1].end, value)
    return None


def _is_sea(place: Lexeme) -> bool:
    name = zone_of(place)
    return name in zones() and not zones()[name].is_land


def _named(lexeme: Lexeme, before: str, after: Lexeme | None, plain: Plain) -> Lexeme:
    """A name is a zone; a code that is a word too is one in capitals, where a zone must be, or
    (`Den: 1K`) with a capital before a colon or a number.
    """
    text = lexeme.text
    value = int(lexeme.kind[1:])
    small = text in codes() and (is_english(text) or text == "and")
    written = plain.quote(lexeme.start, lexeme.end)
    counts = after is not None and after.kind in {"COLON", "NUM"} and text not in _JOINING
    capitals = written.isupper() or (counts and written[:1].isupper())
    led = before in _LEADS | UNITS | {"FOR", "BATTLEORDER"}
    if not small or (capitals and (text != "and" or led)) or (led and text != "and"):
        return replace(lexeme, kind="PLACE", value=value)
    return replace(lexeme, kind={"and": "AND", "nor": "NEG"}.get(text, "COMMON"))


def _spelt(lexeme: Lexeme, found: Sequence[Lexeme], after: Lexeme | None, plain: Plain) -> Lexeme:
    """A zone by its people, by its beginning or with a slip (FW-11.2). Where only a zone can stand,
    an unknown word is a place that does not exist. A word with another meaning is a zone only where
    a zone must stand.
    """
    text, before = lexeme.text, found[-1].kind if found else ""
    common = lexeme.kind != "WORD"
    capital = plain.quote(lexeme.start, lexeme.end)[:1].isupper()
    counts = after is not None and (after.kind in UNITS or after.text == "one")
    people = peopled_by(text) if counts else frozenset[str]()  # `French knights`
    if len(people) != 1 and common and not _is_for_zone(lexeme, found, after, capital=capital):
        return lexeme
    begun = begun_by(text) if len(text) >= PREFIX else frozenset[str]()
    near = near_to(text) if len(text) >= SLIP else frozenset[str]()
    meant = people if len(people) == 1 else begun or near
    if meant:
        value = _NUMBERS[next(iter(meant))] if len(meant) == 1 else AMBIGUOUS
        return replace(lexeme, kind="PLACE", value=value, slip=meant is near)
    if before in _LEADS and len(text) > 1 and (not common or capital):
        return replace(lexeme, kind="PLACE", value=UNKNOWN)
    return lexeme


def _is_for_zone(
    lexeme: Lexeme, found: Sequence[Lexeme], after: Lexeme | None, *, capital: bool
) -> bool:
    """Whether a word that means something else stands where a zone must be: behind `from`, in
    capitals behind `attack` or `2 legions in`, or, if a zone begins so, behind units or in a list.
    """
    before = found[-1].kind if found else ""
    if lexeme.kind == "FILLER" and lexeme.text != "province":
        return False
    if len(lexeme.text) < PREFIX or not begun_by(lexeme.text):
        bought = before == "IN" and any(x.kind in UNITS for x in found[-2:-1])
        return before in _WAYS or (capital and (before == "ATTACK" or bought))
    listed = capital and before in {"COMMA", "AND", "COLON"}
    named = after is None or after.kind not in _NO_PLACE
    return named and (listed or before in _LEADS | UNITS)


def meant_by(place: Lexeme) -> tuple[str, ...]:
    """The zones that an ambiguous place may mean."""
    names = begun_by(place.text) or near_to(place.text)
    return tuple(name for name in zones() if name in names)


def place_of(zone: str) -> int:
    """The value of a zone's lexeme."""
    return _NUMBERS[zone]
