"""The parts of a game master's words: our words, numbers, attributes, codes, quoted words, and the
names of a table.

A kingdom or a technology may have any name. A name that is a word of ours, or holds one next to
another name of the table, counts only in quotes; its owner has a number, too.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

from engine.sovereigns.codes import ACTIONS, ATTRIBUTES, COSTS
from engine.sovereigns.state import State
from pbem.grammar.gm.values import Unread
from pbem.reading.terms import Name, Names, Term, Terms, name_of, our_terms, terms_by_name

MOST_CHARACTERS = 2500
"""Quoted words included; as long as a number may be."""
_BEGUN = re.compile(r"^gm[ :]+", re.IGNORECASE)
_BEGINNINGS = ("gm", "rule", "ruling")
"""What a line of free words may begin with, and no name."""
_QUOTES = '"“”„«»'
_QUOTED = re.compile(
    rf'"(?P<plain>[^"]*)"|[{_QUOTES[1:]}](?P<curly>[^{_QUOTES}]*)[{_QUOTES}]|(?P<bare>[^{_QUOTES}]+)|.'
)
_MEANT = {action.upper(): Term("DEED", action) for action in ACTIONS} | {
    "RESOURCES": Term("ATTRIBUTE", "R"),
    "MILITARY": Term("ATTRIBUTE", "M"),
    "HARMONY": Term("ATTRIBUTE", "H"),
    "ZERO": Term("NUMBER"),
}
"""Kinds of the words file that say which deed, which attribute, or how many."""
_A = ("a",)
"""A word of ours that a kingdom may be called."""


@cache
def _ours() -> Terms:
    words = our_terms(__package__, "corrections.words").items()
    codes = [(code, Term("CODE", code)) for code in _codes()]
    for building in COSTS:
        bare = building if " " in building else building.removeprefix("BLD-")
        codes += [(name, Term("CODE", building)) for name in (building, bare)]
    return {name: (_MEANT.get(term.kind, term),) for name, (term,) in words} | terms_by_name(codes)


def _codes() -> Iterator[str]:
    static = [
        *(f"STAT-{sort} {attribute}" for sort in ("ROLL", "DEF") for attribute in ATTRIBUTES),
        *(f"STAT-ACT {action}" for action in ACTIONS),
        *("STAT-YEAR", "STAT-CALM", "STAT-DEPL"),
    ]
    yield from static
    yield from (f"ANA-DIE {attribute}" for attribute in ATTRIBUTES)
    yield from (f"ANA-CHEAP {building}" for building in COSTS)
    yield from (f"ANA-DOUBLE {one} + {other}" for one, other in product(static, static))


class TableNames(Names):
    """Our words and the names at a table."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._kingdoms = {
            x.number: Term("KINGDOM", number=x.number, text=x.ruler) for x in state.kingdoms
        }
        numbers = terms_by_name((f"player {i}", term) for i, term in self._kingdoms.items())
        named = [
            (name, self._kingdoms[x.number]) for x in state.kingdoms for name in (x.name, x.ruler)
        ]
        named += [(name, Term("TECH", name, text=name)) for name in technologies_of(state)]
        self._things = terms_by_name(named) | numbers
        plain = {
            name: meant
            for name, meant in self._things.items()
            if name in numbers or self._is_plain(name)
        }
        ours = {name: meant for name, meant in _ours().items() if name != _A}
        super().__init__((ours, plain, {_A: _ours()[_A]}))

    def _is_plain(self, name: Name) -> bool:
        """Whether a name can be read without quotes: it has a word of its own, and no word of ours
        stands next to another name in it.
        """
        ours = [word.isdecimal() or _is_ours((word,)) for word in name]
        if _is_ours(name) or all(ours) or set(_QUOTES) & set(name) or name[0] in _BEGINNINGS:
            return False
        ends = range(1, len(name) + 1)
        within = {name[i:j] for j in ends for i in range(j)} - {name}
        return not any((word,) in _ours() for word in name) or within.isdisjoint(self._things)

    # ----------------------------------------------------------------------------- names to be told
    def label(self, number: int) -> str:
        """A name of a kingdom that means nobody else."""
        kingdom = self._state.kingdom(number)
        return self.sole(self._kingdoms[number], (kingdom.name, kingdom.ruler))

    def title(self, technology: str) -> str:
        """A technology's name, in quotes where it needs them."""
        is_plain = tuple(self.meanings(name_of(technology))) == (
            Term("TECH", technology, text=technology),
        )
        return technology if is_plain else f'"{technology}"'

    def spelling(self, term: Term) -> str:
        return self.label(term.number) if term.kind == "KINGDOM" else self.title(term.key)

    def apart(self, term: Term) -> str:
        return f"player {term.number}" if term.kind == "KINGDOM" else f'"{term.key}"'

    # ----------------------------------------------------------------------------- names to be read
    def is_technology(self, text: str) -> bool:
        return any(part.kind == "TECH" for part in self._things.get(name_of(text), ()))

    def technology(self, text: str, unread: Unread) -> Term:
        """The technology of this name. Unread if there is none, or more than one."""
        found = [part for part in self._things.get(name_of(text), ()) if part.kind == "TECH"]
        exact = [part for part in found if part.key == text]
        if not found:
            raise self.no_such(text, ()) or unread
        if len(found) > 1 and len(exact) != 1:
            raise Unread("ambiguous", "correction", text, unread.nearest)
        return (exact or found)[0]

    def parts_of(self, written: str, unread: Unread) -> list[Term]:
        """The parts in the order they stand in, without fillers, the longest phrases first. Unread
        for other words.
        """
        if len(written) > MOST_CHARACTERS:
            raise unread
        parts: list[Term] = []
        for part in self._found_in(_BEGUN.sub("", written), unread):
            sign = parts[-1].kind if parts else ""
            if part.kind == "NUMBER" and (part.number < 0 or sign in ("PLUS", "MINUS")):
                parts[-1:] = [] if sign in ("PLUS", "MINUS") else parts[-1:]
                number = -part.number if sign == "MINUS" else part.number
                parts.append(replace(part, kind="SIGNED", number=number, said=f"{number:+d}"))
            else:
                parts.append(part)
        return [part for part in parts if part.kind != "MINUS"]

    def _found_in(self, written: str, unread: Unread) -> Iterator[Term]:
        for found in _QUOTED.finditer(written):
            quoted = found["curly"] if found["plain"] is None else found["plain"]
            if found["bare"] is not None:
                yield from self.terms_in(found["bare"], unread)
            elif quoted is None:
                raise unread
            else:
                yield Term("QUOTED", quoted.strip(), said=quoted.strip())


def _is_ours(name: Name) -> bool:
    """Whether it is a word of ours, whatever is called so at a table."""
    return name in _ours() and name != _A


def technologies_of(state: State) -> tuple[str, ...]:
    """Those there are, and those that are proposed."""
    return (*state.technologies, *proposals_of(state))


def proposals_of(state: State) -> tuple[str, ...]:
    return tuple(
        discovery.name
        for kingdom in state.kingdoms
        for discovery in kingdom.discoveries
        if discovery.name
    )
