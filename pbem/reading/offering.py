"""What may be meant by a message where it was not taken: one list of orders that uses all that is
named there, or nothing.

It completes what the taking reader left unread; what that took stands, and is context. Nothing is
offered where anything of the game is asked, denied, doubted, hung on something, taken back, or told
of others; where a value finds no role; where a strange word may be what was not said; or where
another list is nearly as likely.
"""

import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import is_bare_request, asks_for_words, is_question
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.suggesting import TURNING
from pbem.reading.closing import Closed, Closing
from pbem.reading.forms import Form, Table
from pbem.reading.items import Said, Tongue, said_in
from pbem.reading.search import COSTS, Costs, Search

MOST_ITEMS = 48
MOST_CLOSED = 16

OrderT = TypeVar("OrderT")


@dataclass(frozen=True, slots=True)
class Gate:
    """How likely an offer must be: what it may cost, alone and for each order, and how far behind
    the next list must be.
    """

    most: float = 1.0
    an_order: float = 0.5
    margin: float = 0.25


GATE = Gate()
_UNDOING = frozenset({"RETRACT", "SCRATCH", "DRAFT", "UNSETTLED"})


@dataclass(frozen=True)
class Offering(Generic[OrderT]):
    """Offers of one message. `lexemes` and `sentences` are those of the taking reader; `space` gives
    the tables of all that may be ordered.
    """

    plain: Plain
    lexemes: Sequence[Lexeme]
    tongue: Tongue
    space: Callable[[], Sequence[Table]]
    parse: Callable[[str], OrderT]
    join: Callable[[Sequence[str]], Sequence[str]] = lambda texts: texts
    never: Callable[[OrderT], bool] = lambda _: False
    gate: Gate = GATE
    costs: Costs = field(default=COSTS)

    def whole(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
    ) -> tuple[OrderT, ...]:
        """The orders that are meant beside what was `taken` (places with canonical texts): of the
        sentences with something `unread`; () where nobody can tell.
        """
        starts = [sentence.start for sentence in sentences]
        if not starts:
            return ()
        places = {(start, end): texts for start, end, texts in taken}
        open_sentences = self._open(sentences, starts, [*places], unread)
        if open_sentences is None:
            return ()
        said = said_in(self.lexemes, sentences, open_sentences, places, self.plain, self.tongue)
        fresh = [item for item in said.items if not item.taken]
        if len(fresh) < 1 or len(said.items) > MOST_ITEMS:
            return ()
        best = self._best(said)
        if best is None:
            return ()
        orders = tuple(self.parse(text) for text in self.join(best.texts))
        return () if any(map(self.never, orders)) else orders

    def _open(
        self,
        sentences: Sequence[Sentence],
        starts: Sequence[int],
        taken: Sequence[tuple[int, int]],
        unread: Sequence[tuple[int, int]],
    ) -> frozenset[int] | None:
        """The sentences that may be completed; None if one of them, or one that speaks of them,
        says that what it says does not count.
        """
        wanted = {
            at
            for start, end in unread
            for at in range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1))
        }
        held = {bisect_right(starts, start) - 1 for start, _ in taken}
        whole = {i for i in held if i not in wanted}
        found = set[int]()
        for i, sentence in enumerate(sentences):
            if i in whole:
                continue
            kinds = {lexeme.kind for lexeme in sentence.lexemes}
            cues = {clause.cue for clause in sentence.clauses}
            named = self._names(sentence)
            turned = bool(kinds & (TURNING | self.tongue.turns)) or bool(cues - {"", "soft"})
            turned |= "soft" in cues and (bool(found) or bool(held))
            if is_question(sentence) or is_bare_request(sentence) or asks_for_words(sentence):
                turned = True
            if turned and (named or kinds & _UNDOING or cues - {"", "soft"}):
                return None
            if turned and i - 1 in found and len(sentence.lexemes) < 6:
                return None
            if named and not turned:
                found.add(i)
        return frozenset(found)

    def _names(self, sentence: Sentence) -> bool:
        """Whether it names anything of the game."""
        tongue = self.tongue
        for lexeme in sentence.lexemes:
            if lexeme.kind in tongue.verbs - tongue.weak or lexeme.kind == "NUM":
                return True
            values = tongue.values(lexeme, self.plain)
            if values and all(value.kind for value in values):
                return True
        return False

    def _best(self, said: Said) -> Closed | None:
        tables = self.space()
        closing = Closing(said, self.costs)
        found: dict[frozenset[str], Closed] = {}
        for begun in Search(tables, self.costs).run(said.items)[:MOST_CLOSED]:
            closed = closing.of(begun.atoms, begun.cost)
            if closed is None:
                continue
            key = frozenset(closed.texts)
            if key not in found or closed.cost < found[key].cost:
                found[key] = closed
        ranked = sorted(found.values(), key=lambda one: one.cost)
        if not ranked:
            return None
        best = ranked[0]
        if best.cost > self.gate.most + self.gate.an_order * len(best.texts):
            return None
        if len(ranked) > 1 and ranked[1].cost - best.cost < self.gate.margin:
            return None
        return best
