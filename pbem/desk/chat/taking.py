"""What an update is besides a message: a tap, a link followed, a group joined. What is a plain message goes the way of all messages."""

from pbem.desk.handling import Handled, NotYet
from pbem.desk.ports import Parts
from pbem.store.inbox import InboxRow
from pbem.store.work import Work
from pbem.telegram.updates import Joined, Said, Tapped, Unreadable, Update


async def take_update(work: Work, parts: Parts, row: InboxRow, update: Update) -> Handled | NotYet | None:
    """Deal with an update; None: it is a private message, to be handled as any other."""
    match update:
        case Unreadable(why=why):
            return Handled(f"unreadable:{why}", ignored=True)
        case Said(sent_for_others=str() as reason):
            return Handled(f"not-own:{reason}", ignored=True)
        case Said(chat_kind="private"):
            return None
        case Said():
            return Handled("said-in-group", ignored=True)
        case Tapped():
            return Handled("tapped", ignored=True)
        case Joined(change=change):
            return Handled(f"chat:{change}", ignored=True)
