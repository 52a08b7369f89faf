"""The words of a question, each with its one meaning: words of ours, numbers, kingdoms. Every word
counts: of what is said otherwise the answer would be that to another question.
"""

from collections.abc import Sequence

from rapidfuzz import fuzz, process

from engine.sovereigns.view import TableView
from pbem.grammar.kit.reading import Unclear
from pbem.reading.terms import Name, Names, Term, name_of, our_terms, terms_by_name

_DIGITS, _PREFIX = 4, 3


def parts_of(view: TableView, asked: str) -> list[Term]:
    """What a question says, the longest phrases first, fillers left out. Unclear for words that
    mean nothing here.
    """
    names = _TableNames(view)
    found: list[Term] = []
    for words, meant in names.phrases(name_of(asked)):
        if not meant:
            raise names.unknown(words[0])
        found += meant
    return [part for part in found if part.kind != "FILLER"]


class _TableNames(Names):
    """Our words, and kingdoms by name, ruler and seat; a name that several have is nobody's."""

    def __init__(self, view: TableView) -> None:
        named = terms_by_name(
            (name, Term("KINGDOM", number=kingdom.number))
            for kingdom in view.kingdoms
            for name in (kingdom.name, kingdom.ruler, f"seat {kingdom.seat}")
        )
        self._named = {name: meant for name, meant in named.items() if len(meant) == 1}
        super().__init__((our_terms(__package__, "questions.words"), self._named))

    def meanings(self, words: Name) -> Sequence[Term]:
        if len(words) == 1 and words[0].isdecimal() and len(words[0]) > _DIGITS:
            return ()
        found = super().meanings(words)
        return found or (self._begun(words[0]) if len(words) == 1 else ())

    def _begun(self, word: str) -> Sequence[Term]:
        """A kingdom by the beginning of its name or its ruler's. Unclear if several begin so."""
        word = word.removesuffix("'s").removesuffix("'")
        if len(word) < _PREFIX:
            return ()
        meant = {
            part: " ".join(name)
            for name, (part,) in self._named.items()
            if name[0].startswith(word)
        }
        if len(meant) > 1:
            raise Unclear("which-kingdom", word=word, among=tuple(meant.values()))
        return tuple(meant)

    def unknown(self, word: str) -> Unclear:
        """With the known word that is nearest to it."""
        named = (name for terms in (self._named, self.ranked[0]) for name in terms)
        known = [" ".join(name) for name in named if len(name[0]) > 1]
        near = process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=self.sure)
        return Unclear("unknown-word", word=word[:40], nearest=() if near is None else (near[0],))
