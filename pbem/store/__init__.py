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
from pbem.store.life import GameStatus, PhaseStatus
from pbem.store.lock import lock_database
from pbem.store.migrations import migrate
from pbem.store.repositories.events import ActRow, EventRow, NewEvent
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.invitations import InvitationRow
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.people import AddressRow, AddressState, PersonRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.inbox import InboxRow, InboxState
from pbem.store.repositories.post.notes import NoteRow, NoteState
from pbem.store.repositories.post.outbox import OutboxRow, OutboxState
from pbem.store.repositories.post.pending import PendingOutcome, PendingRow
from pbem.store.repositories.post.pictures import PictureRow
from pbem.store.repositories.results import Account, AnswerRow, NewResult, PersonResult, ResultRow
from pbem.store.repositories.seats import SeatRow, SeatStatus, TenureRow, fold_name
from pbem.store.repositories.states import StateRow
from pbem.store.repositories.strikes import PersonStrike, StrikeRow
from pbem.store.work import Work

__all__ = [
    "Account",
    "ActRow",
    "AddressRow",
    "AddressState",
    "AlreadyServed",
    "AnswerRow",
    "Database",
    "EventRow",
    "GameRow",
    "GameStatus",
    "GmLogRow",
    "InboxRow",
    "InboxState",
    "InvitationRow",
    "NewEvent",
    "NewResult",
    "NoteRow",
    "NoteState",
    "OrdersRow",
    "OutboxRow",
    "OutboxState",
    "PendingOutcome",
    "PendingRow",
    "PersonResult",
    "PersonRow",
    "PersonStrike",
    "PhaseRow",
    "PhaseStatus",
    "PictureRow",
    "ResultRow",
    "SeatRow",
    "SeatStatus",
    "StateRow",
    "StoreBusy",
    "StoreConflict",
    "StoreError",
    "StoreTooNew",
    "StoreUnwritable",
    "StrikeRow",
    "TenureRow",
    "Work",
    "fold_name",
    "lock_database",
    "migrate",
    "open_database",
]
