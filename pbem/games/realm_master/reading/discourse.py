"""What one sentence of a message does to the others: takes them back, corrects them, makes them
uncertain.

The words it hangs on are the kit's (turning.words). A correction that gives an order takes the
place of the line that speaks of the same thing; one that names but a thing (`no, Arub`, `make that
3`) is read in the words of the sentence before. Where the reach is not clear, the larger one counts
and all of it is asked about. What was put in question and is then said again is not asked about.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as change

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.ruleset import Problem
from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.sequence import enters, follows, leaves
from pbem.games.realm_master.reading.spoken import Spoken
from pbem.games.realm_master.reading.words import (
    cards_by_name,
    heroes_by_name,
    lands_by_name,
)
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
_STANCES = ("hit", "realm", "ultimatum")
_KEYS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("REROLL", "KEEP"), ("reroll", "second")),
    **dict.fromkeys(("STAY", "LEAVE", "MOVE", "BLEED", "WHENHIT", "OWNTURN"), _STANCES),
    **dict.fromkeys(("ENTER", "STAYOUT"), ("enter",)),
    **dict.fromkeys(("REVEAL", "TAKEIT", "COVER"), ("reveal",)),
    **dict.fromkeys(("TRADE", "LIFE", "FORLIFE"), ("life",)),
    **dict.fromkeys(("BUY", "SAVE"), ("buy",)),
    "ATTACK": ("attack",),
    "PLAY": ("play", "smoke"),
    "TRIBUTE": ("tribute",),
    "ULTIMATUM": ("ultimatum",),
    "LOOT": ("loot",),
    "RFACE": ("faces",),
    "WANT": ("hero",),
}
"""Of which keys of a plan a word speaks."""
_TIMES = frozenset({"NUM", "AND", "ALWAYS", "ONCE", "ONLY", "NOT"})
"""Of a sentence that says only how many or how often, of what was said before it."""
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
    is_canonical: bool = False
    """Word for word the text of an order."""
    doubted: list[o.Order] = field(default_factory=list)
    """What it said and another sentence put in question."""


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
    waits = {one.start for one in spoken.lexemes if one.kind == "WAIT"}
    while (
        last > first
        and words[last - 1].kind in ("CORRECT", "SOFT")
        and words[last - 1].start not in waits
    ):
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
        found.append(change(word, kind="") if longer else word)
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

    is_hesitating: bool = False
    """`Hmm.`: what comes may be another word about what was said."""

    def say(self, sentence: Sentence, spoken: Spoken) -> None:
        """Add a sentence that was read by itself, or not, and let it work on those before."""
        words = _words(self.text, spoken)
        cue = None if sentence.is_canonical else cue_of(self.text, spoken)
        is_pending, self.is_pending = self.is_pending, False
        is_hesitating, self.is_hesitating = self.is_hesitating, False
        is_heading = spoken.lexemes[-1].kind == "COLON"
        if any(word.kind == "DRAFT" or (is_heading and word.kind == "PAST") for word in words):
            self.is_draft = True  # `Ben wrote:`
        before = [one for one in self.found if one.orders or one.doubted]
        if not before or (cue is None and not is_pending):
            self._say_plainly(sentence, spoken, words, before, cue, is_hesitating)
            self.is_hesitating = _hesitates(words)
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
        is_hesitating: bool,
    ) -> None:
        if cue is not None and cue.rest and not sentence.is_question:
            told = self.build(cue.rest)
            if told is not None:
                sentence.orders, sentence.problems, sentence.caret = told, [], None
        self._add(sentence)
        if sentence.orders:
            self._replace(sentence, before, all_=is_hesitating)
            if o.Drop() in sentence.orders:  # `cancel all`: what is said here, too?
                self._doubt(before)
            is_after = spoken.lexemes[0].kind == "THEN"
            if is_after and before and not follows(before[-1].orders, sentence.orders):
                self._doubt([before[-1], sentence])
            return
        kinds = [word.kind for word in words]
        if "BACK" in kinds or any(one.kind == "FORGET" for one in spoken.lexemes):
            self._take_back(spoken.lexemes, before)
        elif (_OPEN & {*kinds} and {*kinds} <= _EMPTY) or (
            sentence.is_question and words and words[0].text == "or"
        ):
            self._doubt(before)
        elif not self._question(spoken.lexemes, before) and (
            _hangs(words) or {one.kind for one in spoken.lexemes} <= _BETWEEN | _TIMES
        ):
            self._doubt(before[-1:] if any(one.kind != "FILLER" for one in spoken.lexemes) else ())

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
            told = (
                [order for order in told if any(_is_same(old, order) for old in _all_of(before))]
                if _is_pair(told)
                else told
            )
            told = told or self.build(rest) or []
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
        elif any(one.kind == "ONLY" for one in rest):
            self._doubt(before)  # `no, only attack`
        elif not self._question(rest, before) and (
            sentence.problems or kinds != {"SOFT"} or _is_number(rest)
        ):
            self._doubt(before[-1:])

    def leave_out(self, sentence: Sentence) -> None:
        """Ask about words of which nothing is read."""
        sentence.problems.append(Problem("not-understood", ("RM-10.1",)))
        self._add(sentence)

    def _add(self, sentence: Sentence) -> None:
        last = self.found[-1] if self.found else None
        if last is not None and _join(last, sentence):
            return
        if sentence.orders or sentence.problems:
            self.found.append(sentence)

    def _doubt(self, sentences: Sequence[Sentence], keys: Collection[str] | None = None) -> None:
        """Put in question what these sentences say, of these keys of a plan alone if any are
        given.
        """
        for one in sentences:
            open_now = [o_ for o_ in one.orders if keys is None or o.key_of(o_) in keys]
            one.doubted += open_now
            one.orders = [o_ for o_ in one.orders if o_ not in open_now]

    def _take_back(self, named: Sequence[Lexeme], before: Sequence[Sentence]) -> None:
        """Put in question what is named, or all."""
        if not self._question(named, before):
            self._doubt(before)

    def _question(self, named: Sequence[Lexeme], before: Sequence[Sentence]) -> bool:
        """Put in question what words that are not read speak of; whether there is such a thing."""
        named = [one for one in named if one.kind != "WHO"]  # whose name stands below a letter
        kinds = {one.kind for one in named}
        keys = {key for kind in kinds for key in _KEYS.get(kind, ())}
        things = {_thing(one) for one in named if one.kind in _KINDS}
        likes = {_KINDS[kind] for kind in kinds & _KINDS.keys()} - {"NUM"}
        if kinds and kinds <= _BETWEEN | {"NUM", "AND"}:
            likes.add("NUM")  # `2 and 4`
        count = sum(len(one.doubted) for one in before)
        self._doubt(before, keys)
        for one in before:
            told = {_thing(word) for word in one.lexemes if word.kind != "NUM"}
            like = {_KINDS.get(word.kind) for word in one.lexemes}
            if told & things or (like & likes and not kinds & VERBS):
                self._doubt([one])
        return count < sum(len(one.doubted) for one in before)

    def _replace(
        self, sentence: Sentence, before: Sequence[Sentence], *, all_: bool = True
    ) -> bool:
        """Whether lines before are about the same, and are left out; of those in question alone
        unless all.

        Where a list is corrected in one of its parts, it is not clear what becomes of the others.
        """
        is_replacing = False
        for one in before:
            for held in (one.orders, one.doubted) if all_ else (one.doubted,):
                for order in [*held]:
                    new = next((new for new in sentence.orders if _is_same(order, new)), None)
                    if new is None:
                        continue
                    is_replacing = True
                    held.remove(order)
                    if one.lexemes[-1].kind == "WAIT" and o.Wait() in one.orders:
                        one.orders.remove(o.Wait())  # `I leave... wait. I stay`
                    both = _amended(order, new)
                    if both is None:
                        one.doubted.append(order)
                        self._doubt([sentence], {o.key_of(new) or ""})
                    else:
                        sentence.orders[sentence.orders.index(new)] = both
        return is_replacing

    def _swap(self, before: Sentence, rest: Sequence[Lexeme]) -> list[o.Order] | None:
        """The sentence before with one thing in the place of another: `Enter Jerum. No, Arub.`"""
        said = [one for one in rest if one.kind not in _BETWEEN]
        if len(said) == 3 and said[0].kind == "NOT":  # `not Jerum, Arub`
            old, new = said[1], said[2]
            places = [i for i, one in enumerate(before.lexemes) if _thing(one) == _thing(old)]
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
            if self.is_draft:
                self._doubt([one])
            if one.doubted and not one.problems:
                one.problems.append(Problem("not-understood", ("RM-10.1",)))
        return [one for one in self.found if one.orders or one.problems]


def _amended(order: o.Order, new: o.Order) -> o.Order | None:
    """A line as it is corrected; None where a part of a list is and the others may still count."""
    match order, new:
        case o.PayTribute(), o.PayTribute():
            said = {token for token, _ in new.ways}
            return replace(
                new, ways=(*(way for way in order.ways if way[0] not in said), *new.ways)
            )
        case o.Reroll(), o.Reroll() if len(new.rules) < len(order.rules):
            return None
        case o.Reroll(), o.Reroll() if order.rest != "blanks" and new.rest == "blanks":
            return None
        case o.Faces(), o.Faces() if len(new.rules) < len(order.rules):
            return None
        case o.PickHero(), o.PickHero() if len(new.heroes) < len(order.heroes):
            return None
        case o.Loot(), o.Loot() if len(new.cards) < len(order.cards):
            return None
        case o.Buy(), o.Buy() if len(new.wishes) < len(order.wishes):
            return None
    return new


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


def _thing(lexeme: Lexeme) -> tuple[str, str]:
    """A thing by the name it has with us."""
    names = {"CARD": cards_by_name, "LAND": lands_by_name, "HERO": heroes_by_name}
    if lexeme.kind in names:
        return lexeme.kind, names[lexeme.kind]()[lexeme.text]
    return lexeme.kind, lexeme.text


def _all_of(sentences: Sequence[Sentence]) -> list[o.Order]:
    return [order for one in sentences for order in (*one.orders, *one.doubted)]


def _is_pair(orders: Sequence[o.Order]) -> bool:
    """Whether a mere `stay` or `leave` was said, of a blow and of one's own turn."""
    return [o.key_of(order) for order in orders] == ["hit", "realm"]


def _is_number(rest: Sequence[Lexeme]) -> bool:
    return any(one.kind in _KINDS and one.kind != "WHO" for one in rest)


def _hesitates(words: Sequence[Turning]) -> bool:
    """Whether a sentence is a mere `Hmm`, or ends with `wait`."""
    return bool(words) and (
        {word.text for word in words} <= _OPENING or words[-1].kind in ("CORRECT", "SOFT")
    )


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


def _join(one: Sentence, other: Sentence) -> bool:
    """Whether two sentences came to one: `Keep swords. Keep hearts. Reroll the rest.` is one line
    of a plan, and so is a list of heroes below one another.
    """
    pairs = [*zip(one.orders, other.orders, strict=False)]
    joined = [both for pair in pairs if (both := _together(*pair, other)) is not None]
    is_whole = bool(joined) and len(joined) == len(one.orders) == len(other.orders)
    if not is_whole or one.problems or other.problems or one.doubted:
        return False
    one.orders, one.end, one.lexemes = joined, other.end, (*one.lexemes, *other.lexemes)
    return True


def _together(one: o.Order, other: o.Order, said: Sentence) -> o.Order | None:
    """Two lines about the same thing as one, None where one of them would be lost in the other."""
    is_bare = not any(lexeme.kind in VERBS for lexeme in said.lexemes)
    match one, other:
        case o.Reroll(), o.Reroll() if (one.second, one.always) == (other.second, other.always):
            apart = not {rule.what for rule in one.rules} & {rule.what for rule in other.rules}
            if one.rest == "blanks" and apart and one.rules and one != other:
                return replace(one, rules=(*one.rules, *other.rules), rest=other.rest)
        case o.PickHero(), o.PickHero() if is_bare and not {*one.heroes} & {*other.heroes}:
            return o.PickHero((*one.heroes, *other.heroes))
        case o.Loot(), o.Loot() if is_bare and not {*one.cards} & {*other.cards}:
            return replace(one, cards=(*one.cards, *other.cards))
        case o.Choose(), o.Choose() if (one.key, one.always) == (other.key, other.always):
            if all(choice.when for choice in one.choices) and one != other:
                return replace(one, choices=(*one.choices, *other.choices))
        case o.Realm(), o.Realm() if one.always == other.always and one != other:
            if all(choice.when for choice in one.choices):
                return replace(one, choices=(*one.choices, *other.choices))
    return None
