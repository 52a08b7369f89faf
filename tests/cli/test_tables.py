"""`pbem game`: opening a table and seating people, before anything is dealt."""

import pytest

from tests.cli.operator import Operator
from tests.played import GAME, PLAYED, SMALLEST

MOST = SMALLEST.ruleset.players[1]


def test_without_a_table_the_list_says_how_to_open_one(newcomer: Operator) -> None:
    said = newcomer.types("game", "list")
    assert (said.status, said.out) == (0, "there is no game; pbem game new NAME opens one\n")
    assert newcomer.types("game", "list", "--json").out == ""


def test_f70_a_new_table_tells_its_join_code_is_listed_and_logged(operator: Operator) -> None:
    said = operator.types(
        "game",
        "new",
        "heron",
        "--title",
        "Grey Heron",
        "-o",
        "version=grand",
        "-o",
        "provinces=18",
        "--hours",
        "orders=48",
    )
    ((code,),) = operator.ask("SELECT join_code FROM games")
    assert (said.status, said.out.splitlines()) == (
        0,
        [
            f"Grey Heron is open. Players join by writing `join {code}` to orders@house.example.",
            "Or keep a seat: pbem game invite heron NAME ADDRESS",
        ],
    )
    assert "heron" in operator.types("game", "list").out
    (row,) = operator.types("game", "list", "--json").json_lines
    assert row == {
        "game": "heron",
        "title": "Grey Heron",
        "ruleset": PLAYED,
        "status": "open",
        "phase": 0,
    }
    assert operator.ask("SELECT actor, command FROM gm_log") == [("greta", "game new")]
    ((settings,),) = operator.ask("SELECT settings FROM games")
    assert '"orders":48.0' in settings


NOT_OPENED: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("Heron!",), 2, "a game's short name is lower-case letters"),
    (("faction",), 2, "'faction' is a word of the game master"),
    (("heron", "--ruleset", "chess"), 2, "there is no game of the kind 'chess'"),
    (("heron", "-o", "version=huge"), 2, "version"),
    (("heron", "-o", "version"), 2, "'version' is not of the form key=value"),
    (("heron", "--hours", "orders=long"), 2, "--hours needs a number of hours"),
    (("heron", "--zone", "Mars/Olympus"), 2, "--zone: 'Mars/Olympus' is no time zone"),
    (
        ("heron", "--players", "40"),
        2,
        f"a table of {GAME.title} is for 2 to 16 players, not 40\n",
    ),
    (
        ("swan", "--ruleset", SMALLEST.ruleset.id, "--players", f"2-{MOST + 1}"),
        2,
        f"a table of {SMALLEST.title} is for 2 to {MOST} players, not 2 to {MOST + 1}\n",
    ),
    (
        ("heron", "--players", "9-5"),
        2,
        "at least 9 and at most 5 players cannot be: the smaller number stands first\n",
    ),
    (
        ("heron", "--press", "foo"),
        2,
        "'foo' is not a rule about press; write these, with commas between: all, public only, ",
    ),
    (
        ("heron", "--clock", "soon"),
        2,
        "is not a rule about time; write these, with commas between: clock 18:00, ",
    ),
    (
        ("heron", "--zone", "CET"),
        2,
        "--zone: 'CET' names no one time zone; perhaps Europe/Berlin or ",
    ),
    ((), 2, "Missing argument"),
)


def test_a_table_that_cannot_be_opened_is_refused_in_words(operator: Operator) -> None:
    for words, status, told in NOT_OPENED:
        said = operator.types("game", "new", *words)
        assert said.status == status, words
        assert told in said.err
    assert operator.types("game", "list", "--json").out == ""


def test_a_table_without_an_open_phase_has_no_deadline_to_move(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    said = operator.types("game", "extend", "heron", "by", "24h")
    assert (said.status, said.err) == (4, "pbem: heron has no open phase\n")


def test_a_games_short_name_may_be_written_with_capitals(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    assert operator.types("game", "status", "Heron", "--json").json["slug"] == "heron"
    assert (
        operator.types("game", "invite", "HERON", "Anna", "anna@players.example").out
        == "Anna <anna@players.example> has seat 1\n"
    )


def test_a_second_table_of_the_same_name_is_a_conflict(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    said = operator.types("game", "new", "heron")
    assert (said.status, said.err) == (5, "pbem: there is a game 'heron' already\n")


def test_invited_people_have_seats_and_letters(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    said = operator.types(
        "game", "invite", "heron", "Anna", "anna@players.example", "Bartek", "b@players.example"
    )
    assert (said.status, said.out) == (
        0,
        "Anna <anna@players.example> has seat 1\nBartek <b@players.example> has seat 2\n",
    )
    assert operator.ask("SELECT kind, address FROM outbox ORDER BY id") == [
        ("invitation", "anna@players.example"),
        ("invitation", "b@players.example"),
    ]
    (first, second) = operator.types("game", "status", "heron", "--json").json["seats"]
    assert (first["name"], first["colour"], second["number"]) == ("Anna", "red", 2)


def test_a_colour_and_a_zone_can_be_given(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    assert (
        operator.types(
            "game",
            "invite",
            "heron",
            "Anna",
            "a@players.example",
            "--colour",
            "blue",
            "--zone",
            "Asia/Tokyo",
        ).status
        == 0
    )
    assert operator.ask("SELECT time_zone FROM people WHERE name = 'Anna'") == [("Asia/Tokyo",)]
    assert operator.ask("SELECT colour FROM seats") == [("blue",)]


NOT_INVITED: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("heron", "Anna"), 2, "write names and addresses in pairs"),
    (("heron", "Ben", "not an address"), 2, "is not a mail address"),
    (("heron", "red", "r@players.example"), 2, "cannot be a name here"),
    (("heron", "Ben", "b@players.example", "--colour", "mauve-ish"), 2, "is not one of"),
    (("heron", "Ben", "anna@players.example"), 4, "has a seat at Heron already"),
    (("heron", "\u0410nna", "b@players.example"), 2, "cannot be a name here"),
    (("swan", "Ben", "b@players.example"), 3, "there is no game 'swan'"),
)


def test_an_invitation_that_cannot_stand_is_refused_in_words(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    operator.types("game", "invite", "heron", "Anna", "anna@players.example")
    for words, status, told in NOT_INVITED:
        said = operator.types("game", "invite", *words)
        assert said.status == status, words
        assert told in said.err
        assert operator.ask("SELECT count(*) FROM seats") == [(1,)]


def test_one_player_is_too_few_to_start(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    operator.types("game", "invite", "heron", "Anna", "anna@players.example")
    said = operator.types("game", "start", "heron")
    assert said.status == 4
    assert said.err.startswith("pbem: ")
    assert operator.types("game", "status", "heron", "--json").json["status"] == "open"


OF_A_TABLE: tuple[tuple[str, ...], ...] = (
    ("status",),
    ("start",),
    ("extend", "+1h"),
    ("close", "1", "--yes"),
    ("pause",),
    ("notes",),
    ("log",),
    ("end", "--yes"),
)


def test_an_unknown_table_is_not_found(operator: Operator) -> None:
    for command in OF_A_TABLE:
        said = operator.types("game", command[0], "swan", *command[1:])
        assert (said.status, said.err) == (
            3,
            "pbem: there is no game 'swan'; `pbem game list` shows all games\n",
        )


def test_a_table_that_has_not_begun_has_no_phase_to_move_or_close(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    for words in (
        ("extend", "heron", "+1h"),
        ("close", "heron", "0", "--yes"),
        ("pause", "heron"),
        ("look", "heron", "Anna", "--yes"),
    ):
        said = operator.types("game", *words)
        assert (said.status, said.err) == (4, "pbem: heron has no open phase\n")


def test_how_a_table_fills_votes_and_starts_is_said_when_it_is_opened(operator: Operator) -> None:
    said = operator.types(
        "game",
        "new",
        "heron",
        "--players",
        "3-5",
        "--vote",
        "version",
        "--start",
        "full",
        "--expires",
        "14",
        "--secrets",
    )
    assert said.status == 0, said.err
    told = operator.types("game", "status", "heron", "--json").json
    assert (told["seats_least"], told["seats_most"], told["votes"], told["starts"]) == (
        3,
        5,
        {"version": 0},
        "full",
    )
    text = " ".join(operator.types("game", "status", "heron").out.split())
    assert (
        "Not begun: 0 of 5 seats taken, at least 3 needed. It starts by itself when it is full."
        in text
    )
    assert f"join code {told['join_code']}" in text
    assert "vote: version no players yet" in text


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--players", "five"), 2, "'five' is no number of players"),
        (("--players", "1"), 2, f"a table of {GAME.title} is for 2 to 16 players"),
        (("--start", "soon"), 2, "--start takes gm or full, not 'soon'"),
        (("--vote", "weather"), 2, "'weather' is not a question for the vote"),
        (("--expires", "0"), 2, "a table waits 1 to 365 days"),
    ],
)
def test_what_a_table_cannot_be_opened_with_is_told(
    operator: Operator, words: tuple[str, ...], status: int, told: str
) -> None:
    said = operator.types("game", "new", "heron", *words)
    assert said.status == status
    assert told in " ".join(said.err.split())


def test_an_option_is_changed_before_the_start(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    assert operator.types("game", "option", "heron", "version=grand", "provinces=18").status == 0
    ((options,),) = operator.ask("SELECT options FROM games")
    assert '"version":"grand"' in options
    assert operator.types("game", "option", "heron", "version").status == 2
    assert operator.types("game", "option", "heron", "version=huge").status == 2


def test_press_is_set_at_the_start_and_later(operator: Operator) -> None:
    assert operator.types("game", "new", "heron", "--press", "public only").status == 0
    said = operator.types("game", "press", "heron", "all, grey, none during dragon")
    assert said.status == 0
    assert "grey on" in said.out
    ((settings,),) = operator.ask("SELECT settings FROM games")
    assert '"press":{"mode":"all","grey":true,"closed_in":["dragon"]' in settings
    assert operator.types("game", "press", "heron", "purple").status == 2
    assert operator.types("game", "press", "heron", "none during sleep").status == 2
    assert operator.types("game", "new", "egret", "--press", "none during sleep").status == 2
