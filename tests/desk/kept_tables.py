"""Tables as they lie when they have just begun: the first test of a process opens one, the others
begin where it lay.

To open a table, to fill it and to play it to its end takes dozens of transactions, and most tests
begin with the same. Everything of it is in the database and in the letters that went out, so that
both are all there is to put back.
"""

import hashlib
import sqlite3
from collections.abc import Hashable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.mail.ports import OutboundMail

_MOST_ROWS = 200
"""More than so many in a table of the database, and it is not that of a house that has just been
opened.
"""
_MOST_KEPT = 60


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A database with what was done in it, the letters that this sent, the mails that it took, the
    time when it was done, and what stands in the chats.
    """

    content: sqlite3.Connection
    letters: tuple[OutboundMail, ...]
    brought: int
    instant: datetime
    chats: dict[str, Any]


_kept: dict[Hashable, KeptTable] = {}


def content_of(file: Path) -> str | None:
    """A digest of all rows of a database in which little is; None when there is more."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        )
        for (table,) in tables.fetchall():
            rows = connection.execute(f'SELECT * FROM "{table}" LIMIT {_MOST_ROWS}').fetchall()  # noqa: S608
            if len(rows) == _MOST_ROWS:
                return None
            digest.update(repr((table, rows)).encode())
    return digest.hexdigest()


def find_kept(key: Hashable) -> KeptTable | None:
    """What was kept under this key, which then is the newest."""
    table = _kept.pop(key, None)
    if table is not None:
        _kept[key] = table
    return table


def keep(
    key: Hashable,
    file: Path,
    letters: tuple[OutboundMail, ...],
    brought: int,
    instant: datetime,
    chats: dict[str, Any],
) -> None:
    """Keep what lies in `file` for others; of what was kept long ago and often, the oldest goes."""
    content = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(file)) as connection:
        connection.backup(content)
    _kept[key] = KeptTable(content, letters, brought, instant, chats)
    while len(_kept) > _MOST_KEPT:
        _kept.pop(next(iter(_kept))).content.close()


def put_back(table: KeptTable, file: Path) -> None:
    """What was kept, in `file`, which may be open elsewhere as long as nobody is within a
    transaction.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        table.content.backup(connection)
