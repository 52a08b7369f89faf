"""A clear message with one word of its game changed: another in its place, one more beside it, or
one that is left out.

What the words of a game are, what an order says with them, and which there are besides, comes from
the game's own coverage and lexicon.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from random import Random

from pbem.games.fortresses.reading import coverage as fortresses
from pbem.games.fortresses.reading import reader as fortresses_reader
from pbem.games.fortresses.reading.lexer import lexemes_here as fortresses_lexemes
from pbem.games.fortresses.reading.words import vocabulary as fortresses_words
from pbem.games.protectors.reading.coverage import coverage_in as protectors_coverage
from pbem.games.protectors.reading.dialect import lexicon as protectors_words
from pbem.games.protectors.reading.position import Position as ProtectorsPosition
from pbem.games.protectors.reading.reader import people_of as protectors_people
from pbem.games.realm_master.reading import reader as realm
from pbem.games.realm_master.reading.coverage import coverage_in as realm_coverage
from pbem.games.realm_master.reading.words import vocabulary as realm_words
from pbem.games.sovereigns.reading.coverage import coverage_in as sovereigns_coverage
from pbem.games.sovereigns.reading.position import Position as SovereignsPosition
from pbem.games.sovereigns.reading.words import vocabulary as sovereigns_words
from pbem.grammar.kit.coverage import Coverage
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.vocabulary import Vocabulary
from tests.games.reading.phrases import Phrase

TRIES = 40
NAMES = frozenset({"WHO", "KINGDOM", "HERO"})
KINDS = (*sorted(NAMES), "NUM", "PLACE", "LAND", "CARD")
NUMBERS = tuple(map(str, range(1, 10)))
PROVINCES = tuple(f"P{number}" for number in range(1, 9))


def _protectors(phrase: Phrase) -> Coverage:
    state, me = phrase.at.state, phrase.player
    return protectors_coverage(
        ProtectorsPosition(state, me, protectors_people(state, me), phrase.standing)
    )


def _realm_master(phrase: Phrase) -> Coverage:
    state, me = phrase.at.state, phrase.player
    return realm_coverage(realm.position_of(state, me), me, realm.people_of(state, me))


def _fortresses(phrase: Phrase) -> Coverage:
    state, me = phrase.at.state, phrase.player
    people = fortresses_reader.people_of(state, me)

    def read(text: str) -> list[Lexeme]:
        plain = normalise(text)
        return fortresses_lexemes(plain.text, plain, people, state.year)[0]

    return fortresses.coverage_of(me, read)


def _sovereigns(phrase: Phrase) -> Coverage:
    return sovereigns_coverage(
        SovereignsPosition(phrase.at.state, phrase.player, phrase.standing.orders)
    )


COVERAGE: Mapping[str, Callable[[Phrase], Coverage]] = {
    "protectors": _protectors,
    "realm_master": _realm_master,
    "fortresses": _fortresses,
    "sovereigns": _sovereigns,
}
WORDS: Mapping[str, Callable[[], Vocabulary]] = {
    "protectors": protectors_words,
    "realm_master": realm_words,
    "fortresses": fortresses_words,
    "sovereigns": sovereigns_words,
}


@dataclass(frozen=True)
class Change:
    """A message with one word changed; `kind` is of which kind the word was and now is."""

    kind: str
    word: str
    text: str


@dataclass(frozen=True)
class Changed:
    """The changes of a clear phrase."""

    game: str
    phrase: Phrase

    @cached_property
    def coverage(self) -> Coverage:
        return COVERAGE[self.game](self.phrase)

    @cached_property
    def said(self) -> set[object]:
        """What its orders say."""
        read = self.coverage.read
        lexemes = (lexeme for text in self.phrase.means for lexeme in read(text))
        return {key for lexeme in lexemes for key in self.coverage._keys(lexeme)}

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        """Where the parts of the message stand that orders came of, and nothing else."""
        text, found, at = self.phrase.text, [], 0
        for item in self.phrase.reading(text).items:
            start = text.find(item.quote, at)
            if item.orders and start >= 0:
                at = start + len(item.quote)
                found.append((start, at))
        return found

    def _says(self, lexeme: Lexeme, plain: Plain) -> bool:
        """It stands in an order, which says it."""
        start, end = plain.span(lexeme.start, lexeme.end)
        return not self.is_new(lexeme) and any(
            first <= start and end <= last for first, last in self.parts
        )

    def words(self, text: str) -> list[Lexeme]:
        """The words of the game in it."""
        read = self.coverage.read(text)
        return [x for x in read if x.end > x.start and self.coverage._is_of_game(x)]

    def is_new(self, lexeme: Lexeme) -> bool:
        """None of the orders says it."""
        return self.coverage._is_new(lexeme, self.said)

    def others(self, random: Random) -> Iterator[str]:
        """Words of the game, without end; a weak one says nothing by itself."""
        terms = self.coverage.terms
        groups = _words_of(self.game, (terms.verbs - terms.weak) | terms.things | terms.marks)
        names = self.phrase.at.cases.names_of(self.phrase.at.state)
        groups = [*groups, tuple(names), NUMBERS, PROVINCES]
        while True:
            yield random.choice(random.choice(groups))

    def changes(self, random: Random) -> Iterator[Change]:
        """Words that were used replaced, or others added beside them, which no order says; of so
        many tries.
        """
        text = self.phrase.text
        plain = normalise(text)
        used = [x for x in self.words(text) if self._says(x, plain)]
        if not used:
            return
        for other in islice(self.others(random), TRIES):
            lexeme = random.choice(used)
            start, end = plain.span(lexeme.start, lexeme.end)
            match random.randrange(3):
                case 0:
                    told, at, made = lexeme.kind, start, f"{text[:start]}{other}{text[end:]}"
                case 1:
                    told, at, made = "", start, f"{text[:start]}{other} {text[start:]}"
                case _:
                    told, at, made = "", end + 1, f"{text[:end]} {other}{text[end:]}"
            folded = normalise(made)
            for x in self.words(made):
                first, last = folded.span(x.start, x.end)
                if first == at and last == at + len(other) and self.is_new(x):
                    yield Change(f"{told}>{x.kind}", other, made)
                    break

    def deletions(self, random: Random) -> Iterator[Change]:
        """Each number, place, unit or player that an order says and the message says once, left
        out.
        """
        text = self.phrase.text
        plain = normalise(text)
        words = self.words(text)
        keys = Counter(map(self.coverage._key, words))
        for x in random.sample(words, len(words)):
            once = keys[self.coverage._key(x)] == 1
            if once and x.kind in self.told and self._says(x, plain):
                start, end = plain.span(x.start, x.end)
                yield Change(f"{x.kind}>", text[start:end], f"{text[:start]}{text[end:]}")

    def is_chosen(self, deleted: Change, random: Random) -> bool:
        """The position offers more than one value for a word: another in its place makes other
        orders, and nothing is to ask about. Where `all` makes the same ones there is no choice.
        """
        kind = deleted.kind.removesuffix(">")
        text = self.phrase.text
        start = next(
            i
            for i in range(len(text))
            if text == f"{deleted.text[:i]}{deleted.word}{deleted.text[i:]}"
        )
        if kind == "NUM" and self.phrase.outcome(f"{text[:start]}all{deleted.text[start:]}") == (
            self.phrase.means,
            (),
        ):
            return False
        same = [x for x in self.values if self._kind_of(x) == kind and x != deleted.word]
        for other in random.sample(same, min(len(same), TRIES)):
            means, codes = self.phrase.outcome(f"{text[:start]}{other}{deleted.text[start:]}")
            if means and means != self.phrase.means and not codes:
                return True
        return False

    @cached_property
    def told(self) -> frozenset[str]:
        """Kinds of words that are told apart by what they name."""
        return (self.coverage.terms.things | NAMES) & frozenset(KINDS)

    @cached_property
    def values(self) -> list[str]:
        """Words that name numbers, places, units or players."""
        names = self.phrase.at.cases.names_of(self.phrase.at.state)
        groups = [*_words_of(self.game, self.told), tuple(names), NUMBERS, PROVINCES]
        return sorted({word for group in groups for word in group})

    def _kind_of(self, word: str) -> str:
        """Of a word that is one of the game by itself, and "" of others."""
        read = self.words(word)
        return read[0].kind if len(read) == 1 and read[0].end == len(word) else ""


@lru_cache(maxsize=32)
def _words_of(game: str, wanted: frozenset[str]) -> list[tuple[str, ...]]:
    """The words of the lexicon that are of these kinds, by their kind."""
    kinds: dict[str, list[str]] = {}
    for phrases in WORDS[game]().phrases.values():
        for words, kind in phrases:
            kinds.setdefault(kind, []).append(" ".join(words))
    return [tuple(words) for kind, words in sorted(kinds.items()) if kind in wanted]
