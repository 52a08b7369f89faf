"""Whatever mail program writes an answer, the service reads the new text of it and nothing else."""

from datetime import UTC, datetime

import pytest

from pbem.demo.cast import whole_cast
from pbem.demo.received import Received
from pbem.demo.styles import STYLES, Sender, compose_answer
from pbem.mail.calendar import DeadlineEvent, format_deadline
from pbem.mail.composer import compose
from pbem.mail.inbound.reader import ReadingRules, read_mail
from pbem.mail.letter import CalendarFile, Letter

AT = datetime(2026, 11, 17, 9, 30, tzinfo=UTC)
DEADLINE = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
RULES = ReadingRules(
    own_addresses=frozenset({"orders@realm.example"}),
    host="realm.example",
    authserv_id="realm.example",
    subaddressing=True,
)
TEXT = "Good evening,\n\nMarch! 1 from P1 to P2.\nFortify! P4\n\nBest wishes,\nAnna"
TOKEN = "o1-2-aaaaaaaaaaaaaaaaaaaaaaaaaa"


def _question() -> Received:
    event = DeadlineEvent(
        uid="heron.1.2@realm.example",
        sequence=0,
        stamped_at=AT,
        deadline=DEADLINE,
        summary="orders",
        description="orders",
    )
    orders = "ANNA, YOUR ORDERS, PLEASE\n\n    Golden March! 2 from P2 to P3.\n    Fortify! P1.\n\n-- \nAnswer with help, status, map or orders. Code "
    letter = Letter(
        from_name="Post Office of the Realm",
        from_address="orders@realm.example",
        to_name="Anna",
        to_address="anna@harbour.example",
        subject="[Heron] Turn 1: orders due Fri 20 Nov 18:00",
        text=f"{orders}{TOKEN}\n",
        message_id=f"<{TOKEN}.serial@realm.example>",
        date=AT,
        envelope_from="orders@realm.example",
        auto_submitted="auto-generated",
        reply_to=f"orders+{TOKEN}@realm.example",
        html="<html><body><h1>Anna, your orders</h1><div>Golden March! 2 from P2 to P3.<br>Fortify! P1.</div></body></html>",
        calendars=(CalendarFile("deadline.ics", format_deadline(event)),),
    )
    return Received(compose(letter))


def test_a_question_tells_its_deadline_and_where_to_answer() -> None:
    question = _question()
    assert question.sort == "question"
    assert question.deadline == DEADLINE
    assert question.reply_to == f"orders+{TOKEN}@realm.example"
    assert "Golden March!" in question.text


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("signature", ["", "Bartek Zieliński\nul. Długa 12, Gdańsk"])
def test_the_new_text_is_found_whatever_the_program(name: str, signature: str) -> None:
    sender = Sender("Anna", "anna@harbour.example", "Europe/Berlin", signature)
    raw = compose_answer(STYLES[name], sender, TEXT, _question(), AT, "<1@harbour.example>")
    mail = read_mail(raw, RULES)
    assert mail.automatic is None
    assert mail.refused is None
    read = [line for line in mail.text.splitlines() if line.strip()]
    written = [line for line in TEXT.splitlines() if line.strip()]
    assert read[: len(written)] == written
    assert all(line in signature.splitlines() for line in read[len(written) :])
    assert "Golden" not in mail.text
    assert mail.sender == "anna@harbour.example"
    assert [(claim.seat, claim.phase) for claim in mail.tokens][:1] == [(1, 2)]


def test_every_program_of_the_cast_is_known_and_the_first_seven_use_the_required_ones() -> None:
    used = [program for person in whole_cast()[:7] for program in person.programs]
    assert set(used) <= set(STYLES)
    assert {"gmail", "apple", "outlook", "thunderbird", "iphone", "yahoo", "german"} <= set(used)
    assert any(STYLES[program].form == "html" for program in used)
    assert any(STYLES[program].signature_mark for program in used)
