"""The grammar of the house (`house.lark`, with the words of `house.words`), and the command that
each of its productions makes. Nothing of lark leaves this module.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.common import LexerConf
from lark.exceptions import VisitError
from lark.lexer import ContextualLexer, LexerState

from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.commands import BY_WORD, AnyCommand, Settings, Unclear
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.languages import LanguageRefused, parse_language
from pbem.grammar.people import Available, TakeOver, Wish, read_name, read_stand_in, read_table
from pbem.grammar.settings import NoQuiet, Route, Setting, read_quiet
from pbem.grammar.settings import Unclear as UnclearSetting
from pbem.grammar.times import parse_absence, parse_more_time, parse_vote
from pbem.grammar.zones import ZoneRefused, parse_zone

_FIRST = re.compile(r"[^ :=,]+")
_FOR_ME = " for me"
"""What a line says that may begin with any name: `Ben plays for me`."""


def make_command(line: str, start: str = "start") -> AnyCommand | None:
    """The command that a line of a kind (`start`) is, letter by letter."""
    folded = line.casefold().replace("’", "'")
    first = _FIRST.match(folded)
    if first is None or (first[0] not in _firsts(start) and _FOR_ME not in folded):
        return None
    try:
        made: AnyCommand = _MADE.transform(build_grammar().parse(line, start=start))
    except (UnexpectedInput, VisitError, ValueError):  # no such line, or none that a command holds
        return None
    return made


@cache
def _firsts(start: str) -> frozenset[str]:
    """The words that such a line may begin with, but for names: a look at them is cheap."""
    known = load_words().first
    parser: Any = build_grammar().parse_interactive("", start=start)
    return frozenset(first for name in parser.accepts() for first in known.get(name, ()))


class _Lexer(ContextualLexer):
    """Fails at once at what a line does not go on with, rather than look what else it might be; and
    looks for words that mean two things only where it is strict.
    """

    def __init__(self, conf: LexerConf, *args: Any, **more: Any) -> None:
        conf.skip_validation = not conf.strict
        super().__init__(conf, *args, **more)

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        with suppress(EOFError):
            while True:
                lexer = self.lexers[parser_state.position]
                yield lexer.next_token(lexer_state, parser_state)


@cache
def build_grammar(*, strict: bool = False) -> Lark:
    """Strictly built (in tests) it raises GrammarError for any conflict."""
    productions = (files(__package__) / "house.lark").read_text("utf-8")
    grammar = f"{productions}\n{load_words().terminals}\n"
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["start", "wish"],
        g_regex_flags=re.IGNORECASE,
        _plugins={"ContextualLexer": _Lexer},
        strict=strict,
    )


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

    def take_over(self, said: list[Token]) -> Wish:
        *owner, table = map(_value, said)
        if owner == [""]:  # a name that is none means no other seat
            raise ValueError(said)
        return TakeOver(table, *owner)

    def available(self, said: list[Token]) -> Wish:
        is_yes, *table = map(_value, said)
        return Available(is_yes == "yes", *table)

    def since(self, said: list[Token]) -> str:
        return "".join(said)

    def stand_in(self, said: list[Any]) -> Wish:
        who, since, till, end, *address = said
        return read_stand_in(who, since, _value(till), end, "".join(address))

    def away_and_stand_in(self, said: list[Any]) -> Wish:
        since, till, end, who, *address = said
        return read_stand_in(who, since, _value(till), end, "".join(address))


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
    "TABLE": read_table,
    "CODE": read_table,
    "SEAT": read_table,
    "CALLED": read_name,
    "OWNER": read_name,
    "WHOM": str,
}
"""From a terminal of the grammar's own to what it says."""
_MADE = _Maker(visit_tokens=False)
