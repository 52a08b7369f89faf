"""The closed world in three rings. Inside an order every word has a slot or is harmless. Next to it
in its sentence common English may stand, but no unknown word and none that turns a meaning. In a
sentence of its own any words may stand that give no order.
"""

import itertools
from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from pbem.grammar.kit.common import is_foreign
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT, TURNS, Dialect

_OWN = frozenset({"COMMON", "WORD", "OTHER", "STATEMENT", "WHO", "PROSE"})
_PARTS = frozenset({"PLACE", "NUM", "ALL", "ELSE", "BOTH", "ARROW", "HALF", "NOTHING"})
_BINDING = frozenset({"COND", "TURN", "REFERS"})
_LEADS_UP = frozenset({"after", "with", "for", "at", "on", "in", "during"})
_RECEIVED = frozenset({"GET", "LEND"})
"""What others do with what is mine, or for me: `Anna gets 20`, `Anna lends me 20`."""
_LEADING = frozenset({"TO", "FOR", "FROM", "IN", "WITH"})
_MODAL = frozenset({"will", "would", "should", "may", "might", "can", "could", "to"})
_POINTING_KINDS = frozenset({"THEM", "SAME", "REFERS", "DRAFT", "QUOTE", "QUOTEDPLACE", "TURN"})
POINTING = set_of(
    "that this it its these those order orders plan plans count counts off change changes void "
    "cancelled valid apply applies deal execute mail message above below move so then only"
)
"""Words that speak of what was said, or of orders."""
TURNING = set_of(
    "NEG TURN COND IF UNLESS ONLYIF WHILE OR HEDGE ASKING ASK RETRACT SCRATCH CORRECT CONTRAST"
    " INSTEAD OTHER LATER PAST STATEMENT SPEECH DRAFT UNSETTLED SEEMS REFERS EXCEPT BUT HESITATION"
)
"""Kinds of words with which a sentence may mean the opposite of what it says."""
_CHECKING = frozenset({"ask", "wait", "trust", "warn", "let", "make"})
_UNTOLD = frozenset({"COND", "TURN", "REFERS", "UNSETTLED", "LATER", "ASKING", "ARROW", "OR"})
_HOW = set_of(
    "is are was were has have had isn't aren't hasn't haven't it's there's got am i'm we're"
)
"""Words that tell how things are."""
_INVERTED = frozenset({"is", "are", "was", "were", "does", "did", "has"})
_ASKED_OF = frozenset(
    f"{modal} {you}" for modal in ("can", "could", "will", "would") for you in ("you", "u")
)
_POLITE = set_of("please pls plz plse kindly kind thanks thank thx ty")
_OTHERS = set_of("he she they you u youre you're you'll your ya someone somebody")


class Ring(Enum):
    """Where a clause stands."""

    ORDER = auto()
    """It gives an order, or a part of one; its words must all have slots."""
    BESIDE = auto()
    """It says something harmless."""
    TOLD = auto()
    """It tells what others do, or what was."""
    BINDS = auto()
    """It turns the meaning of its sentence."""


class Judged(Struct, frozen=True):
    """A clause with its ring; `reason` is what stands behind `because`, cut off."""

    clause: Clause
    ring: Ring
    of_others: bool = False
    """It continues with what the clause before it tells of others."""


def is_question(sentence: Sentence) -> bool:
    """It asks, and is no polite request."""
    lexemes = sentence.lexemes
    first = next((x for x in lexemes if x.kind not in {"FILLER", "ALSO", "REQUEST"}), None)
    if first is not None and first.kind == "ASKING":
        return True
    if len(lexemes) > 1 and lexemes[0].text in _INVERTED and lexemes[1].kind in {"PLACE", "WHO"}:
        return True
    requests = any(x.kind == "REQUEST" for x in lexemes)
    return sentence.ended == "ASK" and (not requests or is_bare_request(sentence))


_TELLING_WORDS = frozenset({"tell", "explain", "remind", "whether", "know"})


def is_bare_request(sentence: Sentence) -> bool:
    """`Will you guard P1?`: nobody can tell whether it asks somebody or orders. `Would you please
    guard P1?` orders.
    """
    said = [x.text for x in sentence.lexemes]
    words = {word for text in said for word in text.split()}
    asks = any(x.kind == "REQUEST" and x.text in _ASKED_OF for x in sentence.lexemes)
    return sentence.ended == "ASK" and asks and not words & _POLITE


def asks_for_words(sentence: Sentence) -> bool:
    """`Could you tell me whether I can march?`: the answer is words, and nothing is done."""
    return any(word in _TELLING_WORDS for x in sentence.lexemes for word in x.text.split())


def has_material(lexemes: Sequence[Lexeme], dialect: Dialect, me: int) -> bool:
    """Whether this looks as if it gave an order: an order word with something that orders have, or
    a path.
    """
    kinds = {lexeme.kind for lexeme in lexemes}
    solid = [lexeme for lexeme in lexemes if lexeme.kind not in SILENT]
    verbs = [i for i, lexeme in enumerate(solid) if lexeme.kind in dialect.verbs]
    if verbs and all(is_told(solid, i, me) for i in verbs):
        return False
    if "ARROW" in kinds or ("PLACE" in kinds and "TO" in kinds):
        return True
    for i, lexeme in enumerate(solid):
        if lexeme.kind not in dialect.verbs or is_told(solid, i, me):
            continue
        if kinds & (_PARTS | dialect.flags | dialect.marks | {"MONEY"}):
            return True
        if "WHO" in kinds and lexeme.kind not in dialect.in_place:
            return True
        weak = lexeme.kind in dialect.weak and " " not in lexeme.text
        if len(solid) == 1 and not weak:
            return True
        if not weak and not kinds & {"COMMON", "STATEMENT", "OTHER"}:
            return True
    return False


_BEGINNING = _PARTS | {"PLACE", "COLON"}
_BETWEEN = TURNS | {"COMMON"}
"""What may stand between a verb and who does it."""


def is_told(solid: Sequence[Lexeme], i: int, me: int) -> bool:
    """Whether an order word tells what somebody else does: `Anna attacks`, `she will march`."""
    for at in reversed(range(i)):
        before = solid[at]
        if before.kind == "WHO" and at and solid[at - 1].kind in _LEADING:
            return False  # `to Anna send 20`
        if before.kind == "WHO":
            return before.value != me and solid[i].kind not in _RECEIVED
        if before.kind == "OTHER":
            return before.text in _OTHERS
        if before.kind in _BEGINNING or before.kind not in _BETWEEN:
            return False
    return False


def without_reason(lexemes: list[Lexeme]) -> list[Lexeme]:
    """A clause up to its reason (`because ...`)."""
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "REASON":
            return lexemes[:i]
    return lexemes


def _orders_behind_reason(lexemes: Sequence[Lexeme], dialect: Dialect) -> bool:
    """Whether an aim (`to protect P2`) runs on into an order of another subject."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    aims = bool(solid) and solid[0].kind == "REASON" and "to" in solid[0].text.split()
    return aims and any(
        one.kind == "PLACE" and other.kind in dialect.verbs
        for one, other in itertools.pairwise(solid)
    )


def _without_lead(lexemes: list[Lexeme]) -> list[Lexeme]:
    """A clause without what leads up to its `I`: `after long thinking I want to buy 1`."""
    aims = bool(lexemes) and lexemes[0].kind == "REASON" and "to" in lexemes[0].text.split()
    if not lexemes or (lexemes[0].text not in _LEADS_UP and not aims):
        return lexemes
    for i, lexeme in enumerate(lexemes):
        if i and lexeme.kind == "FILLER" and lexeme.text.split()[0] in {"i", "we"}:
            return lexemes[i:]
        if aims and lexeme.kind not in {"PLACE", "NUM"}:
            continue  # `to keep the wolf hungry I let P10 work`
        if lexeme.kind not in {"COMMON", "FILLER", "PROSE", "FROM", "IN", "WITH", "FOR"}:
            return lexemes
    return lexemes


def ring_of(clause: Clause, dialect: Dialect, me: int) -> Ring:
    """The ring of one clause."""
    lexemes = clause.lexemes
    kinds = {lexeme.kind for lexeme in lexemes}
    solid = [lexeme for lexeme in lexemes if lexeme.kind not in SILENT]
    if not solid:
        return Ring.BESIDE
    if has_material(lexemes, dialect, me):
        return Ring.ORDER
    if kinds & {"QUOTE", "QUOTEDPLACE"} and not kinds & _PARTS:
        return Ring.TOLD
    if "PROSE" in kinds and kinds & dialect.flags:
        return Ring.BINDS  # `my train is delayed`
    told = any(x.kind in dialect.verbs and is_told(solid, i, me) for i, x in enumerate(solid))
    if kinds & TURNS == {"NEG"} and _denies(solid, dialect):
        return Ring.ORDER  # `guard P1, not P2`, `but don't sac`
    if kinds & TURNS:
        past = kinds & TURNS <= {"STATEMENT", "PAST", "SPEECH"}
        own = kinds & (_OWN | dialect.verbs) and (past or not kinds & (_PARTS - {"ALL"}))
        if kinds & _BINDING or not own:
            return Ring.BINDS
        return Ring.TOLD
    if told or kinds & {"STATEMENT"}:
        return Ring.TOLD
    if "PROSE" in kinds and {x.kind for x in solid} <= {"ALL", "ELSE", "WHO", "TO", "FOR"}:
        return Ring.BESIDE  # `good luck everyone`
    if {x.kind for x in solid} == {"WHO"} and not clause.cue:
        return Ring.BESIDE if clause.joint in {"", "COMMA", "LPAR", "RPAR"} else Ring.ORDER
    fragment = kinds & (_PARTS | dialect.flags | dialect.marks | {"SAME", "EXCEPT", "WHO"})
    if fragment and not kinds & {"COMMON", "WORD"}:
        return Ring.ORDER
    flagged = bool(kinds & dialect.flags) and "NOTHING" not in kinds  # `to be a delayed march`
    return Ring.ORDER if flagged or "PLACE" in kinds else Ring.BESIDE


def _denies(solid: Sequence[Lexeme], dialect: Dialect) -> bool:
    rest = {x.kind for x in solid} - {"NEG"}
    return len(rest) == 1 and rest <= {"PLACE"} | dialect.marks


def reasons_ahead(clauses: Sequence[Clause], verbs: frozenset[str]) -> int:
    """How many clauses tell how things are, before a clause with `so` says what to do: `The North
    has one unit and no castle, so the wolf attacks it`. `verbs` are kinds that say a deed.
    """
    for count, clause in enumerate(clauses):
        first = clause.lexemes[0].text if clause.lexemes else ""
        if count and clause.joint == "COMMA" and (first == "so" or first.startswith("so ")):
            return count if any(map(_tells_how, clauses[:count])) else 0
        kinds = {x.kind for x in clause.lexemes}
        if clause.cue or kinds & (verbs | _UNTOLD):
            return 0
    return 0


def _tells_how(clause: Clause) -> bool:
    words = {word for x in clause.lexemes for word in x.text.split()}
    return bool(words & _HOW or {x.kind for x in clause.lexemes} & {"STATEMENT", "PAST"})


def judge(sentence: Sentence, dialect: Dialect, me: int) -> list[Judged]:
    """The clauses of a sentence in their rings, without their reasons."""
    judged = []
    reasoning, telling = False, list[Lexeme]()
    reasons = reasons_ahead(sentence.clauses, dialect.verbs - dialect.weak)
    judged += [Judged(clause, Ring.TOLD) for clause in sentence.clauses[:reasons]]
    for clause in sentence.clauses[reasons:]:
        kept = without_reason(_without_lead(clause.lexemes))
        if not kept and _orders_behind_reason(clause.lexemes, dialect):
            kept = clause.lexemes  # `to keep P3 safe P2 works`
        cut = bool(clause.lexemes) and kept[-1:] != clause.lexemes[-1:]
        if not clause.lexemes:
            judged.append(Judged(clause, Ring.ORDER))
            continue
        bare = replace(clause, lexemes=kept)
        ring = ring_of(bare, dialect, me)
        if reasoning and clause.joint == "AND" and ring is Ring.BINDS:
            ring = Ring.TOLD
        reasoning = cut
        others = clause.joint == "AND" and ring in {Ring.ORDER, Ring.BESIDE} and bool(telling)
        others = others and _goes_on(telling, kept, dialect)
        if others:
            ring = Ring.TOLD  # `Mark will march to P1 and guard there`
        elif _tells_of_others(clause.lexemes, dialect, me):
            telling = clause.lexemes
        else:
            telling = []
        judged.append(Judged(bare, ring, of_others=others))
    for i in range(1, len(judged)):
        one = judged[i]
        hangs = one.clause.joint == "AND" and one.ring is Ring.BESIDE
        if hangs and judged[i - 1].ring is Ring.ORDER and 0 < _solid(one.clause) <= 2:
            judged[i] = replace(one, ring=Ring.ORDER)  # `and back`
    if _addresses(judged, me):
        return [replace(one, ring=Ring.TOLD, of_others=True) for one in judged]
    if any(_governs_on(one, after, dialect) for one, after in itertools.pairwise(judged)):
        return [replace(judged[0], ring=Ring.BINDS), *judged]
    for one, after in itertools.pairwise(judged):
        told = one.ring is Ring.TOLD and not _says_only_no(one.clause)
        if after.clause.joint == "COLON" and (told or one.ring is Ring.BINDS):
            return [replace(one, ring=Ring.BINDS), *judged]  # `Chloe says: guard P1`
    return judged


def _governs_on(one: Judged, after: Judged, dialect: Dialect) -> bool:
    """Whether what turns a clause turns the next one, too: `I was going to work P1 and guard P2`,
    `P1 works or P1 guards and P2 works`.
    """
    if after.ring is not Ring.ORDER or after.clause.joint != "AND" or after.clause.cue:
        return False
    lexemes = [x for x in after.clause.lexemes if x.kind not in SILENT]
    kinds = {x.kind for x in one.clause.lexemes}
    tells = bool(kinds & {"STATEMENT", "PAST"}) and bool(lexemes)
    if one.ring is Ring.TOLD:  # `I wanted two for P2 and one for P1`
        return tells and "NUM" in kinds and lexemes[0].kind == "NUM"
    chooses = one.clause.joint == "OR" or any(x.text == "or" for x in one.clause.lexemes)
    said = {x.kind for x in lexemes}
    chooses = chooses and "PLACE" in said and bool(said & dialect.verbs)
    return one.ring is Ring.ORDER and (chooses or (tells and lexemes[0].kind in dialect.verbs))


def _addresses(judged: Sequence[Judged], me: int) -> bool:
    """`To Anna: nice try!`: said to somebody else, and no order."""
    first = [x for x in judged[0].clause.lexemes if x.kind not in SILENT] if judged else []
    named = [x.kind for x in first] == ["TO", "WHO"] and first[1].value != me
    rest = judged[1:]
    talks = all(one.ring in {Ring.BESIDE, Ring.TOLD} for one in rest)
    return named and bool(rest) and rest[0].clause.joint == "COLON" and talks


def _says_only_no(clause: Clause) -> bool:
    """`no tricks this turn`: a no of something that is no order."""
    solid = [x for x in clause.lexemes if x.kind not in SILENT]
    return (
        [x.kind for x in solid[:2]] == ["NEG", "COMMON"]
        and solid[0].text == "no"
        and {x.kind for x in solid[1:]} <= {"COMMON", "IN", "FROM", "WITH", "FOR", "WHO"}
    )


def is_small_talk(judged: Sequence[Judged], dialect: Dialect) -> bool:
    """A sentence with a condition in it that no order hangs on: `wake me up when it comes`, `if
    anyone wants peace, my door is open`.
    """
    lexemes = [x for one in judged for x in one.clause.lexemes]
    kinds = {x.kind for x in lexemes}
    if kinds & (_PARTS | dialect.verbs | dialect.flags | _POINTING_KINDS):
        return False
    if any(x.text in POINTING for x in lexemes):
        return False
    solid = [x for x in lexemes if x.kind not in SILENT]
    turned = [x.kind for x in solid if x.kind in TURNS]
    if [x.kind for x in solid[:2]] == ["COMMON", "WHO"] and turned[:1] == ["COND"]:
        return solid[1].text in {"me", "us"} and solid[0].text not in _CHECKING
    led = [x.kind for one in judged[:1] for x in one.clause.lexemes if x.kind not in SILENT][:1]
    own = [sum(x.kind == "COMMON" for x in one.clause.lexemes) for one in judged]
    hangs = turned == led == ["COND"]
    return hangs and len(judged) == 2 and all(count >= 2 for count in own)


def told_onward(judged: Sequence[Judged], verbs: frozenset[str]) -> list[Judged]:
    """The clauses of a sentence. A clause joined to one about others is a part of that: `Mark will
    build a wall and attack Anna`. One with a subject of its own (`and I attack`) is not.
    """
    found: list[Judged] = []
    telling = False
    for one in judged:
        first = next((x for x in one.clause.lexemes if x.kind not in {"ALSO", "THEN"}), None)
        begins = first is not None and first.kind in verbs and first.text[:2] != "i "
        if telling and begins and one.clause.joint == "AND" and not one.clause.cue:
            one = replace(one, ring=Ring.TOLD, of_others=True)
        told = one.ring is Ring.TOLD and any(x.kind in verbs for x in one.clause.lexemes)
        words = {word for x in one.clause.lexemes for word in x.text.split()}
        telling = told and bool(words & _MODAL)
        found.append(one)
    return found


def _goes_on(told: Sequence[Lexeme], lexemes: Sequence[Lexeme], dialect: Dialect) -> bool:
    """Whether a clause that begins with its order word continues to speak of others."""
    first = lexemes[0] if lexemes else None
    if first is None or first.kind not in dialect.verbs or first.text[:2] == "i ":
        return False
    return first.text.endswith("s") or any(x.text in _MODAL for x in told)


def _tells_of_others(lexemes: Sequence[Lexeme], dialect: Dialect, me: int) -> bool:
    solid = [lexeme for lexeme in lexemes if lexeme.kind not in SILENT]
    return any(x.kind in dialect.verbs and is_told(solid, i, me) for i, x in enumerate(solid))


def _solid(clause: Clause) -> int:
    return sum(lexeme.kind not in SILENT for lexeme in clause.lexemes)


def is_bound(judged: Sequence[Judged]) -> bool:
    """Whether something turns the meaning of the whole sentence."""
    return any(
        one.ring is Ring.BINDS or any(x.kind in _BINDING for x in one.clause.lexemes)
        for one in judged
    )


def shades(sentence: Sentence, judged: Sequence[Judged]) -> bool:
    """Whether it is a heading that turns the lines below it: `if Anna attacks:`, `ideas:`."""
    lexemes = sentence.lexemes
    ordering = any(one.ring is Ring.ORDER and not _turned(one) for one in judged)
    drafted = bool(lexemes) and lexemes[0].kind == "UNSETTLED" and sentence.ended == "NL"
    if ordering or drafted or not lexemes:
        return drafted
    if sentence.heads:
        return lexemes[0].kind == "REASON" or any(one.ring is not Ring.BESIDE for one in judged)
    condition = any(x.kind == "COND" for x in lexemes)
    solid = [x for x in lexemes if x.kind not in SILENT]
    bare = all(x.kind in TURNS for x in solid)
    return sentence.ended == "NL" and bool(solid) and (condition or bare)


def _turned(one: Judged) -> bool:
    return not one.clause.lexemes or any(x.kind in TURNS for x in one.clause.lexemes)


def unknown_beside(judged: Sequence[Judged]) -> list[Lexeme]:
    """Unknown words next to an order in its sentence."""
    unknown = [
        lexeme
        for one in judged
        if one.ring is Ring.BESIDE
        or (one.ring is Ring.TOLD and any(x.kind == "HEDGE" for x in one.clause.lexemes))
        for lexeme in one.clause.lexemes
        if lexeme.kind == "WORD" and _is_unknown(lexeme, one.clause)
    ]
    for one, after in itertools.pairwise(judged):
        label = one.clause.lexemes if after.clause.joint == "COLON" else []
        if [x.kind for x in label] == ["WORD"] and len(label[0].text) == 1:
            unknown += label  # `D: 2 P2->P3`
    return unknown


def _is_unknown(word: Lexeme, clause: Clause) -> bool:
    """Not a word of small talk in another language, in a part that speaks of no order; a sign in
    brackets is part of the order before it.
    """
    if not word.text.isalpha():
        return clause.joint == "LPAR"
    kinds = {x.kind for x in clause.lexemes}
    talks = kinds <= {"COMMON", "WORD", "WHO", "TO", "FOR", "IN"} | SILENT
    return len(word.text) > 1 and not (talks and is_foreign(word.text))
