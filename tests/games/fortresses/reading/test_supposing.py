"""What a player supposes: orders as they would be sent, attacks of others, and nothing in part."""

import pytest

from engine.fortresses import orders as o
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.ruleset import Standing
from pbem.games.fortresses.reading.suppositions import read_supposition
from tests.games.fortresses.engine.playing import orders_of, table
from tests.rows import each_row

ATTACK = table("attack", "red", base="start", year=4)
REINFORCE = table("reinforce", "red", base="start", year=4, gold=12)
RED, SILVER = 2, 1


def texts(state: State, player: int, text: str, *standing: str) -> list[str]:
    """What is supposed; the codes of what is unclear where nothing is."""
    read = read_supposition(state, player, Standing[o.Order](orders_of(standing)), text)
    if read.is_understood:
        assert set(read.orders) <= {player}
        return [FORTRESSES.format_order(state, line) for line in read.orders.get(player, ())]
    assert not read.orders
    return [problem.code for item in read.items for problem in item.item.problems]


@each_row(
    ("text", "meant"),
    [
        ("I attack Syria with 2L 1K from Egypt?", ["Attack Syria with 2L 1K from Egypt"]),
        (
            "I attack Syria with 2L from Egypt and lose knights first",
            ["Attack Syria with 2L from Egypt", "Lose K"],
        ),
        ("Gold attacks Egypt with 3L", ["Odds of Gold taking Egypt with 3L"]),
        ("attack Syria with 5L from Egypt", ["too-few-units"]),
        ("I resign", ["at-once"]),
        ("the weather is fine", ["no-order"]),
        ("x" * 3001, ["too-long"]),
    ],
)
def test_orders_are_supposed_as_they_would_be_sent(text: str, meant: list[str]) -> None:
    assert texts(ATTACK, RED, text) == meant


def test_units_that_are_ordered_elsewhere_are_supposed_here_instead() -> None:
    """A question about other units goes beside the orders that stand."""
    stands = "Attack Syria with 2L from Egypt"
    assert texts(ATTACK, RED, "I also attack Syria with 1K from Egypt", stands) == [
        stands,
        "Attack Syria with 1K from Egypt",
    ]
    assert texts(ATTACK, RED, "I attack Syria with 2L 1K from Egypt", stands, "Lose K") == [
        "Lose K",
        "Attack Syria with 2L 1K from Egypt",
    ]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Red attacks Syria with 3L", ["Odds of Red taking Syria with 3L"]),
        ("I attack Castile with 2L from Aquitaine", ["Odds of taking Castile with 2L from Aquitaine"]),
        ("Red attacks Syria with 2L and Greece with 1L", ["several-zones"]),
        ("Red attacks Wales with 2L", ["not-understood"]),
        ("I attack Castile with a legion from England", ["too-far"]),
    ],
)  # fmt: skip
def test_who_is_not_asked_supposes_an_attack(text: str, meant: list[str]) -> None:
    """At any stage, of any kingdom."""
    for state in (ATTACK, REINFORCE):
        assert texts(state, SILVER, text) == meant


def test_reinforce_is_supposed_whole() -> None:
    assert texts(REINFORCE, RED, "I buy 3 legions in Andalusia") == ["Buy 3L in Andalusia"]
    assert texts(REINFORCE, RED, "I attack Syria with 3L from Egypt") == [
        "Odds of taking Syria with 3L from Egypt"
    ]


BATTLE = table(
    "battle",
    "red",
    owners={"Syria": "gold"},
    units={"Syria": "red 2L 1D, gold 2L 1K"},
    instructions=["Interactive in Syria"],
    battles=[{"zone": "Syria", "attackers": "2L 1D", "started": "3L 1D", "round": 1, "hits": 1}],
)


def test_answers_in_a_battle_are_supposed() -> None:
    """FW-10.7: the chances from here on."""
    read = read_supposition(BATTLE, RED, Standing(), "lose 1D")
    (event,) = FORTRESSES.suppose(BATTLE, RED, read.orders).events
    assert event.kind == "odds"
    assert texts(BATTLE, RED, "lose 1D") == ["Lose 1D"]
