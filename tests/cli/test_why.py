"""`pbem why`: what everybody may know at once; what a player knows only when it is meant."""

from tests.cli.operator import Operator


def test_it_tells_what_everybody_may_know_without_asking_back(running: Operator) -> None:
    said = running.types("why", "heron", "P1")
    assert said.status == 0
    assert said.out.startswith(
        "P1 IN TURN 1\nNothing has been decided yet: the first window is still open.\n"
    )
    assert "~~~~" not in said.out
    assert "Code" not in said.out
    assert running.types("why", "heron", "what", "is", "this").out.startswith(
        "WHAT DO YOU WANT TO KNOW?"
    )
    assert running.ask("SELECT count(*) FROM outbox WHERE kind = 'looked'") == [(0,)]


def test_a_turn_may_be_named(running: Operator) -> None:
    assert "Turn 7 has not come yet" in running.types("why", "heron", "bid", "--turn", "7").out


def test_what_a_player_knows_wants_to_be_meant_and_is_told(running: Operator) -> None:
    asked = running.types("why", "heron", "money", "--as", "Anna", "--no-input")
    assert (asked.status, asked.err) == (
        4,
        "pbem: You will see what Anna knows in heron. We log it and tell everybody there. Confirm with --yes.\n",
    )
    said = running.types("why", "heron", "money", "--as", "Anna", "--yes")
    assert "held now" in said.out
    assert running.ask(
        "SELECT count(*) FROM outbox WHERE kind = 'looked' AND seat_id IS NOT NULL"
    ) == [(3,)]


def test_tables_and_players_there_are_none_of_are_not_found(running: Operator) -> None:
    assert running.types("why", "egret", "P1").status == 3
    assert running.types("why", "heron", "P1", "--as", "Zed", "--yes").status == 3
