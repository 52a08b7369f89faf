"""`pbem health`, `pbem doctor` and `pbem forget`, as monitors and operators run them."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.store.repositories.marks import DRAINED, SWEPT
from pbem.store.work import Work
from tests.cli.operator import CONFIG, Operator


def serve_until(operator: Operator, at: datetime) -> None:
    async def leave(work: Work) -> None:
        for name in (SWEPT, DRAINED):
            await work.marks.put(name, at)

    operator.keep(leave)


def test_a_service_that_was_never_started_is_failing_and_nothing_is_made(
    newcomer: Operator,
) -> None:
    said = newcomer.types("health", "--json")
    assert (said.status, said.json["verdict"], said.json["reasons"]) == (
        1,
        "failing",
        ["database-missing"],
    )
    assert not newcomer.database.parent.exists()


def test_a_live_service_is_ok(operator: Operator) -> None:
    serve_until(operator, datetime.now(UTC))
    said = operator.types("health")
    assert said.status == 0
    assert said.out.startswith("ok  (pbem ")
    assert "swept      0:00:0" in said.out


def test_a_monitor_gets_json_with_ages_and_a_status(operator: Operator) -> None:
    serve_until(operator, datetime.now(UTC) - timedelta(minutes=3))
    said = operator.types("health", "--json")
    assert (said.status, said.json["verdict"], said.json["reasons"]) == (
        1,
        "failing",
        ["service-silent"],
    )
    assert 179 < said.json["marks"]["swept"]["age_seconds"] < 300
    assert said.json["disk_free_bytes"] > 0


def test_what_is_only_degraded_fails_when_asked_to_be_strict(operator: Operator) -> None:
    async def leave(work: Work) -> None:
        await work.marks.put(SWEPT, datetime.now(UTC))

    operator.keep(leave)
    assert operator.types("health").status == 0
    said = operator.types("health", "--strict")
    assert (said.status, said.out.splitlines()[1]) == (
        1,
        "  mailbox-unread: the service has not read the mailbox lately",
    )


def test_the_doctor_tells_each_thing_and_what_to_mend_and_fails_when_something_is_broken(
    newcomer: Operator,
) -> None:
    newcomer.config.write_text(
        CONFIG.replace('addresses = ["gm@house.example"]', 'addresses = ["orders@house.example"]'),
        encoding="utf-8",
    )
    said = newcomer.types("doctor", "--no-mail")
    assert said.status == 1
    assert (
        "BROKEN   game masters: the service would write to itself\n         -> take orders@house.example out of gm.addresses"
        in said.out
    )
    assert "ok       boards and fonts: " in said.out
    assert said.out.splitlines()[-1].startswith("It will not work like this")
    assert not newcomer.database.parent.exists()


@pytest.mark.long(held_by="tests/doctor (what it finds)")
def test_the_doctor_speaks_json_and_is_content_with_warnings(operator: Operator) -> None:
    operator.config.write_text(
        CONFIG.replace('addresses = ["gm@house.example"]', ""), encoding="utf-8"
    )
    said = operator.types("doctor", "--no-mail", "--json")
    assert (said.status, said.json["verdict"]) == (0, "warning")
    doubtful = {
        finding["check"]: finding["mend"]
        for finding in said.json["findings"]
        if finding["grade"] == "warning"
    }
    doubtful.pop("Python", None)  # the one that runs the tests may lack fixes of the mail library
    assert doubtful == {"game masters": "set gm.addresses"}


def test_the_doctor_tells_servers_that_cannot_be_reached(operator: Operator) -> None:
    servers = '[imap]\nhost = "127.0.0.1"\nport = 1\n[smtp]\nhost = "127.0.0.1"\nport = 1\n'
    operator.config.write_text(CONFIG + servers, encoding="utf-8")
    said = operator.types("doctor", "--json", "--wait", "0")
    found = {finding["check"]: finding["grade"] for finding in said.json["findings"]}
    assert (said.status, found["SMTP"], found["IMAP"]) == (1, "broken", "broken")
    assert "mail to ourselves" not in found


def test_forgetting_tells_first_what_would_go_and_does_it_when_it_is_meant(
    operator: Operator,
) -> None:
    operator.seat_three()
    dry = operator.types("forget", "a@players.example")
    assert (dry.status, dry.out.splitlines()[-1]) == (0, "This was a dry run; --yes deletes.")
    assert "a seat would be left in Heron; its game master is told" in dry.out
    players = "SELECT address FROM addresses WHERE address LIKE '%@players.example' ORDER BY id"
    assert len(operator.ask(players)) == 3
    done = operator.types("forget", "a@players.example", "--yes", "--json")
    assert (done.status, done.json["done"], done.json["seats_left"]) == (0, True, ["Heron"])
    assert operator.ask(players) == [("b@players.example",), ("c@players.example",)]
    assert operator.ask("SELECT count(*) FROM gm_log WHERE detail LIKE '%@%'") == [(0,)]
    again = operator.types("forget", "a@players.example", "--yes")
    assert (again.status, "players.example" in again.err) == (3, False)
