"""Words about Telegram in a mail that is perhaps a game master's: a fresh letter to their own
address says how it stands, and an answer to that letter is proof.
"""

from datetime import timedelta

import msgspec

from pbem.desk.authentication.chats import offer_link
from pbem.desk.envelope.handled import Handled
from pbem.desk.envelope.message import MAIL
from pbem.desk.envelope.recipients import letter_to
from pbem.desk.letters.queue import queue_letter
from pbem.desk.messages.conversation import Conversation, OfPerson
from pbem.desk.messages.inquiries import answer_known
from pbem.desk.people.masters import find_master
from pbem.desk.table import house_table
from pbem.grammar.house.commands import LinkTelegram, UnlinkTelegram
from pbem.grammar.splitting import split_words

TOLD = "gm-telegram"
TOLD_A_DAY = 3


def is_about_telegram(text: str) -> bool:
    """Whether a message asks to link an account, or to unlink it, and nothing else: that is no game
    master's command.
    """
    words, rest = split_words(text, (LinkTelegram, UnlinkTelegram))
    return bool(words) and not rest.strip()


async def answer_about_telegram(talk: Conversation[OfPerson]) -> Handled:
    """What the mail's own signature proves is answered as it is for everybody. Anything else is
    told to the address that is known, a few times a day: the link, or how the
    account that is linked is taken away again.
    """
    if talk.mail.trust == "pass" and talk.mail.addressed:
        return await answer_known(talk)
    person = talk.writer.person
    master, now = await find_master(talk.work, talk.services.policy, person.id), talk.now()
    if master is None or not talk.mail.addressed:
        return Handled("gm-unproven", ignored=True)
    if (
        await talk.work.outbox.count_to_address_since(
            MAIL, master.address, (TOLD,), now - timedelta(days=1)
        )
        >= TOLD_A_DAY
    ):
        return Handled("gm-unproven:too-often", ignored=True)
    house, reader = (
        house_table(talk.services),
        master.reader(master.name or talk.services.policy.name),
    )
    page = await offer_link(talk, person.id, house, reader, by_mail=True)
    letter = letter_to(
        talk.services,
        master.recipient(talk.services.key, reader.name),
        page,
        TOLD,
        f"{TOLD}:{talk.row.id}",
    )
    await queue_letter(talk, msgspec.structs.replace(letter, only=MAIL))
    return Handled("gm-unproven:told")
