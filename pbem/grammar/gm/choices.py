"""How a table is played, as a line says it; and the check that a line can say all of it."""

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

import msgspec

from pbem.grammar.clock_rules import ClockChange, format_clock_rules, parse_clock_rules
from pbem.grammar.gm.values import Unread
from pbem.grammar.people_rules import format_people_rules, parse_people_rules
from pbem.grammar.press_rules import PressChange, format_press_rules, parse_press_rules

V = TypeVar("V")


def check(is_sayable: bool, what: object) -> None:
    """ValueError, unless a line can say it."""
    if not is_sayable:
        raise ValueError(f"no line can say {what!r}")


def is_sayable(value: V, write: Callable[[V], str], parse: Callable[[str], object]) -> bool:
    """Whether what is written of a value is read back to the same."""
    try:
        return parse(write(value)) == value
    except (Unread, ValueError):
        return False


class Choices(msgspec.Struct, frozen=True):
    """How a table is played. What was not said is None or empty.

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
        press, clock = self.press, self.clock
        check(
            (not self.people or is_sayable(self.people, format_people_rules, parse_people_rules))
            and (press is None or is_sayable(press, format_press_rules, parse_press_rules))
            and (clock is None or is_sayable(clock, format_clock_rules, parse_clock_rules)),
            self,
        )
