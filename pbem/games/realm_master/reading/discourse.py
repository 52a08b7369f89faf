"""What one sentence of a message does to the others: takes them back, corrects them, makes them
uncertain.

The words it hangs on are the kit's (turning.words). A correction that gives an order takes the
place of the line that speaks of the same thing; one that names but a thing (`no, Arub`, `make that
3`) is read in the words of the sentence before. Where the reach is not clear, the larger one counts
and all of it is asked about. What was put in question and is then said again is not asked about.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.realm_master import orders as o
from engine.ruleset import Problem
from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.sequence import enters, follows, leaves
from pbem.games.realm_master.reading.spoken import Spoken
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.turning import Turning, turnings_of

_CUES = frozenset({"BACK", "CORRECT", "SOFT"})
_OPEN = frozenset({"NEG", "NO", "CORRECT", "HEDGE"})
_EMPTY = _OPEN | {"SELF", "SOFT", "ALSO"}
_OPENING = frozenset("oh ah hm hmm hmmm uh um well so ok okay and but or".split())
_AFTER = re.compile(r" *+(?:$|[,.:;!…(-])")
_ALONE = re.compile(r"[ )]*+$")
_KINDS = {
    "NUM": "NUM",
    "LAND": "LAND",
    "BEST": "LAND",
    "CHEAPEST": "LAND",
    "CARD": "CARD",
    "HERO": "HERO",
    "WHO": "HERO",
    **dict.fromkeys(FACES, "FACE"),
    "RFACE": "R",
}
"""Things of a kind: one of them may stand where another stood."""
_BETWEEN = frozenset({"FILLER", "COMMA", "COLON", "DASH", "TO", "ARE", "LPAR", "RPAR"})
_DEEDS = (o.BuyNow, o.RevealNow, o.Play, o.Life)


@dataclass(slots=True)
class Sentence:
    """A sentence in the making: where it stands in the folded text, what it says, and what is wrong
    with it.
    """

    start: int
    end: int
    orders: list[o.Order] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    caret: Lexeme | None = None
    lexemes: tuple[Lexeme, ...] = ()
    is_question: bool = False
    is_doubted: bool = False
    """Put in question by another sentence."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What turns the sentences before this one: its kinds, and the words that are left."""

    kinds: frozenset[str]
    rest: tuple[Lexeme, ...]


def cue_of(text: str, spoken: Spoken) -> Cue | None:
    """The turning words a sentence begins or ends with; None if it does not."""
    words = _words(text, spoken)
    first, kinds = 0, set[str]()
    for i, word in enumerate(words):
        if _is_cue(text, word, spoken):
            first = i + 1
            kinds.add("CORRECT" if word.kind == "NO" else word.kind)
        elif word.text not in _OPENING:
            break
    last = len(words)
    while last > first and words[last - 1].kind in ("CORRECT", "SOFT"):
        last -= 1
        kinds.add(words[last].kind)
    if not kinds:
        return None
    start = words[first - 1].end if first else spoken.start
    end = words[last].start if last < len(words) else spoken.end
    rest = [lexeme for lexeme in spoken.lexemes if start <= lexeme.start and lexeme.end <= end]
    while rest and rest[0].kind in ("COMMA", "COLON", "DASH"):
        del rest[0]
    while rest and rest[-1].kind in ("COMMA", "DASH", "LPAR"):
        del rest[-1]
    return Cue(frozenset(kinds), tuple(rest))


def _words(text: str, spoken: Spoken) -> list[Turning]:
    """The words of a sentence; a turning word that is part of a longer one of ours (`hold on to`,
    `I'd rather bleed`) is none.
    """
    ours = [one for one in spoken.lexemes if one.kind not in ("WORD", "FILLER")]
    found: list[Turning] = []
    at = 0
    for word in turnings_of(text, spoken.start, spoken.end):
        while at < len(ours) and ours[at].end <= word.start:
            at += 1
        held = at < len(ours) and ours[at].start <= word.start and word.end <= ours[at].end
        longer = held and ours[at].end - ours[at].start > word.end - word.start
        found.append(replace(word, kind="") if longer else word)
    return found


def _is_cue(text: str, word: Turning, spoken: Spoken) -> bool:
    """Whether a word corrects what was said. `No` and `scratch that` do, if they stand for
    themselves.
    """
    if word.kind in ("NO", "BACK"):
        return _is_answer(text, word, spoken)
    return word.kind in _CUES


def _is_answer(text: str, word: Turning, spoken: Spoken) -> bool:
    """Whether a `no` stands for itself."""
    return _AFTER.match(text, word.end, spoken.end) is not None


def _start_of_gap(text: str, at: int) -> int:
    while at and text[at - 1] == " ":
        at -= 1
    return at


def split(text: str, spoken: Spoken) -> list[Spoken]:
    """A sentence in pieces, parted where behind a sign it corrects itself."""
    signs = {lexeme.end for lexeme in spoken.lexemes if lexeme.kind in ("COMMA", "DASH", "LPAR")}
    cuts = []
    for word in _words(text, spoken):
        is_cue = _is_cue(text, word, spoken) or word.kind == "BACK"
        is_alone = _ALONE.match(text, word.end, spoken.end) is not None
        if is_cue and word.start > spoken.start and not (is_alone and word.kind != "BACK"):
            if _start_of_gap(text, word.start) in signs or (
                " " in word.text and word.kind in ("CORRECT", "BACK")
            ):
                cuts.append(word.start)
    if not cuts:
        return [spoken]
    pieces, at = [], 0
    for cut in [*cuts, spoken.end + 1]:
        told = []
        while at < len(spoken.lexemes) and spoken.lexemes[at].start < cut:
            told.append(spoken.lexemes[at])
            at += 1
        while told and told[-1].kind in ("COMMA", "DASH", "LPAR"):
            del told[-1]
        if told:
            pieces.append(Spoken(tuple(told), spoken.is_question and cut > spoken.end))
    return pieces


Build = Callable[[Sequence[Lexeme]], "list[o.Order] | None"]


@dataclass(slots=True)
class Discourse:
    """The sentences of a message, and what those that follow do to them."""

    text: str
    build: Build
    """The orders of some words; None if they are not read."""
    found: list[Sentence] = field(default_factory=list)
    is_draft: bool = False
    is_pending: bool = False
    """A word that corrects stood alone: it is about what comes."""

    def say(self, sentence: Sentence, spoken: Spoken) -> None:
        """Add a sentence that was read by itself, or not, and let it work on those before."""
        words = _words(self.text, spoken)
        cue = cue_of(self.text, spoken)
        is_pending, self.is_pending = self.is_pending, False
        if any(word.kind == "DRAFT" for word in words):
            self.is_draft = True
        before = [one for one in self.found if one.orders]
        if not before or (cue is None and not is_pending):
            self._say_plainly(sentence, spoken, words, before, cue)
            return
        rest = cue.rest if cue is not None else spoken.lexemes
        kinds = cue.kinds if cue is not None else frozenset({"CORRECT"})
        self._correct(sentence, spoken, words, before, kinds, rest)

    def _say_plainly(
        self,
        sentence: Sentence,
        spoken: Spoken,
        words: Sequence[Turning],
        before: list[Sentence],
        cue: Cue | None,
    ) -> None:
        if cue is not None and cue.rest:
            told = self.build(cue.rest)
            if told is not None:
                sentence.orders, sentence.problems, sentence.caret = told, [], None
        self._add(sentence)
        if sentence.orders:
            self._replace(sentence, [one for one in before if one.is_doubted])
            is_after = spoken.lexemes[0].kind == "THEN"
            if is_after and before and not follows(before[-1].orders, sentence.orders):
                self._doubt([before[-1], sentence])
            return
        kinds = [word.kind for word in words]
        if "BACK" in kinds or any(one.kind == "FORGET" for one in spoken.lexemes):
            self._take_back(spoken.lexemes, before)
        elif _OPEN & {*kinds} and {*kinds} <= _EMPTY:
            self._doubt(before)
        elif before and (_hangs(words) or _names_same(before[-1], spoken)):
            self._doubt(before[-1:])

    def _correct(
        self,
        sentence: Sentence,
        spoken: Spoken,
        words: Sequence[Turning],
        before: list[Sentence],
        kinds: frozenset[str],
        rest: Sequence[Lexeme],
    ) -> None:
        said = {word.kind for word in words if rest and word.start >= rest[0].start}
        if not rest or (said <= _EMPTY and not any(one.kind in VERBS for one in rest)):
            if _is_number(rest):
                pass
            elif kinds == {"SOFT"} and not said & {"NEG", "NO"}:
                return  # `Sorry!`
            else:
                self._doubt(before)
                self.is_pending = True
                return
        told = self.build(rest) or sentence.orders
        if told:
            sentence.orders, sentence.problems, sentence.caret = list(told), [], None
            is_replacing = self._replace(sentence, before)
            self._add(sentence)
            if not is_replacing and "ALSO" not in said:
                self._doubt([before[-1], sentence])
            return
        swapped = self._swap(before[-1], rest)
        if swapped is not None:
            sentence.orders, sentence.problems, sentence.caret = swapped, [], None
            self._replace(sentence, before)
            sentence.lexemes = before[-1].lexemes
            self._add(sentence)
            return
        self._add(sentence)
        if "BACK" in kinds or any(one.kind == "FORGET" for one in rest):
            self._take_back(rest, before)
        elif sentence.problems or kinds != {"SOFT"}:
            self._doubt(before[-1:])

    def leave_out(self, sentence: Sentence) -> None:
        """Ask about words of which nothing is read."""
        sentence.problems.append(Problem("not-understood", ("RM-10.1",)))
        self._add(sentence)

    def _add(self, sentence: Sentence) -> None:
        if sentence.orders or sentence.problems:
            self.found.append(sentence)

    def _doubt(self, sentences: Sequence[Sentence]) -> None:
        for one in sentences:
            one.is_doubted = True

    def _take_back(self, named: Sequence[Lexeme], before: Sequence[Sentence]) -> None:
        """Put in question what is named, or all."""
        things = {
            (one.kind, one.text) for one in named if one.kind in _KINDS or one.kind in VERBS
        } - {("FORGET", one.text) for one in named}
        reached = [
            one for one in before if things & {(word.kind, word.text) for word in one.lexemes}
        ]
        self._doubt(reached or before)

    def _replace(self, sentence: Sentence, before: Sequence[Sentence]) -> bool:
        """Whether a line before was about the same; it is left out."""
        is_replacing = False
        for one in before:
            kept = [
                order
                for order in one.orders
                if not any(_is_same(order, new) for new in sentence.orders)
            ]
            is_replacing = is_replacing or len(kept) < len(one.orders)
            one.orders = kept
        return is_replacing

    def _swap(self, before: Sentence, rest: Sequence[Lexeme]) -> list[o.Order] | None:
        """The sentence before with one thing in the place of another: `Enter Jerum. No, Arub.`"""
        said = [one for one in rest if one.kind not in _BETWEEN]
        if len(said) == 3 and said[0].kind == "NOT":  # `not Jerum, Arub`
            old, new = said[1], said[2]
            places = [
                i
                for i, one in enumerate(before.lexemes)
                if (one.kind, one.text) == (old.kind, old.text)
            ]
        elif len(said) == 1 or (
            len(said) == 2 and said[0].kind == "NUM" and _KINDS.get(said[1].kind) == "FACE"
        ):
            new = said[0]
            places = [
                i
                for i, one in enumerate(before.lexemes)
                if _KINDS.get(one.kind, "") == _KINDS.get(new.kind, "?")
            ]
            if len(said) == 2 and not any(one.kind == said[1].kind for one in before.lexemes):
                return None
        else:
            return None
        if len(places) != 1 or len(before.orders) != 1 or new.kind not in _KINDS:
            return None
        lexemes = [*before.lexemes]
        lexemes[places[0]] = new
        told = self.build(lexemes)
        if told is None or len(told) != 1 or not _is_same(told[0], before.orders[0]):
            return None
        return told

    def settle(self) -> list[Sentence]:
        """The sentences as they count; what is still in question is asked about."""
        leaving = [one for one in self.found if any(map(leaves, one.orders))]
        entering = [one for one in self.found if any(map(enters, one.orders))]
        if leaving and entering:
            self._doubt([*leaving, *entering])
        for one in self.found:
            if one.orders and (one.is_doubted or self.is_draft):
                one.orders = []
                if not one.problems:
                    one.problems.append(Problem("not-understood", ("RM-10.1",)))
        return [one for one in self.found if one.orders or one.problems]


def _is_same(one: o.Order, other: o.Order) -> bool:
    """Whether the second speaks of what the first does: the same line, the same deed, or that there
    be none.
    """
    if isinstance(other, o.Drop) or isinstance(one, o.Drop):
        drop, line = (other, one) if isinstance(other, o.Drop) else (one, other)
        return isinstance(drop, o.Drop) and drop.key in (None, o.key_of(line))
    if isinstance(one, _DEEDS) and isinstance(other, _DEEDS):
        return type(one) is type(other)
    return o.is_same_line(one, other)


def _is_number(rest: Sequence[Lexeme]) -> bool:
    return any(one.kind in _KINDS for one in rest)


def _names_same(before: Sentence, spoken: Spoken) -> bool:
    """Whether a sentence without a verb of ours names what might stand in the one before."""
    said = [one for one in spoken.lexemes if one.kind not in _BETWEEN]
    if any(one.kind in VERBS for one in said):
        return False
    is_number = all(one.kind == "NUM" for one in said)
    things = {_KINDS.get(one.kind) for one in said if is_number or one.kind != "NUM"} - {None}
    return bool(things & {_KINDS.get(one.kind) for one in before.lexemes})


def _hangs(words: Sequence[Turning]) -> bool:
    """Whether a sentence that gives no order says under which condition something holds, or with
    what exception.
    """
    if any(word.kind == "OTHER" for word in words):
        return False
    opening = next(
        (word for word in words if word.kind != "SELF" and word.text not in _OPENING), None
    )
    return opening is not None and opening.kind == "COND"
