"""A message as it is offered upon: words with letters wrong as what they stand for, and sentences
without the clauses that only tell why.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from unicodedata import category

from msgspec.structs import replace

from pbem.games.realm_master.reading.lexer import lexicon
from pbem.games.realm_master.reading.parts import BOUNDS, CONDITIONAL, FACES, VERBS
from pbem.games.realm_master.reading.rings import SAYING, TURNS
from pbem.grammar.kit.guesses import Guessing, guessing_of
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.sentences import Clause, Sentence

_GAP = re.compile(r"(?<=\w) {2,}(?=\w)")
_GUESSED = SAYING | CONDITIONAL.keys() | BOUNDS
_GUESSED |= set_of("ELSE NOT ONLY MORE LESS AND OR TO ALWAYS THEN EXCEPT FILLER WHENHIT OWNTURN")
_GUESSED |= set_of("DAMAGE HAVE HERO ALL NOTHING CAN")
_SO = set_of("so hence therefore thus")
_WHY = (["which", "is", "why"], ["that", "is", "why"], ["that's", "why"], ["this", "is", "why"])
_HELD = TURNS - {"NEG"} | CONDITIONAL.keys()
_HELD |= set_of("ELSE ONLY EXCEPT ASKING ALWAYS RETRACT CORRECT DRAFT QUOTE SPEECH FORGET INSTEAD")
"""What no reason says, or what makes more of it."""
_SUBJECTS = set_of(
    "i'm im i've ive i we my it it's its that's there's there he she they he's she's"
)
_TALE = set_of("COMMON HAVE STATEMENT PROSE NOTHING")
_VAIN = set_of("COMMON IT FILLER ARE TO PROSE SEEMS")
_DONE = set_of("every each an the any this")
_STATES = set_of("is are was has have had need needs isn't aren't there's it's that's know think")
_STATES |= set_of("i've ive i'm im we've he's she's they're reaches hits hit")
_AIMS = set_of("COMMON HAVE TAKEIT HITS KEEP")
_GOALS = FACES.keys() | {"WHO", "HERO", "COMMON"}
_TAGS = set_of("ok okay right yes alright please pls thanks yeah k")
_THERE = set_of("there there's nobody everybody everyone")
_HIM = frozenset({"him", "her"})
_THEY = set_of("he she they he's she's they're")
_NEAR, _LONG = 6, 20
_AWAY = set_of("till until")


@lru_cache(maxsize=1)
def guessing() -> Guessing:
    """The words of the game, also with letters wrong."""
    return guessing_of(lexicon(), _GUESSED)


def with_pauses(text: str, plain: Plain) -> str:
    """A folded text with a comma for each picture in it: `two coffees ☕ attack`."""

    def paused(found: re.Match[str]) -> str:
        said = plain.original[plain.where[found.start()] : plain.where[found.end()]]
        return ",".ljust(len(found[0])) if any(category(x) == "So" for x in said) else found[0]

    return _GAP.sub(paused, text)


def without_reasons(sentence: Sentence, orders: Callable[[Clause], bool], me: int) -> Sentence:
    """A sentence without what tells why: ahead of a `so`, behind an order, or all of it. `orders`
    is whether a clause says an order by itself; `me`: who speaks.
    """
    sentence = _with_person(sentence, me)
    if sentence.ended == "ASK" and _is_tag(sentence.clauses[-1:]) and orders(sentence.clauses[0]):
        sentence = replace(sentence, ended="", clauses=sentence.clauses[:-1])
    clauses = [_without_aim(one, orders) for one in sentence.clauses]
    if is_fact(sentence, me) and not any(map(orders, clauses)):
        return replace(sentence, clauses=[])
    while len(clauses) > 1 and _is_vain(clauses[-1]):
        clauses.pop()
    if any(clause.cue not in {"", "soft"} for clause in clauses):
        return sentence
    at = next((i for i, one in enumerate(clauses) if i and _leads(one)), 0)
    if at and not any(map(orders, clauses[:at])) and _tell(clauses[:at]):
        named = [x for one in clauses[:at] for x in one.lexemes]
        said = clauses[at].lexemes[_leads(clauses[at]) :]
        first = replace(clauses[at], joint="", lexemes=_with_named(said, named))
        clauses = [first, *clauses[at + 1 :]]
    while len(clauses) > 1 and not orders(clauses[-1]) and _adds(clauses[-1]):
        clauses.pop()
    return replace(sentence, clauses=clauses) if clauses != sentence.clauses else sentence


def _with_person(sentence: Sentence, me: int) -> Sentence:
    """`Ben has one gold, so Cutpurse on him`: who is meant, if one other alone was named."""
    said = [x for clause in sentence.clauses for x in clause.lexemes]
    people = [x for x in said if x.kind == "HERO" or (x.kind == "WHO" and x.value != me)]
    points = [x for x in said if x.text in _HIM]
    if len({(x.kind, x.text) for x in people}) != 1 or not points:
        return sentence
    one = people[0]
    found = {
        id(x): replace(one, start=x.start, end=x.end)
        for before, x in pairwise(said)
        if x.text in _HIM and before.kind in {"TO", "ARE"} and x.start > one.start
    }
    clauses = [
        replace(clause, lexemes=[found.get(id(x), x) for x in clause.lexemes])
        for clause in sentence.clauses
    ]
    return replace(sentence, clauses=clauses) if found else sentence


def _is_tag(clauses: Sequence[Clause]) -> bool:
    """`..., ok?`: it asks for nothing but a nod."""
    words = [x.text for one in clauses for x in one.lexemes]
    return bool(words) and {*words} <= _TAGS and not any(one.cue for one in clauses)


def _without_aim(clause: Clause, orders: Callable[[Clause], bool]) -> Clause:
    """`Enter Jerum for the banners`, `attack to drive Ben out`: without what it is done for."""
    lexemes = clause.lexemes
    for i, lexeme in enumerate(lexemes[:_LONG]):
        behind = next((x.kind for x in lexemes[i + 1 : i + _NEAR] if x.kind != "FILLER"), "")
        does = lexeme.text in {"to", "for"} and behind in _AIMS
        if not i or not (does or (lexeme.text == "for" and behind in _GOALS)):
            continue
        tail = {x.kind for x in lexemes[i + 1 :]}
        head = replace(clause, lexemes=lexemes[:i])
        if not tail & (_HELD | {"NUM", "NOT", "LAND", "CARD"}) and orders(head):
            return clause if orders(clause) else head
    return clause


def is_fact(sentence: Sentence, me: int) -> bool:
    """Whether it only tells what somebody has, or what there is: `I have four gold and Ben has a
    strong arm`.
    """
    said = [x for x in sentence.lexemes if x.kind != "HESITATION"]
    while said and said[0].kind == "FILLER" and said[0].text.split()[0] not in _SUBJECTS:
        del said[0]  # `hey so I have 4 gold`
    if sentence.ended == "ASK" or sentence.heads or not said or not _tell(sentence.clauses):
        return False
    if any(map(_leads, sentence.clauses[1:])):
        return False  # `Ben is weak, so the bolt is for him`
    words = [word for x in said[:_NEAR] for word in x.text.split()]
    others = said[0].kind in {"WHO", "HERO", "NUM", "EXIST"} or words[0] in _THERE
    named = {x.kind for x in said} & set_of("LAND CARD BEST CHEAPEST RFACE")
    mine = any(x.kind == "WHO" and x.value == me for x in said)
    subject = others or (words[0] in _SUBJECTS and words[0] != "my" and not named)
    cues = any(clause.cue not in {"", "soft"} for clause in sentence.clauses)
    return subject and bool(_STATES & {*words}) and not mine and not cues


def _is_vain(clause: Clause) -> bool:
    """`Otherwise it's a waste`: what is not done else."""
    kinds = [x.kind for x in clause.lexemes]
    return kinds[:2] == ["ELSE", "IT"] and "COMMON" in kinds and {*kinds[1:]} <= _VAIN


def _leads(clause: Clause) -> int:
    """How many lexemes at its beginning say that what was before is why; 0: none do."""
    words = [x.text for x in clause.lexemes[:3]]
    if words[:1] and words[0].split()[0] in _SO:
        return 1
    said = " ".join(words).split()
    why = next((one for one in _WHY if said[: len(one)] == one), [])
    count = 0
    while why and len(" ".join(words[:count]).split()) < len(why):
        count += 1
    return count


def _tell(clauses: Sequence[Clause]) -> bool:
    """Whether they are a tale, and no order or condition of one."""
    said = [x for clause in clauses for x in clause.lexemes]
    kinds = {x.kind for x in said}
    if kinds & _HELD - set_of("ASKING ALWAYS WITH") or not kinds & _TALE:
        return False
    return not any(
        x.kind in VERBS and not (i and (x.text[-1] == "s" or said[i - 1].text in _DONE))
        for i, x in enumerate(said)
    )


def _adds(clause: Clause) -> bool:
    """Whether it tells of somebody behind an order, and names nothing that is ordered."""
    lexemes = clause.lexemes
    kinds = {x.kind for x in lexemes}
    if clause.joint not in {"COMMA", "DASH", "LPAR"} or not lexemes:
        return False
    first = lexemes[0].text.split()[0]
    counted = lexemes[0].kind == "NUM" and "REFERS" in kinds
    talks = sum(x.kind == "COMMON" for x in lexemes) > 1 and not kinds & set_of("THEN NUM REALM")
    others = first in _THEY or lexemes[0].kind == "WHO"
    subject = first in _SUBJECTS or counted or talks or others
    away = {x.kind for x in lexemes if x.text not in _AWAY} if subject else kinds
    held = _HELD - ({"REFERS"} if counted else set()) - {"WITH"}
    has = others and "HAVE" in kinds  # `he has one gold`
    free = VERBS | set_of("LAND CARD BEST CHEAPEST RFACE LEFT") | (set() if has else FACES.keys())
    return subject and (has or "COMMON" in kinds) and not away & (held | free)


def _with_named(said: Sequence[Lexeme], named: Sequence[Lexeme]) -> list[Lexeme]:
    """`The blade is good, so buy it`: what is meant is what was named."""
    cards = [x for x in named if x.kind == "CARD"]
    lands = [x for x in named if x.kind == "LAND"]
    told: list[Lexeme] = []
    for lexeme in said:
        if lexeme.kind == "TAKEIT" and lexeme.text.endswith("it") and len(cards) == 1:
            card = replace(cards[0], start=lexeme.end, end=lexeme.end)
            told += [replace(lexeme, kind="BUY"), card]
        elif lexeme.kind == "IT" and len(cards) == 1:
            told.append(replace(cards[0], start=lexeme.start, end=lexeme.end))
        elif lexeme.kind == "THERE" and len(lands) == 1:
            told.append(replace(lands[0], start=lexeme.start, end=lexeme.end))
        else:
            told.append(lexeme)
    return told
