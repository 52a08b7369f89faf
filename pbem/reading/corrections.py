"""Corrections and rulings of a game master: a table of forms, read and written by one parser.

A correction names one thing and its new value, in any order of words. If anything is left over,
missing or ambiguous, we ask.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Correction
from pbem.reading.terms import Names, Term

_RULING = re.compile(
    r"(?:gm )?(?:rule|rules|ruling|ruled)\b(?: that\b)?[ :]*(?P<text>.*)", re.DOTALL | re.IGNORECASE
)


_SLOT = re.compile(r"\{(?P<field>\w+)(?P<listed>\*?):(?P<kind>\w+)\}")


@dataclass(frozen=True)
class CorrectionForm:
    """A kind of correction: its act, and its one spelling with the fields of the act and the kind
    of term that gives each (`winner {winners*:PLAYER}`: a list of it). `needs` are kinds that it
    needs besides.

    `by` are kinds that tell that it is meant where something is missing (those that it needs, if
    none are told), `may` those that say nothing in it, `sets` what else the act says.
    """

    act: str
    text: str
    needs: str = ""
    by: str | None = None
    may: str = ""
    sets: Mapping[str, object] = field(default_factory=dict)

    def is_meant(self, kinds: AbstractSet[str]) -> bool:
        return not kinds.isdisjoint((self.needs if self.by is None else self.by).split())

    def wrong(self, terms: Sequence[Term]) -> tuple[bool, list[str]]:
        """Whether terms are left over, and the kinds that are missing."""
        said = Counter(term.kind for term in terms if term.kind not in self.may.split())
        slots = [slot["kind"] for slot in _SLOT.finditer(self.text)]
        needed = Counter([*slots, *self.needs.split()])
        return bool(said - needed), [*(needed - said)]

    def correction(self, terms: Sequence[Term], names: Names) -> Correction:
        act: dict[str, object] = {"act": self.act, **self.sets}

        def tell(slot: re.Match[str]) -> str:
            term = next(term for term in terms if term.kind == slot["kind"])
            act[slot["field"]] = [term.value] if slot["listed"] else term.value
            return names.spelling(term)

        text = _SLOT.sub(tell, self.text)
        return Correction(act, text)


def read_form(
    forms: Sequence[CorrectionForm],
    terms: Sequence[Term],
    names: Names,
    unread: Unread,
    missing: Mapping[str, str] | None = None,
) -> Correction:
    """The correction that the terms are. Unread: this one, or with `missing`, which tells by kind
    what is, the nearest to what is wrong.
    """
    wrong = [(form, *form.wrong(terms)) for form in forms]
    for form, spare, lacks in wrong:
        if not spare and not lacks:
            return form.correction(terms, names)
    kinds = {term.kind for term in terms}
    meant = [(spare, lacks) for form, spare, lacks in wrong if form.is_meant(kinds)]
    if missing is None or not meant:
        raise unread
    for spare, lacks in meant:
        if not spare and missing.keys() >= {*lacks}:
            raise Unread("missing", missing[lacks[0]], unread.written, unread.nearest)
    if all(spare for spare, _ in meant):
        raise Unread("ambiguous", unread.what, unread.written, unread.nearest)
    raise unread


def ruling_in(written: str, most: int) -> Correction | None:
    """A ruling in free words, at most `most` characters long (`rule: a tie is a loss`); None for
    any other text.
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
