"""A notice is a frozen value: its fields are what it tells, and its class names the macros of a
template that tell it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from typing import Annotated, Any, ClassVar, dataclass_transform

from pbem.pages.dates import seen, weekday
from pbem.pages.page import Page, Reader, Table, locale_of
from pbem.pages.rendering import Twin, has_macro, page, phrase, twin

FEET = "mail/notices.j2"
MOST_LINES = 60

_QUOTED = "quoted"
QuotedText = Annotated[str, _QUOTED]
"""The type of a field whose text somebody wrote: a template gets its lines."""
QuotedTexts = Annotated[Sequence[str], _QUOTED]
"""The type of a field of several such texts: a template gets the lines of each."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Facts:
    """Values that a template shows to a reader. Every subclass is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def facts(self, table: Table, reader: Reader) -> dict[str, object]:
        """The fields as the template gets them, by their names. An instant becomes a `Moment` and
        a day its words, as this reader sees them; a quoted text becomes lines; facts within facts
        alike. A class that computes more overrides this.
        """
        return {
            one.name: _quoted(getattr(self, one.name))
            if _QUOTED in getattr(one.type, "__metadata__", ())
            else _shown(getattr(self, one.name), table, reader)
            for one in fields(self)
        }


class Notice(Facts):
    """A short mail of the house. Its class names the macros in its `template`: `AddressAdded` is
    told by `address_added_title`, `address_added` and, where there is one, `address_added_rest`.
    """

    template: ClassVar[str]
    frame: ClassVar[str] = "mail/notice.j2"
    feet: ClassVar[str] = FEET
    """The template of its foot."""
    foot: ClassVar[str] = ""
    """The macro of its foot, which a class names at its head; "": it depends on who reads."""
    reader_feet: ClassVar[tuple[str, str, str]] = ("foot_player",) * 3
    """The feet for a player, for a reader without a seat, and for an observer."""

    def __init_subclass__(cls, *, foot: str = "") -> None:
        super().__init_subclass__()
        cls.foot = foot or cls.foot

    @classmethod
    def macro(cls) -> str:
        """The name of its macros: that of the class, in lower case."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def choose_foot(self, table: Table, reader: Reader, code: str) -> str:
        """The macro of the foot for this reader; `code` is as in `notice_page`."""
        player, unseated, observer = self.reader_feet
        by_reader = observer if reader.looks_on else unseated if reader.number is None else player
        return self.foot or by_reader

    def preheader(self, body: Twin) -> str:
        """The words that a mail program shows next to the subject."""
        return body.text


def notice_page(notice: Notice, table: Table, reader: Reader, code: str = "") -> Page:
    """A notice as a mail to one reader. `code` is the token of an answer to it, where that is not
    the reader's or the table's own. Where the board goes along, the fact `alt` says so in words.
    """
    common: dict[str, object] = {
        "table": table,
        "reader": reader,
        "title": table.title,
        "slug": table.slug,
        "gm_name": table.gm_name,
        "due": seen(table.deadline, table, reader),
    }
    template, name, facts = notice.template, notice.macro(), common | notice.facts(table, reader)
    title, body = phrase(template, f"{name}_title", facts), twin(template, name, facts)
    values: dict[str, object] = {
        "table": table,
        "reader": reader,
        "title": title,
        "body": body,
        "corner": "",
        "alt": facts.get("alt", ""),
    }
    if has_macro(template, f"{name}_rest"):
        values["rest"] = twin(template, f"{name}_rest", facts)
    told = notice.preheader(body).replace("\N{NO-BREAK SPACE}", " ")
    foot = notice.choose_foot(table, reader, code)
    values |= {
        "preheader": " ".join(told.split())[:160],
        "foot": twin(notice.feet, foot, table, reader, code or reader.code or table.code),
    }
    return page(notice.frame, f"[{table.title}] {title}", values)


def quoted_lines(text: str) -> tuple[str, ...]:
    """A quoted text line by line, at most `MOST_LINES` of it."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return tuple(lines[:MOST_LINES]) + (("[...]",) if len(lines) > MOST_LINES else ())


def last_answer(within: timedelta) -> Twin:
    """What the last answer says before there are none for so long."""
    return twin(FEET, "last_answer", {"hours": round(within.total_seconds() / 3600)})


def _shown(value: Any, table: Table, reader: Reader) -> object:
    match value:
        case datetime():
            return seen(value, table, reader)
        case date():
            return weekday(value, locale_of(table, reader))
        case Facts():
            return value.facts(table, reader)
        case list() | tuple():
            return tuple(_shown(one, table, reader) for one in value)
    return value


def _quoted(value: str | Sequence[str]) -> tuple[object, ...]:
    return (
        quoted_lines(value) if isinstance(value, str) else tuple(quoted_lines(one) for one in value)
    )
