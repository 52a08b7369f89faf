"""Rules of a table as clauses: each field that is set, in its words."""

from collections.abc import Callable, Mapping
from typing import Any

Spelling = str | Callable[[Any], str]
"""The words before a value, or before `on` and `off`; or what writes the clause."""


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
