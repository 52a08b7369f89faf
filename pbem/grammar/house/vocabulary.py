"""The words of the house, read once from `house.words`: the lines that are a word, and the words
that take something behind them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MORE = "..."
ASKING = "?"
_CHOICE = re.compile(r"(?P<kind>[(\[])(?P<parts>[^()\[\]]*+)[)\]]")


@dataclass(frozen=True, slots=True)
class HouseWords:
    """From phrases to the words they mean: whole lines, and what something follows; `values` are
    the phrases of what follows. `terminals` are all of them in the language of the grammar, and
    `first` the words that a line of the house begins with. `asking`: by their names, the parts of a
    question.
    """

    lines: Mapping[str, str]
    taking: Mapping[str, str]
    values: Mapping[str, str]
    asking: Mapping[str, tuple[str, ...]]
    terminals: str
    first: frozenset[str]

    def knows(self, phrase: str) -> bool:
        """Whether it is a word of the house, alone or with something behind it."""
        return phrase in self.lines or phrase in self.taking


@cache
def load_words() -> HouseWords:
    """ValueError if a line of the file is none, or a phrase means two words."""
    lines: dict[str, str] = {}
    taking: dict[str, str] = {}
    values: dict[str, str] = {}
    asking: dict[str, tuple[str, ...]] = {}
    terminals: list[str] = []
    text = (files(__package__) / "house.words").read_text("utf-8")
    for word, phrases in _entries(text):
        name = word.strip(f"{MORE}{ASKING} ")
        if word.startswith(ASKING):
            asking[name] = phrases
            continue
        symbol = name.upper().replace(" ", "_")
        either = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
        either = either.replace("/", r"\/")
        if word.startswith(MORE):
            table, terminal = values, f"{symbol}.1: /(?:{either})$/"
        elif word.endswith(MORE):
            table, terminal = taking, f"_{symbol}_OF: /(?:{either})[ :=]+/"
        else:
            table, terminal = lines, f"_{symbol}.1: /(?:{either})$/"
        terminals.append(terminal)
        for phrase in phrases:
            if table.setdefault(phrase, name) != name:
                raise ValueError(f"{phrase!r} is {table[phrase]} and {name}")
    first = frozenset(phrase.partition(" ")[0] for phrase in (*lines, *taking))
    return HouseWords(lines, taking, values, asking, "\n".join(terminals), first)


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
