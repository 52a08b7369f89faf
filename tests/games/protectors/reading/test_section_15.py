"""Every phrase of the rules' section 15, in a position where it can be given."""

from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.reading.positions import (
    ANNA,
    ANNABEL,
    CHLOE,
    MARK,
    MAY,
    codes,
    table,
    texts,
)
from tests.rows import each_row

_CALM = ["Calms of Summer", "The Misty Mountains Cold"]
_BOARD: dict[str, dict[str, object]] = {
    "P1": {"owner": "Anna", "units": 2},
    "P2": {"owner": "Anna", "units": 3},
    "P3": {"owner": "Anna", "units": 2, "order": "golden work"},
    "P4": {"owner": "Annabel", "units": 2},
    "P5": {"owner": "Chloé", "units": 3},
    "P6": {"owner": "Chloé", "units": 2},
    "P7": {"owner": "Chloé", "units": 2},
    "P8": {"owner": "May", "units": 2},
    "P9": {"owner": "Mark", "units": 1},
    "P10": {"owner": "May", "units": 0, "burnt": True},
    "Island": {"owner": "May", "units": 1},
}


def _said(player: int, phase: str, text: str, *sea: str) -> tuple[list[str], set[str]]:
    extra: dict[str, object] = (
        {"in_play": [*_CALM, *(sea or ("Seafarers!",))]} if phase == "orders" else {}
    )
    board = {name: dict(held) for name, held in _BOARD.items()}
    if phase == "orders":
        board["P3"].pop("order")
        extra["last_orders"] = {"Anna": ["Fortify! P1"]}
    state = table(phase, {"board": board} | extra, factions=True)
    reading = read_alone(READER.read, state, player, Standing(), text)
    return texts(reading, state), codes(reading) - {"cannot-afford", "supply-limit"}


@each_row(
    ("player", "text", "meant"),
    [
        (ANNABEL, "Fortify! Province#4", ["Fortify! P4"]),
        (ANNA, "March! 1 from P1 to P2.", ["March! 1 from P1 to P2"]),
        (ANNA, "Support! Player#2 in P4 from P3.", ["Support! Annabel in P4 from P3"]),
        (ANNABEL, "Support! Player#1 in P3.", ["Support! Anna in P3 from P4"]),
        (ANNABEL, "Work, work!", ["Work, work! P4"]),
        (
            CHLOE,
            "march two units from p5 into p6, delayed and golden",
            ["Delayed Golden March! 2 from P5 to P6"],
        ),
        (ANNA, "P1 -> P2 x2", ["March! 2 from P1 to P2"]),
        (CHLOE, "move everything in 6 to 7", ["March! 2 from P6 to P7"]),
        (ANNA, "from P3 march all to P4", ["March! 2 from P3 to P4"]),
        (
            ANNA,
            "golden support for Annabel in P4 out of P3",
            ["Golden Support! Annabel in P4 from P3"],
        ),
        (ANNA, "help Annabel at P4 from P3", ["Support! Annabel in P4 from P3"]),
        (CHLOE, "P5 fortify, P6 work", ["Fortify! P5", "Work, work! P6"]),
        (
            CHLOE,
            "fortify P5, work everywhere else",
            ["Fortify! P5", "Work, work! P6", "Work, work! P7"],
        ),
        (MARK, "fortify all", ["Fortify! P9"]),
        (ANNA, "send May 30 $Realm", ["Send 30 to May"]),
        (ANNA, "give 30 to May", ["Send 30 to May"]),
        (ANNA, "same as last turn", ["Fortify! P1"]),
        (ANNA, "final", ["Final"]),
        (ANNABEL, "cancel P4", ["Cancel P4"]),
        (MARK, "hold", ["Hold P9"]),
        (CHLOE, "Work, work! P5", ["Work, work! P5"]),
        (CHLOE, "golden work P5", ["Golden Work, work! P5"]),
        (ANNA, "March! 1 from P2 to the Island", ["March! 1 from P2 to the Island"]),
        (ANNABEL, "Weather forecast", ["Weather forecast"]),
        (ANNABEL, "read the ashes of the dragon deck", ["Read the dragon deck"]),
        (MAY, "Palantír: Sea", ["Palantír: Sea"]),
    ],
)
def test_the_orders_window(player: int, text: str, meant: list[str]) -> None:
    assert _said(player, "orders", text) == (meant, set())


def test_snitching_among_pirates() -> None:
    assert _said(ANNABEL, "orders", "snitch on the blue player", "Pirates!") == (
        ["Snitch on Anna"],
        set(),
    )


@each_row(
    ("player", "text", "meant"),
    [
        (CHLOE, "2 from P6 (sac 2), 1 from P7", ["Commit 2 from P6 (sac 2)", "Commit 1 from P7"]),
        (CHLOE, "Fight fire with fire: 2", ["Fight fire with fire: 2"]),
        (ANNABEL, "Nothing to see here!", ["Nothing to see here!"]),
        (MARK, "The Bank of Lannuvár", ["The Bank of Lannuvár"]),
        (MARK, "the bank of lannuvar", ["The Bank of Lannuvár"]),
        (CHLOE, "commit 2 from P6, sacrifice them", ["Commit 2 from P6 (sac 2)"]),
        (MARK, "lights off", ["Commit nothing"]),
        (CHLOE, "burn P7 then P6", ["Burn P7", "Burn P6"]),
        (MAY, "none", ["Commit nothing"]),
    ],
)
def test_the_dragon_window(player: int, text: str, meant: list[str]) -> None:
    assert _said(player, "dragon", text) == (meant, set())


@each_row(
    ("player", "text", "meant"),
    [
        (CHLOE, "Buy 2 in P6. 1 in P5.", ["Buy 2 in P6", "Buy 1 in P5"]),
        (CHLOE, "Bid 17", ["Bid 17"]),
        (
            CHLOE,
            "I'd like to buy one in P5 and two in P6 and bid seventeen",
            ["Buy 1 in P5", "Buy 2 in P6", "Bid 17"],
        ),
        (CHLOE, "bid nothing", ["Bid 0"]),
        (ANNA, "upgrade P3", ["Upgrade P3"]),
        (ANNA, "Faith alone sustains us", ["Faith alone sustains us"]),
        (MAY, "take Crusade", ["Take Crusade"]),
        (MARK, "The Bank of Lannuvár", ["The Bank of Lannuvár"]),
    ],
)
def test_the_buying_step(player: int, text: str, meant: list[str]) -> None:
    assert _said(player, "consolidation", text) == (meant, set())
