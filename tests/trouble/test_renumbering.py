"""The mail server numbers the mailbox anew (UIDVALIDITY) in the middle of a game: every mail is
handed over again, and nothing happens twice.
"""

from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.store import tables
from tests.desk.harness import parse, text_of
from tests.house.test_service import ANNA, BEN, GM, ORDERS, House, house


async def record(there: House) -> dict[str, object]:
    async with there.service.services.database.read() as work:
        messages = await work.connection.execute(
            sa.select(tables.inbox.c.message_key, tables.inbox.c.state, tables.inbox.c.outcome)
        )
        orders = await work.connection.execute(
            sa.select(tables.orders.c.seat_id, tables.orders.c.version, tables.orders.c.canonical)
        )
        return {
            "messages": sorted(map(tuple, messages)),
            "orders": sorted(map(tuple, orders)),
            "letters": await work.outbox.count_by_state(),
        }


@pytest.mark.long(held_by="tests/mail/io/test_inbox.py (a renumbered mailbox is handed over again)")
async def test_a_mailbox_numbered_anew_in_mid_run_changes_nothing_but_lets_nothing_be_missed(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as there:
        await there.open_game()
        await there.post(ANNA, "bid 12")
        await there.post(BEN, "bid 7")
        await there.handled(2)
        before = await record(there)
        await there.mail.renumber(ORDERS)
        await there.service.inbox.drain()
        await there.service.settle()
        assert await record(there) == before
        await there.mail.renumber(ORDERS)
        await there.post(ANNA, "bid 130")
        await there.handled(3)
        after = await record(there)
        assert len(after["orders"]) == 3  # type: ignore[arg-type]  # a list of rows
        assert "Bid 130" in text_of(await there.last(ANNA))
        arrived = [raw for address in (ANNA, BEN, GM) for raw in await there.mail.mails(address)]
        assert max(Counter(str(parse(raw)["Message-ID"]) for raw in arrived).values()) == 1
