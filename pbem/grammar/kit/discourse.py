"""Discourse as a table (`reach.table`): what a cue does with what was said before it, by what
follows it. In doubt the table says ask; what it does not name is asked too.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

CUES = {
    "CORRECT": "correct",
    "SOFTLY": "soft",
    "INSTEAD": "instead",
    "RETRACT": "retract",
    "SCRATCH": "retract",
    "DRAFT": "draft",
}
"""Kinds of lexemes that are cues, and their names in the table."""


@dataclass(frozen=True, slots=True)
class CueRow:
    """One line of the table."""

    cue: str
    follows: str
    reach: str
    deed: str


@lru_cache(maxsize=1)
def reach_table() -> tuple[CueRow, ...]:
    """The table, in its order. ValueError for a line of another form."""
    rows = []
    for line in (files(__package__) / "reach.table").read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            fields = [field.strip() for field in line.split("|")]
            if len(fields) != 4:
                raise ValueError(f"no line of the table of reach: {line!r}")
            rows.append(CueRow(*fields))
    return tuple(rows)


@lru_cache(maxsize=128)
def row_of(cue: str, follows: str) -> CueRow:
    """What this cue does before this."""
    for row in reach_table():
        if row.cue == cue and row.follows in (follows, "*"):
            return row
    return CueRow(cue, follows, "message", "ask")
