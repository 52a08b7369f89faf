"""The sense of a word or sign by its neighbours: arrows of every kind, `x` and `gets`, `up to` a
zone, `by` a ship, and the name of the writer's own kingdom.
"""

import re
from collections.abc import Collection, Sequence
from itertools import takewhile

from msgspec.structs import replace

from pbem.games.fortresses.reading.kinds import CARRYING, COUNTING, UNITS, VERBS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS, PARTED

_ARROW = re.compile(r"(?<=[\w)])([ ]?)>(?=[ ]?[a-z]{3})")
_BACKWARD = re.compile(r"<[-=]*(?=[ ]?[a-z])")
_AGAINST = set_of("x v")
_BATTLES = set_of("battle battles fight fights siege")
_HEADING = set_of("party front attack army force group gang crew")
_GETTING = set_of("get gets getting")
_TAKING = set_of("take takes")
_TITLES = set_of(
    "king queen emperor empress emir tsar czar sultan lord lady ruler crown throne house kingdom"
    " realm empire people army armies forces court council"
)
_EVERY = set_of("all everything everyone everybody")
_OWNING = set_of("leftover leftovers remaining spare unspent saved my our rest extra") | {"all my"}
_CARRIED = set_of("him her it them")
_PRONOUNS = set_of("he she they")
_DEEDS = set_of("MOVE ATTACK STAY REMAIN RETREAT NEVERRETREAT CARRY PICK DROP DIE FIGHT")
_FAR = 8
"""The most words that are looked at, back or ahead."""
_NOTHING = Lexeme("NL", "", 0, 0)


def with_arrows(text: str) -> str:
    """A folded text with arrows for `2L FRA > PRO`, and a colon for `SAX <- FRA 2L`; every other
    character stays where it was.
    """
    text = _ARROW.sub(r"\1→", text)
    return _BACKWARD.sub(lambda found: ":" + " " * (len(found[0]) - 1), text)


def without_frames(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes, those silenced that only frame what is said: the heads of a table, `he` behind
    the unit that it is (`the dragon, he stays`), `of` behind a number (`two of the legions`).
    """
    found = [*lexemes]
    line = 0
    for i, lexeme in enumerate(lexemes):
        silent = range(0)
        if lexeme.kind == "NL":
            if _heads_table(lexemes[line:i]) and any(x.text == "|" for x in lexemes[i : i + 4]):
                silent = range(line, i)
            line = i + 1
        elif lexeme.text in _PRONOUNS and _is_of_units(found, i):
            silent = range(i - (lexemes[i - 1].kind in {"COMMA", "COLON"}), i + 1)
        elif lexeme.text == "of" and i and lexemes[i - 1].kind == "NUM":
            silent = range(i, i + (_near(lexemes, i + 1, 1).kind in UNITS))
        for k in silent:
            found[k] = _silent(found[k])
    return found


def _silent(lexeme: Lexeme) -> Lexeme:
    return replace(lexeme, kind="FILLER", value=None)


def _heads_table(line: Sequence[Lexeme]) -> bool:
    """`where | what`: cells that name and count nothing."""
    kinds = {x.kind for x in line}
    return "|" in {x.text for x in line} and not kinds & set_of("NUM PLACE KINGDOM COND NEG")


def _is_of_units(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether units of ours are named before it in this sentence, and nobody else: `the dragon
    which is in Crete, he flies home`.
    """
    ahead = takewhile(lambda x: x.kind not in ENDS, reversed(lexemes[:i]))
    kinds = {x.kind for x in ahead}
    does = _near(lexemes, i + 1, 1).kind in _DEEDS
    return does and bool(kinds & UNITS) and not kinds & {"KINGDOM", "WHO", "OTHER"}


def settled(lexemes: Sequence[Lexeme], own: frozenset[str]) -> list[Lexeme]:
    """The lexemes, those settled that say one thing or another by their neighbours; `own` are the
    kingdoms of a player who writes.
    """
    found: list[Lexeme] = []
    ordering = False
    said = set[str]()
    """The kinds of words since a sentence ended."""
    for i, lexeme in enumerate(lexemes):
        said = said | {lexeme.kind} if lexeme.kind not in ENDS - {"SEMI"} else set()
        ordering = lexeme.kind == "BATTLEORDER" or (ordering and lexeme.kind not in ENDS)
        before, after = _near(found, len(found) - 1, -1), _near(lexemes, i + 1, 1)
        if lexeme.kind == "ARROW" and (ordering or {before.kind, after.kind} <= UNITS):
            continue  # `lose knights > legions`, `battle order SAX > CAS`
        if lexeme.text == "+" and before.kind == "PLACE" and after.kind == "NUM":
            if after.start == lexeme.end:
                continue  # `CON +2L`
        if after.kind == "COLON" and before.kind == "PLACE" and _is_heading(lexeme):
            found[-1] = replace(found[-1], end=lexeme.end)  # `Castile fight: lose ...`
            continue
        if lexeme.kind == "EXCEPT" and lexeme.text.split()[0] in _EVERY:
            found.append(replace(lexeme, kind="ALL", end=lexeme.start + 1))  # `everything but`
        elif lexeme.text[:6] == "round " and before.kind == "AFTER":
            found.append(replace(lexeme, kind="NUM", end=lexeme.start + 5))  # `after round 2`
            lexeme = replace(lexeme, kind="ROUND", start=lexeme.start + 6, value=None)
        elif lexeme.kind == "DASH" and after.kind == "PLACE" and before.kind in UNITS:
            lexeme = replace(lexeme, kind="ARROW") if _sends(found) else lexeme  # `SAX 2L - FLA`
        elif lexeme.text in _CARRIED and _is_landing(before) and said & UNITS > {"UG"}:
            lexeme = replace(lexeme, kind="THEM", value=None)  # `and puts him ashore in Crete`
            if before.kind not in CARRYING | {"MOVE"}:
                found[-1] = replace(found[-1], kind="DROP")
        elif (kind := _kind_of(lexemes, i, before, after, said)) is not None:
            lexeme = replace(lexeme, kind=kind)
        elif lexeme.text in {"back from", "back to"} and after.kind == "PLACE":
            lexeme = _back(lexeme, found, before)
        elif lexeme.kind == "KINGDOM" and found and found[-1].text in _OWNING:
            lexeme = replace(lexeme, kind="MONEY")  # `leftover gold`
        elif lexeme.kind == "KINGDOM" and lexeme.text in own:
            lexeme = _own(found, lexeme, after.kind)
        found.append(lexeme)
    return found


def _kind_of(
    lexemes: Sequence[Lexeme], i: int, before: Lexeme, after: Lexeme, said: Collection[str]
) -> str | None:
    """What a word is between these, and behind such as are `said` in its sentence, if that is
    something else than alone.
    """
    lexeme, last, behind = lexemes[i], before.kind, after.kind
    text = lexeme.text
    if text in _AGAINST and last in UNITS | {"PLACE"} and behind == "PLACE":
        return "ATTACK"  # `2L FRA x PRO`
    if lexeme.kind == "SLASH" and last in UNITS and behind == "PLACE":
        return "AND"  # `FRA 2L / DEN 1K`
    if text in _BATTLES and last in PARTED - {"AND", "BUT"} and behind == "COLON":
        return "BATTLEORDER"  # `battles: Saxony, then Castile`
    if text == "up to" and behind == "PLACE":
        return "TO"
    if lexeme.kind == "ARROW" and [x.kind for x in lexemes[i + 2 : i + 3]] == ["ARROW"]:
        return "VIA"  # `NOR -> AQU -> CAS`
    if lexeme.kind == "SEMI" and _adds_groups(lexemes, i, said):
        return "AND"
    if text == "by" and _ships(lexemes, i + 1) and _sends(lexemes[:i]):
        return "CARRY"  # `a legion from Egypt to Crete by the Levantine ship`
    counted = _counts(lexemes, i + 1)
    if text in _TAKING and behind == "PLACE" and not counted:
        return "ATTACK"  # `the Norway legion takes Sweden`
    if counted and (text == "by" or (text in _GETTING and last == "PLACE")):
        return "WITH"  # `Hungary gets both legions from Bulgaria`
    return "CARRY" if counted and text == "c" and last == "PLACE" else None


def _near(lexemes: Sequence[Lexeme], i: int, step: int) -> Lexeme:
    """The next one from here on that says something, of a few."""
    for at in range(i, i + step * _FAR, step):
        if not 0 <= at < len(lexemes):
            break
        if lexemes[at].kind != "FILLER":
            return lexemes[at]
    return _NOTHING


def _counts(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether units follow: `2 legions`, `the Norway legion`."""
    kinds = [*(x.kind for x in lexemes[i : i + 6] if x.kind != "FILLER"), "", ""]
    return kinds[0] in UNITS | COUNTING or (kinds[0] == "PLACE" and kinds[1] in UNITS)


def _ships(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether one galleon follows, and where it is."""
    kinds = [x.kind for x in lexemes[i : i + 5] if x.kind not in {"FILLER", "NUM", "IN"}]
    return kinds[:1] == ["UG"] or kinds[:2] == ["PLACE", "UG"]


def _adds_groups(lexemes: Sequence[Lexeme], i: int, said: Collection[str]) -> bool:
    """Whether units with where they are stand behind a semicolon, and nothing else: they are more
    for the attack before it.
    """
    kinds = [x.kind for x in takewhile(lambda x: x.kind not in ENDS, lexemes[i + 1 :])]
    parts = UNITS | COUNTING | set_of("FROM PLACE AND COMMA VIA FILLER")
    grouped = kinds[-1:] == ["PLACE"] and parts.issuperset(kinds) and UNITS.intersection(kinds)
    return bool(grouped) and bool({"ATTACK", "COLON"} & {*said}) and VERBS & {*said} <= {"ATTACK"}


def _is_landing(verb: Lexeme) -> bool:
    """Whether it may be said of whom a ship has aboard."""
    return verb.kind in CARRYING | {"MOVE", "BUY"} or verb.text in {"set", "sets"}


def _is_heading(lexeme: Lexeme) -> bool:
    """`Saxony guys: ...` is about Saxony."""
    many = lexeme.kind in {"UNITS", "THEUNITS"} and lexeme.text.endswith("s")
    return many or lexeme.text in _BATTLES or lexeme.text in _HEADING


def _back(lexeme: Lexeme, found: Sequence[Lexeme], before: Lexeme) -> Lexeme:
    """`the dragon flies back from Crete`; `Tripoli legion back to Tunis`, where units and where
    they are have been named in this clause.
    """
    if lexeme.text == "back from":
        return replace(lexeme, kind="FROM") if before.kind in UNITS | {"MOVE"} else lexeme
    return replace(lexeme, kind="TO") if _sends(found) else lexeme


def _sends(found: Sequence[Lexeme]) -> bool:
    """Whether units and where they are have been named in this clause."""
    kinds = {x.kind for x in takewhile(lambda x: x.kind not in PARTED, reversed(found[-_FAR:]))}
    return "PLACE" in kinds and bool(kinds & UNITS)


def _own(found: list[Lexeme], kingdom: Lexeme, behind: str) -> Lexeme:
    """The name of the writer's kingdom turns nothing: `the King of Silver`, `no attacks from
    Silver`, `Silver attacks`; but `Silver: ...` says for whom an order is.
    """
    if found and found[-1].text in {"of", "from", "for", "by"}:
        titled = len(found) > 1 and found[-2].text in _TITLES
        if titled:
            found[-2] = _silent(found[-2])
        if titled or behind in PARTED:
            found[-1] = _silent(found[-1])
            return _silent(kingdom)
    alone = not found and behind in {"NOATTACKS", "BUYNOTHING", "DONE"}
    return _silent(kingdom) if alone else kingdom
