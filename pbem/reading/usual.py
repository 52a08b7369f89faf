"""Offers of games whose orders are short: their forms come from the texts of all legal orders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.slots import SILENT
from pbem.grammar.kit.vocabulary import Vocabulary
from pbem.reading.forms import Form, FormRow, FormTable
from pbem.reading.items import Tongue, Value
from pbem.reading.offers import Offering
from pbem.reading.words import ByRule

OrderT = TypeVar("OrderT")

_TYPES = {"NUM": "num", "WHO": "who", "PLACE": "place"}
"""Kinds of words that name a value, with the types of slots."""


@dataclass(slots=True)
class _Legal:
    """Legal orders as forms: what is named in their texts are slots, and all else says the deed."""

    read: Callable[[str], Sequence[Lexeme]]
    names: dict[tuple[str, int | None], str] = field(default_factory=dict)
    verbs: set[str] = field(default_factory=set)

    def tables(self, texts: Sequence[str]) -> list[FormTable]:
        """One a form, of texts that differ in what they name alone."""
        told = sorted(map(self._told, texts), key=lambda one: one[0])
        return [
            FormTable(Form(text, verbs, needs=verbs), _rows([values for *_, values in group]))
            for (text, verbs), group in groupby(told, key=lambda one: one[:2])
        ]

    def _told(self, text: str) -> tuple[str, frozenset[str], dict[str, str | int]]:
        """A text with slots in place of what it names, its deeds, and what stands in the slots."""
        template, at, verbs, values = "", 0, set[str](), dict[str, str | int]()
        plain = normalise(text)
        for lexeme in self.read(plain.text):
            kind = _TYPES.get(lexeme.kind)
            first, last = plain.span(lexeme.start, lexeme.end)
            named = text[first:last]
            if kind is None:
                verbs |= {lexeme.kind} - SILENT
            elif kind != "num" or named == str(lexeme.value):  # `one`, `1,000` are words of it
                slot = f"{kind}{len(values)}"
                template += text[at:first] + f"{{{slot}:{kind}}}"
                at, values[slot] = last, int(named) if kind == "num" else named
                self.names[lexeme.kind, lexeme.value] = named
        self.verbs |= verbs
        return template + text[at:], frozenset(verbs), values

    def values(self, lexeme: Lexeme, plain: Plain) -> Sequence[Value]:
        """What a word names of all this; a number is told without it."""
        named = self.names.get((lexeme.kind, lexeme.value))
        return [Value(_TYPES[lexeme.kind], named)] if named and lexeme.kind != "NUM" else []


def _rows(told: Sequence[dict[str, str | int]]) -> list[FormRow]:
    """What may stand together, with the least and the most of each number."""
    rows: dict[tuple[tuple[str, str], ...], dict[str, list[int]]] = {}
    for values in told:
        names = tuple((slot, value) for slot, value in values.items() if isinstance(value, str))
        numbers = rows.setdefault(names, {})
        for slot, value in values.items():
            if isinstance(value, int):
                numbers.setdefault(slot, []).append(value)
    return [
        FormRow(dict(names), {slot: (min(found), max(found)) for slot, found in numbers.items()})
        for names, numbers in rows.items()
    ]


def usual_offering(
    plain: Plain,
    read: Callable[[str], Sequence[Lexeme]],
    vocabulary: Vocabulary,
    texts: Sequence[str],
    parse: Callable[[str], OrderT],
) -> Offering[OrderT]:
    """What may be meant in a message: `read` gives the lexemes of a text, `texts` are the canonical
    ones of all orders that are legal now.
    """
    legal = _Legal(read)
    tables = legal.tables(texts)
    lexemes = ByRule(vocabulary, legal.verbs).mended(read(plain.text))
    return Offering(
        plain, lexemes, Tongue(legal.values, frozenset(legal.verbs)), lambda: tables, parse
    )
