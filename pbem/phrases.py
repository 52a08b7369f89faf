"""How scripted players word their orders: phrases from a data file, in which the slots of an order
are filled in.
"""

import random
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Generic, TypeVar

import msgspec
import yaml

from engine.forms import Forms, tag_of

OrderT = TypeVar("OrderT")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLAIN = "plain_"
"""In front of the name of a slot: its words as in the canonical text."""


def in_words(number: int, rng: random.Random, often: float = 0.4) -> str:
    """In digits, or now and then in words."""
    return NUMBERS[number] if number < len(NUMBERS) and rng.random() < often else str(number)


def listed(parts: Sequence[str]) -> str:
    """Some parts as one: `this, that and more`."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


@lru_cache
def read_phrases(package: str) -> Mapping[str, tuple[str, ...]]:
    """The phrases in the data of a package, by their headings."""
    raw = resources.files(package).joinpath("data/phrases.yaml").read_bytes()
    return msgspec.convert(yaml.safe_load(raw), type=dict[str, tuple[str, ...]])


@dataclass(frozen=True)
class PhraseBook(Generic[OrderT]):
    """The phrases of a game. An order has those below its kind that tell all of its slots and no
    other; a heading may be named instead. `said` words a value of a type of slots as people do.
    """

    package: str
    forms: Forms[OrderT]
    said: Mapping[str, Callable[[Any, random.Random, Any], str]]

    @property
    def phrases(self) -> Mapping[str, tuple[str, ...]]:
        return read_phrases(self.package)

    def heading(self, order: OrderT) -> str:
        """The kind of an order, in words: `delayed golden march`."""
        (form, *_) = self.forms.by_kind[type(order)]
        flags = (word.lower() for flag, word in form.template.flags.items() if getattr(order, flag))
        return f"{''.join(flags)}{tag_of(order).replace('-', ' ')}"

    def templates(self, order: OrderT, names: Any = None, heading: str = "") -> Sequence[str]:
        """The phrases for an order."""
        if heading:
            return self.phrases[heading]
        slots = self._words(order, random.Random(0), names).keys()
        told = {name for name in slots if not name.startswith(PLAIN)}
        every = self.phrases.get(self.heading(order), ())
        return [phrase for phrase in every if _slots_of(phrase) == told]

    def fill(
        self, template: str, order: OrderT, rng: random.Random, names: Any = None, **more: str
    ) -> str:
        """A phrase with the words of an order, and with these."""
        return template.format_map({**self._words(order, rng, names), **more})

    def phrase(
        self, order: OrderT, rng: random.Random, names: Any = None, heading: str = "", **more: str
    ) -> str:
        """One of the ways to say it; the canonical text where there is none."""
        templates = self.templates(order, names, heading)
        if not templates:
            return self.forms.format(order, names)
        return self.fill(rng.choice(templates), order, rng, names, **more)

    def _words(self, order: OrderT, rng: random.Random, names: Any) -> dict[str, str]:
        """The words for each slot that the order names."""
        (form, *_) = self.forms.by_kind[type(order)]
        found: dict[str, str] = {}
        for name, word in form.words(order, names).items():
            if name in form.template.flags:
                continue
            say = self.said.get(form.template.slots[name])
            for field in name.split(","):
                value = getattr(order, field)
                if value != form.defaults[field]:
                    found[PLAIN + field] = word
                    found[field] = say(value, rng, names) if say is not None else word
        return found


def _slots_of(phrase: str) -> set[str]:
    parsed = string.Formatter().parse(phrase)
    return {name.removeprefix(PLAIN) for _, name, _, _ in parsed if name}
