"""What people put below their words about themselves: names, posts, firms, ways to reach them.

Every question here is answered so that nothing that could be an order passes: a line with a word of
an order in it passes only where it plainly is part of a firm's name or a post (`Work Inc.`,
`Support Manager`).
"""

import re
from typing import Literal

from pbem.mail.inbound.phrases import flatten, pattern_of

Kind = Literal["sure", "mild", "other"]
"""A line below a name: `sure` tells a post, a firm or a way to reach somebody; `mild` may stand
above such a line; `other` is all else.
"""

CONTACT = re.compile(
    r"(?:https?://|www\.)\S+|<?[^\s@<>]{1,64}@[^\s@<>]{1,255}\.[a-z]{2,24}>?"
    r"|(?<!\w)(?:tel|phone|mobile|mobil|cell|fax|fon|telefon|tél|téléphone|móvil|тел|[tmf])\b[.:]{0,2}\s*(?=[+(\d])(?:\+?[\d(][\d\s()/.–-]{5,24})"
    r"|\+\d[\d\s()/.–-]{6,24}|(?<!\w)(?:web|e-?mail|mail|www|tel|phone|linkedin|skype)\s*:(?=\s)",
    re.IGNORECASE,
)
MAX_LINE_CHARS = 160
_MAX_SEGMENT_WORDS = 8
_PARTS = re.compile(r"(?:(?<!\s)\s++)?[|·•,;–—]\s*+|(?<!\s)\s++[-/]\s++")
_BRACKETED = re.compile(r"\([^()]{0,40}\)")
_NEVER = re.compile(r"[!?→]|->|=>|:(?!//)|^\s*(?:[-*•]|\d+[.)])\s")
_PLACE = re.compile(r"(?<!\w)[a-z]\d{1,2}(?!\w)")
_PLACE_FIRST = re.compile(r"[a-z]\d{1,2} [^\W\d]")
_FIGURE = re.compile(r"\d")
_POSTCODE = re.compile(r"(?<!\d)\d{4,6}(?!\d)")
_DECORATION = " \t*_~\"'“”-–—"
_NAME_CHARS = re.compile(r"[^\W\d_](?:[^\W\d]|[.'’-])*")
_SMALL = frozenset(
    "of the and for at in & + de du des da do dos das la le les et di del della dei e y von van zu"
    " zur der den für und im am op het en och og af av i z w na и по в и".split()
)


def is_name(text: str) -> bool:
    """`Anna`, `Dr. Anna B. Example`, `The Realm of Dragons`: up to six words with capitals and
    nothing else, no word of an order.
    """
    words = _BRACKETED.sub("", text).strip(_DECORATION + ",").split()
    if not 1 <= len(words) <= 6 or len(text) > 60 or words[0][0].islower():
        return False
    return (
        all(_NAME_CHARS.fullmatch(word) for word in words)
        and _is_titled(words)
        and not _orders(flatten(text))
    )


def grade(text: str) -> Kind:
    """What a line below a name, or the rest of the line behind it, is."""
    text = text.strip(_DECORATION)
    if len(text) > MAX_LINE_CHARS:
        return "other"
    reached = CONTACT.sub(" | ", text)
    if _NEVER.search(reached):
        return "other"
    addressed = _POSTCODE.search(reached) is not None
    kinds = [
        _grade_part(part.strip(_DECORATION), addressed=addressed)
        for part in _PARTS.split(reached)
        if part.strip(_DECORATION)
    ]
    if "other" in kinds:
        return "other"
    if reached != text or "sure" in kinds:
        return "sure"
    # A single word could be the name of anything that is an order by itself.
    return "mild" if len(text.split()) > 1 else "other"


def split_name(text: str) -> tuple[str, str]:
    """The name a line begins with, and what stands behind it: `Anna | P2 Consulting`, `Anna
    Example, CEO`.
    """
    found = _PARTS.search(text.strip(_DECORATION))
    stripped = text.strip(_DECORATION)
    return (stripped[: found.start()], stripped[found.end() :]) if found else (stripped, "")


def _grade_part(part: str, *, addressed: bool) -> Kind:
    flat = flatten(part)
    words = _BRACKETED.sub("", part).split()
    if len(words) > _MAX_SEGMENT_WORDS:
        return "other"
    titled = _is_titled(words)
    if titled and _is_firm(flat):
        return "sure"
    if _PLACE.search(flat):
        return "other"
    if _is_post(flat, titled=titled):
        return "sure"
    if _orders(flat) or (_FIGURE.search(flat) and not addressed):
        return "other"
    return "mild" if titled or (len(words) == 1 and len(part) <= 2) else "other"


def _is_firm(flat: str) -> bool:
    """`Work Inc.`, `P2 Consulting`; in what has a word of an order, or begins like a place, the
    word for a firm must close a short name.
    """
    found = list(pattern_of("organisation").finditer(flat))
    if not found or found[0].group() == flat:
        return False
    closes = found[-1].end() >= len(flat.rstrip(" .)")) or found[0].start() == 0
    places = len(_PLACE.findall(flat))
    short = len(flat.split()) <= 4
    if places:
        return (
            places == 1
            and bool(_PLACE_FIRST.match(flat))
            and short
            and closes
            and not _orders(flat)
        )
    return (closes and short) or not _orders(flat)


def _is_post(flat: str, *, titled: bool) -> bool:
    """`Head of Support`, `directrice générale`; with a word of an order in it the post must be
    written as one and close or govern it.
    """
    found = list(pattern_of("post").finditer(flat))
    if not found or _FIGURE.search(flat):
        return False
    if not _orders(flat):
        return titled or len(flat.split()) <= 5
    governs = found[0].start() == 0 and any(
        small in flat for small in (" of ", " for ", " de ", " für ")
    )
    return titled and (governs or found[-1].end() == len(flat))


def _orders(flat: str) -> bool:
    return pattern_of("ordering").search(flat) is not None


def _is_titled(words: list[str]) -> bool:
    """Whether every word has a capital, or a script that knows none, except for the small ones
    between and forms like `s.r.o.`
    """
    return all(
        not word[0].islower() or word.casefold() in _SMALL or "." in word[:-1] for word in words
    )
