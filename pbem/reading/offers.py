"""What may be meant by a message where it was not taken: one list of orders that uses all that is
named there, or nothing.

It completes what the taking reader left unread; what that took stands, and is context. Nothing is
offered where anything of the game is asked, denied, doubted, hung on something, taken back, or told
of others; where a value finds no role; where a strange word may be what was not said; or where
another list is nearly as likely.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Generic, TypeVar

from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import Propose
from pbem.grammar.kit.rings import (
    POINTING,
    TURNING,
    asks_for_words,
    is_bare_request,
    is_question,
    reasons_ahead,
    without_reason,
)
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT
from pbem.reading.completion import Closed, Closing, may_be_told_in_full
from pbem.reading.forms import FormTable
from pbem.reading.items import CORRECTING, QUANTITIES, Mention, Said, Tongue, said_in
from pbem.reading.proposed import agreeing, told_of
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
OPEN = 0.4
"""How much likelier words are of an order that may be done in several ways, before nothing else is
offered.
"""
FEW = 6
"""A sentence of fewer words that turns something may turn what stands before it."""
_UNDOING = frozenset({"SCRATCH", "DRAFT", "UNSETTLED", "draft", "retract", "RETRACT", "COND", "IF"})
_DOUBTING = frozenset({"correct", "instead", "soft", "CORRECT", "INSTEAD", "NEG", "TURN", "HEDGE"})
_TURNING = TURNING - {"EXCEPT"} | {"NOTHING", "RANGE", "QUOTE", "QUOTEDPLACE"}
_TOLD = frozenset({"STATEMENT", "PAST", "OTHER"})
_SOFT = frozenset({"soft", "BUT", "HESITATION"})
_TALK = _SOFT | {"STATEMENT"}
"""Kinds that leave an order as it is, where somebody says what the words mean."""
_BESIDE = _TOLD | {"NEG"}
_ASIDE = _BESIDE | {"HEDGE", "ASKING", "NOT"}
_WISHES = set_of("id i'd rather") | {"i would", "we would", "we'd"}
"""What is wished is ordered."""
_TALE = 3
"""From this many words on, a sentence is about somebody."""
_QUOTING = set_of("they says said say says told tells")
"""What may continue with an order, or takes it back: `they should bring masonry`, `he says`."""
_PLAIN = set_of("the a an my our of please pls and itself himself herself themselves")
_DECREES = frozenset({"shall"})
"""A plan for somebody is an order: `my friars shall spread our faith`."""
_COUNTS = frozenset({"", "total"})
_SUBJECTS = set_of("i we i'm i've i'll we're my our the it's you your they he she")


@dataclass(frozen=True)
class Offering(Generic[OrderT]):
    """Offers of one message. `lexemes` are those of the taking reader, `space` gives the tables of
    all that may be ordered.
    """

    plain: Plain
    lexemes: Sequence[Lexeme]
    tongue: Tongue
    space: Callable[[], Sequence[FormTable]]
    parse: Callable[[str], OrderT]
    join: Callable[[Sequence[str]], Sequence[str]] = lambda texts: texts
    never: Callable[[OrderT], bool] = lambda _: False
    alone: Callable[[str], Collection[OrderT]] = lambda _: ()
    """Orders taken from their words alone, which the words around them held back here."""
    gate: Gate = GATE
    costs: Costs = field(default=COSTS)
    retell: Callable[[Sequence[Sentence], frozenset[int]], Sequence[str]] = lambda *_: ()
    """Canonical texts of all that is said, of these sentences without their talk, where no form
    takes what they name.
    """

    def whole(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
        propose: Propose | None = None,
    ) -> tuple[OrderT, ...]:
        """The orders that the sentences with something `unread` mean, apart from what was `taken`
        (places with canonical texts); () if there is a doubt. Where words of the game may mean
        several things, or nothing known, `propose` may know what.
        """
        places = dict[tuple[int, int], tuple[str, ...]]()
        for start, end, texts in taken:
            places[start, end] = (*places.get((start, end), ()), *texts)
        told = self._found(sentences, places, unread, None)
        return told or (self._found(sentences, places, unread, propose) if propose else ())

    def is_silent(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
    ) -> bool:
        """Whether nothing that is unread says, or turns, anything of the game."""
        places = [(start, end) for start, end, _ in taken]
        return self._open(sentences, places, unread) == frozenset()

    def _found(
        self,
        sentences: Sequence[Sentence],
        places: Mapping[tuple[int, int], tuple[str, ...]],
        unread: Sequence[tuple[int, int]],
        propose: Propose | None,
    ) -> tuple[OrderT, ...]:
        """What is meant as far as this reader can tell, or as somebody proposes."""
        open_sentences = self._open(sentences, [*places], unread, asks=propose is not None)
        if open_sentences is None:
            return ()
        clauses, asides = list[Clause](), list[Clause]()
        for sentence in (sentences[i] for i in sorted(open_sentences)):
            reasons = self._reasons(sentence)
            for i, clause in enumerate(sentence.clauses):
                aside = propose is None and (i < reasons or self._is_aside(sentence, i))
                (asides if aside else clauses).append(clause)
        said = said_in(self.lexemes, sentences, clauses, places, self.plain, self.tongue)
        fresh = [item for item in said.items if not item.taken]
        if not fresh or len(said.items) > MOST_ITEMS:
            return ()
        untold = any(x.kind in self.tongue.untold for one in clauses for x in one.lexemes)
        tables = () if untold else self.space()
        if propose is None:
            best = self._best(said, tables)
        else:
            best = agreeing(propose(told_of(tables)), tables, said, self.costs)
        if best is None and propose is None:
            return self._retold(sentences, open_sentences, places)
        if best is None:
            return ()
        orders = tuple(self.parse(text) for text in self.join(best.texts))
        if any(map(self.never, orders)) or self._speaks_of(asides, best.texts):
            return ()
        if propose is None and self._is_held(sentences, said, best):
            return self._retold(sentences, open_sentences, places)
        return orders

    def _retold(
        self,
        sentences: Sequence[Sentence],
        open_sentences: frozenset[int],
        places: Mapping[tuple[int, int], tuple[str, ...]],
    ) -> tuple[OrderT, ...]:
        """Their meaning without the talk, apart from what was taken."""
        texts = self.retell(sentences, open_sentences)
        taken = {text for told in places.values() for text in told}
        if not taken.issubset(texts):
            return ()
        orders = tuple(self.parse(text) for text in texts if text not in taken)
        return () if any(map(self.never, orders)) else orders

    def _speaks_of(self, asides: Sequence[Clause], texts: Sequence[str]) -> bool:
        """Whether a clause that denies or doubts something names what is in these orders."""
        said = f" {' '.join(texts)} "
        for clause in asides:
            if {x.kind for x in clause.lexemes} & (_ASIDE - _TOLD):
                values = (v for x in clause.lexemes for v in self.tongue.values(x, self.plain))
                if any(v.kind not in _COUNTS and f" {v.value} " in said for v in values):
                    return True
        return False

    def _is_held(self, sentences: Sequence[Sentence], said: Said, best: Closed) -> bool:
        """Whether the reader takes all orders of a sentence of its words alone: then it is for
        other words of that sentence that it did not take them.
        """
        fresh = (item for item in said.items if not item.taken)
        for sentence, group in groupby(fresh, key=lambda item: item.sentence):
            texts = [text for text, at in best.told if at == sentence]
            if not texts or self._is_bare(sentences, sentence, said):
                continue
            items = [*group]
            if any(item.quantity == "ELSE" for item in items):
                continue  # what the rest is hangs on what the others are
            first, last = self.lexemes[items[0].at], self.lexemes[items[-1].at]
            taken = self.alone(self.plain.text[first.start : last.end])
            if all(self.parse(text) in taken for text in self.join(texts)):
                return True
        return False

    def _is_bare(self, sentences: Sequence[Sentence], at: int, said: Said) -> bool:
        """Whether no word in a sentence, or next to it, may govern what it says."""
        items = {self.lexemes[item.at].start: item for item in said.items}
        behind, ahead = sentences[at + 1 : at + 2], sentences[max(at - 1, 0) : at]
        if any(x.start not in items for one in behind for x in one.lexemes[:1]):
            return False
        if any(not self._is_plain(one.lexemes, items, SILENT) for one in ahead):
            return False
        clauses = sentences[at].clauses
        naming = [any(x.start in items for x in clause.lexemes) for clause in clauses]
        last = max((i for i, names in enumerate(naming) if names), default=-1)
        return all(
            self._is_plain(clause.lexemes, items)
            or (names and any(x.text in _DECREES for x in clause.lexemes))
            or (i > last and clause.joint == "COMMA" and not _points(clause.lexemes))
            for i, (names, clause) in enumerate(zip(naming, clauses, strict=True))
        )

    def _is_plain(
        self,
        lexemes: Sequence[Lexeme],
        items: Mapping[int, Mention],
        silent: frozenset[str] = frozenset(),
    ) -> bool:
        """Whether all words are read, lead to such a word, or say nothing."""
        for lexeme, after in zip_longest(lexemes, lexemes[1:]):
            item = items.get(after.start) if after is not None else None
            leads = lexeme.kind in self.tongue.cues and item is not None and not item.verbs
            plain = lexeme.kind in self.tongue.plain | silent or lexeme.text in _PLAIN
            if not (lexeme.start in items or plain or leads):
                return False
        return True

    def _open(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int]],
        unread: Sequence[tuple[int, int]],
        *,
        asks: bool = False,
    ) -> frozenset[int] | None:
        """The sentences that may be completed; None if one of them, or one that speaks of them,
        says that what it says does not count. `asks`: somebody who knows more words is to tell.
        """
        starts = [sentence.start for sentence in sentences]
        wanted = {
            at
            for start, end in unread
            for at in range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1))
        }
        held = {bisect_right(starts, start) - 1 for start, _ in taken}
        found = set[int]()
        for i, sentence in enumerate(sentences):
            if i in held and i not in wanted:
                if found and any(clause.cue for clause in sentence.clauses):
                    return None  # it may be about what stands before it
                continue
            after = bool(found) or any(at < i for at in held)
            named, turned = self._names(sentence.lexemes), self._turns(sentence, asks=asks)
            if turned == {"soft"} and not after and sentence.clauses[0].cue:
                turned = frozenset()  # `Sorry, P2 works.`
            if not turned:
                found |= {i} if named else set()
                continue
            spoils = _UNDOING if named or not after else _UNDOING | _DOUBTING
            told = turned <= _TOLD and not _points(sentence.lexemes)
            short = after and len(sentence.lexemes) < FEW and not told
            if turned & spoils or short or (named and not self._is_told(sentence)):
                return None
        return frozenset(found)

    def _turns(self, sentence: Sentence, *, asks: bool = False) -> frozenset[str]:
        """The kinds of words, and cues, that turn what a sentence says."""
        found = set[str]()
        naming = [self._names(clause.lexemes) for clause in sentence.clauses]
        first = naming.index(True) if True in naming else len(naming)
        last = max((i for i, names in enumerate(naming) if names), default=-1)
        reasons = self._reasons(sentence)
        for i, clause in enumerate(sentence.clauses):
            kinds = self._turning(clause, sentence)
            leads = i < first and kinds <= _TOLD and _is_tale(clause)
            if (
                leads
                or i < reasons
                or self._is_aside(sentence, i)
                or (kinds <= _BESIDE and self._is_beside(clause))
            ):
                continue
            said = [x for one in sentence.clauses[i : i + 2] for x in one.lexemes]
            anew = clause.cue in CORRECTING and self._has_values(said) and not _calls(clause)
            kinds |= set() if anew else {clause.cue} - {""}
            kinds |= {clause.joint} & {"BUT"} if i > first else set()
            deeds = any(x.kind in self.tongue.verbs for x in clause.lexemes)
            talk = _TALK if deeds else _SOFT
            if i > last:
                talk = _TOLD | _TALK
            found |= kinds - talk if asks else kinds
        asking = is_question(sentence) and not is_bare_request(sentence)
        if asking or asks_for_words(sentence):
            found.add("ASKING")
        return frozenset(found)

    def _reasons(self, sentence: Sentence) -> int:
        return reasons_ahead(sentence.clauses, self.tongue.verbs - self.tongue.weak)

    def _turning(self, clause: Clause, sentence: Sentence) -> frozenset[str]:
        """The kinds of words of a clause that turn what it says; a word that asks does so where it
        begins the clause, or the sentence asks.
        """
        lexemes = without_reason(clause.lexemes)
        asks, turns = sentence.ended == "ASK", self.tongue.turns
        return frozenset(
            x.kind
            for i, x in enumerate(lexemes)
            if (x.kind in _TURNING or x.kind in turns)
            and (x.kind != "ASKING" or asks or i == 0)
            and not (x.kind == "HEDGE" and x.text in _WISHES)
        )

    def _is_aside(self, sentence: Sentence, at: int) -> bool:
        """Whether it only tells of somebody, what was, or what is not: `Bea has two units there`,
        `I don't trust Bea`; or says sorry to them.
        """
        clause, after = sentence.clauses[at], sentence.clauses[at + 1 : at + 2]
        kinds = {x.kind for x in clause.lexemes}
        if _calls(clause):
            return kinds <= SILENT | {"WHO", "COMMON"}
        turned = self._turning(clause, sentence)
        deeds = kinds & (self.tongue.verbs - self.tongue.weak | {"EXCEPT"})
        told = turned <= _TOLD and not _points(clause.lexemes[:1])
        first = clause.lexemes[0] if clause.lexemes else None
        subject = first is not None and (
            first.kind == "WHO" or first.text.partition(" ")[0] in _SUBJECTS
        )
        denies = turned <= _ASIDE and not _points(clause.lexemes) and not kinds & QUANTITIES
        told = told or (subject and denies)
        if any(map(self._goes_on, after)):
            return False
        return clause.joint != "BUT" and bool(turned) and told and not deeds and _is_tale(clause)

    def _goes_on(self, clause: Clause) -> bool:
        """Whether it says no deed of its own: `I wanted two for P2 and one for P1`."""
        deeds = any(x.kind in self.tongue.verbs for x in clause.lexemes)
        return clause.joint == "AND" and not deeds and self._names(clause.lexemes)

    def _is_beside(self, clause: Clause) -> bool:
        """Whether a clause says of somebody what no game knows: `I don't have the brain for more
        today`.
        """
        lexemes = clause.lexemes
        said = [word for lexeme in lexemes for word in lexeme.text.split()]
        common = sum(x.kind == "COMMON" for x in lexemes)
        return (
            not clause.cue
            and common > 1
            and bool(said)
            and said[0] in _SUBJECTS
            and not self._names(lexemes)
            and not _points(lexemes)
            and not any(x.kind in QUANTITIES for x in lexemes)
        )

    def _is_told(self, sentence: Sentence) -> bool:
        """Whether it tells what was, and orders nothing: `Last turn we lost P3 to Otto.`"""
        kinds = {x.kind for x in sentence.lexemes}
        turned = self._turns(sentence)
        deeds = any(x.kind in self.tongue.verbs for x in sentence.lexemes)
        return turned <= _TOLD and "STATEMENT" in kinds and not deeds

    def _names(self, lexemes: Sequence[Lexeme]) -> bool:
        """Whether they name anything of the game."""
        deeds = self.tongue.verbs - self.tongue.weak
        return any(x.kind in deeds for x in lexemes) or self._has_values(lexemes)

    def _has_values(self, lexemes: Sequence[Lexeme]) -> bool:
        """Whether they name what something is done with, or how many."""
        told = (self.tongue.values(x, self.plain) for x in lexemes)
        counts = any(x.kind == "NUM" for x in lexemes)
        return counts or any(values and all(x.kind for x in values) for values in told)

    def _best(self, said: Said, tables: Sequence[FormTable]) -> Closed | None:
        if said.is_strange and not any(may_be_told_in_full(table.form) for table in tables):
            return None  # no order would be beyond doubt, whatever is found
        closing = Closing(said, self.costs)
        found: dict[frozenset[str], Closed] = {}
        several = float("inf")
        for begun in Search(tables, self.costs).run(said.items)[:MOST_CLOSED]:
            closed = closing.of(begun.atoms, begun.cost)
            if closed is None:
                several = min(several, begun.cost) if closing.is_open else several
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
        if several + OPEN < best.begun:
            return None  # what is more likely may be done in several ways
        return best


def _is_tale(clause: Clause) -> bool:
    """Whether it tells something, and not what somebody says."""
    quotes = any(x.text in _QUOTING for x in clause.lexemes)
    return len(clause.lexemes) >= _TALE and not quotes and not clause.cue


def _calls(clause: Clause) -> bool:
    """Whether it says sorry to somebody by name: `sorry Boris`."""
    return clause.cue == "soft" and any(x.kind == "WHO" for x in clause.lexemes)


def _points(lexemes: Sequence[Lexeme]) -> bool:
    """Whether they speak of what was said."""
    return any(word in POINTING for lexeme in lexemes for word in lexeme.text.split())
