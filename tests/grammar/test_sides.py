"""What may be written about teams, places and factions before the start."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.lobby import Choices, Trouble, read_lobby
from pbem.grammar.seat_wishes import Colour, Faction, Mate, Name, Place, SeatWish, Team, Vote
from pbem.pages.kit.arms import ARMS
from tests.rows import each_row

COLOURS = {colour: colour for colour in ARMS}
FACTIONS = ("Cenarion", "Kalu'Ak", "Hodir", "Iron Light", "Lannuvár")
BALLOT = {
    "team game": ("no", "yes"),
    "factions": ("no", "yes"),
    "factions by": ("choice", "chance"),
}
SIDED = Choices(COLOURS, BALLOT, FACTIONS, ("Anna", "Ben", "Chloé de la Cruz"), has_teams=True)
PLAIN = Choices(COLOURS, {}, (), ("Anna", "Ben"), has_teams=False)


@each_row(
    ("text", "wishes"),
    [
        ("team Red", (Team("Red"),)),
        ("Team: The Sharks", (Team("The Sharks"),)),
        ("I'd like to be in team Red", (Team("Red"),)),
        ("put me in team red please", (Team("red"),)),
        ("join the red team", (Team("red"),)),
        ("no team", (Team(""),)),
        ("any team", (Team(""),)),
        ("with Anna", (Mate("Anna"),)),
        ("I'd like to play with chloe", (Mate("chloe"),)),
        ("be in Ben's team", (Mate("Ben"),)),
        ("together with Ben, place 2", (Mate("Ben"), Place(2))),
        ("play with Hans", (Mate("Hans"),)),
        ("second place in our team", (Place(2),)),
        ("place: 1st", (Place(1),)),
        ("place 2nd please", (Place(2),)),
        ("my place is third", (Place(3),)),
        ("leave team", (Team(""),)),
        ("leave our team", (Team(""),)),
        ("I want to play with Chloe and Anna", (Mate("Chloe"), Mate("Anna"))),
        ("with Ben & Anna", (Mate("Ben"), Mate("Anna"))),
        ("place two", (Place(2),)),
        ("place: any", (Place(0),)),
        ("faction Hodir", (Faction("Hodir"),)),
        ("my faction is kaluak", (Faction("Kalu'Ak"),)),
        ("I play Lannuvar", (Faction("Lannuvár"),)),
        ("team faction Hodir", (Faction("Hodir"),)),
        ("our team place 2", (Place(2),)),
        ("can I be in team Red", (Team("Red"),)),
        ("team up with Ben as my team-mate", (Mate("Ben"),)),
        ("join any team", (Team(""),)),
        ("team: Game Changers", (Team("Game Changers"),)),
        ("faction iron", (Faction("Iron Light"),)),
        ("no faction", (Faction(""),)),
        ("team Red and place 2 and faction Cenarion", (Team("Red"), Place(2), Faction("Cenarion"))),
        ("call me Bea, team Red, green", (Name("Bea"), Team("Red"), Colour("green"))),
        ("team game yes, no factions", (Vote("team game", "yes"), Vote("factions", "no"))),
        ("factions by chance", (Vote("factions by", "chance"),)),
        ("name Team Rocket", (Name("Team Rocket"),)),
    ],
)
def test_what_is_written_about_sides_is_read(text: str, wishes: tuple[SeatWish, ...]) -> None:
    assert read_lobby(text, SIDED).said == wishes


def test_a_faction_that_there_is_not_is_asked_about() -> None:
    assert read_lobby("faction Hodri", SIDED).said == (
        Trouble("unknown-faction", "Hodri", ("faction Hodir",)),
    )
    (told,) = read_lobby("faction Elves", SIDED).said
    assert isinstance(told, Trouble)
    assert told.options == tuple(f"faction {name}" for name in FACTIONS)


@each_row(
    "text",
    [
        *("with kind regards", "we have a good team here", "in first place I want to say hello"),
        *("happy to play with all of you", "I don't want to be in Ben's team"),
        "not in the red team",
    ],
)
def test_talk_is_no_choice(text: str) -> None:
    assert read_lobby(text, SIDED).wishes == ()


@pytest.mark.parametrize("text", ["with Hans", "Hodir", "I am with you"])
def test_where_there_are_no_teams_less_is_read_of_them(text: str) -> None:
    assert read_lobby(text, PLAIN).said == ()


@given(st.text(alphabet="team place faction with Anna 12 is my:=,'", max_size=120))
def test_nothing_written_is_an_error(text: str) -> None:
    read_lobby(text, SIDED)
