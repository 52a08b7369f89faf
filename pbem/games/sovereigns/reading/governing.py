"""What a word is by the word that governs it: orders that are put off or kept from happening,
armies that are sent against somebody, a correction that begins with a sound.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.sovereigns.reading.pieces import (
    AIMED,
    AMOUNTS,
    AT_ONCE,
    BUILDING_KINDS,
    DO,
    HEADS,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import SILENT

_ENDS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG"})
_PARTED = _ENDS | {"COMMA", "COLON", "DASH", "LPAR", "RPAR", "AND", "BUT"}
_ARTICLES = frozenset({"the", "a", "an", "our", "my", "this", "that", "their", "any", "another"})
_LIGHT = frozenset(
    {"launch", "start", "begin", "make", "do", "order", "mount", "lead", "organise", "organize"}
    | {"conduct", "perform", "undertake", "stage", "stir", "run", "have", "time", "give", "cause"}
    | {"provoke", "spark", "stoke", "fuel", "raise", "bring", "prepare", "ready", "proceed", "try"}
    | {"attempt", "execute", "carry", "continue", "repeat", "set", "resume", "fund", "finance"}
    | {"dispatch", "choose", "pick", "declare", "proclaim", "engage", "enter", "commence", "equip"}
    | {"wage", "command", "decide", "decided", "opt", "perform", "play", "opening", "new"}
    | {"small", "big", "great", "good", "little", "quick", "secret", "second", "first", "third"}
    | {
        "last",
        "only",
        "as",
        "like",
        "via",
        "plus",
        "just",
        "single",
        "my",
        "next",
        "same",
        "final",
        "action",
        "our",
        "holy",
    }
)
"""Verbs that say no more than the noun behind them, and what else may stand there."""
_HOLDING = frozenset(
    {"delay", "postpone", "prevent", "skip", "await", "hinder", "halt", "block", "resist", "thwart"}
    | {"suspend", "defer", "forgo", "forego", "omit", "abandon", "quell", "suppress", "foil", "ban"}
    | {"fear", "dread", "oppose", "counter", "survive", "expect", "pause", "avert", "repel", "off"}
    | {"anti", "discontinue", "reject", "quit", "cease", "end", "without", "against", "undo"}
)
"""Verbs that keep from happening what stands behind them."""
_NOUNS = frozenset({"revolt", "revolts", "rebellion"})
_SOUNDS = frozenset({"eh", "er", "uh", "um", "uhm", "ehm", "erm", "hm", "hmm", "err", "ah", "oh"})
_SAYS_NOTHING = SILENT - {"DOT", "COLON", "BANG"}
_SMALL = frozenset(
    {"NUM", "ALL", "HALF", "AM", "WITH", "OF", "SPEND", "POINTS", "FRESH", "THEUNITS"}
)
_FAR = 14
"""So many words of a sentence are looked at."""


def governed(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes, those settled that another word governs."""
    found = list(lexemes)
    kinds: set[str] = set()
    for i, lexeme in enumerate(found):
        kind = lexeme.kind
        if kind in _ENDS:
            kinds = set()
            continue
        if lexeme.text in {"in case", "just in case"} and _opens(found, i):
            found[i] = replace(lexeme, kind="COND")
        elif lexeme.text in {"may", "assume"} and _opens(found, i):
            found[i] = replace(lexeme, kind="HEDGE")
        if kind in DO | {"FEAR"} and (at := _verb_before(found, i)) is not None:
            found[at] = replace(found[at], kind="NEG")
        elif kind in AT_ONCE and (at := _unwilling(found, i)) is not None:
            found[at] = replace(found[at], kind="NEG")  # `remember to give Ben 1 resource`
        elif kind == "ASKFOR" and _wants_action(found, i):
            found[i] = replace(lexeme, kind="FILLER")
        elif lexeme.text in _SOUNDS and _corrects(found, i) and kinds & (HEADS | AMOUNTS):
            found[i] = replace(lexeme, kind="SOFTLY")
        elif kind in {"AGAINST", "AT"} and _is_sent(found, i):
            found[i] = replace(lexeme, kind="ATTACK")
        elif lexeme.text in {"it", "them"} and i and found[i - 1].kind in AIMED and _ends(found, i):
            found[i] = replace(lexeme, kind="OTHER", text="him")  # `otherwise attack it with 3`
        elif lexeme.text in {"one day", "some day", "someday"} and "ALLOWS" in kinds:
            found[i] = replace(lexeme, kind="FILLER")
        elif kind in {"KEEPBACK", "SPARE", "COMMON"} and (end := _spared_behind(found, i)):
            found[i] = replace(lexeme, kind="SPARE", end=found[end - 1].end)
            found[i + 1 : end] = [replace(x, kind="FILLER") for x in found[i + 1 : end]]
        elif kind in {"NEG", "KEEPBACK"} and (end := _boon_behind(found, i)):
            found[i] = replace(lexeme, kind="NOBOON", end=found[end - 1].end)
            found[i + 1 : end] = [replace(x, kind="FILLER") for x in found[i + 1 : end]]
        kinds.add(found[i].kind)
    return found


def _verb_before(lexemes: Sequence[Lexeme], i: int) -> int | None:
    """Where a verb stands that governs the action here: `postpone the expedition`; None: none does
    that says more than it.
    """
    if (at := _unwilling(lexemes, i)) is not None:
        return at
    j = i - 1
    article = j >= 0 and lexemes[j].text.split()[-1:] != [] and lexemes[j].text in _ARTICLES
    if not article and lexemes[i].text not in _NOUNS:
        return j if j >= 0 and lexemes[j].text in _HOLDING else None
    j -= article
    run: list[int] = []
    while j >= 0 and lexemes[j].kind in {"COMMON", "WORD", "ALSO"} and len(run) < _FAR:
        run.append(j)
        j -= 1
    while j >= 0 and lexemes[j].kind in SILENT | {"REQUEST"} - {"COLON"}:
        j -= 1
    starts = j < 0 or lexemes[j].kind in _PARTED | {"SEASONNOW", "CUE"}
    if not run or not starts or any(lexemes[k].text in _LIGHT for k in run):
        return None
    return run[-1]


def _opens(lexemes: Sequence[Lexeme], i: int) -> bool:
    return not i or lexemes[i - 1].kind in _ENDS


_WILLING = frozenset(
    {"decided", "decide", "ready", "going", "go", "want", "like", "wish", "plan", "intend", "time"}
    | {"choose", "chose", "order", "orders", "ordered", "prefer", "dare", "continue", "proceed"}
    | {
        "begin",
        "start",
        "march",
        "ride",
        "sail",
        "set",
        "people",
        "army",
        "men",
        "scholars",
        "happy",
    }
    | {"glad", "pleased", "eager", "proud", "resolved", "determined", "prepared", "agreed", "try"}
    | {"delighted", "honoured", "keen", "allow", "command", "need", "have"}
)


def _unwilling(lexemes: Sequence[Lexeme], i: int) -> int | None:
    """Where what somebody would not do stands: `afraid to attack`, `I hesitate to attack`."""
    if not i or lexemes[i - 1].kind != "TO":
        return None
    before = lexemes[i - 2] if i > 1 else None
    if before is None or before.kind != "COMMON" or before.text in _WILLING:
        return None
    return i - 2


def _wants_action(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`I want security with 2`."""
    if lexemes[i].text.split()[-1] not in {"want", "wants"}:
        return False
    behind = [x for x in lexemes[i + 1 : i + 5] if x.kind not in SILENT | {"TO", "SPEND"}]
    return bool(behind) and behind[0].kind in DO | {"BUILD"}


def _corrects(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`with 2, eh, to Cyrene`."""
    before, behind = lexemes[i - 1 : i], [x.kind for x in lexemes[i + 1 : i + 4]]
    parted = bool(before) and before[0].kind in {"COMMA", "DASH"}
    behind = [kind for kind in behind if kind not in {"COMMA", "DASH"}]
    return parted and behind[:1] != [] and behind[0] in {"WHO", "NUM", "TO", "IN", "WITH", "FROM"}


def _is_sent(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`all our troops against Cyrene`, `send the army at Borland`: all the sentence says."""
    behind = [x for x in lexemes[i + 1 : i + 5] if x.kind not in _SAYS_NOTHING]
    if not behind or behind[0].kind != "WHO":
        return False
    ends = behind[1].kind if len(behind) > 1 else "NL"
    if ends not in _ENDS | {"COMMA", "AND", "LPAR", "WITH"}:
        return False
    j, kinds = i - 1, set[str]()
    while j >= max(i - _FAR, 0) and lexemes[j].kind not in _PARTED:
        kinds.add(lexemes[j].kind)
        j -= 1
    numbered = bool(kinds & {"NUM", "ALL", "HALF", "THEUNITS", "SPEND"})
    return bool(kinds & {"AM", "THEUNITS"}) and numbered and kinds <= _SMALL | SILENT


def _ends(lexemes: Sequence[Lexeme], i: int) -> bool:
    behind = [x.kind for x in lexemes[i + 1 : i + 2]]
    return behind in ([], ["WITH"], ["NUM"]) or behind[0] in _PARTED


_ALONE = frozenset({"alone", "standing", "intact", "untouched", "be", "unharmed"})


def _spared_behind(lexemes: Sequence[Lexeme], i: int) -> int:
    """Where `leave the hospital alone` ends; 0: it is not said here."""
    if lexemes[i].kind == "COMMON" and lexemes[i].text != "spare":
        return 0
    behind = [j for j in range(i + 1, min(i + 5, len(lexemes))) if lexemes[j].kind not in SILENT]
    if not behind or lexemes[behind[0]].kind not in BUILDING_KINDS:
        return 0
    if lexemes[i].text == "spare":
        return behind[0] + 1
    left = behind[1:] != [] and lexemes[behind[1]].text in _ALONE
    return behind[1] + 1 if left else 0


def _boon_behind(lexemes: Sequence[Lexeme], i: int) -> int:
    """Where `without using the boon` ends; 0: it is not said here."""
    for j in range(i + 1, min(i + 5, len(lexemes))):
        if lexemes[j].kind == "BOON":
            return j + 1
        if lexemes[j].kind not in SILENT | {"SPEND", "WITH"}:
            return 0
    return 0
