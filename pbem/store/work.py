"""The unit of work: one transaction, and the repositories as its attributes."""

from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.absences import Absences, Graces, Waits
from pbem.store.chats import Chats
from pbem.store.events import Acts, Events
from pbem.store.games import Games
from pbem.store.inbox import Inbox
from pbem.store.invitations import Invitations
from pbem.store.links import Links
from pbem.store.log import GmLog
from pbem.store.marks import Marks
from pbem.store.motions import Motions
from pbem.store.notes import Notes
from pbem.store.observers import Observers
from pbem.store.orders import Orders
from pbem.store.outbox import Outbox
from pbem.store.pending import Pending
from pbem.store.people import Gms, Masters, People
from pbem.store.phases import Phases
from pbem.store.pictures import Pictures
from pbem.store.preferences import Preferences
from pbem.store.press import Press
from pbem.store.results import Results
from pbem.store.seats import Seats
from pbem.store.secrets import Secrets
from pbem.store.states import States
from pbem.store.strikes import Strikes
from pbem.store.taps import Taps
from pbem.store.votes import Votes


class Work:
    """What may be done within one transaction. It ends with its block; do not keep it."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.absences = Absences(connection)
        self.acts = Acts(connection)
        self.chats = Chats(connection)
        self.events = Events(connection)
        self.games = Games(connection)
        self.gms = Gms(connection)
        self.graces = Graces(connection)
        self.inbox = Inbox(connection)
        self.invitations = Invitations(connection)
        self.links = Links(connection)
        self.log = GmLog(connection)
        self.marks = Marks(connection)
        self.masters = Masters(connection)
        self.motions = Motions(connection)
        self.notes = Notes(connection)
        self.observers = Observers(connection)
        self.orders = Orders(connection)
        self.outbox = Outbox(connection)
        self.pending = Pending(connection)
        self.people = People(connection)
        self.phases = Phases(connection)
        self.pictures = Pictures(connection)
        self.preferences = Preferences(connection)
        self.press = Press(connection)
        self.results = Results(connection)
        self.seats = Seats(connection)
        self.secrets = Secrets(connection)
        self.states = States(connection)
        self.strikes = Strikes(connection)
        self.taps = Taps(connection)
        self.votes = Votes(connection)
        self.waits = Waits(connection)

    async def rollback(self) -> None:
        """Take everything back. The block may go on but not touch the database any more; it ends without an exception."""
        await self.connection.close()
