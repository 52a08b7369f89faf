"""Who is told on Telegram, a few times a day, that nothing is taken: somebody we know nothing of,
or who sits nowhere.
"""

from datetime import timedelta

from pbem.desk.chat.writing import note_letter
from pbem.desk.envelope.addressing import Recipient
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Context, Transaction
from pbem.pages.page import Page

KIND = "stranger"
EVERY = timedelta(days=1)
ANSWERED_A_DAY = 5


async def answer_stranger(talk: Conversation[object]) -> Handled:
    """How one joins, or how a chat becomes a player's."""
    is_known, chat_id = talk.person_id is not None, talk.address
    outcome = "stranger:no-seat" if is_known else "stranger:unknown-sender"
    if await is_answered_enough(talk, chat_id):
        return Handled(outcome, ignored=True)
    house, pages = talk.page_table(), talk.services.pages.chat
    page = (
        pages.no_table(house, talk.reader)
        if is_known
        else pages.stranger(house, talk.reader, games_of(talk.services))
    )
    await _tell(talk, page)
    return Handled(outcome, ignored=True)


async def _tell(talk: Conversation[object], page: Page) -> None:
    letter = note_letter(
        talk.services,
        Recipient(talk.address, talk.reader.name, talk.person_id),
        page,
        str(talk.row.id),
        kind=KIND,
        reply_to=talk.mail.chat_message_id,
    )
    await talk.send(letter)


def games_of(context: Context) -> list[tuple[str, str]]:
    """The games that are run here, each with a line about it."""
    return [(kind.pages.title, kind.pages.about) for kind in context.games.values()]


async def is_answered_enough(tx: Transaction[Context], chat_id: str) -> bool:
    """Whether that chat got as many answers today as somebody unknown ever will."""
    return (
        await tx.work.outbox.count_to_address_since(TELEGRAM, chat_id, (KIND,), tx.now() - EVERY)
        >= ANSWERED_A_DAY
    )


async def tell_no_such_code(talk: Conversation[object], what: str) -> Handled:
    """A code that opens nothing, of somebody unknown: they are told that, a few times a day, and
    not what would.
    """
    if talk.mail.is_vouched and not await is_answered_enough(talk, talk.address):
        await _tell(talk, talk.services.pages.chat.no_such_code(talk.page_table(), talk.reader))
    return Handled(f"{what}-wrong-code", ignored=True)
