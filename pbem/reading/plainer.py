"""A message in plainer words: turns of speech as the words that the reader of a game knows for
them. What that reader takes of these is offered where it did not take what was written.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from typing import Generic, NamedTuple, TypeVar

from pbem.grammar.kit.reading import Reading
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.wholly import Whole

OrderT = TypeVar("OrderT")

FILE = "plainly.txt"
NUMBER = r"\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten"
LONGEST = 1_000
"""A message of more characters is not said again."""
_RULE = re.compile(r"(.+?) =>(?: (.*))?")
_STARTS, _ENDS = r"(?:(?<![\w'])|(?!\w))", r"(?:(?<!\w)|(?![\w']))"
_HIDDEN = re.compile(r"q[a-z]+(\d+)q")
"""A name, while rules are applied."""
_SPACE = re.compile(r"(\[[^\]]*\])| ")


class Names(NamedTuple):
    """What things of a kind are called."""

    kind: str
    words: re.Pattern[str]


class Rule(NamedTuple):
    """Words, and those that the reader knows for them."""

    words: re.Pattern[str]
    plain: str


@lru_cache(maxsize=8)
def load_rules(package: str) -> tuple[Rule, ...]:
    """The rules of any game, and those of a package (`plainly.txt`), a line each: a pattern, `=>`,
    and what it says. `<n>` is a number, `<name>` any name, and `<land>` one of that kind.
    """
    found = []
    for place in (__package__, package):
        for line in (files(place) / FILE).read_text("utf-8").splitlines():
            rule = _RULE.fullmatch(line) if not line.startswith("#") else None
            if rule is not None:
                words = _SPACE.sub(lambda part: part[1] or r"(?:[ \t]+)", rule[1])
                words = words.replace("<n>", f"(?:{NUMBER})")
                words = words.replace("<name>", _HIDDEN.pattern.replace("(", "(?:"))
                words = re.sub(r"<(\w+)>", r"(?:q\1\\d+q)", words)
                pattern = re.compile(rf"{_STARTS}(?:{words}){_ENDS}", re.IGNORECASE)
                found.append(Rule(pattern, rule[2] or ""))
    return tuple(found)


@lru_cache(maxsize=64)
def names_of(kind: str, names: tuple[str, ...]) -> Names:
    """Names of a kind, the longest first."""
    told = "|".join(sorted(map(re.escape, filter(None, names)), key=len, reverse=True))
    return Names(kind, re.compile(rf"(?<!\w)(?:{told or '(?!)'})(?!\w)", re.IGNORECASE))


def said_plainly(text: str, rules: Sequence[Rule], names: Sequence[Names] = ()) -> str:
    """The text in plainer words; as it is, if it has none of those that rules know."""
    if len(text) > LONGEST or _HIDDEN.search(text):
        return text
    named: list[str] = []

    def hide(kind: str, found: re.Match[str]) -> str:
        named.append(found[0])
        return f"q{kind}{len(named) - 1}q"

    for one in names:
        text = one.words.sub(partial(hide, one.kind), text)
    for rule in rules:
        text = rule.words.sub(rule.plain, text)
    return _HIDDEN.sub(lambda found: named[int(found[1])], text)


@dataclass(frozen=True)
class InPlainWords(Generic[OrderT]):
    """Finds what is meant with `first`, and where that finds nothing in plainer words: `ways` are
    what the message may be in those, `read` reads one in its place, and `tell` is the one spelling
    of an order. What is `never` offered is not.
    """

    first: Whole[OrderT]
    ways: Iterable[str]
    read: Callable[[str], Reading]
    tell: Callable[[OrderT], str]
    never: Callable[[Sequence[OrderT]], bool]

    def whole(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
    ) -> tuple[OrderT, ...]:
        """The orders that are meant beside what was taken; () where nobody can tell."""
        return self.first.whole(sentences, taken, unread) or self._again(
            {text for _, _, texts in taken for text in texts}
        )

    def _again(self, taken: set[str]) -> tuple[OrderT, ...]:
        found: dict[tuple[str, ...], tuple[OrderT, ...]] = {}
        for way in self.ways:
            items = self.read(way).items
            if not items or any(x.problems or not x.texts for x in items):
                continue
            orders = [order for item in items for order in item.orders]
            texts = [*map(self.tell, orders)]
            if self.never(orders):
                return ()
            if taken <= {*texts}:
                fresh = dict(zip(texts, orders, strict=True))
                left = {text: x for text, x in fresh.items() if text not in taken}
                found[tuple(sorted(left))] = tuple(left.values())
        return next(iter(found.values())) if len(found) == 1 else ()
