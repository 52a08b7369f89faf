"""A chat of a demonstration as a phone showed it: bubbles with their pictures and buttons, edits
and taps.
"""

import html
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pbem.demo.switchboard import ChatLog, Noted, Tapped
from pbem.demo.telegram import Shown
from pbem.demo.telegram.markup import Entity

_TAGS = {
    "b": "b",
    "i": "i",
    "u": "u",
    "s": "s",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
_QUOTED_CHARACTERS = 80
_BEFORE_ALL = 0
"""Where a line between messages stands among those of its moment; messages are counted from 1."""
_COMMAND = re.compile(r"(?<![\w/&;:.])(/[a-z_]+(?:@\w+)?)\b")
_ADDRESS = re.compile(r"https?://[^\s<]+")


@dataclass(frozen=True, slots=True)
class Key:
    """A button: its words, whether it opens a link, and whether it was tapped."""

    words: str
    is_link: bool
    is_tapped: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A message as it stood at one moment."""

    at: str
    html: str
    picture: str
    size: tuple[int, int]
    """Width and height of the picture, px."""
    rows: tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Bubble:
    """A message as it stands in the end, with its earlier looks; or, without a writer, a line
    between messages.
    """

    by: str
    side: str
    day: str
    at: str
    now: Look | None
    earlier: tuple[Look, ...] = ()
    quoted: tuple[str, str] | None = None
    note: str = ""


def bubbles_of(
    log: ChatLog, chat_id: int, owner: str, zone: ZoneInfo, keep_picture: Callable[[bytes], str]
) -> list[Bubble]:
    """The whole chat, in order. `owner` is whose phone it is; `keep_picture` gives the link of a
    picture.
    """
    found: list[tuple[datetime, int, Bubble]] = []
    first = {versions[0].message_id: versions[-1] for versions in log.of_chat(chat_id)}
    for versions in log.of_chat(chat_id):
        head = versions[0]
        key = (chat_id, head.message_id)
        looks = tuple(
            _look(shown, index, log.taps.get(key, ()), zone, keep_picture)
            for index, shown in enumerate(versions)
        )
        answered = first.get(head.reply_to or 0)
        bubble = Bubble(
            by="The Realm" if head.is_by_bot else head.by,
            side="mine" if head.by == owner else "bot" if head.is_by_bot else "other",
            day=_day(head.at, zone),
            at=_clock(head.at, zone),
            now=looks[-1],
            earlier=looks[:-1],
            quoted=_quoted(answered) if answered is not None else None,
        )
        found.append((head.at, head.message_id, bubble))
    found += [(noted.at, _BEFORE_ALL, _line(noted, zone)) for noted in log.notes.get(chat_id, ())]
    return [bubble for _, _, bubble in sorted(found, key=lambda entry: entry[:2])]


def html_of(text: str, entities: Sequence[Entity]) -> str:
    """Marked-up text as HTML; offsets count UTF-16 code units."""
    units = text.encode("utf-16-le")
    opening: dict[int, list[Entity]] = {}
    for entity in sorted(entities, key=lambda entity: (entity.offset, -entity.length)):
        opening.setdefault(entity.offset, []).append(entity)
    ends = {entity.offset + entity.length for entity in entities}
    places = sorted({0, len(units) // 2, *opening, *ends})
    written: list[str] = []
    stack: list[Entity] = []
    for here, there in zip(places, [*places[1:], places[-1]], strict=True):
        while stack and stack[-1].offset + stack[-1].length <= here:
            written.append(_tag(stack.pop(), is_end=True))
        for entity in opening.get(here, ()):
            stack.append(entity)
            written.append(_tag(entity, is_end=False))
        piece = html.escape(units[2 * here : 2 * there].decode("utf-16-le", "replace"))
        is_plain = not any(entity.kind in ("a", "code", "pre") for entity in stack)
        written.append(_lit(piece) if is_plain else piece)
    return "".join(written)


def _lit(piece: str) -> str:
    """What a phone shows in colour by itself: commands and addresses."""
    if _ADDRESS.search(piece):
        return _ADDRESS.sub(lambda found: f'<span class="lit">{found[0]}</span>', piece)
    return _COMMAND.sub(r'<span class="lit">\1</span>', piece)


def _tag(entity: Entity, *, is_end: bool) -> str:
    if entity.kind == "a":
        return "</a>" if is_end else f'<a href="{html.escape(entity.value)}">'
    name = _TAGS.get(entity.kind, "span")
    return f"</{name}>" if is_end else f"<{name}>"


def _look(
    shown: Shown,
    index: int,
    taps: Sequence[Tapped],
    zone: ZoneInfo,
    keep_picture: Callable[[bytes], str],
) -> Look:
    tapped = {tap.label for tap in taps if tap.version == index}
    rows = tuple(
        tuple(Key(button.text, button.url is not None, button.text in tapped) for button in row)
        for row in shown.buttons
    )
    picture = shown.picture
    return Look(
        _clock(shown.edited_at or shown.at, zone),
        html_of(_seen(shown), shown.entities),
        keep_picture(picture) if picture is not None else "",
        _size_of(picture) if picture is not None else (0, 0),
        rows,
    )


def _size_of(png: bytes) -> tuple[int, int]:
    """Width and height as the head of a PNG says them."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _seen(shown: Shown) -> str:
    """The text as a phone shows it: what a link carries behind `/start` is not to be seen."""
    return shown.text.partition(" ")[0] if shown.text.startswith("/start") else shown.text


def _quoted(shown: Shown) -> tuple[str, str]:
    """Who is answered, and how it begins."""
    line = _seen(shown).partition("\n")[0]
    cut = line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS].rstrip()}…"
    return "The Realm" if shown.is_by_bot else shown.by, cut or "Photo"


def _line(noted: Noted, zone: ZoneInfo) -> Bubble:
    return Bubble(
        by="",
        side="note",
        day=_day(noted.at, zone),
        at=_clock(noted.at, zone),
        now=None,
        note=noted.words,
    )


def _day(at: datetime, zone: ZoneInfo) -> str:
    return at.astimezone(zone).strftime("%A, %-d %B")


def _clock(at: datetime, zone: ZoneInfo) -> str:
    return at.astimezone(zone).strftime("%H:%M")
