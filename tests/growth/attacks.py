"""Texts that make a slow pattern slow: one thing said over and over, out of what the pattern itself
looks for.

A pattern is taken apart by the standard library's own parser: before each repeat stands what leads
up to it, then what it repeats, as often as wanted, then something that it cannot end in.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_SRE: Any = re._parser
_OPS: Any = re._constants

PLAIN = (
    *(" ", ",", "-", "1", "a", "(", ")", "[", "]", "<", ">", "\n", '"', "'", ".", ":", "@", "\t"),
    *("A", "=", "\r\n", "é", "/", "*"),
)
_SOME = " a1,-.:Z_\n(<>'\"é@"
_MANY = 20
_MOST = 40
_ENDS = ("", "\x00", "\n")


@dataclass(frozen=True, slots=True)
class Attack:
    """A text of any length: `before`, then `pump` over and over, then `end`."""

    before: str
    pump: str
    end: str

    def text(self, length: int) -> str:
        return self.before + (self.pump * (length // len(self.pump) + 1))[:length] + self.end


def plain_attacks() -> Iterator[Attack]:
    """What every pattern and every parser gets."""
    for sign in PLAIN:
        yield Attack("", sign, "\x00")
        yield Attack("", f"{sign} a", "")
    yield Attack("", "a ", "")


def attacks_on(pattern: re.Pattern[Any]) -> Iterator[Attack]:
    """What is made for this pattern, each once."""
    source = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    tree = _SRE.parse(
        source, pattern.flags if isinstance(pattern.pattern, str) else pattern.flags & ~re.UNICODE
    )
    seen: set[Attack] = set()
    for attack in (*plain_attacks(), *_made_for(tree)):
        if attack not in seen:
            seen.add(attack)
            yield attack


def _made_for(tree: Any) -> Iterator[Attack]:
    for before, pump in list(dict.fromkeys(_pumps(tree, "")))[:_MOST]:
        for end in _ENDS:
            yield Attack(before, pump, end)
        yield Attack("", pump, "\x00")
        yield Attack("", before + pump, "\x00")
        if before:
            yield Attack("", before, "\x00")
    letters = sorted(_alphabet(tree)) or [" "]
    chance = random.Random(1)
    for size in (2, 3, 5, 997):
        yield Attack("", "".join(chance.choice(letters) for _ in range(size)), "\x00")


def _pumps(nodes: Any, before: str) -> Iterator[tuple[str, str]]:
    """Every repeat that has no small bound: what leads up to it, and what it repeats."""
    for op, value in nodes:
        if op in (_OPS.MAX_REPEAT, _OPS.MIN_REPEAT, _OPS.POSSESSIVE_REPEAT):
            _least, most, body = value
            if most is _OPS.MAXREPEAT or most > _MANY:
                yield from ((before, text) for text in _texts(body) if text)
            yield from _pumps(body, before)
        elif op is _OPS.BRANCH:
            for branch in value[1]:
                yield from _pumps(branch, before)
        elif op is _OPS.SUBPATTERN:
            yield from _pumps(value[3], before)
        elif op is _OPS.ATOMIC_GROUP:
            yield from _pumps(value, before)
        elif op in (_OPS.ASSERT, _OPS.ASSERT_NOT):
            yield from _pumps(value[1], before)
        before += _of(op, value)[0]


def _texts(nodes: Any, most: int = 6) -> list[str]:
    """Some texts that these nodes match, but for what they look around at."""
    texts = [""]
    for op, value in nodes:
        options = _of(op, value)
        longer = [texts[0] + option for option in options] + [
            text + options[0] for text in texts[1:]
        ]
        texts = list(dict.fromkeys(longer))[:most]
    return texts


def _of(op: Any, value: Any) -> list[str]:
    if op is _OPS.LITERAL:
        return [chr(value)]
    if op is _OPS.NOT_LITERAL:
        return [sign for sign in "a 1," if ord(sign) != value]
    if op is _OPS.ANY:
        return ["a", " ", "1"]
    if op is _OPS.IN:
        return _members(value)[:6]
    if op is _OPS.BRANCH:
        return list(dict.fromkeys(text for branch in value[1] for text in _texts(branch, 2)))[
            :6
        ] or [""]
    if op is _OPS.SUBPATTERN:
        return _texts(value[3])
    if op is _OPS.ATOMIC_GROUP:
        return _texts(value)
    if op in (_OPS.MAX_REPEAT, _OPS.MIN_REPEAT, _OPS.POSSESSIVE_REPEAT):
        least, _most, body = value
        return [text * least for text in _texts(body)] if least else [""]
    return [""]


def _members(items: Any) -> list[str]:
    """Some members of a class of characters: those it names first, then common ones."""
    inverted = any(op is _OPS.NEGATE for op, _ in items)
    named = (
        []
        if inverted
        else [
            chr(value if op is _OPS.LITERAL else value[0])
            for op, value in items
            if op in (_OPS.LITERAL, _OPS.RANGE)
        ]
    )
    others = [
        sign for sign in _SOME if any(_is_in(sign, op, value) for op, value in items) != inverted
    ]
    return list(dict.fromkeys(named + others)) or ["a"]


def _is_in(sign: str, op: Any, value: Any) -> bool:
    if op is _OPS.LITERAL:
        return ord(sign) == int(value)
    if op is _OPS.RANGE:
        return int(value[0]) <= ord(sign) <= int(value[1])
    if op is _OPS.CATEGORY:
        return {
            _OPS.CATEGORY_DIGIT: sign.isdigit(),
            _OPS.CATEGORY_NOT_DIGIT: not sign.isdigit(),
            _OPS.CATEGORY_SPACE: sign.isspace(),
            _OPS.CATEGORY_NOT_SPACE: not sign.isspace(),
            _OPS.CATEGORY_WORD: sign.isalnum() or sign == "_",
            _OPS.CATEGORY_NOT_WORD: not (sign.isalnum() or sign == "_"),
        }[value]
    return False


def _alphabet(nodes: Any) -> set[str]:
    found: set[str] = set()
    for op, value in nodes:
        if op is _OPS.LITERAL:
            found.add(chr(value))
        elif op is _OPS.IN:
            found.update(_members(value)[:4])
        elif op is _OPS.BRANCH:
            for branch in value[1]:
                found |= _alphabet(branch)
        elif op is _OPS.SUBPATTERN:
            found |= _alphabet(value[3])
        elif op is _OPS.ATOMIC_GROUP:
            found |= _alphabet(value)
        elif op in (_OPS.MAX_REPEAT, _OPS.MIN_REPEAT, _OPS.POSSESSIVE_REPEAT):
            found |= _alphabet(value[2])
        elif op in (_OPS.ASSERT, _OPS.ASSERT_NOT):
            found |= _alphabet(value[1])
    return found
