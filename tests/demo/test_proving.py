"""A game is checked with nothing but the first letter and the last."""

from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.demo.gallery.proving import prove
from pbem.demo.progress import proof_lines
from pbem.demo.received import Received
from pbem.record.record import format_record
from tests.record.games import recorded

RECORD = recorded(3)
RAW = format_record(RECORD)


def letter(text: str, attachment: bytes = b"") -> Received:
    message = EmailMessage(policy=SMTP)
    message["Date"] = format_datetime(datetime(2026, 11, 20, tzinfo=UTC))
    message.set_content(text)
    if attachment:
        message.add_attachment(
            attachment, maintype="application", subtype="json", filename="heron-record.json"
        )
    return Received(message.as_bytes())


WELCOME = letter(f"The commitment:\n\n    {RECORD.commitment}\n")


async def test_the_record_that_came_with_the_last_letter_is_played_again() -> None:
    proof = await prove(WELCOME, letter(f"Fingerprint {RECORD.fingerprint}\n", RAW))
    assert proof is not None
    assert (proof.filename, proof.raw, proof.differences) == ("heron-record.json", RAW, ())
    assert proof_lines(proof) == (
        f"heron-record.json replayed: all {proof.draws} draws, every state and every event are the same.",
    )


async def test_what_was_changed_is_named_and_so_are_numbers_that_are_not_those_of_the_letters() -> (
    None
):
    changed = RAW.replace(RECORD.players[0].name.encode(), b"Agnes")
    proof = await prove(letter("No number."), letter("None either.", changed))
    assert proof is not None
    assert len(proof.differences) >= 3
    assert "the commitment is not the one in the welcome" in proof.differences
    assert "the fingerprint is not the one in the last letter" in proof.differences
    assert proof_lines(proof)[0] == "heron-record.json: the replay differs from the game."


async def test_a_last_letter_without_a_record_proves_nothing() -> None:
    assert await prove(WELCOME, letter("The end.")) is None
