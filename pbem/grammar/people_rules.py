"""What a table says about its people: who may observe, who may take a seat over, and what becomes
of one whose player is gone.

A game master writes it in clauses: `observers by name, takeovers first come, nmr 2 then substitute,
reliability 80, resignation gm`.
"""

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from pbem.grammar.clauses import Spelling, format_clauses, parse_clauses
from pbem.grammar.gm.values import Unread
from pbem.later import Later

Changes = Mapping[str, str | int | bool]
"""Fields of `PeopleRules` with their new values."""


class PeopleRules(msgspec.Struct, frozen=True, omit_defaults=True):
    """`observers`: whether people may observe, and `observers_shown` how the table learns of them.
    `takeovers`: who decides on a wish to have a seat that stands empty: the game master, nobody
    (first come, first served), or it is `off`. `least_reliability`: the percentage of windows that
    a person who wants a seat must have answered in earlier games. After `nmr_count` windows missed
    in a row (0: never) comes what `nmr_then` says: the game master is asked, a substitute invited,
    or the seat plays by defaults. `resigned`: what becomes of the seat of a player who resigns; it
    stands empty, also while the game master decides, or it leaves the game. `draws`: a vote on
    ending the game by agreement is void when its phase closes, stays open over closes, or there is
    none. `first_nmr`: whether the table waits for a player who has never answered at all.
    `hidden_names`: until the end players are called by their colours, and nobody but the game
    masters learns who they are.
    """

    observers: bool = True
    observers_shown: Literal["number", "names"] = "number"
    takeovers: Literal["gm", "first", "off"] = "gm"
    least_reliability: int = 0
    nmr_count: int = 0
    nmr_then: Literal["gm", "substitute", "defaults"] = "gm"
    resigned: Literal["vacant", "gm", "eliminate"] = "vacant"
    draws: Literal["phase", "stay", "off"] = "phase"
    first_nmr: Literal["play", "wait"] = "play"
    hidden_names: bool = False


USUAL = PeopleRules()
"""Of a table that says nothing."""
OF_NEW_TABLES = PeopleRules(first_nmr="wait")

_CLAUSE = re.compile(r"[,;\n]+|(?<![ ])[ ]++and[ ]++")
_NO = re.compile(r"no ?(\w+|first (?:turn )?nmr)")
_SAID: Mapping[str, Spelling] = {
    "observers_shown": lambda shown: f"observers by {'name' if shown == 'names' else 'number'}",
    "observers": "observers",
    "takeovers": "takeovers",
    "nmr_count": "nmr",
    "first_nmr": "first turn nmr",
    "hidden_names": lambda hides: f"names {'hidden until the end' if hides else 'shown'}",
    "least_reliability": "reliability",
    "resigned": "resignation",
    "draws": "draws",
}
_MAKE = Later("pbem.grammar.house.productions:make_command")
PEOPLE_CLAUSES = (
    "observers on",
    "observers by name",
    "takeovers by gm",
    "takeovers first come",
    "nmr 2 then gm",
    "nmr 2 then substitute",
    "nmr 2 then defaults",
    "first turn nmr wait",
    "first turn nmr play",
    "names hidden until the end",
    "reliability 80",
    "resignation vacant",
    "resignation gm",
    "resignation eliminate",
    "draws stay",
    "draws off",
)
"""What can be said, each as it may be written; most of it also with off."""


def read_people_clause(clause: str) -> Changes | None:
    """What one clause changes; None when it is about something else. Unread when it is about people
    and cannot be read.
    """
    folded = " ".join(clause.casefold().split()).strip(" .!")
    none = _NO.fullmatch(folded)
    changes: Changes | None = _MAKE(f"{none[1]} off" if none else folded, "people_clause")
    if changes == {}:
        raise Unread("invalid", "clause", clause.strip())
    return changes


def parse_people_rules(text: str) -> dict[str, str | int | bool]:
    """Every clause of a text. Unread for one that cannot be read."""
    return parse_clauses(text, _CLAUSE, read_people_clause)


def format_people_rules(changes: Changes) -> str:
    """The clauses again; `parse_people_rules` reads them back to the same."""
    values: dict[str, object] = dict(changes)
    if values.get("observers") and "observers_shown" in values:
        del values["observers"]  # who is named observes
    values["nmr_count"] = _nmr(changes)
    return ", ".join(format_clauses(values, _SAID))


def _nmr(changes: Changes) -> str | None:
    count = changes.get("nmr_count")
    if not count:
        return None if count is None else "off"
    return f"{count} then {changes.get('nmr_then', 'gm')}"


def changed_rules(rules: PeopleRules, changes: Changes) -> PeopleRules:
    """The rules of a table with these changes."""
    return msgspec.convert(msgspec.structs.asdict(rules) | dict(changes), PeopleRules)
