"""What both floors share: a file of SQLite opened plainly, and a page template of the size of ours with as many values in it."""

import base64
import hashlib
import hmac
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from icalendar import Calendar
from icalendar import Event as CalendarEvent
from jinja2 import Environment, StrictUndefined, Template

from bench.capture import Written

_VALUE = re.compile(r'(?<=")[^"<>]*(?=")|(?<=>)[^<>]+(?=<)')
_HTML = Environment(autoescape=True, undefined=StrictUndefined)
_TEXT = Environment(autoescape=False, undefined=StrictUndefined)  # noqa: S701 - plain text
MARKUP = _HTML.from_string("{% for markup, value in pieces %}{{ markup|safe }}{{ value }}{% endfor %}")
TEXT = _TEXT.from_string(
    "{% for block in blocks %}{% if block.prose %}{{ block.words|wordwrap(78) }}\n"
    "{% else %}{% for row in block.rows %}{{ '%-9s %s'|format(row[0], row[1]) }}\n{% endfor %}{% endif %}\n{% endfor %}"
)

Piece = tuple[str, str]
Block = dict[str, Any]


def pieces_of(markup: str) -> list[Piece]:
    """A page or picture as a flat template sees it: literal markup, and the values (texts, attributes) between."""
    pieces, at = [], 0
    for value in _VALUE.finditer(markup):
        pieces.append((markup[at : value.start()], value.group()))
        at = value.end()
    return [*pieces, (markup[at:], "")]


def blocks_of(text: str) -> list[Block]:
    """A plain page as a flat template sees it: paragraphs to be filled, and rows of two columns."""
    blocks: list[Block] = []
    for chunk in text.split("\n\n"):
        lines = chunk.split("\n")
        if lines[0].startswith("  "):
            blocks.append({"prose": False, "rows": [line.strip().partition("  ")[::2] for line in lines]})
        else:
            blocks.append({"prose": True, "words": " ".join(lines)})
    return blocks


def render(template: Template, **values: Any) -> str:
    return template.render(**values)


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection as durable as the service's: WAL, synchronous FULL, foreign keys."""
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        yield connection
    finally:
        connection.close()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def insert(connection: sqlite3.Connection, written: Written, table: str) -> None:
    columns, rows = written.rows[table]
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608 - our own names


def fetch(connection: sqlite3.Connection, statement: str, *values: object) -> Sequence[tuple[Any, ...]]:
    return connection.execute(statement, values).fetchall()


def token(key: bytes, *words: object) -> str:
    """A code as our letters carry it."""
    digest = hmac.new(key, repr(words).encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:16]).decode().rstrip("=").lower()


def calendar_file(uid: str, summary: str, deadline: Any) -> bytes:
    calendar, event = Calendar(), CalendarEvent()
    calendar.add("prodid", "-//bench//")
    calendar.add("version", "2.0")
    for name, value in (("uid", uid), ("summary", summary), ("dtstamp", deadline), ("dtstart", deadline), ("dtend", deadline)):
        event.add(name, value)
    calendar.add_component(event)
    return bytes(calendar.to_ical())
