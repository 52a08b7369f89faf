"""F-97, F-99: what a mail program sends when somebody clicks or opens is neither an order nor a
note.
"""

import pytest

from pbem.mail.inbound.message import InboundMail
from pbem.mail.inbound.reader import read_mail
from tests.mail.reading.clients import ADDRESS, ATTRIBUTIONS, HEADS, OUR_MAIL, quoted
from tests.mail.reading.raw import RULES
from tests.rows import each_row

GMAIL_LINK = "<https://www.google.com/gmail/about/?utm_campaign=emojireactionemail#app>"
QUOTE = f"{ATTRIBUTIONS['gmail en'].format(addr=ADDRESS)}\n\n{quoted()}"
OUTLOOK = f"{HEADS['outlook en'].format(addr=ADDRESS)}\n\n{OUR_MAIL}"


def read(body: str, *fields: str, subject: str = "Re: [Heron] Turn 6") -> InboundMail:
    head = ["From: Anna <anna@example.org>", f"To: {ADDRESS}", f"Subject: {subject}", *fields]
    head.append("Content-Type: text/plain; charset=utf-8") if not fields else None
    return read_mail(("\r\n".join(head) + "\r\n\r\n" + body).encode(), RULES)


@each_row(
    "body",
    [
        f"👍\n\nAnna reacted via Gmail\n{GMAIL_LINK}\n\n{QUOTE}",
        f"❤️\n\nAnna Berg hat über Gmail reagiert\n{GMAIL_LINK}\n\n{QUOTE}",
        f"👍 Anna reacted to your message:\n\n{OUTLOOK}",
        f"Anna Berg liked your message.\n\n{OUTLOOK}",
        f"😂 Anna Berg hat auf Ihre Nachricht reagiert:\n\n{OUTLOOK}",
        f"Anna a réagi à votre message\n\n{OUTLOOK}",
        "Loved “Anna, your orders, please”",
        'Reacted 👍 to "fortify P1"',
    ],
)
def test_f97_a_reaction_to_our_letter_is_no_message(body: str) -> None:
    assert read(body).automatic == "reaction"


def test_f97_the_part_that_a_reaction_is_made_of_is_enough() -> None:
    """Whatever the words are, and in whatever language."""
    body = (
        "--b\r\nContent-Type: text/plain\r\n\r\nfortify P1\r\n--b\r\n"
        'Content-Type: text/vnd.google.email-reaction+json\r\n\r\n{"emoji":"x"}\r\n--b--\r\n'
    )
    found = read(body, "Content-Type: multipart/alternative; boundary=b")
    assert found.automatic == "reaction"


@each_row(
    "body",
    [
        *("👍", "yes 👍", "P1: fortify\n\nBen reacted to your message"),
        *("Ben reacted to your message, fortify P1", "March 2 liked your message"),
        "Ben liked your message. Shall we share the river, and what do you give for it?",
        *('Loved "the board"\nP1: fortify', "Anna reacted to the attack: P1 fortify"),
        *("Ben: I loved your message", "Ben, Cleo liked your message"),
        *("I loved your message, Greta", "Loved your message"),
    ],
)
def test_f97_words_beside_a_reaction_are_read(body: str) -> None:
    found = read(f"{body}\n\n{QUOTE}")
    assert found.automatic is None
    assert found.text == body


RECEIPTS = {
    "Read: [Heron] Turn 6": (
        "Your message\n\n   To: Anna\n   Subject: [Heron] Turn 6\n   Sent: Friday, November 20, 2026"
        " 3:31:13 PM\n\n was read on Friday, November 20, 2026 3:40:00 PM."
    ),
    "Gelesen: [Heron] Turn 6": (
        "Ihre Nachricht\n\n   An: Anna\n   Betreff: [Heron] Turn 6\n   Gesendet: Freitag, 20."
        " November 2026 15:31\n\nwurde am Freitag, 20. November 2026 15:40 gelesen."
    ),
    "Lu : [Heron] Turn 6": (
        "Votre message\n   À : Anna\n   Objet : [Heron] Turn 6\n   Envoyé : 20/11/2026 15:31\n"
        "a été lu le 20/11/2026 15:40."
    ),
}


@pytest.mark.parametrize("subject", RECEIPTS)
def test_f99_a_plain_receipt_that_a_letter_was_read_is_no_message(subject: str) -> None:
    assert read(RECEIPTS[subject], subject=subject).automatic == "read-receipt"


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Read: my orders", "P1: fortify"),
        ("Read: [Heron] Turn 6", "I was away on 20 Nov 2026 at 15:40. P1: fortify"),
        ("Re: [Heron] Turn 6", RECEIPTS["Read: [Heron] Turn 6"]),
    ],
)
def test_f99_words_under_such_a_subject_are_read(subject: str, body: str) -> None:
    assert read(body, subject=subject).automatic is None


@pytest.mark.parametrize("words", ["", "Hello,\n\n"])
def test_f99_an_encrypted_text_is_refused_as_one(words: str) -> None:
    armour = "-----BEGIN PGP MESSAGE-----\n\nhQEMA0invented\n=abcd\n-----END PGP MESSAGE-----"
    assert read(f"{words}{armour}").refused == "encrypted"
    assert read(f"P1: fortify\n\n{QUOTE}\n> {armour}").refused is None
