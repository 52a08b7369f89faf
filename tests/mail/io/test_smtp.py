"""Sending, against servers that answer by script."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from pbem.demo.front import Stage
from pbem.demo.servers import EmbeddedMail
from pbem.mail.ports import Deferred, OutboundMail, Refused, Sent, WireError
from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from tests.mail.io.support import HandClock

BEN = "ben@players.example"
GAME = "game@svc.example"


def outgoing(
    text: str = "hello", recipient: str = BEN, sender: str = "bounces+abc@svc.example"
) -> OutboundMail:
    raw = f"From: Realm <{GAME}>\r\nTo: {recipient}\r\nSubject: turn\r\nMessage-ID: <1@svc.example>\r\n\r\n{text}\r\n".encode()
    return OutboundMail(sender, recipient, raw)


@pytest.fixture
async def mail() -> AsyncIterator[EmbeddedMail]:
    async with EmbeddedMail(HandClock()) as embedded:
        await embedded.add_account(GAME, "pw", aliases=("bounces@svc.example",), imap=False)
        await embedded.add_account(BEN, "pw", imap=False)
        yield embedded


@pytest.fixture
async def outbound(mail: EmbeddedMail) -> AsyncIterator[SmtpOutbound]:
    async with SmtpOutbound(mail.smtp_settings(GAME)) as smtp:
        yield smtp


async def test_a_burst_goes_over_one_connection_and_arrives_in_order(
    mail: EmbeddedMail, outbound: SmtpOutbound
) -> None:
    for number in range(5):
        assert isinstance(await outbound.send(outgoing(f"mail {number}")), Sent)
    assert [raw.rsplit(b"\r\n\r\n", 1)[1] for raw in await mail.mails(BEN)] == [
        f"mail {n}\r\n".encode() for n in range(5)
    ]
    assert mail.front.connections_made == 1


async def test_after_so_many_mails_a_new_connection_is_made(mail: EmbeddedMail) -> None:
    settings = mail.smtp_settings(GAME)
    few = SmtpSettings(
        host=settings.host,
        port=settings.port,
        tls="none",
        mails_per_connection=2,
        local_hostname="localhost",
    )
    async with SmtpOutbound(few) as outbound:
        for _ in range(5):
            await outbound.send(outgoing())
    assert mail.front.connections_made == 3


async def test_lines_that_begin_with_a_dot_arrive_as_they_are(
    mail: EmbeddedMail, outbound: SmtpOutbound
) -> None:
    text = ".\r\n..\r\n.hidden\r\nMAIL FROM:<x@y.example>"
    assert isinstance(await outbound.send(outgoing(text)), Sent)
    (raw,) = await mail.mails(BEN)
    assert raw.endswith(text.encode() + b"\r\n")


@pytest.mark.parametrize(
    "bad",
    [
        *(b"a\nb\r\n", b"a\rb\r\n", b"a\r\n.\n\r\n", b"a", b"caf\xc3\xa9\r\n", b"a\0\r\n"),
        b"x" * 999 + b"\r\n",
        b"",
    ],
)
async def test_bytes_that_could_smuggle_a_second_mail_are_never_sent(
    mail: EmbeddedMail, outbound: SmtpOutbound, bad: bytes
) -> None:
    with pytest.raises(WireError):
        await outbound.send(OutboundMail(GAME, BEN, bad))
    assert await mail.mails(BEN) == []


async def test_an_unknown_recipient_is_refused_and_the_next_mail_goes_through(
    mail: EmbeddedMail, outbound: SmtpOutbound
) -> None:
    refusal = await outbound.send(outgoing(recipient="nobody@players.example"))
    assert isinstance(refusal, Refused)
    assert (refusal.code, refusal.about) == (550, "recipient")
    assert isinstance(await outbound.send(outgoing()), Sent)


@pytest.mark.parametrize(
    ("stage", "answer", "expected"),
    [
        ("RCPT", "450 4.2.1 busy", Deferred(450, "4.2.1 busy")),
        ("RCPT", "452 4.2.2 full", Deferred(452, "4.2.2 full")),
        ("RCPT", "552 5.2.2 full", Refused(552, "5.2.2 full", "recipient")),
        ("RCPT", "530 5.7.0 log in first", Deferred(530, "5.7.0 log in first")),
        ("RCPT", "503 5.5.1 bad sequence", Deferred(503, "5.5.1 bad sequence")),
        (
            "RCPT",
            "554 5.7.1 relay access denied",
            Refused(554, "5.7.1 relay access denied", "message"),
        ),
        ("RCPT", "550 no such user", Refused(550, "no such user", "recipient")),
        ("DATA", "451 4.3.0 try later", Deferred(451, "4.3.0 try later")),
        ("DATA", "554 5.7.1 looks like spam", Refused(554, "5.7.1 looks like spam", "message")),
        ("DATA", "550 5.1.1 no such user", Refused(550, "5.1.1 no such user", "recipient")),
        ("MAIL", "451 4.3.0 try later", Deferred(451, "4.3.0 try later")),
        ("MAIL", "550 5.7.1 not your address", Deferred(550, "5.7.1 not your address")),
        ("MAIL", "552 5.3.4 too big", Refused(552, "5.3.4 too big", "message")),
        ("MAIL", "421 4.3.2 going down", Deferred(421, "4.3.2 going down")),
    ],
)
async def test_the_server_s_answer_is_told_and_the_same_mail_can_be_sent_again(
    mail: EmbeddedMail,
    outbound: SmtpOutbound,
    stage: Stage,
    answer: str,
    expected: Deferred | Refused,
) -> None:
    mail.front.answer(stage, answer)
    assert await outbound.send(outgoing()) == expected
    assert await mail.mails(BEN) == []
    assert isinstance(await outbound.send(outgoing()), Sent)


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
async def test_a_connection_that_breaks_defers_the_mail(
    mail: EmbeddedMail, outbound: SmtpOutbound, stage: Stage
) -> None:
    mail.front.answer(stage, None)
    first = await outbound.send(outgoing())
    assert isinstance(first, Deferred)
    assert isinstance(await outbound.send(outgoing()), Sent)


async def test_a_kept_connection_that_the_server_has_closed_is_noticed_before_the_mail(
    mail: EmbeddedMail, outbound: SmtpOutbound
) -> None:
    assert isinstance(await outbound.send(outgoing("one")), Sent)
    mail.front.drop_connections()
    assert isinstance(await outbound.send(outgoing("two")), Sent)
    assert len(await mail.mails(BEN)) == 2


async def test_a_wrong_password_defers(mail: EmbeddedMail) -> None:
    settings = mail.smtp_settings(GAME)
    wrong = SmtpSettings(
        host=settings.host,
        port=settings.port,
        tls="none",
        user=GAME,
        password="mellon",
        local_hostname="localhost",
    )
    async with SmtpOutbound(wrong) as outbound:
        answer = await outbound.send(outgoing())
    assert isinstance(answer, Deferred)
    assert answer.code == 535
    assert "mellon" not in repr(wrong) + answer.text


async def test_nobody_listening_defers() -> None:
    async with SmtpOutbound(SmtpSettings(host="127.0.0.1", port=1, tls="none")) as outbound:
        assert isinstance(await outbound.send(outgoing()), Deferred)


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(talk: Talk) -> AsyncIterator[SmtpSettings]:
    """A server that is not even a server."""
    writers = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await talk(reader, writer)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield SmtpSettings(
            host="127.0.0.1", port=port, tls="none", local_hostname="localhost", timeout_seconds=0.3
        )
    finally:
        listening.close()
        for writer in writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)
        await listening.wait_closed()


async def test_a_server_that_will_not_talk_today_defers() -> None:
    async def busy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"421 4.3.2 too many connections\r\n")

    async with server(busy) as settings, SmtpOutbound(settings) as outbound:
        answer = await outbound.send(outgoing())
    assert isinstance(answer, Deferred)
    assert answer.code == 421


async def test_a_server_that_never_says_a_word_defers() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with server(silent) as settings, SmtpOutbound(settings) as outbound:
        answer = await outbound.send(outgoing())
    assert isinstance(answer, Deferred)
    assert answer.code is None


async def test_a_server_that_talks_nonsense_defers() -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x00\xff hello?\r\n" * 3)

    async with server(nonsense) as settings, SmtpOutbound(settings) as outbound:
        assert isinstance(await outbound.send(outgoing()), Deferred)


async def test_a_server_that_dies_in_the_middle_of_the_text_defers() -> None:
    heard = []

    async def dying(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        async for line in reader:
            heard.append(line)
            if line.upper().startswith(b"DATA"):
                writer.write(b"354 go on\r\n")
                await reader.readline()
                writer.transport.abort()
                return
            writer.write(b"250 OK\r\n")

    async with server(dying) as settings, SmtpOutbound(settings) as outbound:
        answer = await outbound.send(outgoing("x" * 60 + "\r\n" + "y" * 900))
    assert isinstance(answer, Deferred)
    assert answer.code is None
    assert any(line.upper().startswith(b"MAIL FROM:<BOUNCES+ABC@SVC.EXAMPLE>") for line in heard)


async def test_a_cancelled_send_leaves_a_usable_sender() -> None:
    """Whoever sends next must not take the late answers of the first dialogue for his own."""
    asked, connections = asyncio.Event(), []

    async def slow_at_first(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        first = len(connections) == 1
        writer.write(b"220 hello\r\n")
        in_text = False
        async for line in reader:
            if first and line.upper().startswith(b"MAIL"):
                asked.set()
                await reader.read()
                return
            if in_text and line != b".\r\n":
                continue
            in_text = line.upper().startswith(b"DATA")
            writer.write(b"354 go on\r\n" if in_text else b"250 OK second\r\n")

    async with server(slow_at_first) as settings, SmtpOutbound(settings) as outbound:
        sending = asyncio.create_task(outbound.send(outgoing("interrupted")))
        await asked.wait()
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        assert sending.cancelled()
        assert await outbound.send(outgoing("after")) == Sent("OK second")
    assert len(connections) == 2


async def test_the_null_sender_is_possible(mail: EmbeddedMail, outbound: SmtpOutbound) -> None:
    assert isinstance(await outbound.send(outgoing(sender="")), Sent)
    assert (await mail.mails(BEN))[0].startswith(b"Return-Path: <>\r\n")


async def test_f14_a_server_that_hangs_on_one_mail_holds_up_no_other() -> None:
    """F-14: a hang after DATA for one reader, and the others waited a minute."""
    hanging = asyncio.Event()

    async def hangs_for_anna(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        in_text, for_anna = False, False
        async for line in reader:
            for_anna = for_anna or line.upper().startswith(b"RCPT TO:<ANNA")
            if in_text and line != b".\r\n":
                continue
            if in_text and for_anna:
                hanging.set()
                await reader.read()
                return
            in_text = line.upper().startswith(b"DATA")
            writer.write(b"354 go on\r\n" if in_text else b"250 OK\r\n")

    async with (
        server(hangs_for_anna) as settings,
        SmtpOutbound(replace(settings, timeout_seconds=60.0)) as outbound,
    ):
        to_anna = asyncio.create_task(outbound.send(outgoing(recipient="anna@slow.example")))
        await hanging.wait()
        for _ in range(3):
            assert await outbound.send(outgoing()) == Sent("OK")
        assert not to_anna.done()
        to_anna.cancel()
        await asyncio.gather(to_anna, return_exceptions=True)


async def test_f14_there_are_no_more_connections_than_are_allowed() -> None:
    connections, go_on = [], asyncio.Event()

    async def waits(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        if len(connections) == 2:
            go_on.set()
        await go_on.wait()
        writer.write(b"220 hello\r\n")
        in_text = False
        async for line in reader:
            if in_text and line != b".\r\n":
                continue
            in_text = line.upper().startswith(b"DATA")
            writer.write(b"354 go on\r\n" if in_text else b"250 OK\r\n")

    async with (
        server(waits) as settings,
        SmtpOutbound(replace(settings, timeout_seconds=60.0, connections=2)) as outbound,
    ):
        assert (
            await asyncio.gather(*(outbound.send(outgoing()) for _ in range(6))) == [Sent("OK")] * 6
        )
    assert len(connections) == 2


class Pipelining:
    """A server that takes commands in one piece; `answers` are its words to them where they are not
    the usual ones.
    """

    def __init__(self, **answers: bytes) -> None:
        self.answers = answers
        self.pieces: list[list[bytes]] = []
        self.texts: list[bytes] = []
        self.connections = 0
        self.writers: list[asyncio.StreamWriter] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        writer.write(b"220 hello\r\n")
        while piece := await reader.read(100_000):
            lines = piece.splitlines()
            self.pieces.append([line.split()[0].upper() for line in lines])
            words = []
            for word in self.pieces[-1]:
                usual = b"250-hello\r\n250 PIPELINING" if word == b"EHLO" else b"250 OK"
                usual = b"354 go on" if word == b"DATA" else usual
                words.append(self.answers.get(word.decode(), usual) + b"\r\n")
            writer.write(b"".join(words))
            if words[-1].startswith(b"354"):
                text = await reader.readuntil(b"\r\n.\r\n")
                self.texts.append(text)
                writer.write(b"250 taken\r\n")


ENVELOPE = [b"MAIL", b"RCPT", b"DATA"]


async def test_f40_what_comes_before_the_text_goes_in_one_piece_where_the_server_lets_us() -> None:
    there = Pipelining()
    async with server(there) as settings, SmtpOutbound(settings) as outbound:
        answers = [await outbound.send(outgoing(f"..{number}")) for number in range(3)]
        assert there.pieces == [[b"EHLO"], ENVELOPE, ENVELOPE, ENVELOPE]
    assert answers == [Sent("taken")] * 3
    assert [text.rpartition(b"\r\n\r\n")[2] for text in there.texts] == [
        b"...%d\r\n.\r\n" % number for number in range(3)
    ]
    assert there.connections == 1


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"MAIL": b"451 later", "RCPT": b"503 no", "DATA": b"503 no"}, Deferred(451, "later")),
        ({"MAIL": b"552 5.3.4 too big", "RCPT": b"503 no", "DATA": b"503 no"}, "message"),
        ({"RCPT": b"550 5.1.1 nobody", "DATA": b"554 no recipients"}, "recipient"),
        ({"RCPT": b"550 5.7.1 policy", "DATA": b"554 no recipients"}, "message"),
        ({"RCPT": b"450 greylisted", "DATA": b"503 no"}, Deferred(450, "greylisted")),
        ({"DATA": b"451 disk full"}, Deferred(451, "disk full")),
        ({"DATA": b"554 5.6.0 no"}, "message"),
    ],
)
async def test_a_refusal_in_the_middle_of_a_piece_is_told_and_the_next_mail_goes_through(
    answers: dict[str, bytes], expected: Deferred | str
) -> None:
    there = Pipelining(**answers)
    async with server(there) as settings, SmtpOutbound(settings) as outbound:
        answer = await outbound.send(outgoing("first"))
        there.answers.clear()
        assert await outbound.send(outgoing("second")) == Sent("taken")
        assert there.pieces == [[b"EHLO"], ENVELOPE, [b"RSET"], ENVELOPE]
    assert isinstance(answer, Deferred | Refused)
    assert (answer.about if isinstance(answer, Refused) else answer) == expected
    assert len(there.texts) == there.connections == 1


async def test_a_server_that_waits_for_the_text_of_a_refused_mail_gets_none() -> None:
    there = Pipelining(RCPT=b"550 5.1.1 nobody")
    async with server(there) as settings, SmtpOutbound(settings) as outbound:
        assert isinstance(await outbound.send(outgoing("first")), Refused)
        there.answers.clear()
        assert await outbound.send(outgoing("second")) == Sent("taken")
    assert [b"second" in text for text in there.texts] == [True]
    assert there.connections == 2


@pytest.mark.parametrize("words", [b"421 4.4.2 idle for too long\r\n", b"421 4.4", b""])
async def test_a_kept_connection_on_which_something_was_said_is_used_no_more(words: bytes) -> None:
    there = Pipelining()
    async with server(there) as settings, SmtpOutbound(settings) as outbound:
        assert await outbound.send(outgoing("first")) == Sent("taken")
        there.writers[0].write(words)
        there.writers[0].close()
        await there.writers[0].wait_closed()
        assert await outbound.send(outgoing("second")) == Sent("taken")
    assert len(there.texts) == there.connections == 2


@pytest.mark.parametrize("words", [b"250-" + b"x" * 40_000 + b"\r\n", b"2x0 what\r\n"])
async def test_a_reply_that_is_none_defers(words: bytes) -> None:
    there = Pipelining(RCPT=words)
    async with server(there) as settings, SmtpOutbound(settings) as outbound:
        answer = await outbound.send(outgoing("first"))
        assert isinstance(answer, Deferred)
        there.answers.clear()
        assert await outbound.send(outgoing("second")) == Sent("taken")
    assert there.connections == 2


HANGS = ("greeting", "EHLO", "STARTTLS", "TLS", "AUTH", "password", "MAIL", "RCPT", "DATA", "text")


@pytest.mark.parametrize("at", HANGS)
async def test_f14_every_step_of_sending_has_its_time(at: str) -> None:
    async def hangs(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if at == "greeting":
            await reader.read()
            return
        writer.write(b"220 hello\r\n")
        in_text, secret = False, at == "password"
        async for line in reader:
            word = line.split()[0].decode().upper() if line.split() else ""
            if in_text and line != b".\r\n":
                continue
            if (
                word == at
                or (in_text and at == "text")
                or (secret and word not in {"EHLO", "AUTH"})
            ):
                await reader.read()
                return
            in_text = word == "DATA"
            if word == "EHLO":
                writer.write(
                    b"250-hello\r\n250-STARTTLS\r\n250 AUTH "
                    + (b"LOGIN" if secret else b"PLAIN")
                    + b"\r\n"
                )
            elif word == "STARTTLS":  # and then nothing of TLS
                writer.write(b"220 go on\r\n")
                await reader.read()
                return
            elif word == "AUTH":
                writer.write(b"334 VXNlcm5hbWU6\r\n" if secret else b"235 welcome\r\n")
            else:
                writer.write(b"354 go on\r\n" if in_text else b"250 OK\r\n")

    async with server(hangs) as settings:
        quick = replace(
            settings,
            timeout_seconds=0.1,
            tls="starttls" if at in {"STARTTLS", "TLS"} else "none",
            user="me",
            password="pw",
        )
        async with asyncio.timeout(30), SmtpOutbound(quick) as outbound:
            answer = await outbound.send(outgoing())
    assert isinstance(answer, Deferred)
    assert (answer.code, answer.hung) == (None, True)


async def test_f14_a_server_that_answers_each_step_just_in_time_is_left_at_last() -> None:
    async def drips(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        async for _ in reader:
            writer.write(b"250-and more\r\n")

    async with (
        server(drips) as settings,
        SmtpOutbound(replace(settings, timeout_seconds=60.0, mail_seconds=0.2)) as outbound,
    ):
        answer = await outbound.send(outgoing())
    assert isinstance(answer, Deferred)
    assert answer.hung
