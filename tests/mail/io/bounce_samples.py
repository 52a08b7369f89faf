"""What mail servers of several makes send when they cannot deliver; written after their habits, for
one mail of ours.
"""

from dataclasses import dataclass

from pbem.mail.inbound.bounces import Bounce

OUR_ID = "<orders7.42@mail.realm.example>"
VERP = "bounce+k7x2m"
TO = f"{VERP}@mail.realm.example"
RETURNED_HEADER = f"""\
From: The Realm <realm@mail.realm.example>
To: Ben <ben@players.example>
Subject: [Heron] Turn 6
Message-ID: {OUR_ID}
Date: Fri, 20 Nov 2026 12:00:00 +0000
Auto-Submitted: auto-generated
"""
RETURNED_MAIL = RETURNED_HEADER + "Content-Type: text/plain\n\nMarch! 2 from P1 to P2\n"


@dataclass(frozen=True, slots=True)
class Sample:
    """A raw mail, and what it says."""

    name: str
    raw: bytes
    expected: Bounce | None


def report(
    name: str,
    sender: str,
    subject: str,
    notice: str,
    fields: str,
    returned_type: str = "message/rfc822",
    returned: str = RETURNED_MAIL,
    head: str = "",
) -> bytes:
    """A multipart/report of three parts; `head` is put before the other header fields."""
    boundary = f"{name}.8842/report"
    return (
        f"Return-Path: <>\n{head}From: {sender}\nTo: <{TO}>\nSubject: {subject}\nMIME-Version: 1.0\n"
        f'Content-Type: multipart/report; report-type=delivery-status;\n\tboundary="{boundary}"\n\nThis is a MIME message.\n\n'
        f"--{boundary}\nContent-Type: text/plain; charset=us-ascii\n\n{notice}\n"
        f"--{boundary}\nContent-Type: message/delivery-status\n\n{fields}\n"
        f"--{boundary}\nContent-Type: {returned_type}\n\n{returned}\n--{boundary}--\n"
    ).encode()


def plain(sender: str, subject: str, text: str, head: str = "", to: str = TO) -> bytes:
    return f"Return-Path: <>\n{head}From: {sender}\nTo: {to}\nSubject: {subject}\n\n{text}".encode()


def hard(
    status: str | None,
    recipient: str | None = "ben@players.example",
    message_id: str | None = OUR_ID,
    verp: str | None = VERP,
) -> Bounce:
    return Bounce("hard", recipient, status, message_id, verp)


def soft(
    status: str | None,
    recipient: str | None = "ben@players.example",
    message_id: str | None = OUR_ID,
    verp: str | None = VERP,
) -> Bounce:
    return Bounce("soft", recipient, status, message_id, verp)


def delayed(status: str | None, message_id: str | None = OUR_ID) -> Bounce:
    return Bounce("delayed", "ben@players.example", status, message_id, VERP)


DAEMON = "MAILER-DAEMON@mx.players.example (Mail Delivery System)"

SAMPLES = [
    Sample(
        "postfix: no such user",
        report(
            "postfix",
            DAEMON,
            "Undelivered Mail Returned to Sender",
            'This is the mail system at host mx.players.example.\n\n<ben@players.example>: unknown user: "ben"\n',
            "Reporting-MTA: dns; mx.players.example\nX-Postfix-Queue-ID: 4F1\nArrival-Date: Fri, 20 Nov 2026 12:00:01 +0000\n\n"
            "Final-Recipient: rfc822; ben@players.example\nOriginal-Recipient: rfc822;ben@players.example\nAction: failed\n"
            "Status: 5.1.1\nDiagnostic-Code: x-unix; unknown user\n",
            "text/rfc822-headers",
            RETURNED_HEADER,
        ),
        hard("5.1.1"),
    ),
    Sample(
        "postfix: gave up after five days of time-outs",
        report(
            "postfix2",
            DAEMON,
            "Undelivered Mail Returned to Sender",
            "<ben@players.example>: connect to mx.players.example[192.0.2.1]:25: Connection timed out",
            "Reporting-MTA: dns; relay.example\n\nFinal-Recipient: rfc822; ben@players.example\nAction: failed\nStatus: 4.4.1\n"
            "Diagnostic-Code: X-Postfix; connect to mx.players.example[192.0.2.1]:25:\n    Connection timed out\n",
        ),
        soft("4.4.1"),
    ),
    Sample(
        "postfix: a warning that it is delayed",
        report(
            "postfix3",
            DAEMON,
            "Delayed Mail (still being retried)",
            "####################################\n# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #\n",
            "Reporting-MTA: dns; relay.example\n\nFinal-Recipient: rfc822; ben@players.example\nAction: delayed\nStatus: 4.4.1\n"
            "Will-Retry-Until: Wed, 25 Nov 2026 12:00:00 +0000\n",
            "text/rfc822-headers",
            RETURNED_HEADER,
        ),
        delayed("4.4.1"),
    ),
    Sample(
        "sendmail: user unknown, two groups of blanks",
        report(
            "sendmail",
            "Mail Delivery Subsystem <MAILER-DAEMON@mail.players.example>",
            "Returned mail: see transcript for details",
            "   ----- The following addresses had permanent fatal errors -----\n<Ben@Players.Example>\n    (reason: 550 5.1.1 User unknown)\n",
            "Reporting-MTA: dns; mail.players.example\nReceived-From-MTA: DNS; mail.realm.example\n\n\nFinal-Recipient: RFC822; Ben@Players.Example\n"
            "Action: failed\nStatus: 5.1.1\nRemote-MTA: DNS; mx\nDiagnostic-Code: SMTP; 550 5.1.1 User unknown\n",
        ),
        hard("5.1.1"),
    ),
    Sample(
        "exchange: recipient not found, original address with a different one behind it",
        report(
            "exchange",
            "postmaster@players.example",
            "Undeliverable: [Heron] Turn 6",
            "Delivery has failed to these recipients or groups:\n\nBen (ben@players.example)\nThe address you entered couldn't be found.\n",
            "Reporting-MTA: dns;EX01.players.example\nReceived-From-MTA: dns;mail.realm.example\n\nOriginal-Recipient: rfc822;ben@players.example\n"
            "Final-Recipient: rfc822;ben.smith@corp.players.example\nAction: failed\nStatus: 5.1.10\n"
            "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup\n"
            "X-Display-Name: Ben\n",
        ),
        hard("5.1.10", "ben.smith@corp.players.example"),
    ),
    Sample(
        "exchange: the subject in German",
        report(
            "exchange-de",
            "Postmaster <postmaster@spieler.example>",
            "=?iso-8859-1?Q?Unzustellbar:_Z=FCge?=",
            "Fehler bei der Nachrichtenzustellung an folgende Empfänger",
            "Reporting-MTA: dns;ex.spieler.example\n\nFinal-Recipient: rfc822;ben@players.example\nAction: failed\nStatus: 5.2.2\n",
        ),
        soft("5.2.2"),
    ),
    Sample(
        "google: the account does not exist, with a picture beside the text",
        (
            f"Return-Path: <>\nDelivered-To: {TO}\nX-Failed-Recipients: ben@players.example\nAuto-Submitted: auto-replied\n"
            f"From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>\nTo: {TO}\nSubject: Delivery Status Notification (Failure)\n"
            f"In-Reply-To: {OUR_ID}\nReferences: {OUR_ID}\n"
            'Content-Type: multipart/report; boundary="0001"; report-type=delivery-status\n\n'
            '--0001\nContent-Type: multipart/related; boundary="0002"\n\n--0002\nContent-Type: multipart/alternative; boundary="0003"\n\n'
            '--0003\nContent-Type: text/plain; charset="UTF-8"\n\n** Address not found **\n\n--0003\nContent-Type: text/html\n\n<b>Address not found</b>\n'
            "--0003--\n--0002\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--0002--\n"
            "--0001\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; googlemail.example\nArrival-Date: Fri, 20 Nov 2026 04:00:00 -0800\n"
            f"X-Original-Message-ID: {OUR_ID}\n\nFinal-Recipient: rfc822; ben@players.example\nAction: failed\nStatus: 5.1.1\n"
            "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\n 550-5.1.1 Please try double-checking\n"
            f"--0001\nContent-Type: message/rfc822\n\n{RETURNED_MAIL}\n--0001--\n"
        ).encode(),
        hard("5.1.1"),
    ),
    Sample(
        "exim: no report at all, a header field and a text",
        plain(
            "Mail Delivery System <Mailer-Daemon@host.players.example>",
            "Mail delivery failed: returning message to sender",
            "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of "
            "its recipients.\nThis is a permanent error. The following address(es) failed:\n\n  ben@players.example\n    host mx.players.example "
            "[192.0.2.7]\n    SMTP error from remote mail server after RCPT TO:<ben@players.example>:\n    550 Unknown user\n\n"
            f"------ This is a copy of the message, including all the headers. ------\n\n{RETURNED_MAIL}",
            head="X-Failed-Recipients: ben@players.example\nAuto-Submitted: auto-replied\n",
        ),
        hard(None),
    ),
    Sample(
        "exim: a warning that it is delayed",
        plain(
            "Mail Delivery System <Mailer-Daemon@host.players.example>",
            "Warning: message 1abc-0002 delayed 24 hours: mail delivery",
            "A message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n"
            "The address to which the message has not yet been delivered is:\n\n  ben@players.example\n    Delay reason: connection refused\n\n"
            "No action is required on your part. Delivery attempts will continue.\n",
        ),
        delayed(None, message_id=None),
    ),
    Sample(
        "qmail: hi, this is the program",
        plain(
            "MAILER-DAEMON@mail.players.example",
            "failure notice",
            "Hi. This is the qmail-send program at mail.players.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n"
            "This is a permanent error; I've given up. Sorry it didn't work out.\n\n<ben@players.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
            f"--- Below this line is a copy of the message.\n\nReturn-Path: <{TO}>\n{RETURNED_MAIL}",
        ),
        hard("5.1.1"),
    ),
    Sample(
        "qmail: the other side's reply in it",
        plain(
            "MAILER-DAEMON@yahoo.example",
            "Failure Notice",
            "Sorry, we were unable to deliver your message to the following address.\n\n<ben@players.example>:\nRemote host said:\n"
            "554 delivery error: dd This user doesn't have an account here [0] - mta10\n\n"
            f"--- Below this line is a copy of the message.\n\n{RETURNED_MAIL}",
        ),
        hard(None),
    ),
    Sample(
        "courier: status and returned header in a report without a name for its parts",
        report(
            "courier",
            '"Courier mail server at mx" <@>',
            "NOTICE: mail delivery status.",
            "UNDELIVERABLE MAIL\n\n<ben@players.example>:\n     <<< 550 User unknown.",
            "Reporting-MTA: dns; mx.players.example\nArrival-Date: Fri, 20 Nov 2026 12:00:01 +0000\n\nFinal-Recipient: rfc822; ben@players.example\n"
            "Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 User unknown.\n",
            "text/rfc822-headers; charset=us-ascii",
            RETURNED_HEADER,
        ),
        hard("5.0.0"),
    ),
    Sample(
        "zimbra and others: full mailbox, which is soft",
        report(
            "quota",
            DAEMON,
            "Undelivered Mail Returned to Sender",
            "<ben@players.example>: host store said: 452 4.2.2 Over quota",
            "Reporting-MTA: dns; mx.players.example\n\nFinal-Recipient: rfc822; ben@players.example\nAction: failed\nStatus: 4.2.2\n"
            "Diagnostic-Code: smtp; 452 4.2.2 Over quota\n",
        ),
        soft("4.2.2"),
    ),
    Sample(
        "two recipients, the first of them reached",
        report(
            "two",
            DAEMON,
            "Undelivered Mail Returned to Sender",
            "One of two.",
            "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; anna@players.example\nAction: relayed\nStatus: 2.0.0\n\n"
            "Final-Recipient: rfc822; ben@players.example\nAction: failed\nStatus: 5.7.1\n",
        ),
        soft("5.7.1"),
    ),
    Sample(
        "a status part in base64, which no standard allows",
        report(
            "b64", DAEMON, "Undelivered", "Sorry.", "@@", "text/rfc822-headers", RETURNED_HEADER
        ).replace(
            b"message/delivery-status\n\n@@",
            b"message/delivery-status\nContent-Transfer-Encoding: base64\n\nUmVwb3J0aW5nLU1UQTogZG5zOyBteAoKRmluYWwtUmVjaXBpZW50OiByZmM4MjI7IGJlbkBwbGF5\n"
            b"ZXJzLmV4YW1wbGUKQWN0aW9uOiBmYWlsZWQKU3RhdHVzOiA1LjEuMQo=",
        ),
        hard("5.1.1"),
    ),
    Sample(
        "no status, only a diagnosis",
        report(
            "nostatus",
            DAEMON,
            "Undelivered Mail",
            "Sorry.",
            "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; ben@players.example\nAction: failed\nDiagnostic-Code: smtp; 550 5.1.1 unknown\n",
        ),
        hard("5.1.1"),
    ),
    Sample(
        "a plain text in French from a postmaster",
        plain(
            "postmaster@joueurs.example",
            "Message non remis",
            "Votre message pour ben@players.example : 550 5.1.1 utilisateur inconnu",
        ),
        hard("5.1.1", message_id=None),
    ),
    Sample(
        "returned without subaddress",
        plain(
            "postmaster@players.example",
            "Undeliverable mail",
            "ben@players.example: 550 5.1.1 unknown\n",
            to="realm@mail.realm.example",
        ),
        hard("5.1.1", message_id=None, verp=None),
    ),
    Sample(
        "good news: delivered",
        report(
            "success",
            DAEMON,
            "Successful Mail Delivery Report",
            "Your message was delivered.",
            "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; ben@players.example\nAction: delivered\nStatus: 2.1.5\n",
        ),
        None,
    ),
    Sample(
        "a read receipt",
        report(
            "mdn",
            "Ben <ben@players.example>",
            "Read: Turn 6",
            "Displayed.",
            "Final-Recipient: rfc822; ben@players.example\nDisposition: x; displayed",
        )
        .replace(b"report-type=delivery-status", b"report-type=disposition-notification")
        .replace(b"message/delivery-status", b"message/disposition-notification"),
        None,
    ),
    Sample(
        "an answer from the holidays",
        plain("Ben <ben@players.example>", "Out of office: Turn 6", "I am away until 550 5.1.1."),
        None,
    ),
    Sample(
        "orders that speak of a failure",
        plain(
            "Ben <ben@players.example>", "Re: delivery failure of my army", "P1: fortify\n550 5.1.1"
        ),
        None,
    ),
    Sample(
        "a newsletter of a postmaster",
        plain("postmaster@players.example", "New quota rules", "Mailboxes hold 550 MB now."),
        None,
    ),
]
