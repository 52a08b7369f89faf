"""What may be meant by words that were not taken: the one legal order that says all that they say.

The words and the canonical texts of legal orders are read by the same lexemes, into signs: what is
named (a place, a player, a number, a kind of unit), and in which role. An order that lacks one of
the signs that were written, or has it in another role, is never suggested. It may add what was not
said only if no other order does, and no word stands there that may be the missing one.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import Generic, NamedTuple, TypeVar

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from pbem.grammar.kit.holding import Words, held_words
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.vocabulary import Vocabulary

NEAR = 62.0
"""How alike (0..100) a word of a hint must be at least."""
MOST_SUGGESTIONS = 12
MOST_BLANK = 4
"""So many ways to fill a blank are told one by one."""
MOST_UNKNOWN = 32
"""A sentence with more unknown words than this is not an order with slips."""
LETTERS_A_SLIP = 3
"""One wrong letter beside so many is a slip; another word is another word."""

TURNING = set_of(
    "NEG TURN COND IF UNLESS ONLYIF WHILE OR HEDGE ASKING ASK RETRACT SCRATCH CORRECT CONTRAST"
    " INSTEAD OTHER LATER PAST STATEMENT SPEECH DRAFT UNSETTLED SEEMS REFERS EXCEPT BUT HESITATION"
)
"""Nothing is suggested for a sentence with one of these: it may mean the opposite."""
_UNDOING = set_of("RETRACT SCRATCH CORRECT INSTEAD COND IF UNLESS DRAFT UNSETTLED")
"""Nor for one before a sentence with one of these."""
_DENYING = set_of("NEG TURN NOT")
"""Nor for one before a sentence that begins with one of these."""
_HEADING = set_of("DRAFT UNSETTLED")
"""Nor for one behind it."""
_TELLING = ("PREDICATE", "REPORT", "SAYING", "LABEL", "THINKING", "NEEDING", "HOLDING", "PROVISO")
_ASKING = set_of("ASKING ASK HEDGE")
_ENDS = set_of("NL SEMI DOT BANG ASK")
_SILENT = _ENDS | set_of(
    "FILLER PROSE REQUEST ALSO COMMA COLON DASH LPAR RPAR BAR AND SOFTLY PLAYER"
)
_UNKNOWN = set_of("WORD COMMON MUCH")
_POINTING = frozenset(
    "it its that this these those there here them they him her he she one ones both mine rest same"
    " do does".split()
)
"""Words that say nothing here, and may stand for what was not said."""

_NUMBER = re.compile(r"\d+")

OrderT = TypeVar("OrderT")


class Sign(NamedTuple):
    """Something that is named: of which class, what, in which role, and what a number counts."""

    kind: str
    value: Hashable = None
    role: str = ""
    of: Hashable = None

    def may_be(self, other: "Sign") -> bool:
        """Whether both may be the same: nothing that both tell differs."""
        return (
            self[:2] == other[:2]
            and (not self.role or not other.role or self.role == other.role)
            and (self.of is None or other.of is None or self.of == other.of)
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """How words of a game are compared. `names` are kinds of lexemes that name a value, `told` is
    the value; `counted` of them are what a number counts. `roles` are kinds before a value; `verbs`
    say what is done, each with the verbs of orders that it may mean (itself, if it is not there).
    `infers` are kinds that an order may add. `spelt` are the spellings of a word that a slip may
    have missed.
    """

    names: Collection[str]
    verbs: Collection[str] = ()
    told: Callable[[Lexeme], Hashable] = lambda lexeme: lexeme.value
    counted: Collection[str] = ()
    roles: Mapping[str, str] = field(default_factory=lambda: {"FROM": "from", "TO": "to"})
    may_mean: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    silent: AbstractSet[str] = frozenset()
    infers: Collection[str] = ()
    spelt: Callable[[Lexeme], Collection[str]] = lambda lexeme: (lexeme.text,)


@dataclass(frozen=True, slots=True)
class Signs:
    """What words say: their verbs, other signs, the words with no meaning here, and whether one of
    them may point at what is said elsewhere.
    """

    verbs: frozenset[str]
    signs: tuple[Sign, ...]
    words: tuple[Lexeme, ...] = ()
    points: bool = False
    spelt: Mapping[tuple[str, Hashable], Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice(Generic[OrderT]):
    """A legal order and its canonical text."""

    order: OrderT
    text: str


@dataclass(frozen=True, slots=True)
class Meant(Generic[OrderT]):
    """What is suggested (None: nothing) with its canonical text, or a line to copy."""

    order: OrderT | None = None
    text: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class _Found(Generic[OrderT]):
    """An order that says all that was written, what it adds, and words that it leaves over."""

    choice: Choice[OrderT]
    added: frozenset[Sign]
    unknown: tuple[str, ...]


def signs_of(lexemes: Sequence[Lexeme], terms: Terms) -> Signs:
    """What lexemes say."""
    verbs, signs, words = set[str](), list[Sign](), list[Lexeme]()
    spelt: dict[tuple[str, Hashable], Collection[str]] = {}
    points, role, number = False, "", -1
    for lexeme in lexemes:
        kind = lexeme.kind
        if kind in _SILENT or kind in _ASKING or kind in terms.silent:
            points = points or bool(_POINTING & {*lexeme.text.split()})
            if kind not in {"FILLER", "DASH"}:
                role, number = "", -1
            continue
        if kind in terms.roles:
            role, number = terms.roles[kind], -1
            continue
        if kind in _UNKNOWN:
            words.append(lexeme)
            role, number = "", -1
            continue
        if kind in terms.verbs:
            verbs.add(kind)
            spelt[kind, None] = terms.spelt(lexeme)
            role, number = "", -1
            continue
        named = kind in terms.names
        sign = Sign(kind, terms.told(lexeme) if named else None, role if named else "")
        if number >= 0 and kind in terms.counted:
            signs[number] = signs[number]._replace(of=sign[:2])
        signs.append(sign)
        spelt[sign[:2]] = terms.spelt(lexeme) if kind != "NUM" else ()
        role, number = "", len(signs) - 1 if kind == "NUM" else -1
    return Signs(frozenset(verbs), tuple(signs), tuple(words), points, spelt)


def beyond(order: Signs, written: Signs, terms: Terms) -> tuple[Sign, ...] | None:
    """What an order says beyond what was written; None if it is not all of that."""
    meant = [terms.may_mean.get(verb, {verb}) for verb in written.verbs]
    if any(not order.verbs & each for each in meant):
        return None
    if any(not any(verb in each for each in meant) for verb in order.verbs) and meant:
        return None
    left = list(order.signs)
    for sign in sorted(written.signs, key=lambda one: (not one.role, one.of is None)):
        at = next((i for i, other in enumerate(left) if other.may_be(sign)), -1)
        if at < 0:
            return None
        del left[at]
    return tuple(left) if meant else (*left, *map(Sign, sorted(order.verbs)))


@dataclass(frozen=True)
class Suggester(Generic[OrderT]):
    """What may be meant in a message. `read` are the lexemes of a text at this table, `choices` the
    orders that may be suggested to words (it may leave out those without their numbers), `fits` is
    asked of the few that say all of them. `alone` is what the reader takes of words alone: what it
    would take there it has held back for what stands beside them, and a yes does not free it.
    """

    plain: Plain
    terms: Terms
    read: Callable[[Plain], Sequence[Lexeme]]
    choices: Callable[[Sequence[Lexeme]], Iterable[Choice[OrderT]]]
    alone: Callable[[str], object]
    fits: Callable[[OrderT], bool] = lambda _: True

    @cached_property
    def lexemes(self) -> Sequence[Lexeme]:
        """Those of the whole message."""
        return self.read(self.plain)

    @cached_property
    def _known(self) -> dict[str, Signs]:
        return {}

    def meant(
        self, unread: Sequence[tuple[int, int]], read: Sequence[tuple[int, int]] = ()
    ) -> list[Meant[OrderT]]:
        """What the words of each of these places may mean, beside what was `read`. A sentence of
        which more than that is left over, or of which one part stays unread, means nothing; what it
        asks about, or doubts, is a line to copy.
        """
        at = [lexeme.start for lexeme in self.lexemes]
        within = [(bisect_left(at, start), bisect_left(at, end)) for start, end in (*unread, *read)]
        known = {i for first, last in within for i in range(first, last)}
        sentences = _sentences(self.lexemes)
        begins = [first for first, _ in sentences]
        found: list[Meant[OrderT]] = []
        for place, (first, last) in zip(unread, within, strict=False):
            if len(found) >= MOST_SUGGESTIONS or first == last:
                found.append(Meant())
                continue
            here = bisect_right(begins, first) - 1, bisect_left(begins, last)
            turning = _turning_around(self.lexemes, sentences, *here)
            own = range(begins[here[0]], sentences[here[1] - 1][1])
            wrong = turning - _ASKING or self._says_more(i for i in own if i not in known)
            found.append(Meant() if wrong else self._nearest(*place, asked=bool(turning)))
        of = [bisect_right(begins, first) for first, _ in within]
        lost = {one for one, meant in zip(of, found, strict=False) if meant.order is None}
        return [
            replace(meant, order=None) if one in lost else meant
            for one, meant in zip(of, found, strict=False)
        ]

    def _says_more(self, left: Iterable[int]) -> bool:
        """Whether what is left over of a sentence, beside what was read in it, says something of an
        order.
        """
        more = signs_of([self.lexemes[i] for i in left], self.terms)
        return bool(more.signs or more.verbs)

    def _nearest(self, start: int, end: int, *, asked: bool) -> Meant[OrderT]:
        said = [one for one in self.lexemes if start <= one.start < end]
        written = signs_of(said, self.terms)
        if len(written.signs) + len(written.verbs) + len(written.words) < 2:
            return Meant()
        if len(written.words) > MOST_UNKNOWN:
            return Meant()
        if any(self._is_theirs(lexeme) for lexeme in said):
            return Meant()
        numbers = {str(sign.value) for sign in written.signs if sign.kind == "NUM"}
        found: list[_Found[OrderT]] = []
        for choice in self.choices(said):
            if not numbers <= {*_NUMBER.findall(choice.text)}:
                continue
            order = self._signs_of(choice.text)
            if not order.signs:
                continue
            added = beyond(order, written, self.terms)
            if added is not None and self.fits(choice.order):
                found.append(_without_slips(choice, written.words, added, order.spelt))
        best = self._best(found, written)
        if best is None:
            least = min((len(one.added) for one in found), default=0)
            plain = [one.choice.text for one in found if len(one.added) == least]
            return Meant(example=with_blank(plain) if written.verbs else "")
        if asked:
            return Meant(example="" if best.added else best.choice.text)
        if self._is_held(said, best.unknown):
            return Meant()
        return Meant(best.choice.order, best.choice.text)

    def _is_theirs(self, lexeme: Lexeme) -> bool:
        """`spy on Cyrene's 3 armies`."""
        return lexeme.kind == "WHO" and self.plain.text.startswith(("'s", "' "), lexeme.end)

    def _is_held(self, said: Sequence[Lexeme], unknown: Collection[str]) -> bool:
        """Whether the reader takes these words alone, or what of them says something."""
        solid = [x for x in said if x.kind not in _SILENT and x.text not in unknown]
        bare = [x for x in solid if x.kind not in (*self.terms.silent, *self.terms.roles)]
        return any(
            bool(self.alone(self.plain.text[part[0].start : part[-1].end]))
            for part in (said, solid, bare)
            if part
        )

    def _best(self, found: Sequence[_Found[OrderT]], written: Signs) -> _Found[OrderT] | None:
        """The one order that adds least, if it may add that."""
        for one in found:
            if all(one is other or one.added < other.added for other in found):
                infers = {sign.kind for sign in one.added}
                known = not one.unknown and not written.points
                allowed = known and infers <= {*self.terms.infers}
                return one if not infers or allowed else None
        return None

    def _signs_of(self, text: str) -> Signs:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = signs_of(self.read(normalise(text)), self.terms)
        return known


def _sentences(lexemes: Sequence[Lexeme]) -> list[tuple[int, int]]:
    """From which lexeme to which each sentence goes."""
    ends = [i + 1 for i, lexeme in enumerate(lexemes) if lexeme.kind in _ENDS]
    if not ends or ends[-1] < len(lexemes):
        ends.append(len(lexemes))
    return list(pairwise([0, *ends]))


def _turning_around(
    lexemes: Sequence[Lexeme], sentences: Sequence[tuple[int, int]], first: int, last: int
) -> AbstractSet[str]:
    """The kinds of words in these sentences, or beside them, that may turn what they say."""

    def said(places: Iterable[tuple[int, int]]) -> list[Lexeme]:
        return next(filter(None, (_said_in(lexemes[a:b]) for a, b in places)), [])

    own = lexemes[sentences[first][0] : sentences[last - 1][1]]
    behind = said(islice(sentences, last, None))
    before = said(sentences[i] for i in range(first - 1, -1, -1))
    turning = {x.kind for x in own} & TURNING | {x.kind for x in behind} & _UNDOING
    turning |= {x.kind for x in behind[:1]} & _DENYING | {x.kind for x in before} & _HEADING
    if any(x.kind in _UNKNOWN and x.text in told for x in own for told in _telling()):
        turning |= {"STATEMENT"}
    return turning


@lru_cache(maxsize=1)
def _telling() -> tuple[Words, ...]:
    """Words that tell of something, rather than order it."""
    return tuple(held_words(__package__)[kind] for kind in _TELLING)


def _said_in(sentence: Iterable[Lexeme]) -> list[Lexeme]:
    return [lexeme for lexeme in sentence if lexeme.kind not in _SILENT - {"ASK"}]


def _without_slips(
    choice: Choice[OrderT],
    words: Sequence[Lexeme],
    added: Sequence[Sign],
    spelt: Mapping[tuple[str, Hashable], Collection[str]],
) -> _Found[OrderT]:
    """What an order adds, but for what a word was meant for that is none."""
    left, unknown = list(added), list[str]()
    for word in words:
        slips = word.kind == "WORD"  # what is English is written as it is meant
        at = next(
            (i for i, sign in enumerate(left) if slips and is_slip(word.text, spelt[sign[:2]])), -1
        )
        if at >= 0:
            del left[at]
        else:
            unknown.append(word.text)
    return _Found(choice, frozenset(left), tuple(unknown))


def is_slip(word: str, spellings: Iterable[str]) -> bool:
    """Whether a word is one of these with letters wrong, or with two of its letters swapped."""
    return any(_is_slip_of(word, spelling) for spelling in spellings)


@lru_cache(maxsize=1 << 14)
def _is_slip_of(word: str, spelling: str) -> bool:
    most = max((len(word) - 1) // LETTERS_A_SLIP, int(sorted(word) == sorted(spelling)))
    return most > 0 and OSA.distance(word, spelling, score_cutoff=most) <= most


def spellings_of(vocabulary: Vocabulary) -> Callable[[Lexeme], Collection[str]]:
    """The spellings of a word: those of its kind."""
    found: dict[str, list[str]] = {}
    for phrases in vocabulary.phrases.values():
        for words, kind in phrases:
            found.setdefault(kind, []).append(" ".join(words))
    return lambda lexeme: (lexeme.text, *found.get(lexeme.kind, ()))


def with_blank(texts: Sequence[str]) -> str:
    """Lines that differ in one word, as one line with what may stand there: `March! <1 or 2> from
    P2 to P3`; "" if they differ in more, or may say too much.
    """
    texts = tuple(dict.fromkeys(texts))
    parts = [text.split() for text in texts]
    if len(texts) < 2 or len({len(words) for words in parts}) > 1:
        return ""
    differ = [i for i, words in enumerate(zip(*parts, strict=True)) if len({*words}) > 1]
    if len(differ) != 1:
        return ""
    at = differ[0]
    options = [words[at] for words in parts]
    if len(options) <= MOST_BLANK:
        told = f"{', '.join(options[:-1])} or {options[-1]}"
    elif all(option.isdigit() for option in options):
        numbers = sorted(map(int, options))
        if numbers[-1] - numbers[0] != len(numbers) - 1:
            return ""
        told = f"{numbers[0]} to {numbers[-1]}"
    else:
        return ""
    return " ".join([*parts[0][:at], f"<{told}>", *parts[0][at + 1 :]])


def nearest_word(written: str, words: Sequence[str]) -> str | None:
    """The command word most like a word that is none, if any is near."""
    best = process.extractOne(written, words, scorer=fuzz.ratio, score_cutoff=NEAR)
    return None if best is None else str(best[0])


def is_nearly(written: str, words: Collection[str]) -> bool:
    """Whether it is one slip from one of these words: a letter other, added, left out, swapped."""
    near = (abs(len(word) - len(written)) < 2 and word[0] == written[0] for word in words)
    return any(
        close and OSA.distance(written, word, score_cutoff=1) == 1
        for close, word in zip(near, words, strict=True)
    )
