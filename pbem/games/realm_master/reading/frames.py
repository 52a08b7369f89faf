"""Families of words that say one thing, in a folded text: that somebody hits me, that it can be
paid, that all is as last time; and what somebody is doing as what he does. Every other place of the
text stays where it was.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.kit.vocabulary import Vocabulary

_END = r"(?=[ \t]*(?:[,.;:!)\n]|$|and\b|or\b|else\b|otherwise\b|then\b))"
_SOMEBODY = (
    r"(?:some(?:body|one)|any(?:body|one)|they|others?|the others?"
    r"|(?:a|any|some|another) (?:hero|player|enemy|rival|opponent)|one of (?:them|the others))"
)
_WHEN = (
    r"(?:if|when|whenever|in case|should|as soon as|once|as long as|so long as|provided(?: that)?)"
)
_HITS = (
    rf"{_WHEN} (?:ever )?{_SOMEBODY} (?:(?:is|are|does|do|should|then|now) )?"
    r"(?:hit|attack|strike)(?:s|ing)?(?: out)?(?: at)? (?:me|us|my (?:hero|man))(?! with)"
)
_HIT = r"after (?:any|every|each|an|other|another|all|all other) (?:hits?|attacks?|blows?)"
_HAS = (
    rf"{_WHEN} (?:there(?: is|'s)|i(?: still)? have|i've(?: got)?|i got)(?: still)? "
    r"(?:(?:enough|the|sufficient) (?:gold|coins?|money|cash|funds)|money|cash|funds)"
    rf"(?: left)?(?: for (?:it|that|this))?{_END}"
)
_ALLOWS = (
    rf"{_WHEN} (?:my|the) (?:purse|gold|money|coins?|wallet|funds?|budget|cash|treasury)"
    r"(?: still| will)? (?:(?:allow|permit|suffice|stretch|reach|hold|last)(?:e?s)?"
    rf"|(?:is|are) (?:enough|there))(?: it| that| for it| for that)?{_END}"
)
_PLAN = r"(?:plan|orders|lines)"
_SAME = (
    r"(?:(?:do|play|use|take|run) |(?<![a-z] ))(?:again )?(?:exactly |just )?(?:all )?"
    r"(?:what i (?:did|had|sent|played)|the same (?:things? )?(?:as|i did)|(?:as|like) i did"
    rf"|(?:the|my) {_PLAN} (?:of|from))(?: in)? (?:the )?(?:last|previous) "
    r"(?:round|turn|time)(?: again| once more)?"
)
_OLD = (
    rf"(?:(?:the|my) )?(?:(?:last|previous) (?:round|turn)'s {_PLAN}(?: again| once more)?"
    rf"|(?:old|last|previous|same) {_PLAN} (?:once more|again|as before))"
)
_WAS = (
    r"(?:i )?(?:(?:leave|keep) )?(?:everything|all|my plan|my orders|the plan) (?:exactly |just )?"
    r"as (?:it was|they were)(?: (?:in the )?(?:last|previous) (?:round|turn|time)| before)?"
)
_FRAMES = (
    (rf"(?:{_HITS}|{_HIT})", "when hit"),
    (rf"(?:{_HAS}|{_ALLOWS})", "if i can"),
    (rf"(?:{_SAME}|{_OLD}|{_WAS})", "same again"),
)
_ALL = re.compile("|".join(rf"(?P<f{i}>\b{frame}\b)" for i, (frame, _) in enumerate(_FRAMES)))
_OPENING = (
    *("if", "when", "in case", "should", "soon as", "once", "long as", "provided", "after"),
    *("last", "previous", "plan", "orders", "lines", "as it was", "as they were"),
)
"""One of these is in all of them, and in few messages."""
_DOING = re.compile(r"\b(?P<who>i am|i'm|im)(?: then| now| not)? (?P<does>[a-z]{2,12}ing)\b")
_CLAUSE = re.compile(r"[^,.;:!?\n]{0,60}")
_PEACEFUL = frozenset({"STAY", "LEAVE", "MOVE", "WAIT", "GOON", "ATTACK", "SAME", "HAVE"})
"""Verbs whose own words say of themselves that they are being done, or that talk uses too."""


def in_frames(text: str, lexicon: Callable[[], Vocabulary]) -> str:
    """A folded text with each of these families as one of its words."""
    if any(map(text.__contains__, _OPENING)):
        text = _ALL.sub(_short, text)
    if "ing" not in text:
        return text
    return _DOING.sub(lambda found: _done(found, lexicon()), text)


def _short(found: re.Match[str]) -> str:
    number = int((found.lastgroup or "f0")[1:])
    first, _, last = _FRAMES[number][1].rpartition(" ")
    return first.ljust(len(found[0]) - len(last)) + last


def _done(found: re.Match[str], lexicon: Vocabulary) -> str:
    """`I am taking the boots`: `I take the boots`, if it is of something of the game."""
    stem = found["does"].removesuffix("ing")
    forms = [stem, f"{stem}e", *([stem[:-1]] if stem[-1:] == stem[-2:-1] else [])]
    told = next((one for one in forms if _kind_of(one, lexicon) in VERBS - _PEACEFUL), None)
    told = told or ("have" if stem == "hav" else None)
    behind = _CLAUSE.match(found.string, found.end())
    if told is None or behind is None or not _names().search(behind[0]):
        return found[0]
    before = found[0][: found.start("does") - found.start()]
    before = f"i{before.removeprefix(found['who'])}"
    return before + told.rjust(len(found[0]) - len(before))


def _kind_of(word: str, lexicon: Vocabulary) -> str:
    return next((kind for words, kind in lexicon.phrases.get(word, ()) if words == (word,)), "")


@lru_cache(maxsize=1)
def _names() -> re.Pattern[str]:
    """What orders name."""
    names = {*lands_by_name(), *heroes_by_name(), *cards_by_name()}
    names |= {"gold", "money", "hearts?", "banners?", "swords?", "coins?", "blanks?", "r", "dice"}
    names |= {face.lower() for face in FACES}
    return re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
