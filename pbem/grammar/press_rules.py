"""Which press a table allows, in words: `public only, grey, none during dragon, eliminated off`."""

import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from pbem.grammar.clauses import Spelling, format_clauses, parse_clauses
from pbem.later import Later

Mode = Literal["all", "public", "private", "team", "none"]


class PressRules(msgspec.Struct, frozen=True):
    """The press of a table. `grey`: press may go without a name. `closed_in`: kinds of phases in
    which there is none.

    `eliminated`: those who are out may write and be written to. `observers`: they get public press
    and may be written to. `after_end`: it continues when the game is over. `gm_reads`: the game
    masters who do not play read the private press too, and everybody knows it. `groups`: public
    press is also told in the table's groups.
    """

    mode: Mode = "all"
    grey: bool = False
    closed_in: tuple[str, ...] = ()
    eliminated: bool = True
    observers: bool = True
    after_end: bool = True
    gm_reads: bool = False
    groups: bool = True


ALL_PRESS = PressRules()
"""Public and private, each with its writer's name."""


class PressChange(msgspec.Struct, frozen=True):
    """What changes from now on; None: it stays."""

    mode: Mode | None = None
    grey: bool | None = None
    closed_in: tuple[str, ...] | None = None
    eliminated: bool | None = None
    observers: bool | None = None
    after_end: bool | None = None
    gm_reads: bool | None = None
    groups: bool | None = None


PRESS_CLAUSES = (
    "all",
    "public only",
    "private only",
    "team only",
    "none",
    "grey",
    "none during PHASE",
    "during all phases",
    "eliminated off",
    "observers off",
    "after the end off",
    "gm reads",
    "groups off",
)
"""What can be said, each as it may be written; PHASE is a kind of phase."""

_CLAUSE = re.compile(r"(?<![^\S\n])[^\S\n]*+[,;\n][\s,;]*+")
_SAID: Mapping[str, Spelling] = {
    "mode": lambda mode: mode if mode in ("all", "none") else f"{mode} only",
    "grey": "grey",
    "eliminated": "eliminated",
    "observers": "observers",
    "after_end": "after the end",
    "gm_reads": "gm reads",
    "groups": "groups",
    "closed_in": lambda kinds: (
        f"none during {' and '.join(kinds)}" if kinds else "during all phases"
    ),
}
_MAKE = Later("pbem.grammar.house.productions:make_command")


def parse_press_rules(text: str) -> PressChange:
    """Every clause of the text. Unread for one that cannot be read, or where nothing is said.
    Kinds of phases are not looked at.
    """

    def read(clause: str) -> Any:
        bare = clause.removeprefix("press ").removesuffix(" press")
        return _MAKE(clause, "press_clause") or _MAKE(bare, "press_clause")

    return msgspec.convert(parse_clauses(text.strip(" .:=\n"), _CLAUSE, read), PressChange)


def format_press_rules(rules: PressRules | PressChange) -> str:
    """All that is said, clause by clause; `parse_press_rules` reads it back."""
    return ", ".join(format_clauses(msgspec.structs.asdict(rules), _SAID))


def apply_change(rules: PressRules, change: PressChange) -> PressRules:
    """The rules as they are from now on."""
    said = msgspec.structs.asdict(change).items()
    return msgspec.structs.replace(rules, **{name: it for name, it in said if it is not None})
