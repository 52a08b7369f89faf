"""The parts of a game master's words: our words, numbers, attributes, codes, quoted words, and the
names of a table. If there are other words, we ask.

A kingdom or a technology may have any name. A name that is a word of ours, or holds one next to
another name of the table, counts only in quotes; its owner has a number, too.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import NoReturn

from rapidfuzz import fuzz, process

from engine.sovereigns.codes import ACTIONS, ATTRIBUTES, COSTS
from engine.sovereigns.state import State
from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.vocabulary import parse_words

MOST_CHARACTERS = 2500
"""Quoted words included; as long as a number may be."""
SURE = 75.0
_BEGUN = re.compile(r"^gm[ :]+", re.IGNORECASE)
_BEGINNINGS = ("gm", "rule", "ruling")
"""What a line of free words may begin with, and no name."""
_QUOTES = '"“”„«»'
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’.-][^\W\d_]+)*+['’]?+|\S")

Name = tuple[str, ...]
"""A name as the words it is of."""


@dataclass(frozen=True, slots=True)
class MasterPart:
    """A kind of the words file, KINGDOM, TECH, CODE, ATTRIBUTE, DEED, NUMBER, SIGNED or QUOTED;
    which one, or how many.
    """

    kind: str
    key: str = ""
    number: int = 0
    said: str = ""
    """The words, folded; in quotes as they stand there."""


_MEANT = {action.upper(): MasterPart("DEED", action) for action in ACTIONS} | {
    "RESOURCES": MasterPart("ATTRIBUTE", "R"),
    "MILITARY": MasterPart("ATTRIBUTE", "M"),
    "HARMONY": MasterPart("ATTRIBUTE", "H"),
    "ZERO": MasterPart("NUMBER"),
}
"""Kinds of the words file that say which deed, which attribute, or how many."""


def name_of(text: str) -> Name:
    return tuple(fold(token) for token in _TOKEN.findall(text))


@lru_cache(maxsize=1)
def _ours() -> Mapping[Name, MasterPart]:
    found: dict[Name, MasterPart] = {(",",): MasterPart("FILLER")}
    for kind, phrases in parse_words(files(__package__) / "corrections.words"):
        for i, phrase in enumerate(phrases, start=1):
            found[name_of(phrase)] = _MEANT.get(kind) or MasterPart(kind, "", i)
    for building in COSTS:
        found[name_of(building)] = MasterPart("CODE", building)
        if " " not in building:
            found[name_of(building.removeprefix("BLD-"))] = MasterPart("CODE", building)
    found |= {name_of(code): MasterPart("CODE", code) for code in _codes()}
    return found


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


class Names:
    """Our words and the names at a table."""

    def __init__(self, state: State) -> None:
        self._state = state
        things = [
            *(
                (name, MasterPart("KINGDOM", kingdom.ruler, kingdom.number))
                for kingdom in state.kingdoms
                for name in (kingdom.name, kingdom.ruler)
            ),
            *((name, MasterPart("TECH", name)) for name in technologies_of(state)),
        ]
        self._things: dict[Name, list[MasterPart]] = {}
        self._spelled = {name_of(name): name for name, _ in things}
        for name, part in things:
            known = self._things.setdefault(name_of(name), [])
            known += [part] if part not in known else []
        self._things.pop((), None)
        by_number = {
            name_of(f"player {kingdom.number}"): MasterPart(
                "KINGDOM", kingdom.ruler, kingdom.number
            )
            for kingdom in state.kingdoms
        }
        self._things |= {name: [part] for name, part in by_number.items()}
        self._plain = {name for name in self._things if name in by_number or self._is_plain(name)}
        self._longest = max(map(len, (*_ours(), *self._plain)))

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
        names = (kingdom.name, kingdom.ruler)
        return next(
            (
                name
                for name in names
                if name_of(name) in self._plain and len(self._things[name_of(name)]) == 1
            ),
            f"player {number}",
        )

    def title(self, technology: str) -> str:
        """A technology's name, in quotes where it needs them."""
        name = name_of(technology)
        is_plain = name in self._plain and len(self._things[name]) == 1
        return technology if is_plain else f'"{technology}"'

    # ----------------------------------------------------------------------------- names to be read
    def is_technology(self, text: str) -> bool:
        return any(part.kind == "TECH" for part in self._things.get(name_of(text), ()))

    def technology(self, text: str, unread: Unread) -> MasterPart:
        """The technology of this name. Unread if there is none, or more than one."""
        found = [part for part in self._things.get(name_of(text), ()) if part.kind == "TECH"]
        exact = [part for part in found if part.key == text]
        if not found:
            self._refuse(text, unread)
        if len(found) > 1 and len(exact) != 1:
            raise Unread("ambiguous", "correction", text, unread.nearest)
        return (exact or found)[0]

    def parts_of(self, written: str, unread: Unread) -> list[MasterPart]:
        """The parts in the order they stand in, without fillers, the longest phrases first. Unread
        for other words.
        """
        if len(written) > MOST_CHARACTERS:
            raise unread
        parts: list[MasterPart] = []
        left: list[str] = []
        for part in self._found_in(_BEGUN.sub("", written), left, unread):
            sign = parts[-1].kind if parts else ""
            if part.kind == "NUMBER" and sign in ("PLUS", "MINUS"):
                number = part.number if sign == "PLUS" else -part.number
                parts[-1] = MasterPart("SIGNED", "", number, f"{number:+d}")
            else:
                parts.append(part)
        if left:
            self._refuse(" ".join(left), unread)
        return [part for part in parts if part.kind not in ("FILLER", "MINUS")]

    def _found_in(self, written: str, left: list[str], unread: Unread) -> Iterator[MasterPart]:
        tokens = list(_TOKEN.finditer(written))
        words = tuple(fold(token[0]) for token in tokens)
        at = 0
        while at < len(words):
            ends = range(min(at + self._longest, len(words)), at, -1)
            meant = next((end for end in ends if self._meanings(words[at:end])), 0)
            if meant:
                found, said = self._meanings(words[at:meant]), " ".join(words[at:meant])
                if len(found) > 1:
                    raise Unread("ambiguous", "correction", said, self._told(found))
                yield replace(found[0], said=said)
                at = meant
            elif tokens[at][0] in _QUOTES:
                closing = '"' if tokens[at][0] == '"' else _QUOTES
                end = next((i for i in range(at + 1, len(words)) if tokens[i][0] in closing), 0)
                if not end:
                    raise unread
                quoted = written[tokens[at].end() : tokens[end].start()].strip()
                yield MasterPart("QUOTED", quoted, said=quoted)
                at = end + 1
            else:
                left.append(words[at])
                at += 1

    def _meanings(self, words: Name) -> list[MasterPart]:
        bare = (*words[:-1], words[-1].removesuffix("'s").removesuffix("'"))
        if len(words) == 1 and words[0].isdecimal():
            return [MasterPart("NUMBER", "", int(words[0]))]
        for said in (words, bare):
            if _is_ours(said):
                return [_ours()[said]]
        named = [
            part for said in {words, bare} if said in self._plain for part in self._things[said]
        ]
        return named or ([_ours()[words]] if words in _ours() else [])

    def _told(self, found: list[MasterPart]) -> tuple[str, ...]:
        return tuple(
            f"player {part.number}" if part.kind == "KINGDOM" else f'"{part.key}"' for part in found
        )

    def _refuse(self, said: str, unread: Unread) -> NoReturn:
        """Other words: a name with a slip if one is near, else not understood."""
        known = {" ".join(name): told for name, told in self._spelled.items()}
        near = process.extractOne(fold(said), list(known), scorer=fuzz.ratio, score_cutoff=SURE)
        if near is None:
            raise unread
        raise Unread("invalid", "no-such", said, (known[near[0]],))


def _is_ours(name: Name) -> bool:
    """Whether it is a word of ours, whatever is called so at a table; `A` may be a kingdom."""
    return name in _ours() and name != ("a",)


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
