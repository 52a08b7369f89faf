"""The parts of an order as its words give them: points with their attribute, kingdoms, and other
parts. A word that is not a part is loose.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.sovereigns.codes import Attribute
from pbem.games.sovereigns.reading.words import ACTIONS, ATTRIBUTE_OF, BUILDINGS
from pbem.grammar.kit.common import is_foreign
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.slots import SILENT, Dialect

JOINTS = frozenset(
    {"COMMA", "AND", "BUT", "COLON", "LPAR", "RPAR", "SLASH", "DASH", "CUE", "ARROW", "NL", "SEMI"}
)
DO = frozenset({*ACTIONS, "TRYING"})
AIMED = frozenset({"ATTACK", "ESPIONAGE", "THEFT", "SPREAD", "FOMENT"})
"""Actions against a kingdom."""
TRADE = frozenset({"OFFER", "GIVE", "LEND", "SELL", "ASKFOR", "BORROW"})
ANSWER = frozenset({"ACCEPT", "DECLINE", "WITHDRAW"})
AT_ONCE = TRADE | ANSWER | {"VOTE", "CLAIM", "OBJECT"}
"""What takes effect as soon as it is read, and is not taken back."""
PLAIN = frozenset({"PASS", "DONE", "CANCELALL", "ABDICATE", "CLAIM"})
BUILDING_KINDS = frozenset(BUILDINGS)
HEADS = (
    DO
    | TRADE
    | ANSWER
    | PLAIN
    | set_of("FEAR BUILD OBJECT VOTE FORGETS PROPOSE REDO SUPPORTING EXACT")
)
"""What an order may begin with."""
FRAGMENT = BUILDING_KINDS | set_of(
    "BURN NOBOON CRUSHED TRIPLE YES VNO NUM WHO AR AM AH WITH TO IN FROM POINTS ALL OF SPARE BOON "
    "KEEPS YEAREND FOR DEPLETE DEPLETED HALF EXCEPT SPEND AT CODE FORSEASONS AGAINST CALLED NAME "
    "INSTEAD"
)
"""What may stand in a correction of a part of an order."""
AMOUNTS = frozenset({"AR", "AM", "AH", "DEPLETE", "DEPLETED"})
QUIET = SILENT | set_of(
    "WITH SPEND OF AT TO IN FROM FOR YES SEASONNOW POINTS FRESH CODE NAME BYONE ACTION TIMES "
    "UNITS BACK SURE CALLED THERE QUOTE GETS"
)
"""Kinds that leave an order as it is in any place."""
DIALECT = Dialect(
    verbs=HEADS,
    flags=frozenset(),
    marks=AMOUNTS | BUILDING_KINDS | {"REBELLION", "COUP"},
    in_place=frozenset(),
    takers={},
    closing=frozenset({"DONE"}),
    weak=frozenset({"FORGETS", "SPEND"}),
)


@dataclass(frozen=True, slots=True)
class Amount:
    """`count` None: all there are, except for `but`."""

    count: int | None
    lexeme: Lexeme
    attribute: Attribute | None = None
    depleted: bool = False
    but: int = 0
    ahead: bool = False
    """Its number stands in front of its attribute."""
    bare: bool = False
    """An attribute without a number."""


@dataclass(slots=True)
class Parts:
    """What stands in the words of one order. `whos` are kingdoms, each with the kind of the word
    before it.
    """

    lexemes: list[Lexeme]
    amounts: list[Amount] = field(default_factory=list)
    whos: list[tuple[Lexeme, str]] = field(default_factory=list)
    heads: list[Lexeme] = field(default_factory=list)
    buildings: list[Lexeme] = field(default_factory=list)
    techs: list[Lexeme] = field(default_factory=list)
    marks: dict[str, Lexeme] = field(default_factory=dict)
    loose: list[Lexeme] = field(default_factory=list)
    common: list[Lexeme] = field(default_factory=list)

    def head(self, *kinds: str) -> Lexeme | None:
        return next((head for head in self.heads if head.kind in kinds), None)


def parts_of(lexemes: Sequence[Lexeme]) -> Parts:
    """The parts of these lexemes, joints among them."""
    return _Reader([x for x in lexemes if x.kind not in SILENT], list(lexemes)).read()


class _Reader:
    def __init__(self, lexemes: list[Lexeme], whole: list[Lexeme]) -> None:
        self.lexemes = lexemes
        self.parts = Parts(whole)

    def kind(self, i: int) -> str:
        return self.lexemes[i].kind if 0 <= i < len(self.lexemes) else ""

    def read(self) -> Parts:
        at, parts = 0, self.parts
        while at < len(self.lexemes):
            taken = self.amount(at)
            if taken is not None:
                amount, at = taken
                parts.amounts.append(amount)
                continue
            lexeme = self.lexemes[at]
            kind = lexeme.kind
            if kind == "WHO":
                parts.whos.append((lexeme, self.kind(at - 1)))
            elif kind in HEADS:
                parts.heads.append(lexeme)
            elif kind in BUILDING_KINDS:
                parts.buildings.append(lexeme)
            elif kind == "TECH":
                parts.techs.append(lexeme)
            elif kind == "COMMON":
                parts.common.append(lexeme)
            elif kind in JOINTS or kind in QUIET - set_of("THERE CODE NAME QUOTE SURE CALLED"):
                pass
            elif kind == "ALL" and lexeme.text in SPREAD:
                led = self.kind(at - 1) in {"WITH", "SPEND"}  # `with all my friends`
                (parts.loose if led else parts.common).append(lexeme)
            elif kind == "THERE":
                parts.marks.setdefault(kind, lexeme)
            elif kind == "OTHER" and lexeme.text in _THEIRS:
                if lexeme.text in {"her", "him"} and self.kind(at + 1) in {"WITH", "NUM", ""}:
                    parts.marks.setdefault("THEM", lexeme)
            elif kind == "WORD" and len(lexeme.text) > 2 and is_foreign(lexeme.text):
                parts.common.append(lexeme)
            elif kind in _MARKS:
                if kind in parts.marks and kind not in _AGAIN:
                    parts.loose.append(lexeme)
                parts.marks.setdefault(kind, lexeme)
            else:
                parts.loose.append(lexeme)
            at += 1
        return parts

    # ---------------------------------------------------------------------------------- amounts
    def skip(self, i: int, *kinds: str) -> int:
        while self.kind(i) in kinds:
            i += 1
        return i

    def attribute(self, i: int) -> tuple[Attribute | None, int]:
        """The attribute that points are of: `resources`, `points of harmony`, `into military`."""
        j = self.skip(i, "POINTS", "FRESH")
        k = j + (self.kind(j) in {"OF", "IN", "TO"})
        k = self.skip(k, "FRESH")
        found = ATTRIBUTE_OF.get(self.kind(k))
        if found is None and self.kind(j) == "OF" and self.kind(j + 1) == "WHO":
            found, k = ATTRIBUTE_OF.get(self.kind(j + 2)), j + 2  # `1 of Borland's soldiers`
            if found is not None:
                self.parts.whos.append((self.lexemes[j + 1], "OF"))
        if found is None:
            return None, j
        return found, self.skip(k + 1, "POINTS")

    def amount(self, i: int) -> tuple[Amount, int] | None:
        lexemes, kind = self.lexemes, self.kind(i)
        if kind == "DEPLETE":
            return self.depleting(i)
        if kind == "NUM":
            if self.kind(i + 1) in {"FORSEASONS", "HOURS"}:
                return None
            if self.kind(i - 1) == "ACTION":
                return None
            attribute, at = self.attribute(i + 1)
            depleted = self.kind(at) in {"DEPLETED", "DEPLETE"}
            at = self.skip(at + depleted, "POINTS") if depleted else at
            if depleted and attribute is None:
                attribute, at = self.attribute(at)
            whole = _span(lexemes, i, at)
            count, ahead = lexemes[i].value, attribute is not None
            return Amount(count, whole, attribute, depleted, ahead=ahead), at
        if kind == "ALL" and lexemes[i].text in SPREAD and not self.spreads(i + 1):
            alone = lexemes[i].text == "all" and self.kind(i - 1) in {"WHO", "COMMA"}
            last = self.kind(i + 1) in {"", "COMMA", "AND"} and not self.parts.amounts
            acts = any(head.kind in DO for head in self.parts.heads) and self.parts.whos
            return (Amount(None, lexemes[i]), i + 1) if alone and last and acts else None
        if kind in {"ALL", "THEUNITS"}:
            if self.kind(i + 1) == "NUM":
                attribute, at = self.attribute(i + 2)
                if attribute is not None:
                    return Amount(lexemes[i + 1].value, _span(lexemes, i, at), attribute), at
            attribute, at = self.attribute(i + 1)
            but, after = self.exception(at)
            if attribute is None and after != at:
                attribute, after = self.attribute(after)
            return Amount(None, _span(lexemes, i, after), attribute, but=but), after
        if kind == "EXCEPT" and lexemes[i].text.startswith(("all", "every")):
            but, after = self.exception(i)
            if after != i:
                attribute, after = self.attribute(after)
                return Amount(None, _span(lexemes, i, after), attribute, but=but), after
        if kind in {"BOTHOF", "BOTH"}:
            attribute, at = self.attribute(i + 1)
            return (Amount(2, _span(lexemes, i, at), attribute), at) if attribute else None
        if kind in ATTRIBUTE_OF:
            attribute = ATTRIBUTE_OF[kind]
            j = self.skip(i + 1, "POINTS", "COLON", "DASH", "COMMAS")
            paired = self.kind(j + 1) in ATTRIBUTE_OF and self.kind(j + 2) == "NUM"
            if self.kind(j) == "NUM" and (paired or self.kind(j + 1) not in ATTRIBUTE_OF):
                at = self.skip(j + 1, "POINTS")
                depleted = self.kind(at) == "DEPLETED"
                count = lexemes[j].value
                return Amount(count, _span(lexemes, i, at), attribute, depleted), at + depleted
            return Amount(None, lexemes[i], attribute, bare=True), i + 1
        return None

    def spreads(self, i: int) -> bool:
        """Whether `all` is of points."""
        if self.kind(i) == "NUM":
            return self.attribute(i + 1)[0] is not None
        return self.attribute(i)[0] is not None or self.exception(i)[1] != i

    def exception(self, i: int) -> tuple[int, int]:
        """`but one`."""
        if self.kind(i) in {"EXCEPT", "BUT"} and self.kind(i + 1) == "NUM":
            return self.lexemes[i + 1].value or 0, i + 2
        return 0, i

    def depleting(self, i: int) -> tuple[Amount, int]:
        lexemes, j = self.lexemes, self.skip(i + 1, "POINTS", "FRESH")
        if self.kind(j) == "NUM":
            attribute, at = self.attribute(j + 1)
            return Amount(lexemes[j].value, _span(lexemes, i, at), attribute, depleted=True), at
        return Amount(None, lexemes[i], depleted=True, bare=True), i + 1


_THEIRS = frozenset({"their", "his", "her", "him", "your"})
SPREAD = frozenset(
    {"all", "every", "everybody", "everyone", "all the", "all our", "all my", "whole", "the whole"}
    | {"our whole", "my whole", "our entire", "my entire", "max", "maximum", "all free", "all of"}
    | {"all of my", "all of our", "tous", "alle", "tutti i"}
)
"""Words for all that are of something."""
_MARKS = set_of(
    "BOON NOBOON BURN SPARE SEEK CONDITION ORELSE CRUSHED EVERYYEAR EVERYSEASON ALWAYS NEXTYEAR "
    "YEARSTART REBELLION COUP MEET KEEPBACK SAMENUMBERS TRIPLE VAGUE CODE NAME QUOTE SURE CALLED "
    "WHY EFFECT AGAINST THEM BEFORE KEEPS YEAREND EXPENDED WITHIN HOURS FORSEASONS FREELY "
    "INTEREST BOTHOF WON NOTWON FORYEAR NEITHER BYONE ELSE SEASONNOW OFFERNOUN TRIBUTE CLAIMNOUN "
    "ORIGIN VNO EACH BOTH INSTEAD ALLOWS GROWN"
)
_AGAIN = frozenset(
    {"SEASONNOW", "KEEPS", "YEAREND", "FORSEASONS", "ALWAYS", "THEM", "YEARSTART", "MEET"}
)


def _span(lexemes: Sequence[Lexeme], start: int, end: int) -> Lexeme:
    last = lexemes[min(max(end - 1, start), len(lexemes) - 1)]
    return Lexeme("AMOUNT", lexemes[start].text, lexemes[start].start, last.end)
