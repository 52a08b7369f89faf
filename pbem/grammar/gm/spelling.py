"""How the words of the game masters are said (`gm.words`): what the grammar reads, what letters
show, and the table of docs/game-masters.md.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

ANY_GAME = "{game}"
"""Stands for a game that the house runs: which, the house alone knows."""
HEADING = "| word | how it is written | what it does |\n|---|---|---|\n"
_FIELDS = frozenset({"form", "shown", "about", "example", "is"})
_MARKS = frozenset({"dangerous", "wraps", "to the end", "keeps"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """A word: every phrase that means it (the old judges' included), its short form, and
    its row of the table (`shown`, in the marks of code, and `about`).

    `wraps`: its line may continue in the next. `to_the_end`: it takes the rest of the mail.
    `keeps`: the phrase itself says what it is about. A `dangerous` one needs a confirmation.
    """

    phrases: tuple[str, ...]
    form: str
    shown: str
    about: str
    example: str
    dangerous: bool
    wraps: bool
    to_the_end: bool
    keeps: bool

    @property
    def verb(self) -> str:
        """How its canonical line begins: the longest phrase that its form begins with."""
        return max((phrase for phrase in self.phrases if self.form.startswith(phrase)), key=len)


@cache
def load_spellings() -> Mapping[str, Spelling]:
    """Of every word, in the order a game needs them. ValueError for a part that cannot be read,
    or a phrase that means two words.
    """
    text = (files(__package__) / "gm.words").read_text("utf-8")
    parts = (part for part in text.split("\n\n") if not part.startswith("#"))
    spellings = dict(map(_spelling, parts))
    phrases = [phrase for spelling in spellings.values() for phrase in spelling.phrases]
    if len(phrases) > len(set(phrases)):
        raise ValueError("a phrase means two words of the game masters")
    return spellings


def _spelling(part: str) -> tuple[str, Spelling]:
    head, *lines = part.strip().splitlines()
    word, _, phrases = head.partition(": ")
    said = dict(line.strip().split(": ", 1) for line in lines)
    marks = set(filter(None, said.get("is", "").split(", ")))
    if not phrases or not said.keys() <= _FIELDS or not marks <= _MARKS:
        raise ValueError(f"no word of the game masters: {part[:60]!r}")
    return word, Spelling(
        phrases=tuple(phrases.split(", ")),
        form=said["form"],
        shown=said["shown"],
        about=said["about"],
        example=said.get("example") or re.findall(r"`([^`]+)`", said["shown"])[0],
        dangerous="dangerous" in marks,
        wraps="wraps" in marks,
        to_the_end="to the end" in marks,
        keeps="keeps" in marks,
    )


def handbook_table(game: str) -> str:
    """The table of the handbook, which shows this game."""
    return HEADING + "".join(
        f"| `{word}`{' *' if said.dangerous else ''} | {said.shown.replace(ANY_GAME, game)} |"
        f" {said.about} |\n"
        for word, said in load_spellings().items()
    )


def shown_game(games: Iterable[str]) -> str:
    """The id of the game that our examples show, of those that a house runs: its first."""
    return next(iter(games), "GAME")
