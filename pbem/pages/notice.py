"""How a short mail of the house is made: a title and a body from a template's macros, within the
common frame.
"""

from datetime import datetime, timedelta

from pbem.pages.dates import Moment, moment
from pbem.pages.page import Page, Reader, Table, locale_of
from pbem.pages.rendering import Twin, page, phrase, twin

FEET = "mail/notices.j2"
MOST_LINES = 60


def notice_page(
    template: str,
    name: str,
    table: Table,
    reader: Reader,
    facts: dict[str, object],
    *,
    code: str = "",
    foot: str = "foot_player",
) -> Page:
    """The macros `<name>_title` and `<name>` of a template as a mail; `foot` is one of the feet in
    `mail/notices.j2`. Where the board goes along, the fact `alt` says so in words.
    """
    facts = {"title": table.title} | facts
    title = phrase(template, f"{name}_title", facts)
    body = twin(template, name, facts)
    preheader = " ".join(body.text.replace("\N{NO-BREAK SPACE}", " ").split())[:160]
    values: dict[str, object] = {
        "table": table,
        "reader": reader,
        "title": title,
        "body": body,
        "corner": "",
        "alt": facts.get("alt", ""),
    }
    values |= {
        "preheader": preheader,
        "foot": twin(FEET, foot, table, reader, code or reader.code or table.code),
    }
    return page("mail/notice.j2", f"[{table.title}] {title}", values)


def seen(instant: datetime | None, table: Table, reader: Reader) -> Moment | None:
    """An instant as this reader sees it."""
    return (
        None
        if instant is None
        else moment(instant, table.now, reader.zone, locale_of(table, reader))
    )


def quoted_lines(text: str) -> tuple[str, ...]:
    """A quoted text line by line, at most so many."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return tuple(lines[:MOST_LINES]) + (("[...]",) if len(lines) > MOST_LINES else ())


def last_answer(within: timedelta) -> Twin:
    """What the last answer says before there are none for so long."""
    return twin(FEET, "last_answer", {"hours": round(within.total_seconds() / 3600)})
