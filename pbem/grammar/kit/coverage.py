"""Which words of the game a message has said in vain.

A word of the game (an order word, a place, a player, a number) is used if a recorded order says it,
if a problem quotes it, or if it is talk. Any other is left over, and we tell its writer: no message
counts as fine with such a word in it.
"""

import itertools
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.ruleset import Problem
from pbem.grammar.kit.apart import asks_for_deed, is_idle, repeats
from pbem.grammar.kit.attachment import Attachment, Place
from pbem.grammar.kit.headings import put_off
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import ASKED_FIRST, PARTLY_READ, UNUSED, Item, Suggestion
from pbem.grammar.kit.rings import is_told, without_reason
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT, TURNS

_CONDITIONS = set_of("COND IF UNLESS WHILE ONLYIF")
_TALKS = (TURNS - {"OTHER", "OR"}) | {"NOT", "IF", "UNLESS", "WHILE", "ONLYIF", "EXCEPT", "NOTHING"}
"""A clause with one of these orders nothing by itself: readers ask about it where it matters."""
_DENIES = frozenset({"NEG", "NOT", "NOTHING"})
_YOU = set_of("you u you're youre you'll your they")
_THEY = set_of("he she his her")
_SELF = frozenset({"i", "we"})
_POINTS = SILENT | {"THEM"}
_THAT_IS = frozenset({"i.e.", "i.e", "ie", "that is", "meaning"})
_LINKS = set_of("IN TO FROM WITH OF FOR AT")
_SMALL = _POINTS | _LINKS
_BARE = 3
"""From this many words of the game on, and no others, a clause is not talk."""
_JOINED = frozenset({"AND", "CUE"})
_HARMLESS = frozenset({"", "soft"})
"""Cues behind which a clause stands as it is."""


class Came(Struct, frozen=True):
    """A part of a message (in the folded text) of which something came: orders by their canonical
    `texts`, or what `is_told` about it with a quotation (a problem, a warning). `is_unread`: no
    order was found in it.
    """

    start: int
    end: int
    texts: tuple[str, ...] = ()
    is_told: bool = False
    is_unread: bool = False

    @property
    def stands(self) -> bool:
        """It is taken, and nothing is told about it."""
        return bool(self.texts) and not self.is_told


class _Places:
    """Where parts of a message stand, those that meet as one."""

    def __init__(self, parts: Sequence[Came]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for part in sorted(parts, key=lambda one: one.start):
            if self.ends and part.start < self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], part.end)
            else:
                self.starts.append(part.start)
                self.ends.append(part.end)

    def meet(self, start: int, end: int) -> bool:
        """Whether any of them reaches into this place."""
        i = bisect_right(self.ends, start)
        return i < len(self.starts) and self.starts[i] < end


class _Here(Struct, frozen=True):
    """What was taken of the message and what was quoted, and whether something of a sentence
    stands.
    """

    taken: _Places
    quoted: _Places
    stands: bool
    named: bool
    """Somebody else was named so far."""

    def takes(self, lexeme: Lexeme) -> bool:
        """It stands in what was taken, and nothing is told about it."""
        at = lexeme.start, lexeme.start + 1
        return self.taken.meet(*at) and not self.quoted.meet(*at)

    def has(self, lexeme: Lexeme) -> bool:
        at = lexeme.start, lexeme.start + 1
        return self.taken.meet(*at) or self.quoted.meet(*at)


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a game, by their kinds: order words (`verbs`; `weak` ones say something only
    with other words), `things` that differ by what they name, `marks` that are an order's own, and
    `spreads` for what is not named one by one. A clause with one of `talks` is talk. `answers`
    (kinds or words) may answer an open question, no matter whom they speak of. `others` are words
    for all that a message does not name, `people` those for players. `denies`: words that take a
    mark away. `alike`: kinds that mean one thing; `named`: what a thing names; `nays`: the order
    word that a no to a kind stands for.
    """

    verbs: frozenset[str]
    weak: frozenset[str]
    things: frozenset[str]
    marks: frozenset[str] = frozenset()
    spreads: frozenset[str] = frozenset()
    talks: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset({"WHO"})
    alike: Mapping[str, str] = field(default_factory=dict)
    nays: Mapping[str, str] = field(default_factory=dict)
    denies: Mapping[str, str] = field(default_factory=dict)
    named: Callable[[Lexeme], object] = lambda lexeme: lexeme.value


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of messages of one player; `read` makes lexemes of a canonical text, with what that
    says of the position besides.
    """

    terms: Terms
    me: int
    read: Callable[[str], Sequence[Lexeme]]

    def cover(
        self,
        plain: Plain,
        sentences: Sequence[Sentence],
        came: Sequence[Came],
        items: Sequence[Item],
        is_at_once: Callable[[Any], bool],
    ) -> tuple[Item, ...]:
        """The items, one of each part that came, with those for words that came to nothing. What
        such words belong to, or may have meant another deed than, does not stand.
        """
        said = self._said(came)
        left = [*self._left_over(sentences, came, said)]
        named = self.terms.named
        held = Attachment(
            self.terms.verbs, self.terms.others, self.terms.things - {"NUM"} | {"WHO"}
        ).held(
            sentences,
            [Place(one.start, one.end) if one.texts else None for one in came],
            [Place(one.start, one.end) for one in came if one.is_unread]
            + [Place(*place) for place in left],
            lambda i, lexeme: any(
                x.kind == lexeme.kind and named(x) == named(lexeme)
                for text in came[i].texts
                for x in said[text]
            ),
        )
        later = _Places([Came(*place) for place in put_off(plain.text)])
        held |= {i for i, one in enumerate(came) if later.meet(one.start, one.end)}
        unused = (Item(plain.quote(*place), problems=(Problem(UNUSED),)) for place in left)
        stays = _asked_first(items, is_at_once if left else lambda _: False, held)
        return (*stays, *unused)

    def left_over(
        self, sentences: Sequence[Sentence], came: Sequence[Came]
    ) -> Iterator[tuple[int, int]]:
        """Where these words stand."""
        yield from self._left_over(sentences, came, self._said(came))

    def _said(self, came: Sequence[Came]) -> Mapping[str, Sequence[Lexeme]]:
        """The lexemes of each canonical text, which is read once however often it came."""
        texts = dict.fromkeys(text for part in came for text in part.texts)
        return {text: self.read(text) for text in texts}

    def _left_over(
        self,
        sentences: Sequence[Sentence],
        came: Sequence[Came],
        said: Mapping[str, Sequence[Lexeme]],
    ) -> Iterator[tuple[int, int]]:
        told = Counter(text for part in came for text in part.texts)
        used = {key for lexemes in said.values() for x in lexemes for key in self._keys(x)}
        used |= {("NUM", count) for count in told.values()}
        taken = _Places([part for part in came if part.stands])
        quoted = _Places([part for part in came if part.is_told])
        whole = [(one, list(_clauses(one))) for one in sentences]
        fixes = -1
        every = [clause for _, clauses in whole for clause in clauses]
        for clause, after in itertools.zip_longest(every, every[1:]):
            if self.terms.denies:
                used |= {self.terms.denies.get(x.kind) for x in clause.lexemes}
            if self._talks(clause.lexemes):
                used |= {self._key(x) for x in clause.lexemes if x.kind in self.terms.things}
            if clause.at is not None and self._corrects(clause, after):
                fixes = clause.at.start
        named = False
        for sentence, clauses in whole:
            stands = taken.meet(sentence.start, sentence.end)
            if sentence.ended == "ASK" and not stands:
                continue
            denied = retold = False
            for clause, after in itertools.zip_longest(clauses, clauses[1:]):
                bare = not any(x.kind in self.terms.verbs for x in clause.lexemes)
                denied = self._talks(clause.lexemes) or (denied and bare)
                goes_on = clause.joint == "AND" and not self._names(clause)
                named = named or any(map(self._is_somebody, clause.lexemes))
                told_on = retold and clause.joint == "AND"
                told_of = self._is_told(clause.lexemes, named=named) and not self._calls(clause)
                retold = told_of or (retold and goes_on)
                here = _Here(taken, quoted, stands, named)
                if not retold and self._is_said_otherwise(clause, after, here, used):
                    yield clause.lexemes[0].start, clause.lexemes[-1].end
                if retold or denied or not clause.lexemes:
                    continue
                if clause.lexemes[0].start >= fixes:
                    mark = clause.mark if here.takes(clause.lexemes[0]) else None
                    if mark is not None and self._is_new(mark, used):
                        yield mark.start, mark.end
                    left = self._of_clause(clause, after, here, used)
                    if not left and not told_on and self._is_meant(clause, after, here, used):
                        left = clause.lexemes
                    if left:
                        yield left[0].start, left[-1].end

    def _is_said_otherwise(
        self, clause: Clause, after: Clause | None, here: "_Here", used: set[object]
    ) -> bool:
        """Whether a clause only looks like talk and had no effect: it asks for earlier orders, or
        it says no where a no is an order, and no such order was read.
        """
        if any(map(here.has, clause.lexemes)):
            return False
        kinds = {x.kind for x in clause.lexemes}
        denies = kinds & _DENIES and not kinds & (_TALKS - _DENIES)
        nays = {self.terms.nays[kind] for kind in kinds & self.terms.nays.keys()}
        return (repeats(clause.lexemes) and not _explains(after)) or bool(denies and nays - used)

    def _names(self, clause: Clause) -> bool:
        """Whether it names a thing of its own. A clause that continues to speak of others
        does not.
        """
        return any(x.kind in self.terms.things for x in clause.lexemes)

    def _corrects(self, clause: Clause, after: Clause | None) -> bool:
        """A cue takes something back, or (`sorry, 3`) something of the game follows it."""
        near = [*clause.lexemes, *(after.lexemes if after is not None else ())]
        return clause.cue not in _HARMLESS or any(map(self._is_of_game, near))

    def _keys(self, lexeme: Lexeme) -> tuple[object, object]:
        return self._kind(lexeme), self._key(lexeme)

    def _kind(self, lexeme: Lexeme) -> str:
        return self.terms.alike.get(lexeme.kind, lexeme.kind)

    def _key(self, lexeme: Lexeme) -> object:
        kind = self._kind(lexeme)
        if kind not in self.terms.things:
            return kind
        return kind, self.terms.named(lexeme)

    def _of_clause(
        self, clause: Clause, after: Clause | None, here: "_Here", used: AbstractSet[object]
    ) -> list[Lexeme]:
        """The words of a clause that are left over: those within what was taken, and the others."""
        if clause.cue not in _HARMLESS:
            return []
        inside = [x for x in clause.lexemes if here.takes(x)]
        outside = [x for x in clause.lexemes if not here.has(x)]
        calls = self._calls(clause)
        found = [x for x in inside if self._is_new_inside(x, used)]
        answers = [x for x in outside if {x.kind, x.text} & self.terms.answers]
        anew = any(x.kind in self.terms.verbs and x.kind not in used for x in answers)
        if answers and (anew or not used & self.terms.answers):
            found += answers
        elif here.stands and (self._is_shorthand(outside) or self._amends(clause, outside, used)):
            found += outside
        elif outside and (calls or not self._is_told(outside, named=here.named)):
            said = [x for x in outside if self._is_of_game(x) and self._is_new(x, used)]
            joined = clause.joint in _JOINED and here.stands
            goes_on = after is not None and self._goes_on(after, here)
            if calls or self._orders(outside, said, joined=joined, goes_on=goes_on):
                found = sorted(found + said, key=lambda x: x.start)
        return found

    def _amends(self, clause: Clause, outside: Sequence[Lexeme], used: AbstractSet[object]) -> bool:
        """`..., all bar one`: an amount again, behind a comma."""
        kinds = [x.kind for x in outside if x.kind not in _POINTS]
        anew = any(x.kind == "NUM" and self._is_new(x, used) for x in outside) or "EXCEPT" in kinds
        return clause.joint == "COMMA" and anew and kinds[0] in self.terms.spreads

    def _is_meant(
        self, clause: Clause, after: Clause | None, here: "_Here", used: AbstractSet[object]
    ) -> bool:
        """Whether a clause of which nothing came is meant for an order anyway: it begins with a
        word of the game and is about another one, too; is of such words alone; or asks for a deed
        in other words. What a colon follows only leads up to that.
        """
        terms = self.terms
        solid = [x for x in clause.lexemes if x.kind not in _SMALL]
        apart = clause.cue not in _HARMLESS or any(map(here.has, clause.lexemes))
        if not solid or apart or _explains(after):
            return False
        of_game = [x for x in clause.lexemes if self._is_of_game(x)]
        said = [x for x in of_game if self._is_new(x, used)]
        kinds = {self._kind(x) for x in said if x.kind not in terms.spreads}
        first = solid[0].kind
        leads = first in terms.verbs or first in terms.things or first in terms.marks
        leads = leads and first not in terms.people
        if leads and len(kinds) > 1 and kinds & terms.verbs:
            return not is_idle([clause], terms.verbs)
        bare = len(solid) >= _BARE and all(map(self._is_of_game, solid))
        is_new = first not in terms.people and any(x.kind not in terms.weak for x in said)
        otherwise = bool(said) or not of_game
        return (bare and is_new) or (otherwise and asks_for_deed(clause.lexemes))

    def _is_shorthand(self, outside: Sequence[Lexeme]) -> bool:
        """`rest F`: a letter that is no word, of all that is left."""
        letters = [x for x in outside if x.kind == "WORD" and len(x.text) == 1]
        rest = [x for x in outside if x not in letters and x.kind not in _POINTS]
        return len(letters) == 1 and bool(rest) and all(x.kind in self.terms.spreads for x in rest)

    def _goes_on(self, clause: Clause, here: "_Here") -> bool:
        """It is a taken part of an order whose other parts stand before it: `die 4 and 5`."""
        lexemes = clause.lexemes
        taken = bool(lexemes) and all(here.takes(x) for x in lexemes)
        return (
            taken and clause.joint == "AND" and all(x.kind not in self.terms.verbs for x in lexemes)
        )

    def _orders(
        self, outside: Sequence[Lexeme], said: Sequence[Lexeme], *, joined: bool, goes_on: bool
    ) -> bool:
        """Whether words outside what was taken are meant for an order: one of them is an order
        word, all are words of the game, or they continue an order.
        """
        terms = self.terms
        deeds = terms.verbs - terms.weak
        if any(x.kind in deeds for x in said):
            return True
        rest = [x for x in outside if x.kind not in _POINTS and x.text != "they"]
        bare = all(map(self._is_of_game, rest))
        if bare and any(x.kind in terms.marks for x in said):
            return True
        others = terms.things - terms.people
        again = any(x.kind in deeds for x in rest)
        if bare and again and any(x.kind in others for x in said):
            return True  # `P1 works. Bea P5 works`
        things = (terms.things if goes_on else terms.things - {"NUM"}) | terms.people | terms.marks
        return (joined or goes_on) and any(x.kind in things for x in said)

    def _talks(self, lexemes: Sequence[Lexeme]) -> bool:
        """Whether it orders nothing by itself; an order with a condition does, and what is but an
        amount with what is excepted of it.
        """
        kinds = {x.kind for x in lexemes}
        turns = kinds & _TALKS | kinds & self.terms.talks
        amount = turns == {"EXCEPT"} and kinds <= self.terms.spreads | {"EXCEPT", "NUM"}
        return bool(turns) and not amount and not (turns <= _CONDITIONS and self._is_order(lexemes))

    def _is_order(self, lexemes: Sequence[Lexeme]) -> bool:
        kinds = {x.kind for x in lexemes}
        things = self.terms.things | self.terms.marks | self.terms.spreads
        return bool(kinds & (self.terms.verbs - self.terms.weak)) and bool(kinds & things)

    def _is_new_inside(self, lexeme: Lexeme, used: AbstractSet[object]) -> bool:
        """What it says is in no order, though it stands among the words of one."""
        terms = self.terms
        bare = lexeme.kind == "NUM" and " " in lexeme.text  # `a soldier`
        deeds = lexeme.kind in terms.verbs and lexeme.kind not in terms.weak
        says = deeds or lexeme.kind in terms.things or lexeme.kind in terms.marks
        return says and not bare and self._is_new(lexeme, used)

    def _is_of_game(self, lexeme: Lexeme) -> bool:
        terms, kind = self.terms, lexeme.kind
        return (
            kind in terms.verbs
            or kind in terms.things
            or kind in terms.marks
            or kind in terms.spreads
        )

    def _is_new(self, lexeme: Lexeme, used: AbstractSet[object]) -> bool:
        if lexeme.kind == "WHO" and lexeme.value == self.me:
            return False
        return self._key(lexeme) not in used

    def _is_somebody(self, lexeme: Lexeme) -> bool:
        return lexeme.kind in self.terms.people and lexeme.value != self.me

    def _calls(self, clause: Clause) -> bool:
        """A name stands before an order word that tells of nobody: `Ed guard`, `Ed buy 1`. None
        does in `Ed guards` and `Bea and Ed march`.
        """
        first, verb = (*clause.lexemes, None, None)[:2]
        if first is None or verb is None or clause.joint == "AND":
            return False
        called = first.kind == "WHO" and verb.kind in self.terms.verbs
        return called and not verb.text.split()[0].endswith(("s", "ed", "ing"))

    def _is_told(self, lexemes: Sequence[Lexeme], *, named: bool) -> bool:
        """Whether its order words tell what others do: you, or somebody who was `named` before; and
        not `Ben's offer I accept`.
        """
        if any(
            y.kind in self.terms.verbs and _is_own(x, y) for x, y in itertools.pairwise(lexemes)
        ):
            return False
        subjects = _YOU | _THEY if named else _YOU
        solid = [x for x in lexemes if x.kind not in SILENT]
        if [x.kind for x in solid[:2]] == ["PLACE", "WHO"]:
            return False  # `P5 Bea guard`
        verbs = [i for i, x in enumerate(solid) if x.kind in self.terms.verbs]
        return bool(verbs) and all(
            any(x.text in subjects for x in solid[:i])
            or (is_told(solid, i, self.me) and (named or not _THEY & {x.text for x in solid[:i]}))
            for i in verbs
        )


def _is_own(before: Lexeme, verb: Lexeme) -> bool:
    return before.text in _SELF or verb.text.split(" ")[0] in _SELF


def _explains(clause: Clause | None) -> bool:
    """Whether a clause says in full what the one before it says: `i.e. 3 harmony`."""
    if clause is None:
        return False
    return clause.joint == "COLON" or any(x.text in _THAT_IS for x in clause.lexemes[:1])


def bounds_in(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The other numbers that tell the bounds of a canonical condition: `at most 4` is less than 5,
    `at least 4` more than 3.
    """
    counts = [x.value for x in lexemes if x.kind == "NUM" and isinstance(x.value, int)]
    return [Lexeme("NUM", "", 0, 0, other) for count in counts for other in (count - 1, count + 1)]


def _clauses(sentence: Sentence) -> Iterator[Clause]:
    """The clauses without their reasons."""
    reasons = False
    for clause in sentence.clauses:
        if reasons and clause.joint in {"AND", "COMMA"}:
            continue
        kept = without_reason(clause.lexemes)
        reasons = len(kept) < len(clause.lexemes)
        if kept or clause.cue:
            yield replace(clause, lexemes=kept)


def _asked_first(
    items: Sequence[Item], is_at_once: Callable[[Any], bool], held: Collection[int] = ()
) -> tuple[Item, ...]:
    """The items of a message with words that came to nothing: what takes effect at once is not done
    but offered, for those words may have meant another deed. Items that are `held`, by number, are
    lines to copy: such words belong to them, and a yes must not free another order than was meant.
    """
    number = sum(item.suggestion is not None for item in items)
    found = []
    for i, item in enumerate(items):
        text = "\n".join(item.texts)
        if item.orders and i in held:
            told = (*item.problems, Problem(PARTLY_READ))
            item = replace(item, orders=(), texts=(), problems=told, example=text)
        elif any(map(is_at_once, item.orders)):
            number += 1
            told = (*item.problems, Problem(ASKED_FIRST))
            given = Suggestion(number, item.orders, text)
            item = replace(item, orders=(), texts=(), problems=told, suggestion=given)
        found.append(item)
    return tuple(found)
