"""The orders of a sentence, and the words that turn them, hold them back or are talk."""

import itertools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from pbem.games.sovereigns.reading.pieces import (
    AMOUNTS,
    BUILDING_KINDS,
    FRAGMENT,
    HEADS,
    JOINTS,
    QUIET,
    TRADE,
)
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.rings import Judged, Ring, is_told, told_onward
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT, TURNS

_BINDS = frozenset({"COND", "TURN", "REFERS", "HEDGE", "UNSETTLED", "LATER"})
_PEOPLE = frozenset({"all", "everybody", "everyone"})
_FRAGMENT = frozenset({"NUM", "WHO", "ALL", "HALF", "BOTHOF", "EXCEPT", "YEARSTART"})


def flat(sentence: Sentence, text: str) -> list[Lexeme]:
    """The lexemes of a sentence with the joints and cues between them."""
    found: list[Lexeme] = []
    for clause in sentence.clauses:
        at = clause.lexemes[0].start if clause.lexemes else sentence.end
        start = clause.at.start if clause.at is not None else at
        if clause.joint:
            gap = text[found[-1].end if found else sentence.start : start].strip()
            sign = gap[-1:] if clause.joint == "AND" and gap[-1:] == "+" else gap
            found.append(Lexeme(clause.joint, sign[-8:], start, start))
        if clause.cue and clause.at is not None:
            found.append(Lexeme("CUE", clause.cue, clause.at.start, clause.at.end))
        for i, lexeme in enumerate(clause.lexemes):
            before = clause.lexemes[i - 1] if i else lexeme
            if (
                before.kind in {"NUM", "WHO"}
                and i
                and text[before.end : lexeme.start].strip() == ":"
            ):
                found.append(Lexeme("COLON", ":", lexeme.start, lexeme.start))
            found.append(lexeme)
    return found


def clauses_of(lexemes: Sequence[Lexeme]) -> list[Clause]:
    """The clauses of such lexemes."""
    found = [Clause("")]
    for lexeme in lexemes:
        if lexeme.kind == "CUE" and lexeme.text:
            if found[-1].lexemes or found[-1].cue:
                found.append(Clause("CUE"))
            found[-1].cue, found[-1].at = lexeme.text, lexeme
        elif lexeme.kind in JOINTS:
            if found[-1].lexemes or found[-1].cue:
                found.append(Clause(lexeme.kind))
            elif not found[-1].joint or lexeme.kind != "COMMA":
                found[-1].joint = lexeme.kind
        else:
            found[-1].lexemes.append(lexeme)
    return [clause for clause in found if clause.lexemes or clause.cue]


def judge(lexemes: Sequence[Lexeme], me: int) -> list[Judged]:
    """The clauses in their rings, without what stands behind `because`."""
    judged: list[Judged] = []
    reasoning = False
    for clause in clauses_of(_without_contrast(lexemes)):
        own = clause.lexemes[:1] != [] and clause.lexemes[0].text in {"i", "we"}
        rolls = own and any(x.kind == "NUM" for x in clause.lexemes)
        if clause.joint in {"COLON", "BUT"} or clause.cue or rolls or _starts(clause.lexemes, me):
            reasoning = False
        kept = clause.lexemes
        at = next(
            (i for i in range(len(kept)) if _is_reason(kept, i) or _is_before(kept, i)),
            None,
        )
        if reasoning:
            judged.append(Judged(Clause(clause.joint, clause.lexemes), Ring.TOLD))
            continue
        if at is not None:
            reasoning = True
            kept = kept[:at]
        bare = Clause(clause.joint, kept, clause.cue, clause.at)
        judged.append(Judged(bare, ring_of(bare, me) if kept or bare.cue else Ring.TOLD))
    return _together(told_onward(judged, HEADS), me)


def _is_reason(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`because ...`, and not `I accept your offer to help`."""
    of_offer = bool(i) and lexemes[i - 1].kind == "OFFERNOUN" and lexemes[i].text[:3] == "to "
    return lexemes[i].kind == "REASON" and not of_offer


def _is_before(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`..., before winter comes`, and not `... before you attack Mordor`, nor behind a denial:
    `don't accept offer 1 before I hear from Ben`.
    """
    if not i or lexemes[i].text != "before":
        return False
    denied = any(x.kind == "NEG" or x.text.startswith(_DENIALS) for x in lexemes[:i])
    return not denied and all(x.kind not in HEADS for x in lexemes[i:])


def _without_contrast(lexemes: Sequence[Lexeme]) -> Sequence[Lexeme]:
    """`rather than attack Cyrene we do research`: without what is not done."""
    start = next((i for i, x in enumerate(lexemes) if x.kind == "CONTRAST"), None)
    if start is None:
        return lexemes
    if [x.kind for x in lexemes[start + 1 : start + 2]] == ["WHO"]:
        return [*lexemes[:start], *lexemes[start + 2 :]]  # `instead of Cyrene attack Borland`
    for i in range(start + 1, min(start + 10, len(lexemes))):
        if lexemes[i].text.split()[:1] in (["we"], ["i"]):
            return [*lexemes[:start], *lexemes[i:]]
        if lexemes[i].kind in JOINTS | {"NUM"}:
            break
    return lexemes


def _together(judged: Sequence[Judged], me: int) -> list[Judged]:
    """Clauses that belong to the order next to them, though alone they would not be one: goods of a
    bargain, a technology to look for, a second target.
    """
    kinds = {x.kind for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes}
    found: list[Judged] = []
    for one in judged:
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        mine = {x.kind for x in solid}
        loose = mine & (_LOOSE - {"COMMON"} if "SEEK" in mine else _LOOSE)
        if one.ring is not Ring.ORDER and solid and not loose:
            goods = any(kinds & heads and mine & own for heads, own in _BELONGING)
            goods |= bool(kinds & {"WON", "NOTWON", "VOTE"}) and mine <= {"YES", "VNO"}
            second = mine == {"WHO"} and one.clause.joint == "AND" and bool(found)
            if goods or (second and found[-1].ring is Ring.ORDER):
                one = Judged(one.clause, Ring.ORDER)
        found.append(one)
    return _valued(_without_denied(found))


def _valued(judged: list[Judged]) -> list[Judged]:
    """`Harmony: 3`, `rebellion: 1`: a name in front of its number."""
    for i in range(len(judged) - 1):
        solid = [x.kind for x in judged[i].clause.lexemes if x.kind not in SILENT]
        behind = judged[i + 1].clause
        numbered = [x.kind for x in behind.lexemes if x.kind not in SILENT][:1] in (
            ["NUM"],
            ["ALL"],
        )
        if len(solid) == 1 and solid[0] in AMOUNTS | {"REBELLION", "COUP"} and numbered:
            if behind.joint == "COLON":
                judged[i] = Judged(judged[i].clause, Ring.ORDER)
    return judged


def _without_denied(judged: list[Judged]) -> list[Judged]:
    """`no attack on Borland, security with 2`: a no to what the sentence does not order."""
    orders = [one for one in judged if one.ring is Ring.ORDER and one.clause.lexemes]
    plain = {
        x.kind
        for one in orders
        if not any(x.kind in TURNS for x in one.clause.lexemes)
        for x in one.clause.lexemes
    }
    found: list[Judged] = []
    for one in judged:
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        kinds = {x.kind for x in solid}
        denies = bool(solid) and solid[0].kind in {"NEG", "CONTRAST"}
        denies &= all(x.text != "only" for x in one.clause.lexemes[:2])
        denies = denies and not kinds & {"NUM", "ALL", "COND", "HEDGE", "BURN", "SEEK", "BOON"}
        said = kinds & (HEADS | BUILDING_KINDS | {"EVERYSEASON", "EVERYYEAR"})
        if one.ring is Ring.ORDER and denies and said and plain & (HEADS | AMOUNTS):
            if not said & plain and one.clause.joint != "BUT" and not one.clause.cue:
                one = Judged(one.clause, Ring.TOLD)
        found.append(one)
    return found


def _told(solid: Sequence[Lexeme], heads: Sequence[int], me: int) -> list[int]:
    """The heads that tell what somebody else does: `Anna attacks`, `you are welcome to pray`."""
    subject = next((i for i, x in enumerate(solid) if _is_subject(x)), len(solid))
    found = []
    for number, i in enumerate(heads):
        if solid[i].text in {"a present", "present", "gift", "a gift"}:
            continue
        ordered = any(
            one.kind == "WHO" and one.text in {"me", "us"} and to.kind == "TO"
            for one, to in itertools.pairwise(solid[max(i - 3, 0) : i])
        )
        if ordered:  # `everyone expects me to attack`
            found.append(i)
            continue
        ahead = solid[i - 1] if i else None
        lends = solid[i].kind == "LEND" and ahead is not None and ahead.kind == "WHO"
        lends = lends and ahead is not None and ahead.value != me and solid[0] is ahead
        told = lends or is_told(solid, i, me)
        if (not number and subject < i) or (subject > i and told):
            found.append(i)
    return found


def _is_subject(lexeme: Lexeme) -> bool:
    return lexeme.kind == "OTHER" and lexeme.text in _SUBJECTS


_BELONGING = (
    (TRADE, {"KEEPS", "YEAREND"}),
    (TRADE | {"ESPIONAGE"}, {"TECH", "INTEREST", "AGAINST", "FORSEASONS", "HOURS"}),
    ({"ESPIONAGE"}, {"SEEK"}),
    ({"FORGETS"}, {"FORYEAR", "FORSEASONS"}),
    ({"FEAR"}, {"SURE"}),
)
"""Heads, and words that belong to them in a clause of their own."""
_PARTS = set_of(
    "TRIPLE VAGUE EFFECT CODE NAME SPARE BOON NOBOON FREELY EXPENDED WITHIN CRUSHED SAMENUMBERS"
)
"""Kinds of words that belong to an order in any place."""
_ROLLED = frozenset({"REBELLION", "COUP", "KEEPBACK"})
_TOGETHER: Sequence[Sequence[AbstractSet[str]]] = (
    (AMOUNTS, {"NUM", "ALL", "BOTH", "HALF", "ELSE", "BOTHOF"}),
    ({"DEPLETE"},),
    ({"DEPLETED"}, {"NUM"}),
    (_PARTS,),
    (BUILDING_KINDS, {"ALLOWS", "BURN"}),
    ({"OFFERNOUN"}, {"NUM"}),
    ({"SPEND"}, {"ELSE"}),
    (_ROLLED, {"NUM"}),
    ({"ORELSE"}, {"NUM", "ALL"}),
    ({"SPEND"}, {"WHO"}, AMOUNTS | {"THEUNITS"}),
)
"""Kinds of words that say a part of an order together, one of each set: points and how many, `send
the army to Borland`.
"""
_BUILT = frozenset({"SPEND", "BOTHOF", "BOTH", "WITH", "SEASONNOW", "TECH", "YES", "BAR"})
"""Kinds that may stand with a building named alone."""
_SUBJECTS = frozenset({"you", "he", "she", "they", "u", "someone", "somebody", "you'll"})
_BEING = frozenset({"i'm", "i am", "we are", "am", "is", "are"})
_DENIALS = ("don't", "dont", "do not", "not ", "never")
_LOOSE = frozenset({"COMMON", "WORD", "STATEMENT", "COND", "NEG", "HEDGE", "ASKING", "TURN"})


def _starts(lexemes: Sequence[Lexeme], me: int) -> bool:
    """An order of its own begins: its head is its first word."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    return bool(solid) and solid[0].kind in HEADS | {"ORELSE", "CONDITION"}


def ring_of(clause: Clause, me: int) -> Ring:
    """The ring of a clause: whether it orders, tells, turns, or is something else."""
    solid = [x for x in clause.lexemes if x.kind not in SILENT]
    kinds = {x.kind for x in solid}
    if not solid:
        return Ring.ORDER if clause.cue else Ring.BESIDE
    heads = [i for i, x in enumerate(solid) if x.kind in HEADS]
    told = _told(solid, heads, me)
    if len(heads) > len(told) or kinds & {"EVERYYEAR", "EVERYSEASON", "CONDITION"}:
        return Ring.ORDER
    if "ALWAYS" in kinds and kinds <= {"ALWAYS", "FORSEASONS", "FORYEAR"}:
        return Ring.ORDER  # `standing order: ...`
    if solid[0].kind in {"ASKING", "WHICH"} and clause.joint:
        return Ring.TOLD  # `..., who could stop me?`
    if not told and _says_parts(solid, kinds):
        return Ring.ORDER
    if told or kinds & TURNS:
        return Ring.BINDS if kinds & _BINDS else Ring.TOLD
    return Ring.ORDER if _is_fragment(clause, solid, kinds) else Ring.BESIDE


def _says_parts(solid: Sequence[Lexeme], kinds: set[str]) -> bool:
    """Whether it says parts of an order that stand in nothing else."""
    left = any(x.text in {"left", "remain", "remains"} for x in solid)
    if left and not kinds & {*_ROLLED, "WITH", "SPEND"}:
        return False  # `one soldier left`
    if any(all(kinds & part for part in parts) for parts in _TOGETHER):
        return True
    if kinds <= {"ORELSE"} or any(x.text == "all three" for x in solid):
        return True
    if kinds & BUILDING_KINDS and kinds <= BUILDING_KINDS | _BUILT:
        return True
    if kinds & {"WON", "NOTWON", "VNO", "WHY"} and "OTHER" not in kinds:
        return True
    if kinds & _ROLLED and kinds <= {"MEET", "REBELLION", "COUP"}:
        return True
    if kinds & TURNS:
        return False
    with_number = [x.kind for x in solid[-2:]] == ["WITH", "NUM"] and "WHO" not in kinds
    sends = {"NUM", "WHO"} <= kinds and kinds & {"WITH", "SPEND"}
    return with_number or bool(sends)  # `raise taxes with 2`, `send agitators to Borland with 2`


def _is_fragment(clause: Clause, solid: Sequence[Lexeme], kinds: set[str]) -> bool:
    """`with 3`, `the rest`; behind a cue anything that may be corrected."""
    if clause.cue and kinds <= QUIET | FRAGMENT:
        return True
    if not kinds <= QUIET | _FRAGMENT or kinds == {"WHO"}:
        return False
    if {"FOR", "WHO"} <= kinds or ("AT" in kinds and not kinds & {"WITH", "SPEND"}):
        return False  # `three for Ben`, `at 8`
    if kinds == {"NUM"} and any(x.text in _BEING for x in clause.lexemes):
        return False  # `I'm 31`
    alone = len(clause.lexemes) == 1  # `Everything.`, and not `That's everything.`
    told = alone or len(solid) > 1
    every = told and any(x.kind == "ALL" and x.text not in _PEOPLE for x in solid)
    return "NUM" in kinds or every
