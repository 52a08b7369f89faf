"""A message as what it names: values with their cues, verbs, quantities, words of no meaning."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT

CUES: Mapping[str, str] = {
    "FROM": "from",
    "TO": "to",
    "ARROW": "to",
    "IN": "in",
    "WITH": "with",
    "FOR": "for",
    "VIA": "via",
}
"""Kinds of words before a value, with the roles that they say."""
CORRECTING = frozenset({"correct", "soft"})
"""Cues behind which something is said again."""
BREAKS = frozenset({"COMMA", "AND", "SEMI", "NL", "DOT", "BANG", "ASK", "LPAR", "RPAR", "SLASH"})
ENDS = frozenset({"NL", "DOT", "SEMI", "BANG", "ASK"})
QUANTITIES = frozenset({"ALL", "ELSE", "BOTH", "HALF", "EACH"})
_LINES = frozenset({"NL", "COLON"})
_THE = frozenset({"the", "this", "that"})
_ONE = frozenset({"a", "an"})
_EVERY = "every"
_BOTH = "both of them"
_GAPS = SILENT - {"COLON", "DOT", "BANG"}
_WAYS = frozenset({"DASH", "ARROW"})
_UNKNOWN = frozenset({"COMMON", "WORD"})
_POINTING = frozenset({"THEM", "THERE", "SAME"})


class Value(NamedTuple):
    """Something that is named, by its type."""

    kind: str
    value: Hashable


@dataclass(frozen=True, slots=True)
class Tongue:
    """What the lexemes of a game name. `values` of a lexeme are all that it may name, one of which
    is meant (an empty `Value` in them: it may as well mean nothing); `verbs` are kinds of lexemes,
    each with the verbs of forms that it may say (itself, if it is not there); `weak` ones may say
    nothing. `nouns` are the types that a number counts. `cues` are kinds before a value.
    """

    values: Callable[[Lexeme, Plain], Sequence[Value]]
    verbs: frozenset[str]
    may_mean: Mapping[str, frozenset[str]] = field(default_factory=dict)
    weak: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset({"UNITS", "THEUNITS"})
    cues: Mapping[str, str] = field(default_factory=lambda: CUES)
    counted: Mapping[str, str] = field(default_factory=dict)
    """Kinds of words that say what a number counts, with the type of that number."""
    numbers: tuple[str, ...] = ("num",)
    """The types that another number may be of."""
    trails: Mapping[str, str] = field(default_factory=dict)
    """Kinds that are cues of the number before them: `2 soldiers if they rebel`."""
    plain: frozenset[str] = frozenset({"REQUEST", "UNITS", "THEUNITS", "DASH", "ARROW", "MONEY"})
    """Kinds that do not change an order, apart from cues."""
    quantities: frozenset[str] = QUANTITIES | {"EXCEPT"}
    turns: frozenset[str] = frozenset()
    """Kinds of lexemes that turn a meaning here, in addition to those of the kit."""
    untold: frozenset[str] = frozenset()
    """Kinds that no form can express: with one of them no form is meant."""


class Mention(Struct, frozen=True):
    """One thing that is said. `values` are what it may name, `verbs` what it may say is done;
    `quantity` ALL, ELSE, BOTH, HALF or EXCEPT. `cues` are the roles that its place suggests, `gap`
    how far it stands from the item before: 0 nothing between, 1 `and`, 2 a comma, 3 another
    sentence.
    """

    at: int
    sentence: int
    gap: int
    values: tuple[Value, ...] = ()
    verbs: frozenset[str] = frozenset()
    quantity: str = ""
    cues: frozenset[str] = frozenset()
    spare: float | None = None
    """What it costs that it says nothing; None: it says something."""
    many: bool | None = None
    """Whether it is a plural."""
    taken: tuple[str, ...] = ()
    """Canonical texts that were taken here."""
    corrects: bool = False
    """It is said instead of something before it."""


@dataclass(frozen=True, slots=True)
class Said:
    """The items of a message and how many are in each sentence, and so the English words of no
    meaning here;
    the sentences that point at something, and those in which what should lead to a
    value leads to another word; and whether a word that nobody knows stands with items
    between two commas.
    """

    items: tuple[Mention, ...]
    common: Mapping[int, int]
    counts: Mapping[int, int]
    points: frozenset[int]
    dangling: frozenset[int]
    is_strange: bool = False
    unknown: Mapping[int, int] = field(default_factory=dict)
    """How many words of each sentence may say what is not read of it."""


@dataclass(slots=True)
class _Speech:
    """Goes over the lexemes of a message."""

    lexemes: Sequence[Lexeme]
    plain: Plain
    tongue: Tongue

    def kind(self, i: int) -> str:
        return self.lexemes[i].kind if 0 <= i < len(self.lexemes) else "NL"

    def skip(self, i: int, step: int) -> int:
        """From here on the next lexeme that says something."""
        while 0 <= i < len(self.lexemes) and self.kind(i) in _GAPS | {"ALSO"}:
            if self.lexemes[i].text in _ONE:
                break
            i += step
        return i

    def is_noun(self, i: int) -> bool:
        """It is counted, or a number or quantity of what is."""
        if not 0 <= i < len(self.lexemes):
            return False
        lexeme = self.lexemes[i]
        if lexeme.kind in self.tongue.units:
            return True
        return any(value.kind in self.tongue.nouns for value in self.values(i))

    def values(self, i: int) -> tuple[Value, ...]:
        lexeme = self.lexemes[i]
        found = tuple(self.tongue.values(lexeme, self.plain))
        if lexeme.kind != "NUM" or lexeme.value is None:
            return found
        if self.is_total(i):
            return (Value("total", lexeme.value),)
        counted = self.tongue.counted
        near = (self.skip(i + 1, 1), i - 1)
        kind = next((counted[self.kind(j)] for j in near if self.kind(j) in counted), None)
        kinds = (kind,) if kind is not None else self.tongue.numbers
        return (*found, *(Value(kind, lexeme.value) for kind in kinds))

    def is_all(self, i: int) -> bool:
        """`P2's guys`, `the troops in P2`: all of them that are there."""
        before, after = self.skip(i - 1, -1), self.skip(i + 1, 1)
        there = self.kind(after) in {"FROM", "IN"} and self.kind(self.skip(after + 1, 1)) == "PLACE"
        counted = self.kind(before) in {"NUM", "WHO"} | QUANTITIES
        many = self.lexemes[i].text.endswith(("s", "men", "people", "army", "force"))
        return many and not counted and (there or self.kind(before) == "PLACE")

    def is_of_another(self, i: int, before: int, after: int) -> bool:
        """`Cyrene's 3 armies`, `in year 3`."""
        if before < 0:
            return False
        theirs = self.kind(before) == "WHO" and self.plain.text.startswith(
            "'", self.lexemes[before].end
        )
        return theirs or (self.kind(i - 1) in {"COMMON", "WORD"} and not self.is_noun(after))

    def leads_nowhere(self, i: int) -> bool:
        """`gold to Turtle, ...`."""
        at = self.skip(i + 1, 1)
        return self.kind(at) in _UNKNOWN and self.kind(at + 1) in BREAKS

    def is_total(self, i: int) -> bool:
        """`two of the three`, `the other two`."""
        before = self.skip(i - 1, -1)
        if self.kind(before) == "ELSE":  # `the other two`
            return self.kind(i + 1) in BREAKS
        of = self.kind(before) == "FROM" and self.lexemes[before].text.startswith("of")
        return of and self.kind(self.skip(before - 1, -1)) in {"NUM", "BOTH"}

    def cues(self, i: int) -> frozenset[str]:
        """The roles that the words around a value suggest."""
        found = set[str]()
        lexeme = self.lexemes[i]
        before, after = self.skip(i - 1, -1), self.skip(i + 1, 1)
        if lexeme.kind == "NUM" and self.is_of_another(i, before, after):
            return frozenset({"owner"})
        if (cue := self.tongue.cues.get(self.kind(before))) is not None:
            if cue != "with":
                return frozenset({cue})
            found.add(cue)
        if self.kind(before) == "DASH" and self.kind(i) != "NUM":
            return frozenset({"to"})
        if self.kind(after) in _WAYS and self.kind(after + 1) == self.kind(i) != "NUM":
            return frozenset({"from"})
        if self.kind(before) in self.tongue.verbs:
            found.add("object")
        elif self.is_noun(before) and self.kind(i) != "NUM":
            found.add("behind")
        if lexeme.kind == "WHO" and self.plain.text.startswith("'", lexeme.end):
            return frozenset({"owner"})  # `Cyrene's 3 armies`
        if (
            self.plain.text.startswith("'", lexeme.end)
            or self.is_noun(after)
            or (self.kind(after) == "NUM" and self.is_noun(self.skip(after + 1, 1)))
        ):
            found.add("of")
        behind = self.skip(after + 1, 1) if self.kind(after) in self.tongue.counted else after
        if self.kind(i) == "NUM" and self.kind(behind) in self.tongue.trails:
            found.add(self.tongue.trails[self.kind(behind)])
        if self.kind(after) in _WAYS | {"COLON"}:
            found.add("head")
        if self.kind(after) in self.tongue.verbs and self.kind(before) in BREAKS | {"COLON"}:
            found.add("subject")
        return frozenset(found)


def said_in(
    lexemes: Sequence[Lexeme],
    sentences: Sequence[Sentence],
    clauses: Sequence[Clause],
    taken: Mapping[tuple[int, int], tuple[str, ...]],
    plain: Plain,
    tongue: Tongue,
) -> Said:
    """The items of those clauses, and what was taken there and elsewhere. Common words of a clause
    that names nothing are talk, and are not told.
    """
    starts = [sentence.start for sentence in sentences]
    clause_of = {lexeme.start: i for i, one in enumerate(clauses) for lexeme in one.lexemes}
    correcting = -1
    speech = _Speech(lexemes, plain, tongue)
    strange, named, unknown = set[int](), set[int](), Counter[int]()
    part = 0
    talk = Counter[tuple[int, int]]()
    naming = set[int]()
    points: set[int] = set()
    dangling: set[int] = set()
    spans = sorted(taken)
    items: list[Mention] = []
    told: set[tuple[int, int]] = set()
    gap, last = 3, -1
    for i, lexeme in enumerate(lexemes):
        sentence = bisect_right(starts, lexeme.start) - 1
        if sentence != last:
            gap, last = 3, sentence
            part += 1
        if lexeme.kind in BREAKS:
            part += lexeme.kind not in {"LPAR", "RPAR"}
            gap = max(gap, 3 if lexeme.kind in ENDS else 1 if lexeme.kind == "AND" else 2)
            continue
        at = bisect_right(spans, (lexeme.start, 1 << 40)) - 1
        if at >= 0 and lexeme.start < spans[at][1]:
            if spans[at] not in told:
                told.add(spans[at])
                items.append(Mention(i, sentence, gap, taken=taken[spans[at]]))
                gap = 0
            continue
        clause = clause_of.get(lexeme.start)
        if clause is None:  # the number of a line among them
            continue
        found = list(_item(speech, i, sentence, gap))
        if found:
            begun = clause - 1 if clause and clause - 1 not in naming else clause
            cues = {one.cue for one in clauses[begun : clause + 1]}
            if cues & CORRECTING and clause > correcting:
                correcting = clause
                found[0] = replace(found[0], corrects=True)
            items += found
            named.add(part)
            naming.add(clause)
            gap = 0
            continue
        unknown[sentence] += lexeme.kind in _UNKNOWN | _POINTING | {"MUCH"}
        if lexeme.kind in tongue.cues and speech.leads_nowhere(i):
            dangling.add(sentence)
        elif lexeme.kind == "WORD":
            strange.add(part)
        elif lexeme.kind in {"COMMON", "MUCH"}:
            talk[sentence, clause] += 1
        elif lexeme.kind in _POINTING:
            points.add(sentence)
    items = [*_headed(items, sentences)]
    counts = Counter(item.sentence for item in items)
    common: dict[int, int] = {}
    for (sentence, clause), count in talk.items():
        if clause in naming:
            common[sentence] = common.get(sentence, 0) + count
    return Said(
        tuple(items),
        common,
        counts,
        frozenset(points),
        frozenset(dangling),
        bool(strange & named),
        unknown,
    )


def _headed(items: Sequence[Mention], sentences: Sequence[Sentence]) -> Iterator[Mention]:
    """The items; a line that says one thing is a heading, and belongs to the line below it."""
    counts = Counter(item.sentence for item in items)
    below = -1
    for item in items:
        is_after = below == item.sentence
        below = -1
        if is_after and item.gap == 3:
            item = replace(item, gap=2)
        if counts[item.sentence] == 1 and not item.taken and _is_line(sentences[item.sentence]):
            below = item.sentence + 1
            item = replace(item, sentence=below)
        yield item


def _is_line(sentence: Sentence) -> bool:
    """Whether it is a line of one word."""
    words = [x for x in sentence.lexemes if x.kind not in SILENT]
    return len(words) == 1 and sentence.ended in _LINES


def _item(speech: _Speech, i: int, sentence: int, gap: int) -> Iterator[Mention]:
    tongue, lexeme = speech.tongue, speech.lexemes[i]
    kind = "BOTH" if lexeme.text == _BOTH else lexeme.kind
    if lexeme.text == _EVERY and not speech.is_noun(speech.skip(i + 1, 1)):
        return  # `every round`
    if kind == "ALL" and lexeme.value is not None and speech.is_noun(speech.skip(i + 1, 1)):
        yield Mention(i, sentence, gap, values=(Value(tongue.numbers[0], lexeme.value),))
        return  # `all three units`
    if kind in tongue.quantities:
        if kind == "EXCEPT" and lexeme.text.startswith(("all ", "every")):
            yield Mention(i, sentence, gap, quantity="ALL", many=True)  # `all but P2`
            gap = 0
        counted = speech.kind(i + 1) == "NUM" and speech.is_total(i + 1)
        one = lexeme.text.startswith("the other") and lexeme.text[-1] != "s" and not counted
        yield Mention(i, sentence, gap, quantity=kind, cues=speech.cues(i), many=not one)
        return
    if kind in tongue.verbs and i and speech.lexemes[i - 1].text in _THE:
        return  # `the attack`, which somebody made
    if kind in tongue.verbs:
        means = tongue.may_mean.get(kind, frozenset({kind}))
        yield Mention(i, sentence, gap, verbs=means, spare=0.5 if kind in tongue.weak else None)
        return
    if lexeme.text in _ONE and speech.is_noun(i + 1):
        yield Mention(i, sentence, gap, values=(Value(tongue.numbers[0], 1),))
        return
    if kind in tongue.units and speech.is_all(i):
        yield Mention(i, sentence, gap, values=(Value(tongue.numbers[0], "ALL"),), spare=0.2)
        return
    values = speech.values(i)
    if not values:
        return
    real = tuple(value for value in values if value.kind)
    spare = 0.3 if len(real) < len(values) else None
    if lexeme.text == "one" and not speech.is_noun(speech.skip(i + 1, 1)):
        spare = 0.5  # `the forgetful one`
    many: bool | None = None
    if any(value.kind in tongue.nouns for value in real):
        many = lexeme.text.endswith("s") if len(lexeme.text) > 1 else None
    yield Mention(i, sentence, gap, real, cues=speech.cues(i), spare=spare, many=many)
