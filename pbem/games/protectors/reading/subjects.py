"""Whose orders a question supposes: its clauses, parted where another subject begins.

`I march ... and Ben marches ...`, `Ben: march ...`, `Ben and Chloé attack ...`, `blue holds`,
`everybody else fortifies`. Who is spoken of continues until somebody else is, or to the end of the
sentence (after a colon, of the line); what has no subject there is the asker's own.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.protectors.state import State
from engine.ruleset import Fact, Problem
from pbem.games.protectors.reading.dialect import DIALECT
from pbem.grammar.kit.common import is_everyday
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.sentences import ENDS

_ME = r"i'd|i'll|i'm|i've|i|we'd|we'll|we're|we|me"
_REST = (
    r"(?:every(?:body|one)|all(?: of)?(?: the)? others?|all(?: the)? other players|the(?: other)?"
    r" others|the other players|others|the rest|"
    r"they all|all of them|all players|nobody|no one|noone)(?: else)?"
)
_JOINTS = re.compile(
    r"[,;.?!\n(){}\[\]]|(?<!\w)(?:and|while|whereas|but|then|if|when|meanwhile|plus|or|that|&|\+)(?!\w)"
)
_OPENING = re.compile(
    r"(?:["
    r" ,;:.*•\"'()-]|(?:and|while|whereas|"
    r"but|then|also|if|when|that|meanwhile|plus|both|maybe|perhaps)(?!\w))*"
)
_LISTED = re.compile(r"[ ]*+(?:,[ ]*+and|,|and|&|\+)[ ]++(?:both )?")
_BEHIND = re.compile(
    r"(?:'s?(?!\w))?(?:[ ]+player(?!\w))?(?:[ ]*(?P<colon>[:=→]|(?<=[ ])-(?=[ ])))?"
)
_IDLE = re.compile(
    r"(?:(?:would|will|should|could|might) )?(?:(?:do|does|did) (?:anything|a"
    r" thing)|moves?|march(?:es)?|attacks?|acts?|orders? anything|"
    r"(?:gives?|sends?)(?: any)? orders|comes?|interferes?)(?: (?:at all|this turn|else))?"
)
_NOTHING = re.compile(r"(?:and )?nothing (?:else )?(?:happens|is ordered|changes)")
_STOPS = re.compile(r"[.?\n]")
_EDGES = " ,;:.?!\n()*•-\"'"
_SKIPPED = frozenset({"FILLER", "HEDGE", "NEG", "GOLD", "DELAY", "PROSE", "EACH", "BOTH"})
_NO_PREDICATE = ENDS | set_of("FROM TO IN FOR AND OR BUT EXCEPT COMMA RPAR LPAR REASON")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the folded text and whose orders it tells: from `said`, where its subject
    stands, what counts from `start` to `end`.

    `named`: it has a subject of its own. Nobody is meant where it says that nothing else happens;
    with a `problem` nobody can tell who is.
    """

    players: tuple[int, ...]
    said: int
    start: int
    end: int
    named: bool = True
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class _Head:
    """A subject: `rest` are all others, `they` the player spoken of before, `none` nobody."""

    said: int
    end: int
    players: tuple[int, ...] = ()
    rest: bool = False
    none: bool = False
    they: bool = False
    colon: bool = False
    problem: Problem | None = None


def clauses_of(
    text: str, lexemes: Sequence[Lexeme], people: People, state: State
) -> tuple[Clause, ...]:
    """All clauses of a folded question, in order."""
    heads = {head.said: head for head in _heads(text, lexemes, people, state)}
    named = {number for head in heads.values() for number in head.players}
    cuts = sorted({*heads, *_sentence_starts(text, heads)})
    found: list[Clause] = []
    before: tuple[int, ...] = ()
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        head = heads.get(start)
        body = text[head.end if head is not None else start : end].strip(_EDGES)
        if head is None:
            if body and not _OPENING.fullmatch(body):
                whose = () if _NOTHING.fullmatch(body) else (people.me or 0,)
                found.append(Clause(whose, start, start, end, named=False))
            continue
        players, problem = head.players, head.problem
        if head.none:
            players = ()
            problem = None if _IDLE.fullmatch(body) else Problem("nobody-supposed")
        elif head.rest:
            manned = {held.owner for held in state.board if held.units}
            players = tuple(n for n in state.ranking if n in manned - named - {people.me})
        elif head.they and not players:
            players = before
            problem = None if before else Problem("not-understood", rules=("PR-6.19",))
        elif players != (people.me,):
            before = players
        found.append(Clause(players, head.said, head.end, end, problem=problem))
    return tuple(found)


def _sentence_starts(text: str, heads: dict[int, _Head]) -> Iterator[int]:
    """Where what is said is the asker's own again: at a new sentence, but behind a colon only on a
    new line.
    """
    yield 0
    colons = [said for said, head in heads.items() if head.colon]
    for sign in _STOPS.finditer(text):
        line = text.rfind("\n", 0, sign.start()) + 1
        if sign[0] == "\n" or not any(line <= said < sign.start() for said in colons):
            yield sign.end()


def _heads(text: str, lexemes: Sequence[Lexeme], people: People, state: State) -> Iterator[_Head]:
    """The subjects, each at the beginning of a clause and with something behind it."""
    at, words = 0, _Words(lexemes)
    for joint in (0, *(found.end() for found in _JOINTS.finditer(text))):
        opening = _OPENING.match(text, max(joint, at))
        start = opening.end() if opening is not None else joint
        if start < at or start >= len(text):
            continue
        head = _head(text, start, words, people, state) or _stranger(start, words, people, state)
        at = start + 1 if head is None else head.end
        if head is not None:
            yield head


class _Words:
    """The lexemes of a question, to be looked up by their place."""

    def __init__(self, lexemes: Sequence[Lexeme]) -> None:
        self._lexemes = lexemes
        self._starts = [lexeme.start for lexeme in lexemes]

    def at(self, start: int) -> Lexeme | None:
        """What begins exactly there."""
        i = bisect_left(self._starts, start)
        return self._lexemes[i] if i < len(self._lexemes) and self._starts[i] == start else None

    def predicate(self, end: int) -> Lexeme | None:
        """The first word from there on that says something."""
        i = bisect_left(self._starts, end)
        while i < len(self._lexemes) and self._lexemes[i].kind in _SKIPPED:
            i += 1
        return self._lexemes[i] if i < len(self._lexemes) else None


def _head(text: str, start: int, words: _Words, people: People, state: State) -> _Head | None:
    pattern = _subjects(people.persons)
    head, found = _Head(start, start), pattern.match(text, start)
    while found is not None:
        head = _with(head, found, people, state)
        more = _LISTED.match(text, found.end())
        found = pattern.match(text, more.end()) if more is not None else None
    if head.end == start:
        return None
    behind = _BEHIND.match(text, head.end)
    if behind is not None:
        head = replace(head, end=behind.end(), colon=behind["colon"] is not None)
    return head if head.colon or _says_something(text, head.end, words) else None


def _with(head: _Head, found: re.Match[str], people: People, state: State) -> _Head:
    """The subject with one more name in it."""
    head = replace(head, end=found.end())
    if found["rest"]:
        nobody = found["rest"].startswith(("nobody", "no"))
        return replace(head, none=True) if nobody else replace(head, rest=True)
    if found["they"]:
        return replace(head, they=True)
    number = people.me or 0
    if found["number"]:
        number = int(found["number"])
    elif found["name"]:
        word = " ".join(found["name"].split())
        number = people.by_name(word) or people.by_sign(word) or 0
    players = tuple(dict.fromkeys((*head.players, number)))
    return replace(head, players=players, problem=head.problem or _absence(number, state))


def _absence(number: int, state: State) -> Problem | None:
    """Somebody who does not play (any longer) orders nothing."""
    if number in state.ranking:
        return None
    plays = 1 <= number <= len(state.players)
    named = state.players[number - 1].name if plays else str(number)
    return Problem(
        "unknown-player",
        rules=("PR-1.7",),
        facts={"named": named, "eliminated": plays, "players": _active(state)},
    )


def _active(state: State) -> tuple[str, ...]:
    return tuple(seat.name for seat in state.players if seat.number in state.ranking)


def _says_something(text: str, end: int, words: _Words) -> bool:
    """Whether there is a predicate on the same line: `send 30 to Ben and Anna` does not make Anna a
    subject.
    """
    following = words.predicate(end)
    return (
        following is not None
        and following.kind not in _NO_PREDICATE
        and "\n" not in text[end : following.start]
    )


def _stranger(start: int, words: _Words, people: People, state: State) -> _Head | None:
    """An unknown word before a verb: the beginning of a name, or somebody who does not play
    here.
    """
    word = words.at(start)
    if (
        word is None
        or word.kind not in {"WORD", "COMMON"}
        or not word.text.isalpha()
        or len(word.text) < 3
    ):
        return None
    verb = words.predicate(word.end)
    colon = verb is not None and verb.kind == "COLON"
    if verb is None or not (
        colon or (verb.kind in DIALECT.verbs and verb.text.split()[0].endswith("s"))
    ):
        return None
    head = _Head(start, verb.end if colon else word.end, colon=colon)
    candidates = tuple(number for number in people.candidates(word.text) if number in state.ranking)
    if word.kind == "COMMON" and is_everyday(word.text) and not candidates:
        return None
    if len(candidates) == 1:
        return replace(head, players=candidates)
    code, facts = "unknown-player", dict[str, Fact](named=word.text, players=_active(state))
    if candidates:
        code, facts = "ambiguous-player", {"candidates": tuple(map(people.name_of, candidates))}
    return replace(head, problem=Problem(code, rules=("PR-1.7",), facts=facts))


@lru_cache(maxsize=64)
def _subjects(persons: tuple[Person, ...]) -> re.Pattern[str]:
    """Everybody of a table as a subject: by name, colour, symbol or number; oneself; all others."""
    table = People(persons, None)
    words = set(table.exact_names)
    for person in persons:
        words |= {
            word
            for word in (person.colour, person.symbol, person.symbol + "s")
            if table.by_sign(word) == person.number
        }
    names = "|".join(
        re.escape(word).replace(r"\ ", "[ ]+")
        for word in sorted(words, key=lambda word: (-len(word), word))
    )
    who = (
        rf"(?P<rest>{_REST})|(?P<name>{names})|(?P<me>{_ME})|(?P<they>he|she|they)|players?[ ]*\#?["
        r" ]*(?P<number>\d{1,3})"
    )
    return re.compile(rf"(?:the )?(?:{who})(?!\w)")
