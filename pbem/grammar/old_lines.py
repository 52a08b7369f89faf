"""The lines of the old judges (njudge, DPjudge) as data, in `veterans.words`."""

import re
from functools import cache
from importlib.resources import files

MOST_CHARACTERS = 120
SLUG = r"[A-Za-z][\w-]{0,37}"
_WITHIN = {
    "{SLUG}": SLUG,
    "{DATE}": r"(?:[a-z]{3,9} )?[a-z]?\d{1,4}(?:[a-z]{1,2}|[:.]\d\d)?(?: [a-z]{3,9})?",
    "{TURN}": r"(?:[SFAW]\d{4}[MRAB]|(?:spring|summer|fall|autumn|winter) \d{4}(?: \w{1,12})?)",
}


@cache
def load_pairs(section: str) -> tuple[tuple[str, str], ...]:
    """What stands on each line of a section, left and right of its arrow."""
    text = (files(__package__) / "veterans.words").read_text("utf-8")
    lines = text.partition(f"[{section}]\n")[2].partition("\n[")[0].splitlines()
    pairs = (line.rpartition(" -> ") for line in lines if line)
    return tuple((left, right) for left, _, right in pairs)


@cache
def load_patterns(section: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of a section, each with what it means."""
    return tuple((_pattern(left), right) for left, right in load_pairs(section))


def _pattern(text: str) -> re.Pattern[str]:
    for name, pattern in _WITHIN.items():
        text = text.replace(name, pattern)
    exact = text.removeprefix("CASE ")
    return re.compile(exact, re.IGNORECASE if exact == text else 0)


def translate(line: str, section: str) -> str | None:
    """What a line says in our words, by the patterns of a section; None for another line."""
    for pattern, ours in load_patterns(section):
        found = pattern.fullmatch(line)
        if found is not None:
            return found.expand(ours)
    return None
