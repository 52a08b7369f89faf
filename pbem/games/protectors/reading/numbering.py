"""Numbers and bullets that begin the items of a list, and say nothing else."""

from pbem.grammar.kit.lexemes import Lexeme


def without_numbering(lexemes: list[Lexeme]) -> list[Lexeme]:
    """Drop `1.`, `2)`, `(3)`, `a)` and bullets where a line or item begins; one inside a line ends
    the item before it.
    """
    kept: list[Lexeme] = []
    depth, expected, at = 0, 0, 0
    while at < len(lexemes):
        lexeme = lexemes[at]
        begins = not kept or kept[-1].kind in {"NL", "DOT", "SEMI"}
        line_begins = not kept or kept[-1].kind == "NL"
        following = [later.kind for later in lexemes[at + 1 : at + 3]] + ["", ""]
        is_mark = _is_mark(lexeme)
        if line_begins and lexeme.kind == "DASH":
            at += 1
            continue
        if (
            line_begins
            and lexeme.kind == "LPAR"
            and at + 2 < len(lexemes)
            and _is_mark(lexemes[at + 1])
            and following[1] == "RPAR"
        ):
            at += 3
            continue
        numbered = is_mark and (
            (line_begins and following[0] in {"DOT", "RPAR"})
            or (
                begins and expected and lexeme.value == expected and following[0] in {"DOT", "RPAR"}
            )
        )
        if (
            numbered
            and following[1] not in {"", "NL"}
            and not (following[0] == "DOT" and lexeme.value is None)
        ):
            expected = (lexeme.value or 0) + 1
            at += 2
            continue
        if is_mark and not depth and following[0] == "RPAR":
            kept.append(Lexeme("SEMI", ";", lexeme.start, lexeme.end))
            at += 2
            continue
        depth += (lexeme.kind == "LPAR") - (lexeme.kind == "RPAR" and depth > 0)
        kept.append(lexeme)
        at += 1
    return kept


def _is_mark(lexeme: Lexeme) -> bool:
    digits = lexeme.kind == "NUM" and lexeme.text.isdigit() and 0 < (lexeme.value or 0) < 100
    return digits or (len(lexeme.text) == 1 and lexeme.text.isalpha())
