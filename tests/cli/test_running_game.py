"""`pbem game` and `pbem verify` at a table whose game has begun."""

from tests.cli.operator import Operator
from tests.played import PLAYED


def deadline_of(operator: Operator) -> str:
    return str(operator.types("game", "status", "heron", "--json").json["deadline"])


def test_the_status_is_one_screen_and_shows_nobodys_orders(running: Operator) -> None:
    said = running.types("game", "status", "heron")
    assert said.status == 0
    text = " ".join(said.out.split())
    assert text.startswith(f"Heron (heron, {PLAYED}). Turn 1, phase 1 (bids), until ")
    assert "UTC)." in text
    for word in (
        *("1 Anna (red): missing Bid a@players.example", "Chloé", "notes no notes waiting"),
        *("our mails 10 waiting", "quarantine empty"),
    ):
        assert word in text


def test_the_status_as_json_holds_the_same(running: Operator) -> None:
    told = running.types("game", "status", "heron", "--json").json
    assert (
        told["status"],
        told["phase_number"],
        told["phase"],
        told["phase_kind"],
        told["turn"],
    ) == ("running", 1, "bids", "bidding", 1)
    assert [(seat["name"], seat["answered"], seat["versions"]) for seat in told["seats"]] == [
        ("Anna", False, 0),
        ("Bartek", False, 0),
        ("Chloé", False, 0),
    ]


def test_a_game_begins_once_and_takes_nobody_in_afterwards(running: Operator) -> None:
    assert running.types("game", "start", "heron").status == 4
    late = running.types("game", "invite", "heron", "Dmytro", "d@players.example")
    assert (late.status, late.err) == (
        4,
        "pbem: Heron has begun; you can no longer invite players\n",
    )


def test_a_deadline_is_moved_and_everybody_told_once(running: Operator) -> None:
    before = deadline_of(running)
    said = running.types("game", "extend", "heron", "+20d")
    assert said.status == 0
    assert said.out.startswith("heron: the deadline is ")
    assert deadline_of(running) > before
    assert running.ask(
        "SELECT count(*) FROM outbox WHERE kind = 'deadline' AND seat_id IS NOT NULL"
    ) == [(3,)]


def test_an_earlier_deadline_wants_to_be_meant(running: Operator) -> None:
    running.types("game", "extend", "heron", "+20d")
    refused = running.types("game", "extend", "heron", "+2d")
    assert refused.status == 4
    assert "that is earlier than the present deadline" in refused.err
    before = deadline_of(running)
    asked = running.types("game", "shorten", "heron", "+2d")
    assert (asked.status, asked.err) == (
        4,
        "pbem: This moves the deadline of heron earlier and tells everybody. Confirm with --yes.\n",
    )
    assert running.types("game", "shorten", "heron", "+2d", "--no-input").status == 4
    assert deadline_of(running) == before
    assert running.types("game", "shorten", "heron", "by", "24h", "--yes").status == 0
    assert running.types("game", "shorten", "heron", "+30d", "--yes").status == 4


def test_deadlines_that_are_none_are_told_apart(running: Operator) -> None:
    nonsense = running.types("game", "extend", "heron", "soon")
    assert (nonsense.status, nonsense.err) == (
        2,
        "pbem: 'soon' is not a time; write by 24h, to 2026-11-23 18:00, or +36h\n",
    )
    assert "at most 30 days" in running.types("game", "extend", "heron", "+90d").err
    past = running.types("game", "extend", "heron", "2001-01-01T12:00")
    assert past.status == 4
    assert "that time has passed" in past.err


def test_a_replay_of_the_game_differs_in_nothing(running: Operator) -> None:
    said = running.types("verify", "heron")
    assert (said.status, said.out) == (
        0,
        "heron: every state and event follows from the seed and the orders\n",
    )


def test_a_replay_finds_a_changed_event(running: Operator) -> None:
    ((event, rules),) = running.ask("SELECT id, rules FROM events ORDER BY id LIMIT 1")
    running.ask("UPDATE events SET rules = ? WHERE id = ?", '["PR-9.9"]', event)
    said = running.types("verify", "heron")
    running.ask("UPDATE events SET rules = ? WHERE id = ?", rules, event)
    assert said.status == 1
    assert "event 0 (game-set-up) differs" in said.out


def test_a_replay_wants_a_game_that_has_begun(operator: Operator) -> None:
    assert operator.types("verify", "swan").status == 3
    operator.types("game", "new", "heron")
    said = operator.types("verify", "heron")
    assert (said.status, said.err) == (4, "pbem: heron has not begun\n")


def test_only_the_open_phase_can_be_closed(running: Operator) -> None:
    wrong = running.types("game", "close", "heron", "7", "--yes")
    assert (wrong.status, wrong.err) == (
        4,
        "pbem: phase 7 of heron is not open; nothing was closed\n",
    )
    assert running.types("game", "close", "heron", "1").status == 4
    said = running.types("game", "close", "heron", "1", "--yes")
    assert (said.status, said.out) == (
        0,
        "heron: the service will close phase 1 within seconds, if it runs\n",
    )
    assert [row[0] for row in running.ask("SELECT command FROM gm_log ORDER BY id")][
        -1
    ] == "game close"


def test_the_table_is_set_right_with_a_reason_once_it_is_meant(running: Operator) -> None:
    wanted = (
        *("game", "correct", "heron", "Anna", "money", "75", "--reason", "a wrong answer of mine"),
    )
    asked = running.types(*wanted)
    assert asked.status == 4
    assert (
        "heron: Anna money 75. What Anna holds is changed; the amount is told to Anna alone. We tell everybody, with the reason."
        in asked.err
    )
    said = running.types(*wanted, "--yes")
    assert (said.status, said.out) == (
        0,
        "corrected heron: Anna money 75. What Anna holds is changed; the amount is told to Anna alone.\n",
    )
    ((detail, public),) = running.ask(
        "SELECT detail, public FROM gm_log WHERE command = 'game correct'"
    )
    assert '"reason":"a wrong answer of mine"' in detail
    assert public
    assert running.types("verify", "heron").status == 0


def test_a_correction_that_is_none_is_refused(running: Operator) -> None:
    assert running.types("game", "correct", "heron", "P1 units 5").status == 2, "a reason is wanted"
    unknown = running.types("game", "correct", "heron", "P77 units 5", "--reason", "x", "--yes")
    assert unknown.status == 2
    assert unknown.err == "pbem: This game has no P77; it has P1 to P3.\n"
    impossible = running.types("game", "correct", "heron", "restore Anna", "--reason", "x", "--yes")
    assert (impossible.status, impossible.err) == (4, "pbem: Anna is in the game\n")


def test_what_a_table_says_about_its_people_is_shown_set_and_refused(running: Operator) -> None:
    shown = running.types("game", "people", "heron")
    assert "takeovers gm, nmr off" in shown.out
    said = running.types("game", "people", "heron", "nmr 2 then substitute, observers off")
    assert (said.status, said.out) == (0, "people in heron: observers off, nmr 2 then substitute\n")
    assert running.types("game", "people", "heron", "nmr 2 then substitute").status == 4
    wrong = running.types("game", "people", "heron", "nmr two")
    assert (
        wrong.status,
        "is not a rule about people; write these, with commas between: observers on, " in wrong.err,
    ) == (2, True)


def test_seats_are_looked_after_from_the_command_line(running: Operator) -> None:
    asked = running.types(
        "game",
        "substitute",
        "heron",
        "Anna",
        "Wanda",
        "w@players.example",
        "--until",
        "+10d",
        "--yes",
    )
    assert (asked.status, asked.out) == (0, "heron: we ask w@players.example to play for Anna\n")
    assert running.ask("SELECT count(*) FROM outbox WHERE kind = 'stand-in-confirm'") == [(1,)]
    assert (
        running.types(
            "game",
            "substitute",
            "heron",
            "Anna",
            "x@players.example",
            "--until",
            "sometime",
            "--yes",
        ).status
        == 2
    )
    assert (
        running.types(
            "game",
            "substitute",
            "heron",
            "Anna",
            "x@players.example",
            "--until",
            "+10d",
            "--no-input",
        ).status
        == 4
    )
    idle = running.types("game", "defaults", "heron", "Bartek")
    assert idle.out == "heron: defaults play for Bartek; everybody is told\n"
    assert running.types("game", "defaults", "heron", "Bartek", "--off").status == 0
    assert (
        running.types("game", "eject", "heron", "Bartek", "--reason", "no word", "--yes").status
        == 0
    )
    removed = running.types("game", "remove", "heron", "Bartek", "--yes")
    assert removed.out == "heron: Bartek is out of the game\n"
    assert running.types("game", "remove", "heron", "Bartek", "--yes").status == 4
