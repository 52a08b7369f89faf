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
from pbem.grammar.house.commands import BY_WORD, AnyCommand, Settings, Unclear
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.languages import LanguageRefused, parse_language
from pbem.grammar.settings import NoQuiet, Route, Setting, read_quiet
from pbem.grammar.settings import Unclear as UnclearSetting
from pbem.grammar.times import parse_absence, parse_more_time, parse_vote
from pbem.grammar.zones import ZoneRefused, parse_zone


def make_command(line: str) -> AnyCommand | None:
    """The command that a line is, letter by letter."""
    try:
        made: AnyCommand = _MADE.transform(build_grammar().parse(line))
    except (UnexpectedInput, VisitError):  # no line of the house, or one that no command can hold
        return None
    return made


@cache
def build_grammar(*, strict: bool = False) -> Lark:
    """Strictly built (in tests) it raises GrammarError for any conflict."""
    productions = (files(__package__) / "house.lark").read_text("utf-8")
    grammar = f"{productions}\n{load_words().terminals}\n"
    return Lark(grammar, parser="lalr", lexer="contextual", strict=strict)


class _Maker(Transformer[Token, Any]):
    """Makes what a production is named after of the values of its terminals."""

    def __default__(self, data: str, children: list[Any], meta: object) -> AnyCommand:
        return BY_WORD[data.replace("_", " ")](*map(_value, children))

    def settings(self, choices: list[Setting | UnclearSetting]) -> Settings:
        return Settings(tuple(choices))

    def route(self, said: list[Token]) -> Setting:
        topic, way = map(_value, said)
        return Route(topic, way)

    def odd_route(self, said: list[Token]) -> UnclearSetting:
        if _value(said[0]) == "press":  # `press by Ben`
            raise ValueError("press has writers")
        return UnclearSetting("way", f"{said[0]}by {said[1]}")

    def no_route(self, said: list[Token]) -> Setting:
        return Route(_value(said[0]), "off")

    def quiet(self, said: list[Token]) -> Setting | UnclearSetting:
        return read_quiet(said[1] if said[1].type == "HOURS" else "", "".join(said))

    def quiet_off(self, _said: list[Token]) -> Setting:
        return NoQuiet()


def _value(token: Token | object) -> Any:
    """What a terminal says: a value of house.words, or what `_VALUES` reads of it."""
    if not isinstance(token, Token):
        return token
    known = load_words().values.get(token.type.removesuffix("_OF"))
    if known is not None:
        return known[_plain(token)]
    return _VALUES[token.type](str(token))


def _plain(written: str) -> str:
    """A phrase as the data has it."""
    return written.casefold().replace("’", "'").strip(" ,:=")


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
"""From a terminal of the grammar's own to what it says."""
_MADE = _Maker(visit_tokens=False)
