"""The unit of work: one transaction, and the repositories as its attributes."""

from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.events import Acts, Events
from pbem.store.games import Games
from pbem.store.inbox import Inbox
from pbem.store.invitations import Invitations
from pbem.store.log import GmLog
from pbem.store.marks import Marks
from pbem.store.notes import Notes
from pbem.store.orders import Orders
from pbem.store.outbox import Outbox
from pbem.store.pending import Pending
from pbem.store.people import Gms, Masters, People
from pbem.store.phases import Phases
from pbem.store.pictures import Pictures
from pbem.store.results import Results
from pbem.store.seats import Seats
from pbem.store.secrets import Secrets
from pbem.store.states import States
from pbem.store.strikes import Strikes
from pbem.store.votes import Votes


class Work:
    """What may be done within one transaction. It ends with its block; do not keep it."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.acts = Acts(connection)
        self.events = Events(connection)
        self.games = Games(connection)
        self.gms = Gms(connection)
        self.inbox = Inbox(connection)
        self.invitations = Invitations(connection)
        self.log = GmLog(connection)
        self.marks = Marks(connection)
        self.masters = Masters(connection)
        self.notes = Notes(connection)
        self.orders = Orders(connection)
        self.outbox = Outbox(connection)
        self.pending = Pending(connection)
        self.people = People(connection)
        self.phases = Phases(connection)
        self.pictures = Pictures(connection)
        self.results = Results(connection)
        self.seats = Seats(connection)
        self.secrets = Secrets(connection)
        self.states = States(connection)
        self.strikes = Strikes(connection)
        self.votes = Votes(connection)

    async def rollback(self) -> None:
        """Take everything back. The block may go on but not touch the database any more; it ends without an exception."""
        await self.connection.close()
