"""Our own letters that a mail may quote."""

import msgspec

from pbem.desk.envelope.letter import Draft
from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.ports import Desk
from pbem.mail.inbound.htmltext import words_of_html
from pbem.store.repositories.forgetting import EMPTY_LETTER
from pbem.store.repositories.post.outbox import OutboxRow

MOST_NAMED = 3
MOST_GUESSED = 5


async def letters_quoted(services: Desk, mail: Message) -> tuple[str, ...]:
    """The words of the letters that a mail answers; where it does not say which, those of the last
    ones to its sender.
    """
    named = dict.fromkeys((*mail.references[-MOST_NAMED:], mail.in_reply_to))
    async with services.database.read() as work:
        rows = [
            row
            for name in named
            if name is not None and (row := await work.outbox.find_by_message_id(name)) is not None
        ]
        if not rows and mail.sender is not None:
            rows = await work.outbox.list_last_to(MAIL, mail.sender, MOST_GUESSED)
    return tuple(words for row in rows for words in _words_of(row))


def _words_of(row: OutboxRow) -> list[str]:
    if row.channel != MAIL or row.letter == EMPTY_LETTER or not row.letter:
        return []
    draft = msgspec.json.decode(row.letter, type=Draft)
    return [draft.text] + ([words_of_html(draft.html)] if draft.html else [])
