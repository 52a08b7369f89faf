"""Whatever a stranger or a player sends: what they get, what others get, and that nothing was laid
aside by an exception.
"""

from pathlib import Path

import pytest

from pbem.desk.messages.intake import store_mail
from pbem.mail.ports import StoredMail
from tests.desk.harness import ADDRESS, AUTHSERV, GM, address_of, parse, text_of
from tests.desk.rawmail import ANNA, PASS, orders_of, outcome, raw_mail, send, table


# -------------------------------------------------------------------------------------------- bytes
@pytest.mark.parametrize(
    "charset", ["x-unknown", "unicode_escape", "idna", "\\xff", "rot13", "hex", ""]
)
async def test_a_charset_that_is_none_is_answered_and_never_decoded_by_its_name(
    tmp_path: Path, charset: str
) -> None:
    async with table(tmp_path) as desk:
        head = f"Content-Type: text/plain; charset={charset}\r\n"
        assert await send(desk, raw_mail(desk, "Anna", b"bid 12\r\n", head=head)) == ANNA
        assert "Bid 12" in text_of(desk.last("Anna"))


@pytest.mark.parametrize("body", [b"bid 12\r\n", b"+AGIAaQBkACAAMQAy-\r\n"])
async def test_utf_7_is_refused_with_an_answer_and_is_no_order(tmp_path: Path, body: bytes) -> None:
    async with table(tmp_path) as desk:
        raw = raw_mail(desk, "Anna", body, head="Content-Type: text/plain; charset=utf-7\r\n")
        assert await send(desk, raw) == ANNA
        assert "know its character code" in text_of(desk.last("Anna"))
        assert await orders_of(desk, "Anna") == ()


async def test_bytes_that_are_no_text_are_answered_and_order_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        raw = raw_mail(
            desk,
            "Anna",
            bytes(range(128, 256)) * 8,
            head="Content-Type: text/plain; charset=utf-8\r\n",
        )
        got = await send(desk, raw)
        assert ANNA[0] in got
        assert set(got) <= {*ANNA, GM}
        assert await orders_of(desk, "Anna") == ()


@pytest.mark.parametrize("body", [bytes(range(256)), b"+AGIAaQBk- 12\r\n"])
async def test_a_number_among_unreadable_signs_is_no_bid(tmp_path: Path, body: bytes) -> None:
    async with table(tmp_path) as desk:
        await send(
            desk, raw_mail(desk, "Anna", body, head="Content-Type: text/plain; charset=utf-8\r\n")
        )
        assert await orders_of(desk, "Anna") == ()
        asked = str(desk.last("Anna")["Subject"])
        assert "Was this an order?" in asked or "nothing of this counts yet" in asked


async def test_a_number_among_unreadable_signs_takes_nothing_from_orders_beside_it(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        head = "Content-Type: text/plain; charset=utf-8\r\n"
        raw = raw_mail(desk, "Anna", b"bid 5\r\n\r\n+AGIAaQBk- 12\r\n", head=head)
        assert await send(desk, raw) == ANNA
        assert await orders_of(desk, "Anna") == ("Bid 5",)
        assert "+AGIAaQBk- 12" in text_of(desk.last("Anna"))


async def test_twenty_thousand_recipients_are_told_to_the_sender_alone(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        crowd = ",\r\n ".join(f"p{number}@crowd.example" for number in range(20_000))
        assert (
            await send(desk, raw_mail(desk, "Anna", b"bid 12\r\n", head=f"Cc: {crowd}\r\n")) == ANNA
        )
        assert "head is longer" in " ".join(text_of(desk.last("Anna")).split())
        assert await orders_of(desk, "Anna") == ()


async def test_mime_nested_without_end_is_told_to_the_sender(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        services = b"".join(
            b'--b%d\r\nContent-Type: multipart/mixed; boundary="b%d"\r\n\r\n' % (n, n + 1)
            for n in range(3000)
        )
        raw = raw_mail(
            desk,
            "Anna",
            services + b"bid 12\r\n",
            head='Content-Type: multipart/mixed; boundary="b0"\r\n',
        )
        assert await send(desk, raw) == ANNA
        assert "could not read" in str(desk.last("Anna")["Subject"])
        assert await orders_of(desk, "Anna") == ()


@pytest.mark.parametrize("oversize", [True, False])
async def test_thirty_megabytes_are_told_to_the_sender(tmp_path: Path, oversize: bool) -> None:
    async with table(tmp_path) as desk:
        body = b"" if oversize else b"bid 12\r\n" + b"x" * (30 * 1024 * 1024)
        assert await send(desk, raw_mail(desk, "Anna", body), oversize=oversize) == ANNA
        assert "too large" in text_of(desk.last("Anna"))
        assert await orders_of(desk, "Anna") == ()
        to_gm = str(parse(desk.postbox.to(GM)[-1])["Reply-To"])
        master = raw_mail(desk, "Anna", b"", sender=f"From: {GM}\r\n", to=to_gm)
        assert await send(desk, master.removeprefix(PASS.encode()), oversize=True) == [GM]
        assert "too large" in text_of(parse(desk.postbox.to(GM)[-1]))


@pytest.mark.parametrize(
    "body", [b"", b"\r\n\r\n", b"-- \r\nAnna\r\nSent from my phone\r\n", b"> bid 12\r\n> final\r\n"]
)
async def test_an_empty_mail_a_signature_and_a_quotation_order_nothing_and_say_so(
    tmp_path: Path, body: bytes
) -> None:
    async with table(tmp_path) as desk:
        assert await send(desk, raw_mail(desk, "Anna", body)) == ANNA
        assert "nothing new" in str(desk.last("Anna")["Subject"])
        assert await orders_of(desk, "Anna") == ()


async def test_a_note_without_end_is_passed_on_cut(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        got = await send(desk, raw_mail(desk, "Anna", b"GM: " + b"please\r\n" * 2400))
        assert got == sorted([*ANNA, GM])
        assert len(text_of(parse(desk.postbox.to(GM)[-1]))) < 20_000


async def test_f9_of_more_than_20000_characters_nothing_is_taken_and_the_writer_is_told(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        assert await send(desk, raw_mail(desk, "Anna", b"bid 1\r\n" + b"please\r\n" * 3000)) == ANNA
        assert "20,000 characters" in text_of(parse(desk.postbox.to(address_of("Anna"))[-1]))
        assert await orders_of(desk, "Anna") == ()
        assert await send(desk, raw_mail(desk, "Anna", b"bid 1\r\n" + b"please\r\n" * 500)) == ANNA
        assert len(await orders_of(desk, "Anna")) == 1


# --------------------------------------------------------------------------------------- who it was
@pytest.mark.parametrize(
    "sender",
    [
        "From: Anna <anna@players.example>\r\nFrom: Eve <eve@elsewhere.example>\r\n",
        "From: Eve <eve@elsewhere.example>\r\nFrom: Anna <anna@players.example>\r\n",
        "From: anna@players.example, eve@elsewhere.example\r\n",
        "From: table: anna@players.example;\r\n",
        'From: "anna@players.example" <anna@players.example> <eve@elsewhere.example>\r\n',
        "From: =?utf-8?q?anna=40players.example?=\r\n",
        "From: anna@players.example\x00@elsewhere.example\r\n",
        "From : Anna <anna@players.example>\r\n",
        "",
    ],
)
async def test_a_sender_that_can_be_read_in_two_ways_is_nobody(tmp_path: Path, sender: str) -> None:
    async with table(tmp_path) as desk:
        assert await send(desk, raw_mail(desk, "Anna", b"bid 12\r\n", sender=sender)) == []
        assert await orders_of(desk, "Anna") == ()


async def test_a_name_that_impersonates_is_still_the_strangers_address(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        raw = raw_mail(
            desk,
            "Anna",
            b"bid 12\r\n",
            sender="From: Anna anna(at)players.example <eve@elsewhere.example>\r\n",
            to=ADDRESS,
        )
        assert await send(desk, raw) == []
        assert await outcome(desk) == "ignored:stranger:unknown-sender"


@pytest.mark.parametrize("place", ["above", "below"])
async def test_forged_authentication_results_prove_nothing(tmp_path: Path, place: str) -> None:
    async with table(tmp_path) as desk:
        forged = f"Authentication-Results: {'mx.evil.example' if place == 'above' else AUTHSERV}; dmarc=pass header.from=players.example\r\n"
        real = f"Authentication-Results: {AUTHSERV}; dmarc=fail header.from=players.example\r\n"
        head = (forged + real) if place == "above" else (real + forged)
        raw = f"{head}From: Anna <{address_of('Anna')}>\r\nTo: {ADDRESS}\r\nSubject: orders\r\n\r\nbid 12\r\n".encode()
        assert await send(desk, raw) == ANNA, "the registered player is told"
        assert "did not take" in str(desk.last("Anna")["Subject"])
        assert await orders_of(desk, "Anna") == ()


async def test_guessed_codes_are_worth_nothing_and_read_at_the_pace_of_strangers_and_nobody_is_answered(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        before = len(desk.postbox.mails)
        for number in range(110):
            guess = f"{number:026d}".translate(str.maketrans("0123456789", "abcdefghij"))
            raw = f"From: eve@elsewhere.example\r\nTo: orders+o1-1-{guess}@house.example\r\nMessage-ID: <{number}@e.example>\r\n\r\nbid 99\r\n"
            desk.sent += 1
            await store_mail(
                desk.services,
                StoredMail(
                    PASS.encode() + raw.encode(), desk.clock.now(), 1, desk.sent, oversize=False
                ),
            )
        read = []
        for _ in range(6):
            await desk.work()
            async with desk.services.database.read() as work:
                read.append((await work.inbox.count_by_state())["ignored"])
            desk.clock.forward(minutes=1)
        assert read == [20, 40, 60, 80, 100, 110], "so many of one sender a minute"
        assert len(desk.postbox.mails) == before
        assert await orders_of(desk, "Anna") == ()


async def test_a_forwarded_turn_mail_gives_another_player_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        got = await send(
            desk,
            raw_mail(
                desk, "Anna", b"bid 99\r\n", sender=f"From: Bartek <{address_of('Bartek')}>\r\n"
            ),
        )
        assert got == ANNA, "the owner of the seat is asked, the other is not answered"
        assert await orders_of(desk, "Anna") == ()
        assert await orders_of(desk, "Bartek") == ()
