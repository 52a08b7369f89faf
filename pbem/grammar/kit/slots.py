"""A clause into slots, by recursive descent over its phrases: an order is a set of slots, which
players put in any order. What finds no slot is kept, for no word may be dropped in silence.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from pbem.grammar.kit.lexemes import Lexeme

TURNS = frozenset(
    {"COND", "TURN", "NEG", "HEDGE", "LATER", "PAST", "CONTRAST", "OTHER", "STATEMENT", "ASKING"}
    | {"OR", "RANGE", "SPEECH", "QUOTE", "QUOTEDPLACE", "REFERS", "UNSETTLED"}
)
"""Kinds of lexemes that turn the words around them."""
SILENT = frozenset({"FILLER", "REQUEST", "PROSE", "COLON", "BAR", "BANG", "ALSO", "SEEMS", "DOT"})
QUANTITIES = frozenset({"ALL", "ELSE", "BOTH", "HALF", "THEUNITS", "NOTHING", "EACH"})
_GAPS = frozenset({"FILLER", "UNITS", "THEUNITS", "ALSO"})
_HELD = {
    **{name: name for name in ("verb", "origin", "target", "dash", "who", "quantity", "excepted")},
    "number": "numbers",
    "flag": "flags",
}
_HARMLESS = frozenset({"UNITS", "ALSO", "THEM", "THERE"})
"""Marks that fill no slot."""
_AHEAD = {"FROM": "origin", "WITH": "origin", "TO": "target", "ARROW": "target", "IN": "at"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a game tells the descent: its order words, its flags (golden), the words of its own
    that stand as they are, orders done where a unit stands (a bare number names a province there),
    those that take the name of another as theirs (and the mark it fills), those that close a
    message, and those that say something only with something else.
    """

    verbs: frozenset[str]
    flags: frozenset[str]
    marks: frozenset[str]
    in_place: frozenset[str]
    takers: Mapping[str, str]
    closing: frozenset[str]
    weak: frozenset[str]


class Slots(Struct):
    """What a clause says, by slot. `before` and `after` are provinces without a preposition."""

    start: int
    end: int
    joint: str = ""
    cue: str = ""
    verb: Lexeme | None = None
    before: list[Lexeme] = []
    after: list[Lexeme] = []
    at: list[Lexeme] = []
    origin: Lexeme | None = None
    target: Lexeme | None = None
    dash: Lexeme | None = None
    who: list[Lexeme] = []
    numbers: list[Lexeme] = []
    quantity: Lexeme | None = None
    excepted: list[Lexeme] = []
    flags: dict[str, Lexeme] = {}
    marks: dict[str, Lexeme] = {}
    loose: list[Lexeme] = []
    turns: list[Lexeme] = []

    @property
    def kind(self) -> str:
        return self.verb.kind if self.verb is not None else ""

    @property
    def places(self) -> list[Lexeme]:
        """Those that no way leads to or from."""
        return [*self.before, *self.at, *self.after]

    @property
    def all_places(self) -> list[Lexeme]:
        ways = [place for place in (self.origin, self.target, self.dash) if place is not None]
        return [*self.places, *ways, *self.excepted]

    def put(self, value: int | None, place: Lexeme) -> None:
        """Put another province where this one stands."""
        for held in (self.before, self.at, self.after, self.excepted):
            held[:] = [place if x.value == value else x for x in held]
        for name in ("origin", "target", "dash"):
            way = getattr(self, name)
            if way is not None and way.value == value:
                setattr(self, name, place)

    def filled(self) -> set[str]:
        """The names of the slots that hold something."""
        found = {name for name, held in _HELD.items() if getattr(self, held)}
        if self.before or self.at or self.after:
            found.add("place")
        if not self.marks.keys() <= _HARMLESS:
            found.add("mark")
        return found

    def copy(self) -> "Slots":
        return replace(
            self,
            before=[*self.before],
            after=[*self.after],
            at=[*self.at],
            who=[*self.who],
            numbers=[*self.numbers],
            excepted=[*self.excepted],
            flags=dict(self.flags),
            marks=dict(self.marks),
            loose=[*self.loose],
            turns=[*self.turns],
        )


def split_run_on(lexemes: Sequence[Lexeme], dialect: Dialect) -> list[list[Lexeme]]:
    """`P1 guard P2 work`, `march 1 from P1 to P2 guard P2`: clauses that no joint parts."""
    if any(lexeme.kind in TURNS for lexeme in lexemes):
        return [list(lexemes)]
    solid = [i for i, lexeme in enumerate(lexemes) if lexeme.kind not in SILENT]
    kinds = [lexemes[i].kind for i in solid]
    verbs = [j for j, kind in enumerate(kinds) if kind in dialect.verbs]
    cuts = []
    if kinds and len(kinds) > 1 and kinds[-1] in dialect.closing and kinds[-2] not in dialect.verbs:
        head, tail = list(lexemes[: solid[-1]]), list(lexemes[solid[-1] :])
        return [*split_run_on(head, dialect), tail]
    place_first = bool(kinds) and (kinds[0] == "PLACE" or _ends_led(kinds, verbs, dialect))
    for last, j in itertools.pairwise(verbs):
        if j == last + 1:
            continue  # two order words in a row are not two orders
        at = j
        while at - 1 > last and kinds[at - 1] in dialect.flags:
            at -= 1
        bare = (
            at - 2 > last
            and kinds[at - 1] == "PLACE"
            and kinds[at - 2] not in _AHEAD
            and kinds[at - 2] != "EXCEPT"
        )
        follows = kinds[j + 1 : j + 2]
        double = bare and kinds[at - 2] == "PLACE" and kinds[at - 3] not in _AHEAD
        if double and not place_first and follows == []:
            return [list(lexemes)]  # `work P1 P2 guard`: whose is the second?
        if at - 2 > last and kinds[at - 2 : at] == ["EXCEPT", "PLACE"]:
            at -= 2
        elif (
            at - 1 > last and kinds[at - 1] == "PLACE" and (place_first or (bare and follows == []))
        ):
            at -= 1
        if at - 1 > last and kinds[at - 1] == "EXCEPT":
            at -= 1
        if not place_first and kinds[j] == kinds[last] and j + 1 == len(kinds):
            continue  # `summon 5 highmagisters`, `raise P7 one level`
        if at > last:
            cuts.append(solid[at])
    starts = [0, *cuts]
    return [list(lexemes[a:b]) for a, b in zip(starts, [*cuts, len(lexemes)], strict=True)]


def _ends_led(kinds: Sequence[str], verbs: Sequence[int], dialect: Dialect) -> bool:
    """`spy on Bea P9 guard P10 work`: each place stands before its order word."""
    staying = [j for j in verbs if kinds[j] in dialect.in_place]
    closed = len(staying) > 1 and staying[-1] == len(kinds) - 1 and staying[0] > verbs[0]
    return closed and all(kinds[j - 1] == "PLACE" for j in staying)


class _Descent:
    """One clause, read from left to right."""

    def __init__(self, lexemes: Sequence[Lexeme], dialect: Dialect) -> None:
        self.lexemes, self.dialect = lexemes, dialect
        self.slots = Slots(lexemes[0].start, lexemes[-1].end)

    def kind(self, i: int) -> str:
        return self.lexemes[i].kind if i < len(self.lexemes) else ""

    def after_gaps(self, i: int) -> int:
        while self.kind(i) in _GAPS:
            i += 1
        return i

    def is_place(self, i: int) -> bool:
        if self.kind(i) == "NUM":
            text = self.lexemes[i].text
            following = self.kind(self.after_fillers(i + 1))
            return text.isdigit() and following not in {"UNITS", "MONEY", "FROM"}
        return self.kind(i) == "PLACE"

    def after_fillers(self, i: int) -> int:
        while self.kind(i) == "FILLER":
            i += 1
        return i

    def read(self) -> Slots:
        i = 0
        while i < len(self.lexemes):
            i = self.phrase(i)
        return self.slots

    def phrase(self, i: int) -> int:  # noqa: C901 - one case a phrase
        slots, lexeme = self.slots, self.lexemes[i]
        match lexeme.kind:
            case kind if kind in self.dialect.verbs:
                if slots.verb is None:
                    slots.verb = lexeme
                elif (mark := self.dialect.takers.get(slots.kind)) is not None:
                    slots.marks.setdefault(mark, lexeme)
                elif slots.verb.kind != kind:
                    slots.loose.append(lexeme)
                elif len(lexeme.text) > len(slots.verb.text):
                    slots.verb = lexeme
            case kind if kind in self.dialect.flags:
                slots.flags.setdefault(kind, lexeme)
            case "FROM" | "TO" | "ARROW" | "IN" | "WITH" | "FOR":
                return self.led(i)
            case "DASH" if self.kind(i + 1) == "NUM" and self.kind(i + 2) == "UNITS":
                pass  # `P4 - 1 unit to P3`
            case "DASH":
                if self.kind(i + 1) in {"PLACE", "NUM"} and slots.dash is None:
                    slots.dash = self.lexemes[i + 1]
                    return i + 2
                slots.loose.append(lexeme)
            case "PLACE":
                (slots.before if slots.verb is None else slots.after).append(lexeme)
            case "UNITS" if i and self.kind(i - 1) == "WHO":
                pass  # `the red guy`
            case "NUM":
                slots.numbers.append(lexeme)
            case "WHO":
                slots.who.append(lexeme)
            case "EXCEPT":
                return self.exception(i)
            case kind if kind in QUANTITIES:
                if slots.quantity is None or slots.quantity.kind == "THEUNITS":
                    slots.quantity = lexeme
                elif kind != "THEUNITS":
                    slots.loose.append(lexeme)
            case kind if kind in TURNS:
                slots.turns.append(lexeme)
            case "ALSO" | "UNITS" | "MONEY" | "THEM" | "THERE" | "SAME" | "WHICH" | "TIMES":
                slots.marks.setdefault(lexeme.kind, lexeme)
            case kind if kind in self.dialect.marks:
                slots.marks.setdefault(kind, lexeme)
            case kind if kind in SILENT or kind == "PLAYER":
                pass
            case _:
                slots.loose.append(lexeme)
        return i + 1

    def led(self, i: int) -> int:  # noqa: C901 - one case a word that is led
        """A preposition and what it leads: a province, a player, or (`with 2 units`) a number."""
        slots, lexeme = self.slots, self.lexemes[i]
        j = self.after_gaps(i + 1)
        if self.kind(j) in {"FROM", "IN"} and lexeme.kind in {"FROM", "IN", "WITH"}:
            j = self.after_gaps(j + 1)
        found = self.kind(j)
        if (
            lexeme.kind != "FOR"
            and self.is_place(j)
            and (found == "PLACE" or lexeme.kind != "WITH")
        ):
            role = _AHEAD[lexeme.kind]
            if lexeme.kind == "WITH" and slots.kind in self.dialect.in_place and not slots.places:
                role = "at"  # `guard with P1`
            if role == "at":
                slots.at.append(self.lexemes[j])
            elif getattr(slots, role) is None:
                setattr(slots, role, self.lexemes[j])
            else:
                slots.loose.append(self.lexemes[j])
            return j + 1
        if found == "PLACE":
            slots.at.append(self.lexemes[j])
            return j + 1
        if found == "WHO" and lexeme.kind == "FROM" and self.lexemes[j].text in {"me", "us"}:
            return j + 1
        mine = found == "WHO" and self.lexemes[j].text in {"me", "us", "myself"}
        if mine and lexeme.kind == "FOR" and i and self.kind(i - 1) in {"PLACE", "NUM", "MONEY"}:
            return j + 1  # `guard P1 for me`
        if found == "WHO" and lexeme.kind in {"TO", "FOR", "IN", "FROM"}:
            slots.marks.setdefault("BY" if lexeme.kind == "FROM" else "FOR", lexeme)
            slots.who.append(self.lexemes[j])
            return j + 1
        game = self.dialect.verbs | self.dialect.flags | self.dialect.marks
        if lexeme.kind == "TO" and found in game:
            return j
        if found in {"COMMON", "WORD"} and lexeme.kind == "TO" and not slots.who:
            slots.loose.append(self.lexemes[j])  # the beginning of a name?
            return j + 1
        fine = QUANTITIES | {"NUM", "THEM"} | self.dialect.flags | self.dialect.marks
        if lexeme.kind in {"WITH", "IN", "FOR", "FROM"} and (found in fine or j > i + 1):
            if any(x.kind in {"UNITS", "THEUNITS"} for x in self.lexemes[i + 1 : j]):
                slots.marks.setdefault("UNITS", lexeme)
            return j
        if lexeme.kind == "FOR" and found in {"COMMON", ""}:
            k = j
            while self.kind(k) in {"COMMON", "FILLER"}:
                k += 1
            if k > j and k == len(self.lexemes):
                return k  # `for the glory`
        slots.loose.append(lexeme)
        return i + 1

    def exception(self, i: int) -> int:
        slots, j = self.slots, self.after_gaps(i + 1)
        if self.kind(j) == "IN":
            j = self.after_gaps(j + 1)
        every = slots.quantity is None and self.lexemes[i].text.endswith((" but", " but not"))
        if every and self.kind(j) in {"PLACE", "NUM"}:
            slots.quantity = replace(self.lexemes[i], kind="ALL")
        whole = slots.quantity is not None and slots.kind not in self.dialect.in_place
        if self.kind(j) == "NUM" and whole:
            slots.marks["ALLBUT"] = self.lexemes[j]
            return j + 1
        if not self.is_place(j):
            slots.loose.append(self.lexemes[i])
            return i + 1
        slots.excepted.append(self.lexemes[j])
        return j + 1


def slots_of(lexemes: Sequence[Lexeme], dialect: Dialect) -> Slots:
    """The slots of a clause that has lexemes."""
    slots = _Descent(lexemes, dialect).read()
    digits = all(number.text.isdigit() for number in slots.numbers)
    if slots.kind in dialect.in_place and not slots.places and digits:
        slots.after, slots.numbers = [*slots.after, *slots.numbers], []
    return slots
