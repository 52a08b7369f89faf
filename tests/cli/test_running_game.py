"""`pbem game` and `pbem verify` at a table whose game has begun."""

from tests.cli.operator import Operator


def deadline_of(operator: Operator) -> str:
    return str(operator.types("game", "status", "heron", "--json").json["deadline"])


def test_the_status_is_one_screen_and_shows_nobodys_orders(running: Operator) -> None:
    said = running.types("game", "status", "heron")
    assert said.status == 0
    assert said.out.startswith("Heron (heron, protectors): running\nTurn 1, phase 1 (bidding), until ")
    for word in ("Anna", "Bartek", "Chloé", "c@players.example", "Letters:", "Shunted messages: 0", "Notes waiting: 0"):
        assert word in said.out


def test_the_status_as_json_holds_the_same(running: Operator) -> None:
    told = running.types("game", "status", "heron", "--json").json
    assert (told["status"], told["phase_number"], told["phase"], told["turn"]) == ("running", 1, "bidding", 1)
    assert [(seat["name"], seat["answered"], seat["versions"]) for seat in told["seats"]] == [
        ("Anna", False, 0),
        ("Bartek", False, 0),
        ("Chloé", False, 0),
    ]


def test_a_game_begins_once_and_takes_nobody_in_afterwards(running: Operator) -> None:
    assert running.types("game", "start", "heron").status == 4
    late = running.types("game", "invite", "heron", "Dmytro", "d@players.example")
    assert (late.status, late.err) == (4, "pbem: Heron has begun; nobody can be invited any more\n")


def test_a_deadline_is_moved_and_everybody_told_once(running: Operator) -> None:
    before = deadline_of(running)
    said = running.types("game", "extend", "heron", "+20d")
    assert said.status == 0
    assert said.out.startswith("heron: the deadline is ")
    assert deadline_of(running) > before
    assert running.ask("SELECT count(*) FROM outbox WHERE kind = 'deadline' AND seat_id IS NOT NULL") == [(3,)]


def test_an_earlier_deadline_wants_to_be_meant(running: Operator) -> None:
    running.types("game", "extend", "heron", "+20d")
    refused = running.types("game", "extend", "heron", "+2d")
    assert refused.status == 4
    assert "say --shorten if you mean it" in refused.err
    assert running.types("game", "extend", "heron", "+2d", "--shorten").status == 0


def test_deadlines_that_are_none_are_told_apart(running: Operator) -> None:
    nonsense = running.types("game", "extend", "heron", "soon")
    assert (nonsense.status, nonsense.err) == (2, "pbem: 'soon' is no time; write 2026-11-23T18:00 or +36h\n")
    assert "at most 30 days" in running.types("game", "extend", "heron", "+90d").err
    past = running.types("game", "extend", "heron", "2001-01-01T12:00")
    assert past.status == 4
    assert "that deadline is over already" in past.err


def test_a_replay_of_the_game_differs_in_nothing(running: Operator) -> None:
    said = running.types("verify", "heron")
    assert (said.status, said.out) == (0, "heron: every state and event is as the seed and the orders make it\n")


def test_a_replay_finds_a_changed_event(running: Operator) -> None:
    ((event, rules),) = running.ask("SELECT id, rules FROM events ORDER BY id LIMIT 1")
    running.ask("UPDATE events SET rules = ? WHERE id = ?", '["PR-9.9"]', event)
    said = running.types("verify", "heron")
    running.ask("UPDATE events SET rules = ? WHERE id = ?", rules, event)
    assert said.status == 1
    assert "phase 1: event" in said.out


def test_a_replay_wants_a_game_that_has_begun(operator: Operator) -> None:
    assert operator.types("verify", "swan").status == 3
    operator.types("game", "new", "heron")
    said = operator.types("verify", "heron")
    assert (said.status, said.err) == (4, "pbem: heron has not begun\n")


def test_only_the_open_phase_can_be_closed(running: Operator) -> None:
    wrong = running.types("game", "close", "heron", "7")
    assert (wrong.status, wrong.err) == (4, "pbem: phase 7 of heron is not the open one; nothing was closed\n")
    said = running.types("game", "close", "heron", "1")
    assert (said.status, said.out) == (0, "heron: phase 1 closes within seconds, if the service runs\n")
    assert [row[0] for row in running.ask("SELECT command FROM gm_log ORDER BY id")][-1] == "game close"
