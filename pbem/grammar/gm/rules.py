"""Fields that are a language of their own, clause by clause: choices, clock, people, press."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from pbem.grammar.clock_rules import (
    CLOCK_CLAUSES,
    ClockChange,
    format_clock_rules,
    parse_clock_rules,
)
from pbem.grammar.gm.choices import Choices, is_sayable
from pbem.grammar.gm.opening import format_choices, parse_choices
from pbem.grammar.gm.parts import Part
from pbem.grammar.gm.values import Lexicon, Questions, Unread
from pbem.grammar.people_rules import (
    PEOPLE_CLAUSES,
    Changes,
    format_people_rules,
    parse_people_rules,
)
from pbem.grammar.press_rules import (
    PRESS_CLAUSES,
    PressChange,
    format_press_rules,
    parse_press_rules,
)

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Clauses(Part[V]):
    """Rules of a table, clause by clause: a language of its own. `lead_in` is what may stand before
    the first, and `hears` are all clauses.
    """

    parser: Callable[[str, Lexicon], V] = lambda said, lexicon: NotImplemented
    formatter: Callable[[V], str] = str
    lead_in: str = ""
    hears: tuple[str, ...] = ()

    def parse(self, said: str, lexicon: Lexicon) -> V:
        try:
            return self.parser(
                re.sub(f"^(?:{self.lead_in})", "", said, flags=re.IGNORECASE), lexicon
            )
        except Unread as unread:
            if not self.hears:
                raise
            raise Unread("invalid", self.code, unread.written, self.hears) from unread

    def format(self, value: V) -> str:
        return self.formatter(value)

    def can_say(self, value: V) -> bool:
        if not self.hears:
            return True
        lexicon = Lexicon({"": Questions({}, tuple(getattr(value, "hours", ())))})
        return is_sayable(value, self.format, lambda said: self.parse(said, lexicon))


CHOICES: Clauses[Choices] = Clauses("option", parser=parse_choices, formatter=format_choices)
CLOCK: Clauses[ClockChange] = Clauses(
    "clock-clause",
    parser=lambda said, lexicon: parse_clock_rules(
        said, [window for known in lexicon.rulesets.values() for window in known.windows]
    ),
    formatter=format_clock_rules,
    lead_in="(?:set )?(?:the )?(?:timing[ :]*)?",
    hears=CLOCK_CLAUSES,
)
PEOPLE: Clauses[Changes] = Clauses(
    "people-clause",
    parser=lambda said, _lexicon: parse_people_rules(said.casefold()),
    formatter=format_people_rules,
    lead_in="(?:set )?(?:the )?(?:people(?: rules)?[ :]+)?",
    hears=PEOPLE_CLAUSES,
)
PRESS: Clauses[PressChange] = Clauses(
    "press-clause",
    parser=lambda said, _lexicon: parse_press_rules(said),
    formatter=format_press_rules,
    hears=PRESS_CLAUSES,
)
