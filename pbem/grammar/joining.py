"""The wish to join a table: its code, with words around it."""

import re

from pbem.grammar.house.vocabulary import load_words

CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""What join codes end in: no vowel, and nothing that is mistaken for something else."""
CODE_LENGTH = 6
MOST_LINES, MOST_JOINS = 200, 5
_SIGNS = " .!?"
_LONGEST = 40
"""No word of politeness has more letters."""

POLITE_BEFORE = re.compile(
    r"^(?:[-*•·]\s*|(?:please|pls|plz|kindly|hi|hello|hey|ok|okay|and|also|then|well|so|but|dear"
    r" gm|thanks|great)\b[ ,:!]*)+",
    re.IGNORECASE,
)
_CODE = (
    rf"[\"'“”„‘’«»<(\[]*(?P<code>[a-z][a-z0-9-]{{0,30}}-[{CODE_LETTERS}]{{{CODE_LENGTH}}})"
    rf"(?![a-z0-9-])[\"'“”‘’«»>)\]]*"
)
_TO_JOIN = (
    r"\b(?:join|sign ?on)(?: (?:the |your )?(?:table|game))?(?: with(?: the)?(?: code)?)?["
    rf" :]+{_CODE}[ .,;:!?]*"
)
_JOIN = re.compile(
    rf"\s*+(?:{POLITE_BEFORE.pattern[1:]})?(?:(?:can|could|may) i |i(?:(?: would|'d) (?:like|love)|"
    r" want| wish)? to )?"
    rf"[\"'“”„‘’«»]*+{_TO_JOIN}",
    re.IGNORECASE,
)
_JOIN_WITHIN = re.compile(rf"[^\n]{{0,200}}?{_TO_JOIN}", re.IGNORECASE)
_CODE_ALONE = re.compile(rf"\s*{_CODE}[ .,;:!]*(?=\n|$)", re.IGNORECASE)
_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|good (?:morning|evening|day)|greetings|hallo|moin)\b[^:\n]{0,40}",
    re.IGNORECASE,
)


def drop_behind(text: str, words: tuple[str, ...], gaps: str = " ,") -> str:
    """The text without those words of politeness at its very end, and without the signs behind
    them; from the end on, so that each character is looked at once.
    """
    end = len(text)
    at = len(text.rstrip(_SIGNS))
    while (tail := text[max(0, at - _LONGEST) : at].lower()).endswith(words):
        start = at = at - len(next(filter(tail.endswith, words)))
        while at and text[at - 1] in gaps:
            at -= 1
        if at == start:
            break
        end = at
    return text[:end]


def drop_politeness(text: str, *more: str) -> str:
    """The text without what is polite around it, or `more` behind it."""
    return drop_behind(POLITE_BEFORE.sub("", text), (*load_words().lists["polite"], *more))


def parse_join(text: str) -> tuple[str, str] | None:
    """The join code that a text begins with, after greetings, and what is written behind it; None
    when it is about something else.
    """
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and _GREETING.fullmatch(line.rstrip()) is None:
            break
        at += len(line)
    for start in dict.fromkeys((0, at)):
        found = _JOIN.match(text, start) or _CODE_ALONE.match(text, start)
        if found is not None:
            return found["code"].casefold(), text[found.end() :]
    return None


def find_joins(text: str) -> tuple[tuple[str, str], ...]:
    """Every wish to join, on whatever line, the first few: for somebody whom we know nothing else
    of.
    """
    found: list[tuple[str, str]] = []
    at = 0
    for line in text.splitlines(keepends=True)[:MOST_LINES]:
        wish = _JOIN_WITHIN.match(text, at) or _CODE_ALONE.match(text, at)
        if wish is not None and len(found) < MOST_JOINS:
            found.append((wish["code"].casefold(), text[wish.end() :]))
        at += len(line)
    return tuple(found)
