"""What a message costs the database: each row is read once (F-41)."""

from pbem.desk.messages.receive import receive
from tests.desk.chatting import ChatDesk
from tests.desk.counting import counting
from tests.desk.harness import Desk
from tests.desk.messages.test_receive import outcomes

MOST = 15
IN_A_CHAT = 19
"""Its buttons are kept as well, and the receipt before it points below to the new one."""


async def test_f41_a_mail_with_orders_takes_15_statements_at_most(desk: Desk) -> None:
    await desk.open_game(5)
    await desk.write("Anna", "bid 4")
    with counting() as asked:
        await desk.write("Bartek", "bid 5", work=False)
        await receive(desk.services, 2)
    assert await outcomes(desk) == ["handled:orders", "handled:orders"]
    assert len(asked) <= MOST, "\n".join(asked)


async def test_f41_orders_in_a_chat_take_19_with_two_messages_to_it(there: ChatDesk) -> None:
    await there.link("Anna", 101)
    await there.says(101, "bid 4")
    with counting() as asked:
        await there.says(101, "bid 5", work=False)
    async with there.desk.services.database.read() as work:
        (row,) = await work.inbox.next_new(9)
    with counting() as asked_then:
        await receive(there.desk.services, row.id)
    assert (await outcomes(there.desk))[-1] == "handled:orders"
    assert len([*asked, *asked_then]) <= IN_A_CHAT, "\n".join([*asked, *asked_then])
