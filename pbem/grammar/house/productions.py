"""The grammar of the house (`house.lark`, with the words of `house.words`), and the command that
each of its productions makes. Nothing of lark leaves this module.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import VisitError

from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.commands import BY_WORD, AnyCommand, Unclear
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.languages import LanguageRefused, parse_language
from pbem.grammar.times import parse_absence, parse_more_time, parse_vote
from pbem.grammar.zones import ZoneRefused, parse_zone


def make_command(line: str) -> AnyCommand | None:
    """The command that a line is, letter by letter."""
    try:
        return _MADE.transform(build_grammar().parse(line))
    except (UnexpectedInput, VisitError):  # no line of the house, or one that no command can hold
        return None


@cache
def build_grammar(*, strict: bool = False) -> Lark:
    """Strictly built (in tests) it raises GrammarError for any conflict."""
    productions = (files(__package__) / "house.lark").read_text("utf-8")
    grammar = f"{productions}\n{load_words().terminals}\n"
    return Lark(grammar, parser="lalr", lexer="contextual", strict=strict)


class _Maker(Transformer[Token, AnyCommand]):
    """Makes the command that a production is named after of the values of its terminals."""

    def __default__(self, data: str, children: list[Any], meta: object) -> AnyCommand:
        return BY_WORD[data.replace("_", " ")](*children)

    def __default_token__(self, token: Token) -> object:
        return _VALUES.get(token.type, _phrase)(str(token))


def _phrase(written: str) -> str:
    return load_words().values.get(written, written)


def _zone(written: str) -> str | Unclear:
    zone = parse_zone(written)
    if isinstance(zone, ZoneRefused):
        return Unclear(zone.written, code=zone.code, suggestions=zone.suggestions)
    return zone


def _language(written: str) -> str | Unclear:
    code = parse_language(written)
    if isinstance(code, LanguageRefused):
        return Unclear(code.written, suggestions=code.suggestions)
    return code


def _time(parse: Callable[[str], object]) -> Callable[[str], object]:
    def read(written: str) -> object:
        try:
            return parse(written)
        except Unread as unread:
            return Unclear(written, unread.written, unread.kind, unread.what)

    return read


_VALUES: Mapping[str, Callable[[str], object]] = {
    "TURN": int,
    "RULE": str.upper,
    "PLACE": _zone,
    "ANY_PLACE": _zone,
    "LANGUAGE": _language,
    "ANY_LANGUAGE": _language,
    "OFTEN": Unclear,
    "ANY_OFTEN": Unclear,
    "DAYS": _time(parse_absence),
    "TIME": _time(parse_more_time),
    "BALLOT": parse_vote,
    "CLOCK": str,
    "NAME": str,
    "WHOM": str,
}
"""From a terminal to what it says; the phrases of house.words say the first of them."""
_MADE = _Maker()
