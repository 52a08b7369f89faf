"""How a table is played, clause by clause: `5 to 9 players, grand or normal by vote, orders
72h, early close off`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any

import msgspec

from pbem.grammar.clock_rules import CLOCK_CLAUSES, format_clock_rules, parse_clock_rules
from pbem.grammar.gm.choices import Choices
from pbem.grammar.gm.times import format_span, parse_span, parse_zone
from pbem.grammar.gm.values import Lexicon, Questions, Unread
from pbem.grammar.kit.likeness import nearest_word
from pbem.grammar.languages import LanguageRefused, parse_language
from pbem.grammar.people_rules import format_people_rules, read_people_clause
from pbem.grammar.press_rules import PRESS_CLAUSES, format_press_rules, parse_press_rules

_CLAUSE = re.compile(r"[,;\n]+")
_PLAYERS = re.compile(
    r"(?P<least>\d{1,3}) ?(?:to|-|–|up to|or) ?(?P<most>\d{1,3}) players?"
    r"|(?:from )?(?P<least2>\d{1,3}) players? (?:to|-) ?(?P<most2>\d{1,3})"
    r"|(?:at least|min|minimum|from) (?P<least3>\d{1,3})(?: players?)?"
    r"|(?P<least4>\d{1,3})\+ players?"
    r"|(?:at most|max|maximum|up to) (?P<most3>\d{1,3})(?: players?)?"
    r"|(?P<both>\d{1,3}) players?"
)
_VOTE = re.compile(
    r"(?:vote on |vote: ?)(?P<first>.+)|(?P<second>.+?) (?:by|to|put to(?: the)?|on) (?:a )?vote"
)
_WITHIN = {
    "SWITCH": r"[ =:]++(?:on|yes|true|allowed|(?P<off>off|no|false|never))",
    "WHAT_IF": "(?:suppositions?|what[ -]?ifs?)",
    "GM": "(?:gm|game ?master)",
}
_TIMING = re.compile(
    r"(?:clock|days|quiet(?: hours)?|absences?|graces?|extensions?|names(?! hidden| shown))[ :=].+"
    r"|closes? (?:the phase )?when .+|(?:at the earliest )?after \d.*"
)
_PRESS = re.compile(r"(?:press[ =:]++|(?=(?:no )?gr[ae]y press$|no press))(?P<rules>.+)")


def _load_clauses() -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """The fields of `choices.words`, each with its spelling and its pattern."""
    for line in (files(__package__) / "choices.words").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            head, _, pattern = line.partition(" | ")
            for name, part in _WITHIN.items():
                pattern = pattern.replace(name, part)
            field, _, said = head.partition(": ")
            yield field, said, re.compile(pattern, re.IGNORECASE)


_OWN_CLAUSES = tuple(_load_clauses())
_SAID = {True: "on", False: "off", "full": "when full", "gm": "by the gm"}
_VALUES: Mapping[str, Callable[[re.Match[str]], object]] = {
    "zone": lambda found: parse_zone(found["said"]),
    "language": lambda found: _language(found["said"]),
    "gm_name": lambda found: _name(found["said"]),
    "finality": lambda found: found["how"].lower(),
    "starts": lambda found: "full" if found["full"] else "gm",
    "expires_days": lambda found: _days(found),
    "suppositions": lambda found: int(found["count"] or found["before"] or 0),
}
"""What a clause says; any other is on or off."""
_PAIR = re.compile(r"(?P<key>[a-z][\w -]{0,30}?) ?[=] ?(?P<value>[\w.+-]{1,40})", re.IGNORECASE)
_WINDOW = re.compile(
    r"(?P<window>[a-z][a-z -]{0,20}?)(?: window| phase)?(?: in| of| for|:|=)?"
    r" ?(?P<span>\d.*|an? .*)"
)
_WINDOWS = {
    "bids": "bidding",
    "bid": "bidding",
    "order": "orders",
    "rebids": "rebid",
    "rebidding": "rebid",
    "purchases": "consolidation",
}
_OPTION_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
MOST_HOURS = 60 * 24


def parse_choices(text: str, lexicon: Lexicon, ruleset: str = "") -> Choices:
    """Every clause of the text. `ruleset` is the game that is meant when no clause names one.
    Unread for what is no clause.
    """
    reader = _Reader(lexicon, ruleset)
    clauses = [" ".join(clause.split()).strip(" .") for clause in _CLAUSE.split(text)]
    for clause in clauses:
        if clause.casefold() in lexicon.rulesets:
            reader.choose_ruleset(clause.casefold())
    for clause in clauses:
        if clause:
            reader.read(clause)
    return msgspec.convert(reader.values, Choices)


def format_choices(choices: Choices) -> str:
    """The clauses again; `parse_choices` reads them back to the same."""
    said: list[str] = [choices.ruleset] if choices.ruleset else []
    if choices.least is not None and choices.least == choices.most:
        said.append(f"{choices.least} players")
    elif choices.least is not None and choices.most is not None:
        said.append(f"{choices.least} to {choices.most} players")
    elif choices.least is not None:
        said.append(f"at least {choices.least} players")
    elif choices.most is not None:
        said.append(f"at most {choices.most} players")
    said += [f"{question} = {answer}" for question, answer in choices.answers.items()]
    said += [f"{question} by vote" for question in choices.votes]
    said += [
        f"{key} = {str(value).lower() if isinstance(value, bool) else value}"
        for key, value in choices.options.items()
    ]
    said += [f"{window} {_format_hours(hours)}" for window, hours in choices.hours.items()]
    for field, words, _pattern in _OWN_CLAUSES:
        value = getattr(choices, field)
        if value is not None and value != "":
            is_word = isinstance(value, bool) or field == "starts"
            said.append(words.format(_SAID[value] if is_word else value))
    said += [format_clock_rules(choices.clock)] if choices.clock is not None else []
    said += [format_people_rules(choices.people)] if choices.people else []
    said += (
        [f"press {clause}" for clause in format_press_rules(choices.press).split(", ")]
        if choices.press is not None
        else []
    )
    return ", ".join(said)


def _format_hours(hours: float) -> str:
    span = parse_span(f"{round(hours * 60)} minutes") if round(hours * 60) else None
    return format_span(span) if span is not None else ""


def _language(text: str) -> str:
    found = parse_language(text)
    if isinstance(found, LanguageRefused):
        raise Unread("invalid", "language", found.written, found.suggestions)
    return found


def _name(said: str) -> str:
    if len(said) > 40 or not said.isprintable():
        raise Unread("invalid", "name", said)
    return said


def _days(found: re.Match[str]) -> int:
    span = parse_span(found["span"])
    if span is None or span.minutes % 1440:
        raise Unread("invalid", "days", found[0])
    return span.minutes // 1440


_WITH = re.compile(r"(?P<how>with|without|no) (?:the |an |a )?(?P<key>[a-z]+)")
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight")
_COUNTED = re.compile(rf"(?:with |in )?(?P<count>\d{{1,2}}|{'|'.join(_COUNTS)}) (?P<key>[a-z]+s)")


class _Reader:
    """Reads one clause after another into the fields of `Choices`."""

    def __init__(self, lexicon: Lexicon, ruleset: str) -> None:
        self.values: dict[str, Any] = {"answers": {}, "options": {}, "hours": {}, "votes": []}
        self._lexicon = lexicon
        self._known = lexicon.rulesets.get(ruleset) or self._merged()

    def _merged(self) -> Questions:
        """As long as no game is named: what all of them know together."""
        questions: dict[str, tuple[str, ...]] = {}
        windows: list[str] = []
        for known in self._lexicon.rulesets.values():
            questions |= known.questions
            windows += [window for window in known.windows if window not in windows]
        return Questions(questions, tuple(windows))

    def choose_ruleset(self, ruleset: str) -> None:
        if self.values.get("ruleset", ruleset) != ruleset:
            raise Unread("ambiguous", "ruleset", ruleset, (str(self.values["ruleset"]), ruleset))
        self.values["ruleset"] = ruleset
        self._known = self._lexicon.rulesets[ruleset]

    def read(self, clause: str) -> None:
        folded = clause.casefold().replace("’", "'")
        takers: tuple[Callable[[str, str], bool], ...] = (
            self._ruleset,
            self._players,
            self._rules,
            self._own,
            self._answer,
            self._window,
            self._pair,
            self._plainly,
        )
        if any(take(clause, folded) for take in takers):
            return
        answers = [answer for known in self._known.questions.values() for answer in known]
        words = (
            *self._lexicon.rulesets,
            *self._known.questions,
            *answers,
            *self._known.windows,
            "players",
            "early close off",
            "strict",
        )
        near = nearest_word(folded, words)
        raise Unread("invalid", "clause", clause, (near,) if near is not None else ())

    def _ruleset(self, _clause: str, folded: str) -> bool:
        return folded in self._lexicon.rulesets

    def _players(self, clause: str, folded: str) -> bool:
        found = _PLAYERS.fullmatch(folded)
        if found is None:
            return False
        said = {
            key.rstrip("234"): int(number) for key, number in found.groupdict().items() if number
        }
        both = said.pop("both", None)
        said = said if both is None else {"least": both, "most": both}
        if not 1 <= said.get("least", 1) <= said.get("most", said.get("least", 1)):
            raise Unread("invalid", "players", clause)
        self.values |= said
        return True

    def _rules(self, clause: str, folded: str) -> bool:
        if _TIMING.fullmatch(folded):
            self._change("clock", clause, parse_clock_rules, folded, CLOCK_CLAUSES)
        elif changes := read_people_clause(folded):
            self.values.setdefault("people", {}).update(changes)
        elif found := _PRESS.fullmatch(folded):
            self._change("press", clause, parse_press_rules, found["rules"], PRESS_CLAUSES)
        else:
            return False
        return True

    def _own(self, clause: str, _folded: str) -> bool:
        for field, _words, pattern in _OWN_CLAUSES:
            if found := pattern.fullmatch(clause):
                read = _VALUES.get(field)
                is_on = read is None and not (found["no"] or found["off"])
                self.values[field] = read(found) if read is not None else is_on
                return True
        return False

    def _change(
        self,
        field: str,
        clause: str,
        parse: Callable[[str], object],
        rules: str,
        hears: tuple[str, ...],
    ) -> None:
        try:
            said = msgspec.to_builtins(parse(rules))
        except Unread as unread:
            raise Unread("invalid", f"{field}-clause", clause, hears) from unread
        self.values.setdefault(field, {}).update(
            {name: value for name, value in said.items() if value not in (None, {})}
        )

    def _answer(self, clause: str, folded: str) -> bool:
        """A question put to the vote, or an answer to one."""
        vote = _VOTE.fullmatch(folded)
        if vote is not None:
            question = self._question_of(vote["first"] or vote["second"], clause)
            if question not in self.values["votes"]:
                self.values["votes"].append(question)
            return True
        for question, answers in self._known.questions.items():
            for answer in answers:
                if folded in {
                    f"{question} {answer}",
                    f"{answer} {question}",
                    f"{question}: {answer}",
                    f"{question} = {answer}",
                    f"{question}={answer}",
                }:
                    self.values["answers"][question] = answer
                    return True
        meant = [
            question for question, answers in self._known.questions.items() if folded in answers
        ]
        if len(meant) > 1:
            raise Unread(
                "ambiguous", "answer", clause, tuple(f"{question} {folded}" for question in meant)
            )
        if meant:
            self.values["answers"][meant[0]] = folded
        return bool(meant)

    def _plainly(self, _clause: str, folded: str) -> bool:
        """`with the island`, `without factions`, `two teams`: a question answered or an option set,
        as people say it.
        """
        if counted := _COUNTED.fullmatch(folded):
            key, said = counted["key"], counted["count"]
            count = int(said) if said.isdecimal() else _COUNTS.index(said) + 2
            if f"{count}" in self._known.questions.get(key, ()):
                self.values["answers"][key] = f"{count}"
            else:
                self.values["options"][key] = count
            return True
        if not (found := _WITH.fullmatch(folded)):
            return False
        key, answer = found["key"], "yes" if found["how"] == "with" else "no"
        if answer in self._known.questions.get(key, ()):
            self.values["answers"][key] = answer
        else:
            self.values["options"][key] = answer == "yes"
        return True

    def _question_of(self, said: str, clause: str) -> str:
        """The question that a text names, by itself or by all its answers: `version`, `grand or
        normal`.
        """
        questions = self._known.questions
        named = said.strip(" :")
        if named in questions:
            return named
        for question in sorted(questions, key=len, reverse=True):
            if named.startswith(f"{question} ") and _answers_in(named[len(question) :]) <= set(
                questions[question]
            ):
                return question
        meant = [
            question
            for question, answers in questions.items()
            if _answers_in(named) == set(answers)
        ]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise Unread(
                "ambiguous", "question", clause, tuple(f"{question} by vote" for question in meant)
            )
        near = nearest_word(named, tuple(questions))
        raise Unread(
            "invalid", "question", named, tuple(questions) if near is None else (f"{near} by vote",)
        )

    def _window(self, clause: str, folded: str) -> bool:
        found = _WINDOW.fullmatch(folded)
        if found is None:
            return False
        window = _WINDOWS.get(found["window"].strip(), found["window"].strip())
        if window not in self._known.windows:
            return False
        span = parse_span(found["span"])
        if span is None or span.minutes > MOST_HOURS * 60:
            raise Unread("invalid", "length", clause)
        self.values["hours"][window] = span.minutes / 60
        return True

    def _pair(self, _clause: str, folded: str) -> bool:
        """`provinces = 18`: a table option by its own name; which there are the rules of the game
        know.
        """
        found = _PAIR.fullmatch(folded)
        if found is None:
            return False
        key, value = found["key"].strip().replace(" ", "_").replace("-", "_"), found["value"]
        options: dict[str, str | int | bool] = self.values["options"]
        options[key] = (
            int(value) if value.isdecimal() and len(value) < 10 else _OPTION_WORDS.get(value, value)
        )
        return True


def _answers_in(text: str) -> set[str]:
    return {word.strip(" :()") for word in re.split(r" or |/|,| and ", text) if word.strip(" :()")}
