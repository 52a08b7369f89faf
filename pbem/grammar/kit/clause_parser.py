"""One clause through a game's LALR grammar: its phrases, or the lexeme at which it stops making
sense.

The parser gets the reduced clause: each lexeme stands as its kind, a place as `p4`, a player as
`@2`, an unknown word as `~`. Clauses are parsed one by one, never with error recovery, which can
invent orders. No type of lark leaves this module.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from lark import Lark, LarkError, Token, Tree, UnexpectedInput, UnexpectedToken
from lark.load_grammar import FromPackageLoader

from pbem.grammar.kit.lexemes import Lexeme

_KIT = FromPackageLoader("pbem.grammar.kit")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase's name in the grammar and its lexemes, in order."""

    kind: str
    lexemes: tuple[Lexeme, ...]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where a clause stops making sense (None: at its end)."""

    at: Lexeme | None


@lru_cache(maxsize=8)
def build_parser(package: str, *, strict: bool = False) -> Lark:
    """The parser of the `orders.lark` in a game's package; what that imports is looked for there
    and in the kit.

    ValueError, naming the file, for what is no grammar; strictly built (in tests) for any conflict.
    """
    try:
        return Lark.open_from_package(
            package,
            "orders.lark",
            parser="lalr",
            lexer="contextual",
            strict=strict,
            import_paths=[_KIT],
        )
    except LarkError as error:
        raise ValueError(f"{files(package) / 'orders.lark'}: {error}") from error


@lru_cache(maxsize=8)
def terminals_of(package: str) -> frozenset[str]:
    """The kinds of lexemes that the grammar knows."""
    return frozenset(terminal.name.split("__")[-1] for terminal in build_parser(package).terminals)


def kinds_of(package: str) -> frozenset[str]:
    """The kinds of lexemes that the grammar spells as words: not numbers and names."""
    return frozenset(
        terminal.pattern.value.upper()
        for terminal in build_parser(package).terminals
        if terminal.pattern.type == "str" and terminal.pattern.value.isalpha()
    )


def parse_clause(package: str, lexemes: Sequence[Lexeme]) -> tuple[Phrase, ...] | Misfit:
    """The phrases of a clause, which has no fillers any more."""
    known = terminals_of(package)
    for lexeme in lexemes:
        if lexeme.kind not in known:
            return Misfit(lexeme)
    words: list[str] = []
    at: dict[int, Lexeme] = {}
    length = 0
    for lexeme in lexemes:
        word = _reduced(lexeme)
        at[length] = lexeme
        words.append(word)
        length += len(word) + 1
    try:
        tree = build_parser(package).parse(" ".join(words))
    except UnexpectedInput as unexpected:
        at_end = isinstance(unexpected, UnexpectedToken) and unexpected.token.type == "$END"
        return Misfit(None if at_end else at.get(getattr(unexpected, "pos_in_stream", 0)))
    return tuple(
        Phrase(
            str(child.data).split("__")[-1],
            tuple(at[token.start_pos or 0] for token in child.children if isinstance(token, Token)),
        )
        for child in tree.children
        if isinstance(child, Tree)
    )


def _reduced(lexeme: Lexeme) -> str:
    match lexeme.kind:
        case "PLACE":
            return f"p{lexeme.value}"
        case "WHO":
            return f"@{lexeme.value}"
        case "NUM":
            return str(lexeme.value)
        case "WORD":
            return "~"
    return lexeme.kind.lower()
