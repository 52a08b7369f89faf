"""What a word is by the word that governs it: an order that is put off, feared or kept from
happening (`postpone the expedition`, `afraid to attack`).
"""

from collections.abc import Sequence

from pbem.grammar.kit.holding import Manner
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import SILENT

PARTED = ENDS | {"COMMA", "COLON", "DASH", "LPAR", "RPAR", "AND", "BUT"}
_STARTS = PARTED | {"SEASONNOW", "CUE"}
FAR = 14
"""So many words of a sentence are looked at."""


def verb_before(lexemes: Sequence[Lexeme], i: int, manner: Manner) -> int | None:
    """Where a verb stands that governs the action here; None: none does that says more than it."""
    if (at := unwilling(lexemes, i, manner)) is not None:
        return at
    said, j = manner.said, i - 1
    article = j >= 0 and lexemes[j].text in said["ARTICLE"]
    if not article and lexemes[i].text not in said.get("DEED", ()):
        return j if j >= 0 and lexemes[j].text in said["HOLDING"] else None
    j -= article
    run: list[int] = []
    while j >= 0 and lexemes[j].kind in {"COMMON", "WORD", "ALSO"} and len(run) < FAR:
        run.append(j)
        j -= 1
    while j >= 0 and lexemes[j].kind in SILENT:
        j -= 1
    starts = j < 0 or lexemes[j].kind in _STARTS
    light = any(lexemes[k].text in said["LIGHT"] for k in run)
    return run[-1] if run and starts and not light else None


def unwilling(lexemes: Sequence[Lexeme], i: int, manner: Manner) -> int | None:
    """Where what somebody would not do stands: `afraid to attack`, `I hesitate to attack`."""
    before = lexemes[i - 2] if i > 1 and lexemes[i - 1].kind == "TO" else None
    if before is None or before.kind != "COMMON" or before.text in manner.said["WILLING"]:
        return None
    return i - 2
