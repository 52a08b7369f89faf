"""The words of the house, read once from `house.words`: the lines that are a word, the words that
take something behind them, and what may stand there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MORE, LISTED, BETWEEN = "...", "?", "~"
_BEGINNING = re.compile(r"([^ :=,]*)(?: ([^ :=,]+))?")
_CHOICE = re.compile(r"(?P<kind>[(\[])(?P<parts>[^()\[\]]*+)[)\]]")


@dataclass(frozen=True, slots=True)
class HouseWords:
    """From phrases to the words they mean: whole lines, and what something follows; `values`, by
    their kinds: the phrases of what follows. `terminals` are all of them in the language of the
    grammar, `first` the two words that each begins with (the second is "" where it may be any), and
    `before` patterns of what stands behind those that are anything before it. `lists`: by their
    names, words that are no line's: the parts of a question, politeness.
    """

    lines: Mapping[str, str]
    taking: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    lists: Mapping[str, tuple[str, ...]]
    terminals: str
    first: Mapping[str, frozenset[tuple[str, str]]]
    before: Mapping[str, str]

    def knows(self, phrase: str) -> bool:
        """Whether it is a word of the house, alone or with something behind it."""
        return phrase in self.lines or phrase in self.taking

    def either(self, *names: str) -> str:
        """A pattern of the words of these lists."""
        return either_of(phrase for name in names for phrase in self.lists[name])


@cache
def load_words() -> HouseWords:
    """ValueError if a line of the file cannot be read, or a phrase means two words."""
    lines: dict[str, str] = {}
    taking: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    lists: dict[str, tuple[str, ...]] = {}
    between: dict[str, dict[str, str]] = {}
    text = (files(__package__) / "house.words").read_text("utf-8")
    for word, phrases in _entries(text):
        kind, _, value = word.strip(f"{MORE}{LISTED}{BETWEEN} ").partition(" = ")
        if word.startswith(LISTED):
            lists[kind] = phrases
            continue
        if word.startswith(MORE):
            table = values.setdefault(_symbol(kind), {})
        elif word.startswith(BETWEEN):
            table = between.setdefault(_symbol(kind), {})
        else:
            table = taking if word.endswith(MORE) else lines
        meant = value or kind
        for phrase in phrases:
            if table.setdefault(phrase, meant) != meant:
                raise ValueError(f"{phrase!r} is {table[phrase]} and {meant}")
    spelled = {
        **{f"_{word}": ("3", "$", said) for word, said in _by_word(lines)},
        **{f"_{word}_OF": ("2", "[ :=]+", said) for word, said in _by_word(taking)},
        **{kind: ("3", "$", said) for kind, said in values.items()},
        **{f"{kind}_OF": ("1", "[ :=]+", said) for kind, said in values.items()},
        **{f"_{name}": ("3", "$", said) for name, said in between.items()},
        **{f"_{name}_OF": ("1", "[ ,:=]+", said) for name, said in between.items()},
    }
    terminals = [
        f"{name}.{rank}: /{either_of(said)}{end}/" for name, (rank, end, said) in spelled.items()
    ]
    before = {
        f"BEFORE_{name}": rf"[^ ,][ ,]+(?={either_of(said)}(?:[ ,:=]|$))"
        for name, said in (*values.items(), *between.items())
    }
    terminals += [f"{name}.-1: /.{{0,199}}?{behind}/" for name, behind in before.items()]
    first = {name: frozenset(map(beginning_of, said)) for name, (_, _, said) in spelled.items()}
    return HouseWords(lines, taking, values, lists, "\n".join(terminals), first, before)


def beginning_of(line: str) -> tuple[str, str]:
    """The first word of a line, and the second behind a space; "": there is none."""
    found = _BEGINNING.match(line)
    return (found[1], found[2] or "") if found is not None else ("", "")


def _by_word(table: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """The symbols of words, with all that means them."""
    for word in dict.fromkeys(table.values()):
        yield _symbol(word), [phrase for phrase in table if table[phrase] == word]


def _symbol(word: str) -> str:
    return word.upper().replace(" ", "_")


def either_of(phrases: Iterable[str]) -> str:
    """A pattern of these, the longest first."""
    said = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
    return f"(?:{said})".replace("/", r"\/").replace("'", "['’]")


def _entries(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lines `WORD: phrase, phrase`."""
    for line in filter(str.strip, text.splitlines()):
        if line.startswith("#"):
            continue
        word, colon, phrases = line.partition(":")
        if not colon or not phrases.strip():
            raise ValueError(f"no line of the words of the house: {line[:60]!r}")
        yield word, tuple(said for phrase in phrases.split(",") for said in _spelled(phrase))


def _spelled(phrase: str) -> Iterator[str]:
    """Every phrase that one with choices in it stands for."""
    choice = _CHOICE.search(phrase)
    if choice is None:
        yield " ".join(phrase.split())
        return
    for part in (*choice["parts"].split("|"), *([""] if choice["kind"] == "[" else [])):
        yield from _spelled(phrase[: choice.start()] + part + phrase[choice.end() :])
