"""Lexemes that mean one thing or another by what stands around them, settled before sentences."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.grammar.kit.lexemes import Lexeme

_ENDS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG", "COMMA", "COLON", "DASH", "LPAR", "ARROW"})
_STARTS = _ENDS | {"AND", "BUT", "RPAR"}
_NO = frozenset({"no", "nope", "nah", "nein", "non", "nee", "nej", "nao", "nie", "nei", "not"})
_QUOTED = re.compile(r'"[^"\n]{1,400}"|\u201c[^\u201c\u201d\n]{1,400}\u201d')
_AND = frozenset({"e", "y", "et", "und", "och", "en", "og", "i", "ja", "an"})
_OPENS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG", "COLON"})
_SUPPOSED = frozenset({"let say", "lets say", "let us say"})
_STOPPING = frozenset({"stop", "wait", "start again", "start over"})
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)")
_PERMITTED = frozenset({"may i", "can i", "could i", "might i", "may we", "can we", "could we"})
_ASIDE = frozenset({"FILLER", "COMMA", "DOT", "NL", "BANG", "COMMON"})

_DEGREES = frozenset({"more", "less", "much"})
"""They are of the word behind them: `I am more careful`."""
_HUMS = frozenset("hm hmm hmmm ah oh ugh uh eh well".split())
"""Behind these a `no` takes back what was said, as it does alone."""
_FEELING = frozenset({"the", "feel", "feels", "feeling", "much", "even", "getting"})


def settle(  # noqa: C901 - one case a word
    lexemes: Sequence[Lexeme], text: str, turns: frozenset[int | None]
) -> list[Lexeme]:
    """The lexemes of a folded text, those settled that depend on their neighbours; `turns` are the
    numbers of turns (or None) that may be named.
    """
    settled: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        before = settled[-1].kind if settled else "NL"
        after = lexemes[i + 1].kind if i + 1 < len(lexemes) else "NL"
        if lexeme.kind == before == "BANG":
            continue
        if lexeme.kind == "MEASURE":
            lexeme = replace(lexeme, kind="COMMON")
            if before == "NUM":
                settled[-1] = replace(settled[-1], kind="COMMON")  # `stuck for two hours`
        starts = before in _STARTS
        opens = starts or (settled[-1].text in _HUMS and _opens(settled[:-1]))
        if lexeme.text in _NO and lexeme.kind in {"NEG", "TURN"} and opens and after in _ENDS:
            lexeme = replace(lexeme, kind="CORRECT" if lexeme.text != "not" else lexeme.kind)
        elif (
            lexeme.text in {"should", "given", "had"}
            and before in {"NL", "DOT", "BANG", "SEMI"}
            and after == "WHO"
        ):
            lexeme = replace(lexeme, kind="COND")
        elif lexeme.text in _STOPPING and (
            before in {"NEG", "TO"} or (bool(settled) and settled[-1].text.endswith(" to"))
        ):
            lexeme = replace(lexeme, kind="COMMON")  # `the rain does not stop`
        elif lexeme.kind == "MUCH":
            alone = _is_alone(settled) and not (after == "COMMON" and lexeme.text in _DEGREES)
            kind = "FILLER" if _is_corrected(settled) else "RETRACT" if alone else "COMMON"
            lexeme = replace(lexeme, kind=kind)
        elif lexeme.text == "no" and before == "COMMA" and after == "NUM":
            lexeme = replace(lexeme, kind="CORRECT")
        elif lexeme.text == "gm" and after in {"PLACE", "NUM"}:
            lexeme = replace(lexeme, kind="WORD")
        elif lexeme.kind == "NEG" and _is_of_orders(lexemes, i):
            lexeme = replace(lexeme, kind="DRAFT")
        elif lexeme.text in _SUPPOSED and before in _OPENS and after != "NUM":
            lexeme = replace(lexeme, kind="HEDGE")  # `let's say P4 marches`
        elif lexeme.text == "once" and not starts and after in _ENDS:
            lexeme = replace(lexeme, kind="COMMON")
        elif lexeme.text == "else" and starts and after in _ENDS:
            lexeme = replace(lexeme, kind="COND")
        elif lexeme.text == "could" and before in {"PLACE", "UNITS", "THEUNITS", "WHO"}:
            polite = any(x.kind == "REQUEST" for x in settled[-12:])
            lexeme = lexeme if polite else replace(lexeme, kind="HEDGE")
        elif lexeme.kind == "FAREWELL":
            parts = starts and after in _ENDS | {"WHO"}  # and not `P1 arbeitet bis morgen`
            lexeme = replace(lexeme, kind="PROSE" if parts else "COND")
        elif lexeme.text == "better" and _is_told_of(settled):
            lexeme = replace(lexeme, kind="COMMON")  # `the weather is better here`
        elif lexeme.kind == "INSTEAD" and after not in _ENDS | {"AND"}:
            lexeme = replace(lexeme, kind="CONTRAST")
        elif lexeme.kind == "DASH" and text[lexeme.start - 1 : lexeme.start] == "<":
            lexeme = replace(lexeme, kind="WORD")
        elif lexeme.kind == "DASH" and _is_range(settled, lexeme, lexemes[i + 1 : i + 2]):
            lexeme = replace(lexeme, kind="RANGE")
        elif lexeme.kind == "FILLER" and lexeme.value not in turns:
            lexeme = replace(lexeme, kind="HEDGE")
        elif lexeme.text in _PERMITTED and _is_asked_for(lexemes, i):
            lexeme = replace(lexeme, kind="REQUEST")
        elif lexeme.kind == "WITH" and _is_but(lexemes, i):
            lexeme = replace(lexeme, kind="BUT")
        elif lexeme.text in _AND and before == after == "PLACE":
            lexeme = replace(lexeme, kind="AND")
        elif lexeme.text == "one" and before == "WHO":
            lexeme = replace(lexeme, kind="FILLER")
        elif lexeme.text == "rather" and not starts and after in _ENDS:
            lexeme = replace(lexeme, kind="INSTEAD")  # `P2 works rather`
        elif lexeme.kind == "RPAR" and before == "LPAR":
            opened = settled.pop()  # `[ ]`, a box without its tick
            lexeme = replace(opened, kind="HEDGE", text="[ ]", end=lexeme.end)
        elif lexeme.kind == "WORD" and _ORDINAL.fullmatch(lexeme.text) and _is_province(lexemes, i):
            lexeme = replace(lexeme, kind="PLACE", value=int(lexeme.text[:-2]))
        settled.append(lexeme)
    return _quote(settled, text)


def _is_alone(before: Sequence[Lexeme]) -> bool:
    """Whether a sentence speaks of what was said, and not of the weather: `one is enough`."""
    for lexeme in reversed(before):
        if lexeme.kind in {"NL", "DOT", "BANG", "ASK", "SEMI"}:
            return True
        if lexeme.kind not in {"FILLER", "NUM", "UNITS", "THEM", "ALSO", "THERE"}:
            return False
    return False


def _is_corrected(before: Sequence[Lexeme]) -> bool:
    """`no, with one` is said before `is enough`."""
    if not before or before[-1].kind not in {"NUM", "UNITS"}:
        return False
    left = (x for x in reversed(before) if x.kind not in {"NUM", "UNITS", "WITH", "COMMA"})
    last = next(left, None)
    return last is not None and last.kind in {"CORRECT", "SOFTLY"}


def _opens(before: Sequence[Lexeme]) -> bool:
    return not before or before[-1].kind in _STARTS


def _is_told_of(before: Sequence[Lexeme]) -> bool:
    """Whether the last words say what something is that no game knows: `the weather is`, `the
    better part`, `you are feeling`.
    """
    if before and before[-1].text in _FEELING:
        return True
    return (
        len(before) > 1
        and before[-1].text in {"is", "was", "are", "were", "gets", "looks", "feels"}
        and before[-2].kind == "COMMON"
    )


def _is_range(before: Sequence[Lexeme], dash: Lexeme, after: Sequence[Lexeme]) -> bool:
    """`buy 1-2`: of two numbers, which?"""
    return (
        bool(before and after)
        and before[-1].kind == after[0].kind == "NUM"
        and before[-1].end == dash.start
        and dash.end == after[0].start
    )


def _is_of_orders(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`these are not my orders yet`."""
    for lexeme in lexemes[i + 1 : i + 4]:
        if lexeme.text.endswith("orders"):
            return lexeme.kind in {"FILLER", "FINAL"}
        if lexeme.kind not in {"FILLER", "FINAL"}:
            return False
    return False


def _is_asked_for(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`may I have P4 guard`, and not `may I have 10 from Anna`."""
    has, done = lexemes[i + 1 : i + 2], lexemes[i + 2 : i + 4]
    kinds = [lexeme.kind for lexeme in done]
    helped = kinds == ["WHO", "STATEMENT"]  # `could we have Anna supported in P3`
    return bool(has) and has[0].text == "have" and (kinds[:1] == ["PLACE"] or helped)


def _is_but(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`guard all with P2 working`."""
    texts = [lexeme.text for lexeme in lexemes[i + 1 : i + 3]]
    kinds = [lexeme.kind for lexeme in lexemes[i + 1 : i + 3]]
    return kinds[:1] == ["PLACE"] and len(texts) == 2 and texts[1].endswith("ing")


def _is_province(lexemes: Sequence[Lexeme], i: int) -> bool:
    return i + 1 < len(lexemes) and lexemes[i + 1].text.startswith("province")


def _quote(lexemes: list[Lexeme], text: str) -> list[Lexeme]:
    """What stands in quotes, more than a word of it, is what somebody said."""
    spans = [found.span() for found in _QUOTED.finditer(text)]
    if not spans:
        return lexemes
    quoted: list[Lexeme] = []
    at = 0
    for start, end in spans:
        while at < len(lexemes) and lexemes[at].start < start:
            quoted.append(lexemes[at])
            at += 1
        behind = at
        while behind < len(lexemes) and lexemes[behind].start < end:
            behind += 1
        inside = lexemes[at:behind]
        if len([x for x in inside if x.kind not in _ASIDE]) < 2:
            continue
        places = "QUOTEDPLACE" if any(x.kind == "PLACE" for x in inside) else "QUOTE"
        quoted.append(Lexeme(places, text[start:end], start, end))
        at += len(inside)
    return [*quoted, *lexemes[at:]]
