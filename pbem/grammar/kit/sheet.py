"""What stands of a player as a numbered list, and which of its lines words mean."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from engine.ruleset import Checked, Standing
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Reading

OrderT = TypeVar("OrderT")
_SAYS_NOTHING = frozenset(
    "the my that this those these a an of it for in on at to from out with into against by of all"
    " everything anything every each any both order orders one ones line lines plan plans command"
    " commands number planned there i me thing things business idea".split()
)
_NOUNS = set_of("order orders one ones line lines plan plans command thing things business idea")
_ROLES = {"from": "from", "out of": "from", "to": "to", "into": "to", "on": "to", "against": "to"}


@dataclass(frozen=True)
class Sheet(Generic[OrderT]):
    """A player's standing orders, numbered as in the receipt, and how the game reads.

    `tell` is the one spelling of an order, and `parse` raises ValueError for any other text. `lex`
    gives the lexemes of words, `read` reads words against a standing, `check` is the engine's
    judgement. `cancel` is the game's own order that takes a line back (by its place; None: all of
    them), where it has one. `names` are kinds of lexemes whose words tell lines apart, `parts`
    kinds that may be only a part of a line. `subject`: what an order is for.
    """

    standing: Standing[OrderT]
    orders: Sequence[OrderT]
    tell: Callable[[OrderT], str]
    lex: Callable[[str], Sequence[Lexeme]]
    read: Callable[[Standing[OrderT], Said], Reading]
    check: Callable[[Standing[OrderT], Sequence[OrderT]], Checked[OrderT]]
    cancel: Callable[[int | None], OrderT | None] = lambda _: None
    names: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    subject: Callable[[OrderT], str] = lambda _: ""
    parse: Callable[[str], object] = fold
    no_line: str = "no-such-line"
    """The code of the problem of a number that no line has."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(self.tell, self.orders))

    @cached_property
    def lines(self) -> list[list[Lexeme]]:
        return [[*self.lex(text)] for text in self.texts]

    def described(self, words: str, *, firm: bool = False) -> tuple[list[int], bool]:
        """The lines that say all that these words say, and whether all of them do so wholly; none
        where a word says nothing about a line. `firm`: they are to say what sort of line it is.
        """
        said = [x for x in self.lex(words) if not _is_silent(x)]
        nouns = bool(_NOUNS & {*words.split()})
        if not said:
            return [], True
        found, whole = [], True
        for i, line in enumerate(self.lines):
            if all(self._says(line, self.texts[i], x, _role(words, x)) for x in said):
                found.append(i)
                whole &= self._is_whole(line, self.texts[i], said, nouns=nouns, firm=firm)
        return found, whole

    def names_several(self, words: str) -> bool:
        """Whether the words end with what lines do, in the plural: `my attacks`."""
        said = [x for x in self.lex(words) if not _is_silent(x)]
        last = said[-1].text if said else ""
        verbs = {next((y.kind for y in line if not _is_silent(y)), "") for line in self.lines}
        return last.endswith("s") and not last.endswith("ss") and said[-1].kind in verbs

    def _says(self, line: Sequence[Lexeme], text: str, x: Lexeme, role: str) -> bool:
        for y in line:
            if y.kind == x.kind and self._is_same(x, y):
                other = _role(fold(text), y)
                if not role or not other or role == other:
                    return True
        return x.kind not in self.parts and bool(
            re.search(rf"(?<![^\W_]){re.escape(x.text)}(?![^\W_])", fold(text))
        )

    def _is_same(self, x: Lexeme, y: Lexeme) -> bool:
        if x.value is not None or y.value is not None:
            return x.value == y.value
        return x.kind not in self.names or x.text == y.text

    def _is_whole(
        self, line: Sequence[Lexeme], text: str, said: Sequence[Lexeme], *, nouns: bool, firm: bool
    ) -> bool:
        """Whether such words mean the line and not a part of it: `drop the knight` may leave the
        units where they are.
        """
        solid = (y for y in line if not _is_silent(y) and y.kind not in self.parts)
        verb = next(solid, None)
        has_verb = verb is not None and any(x.kind == verb.kind for x in said)
        if any(x.kind in self.parts for x in said) and not (has_verb or nouns):
            return False
        named = [x for x in said if x.kind in self.names or x.value is not None]
        for x in named:
            same = [y for y in line if y.kind == x.kind and y.kind != "NUM"]
            mine = [y for y in same if self._is_same(x, y)]
            roles = {_role(fold(text), y) for y in mine}
            if any(
                not any(self._is_same(z, y) for z in named if z.kind == y.kind)
                for y in same
                if _role(fold(text), y) in roles
            ):
                return False
        says = bool(named) or all(len(x.text) > 3 for x in said)
        return has_verb or nouns or (says and not firm)


def _is_silent(x: Lexeme) -> bool:
    is_sign = len(x.text) == 1 and not x.text.isalnum()
    return is_sign or x.text in _SAYS_NOTHING or x.kind in {"FILLER", "REQUEST", "PROSE"}


def _role(text: str, x: Lexeme) -> str:
    """What stands before a word makes of it."""
    before = re.search(r"(?:\b(out of|\w+)) (?:the )?\Z", text[: x.start])
    return _ROLES.get(before[1], "") if before is not None else ""
