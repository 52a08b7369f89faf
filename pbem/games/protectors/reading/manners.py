"""How people say what others say shorter: a title before a name, their own name for `I`, `gives
golden support`, `treat this as final`, `burn P3 if we lose`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, PARTS
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS

_STARTS = PARTS | {"COLON"}
_LIGHT = frozenset({"GIVE", "TAKE", "COMMON", "FILLER"})
_GIVING = frozenset(
    "give gives giving lend lends make makes making do does doing perform performs".split()
)
_DONE = frozenset({"FORTIFY", "WORK", "SUPPORT", "MARCH", "ATTACK", "HOLD"})
_CALLING = frozenset(
    "treat treated regard regarded consider considered deem deemed count counts counted take taken"
    " mark marked accept as".split()
)
_MAY_BE = frozenset({"may be", "can be"})
_OWN = DIALECT.verbs | {"FILLER", "UNITS", "THEUNITS", "COMMON"}
_ME = frozenset({"me", "us", "myself", "ourselves"})
_FAR = 40
_NEAR = 5
"""Among this many words one is looked for."""
_FLAGS = DIALECT.flags
_OWN_CONDITIONS = {
    "BURN": set_of(
        "lose loses lost losing fail fails punished beaten beats defeat defeated wins comes come"
        " need needed necessary must wrong"
    ),
    "SAC": set_of(
        "win wins beat beats beaten victory survive slain dead losses need needed necessary must"
        " come comes die"
    ),
}
"""Words for what an order hangs on by the rules, so that it may be said: `burn P3 if we lose`."""
_LEADS_ON = frozenset({"COLON", "COMMA", "DASH"})
_OPENS_CONDITION = frozenset({"COND", "ASKING"})
_REASONS = frozenset({"reason", "reasons", "because"})
_SPEAKERS = frozenset("i i'm i'll we we're we'll let".split())
_REASONERS = frozenset("i we it there nobody somebody someone everyone".split())
_LIKENED = frozenset(
    "said say told wrote ordered did do does promised agreed asked like wish see can could planned"
    " mentioned last always usual before".split()
)
"""What somebody does as it was said, or done."""
_HARD = frozenset("hard harder easy easier difficult tough impossible".split())
_BRIM = frozenset({"to the max", "to the limit", "to the brim"})
_IT = frozenset({"make it", "make that", "make this"})
_POINTING = frozenset({"it", "this one", "that one"})
_KINDS = _OPENS_CONDITION | set_of("TITLE WHO CORRECT MARCH TAKE LPAR DELAY FINAL SUPPORT NUM")
_WORDS = _GIVING | _HARD | set_of("as so it this that to only ones taking")
"""Kinds, and first words, of what is settled; all others are left as they are."""


def settle_manners(lexemes: list[Lexeme], position: Position) -> None:
    """Settle them where they stand."""
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind not in _KINDS and lexeme.text.partition(" ")[0] not in _WORDS:
            continue
        kind = _of_names(lexemes, i, position) or _of_deeds(lexemes, i, position.state.stage)
        if kind:
            lexemes[i] = replace(lexeme, kind=kind)
        elif lexeme.kind == "LPAR":
            _settle_reason(lexemes, i)
        elif lexeme.kind in _OPENS_CONDITION and position.fights_dragon:
            _settle_condition(lexemes, i)
        elif lexeme.kind == "DELAY" and _says_sorry(lexemes, i):
            lexemes[i] = replace(lexeme, kind="COMMON")
        elif lexeme.text.partition(" ")[0] in {"as", "so"}:
            _settle_joints(lexemes, i, position)
        elif lexeme.kind == "FINAL":
            _settle_calling(lexemes, i)
        elif lexeme.kind == "SUPPORT":
            _settle_supported(lexemes, i, position)
        elif lexeme.kind == "NUM":
            _settle_total(lexemes, i)
            _settle_garrison(lexemes, i, position)


def _says_sorry(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`Sorry to be late with this`: no march is delayed."""
    ahead = lexemes[max(i - _NEAR, 0) : i]
    return any(x.kind == "SOFTLY" or x.text.startswith("sorry") for x in ahead) and all(
        x.kind in {"SOFTLY", "FILLER", "COMMON", "PROSE"} | ENDS for x in ahead
    )


def _settle_joints(lexemes: list[Lexeme], i: int, position: Position) -> None:
    """`P2 fortifies as Bea might be hungry`: a reason; `Bea is next door so I fortify P2`: the
    order does not belong to the remark before it.
    """
    before, behind = _kind(lexemes, i - 1), lexemes[i + 1 : i + 4]
    if not behind or before in _STARTS:
        return
    first = behind[0]
    words = {word for x in behind for word in x.text.split()}
    said = [*lexemes[i].text.split(), *first.text.split()]
    if said[0] == "so":
        begins = bool(_SPEAKERS & {*said[1:2]}) or first.kind == "PLACE"
        if begins and lexemes[i].kind == "FILLER":
            lexemes[i] = replace(lexemes[i], kind="COMMA")
    elif lexemes[i].text != "as" or (first.kind == "WHO" and first.value == position.player):
        return
    elif (first.kind in {"WHO", "OTHER"} or first.text in _REASONERS) and not words & _LIKENED:
        lexemes[i] = replace(lexemes[i], kind="REASON")


def _of_names(lexemes: Sequence[Lexeme], i: int, position: Position) -> str:
    """What a word for somebody, or for what was named, is here; nothing if as elsewhere."""
    lexeme, after = lexemes[i], _kind(lexemes, i + 1)
    if lexeme.kind == "TITLE":
        return "FILLER" if after in {"WHO", "TITLE"} else "COMMON"
    if _is_self(lexemes, i, position):
        return "FILLER"
    if lexeme.text in _IT and lexeme.kind == "CORRECT" and _flags_in(lexemes, i):
        return "THEM"  # `make it a golden one`
    if lexeme.text in _POINTING and after in IN_PLACE and _kind(lexemes, i - 1) == "COMMA":
        return "WHICH"  # `all but P2 work, it fortifies`
    if lexeme.text == "only" and after == "PLACE" and _is_told_same(lexemes, i):
        return "BUT"  # `as last turn, only P4 holds`
    return ""


def _of_deeds(lexemes: Sequence[Lexeme], i: int, stage: str) -> str:
    """What a verb, or how much, is here; nothing if as elsewhere."""
    lexeme, after = lexemes[i], _kind(lexemes, i + 1)
    if lexeme.text in _HARD and after == "TO" and _kind(lexemes, i + 2) in DIALECT.verbs:
        return "HEDGE"  # `P1 is hard to hold`
    if lexeme.text in _GIVING and lexeme.kind in _LIGHT and _kind_done(lexemes, i) in _DONE:
        return "FILLER"  # `gives golden support`
    if lexeme.kind == "MARCH" and lexeme.text in {"go", "goes"} and _leads_flag(lexemes, i):
        return "FILLER"  # `the golden order goes to P4`
    if lexeme.text == "only" and after in PARTS and _kind(lexemes, i - 1) in IN_PLACE:
        return "FILLER"  # `P12 to work only`
    if stage == "orders":
        takes = lexeme.kind == "TAKE" or lexeme.text == "taking"
        behind = [x.kind for x in lexemes[i + 2 : i + 4] if x.kind != "NUM"][:1]
        moved = behind and behind[0] in {"UNITS", "THEUNITS"}  # `I take P10's two units there`
        return "ATTACK" if takes and after == "PLACE" and not moved else ""
    if lexeme.text == "ones" and _kind(lexemes, i - 1) == "PLACE":
        return "FILLER"  # `sac the P2 ones`
    if lexeme.text in _BRIM and "ALL" in {x.kind for x in lexemes[max(i - _NEAR, 0) : i]}:
        return "FILLER"  # `fill P2 to the max`
    return ""


def _kind(lexemes: Sequence[Lexeme], i: int) -> str:
    return lexemes[i].kind if 0 <= i < len(lexemes) else "NL"


def _flags_in(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether a flag stands behind it, with at most an order word: `make this march golden`."""
    behind = [x.kind for x in lexemes[i + 1 : i + _NEAR] if x.kind != "FILLER"]
    return bool(behind) and (
        behind[0] in _FLAGS or (behind[0] in _DONE and bool(_FLAGS & {*behind[1:2]}))
    )


def _near(lexemes: Sequence[Lexeme], i: int) -> frozenset[str]:
    """The kinds that stand in the same sentence."""
    first, last = max(i - _FAR, 0), min(i + _FAR, len(lexemes))
    start = next((j + 1 for j in range(i - 1, first - 1, -1) if lexemes[j].kind in ENDS), first)
    end = next((j for j in range(i, last) if lexemes[j].kind in ENDS), last)
    return frozenset(x.kind for x in lexemes[start:end])


def _settle_condition(lexemes: list[Lexeme], i: int) -> None:
    """`burn P3 if we lose`, `should it come to that`: what the order hangs on anyway."""
    end = i + 1
    while (
        end < min(i + _FAR, len(lexemes))
        and lexemes[end].kind not in ENDS | {"COMMA"} | _OWN_CONDITIONS.keys()
    ):
        if lexemes[end].kind in DIALECT.verbs | {"PLACE", "NUM", "WHO"}:
            return
        end += 1
    said = {word for x in lexemes[i:end] for word in x.text.split()}
    if _kind(lexemes, end) == "BURN" and _lists_places(lexemes, i, end):
        lexemes[end + 1] = replace(lexemes[end + 1], kind="COLON")  # `if some must burn: P3`
        said |= _OWN_CONDITIONS["BURN"]
    if any(said & words and kind in _near(lexemes, i) for kind, words in _OWN_CONDITIONS.items()):
        lexemes[i:end] = [replace(x, kind="FILLER") for x in lexemes[i:end]]


def _lists_places(lexemes: Sequence[Lexeme], i: int, verb: int) -> bool:
    """Whether only provinces follow a condition that names nobody and nothing else."""
    stop = min(verb + _FAR, len(lexemes))
    last = next((j for j in range(verb, stop) if lexemes[j].kind in ENDS), stop)
    behind = [x.kind for x in lexemes[verb + 2 : last]]
    ahead = {x.kind for x in lexemes[i + 1 : verb]}
    others = DIALECT.verbs | {"NUM", "WHO", "WORD", "NEG", "OR"}
    listed = _kind(lexemes, verb + 1) in _LEADS_ON and behind[:1] == ["PLACE"]
    return listed and not {*behind} & others and not ahead & {"WORD", "OTHER", "NEG", "NOTHING"}


def _settle_reason(lexemes: list[Lexeme], i: int) -> None:
    """`(Reason: Otto keeps three men next door)` orders nothing."""
    if i + 1 >= len(lexemes) or lexemes[i + 1].text not in _REASONS:
        return
    end = next(
        (j for j in range(i, min(i + _FAR, len(lexemes))) if lexemes[j].kind in {"RPAR", "NL"}), i
    )
    lexemes[i + 1 : end] = [replace(x, kind="FILLER") for x in lexemes[i + 1 : end]]


def _is_self(lexemes: Sequence[Lexeme], i: int, position: Position) -> bool:
    """`Freya sends Otto 20`, `Queen Freya's men`, written by Freya: `I` by name."""
    lexeme = lexemes[i]
    if lexeme.kind != "WHO" or lexeme.value != position.player or lexeme.text in _ME:
        return False
    before = next(
        (x.kind for x in reversed(lexemes[max(i - 2, 0) : i]) if x.kind != "FILLER"), "NL"
    )
    return before in _STARTS and _kind(lexemes, i + 1) in _OWN


def _kind_done(lexemes: Sequence[Lexeme], i: int) -> str:
    """The deed that a light verb leads to: `gives its golden support`."""
    for lexeme in lexemes[i + 1 : i + _NEAR]:
        if lexeme.kind != "FILLER" and lexeme.kind not in DIALECT.flags:
            return lexeme.kind
    return ""


def _leads_flag(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether only a flag stands before it in its sentence."""
    ahead = [x.kind for x in lexemes[max(i - _NEAR, 0) : i] if x.kind != "FILLER"]
    return bool(ahead) and ahead[-1] in DIALECT.flags and (len(ahead) < 2 or ahead[-2] in _STARTS)


def _settle_calling(lexemes: list[Lexeme], i: int) -> None:
    """`treat this as final`, `may be regarded as final`."""
    for j in range(i - 1, max(i - 8, -1), -1):
        if lexemes[j].text in _CALLING | _MAY_BE:
            lexemes[j] = replace(lexemes[j], kind="FILLER")
        elif lexemes[j].kind != "FILLER":
            return


def _settle_supported(lexemes: list[Lexeme], i: int, position: Position) -> None:
    """`P10 S A P2 - P1`, `P10 supports P2 to P1`: whose march is helped, and where."""
    at = [j for j in range(i + 1, min(i + _NEAR, len(lexemes))) if lexemes[j].kind != "FILLER"][:3]
    way = [lexemes[j].kind for j in at]
    if (
        len(way) < 3
        or way[0] != "PLACE"
        or way[1] not in {"DASH", "ARROW", "TO"}
        or way[2] != "PLACE"
    ):
        return
    origin, board = lexemes[at[0]].value or 0, position.state.board
    owner = board[origin].owner if origin < len(board) else None
    if owner is not None:
        lexemes[at[0]] = replace(lexemes[at[0]], kind="WHO", value=owner)
        lexemes[at[1]] = replace(lexemes[at[1]], kind="IN")


def _is_told_same(lexemes: Sequence[Lexeme], i: int) -> bool:
    return _kind(lexemes, i - 1) == "COMMA" and "SAME" in _near(lexemes, i)


def _settle_total(lexemes: list[Lexeme], i: int) -> None:
    """`the other two`, `all four of my provinces`: how many they are, before an order word."""
    before, after = _kind(lexemes, i - 1), _kind(lexemes, i + 1)
    remains = before == "COMMON" and lexemes[i - 1].text == "remaining"
    before = "ELSE" if remains else before
    if after != "ELSE" and before not in {"ELSE", "ALL"}:
        return
    silent = {"FILLER", "ELSE", "FROM", "COLON", "DASH"}
    behind = next((x.kind for x in lexemes[i + 1 : i + _NEAR] if x.kind not in silent), "NL")
    if behind in IN_PLACE | ENDS:
        lexemes[i] = replace(lexemes[i], kind="TOTAL")
        lexemes[i - 1] = replace(lexemes[i - 1], kind="ELSE") if remains else lexemes[i - 1]


def _settle_garrison(lexemes: list[Lexeme], i: int, position: Position) -> None:
    """`the two in P8 stay where they are`: how many all of them are, before what they do there."""
    silent = {"FILLER", "UNITS", "THEUNITS", "COMMON"}
    at = [j for j in range(i + 1, min(i + 9, len(lexemes))) if lexemes[j].kind not in silent][:3]
    kinds = [lexemes[j].kind for j in at]
    if len(at) < 3 or kinds[:2] not in (["IN", "PLACE"], ["FROM", "PLACE"]):
        return
    here, before = lexemes[at[1]].value, _kind(lexemes, i - 1)
    if kinds[2] not in IN_PLACE or before in DIALECT.verbs or here not in position.own:
        return
    if position.units(here) == lexemes[i].value:
        for j in range(i, at[1]):
            lexemes[j] = replace(lexemes[j], kind="FILLER")
