"""The words of a game master and of a player who asks, as terms: words of ours, numbers, and what
has a name at the table. A game tells its words in a file and what is named; where another word
stands, we ask.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from rapidfuzz import fuzz, process

from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.vocabulary import parse_words

_TOKEN = re.compile(r"(?<!\w)-\d+(?!\w)|\d+(?:'s(?!\w))?|[^\W\d_]+(?>(?:['.-][^\W\d_]+)*)'?+|\S")
_NUMBER = re.compile(r"-?\d+")

Name = tuple[str, ...]
"""A name as the words it is of."""


@dataclass(frozen=True, slots=True)
class Term:
    """A kind of our words, of names, or NUMBER; which one, or how many. `text` is its name, if it
    has one, `said` the words of it.
    """

    kind: str
    key: str = ""
    number: int = 0
    text: str = ""
    said: str = field(default="", compare=False)

    @property
    def value(self) -> str | int:
        return self.key or self.number

    def __str__(self) -> str:
        return self.text or str(self.value)


Terms = Mapping[Name, tuple[Term, ...]]
"""What each name may mean."""


def name_of(text: str) -> Name:
    return tuple(_TOKEN.findall(fold(text)))


@cache
def our_terms(package: str, *names: str) -> Terms:
    """The words of these files of a package; `AMOUNT-GOLD` is a kind and its key, and a NUMBER
    counts its words. A comma says nothing.
    """
    found: dict[Name, tuple[Term, ...]] = {(",",): (Term("FILLER"),)}
    for name in names:
        for told, phrases in parse_words(files(package) / name):
            kind, _, key = told.partition("-")
            for i, phrase in enumerate(phrases, start=1):
                found[name_of(phrase)] = (Term(kind, key.lower(), i if kind == "NUMBER" else 0),)
    return found


@cache
def spotted_words(package: str, name: str) -> Mapping[str, re.Pattern[str]]:
    """The words of each kind of a file as they are spotted anywhere in a text; `*` stands for any
    letters, `#` for digits.
    """
    return {
        kind: re.compile("|".join(map(_spotted, sorted(phrases, key=len, reverse=True))))
        for kind, phrases in parse_words(files(package) / name)
    }


def _spotted(phrase: str) -> str:
    edges = [r"\b" if sign.isalnum() or sign in "*#" else "" for sign in (phrase[0], phrase[-1])]
    return re.escape(phrase).replace(r"\*", r"\w*").replace(r"\#", r"\d+").join(edges)


def terms_by_name(named: Iterable[tuple[str, Term]]) -> dict[Name, tuple[Term, ...]]:
    """The terms by their names; a name without words does not count."""
    found: dict[Name, tuple[Term, ...]] = {}
    for name, term in named:
        known = found.setdefault(name_of(name), ())
        found[name_of(name)] = known if term in known else (*known, term)
    found.pop((), None)
    return found


def once(terms: Iterable[Term]) -> list[Term]:
    """The terms without those that are said again; numbers and places stay."""
    found: list[Term] = []
    for term in terms:
        if term.kind in ("NUMBER", "PLACE") or term not in found:
            found.append(term)
    return found


@dataclass(frozen=True)
class Names:
    """What words may mean, that which comes first before all others."""

    ranked: Sequence[Terms]
    sure: float = 75.0
    """How near a word with a slip is."""

    def meanings(self, words: Name) -> Sequence[Term]:
        """What these words or their genitive may mean; empty for words that we do not know."""
        if len(words) == 1 and _NUMBER.fullmatch(words[0]):
            return (Term("NUMBER", number=int(words[0])),)
        bare = (*words[:-1], words[-1].removesuffix("'s").removesuffix("'"))
        told = (terms.get(said) for terms in self.ranked for said in (words, bare))
        return next((found for found in told if found), ())

    def spelling(self, term: Term) -> str:
        """The words for it that mean nothing else."""
        return str(term)

    def apart(self, term: Term) -> str:
        """The words for it where its name may mean others."""
        return self.spelling(term)

    def sole(self, term: Term, names: Iterable[str]) -> str:
        """The first of the names of a player that means nobody else, or the number."""
        for name in names:
            words = name_of(name)
            if words and tuple(self.meanings(words)) == (term,):
                return name
        return f"player {term.number}"

    def phrases(self, words: Name) -> Iterator[tuple[Name, Sequence[Term]]]:
        """The longest phrases that mean something, from left to right, with what they may; and the
        words that mean nothing.
        """
        at, longest = 0, max(len(name) for terms in self.ranked for name in terms)
        while at < len(words):
            for end in range(min(at + longest, len(words)), at, -1):
                meant = self.meanings(words[at:end])
                if meant:
                    break
            yield words[at:end], meant
            at = end

    def terms_in(self, written: str, unread: Unread) -> list[Term]:
        """What the words say, without fillers. Unread (this one, where nothing nearer can be said)
        for other words, and for a name that may mean several.
        """
        found: list[Term] = []
        left: list[str] = []
        for words, meant in self.phrases(name_of(written)):
            said = " ".join(words)
            if len(meant) > 1:
                raise Unread("ambiguous", "correction", said, tuple(map(self.apart, meant)))
            left += () if meant else words
            found += [replace(term, said=said) for term in meant]
        if left:
            raise self.no_such(" ".join(left), found) or unread
        return [term for term in found if term.kind != "FILLER"]

    def no_such(self, left: str, found: Sequence[Term]) -> Unread | None:
        """A name with a slip, if one is near to the words that mean nothing, next to those that
        were found.
        """
        named = {
            " ".join(name): meant
            for terms in reversed(self.ranked)
            for name, meant in terms.items()
            if meant[0].text
        }
        near = process.extractOne(left, list(named), scorer=fuzz.ratio, score_cutoff=self.sure)
        if near is None:
            return None
        nearest = tuple(dict.fromkeys(map(self.spelling, named[near[0]])))
        return Unread("invalid", "no-such", left, nearest)
