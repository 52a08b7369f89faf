"""The words of a question, each with its one meaning: words of ours, numbers, kingdoms. Every word
counts: of what is said otherwise the answer would be that to another question.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rapidfuzz import fuzz, process

from engine.ruleset import Problem
from engine.sovereigns.view import TableView
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.vocabulary import parse_words

LONGEST = 400
"""Characters of a question that are read."""
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['.-][^\W\d_]+)*|\S")
_DIGITS, _PREFIX, _SURE = 4, 3, 75.0

Name = tuple[str, ...]
"""A name as the words it is of."""


class Unclear(Exception):
    """Raised within the reading of questions alone: what is unclear in one."""

    def __init__(self, code: str, **facts: str | int | tuple[str, ...]) -> None:
        super().__init__(code)
        self.problem = Problem(code, facts=facts)


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A kind of the words file, NUMBER or KINGDOM; `number` is that number, or the kingdom's."""

    kind: str
    number: int = 0


def parts_of(view: TableView, text: str) -> list[QuestionPart]:
    """What a question says, the longest phrases first, fillers left out. Unclear for words that
    mean nothing here.
    """
    words = _name(text[:LONGEST])
    ours, names = _ours(), _names_of(view)
    longest, found, at = max(map(len, (*ours, *names))), list[QuestionPart](), 0
    while at < len(words):
        for end in range(min(at + longest, len(words)), at, -1):
            part = _meaning(words[at:end], ours, names)
            if part is not None:
                break
        else:
            raise _unknown(words[at], ours, names)
        found += [part] if part.kind != "FILLER" else []
        at = end
    return found


def _meaning(
    words: Name, ours: dict[Name, QuestionPart], names: dict[Name, QuestionPart]
) -> QuestionPart | None:
    bare = (*words[:-1], words[-1].removesuffix("'s").removesuffix("s'"))
    for form in dict.fromkeys((words, bare)):
        if form in ours or form in names:
            return ours.get(form) or names[form]
    if len(words) > 1:
        return None
    if words[0].isdecimal():
        return QuestionPart("NUMBER", int(words[0])) if len(words[0]) <= _DIGITS else None
    return _by_prefix(bare[0], names)


def _by_prefix(word: str, names: dict[Name, QuestionPart]) -> QuestionPart | None:
    """A kingdom by the beginning of its name or its ruler's. Unclear if several begin so."""
    if len(word) < _PREFIX:
        return None
    meant = {part: " ".join(name) for name, part in names.items() if name[0].startswith(word)}
    if len(meant) > 1:
        raise Unclear("which-kingdom", word=word, among=tuple(meant.values()))
    return next(iter(meant), None)


def _unknown(word: str, ours: dict[Name, QuestionPart], names: dict[Name, QuestionPart]) -> Unclear:
    """With the known word that is nearest to it."""
    known = [" ".join(name) for name in (*names, *ours) if len(name[0]) > 1]
    near = process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=_SURE)
    return Unclear("unknown-word", word=word[:40], nearest=() if near is None else (near[0],))


def _name(text: str) -> Name:
    return tuple(_TOKEN.findall(fold(text)))


@cache
def _ours() -> dict[Name, QuestionPart]:
    found: dict[Name, QuestionPart] = {(",",): QuestionPart("FILLER")}
    for kind, phrases in parse_words(files(__package__) / "questions.words"):
        found |= {_name(phrase): QuestionPart(kind, i) for i, phrase in enumerate(phrases, start=1)}
    return found


def _names_of(view: TableView) -> dict[Name, QuestionPart]:
    """Kingdoms by name, ruler and seat; a name that several have is nobody's."""
    found: dict[Name, QuestionPart] = {}
    twice: set[Name] = set()
    for kingdom in view.kingdoms:
        part = QuestionPart("KINGDOM", kingdom.number)
        for written in (kingdom.name, kingdom.ruler, f"seat {kingdom.seat}"):
            name = _name(written)
            twice |= {name} if found.get(name, part) != part else set()
            found |= {name: part} if name else {}
    return {name: part for name, part in found.items() if name not in twice}
