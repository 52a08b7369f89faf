"""Letters are taken ahead of their turn, and go on record several at a time: few statements, and a
crash at any moment loses none and repeats few.
"""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.desk.envelope.message import MAIL
from pbem.desk.hand import MOST_IN_DOUBT
from pbem.desk.letters.deliver import deliver_next, free_leases
from pbem.desk.precedence import AT_ONCE
from pbem.mail.ports import Deferred, Delivery, OutboundMail
from tests.desk.harness import Desk, changed, open_desk
from tests.desk.letters.test_slots import Hanging, queue
from tests.desk.phases.test_sweep import counted
from tests.postbox import Postbox

LETTERS = 60
MOST_STATEMENTS_A_LETTER = 0.6


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.work()
        yield desk


def address(number: int, domains: int = 12) -> str:
    return f"reader{number}@readers{number % domains}.example"


async def states(desk: Desk) -> dict[str, int]:
    async with desk.services.database.read() as work:
        return await work.outbox.count_by_state()


async def rows_to(desk: Desk, address: str) -> list[tuple[str, int]]:
    async with desk.services.database.read() as work:
        return [
            (row.state, row.attempts) for row in await work.outbox.list_last_to(MAIL, address, 9)
        ]


@pytest.mark.parametrize("domains", [12, 1])
async def test_f41_a_delivered_letter_takes_a_part_of_a_statement(
    domains: int, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven it was: what is next, taken, its address, its picture, sent, and that letters go."""
    for number in range(LETTERS):
        await queue(desk, address(number, domains))
    before = len(desk.postbox.mails)
    with counted(monkeypatch) as sent:
        await deliver_next(desk.services)
    assert len(desk.postbox.mails) == before + LETTERS
    assert len(sent) <= LETTERS * MOST_STATEMENTS_A_LETTER


class Photographed(Postbox):
    """Keeps the database as it lies while a mail is under way: what a crash there would leave."""

    def __init__(self, file: Path, folder: Path) -> None:
        super().__init__()
        self.images: list[tuple[Path, int]] = []
        self._file, self._folder = file, folder

    async def send(self, mail: OutboundMail) -> Delivery:
        delivery = await super().send(mail)
        if len(self.mails) % 7 == 0:
            image = self._folder / f"crash{len(self.mails)}"
            image.mkdir()
            with (
                closing(sqlite3.connect(self._file)) as source,
                closing(sqlite3.connect(image / "pbem.sqlite")) as copy,
            ):
                source.backup(copy)
            self.images.append((image, len(self.mails)))
        await asyncio.sleep(0)
        return delivery


async def test_a_crash_loses_no_letter_and_repeats_few(desk: Desk, tmp_path: Path) -> None:
    for number in range(LETTERS):
        await queue(desk, address(number))
    assert desk.services.database.file is not None
    outbound = Photographed(desk.services.database.file, tmp_path)
    services = changed(desk.services, outbound=outbound)
    await asyncio.gather(*(deliver_next(services) for _ in range(AT_ONCE)))
    assert len(outbound.mails) == LETTERS
    most = 0
    for image, taken in outbound.images:
        async with open_desk(image, clock=desk.clock) as again:
            await free_leases(again.services)
            await deliver_next(again.services)
            assert set(await states(again)) == {"sent"}
            arrived = Counter(
                mail.recipient for mail in [*outbound.mails[:taken], *again.postbox.mails]
            )
        assert set(arrived) == {address(number) for number in range(LETTERS)}
        most = max(most, sum(count - 1 for count in arrived.values()))
    assert 0 < most <= MOST_IN_DOUBT + AT_ONCE


async def test_a_letter_in_hand_for_long_is_looked_at_again_before_it_is_sent(desk: Desk) -> None:
    outbound = Hanging("slow.example")
    services = changed(desk.services, outbound=outbound)
    for name in ("anna@slow.example", "bartek@kept.example", "chloe@gone.example"):
        await queue(desk, name)
    turn = asyncio.create_task(deliver_next(services))
    await outbound.hung.wait()
    assert await rows_to(desk, "bartek@kept.example") == [("sending", 1)], "it is in hand"
    async with services.database.write() as work:
        await work.outbox.withhold_for_address(MAIL, "chloe@gone.example")
    desk.clock.forward(seconds=10)
    outbound.give_up.set()
    await turn
    assert [mail.recipient for mail in outbound.mails] == ["bartek@kept.example"]
    assert await rows_to(desk, "bartek@kept.example") == [("sent", 1)]
    assert await rows_to(desk, "chloe@gone.example") == [("withheld", 1)]


async def test_what_is_sent_is_on_record_soon_though_the_letter_behind_it_hangs(
    desk: Desk,
) -> None:
    outbound = Hanging("slow.example")
    services = changed(desk.services, outbound=outbound)
    for name in ("bartek@kept.example", "anna@slow.example"):
        await queue(desk, name)
    turn = asyncio.create_task(deliver_next(services))
    await outbound.hung.wait()
    assert await rows_to(desk, "bartek@kept.example") == [("sending", 1)]
    async with asyncio.timeout(20):
        while (await rows_to(desk, "bartek@kept.example"))[0][0] != "sent":
            pass  # each look takes its time
    outbound.give_up.set()
    await turn


class Failing(Postbox):
    """Breaks down on the first mail."""

    async def send(self, mail: OutboundMail) -> Delivery:
        if not self.mails:
            await super().send(mail)
            raise RuntimeError("a mistake in the program")
        return Deferred(None, "not reached")


async def test_who_leaves_off_gives_back_what_is_in_hand_as_if_it_had_never_been_taken(
    desk: Desk,
) -> None:
    services = changed(desk.services, outbound=Failing())
    for number in range(5):
        await queue(desk, address(number))
    with pytest.raises(RuntimeError, match="a mistake"):
        await deliver_next(services)
    found = [await rows_to(desk, address(number)) for number in range(5)]
    assert found == [[("sending", 1)], *[[("queued", 0)]] * 4]
    await deliver_next(desk.services)
    assert [await rows_to(desk, address(number)) for number in range(1, 5)] == [[("sent", 1)]] * 4
