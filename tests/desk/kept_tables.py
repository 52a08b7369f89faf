"""Tables as they lie when they have just begun: the first test of a process opens one, the others
begin where it lay.

Opening a table takes dozens of transactions, and most tests begin with the same one or two.
Everything of it is in the database and in the letters that went out, so that both are all there is
to put back.
"""

import hashlib
import sqlite3
from collections.abc import Hashable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pbem.mail.ports import OutboundMail

_MOST_ROWS = 200
"""More than so many in a table of the database, and it is not that of a house that has just been
opened.
"""


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A database with a table that has begun, and the letters that were sent by then."""

    content: sqlite3.Connection
    letters: tuple[OutboundMail, ...]


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
    return _kept.get(key)


def keep(key: Hashable, file: Path, letters: tuple[OutboundMail, ...]) -> None:
    """Keep what lies in `file` for others."""
    content = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(file)) as connection:
        connection.backup(content)
    _kept[key] = KeptTable(content, letters)


def put_back(table: KeptTable, file: Path) -> None:
    """What was kept, in `file`, which may be open elsewhere as long as nobody is within a
    transaction.
    """
    with closing(sqlite3.connect(file)) as connection:
        table.content.backup(connection)
