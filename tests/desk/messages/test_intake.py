"""The key under which a mail is kept, one for each mail, whatever its Message-ID is; and what is
taken in again after a restore.
"""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.desk.messages.intake import HEAD_OCTETS, message_key, read_journal_again, store_mail
from pbem.desk.messages.intake import MAX_ID_CHARACTERS as MOST
from pbem.mail.ports import StoredMail
from pbem.store.tables import inbox
from pbem.telegram.journal import ChatJournal
from pbem.telegram.ports import StoredUpdate
from tests.desk.chatting import open_chat_desk
from tests.desk.gm_chat import says
from tests.desk.harness import KEY
from tests.desk.rawmail import orders_of, raw_mail, table


def mail(message_id: str, *, before: str = "") -> bytes:
    return f"From: anna@players.example\r\n{before}Message-ID: {message_id}\r\n\r\nFortify P1\r\n".encode()


def id_in_key(raw: bytes) -> str:
    message_id, digest = message_key(raw).split("|")
    assert len(digest) == 64
    return message_id


def of_length(characters: int) -> str:
    return f"<{'a' * (characters - len('<@host.example>'))}@host.example>"


@pytest.mark.parametrize("message_id", ["<1@host.example>", of_length(MOST)])
def test_a_plain_id_stands_in_the_key_as_it_is(message_id: str) -> None:
    assert id_in_key(mail(message_id)) == message_id


@pytest.mark.parametrize(
    "message_id", [of_length(MOST + 1), "<1|2@host.example>", "<ä@host.example>"]
)
def test_an_id_that_is_too_long_or_no_plain_text_or_would_part_the_key_stands_as_its_hash(
    message_id: str,
) -> None:
    found = id_in_key(mail(message_id))
    assert len(found) == 66
    assert found != id_in_key(mail(message_id.replace("host", "other")))
    assert message_id not in found


def test_one_id_and_another_content_is_another_mail() -> None:
    once, again = mail("<1@host.example>"), mail("<1@host.example>") + b"Work P2\r\n"
    assert id_in_key(once) == id_in_key(again)
    assert message_key(once) != message_key(again)


def test_only_the_beginning_of_a_head_is_looked_at() -> None:
    far = "X-Filler: " + "a" * 70 + "\r\n"
    assert id_in_key(mail("<1@host.example>", before=far * (HEAD_OCTETS // len(far) + 1))) == ""
    assert id_in_key(mail("<1@host.example>", before=far)) == "<1@host.example>"


async def test_f55_a_mail_found_again_after_a_restore_counts_and_is_answered_no_second_time(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        count, raw = len(desk.postbox.mails), raw_mail(desk, "Anna", b"bid 5\r\n")
        again = StoredMail(raw, desk.clock.now(), 1, 9, oversize=False, seen_before=True)
        await store_mail(desk.services, again)
        await desk.work()
        assert await orders_of(desk, "Anna") == ("Bid 5",)
        assert len(desk.postbox.mails) == count


async def test_f55_of_a_journal_what_the_database_lost_counts_and_is_answered_no_second_time(
    tmp_path: Path,
) -> None:
    """It went back by a tool of its own, so that nobody says since when; it knows later messages."""
    async with open_chat_desk(tmp_path) as there:
        desk, journal, lost = there.desk, ChatJournal(tmp_path, KEY), list[StoredUpdate]()
        await there.link("Anna", 11)
        for text in ("bid 5", "bid 6"):
            await says(desk, 11, text, work=False)
            async with desk.services.database.write() as work:
                (row,) = await work.inbox.next_new(2)
                raw = await work.inbox.read_raw(row.id) or b""
                await work.connection.execute(inbox.delete().where(inbox.c.id == row.id))
            lost.append(StoredUpdate(desk.sent, raw, desk.clock.now()))
        desk.clock.forward(hours=20)
        await there.says(66, "hello")
        count = len(there.box.to(11))
        journal.append(lost[0])
        assert await read_journal_again(desk.services, journal, None) == 1
        await there.settle()
        assert await orders_of(desk, "Anna") == ("Bid 5",)
        assert len(there.box.to(11)) == count
        journal.append(lost[1], lost[0])
        assert await read_journal_again(desk.services, journal, None) == 0, "its last line is known"


async def test_f99_two_mails_alike_without_id_and_date_are_two(tmp_path: Path) -> None:
    """F-99: the second was taken for the first. What is handed over again is one, also where the
    server has numbered its mails anew.
    """
    raw = b"From: anna@players.example\r\n\r\nFortify P1\r\n"
    async with table(tmp_path) as desk:
        now = desk.clock.now()

        async def store(uid: int, content: bytes, seconds: int = 0, validity: int = 1) -> int:
            received_at = now + timedelta(seconds=seconds)
            mail = StoredMail(content, received_at, validity, uid, oversize=False)
            await store_mail(desk.services, mail)
            async with desk.services.database.read() as work:
                rows = await work.connection.execute(inbox.select())
                return len(rows.all())

        before = await store(5, raw)
        assert await store(5, raw) == before
        assert await store(1, raw, validity=2) == before
        assert await store(6, raw, 1) == before + 1
        dated = b"Date: Fri, 20 Nov 2026 21:12:00 +0100\r\n" + raw
        assert await store(7, dated) == await store(8, dated, 1)
