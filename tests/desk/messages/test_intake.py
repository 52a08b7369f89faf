"""The key under which a mail is kept: one for each mail, whatever its Message-ID is."""

import pytest

from pbem.desk.messages.intake import HEAD_OCTETS, message_key
from pbem.desk.messages.intake import MAX_ID_CHARACTERS as MOST


def mail(message_id: str, *, before: str = "") -> bytes:
    return f"From: anna@players.example\r\n{before}Message-ID: {message_id}\r\n\r\nFortify P1\r\n".encode()


def id_in_key(raw: bytes) -> str:
    message_id, digest = message_key(raw).split("|")
    assert len(digest) == 64
    return message_id


def of_length(characters: int) -> str:
    return f"<{'a' * (characters - len('<@host.example>'))}@host.example>"


@pytest.mark.parametrize("message_id", ["<1@host.example>", of_length(MOST)])
def test_a_plain_id_stands_in_the_key_as_it_is(message_id: str) -> None:
    assert id_in_key(mail(message_id)) == message_id


@pytest.mark.parametrize(
    "message_id", [of_length(MOST + 1), "<1|2@host.example>", "<ä@host.example>"]
)
def test_an_id_that_is_too_long_or_no_plain_text_or_would_part_the_key_stands_as_its_hash(
    message_id: str,
) -> None:
    found = id_in_key(mail(message_id))
    assert len(found) == 66
    assert found != id_in_key(mail(message_id.replace("host", "other")))
    assert message_id not in found


def test_one_id_and_another_content_is_another_mail() -> None:
    once, again = mail("<1@host.example>"), mail("<1@host.example>") + b"Work P2\r\n"
    assert id_in_key(once) == id_in_key(again)
    assert message_key(once) != message_key(again)


def test_only_the_beginning_of_a_head_is_looked_at() -> None:
    far = "X-Filler: " + "a" * 70 + "\r\n"
    assert id_in_key(mail("<1@host.example>", before=far * (HEAD_OCTETS // len(far) + 1))) == ""
    assert id_in_key(mail("<1@host.example>", before=far)) == "<1@host.example>"
