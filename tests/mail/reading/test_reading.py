"""The one entrance: real mails out of `fixtures/`, every kind of bad input, and bytes of no kind at all."""

import base64
import json
import quopri
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.automatic import REASONS
from pbem.mail.caps import Limits, survey
from pbem.mail.charsets import codec_of, decode
from pbem.mail.message import InboundMail, unflow
from pbem.mail.phrases import pattern_of
from pbem.mail.reading import ReadingRules, format_inspection, prepare_reading, read_mail
from pbem.mail.tokens import Purpose, format_token, make_token
from tests.mail.reading.clients import ADDRESS, ATTRIBUTIONS, HEADS, HTML_STYLES, OUR_HTML, OUR_MAIL, QUOTED_WORDS, quoted

RULES = ReadingRules(frozenset({"orders@realm.example"}), "realm.example", "mx.realm.example")
FIXTURES = Path(__file__).parent.parent / "fixtures"
TOKEN = make_token(b"k" * 32, Purpose.ORDERS, 12, 1, 345)
OTHER = make_token(b"k" * 32, Purpose.ORDERS, 12, 1, 344)


def mail(*fields: str, body: str | bytes = "P1: fortify\r\n", sender: str = "Anna <anna@example.org>") -> bytes:
    head = "\r\n".join([f"From: {sender}", "Subject: Re: [Heron] Turn 6", *fields]) + "\r\n\r\n"
    return head.encode() + (body.encode() if isinstance(body, str) else body)


def read(*fields: str, body: str | bytes = "P1: fortify\r\n", rules: ReadingRules = RULES) -> InboundMail:
    return read_mail(mail(*fields, body=body), rules)


# --- real files -----------------------------------------------------------------------------------------------------------------


EXPECTED = yaml.safe_load((FIXTURES / "expected.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_mail_out_of_the_drawer_is_read_as_written_down(name: str) -> None:
    found = format_inspection(read_mail((FIXTURES / f"{name}.eml").read_bytes(), RULES))
    assert found == {"from": None, "token": None, "automatic": None, "refused": None, "text": "", **EXPECTED[name]}


def test_every_mail_in_the_drawer_has_its_reading() -> None:
    assert {path.stem for path in FIXTURES.glob("*.eml")} == set(EXPECTED)


def test_an_inspection_has_the_keys_of_the_format_and_is_json() -> None:
    found = format_inspection(read(f"To: orders+{TOKEN}@realm.example"))
    assert found == {"from": "anna@example.org", "token": TOKEN, "automatic": None, "refused": None, "text": "P1: fortify"}
    assert json.loads(json.dumps(found)) == found


# --- whole mails of every client ------------------------------------------------------------------------------------------------

NEW = "P1: fortify\nFrom P3 march all to P4\n\nΣ ü 日本 P2 works"
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "8bit": lambda text: text.encode(),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()),
    "base64": lambda text: base64.encodebytes(text.encode()),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("style", sorted(ATTRIBUTIONS))
def test_a_plain_answer_of_any_client_in_any_encoding(style: str, encoding: str) -> None:
    text = f"{NEW}\n\n{ATTRIBUTIONS[style].format(addr=ADDRESS)}\n\n{quoted()}\n".replace("\n", "\r\n")
    fields = ("MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8", f"Content-Transfer-Encoding: {encoding}")
    found = read(*fields, body=ENCODINGS[encoding](text))
    assert found.text == NEW
    assert found.tokens[0].seat == 12


@pytest.mark.parametrize("style", sorted(HEADS))
def test_an_answer_without_quote_marks_of_any_client(style: str) -> None:
    text = f"{NEW}\n\n{HEADS[style].format(addr=ADDRESS)}\n\n{OUR_MAIL}"
    found = read("Content-Type: text/plain; charset=utf-8", body=text)
    assert found.text == NEW
    assert [format_token(token) for token in found.tokens] == ["o12-345-gx22n5y4mbw3kwt5br3gozowdm"]


@pytest.mark.parametrize("style", sorted(HTML_STYLES))
def test_an_html_only_answer_of_any_client(style: str) -> None:
    html = HTML_STYLES[style].replace("{addr}", ADDRESS).replace("{new}", NEW.replace("\n", "<br>")).replace("{ours}", OUR_HTML)
    assert read("Content-Type: text/html; charset=utf-8", body=html).text == NEW


def alternative(plain: str, html: str) -> bytes:
    return f"--b\r\nContent-Type: text/plain\r\n\r\n{plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n{html}\r\n--b--\r\n".encode()


def test_of_alternatives_the_plain_text_counts_and_an_empty_one_does_not() -> None:
    kind = "Content-Type: multipart/alternative; boundary=b"
    assert read(kind, body=alternative("P1: fortify", "<p>P2: work</p>")).text == "P1: fortify"
    assert read(kind, body=alternative(" \r\n", "<p>P2: work</p>")).text == "P2: work"


def test_text_around_an_inline_picture_is_read_in_order_and_attachments_are_not() -> None:
    parts = [
        "Content-Type: text/plain\r\n\r\nP1: fortify",
        "Content-Type: image/png\r\nContent-Disposition: inline\r\n\r\nxx",
        "Content-Type: text/plain\r\n\r\nP2: work",
        "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=o.txt\r\n\r\nP3: hold",
        "Content-Type: message/rfc822\r\n\r\nFrom: ben@example.org\r\n\r\nP4: hold",
        "Content-Type: application/zip\r\n\r\nP5: hold",
    ]
    body = "".join(f"--b\r\n{part}\r\n" for part in parts) + "--b--\r\n"
    assert read("Content-Type: multipart/mixed; boundary=b", body=body).text == "P1: fortify\nP2: work"


def test_flowed_text_is_joined_and_keeps_its_quote_marks() -> None:
    flowed = "P1: \r\nfortify\r\n> quoted P17: \r\n> work\r\n  indented\r\n-- \r\nAnna"
    assert read("Content-Type: text/plain; format=flowed", body=flowed).text == "P1: fortify\n\n indented"
    assert unflow("for \ntify", delsp=True) == "fortify"
    assert unflow("a \n> b \n>> c \nd") == "a \n> b \n>> c \nd"


# --- tokens ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "field",
    [
        f"Delivered-To: orders+{TOKEN}@realm.example",
        f"X-Original-To: orders+{TOKEN}@realm.example",
        f"Envelope-To: orders+{TOKEN}@realm.example",
        f"To: Heron <orders+{TOKEN}@realm.example>",
        f"To: ORDERS+{TOKEN.upper()}@REALM.example",
        f"Cc: ben@example.org, Heron <orders+{TOKEN}@realm.example>",
        f"In-Reply-To: <{TOKEN}.7@realm.example>",
        f"References: <x@y.example>\r\n <{TOKEN}.7@realm.example> <z@y.example>",
    ],
)
def test_a_token_is_found_wherever_a_client_keeps_it(field: str) -> None:
    found = read(field)
    assert [format_token(token) for token in found.tokens] == [TOKEN]
    assert found.token_text == TOKEN


@pytest.mark.parametrize(
    "body",
    [f"P1: fortify\r\n\r\n> Times are in Berlin. Code {TOKEN}\r\n", f"P1: fortify\r\n\r\n-- \r\nCode: {TOKEN.upper()}\r\n"],
)
def test_the_code_in_a_quoted_footer_is_the_last_resort(body: str) -> None:
    assert [format_token(token) for token in read(body=body).tokens] == [TOKEN]


def test_the_code_of_an_html_footer_is_found() -> None:
    html = f"<p>P1: fortify</p><blockquote type=cite><p>Answer.<br><small>Code {TOKEN}</small></p></blockquote>"
    found = read("Content-Type: text/html", body=html)
    assert (found.text, found.token_text) == ("P1: fortify", TOKEN)


def test_the_reply_address_goes_before_the_threads_and_the_footer() -> None:
    found = read(f"In-Reply-To: <{OTHER}.1@realm.example>", f"To: orders+{TOKEN}@realm.example", body=f"hello\r\n> Code {OTHER}\r\n")
    assert [format_token(token) for token in found.tokens] == [TOKEN, OTHER]


def test_the_newest_of_the_references_goes_first() -> None:
    found = read(f"References: <{OTHER}.1@realm.example> <{TOKEN}.2@realm.example>")
    assert [format_token(token) for token in found.tokens] == [TOKEN, OTHER]


def test_tokens_of_other_addresses_and_hosts_are_not_ours() -> None:
    assert read(f"To: orders+{TOKEN}@elsewhere.example", f"Cc: ben+{TOKEN}@example.org").tokens == ()
    assert read(f"In-Reply-To: <{TOKEN}.1@elsewhere.example>").tokens == ()
    assert (
        read(
            f"To: orders+{TOKEN}@realm.example", rules=ReadingRules(RULES.own_addresses, "realm.example", None, subaddressing=False)
        ).tokens
        == ()
    )


def test_without_a_configuration_any_address_may_carry_a_token() -> None:
    assert read(f"To: game+{TOKEN}@anywhere.example", rules=ReadingRules()).token_text == TOKEN


def test_a_damaged_token_is_shown_but_claims_nothing() -> None:
    found = read(f"To: orders+{TOKEN[:-2]}@realm.example")
    assert (found.tokens, found.token_text) == ((), TOKEN[:-2])


def test_twenty_thousand_codes_make_no_more_than_twenty_claims() -> None:
    codes = "\r\n".join(f"Code o{number}-1-{'a' * 26}" for number in range(15_000))
    assert len(read(body=codes).tokens) == 20


# --- the other fields -----------------------------------------------------------------------------------------------------------


def test_the_fields_of_a_mail_are_read_once_into_types() -> None:
    raw = mail(
        "Date: Fri, 20 Nov 2026 21:12:00 +0100",
        "Message-ID: <a.1@example.org>",
        "In-Reply-To: <b.2@realm.example>",
        "References: <c.3@realm.example> <b.2@realm.example>",
        "To: orders@realm.example, Ben <ben@example.org>",
        "Cc: chloe@example.org, BEN@example.org",
    )
    found = read_mail(raw, RULES)
    assert found.dated == datetime(2026, 11, 20, 20, 12, tzinfo=UTC)
    assert (found.message_id, found.in_reply_to) == ("<a.1@example.org>", "<b.2@realm.example>")
    assert found.references == ("<c.3@realm.example>", "<b.2@realm.example>")
    assert found.recipients_seen == ("ben@example.org", "chloe@example.org")
    assert (found.sender, found.sender_name, found.subject) == ("anna@example.org", "Anna", "Re: [Heron] Turn 6")
    assert len(found.digest) == 64
    assert read_mail(raw, RULES) == found


@pytest.mark.parametrize(
    "date", ["yesterday", "", "Fri, 99 Nov 2026 99:12:00 +9999", "Fri, 20 Nov 99999 21:12:00 +0000", "\x00", "=?utf-8?q?x?="]
)
def test_a_date_that_is_none_is_none(date: str) -> None:
    assert read(f"Date: {date}").dated is None


def test_a_date_without_a_zone_is_taken_as_utc() -> None:
    assert read("Date: Fri, 20 Nov 2026 21:12:00 -0000").dated == datetime(2026, 11, 20, 21, 12, tzinfo=UTC)


def test_text_and_token_stay_out_of_the_repr() -> None:
    shown = repr(read(f"To: orders+{TOKEN}@realm.example", body="my secret plan"))
    assert "secret" not in shown
    assert TOKEN not in shown


def test_html_in_names_and_subjects_is_mere_text() -> None:
    found = read_mail(b'From: "<script>alert(1)</script>" <anna@example.org>\r\nSubject: <b>x</b>\x1b[31m\r\n\r\nP1: fortify', RULES)
    assert found.sender_name == "<script>alert(1)</script>"
    assert found.subject == "<b>x</b> [31m"


# --- bad input (issue part 7) ---------------------------------------------------------------------------------------------------


def test_thirty_megabytes_are_refused_as_data_and_still_tell_whom_to_answer() -> None:
    found = read(f"To: orders+{TOKEN}@realm.example", body=b"P1: fortify\r\n" * 2_300_000)
    assert (found.refused, found.text, found.sender) == ("too-large", "", "anna@example.org")
    assert [format_token(token) for token in found.tokens] == [TOKEN]


def test_a_mail_too_large_to_be_fetched_is_read_by_its_header() -> None:
    found = read_mail(mail("To: orders@realm.example", body=""), RULES, oversize=True)
    assert (found.refused, found.sender) == ("too-large", "anna@example.org")


def nested(depth: int, kind: str) -> bytes:
    if kind == "message":
        return b"Content-Type: message/rfc822\r\n\r\n" * depth + b"P1: fortify"
    parts = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n" for level in range(depth))
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
    assert read("Content-Type: multipart/mixed; boundary=b", body=parts(250)).refused == "too-many-parts"


def test_twenty_thousand_recipients_are_refused_and_the_sender_is_known() -> None:
    recipients = ", ".join(f"player{number}@example.org" for number in range(20_000))
    found = read(f"To: {recipients}")
    assert (found.refused, found.sender, found.recipients_seen) == ("header-too-long", "anna@example.org", ())
    folded = read("To: " + recipients.replace(", ", ",\r\n "))
    assert folded.refused in {"too-many-header-lines", "header-too-long"}


def test_many_recipients_within_the_limits_are_looked_at_up_to_a_hundred() -> None:
    found = read("To: " + ", ".join(f"player{number}@example.org" for number in range(2000)))
    assert (found.refused, len(found.recipients_seen)) == (None, 100)


def test_a_thousand_header_lines_are_the_limit() -> None:
    assert read(*[f"X-{number}: y" for number in range(900)]).refused is None
    assert read(*[f"X-{number}: y" for number in range(1100)]).refused == "too-many-header-lines"


def test_too_much_text_is_refused() -> None:
    assert read(body=b"P1: fortify and so on and so on, and so on and so on, and so on\r\n" * 18_000).refused == "too-much-text"
    assert read(body=b"P\r\n" * 25_000).refused == "too-much-text"


def test_an_empty_mail_is_read_as_nothing() -> None:
    found = read(body="")
    assert (found.text, found.refused, found.automatic) == ("", None, None)
    assert read_mail(b"", RULES).refused == "no-sender"


def test_two_from_headers_are_refused() -> None:
    found = read("From: mallory@evil.example")
    assert (found.sender, found.refused) == (None, "several-senders")


def test_utf_7_is_never_decoded() -> None:
    found = read("Content-Type: text/plain; charset=utf-7", body="+AFA-1: fortify")
    assert found.text == "+AFA-1: fortify"
    assert read("Content-Type: text/plain; charset=unicode_escape", body=r"\x501: fortify").text == r"\x501: fortify"
    assert read("Subject: =?utf-7?q?+AFA-1?=").subject.startswith("Re:")


def test_a_nul_in_the_text_is_left_out() -> None:
    assert read(body=b"P\x001: for\x08tify\x1b[2J").text == "P1: fortify[2J"


@pytest.mark.parametrize(
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
def test_bytes_become_text_whatever_they_claim_to_be(charset: str | None, data: bytes, text: str) -> None:
    assert decode(data, charset) == text


def test_only_listed_charsets_reach_a_codec() -> None:
    for charset in (
        "utf-7",
        "unicode_escape",
        "raw_unicode_escape",
        "idna",
        "punycode",
        "hex",
        "base64",
        "bz2",
        "rot13",
        "undefined",
        "mbcs",
    ):
        assert codec_of(charset) is None


@given(
    st.binary(max_size=200), st.sampled_from(["utf-8", "utf-16", "iso-2022-jp", "iso-2022-kr", "gb18030", "big5", "euc-kr", "utf-7", None])
)
def test_no_bytes_break_the_decoding(data: bytes, charset: str | None) -> None:
    assert "\x00" not in decode(data, charset)


@pytest.mark.parametrize(
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
    assert read("Content-Transfer-Encoding: base64", body="UDE6I!!GZvcnRpZnk=\r\n").text == "P1: fortify"


def test_an_encrypted_mail_is_refused_with_its_reason() -> None:
    body = "--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\nxx\r\n--b--\r\n"
    assert read("Content-Type: multipart/encrypted; boundary=b", body=body).refused == "encrypted"
    assert read("Content-Type: application/pkcs7-mime; smime-type=enveloped-data", body="xx").refused == "encrypted"


def test_html_nested_beyond_reason_is_flattened() -> None:
    deep = "<div>" * 5000 + "P1: fortify" + "</div>" * 5000
    assert read("Content-Type: text/html", body=deep).text == "P1: fortify"
    assert read("Content-Type: text/html", body="<table><tr><td>" * 20_000 + "P1").refused is None
    assert read("Content-Type: text/html", body="<" * 100_000).refused is None


# --- anything at all ------------------------------------------------------------------------------------------------------------


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


_SEEDS = [path.read_bytes() for path in sorted(FIXTURES.glob("*.eml"))]


@given(
    st.sampled_from(_SEEDS),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 40), st.binary(max_size=12)), min_size=1, max_size=12),
)
def test_no_damage_to_a_real_mail_makes_the_reading_raise(raw: bytes, damages: list[tuple[int, int, bytes]]) -> None:
    for at, length, bytes_instead in damages:
        place = at % (len(raw) + 1)
        raw = raw[:place] + bytes_instead + raw[place + length :]
    assert is_sound(read_mail(raw, RULES))


@given(st.sampled_from(_SEEDS), st.sampled_from(_SEEDS), st.integers(0, 3000), st.integers(0, 3000))
def test_no_two_halves_of_mails_make_the_reading_raise(first: bytes, second: bytes, cut: int, start: int) -> None:
    assert is_sound(read_mail(first[:cut] + second[start:], RULES))


@pytest.mark.parametrize(
    "unit",
    [b"P1: fortify\r\n", b"--b\r\n", b"--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n", b" folded\r\n", b"\r", b"x"],
)
def test_the_survey_looks_at_every_line_once(unit: bytes) -> None:
    """Twice the bytes, twice the lines looked at, and never more lines than there are."""
    generous = Limits(depth=10**9, parts=10**9, header_lines=10**9, header_bytes=10**9)
    head = b"From: anna@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    once, twice = (survey(head + unit * count, generous) for count in (500, 1000))
    assert once.refused is None
    assert once.lines_read <= (head + unit * 500).replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    assert twice.lines_read <= 2 * once.lines_read


def test_no_quoted_word_is_in_the_new_text_of_any_mail_in_the_drawer() -> None:
    for raw in _SEEDS:
        assert not any(word in read_mail(raw, RULES).text for word in QUOTED_WORDS)


def test_reading_can_be_prepared_before_the_first_mail() -> None:
    prepare_reading()
    loaded = pattern_of.cache_info().currsize
    read_mail(_SEEDS[0], RULES)
    assert pattern_of.cache_info().currsize == loaded
