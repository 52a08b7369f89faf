"""The words of a message as an offer may take them: what hurried hands write, what units are called
by those who play a part, who is where, and what says that nothing is done.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import DIALECT, PARTS, lexicon
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.reading.words import ByRule

_SHORT = {
    **dict.fromkeys(("f", "fo", "fort"), "FORTIFY"),
    **dict.fromkeys(("w", "wk"), "WORK"),
    "h": "HOLD",
}
_GLUED = re.compile(r"([a-z]{1,4})(\d{1,3})")
_CUED = set_of("FROM TO ARROW IN WITH FOR SAC")
_YOU = frozenset({"you", "u", "ya", "him", "her", "them"})
_REACHING = set_of("SEND GIVE SUPPORT SNITCH FOR TO")
_NOUNS = set_of("COMMON WORD")
_LEADS = set_of("FROM IN TO FOR ARROW")
MANNER = "MANNER"
"""The kind of words that say only how something is done."""
_HOW = frozenset({"a", "an", "my"})
_SUMS = set_of("NUM MONEY WHO")
_HAVING = set_of("has holds owns keeps is guards sits stands")
_STAYING = set_of("keep keeps keeping leave leaves leaving")
_MOST = 3
"""The most words that name units: `three brave souls`."""
_LONGEST = 40
_NO = frozenset({"NEG", "NOTHING"})
_NAMED = set_of("OTHER PLACE COND HEDGE PAST ASKING OR EXCEPT CONTRAST LATER")
_NOBODY = frozenset(
    {"nobody", "no one", "noone", "none", "nothing", "no units", "not a single unit"}
)
_ONES = frozenset("anyone anybody anything any single spare join anymore today".split())
"""Words of such a part that say nothing else."""
_YET = frozenset({"for now", "yet", "so far", "for the moment"})
_FIGHTING = frozenset({"COMMIT", "SEND", "GIVE", "DRAGON", "UNITS", "THEUNITS"})
_PAYING = {"BUY": "PASS", "BID": "NOBID"}


def as_offered(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with what hurried hands write (`F1`, `3u`, `all W`), and with what says that
    nothing is done as one.
    """
    found: list[Lexeme] = []
    named = _addressed(lexemes, position)
    for i, lexeme in enumerate(lexemes):
        text, after = lexeme.text, lexemes[i + 1].kind if i + 1 < len(lexemes) else "NL"
        glued = _GLUED.fullmatch(text) if lexeme.kind == "WORD" else None
        if glued and glued[1] in _SHORT:
            middle = lexeme.start + len(glued[1])
            found.append(replace(lexeme, kind=_SHORT[glued[1]], text=glued[1], end=middle))
            number = int(glued[2])
            found.append(replace(lexeme, kind="PLACE", text=glued[2], start=middle, value=number))
        elif lexeme.kind == "ALL" and text.startswith(("fill", "max")):
            found += [replace(lexeme, kind="BUY"), lexeme]  # `fill up P2`
        elif lexeme.kind == "ALL" and lexeme.value is not None:
            found += [lexeme, replace(lexeme, kind="TOTAL", start=lexeme.end - 1)]  # `all three`
        elif text == "one" and after in _CUED:  # `one from P2`, and not `the forgetful one`
            found.append(replace(lexeme, text="1"))
        elif lexeme.kind == "OTHER" and text in _YOU and found and found[-1].kind in _REACHING:
            found.append(replace(lexeme, kind="WHO", value=named) if named else lexeme)
        elif text in _SHORT and found and found[-1].kind in {"ALL", "ELSE"} and after in PARTS:
            found.append(replace(lexeme, kind=_SHORT[text]))
        else:
            found.append(lexeme)
    return _with_nothing(_told_plainly(_by_rule().mended(found), position), position)


def _addressed(lexemes: Sequence[Lexeme], position: Position) -> int | None:
    """Who is meant by `you`: the only other player who is named."""
    others = {x.value for x in lexemes if x.kind == "WHO" and x.value != position.player}
    return others.pop() if len(others) == 1 else None


@lru_cache(maxsize=1)
def _by_rule() -> ByRule:
    return ByRule(lexicon(), DIALECT.verbs)


def _told_plainly(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with these as what they are."""
    told = [*lexemes]
    buys = position.state.stage != "orders" and not position.fights_dragon
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind in {"USE", "KEEP"}:
            part = _part_of(lexemes, i)
            uses = buys and lexeme.kind == "USE" and any(x.kind in _SUMS for x in part)
            stays = lexeme.kind == "KEEP" and any(x.kind in {"PLACE", "NUM"} for x in part)
            told[i] = lexeme if uses or stays else replace(lexeme, kind="FILLER")
        elif lexeme.text in _STAYING and any(x.kind == "PLACE" for x in lexemes[i + 1 : i + 3]):
            told[i] = replace(lexeme, kind="KEEP")  # `and keep P4 at home`
        elif lexeme.kind == "NUM":
            _name_units(told, i)
        elif lexeme.kind == "WITH" and _says_how(told, i):
            told[i : i + 3] = [replace(x, kind=MANNER) for x in told[i : i + 3]]
        elif lexeme.kind == "WHO" and lexeme.value != position.player:
            at = next(
                (j for j in range(i + 1, min(i + 3, len(told))) if told[j].text in _HAVING), 0
            )
            if at:
                told[at] = replace(told[at], kind="STATEMENT")  # `Sal only has one unit there`
    return told


def _part_of(lexemes: Sequence[Lexeme], i: int) -> Sequence[Lexeme]:
    """The words between the commas around a word."""
    first = next((j for j in range(i, max(i - _LONGEST, 0), -1) if lexemes[j].kind in PARTS), 0)
    last = min(i + _LONGEST, len(lexemes))
    return lexemes[first : next((j for j in range(i, last) if lexemes[j].kind in PARTS), last)]


def _says_how(told: Sequence[Lexeme], i: int) -> bool:
    """`with a kiss`: a noun of no meaning here, which ends what is said."""
    said, after = told[i + 1 : i + 3], told[i + 3].kind if i + 3 < len(told) else "NL"
    return (
        [x.kind for x in said] == ["FILLER", "COMMON"] and said[0].text in _HOW and after in PARTS
    )


def _name_units(told: list[Lexeme], i: int) -> None:
    """`three brave souls from P2`, `a single new novice arrives in P6`: who is counted, and goes,
    is a unit.
    """
    at = i + 1
    while at < len(told) and told[at].kind in _NOUNS | {"FILLER"} and at <= i + _MOST:
        at += 1
    names = [j for j in range(i + 1, at) if told[j].kind in _NOUNS]
    led = at < len(told) and told[at].kind in _LEADS | {"MARCH", "ATTACK", "COMMIT"}
    if not names or not led or not any(x.kind == "PLACE" for x in told[at : at + 4]):
        return
    for j in names:
        told[j] = replace(told[j], kind="FILLER")
    told[names[-1]] = replace(told[names[-1]], kind="UNITS")


def _with_nothing(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with the words of such a part of a sentence as one order word."""
    told, begun = list[Lexeme](), 0
    fights = position.fights_dragon
    fights = fights and not any(x.kind == "PLACE" for x in lexemes)
    for end in (*(i for i, x in enumerate(lexemes) if x.kind in PARTS), len(lexemes)):
        part = list(lexemes[begun:end])
        kind = _denied(part, position, fights=fights)
        if kind:
            at = next(i for i, x in enumerate(part) if x.kind in _NO)
            talk = {"COMMON", "WORD", "FILLER"}
            part = [
                x if x.kind in talk and x.text not in _ONES else replace(x, kind="FILLER")
                for x in part
            ]
            part[at] = replace(part[at], kind=kind)
        told += [*part, *lexemes[end : end + 1]]
        begun = end + 1
    return told


def _denied(part: Sequence[Lexeme], position: Position, *, fights: bool) -> str:
    """What order says that this is not done; nothing if it says more."""
    kinds = [x.kind for x in part]
    numbers = [x for x in part if x.kind == "NUM"]
    others = any(x.kind == "WHO" and x.value != position.player for x in part)
    counted = any(x.value != 1 or x.text.isdigit() for x in numbers)
    if len(_NO & {*kinds}) != 1 or _NAMED & {*kinds} or others or counted:
        return ""
    if fights:
        said = {x.text for x in part}
        if said & _YET:
            return ""  # `nothing for now`
        return "HIDDEN" if _FIGHTING & {*kinds} or said & (_ONES | _NOBODY) else ""
    if position.state.stage == "orders":
        return ""
    verbs = [i for i, kind in enumerate(kinds) if kind in _PAYING]
    if len(verbs) != 1 or "NEG" not in kinds:
        return ""  # `nothing beats a good bid`
    between = kinds[kinds.index("NEG") + 1 : verbs[0]]
    return (
        _PAYING[kinds[verbs[0]]] if {*between} <= {"FILLER"} and "NEG" in kinds[: verbs[0]] else ""
    )
