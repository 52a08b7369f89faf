"""Who wants to leave, in whatever words: `I want to leave the game`, `ich steige aus`, `count me
out`. Nothing is done by such words; they are answered with what leaving means.

A sentence counts, or a clause of one, that is that and nothing else, except politeness and a
reason behind it: what is said of a province or an army has other words in it. In a game some of
them may be orders (`I surrender`): there the game's own word wins (`read_orders`). The words are
data (leaving.words).
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files

from pbem.grammar.joining import POLITE_BEFORE, drop_behind
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.turning import turnings_of
from pbem.grammar.kit.vocabulary import parse_words

MOST_CHARACTERS = 200
MOST_SENTENCES = 60
_THE_GAME = "the game"
_SIGNS = " ,:'\""
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[^.!?;\n\r]+")
_CLAUSE = re.compile(r",|(?<!\s)\s-+\s|\b(?:and|so|but|therefore|hence)\b")
_HELD_BACK = re.compile(r"\b(?:once|before|would never|not leave)\b")
_AHEAD = re.compile(
    r"(?>(?:(?:sorry|unfortunately|sadly|alas|regrettably|honestly|actually|really|now|just|today|i"
    r" think|i guess|i fear|i am afraid|i'm afraid|i am sorry|i'm sorry|well|ok|hello|hi|that|to be"
    r" honest|leider|sorry|bitte|desole|malheureusement|lo siento|purtroppo|infelizmente|helaas"
    r"|niestety|tyvarr)[ ,:]+)*)"
)
_AFTER = tuple(
    "please,pls,sorry,thanks,thank you,everybody,everyone,all,thx,friends,folks,guys,bitte,danke"
    ",leider,merci,gracias,grazie".split(",")
)


def wants_to_leave(text: str) -> bool:
    """Whether a message (new text alone) says that its writer wants to leave."""
    return next(find_leaving(fold(text)), None) is not None


def find_leaving(text: str, tables: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Where in a folded text somebody says so: its sentences and their clauses, but no clause of a
    sentence with a condition. `tables`: what the table is called.
    """
    if _beginnings().isdisjoint(_WORD.findall(text)) and not any(map(text.__contains__, tables)):
        return
    for number, sentence in enumerate(_SENTENCE.finditer(text)):
        if number >= MOST_SENTENCES:
            return
        start, end = sentence.span()
        if end - start > MOST_CHARACTERS:
            continue
        if _says_it(sentence[0], tables):
            yield start, end
            continue
        clauses = [*_clauses(sentence[0])]
        said = [one for one in clauses if _says_it(sentence[0][slice(*one)], tables)]
        if said and not _is_held_back(sentence[0]):
            yield from ((start + first, start + last) for first, last in said)


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    at = 0
    for sign in _CLAUSE.finditer(sentence):
        yield at, sign.start()
        at = sign.end()
    if at:
        yield at, len(sentence)


def _is_held_back(sentence: str) -> bool:
    return _HELD_BACK.search(sentence) is not None or any(
        one.kind == "COND" for one in turnings_of(sentence)
    )


def _says_it(piece: str, tables: Collection[str]) -> bool:
    first = piece.strip(" \"'*/()")
    for table in tables:
        first = first.replace(table, _THE_GAME)
    plain = POLITE_BEFORE.sub("", " ".join(first.split()))
    bare = drop_behind(POLITE_BEFORE.sub("", _AHEAD.sub("", plain, count=1)), _AFTER)
    said = f"{bare.strip(_SIGNS)} "
    kinds = _kinds().get(said.partition(" ")[0], ())
    return any(_pattern(kind).fullmatch(said) is not None for kind in kinds)


@cache
def _kinds() -> Mapping[str, tuple[str, ...]]:
    """By its first word: of which kinds a sentence may be."""
    kinds: dict[str, tuple[str, ...]] = {}
    for kind in _words():
        for first in set(_firsts(_words(), kind)) if kind.startswith("SAID") else ():
            kinds[first] = (*kinds.get(first, ()), kind)
    return kinds


@cache
def _beginnings() -> frozenset[str]:
    """What the first words of `_kinds` begin with, up to a sign in them: in a text without any of
    these nobody leaves.
    """
    return frozenset(_WORD.findall(first)[0] for first in _kinds())


def _firsts(words: Mapping[str, tuple[str, ...]], kind: str) -> Iterator[str]:
    """The words that its phrases begin with."""
    for phrase in words[kind]:
        for token in phrase.split():
            bare = token.removesuffix("?")
            yield from _firsts(words, bare) if bare.isupper() else (bare,)
            if bare == token:
                break


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    return dict(parse_words(files(__package__) / "leaving.words"))


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """All that is said so, each word with the space behind it."""
    words = _words()
    then, why = _either(words, "THEN"), _either(words, "WHY")
    return re.compile(rf"(?:{_either(words, kind)})(?>(?:{then})*)(?:(?:{why}).{{0,120}})?")


def _either(words: Mapping[str, tuple[str, ...]], kind: str) -> str:
    return "|".join(
        "".join(_token(words, token) for token in phrase.split()) for phrase in words[kind]
    )


def _token(words: Mapping[str, tuple[str, ...]], token: str) -> str:
    bare = token.removesuffix("?")
    said = f"(?:{_either(words, bare)})" if bare.isupper() else f"{re.escape(bare)} "
    return f"(?:{said})?" if bare != token else said
