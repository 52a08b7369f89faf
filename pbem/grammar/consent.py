"""Yes or no to a question of ours, in the languages it is likely to be given in: one vocabulary
(consent.words), and one reader of it.

A machine that answers every mail must not say yes by chance: what is yes in one language begins a
sentence in another ("Da ich verreist bin", "Tak for din mail", "Si avvisa che"). So a yes stands by
itself, or a few words at most stand next to it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.turning import turnings_of
from pbem.grammar.kit.vocabulary import parse_words
from pbem.grammar.times import parse_vote

MOST_VOTE_CHARACTERS = 40
_WORD = re.compile(r"[^\W\d_]+")
_WORD_OR_NUMBER = re.compile(r"[^\W_]")
_NUMBER = re.compile(r"[\W_]*+(?P<number>\d{1,3})(?!\w)")
_APART = re.compile(r"[,.!?;:\n-]")
_KINDS = {
    "": ("YES", "BRIEF", "SURE", "NO", "POLITE"),
    "yes": ("YES", "BRIEF", "SURE", "POLITE", "AGAIN"),
    "no": ("NO", "POLITE", "AGAIN"),
}
"""What may come next, where nothing is said yet, behind a yes and behind a no."""
_TURNS = frozenset({"BACK", "CORRECT", "CONTRAST", "NO", "NEG", "HEDGE", "COND", "DRAFT"})
_FEW = 4
"""The most words next to a yes: more are something else, or a name."""


class Consent(msgspec.Struct, frozen=True):
    """Base of what an answer says. `rest`: what else it says, as it was written and to its end,
    without the answer and politeness around that. `is_apart`: a sign or a new line is before it.
    """

    rest: str = ""
    is_apart: bool = False

    @property
    def beside(self) -> str:
        """What of the rest stands on the line of the answer."""
        return self.rest.partition("\n")[0]


class Yes(Consent, frozen=True):
    """`numbers`: to which of what was asked. `kind`: how sure it is a yes where none was asked
    for.
    """

    numbers: tuple[int, ...] = ()
    kind: str = "YES"
    is_below: bool = False

    @property
    def is_turned(self) -> bool:
        """Whether something in the rest may take it back, or hangs it on something."""
        folded = normalise(self.rest).text
        return any(one.kind in _TURNS for one in turnings_of(folded)) or bool(
            _phrases(("TURNING",), r"(?<!\w)").pattern.search(folded)
        )

    @property
    def is_signed(self) -> bool:
        """Whether it stands alone on its lines, with a name below it at most."""
        return not self.rest or (
            self.is_below and _count(self.rest) <= _FEW and not any(map(str.isdigit, self.rest))
        )


class No(Consent, frozen=True):
    """A no."""


class Unsure(Consent, frozen=True):
    """Neither, or what may be the beginning of something else; all of it is the rest."""


def read_consent(text: str) -> Yes | No | Unsure:
    """What an answer begins with."""
    plain, at, says, kind, numbers = normalise(text), 0, "", "", list[int]()
    while True:
        number = _NUMBER.match(plain.text, _pointed(plain.text, at)) if says == "yes" else None
        if number is not None:
            numbers.append(int(number["number"]))
            at = number.end()
            continue
        found, end = _next(plain.text, at, _KINDS[says])
        if not found:
            break
        at = end
        if not says and found != "POLITE":
            says, kind = ("no" if found == "NO" else "yes"), found
    if not says:
        return Unsure(text)
    word = _WORD_OR_NUMBER.search(plain.text, at)
    rest = plain.original[plain.where[word.start()] :] if word is not None else ""
    gap = plain.text[at : word.start() if word is not None else len(plain.text)]
    is_apart, is_below = bool(rest and _APART.search(gap)), bool(rest) and "\n" in gap
    if says == "no":
        return No(rest, is_apart)
    few = is_below or _count(rest.partition("\n")[0]) <= _FEW
    # machines confirm as well: `Confirmed: your ticket was opened.`
    stands = not rest or ((is_apart or few) if kind == "YES" else is_below)
    if not stands:
        return Unsure(text)
    return Yes(rest, is_apart, tuple(dict.fromkeys(numbers)), kind, is_below)


def format_consent(consent: Consent) -> str:
    """The one spelling of an answer, with its rest behind it."""
    if not isinstance(consent, Yes | No):
        return consent.rest
    kind = consent.kind if isinstance(consent, Yes) else "NO"
    word = dict(parse_words(files(__package__) / "consent.words"))[kind][0]
    numbers = consent.numbers if isinstance(consent, Yes) else ()
    said = " ".join((word, *map(str, numbers)))
    is_below = isinstance(consent, Yes) and consent.is_below
    between = "\n" if is_below else ", " if consent.is_apart else " "
    return f"{said}{between}{consent.rest}" if consent.rest else said


def parse_consent(text: str) -> bool | None:
    """Whether the answer begins with a yes (True) that nothing behind it turns, or a no (False);
    None when it says neither.
    """
    consent = read_consent(text)
    if isinstance(consent, Yes):
        return None if consent.is_turned else True
    return False if isinstance(consent, No) else None


def parse_sure_consent(text: str) -> bool | None:
    """The same for what cannot be undone: of a yes nothing but politeness stands on its line, and a
    name at most below it.
    """
    consent = read_consent(text)
    if isinstance(consent, Yes):
        return True if consent.is_signed and not (consent.numbers or consent.is_turned) else None
    return False if isinstance(consent, No) else None


def parse_plain_consent(text: str) -> bool | None:
    """Whether a text is a yes (True) or a no (False), with only politeness next to it; None
    for anything else.
    """
    consent = read_consent(text)
    if consent.rest or isinstance(consent, Unsure) or any(map(str.isdigit, text)):
        return None
    return isinstance(consent, Yes)


def parse_plain_vote(text: str) -> str | None:
    """What a text that is nothing but a vote answers, without a number."""
    vote = parse_vote(text) if len(text) < MOST_VOTE_CHARACTERS else None
    if vote is not None and vote.number is None:
        return vote.answer
    consent = parse_plain_consent(text)
    return None if consent is None else "yes" if consent else "no"


def _pointed(text: str, at: int) -> int:
    """Where a number may stand there, behind `to number` and the like; else where it was."""
    found = at
    for _ in range(_FEW):
        kind, end = _next(text, found, ("POINTING",))
        if not kind:
            break
        found = end
    return found


def _next(text: str, at: int, kinds: tuple[str, ...]) -> tuple[str, int]:
    """The longest phrase of these kinds that stands there behind signs, and where it ends."""
    phrases = _phrases(kinds)
    found = phrases.pattern.match(text, at)
    return (phrases.kinds[found["phrase"]], found.end()) if found is not None else ("", at)


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Phrases of some kinds: the pattern of one behind signs, and of which kind each is."""

    pattern: re.Pattern[str]
    kinds: Mapping[str, str]


@cache
def _phrases(kinds: tuple[str, ...], signs: str = r"[\W_]*+") -> _Phrases:
    """A phrase of two kinds is of the first of them."""
    words = dict(parse_words(files(__package__) / "consent.words"))
    kind_of = {phrase: kind for kind in reversed(kinds) for phrase in words[kind]}
    either = "|".join(map(re.escape, sorted(kind_of, key=len, reverse=True)))
    return _Phrases(re.compile(rf"{signs}(?P<phrase>{either})(?![\w'])"), kind_of)


def _count(text: str) -> int:
    return len(_WORD.findall(text))
