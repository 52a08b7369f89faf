"""Paragraphs that ask what would happen: `what if I march 2 from P1 to P2 and Ben marches 3 from P3
to P2?`

Such a paragraph is a question from its `what if` to its end, and no part of it is ever read as an
order. Where `what if` stands in the middle of a line behind something else, nobody can tell where
the orders end: from there on the paragraph is no order either, and it is asked about.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.grammar.kit.normalise import Plain

_HAPPENS = r"(?:would|will|could|might|does)? ?(?:happens?|be|result|come of it|it come to|change)"
_IF = rf"what[ -]?if|what {_HAPPENS},? (?:if|when)"
_GREETING = (
    r"(?:hi|hello|hey|hallo|moin|dear|good (?:morning|day|afternoon|evening))(?: [^\W\d_]+){0,2}"
)
_LEAD = (
    r"and|but|so|now|then|also|or|ok|okay|well|hm+|please|pls|again|next|a question|one"
    r" question|one more question|question|q|"
    r"(?:i have|i've got|here is|here's) (?:a|one|another) question|i wonder|i am wondering|i'm"
    r" wondering|i was wondering|just wondering|"
    r"just curious|tell me|please tell me|(?:can|could) you tell me|show me|let me know"
)
_ASKING = (
    r"(?:(?:can|could|would|will|may|might) (?:you|i|we)(?: please)? )?(?:show me |give me |see"
    r" |get |have )?(?:an? |the )?"
)
_STORED = (
    r"(?:please|pls|my (?:orders|turn|moves)|(?:the )?orders|them|it|this|now|thanks|thank"
    r" you|for me)"
)
_PREVIEW = rf"{_ASKING}preview(?:(?: of)?[ ,:]+{_STORED}(?=[ .!?,:]|$))*(?: of)?"
"""With nothing behind it: of the orders that stand."""
_HALF = rf"if(?=[ ][^\n]*(?<!\w)what (?:{_HAPPENS}|then|now)\b)"
"""`if Ben marches to P3, what happens?`"""
_OPENS = re.compile(
    rf"[/*-]?[ ]*(?:\d{{1,2}}[.)][ ]*)?[\"']?(?:(?:{_GREETING}|{_LEAD})[ ,.:;!-]{{1,9}}){{0,4}}"
    rf"(?:(?:{_IF})|(?P<preview>{_PREVIEW})|{_HALF}|"
    rf"(?:let(?:'?s| us) )?suppos(?:e|ing)(?! (?:so|not)\b)|let(?:'?s| us) assume|predict)(?:,?"
    rf" that)?(?![\w-])[ ,:]*"
)
_ORDERING = (
    r"(?:if|what|march|move|attack|fortify|work|support|golden|delayed|send|hold|all|everything|me|i|we|p"
    r" ?\d|\d|#)"
)
_WORDS = ("what", "preview", "suppos", "assume", "predict")
"""One of them is in all that opens a question."""
_INSIDE = re.compile(rf"(?<![\w-])(?:(?:{_IF})(?![\w-])|preview(?=[ ,:]+{_ORDERING}))")


@dataclass(slots=True)
class Questions:
    """What was found: the questions (from, to) without their `what if`, where each begins with it,
    which of them are previews of what stands, all spans that are not to be read as orders, and
    among them those of which nobody can tell what they belong to.
    """

    asked: list[tuple[int, int]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    previews: set[int] = field(default_factory=set)
    spans: list[tuple[int, int]] = field(default_factory=list)
    loose: list[tuple[int, int]] = field(default_factory=list)


def find_questions(plain: Plain, is_letter: Callable[[str], bool]) -> Questions:
    """All such paragraphs, by their places in the folded text. `is_letter` tells of a line whether
    a letter or a note begins there: that continues to the end of its paragraph, whatever it says.
    """
    found = Questions()
    if not any(word in plain.text for word in _WORDS):
        return found
    at, state = 0, ""
    for line in plain.text.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        stripped = line.strip()
        first = start + len(line) - len(line.lstrip())
        if not stripped:
            state = ""
            continue
        if state == "letter" or (not state and is_letter(stripped)):
            state = "letter"
            continue
        opening = _OPENS.match(stripped)
        if opening is not None:
            of_stored = opening["preview"] is not None and not stripped[opening.end() :].strip(
                " .!?,:"
            )
            if of_stored:
                found.previews.add(len(found.asked))
            state = "" if of_stored else "question"
            found.asked.append((first + opening.end(), end))
            found.starts.append(start)
            found.spans.append((start, end))
            continue
        inside = None if state else _INSIDE.search(stripped)
        if inside is not None:
            state = "loose"
            found.loose.append((first + inside.start(), end))
            found.spans.append((first + inside.start(), end))
        elif state:
            group = found.asked if state == "question" else found.loose
            group[-1] = (group[-1][0], end)
            found.spans.append((start, end))
    return found
