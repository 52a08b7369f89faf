"""Mail that comes back: only an address where nobody is reached is given up at once (F-13)."""

from datetime import timedelta

from pbem.demo.reports import FailedDelivery, format_report
from pbem.mail.ports import Refused
from pbem.mail.tokens import Purpose, format_reply_address, make_token
from pbem.store import OutboxRow
from tests.desk.harness import ADDRESS, GM, KEY, Desk, address_of, parse

ANNA = address_of("Anna")
OTHER = "anna@elsewhere.example"
FULL = Refused(552, "5.2.2 <anna@players.example>: mailbox full", "recipient")
GONE = Refused(550, "5.1.1 <anna@players.example>: no such user", "recipient")


async def with_another_address(desk: Desk) -> None:
    async with desk.services.database.write() as work:
        person = await work.people.find_by_address("mail", ANNA)
        assert person is not None
        await work.people.add_address(person.id, "mail", OTHER, "confirmed")


async def state_of(desk: Desk) -> str:
    async with desk.services.database.read() as work:
        known = await work.people.find_address("mail", ANNA)
    assert known is not None
    return known.state


async def waiting(desk: Desk) -> list[OutboxRow]:
    async with desk.services.database.read() as work:
        return [row for row in await work.outbox.list_by_state("queued") if row.address == ANNA]


def subjects(desk: Desk, address: str) -> list[str]:
    return [str(parse(raw)["Subject"]) for raw in desk.postbox.to(address)]


def told(desk: Desk, address: str) -> int:
    return sum("bounces" in subject for subject in subjects(desk, address))


async def test_f13_a_full_mailbox_is_no_bad_address(desk: Desk) -> None:
    await desk.open_game()
    await with_another_address(desk)
    desk.postbox.answers[ANNA] = FULL
    await desk.write("Anna", "bid 3")
    await desk.write("Anna", "bid 4")
    assert await state_of(desk) != "suspended"
    assert (told(desk, GM), told(desk, OTHER)) == (1, 1)
    assert (
        sum(row.attempts for row in await waiting(desk)) == 2
    )  # a mail from there gives it another try at once
    for day in range(1, 4):
        desk.clock.forward(hours=24, minutes=1)
        await desk.work()
        assert (
            sum(row.attempts for row in await waiting(desk)) == 2 + day
        )  # one letter a day is tried
    assert (told(desk, GM), told(desk, OTHER)) == (1, 1)


async def test_f13_a_mailbox_that_stays_full_is_suspended_after_five_days(desk: Desk) -> None:
    await desk.open_game()
    await with_another_address(desk)
    desk.postbox.answers[ANNA] = FULL
    await desk.write("Anna", "bid 3")
    for _ in range(4):
        desk.clock.forward(hours=24, minutes=1)
        await desk.work()
        assert await state_of(desk) != "suspended"
    desk.clock.forward(hours=24, minutes=1)
    await desk.work()
    assert await state_of(desk) == "suspended"
    assert (told(desk, GM), told(desk, OTHER)) == (2, 2)
    assert await waiting(desk) == []
    del desk.postbox.answers[ANNA]
    count = len(desk.letters("Anna"))
    await desk.write("Anna", "status")
    assert await state_of(desk) == "confirmed"
    assert len(desk.letters("Anna")) > count + 1  # what was withheld comes too


async def test_f13_a_mailbox_that_has_room_again_gets_everything_a_day_after_the_first_letter(
    desk: Desk,
) -> None:
    await desk.open_game()
    before = len(desk.letters("Anna"))
    desk.postbox.answers[ANNA] = FULL
    await desk.write("Anna", "bid 3")
    await desk.write("Anna", "bid 4")
    del desk.postbox.answers[ANNA]
    arrived = []
    for _ in range(3):
        desk.clock.forward(hours=24, minutes=1)
        await desk.work()
        arrived.append(
            len([mail for mail in desk.letters("Anna")[before:] if "bid" in str(mail).lower()])
        )
    assert arrived[0] == 1
    assert arrived[-1] >= 2


async def test_f13_nobody_there_is_suspended_at_once(desk: Desk) -> None:
    await desk.open_game()
    await with_another_address(desk)
    desk.postbox.answers[ANNA] = GONE
    await desk.write("Anna", "bid 3")
    assert await state_of(desk) == "suspended"
    assert (told(desk, GM), told(desk, OTHER)) == (1, 1)


async def test_f13_a_letter_that_came_back_from_a_full_mailbox_is_sent_again_the_next_day(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3")
    receipt = desk.letters("Anna")[-1]
    sender = format_reply_address(ADDRESS, make_token(KEY, Purpose.BOUNCE, 1, 1, 1))
    failed = FailedDelivery(
        reporting_host="players.example",
        sender=sender,
        recipient=ANNA,
        reply="552 5.2.2 mailbox full",
        at=desk.clock.now(),
        serial=1,
        raw=receipt.as_bytes(),
    )
    await desk.bring(b"Return-Path: <>\r\n" + format_report(failed))
    await desk.work()
    assert await state_of(desk) != "suspended"
    assert told(desk, GM) == 1
    (again,) = await waiting(desk)
    assert again.message_id == receipt["Message-ID"]
    assert again.next_try_at - desk.clock.now() == timedelta(days=1)
    desk.clock.forward(hours=24, minutes=1)
    await desk.work()
    assert [str(mail["Message-ID"]) for mail in desk.letters("Anna")].count(
        str(receipt["Message-ID"])
    ) == 2
