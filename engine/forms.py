"""Orders and their canonical texts, both ways, from one template for each kind of order.

A struct has it as `form`: `Commit {units:count} from {province:place}[ (sac {sacrifice:count})]`. A
slot `{field:type}` holds the value of a field, and `{field,field:type}` those of several;
`{field?Golden }` is these words where the field is true; a part in brackets stands where none of
its slots is what it is by default. Of several templates the first counts whose types can tell what
there is.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec

OrderT = TypeVar("OrderT")
ANY = r"(?s:.+?)"
"""The pattern of a slot that takes all words; no two of them in a template, or reading is slow."""
_SLOT = re.compile(r"\{([\w,]+)(?::(\w+)|\?([^{}]*+))\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*+)\]")
_FIRST_WORD = re.compile(r"((?>(?:\{\w+\?[^{}]*+\})*))([^ {\[]++)(?= |$|\[ )")


def tag_of(kind: Any) -> str:
    """The word by which a kind of orders is stored; also of an order of it."""
    return str(kind.__struct_config__.tag)


class Template:
    """A text with slots: tells the words that stand in them, and finds them in a text again.

    `pattern_of` tells the pattern of a type, which has no groups.
    """

    def __init__(self, text: str, pattern_of: Callable[[str], str]) -> None:
        self.slots: dict[str, str] = {}
        self.flags: dict[str, str] = {}
        self._parts: list[tuple[frozenset[str], str]] = []
        pattern = ""
        for i, part in enumerate(_OPTIONAL.split(text)):
            literal, *rest = _SLOT.split(part)
            inner, names = re.escape(literal), set[str]()
            for name, kind, word, behind in zip(*(rest[j::4] for j in range(4)), strict=True):
                self.slots[name] = kind or name
                if word:
                    self.flags[name] = word
                elif i % 2:
                    names.add(name)
                inner += f"({pattern_of(kind) if kind else f'(?:{re.escape(word)})?'})"
                inner += re.escape(behind)
            self._parts.append((frozenset(names), _SLOT.sub(r"{\1}", part)))
            pattern += f"(?:{inner})?" if i % 2 else inner
        self.pattern = re.compile(pattern)
        self._begin = re.split(r"[\[{]", text, maxsplit=1)[0]
        self.optional = frozenset[str]().union(*(need for need, _ in self._parts))
        self._first = self._parts.pop(0)[1]

    def tell(self, bound: Mapping[str, object]) -> str:
        """The text with these words; a part in brackets stands where all of its slots have some."""
        told = self._first.format_map(bound)
        for need, text in self._parts:
            for name in need:
                if name not in bound:
                    break
            else:
                told += text.format_map(bound)
        return told

    def said_in(self, text: str) -> dict[str, str] | None:
        """The words in the slots of a text; None if it is of another form."""
        found = self.pattern.fullmatch(text) if text.startswith(self._begin) else None
        if found is None:
            return None
        return {k: v for k, v in zip(self.slots, found.groups(), strict=True) if v is not None}


@dataclass(frozen=True, slots=True)
class Slot:
    """A type of slots: how a value is written and read again; `names` is the game's context for it.
    `read` gets what fits the pattern, and raises ValueError for a value that does not exist.
    """

    pattern: str
    read: Callable[[str, Any], Any] = lambda text, names: text
    show: Callable[[Any, Any], str] = lambda value, names: str(value)


def digits(pattern: str = r"(?:0|[1-9]\d*+)") -> Slot:
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
    more = f"(?>(?:{re.escape(sign)}{slot.pattern})*)"
    return Slot(
        ANY if slot.pattern == ANY else slot.pattern + more,
        lambda text, names: tuple(slot.read(one, names) for one in text.split(sign)),
        lambda values, names: sign.join(slot.show(value, names) for value in values),
    )


def _flag(word: str) -> Slot:
    return Slot("", lambda text, names: bool(text), lambda value, names: word if value else "")


class Form(Generic[OrderT]):
    """One template of a kind of orders, bound to its struct."""

    def __init__(self, kind: type[OrderT], text: str, slots: Mapping[str, Slot]) -> None:
        self.kind = kind
        self.template = told = Template(text, lambda kind: slots[kind].pattern)
        first = _FIRST_WORD.match(text)
        words = (*(word for _, _, word in _SLOT.findall(first[1])), first[2]) if first else ()
        self.starts = frozenset(word.strip() for word in words)
        fields_of: Any = msgspec.structs.fields
        self.defaults = defaults = {field.name: field.default for field in fields_of(kind)}
        self._slots: list[tuple[str, Slot, Callable[[Any], Any], object]] = []
        for name, type_ in told.slots.items():
            slot = _flag(told.flags[name]) if name in told.flags else slots[type_]
            fields = name.split(",")
            usual = tuple(map(defaults.get, fields)) if "," in name else defaults[name]
            left_out = usual if name in told.optional else msgspec.NODEFAULT
            self._slots.append((name, slot, attrgetter(*fields), left_out))

    def words(self, order: OrderT, names: Any) -> dict[str, str]:
        """The words in its slots; none where a value is left out. A KeyError or ValueError if a
        type cannot tell a value.
        """
        bound = {}
        for name, slot, value_of, left_out in self._slots:
            value = value_of(order)
            if value != left_out:
                bound[name] = slot.show(value, names)
        return bound

    def parse(self, text: str, names: Any) -> OrderT | None:
        """The order of a text; None if it is of another form."""
        found = self.template.pattern.fullmatch(text)
        if found is None:
            return None
        bound: dict[str, Any] = {}
        for (name, slot, _, _), said in zip(self._slots, found.groups(), strict=True):
            if said is not None:
                try:
                    value = slot.read(said, names)
                except ValueError as wrong:
                    where = "" if repr(text) in str(wrong) else f" in {text!r}"
                    raise ValueError(f"{wrong}{where}") from None
                bound |= zip(name.split(","), value, strict=True) if "," in name else {name: value}
        return self.kind(**bound)


class Forms(Generic[OrderT]):
    """The forms of all kinds of orders of a game, or of parts of orders; `what` each of them is."""

    def __init__(self, what: str, kinds: Iterable[type[OrderT]], slots: Mapping[str, Slot]) -> None:
        self._what = what
        self.by_kind: dict[type[OrderT], list[Form[OrderT]]] = {}
        for kind in kinds:
            told: str | tuple[str, ...] = vars(kind)["form"]
            texts = (told,) if isinstance(told, str) else told
            self.by_kind[kind] = [Form(kind, text, slots) for text in texts]
        forms = [form for found in self.by_kind.values() for form in found]
        self._others = [form for form in forms if not form.starts]
        self._by_word = {
            word: [*(form for form in forms if word in form.starts), *self._others]
            for form in forms
            for word in form.starts
        }

    def format(self, order: OrderT, names: Any = None) -> str:
        """The canonical text of an order."""
        for form in self.by_kind.get(type(order), ()):
            try:
                return form.template.tell(form.words(order, names))
            except (KeyError, ValueError):
                continue
        raise ValueError(f"there is no text for {order!r}")

    def of_word(self, word: str) -> frozenset[type[OrderT]]:
        """The kinds of orders of which some texts may begin with this word."""
        forms = self._by_word.get(word, self._others)
        return frozenset(form.kind for form in forms)

    def parse(self, text: str, names: Any = None) -> OrderT:
        """The order of a canonical text. ValueError if it is not one."""
        for form in self._by_word.get(text.partition(" ")[0], self._others):
            order = form.parse(text, names)
            if order is not None:
                return order
        raise ValueError(f"{text!r} is no canonical text of {self._what}")

    def slot(self, pattern: str = ANY) -> Slot:
        """A value that has a form of its own inside another form."""
        return Slot(pattern, self.parse, self.format)
