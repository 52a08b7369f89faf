"""Corrections and rulings of a game master: a table of forms, read and written by one parser.

A correction names one thing and its new value, in any order of words. If anything is left over,
missing or ambiguous, we ask.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Correction
from pbem.reading.terms import Names, Term

_RULING = re.compile(
    r"(?:gm )?(?:rule|rules|ruling|ruled)\b(?: that\b)?[ :]*(?P<text>.*)", re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True)
class Form:
    """A kind of correction: its act, its one spelling, and the kinds of terms that it needs, each
    behind the field that it gives (`player:PLAYER`; `winners*:PLAYER` is a list of it).

    `by` are kinds that tell that it is meant where something is missing, `may` those that say
    nothing in it, `sets` what else the act says.
    """

    act: str
    text: str
    needs: str
    by: str = ""
    may: str = ""
    sets: Mapping[str, object] = field(default_factory=dict)

    @property
    def _slots(self) -> Iterator[tuple[str, str]]:
        for need in self.needs.split():
            name, _, kind = need.rpartition(":")
            yield name, kind

    def wrong(self, terms: Sequence[Term]) -> tuple[bool, list[str]]:
        """Whether terms are left over, and the kinds that are missing."""
        said = Counter(term.kind for term in terms if term.kind not in self.may.split())
        needed = Counter(kind for _, kind in self._slots)
        return bool(said - needed), [*(needed - said)]

    def correction(self, terms: Sequence[Term], names: Names) -> Correction:
        by_kind = {term.kind: term for term in terms}
        act: dict[str, object] = {"act": self.act, **self.sets}
        told: dict[str, str] = {}
        for name, kind in self._slots:
            slot, term = name.removesuffix("*"), by_kind[kind]
            told[slot] = names.spelling(term)
            if slot:
                act[slot] = term.value if name == slot else [term.value]
        return Correction(act, self.text.format(**told))


def read_form(
    forms: Sequence[Form],
    terms: Sequence[Term],
    names: Names,
    unread: Unread,
    missing: Mapping[str, str],
) -> Correction:
    """The correction that the terms are. Unread: this one, or `missing` tells by kind what is."""
    wrong = [(form, *form.wrong(terms)) for form in forms]
    for form, spare, lacks in wrong:
        if not spare and not lacks:
            return form.correction(terms, names)
    said = {term.kind for term in terms}
    meant = [(spare, lacks) for form, spare, lacks in wrong if said & {*form.by.split()}]
    told = [missing.get(lacks[0]) for spare, lacks in meant if not spare]
    what = next(filter(None, told), None)
    if what is not None:
        raise Unread("missing", what, unread.written, unread.nearest)
    if meant and not told:
        raise Unread("ambiguous", unread.what, unread.written, unread.nearest)
    raise unread


def ruling_in(written: str, most: int) -> Correction | None:
    """A ruling in free words of so many characters (`rule: a shield counts once`); None if it is
    none.
    """
    found = _RULING.fullmatch(written)
    if found is None:
        return None
    told = without_quotes(found["text"])
    if not told or len(told) > most:
        raise Unread("invalid" if told else "missing", "text")
    return Correction({"act": "rule", "text": told}, f"rule: {told}", is_said=True)


def without_quotes(words: str) -> str:
    words = words.strip()
    while len(words) > 1 and words[0] in "\"“„«'" and words[-1] in "\"”“»'":
        words = words[1:-1].strip()
    return words
