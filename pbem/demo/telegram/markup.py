"""Telegram's HTML as Telegram reads it: the text with its entities, or the refusal a bot gets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbem.demo.telegram.faults import ApiError

_TAGS = frozenset(
    {
        "a",
        "b",
        "strong",
        "i",
        "em",
        "s",
        "strike",
        "del",
        "u",
        "ins",
        "tg-spoiler",
        "tg-emoji",
        "span",
        "pre",
        "code",
        "blockquote",
    }
)
_SAME = {"strong": "b", "em": "i", "strike": "s", "del": "s", "ins": "u", "span": "tg-spoiler"}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot)|#([0-9]+)|#[xX]([0-9a-fA-F]+));?")
_NAME = re.compile(r"[^\s>]*")
_ATTRIBUTE = re.compile(r"""\s*([a-zA-Z][\w-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[\w.-]+))?""")


@dataclass(frozen=True, slots=True)
class Entity:
    """Marked-up text: `offset` and `length` in UTF-16 code units; `value` is a link's address, a
    language, a class.
    """

    kind: str
    offset: int
    length: int
    value: str = ""


@dataclass(frozen=True, slots=True)
class Marked:
    """Text as it is read, and how it looks."""

    text: str
    entities: tuple[Entity, ...] = ()

    @property
    def length(self) -> int:
        """In UTF-16 code units, as Telegram counts."""
        return units(self.text)


@dataclass(slots=True)
class _Open:
    name: str
    value: str
    offset: int


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def parse_html(source: str) -> Marked:
    """What a message in parse mode HTML says. Raises `ApiError` 400 as Telegram does, with the
    place in octets.
    """
    written: list[str] = []
    length = 0
    stack: list[_Open] = []
    entities: list[Entity] = []
    at = 0
    while at < len(source):
        if source[at] == "<":
            if source.startswith("/", at + 1):
                at = _end_tag(source, at, stack, length, entities)
            else:
                opened, at = _start_tag(source, at, length)
                stack.append(opened)
            continue
        character, at = _character(source, at)
        written.append(character)
        length += units(character)
    if stack:
        raise _refusal(f'Can\'t find end tag corresponding to start tag "{stack[-1].name}"')
    return _trimmed("".join(written), entities)


def _start_tag(source: str, at: int, offset: int) -> tuple[_Open, int]:
    name = _NAME.match(source, at + 1)
    end = at + 1 if name is None else name.end()
    written = source[at + 1 : end].lower()
    if end >= len(source):
        raise _refusal(f"Unclosed start tag at byte offset {_octets(source, at)}")
    if written not in _TAGS:
        raise _refusal(f'Unsupported start tag "{written}" at byte offset {_octets(source, at)}')
    attributes, end = _attributes(source, end)
    if not source.startswith(">", end):
        raise _refusal(f"Expected end of tag at byte offset {_octets(source, end)}")
    if written == "span" and attributes.get("class") != "tg-spoiler":
        raise _refusal(
            f'Tag "span" must have class "tg-spoiler" at byte offset {_octets(source, at)}'
        )
    value = attributes.get("href") or attributes.get("class") or attributes.get("emoji-id") or ""
    return _Open(written, value, offset), end + 1


def _end_tag(source: str, at: int, stack: list[_Open], offset: int, entities: list[Entity]) -> int:
    if not stack:
        raise _refusal(f"Unexpected end tag at byte offset {_octets(source, at)}")
    end = source.find(">", at)
    name = source[at + 2 : end].strip().lower() if end >= 0 else ""
    if end < 0:
        raise _refusal(f"Unclosed end tag at byte offset {_octets(source, at)}")
    opened = stack.pop()
    if name and name != opened.name:
        raise _refusal(
            f'Unmatched end tag at byte offset {_octets(source, at)}, expected "</{opened.name}>",'
            f' found "</{name}>"'
        )
    if offset > opened.offset:
        entities.append(
            Entity(
                _SAME.get(opened.name, opened.name),
                opened.offset,
                offset - opened.offset,
                opened.value,
            )
        )
    return end + 1


def _attributes(source: str, at: int) -> tuple[dict[str, str], int]:
    found = {}
    while attribute := _ATTRIBUTE.match(source, at):
        found[attribute[1].lower()] = (attribute[2] or "").strip("\"'")
        at = attribute.end()
    while source[at : at + 1].isspace():
        at += 1
    return found, at


def _character(source: str, at: int) -> tuple[str, int]:
    reference = _REFERENCE.match(source, at) if source[at] == "&" else None
    if reference is None:
        return source[at], at + 1
    if reference[1]:
        return _NAMED[reference[1]], reference.end()
    code = int(reference[2] or reference[3], 10 if reference[2] else 16)
    if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
        return source[at], at + 1
    return chr(code), reference.end()


def _trimmed(text: str, entities: list[Entity]) -> Marked:
    """Without white space at both ends, and without what marks only that."""
    left = units(text[: len(text) - len(text.lstrip())])
    shown = text.strip()
    return Marked(
        shown,
        tuple(
            sorted(
                _within(entities, left, units(shown)),
                key=lambda entity: (entity.offset, -entity.length, entity.kind),
            )
        ),
    )


def _within(entities: list[Entity], left: int, length: int) -> Iterator[Entity]:
    for entity in entities:
        start, end = max(entity.offset - left, 0), min(entity.offset + entity.length - left, length)
        if end > start:
            yield Entity(entity.kind, start, end - start, entity.value)


def _octets(source: str, at: int) -> int:
    return len(source[:at].encode("utf-8", "surrogatepass"))


def _refusal(what: str) -> ApiError:
    return ApiError(400, f"Bad Request: can't parse entities: {what}")
