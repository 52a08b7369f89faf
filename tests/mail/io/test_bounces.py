"""Mails that came back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.demo.reports import FailedDelivery, format_report
from pbem.mail.inbound.bounces import Bounce, parse_bounce
from pbem.mail.refusals import finality
from tests.mail.io.bounce_samples import OUR_ID, RETURNED_MAIL, SAMPLES, VERP, Sample
from tests.mail.io.support import PAST
from tests.rows import each_row

BOUNCES = [sample for sample in SAMPLES if sample.expected is not None]


@each_row("sample", SAMPLES)
@each_row("line_end", [b"\n", b"\r\n"])
def test_every_server_s_way_of_saying_it_is_understood(sample: Sample, line_end: bytes) -> None:
    assert parse_bounce(sample.raw.replace(b"\n", line_end)) == sample.expected


def test_our_own_server_s_reports_are_understood() -> None:
    raw = RETURNED_MAIL.replace("\n", "\r\n").encode()
    failure = FailedDelivery(
        reporting_host="mx.example",
        sender=f"{VERP}@mail.realm.example",
        recipient="ben@players.example",
        reply="550 5.1.1 <ben@players.example>: no such mailbox",
        at=PAST,
        serial=7,
        raw=raw,
    )
    assert parse_bounce(format_report(failure)) == Bounce(
        "hard", "ben@players.example", "5.1.1", OUR_ID, VERP
    )


@each_row(
    ("status", "said"),
    [
        (
            "5.1.1",
            "550 5.1.1 <ben@players.example>: Recipient address rejected: User unknown in virtual mailbox table (in reply to RCPT TO command)",
        ),
        (
            "5.1.2",
            "Host or domain name not found. Name service error for name=players.example type=A: Host not found",
        ),
        ("5.1.6", "550 5.1.6 recipient no longer at this address"),
        ("5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound"),
        ("5.1.1", ""),
        ("5.0.0", "550 No such user here"),
        ("5.5.0", "550 Requested action not taken: mailbox unavailable"),
        ("5.7.1", "550 5.7.1 Unrouteable address"),
        (
            "",
            "554 delivery error: dd This user doesn't have a players.example account (ben@players.example) [0] - mta1",
        ),
        ("5.1.1", "550 5.1.1 <spam@full.example>... User unknown"),
        ("", "551 User not local; please try <ben@elsewhere.example>"),
    ],
)
def test_f13_nobody_at_an_address_is_final(status: str, said: str) -> None:
    assert finality(status, said) == "hard"


@each_row(
    ("status", "said"),
    [
        ("5.2.2", "552 5.2.2 Mailbox full"),
        ("5.1.1", "550 5.1.1 ben@players.example: mailbox is full: retry later"),
        ("5.0.0", "550 ben@players.example: user is over quota"),
        (
            "5.7.1",
            "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.example",
        ),
        (
            "5.7.26",
            "550-5.7.26 This mail is unauthenticated, which poses a security risk: SPF and DKIM did not pass",
        ),
        ("5.7.1", "550 5.7.1 Message rejected as spam"),
        ("5.7.1", "550 5.7.1 Recipient address rejected: policy of this domain"),
        ("5.1.8", "553 5.1.8 Domain of sender address orders@realm.example does not exist"),
        ("5.3.4", "552 5.3.4 message size exceeds limit"),
        ("5.4.6", "554 5.4.6 Too many hops"),
        ("5.2.1", "550 5.2.1 The account is disabled"),
        ("4.1.1", "450 4.1.1 User unknown in local recipient table"),
        ("5.0.0", "550 rejected"),
        ("", ""),
    ],
)
def test_f13_a_full_mailbox_and_every_other_refusal_is_not_final(status: str, said: str) -> None:
    assert finality(status, said) == "soft"


def test_f13_a_full_mailbox_is_no_bad_address_in_a_report_either() -> None:
    raw = BOUNCES[0].raw
    full = raw.replace(b"Status: 5.1.1", b"Status: 5.2.2").replace(
        b"unknown user", b"mailbox is full"
    )
    first, second = parse_bounce(raw), parse_bounce(full)
    assert first is not None
    assert second is not None
    assert (first.kind, second.kind) == ("hard", "soft")


@pytest.mark.parametrize(
    "raw",
    [
        (
            "Return-Path: <>\nFrom: MAILER-DAEMON@mx.players.example\nSubject: =?utf-8?q?Delivery_Status_Notification_=28Failure=29?=\n\n"
            "An error occurred while trying to deliver the mail to ben@players.example\n550 5.1.1 User unknown\n"
        ),
        (
            "From: Mail.Delivery.System@mx.players.example\nSubject: Your message\n\n"
            "Your message could not be delivered to ben@players.example: 550 5.1.1 no such user\n"
        ),
        (
            "Return-Path: <>\nFrom: MAILER-DAEMON@mx.players.example\nSubject: Undelivered Mail Returned to Sender\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="lost"\n\n'
            "--other\nContent-Type: text/plain\n\n<ben@players.example>: host said: 550 5.1.1 User unknown\n\n"
            "--other\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ben@players.example\nAction: failed\nStatus: 5.1.1\n--other--\n"
        ),
        (
            "From: postmaster@mx.players.example\nSubject: Delivery Status\nContent-Type: multipart/mixed; boundary=b\n\n"
            "--b\nContent-Type: message/delivery-status\n\nOriginal-Recipient: <ben@players.example>\nAction: failed\n"
            "Diagnostic-Code: smtp; 550 Unknown user ben@players.example\n--b--\n"
        ),
    ],
    ids=["encoded subject", "daemon with dots", "broken boundary", "no final recipient"],
)
def test_f18_a_report_in_an_unusual_dress_is_still_one(raw: str) -> None:
    bounce = parse_bounce(raw.encode())
    assert bounce is not None
    assert (bounce.kind, bounce.recipient) == ("hard", "ben@players.example")


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
        b"Content-Type: multipart/report; report-type=delivery-status; boundary*"
        + b"9" * 5000
        + b"=x\r\n\r\n--x\r\n\r\n--x--",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=%d\r\n\r\n--%d\r\n" % (n, n)
            for n in range(3000)
        ),
        b"Content-Type: message/rfc822\r\n\r\n" * 3000,
        b"From: " + b"(" * 5000 + b"\r\nSubject: undeliverable\r\n\r\n",
        b"From: mailer-daemon@x\r\nSubject: failure notice\r\n\r\n" + b"<a@b>:\n" * 9000,
        b"From: mailer-daemon@x\r\nSubject: failure notice\r\nContent-Type: text/plain; charset=unicode_escape\r\n\r\n\\u0000 550 \r\n",
        b"From: mailer-daemon@x\r\nSubject: failure notice\r\n\r\n" + b"a" * 3_000_000,
        b"From: mailer-daemon@x\r\nTo: "
        + b"a@b.example, " * 20_000
        + b"\r\nSubject: failure notice\r\n\r\n",
    ],
    ids=range(10),
)
def test_hostile_mails_are_read_as_something_or_nothing(raw: bytes) -> None:
    result = parse_bounce(raw)
    assert result is None or result.message_id is None


def test_a_report_s_own_message_id_is_never_taken_for_ours() -> None:
    sample = BOUNCES[0].raw.replace(
        b"Return-Path: <>\n", b"Return-Path: <>\nMessage-ID: <its.own@mx.players.example>\n", 1
    )
    bounce = parse_bounce(sample)
    assert bounce is not None
    assert bounce.message_id == OUR_ID
