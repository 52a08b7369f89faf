"""States, orders and events as bytes, positions of cases, and what each of them refuses (FW-8.16,
FW-3.5).
"""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.fortresses.atlas import KINGDOMS
from engine.fortresses.orders import Cancel
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_out import format_position
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import Battle, Garrison, Passenger, Player, Realm, State
from engine.fortresses.units import NONE, Units
from engine.positions import PositionError
from engine.ruleset import Problem
from tests.games.fortresses.engine.playing import orders_of, step, table
from tests.rows import each_row

BATTLE: dict[str, Any] = {
    "units": {"Bulgaria": "blue 2L 1D, gold 3L", "Aegean Sea": "gold 1G", "Novgorod": "blue 1L"},
    "moved": {"Bulgaria": "2L 1D", "Novgorod": "1L"},
    "instructions": ["Interactive in Bulgaria", "Lose D"],
    "battles": [
        {
            "zone": "Bulgaria",
            "attackers": "2L 1D",
            "started": "3L 1D",
            "points": 1,
            "round": 1,
            "hits": 1,
        },
        {"zone": "Novgorod", "attackers": "1L"},
    ],
    "passengers": [{"sea": "Black Sea", "unit": "L", "land": "Novgorod"}],
    "held": ["Buy nothing"],
}


def test_a_battle_position_goes_on() -> None:
    """FW-10.7: what was told is told again, byte for byte; the answer is taken."""
    state = table("battle", "blue", **BATTLE)
    told = format_position(state)
    assert format_position(parse_position(told, {}, "again")) == told
    assert told["battles"] == BATTLE["battles"]
    after = step(state, "Lose 1D", dice=[1, 1, 1, 1, 1, *[6, 6], *[1] * 3, *[6, 6], *[1] * 1])
    assert after.state.stage == "reinforce"
    assert after.position["held"] == ["Buy nothing"]


def test_the_end_of_a_game_as_a_position() -> None:
    state = table("over", "red", winner="draw", by="agreement", units={"Egypt": "red 1L, gold 1L"})
    assert (format_position(state)["winner"], format_position(state)["by"]) == ("draw", "agreement")
    assert FORTRESSES.phase(state).over is not None


@each_row(
    "told",
    [
        {"units": {"Egypt": "red 1L, gold 1L"}},
        {"units": {"Egypt": "red 1G"}},
        {"units": {"Ionian Sea": "red 1L"}},
        {"units": {"Ionian Sea": "red 1D"}},
        {"units": {"Syria": "red 1D"}},
        {"units": {"Egypt": "red 25L"}},
        {"units": {"Egypt": "red 1L"}, "moved": {"Egypt": "2L"}},
        {"units": {"Egypt": "red 1L"}, "moved": {"Tunis": "1L"}},
        {"units": {"Ionian Sea": "red 1G"}, "carried": {"Ionian Sea": 1}},
        {"units": {"Atlantis": "red 1L"}},
        {"units": {"Egypt": "green 1L"}},
        {"units": {"Egypt": "red 1L, red 1K"}},
        {"units": {"Egypt": "red 0L"}},
        {"owners": {"Ionian Sea": "red"}},
        {"carried": {"Egypt": 1}},
        {"held": ["Attack Syria"]},
        {"presets": {"red": ["Done"]}},
        {"seats": {"Ann": ["silver", "red"], "Ben": ["blue", "gold"]}},
        {"seats": {"Ann": ["silver", "gold"]}},
        {"command": {"red": "Zoe"}},
        {"winner": "draw"},
        {"battles": []},
        {"phase": "over"},
        {"phase": "battle"},
        {"phase": "battle", "battles": [{"zone": "Egypt"}]},
        {"phase": "battle", "battles": [{"zone": "Egypt", "attackers": "1L"}]},
        {**BATTLE, "phase": "battle", "active": "blue", "passengers": [{"sea": "Black Sea"}]},
        {
            **BATTLE,
            "phase": "battle",
            "active": "blue",
            "battles": [{"zone": "Bulgaria", "attackers": "2L", "started": "1L"}],
        },
        {
            **BATTLE,
            "phase": "battle",
            "active": "blue",
            "battles": [{"zone": "Bulgaria", "attackers": "2L", "points": 2}],
        },
        {"year": 1, "active": "silver"},
        {"year": 0},
        {"speed": 1},
    ],
)
def test_positions_that_cannot_be(told: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        parse_position({"year": 2, "phase": "attack", "active": "red", **told}, {}, "test")


def test_what_a_position_needs() -> None:
    with pytest.raises(PositionError, match="phase is wanted"):
        parse_position({"year": 2}, {}, "test")
    for options in ({"year_limit": "x"}, {"speed": 1}):
        with pytest.raises(PositionError):
            parse_position({"year": 2, "phase": "attack", "active": "red"}, options, "test")


def test_the_active_kingdoms_dragons_may_be_anywhere_in_reinforce() -> None:
    """FW-7.13, FF-2."""
    units = {"Bulgaria": "blue 1D, gold 1L", "Ionian Sea": "blue 1D"}
    assert table("reinforce", "blue", units=units).gold == 12
    with pytest.raises(PositionError, match="Dragon"):
        table("reinforce", "red", units={"Ionian Sea": "blue 1D"})


def broken(state: State) -> list[State]:
    realms, egypt = state.realms, Garrison("Egypt", "red", Units(1))
    return [
        replace(state, players=(*state.players, Player(9, "X", "x"))),
        replace(state, players=(*state.players, Player(5, "X", "x"))),
        replace(state, realms=realms[:3]),
        replace(state, realms=(Realm("silver", 9), *realms[1:])),
        replace(state, realms=tuple(Realm(kingdom, 1) for kingdom in KINGDOMS)),
        replace(state, owners=state.owners[1:]),
        replace(state, garrisons=(egypt, egypt)),
        replace(state, garrisons=(Garrison("Atlantis", "red", Units(1)),)),
        replace(state, garrisons=(Garrison("Egypt", "red", NONE),)),
        replace(state, garrisons=(Garrison("Syria", "gold", Units(1), Units(1)),)),
        replace(state, gold=-1),
        replace(state, stage="over"),
        replace(state, winner="draw"),
        replace(state, stage="battle"),
        replace(state, stage="battle", battles=(Battle("Atlantis", Units(1)),)),
        replace(state, stage="battle", garrisons=(egypt,), battles=(Battle("Egypt", Units(1)),)),
        replace(
            state,
            stage="battle",
            garrisons=(egypt,),
            battles=(Battle("Egypt", Units(1), Units(1), hits=2),),
        ),
        replace(state, passengers=(Passenger("Black Sea", "L", "Egypt"),)),
        replace(state, passengers=(Passenger("Atlantis", "L", "Egypt"),)),
    ]


def test_impossible_states_are_refused() -> None:
    state = table("attack", "red", units={"Egypt": "red 1L"})
    assert FORTRESSES.decode_state(FORTRESSES.encode_state(state)) == state
    for wrong in broken(table("attack", "red")):
        with pytest.raises(ValueError, match="impossible"):
            FORTRESSES.decode_state(FORTRESSES.encode_state(wrong))
    with pytest.raises(ValueError, match="no state"):
        FORTRESSES.decode_state(b"{}")


def test_orders_and_events_come_back() -> None:
    orders = orders_of(
        [
            "Gold: Then: Move all from Egypt to Tripoli",
            "Always: Lose K",
            "Retreat dragons after 2 rounds or when alone",
        ]
    )
    assert FORTRESSES.decode_orders(FORTRESSES.encode_orders((*orders, Cancel()))) == (
        *orders,
        Cancel(),
    )
    assert FORTRESSES.act_of(orders[0]) is None
    with pytest.raises(ValueError, match="no orders"):
        FORTRESSES.decode_orders(b'[{"type": "march"}]')
    with pytest.raises(ValueError, match="no event"):
        FORTRESSES.decode_event(b"[]")
    assert Problem("x").rules == ()
