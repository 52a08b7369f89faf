"""How a table is to be played, clause by clause: `5 to 9 players, grand or normal by vote, orders
72h, early close off`.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from pbem.grammar.clock_rules import (
    CLOCK_CLAUSES,
    UnclearClock,
    format_clock_rules,
    parse_clock_rules,
)
from pbem.grammar.gm.commands import Choices, Lexicon, Questions, Unread
from pbem.grammar.gm.times import format_span, parse_span, parse_zone
from pbem.grammar.kit.likeness import nearest_word
from pbem.grammar.languages import LanguageRefused, parse_language
from pbem.grammar.people_rules import format_people_rules, read_people_clause
from pbem.grammar.press_rules import (
    PRESS_CLAUSES,
    UnclearRules,
    format_press_rules,
    parse_press_rules,
)

_CLAUSE = re.compile(r"[,;\n]+")
_PLAYERS = (
    (re.compile(r"(\d{1,3}) ?(?:to|-|–|up to|or) ?(\d{1,3}) players?"), "range"),
    (re.compile(r"(?:from )?(\d{1,3}) players? (?:to|-) ?(\d{1,3})"), "range"),
    (
        re.compile(r"(?:at least|min|minimum|from) (\d{1,3})(?: players?)?|(\d{1,3})\+ players?"),
        "least",
    ),
    (re.compile(r"(?:at most|max|maximum|up to) (\d{1,3})(?: players?)?"), "most"),
    (re.compile(r"(\d{1,3}) players?"), "exactly"),
)
_VOTE = re.compile(
    r"(?:vote on |vote: ?)(?P<first>.+)|(?P<second>.+?) (?:by|to|put to(?: the)?|on) (?:a )?vote"
)
_ON, _OFF = r"(?:on|yes|true|allowed)", r"(?:off|no|false|never)"
_EARLY = re.compile(
    rf"(?P<no>no |without )?early close(?:[ =:]++(?:(?P<on>{_ON})|(?P<off>{_OFF})))?|early_close ?="
    rf" ?(?:(?P<on2>{_ON})|(?P<off2>{_OFF}))"
)
_SECRETS = re.compile(
    r"(?P<no>no )?secrets? (?:for|to|seen by) (?:the )?(?:gm|game ?master)|secrets["
    rf" =:]++(?:(?P<on>{_ON})|(?P<off>{_OFF}))"
    r"|(?:the )?(?:gm|game ?master) (?P<may>may|sees|can) (?:see |look at )?secrets"
)
_WHAT_IF = re.compile(
    r"(?P<no>no |without )?(?:suppositions?|what[ -]?ifs?)(?:["
    rf" =:]++(?:(?P<off>{_OFF})|(?P<count>\d{{1,3}})(?: times| (?:a|per) phase)*))?"
    r"|(?P<before>\d{1,3}) (?:suppositions|what[ -]?ifs?)(?: (?:a|per) phase)?"
)
_EXPIRES = re.compile(r"(?:expires|expire|open)(?: in| after| for)? (?P<span>.+)")
_TIMING = re.compile(r"(?:clock|days|quiet(?: hours)?|absences?|graces?|extensions?|names)[ :=].+")
_PRESS = re.compile(r"(?:press[ =:]++|(?=(?:no )?gr[ae]y press$|no press))(?P<rules>.+)")
_STARTS = re.compile(
    r"(?:starts?|begins?) "
    r"(?:(?P<full>when (?:it is )?full|itself|by itself|full)|(?P<gm>by (?:the )?(?:gm|game"
    r" ?master|hand)|when i say(?: so)?|gm))"
)
_ZONE = re.compile(r"(?:time ?)?zone[ =:]++(?P<zone>.+)", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:language|dates)(?: is| in)?(?:[ =:]++)(?P<language>.+)", re.IGNORECASE)
_MASTER = re.compile(r"(?:gm|game ?master)[ =:]++(?P<name>.+)", re.IGNORECASE)
_FINALITY = re.compile(r"(?:finality[ =:]++)?(?P<how>strict|confirm)(?: finality)?")
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
    said += [f"zone {choices.zone}"] if choices.zone else []
    said += [f"language {choices.language}"] if choices.language else []
    said += [f"gm {choices.gm_name}"] if choices.gm_name else []
    said += (
        [f"early close {'on' if choices.early_close else 'off'}"]
        if choices.early_close is not None
        else []
    )
    said += [f"finality {choices.finality}"] if choices.finality else []
    said += (
        [f"starts {'when full' if choices.starts == 'full' else 'by the gm'}"]
        if choices.starts
        else []
    )
    said += [f"expires in {choices.expires_days} days"] if choices.expires_days is not None else []
    said += [f"secrets {'on' if choices.secrets else 'off'}"] if choices.secrets is not None else []
    said += [f"what if {choices.suppositions}"] if choices.suppositions is not None else []
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
            self._switches,
            self._names,
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
        for pattern, kind in _PLAYERS:
            found = pattern.fullmatch(folded)
            if found is None:
                continue
            numbers = [int(number) for number in found.groups() if number]
            least, most = numbers[0], numbers[-1]
            if not 1 <= least <= most:
                raise Unread("invalid", "players", clause)
            if kind != "most":
                self.values["least"] = least
            if kind != "least":
                self.values["most"] = most
            return True
        return False

    def _switches(self, clause: str, folded: str) -> bool:
        if found := _EARLY.fullmatch(folded):
            self.values["early_close"] = not (found["no"] or found["off"] or found["off2"])
        elif found := _SECRETS.fullmatch(folded):
            self.values["secrets"] = not (found["no"] or found["off"])
        elif (found := _WHAT_IF.fullmatch(folded)) and any(found.groupdict().values()):
            self.values["suppositions"] = int(found["count"] or found["before"] or 0)
        elif found := _FINALITY.fullmatch(folded):
            self.values["finality"] = found["how"]
        elif found := _STARTS.fullmatch(folded):
            self.values["starts"] = "full" if found["full"] else "gm"
        elif _TIMING.fullmatch(folded):
            self._timing(clause, folded)
        elif changes := read_people_clause(folded):
            self.values.setdefault("people", {}).update(changes)
        elif found := _PRESS.fullmatch(folded):
            self._press(clause, found["rules"])
        elif found := _EXPIRES.fullmatch(folded):
            span = parse_span(found["span"])
            if span is None or span.minutes % 1440:
                raise Unread("invalid", "days", clause)
            self.values["expires_days"] = span.minutes // 1440
        else:
            return False
        return True

    def _timing(self, clause: str, folded: str) -> None:
        try:
            said = msgspec.to_builtins(parse_clock_rules(folded))
        except UnclearClock as unclear:
            raise Unread("invalid", "clock-clause", clause, CLOCK_CLAUSES) from unclear
        self.values.setdefault("clock", {}).update(
            {name: value for name, value in said.items() if value not in (None, {})}
        )

    def _press(self, clause: str, rules: str) -> None:
        try:
            said = msgspec.to_builtins(parse_press_rules(rules))
        except UnclearRules as unclear:
            raise Unread("invalid", "press-clause", clause, PRESS_CLAUSES) from unclear
        self.values.setdefault("press", {}).update(
            {name: value for name, value in said.items() if value is not None}
        )

    def _names(self, clause: str, _folded: str) -> bool:
        if found := _ZONE.fullmatch(clause):
            self.values["zone"] = parse_zone(found["zone"])
        elif found := _LANGUAGE.fullmatch(clause):
            self.values["language"] = _language(found["language"])
        elif found := _MASTER.fullmatch(clause):
            if len(found["name"]) > 40 or not found["name"].isprintable():
                raise Unread("invalid", "name", found["name"])
            self.values["gm_name"] = found["name"]
        else:
            return False
        return True

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
            count = counted["count"]
            self.values["options"][counted["key"]] = (
                int(count) if count.isdecimal() else _COUNTS.index(count) + 2
            )
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
