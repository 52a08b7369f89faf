"""Conditions on public facts (SS-9.4): `if Borland still has more military than I`."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from engine.sovereigns import orders as o
from engine.sovereigns.codes import Attribute
from pbem.games.sovereigns.reading.position import AMBIGUOUS
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF
from pbem.grammar.kit.lexemes import Lexeme, set_of

_REACH = 16
"""The most words of a condition."""
_LEADS = frozenset(
    {"if", "only if", "provided", "provided that", "as long as", "assuming", "when", "should"}
)
_SELF = frozenset({"i", "we", "my", "our"})
_THEY = frozenset({"they", "she", "he", "it", "her", "him"})
_THEYRE = frozenset({"shes", "she's", "hes", "he's", "theyre", "they're"})
"""Who it is of, and that something is told of it, in one word."""
_SYMBOL = re.compile(r"([<>])(=?) ?(\d+)")
_FATES: dict[str, o.Subject] = {
    **dict.fromkeys(
        ("FALLEN", "gone", "dead", "fallen", "out", "destroyed", "eliminated"), "fallen"
    ),
    **dict.fromkeys(("ALIVE", "alive", "there", "around", "standing"), "lives"),
}
_SILENT = set_of("still has have is are too then also got already") | {"by then", "by now"}


class _Reader:
    def __init__(self, lexemes: Sequence[Lexeme], me: int, last: int | None) -> None:
        self.lexemes, self.me, self.last = lexemes, me, last
        self.at = 0

    @property
    def kind(self) -> str:
        return self.lexemes[self.at].kind if self.at < len(self.lexemes) else ""

    @property
    def text(self) -> str:
        return self.lexemes[self.at].text if self.at < len(self.lexemes) else ""

    def skip(self) -> None:
        while self.text in _SILENT or self.kind in {"ALSO", "POINTS", "OF"}:
            self.at += 1

    def who(self) -> int | None:
        """A kingdom, or the writer; None: neither stands here."""
        lexeme = self.lexemes[self.at] if self.at < len(self.lexemes) else None
        if lexeme is None:
            return None
        if lexeme.kind == "WHO" and lexeme.value is not None and lexeme.value != AMBIGUOUS:
            self.at += 1
            return lexeme.value
        if lexeme.text in _THEY | _THEYRE and self.last is not None:
            self.at += 1
            return self.last
        if lexeme.kind == "FILLER" and lexeme.text in _SELF:
            self.at += 1
            return self.me
        return None

    def attribute(self) -> Attribute | None:
        self.skip()
        found = ATTRIBUTE_OF.get(self.kind)
        if found is not None:
            self.at += 1
        return found

    def number(self) -> int | None:
        if self.kind != "NUM":
            return None
        self.at += 1
        return self.lexemes[self.at - 1].value

    def read(self) -> o.Condition | None:
        self.at = 1
        who = self.who()
        own = ATTRIBUTE_OF.get(self.kind) if who in (None, self.me) else None
        if own is not None:  # `if harmony is 5 or more`
            self.at += 1
            who = self.me
        if who is None:
            return None
        self.skip()
        fate = _FATES.get(self.kind) or _FATES.get(self.text)
        if fate is not None and own is None:
            self.at += 1
            return o.Condition(fate, who)
        if self.kind == "HASMORE" and own is None:
            return self.more(who)
        return self.bounded(who, own or self.attribute())

    def more(self, who: int) -> o.Condition | None:
        self.at += 1
        attribute = self.attribute()
        if self.text != "than":
            return None
        self.at += 1
        count = self.number()
        if count is not None:
            attribute = attribute or self.attribute()
            return o.Condition("least", who, attribute, number=count + 1) if attribute else None
        other = self.who()
        if other is None or attribute is None:
            return None
        return o.Condition("more", who, attribute, other)

    def bounded(self, who: int, own: Attribute | None) -> o.Condition | None:
        self.skip()
        symbol = _SYMBOL.fullmatch(self.text)
        if symbol is not None and own is not None:
            self.at += 1
            least, equal, bounds = symbol[1] == ">", bool(symbol[2]), int(symbol[3])
            bounds += 0 if equal else 1 if least else -1
            return o.Condition("least" if least else "most", who, own, number=max(bounds, 0))
        bound = self.kind if self.kind in {"ATLEAST", "ATMOST", "FEWER", "MOREOF"} else ""
        self.at += bool(bound)
        count = self.number()
        if count is None:
            return None
        if self.text == "+" and not bound:  # `6+ military`
            bound, self.at = "ATLEAST", self.at + 1
        attribute = own or self.attribute()
        if not bound and self.kind in {"ORMORE", "ORLESS"}:
            bound = "ATLEAST" if self.kind == "ORMORE" else "ATMOST"
            self.at += 1
            attribute = attribute or self.attribute()
        if attribute is None or not bound:
            return None
        shift = {"FEWER": -1, "MOREOF": 1}.get(bound, 0)
        subject: o.Subject = "least" if bound in {"ATLEAST", "MOREOF"} else "most"
        return o.Condition(subject, who, attribute, number=max(count + shift, 0))


def condition_of(
    lexemes: Sequence[Lexeme], me: int, last: int | None
) -> tuple[o.Condition, int] | None:
    """The condition that begins here, and how many lexemes it takes; `last` is whom `they` mean."""
    lead = lexemes[0]
    if lead.kind != "COND" or lead.text not in _LEADS:
        return None
    reader = _Reader(lexemes, me, last)
    found = reader.read()
    if found is None:
        return None
    reader.skip()
    return found, reader.at


def with_conditions(
    lexemes: Sequence[Lexeme], me: int, last: int | None, known: list[o.Condition]
) -> tuple[list[Lexeme], int | None]:
    """The lexemes with each condition as one, by its place among those `known`, and whom `they`
    mean now.
    """
    found: list[Lexeme] = []
    at, near = 0, last
    while at < len(lexemes):
        lexeme = lexemes[at]
        if lexeme.kind == "WHO" and lexeme.value and lexeme.value != me:
            near = lexeme.value
        taken = condition_of(lexemes[at : at + _REACH], me, near)
        if taken is None:
            found.append(lexeme)
            at += 1
            continue
        condition, count = taken
        if found and found[-1].text == "or" and condition.subject == "fallen":
            found.pop()  # `attack Borland, or if they are gone ...`
        known.append(condition)
        whole = Lexeme("CONDITION", lexeme.text, lexeme.start, lexemes[at + count - 1].end)
        found.append(replace(whole, value=len(known) - 1))
        at += count
        if condition.kingdom != me:
            near = last = condition.kingdom
    return found, last
