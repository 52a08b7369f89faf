"""The words of a game: which kind each word or phrase is, read once from `kit.words` and the game's
own file.

A kind is a terminal of the grammar or steers conduct. One slip (a letter wrong, missing, doubled or
two swapped) in a command word of five letters or more is read; which words those are is the list
SLIPS, so that no name, province or number is ever guessed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rapidfuzz.distance import OSA

from engine.maps import Map
from pbem.grammar.kit.common import is_english, is_foreign
from pbem.grammar.kit.normalise import fold

SHORTEST_SLIP = 5
SETTINGS = frozenset({"SLIPS", "PEOPLE", "NAMES"})
"""Lines of a words file that list words or kinds, and give no word a meaning."""
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")

_SMALL = tuple(
    "and the from with into then all both rest for but them"
    " buy bid work hold send play keep roll move burn gold".split()
)
"""Small words in which two letters that are swapped are put right."""

Phrase = tuple[tuple[str, ...], str]
"""The words of a phrase, and its kind."""
Line = tuple[str, str, tuple[str, ...]]
"""Where a line of words stands, its kind and its phrases."""
Source = str | Traversable | list[Line]
"""A file of words, a text of its lines, or the lines."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Phrases by their first word, the longest first; all known words; the command words in which a
    slip is read. `people` are kinds of the game's words behind which a word may name a player;
    behind `names` even a single letter may.
    """

    phrases: Mapping[str, tuple[Phrase, ...]]
    known: frozenset[str]
    slips: tuple[str, ...]
    people: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    _read: dict[str, str | None] = field(default_factory=dict)
    _second: dict[str, Mapping[str, tuple[Phrase, ...]]] = field(default_factory=dict)

    def begun(self, first: str, second: str) -> tuple[Phrase, ...]:
        """The phrases that may begin with these words (the second read with a slip as well), the
        longest first; those of one word, and of one twice, are always among them.
        """
        if first not in self.phrases:
            return ()  # what is kept grows with our own words alone
        by_second = self._second.get(first)
        if by_second is None:
            by_second = self._second[first] = _by_second(first, self.phrases[first])
        if second not in by_second:
            second = self.without_slip(second) or ""
        return by_second.get(second, by_second[""])

    def written_out(self, word: str) -> str:
        """A word as it is spelt in full (`n`: and), if this vocabulary has no such word."""
        full = hurried().get(word)
        if full is None or any(known == (word,) for known, _ in self.phrases.get(word, ())):
            return word
        return full

    def knows(self, phrase: str) -> bool:
        """Whether these folded words are a phrase, or each of them is one."""
        words = tuple(phrase.split())
        if any(words == known for known, _ in self.phrases.get(words[0] if words else "", ())):
            return True
        return bool(words) and all(
            any(known == (word,) for known, _ in self.phrases.get(word, ())) for word in words
        )

    def without_slip(self, word: str) -> str | None:
        """The one command word this is with one slip, or the word that it draws out (`pleeease`);
        None if there is none, or more than one kind is possible.
        """
        if len(word) < SHORTEST_SLIP - 1 or word in self.known:
            return None
        drawn = next((short for short in shortened(word) if self.knows(short)), None)
        if drawn is not None:
            return drawn
        if word not in self._read:
            if len(self._read) > 10_000:
                self._read.clear()
            near = [slip for slip in self.slips if OSA.distance(word, slip, score_cutoff=1) <= 1]
            kinds = {self.phrases[slip][-1][1] if slip in self.phrases else slip for slip in near}
            self._read[word] = near[0] if len(kinds) == 1 else None
        return self._read[word]


def shortened(word: str) -> tuple[str, ...]:
    """A word without the letters that draw it out (`sooo`, `yesss`), which may stand for one or
    two; nothing where none do.
    """
    if not _STRETCHED.search(word):
        return ()
    return _STRETCHED.sub(r"\1\1", word), _STRETCHED.sub(r"\1", word)


def _by_second(first: str, phrases: Sequence[Phrase]) -> Mapping[str, tuple[Phrase, ...]]:
    """Phrases of a first word by their second; "": where no phrase has that."""
    always = {"", first}
    seconds = {words[1] for words, _ in phrases if len(words) > 1} | {""}
    return {
        second: tuple(
            (words, kind)
            for words, kind in phrases
            if len(words) == 1 or words[1] in always or words[1] == second
        )
        for second in seconds
    }


def parse_words(source: str | Traversable) -> list[tuple[str, tuple[str, ...]]]:
    """The lines `KIND: word, phrase of words` of a words file, or of a text of such lines.
    ValueError that names every line of another form.
    """
    return [(kind, phrases) for _, kind, phrases in _lines(source)]


def _lines(source: Source) -> list[Line]:
    if isinstance(source, list):
        return source
    name, text = ("line ", source) if isinstance(source, str) else (f"{source}:", _text_of(source))
    parsed, faults = [], []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        kind, colon, words = line.partition(":")
        phrases = tuple(" ".join(word.split()) for word in words.split(",") if word.strip())
        if not colon or not kind.isupper():
            faults.append(f"{name}{number}: not `KIND: word, word`: {line[:60]!r}")
        parsed.append((f"{name}{number}", kind, phrases))
    if faults:
        raise ValueError("; ".join(faults))
    return parsed


def _text_of(source: Traversable) -> str:
    try:
        return source.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{source}: not UTF-8: {error.reason}") from error


def build_vocabulary(*sources: Source) -> Vocabulary:
    """Put words files, or texts of their lines, together. ValueError that names every phrase with
    two kinds, and where both stand.
    """
    kinds: dict[str, tuple[str, str]] = {}
    settings: dict[str, list[str]] = {}
    faults: list[str] = []
    for source in sources:
        for place, kind, phrases in _lines(source):
            if kind in SETTINGS:
                settings.setdefault(kind, []).extend(phrases)
                continue
            for phrase in phrases:
                other, first = kinds.setdefault(phrase, (kind, place))
                if other != kind:
                    faults.append(f"{place}: {phrase!r} is {kind}, but {other} at {first}")
    if faults:
        raise ValueError("; ".join(faults))
    return vocabulary_of({phrase: kind for phrase, (kind, _) in kinds.items()}, settings)


def vocabulary_of(kinds: Mapping[str, str], settings: Mapping[str, Iterable[str]]) -> Vocabulary:
    """The vocabulary of phrases and their kinds, with the lines of `SETTINGS`."""
    by_first: dict[str, list[Phrase]] = {}
    known: set[str] = set()
    for phrase, kind in kinds.items():
        words = tuple(
            word.removesuffix("'s") for word in phrase.split()
        )  # a text is read without its genitives
        known.update(words)
        by_first.setdefault(words[0], []).append((words, kind))
    return Vocabulary(
        {
            first: tuple(sorted(found, key=lambda entry: -len(entry[0])))
            for first, found in by_first.items()
        },
        frozenset(known),
        tuple(word for word in settings.get("SLIPS", ()) if len(word) >= SHORTEST_SLIP),
        frozenset(settings.get("PEOPLE", ())),
        frozenset(settings.get("NAMES", ())),
    )


@lru_cache(maxsize=1)
def hurried() -> Mapping[str, str]:
    """Spellings of people in a hurry, and the words in full."""
    source = files("pbem.grammar.kit") / "chat.words"
    spelt = {word: full.lower() for full, words in parse_words(source) for word in words}
    return {swapped: full for full in _SMALL for swapped in _swaps_of(full)} | spelt


def _swaps_of(word: str) -> Iterable[str]:
    """The word with two letters that stand side by side in the wrong order; no other word."""
    for i in range(len(word) - 1):
        swapped = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        if swapped != word and not is_english(swapped) and not is_foreign(swapped):
            yield swapped


@lru_cache(maxsize=8)
def load_vocabulary(package: str, told: Map[Any] | None = None) -> Vocabulary:
    """The words of the kit and those of the `orders.words` in a game's package; with a map the
    names of its places, too.
    """
    kit = files("pbem.grammar.kit")
    places = () if told is None else (place_words(told),)
    return build_vocabulary(kit / "kit.words", files(package) / "orders.words", *places)


def place_words(told: Map[Any]) -> list[Line]:
    """All that places and coasts are called; `P0` is the first of `Map.keys`."""
    lines, slips = [], set[str]()
    for number, key in enumerate(told.keys):
        names = tuple(dict.fromkeys(" ".join(_plain(name)) for name in names_of(told, key)))
        lines.append((f"{told.source}{told.place(key).line}", f"P{number}", names))
        slips.update(word for name in names for word in name.split())
    return [*lines, (told.source, "SLIPS", tuple(sorted(slips)))]


def names_of(told: Map[Any], key: str) -> Iterator[str]:
    """All that a place or a coast is called: `Lund north coast`, `north coast of Lund`."""
    place, coast = told.place(key), key.partition("/")[2]
    if not coast:
        yield from place.spellings
        return
    part = place.coasts[coast]
    for tail in (coast, part.name, *part.aliases):
        for name in place.spellings:
            yield f"{name} {tail}"
            yield f"{tail} of {name}"


def _plain(name: str) -> list[str]:
    """The words of a name, without what stands between them (`St. Ives`)."""
    return re.findall(r"\w+", fold(name))


@lru_cache(maxsize=8)
def _spellings(told: Map[Any]) -> re.Pattern[str] | None:
    names = {tuple(_plain(name)) for key in told.keys for name in names_of(told, key)}
    odd = sorted((words for words in names if len(words) > 1), key=len, reverse=True)
    joined = "|".join(r"[ .'/(-]{1,3}".join(map(re.escape, words)) for words in odd)
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)\)?") if odd else None


def spelt_out(text: str, told: Map[Any]) -> str:
    """A folded text in which names of places have nothing but blanks between their words: `Lund
    (nc)`, `Lund/nc`, `St. Ives`. Everything stays where it is.
    """
    names = _spellings(told)
    return names.sub(_with_blanks, text) if names else text


def _with_blanks(found: re.Match[str]) -> str:
    """A name without its signs; a bracket that was opened before it is not one of them."""
    name = found[0] if "(" in found[0] else found[0].removesuffix(")")
    return re.sub(r"\W", " ", name) + found[0][len(name) :]
