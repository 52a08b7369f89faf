"""Words of Protectors that mean one thing or another by what stands around them."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.protectors.reading.drafts import DIALECT
from pbem.grammar.kit.lexemes import Lexeme

_ENDS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG"})
_JOINTS = frozenset({"COMMA", "AND", "BUT", "LPAR", "RPAR", "DASH", "SOFTLY", "CORRECT"})
_SILENT = frozenset({"FILLER", "PROSE"})
_TAKEN_BACK = {
    **dict.fromkeys(("not golden", "no gold", "without gold"), "GOLD"),
    **dict.fromkeys(("not delayed", "without delay"), "DELAY"),
}
_IN_PLACE = frozenset({"FORTIFY", "WORK", "HOLD"})
_THE_SAME = frozenset({"the same", "same", "same again", "as before", "repeat", "ditto", "again"})


def settle_context(lexemes: Sequence[Lexeme], text: str) -> list[Lexeme]:
    """The lexemes of a message with those settled that depend on their neighbours: `with`, `1-3`,
    `not golden`, `the same, but`.
    """
    settled: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        before = lexemes[i - 1].kind if i else ""
        after = lexemes[i + 1].kind if i + 1 < len(lexemes) else ""
        if lexeme.text == "with" and after == "PLACE":
            settled.append(_settle_with(lexeme, settled, lexemes[i + 1 :]))
        elif before == "HIDDEN" and lexeme.kind in {"BUT", "EXCEPT"} and after == "NUM":
            settled.append(replace(lexeme, kind="WORD"))  # `commit nothing but 1 from P2`
        elif lexeme.text == "final" and after in {"BID", "MARCH", "BUY"}:
            settled.append(
                replace(lexeme, kind="WORD")
            )  # `my final bid is 20`: is everything final?
        elif (
            lexeme.text == "+"
            and after == "NUM"
            and lexeme.end == lexemes[i + 1].start
            and not (i and lexemes[i - 1].end == lexeme.start)
        ):
            continue  # `P4 +2`
        elif lexeme.text == "gm" and after in {"PLACE", "NUM"}:
            settled.append(replace(lexeme, kind="WORD"))  # whom is that to, or a golden march?
        elif lexeme.kind == "DASH" and text[: lexeme.start].rstrip().endswith("<"):
            settled.append(replace(lexeme, kind="WORD"))  # `P3 <- P2`
        elif lexeme.text == "one" and _is_one_of_several(lexemes[i + 1 : i + 5]):
            settled.append(replace(lexeme, kind="OR"))
        else:
            settled.append(lexeme)
    return _settle_same(_settle_gold(_settle_ranges(settled)))


def _is_one_of_several(after: Sequence[Lexeme]) -> bool:
    """`(one) of P1 and P2`."""
    kinds = [lexeme.kind for lexeme in after]
    return kinds in (
        ["FROM", "PLACE", "AND", "PLACE"],
        ["FROM", "PLACE", "OR", "PLACE"],
        ["FROM", "PLACE", "COMMA", "PLACE"],
    )


def _settle_with(lexeme: Lexeme, before: Sequence[Lexeme], after: Sequence[Lexeme]) -> Lexeme:
    """`support Anna in P2 with P1`: from there. `fortify all with P2 working`: but P2 works.
    `fortify P5 with P4`: nothing that we know.
    """
    if _has_verb_of_its_own(after):
        return replace(lexeme, kind="BUT")
    verb = next(
        (other.kind for other in reversed(_sentence_before(before)) if other.kind in DIALECT.verbs),
        "",
    )
    said = any(
        other.kind in {"PLACE", "NUM", "ALL", "ELSE", "BOTH"} for other in _clause_before(before)
    )
    return replace(lexeme, kind="WORD" if verb in _IN_PLACE and said else "FROM")


def _has_verb_of_its_own(after: Sequence[Lexeme]) -> bool:
    """`P2 working`, `P2 and P3 holding`."""
    kinds = [other.kind for other in after if other.kind not in _SILENT]
    while kinds[:1] == ["PLACE"] and kinds[1:3] in (["AND", "PLACE"], ["COMMA", "PLACE"]):
        del kinds[:2]
    follows = next((other for other in after if other.kind in DIALECT.verbs), None)
    return (
        kinds[:1] == ["PLACE"]
        and follows is not None
        and kinds[1:2] == [follows.kind]
        and follows.text.split()[0].endswith("ing")
    )


def _sentence_before(before: Sequence[Lexeme]) -> list[Lexeme]:
    sentence: list[Lexeme] = []
    for lexeme in before:
        sentence = [] if lexeme.kind in _ENDS else [*sentence, lexeme]
    return sentence


def _clause_before(before: Sequence[Lexeme]) -> list[Lexeme]:
    clause: list[Lexeme] = []
    for lexeme in before:
        clause = [] if lexeme.kind in _ENDS | {"COMMA", "AND", "BUT"} else [*clause, lexeme]
    return clause


def _settle_ranges(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`fortify 1-3`: provinces, not the two at its ends."""
    settled = list(lexemes)
    for i in range(1, len(settled) - 2):
        if [lexeme.kind for lexeme in settled[i : i + 3]] == ["NUM", "DASH", "NUM"] and settled[
            i
        ].end == settled[i + 1].start:
            verb = next(
                (other.kind for other in reversed(settled[:i]) if other.kind not in _SILENT), ""
            )
            if verb in _IN_PLACE and settled[i + 1].end == settled[i + 2].start:
                settled[i], settled[i + 2] = (
                    replace(settled[i], kind="PLACE"),
                    replace(settled[i + 2], kind="PLACE"),
                )
    return settled


def _settle_gold(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`golden fortify P1. Not golden!`: where gold (or delay) was said before, a clause of its own
    that takes it back; elsewhere it says nothing.
    """
    settled: list[Lexeme] = []
    said: set[str] = set()
    for i, lexeme in enumerate(lexemes):
        said |= {lexeme.kind}
        meant = _TAKEN_BACK.get(lexeme.text, "") if lexeme.kind == "FILLER" else ""
        if meant in said and _stands_alone(lexemes, i):
            cut = lexeme.start + lexeme.text.index(" ")
            word, modifier = lexeme.text.split()
            settled += [
                Lexeme("NEG", word, lexeme.start, cut),
                Lexeme(meant, modifier, cut + 1, lexeme.end),
            ]
        else:
            settled.append(lexeme)
    return settled


def _stands_alone(lexemes: Sequence[Lexeme], at: int) -> bool:
    """Whether nothing else is said between two joints."""
    for side in (reversed(lexemes[:at]), iter(lexemes[at + 1 :])):
        near = next((other.kind for other in side if other.kind not in _SILENT), "NL")
        if near not in _ENDS | _JOINTS:
            return False
    return True


def _settle_same(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`the same, but P3 holds`: the same as what, is not said; yet it is no small talk beside what
    follows.
    """
    settled = list(lexemes)
    first = 0
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind in {"BUT", "EXCEPT"}:
            said = [other for other in lexemes[first:i] if other.kind != "COMMA"]
            if said and " ".join(other.text for other in said) in _THE_SAME:
                start, end = said[0].start, said[-1].end
                settled = [other for other in settled if not start <= other.start < end]
                at = next(
                    (k for k, other in enumerate(settled) if other.start >= end), len(settled)
                )
                settled.insert(at, Lexeme("SAME", "the same", start, end))
        if lexeme.kind in _ENDS:
            first = i + 1
    return settled
