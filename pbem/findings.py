"""What an examination finds, as data; the `findings.words` of a package has each of its findings in
words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import msgspec


class Grade(StrEnum):
    """How well something is. Only what is broken keeps the service from doing its work."""

    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


_SIGNS = {Grade.OK: "ok     ", Grade.WARNING: "warning", Grade.BROKEN: "BROKEN "}


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at: what was seen, and what to do if it is not well. No password and no
    code is ever in it.
    """

    check: str
    grade: Grade
    words: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of the examination in this package, by their codes."""

    package: str

    def __call__(self, code: str, /, **facts: object) -> Finding:
        """The finding of this code, with its facts in words."""
        row = load_findings(self.package)[code]
        check, words, mend = (text.format_map(facts) for text in (row.check, row.words, row.mend))
        return Finding(check, row.grade, words, mend)


@cache
def load_findings(package: str) -> Mapping[str, Finding]:
    """All findings of a package by their codes, with the names of facts in braces."""
    text = (files(package) / "findings.words").read_text("utf-8")
    rows = (line.split(" | ") for line in text.splitlines() if line and not line.startswith("#"))
    return {code: Finding(check, Grade(grade), *said) for code, check, grade, *said in rows}


def format_finding(finding: Finding) -> str:
    """A finding in a line, and what to do in a second one."""
    told = f"{_SIGNS[finding.grade]}  {finding.check}: {finding.words}"
    return f"{told}\n         -> {finding.mend}" if finding.mend else told


def worst_of(findings: Iterable[Finding]) -> Grade:
    """Broken before doubtful before well."""
    grades = {finding.grade for finding in findings}
    return next((grade for grade in (Grade.BROKEN, Grade.WARNING) if grade in grades), Grade.OK)
