"""Sending side by side: nobody who hangs holds up anybody else, answers go before news, and letters
to one address keep their order.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.letters.deliver import deliver_next
from pbem.desk.letters.queue import ANSWERS, NEWS
from pbem.desk.precedence import AT_ONCE, FOR_ANSWERS, Slots
from pbem.mail.ports import Deferred, Delivery, OutboundMail
from pbem.store.repositories.post.outbox import NewOutboxRow
from tests.desk.dates import NOON
from tests.desk.harness import Desk, address_of, changed, open_desk
from tests.postbox import Postbox


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        yield desk


async def queue(desk: Desk, address: str, *, lane: int = NEWS) -> int:
    """A letter to somebody: another copy of Anna's first one."""
    async with desk.services.database.write() as work:
        (model,) = await work.outbox.list_last_to(MAIL, address_of("Anna"), 1)
        added = await work.outbox.queue(
            NewOutboxRow(
                channel=MAIL,
                kind="test",
                address=address,
                letter=model.letter,
                message_id=f"<{address}.{lane}.{len(desk.postbox.mails)}@house.example>",
                created_at=desk.clock.now(),
                lane=lane,
            )
        )
    assert added is not None
    return added


class Hanging(Postbox):
    """Hangs on the mails to some, until told."""

    def __init__(self, *domains: str) -> None:
        super().__init__()
        self.domains = domains
        self.hanging: list[str] = []
        self.hung, self.give_up = asyncio.Event(), asyncio.Event()
        self._more = asyncio.Condition()

    async def send(self, mail: OutboundMail) -> Delivery:
        if mail.recipient.partition("@")[2] in self.domains:
            self.hanging.append(mail.recipient)
            self.hung.set()
            async with self._more:
                self._more.notify_all()
            await self.give_up.wait()
            return Deferred(None, "no answer in time", hung=True)
        return await super().send(mail)

    async def hangs(self, count: int) -> None:
        """Return once it hangs on so many."""
        async with asyncio.timeout(20), self._more:
            await self._more.wait_for(lambda: len(self.hanging) >= count)


async def test_f53_an_answer_is_sent_before_the_news_that_were_due_long_before(desk: Desk) -> None:
    for number in range(30):
        await queue(desk, f"reader{number}@players.example")
    desk.clock.forward(minutes=1)
    await queue(desk, "anna@players.example", lane=ANSWERS)
    before = len(desk.postbox.mails)
    await deliver_next(desk.services)
    assert [mail.recipient for mail in desk.postbox.mails[before:]][:2] == [
        "anna@players.example",
        "reader0@players.example",
    ]


async def test_f14_a_server_that_hangs_holds_up_its_own_letters_alone(desk: Desk) -> None:
    """F-14: the others waited for a minute, twice."""
    outbound = Hanging("slow.example")
    services = changed(desk.services, outbound=outbound)
    for number in range(20):
        await queue(desk, f"reader{number}@slow.example")
    for number in range(5):
        await queue(desk, f"reader{number}@players.example")
    turns = [asyncio.create_task(deliver_next(services)) for _ in range(8)]
    pending = set(turns)
    while len(pending) > AT_ONCE // 2:
        _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    await outbound.hangs(AT_ONCE // 2)
    assert len(outbound.hanging) == AT_ONCE // 2, "half of the slots, and no more"
    assert len(outbound.mails) == 5
    outbound.give_up.set()
    await asyncio.gather(*turns)
    assert len(outbound.mails) == 5
    outbound.give_up.clear()
    outbound.hung.clear()
    outbound.hanging.clear()
    for number in range(2):
        await queue(desk, f"later{number}@slow.example")
    later = asyncio.create_task(deliver_next(services))
    await outbound.hung.wait()
    await deliver_next(services)
    assert len(outbound.hanging) == 1, "where letters hang there is one slot for all of that kind"
    outbound.give_up.set()
    await later


async def test_f53_an_answer_finds_a_slot_however_many_news_are_on_their_way(desk: Desk) -> None:
    domains = [f"slow{number}.example" for number in range(2 * AT_ONCE)]
    outbound = Hanging(*domains)
    services = changed(desk.services, outbound=outbound)
    for domain in domains:
        await queue(desk, f"reader@{domain}")
    turns = [asyncio.create_task(deliver_next(services)) for _ in range(AT_ONCE)]
    pending = set(turns)
    while len(pending) > AT_ONCE - FOR_ANSWERS:
        _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    await outbound.hangs(AT_ONCE - FOR_ANSWERS)
    assert len(outbound.hanging) == AT_ONCE - FOR_ANSWERS
    await queue(desk, "anna@players.example", lane=ANSWERS)
    await deliver_next(services)
    assert [mail.recipient for mail in outbound.mails] == ["anna@players.example"]
    outbound.give_up.set()
    await asyncio.gather(*turns)


async def test_f14_a_reader_who_hangs_keeps_the_order_of_their_letters(desk: Desk) -> None:
    outbound = Hanging("slow.example")
    services = changed(desk.services, outbound=outbound)
    first = await queue(desk, "dora@slow.example")
    await queue(desk, "dora@slow.example", lane=ANSWERS)
    turn = asyncio.create_task(deliver_next(services))
    await outbound.hung.wait()
    await deliver_next(services)
    assert outbound.hanging == ["dora@slow.example"]
    outbound.give_up.set()
    await turn
    assert outbound.hanging == ["dora@slow.example"] * 2, "what had to wait follows at once"
    async with desk.services.database.read() as work:
        tried = await work.outbox.find(first)
    assert tried is not None
    assert tried.attempts == 1


def test_a_channel_has_so_many_slots_and_the_other_channel_its_own() -> None:
    slots = Slots(at_once=2, for_answers=0)
    with (
        slots.take(TELEGRAM, "1", NOON) as one,
        slots.take(TELEGRAM, "2", NOON) as two,
        slots.take(TELEGRAM, "3", NOON) as three,
    ):
        assert (one is None, two is None, three is None) == (False, False, True)
        with (
            slots.take(MAIL, "a@x.example", NOON) as mail,
            slots.take(MAIL, "b@x.example", NOON) as second,
        ):
            assert (mail is None, second is None) == (False, True), (
                "half of the slots for one domain"
            )
        with slots.take(MAIL, "b@x.example", NOON) as freed:
            assert freed is not None
    with slots.take(TELEGRAM, "3", NOON) as freed:
        assert freed is not None


def test_domains_that_hang_share_one_slot_until_one_of_their_letters_goes_through_or_time_is_over() -> (
    None
):
    slots = Slots()
    for address in ("a@x.example", "a@y.example"):
        with slots.take(MAIL, address, NOON) as slot:
            assert slot is not None
            slot.hung = True
    with (
        slots.take(MAIL, "b@x.example", NOON) as first,
        slots.take(MAIL, "b@y.example", NOON) as second,
    ):
        assert (first is None, second is None) == (False, True)
        with slots.take(MAIL, "b@z.example", NOON) as other:
            assert other is not None
        assert first is not None
        first.hung = False
    with (
        slots.take(MAIL, "b@x.example", NOON) as first,
        slots.take(MAIL, "b@y.example", NOON) as second,
    ):
        assert (first is None, second is None) == (False, False)
    later = NOON + timedelta(minutes=10)
    with (
        slots.take(MAIL, "b@x.example", later) as first,
        slots.take(MAIL, "b@y.example", later) as second,
    ):
        assert (first is None, second is None) == (False, False)
