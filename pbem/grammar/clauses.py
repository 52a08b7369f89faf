"""Rules of a table as clauses: each field that is set, in its words."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pbem.grammar.gm.values import Unread

Spelling = str | Callable[[Any], str]
"""The words before a value, or before `on` and `off`; or what writes the clause."""


def parse_clauses(
    text: str, between: re.Pattern[str], read: Callable[[str], Mapping[str, Any] | None]
) -> dict[str, Any]:
    """What the clauses of a text set, by their fields. Unread for the first that sets no field,
    or for a text without a clause.
    """
    values: dict[str, Any] = {}
    for clause in between.split(text):
        said = read(" ".join(clause.casefold().split()).strip(" .")) if clause.strip(" .") else {}
        if said is None:
            raise Unread("invalid", "clause", clause.strip())
        for field, value in said.items():
            values[field] = values.get(field, {}) | value if isinstance(value, dict) else value
    if not values:
        raise Unread("missing", "clause", text.strip())
    return values


def format_clauses(values: Mapping[str, Any], spellings: Mapping[str, Spelling]) -> list[str]:
    """A clause for each field that has a value, in the order of the spellings; None is no value."""
    return [
        _clause(values[field], said)
        for field, said in spellings.items()
        if values.get(field) is not None
    ]


def _clause(value: object, said: Spelling) -> str:
    if not isinstance(said, str):
        return said(value)
    return f"{said} {('off', 'on')[value] if isinstance(value, bool) else value}"
