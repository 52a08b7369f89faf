"""News: what of a close is worth telling, and the one headline made of it.

A game says what happened as `News`, in the order in which it happened. Subjects, titles,
preheaders, the first line of a chat, feeds and the story of an archive are all made of these, so
that no two of them can differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

MOST_HEADLINE = 60
"""Characters of a headline: what a phone shows of a subject."""
MOST_SENTENCE = 140
MOST_OPENING = 120
"""Characters of the news below the title of a letter, if more than one sentence is told."""
MOST_CLAUSE = 40
"""Characters of what a phone shows of a subject in a list of mails."""

Mark = Literal["", "battle", "taken", "entered", "attack", "out", "end"]
"""How a timeline marks it: a fight, land taken in one, land taken where nobody fought, an attack on
all (the Dragon's), a player who is out, the end.
"""

OVER = 12
OUT = 10
ATTACK_LOST = 9
ATTACK = 7
LEAD_CHANGED = 6
TAKEN = 5
CLOSE_CALL = 4
BATTLE = 3
GROWN = 2
SMALL = 1
"""Weights: the end of the game; a player out; an attack on all that was lost, or that is coming or
was won; a new leader; land taken; what hung by one; any other fight; what grew; what only a quiet
turn tells. A game may use numbers between them.
"""
TURNING_POINT = CLOSE_CALL
"""From this weight on it may be one of the few turning points of a story."""


@dataclass(frozen=True, slots=True)
class News:
    """One thing that happened.

    `short` is a clause of at most 40 characters that stands behind a colon or a comma (`Dmytro
    takes P4`, `the Dragon wins 12 to 12`); `told` a sentence of at most `MOST_SENTENCE` characters
    with its sum. Of equal weights the greater `size` (units, points) is told first. `players` are
    those it concerns, the doer first; `area` where, in the word that orders use; `why` are lines of
    plain text that say how it came about. Of a battle `won` and `lost` say who did: together they
    are what a table of the game counts. `turn` is the one it belongs to where a close opens the
    next, else 0. `facts` are what the narrator of the game's turning points tells it from.
    """

    kind: str
    weight: int
    short: str
    told: str
    size: int = 0
    players: tuple[int, ...] = ()
    area: str = ""
    mark: Mark = ""
    why: tuple[str, ...] = ()
    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    turn: int = 0
    facts: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Lead:
    """The news in a headline of at most `MOST_HEADLINE` characters and a sentence of at most
    `MOST_SENTENCE`; `first` is the greatest alone, for where there is hardly any room.
    """

    headline: str
    sentence: str
    first: str = ""


def ordered(news: Sequence[News]) -> list[News]:
    """The greatest first; of equals the one that happened first."""
    return sorted(news, key=lambda one: (-one.weight, -one.size))


def lead_of(news: Sequence[News], when: str, quiet: str) -> Lead:
    """The lead of a close: `when` is its turn (`Turn 2`), `quiet` the clause where nothing is told.

    As many clauses as there is room for, the greatest first, and of each doer one. What only a
    quiet turn tells is not added to anything greater.
    """
    first, *others = ordered(news) or [News("quiet", 0, quiet, f"{quiet[:1].upper()}{quiet[1:]}.")]
    headline = _cut(f"{when}: {first.short}" if when else _capital(first.short), MOST_HEADLINE)
    sentence = _cut(first.told, MOST_SENTENCE)
    said, doers = {first.short, first.told}, {first.players[:1]}
    for one in others:
        if one.weight <= SMALL < first.weight:
            break
        is_new = one.short not in said and (not one.players or one.players[:1] not in doers)
        if is_new and len(headline) + 2 + len(one.short) <= MOST_HEADLINE:
            headline = f"{headline}, {one.short}"
            said.add(one.short)
            doers.add(one.players[:1])
        if one.told not in said and len(sentence) + 1 + len(one.told) <= MOST_SENTENCE:
            sentence = f"{sentence} {one.told}"
            said.add(one.told)
    return Lead(headline, sentence, first.short)


def own_headline(news: Sequence[News], you: int) -> str:
    """A reader's own news for a subject, as much as `MOST_CLAUSE` characters hold, the greatest
    first, and nobody named twice: `You take P2, lose P3`. Empty where there are none.
    """
    said = ""
    for one in ordered(news):
        if you in one.players and one.short:
            short = f"{one.short[:1].lower()}{one.short[1:]}" if _is_own(one.short) else one.short
            more = f", {short.removeprefix('you ') if _is_own(said) else short}"
            if not said:
                said = _cut(short, MOST_CLAUSE)
            elif len(said) + len(more) <= MOST_CLAUSE and _names(said).isdisjoint(_names(short)):
                said += more
    return _capital(said)


def _is_own(words: str) -> bool:
    return words[:4].lower() == "you "


def _names(words: str) -> set[str]:
    return {word for word in words.replace(",", "").split() if word[0].isupper()}


def opening_of(told: Sequence[str]) -> str:
    """The first of these sentences, and the second where both are short."""
    both = " ".join(told[:2])
    return both if len(both) <= MOST_OPENING else told[0]


def clause(sentence: str) -> str:
    """The beginning of a sentence, as far as it goes behind a colon."""
    return _cut(sentence.partition(". ")[0].rstrip("."), MOST_CLAUSE)


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _cut(words: str, most: int) -> str:
    if len(words) <= most:
        return words
    kept = words[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:.")
    return f"{kept}…"
