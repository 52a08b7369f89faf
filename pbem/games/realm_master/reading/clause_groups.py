"""Which sentences and clauses of a message belong together, before any of them is read."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pbem.games.realm_master.reading.parts import FACES, VERBS, solid
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import is_question
from pbem.grammar.kit.sentences import Clause, Sentence

_NUMBERED = re.compile(r"(?<![^\s(])\(?(\d{1,2}|[a-h])[.)](?=[ \t]+\S)")
_TICKED = re.compile(r"(?m)^[ \t]*(?:[-*•][ \t]*)?[\[(][ \t]*(x|v|•)[ \t]*[\])]")
_SAYS_MORE = frozenset("LAND HERO WHO CARD BEST CHEAPEST NUM DAMAGE".split()) | set(FACES)
_APART = frozenset({"ELSE", "ONLYIF", "UNLESS", "EXCEPT"})
_BOUND = frozenset({"IF", "WHILE", "WITH", "ONLY", "NOT"})
_TAKING = frozenset(
    "forget ignore scratch scrap strike cancel delete disregard undo withdraw revoke erase".split()
)
_NAMED = VERBS | _SAYS_MORE | {"OWNTURN", "WHENHIT", "LIFE", "RFACE", "SECOND"}
"""One of these is named where a cue has an object."""
_NO = frozenset("no nope nah nein non nee nej nao nie nei ne nu".split())
_REVEALED = frozenset({"REVEAL", "TAKEIT", "COVER"})
_WISHED = frozenset({"HERO", "FIRST", "ELSE", "THEN", "AND", "OR"})
"""What continues with a list of heroes."""
_WEAK = ("soft", "correct", "instead", "retract", "draft")


def without_numbers(text: str, *, ranked: bool = False) -> str:
    """A folded text without the numbers of its list (`1) ... 2) ...`, `a) ... b) ...`), each a sign
    that parts sentences; and without ticks. `ranked`: its figures are ranks, and stay.
    """
    runs: list[list[re.Match[str]]] = []
    for found in _NUMBERED.finditer(text):
        digits = found[1].isdigit()
        if digits and ranked:
            continue
        place = int(found[1]) if digits else ord(found[1]) - ord("a") + 1
        last = runs[-1] if runs else None
        if last and place == len(last) + 1 and digits == last[0][1].isdigit():
            last.append(found)
        elif place == 1:
            runs.append([found])
    told = [*text]
    for run in runs:
        for found in run if len(run) > 1 else ():
            told[found.start() : found.end()] = ";".ljust(len(found[0]))
    for found in _TICKED.finditer(text):
        told[found.start() : found.end()] = " " * len(found[0])
    return "".join(told)


def joined(
    sentences: Sequence[Sentence], text: str, is_apart: Callable[[Sentence], bool]
) -> Iterator[Sentence]:
    """Sentences with what is said of them in the next, made one: `Enter Jerum. Otherwise Arub.`,
    `tribute:` with its list below. Half of it is another order. What `is_apart` is said of none.
    """
    last: Sentence | None = None
    listing = False
    for sentence in sentences:
        goes_on = last is not None and (
            _belongs(last, sentence) or (listing and _is_item(sentence))
        )
        if last is not None and goes_on and not is_apart(sentence):
            _append(last, sentence)
            last.end, last.ended = sentence.end, sentence.ended
            continue
        if last is not None:
            yield last
        last = sentence
        kinds = [x.kind for x in solid(sentence.lexemes)]
        heading = text[sentence.start : sentence.end].rstrip().endswith(":")
        listing = heading and len(kinds) == 1 and kinds[0] in VERBS
    if last is not None:
        yield last


def _append(last: Sentence, sentence: Sentence) -> None:
    """Below it in the same clause, if its line was too long; else behind a comma."""
    first, *rest = sentence.clauses
    verb = any(x.kind in VERBS for x in first.lexemes)
    wraps = last.ended == "NL" and not verb and first.lexemes[0].kind not in _APART | _BOUND
    head = [x.kind for x in solid(first.lexemes)[:1]]
    links = first.joint == "AND" or bool({"OR", "MORE", "LESS"} & {*head})
    links = links or {x.kind for x in solid(last.lexemes)} == {"LOOT"}  # `loot:` above its list
    if wraps and (links or _ends_bare(last)):
        at = first.lexemes[0].start
        link = [Lexeme("AND", "and", at, at)] if first.joint == "AND" else []
        last.clauses[-1].lexemes += [*link, *first.lexemes]
    else:
        first.joint = "COMMA"
        last.clauses.append(first)
    last.clauses += rest


def _ends_bare(sentence: Sentence) -> bool:
    told = solid(sentence.lexemes)
    return bool(told) and told[-1].kind == "NUM"


def _is_item(sentence: Sentence) -> bool:
    kinds = {x.kind for x in solid(sentence.lexemes)}
    return bool(kinds & _SAYS_MORE) and not kinds & VERBS


def _belongs(last: Sentence, sentence: Sentence) -> bool:
    said, told = solid(sentence.lexemes), solid(last.lexemes)
    requests = _lists(told) and any(x.kind == "REQUEST" for x in last.lexemes)
    goes_on = requests and {x.kind for x in said[:1]} == {"ELSE"}  # `and if she is gone, the elf?`
    asks = (sentence.ended == "ASK" and not goes_on) or (last.ended == "ASK" and is_question(last))
    if asks or not said or not told:
        return False
    if any(clause.cue for clause in sentence.clauses):
        return False
    kinds = {x.kind for x in said}
    if _lists(told) and (kinds <= _WISHED or {x.kind for x in said[:1]} <= {"ELSE", "THEN"}):
        return "HERO" in kinds
    if not any(x.kind in VERBS for x in told) or "OTHER" in kinds:
        return False
    if "REVEAL" in {x.kind for x in told} and {x.kind for x in told} & VERBS <= _REVEALED:
        if kinds & {"TAKEIT", "COVER"} and kinds & VERBS <= {"TAKEIT", "COVER"}:
            return True  # `Reveal one. Take it if it costs 3 or less.`
    opened = last.ended == "NL"
    verb = bool(kinds & VERBS)
    links = said[0].kind in {"OR", "MORE", "LESS"} or sentence.clauses[0].joint == "AND"
    if kinds == {"NOT"} or (opened and links and not verb and kinds & (_SAYS_MORE | {"NUM"})):
        return True
    if opened and told[-1].kind == "NUM" and said[0].kind in _SAYS_MORE - {"NUM"} and not verb:
        return True  # `... if I have 7` and `hearts` below it
    if said[0].kind in _APART:
        return True
    return not verb and bool(kinds & _SAYS_MORE) and said[0].kind in _BOUND


def _lists(told: Sequence[Lexeme]) -> bool:
    """Whether heroes are listed that somebody wants."""
    kinds = {x.kind for x in told}
    return "HERO" in kinds and not kinds & (VERBS - {"WANT", "TAKEIT"} | {"CARD", "NOT", "OTHER"})


@dataclass(slots=True)
class Segment:
    """Clauses from one cue to the next."""

    cue: str = ""
    clauses: list[Clause] = field(default_factory=list)


def _names_what(clause: Clause) -> bool:
    """Whether a cue has an object: `forget the attack`, which is no `forget that, attack`."""
    at, said = clause.at, clause.lexemes
    if at is None or not said or at.text.split()[0] not in _TAKING:
        return False
    return said[0].start - at.end <= 1 and any(x.kind in _NAMED for x in said)


def segments_of(sentence: Sentence, *, begins: bool) -> list[Segment]:
    """A sentence parted at its cues; one at its end is about the last that was said. `begins`:
    nothing was said before it.
    """
    found = [Segment()]
    thinks = False
    for clause in sentence.clauses:
        last = found[-1]
        if _names_what(clause) and clause.at is not None:
            clause.lexemes.insert(0, replace(clause.at, kind="FORGET"))
            clause.cue = ""
        thinks = {x.kind for x in clause.lexemes} == {"HESITATION"}
        if thinks and last.clauses and not clause.cue:
            found.append(Segment("soft"))  # `no attack... oh well, attack`
            continue
        if clause.cue == "instead" and clause.lexemes and not clause.joint:
            last.cue = last.cue or "instead"
            last.clauses.append(clause)
            continue
        if clause.cue:
            if not last.clauses:
                last.cue = max(
                    last.cue, clause.cue, key=lambda cue: _WEAK.index(cue) if cue else -1
                )
            else:
                found.append(Segment(clause.cue))
        if clause.lexemes:
            found[-1].clauses.append(clause)
    if thinks and len(found) > 1 and not found[-1].clauses:
        found.pop()  # `Mertle, Kurull, oh well`
    end = found[-1]
    last_cue = sentence.clauses[-1].at if sentence.clauses else None
    denies = last_cue is not None and last_cue.text in _NO
    if len(found) > 1 and not end.clauses and not denies and end.cue in {"correct", "soft"}:
        before = found[-2]
        many = len(before.clauses) > 1
        if not before.cue and (many or not begins):
            found.pop()
            if not any(x.kind in VERBS for clause in before.clauses for x in clause.lexemes):
                many = False
            if not many:
                before.cue = end.cue
            else:
                found.append(Segment(end.cue, [before.clauses.pop()]))
    return [one for one in found if one.cue or one.clauses]
