"""Bad input of every kind (what strangers send), and bytes of no kind at all: each has an answer,
none raises.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.inbound.automatic import REASONS
from pbem.mail.inbound.caps import Limits, survey
from pbem.mail.inbound.charsets import codec_of, decode
from pbem.mail.inbound.message import InboundMail
from pbem.mail.inbound.reader import read_mail
from pbem.mail.tokens import Purpose, format_token, make_token
from tests.mail.reading.raw import RULES, drawer, mail, read
from tests.rows import each_row

TOKEN = make_token(b"k" * 32, Purpose.ORDERS, 12, 1, 345)


# --- bad input
# ------------------------------------------------------------------------------------------------------------------


def test_thirty_megabytes_are_refused_as_data_and_still_tell_whom_to_answer() -> None:
    found = read(f"To: orders+{TOKEN}@realm.example", body=b"P1: fortify\r\n" * 2_300_000)
    assert (found.refused, found.text, found.sender) == ("too-large", "", "anna@example.org")
    assert [format_token(token) for token in found.tokens] == [TOKEN]


def test_f19_more_lines_than_any_attachment_has_are_refused_before_anything_is_parsed() -> None:
    attached = 'Content-Type: multipart/mixed; boundary="b"'
    body = b"--b\r\n\r\nP1: fortify\r\n--b\r\nContent-Type: application/x\r\n\r\n"
    assert read(attached, body=body + b"x" * 76 + b"\n" * 200_000).refused is None
    assert read(attached, body=body + b"\n" * 300_000).refused == "too-large"


def test_a_mail_too_large_to_be_fetched_is_read_by_its_header() -> None:
    found = read_mail(mail("To: orders@realm.example", body=""), RULES, oversize=True)
    assert (found.refused, found.sender) == ("too-large", "anna@example.org")


def nested(depth: int, kind: str) -> bytes:
    if kind == "message":
        return b"Content-Type: message/rfc822\r\n\r\n" * depth + b"P1: fortify"
    parts = "".join(
        f"Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n"
        for level in range(depth)
    )
    return parts.encode() + b"Content-Type: text/plain\r\n\r\nP1: fortify"


@pytest.mark.parametrize("depth", [25, 1000, 3000])
@pytest.mark.parametrize("kind", ["multipart", "message"])
def test_deeply_nested_mime_is_refused(depth: int, kind: str) -> None:
    found = read_mail(b"From: anna@example.org\r\n" + nested(depth, kind), RULES)
    assert (found.refused, found.sender, found.text) == ("too-deep", "anna@example.org", "")


def test_ordinary_nesting_is_read() -> None:
    found = read_mail(b"From: anna@example.org\r\n" + nested(12, "multipart"), RULES)
    assert (found.refused, found.text) == (None, "P1: fortify")


def test_two_hundred_parts_are_read_and_more_are_refused() -> None:
    def parts(count: int) -> str:
        return "--b\r\nContent-Type: text/plain\r\n\r\nP1\r\n" * count + "--b--\r\n"

    assert read("Content-Type: multipart/mixed; boundary=b", body=parts(150)).refused is None
    assert (
        read("Content-Type: multipart/mixed; boundary=b", body=parts(250)).refused
        == "too-many-parts"
    )


def test_twenty_thousand_recipients_are_refused_and_the_sender_is_known() -> None:
    recipients = ", ".join(f"player{number}@example.org" for number in range(20_000))
    found = read(f"To: {recipients}")
    assert (found.refused, found.sender, found.recipients_seen) == (
        "header-too-long",
        "anna@example.org",
        (),
    )
    folded = read("To: " + recipients.replace(", ", ",\r\n "))
    assert folded.refused in {"too-many-header-lines", "header-too-long"}


def test_many_recipients_within_the_limits_are_looked_at_up_to_a_hundred() -> None:
    found = read("To: " + ", ".join(f"player{number}@example.org" for number in range(2000)))
    assert (found.refused, len(found.recipients_seen)) == (None, 100)


def test_a_thousand_header_lines_are_the_limit() -> None:
    assert read(*[f"X-{number}: y" for number in range(900)]).refused is None
    assert read(*[f"X-{number}: y" for number in range(1100)]).refused == "too-many-header-lines"


def test_too_much_text_is_refused() -> None:
    assert (
        read(
            body=b"P1: fortify and so on and so on, and so on and so on, and so on\r\n" * 18_000
        ).refused
        == "too-much-text"
    )
    assert read(body=b"P\r\n" * 25_000).refused == "too-much-text"


def test_an_empty_mail_is_read_as_nothing() -> None:
    found = read(body="")
    assert (found.text, found.refused, found.automatic) == ("", None, None)
    assert read_mail(b"", RULES).refused == "no-sender"


def test_two_from_headers_are_refused() -> None:
    found = read("From: mallory@evil.example")
    assert (found.sender, found.refused) == (None, "several-senders")


def test_f17_utf_7_is_refused_and_never_decoded() -> None:
    found = read("Content-Type: text/plain; charset=utf-7", body="+AFA-1: fortify")
    assert (found.refused, found.text) == ("refused-charset", "")
    assert (
        read("Content-Type: text/plain; charset=unicode_escape", body=r"\x501: fortify").text
        == r"\x501: fortify"
    )
    assert read("Subject: =?utf-7?q?+AFA-1?=").subject.startswith("Re:")


def test_a_nul_in_the_text_is_left_out() -> None:
    assert read(body=b"P\x001: for\x08tify\x1b[2J").text == "P1: fortify[2J"


@each_row(
    ("charset", "data", "text"),
    [
        ("utf-8", "Größe".encode(), "Größe"),
        ("UTF8", "Größe".encode(), "Größe"),
        (None, "Größe".encode(), "Größe"),
        (None, "Größe".encode("cp1252"), "Größe"),
        ("us-ascii", "Größe".encode(), "Größe"),
        ("iso-8859-1", "“Größe”".encode("cp1252"), "“Größe”"),
        ("utf-8", "Größe".encode("cp1252"), "Größe"),
        ("utf-8", "日本語".encode() + b"\xff", "日本語\ufffd"),
        ("iso-2022-jp", "日本語".encode("iso2022_jp"), "日本語"),
        ("Shift_JIS", "日本語".encode("cp932"), "日本語"),
        ("gb2312", "龍堡".encode("gb18030"), "龍堡"),
        ("big5", "要塞".encode("big5"), "要塞"),
        ("ks_c_5601-1987", "한국".encode("cp949"), "한국"),
        ("koi8-r", "Ход".encode("koi8-r"), "Ход"),
        ("windows-1251", "Ход".encode("cp1251"), "Ход"),
        ("iso-8859-7", "Φρούριο".encode("iso-8859-7"), "Φρούριο"),
        ("x-unknown", b"P1", "P1"),
        ("\x00garbage\xff", b"P1", "P1"),
        ("hex", b"5031", "5031"),
        ("rot13", b"C1", "C1"),
        ("idna", b"xn--p1", "xn--p1"),
        ("zip", b"P1", "P1"),
        ("x" * 5000, b"P1", "P1"),
    ],
)
def test_bytes_become_text_whatever_they_claim_to_be(
    charset: str | None, data: bytes, text: str
) -> None:
    assert decode(data, charset) == text


def test_only_listed_charsets_reach_a_codec() -> None:
    for charset in (
        *("utf-7", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "hex", "base64"),
        *("bz2", "rot13", "undefined", "mbcs"),
    ):
        assert codec_of(charset) is None


@given(
    st.binary(max_size=200),
    st.sampled_from(
        [
            *("utf-8", "utf-16", "iso-2022-jp", "iso-2022-kr", "gb18030", "big5", "euc-kr"),
            "utf-7",
            None,
        ]
    ),
)
def test_no_bytes_break_the_decoding(data: bytes, charset: str | None) -> None:
    assert "\x00" not in decode(data, charset)


@each_row(
    "fields",
    [
        ("Content-Type: text/plain; charset=",),
        ("Content-Type: ;;;;",),
        ("Content-Type: multipart/mixed",),
        ('Content-Type: multipart/mixed; boundary=""',),
        ("Content-Type: multipart/mixed; boundary*0*=utf-8''b%00",),
        ("Content-Type: text/plain; charset*=utf-9''%FF%FE",),
        ("Content-Type: text/plain; charset*0=ut; charset*1=f-8",),
        ("Content-Transfer-Encoding: base64",),
        ("Content-Transfer-Encoding: x-uuencode",),
        ("Content-Transfer-Encoding: BASE64 ; x",),
        ("Content-Type: text/html", "Content-Transfer-Encoding: quoted-printable"),
        ("Subject: =?x-unknown?b?////?=", "To: ((((((((((" * 500),
        ("Subject: =?utf-8?b?" + "A" * 5000 + "?=",),
        ("Date: " + "(" * 5000,),
        ("References: " + "<" * 5000,),
    ],
)
def test_a_broken_header_is_read_as_far_as_it_goes(fields: tuple[str, ...]) -> None:
    found = read(*fields)
    assert found.sender == "anna@example.org"
    assert found.automatic is None


def test_broken_base64_gives_what_it_gives() -> None:
    assert read("Content-Transfer-Encoding: base64", body="UDE6IGZvcnRpZnk").text == "P1: fortify"
    assert (
        read("Content-Transfer-Encoding: base64", body="UDE6I!!GZvcnRpZnk=\r\n").text
        == "P1: fortify"
    )


def test_an_encrypted_mail_is_refused_with_its_reason() -> None:
    body = "--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\nxx\r\n--b--\r\n"
    assert read("Content-Type: multipart/encrypted; boundary=b", body=body).refused == "encrypted"
    assert (
        read("Content-Type: application/pkcs7-mime; smime-type=enveloped-data", body="xx").refused
        == "encrypted"
    )


def test_html_nested_beyond_reason_is_flattened() -> None:
    deep = "<div>" * 5000 + "P1: fortify" + "</div>" * 5000
    assert read("Content-Type: text/html", body=deep).text == "P1: fortify"
    assert read("Content-Type: text/html", body="<table><tr><td>" * 3000 + "P1").refused is None
    assert (
        read("Content-Type: text/html", body="<table><tr><td>" * 20_000 + "P1").refused
        == "too-much-text"
    )
    assert read("Content-Type: text/html", body="<" * 100_000).refused is None
    assert read("Content-Type: text/html", body="<" * 1_000_000).refused == "too-much-text", "F-19"


# --- anything at all
# ------------------------------------------------------------------------------------------------------------


def is_sound(found: InboundMail) -> bool:
    return (
        len(found.text.encode("utf-8", "surrogatepass")) <= Limits().text_bytes
        and "\x00" not in found.text
        and not any(line.lstrip().startswith(">") for line in found.text.splitlines())
        and (found.automatic is None or found.automatic in REASONS)
        and (found.sender is None) <= (found.refused is not None)
    )


@given(st.binary(max_size=400))
def test_no_bytes_make_the_reading_raise(raw: bytes) -> None:
    assert is_sound(read_mail(raw, RULES))
    assert is_sound(read_mail(b"From: a@b.example\r\n" + raw, RULES))


_SEEDS = [*drawer().values()]


@given(
    st.sampled_from(_SEEDS),
    st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 40), st.binary(max_size=12)),
        min_size=1,
        max_size=12,
    ),
)
def test_no_damage_to_a_real_mail_makes_the_reading_raise(
    raw: bytes, damages: list[tuple[int, int, bytes]]
) -> None:
    for at, length, bytes_instead in damages:
        place = at % (len(raw) + 1)
        raw = raw[:place] + bytes_instead + raw[place + length :]
    assert is_sound(read_mail(raw, RULES))


@given(st.sampled_from(_SEEDS), st.sampled_from(_SEEDS), st.integers(0, 3000), st.integers(0, 3000))
def test_no_two_halves_of_mails_make_the_reading_raise(
    first: bytes, second: bytes, cut: int, start: int
) -> None:
    assert is_sound(read_mail(first[:cut] + second[start:], RULES))


@each_row(
    "unit",
    [
        *(b"P1: fortify\r\n", b"--b\r\n"),
        *(b"--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n", b" folded\r\n"),
        *(b"\r", b"x"),
    ],
)
def test_the_survey_looks_at_every_line_once(unit: bytes) -> None:
    """Twice the bytes, twice the lines looked at, and never more lines than there are."""
    generous = Limits(depth=10**9, parts=10**9, header_lines=10**9, header_bytes=10**9)
    head = b"From: anna@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    once, twice = (survey(head + unit * count, generous) for count in (500, 1000))
    assert once.refused is None
    assert (
        once.lines_read
        <= (head + unit * 500).replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    )
    assert twice.lines_read <= 2 * once.lines_read


def test_a_charset_in_pieces_over_bytes_outside_ascii_is_read() -> None:
    found = read(
        "Content-Type: text/plain; charset*0*=utf-8''; charset*1=x",
        "Content-Transfer-Encoding: 8bit",
        body=b"P1: fortify \xc3\xa4",
    )
    assert "P1: fortify" in found.text
