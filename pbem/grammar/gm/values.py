"""What is said within a game master's line: lengths and times; what the grammar must know of the
house; and why a part of it cannot be read.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec


class Span(msgspec.Struct, frozen=True, tag=True):
    """A length of time, in whole minutes."""

    minutes: int


class WallTime(msgspec.Struct, frozen=True, tag=True):
    """A time as a clock on the wall shows it. `year` and `weekday` (Monday 0) may be left
    open; `zone` "": the writer's own.

    `month` and `day` 0: the next such weekday, or without one as many days from today as
    `days_ahead` says.
    """

    month: int
    day: int
    hour: int
    minute: int
    year: int | None = None
    weekday: int | None = None
    zone: str = ""
    days_ahead: int | None = None


class Invited(msgspec.Struct, frozen=True):
    """A person to invite."""

    name: str
    address: str

    def __post_init__(self) -> None:
        if not self.name or self.name != " ".join(self.name.split()):
            raise ValueError(f"no line can say {self.name!r}")


class Questions(msgspec.Struct, frozen=True):
    """What the grammar must know of a kind of game: what may be voted on with the answers, and the
    kinds of windows.
    """

    questions: Mapping[str, tuple[str, ...]]
    windows: tuple[str, ...]


def _asks_nothing(_table: str, _line: str) -> bool:
    return False


class Lexicon(msgspec.Struct, frozen=True):
    """What the grammar must know of the house: its kinds of games, its tables' short names, and how
    the writer may sign (casefolded). `phrases` are the game masters' own words, which no table can
    be called; `is_ruling` tells of a table ("": the one that is meant) and a line whether it
    answers what a game asks there.
    """

    rulesets: Mapping[str, Questions]
    tables: frozenset[str] = frozenset()
    signers: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    is_ruling: Callable[[str, str], bool] = _asks_nothing


class Trouble(msgspec.Struct, frozen=True):
    """Why a line is no command.

    `unknown`: no such word. `missing`: `what` was not said. `ambiguous`: `what` can be read in two
    ways. `invalid`: `what` cannot be read at all. `written` is the part that is the trouble,
    `nearest` what may have been meant, `form` the right spelling.
    """

    kind: Literal["unknown", "missing", "ambiguous", "invalid"]
    what: str
    written: str = ""
    nearest: tuple[str, ...] = ()
    form: str = ""


class Unread(Exception):
    """Raised within the grammar alone: the line is no command."""

    def __init__(
        self,
        kind: Literal["unknown", "missing", "ambiguous", "invalid"],
        what: str,
        written: str = "",
        nearest: tuple[str, ...] = (),
    ) -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what
        self.written = written
        self.nearest = nearest
