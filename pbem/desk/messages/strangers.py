"""Mails of strangers, who are never answered: the game masters of the house are told once a day who
wrote, and may answer themselves.
"""

import asyncio
from collections import Counter
from datetime import datetime

from pbem.desk.envelope.addressing import Recipient, letter_to
from pbem.desk.envelope.message import MAIL
from pbem.desk.envelope.opened import rules_of
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table
from pbem.mail.inbound.reading import read_head
from pbem.pages.page import Reader

KIND = "gm-knocked"
KNOCKED = ("stranger:unknown-sender", "stranger:no-seat")
LOOKED_AT = 200
NAMED = 20


async def tell_who_knocked(tx: Transaction[Context], since: datetime) -> None:
    """A letter to each configured game master, if any stranger wrote since then."""
    now = tx.now()
    rows = await tx.work.inbox.list_of_outcomes(MAIL, KNOCKED, since, LOOKED_AT)
    raws = [raw for row in rows if (raw := await tx.work.inbox.read_raw(row.id)) is not None]
    heads = [await asyncio.to_thread(read_head, raw, rules_of(tx.services.policy)) for raw in raws]
    knocks = Counter(head.sender for head in heads if head.sender)
    if not knocks:
        return
    named = [(address, count) for address, count in knocks.most_common(NAMED)]
    for address in tx.services.policy.gm_addresses:
        reader = Reader(None, "the game master", tx.services.policy.zone)
        page = tx.services.pages.notices.gm_knocked(
            house_table(tx.services.policy, now), reader, named, len(knocks) - len(named)
        )
        letter = letter_to(
            tx.services,
            Recipient(address=address, name=reader.name),
            page,
            KIND,
            f"{KIND}:{now.isoformat()}:{address}",
        )
        await queue_letter(tx.work, letter, now)
