"""The one entrance: real mails out of `fixtures/`, every kind of bad input, and bytes of no kind at
all.
"""

import base64
import json
import quopri
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import yaml

from pbem.mail.inbound.message import unflow
from pbem.mail.inbound.phrases import pattern_of
from pbem.mail.inbound.reader import ReadingRules, format_inspection, prepare_reading, read_mail
from pbem.mail.tokens import Purpose, format_token, make_token
from tests.mail.reading.clients import (
    ADDRESS,
    ATTRIBUTIONS,
    HEADS,
    HTML_STYLES,
    OUR_HTML,
    OUR_MAIL,
    QUOTED_WORDS,
    quoted,
)
from tests.mail.reading.raw import FIXTURES, RULES, drawer, mail, read
from tests.rows import each_row

TOKEN = make_token(b"k" * 32, Purpose.ORDERS, 12, 1, 345)
OTHER = make_token(b"k" * 32, Purpose.ORDERS, 12, 1, 344)
DRAWER = drawer()
_SEEDS = [*DRAWER.values()]


# --- real files
# -----------------------------------------------------------------------------------------------------------------


EXPECTED = yaml.safe_load((FIXTURES / "expected.yaml").read_text(encoding="utf-8"))


@each_row("name", sorted(EXPECTED))
def test_a_mail_out_of_the_drawer_is_read_as_written_down(name: str) -> None:
    found = format_inspection(read_mail(DRAWER[name], RULES))
    assert found == {
        "from": None,
        "token": None,
        "automatic": None,
        "refused": None,
        "text": "",
        **EXPECTED[name],
    }


def test_every_mail_in_the_drawer_has_its_reading() -> None:
    assert DRAWER.keys() == EXPECTED.keys()


def test_an_inspection_has_the_keys_of_the_format_and_is_json() -> None:
    found = format_inspection(read(f"To: orders+{TOKEN}@realm.example"))
    assert found == {
        "from": "anna@example.org",
        "token": TOKEN,
        "automatic": None,
        "refused": None,
        "text": "P1: fortify",
    }
    assert json.loads(json.dumps(found)) == found


# --- whole mails of every client
# ------------------------------------------------------------------------------------------------

NEW = "P1: fortify\nFrom P3 march all to P4\n\nΣ ü 日本 P2 works"
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "8bit": lambda text: text.encode(),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()),
    "base64": lambda text: base64.encodebytes(text.encode()),
}


@each_row("encoding", ENCODINGS)
@each_row("style", sorted(ATTRIBUTIONS))
def test_a_plain_answer_of_any_client_in_any_encoding(style: str, encoding: str) -> None:
    text = f"{NEW}\n\n{ATTRIBUTIONS[style].format(addr=ADDRESS)}\n\n{quoted()}\n".replace(
        "\n", "\r\n"
    )
    fields = (
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        f"Content-Transfer-Encoding: {encoding}",
    )
    found = read(*fields, body=ENCODINGS[encoding](text))
    assert found.text == NEW
    assert found.tokens[0].seat == 12


@each_row("style", sorted(HEADS))
def test_an_answer_without_quote_marks_of_any_client(style: str) -> None:
    text = f"{NEW}\n\n{HEADS[style].format(addr=ADDRESS)}\n\n{OUR_MAIL}"
    found = read("Content-Type: text/plain; charset=utf-8", body=text)
    assert found.text == NEW
    assert [format_token(token) for token in found.tokens] == ["o12-345-gx22n5y4mbw3kwt5br3gozowdm"]


@each_row("style", sorted(HTML_STYLES))
def test_an_html_only_answer_of_any_client(style: str) -> None:
    html = (
        HTML_STYLES[style]
        .replace("{addr}", ADDRESS)
        .replace("{new}", NEW.replace("\n", "<br>"))
        .replace("{ours}", OUR_HTML)
    )
    assert read("Content-Type: text/html; charset=utf-8", body=html).text == NEW


def alternative(plain: str, html: str) -> bytes:
    return f"--b\r\nContent-Type: text/plain\r\n\r\n{plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n{html}\r\n--b--\r\n".encode()


def test_of_alternatives_the_plain_text_counts_and_an_empty_one_does_not() -> None:
    kind = "Content-Type: multipart/alternative; boundary=b"
    assert read(kind, body=alternative("P1: fortify", "<p>P2: work</p>")).text == "P1: fortify"
    assert read(kind, body=alternative(" \r\n", "<p>P2: work</p>")).text == "P2: work"


def test_of_alternatives_the_one_counts_that_shows_what_is_struck_out() -> None:
    kind = "Content-Type: multipart/alternative; boundary=b"
    struck = "<div>P1: fortify</div><div><s>P2: work</s></div>"
    assert read(kind, body=alternative("P1: fortify\r\nP2: work", struck)).text == "P1: fortify"
    styled = '<div>P1: fortify</div><p style="text-decoration:line-through">P2: work</p>'
    assert read(kind, body=alternative("P1: fortify\r\nP2: work", styled)).text == "P1: fortify"
    assert (
        read(kind, body=alternative("P1: fortify", "<span>P2: work</span><p>line-through</p>")).text
        == "P1: fortify"
    )


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
    assert (
        read("Content-Type: multipart/mixed; boundary=b", body=body).text == "P1: fortify\nP2: work"
    )


def test_flowed_text_is_joined_and_keeps_its_quote_marks() -> None:
    flowed = "P1: \r\nfortify\r\n> quoted P17: \r\n> work\r\n  indented\r\n-- \r\nAnna"
    assert (
        read("Content-Type: text/plain; format=flowed", body=flowed).text
        == "P1: fortify\n\n indented"
    )
    assert unflow("for \ntify", delsp=True) == "fortify"
    assert unflow("a \n> b \n>> c \nd") == "a \n> b \n>> c \nd"


# --- tokens
# ---------------------------------------------------------------------------------------------------------------------


@each_row(
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
    [
        f"P1: fortify\r\n\r\n> Times are in Berlin. Code {TOKEN}\r\n",
        f"P1: fortify\r\n\r\n-- \r\nCode: {TOKEN.upper()}\r\n",
    ],
)
def test_the_code_in_a_quoted_footer_is_the_last_resort(body: str) -> None:
    assert [format_token(token) for token in read(body=body).tokens] == [TOKEN]


def test_the_code_of_an_html_footer_is_found() -> None:
    html = f"<p>P1: fortify</p><blockquote type=cite><p>Answer.<br><small>Code {TOKEN}</small></p></blockquote>"
    found = read("Content-Type: text/html", body=html)
    assert (found.text, found.token_text) == ("P1: fortify", TOKEN)


def test_the_reply_address_goes_before_the_threads_and_the_footer() -> None:
    found = read(
        f"In-Reply-To: <{OTHER}.1@realm.example>",
        f"To: orders+{TOKEN}@realm.example",
        body=f"hello\r\n> Code {OTHER}\r\n",
    )
    assert [format_token(token) for token in found.tokens] == [TOKEN, OTHER]


def test_the_newest_of_the_references_goes_first() -> None:
    found = read(f"References: <{OTHER}.1@realm.example> <{TOKEN}.2@realm.example>")
    assert [format_token(token) for token in found.tokens] == [TOKEN, OTHER]


def test_tokens_of_other_addresses_and_hosts_are_not_ours() -> None:
    assert (
        read(f"To: orders+{TOKEN}@elsewhere.example", f"Cc: ben+{TOKEN}@example.org").tokens == ()
    )
    assert read(f"In-Reply-To: <{TOKEN}.1@elsewhere.example>").tokens == ()
    assert (
        read(
            f"To: orders+{TOKEN}@realm.example",
            rules=ReadingRules(RULES.own_addresses, "realm.example", None, subaddressing=False),
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


# --- the other fields
# -----------------------------------------------------------------------------------------------------------


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
    assert (found.sender, found.sender_name, found.subject) == (
        "anna@example.org",
        "Anna",
        "Re: [Heron] Turn 6",
    )
    assert len(found.digest) == 64
    assert read_mail(raw, RULES) == found


@each_row(
    "date",
    [
        *("yesterday", "", "Fri, 99 Nov 2026 99:12:00 +9999", "Fri, 20 Nov 99999 21:12:00 +0000"),
        *("\x00", "=?utf-8?q?x?="),
    ],
)
def test_a_date_that_is_none_is_none(date: str) -> None:
    assert read(f"Date: {date}").dated is None


def test_a_date_without_a_zone_is_taken_as_utc() -> None:
    assert read("Date: Fri, 20 Nov 2026 21:12:00 -0000").dated == datetime(
        2026, 11, 20, 21, 12, tzinfo=UTC
    )


def test_text_and_token_stay_out_of_the_repr() -> None:
    shown = repr(read(f"To: orders+{TOKEN}@realm.example", body="my secret plan"))
    assert "secret" not in shown
    assert TOKEN not in shown


def test_html_in_names_and_subjects_is_mere_text() -> None:
    found = read_mail(
        b'From: "<script>alert(1)</script>" <anna@example.org>\r\nSubject: <b>x</b>\x1b[31m\r\n\r\nP1: fortify',
        RULES,
    )
    assert found.sender_name == "<script>alert(1)</script>"
    assert found.subject == "<b>x</b> [31m"


def test_no_quoted_word_is_in_the_new_text_of_any_mail_in_the_drawer() -> None:
    for raw in _SEEDS:
        assert not any(word in read_mail(raw, RULES).text for word in QUOTED_WORDS)


def test_reading_can_be_prepared_before_the_first_mail() -> None:
    prepare_reading()
    loaded = pattern_of.cache_info().currsize
    read_mail(_SEEDS[0], RULES)
    assert pattern_of.cache_info().currsize == loaded
