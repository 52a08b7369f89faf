"""The unit of work: one transaction, and the repositories as its attributes."""

from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.repositories.absences import Absences, Graces, Waits
from pbem.store.repositories.agenda import Agenda
from pbem.store.repositories.around import Arounds
from pbem.store.repositories.events import Acts, Events
from pbem.store.repositories.games import Games
from pbem.store.repositories.invitations import Invitations
from pbem.store.repositories.log import GmLog
from pbem.store.repositories.marks import Marks
from pbem.store.repositories.motions import Motions, Votes
from pbem.store.repositories.orders import Orders, Suppositions
from pbem.store.repositories.people import Gms, Masters, Observers, People
from pbem.store.repositories.phases import Phases
from pbem.store.repositories.post.chats import Chats
from pbem.store.repositories.post.inbox import Inbox
from pbem.store.repositories.post.links import Links
from pbem.store.repositories.post.notes import Notes
from pbem.store.repositories.post.outbox import Outbox
from pbem.store.repositories.post.parts import Parts
from pbem.store.repositories.post.pending import Pending
from pbem.store.repositories.post.pictures import Pictures
from pbem.store.repositories.post.press import Press
from pbem.store.repositories.post.taps import Taps
from pbem.store.repositories.preferences import Preferences
from pbem.store.repositories.results import Results
from pbem.store.repositories.seats import Seats
from pbem.store.repositories.secrets import Secrets
from pbem.store.repositories.states import States
from pbem.store.repositories.strikes import Strikes
from pbem.store.repositories.writers import Writers


class Work:
    """What may be done within one transaction. It ends with its block; do not keep it. `secrets`
    are those that the database's units of work have read so far.
    """

    def __init__(self, connection: AsyncConnection, secrets: dict[str, str | None]) -> None:
        self.connection = connection
        self.absences = Absences(connection)
        self.acts = Acts(connection)
        self.agenda = Agenda(connection)
        self.around = Arounds(connection)
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
        self.parts = Parts(connection)
        self.pending = Pending(connection)
        self.people = People(connection)
        self.phases = Phases(connection)
        self.pictures = Pictures(connection)
        self.preferences = Preferences(connection)
        self.press = Press(connection)
        self.results = Results(connection)
        self.seats = Seats(connection)
        self.secrets = Secrets(connection, secrets)
        self.states = States(connection)
        self.strikes = Strikes(connection)
        self.suppositions = Suppositions(connection)
        self.taps = Taps(connection)
        self.votes = Votes(connection)
        self.waits = Waits(connection)
        self.writers = Writers(connection)

    async def rollback(self) -> None:
        """Take everything back. The block may continue but not touch the database any more; it ends
        without an exception.
        """
        await self.connection.close()
