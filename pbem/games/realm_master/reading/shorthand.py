"""What players write for short: faces and goods by a letter (`R: s`, `g > Jerum`), dice by their
place (`4th die`, `last two`), headings before a dash, conditions that begin with `should`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from engine.realm_master.state import Stage
from pbem.games.realm_master.reading.parts import BOUNDS, CONDITIONAL, FACES, TOKENS, VERBS
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
_PAUSES = _ENDS | {"COMMA"}
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
_PARTING = frozenset({"NL", "SEMI", "SLASH", "BAR", "DASH"})
"""Signs that may stand between a heading and what it heads, or end that."""
_ORDINALS = {"1st": "FIRST", "2nd": "SECOND"}
_SPELT = {"IF": "if", "KEEP": "keep", "NOT": "no", "TO": "to", "REROLL": "reroll", "FIRST": "first"}
"""How a word is spelt that another one stands for."""
_GOING = frozenset({"go to", "go into", "goes to", "go in"})
_MOMENTS = frozenset({"hit", "WHENHIT", "HITS", "OWNTURN", "ULTIMATUM"})
_LEADING = frozenset({"COLON", "ATTACK", "WHENHIT"})
"""Behind these an `if` may be left out."""
_BOUNDING = BOUNDS | {"RANGE", "MORE", "LESS"}
_NEAR, _FAR = 12, 30
"""The most words that are looked at before one, and behind one."""
_SAID = VERBS | {"YES", "NOT", "NOTHING"}
_DISCARDS = frozenset("bin ditch dump chuck toss junk".split())
_LIGHT = frozenset("make launch do start mount".split())
_MAY_SHIFT = frozenset(_ORDINALS) | set_of(
    "HAVE ASKING COMMON AND WITH NUM WORD SLASH TO ONLY EXCEPT COLON ARE LEAVE ENTER KEEP"
    " nope nah spare goes do k should"
)
"""Kinds and words that may mean something else by those around them."""
_WHICH = frozenset({"which", "that", "what"})
_DICE = FACES.keys() - {"GOLD"} | {"REST"}


def in_full(lexemes: Sequence[Lexeme], stage: Stage | None) -> list[Lexeme]:
    """The lexemes of a message with what is written for short as what it stands for."""
    told = _headings(_topics([*lexemes]))
    told = [*_letters([*_unnumbered(told)])]
    if stage in THROWING:
        told = [*_places(told)]
    told = [
        _in_place(told, i) if x.kind in _MAY_SHIFT or x.text in _MAY_SHIFT else x
        for i, x in enumerate(told)
    ]
    return [*_conditions(told)]


def _topics(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`As for the R, ...` as a heading."""
    for i, lexeme in enumerate(lexemes):
        leads = lexeme.text == "as" and [x.text for x in lexemes[i + 1 : i + 2]] == ["for"]
        if not (leads or lexeme.text in _ABOUT) or (i and lexemes[i - 1].kind not in _ENDS):
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
    lines = sum(x.kind == "DASH" and after.kind in _SAID for x, after in pairwise(lexemes))
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind not in _PARTING and not (starts and lexeme.text in _NAMED):
            told.append(lexeme)
            if not (starts and lexeme.kind == "FILLER"):
                headed, starts = starts and lexeme.kind in _HEADED, False
            continue
        follows = [x.kind for x in lexemes[i + 1 : i + 3]]
        answers = follows[:1] in (["NOT"], ["YES"], ["NOTHING"]) and follows[1:] in ([], ["NL"])
        if lexeme.kind == "NL" and answers and [x.kind for x in told[-1:]] == ["ATTACK"]:
            lexeme = replace(lexeme, kind="COLON", text=":")  # `Attack`, and below it `no`
        parts = lexeme.kind == "SLASH" and follows[1:] == ["COLON"]
        parts |= lexeme.kind == "BAR" and lexeme.text == "|" and not (starts or row)
        if parts and follows[:1] and follows[0] in _HEADED:
            lexeme = replace(lexeme, kind="SEMI")
        elif (
            lexeme.kind == "DASH"
            and headed
            and not starts
            and (lines > 1 or follows[:1] != ["NOT"])  # `attack - no` alone may be a correction
        ):
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


def _unnumbered(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Lines without their numbers, where each says what to do: `1 attack`, `2 enter Jerum`."""
    opens = [i for i in range(len(lexemes)) if not i or lexemes[i - 1].kind == "NL"]
    said = [i for i in opens if lexemes[i].kind == "NUM" and lexemes[i].text.isdigit()]
    follows = [lexemes[i + 1].kind for i in said if i + 1 < len(lexemes)]
    listed = [lexemes[i].value for i in said] == [*range(1, len(said) + 1)] and len(said) > 1
    does = len(follows) == len(said) and {*follows} <= VERBS | {"RFACE", "NOT"}
    numbers = {*said} if listed and does else set[int]()
    yield from (x for i, x in enumerate(lexemes) if i not in numbers)


def _letters(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Faces and goods by a letter, and what becomes what by a sign."""
    throw, turning = "", False
    """The verb of the list of dice that continues here; whether it is said what R becomes."""
    for i, lexeme in enumerate(lexemes):
        kind, text = lexeme.kind, lexeme.text
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        follows = after.kind if after is not None else "NL"
        if (
            turning
            and (kind == "RFACE" or text in {">", "like"})
            and follows in FACES.keys() | _UNKNOWN
        ):
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
            lexeme = replace(lexeme, kind="TO", text="to")
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


def _in_place(lexemes: Sequence[Lexeme], i: int) -> Lexeme:
    """A word of those that `_MAY_SHIFT`, which means something else by those around it."""
    lexeme = lexemes[i]
    before = lexemes[max(i - _NEAR, 0) : i]
    behind = [x for x in lexemes[i + 1 : i + 5] if x.kind != "FILLER"]
    kind = _sign(lexeme, before, behind) or _deed(lexeme, before, behind)
    if kind == "":
        kind = _condition(lexemes, i)
    if not kind:
        return lexeme
    value = None if kind == "FILLER" else lexeme.value
    return replace(lexeme, kind=kind, text=_SPELT.get(kind, lexeme.text), value=value)


def _sign(lexeme: Lexeme, before: Sequence[Lexeme], behind: Sequence[Lexeme]) -> str:
    """What a sign or a small word is instead; "": nothing else."""
    last = before[-1] if before else None
    led = "NL" if last is None else last.kind
    match lexeme.kind:
        case "HAVE" | "ASKING" | "COMMON" if _is_of_dice(lexeme, before, behind):
            return "FILLER"  # `reroll the blanks that I get`
        case "AND" if lexeme.text == "+" and led == "LIFE":
            return "FILLER"  # `life +2`
        case "WITH" if behind and behind[0].kind == "COMMON" and lexeme.text == "with":
            kinds = takewhile(lambda x: x not in _PAUSES, (x.kind for x in behind))
            return "" if {*kinds} - {"COMMON", "TO"} else "COMMON"  # `with a smile`
        case "NUM" | "WORD" if lexeme.text == "one" and [x.kind for x in behind[:1]] == ["CARD"]:
            return "FILLER"
        case "SLASH" if last is not None and last.text == "w":
            return "FILLER"  # `w/ 3 swords`
        case "TO" if lexeme.text == "to" and not {*_clause(before)} & VERBS:
            said = [x.kind for x in behind if x.text not in _LIGHT]
            return "FILLER" if said and said[0] in VERBS | {"NOT"} else ""
        case "ONLY" | "EXCEPT" if behind and _is_as_before(before):
            return "BUT" if behind[0].kind in VERBS | {"NOT"} else ""  # `as last time, only attack`
        case "COLON" if led in {"CARD", "ATTACK"} and _is_amount(behind):
            return "IF"  # `Horn: swords >= 2`
        case "ARE" | "TO" | "WITH" | "WORD" if _is_damage(lexeme, before, behind):
            return "IF"  # `smoke pot for 4 damage or more`
    if lexeme.text in _ORDINALS:
        return _ORDINALS[lexeme.text]
    return "NOT" if led == "COLON" and lexeme.text in {"nope", "nah"} else ""


def _clause(before: Sequence[Lexeme]) -> list[str]:
    """The kinds of what stands before it in its clause."""
    return [x.kind for x in takewhile(lambda x: x.kind not in _PAUSES | {"AND"}, reversed(before))]


def _is_of_dice(lexeme: Lexeme, before: Sequence[Lexeme], behind: Sequence[Lexeme]) -> bool:
    """Whether it only says of dice that they are rolled: `the blanks that I get`."""
    near = [*takewhile(lambda x: x.kind not in _PAUSES, reversed(before))]
    said = [x.kind for x in near if x.kind != "FILLER" and x.text not in _WHICH]
    leads = lexeme.text not in _WHICH or [x.kind for x in behind[:1]] == ["HAVE"]
    rolls = lexeme.kind == "HAVE" or lexeme.text in _WHICH
    led = not {*said} & (CONDITIONAL.keys() | {"HAVE", "EXIST"})
    return rolls and leads and led and said[:1] != [] and said[0] in _DICE - {"REST"}


def _is_as_before(before: Sequence[Lexeme]) -> bool:
    """Whether that the plan is the same ends here: `as last time,`."""
    kinds = [x.kind for x in before[-2:]]
    return kinds[-1:] == ["SAME"] or kinds == ["SAME", "COMMA"]


def _deed(lexeme: Lexeme, before: Sequence[Lexeme], behind: Sequence[Lexeme]) -> str:
    """What a word of doing does here; "": what it says."""
    kinds = [x.kind for x in behind]
    first = kinds[0] if kinds else ""
    if lexeme.kind == "LEAVE" and kinds[:2] == ["NUM", "GOLD"]:
        return "KEEP"  # `leave me 1 gold`
    if lexeme.kind == "ENTER" and lexeme.text in _GOING:
        said = next((x.kind for x in reversed(before) if x.kind != "FILLER"), "")
        return "TO" if said in TOKENS else ""  # `the banner shall go to Jerum`
    if lexeme.kind == "KEEP" and lexeme.text.startswith("hold"):
        near = [x.kind for x in takewhile(lambda x: x.kind not in _PAUSES, reversed(before))]
        return "HAVE" if {*near} & CONDITIONAL.keys() else ""  # `if I hold 7 gold`
    if lexeme.text == "spare" and first in {"WHO", "HERO"}:
        return "TURN"  # nobody can be spared
    if lexeme.text == "goes" and first == "LAND":
        return "TO"  # `banner goes Jerum`
    if lexeme.text == "do":
        return "FILLER" if first in VERBS else ""
    if lexeme.text == "k" or (lexeme.kind in _UNKNOWN and lexeme.text in _DISCARDS):
        keeps = lexeme.text == "k"
        return ("KEEP" if keeps else "REROLL") if first in _DICE else ""  # `bin the rest`
    if lexeme.kind in _UNKNOWN and lexeme.text in _LIGHT and kinds[:2] == ["NOT", "ATTACK"]:
        return "FILLER"
    return ""


def _is_damage(lexeme: Lexeme, before: Sequence[Lexeme], behind: Sequence[Lexeme]) -> bool:
    """Whether so much damage is said of a card: `smoke pot vs 4+ damage`."""
    kinds = [x.kind for x in behind]
    amount = "DAMAGE" in kinds and kinds[0] in BOUNDS | {"NUM", "RANGE"}
    return amount and any(x.kind == "CARD" for x in before[-4:])


def _conditions(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """An `if` that is left out: `hit: h < 4 leave`, `att 2+`."""
    last = "NL"
    for i, lexeme in enumerate(lexemes):
        led, last = last, lexeme.kind
        if led not in _LEADING:
            yield lexeme
            continue
        before, behind = lexemes[max(i - 2, 0) : i], lexemes[i : i + _NEAR]
        headed = led == "COLON" and {before[0].kind, before[0].text} & _MOMENTS
        attacks = lexeme.kind == "NUM" and led == "ATTACK" and _is_bare(behind)
        if lexeme.kind == "IF" and led == "WHENHIT":
            yield Lexeme("COMMA", ",", lexeme.start, lexeme.start)
        if attacks or (headed and _is_amount(behind)):
            yield replace(lexeme, kind="IF", text="if", end=lexeme.start, value=None)
        yield lexeme


def _is_bare(said: Sequence[Lexeme]) -> bool:
    """Whether this many of nothing that is named are said: `2+`."""
    kinds = [x.kind for x in said[1:3]]
    return kinds[:1] == ["MORE"] or (kinds[:1] == ["AND"] and {*kinds[1:]} <= _PAUSES | {"ELSE"})


def _is_amount(said: Sequence[Lexeme]) -> bool:
    """Whether an amount is said first: `swords >= 2`, `3+ swords`."""
    kinds = [x.kind for x in takewhile(lambda x: x.kind not in _PAUSES, said)]
    bound = _BOUNDING & {*kinds} or kinds[:2] == ["NUM", "AND"]
    opens = BOUNDS | FACES.keys() | {"NUM", "RANGE", "DAMAGE", "HAVE"}
    return bool(bound) and kinds[0] in opens and bool({*kinds} & (FACES.keys() | {"DAMAGE"}))


def _condition(lexemes: Sequence[Lexeme], i: int) -> str:
    """`IF`, of a word that begins a condition: `should I roll 3 swords, attack`, `if hit and below
    4 hearts`.
    """
    lexeme = lexemes[i]
    behind = lexemes[i + 1 : i + _FAR]
    if lexeme.kind == "AND" and i and lexemes[i - 1].kind == "WHENHIT":
        first = next((x.kind for x in behind if x.kind != "FILLER"), "")
        return "IF" if first in BOUNDS | {"NUM", "HAVE", "IF"} else ""
    asks = lexeme.kind == "ASKING" and lexeme.text in _IF_I
    if not (asks or (lexeme.kind == "FILLER" and lexeme.text == "should")):
        return ""
    said = [x.kind for x in takewhile(lambda x: x.kind not in _PAUSES, behind)]
    end = next((x.kind for x in behind if x.kind in _ENDS), "")
    first = next((kind for kind in said if kind != "FILLER"), "")
    amount = "NUM" in said and {*said} & (FACES.keys() | {"DAMAGE"})
    leads = asks or first == "DAMAGE" or first in FACES
    if first == "CARD" and "HOPES" in said:
        return "IF"  # `should the boots turn up, buy them`
    return "IF" if end != "ASK" and amount and leads and not {*said} & VERBS else ""
