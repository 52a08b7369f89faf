"""What an examination finds; `findings.words` has each finding in words."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files

import msgspec


class Grade(StrEnum):
    """How well something is. Only what is broken keeps the service from doing its work."""

    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at: what was seen, and what to do if it is not well. No password and no
    code is ever in it.
    """

    check: str
    grade: Grade
    words: str
    mend: str = ""


def found(code: str, **facts: object) -> Finding:
    """The finding of this code, with its facts in words."""
    row = load_findings()[code]
    said = (text.format_map(facts) for text in (row.check, row.words, row.mend))
    check, words, mend = said
    return Finding(check, row.grade, words, mend)


@cache
def load_findings() -> Mapping[str, Finding]:
    """All findings by their codes, with the names of facts in braces."""
    text = (files(__package__) / "findings.words").read_text("utf-8")
    rows = (line.split(" | ") for line in text.splitlines() if line and not line.startswith("#"))
    return {code: Finding(check, Grade(grade), *said) for code, check, grade, *said in rows}
