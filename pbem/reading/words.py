"""Words by rule: what names a place without being its name (`French`, `Norwegian`), and order words
that are cut short or have a letter wrong.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.likeness import is_slip
from pbem.grammar.kit.vocabulary import Vocabulary

_ENDINGS = tuple(
    "ians ian eans ean ish ese ans an ites ite ers er ch ic is i ns n s k ks mark markers".split()
)
SHORTEST = 4
"""Letters of the beginning of a name, at least."""
SHORTEST_VERB = 3
SHORTEST_SLIP = 4


def named_by(word: str, names: Collection[str]) -> frozenset[str]:
    """The names that a word is made of: it begins as one does, up to its last letter or so, and
    ends as such words do.
    """
    for ending in _ENDINGS if len(word) > SHORTEST else ():
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < SHORTEST:
            continue
        found = {name for name in names if name.startswith(stem)}
        if not found and len(stem) > SHORTEST:
            found = {name for name in names if name.startswith(stem[:-1])}
        if found:
            return frozenset(found)
    return frozenset()


def slip_of(word: str, names: Mapping[str, str]) -> frozenset[str]:
    """What a word may name (by its spellings) with letters wrong."""
    if len(word) < SHORTEST_SLIP:
        return frozenset()
    return frozenset(
        meant for name, meant in names.items() if name[0] == word[0] and is_slip(word, (name,))
    )


class ByRule:
    """Words of some kinds, found by their beginning, or with letters wrong."""

    def __init__(self, vocabulary: Vocabulary, kinds: Collection[str]) -> None:
        self.words = {
            words[0]: kind
            for phrases in vocabulary.phrases.values()
            for words, kind in phrases
            if len(words) == 1 and kind in kinds and len(words[0]) >= SHORTEST_VERB
        }
        self.kind_of = lru_cache(maxsize=4096)(self._kind_of)

    def _kind_of(self, word: str) -> str | None:
        """The one kind that a word may be of."""
        if len(word) < SHORTEST_VERB or not word.isalpha():
            return None
        kinds = {
            kind
            for known, kind in self.words.items()
            if known.startswith(word) and len(known) >= SHORTEST_SLIP
        }
        if not kinds:
            kinds = {
                kind
                for known, kind in self.words.items()
                if known[0] == word[0]
                and (len(word) >= SHORTEST_SLIP or sorted(word) == sorted(known))
                and is_slip(word, (known,))
            }
        return next(iter(kinds)) if len(kinds) == 1 else None

    def mended(self, lexemes: Sequence[Lexeme]) -> list[Lexeme]:
        """The lexemes with words that nobody knows as what they are."""
        return [
            replace(lexeme, kind=kind)
            if lexeme.kind == "WORD" and (kind := self.kind_of(lexeme.text)) is not None
            else lexeme
            for lexeme in lexemes
        ]
