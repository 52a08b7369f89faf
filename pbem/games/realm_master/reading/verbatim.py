"""Lines of a message that are taken as they stand: objections, lines with an empty box, and those
that say who wrote what is quoted below.
"""

import re

from engine.realm_master import orders as o
from pbem.games.realm_master.reading.entries import PieceEntry
from pbem.games.realm_master.reading.problems import problem_of
from pbem.grammar.kit.normalise import Plain, blanked

_UNTICKED = re.compile(r"[ \t]*(?:[-*•][ \t]*)?\[ ?\][ \t]*\S")
_OBJECTION = re.compile(
    r"[^\n]*?\bobject to turn (\d{1,6})[ ,:]*(?:because|since|as)?[ ,:]*([^\n]*)", re.IGNORECASE
)
_WROTE = re.compile(r"[^\n]*\bwrote\b[^\n]{0,40}:[ \t]*")


def without_lines(text: str, plain: Plain) -> tuple[str, list[PieceEntry]]:
    """A folded text without these lines, and what they say; `plain` is the text of the message."""
    offset, taken, entries = 0, [], list[PieceEntry]()
    for line in text.splitlines(keepends=True):
        end = offset + len(line.rstrip())
        objection = _OBJECTION.match(line)
        if objection is not None:
            start, last = plain.span(offset + objection.start(2), offset + objection.end(2))
            reason = " ".join(plain.original[start:last].split()) or "no reason given"
            entries.append(PieceEntry(offset, end, [o.Objection(int(objection[1]), reason)]))
            taken.append((offset, end))
        elif _UNTICKED.match(line):
            entries.append(PieceEntry(offset, end, problems=[problem_of(None)]))
            taken.append((offset, end))
        elif _WROTE.fullmatch(line.rstrip()) and _is_quoted(plain, end):
            taken.append((offset, end))
        offset += len(line)
    return blanked(text, taken), entries


def _is_quoted(plain: Plain, end: int) -> bool:
    """Whether what is below this place is a quotation, of which nothing is left here."""
    place = plain.where[end] if end < len(plain.where) else len(plain.original)
    return plain.original[place:].lstrip().startswith(">")
