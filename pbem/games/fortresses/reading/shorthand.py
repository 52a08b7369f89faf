"""What signs and words mean by what stands beside them: arrows of every kind, `x` and `gets`, `up
to` a zone, a number for each of several zones, and the name of one's own kingdom.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.grammar.kit.lexemes import Lexeme, set_of

_ARROW = re.compile(r"(?<=[\w)])([ ]?)>(?=[ ]?[a-z]{3})")
_BACKWARD = re.compile(r"<[-=]*(?=[ ]?[a-z])")
_AGAINST = frozenset({"x", "v"})
_BATTLES = frozenset({"battle", "battles", "fight", "fights", "siege"})
_HEADING = frozenset({"party", "front", "attack", "army", "force", "group", "gang", "crew"})
_GETTING = frozenset({"get", "gets", "getting"})
_TITLES = set_of(
    "king queen emperor empress emir tsar czar sultan lord lady ruler crown throne house kingdom"
    " realm empire people army armies forces court council"
)
_ENDS = frozenset({"NL", "DOT", "SEMI", "BANG", "ASK", "COMMA", "COLON", "DASH", "LPAR", "RPAR"})
_STOPS = frozenset({"NL", "DOT", "SEMI", "BANG", "ASK"})
_EVERY = frozenset({"all", "everything", "everyone", "everybody"})
_BREAKS = _ENDS | {"AND", "BUT"}
_LEFT = set_of("leftover leftovers remaining spare unspent saved my rest extra")
_COUNTING = frozenset({"NUM", "ALL", "BOTH"})
_PRONOUNS = frozenset({"he", "she", "they"})
_NAMING = set_of("FILLER NUM PLACE IN FROM FOR BOTH ALL AND")
_DEEDS = set_of("MOVE ATTACK STAY RETREAT NEVERRETREAT CARRY PICK DROP DIE FIGHT")
_SUBJECT = 8
"""So many words before `he` may be of the unit that it is."""
_OF_MONEY = set_of("of the my our money gold purse coins cash treasury treasure")
_ONE = frozenset({"a", "an"})
_GAPS = frozenset({"FILLER"})


def with_arrows(text: str) -> str:
    """A folded text with arrows for `2L FRA > PRO`, and a colon for `SAX <- FRA 2L`; every other
    character stays where it was.
    """
    text = _ARROW.sub(r"\1→", text)
    return _BACKWARD.sub(lambda found: ":" + " " * (len(found[0]) - 1), text)


def without_frames(lexemes: Sequence[Lexeme], units: frozenset[str]) -> list[Lexeme]:
    """The lexemes, those silenced that only frame what is said: the heads of a table, `he` behind
    the unit that it is (`the dragon, he stays`), `for the rest of the money` before what is bought,
    `of` behind a number (`two of the legions`).
    """
    found = [*lexemes]
    line = 0
    for i, lexeme in enumerate(lexemes):
        silent = range(0)
        if lexeme.kind == "NL":
            if _heads_table(lexemes[line:i]) and any(x.text == "|" for x in lexemes[i : i + 4]):
                silent = range(line, i)
            line = i + 1
        elif lexeme.text in _PRONOUNS and _is_named(found, i, units):
            silent = range(i - 1, i + 1)
        elif lexeme.kind == "ELSE":
            silent = range(i, _money_ends(found, i))
        elif lexeme.text == "of" and i and lexemes[i - 1].kind == "NUM":
            after = _near(lexemes, i + 1, 1)
            silent = range(i, i + (after is not None and after.kind in units))
        for k in silent:
            found[k] = replace(found[k], kind="FILLER", value=None)
    return found


def _heads_table(line: Sequence[Lexeme]) -> bool:
    """`where | what`: cells that name and count nothing."""
    kinds = {x.kind for x in line}
    named = kinds & {"NUM", "PLACE", "KINGDOM", "COND", "NEG"} or any(x[0] == "Z" for x in kinds)
    return not named and any(x.text == "|" for x in line)


def _is_named(lexemes: Sequence[Lexeme], i: int, units: frozenset[str]) -> bool:
    """Whether nothing but units, and where they are, stands before a comma or colon here."""
    kinds = set[str]()
    for k in range(i - 2, max(i - 2 - _SUBJECT, -1), -1):
        if lexemes[k].kind in _STOPS | {"COMMA", "AND"}:
            break
        kinds.add(lexemes[k].kind)
    parts = all(x in units or x in _NAMING or x[0] == "Z" for x in kinds)
    does = _near(lexemes, i + 1, 1)
    parts &= does is not None and does.kind in _DEEDS
    return i > 1 and lexemes[i - 1].kind in {"COMMA", "COLON"} and bool(kinds & units) and parts


def _money_ends(lexemes: Sequence[Lexeme], i: int) -> int:
    """Where `the rest of the money` ends, if a number of units stands behind it; else here."""
    end = i + 1
    while end < len(lexemes) and (lexemes[end].text in _OF_MONEY or lexemes[end].kind == "REALM"):
        end += 1
    counted = end < len(lexemes) and (lexemes[end].kind == "NUM" or lexemes[end].text in _ONE)
    return end if end > i + 1 and counted else i


def settled(lexemes: Sequence[Lexeme], units: frozenset[str], own: frozenset[str]) -> list[Lexeme]:
    """The lexemes, those settled that say one thing or another by their neighbours; `units` are
    the kinds of units, `own` the kingdoms of who writes.
    """
    found: list[Lexeme] = []
    ordering = False
    for i, lexeme in enumerate(lexemes):
        ordering = lexeme.kind == "BATTLEORDER" or (ordering and lexeme.kind not in _STOPS)
        before = _near(found, len(found) - 1, -1)
        after = _near(lexemes, i + 1, 1)
        behind = after.kind if after is not None else "NL"
        last = before.kind if before is not None else "NL"
        if lexeme.kind == "ARROW" and (ordering or (last in units and behind in units)):
            continue  # `lose knights > legions`, `battle order SAX > CAS`
        if lexeme.text == "+" and last == "PLACE" and _is_glued(lexeme, after):
            continue  # `CON +2L`
        if lexeme.kind == "EXCEPT" and lexeme.text.split()[0] in _EVERY:
            found.append(replace(lexeme, kind="ALL", end=lexeme.start + 1))  # `everything but`
        kind = _kind_of(lexeme, last, behind, units, counts=_counts(lexemes, i + 1, units))
        if kind is not None:
            lexeme = replace(lexeme, kind=kind)
        elif behind == "COLON" and last == "PLACE" and _is_heading(lexeme):
            found[-1] = replace(found[-1], end=lexeme.end)  # `Castile fight: lose ...`
            continue
        elif lexeme.text == "back from" and behind == "PLACE" and last in units | {"MOVE"}:
            lexeme = replace(lexeme, kind="FROM")  # `the dragon flies back from Crete`
        elif lexeme.text == "back to" and behind == "PLACE" and _is_sent(found, units):
            lexeme = replace(lexeme, kind="TO")  # `Tripoli legion back to Tunis`
        elif lexeme.text[:6] == "round " and last == "AFTER":
            found.append(replace(lexeme, kind="NUM", end=lexeme.start + 5))  # `after round 2`
            lexeme = replace(lexeme, kind="ROUND", start=lexeme.start + 6, value=None)
        elif lexeme.kind == "KINGDOM" and before is not None and before.text in _LEFT:
            lexeme = replace(lexeme, kind="REALM")  # `leftover gold`
        elif lexeme.kind == "KINGDOM" and lexeme.text in own:
            lexeme = _own(found, lexeme, behind)
        found.append(lexeme)
    return found


def _kind_of(
    lexeme: Lexeme, last: str, behind: str, units: frozenset[str], *, counts: bool
) -> str | None:
    """What it is between these kinds, if that is something else than alone; `counts`: units stand
    behind it.
    """
    text = lexeme.text
    if text in _AGAINST and last in units | {"PLACE"} and behind == "PLACE":
        return "ATTACK"  # `2L FRA x PRO`
    if counts and (text == "by" or (text in _GETTING and last == "PLACE")):
        return "WITH"  # `Hungary gets both legions from Bulgaria`
    if text == "c" and last == "PLACE" and counts:
        return "CARRY"  # `G NTH c 1L SCO > SAX`
    if lexeme.kind == "SLASH" and last in units and behind == "PLACE":
        return "AND"  # `FRA 2L / DEN 1K`
    if text in _BATTLES and last in _ENDS and behind == "COLON":
        return "BATTLEORDER"  # `battles: Saxony, then Castile`
    if lexeme.kind == "RANGE" and text == "up to" and behind == "PLACE":
        return "TO"
    return None


def _is_glued(sign: Lexeme, after: Lexeme | None) -> bool:
    return after is not None and after.kind == "NUM" and after.start == sign.end


def _near(lexemes: Sequence[Lexeme], i: int, step: int) -> Lexeme | None:
    """The next one from here on that says something."""
    while 0 <= i < len(lexemes) and lexemes[i].kind in _GAPS:
        i += step
    return lexemes[i] if 0 <= i < len(lexemes) else None


def _counts(lexemes: Sequence[Lexeme], i: int, units: frozenset[str]) -> bool:
    """Whether units follow: `2 legions`, `the Norway legion`."""
    kinds = [x.kind for x in lexemes[i : i + 6] if x.kind not in _GAPS]
    if kinds[:1] and kinds[0] in units | _COUNTING:
        return True
    return kinds[:1] == ["PLACE"] and bool(kinds[1:2]) and kinds[1] in units


def _is_heading(lexeme: Lexeme) -> bool:
    """`Saxony guys: ...` is about Saxony."""
    many = lexeme.kind in {"UNITS", "THEUNITS"} and lexeme.text.endswith("s")
    return many or lexeme.text in _BATTLES or lexeme.text in _HEADING


def _is_sent(before: Sequence[Lexeme], units: frozenset[str]) -> bool:
    """Whether units and where they are have been named in this clause."""
    kinds = set[str]()
    for lexeme in reversed(before[-8:]):
        if lexeme.kind in _BREAKS:
            break
        kinds.add(lexeme.kind)
    return "PLACE" in kinds and bool(kinds & units)


def _own(found: list[Lexeme], kingdom: Lexeme, behind: str) -> Lexeme:
    """The name of one's own kingdom turns nothing: `the King of Silver`, `no attacks from Silver`,
    `Silver attacks`; but `Silver: ...` says for whom an order is.
    """
    silent = replace(kingdom, kind="FILLER", value=None)
    if found and found[-1].text in {"of", "from", "for", "by"}:
        titled = len(found) > 1 and found[-2].text in _TITLES
        if titled:
            found[-2] = replace(found[-2], kind="FILLER")
        if titled or behind in _BREAKS:
            found[-1] = replace(found[-1], kind="FILLER")
            return silent
    if not found and behind in {"NOATTACKS", "BUYNOTHING", "DONE"}:
        return silent
    return kingdom
