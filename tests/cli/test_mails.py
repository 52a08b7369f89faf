"""`pbem mail`: a raw mail looked at, messages laid aside and put back."""

from datetime import UTC, datetime
from pathlib import Path

from pbem.store.work import Work
from tests.cli.operator import Operator

FIXTURES = Path(__file__).parents[1] / "mail" / "fixtures"
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def lay_aside(operator: Operator) -> int:
    async def write(work: Work) -> int:
        number = await work.inbox.add_once(
            channel="mail", message_key="<a@b>|1", raw=b"From: a@b.example\r\n\r\nhi\r\n", received_at=NOON, stored_at=NOON
        )
        assert number is not None
        await work.inbox.shunt(number, 'Traceback\n  File "x"\nValueError: not as it should be\n')
        return number

    return operator.keep(write)


def test_a_raw_mail_is_shown_as_the_service_reads_it(operator: Operator) -> None:
    said = operator.types("mail", "inspect", str(FIXTURES / "gmail-web.eml"))
    assert said.status == 0
    assert "from       anna@example.org\n" in said.out
    assert "Golden march 2 from P2 to P3, P1 fortifies." in said.out
    told = operator.types("mail", "inspect", str(FIXTURES / "gmail-web.eml"), "--json").json
    assert told["from"] == "anna@example.org"
    assert told["text"].startswith("Golden march 2 from P2 to P3")
    assert told["automatic"] is None


def test_a_mail_that_is_not_there_cannot_be_inspected(operator: Operator) -> None:
    said = operator.types("mail", "inspect", str(operator.folder / "none.eml"))
    assert said.status == 1
    assert said.err.endswith("none.eml: No such file or directory\n")


def test_nothing_shunted_says_so(operator: Operator) -> None:
    assert operator.types("mail", "shunted").out == "nothing is shunted\n"
    assert operator.types("mail", "shunted", "--json").out == ""


def test_a_shunted_message_is_listed_with_its_error_and_can_be_put_back(operator: Operator) -> None:
    number = lay_aside(operator)
    assert "ValueError: not as it should be" in operator.types("mail", "shunted").out
    (row,) = operator.types("mail", "shunted", "--json").json_lines
    assert (row["id"], row["received_at"]) == (number, "2026-11-21T12:00:00+00:00")
    assert row["trace"].startswith("Traceback")
    said = operator.types("mail", "requeue", str(number))
    assert (said.status, said.out) == (0, f"message {number} is handled again within seconds, if the service runs\n")
    assert operator.types("mail", "shunted").out == "nothing is shunted\n"
    assert operator.ask("SELECT state FROM inbox") == [("new",)]


def test_a_message_that_is_not_there_cannot_be_put_back(operator: Operator) -> None:
    said = operator.types("mail", "requeue", "99")
    assert (said.status, said.err) == (3, "pbem: there is no message 99 to be handled again\n")
    assert operator.types("mail", "requeue", "first").status == 2
