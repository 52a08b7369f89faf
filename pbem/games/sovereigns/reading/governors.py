"""What a word is by the word that governs it: orders that are put off or kept from happening,
armies that are sent against somebody, a correction that begins with a sound.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.sovereigns.reading.holding import MANNER
from pbem.games.sovereigns.reading.pieces import AMOUNTS, AT_ONCE, DO, HEADS
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.sentences import ENDS, PARTED
from pbem.grammar.kit.slots import SILENT

_STARTS = PARTED | {"SEASONNOW", "CUE"}
_FAR = 14
"""The most words of a sentence that are looked at."""
_SOUNDS = frozenset({"eh", "er", "uh", "um", "uhm", "ehm", "erm", "hm", "hmm", "err", "ah", "oh"})
_SAYS_NOTHING = SILENT - {"DOT", "COLON", "BANG"}
_SMALL = frozenset(
    {"NUM", "ALL", "HALF", "AM", "WITH", "OF", "SPEND", "POINTS", "FRESH", "THEUNITS"}
)


def governed(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes, those settled that another word governs."""
    found = list(lexemes)
    kinds: set[str] = set()
    for i, lexeme in enumerate(found):
        kind = lexeme.kind
        if kind in ENDS:
            kinds = set()
            continue
        kinds.add(kind)
        if lexeme.text in {"in case", "just in case"} and _opens(found, i):
            found[i] = replace(lexeme, kind="COND")
        elif lexeme.text in {"may", "assume"} and _opens(found, i):
            found[i] = replace(lexeme, kind="HEDGE")
        if kind in DO | {"FEAR"} and (at := _verb_before(found, i)) is not None:
            found[at] = replace(found[at], kind="NEG")
        elif kind in AT_ONCE and (at := _unwilling(found, i)) is not None:
            found[at] = replace(found[at], kind="NEG")  # `remember to give Ben 1 resource`
        elif lexeme.text in _SOUNDS and _corrects(found, i) and kinds & (HEADS | AMOUNTS):
            found[i] = replace(lexeme, kind="SOFTLY")
        elif kind in {"AGAINST", "AT"} and _is_sent(found, i):
            found[i] = replace(lexeme, kind="ATTACK")
        elif lexeme.text in {"one day", "some day", "someday"} and "ALLOWS" in kinds:
            found[i] = replace(lexeme, kind="FILLER")
    return found


def _opens(lexemes: Sequence[Lexeme], i: int) -> bool:
    return not i or lexemes[i - 1].kind in ENDS


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
    if ends not in ENDS | {"COMMA", "AND", "LPAR", "WITH"}:
        return False
    j, kinds = i - 1, set[str]()
    while j >= max(i - _FAR, 0) and lexemes[j].kind not in PARTED:
        kinds.add(lexemes[j].kind)
        j -= 1
    numbered = bool(kinds & {"NUM", "ALL", "HALF", "THEUNITS", "SPEND"})
    return bool(kinds & {"AM", "THEUNITS"}) and numbered and kinds <= _SMALL | SILENT


def _verb_before(lexemes: Sequence[Lexeme], i: int) -> int | None:
    """Where a verb stands that governs the action here; None: none does that says more than it."""
    if (at := _unwilling(lexemes, i)) is not None:
        return at
    said, j = MANNER.said, i - 1
    article = j >= 0 and lexemes[j].text in said["ARTICLE"]
    if not article and lexemes[i].text not in said.get("DEED", ()):
        return j if j >= 0 and lexemes[j].text in said["HOLDING"] else None
    j -= article
    run: list[int] = []
    while j >= 0 and lexemes[j].kind in {"COMMON", "WORD", "ALSO"} and len(run) < _FAR:
        run.append(j)
        j -= 1
    while j >= 0 and lexemes[j].kind in SILENT:
        j -= 1
    starts = j < 0 or lexemes[j].kind in _STARTS
    light = any(lexemes[k].text in said["LIGHT"] for k in run)
    return run[-1] if run and starts and not light else None


def _unwilling(lexemes: Sequence[Lexeme], i: int) -> int | None:
    """Where what somebody would not do stands: `afraid to attack`, `I hesitate to attack`."""
    before = lexemes[i - 2] if i > 1 and lexemes[i - 1].kind == "TO" else None
    if before is None or before.kind != "COMMON" or before.text in MANNER.said["WILLING"]:
        return None
    return i - 2
