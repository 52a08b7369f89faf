"""Tables that have not begun: joining by code, seats, names and colours, votes, and leaving again."""

from pbem.desk.handling import Handled
from pbem.desk.ports import Parts
from pbem.mail.message import InboundMail
from pbem.store.inbox import InboxRow
from pbem.store.pending import PendingRow
from pbem.store.people import PersonRow
from pbem.store.work import Work

PURPOSE = "join"
"""Of the confirmations that a wish to join waits under."""


def wants_to_join(mail: InboundMail) -> str | None:
    """The join code that a mail begins with; None when it is about something else."""
    return None


async def ask_joiner(work: Work, parts: Parts, row: InboxRow, mail: InboundMail, code: str, person: PersonRow | None) -> Handled:
    """Somebody (a known person if it is proven) wants to join the table of that code: a mail to the address asks, its answer seats."""
    return Handled("join-unread", ignored=True)


async def settle_join(work: Work, parts: Parts, mail: InboundMail, pending: PendingRow) -> Handled:
    """Whoever reads at the address has answered: a seat is given, or asked about further."""
    return Handled("join-unread", ignored=True)
