"""To which orders the words belong that were not understood. Such an order may mean something else
than what it was read as: it is offered with a yes, and not taken.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from msgspec import Struct

from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT

_PREPOSITIONS = set_of("FROM TO WITH IN VIA FOR AT")
_LEADS = _PREPOSITIONS | set_of("NUM ALL BOTH HALF NOTHING EXCEPT NEG")
"""What continues with an order, and begins none."""
_BACK = set_of("NEG CORRECT INSTEAD CONTRAST TURN RETRACT SCRATCH")
_POINTING = frozenset({"that one", "this one", "those", "these", "it", "they", "them", "both"})
_SUBJECTLESS = frozenset("is are will shall does do must should can would".split())
"""Words that continue with the subject before: `P1 stays and is making the guard`."""
_AFTER = frozenset({"otherwise", "afterwards", "after that", "if not", "failing that"})


class Place(Struct, frozen=True):
    """Where something of a message stands, in the folded text."""

    start: int
    end: int

    def meets(self, other: "Place") -> bool:
        return self.start < other.end and other.start < self.end

    def holds(self, other: "Place") -> bool:
        return self.start <= other.start and other.end <= self.end and self != other


@dataclass(slots=True)
class _Part:
    """A clause with what stands of it, by number, and its words that were not understood."""

    clause: Clause
    number: int
    taken: list[int]
    unread: list[Lexeme]

    def opens_with(self, words: Collection[str]) -> bool:
        said = " ".join(x.text for x in self.clause.lexemes[:4] if x.kind != "COMMA")
        return any(said == word or said.startswith(f"{word} ") for word in words)


@dataclass(frozen=True, slots=True)
class Attachment:
    """How words are attached in a game: `verbs` begin an order of their own, `others` are kinds of
    words for all that was not named: nobody knows what that is if a part is unread. `things` are
    told apart by what they name.
    """

    verbs: frozenset[str]
    others: frozenset[str]
    things: frozenset[str]

    def held(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[Place | None],
        unread: Sequence[Place],
        says: Callable[[int, Lexeme], bool],
    ) -> frozenset[int]:
        """Which of the parts that were `taken` (None: nothing stands of it) do not stand. `says`:
        whether the orders of a part, by its number, name what a lexeme names.
        """
        if not unread:
            return frozenset()
        parts = [*_parts(sentences, taken, unread)]
        found: set[int] = set()
        for at, part in enumerate(parts):
            before = parts[at - 1] if at else None
            if part.unread:
                if not self._orders(part.unread):
                    found.update(part.taken)
                if before is not None and not part.taken and self._leans(part, before):
                    found.update(before.taken)
                if _turns(part.clause):
                    found.update(self._sharing(part, parts[:at]))
            elif before is not None and before.unread and part.opens_with(_AFTER):
                found.update(part.taken)
            elif any(x.kind in self.others for x in part.clause.lexemes):
                named = [x for one in parts if one.unread for x in one.clause.lexemes]
                things = [x for x in named if x.kind in self.things and x.kind != "WHO"]
                found.update(i for i in part.taken if any(says(i, x) for x in things))
        return frozenset(found)

    def _orders(self, lexemes: Sequence[Lexeme]) -> bool:
        return any(x.kind in self.verbs for x in lexemes)

    def _leans(self, part: _Part, before: _Part) -> bool:
        """It continues with what stands before it, or points at that."""
        first = next((x.kind for x in part.clause.lexemes if x.kind not in SILENT), "")
        leads = first in _LEADS and (first in _PREPOSITIONS or not self._orders(part.unread))
        joined = part.number == before.number and part.clause.joint != ""
        own = any(x.kind in self.things for x in part.clause.lexemes)
        goes_on = part.clause.joint == "AND" and part.opens_with(_SUBJECTLESS) and not own
        return ((leads or goes_on) and joined) or part.opens_with(_POINTING)

    def _sharing(self, part: _Part, before: Sequence[_Part]) -> Iterator[int]:
        """What stands of earlier clauses that name a thing which this one names."""
        named = {_key(x) for x in part.clause.lexemes if x.kind in self.things}
        for other in before:
            if named & {_key(x) for x in other.clause.lexemes if x.kind in self.things}:
                yield from other.taken


def _parts(
    sentences: Sequence[Sentence], taken: Sequence[Place | None], unread: Sequence[Place]
) -> Iterator[_Part]:
    standing = _meeting((place, i) for i, place in enumerate(taken) if place is not None)
    unknown = _meeting((place, i) for i, place in enumerate(unread))
    for number, sentence in enumerate(sentences):
        for clause in sentence.clauses:
            if not clause.lexemes:
                continue
            here = Place(clause.lexemes[0].start, clause.lexemes[-1].end)
            own = standing(here)
            near = _meeting(
                (place, i)
                for place, i in unknown(here)
                if not any(place.holds(other) for other, _ in own)
            )
            left = [x for x in clause.lexemes if near(Place(x.start, x.end))]
            yield _Part(clause, number, [i for _, i in own], left)


def _meeting(
    places: Iterable[tuple[Place, int]],
) -> Callable[[Place], list[tuple[Place, int]]]:
    """Which of these places one meets, without a look at those far from it."""
    ordered = sorted(places, key=lambda one: one[0].start)
    starts = [place.start for place, _ in ordered]
    ends = [*accumulate((place.end for place, _ in ordered), max)]

    def meeting(here: Place) -> list[tuple[Place, int]]:
        near = ordered[bisect_right(ends, here.start) : bisect_left(starts, here.end)]
        return [one for one in near if one[0].meets(here)]

    return meeting


def _turns(clause: Clause) -> bool:
    return bool(clause.cue) or any(x.kind in _BACK for x in clause.lexemes)


def _key(lexeme: Lexeme) -> tuple[str, object]:
    return lexeme.kind, lexeme.value if lexeme.value is not None else lexeme.text
