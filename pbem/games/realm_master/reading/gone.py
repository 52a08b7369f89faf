"""What is chosen if the thing before it is not to be had: `Jerum; if that is taken, Arub`, `the
dwarf if somebody got there first`. In a list of wishes it says no more than `else` does (RM-10.6).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pbem.games.realm_master.reading.entries import thing_of
from pbem.grammar.kit.lexemes import Lexeme

LISTED = frozenset({"HERO", "LAND"})
"""Of these a list is made of which the first that is free counts."""
_OPENS = frozenset({"IF", "COND"})
_READ = _OPENS | {"GONE", "FREE", "GOTIT"}
_PASSED = frozenset({"FILLER", "HAVE", "ARE", "THERE", "ALSO", "IT", "SEEMS"})
_THEY = frozenset({"he", "she", "they", "him", "her"})
_SOME = frozenset({"someone", "somebody", "anyone", "anybody", "another", "other", "player"})
_BESIDE = frozenset({"already", "been", "one", "by", "then", "else", "meanwhile", "before", "me"})
_ENDS = frozenset({"COMMA", "DASH", "THEN", "DOT", "BANG", "SEMI", "NL", "RPAR"})
_STOPS = _ENDS | {"COLON", "LPAR", "ASK"}
_GOES_ON = frozenset({"FILLER", "WANT", "ENTER", "MOVE", "TAKEIT", "HERO", "LAND"})
_MOST = 9
"""Words of such a condition."""


@dataclass(slots=True)
class _Reader:
    """Goes once over the lexemes of a message."""

    lexemes: Sequence[Lexeme]
    told: list[Lexeme] = field(default_factory=list)
    names: list[Lexeme] = field(default_factory=list)
    """What was named so far that lists are made of."""

    def read(self) -> list[Lexeme]:
        i = 0
        while i < len(self.lexemes):
            end, kind = self.condition(i) if self.opens(i) else (0, "")
            if not end:
                self.told += _plain(self.lexemes[i])
                self.names += self.told[-1:] if self.told[-1].kind in LISTED else []
                i += 1
                continue
            first = self.lexemes[i]
            said = replace(first, kind=kind, end=self.lexemes[end - 1].end)
            if kind == "ELSE" and self.kind(end) in _ENDS - {"COMMA", "DASH", "THEN"} | {""}:
                self.add_before_item(said)
            else:
                self.told.append(said)
                while self.kind(end) in {"COMMA", "DASH", "THEN"}:
                    end += 1
            i = end
        return self.told

    def kind(self, i: int) -> str:
        return self.lexemes[i].kind if i < len(self.lexemes) else ""

    def opens(self, i: int) -> bool:
        lexeme = self.lexemes[i]
        if lexeme.kind in _OPENS:
            return True
        starts = not self.told or self.told[-1].kind in _STOPS
        return lexeme.text == "should" and starts

    def condition(self, i: int) -> tuple[int, str]:
        """The end of the condition that begins here, and its value; 0 if it is another
        condition.
        """
        names = self.names[-2:]
        free, person, unknown = True, False, 0
        for j in range(i + 1, min(i + _MOST, len(self.lexemes))):
            lexeme = self.lexemes[j]
            if lexeme.kind in LISTED:
                if not names or thing_of(lexeme) not in {thing_of(x) for x in names}:
                    return 0, ""
            elif lexeme.kind in {"NOT", "NEG"}:
                free = not free
            elif lexeme.kind == "WHO" or lexeme.text in _SOME:
                person = True
            elif lexeme.kind == "OTHER" and lexeme.text in _THEY:
                person = person or lexeme.text == "they"
            elif lexeme.kind in {"GONE", "FREE", "GOTIT"}:
                if lexeme.kind == "GOTIT" and not (person or unknown):
                    return 0, ""
                if lexeme.kind != "GOTIT" and unknown:
                    return 0, ""
                free = free == (lexeme.kind == "FREE")
                return self.ending(j + 1) if names else 0, "CAN" if free else "ELSE"
            elif lexeme.kind in {"COMMON", "WORD"} and lexeme.text not in _BESIDE:
                unknown += 1  # `if some rascal got there first`
            elif lexeme.kind not in _PASSED and lexeme.text not in _BESIDE:
                return 0, ""
        return 0, ""

    def ending(self, i: int) -> int:
        """Where it is over; 0 if it continues with something else: `if it's free and I am rich`."""
        while self.kind(i) and (self.lexemes[i].text in _BESIDE | _SOME or self.kind(i) == "WHO"):
            i += 1
        return i if self.kind(i) in _ENDS | _GOES_ON | {""} else 0

    def add_before_item(self, said: Lexeme) -> None:
        """`the dwarf if he is gone`: it is said of what is named last."""
        told = self.told
        if told and told[-1].kind in LISTED:
            at = told[-1].start
            if told[-2:-1] and told[-2].kind == "OR":
                del told[-2]  # `Jerum, or Arub if that is full`
            told.insert(len(told) - 1, replace(said, start=at, end=at))
        else:
            told.append(said)


def without_gone(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes with `else` for each condition that says that another has it."""
    told = any(x.kind in _READ or x.text == "should" for x in lexemes)
    return _Reader(lexemes).read() if told else [*lexemes]


def _plain(lexeme: Lexeme) -> list[Lexeme]:
    """What such words are anywhere else."""
    if lexeme.kind in {"GONE", "FREE"}:
        return [replace(lexeme, kind="COMMON")]
    if lexeme.kind != "GOTIT":
        return [lexeme]
    head, _, last = lexeme.text.rpartition(" ")
    if last not in _THEY:
        return [replace(lexeme, kind="STATEMENT")]
    at = lexeme.end - len(last)
    return [Lexeme("COMMON", head, lexeme.start, at), Lexeme("OTHER", last, at, lexeme.end)]
