"""An order that stands in the subject of a mail, where nobody reads it: its writer is told."""

import re
from typing import Any

from engine.ruleset import Standing
from pbem.desk.envelope.message import MAIL
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.understood import has_orders, is_wholly_understood
from pbem.grammar.house.reading import read_alone

_ANSWERS = re.compile(r"\s*(?:\[|[^\W\d_]{1,6}(?:\[\d+\])?\s?[:：])")
"""How the subject of an answer begins, or one of ours: `Re:`, `[Heron]`."""
_MOST_CHARACTERS = 200


async def tell_of_subject(talk: Conversation[Player], standing: Standing[Any]) -> bool:
    """Say that subjects are not read, if this one is an order by itself. False: it is none.

    For a message without an order in its text.
    """
    subject, table = talk.mail.subject.strip(), talk.table
    if (
        talk.mail.channel != MAIL
        or table.state is None
        or not subject
        or len(subject) > _MOST_CHARACTERS
        or _ANSWERS.match(subject)
    ):
        return False
    reading = await talk.services.apart.run(
        read_alone, table.kind.read, table.state, talk.seat.number, standing, subject
    )
    if not has_orders(reading) or not is_wholly_understood(reading):
        return False
    page = talk.services.pages.notices.subject_not_read(talk.page_table(), talk.reader, subject)
    await talk.answer(page, "notice")
    return True
