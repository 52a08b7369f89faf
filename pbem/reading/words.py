"""Words by rule: what names a place without being its name (`French`, `Norwegian`, `the Irish`)."""

from collections.abc import Collection

_ENDINGS = ("ians", "ian", "eans", "ean", "ish", "ese", "ans", "an", "ites", "ite", "ers", "er")
_ENDINGS = (*_ENDINGS, "ch", "ic", "is", "i", "ns", "n", "s", "k", "ks", "mark", "markers")
SHORTEST = 4


def named_by(word: str, names: Collection[str]) -> frozenset[str]:
    """The names that a word is made of: it begins as one does, up to its last letter or so, and
    ends as such words do.
    """
    if len(word) < SHORTEST + 1:
        return frozenset()
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < SHORTEST:
            continue
        found = {name for name in names if name.startswith(stem)}
        if not found and len(stem) > SHORTEST:
            found = {name for name in names if name.startswith(stem[:-1])}
        if found:
            return frozenset(found)
    return frozenset()
