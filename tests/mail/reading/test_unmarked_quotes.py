"""Older mails without our marker, and answers where programs do not put them (F-16, F-17)."""

import pytest

from pbem.mail.inbound.newtext import MARKER, new_text
from tests.mail.reading.clients import OUR_MAIL, QUOTED_WORDS
from tests.mail.reading.raw import read
from tests.rows import each_row

NEW = "P1: fortify\nP2 works"
OLD = "P17: work\nP18: hold, and the rest of it"

UNMARKED = {
    "a broken link": "On Fri, Nov 20, 2026 at 9:12 PM The Realm\n\n<\nmailto:The Realm <orders@realm.example>\n> wrote:",
    "date and recipient": "Date: Fri, 20 Nov 2026 21:12:00 +0100\nTo: anna@example.org",
    "dashes around an attribution": "------On 20/11/2026 21:12 PM, The Realm wrote-----",
    "dashes around a name": "---- The Realm wrote ----",
    "zoho": "---- On Fri, 20 Nov 2026 21:12:50 +0530 orders@realm.example wrote ----",
    "a date of the ISO with a name": "2026-11-20 21:12 GMT+01:00 The Realm",
    "a header in one line": "From: orders@realm.example Date: Fri, 20 Nov 2026 21:12:00 +0100",
    "no year": "On Fri, Nov 20, The Realm\n<orders@realm.example>\nwrote:",
    "broken within the date": "The Realm <orders@realm.example> schrieb am Fr., 20.\nNov. 2026 um 21:12 Uhr:",
    "david": "Original Message processed by david®\nFW: Turn 6 20. November 2026, 21:12 Uhr",
    "answered message": "-----Antwort Nachricht-----",
}


@each_row("head", UNMARKED)
def test_f16_an_older_mail_below_any_announcement_is_not_read(head: str) -> None:
    assert new_text(f"{NEW}\n\n{UNMARKED[head]}\n\n{OLD}") == NEW


@pytest.mark.parametrize("head", UNMARKED)
@pytest.mark.parametrize(
    "marked",
    [f"{MARKER}\n{OUR_MAIL}", "\n".join(f"> {line}" for line in OUR_MAIL.splitlines())],
    ids=["marker", "quoted"],
)
def test_f16_nothing_of_our_mail_leaks_where_its_marker_or_marks_stand(
    head: str, marked: str
) -> None:
    text = new_text(f"{NEW}\n\n{UNMARKED[head]}\n\n{marked}")
    assert text == NEW
    assert not any(word in text for word in QUOTED_WORDS)


@pytest.mark.parametrize(
    "quote",
    [
        "> Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do. Nullam phare\nP1: fortify\n>",
        '> "In efficitur augue ac tristique ullamcorper. Aenean tincidunt ornare diam,\neget P17 and works, accumsan est viverra quis"\n>',
        "> See http\n>\n(http://realm.example/P17:works) >\n> the board",
        "> View the board (http://realm.example/action\n_P17=works)\n>",
        "> *Cc:* somebody; somebody@realm.example =\n<\n> P17: work",
        "C> P17: work\nC> P18: hold\nC> P19: work",
    ],
    ids=["full line", "long rest", "link", "end of a link", "bracket", "one initial"],
)
def test_f16_the_rest_of_a_wrapped_quote_is_no_order(quote: str) -> None:
    assert new_text(f"P2 works\n\n{quote}") == "P2 works"


@pytest.mark.parametrize(
    ("mail", "text"),
    [
        (
            "> What do you do with P1?\nP1: fortify\n> And with P2?\nP2 works\n> Thank you",
            "P1: fortify\n\nP2 works",
        ),
        (
            f"> {'a question that is long and ends as questions do with a mark ' * 1}and more?\nP1: fortify\n> And P2",
            "P1: fortify",
        ),
        ("> P1:\n\nP1: fortify\n\n> P2:\n\nP2 works", "P1: fortify\n\nP2 works"),
    ],
)
def test_f16_an_answer_between_quoted_lines_is_kept(mail: str, text: str) -> None:
    assert new_text(mail) == text


DEVICES = [
    "Sent from my Wiko RIDGE FAB 4G",
    "Sent from my TI-85",
    "Von meinem Mobilgerät gesendet",
    "Sent from my iPhone",
]


@pytest.mark.parametrize("device", DEVICES)
def test_f16_prose_below_the_line_of_a_device_is_the_older_mail(device: str) -> None:
    assert (
        new_text(
            f"{NEW}\n\n{device}\n\nOur committee met yesterday evening and everybody enjoyed themselves greatly"
        )
        == NEW
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "below",
    [
        "P3 holds",
        "yes",
        "To Ben: I would like to hear soon what you think about this, friend",
        "final",
    ],
)
def test_f16_what_could_be_meant_below_the_line_of_a_device_is_kept(
    device: str, below: str
) -> None:
    assert new_text(f"{NEW}\n\n{device}\n\n{below}") == f"{NEW}\n\n{below}"


def test_f16_a_sentence_that_begins_like_the_line_of_a_device_is_kept() -> None:
    letter = "P1: fortify\n\nSent from my desk, which is easier than on my mobile phone."
    assert new_text(letter) == letter


INLINE = [
    "On Wed, Apr 4, 2012 at 3:59 PM, bob@example.com wrote:",
    "On 20 Nov 2026, at 21:12, The Realm <orders@realm.example> wrote:",
    "Am 20.11.2026 um 21:12 schrieb The Realm <orders@realm.example>:",
    "--- On Wed, Apr 4, 2012 at 3:59 PM, me@domain.example wrote:",
    "Le 20 nov. 2026 à 21:12, The Realm <orders@realm.example> a\nécrit :",
]


@each_row("attribution", INLINE)
@each_row("quote", ["\n> P17: work", "", "\n\nP17: work"])
@each_row(
    "order", ["P1: fortify", "On P4 golden fortify", "P1: fortify\nSupport! Ben in P2 from P1"]
)
def test_f17_an_order_in_the_line_of_the_attribution_is_kept(
    attribution: str, quote: str, order: str
) -> None:
    assert new_text(f"{order} {attribution}{quote}") == order


@pytest.mark.parametrize("attribution", INLINE)
def test_f17_an_answer_below_an_attribution_whose_quote_was_deleted_is_read(
    attribution: str,
) -> None:
    assert new_text(f"{attribution}\n\n{NEW}\n") == NEW


@pytest.mark.parametrize("attribution", INLINE)
def test_f17_what_stands_below_an_attribution_is_not_read_where_it_may_be_the_older_mail(
    attribution: str,
) -> None:
    assert new_text(f"Hello\n\n{attribution}\n\n{OLD}") == "Hello"
    assert new_text(f"{attribution}\n\n{OUR_MAIL}") == ""
    assert (
        new_text(
            f"{attribution}\n\n{OLD}\n\nOn 19 Nov 2026 at 21:12 Ben <ben@example.org> wrote:\n\nP19: work"
        )
        == ""
    )


def test_f17_what_somebody_else_wrote_is_not_read_below_the_announcement_of_their_mail() -> None:
    own = {"orders@realm.example"}
    ours = "On 20 Nov 2026 at 21:12 The Realm <orders+o12-345@realm.example> wrote:\n\nP1: fortify"
    assert new_text(ours, own) == "P1: fortify"
    assert new_text(ours.replace("orders+o12-345@realm", "ben@players"), own) == ""


def alternatives(plain: str, html: str) -> str:
    return f"--b\r\nContent-Type: text/plain\r\n\r\n{plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n{html}\r\n--b--\r\n"


@pytest.mark.parametrize(
    "notice",
    [
        "This is an HTML message. Please use a program that can display it.",
        "Your e-mail program does not support HTML.",
        "Diese Nachricht ist im HTML-Format.\nBitte verwenden Sie ein Programm, das HTML anzeigen kann.",
    ],
)
def test_f17_a_notice_that_the_mail_is_in_html_is_not_its_text(notice: str) -> None:
    body = alternatives(notice, "<p>P1: fortify</p>")
    assert read("Content-Type: multipart/alternative; boundary=b", body=body).text == "P1: fortify"


def test_f17_plain_text_that_names_html_beside_an_order_is_read() -> None:
    body = alternatives("P1: fortify\r\nThe HTML of your map is broken.", "<p>P2: works</p>")
    assert read("Content-Type: multipart/alternative; boundary=b", body=body).text.startswith(
        "P1: fortify"
    )
