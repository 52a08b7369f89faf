"""What players write for short: faces and goods by a letter (`R: s`, `g > Jerum`), dice by their
place (`4th die`, `last two`), headings before a dash, conditions that begin with `should`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from engine.realm_master.state import Stage
from pbem.games.realm_master.reading.parts import BOUNDS, CONDITIONAL, FACES, VERBS
from pbem.grammar.kit.lexemes import Lexeme, set_of

THROWING = frozenset({"reroll", "second", "knuckle"})
"""The questions that are about dice."""
DICE = 5
_FACES = {"s": "SWORD", "c": "COIN", "h": "HEART", "b": "HALF"}
_GOODS = {"g": "GOLD", "h": "HEART", "b": "BANNER"}
_COUNTED = {"g": "GOLD", "h": "HEART", "dmg": "DAMAGE"}
_BOUND = {**_GOODS, "s": "SWORD", "c": "COIN"}
_UNKNOWN = frozenset({"WORD", "COMMON"})
_SIGNS = set_of("COLON ARROW BAR DASH ARE TO FILLER")
_JOINS = set_of("AND COMMA FILLER ALL OR SLASH COLON DASH")
_ENDS = set_of("NL SEMI DOT BANG ASK")
_HEADED = set_of("REROLL ENTER LIFE ATTACK BUY PLAY REVEAL LOOT RFACE WANT TRIBUTE CARD OWNTURN")
_NUMBER = re.compile(r"(\d{1,2})(g|h|dmg)s?")
_ORDINAL = re.compile(r"([1-5])(?:st|nd|rd|th)")
_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": 5}
_SEVERAL = re.compile(r"(?:the )?(first|last) (two|three|four)")
_COUNTS = {"two": 2, "three": 3, "four": 4}
_DIE = frozenset({"die", "dice", "one", "ones"})
_IF_I = frozenset({"should i", "should my"})
_ABOUT = frozenset({"regarding", "concerning", "about"})
_NAMED = {
    "t": "TRIBUTE",
    **dict.fromkeys(("shopping", "shopping list", "purchase", "purchases", "market"), "BUY"),
}
"""What heads a line without being one of its verbs."""
_POLITE = frozenset(
    "grateful obliged glad happy pleased delighted thankful appreciate kind nice good honoured".split()
)
_ASKS = set_of("FILLER ARE COMMON HEDGE STATEMENT WORD IT TO HAVE")
_DISCARDS = frozenset("bin ditch dump chuck toss junk".split())
_LIGHT = frozenset("make launch do start mount".split())
_DICE = FACES.keys() - {"GOLD"} | {"REST"}


def in_full(lexemes: Sequence[Lexeme], stage: Stage | None) -> list[Lexeme]:
    """The lexemes of a message with what is written for short as what it stands for."""
    told = _headings(_topics([*lexemes]))
    told = [*_asked([*_letters(told)])]
    if stage in THROWING:
        told = [*_places(told)]
    return [_in_place(told, i) for i in range(len(told))]


def _topics(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`As for the R, ...` as a heading."""
    for i, lexeme in enumerate(lexemes):
        led = [x.text for x in lexemes[i : i + 2]] == ["as", "for"] or lexeme.text in _ABOUT
        if not led or (i and lexemes[i - 1].kind not in _ENDS):
            continue
        at = next((j for j in range(i, min(i + 6, len(lexemes))) if lexemes[j].kind == "COMMA"), 0)
        said = [x.kind for x in lexemes[i:at] if x.kind not in {"FILLER", "ARE", "COMMON"}]
        if len(said) == 1 and said[0] in _HEADED:
            for j in range(i, at):
                if lexemes[j].kind != said[0]:
                    lexemes[j] = replace(lexemes[j], kind="FILLER")
            lexemes[at] = replace(lexemes[at], kind="COLON", text=":")
    return lexemes


def _headings(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """`attack - no`, `R - hearts` in lines of their own, `rr: blanks / R: s` in one."""
    told: list[Lexeme] = []
    starts = headed = True
    row = False
    """Whether it is a row of a table."""
    for i, lexeme in enumerate(lexemes):
        follows = [x.kind for x in lexemes[i + 1 : i + 3]]
        parts = lexeme.kind == "SLASH" and follows[1:] == ["COLON"]
        parts |= lexeme.kind == "BAR" and lexeme.text == "|" and not (starts or row)
        if parts and follows[:1] and follows[0] in _HEADED:
            lexeme = replace(lexeme, kind="SEMI")
        elif lexeme.kind == "DASH" and headed and not starts:
            lexeme = replace(lexeme, kind="COLON", text=":")
        elif starts and lexeme.text in _NAMED and follows[:1] in (["COLON"], ["DASH"]):
            lexeme = replace(lexeme, kind=_NAMED[lexeme.text])
        told.append(lexeme)
        if lexeme.kind in {"NL", "SEMI"}:
            starts, headed, row = True, True, False
        elif not (starts and lexeme.kind in {"DASH", "FILLER"}):
            row |= starts and lexeme.kind == "BAR"
            headed, starts = starts and lexeme.kind in _HEADED, False
    return told


def _letters(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Faces and goods by a letter, and what becomes what by a sign."""
    throw, turning = "", False
    """The verb of the list of dice that goes on here; whether it is said what R becomes."""
    for i, lexeme in enumerate(lexemes):
        kind, text = lexeme.kind, lexeme.text
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        follows = after.kind if after is not None else "NL"
        if turning and (kind == "RFACE" or text == ">") and follows in FACES.keys() | _UNKNOWN:
            kind, lexeme = "ARE", replace(lexeme, kind="ARE")  # `Rs r swords`
        if kind in _UNKNOWN and (found := _NUMBER.fullmatch(text)):  # `2g`
            split = lexeme.start + found.end(1)
            yield Lexeme("NUM", found[1], lexeme.start, split, int(found[1]))
            yield Lexeme(_COUNTED[found[2]], found[2], split, lexeme.end)
            throw, turning = "", False
            continue
        if kind in _UNKNOWN or kind == "AND":
            meant = ""
            if follows == "RANGE":
                meant = _BOUND.get(text, "")
            elif _goes_to_land(lexemes[i + 1 : i + 3]):
                meant = _GOODS.get(text, "")
            elif turning or (throw == "KEEP" or (throw and text != "b")):
                meant = _FACES.get(text, "")
            if meant:
                kind, lexeme = meant, replace(lexeme, kind=meant)
        if text == ">" and follows == "LAND" and i and lexemes[i - 1].text in {*_GOODS, *_TOKENS}:
            lexeme = replace(lexeme, kind="TO")
        yield lexeme
        if kind in {"REROLL", "KEEP"}:
            throw = kind
        elif kind not in FACES and kind not in _JOINS:
            throw = ""
        if kind == "RFACE":
            turning = True
        elif kind not in _SIGNS:
            turning = False


_TOKENS = frozenset("banner banners gold coin coins heart hearts ban".split())


def _goes_to_land(following: Sequence[Lexeme]) -> bool:
    """`b > Kurull`, `g Jerum`."""
    signs = [x.kind for x in following if not (x.kind in {"ARROW", "TO"} or x.text == ">")]
    return signs[:1] == ["LAND"]


def _places(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Dice by their place in the throw, while that is what is asked."""
    skip = False
    for i, lexeme in enumerate(lexemes):
        if skip:
            skip = False
            continue
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        several = _SEVERAL.fullmatch(lexeme.text)
        if several is not None:
            count = _COUNTS[several[2]]
            first = 1 if several[1] == "first" else DICE - count + 1
            for number in range(first, first + count):
                yield Lexeme("NUM", str(number), lexeme.start, lexeme.end, number)
            continue
        place = _PLACES.get(lexeme.text, 0)
        if found := _ORDINAL.fullmatch(lexeme.text):
            place = int(found[1])
        named = after is not None and after.text in _DIE
        alone = lexeme.kind in _UNKNOWN | {"FIRST"} and lexeme.text not in {"first", "last"}
        if place and (named or alone):
            yield Lexeme("NUM", str(place), lexeme.start, lexeme.end, place)
            skip = named
        else:
            yield lexeme


def _asked(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """`I should be obliged if you would not attack`: what is asked for, without how."""
    start = 0
    told: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        before = told[start:]
        you = lexeme.kind == "IF" and [x.kind for x in lexemes[i + 1 : i + 3]] == [
            "OTHER",
            "FILLER",
        ]
        polite = any(_POLITE & {*x.text.split()} for x in before)
        if you and polite and {x.kind for x in before} <= _ASKS:
            told[start:] = [replace(x, kind="FILLER") for x in before]
            lexeme = replace(lexeme, kind="REQUEST")
        elif lexeme.kind == "OTHER" and told and told[-1].kind == "REQUEST":
            lexeme = replace(lexeme, kind="FILLER")
        told.append(lexeme)
        start = len(told) if lexeme.kind in _ENDS | {"COMMA"} else start
    yield from told


def _in_place(lexemes: Sequence[Lexeme], i: int) -> Lexeme:
    """A word that means something else by those behind it."""
    lexeme = lexemes[i]
    behind = [x for x in lexemes[i + 1 : i + 5] if x.kind != "FILLER"]
    kinds = [x.kind for x in behind]
    before = lexemes[i - 1].kind if i else "NL"
    if lexeme.kind == "LEAVE" and kinds[:2] == ["NUM", "GOLD"]:
        return replace(lexeme, kind="KEEP", text="keep")  # `leave me 1 gold`
    if lexeme.kind == "AND" and lexeme.text == "+" and before == "LIFE":
        return replace(lexeme, kind="FILLER")
    if lexeme.kind in _UNKNOWN and lexeme.text in _DISCARDS and kinds[:1] and kinds[0] in _DICE:
        return replace(lexeme, kind="REROLL", text="reroll")  # `bin the rest`
    if lexeme.text == "k" and kinds[:1] and kinds[0] in _DICE:
        return replace(lexeme, kind="KEEP", text="keep")
    if (
        lexeme.kind in {"COMMON", "WORD"}
        and lexeme.text in _LIGHT
        and kinds[:2] == ["NOT", "ATTACK"]
    ):
        return replace(lexeme, kind="FILLER")
    if lexeme.kind == "COLON" and before in {"CARD", "ATTACK"} and _is_amount(lexemes, i):
        return replace(lexeme, kind="IF", text="if")  # `Horn: swords >= 2`
    for_damage = kinds[-1:] == ["DAMAGE"] or "DAMAGE" in kinds
    if (lexeme.kind in {"ARE", "TO"} or lexeme.text in {"vs", "versus"}) and for_damage:
        if kinds[0] in BOUNDS | {"NUM", "RANGE"} and _names_card(lexemes[max(i - 4, 0) : i]):
            return replace(lexeme, kind="IF", text="if")  # `smoke pot for 4 damage or more`
    if lexeme.kind == "KEEP" and lexeme.text.startswith("hold"):
        said = [*takewhile(lambda x: x.kind not in _ENDS | {"COMMA"}, reversed(lexemes[:i]))]
        if any(x.kind in CONDITIONAL for x in said):
            return replace(lexeme, kind="HAVE")  # `if I hold 7 gold`
    return _condition(lexemes, i)


def _is_amount(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether an amount follows: `swords >= 2`, `3+ swords`."""
    said = [*takewhile(lambda x: x.kind not in _ENDS | {"COMMA"}, lexemes[i + 1 :])]
    kinds = [x.kind for x in said]
    bound = {"RANGE", "MORE", "LEAST", "BELOW", "ABOVE", "LESS"} & {*kinds} or (
        kinds[:2] == ["NUM", "AND"]
    )
    opens = BOUNDS | FACES.keys() | {"NUM", "RANGE", "DAMAGE", "HAVE"}
    return bool(bound) and kinds[0] in opens and bool({*kinds} & (FACES.keys() | {"DAMAGE"}))


def _names_card(before: Sequence[Lexeme]) -> bool:
    return any(x.kind == "CARD" for x in before)


def _condition(lexemes: Sequence[Lexeme], i: int) -> Lexeme:
    """`Should I roll 3 swords, attack`; `if hit and below 4 hearts`."""
    lexeme = lexemes[i]
    if lexeme.kind == "AND" and i and lexemes[i - 1].kind == "WHENHIT":
        after = next((x.kind for x in lexemes[i + 1 :] if x.kind != "FILLER"), "")
        return replace(lexeme, kind="IF") if after in BOUNDS | {"NUM", "HAVE", "IF"} else lexeme
    asks = lexeme.kind == "ASKING" and lexeme.text in _IF_I
    if not (asks or (lexeme.kind == "FILLER" and lexeme.text == "should")):
        return lexeme
    said = [*takewhile(lambda x: x.kind not in _ENDS | {"COMMA"}, lexemes[i + 1 :])]
    kinds = {x.kind for x in said}
    sentence = [*takewhile(lambda x: x.kind not in _ENDS, lexemes[i + 1 :])]
    end = i + 1 + len(sentence)
    is_asked = end < len(lexemes) and lexemes[end].kind == "ASK"
    amount = "NUM" in kinds and kinds & (FACES.keys() | {"DAMAGE"})
    led = asks or next((x.kind for x in said if x.kind != "FILLER"), "") == "DAMAGE"
    if is_asked or not amount or not led or kinds & VERBS:
        return lexeme
    return replace(lexeme, kind="IF", text="if")
