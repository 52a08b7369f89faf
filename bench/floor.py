"""What both floors share: an SQLite file opened in two plain ways, and page templates of the size
of ours with as many values.
"""

import base64
import hashlib
import hmac
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any, Protocol

from icalendar import Calendar
from icalendar import Event as CalendarEvent
from jinja2 import Environment, StrictUndefined, Template
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bench.capture import Written

_VALUE = re.compile(r'(?<=")[^"<>]*(?=")|(?<=>)[^<>]+(?=<)')
_HTML = Environment(autoescape=True, undefined=StrictUndefined)
_TEXT = Environment(autoescape=False, undefined=StrictUndefined)  # noqa: S701 - plain text
MARKUP = _HTML.from_string(
    "{% for markup, value in pieces %}{{ markup|safe }}{{ value }}{% endfor %}"
)
TEXT = _TEXT.from_string(
    "{% for block in blocks %}{% if block.prose %}{{ block.words|wordwrap(78) }}\n{% else %}{% for"
    " row in block.rows %}{{ '%-9s %s'|format(row[0], row[1]) }}\n{% endfor %}{% endif %}\n{%"
    " endfor %}"
)

Piece = tuple[str, str]
Block = dict[str, Any]


def pieces_of(markup: str) -> list[Piece]:
    """A page or picture as a flat template sees it: literal markup, and the values (texts,
    attributes) between.
    """
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
            blocks.append(
                {"prose": False, "rows": [line.strip().partition("  ")[::2] for line in lines]}
            )
        else:
            blocks.append({"prose": True, "words": " ".join(lines)})
    return blocks


def render(template: Template, **values: Any) -> str:
    return template.render(**values)


class Store(Protocol):
    """A connection to an SQLite file, as a floor uses it: statements in their own words, no
    repositories, no rows of ours.
    """

    async def fetch(self, statement: str, *values: object) -> Sequence[Sequence[Any]]: ...

    async def change(self, statement: str, rows: Sequence[Sequence[Any]] = ((),)) -> None: ...

    async def begin(self) -> None: ...

    async def commit(self) -> None: ...


class Plain:
    """sqlite3 alone, on the spot: the event loop waits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def fetch(self, statement: str, *values: object) -> Sequence[Sequence[Any]]:
        return self._connection.execute(statement, values).fetchall()

    async def change(self, statement: str, rows: Sequence[Sequence[Any]] = ((),)) -> None:
        self._connection.executemany(statement, rows)

    async def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    async def commit(self) -> None:
        self._connection.execute("COMMIT")


class Stack:
    """What the service stands on, bare: SQLAlchemy's engine over aiosqlite, the event loop free."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def fetch(self, statement: str, *values: object) -> Sequence[Sequence[Any]]:
        return (await self._connection.exec_driver_sql(statement, values)).fetchall()

    async def change(self, statement: str, rows: Sequence[Sequence[Any]] = ((),)) -> None:
        for row in rows:
            await self._connection.exec_driver_sql(statement, tuple(row))

    async def begin(self) -> None:
        await self._connection.exec_driver_sql("BEGIN IMMEDIATE")

    async def commit(self) -> None:
        await self._connection.exec_driver_sql("COMMIT")


PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
WARM = "UPDATE games SET attempts = attempts"
"""The first write makes the log file, which a running service has long done."""

Opener = Callable[[Path], AbstractAsyncContextManager[Store]]


@asynccontextmanager
async def open_plain(file: Path) -> AsyncIterator[Store]:
    """As durable as the service: WAL, synchronous FULL, foreign keys."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.execute(WARM)
        yield Plain(connection)


@asynccontextmanager
async def open_stack(file: Path) -> AsyncIterator[Store]:
    """The same through SQLAlchemy and aiosqlite."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{file}", isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            for pragma in PRAGMAS:
                await connection.exec_driver_sql(f"PRAGMA {pragma}")
            await connection.exec_driver_sql(WARM)
            yield Stack(connection)
    finally:
        await engine.dispose()


async def insert(store: Store, written: Written, table: str) -> None:
    columns, rows = written.rows[table]
    marks = ", ".join("?" * len(columns))
    # our own names
    await store.change(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608


def token(key: bytes, *words: object) -> str:
    """A code as our letters carry it."""
    digest = hmac.new(key, repr(words).encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:16]).decode().rstrip("=").lower()


def calendar_file(uid: str, summary: str, deadline: Any) -> bytes:
    calendar, event = Calendar(), CalendarEvent()
    calendar.add("prodid", "-//bench//")
    calendar.add("version", "2.0")
    for name, value in (
        ("uid", uid),
        ("summary", summary),
        ("dtstamp", deadline),
        ("dtstart", deadline),
        ("dtend", deadline),
    ):
        event.add(name, value)
    calendar.add_component(event)
    return bytes(calendar.to_ical())
