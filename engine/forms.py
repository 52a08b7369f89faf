"""Orders and their canonical texts, both ways, from one template for each kind of order.

A struct has it as `form`: `Commit {units:count} from {province:place}[ (sac {sacrifice:count})]`. A
slot `{field:type}` holds the value of a field; `{field?Golden }` is these words where the field is
true; a part in brackets stands where none of its fields is what it is by default.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

OrderT = TypeVar("OrderT")
ANY = r".+?"
"""The pattern of a slot that takes all words; no two of them in a template, or reading is slow."""
_SLOT = re.compile(r"\{(\w+)(?::(\w+)|\?([^{}]*+))\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*+)\]")
_FIRST_WORD = re.compile(r"((?:\{\w+\?[^{}]*+\})*+)([^ {\[]++)(?= |$|\[ )")


class Template:
    """A text with slots: tells the words that stand in them, and finds them in a text again.

    `patterns` are those of the types, without groups.
    """

    def __init__(self, text: str, patterns: Mapping[str, str]) -> None:
        parts = _OPTIONAL.split(text)
        self.flags = {name: word for name, _, word in _SLOT.findall(text) if word}
        self.slots = {name: kind or name for name, kind, _ in _SLOT.findall(text)}
        self.optional = frozenset(name for part in parts[1::2] for name, *_ in _SLOT.findall(part))
        self.pattern = re.compile(
            "".join(f"(?:{x})?" if i % 2 else x for i, x in enumerate(_patterns(parts, patterns)))
        )
        self._parts = [
            (frozenset(name for name, *_ in _SLOT.findall(part) if i % 2), _SLOT.sub(r"{\1}", part))
            for i, part in enumerate(parts)
        ]
        self._first = self._parts.pop(0)[1]

    def tell(self, bound: Mapping[str, object]) -> str:
        """The text with these words; a part in brackets stands where all of its slots have some."""
        told = self._first.format_map(bound)
        for need, text in self._parts:
            if need <= bound.keys():
                told += text.format_map(bound)
        return told

    def said_in(self, text: str) -> dict[str, str] | None:
        """The words in the slots of a text; None if it is of another form."""
        found = self.pattern.fullmatch(text)
        return found and {k: said for k, said in found.groupdict().items() if said is not None}


def _patterns(parts: Iterable[str], patterns: Mapping[str, str]) -> Iterator[str]:
    for part in parts:
        told = ""
        for i, piece in enumerate(pieces := _SLOT.split(part)):
            if i % 4 == 0:
                told += re.escape(piece)
            elif i % 4 == 1:
                kind, word = pieces[i + 1 : i + 3]
                told += f"(?P<{piece}>{patterns[kind] if kind else f'(?:{re.escape(word)})?'})"
        yield told


@dataclass(frozen=True, slots=True)
class Slot:
    """A type of slots: how a value is told, and read again; `names` is what the game knows it by.
    `read` gets what fits the pattern; what it cannot take is a ValueError.
    """

    pattern: str
    read: Callable[[str, Any], Any] = lambda text, names: text
    show: Callable[[Any, Any], str] = lambda value, names: str(value)


def number(pattern: str = r"(?:0|[1-9]\d*+)") -> Slot:
    """A number in digits."""
    return Slot(pattern, lambda text, names: int(text))


def choice(values: Mapping[str, Hashable]) -> Slot:
    """One of these values, each by its word."""
    words = {value: word for word, value in values.items()}
    pattern = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    return Slot(
        f"(?:{pattern})", lambda text, names: values[text], lambda value, names: words[value]
    )


def listed(slot: Slot, sign: str) -> Slot:
    """Some values of one type, with a sign between each two."""
    return Slot(
        slot.pattern if slot.pattern == ANY else f"{slot.pattern}(?:{sign}{slot.pattern})*+",
        lambda text, names: tuple(slot.read(one, names) for one in text.split(sign)),
        lambda values, names: sign.join(slot.show(value, names) for value in values),
    )


def _flag(word: str) -> Slot:
    return Slot("", lambda text, names: bool(text), lambda value, names: word if value else "")


class Form(Generic[OrderT]):
    """The template of a kind of orders, bound to its struct."""

    def __init__(self, kind: type[OrderT], slots: Mapping[str, Slot]) -> None:
        text: str = vars(kind)["form"]
        self.template = told = Template(text, {name: x.pattern for name, x in slots.items()})
        first = _FIRST_WORD.match(text)
        words = (*(word for _, _, word in _SLOT.findall(first[1])), first[2]) if first else ()
        self.starts = frozenset(word.strip() for word in words)
        defaults = {x.name: x.default for x in msgspec.structs.fields(kind)}  # type: ignore[arg-type]  # all are structs
        self._make, self._pattern, self._tell = kind, told.pattern, told.tell
        self._slots = [
            (
                name,
                _flag(told.flags[name]) if name in told.flags else slots[type_],
                defaults[name] if name in told.optional else msgspec.NODEFAULT,
            )
            for name, type_ in told.slots.items()
        ]

    def format(self, order: OrderT, names: Any) -> str:
        """The canonical text."""
        bound = {}
        for name, slot, left_out in self._slots:
            value = getattr(order, name)
            if value != left_out:
                bound[name] = slot.show(value, names)
        return self._tell(bound)

    def parse(self, text: str, names: Any) -> OrderT | None:
        """The order of a text; None if it is of another form."""
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        bound = {}
        for (name, slot, _), said in zip(self._slots, found.groups(), strict=True):
            if said is not None:
                try:
                    bound[name] = slot.read(said, names)
                except ValueError as wrong:
                    raise ValueError(f"{wrong} in {text!r}") from None
        return self._make(**bound)


class Forms(Generic[OrderT]):
    """The forms of all kinds of orders of a game, or of parts of orders; `what` each of them is."""

    def __init__(self, what: str, kinds: Iterable[type[OrderT]], slots: Mapping[str, Slot]) -> None:
        self._what = what
        self._by_kind = {kind: Form(kind, slots) for kind in kinds}
        forms = tuple(self._by_kind.values())
        self.templates = {kind: form.template for kind, form in self._by_kind.items()}
        self._others = [form for form in forms if not form.starts]
        self._by_word = {
            word: [*(form for form in forms if word in form.starts), *self._others]
            for form in forms
            for word in form.starts
        }

    def format(self, order: OrderT, names: Any = None) -> str:
        """The canonical text of an order."""
        return self._by_kind[type(order)].format(order, names)

    def parse(self, text: str, names: Any = None) -> OrderT:
        """The order of a canonical text. ValueError if it is none."""
        for form in self._by_word.get(text.partition(" ")[0], self._others):
            order = form.parse(text, names)
            if order is not None:
                return order
        raise ValueError(f"{text!r} is no canonical text of {self._what}")

    def slot(self, pattern: str = ANY) -> Slot:
        """What is told by a form of its own inside another."""
        return Slot(pattern, self.parse, self.format)
