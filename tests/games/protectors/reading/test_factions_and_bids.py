"""A faction and a bid in one line: both are read, or what is not is told (PR-3.2, section 15 of the
rules).
"""

import pytest

from engine.protectors.positions.position import parse_position
from engine.protectors.state import State
from tests.games.protectors.reading.positions import codes, read, texts
from tests.rows import each_row


def bidding() -> State:
    """The first bids, with factions to choose."""
    players = {name: {"realm": 50} for name in ("Anna", "Ben", "Chloé", "May")}
    board = {f"P{i}": {"owner": name, "units": 1} for i, name in enumerate(players, start=1)}
    position = {
        "turn": 1,
        "phase": "bidding",
        "provinces": 4,
        "ranking": list(players),
        "players": players,
        "board": board,
    }
    return parse_position(
        position, {"version": "normal", "factions": "choice", "island": False}, "test"
    )


@each_row(
    ("text", "faction"),
    [
        ("cenarion bid 10", "Cenarion"),
        ("Hodir bid 10", "Hodir"),
        ("hodir 10", "Hodir"),
        ("Hodir and bid 10", "Hodir"),
        ("Bid 10 Hodir", "Hodir"),
        ("Bid 10 as Hodir", "Hodir"),
        ("Bid 10 with Hodir", "Hodir"),
        ("Bid 10 $Realm for the Iron Light", "Iron Light"),
        ("10 as iron light", "Iron Light"),
        ("kalu ak, bid 10", "Kalu'Ak"),
        ("Kalu-Ak bid 10", "Kalu'Ak"),
        ("kaluak 10", "Kalu'Ak"),
        ("ironlight, bid 10", "Iron Light"),
        ("ironlight bid 10", "Iron Light"),
        ("I'd like to be Lannuvár, bid 10", "Lannuvár"),
        ("Kaluak bid 10\nfinal", "Kalu'Ak"),
    ],
)
def test_a_faction_and_a_bid_are_both_read(text: str, faction: str) -> None:
    reading = read(text, state=bidding())
    assert sorted(text for text in texts(reading) if text != "Final") == [
        "Bid 10",
        f"Faction {faction}",
    ]
    assert not codes(reading)


@pytest.mark.parametrize(
    "text",
    [
        "bid 10, Hodir looks nice",
        "10 please, and Ben likes hodir",
    ],
)
def test_a_faction_that_comes_to_nothing_beside_a_bid_is_told(text: str) -> None:
    reading = read(text, state=bidding())
    assert texts(reading) == ["Bid 10"]
    assert codes(reading) == {"not-understood"}


@pytest.mark.parametrize("text", ["I abhor Hodir, bid 10", "bid 10, not hodir"])
def test_what_is_said_against_a_faction_beside_a_bid_is_asked(text: str) -> None:
    reading = read(text, state=bidding())
    assert texts(reading) == []
    assert codes(reading) == {"not-understood"}
