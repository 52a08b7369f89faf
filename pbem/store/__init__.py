"""The store: tables, migrations and one unit of work. SQLite by default, PostgreSQL when that is
outgrown.

`open_database`, `migrate`, and then `async with database.write() as work` with the repositories as
attributes of `work`.
"""

from pbem.store.database import Database, open_database
from pbem.store.errors import (
    AlreadyServed,
    StoreBusy,
    StoreConflict,
    StoreError,
    StoreTooNew,
    StoreUnwritable,
)
from pbem.store.lock import lock_database
from pbem.store.migrations import migrate
from pbem.store.repositories.events import NewEvent
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.results import Account, NewResult
from pbem.store.repositories.seats import fold_name
from pbem.store.work import Work

__all__ = [
    "Account",
    "AlreadyServed",
    "Database",
    "GameRow",
    "NewEvent",
    "NewResult",
    "OrdersRow",
    "OutboxRow",
    "PendingRow",
    "PhaseRow",
    "StoreBusy",
    "StoreConflict",
    "StoreError",
    "StoreTooNew",
    "StoreUnwritable",
    "Work",
    "fold_name",
    "lock_database",
    "migrate",
    "open_database",
]
