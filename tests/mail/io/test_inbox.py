"""The contract of the inbox, held against the embedded server and against dovecot."""

import asyncio
from datetime import timedelta, timezone

import pytest

from pbem.mail.ports import ImapError
from tests.mail.io.support import (
    PAST,
    HandClock,
    Provider,
    Shelf,
    another_client,
    inbox_of,
    mail,
    watching,
)


def words(shelf: Shelf) -> list[str]:
    return [stored.raw.split(b"Subject: ")[1].split(b"\r\n")[0].decode() for stored in shelf.mails]


async def test_mails_that_waited_and_mails_that_come_are_stored_in_order(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    await provider.deliver(mail("first"), PAST)
    await provider.deliver(mail("second"), PAST)
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await inbox.drain()
        assert words(shelf) == ["first", "second"]
        await provider.deliver(mail("third"), PAST)
        await shelf.holding(3)
    assert words(shelf) == ["first", "second", "third"]
    assert [stored.uid for stored in shelf.mails] == sorted({stored.uid for stored in shelf.mails})
    assert all(
        stored.raw.endswith(mail(word))
        for stored, word in zip(shelf.mails, words(shelf), strict=True)
    )
    assert not any(stored.oversize for stored in shelf.mails)


async def test_idle_wakes_for_every_single_mail(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await inbox.drain()
        for number in range(1, 5):
            await provider.deliver(mail(f"mail{number}"), PAST)
            await shelf.holding(number)
    assert words(shelf) == ["mail1", "mail2", "mail3", "mail4"]


async def test_whatever_was_delivered_before_a_drain_is_stored_after_it(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        for number in range(1, 13):
            await provider.deliver(mail(f"mail{number}"), PAST)
            await inbox.drain()
            assert len(shelf.mails) == number


async def test_a_mail_is_unread_until_it_is_stored_and_read_afterwards(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    shelf.open.clear()
    await provider.deliver(mail("precious"), PAST)
    async with (
        watching(inbox_of(provider.settings, clock), shelf) as inbox,
        another_client(provider.settings) as other,
    ):
        await shelf.entered.wait()
        assert len(await other.search("UNSEEN")) == 1
        shelf.open.set()
        await inbox.drain()
        assert await other.search("UNSEEN") == []
        assert len(await other.search("SEEN")) == 1


async def test_a_mail_that_comes_while_another_is_stored_is_not_forgotten(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    """The server tells of it in the answer to the STORE of the first, and never again."""
    shelf.open.clear()
    await provider.deliver(mail("first"), PAST)
    async with watching(inbox_of(provider.settings, clock), shelf):
        await shelf.entered.wait()
        await provider.deliver(mail("second"), PAST)
        shelf.open.set()
        await shelf.holding(2)
    assert words(shelf) == ["first", "second"]


async def test_a_mail_that_somebody_else_has_opened_before_us_is_stored_all_the_same(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    shelf.open.clear()
    await provider.deliver(mail("first"), PAST)
    async with watching(inbox_of(provider.settings, clock), shelf):
        await shelf.entered.wait()
        await provider.deliver(mail("opened"), PAST)
        async with another_client(provider.settings) as other:
            for uid in await other.search("UNSEEN"):
                await other.mark_done(uid)
        shelf.open.set()
        await shelf.holding(2)
    assert words(shelf) == ["first", "opened"]


async def test_a_store_that_fails_loses_nothing_and_blocks_nobody_else(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    shelf.failing.add(b"Subject: poison")
    await provider.deliver(mail("poison"), PAST)
    await provider.deliver(mail("harmless"), PAST)
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await shelf.failed(3)
        assert set(words(shelf)) == {"harmless"}
        assert (inbox.drained_until, inbox.last_success_at) == (None, None)
        assert "OSError" in str(inbox.last_error)
        async with another_client(provider.settings) as other:
            assert len(await other.search("UNSEEN")) == 1
        shelf.failing.clear()
        await inbox.drain()
        assert (inbox.last_error, inbox.last_success_at) == (None, PAST)
    assert set(words(shelf)) == {"harmless", "poison"}


async def test_drained_until_is_the_moment_before_the_search(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    inbox = inbox_of(provider.settings, clock)
    await provider.deliver(mail("slow"), PAST)
    shelf.open.clear()
    async with watching(inbox, shelf):
        asked = asyncio.create_task(inbox.drain())
        await shelf.entered.wait()
        clock.advance(500)
        shelf.open.set()
        first = await asked
        assert words(shelf) == ["slow"]
        assert first == PAST
        assert await inbox.drain() == PAST + timedelta(seconds=500)
        assert inbox.drained_until == PAST + timedelta(seconds=500)


async def test_the_inbox_comes_back_after_the_server_has_hung_up(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        for number in range(1, 4):
            await inbox.drain()
            await provider.hang_up()
            await provider.deliver(mail(f"mail{number}"), PAST)
            await shelf.holding(number)
    assert sorted(set(words(shelf))) == ["mail1", "mail2", "mail3"]


async def test_the_server_s_date_is_kept_whatever_the_zone(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    moments = [
        PAST,
        PAST.replace(day=1, hour=23, minute=59, second=59),
        PAST.astimezone(timezone(timedelta(hours=-9, minutes=-30))),
    ]
    for moment in moments:
        await provider.deliver(mail("dated"), moment)
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await inbox.drain()
    assert [stored.received_at for stored in shelf.mails] == moments
    assert all(stored.received_at.utcoffset() == timedelta(0) for stored in shelf.mails)


async def test_a_renumbered_mailbox_is_handed_over_again_from_the_beginning(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    for word in ("one", "two"):
        await provider.deliver(mail(word), PAST)
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await inbox.drain()
        before = {stored.uidvalidity for stored in shelf.mails}
        await provider.renumber()
        await shelf.holding(4)
        await inbox.drain()
    assert words(shelf) == ["one", "two", "one", "two"]
    assert before.isdisjoint({stored.uidvalidity for stored in shelf.mails[2:]})


async def test_of_a_huge_mail_only_the_header_is_fetched(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    """F-111: so that a mail of 25 MB keeps no other one waiting."""
    await provider.deliver(mail("huge", size=50_000), PAST)
    await provider.deliver(mail("small"), PAST)
    async with watching(inbox_of(provider.settings, clock, max_mail_octets=20_000), shelf) as inbox:
        await inbox.drain()
    huge, small = shelf.mails
    assert huge.oversize
    assert huge.raw.endswith(b"Subject: huge\r\n\r\n")
    assert not small.oversize


async def test_stored_mails_are_moved_where_the_operator_wants_them(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    await provider.deliver(mail("one"), PAST)
    async with watching(
        inbox_of(provider.settings, clock, done_mailbox="Read by pbem"), shelf
    ) as inbox:
        await inbox.drain()
        await provider.deliver(mail("two"), PAST)
        await shelf.holding(2)
        await inbox.drain()
        async with another_client(provider.settings) as other:
            assert await other.search("ALL") == []
    assert words(shelf) == ["one", "two"]


async def test_a_mail_without_any_text_is_a_mail(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    await provider.deliver(b"Subject: empty\r\n\r\n", PAST)
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await inbox.drain()
    assert shelf.mails[0].raw.endswith(b"Subject: empty\r\n\r\n")


async def test_a_text_that_looks_like_the_protocol_is_only_a_text(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    trap = (
        mail("trap")
        + b"* 99 EXISTS\r\n)\r\nA1 OK done\r\n* BYE\r\n((((\r\n{12}\r\n* 1 FETCH (UID 7)\r\n"
    )
    await provider.deliver(trap, PAST)
    async with watching(inbox_of(provider.settings, clock), shelf) as inbox:
        await inbox.drain()
        assert inbox.last_error is None
    assert [stored.raw.endswith(trap) for stored in shelf.mails] == [True]


async def test_a_wrong_password_is_told_and_never_quoted(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    backed_off = asyncio.Event()
    inbox = inbox_of(provider.settings, clock, on_back_off=backed_off.set, password="mellon")
    async with watching(inbox, shelf):
        await backed_off.wait()
        assert str(inbox.last_error).startswith("LOGIN: NO")
        assert "mellon" not in str(inbox.last_error)
        assert inbox.drained_until is None


async def test_whoever_waits_for_a_drain_is_told_when_the_watch_ends(
    provider: Provider, clock: HandClock, shelf: Shelf
) -> None:
    backed_off = asyncio.Event()
    inbox = inbox_of(provider.settings, clock, on_back_off=backed_off.set, port=1)
    asked = asyncio.create_task(inbox.drain())
    async with watching(inbox, shelf):
        await backed_off.wait()
        assert not asked.done()
    with pytest.raises(ImapError):
        await asked
