"""`pbem gm`, and what `pbem game` does with a running table."""

import os
import pty
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.operator import Operator


@pytest.fixture(scope="module")
def heron(tmp_path_factory: pytest.TempPathFactory) -> Operator:
    seated = Operator.at(tmp_path_factory.mktemp("gm"))
    seated.seat_three()
    assert seated.types("game", "start", "heron").status == 0
    return seated


def test_the_configured_game_master_is_one_from_the_first_command_on(operator: Operator) -> None:
    said = operator.types("gm", "list")
    assert (said.status, " ".join(said.out.split())) == (
        0,
        "gm@house.example (no name yet) every game (configuration)",
    )
    (line,) = operator.types("gm", "list", "--json").json_lines
    assert line == {
        "address": "gm@house.example",
        "name": "",
        "configured": True,
        "tables": None,
        "bounced": False,
    }


def test_an_invited_game_master_gets_a_code_and_loses_it_again(operator: Operator) -> None:
    said = operator.types("gm", "invite", "Greta@Example.org", "--name", "Greta")
    assert (said.status, said.out) == (
        0,
        "Greta@Example.org may run every game; a mail with the code is on its way\n",
    )
    assert operator.ask("SELECT kind, address FROM outbox") == [
        ("gm-invitation", "greta@example.org")
    ]
    assert "greta@example.org" in operator.types("gm", "list").out
    again = operator.types("gm", "invite", "greta@example.org")
    assert (
        again.out == "greta@example.org may run every game; a mail with a new code is on its way\n"
    )
    assert operator.ask("SELECT generation FROM masters ORDER BY person_id DESC LIMIT 1") == [(2,)]
    assert (
        operator.types("gm", "revoke", "greta@example.org").out
        == "greta@example.org can no longer run games\n"
    )
    assert "greta" not in operator.types("gm", "list").out
    operator.types("gm", "invite", "greta@example.org")
    assert operator.ask("SELECT generation FROM masters ORDER BY person_id DESC LIMIT 1") == [(3,)]
    assert operator.ask("SELECT count(DISTINCT message_id) FROM outbox") == [(3,)]
    assert [row[0] for row in operator.ask("SELECT command FROM gm_log ORDER BY id")] == [
        *("gm invite", "gm invite", "gm revoke", "gm invite"),
    ]


def test_a_game_master_of_one_table_is_listed_with_it(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    assert (
        operator.types("gm", "invite", "greta@example.org", "--table", "heron").out
        == "greta@example.org may run heron; a mail with the code is on its way\n"
    )
    assert operator.types("gm", "list", "--json").json_lines[1]["tables"] == ["heron"]
    assert operator.types("gm", "invite", "gm@house.example", "--table", "heron").status == 4
    assert operator.types("gm", "invite", "greta@example.org", "--table", "swan").status == 3


def test_the_configured_game_master_can_get_a_new_code_only(operator: Operator) -> None:
    said = operator.types("gm", "revoke", "gm@house.example")
    assert "is in the configuration" in said.out
    assert operator.ask("SELECT generation FROM masters") == [(2,)]


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("invite", "not an address"), 2, "is not a mail address"),
        (("invite", "orders@house.example"), 2, "nobody can run games from it"),
        (
            ("revoke", "nobody@example.org"),
            3,
            "runs no games; `pbem gm list` shows the game masters",
        ),
    ],
)
def test_what_cannot_be_is_told(
    operator: Operator, words: tuple[str, ...], status: int, told: str
) -> None:
    said = operator.types("gm", *words)
    assert said.status == status
    assert told in said.err


def test_a_table_is_paused_and_goes_on(heron: Operator) -> None:
    assert (
        heron.types("game", "pause", "heron", "--reason", "holidays").out
        == "heron is paused; pbem game resume heron ends the pause\n"
    )
    assert "Paused since" in heron.types("game", "status", "heron").out
    assert heron.types("game", "status", "heron", "--json").json["status"] == "paused"
    assert heron.types("game", "pause", "heron").status == 4
    assert heron.types("game", "resume", "heron").out.startswith(
        "heron continues; the deadline is "
    )


def test_a_deadline_is_moved_by_a_length_or_to_a_day(heron: Operator) -> None:
    def deadline() -> datetime:
        return datetime.fromisoformat(
            heron.types("game", "status", "heron", "--json").json["deadline"]
        ).astimezone(UTC)

    before = deadline()
    assert heron.types("game", "extend", "heron", "by", "24h").status == 0
    assert (deadline() - before).total_seconds() == 24 * 3600
    later = (before + timedelta(days=20)).date()
    assert heron.types("game", "extend", "heron", "to", f"{later:%d %B %Y}, 18:00").status == 0


def test_a_table_is_told_something_and_a_note_answered(heron: Operator) -> None:
    assert (
        heron.types("game", "announce", "heron", "A long turn comes.").out
        == "sent to everybody in heron\n"
    )
    assert (
        heron.types("game", "notes", "heron").out
        == "no open notes; pbem game answer NUMBER TEXT answers one\n"
    )
    assert heron.types("game", "answer", "99", "yes").status == 3
    assert heron.types("game", "dismiss", "99").status == 3
    assert heron.types("game", "notes", "heron", "--json").out == ""


def test_a_look_wants_a_yes_and_shows_what_stands(heron: Operator) -> None:
    assert heron.types("game", "look", "heron", "Anna", "--no-input").status == 4
    assert heron.types("game", "look", "heron", "anna", "--yes").out == "anna has sent no orders\n"
    assert heron.types("game", "look", "heron", "Anna", "--yes", "--json").json == []
    assert heron.types("game", "look", "heron", "Nobody", "--yes").status == 3


def test_people_are_struck_replaced_and_unlocked_only_with_a_yes(heron: Operator) -> None:
    for words in (
        ("unlock", "Anna"),
        ("strike", "Anna", "told"),
        ("replace", "Anna", "frank@example.org"),
        ("end",),
        ("roll-back", "1"),
    ):
        said = heron.types("game", words[0], "heron", *words[1:])
        assert said.status == 4, words
        assert "Confirm with --yes." in said.err
    assert heron.types("game", "unlock", "heron", "Anna", "--yes").status == 4
    assert heron.types("game", "roll-back", "heron", "9", "--yes").status == 3
    done = heron.types(
        "game",
        "replace",
        "heron",
        "Bartek",
        "Frank",
        "frank@example.org",
        "--zone",
        "Europe/Oslo",
        "--yes",
    )
    assert (done.status, done.out) == (
        0,
        "heron: we ask frank@example.org, who has the seat of Bartek from their yes on\n",
    )


def test_a_roll_back_and_an_end_are_in_the_log_of_the_table(heron: Operator) -> None:
    assert (
        heron.types("game", "roll-back", "heron", "1", "--reshuffle", "--yes").out
        == "heron is back at the beginning of phase 1, which is now phase 2\n"
    )
    assert heron.types("game", "end", "heron", "--reason", "enough", "--yes").out == "ended heron\n"
    assert heron.types("game", "end", "heron", "--yes").status == 4
    rows = heron.types("game", "log", "heron", "--json", "--limit", "3").json_lines
    assert [row["command"] for row in rows] == ["game end", "game rollback", "game offer"]
    assert rows[0]["actor"] == "greta"
    assert rows[0]["detail"]["reason"] == "enough"
    assert "game rollback" in heron.types("game", "log", "heron").out


def test_at_a_terminal_a_typed_yes_does_it_and_anything_else_does_not(heron: Operator) -> None:
    def types(answer: str) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        command = [
            sys.executable,
            *("-c", "from pbem.cli import main; main()", "game", "close", "heron", "1"),
        ]
        environment = os.environ | {
            "PBEM_CONFIG": str(heron.config),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        os.write(ours, answer.encode())
        done = subprocess.run(
            command, stdin=theirs, capture_output=True, env=environment, check=False, timeout=60
        )
        os.close(ours)
        os.close(theirs)
        return done.returncode, done.stderr.decode()

    assert types("no\n") == (4, "pbem: nothing was done\n")
    assert types("yes\n") == (4, "pbem: phase 1 of heron is not open; nothing was closed\n")
