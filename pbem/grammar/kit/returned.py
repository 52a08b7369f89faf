"""A list of ours that comes back: quoted, to be left alone, or with a line marked."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from msgspec import Struct

from pbem.grammar.kit.edits import Edit, Numbers
from pbem.grammar.kit.normalise import Plain, fold

_LONGEST = 300
"""Characters of a line that may be marked."""
_LINES = 400
"""Lines that are looked at."""
_NUMBERING = re.compile(r"[\s>]*(?:[-*•]\s*)?(?:(?:order |line |no\.? ?)?(\d{1,2})\s*[.):]\s+)?")
_MARK = re.compile(
    r"(?P<line>.+?)\s?(?:(?:<[-=~]*|[←⟵⇐])\s*(?P<mark>.+)"
    r"|[(\[]\s*(?P<note>(?:please )?(?:drop|cancel|delete|remove|scrap|not)\b[^)\]]{0,80})[)\]])"
    r"\s*\Z",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"(?:please |pls )?(?:(?:drop|cancel|delete|remove|scrap|scratch|skip|forget|take)"
    r"(?: (?:this|that|it))?(?: (?:one|line|order))?(?: (?:out|back|off))?|not this(?: one)?|out"
    r"|off|gone|no longer|this (?:one )?(?:is )?(?:out|off|goes|cancelled))"
    r"(?:,? please|,? pls)?[\s!.]*\Z"
)
_QUOTES = re.compile(
    r"\s*(?:you|(?:the|your) (?:receipt|mail|message|letter|bot)) (?:just )?(?:wrote|said|sent"
    r"|told me|understood|have|had|noted|says?)\b[^:\n]*:\s*\Z"
)


def may_quote(text: str) -> bool:
    """Whether a line of it may say that what is below is ours."""
    return any(line.rstrip().endswith(":") for line in text.splitlines())


class Returned(Struct, frozen=True):
    """`edits` of marked lines; where lines stand that are `quoted`, and where those that are said
    again (`again`), with which they are. `listed`: which lines a quoted list has that has no
    numbers, None for one that does not stand.
    """

    edits: list[Edit] = []
    quoted: list[tuple[int, int]] = []
    again: list[tuple[tuple[int, int], int]] = []
    listed: tuple[int | None, ...] = ()


def returned_in(plain: Plain, texts: Sequence[str], parse: Callable[[str], object]) -> Returned:
    """The lines of such a list. `texts` are those that stand; `parse` raises ValueError for what is
    no canonical text.
    """
    known = {_bare(text): i for i, text in reversed([*enumerate(texts)])}
    edits: list[Edit] = []
    again: list[tuple[tuple[int, int], int]] = []
    quoted: list[tuple[int, int]] = []
    listed: list[tuple[str, int | None]] = []
    at, is_quote = 0, False
    for line in plain.original.splitlines(keepends=True)[:_LINES]:
        numbering = _NUMBERING.match(line)
        start = at + (numbering.end() if numbering is not None else 0)
        said, number = plain.original[start : at + len(line)].strip(), (numbering or [""])[1] or ""
        at += len(line)
        place = _place(plain, at - len(line), at)
        is_cited = line.lstrip().startswith(">")
        is_ours = bool(said) and (
            _bare(said) in known or ((is_quote or is_cited) and _is(parse, said))
        )
        if _QUOTES.match(fold(line)):
            is_quote = True
            quoted.append(place)
        elif is_ours:
            listed += [(number, known.get(_bare(said)))] * (is_quote or is_cited)
            if is_quote:
                quoted.append(place)
            elif not is_cited:
                again.append((place, known[_bare(said)]))
        elif said:
            is_quote = False
            edit = _marked(plain, known, said, start, place)
            edits += [edit] if edit is not None else []
    unnumbered = bool(listed) and not any(number for number, _ in listed)
    lines = tuple(place for _, place in listed) if unnumbered else ()
    return Returned(edits, quoted, again, lines)


def _marked(
    plain: Plain, known: dict[str, int], said: str, start: int, place: tuple[int, int]
) -> Edit | None:
    """A line of the list with a mark: that it goes, or what takes its place."""
    hit = _MARK.match(said) if len(said) < _LONGEST else None
    if hit is None or _bare(hit["line"]) not in known:
        return None
    number = (Numbers((known[_bare(hit["line"])] + 1,)),)
    group = "mark" if hit["mark"] is not None else "note"
    if _DROPS.match(fold(hit[group])):
        return Edit("drop", number, *place)
    if group == "note":
        return None
    return Edit("change", number, *place, _place(plain, *(start + x for x in hit.span(group))))


def _bare(text: str) -> str:
    return "".join(sign for sign in fold(text) if sign.isalnum())


def _is(parse: Callable[[str], object], said: str) -> bool:
    try:
        parse(said)
    except ValueError:
        return False
    return True


def _place(plain: Plain, start: int, end: int) -> tuple[int, int]:
    """Where in the folded text a place of the original is."""
    first, last = (min(bisect_left(plain.where, x), len(plain.text)) for x in (start, end))
    return first, last - (plain.text[first:last].endswith("\n"))
