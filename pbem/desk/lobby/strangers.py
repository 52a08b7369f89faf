"""Who is told on Telegram, a few times a day, that nothing is taken: somebody we know nothing of,
or who sits nowhere.
"""

from datetime import timedelta

from pbem.desk.chat.writing import note_letter
from pbem.desk.envelope.addressing import Recipient
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import TELEGRAM, Message
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table
from pbem.pages.page import Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow

KIND = "stranger"
EVERY = timedelta(days=1)
ANSWERED_A_DAY = 5


async def answer_stranger(
    tx: Transaction[Context], row: InboxRow, mail: Message, person: PersonRow | None = None
) -> Handled:
    """How one joins, or how a chat becomes a player's."""
    now, chat_id = tx.now(), mail.sender or ""
    outcome = "stranger:no-seat" if person is not None else "stranger:unknown-sender"
    if await is_answered_enough(tx, chat_id):
        return Handled(outcome, ignored=True)
    house, pages = house_table(tx.services.policy, now), tx.services.pages.chat
    reader = Reader(None, mail.sender_name, tx.services.policy.zone)
    if person is not None:
        reader = Reader(None, person.name, person.time_zone, person.locale)
    page = (
        pages.no_table(house, reader)
        if person is not None
        else pages.stranger(house, reader, games_of(tx.services))
    )
    letter = note_letter(
        tx.services,
        Recipient(chat_id, reader.name, person.id if person is not None else None),
        page,
        str(row.id),
        kind=KIND,
        reply_to=mail.chat_message_id,
    )
    await queue_letter(tx.work, letter, now)
    return Handled(outcome, ignored=True)


def games_of(context: Context) -> list[tuple[str, str]]:
    """The games that are run here, each with a line about it."""
    return [(kind.pages.title, kind.pages.about) for kind in context.games.values()]


async def is_answered_enough(tx: Transaction[Context], chat_id: str) -> bool:
    """Whether that chat got as many answers today as somebody unknown ever will."""
    return (
        await tx.work.outbox.count_to_address_since(TELEGRAM, chat_id, (KIND,), tx.now() - EVERY)
        >= ANSWERED_A_DAY
    )


async def tell_no_such_code(
    tx: Transaction[Context], row: InboxRow, mail: Message, what: str
) -> Handled:
    """A code that opens nothing, of somebody unknown: they are told that, a few times a day, and
    not what would.
    """
    chat_id, now = mail.sender or "", tx.now()
    if mail.is_vouched and not await is_answered_enough(tx, chat_id):
        page = tx.services.pages.chat.no_such_code(
            house_table(tx.services.policy, now),
            Reader(None, mail.sender_name, tx.services.policy.zone),
        )
        letter = note_letter(
            tx.services,
            Recipient(chat_id, mail.sender_name),
            page,
            str(row.id),
            kind=KIND,
            reply_to=mail.chat_message_id,
        )
        await queue_letter(tx.work, letter, now)
    return Handled(f"{what}-wrong-code", ignored=True)
