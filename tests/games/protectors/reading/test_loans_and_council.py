"""Money of team-mates and Highmagisters in the turns of phrase that people use."""

import pytest

from engine.protectors.orders import Bid, Buy, Fire, Use
from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.engine.tabletop import position
from tests.rows import each_row

MATES = {
    "Max": {"team": "A", "realm": 100},
    "Anna": {"team": "A", "realm": 200},
    "Ben": {"team": "B", "realm": 100},
    "Cid": {"team": "B", "realm": 100},
}
BUYING = position(
    "1 Max 1, 2 Anna 1, 3 Max 1, 4 Ben 1, 5 Cid 1", phase="consolidation", players=MATES
)
COUNCIL = position(
    "1 Max 1, 2 Anna 1, 3 Ben 1",
    phase="dragon",
    attack={"during": "reveal"},
    in_play=["Calms of Summer", "There be Dragons!"],
    options={"factions": "choice"},
    players={"Max": {"faction": "Cenarion", "realm": 400}, "Anna": {}, "Ben": {}},
)
LENT = Use(40, 2)


@each_row(
    ("text", "orders", "quote"),
    [
        ("buy 1 in P3 with 75 from Anna", (Buy(1, 3), Use(75, 2)), "75 from Anna"),
        ("bid 60, Anna pays 40 of it", (Bid(60), LENT), "Anna pays 40 of it"),
        ("Bid 60, 40 of it from Anna.", (Bid(60), LENT), "40 of it from Anna"),
        ("bid 60 with 40 from Anna", (Bid(60), LENT), "40 from Anna"),
        ("bid 60 using 40 of Anna's money", (Bid(60), LENT), "40 of Anna's money"),
        ("Anna lends me 40. Bid 60", (LENT, Bid(60)), "Anna lends me 40"),
        ("bid 60 and Anna covers 40 $Realm", (Bid(60), LENT), "Anna covers 40 $Realm"),
        ("Bid 60 (Anna gives forty)", (Bid(60), LENT), "Anna gives forty"),
    ],
)
def test_money_of_team_mates_is_read_as_people_speak_of_it(
    text: str, orders: tuple[object, ...], quote: str
) -> None:
    reading = read_alone(READER.read, BUYING, 1, Standing(), text)
    assert reading.checked is not None
    assert reading.checked.standing.orders == orders
    assert any(item.quote.strip() == quote for item in reading.items), [
        item.quote for item in reading.items
    ]


@pytest.mark.parametrize(
    "text",
    [
        "bid 60, Anna pays half of it",
        "bid 60, Anna pays the rest",
        "buy 1 in P3 with Anna's money",
        "bid 60 and Ben pays 40",
    ],
)
def test_what_is_said_of_others_money_and_cannot_be_read_is_asked_about(text: str) -> None:
    reading = read_alone(READER.read, BUYING, 1, Standing(), text)
    assert any(not problem.warning for item in reading.items for problem in item.problems)
    assert reading.checked is None or not any(
        isinstance(order, Use) for order in reading.checked.standing.orders
    )


@each_row(
    ("text", "count"),
    [
        ("call the whole council", 9),
        ("the entire council", 9),
        ("summon the full council", 9),
        ("call all nine", 9),
        ("all nine Highmagisters", 9),
        ("I call five highmagisters", 5),
        ("summon 3", 3),
    ],
)
def test_the_whole_council_are_all_nine(text: str, count: int) -> None:
    reading = read_alone(READER.read, COUNCIL, 1, Standing(), text)
    assert reading.checked is not None
    assert reading.checked.standing.orders == (Fire(count),)


def test_the_council_alone_is_asked_about() -> None:
    (item,) = read_alone(READER.read, COUNCIL, 1, Standing(), "call the council").items
    assert [problem.code for problem in item.problems] == ["not-understood"]
    assert item.problems[0].facts["missing"] == "number"
