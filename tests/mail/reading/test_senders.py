"""Who wrote: one address that no two programs could read differently, and the verdict of our own
mail server alone.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.inbound.message import InboundMail
from pbem.mail.inbound.reader import ReadingRules, read_mail
from tests.rows import each_row

RULES = ReadingRules(frozenset({"orders@realm.example"}), "realm.example", "mx.realm.example")


def read(*fields: str | bytes, rules: ReadingRules = RULES) -> InboundMail:
    head = b"\r\n".join(field if isinstance(field, bytes) else field.encode() for field in fields)
    return read_mail(head + b"\r\n\r\nP1: fortify\r\n", rules)


@each_row(
    ("value", "address", "name"),
    [
        ("anna@example.org", "anna@example.org", ""),
        ("<anna@example.org>", "anna@example.org", ""),
        ("Anna <Anna@Example.ORG>", "anna@example.org", "Anna"),
        ("Anna B. Example <anna@example.org>", "anna@example.org", "Anna B. Example"),
        ('"Example, Anna" <anna@example.org>', "anna@example.org", "Example, Anna"),
        (
            '"Anna \\"the Red\\" Example" <anna@example.org>',
            "anna@example.org",
            'Anna "the Red" Example',
        ),
        ("anna@example.org (Anna Example)", "anna@example.org", "Anna Example"),
        ("=?utf-8?q?M=C3=BCller=2C_Anna?= <anna@example.org>", "anna@example.org", "Müller, Anna"),
        ("=?utf-8?b?QW5uYQ==?= Example <anna@example.org>", "anna@example.org", "Anna Example"),
        (
            "=?utf-8?q?anna=40example=2Eorg?= <anna@example.org>",
            "anna@example.org",
            "anna@example.org",
        ),
        ('"anna@example.org" <anna@example.org>', "anna@example.org", "anna@example.org"),
        ("Anna\r\n <anna@example.org>", "anna@example.org", "Anna"),
        ("Änna <anna@example.org>", "anna@example.org", "Änna"),
        ("a.n-n_a+games@sub.example.org", "a.n-n_a+games@sub.example.org", ""),
        ("Anna <anna@xn--mller-kva.example>", "anna@xn--mller-kva.example", "Anna"),
    ],
)
def test_one_plain_address_is_the_sender(value: str, address: str, name: str) -> None:
    mail = read(f"From: {value}")
    assert (mail.sender, mail.sender_name, mail.refused) == (address, name, None)


def test_a_name_in_raw_latin_1_is_read() -> None:
    assert read(b"From: J\xfcrgen <j@example.org>").sender_name == "Jürgen"


@each_row(
    ("fields", "code"),
    [
        ([], "no-sender"),
        (["From:"], "no-sender"),
        (["From: anna@example.org", "From: mallory@evil.example"], "several-senders"),
        (["From: anna@example.org", "from: anna@example.org"], "several-senders"),
        (["From : anna@example.org", "From: mallory@evil.example"], "malformed-header"),
        (["From: anna@example.org", "From : mallory@evil.example"], "malformed-header"),
        (
            ["From: anna@example.org", "no colon here", "From: mallory@evil.example"],
            "malformed-header",
        ),
        ([b"From\x00: mallory@evil.example", "From: anna@example.org"], "no-sender"),
        ([b"From: anna@example.org", b"From\x00: mallory@evil.example"], "malformed-header"),
        ([b"From: anna@example.org", b"From\xa0: mallory@evil.example"], "malformed-header"),
        (["From: anna@example.org, mallory@evil.example"], "several-addresses"),
        (["From: <anna@example.org>, <mallory@evil.example>"], "several-addresses"),
        (["From: <anna@example.org><mallory@evil.example>"], "several-addresses"),
        (["From: anna@example.org <mallory@evil.example>"], "several-addresses"),
        (["From: Gamers: anna@example.org, ben@example.org;"], "sender-group"),
        (["From: undisclosed:;"], "sender-group"),
        (["From: Gamers:anna@example.org;"], "sender-group"),
        (["From: <@evil.example,@any.example:anna@example.org>"], "several-addresses"),
        (["From: <@evil.example:anna@example.org>"], "sender-unclear"),
        (["From: anna@example.org\\,<mallory@evil.example>"], "several-addresses"),
        (["From: <anna@example.org(comment)>"], "sender-unclear"),
        (["From: <anna(comment)@example.org>"], "sender-unclear"),
        (["From: (a(nested)comment) <anna@example.org>"], "sender-unclear"),
        (["From: anna@example.org (ben@example.org)"], "several-addresses"),
        (["From: =?utf-8?b?PGFubmFAZXhhbXBsZS5vcmc+?="], "sender-encoded"),
        (
            ["From: =?utf-8?b?PGFubmFAZXhhbXBsZS5vcmc+LCA=?= <mallory@evil.example>"],
            "sender-encoded",
        ),
        (["From: =?utf-8?q?anna=40example=2Eorg?= <mallory@evil.example>"], "sender-encoded"),
        (["From: =?utf-8?q?anna?=@example.org"], "sender-encoded"),
        (["From: <=?utf-8?q?anna=40example.org?=>"], "sender-encoded"),
        ([b"From: Anna\x00 <anna@example.org>"], "sender-control-characters"),
        ([b"From: anna@example.org\x00@evil.example"], "sender-control-characters"),
        ([b"From: Anna <anna@example.org\x1b>"], "sender-control-characters"),
        (["From: =?utf-8?q?Anna=00?= <anna@example.org>"], None),
        (["From: Anna <anna@exämple.org>"], "sender-not-ascii"),
        (["From: Anna <änna@example.org>"], "sender-not-ascii"),
        (['From: "anna@example.org"'], "sender-unclear"),
        (['From: "anna smith"@example.org'], "sender-unclear"),
        (["From: anna@[192.0.2.1]"], "sender-unclear"),
        (["From: anna"], "sender-unclear"),
        (["From: Anna <anna@>"], "sender-unclear"),
        (["From: Anna <@example.org>"], "sender-unclear"),
        (["From: anna..b@example.org"], "sender-unclear"),
        (["From: anna@-example.org"], "sender-unclear"),
        (['From: "Anna <anna@example.org>'], "sender-unclear"),
        (["From: Anna <anna@example.org> trailing"], "sender-unclear"),
        (["From: Anna <anna@example.org>;"], "sender-unclear"),
        ([f"From: {'a' * 65}@example.org"], "sender-unclear"),
        ([f"From: {'Anna ' * 300}<anna@example.org>"], "sender-unclear"),
    ],
)
def test_an_ambiguous_sender_is_nobody(fields: list[str | bytes], code: str | None) -> None:
    mail = read("Subject: x", *fields)
    assert mail.refused == code
    assert (mail.sender is None) == (code is not None)


@given(st.text(max_size=80))
def test_a_sender_is_one_plain_ascii_address_or_nobody(value: str) -> None:
    mail = read(b"From: " + value.encode("utf-8", "surrogatepass"))
    if mail.sender is not None:
        assert mail.sender.isascii()
        assert mail.sender.count("@") == 1
        assert not set(mail.sender) & set(' \t\r\n\0<>,;:"()[]\\')


REAL = "Authentication-Results: mx.realm.example; spf=pass smtp.mailfrom=example.org; dmarc={} (p=none dis=none) header.from=example.org"
ANNA = "From: anna@example.org"


@each_row(
    ("fields", "verdict"),
    [
        ([REAL.format("pass"), ANNA], "pass"),
        ([REAL.format("fail"), ANNA], "fail"),
        ([REAL.format("none"), ANNA], "unknown"),
        ([REAL.format("temperror"), ANNA], "unknown"),
        ([ANNA], "unknown"),
        # forged below, above under another name, twice
        ([REAL.format("fail"), REAL.format("pass"), ANNA], "fail"),
        ([REAL.format("none"), REAL.format("pass"), ANNA], "unknown"),
        ([REAL.format("pass").replace("mx.realm", "mx.evil"), REAL.format("fail"), ANNA], "fail"),
        ([REAL.format("pass").replace("mx.realm", "mx.evil"), ANNA], "unknown"),
        ([REAL.format("fail").replace("mx.realm", "mx.evil"), REAL.format("pass"), ANNA], "pass"),
        (
            [
                REAL.format("pass").replace("mx.realm.example", "mx.realm.example.evil.example"),
                ANNA,
            ],
            "unknown",
        ),
        (
            [
                REAL.format("pass").replace("mx.realm.example", "(mx.realm.example) evil.example"),
                ANNA,
            ],
            "unknown",
        ),
        (["Authentication-Results: mx.realm.example; none", REAL.format("pass"), ANNA], "unknown"),
        (
            ["Authentication-Results: mx.realm.example; garbage ===", REAL.format("pass"), ANNA],
            "unknown",
        ),
        # about another domain, or contradicting itself
        (
            [
                REAL.format("pass").replace("header.from=example.org", "header.from=evil.example"),
                ANNA,
            ],
            "fail",
        ),
        (
            [
                "Authentication-Results: mx.realm.example; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",
                ANNA,
            ],
            "fail",
        ),
        (["Authentication-Results: mx.realm.example; dmarc=none; dmarc=pass", ANNA], "unknown"),
        # pass of something else, or hidden in a comment or a reason
        (
            [
                "Authentication-Results: mx.realm.example; spf=pass; dkim=pass header.d=example.org",
                ANNA,
            ],
            "unknown",
        ),
        (["Authentication-Results: mx.realm.example; spf=pass (dmarc=pass)", ANNA], "unknown"),
        (
            ['Authentication-Results: mx.realm.example; dmarc=fail reason="dmarc=pass"', ANNA],
            "fail",
        ),
        # a sender who is nobody has no verdict
        ([REAL.format("pass"), "From: anna@example.org, mallory@evil.example"], "unknown"),
        # forms that real servers write
        (
            [
                "Authentication-Results: MX.realm.example 1;\r\n\tdmarc=pass header.from=Example.ORG",
                ANNA,
            ],
            "pass",
        ),
        # f12: a pass that does not say about whom
        (["Authentication-Results: mx.realm.example; dmarc=pass", ANNA], "unknown"),
        (["Authentication-Results: mx.realm.example; dmarc=fail", ANNA], "fail"),
        ([f"Authentication-Results: mx.realm.example; {'x' * 5000}", ANNA], "unknown"),
    ],
)
def test_only_the_topmost_word_of_our_own_server_counts(fields: list[str], verdict: str) -> None:
    assert read(*fields).dmarc == verdict


@pytest.mark.parametrize(
    "above",
    [
        "Authentication-Results: mx.realm.example; spf=pass smtp.mailfrom=attack.example; dmarc=pass",
        "Authentication-Results: mx.realm.example; dmarc=pass header.from=example.org",
        "Received: from attack.example by mx.realm.example; Fri, 20 Nov 2026 21:12:00 +0000",
        "DKIM-Signature: v=1; d=attack.example; h=To",
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        " From: <first@attack.example>",
        "\tfrom : First <first@attack.example>",
        " FROM:\r\n <first@attack.example>",
    ],
)
def test_f12_a_sender_folded_onto_the_field_above_is_refused(above: str, line: str) -> None:
    found = read(above, line, ANNA)
    assert (found.sender, found.refused, found.dmarc) == (None, "malformed-header", "unknown")


@pytest.mark.parametrize(
    "fields",
    [
        [
            "DKIM-Signature: v=1; d=example.org; h=Date:To:",
            " From:Subject:",
            "\tMessage-ID; bh=x; b=y",
        ],
        ["ARC-Message-Signature: i=1; h=To:", " From:", " Subject; b=x"],
        [
            "Received: from a.example",
            "\tfrom b.example by c.example; Fri, 20 Nov 2026 21:12:00 +0000",
        ],
        ["Subject: news", " from the front: all well"],
    ],
)
def test_f12_a_folded_field_that_only_names_the_word_is_read(fields: list[str]) -> None:
    assert read(*fields, ANNA).sender == "anna@example.org"


def test_without_a_configured_name_no_verdict_is_believed() -> None:
    assert read(REAL.format("pass"), ANNA, rules=ReadingRules()).dmarc == "unknown"


@given(st.text(max_size=200))
def test_authentication_results_of_any_kind_do_not_raise(value: str) -> None:
    field = "Authentication-Results: mx.realm.example; " + value
    assert read(field.encode("utf-8", "surrogatepass"), ANNA).dmarc in {"pass", "fail", "unknown"}
