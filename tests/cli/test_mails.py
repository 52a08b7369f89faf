"""`pbem mail`: a raw mail looked at, messages laid aside and put back."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.store.repositories.post.inbox import NewMessage
from pbem.store.work import Work
from tests.cli.operator import Operator

FIXTURES = Path(__file__).parents[1] / "mail" / "fixtures"
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def lay_aside(operator: Operator) -> int:
    async def write(work: Work) -> int:
        number = await work.inbox.add_once(
            NewMessage(
                channel="mail",
                message_key="<a@b>|1",
                raw=b"From: a@b.example\r\n\r\nhi\r\n",
                received_at=NOON,
                stored_at=NOON,
            )
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


TOKEN = "o12-345-gx22n5y4mbw3kwt5br3gozowdm"


def token_told(folder: Path, *words: str, **environment: str) -> str | None:
    """What `pbem mail inspect --json` tells of a mail to orders+TOKEN@realm.example."""
    (folder / "x.eml").write_bytes(
        f"To: orders+{TOKEN}@realm.example\r\nFrom: anna@example.org\r\n\r\nP1 fortify\r\n".encode()
    )
    done = CliRunner().invoke(
        app,
        ["mail", "inspect", str(folder / "x.eml"), "--json", *words],
        env={"PBEM_CONFIG": "", **environment},
    )
    assert done.exit_code == 0, done.stderr
    told: dict[str, str | None] = json.loads(done.stdout)
    assert told["text"] == "P1 fortify"
    return told["token"]


@pytest.fixture
def bare_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where no configuration lies."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_configuration_any_address_may_carry_a_token(bare_folder: Path) -> None:
    assert token_told(bare_folder) == TOKEN


@pytest.mark.parametrize(
    ("address", "token"), [("orders@realm.example", TOKEN), ("orders@elsewhere.example", None)]
)
def test_with_a_configured_address_only_that_one_carries_tokens(
    bare_folder: Path, address: str, token: str | None
) -> None:
    assert token_told(bare_folder, PBEM_SERVICE__ADDRESS=address) == token
    named = bare_folder / "named.toml"
    named.write_text(f'[service]\naddress = "{address}"\n', encoding="utf-8")
    assert token_told(bare_folder, "--config", str(named)) == token
    named.rename(bare_folder / "pbem.toml")
    assert token_told(bare_folder) == token


def test_a_mail_that_is_not_there_cannot_be_inspected(operator: Operator) -> None:
    said = operator.types("mail", "inspect", str(operator.folder / "none.eml"))
    assert said.status == 1
    assert said.err.endswith("none.eml: No such file or directory\n")


def test_nothing_shunted_says_so(operator: Operator) -> None:
    assert operator.types("mail", "shunted").out == "no messages in quarantine\n"
    assert operator.types("mail", "shunted", "--json").out == ""


def test_a_shunted_message_is_listed_with_its_error_and_can_be_put_back(operator: Operator) -> None:
    number = lay_aside(operator)
    assert "ValueError: not as it should be" in operator.types("mail", "shunted").out
    (row,) = operator.types("mail", "shunted", "--json").json_lines
    assert (row["id"], row["received_at"]) == (number, "2026-11-21T12:00:00+00:00")
    assert row["trace"].startswith("Traceback")
    said = operator.types("mail", "requeue", str(number))
    assert (said.status, said.out) == (
        0,
        f"the service will handle message {number} again within seconds, if it runs\n",
    )
    assert operator.types("mail", "shunted").out == "no messages in quarantine\n"
    assert operator.ask("SELECT state FROM inbox") == [("new",)]


def test_a_message_that_is_not_there_cannot_be_put_back(operator: Operator) -> None:
    said = operator.types("mail", "requeue", "99")
    assert (said.status, said.err) == (3, "pbem: there is no message 99 to handle again\n")
    assert operator.types("mail", "requeue", "first").status == 2
