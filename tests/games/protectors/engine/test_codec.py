"""States, orders and events as bytes: what comes back is the same, or refused."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.protectors.events import MarchMade
from engine.protectors.orders import Bid, Buy, March
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Attack, Deck, Options, Played, Province
from tests.games.protectors.engine.tabletop import position
from tests.rows import each_row

STATE = position("1 Ann 1, 2 Ben 1, 3 Cid 1, 4 - 0", eliminated={"Dan": "Ann"}, provinces=4)
LOST = replace(STATE.players[3], fell_to=(9,))


def test_orders_come_back_as_they_were() -> None:
    orders = (March(2, 1, 2, golden=True, delayed=True), Buy(2, 6), Bid(17))
    assert PROTECTORS.decode_orders(PROTECTORS.encode_orders(orders)) == orders
    assert PROTECTORS.encode_orders(orders) == PROTECTORS.encode_orders(orders)


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b'{"order": "dance"}', b"\xff"])
def test_bytes_of_something_else_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError):
        PROTECTORS.decode_state(raw)
    with pytest.raises(ValueError):
        PROTECTORS.decode_event(raw)
    if raw != b"[]":
        with pytest.raises(ValueError):
            PROTECTORS.decode_orders(raw)


def swap(index: int, **fields: Any) -> dict[str, Any]:
    return {
        "board": tuple(replace(p, **fields) if i == index else p for i, p in enumerate(STATE.board))
    }


@each_row(
    ("fields", "says"),
    [
        ({"board": STATE.board[:-1]}, "places on the board"),
        ({"land": replace(STATE.land, borders=((1, 2), (3, 4)))}, "unconnected"),
        ({"starting_players": 5}, "a normal game"),
        ({"starting_players": 3, "options": Options(version="grand")}, "players at the table"),
        ({"players": STATE.players[::-1]}, "out of order"),
        ({"ranking": (1, 2, 2)}, "ranking"),
        ({"ranking": (1, 2)}, "ranking"),
        ({"ranking": (1, 2, 3, 4)}, "ranking"),
        ({"players": (replace(STATE.players[0], realm=-1), *STATE.players[1:])}, "$Realm"),
        ({"players": (replace(STATE.players[0], vp=-1), *STATE.players[1:])}, "VP"),
        ({"players": (*STATE.players[:3], LOST)}, "fell to nobody"),
        (swap(2, owner=4), "nobody who is in the game"),
        (swap(2, owner=9), "nobody who is in the game"),
        (swap(4, units=1), "without an owner"),
        (swap(1, units=-1), "units"),
        (swap(1, level=4), "level"),
        (swap(1, level=1, burnt=True), "level"),
        ({"event": Deck(("Bloodlust!",))}, "in the event deck"),
        ({"sea": Deck((), ("Ace of Spades",))}, "in the sea deck"),
        ({"end": Deck((), (), ("Ferry!",))}, "in the end deck"),
        ({"in_play": (Played("sea", "Flood!"),)}, "was played"),
        ({"locked": (Played("sea", "Ace of Spades"),)}, "was played"),
        ({"turn": 0}, "turn"),
        ({"dpl": -1}, "DPL"),
        ({"stage": "dragon"}, "does not go with"),
        ({"attack": Attack("reveal", 3)}, "does not go with"),
        ({"stage": "dragon", "attack": Attack("reveal", 0)}, "DPL 0"),
        ({"stage": "rebid"}, "ties"),
        ({"ties": ((1, 2),)}, "ties"),
        ({"stage": "rebid", "ties": ((1, 2), (2, 3))}, "not in the game"),
        ({"stage": "rebid", "ties": ((1, 4),)}, "not in the game"),
        ({"owed": ((4, 25),)}, "not in the game"),
        ({"owed": ((1, -25),)}, "below 0"),
        ({"stage": "over", "winners": (4,)}, "not in the game"),
        ({"working_lost": (5,)}, "no such provinces"),
        (
            {"board": (*STATE.board[:4], Province(None, 0, 0, burnt=True), Province())},
            "places on the board",
        ),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_what_is_wrong(
    fields: dict[str, Any], says: str
) -> None:
    raw = msgspec.json.encode(replace(STATE, **fields))
    with pytest.raises(ValueError, match=f"(?s){says.replace('$', chr(92) + '$')}"):
        PROTECTORS.decode_state(raw)


def test_a_state_that_can_be_comes_back() -> None:
    for fields in (
        {},
        {"stage": "over", "winners": (2,)},
        {"stage": "rebid", "ties": ((1, 2),)},
        {"stage": "dragon", "attack": Attack("reveal", 3)},
    ):
        state = replace(STATE, **fields)
        assert PROTECTORS.decode_state(PROTECTORS.encode_state(state)) == state


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"used": ("sleep",)}, "has used"),
        ({"used": ("fire", "fire")}, "has used"),
        ({"extra": ("Sleep",)}, "has the abilities"),
    ],
)
def test_abilities_that_cannot_be_are_refused(fields: dict[str, Any], says: str) -> None:
    raw = msgspec.json.encode(
        replace(STATE, players=(replace(STATE.players[0], **fields), *STATE.players[1:]))
    )
    with pytest.raises(ValueError, match=says):
        PROTECTORS.decode_state(raw)


def test_a_bank_window_needs_somebody_with_the_bank() -> None:
    with pytest.raises(ValueError, match="nobody has the Bank"):
        PROTECTORS.decode_state(msgspec.json.encode(replace(STATE, stage="bank")))


def test_a_team_wins_with_its_eliminated_members() -> None:
    seats = tuple(replace(seat, team="A" if seat.number != 3 else "B") for seat in STATE.players)
    state = replace(
        STATE,
        players=seats,
        stage="over",
        winners=tuple(seat.number for seat in seats if seat.team == "A"),
    )
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(state)) == state


def test_events_and_states_of_before_there_were_factions_come_back() -> None:
    old_state = msgspec.json.decode(PROTECTORS.encode_state(STATE))
    del old_state["peeks"]
    assert PROTECTORS.decode_state(msgspec.json.encode(old_state)) == STATE
    old_event = b'{"facts":{"kind":"march","player":1,"origin":1,"target":2,"ordered":1,"units":1,"golden":false,"delayed":false},"rules":[],"audience":null}'
    facts = PROTECTORS.decode_event(old_event).facts
    assert facts == MarchMade(1, 1, 2, 1, 1, golden=False, delayed=False)
