"""How a table is to be played, as far as it is said; and the check that all of it can be said."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from pbem.grammar.clock_rules import ClockChange, format_clock_rules, parse_clock_rules
from pbem.grammar.gm.values import Unread
from pbem.grammar.people_rules import format_people_rules, parse_people_rules
from pbem.grammar.press_rules import PressChange, format_press_rules, parse_press_rules


def check(is_sayable: bool, what: object) -> None:
    """ValueError, unless a line can say it."""
    if not is_sayable:
        raise ValueError(f"no line can say {what!r}")


def check_people(changes: Mapping[str, str | int | bool]) -> None:
    try:
        check(parse_people_rules(format_people_rules(changes)) == changes, changes)
    except Unread as unread:
        raise ValueError(f"no line can say {changes!r}") from unread


def check_clock(change: ClockChange) -> None:
    check(parse_clock_rules(format_clock_rules(change), tuple(change.hours)) == change, change)


def check_press(change: PressChange) -> None:
    check(parse_press_rules(format_press_rules(change)) == change, change)


class Choices(msgspec.Struct, frozen=True):
    """How a table is to be played. What was not said is None or empty.

    `answers` settle questions of the rules by the game master, `votes` are the questions left to
    the players; `options` are table options by their own names; `hours` are lengths of windows.
    """

    ruleset: str = ""
    least: int | None = None
    most: int | None = None
    answers: Mapping[str, str] = {}
    votes: tuple[str, ...] = ()
    options: Mapping[str, str | int | bool] = {}
    hours: Mapping[str, float] = {}
    zone: str = ""
    gm_name: str = ""
    early_close: bool | None = None
    finality: Literal["confirm", "strict"] | None = None
    starts: Literal["gm", "full"] | None = None
    expires_days: int | None = None
    secrets: bool | None = None
    suppositions: int | None = None
    press: PressChange | None = None
    clock: ClockChange | None = None
    language: str = ""
    people: Mapping[str, str | int | bool] = {}
    """What the table says about its people: fields of `people_rules.PeopleRules`."""

    def __post_init__(self) -> None:
        check(all(round(hours * 60) for hours in self.hours.values()), self.hours)
        if self.people:
            check_people(self.people)
        if self.press is not None:
            check_press(self.press)
        if self.clock is not None:
            check_clock(self.clock)
            check(not self.clock.hours, self.clock)  # they are the table's own `hours`
