"""Where a game master is reached, and how a chat is bound to them. What cannot be taken back is
asked on another channel than the one it came by, if there is one.
"""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel, Handled, Message
from pbem.desk.envelope.recipients import MasterAddress
from pbem.desk.letters.post import master_at
from pbem.desk.letters.queue import queue_letter
from pbem.desk.letters.routes import chat_addresses_of
from pbem.desk.messages.conversation import Conversation, OfPerson
from pbem.desk.messages.inquiries import answer_known, offer_link
from pbem.desk.people.masters import find_master
from pbem.desk.ports import Policy
from pbem.grammar.house.commands import LinkTelegram, Settings, UnlinkTelegram
from pbem.grammar.splitting import split_words
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


TOLD = "gm-telegram"
TOLD_A_DAY = 3


def is_about_telegram(text: str) -> bool:
    """Whether a message asks to link an account, or to unlink it, and nothing else: that is no game
    master's command.
    """
    words, rest = split_words(text, (LinkTelegram, UnlinkTelegram))
    return bool(words) and not rest.strip()


def is_about_oneself(text: str) -> bool:
    """Whether a message says how its writer wants their letters, or is about Telegram, and says
    nothing else: that is no game master's command either.
    """
    words, rest = split_words(text, (LinkTelegram, UnlinkTelegram, Settings))
    chosen = all(word.choices for word in words if isinstance(word, Settings))
    return bool(words) and chosen and not rest.strip()


async def answer_about_telegram(talk: Conversation[OfPerson]) -> Handled:
    """What the mail's own signature proves is answered as it is for everybody. Anything else is
    told to the address that is known, a few times a day: the link, or how the
    account that is linked is taken away again.
    """
    if talk.mail.trust == "pass" and talk.mail.addressed:
        return await answer_known(talk)
    person = talk.writer.person
    master = await find_master(talk.work, talk.services.policy, person.id)
    if master is None or not talk.mail.addressed:
        return Handled("gm-unproven", ignored=True)
    if await talk.has_had(MAIL, master.address, TOLD, most=TOLD_A_DAY):
        return Handled("gm-unproven:too-often", ignored=True)
    told = await offer_link(talk, person.id, by_mail=True)
    letter = master_at(talk.services, master).letter(told, TOLD, f"{TOLD}:{talk.row.id}")
    await queue_letter(talk, msgspec.structs.replace(letter, only=MAIL))
    return Handled("gm-unproven:told")
