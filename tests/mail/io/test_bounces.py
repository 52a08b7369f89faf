"""Mails that came back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.demo.reports import FailedDelivery, format_report
from pbem.mail.bounces import Bounce, parse_bounce
from tests.mail.io.bounce_samples import OUR_ID, RETURNED_MAIL, SAMPLES, VERP, Sample
from tests.mail.io.support import PAST

BOUNCES = [sample for sample in SAMPLES if sample.expected is not None]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_every_server_s_way_of_saying_it_is_understood(sample: Sample, line_end: bytes) -> None:
    assert parse_bounce(sample.raw.replace(b"\n", line_end)) == sample.expected


def test_our_own_server_s_reports_are_understood() -> None:
    raw = RETURNED_MAIL.replace("\n", "\r\n").encode()
    failure = FailedDelivery(
        reporting_host="mx.example",
        sender=f"{VERP}@mail.realm.example",
        recipient="ben@players.example",
        reply="550 5.2.1 <ben@players.example>: mailbox is disabled",
        at=PAST,
        serial=7,
        raw=raw,
    )
    assert parse_bounce(format_report(failure)) == Bounce("hard", "ben@players.example", "5.2.1", OUR_ID, VERP)


@given(st.binary(max_size=2000))
def test_no_bytes_make_it_raise(raw: bytes) -> None:
    parse_bounce(raw)


@given(st.sampled_from(BOUNCES), st.data())
def test_no_damaged_report_makes_it_raise(sample: Sample, data: st.DataObject) -> None:
    raw = bytearray(sample.raw)
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 60)))
        raw[start:end] = data.draw(st.binary(max_size=40))
    parse_bounce(bytes(raw))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"Content-Type: multipart/report; report-type=delivery-status\r\n\r\n",
        b"Content-Type: multipart/report; report-type=delivery-status; boundary*" + b"9" * 5000 + b"=x\r\n\r\n--x\r\n\r\n--x--",
        b"".join(b"Content-Type: multipart/mixed; boundary=%d\r\n\r\n--%d\r\n" % (n, n) for n in range(3000)),
        b"Content-Type: message/rfc822\r\n\r\n" * 3000,
        b"From: " + b"(" * 5000 + b"\r\nSubject: undeliverable\r\n\r\n",
        b"From: mailer-daemon@x\r\nSubject: failure notice\r\n\r\n" + b"<a@b>:\n" * 9000,
        b"From: mailer-daemon@x\r\nSubject: failure notice\r\nContent-Type: text/plain; charset=unicode_escape\r\n\r\n\\u0000 550 \r\n",
        b"From: mailer-daemon@x\r\nSubject: failure notice\r\n\r\n" + b"a" * 3_000_000,
        b"From: mailer-daemon@x\r\nTo: " + b"a@b.example, " * 20_000 + b"\r\nSubject: failure notice\r\n\r\n",
    ],
    ids=range(10),
)
def test_hostile_mails_are_read_as_something_or_nothing(raw: bytes) -> None:
    result = parse_bounce(raw)
    assert result is None or result.message_id is None


def test_a_report_s_own_message_id_is_never_taken_for_ours() -> None:
    sample = BOUNCES[0].raw.replace(b"Return-Path: <>\n", b"Return-Path: <>\nMessage-ID: <its.own@mx.players.example>\n", 1)
    bounce = parse_bounce(sample)
    assert bounce is not None
    assert bounce.message_id == OUR_ID
