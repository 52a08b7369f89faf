"""F-99: mails that were taken for something else, or met with silence."""

from pathlib import Path

import pytest

from tests.desk.harness import GM, text_of
from tests.desk.rawmail import orders_of, outcome, raw_mail, send, subject_of, table


def under(subject: str, raw: bytes) -> bytes:
    """The same mail with another subject."""
    return raw.replace(b"Subject: orders", f"Subject: {subject}".encode())


@pytest.mark.parametrize("body", [b"see subject\r\n", b"\r\n", b"-- \r\nAnna\r\n"])
async def test_f99_an_order_in_the_subject_is_not_read_and_its_writer_is_told(
    tmp_path: Path, body: bytes
) -> None:
    async with table(tmp_path) as desk:
        before = len(desk.postbox.to(GM))
        await send(desk, under("bid 5", raw_mail(desk, "Anna", body)))
        assert await outcome(desk) == "handled:order-in-subject"
        told = desk.letters("Anna")[-1]
        assert subject_of(told) == "[Heron] I do not read subjects"
        assert "bid 5" in text_of(told)
        assert await orders_of(desk, "Anna") == ()
        assert len(desk.postbox.to(GM)) == before, "it is no note"


@pytest.mark.parametrize(
    ("subject", "body", "expected"),
    [
        ("bid 5", b"bid 6\r\n", "handled:orders"),
        ("Re: bid 5", b"when do we play on?\r\n", "handled:note"),
        ("a question", b"when do we play on?\r\n", "handled:note"),
    ],
)
async def test_f99_another_subject_changes_nothing(
    tmp_path: Path, subject: str, body: bytes, expected: str
) -> None:
    async with table(tmp_path) as desk:
        await send(desk, under(subject, raw_mail(desk, "Anna", body)))
        assert await outcome(desk) == expected


async def test_f99_a_mail_with_a_code_through_a_list_is_answered_where_we_know_the_player(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        listed = "games@lists.example"
        raw = raw_mail(
            desk,
            "Anna",
            b"bid 5\r\n",
            head="List-Id: <games.lists.example>\r\n",
            sender=f"From: Anna <{listed}>\r\n",
        )
        for number in range(3):
            await send(desk, raw + b"\r\n" * number)
        letters = [mail for mail in desk.letters("Anna") if "mailing list" in subject_of(mail)]
        assert len(letters) == 1, "once a day"
        assert listed in text_of(letters[0])
        assert not desk.postbox.to(listed)
        assert await orders_of(desk, "Anna") == ()
        await desk.write("Anna", "bid 5", answering=letters[0])
        assert await orders_of(desk, "Anna") == ("Bid 5",)
