"""IMAP servers that are slow, silent, poor or mad."""

import asyncio
import dataclasses
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pbem.mail.imap_commands import ImapSettings
from tests.mail.io.support import HandClock, Shelf, inbox_of, mail, watching

Answers = Callable[[str, bytes], bytes | None]
"""From the command in capitals and its tag to the bytes to send; None says nothing at all."""

MAIL = mail("word")


def usual(command: str, tag: bytes, capabilities: bytes = b"IMAP4rev1") -> bytes:
    """What a server with one unread mail would say."""
    answers = {
        "CAPABILITY": b"* CAPABILITY " + capabilities + b"\r\n",
        "SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] fine\r\n* OK [UIDNEXT 6] soon\r\n",
        "UID SEARCH": b"* SEARCH 5\r\n",
        "FACTS": b'* 1 FETCH (UID 5 RFC822.SIZE %d INTERNALDATE " 1-Mar-2024 10:00:00 +0100")\r\n'
        % len(MAIL),
        "BODY": b"* 1 FETCH (UID 5 BODY[] {%d}\r\n%s)\r\n" % (len(MAIL), MAIL),
    }
    return answers.get(command, b"") + tag + b" OK done\r\n"


@asynccontextmanager
async def server(
    answers: Answers, greeting: bytes = b"* OK hello\r\n"
) -> AsyncIterator[ImapSettings]:
    writers = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        writer.write(greeting)
        async for line in reader:
            tag, _, rest = line.strip().partition(b" ")
            words = rest.decode().upper().split(" ")
            command = " ".join(words[:2]) if words[0] == "UID" else words[0]
            if command == "UID FETCH":
                command = "BODY" if "BODY" in rest.decode() else "FACTS"
            answer = answers(command, tag)
            if answer is not None:
                writer.write(answer)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield ImapSettings(
            host="127.0.0.1", port=port, tls="none", user="u", password="p", timeout_seconds=0.2
        )
    finally:
        listening.close()
        for writer in writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)
        await listening.wait_closed()


async def trouble_with(
    answers: Answers, clock: HandClock, shelf: Shelf, greeting: bytes = b"* OK hello\r\n"
) -> str:
    """What the inbox says of it."""
    backed_off = asyncio.Event()
    async with server(answers, greeting) as settings:
        inbox = inbox_of(settings, clock, on_back_off=backed_off.set)
        async with watching(inbox, shelf):
            await backed_off.wait()
            assert inbox.drained_until is None
            return str(inbox.last_error)


async def test_a_server_without_idle_is_polled(clock: HandClock, shelf: Shelf) -> None:
    searches = asyncio.Semaphore(0)

    def counting(command: str, tag: bytes) -> bytes:
        if command == "UID SEARCH":
            searches.release()
        return usual(command, tag)

    async with (
        server(counting) as settings,
        watching(inbox_of(settings, clock, poll_seconds=0.01), shelf),
    ):
        for _ in range(8):
            await searches.acquire()
    assert shelf.mails[0].raw == MAIL
    assert shelf.mails[0].received_at.isoformat() == "2024-03-01T09:00:00+00:00"
    assert (shelf.mails[0].uidvalidity, shelf.mails[0].uid) == (7, 5)


async def test_idle_is_left_for_a_look_every_poll_even_if_the_server_never_pushes(
    clock: HandClock, shelf: Shelf
) -> None:
    idles = asyncio.Semaphore(0)
    tags = []

    def deaf(command: str, tag: bytes) -> bytes:
        if command == "IDLE":
            idles.release()
            tags.append(tag)
            return b"+ idling\r\n"
        if tag == b"DONE":
            return tags[-1] + b" OK done\r\n"
        return usual(command, tag, b"IMAP4rev1 IDLE")

    async with (
        server(deaf) as settings,
        watching(inbox_of(settings, clock, poll_seconds=0.01), shelf) as inbox,
    ):
        for _ in range(4):
            await idles.acquire()
        assert inbox.last_error is None


@pytest.mark.parametrize(
    "silent_at",
    ["CAPABILITY", "LOGIN", "SELECT", "NOOP", "UID SEARCH", "FACTS", "BODY", "UID STORE", "IDLE"],
)
async def test_a_server_that_falls_silent_is_left_and_tried_again(
    silent_at: str, clock: HandClock, shelf: Shelf
) -> None:
    def until(command: str, tag: bytes) -> bytes | None:
        return None if command == silent_at else usual(command, tag, b"IMAP4rev1 IDLE")

    backed_off = asyncio.Event()
    async with (
        server(until) as settings,
        watching(inbox_of(settings, clock, on_back_off=backed_off.set), shelf) as inbox,
    ):
        await backed_off.wait()
        assert inbox.last_error is not None
    assert bool(shelf.mails) == (silent_at in {"UID STORE", "IDLE"})


async def test_a_server_that_says_nothing_from_the_start(clock: HandClock, shelf: Shelf) -> None:
    assert await trouble_with(usual, clock, shelf, greeting=b"") != "None"


@pytest.mark.parametrize(
    ("at", "answer", "message"),
    [
        ("SELECT", b"* 1 EXISTS\r\n%s OK done\r\n", "UIDVALIDITY"),
        ("SELECT", b"%s NO no such mailbox\r\n", "SELECT: NO no such mailbox"),
        ("UID SEARCH", b"%s BAD what\r\n", "SEARCH: BAD what"),
        (
            "FACTS",
            b'* 1 FETCH (UID 5 RFC822.SIZE 1 INTERNALDATE "31-Feb-2024 10:00:00 +0000")\r\n%s OK done\r\n',
            "INTERNALDATE",
        ),
        (
            "FACTS",
            b'* 1 FETCH (UID 5 RFC822.SIZE 1 INTERNALDATE "01-Foo-2024 10:00:00 +0000")\r\n%s OK done\r\n',
            "INTERNALDATE",
        ),
        ("FACTS", b"%s NO try later\r\n", "FETCH: NO try later"),
        ("UID STORE", b"%s NO read-only\r\n", "STORE: NO read-only"),
    ],
)
async def test_what_the_server_refuses_is_told(
    at: str, answer: bytes, message: str, clock: HandClock, shelf: Shelf
) -> None:
    def answers(command: str, tag: bytes) -> bytes:
        return answer % tag if command == at else usual(command, tag)

    assert re.search(re.escape(message), await trouble_with(answers, clock, shelf))


@pytest.mark.parametrize("gone", ["FACTS", "BODY"])
async def test_a_mail_that_somebody_deletes_in_between_is_no_trouble(
    gone: str, clock: HandClock, shelf: Shelf
) -> None:
    def answers(command: str, tag: bytes) -> bytes:
        return tag + b" OK nothing\r\n" if command == gone else usual(command, tag)

    async with server(answers) as settings, watching(inbox_of(settings, clock), shelf) as inbox:
        await inbox.drain()
    assert shelf.mails == []


async def test_an_empty_text_may_come_as_a_quoted_string(clock: HandClock, shelf: Shelf) -> None:
    def answers(command: str, tag: bytes) -> bytes:
        return (
            b'* 1 FETCH (UID 5 BODY[] "")\r\n' + tag + b" OK done\r\n"
            if command == "BODY"
            else usual(command, tag)
        )

    async with server(answers) as settings, watching(inbox_of(settings, clock), shelf) as inbox:
        await inbox.drain()
    assert [stored.raw for stored in shelf.mails] == [b""]


async def test_moving_needs_a_server_that_can_move(clock: HandClock, shelf: Shelf) -> None:
    backed_off = asyncio.Event()
    async with server(usual) as settings:
        inbox = inbox_of(settings, clock, on_back_off=backed_off.set, done_mailbox="Done")
        async with watching(inbox, shelf):
            await backed_off.wait()
            assert "done_mailbox" in str(inbox.last_error)
    assert shelf.mails == []


async def test_the_back_off_grows_to_its_cap_and_falls_back_after_success(
    clock: HandClock, shelf: Shelf
) -> None:
    async with server(usual) as settings:
        inbox = inbox_of(settings, clock, back_off_seconds=1.0, max_back_off_seconds=10.0)
        waits = []
        for failures in range(1, 8):
            inbox._failures = failures
            waits.append(inbox._back_off_seconds())
        async with watching(inbox, shelf):
            await inbox.drain()
        assert waits == [0.75, 1.5, 3.0, 6.0, 7.5, 7.5, 7.5]
        assert inbox._failures == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"mailbox": "Żółw"},
        {"mailbox": "a\r\nb"},
        {"done_mailbox": ""},
        {"password": "a\nb"},
        {"user": "a\0"},
    ],
)
def test_settings_that_cannot_be_said_in_imap_are_refused(changes: dict[str, Any]) -> None:
    fine = ImapSettings(host="h", port=1, tls="none", user="u", password="p")
    with pytest.raises(ValueError, match=r"mailbox|IMAP"):
        dataclasses.replace(fine, **changes)


MOST_LOOKS = 40


async def looks_before_idle(
    told: Callable[[int], bytes], idles: int, clock: HandClock, shelf: Shelf, **changes: Any
) -> int:
    """How often the mailbox is asked for news, at most `MOST_LOOKS`, before the inbox waits for so
    many times; `told` is what the server says at each word of ours.
    """
    said, looks, tags = 0, 0, []
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def end() -> None:
        if not ended.done():
            ended.set_result(looks)

    def answers(command: str, tag: bytes) -> bytes:
        nonlocal looks, said
        said += 1
        if command == "NOOP":
            looks += 1
            if looks >= MOST_LOOKS:
                end()
            return told(said) + tag + b" OK done\r\n"
        if command == "IDLE":
            tags.append(tag)
            if len(tags) == idles:
                end()
            return b"+ idling\r\n" + told(said)
        if tag == b"DONE":
            return tags[-1] + b" OK done\r\n"
        if command == "UID SEARCH":
            return b"* SEARCH\r\n" + tag + b" OK done\r\n"
        return usual(command, tag, b"IMAP4rev1 IDLE")

    async with server(answers) as settings, watching(inbox_of(settings, clock, **changes), shelf):
        return await ended


async def test_f108_a_server_that_repeats_a_number_of_mails_at_every_noop_has_no_news(
    clock: HandClock, shelf: Shelf
) -> None:
    """F-108: it was asked 1,679 times a second, for ever."""
    assert await looks_before_idle(lambda said: b"* 1 EXISTS\r\n", 1, clock, shelf) <= 2


async def test_f108_where_a_server_tells_of_mail_that_is_not_there_we_pause(
    clock: HandClock, shelf: Shelf
) -> None:
    """It tells another number every time, in IDLE too."""
    looks = await looks_before_idle(
        lambda said: b"* %d EXISTS\r\n" % said, 2, clock, shelf, least_pause_seconds=3600.0
    )
    assert looks <= 6


async def test_f108_a_mail_that_takes_the_place_of_one_that_was_expunged_is_news(
    clock: HandClock, shelf: Shelf
) -> None:
    """The number is the same as before."""
    tags, there = [], False

    def answers(command: str, tag: bytes) -> bytes:
        nonlocal there
        if command == "IDLE":
            tags.append(tag)
            there = True
            return b"+ idling\r\n* 1 EXPUNGE\r\n* 1 EXISTS\r\n"
        if tag == b"DONE":
            return tags[-1] + b" OK done\r\n"
        if command == "UID SEARCH" and not there:
            return b"* SEARCH\r\n" + tag + b" OK done\r\n"
        return usual(command, tag, b"IMAP4rev1 IDLE")

    async with server(answers) as settings, watching(inbox_of(settings, clock), shelf):
        [stored] = await shelf.holding(1)
        assert stored.raw == MAIL
