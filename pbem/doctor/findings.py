"""What an examination finds."""

from enum import StrEnum

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


def ok(check: str, words: str) -> Finding:
    return Finding(check, Grade.OK, words)


def warning(check: str, words: str, mend: str) -> Finding:
    return Finding(check, Grade.WARNING, words, mend)


def broken(check: str, words: str, mend: str) -> Finding:
    return Finding(check, Grade.BROKEN, words, mend)
