"""The grammar of the house (`house.lark`, with the words of `house.words`), and the command that
each of its productions makes. Lark stays within this module.
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

from pbem.grammar.addresses import AddressWish
from pbem.grammar.clock_rules import (
    USUAL_SETTLED_HOURS,
    format_clock,
    format_days,
    format_quiet,
    parse_clock,
    parse_days,
    parse_quiet,
)
from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.commands import BY_WORD, Settings, Unclear
from pbem.grammar.house.vocabulary import beginning_of, load_words
from pbem.grammar.languages import LanguageRefused, parse_language
from pbem.grammar.names import QUOTES
from pbem.grammar.people import Available, TakeOver, Wish, read_name, read_stand_in, read_table
from pbem.grammar.seat_wishes import Colours, Mate, Place, SeatWish, Team
from pbem.grammar.seat_wishes import Vote as SeatVote
from pbem.grammar.seat_wishes import Zone as SeatZone
from pbem.grammar.settings import NewsAt, NoQuiet, Route, Setting, ShowHours, read_quiet
from pbem.grammar.settings import Unclear as UnclearSetting
from pbem.grammar.times import parse_absence, parse_more_time, parse_vote
from pbem.grammar.zones import ZoneRefused, parse_zone

_MAILBOX = re.compile(r"(?<![^\s<>\",;:()])[^\s<>\",;:()@]{1,200}@[^\s<>\",;:()]{1,200}")
_START = re.compile(r"^\?(\w+):", re.MULTILINE)
_BETWEEN = re.compile(
    r"\s*(?:[,;/>|]|\b(?:or(?: else)?|then|else|and|if not|best)\b|\s)\s*", re.IGNORECASE
)
_MEANT = {"nothing": "", "yes": True, "no": False}
"""Values that are no words."""
_UNHELD = (ValueError, Unread)
"""What is raised of a value that no command holds."""
_OTHERS = (*SeatWish.__subclasses__(), *AddressWish.__subclasses__())
_BY_WORD = BY_WORD | {str(kind.__struct_config__.tag): kind for kind in _OTHERS}


def make_command(line: str, start: str = "start") -> Any:
    """The command that a line of a kind (`start`) is, letter by letter; None for any other line."""
    folded = line.casefold().replace("’", "'")
    (first, second), (words, behind) = beginning_of(folded), _firsts(start)
    more = words.get(first, frozenset())
    if not first or not ("" in more or second in more or behind.search(folded)):
        return None
    try:
        return _MADE.transform(build_grammar().parse(line, start=start))
    except (UnexpectedInput, *_UNHELD):
        return None
    except VisitError as error:
        if isinstance(error.orig_exc, _UNHELD):
            return None
        raise


@cache
def _firsts(start: str) -> tuple[Mapping[str, frozenset[str]], re.Pattern[str]]:
    """The words that such a line may begin with, with those behind each ("": any), or what stands
    behind any others it begins with: a look at them is cheap.
    """
    known = load_words()
    parser: Any = build_grammar().parse_interactive("", start=start)
    begin = parser.accepts()
    behind = "|".join(known.before[name] for name in begin if name in known.before) or "(?!)"
    words: dict[str, frozenset[str]] = {}
    for name in begin:
        for first, second in known.first.get(name, ()):
            words[first] = words.get(first, frozenset()) | {second}
    return words, re.compile(behind)


class _Lexer(ContextualLexer):
    """Fails at once where a line does not continue, rather than look what else it might be; and
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
        start=_START.findall(productions),
        g_regex_flags=re.IGNORECASE,
        _plugins={"ContextualLexer": _Lexer},
        strict=strict,
    )


class _Maker(Transformer[Token, Any]):
    """Makes what a production is named after of the values of its terminals."""

    def __default__(self, data: str, children: list[Any], meta: object) -> object:
        return _BY_WORD[data.replace("_", " ")](*map(_value, children))

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

    def news_at(self, said: list[Token]) -> Setting:
        topic, when = map(_value, said)
        if topic not in ("news", "bulletins"):
            raise ValueError(f"{topic} cannot wait for other news")
        return NewsAt(when)

    def hours_shown(self, said: list[Token]) -> Setting:
        return ShowHours(_value(said[0]))

    def take_over(self, said: list[Token]) -> Wish:
        *owner, table = map(_value, said)
        if owner == [""]:  # no name means no other seat
            raise ValueError(said)
        return TakeOver(table, *owner)

    def available(self, said: list[Token]) -> Wish:
        is_yes, *table = map(_value, said)
        return Available(is_yes, *table)

    def since(self, said: list[Token]) -> str:
        return "".join(said)

    def stand_in(self, said: list[Any]) -> Wish:
        who, since, till, end, *address = said
        return read_stand_in(who, since, _value(till), end, "".join(address))

    def away_and_stand_in(self, said: list[Any]) -> Wish:
        since, till, end, who, *address = said
        return read_stand_in(who, since, _value(till), end, "".join(address))

    def preference(self, said: list[Token]) -> SeatWish:
        return Colours(tuple(filter(None, _BETWEEN.split(_value(said[0])))))

    def colours(self, said: list[Token]) -> SeatWish:
        words = tuple(filter(None, _BETWEEN.split(_value(said[0]))))
        if len({*words}) < 2:  # `colours green` is a colour
            raise ValueError(said)
        return Colours(words)

    def inside(self, said: list[Token]) -> SeatWish:
        """`in the red team`, `in Ben's team`."""
        name = _value(said[0])
        somebody = _somebody(name)
        return Team(name) if somebody == name else Mate(somebody)

    def mate(self, said: list[Token]) -> SeatWish:
        return Mate(_somebody(_value(said[0]).removesuffix(" team")))

    def seat_vote(self, said: list[Token]) -> SeatWish:
        return SeatVote("", _value(said[0]))

    def place(self, said: list[Token]) -> SeatWish:
        return Place(_value(said[0]) or 0)

    def bare_faction(self, said: list[Token]) -> str:
        return _name(said[0])

    def seat_zone(self, said: list[Token]) -> SeatWish | Unclear:
        zone = _zone(said[0])
        return zone if isinstance(zone, Unclear) else SeatZone(zone)

    def living(self, said: list[Token]) -> SeatWish | Unclear:
        zone = self.seat_zone(said)
        if isinstance(zone, Unclear) and not zone.suggestions:  # `I am in doubt`
            raise ValueError(said)
        return zone

    def setting(self, said: list[Token]) -> dict[str, object]:
        """Fields by the names of their terminals."""
        return {token.type.removeprefix("SET_").lower(): _value(token) for token in said}

    def settled(self, _said: list[Token]) -> dict[str, object]:
        return {"settled_hours": USUAL_SETTLED_HOURS}

    def observers_shown(self, said: list[Token]) -> dict[str, object]:
        return {"observers": True, **self.setting(said)}

    def nmr(self, said: list[Token]) -> dict[str, object]:
        count = self.setting(said[:1])
        return count | {"nmr_then": "gm"} | self.setting(said[1:]) if count["nmr_count"] else count

    def closed_in(self, said: list[Token]) -> dict[str, object]:
        return {"closed_in": tuple(dict.fromkeys(map(str, said)))}

    def switch(self, said: list[Token]) -> dict[str, object]:
        field, *on = map(_value, said)
        return {field: on != [False]}

    def switch_off(self, said: list[Token]) -> dict[str, object]:
        return {_value(said[0]): False}

    def odd_setting(self, _said: list[Token]) -> dict[str, object]:
        return {}


def _value(token: Token | object) -> Any:
    """What a terminal says: a value of house.words, or what `_VALUES` reads of it."""
    if not isinstance(token, Token):
        return token
    known = load_words().values.get(token.type.removesuffix("_OF"))
    if known is not None:
        value = known[_plain(token)]
        return int(value) if value.isdecimal() else _MEANT.get(value, value)
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


def _name(written: str) -> str:
    """As it is written, without quotes around it."""
    name = " ".join(written.strip(QUOTES).split())
    if not name:
        raise ValueError(written)
    return name


def _somebody(written: str) -> str:
    """Of `Ben's`: Ben."""
    name = _name(written)
    return _name(name[:-2]) if name.endswith(("'s", "’s")) else name


def _address(written: str) -> str:
    found = _MAILBOX.search(written)
    if found is None:
        raise ValueError(written)
    return found[0].lower()


def _number(written: str) -> int:
    """0 for a word without digits."""
    digits = re.sub(r"\D", "", written)
    if not digits and written not in load_words().lists["any time"]:
        raise ValueError(written)
    return int(digits or 0)


def _hours(written: str) -> float:
    """The hours of a span; 0 for a word without digits."""
    count = re.sub(r"[^\d.]", "", written)
    return float(count or 0) * (24 if "d" in written else 1)


def _hour(parse: Callable[[str], Any], form: Callable[[Any], str]) -> Callable[[str], str]:
    """What it says in its one form; "": any."""
    return lambda said: "" if said in load_words().lists["any time"] else form(parse(said))


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
    "ANY": _name,
    "TEAM_NAME": _name,
    "INSIDE": _name,
    "BEFORE_AS_MATE": _name,
    "BEFORE_FINE": _somebody,
    "SET_CLOCK": _hour(parse_clock, format_clock),
    "SET_DAYS": _hour(parse_days, format_days),
    "SET_QUIET": _hour(parse_quiet, format_quiet),
    "SET_ABSENCE_DAYS": _number,
    "SET_GRACES": _number,
    "SET_GRACE_HOURS": lambda written: float(re.sub(r"[^\d.]", "", written)),
    "SET_SETTLED_HOURS": _hours,
    "SET_NMR_COUNT": _number,
    "SET_LEAST_RELIABILITY": _number,
    "MAILBOX": _address,
    "NUMBER": lambda written: int(written.strip("#stndrh")),
}
"""From a terminal of the grammar's own to what it says."""
_MADE = _Maker(visit_tokens=False)
