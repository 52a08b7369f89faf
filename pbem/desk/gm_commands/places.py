"""Where a game master is reached, and on which channel what cannot be taken back is asked: on
another than the one it came by, if there is one. So somebody who has got hold of one channel can do
no harm.
"""

from collections.abc import Mapping
from dataclasses import replace

from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel, Message
from pbem.desk.envelope.recipients import MasterAddress, letter_to
from pbem.desk.letters.routes import chat_addresses_of
from pbem.desk.people.masters import find_master
from pbem.desk.ports import Context, Policy
from pbem.pages.page import Page
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work

Places = Mapping[Channel, MasterAddress]
"""By channel; a channel without an address that works is missing."""


async def read_places(work: Work, policy: Policy, person: PersonRow) -> Places:
    """Every way this game master can be reached; none for somebody who runs no tables (any
    more).
    """
    places: dict[Channel, MasterAddress] = {}
    row = await work.masters.find(person.id)
    by_mail = await find_master(work, policy, person.id)
    if row is None:
        return places
    if by_mail is not None:
        places[MAIL] = by_mail
    chat = (await chat_addresses_of(work, (person.id,))).get(person.id)
    if chat is not None:
        places[TELEGRAM] = MasterAddress(
            person.id, person.name, chat, person.time_zone, person.locale, row.generation
        )
    return places


def place_to_ask(places: Places, came_by: Channel) -> Channel | None:
    """The channel on which we ask to confirm a command that came by that one."""
    other = TELEGRAM if came_by == MAIL else MAIL
    return other if other in places else came_by if came_by in places else None


def place_of(places: Places, mail: Message, person: PersonRow) -> MasterAddress:
    """Where a message is answered: where it came from, as that is known to be theirs."""
    known = places.get(mail.channel) or next(iter(places.values()), None)
    if known is None:
        return MasterAddress(
            person.id, person.name, mail.sender or "", person.time_zone, person.locale, 0
        )
    return replace(known, address=mail.sender or known.address)


def answer_to_master(
    context: Context,
    page: Page,
    mail: Message,
    master: MasterAddress,
    *,
    kind: str,
    dedupe_key: str,
    name: str,
) -> NewLetter:
    """A short letter back to where a message came from."""
    return letter_to(
        context,
        master.recipient(context.key, name),
        page,
        kind,
        dedupe_key,
        answered=Answering.to(mail),
    )
