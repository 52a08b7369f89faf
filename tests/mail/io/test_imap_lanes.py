"""Whose mail is fetched first (F-14): a server full of a stranger's mails, and a player who
writes.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from pbem.mail.imap import ImapInbox
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.ports import Lanes, StoredMail
from tests.mail.io.support import PAST, HandClock, Provider, inbox_of

HOLD = timedelta(minutes=1)
STRANGERS = 2
_LANE = re.compile(rb"Subject: (\d) (\w*)")


async def judge(heads: Sequence[bytes]) -> list[tuple[int, str]]:
    found = [_LANE.search(head) for head in heads]
    return [(int(match[1]), match[2].decode()) if match else (STRANGERS, "") for match in found]


LANES = Lanes(judge, STRANGERS, HOLD)


def mail(lane: int, sender: str = "") -> bytes:
    return b"Subject: %d %s\r\n\r\nword\r\n" % (lane, sender.encode())


@dataclass
class Mailbox:
    """A server with as many mails as it is given. `commands` are those it was sent."""

    mails: dict[int, bytes] = field(default_factory=dict)
    read: set[int] = field(default_factory=set)
    commands: list[str] = field(default_factory=list)
    cut_at: int | None = None
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    def add(self, *mails: bytes) -> None:
        for raw in mails:
            self.mails[len(self.mails) + 1] = raw

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        writer.write(b"* OK hello\r\n")
        async for line in reader:
            tag, _, command = line.strip().decode().partition(" ")
            self.commands.append(command)
            if len(self.commands) == self.cut_at:
                writer.close()
                return
            for answer in self._answer(command):
                writer.write(answer)
            writer.write(f"{tag} OK done\r\n".encode())

    def _answer(self, command: str) -> list[bytes]:
        words = command.split(" ", 3)
        match words[:2]:
            case ["CAPABILITY"]:
                return [b"* CAPABILITY IMAP4rev1\r\n"]
            case ["SELECT", _]:
                return [
                    b"* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT %d] n\r\n" % (len(self.mails) + 1)
                ]
            case ["UID", "SEARCH" | "search"]:
                since = re.search(r"UID (\d+):\*", command.removeprefix("UID "))
                found = [
                    uid
                    for uid in self.mails
                    if (uid >= int(since[1]) if since else uid not in self.read)
                ]
                return [
                    f"* SEARCH {' '.join(map(str, found or list(self.mails)[-1:] if since else found))}\r\n".encode()
                ]
            case ["UID", "FETCH" | "fetch"]:
                return [self._fetched(int(uid), words[3]) for uid in words[2].split(",")]
            case ["UID", "STORE" | "store"]:
                self.read.add(int(words[2]))
        return []

    def _fetched(self, uid: int, items: str) -> bytes:
        raw = self.mails[uid]
        section = b"HEADER" if "HEADER" in items else b""
        part = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if section else raw
        facts = (
            b'RFC822.SIZE %d INTERNALDATE " 1-Mar-2024 10:00:00 +0000" ' % len(raw)
            if "SIZE" in items
            else b""
        )
        if uid % 2:  # a server puts the items in an order of its own
            return b"* %d FETCH (BODY[%s] {%d}\r\n%s %sUID %d)\r\n" % (
                uid,
                section,
                len(part),
                part,
                facts,
                uid,
            )
        return b"* %d FETCH (UID %d %sBODY[%s] {%d}\r\n%s)\r\n" % (
            uid,
            uid,
            facts,
            section,
            len(part),
            part,
        )


@dataclass
class Keeper:
    """A store that keeps the UIDs in the order of their coming, and lets things happen on the
    way.
    """

    uids: list[int] = field(default_factory=list)
    failing: set[int] = field(default_factory=set)
    at: dict[int, bytes] = field(default_factory=dict)
    mailbox: Mailbox = field(default_factory=Mailbox)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def __call__(self, stored: StoredMail) -> None:
        async with self.changed:
            if stored.uid in self.failing:
                raise OSError("no space left on device")
            self.uids.append(stored.uid)
            assert stored.raw == self.mailbox.mails[stored.uid]
            if len(self.uids) in self.at:
                self.mailbox.add(self.at[len(self.uids)])
            self.changed.notify_all()

    async def holding(self, count: int) -> None:
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.uids) >= count)


@asynccontextmanager
async def watched(mailbox: Mailbox, clock: HandClock) -> AsyncIterator[tuple[ImapInbox, Keeper]]:
    server = await asyncio.start_server(mailbox.talk, "127.0.0.1", 0)
    settings = ImapSettings(
        host="127.0.0.1",
        port=server.sockets[0].getsockname()[1],
        tls="none",
        user="u",
        password="p",
    )
    keeper = Keeper(mailbox=mailbox)
    inbox = inbox_of(settings, clock)
    watcher = asyncio.create_task(inbox.watch(keeper, LANES))
    try:
        async with asyncio.timeout(30):
            yield inbox, keeper
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)
        server.close()
        for writer in mailbox.writers:
            writer.close()
        await asyncio.gather(
            *(writer.wait_closed() for writer in mailbox.writers), return_exceptions=True
        )


async def test_f14_a_players_mail_behind_two_thousand_of_a_stranger_is_stored_first(
    clock: HandClock,
) -> None:
    mailbox = Mailbox()
    mailbox.add(*[mail(STRANGERS)] * 2000, mail(1, "cleo"), mail(0, "anna"))
    async with watched(mailbox, clock) as (_, keeper):
        await keeper.holding(5)
    assert keeper.uids[:5] == [2002, 2001, 1, 2, 3]
    fetches = [command for command in mailbox.commands if command.upper().startswith("UID FETCH")]
    before = fetches[
        : next(
            index for index, command in enumerate(fetches) if " 2002 (UID BODY.PEEK[])" in command
        )
    ]
    assert len(before) == 2002 // 50 + 1
    assert all("BODY.PEEK[HEADER]" in command for command in before)


@pytest.mark.parametrize("lane", [0, 1])
async def test_f14_a_players_mail_that_comes_in_the_middle_of_a_flood_is_stored_next(
    clock: HandClock, lane: int
) -> None:
    mailbox = Mailbox()
    mailbox.add(*[mail(STRANGERS)] * 200)
    async with watched(mailbox, clock) as (inbox, keeper):
        keeper.at = {45: mail(lane, "anna")}
        await keeper.holding(201)
        await inbox.drain()
    assert keeper.uids.index(201) == 60  # after the third twenty
    assert sorted(keeper.uids) == list(range(1, 202))
    assert mailbox.read == set(mailbox.mails)


async def test_f14_a_flood_of_one_player_lets_another_one_through(clock: HandClock) -> None:
    mailbox = Mailbox()
    mailbox.add(*[mail(0, "anna")] * 100, mail(0, "ben"))
    async with watched(mailbox, clock) as (_, keeper):
        await keeper.holding(101)
    assert (
        keeper.uids.index(101) == 40
    )  # the first fifty heads, and two times twenty of them, before ben's is known
    assert [uid for uid in keeper.uids if uid != 101] == list(range(1, 101))


async def test_f14_what_one_sender_wrote_is_stored_in_its_order_whatever_the_lanes(
    clock: HandClock,
) -> None:
    mailbox = Mailbox()
    senders = ["anna", "ben", "cleo"]
    mailbox.add(
        *[mail((number * 7 + number // 5) % 3, senders[number % 3]) for number in range(150)]
    )
    async with watched(mailbox, clock) as (_, keeper):
        await keeper.holding(150)
    for which in range(3):
        own = [uid for uid in keeper.uids if (uid - 1) % 3 == which]
        assert own == sorted(own)
        assert len(own) == 50
    assert keeper.uids != sorted(keeper.uids)


async def test_f14_a_drain_waits_for_players_and_for_strangers_only_so_long(
    clock: HandClock,
) -> None:
    """A close whose deadline is the moment of the first drain goes on a minute later, in the middle
    of the flood.
    """
    mailbox = Mailbox()
    mailbox.add(*[mail(STRANGERS)] * 600, mail(0, "anna"))
    async with watched(mailbox, clock) as (inbox, keeper):
        assert await inbox.drain() == PAST - HOLD
        assert keeper.uids[0] == 601
        assert 100 <= len(keeper.uids) < 200
        keeper.at = {len(keeper.uids) + 1: mail(0, "anna")}
        clock.advance(61)
        assert await inbox.drain() == PAST + timedelta(seconds=1)
        assert 602 in keeper.uids
        assert len(keeper.uids) < 500


async def test_f14_a_drain_waits_for_the_few_strangers_of_a_quiet_mailbox(clock: HandClock) -> None:
    mailbox = Mailbox()
    mailbox.add(*[mail(STRANGERS)] * 50, mail(0, "anna"))
    async with watched(mailbox, clock) as (inbox, keeper):
        assert await inbox.drain() == PAST
        assert len(keeper.uids) == 51


async def test_f14_a_player_whose_mail_cannot_be_stored_is_waited_for_and_a_stranger_is_not(
    clock: HandClock,
) -> None:
    mailbox = Mailbox()
    mailbox.add(*[mail(STRANGERS)] * 30, mail(0, "anna"))
    async with watched(mailbox, clock) as (inbox, keeper):
        keeper.failing = {7, 31}
        await keeper.holding(29)
        assert inbox.drained_until is None
        keeper.failing = {7}
        assert await inbox.drain() == PAST - HOLD
        assert 31 in keeper.uids
        keeper.failing = set()
        while inbox.drained_until != PAST:
            await inbox.drain()
    assert sorted(keeper.uids) == list(range(1, 32))


@pytest.mark.parametrize("cut_at", [6, 7, 8, 9, 12, 30, 31, 32])
async def test_f14_a_cut_in_a_flood_loses_nothing(clock: HandClock, cut_at: int) -> None:
    mailbox = Mailbox(cut_at=cut_at)
    mailbox.add(*[mail(STRANGERS)] * 70, mail(0, "anna"))
    async with watched(mailbox, clock) as (inbox, keeper):
        await keeper.holding(71)
        while inbox.drained_until != PAST:
            await inbox.drain()
    assert set(keeper.uids) == set(range(1, 72))
    assert keeper.uids[0] == 71
    assert mailbox.read == set(mailbox.mails)


async def test_f14_real_servers_tell_heads(provider: Provider, clock: HandClock) -> None:
    for number in range(3):
        await provider.deliver(mail(STRANGERS), PAST)
        await provider.deliver(mail(number % 2, "anna"), PAST)
    stored: list[bytes] = []

    async def store(one: StoredMail) -> None:
        stored.append(one.raw)

    inbox = inbox_of(provider.settings, clock)
    watcher = asyncio.create_task(inbox.watch(store, LANES))
    async with asyncio.timeout(30):
        await inbox.drain()
    watcher.cancel()
    await asyncio.gather(watcher, return_exceptions=True)
    assert [_LANE.search(raw)[1] for raw in stored] == [b"0", b"1", b"0", b"2", b"2", b"2"]  # type: ignore[index]
