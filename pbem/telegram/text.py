"""Words for Telegram: its HTML escaped, measured, split and read back, and links to the bot.

Telegram counts text in UTF-16 code units, after the markup is taken out. A `<` or `&` that does not
begin one of its tags or entities is taken here for the character it is, so that whatever leaves
this room is well-formed.
"""

import html as markup
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024

_TAG = re.compile(r"<(/?)([a-z]{1,20}(?:-[a-z]{1,20})?)([^<>]*+)>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#[0-9]{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_BARE = frozenset(
    {
        "b",
        "strong",
        "i",
        "em",
        "u",
        "ins",
        "s",
        "strike",
        "del",
        "code",
        "pre",
        "blockquote",
        "tg-spoiler",
    }
)
_WITH_ATTRIBUTE = {
    "a": re.compile(r'\s+href="[^"]*"\s*'),
    "span": re.compile(r'\s+class="tg-spoiler"\s*'),
    "code": re.compile(r'\s+class="language-[^"\s]+"\s*'),
    "blockquote": re.compile(r"\s+expandable\s*"),
    "tg-emoji": re.compile(r'\s+emoji-id="[0-9]+"\s*'),
}
_NAMES = _BARE | frozenset(_WITH_ATTRIBUTE)
_USERNAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{3,31}")
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class _Token:
    """A tag, or one character of the text. `source` is well-formed whatever it was read from."""

    kind: Literal["open", "close", "text"]
    source: str
    value: str  # the tag's name, or the character that the reader sees


def escape(text: str) -> str:
    """Text from people, safe within Telegram's HTML, in attributes too. What no message can carry
    (controls, half characters) goes.
    """
    return markup.escape("".join(map(_clean, text)))


def plain_of(html: str) -> str:
    """What the reader sees, without the markup."""
    return "".join(token.value for token in _tokens(html) if token.kind == "text")


def is_sound(html: str) -> bool:
    """Whether Telegram would take it as it is: every `<` begins one of its tags, and the tags are
    closed in turn.
    """
    open_tags = []
    for token in _tokens(html):
        if token.kind == "open":
            open_tags.append(token.value)
        elif token.kind == "close" and (not open_tags or open_tags.pop() != token.value):
            return False
    return not open_tags and "<" not in _TAG.sub(_drop_known, html)


def length_of(html: str) -> int:
    """How long Telegram finds it: UTF-16 code units without the markup."""
    return utf16_length(plain_of(html))


def utf16_length(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split_html(html: str, limit: int = TEXT_LIMIT) -> tuple[str, ...]:
    """Pieces of at most `limit` UTF-16 code units each, in order, tags closed at the end of a piece
    and opened again in the next.

    Cut between paragraphs or lines, else between words, else anywhere. Together the pieces say what
    `html` says, except for pieces of white space alone, which Telegram refuses. ValueError if
    `limit` is below 2: some characters are two units long.
    """
    if limit < 2:
        raise ValueError(f"no text fits into pieces of {limit}")
    tokens = tuple(_tokens(html))
    pieces = _pieces(
        tokens, _cuts("".join(token.value for token in tokens if token.kind == "text"), limit)
    )
    return tuple(piece for piece in pieces if plain_of(piece).strip())


def deep_link(username: str, payload: str, *, to_group: bool = False) -> str:
    """A link that opens a chat with the bot and sends it `/start PAYLOAD`, or first asks to which
    group to add the bot.

    ValueError unless the payload is 1 to 64 of A-Z, a-z, 0-9, `_` and `-`, and the username one
    that Telegram gives.
    """
    if not _USERNAME.fullmatch(username):
        raise ValueError(f"no username: {username!r}")
    if not _PAYLOAD.fullmatch(payload):
        raise ValueError("a payload is 1 to 64 of A-Z, a-z, 0-9, _ and -")
    return f"https://t.me/{username}?{'startgroup' if to_group else 'start'}={payload}"


def _tokens(html: str) -> Iterator[_Token]:
    at = 0
    while at < len(html):
        if html[at] == "<" and (tag := _TAG.match(html, at)) and _is_known(tag):
            name = tag[2].lower()
            yield (
                _Token("close", f"</{name}>", name)
                if tag[1]
                else _Token("open", f"<{name}{tag[3].rstrip()}>", name)
            )
            at = tag.end()
            continue
        character, width = html[at], 1
        if (
            character == "&"
            and (entity := _ENTITY.match(html, at))
            and (meant := _clean(markup.unescape(entity[0]))) not in {"", _REPLACEMENT}
        ):
            character, width = meant, len(entity[0])
        at += width
        if (token := _text_token(character)) is not None:
            yield token


@lru_cache(maxsize=4096)
def _text_token(character: str) -> _Token | None:
    """The token of a character, which most texts have again and again; None: it goes."""
    if clean := _clean(character):
        return _Token("text", markup.escape(clean, quote=False), clean)
    return None


def _is_known(tag: re.Match[str]) -> bool:
    name, attributes = tag[2].lower(), tag[3]
    if name not in _NAMES:
        return False
    if tag[1] or (not attributes.strip() and name in _BARE):
        return not attributes.strip()
    wanted = _WITH_ATTRIBUTE.get(name)
    return wanted is not None and wanted.fullmatch(attributes) is not None


def _drop_known(tag: re.Match[str]) -> str:
    return "" if _is_known(tag) else tag[0]


def _clean(character: str) -> str:
    """The character, nothing for a control that Telegram drops, a replacement for half a surrogate
    pair.
    """
    if len(character) != 1:
        return ""
    if "\ud800" <= character <= "\udfff":
        return _REPLACEMENT
    return "" if character < " " and character not in "\n\t" else character


def _width(character: str) -> int:
    return 2 if character > "\uffff" else 1


def _cuts(text: str, limit: int) -> list[int]:
    """Where to cut, as indices into the text."""
    ends = list(accumulate(map(_width, text)))  # ends[i]: units up to and with character i
    cuts: list[int] = []
    start = 0
    while ends and ends[-1] - (ends[start - 1] if start else 0) > limit:
        furthest = bisect_right(ends, (ends[start - 1] if start else 0) + limit)
        start = _best_cut(text, start, furthest)
        cuts.append(start)
    return cuts


def _best_cut(text: str, start: int, furthest: int) -> int:
    paragraph = text.rfind("\n\n", start, furthest) + 2
    if paragraph - start > (furthest - start) // 2:
        return paragraph
    for mark in ("\n", " "):
        if (after := text.rfind(mark, start, furthest) + 1) > start:
            return after
    return furthest


def _pieces(tokens: Sequence[_Token], cuts: Sequence[int]) -> Iterator[str]:
    piece: list[str] = []
    stack: list[_Token] = []
    written = 0  # this many tags of the stack, counted from the bottom, are open in this piece
    position = 0
    coming = iter((*cuts, -1))
    cut = next(coming)
    for token in tokens:
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close":
            if not stack or stack[-1].value != token.value:
                continue  # closes nothing that is open
            stack.pop()
            if written > len(stack):
                piece.append(token.source)
                written = len(stack)
        else:
            if position == cut:
                yield "".join((*piece, *_closing(stack[:written])))
                piece, written, cut = [], 0, next(coming)
            piece.extend(tag.source for tag in stack[written:])
            written = len(stack)
            piece.append(token.source)
            position += 1
    yield "".join((*piece, *_closing(stack[:written])))


def _closing(stack: Sequence[_Token]) -> Iterator[str]:
    return (f"</{tag.value}>" for tag in reversed(stack))
