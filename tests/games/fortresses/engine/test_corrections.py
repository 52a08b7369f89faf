"""What a game master sets right: public, with what was and what is, and always a table that can be
(FW-8.16, FW-3.5); nothing follows from it (FW-9.1).
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.codec import faults_of
from engine.fortresses.event_kinds import Corrected
from engine.fortresses.orders import Interactive
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import Battle, Passenger, State
from engine.fortresses.units import Units
from engine.ruleset import Event, Outcome, encode_sound_state
from engine.usual import RulingGiven
from tests.games.fortresses.engine.playing import codes, seats, step, table, units_in
from tests.games.fortresses.engine.test_machine import random_orders
from tests.rings import at_length
from tests.rows import each_row

SEATS = {"Ann": ["silver"], "Ben": ["red"], "Cid": ["blue"], "Dot": ["gold"]}
CALM = {
    "Syria": "gold 2L 1K",
    "Egypt": "red 3L 1K",
    "Kiev": "blue 2L 1D",
    "Normandy": "silver 1L",
    "Aegean Sea": "gold 1G",
    "Levantine Sea": "gold 1G",
}


def set_right(state: State, **told: object) -> Outcome[State]:
    return FORTRESSES.act(state, "gm", told, Chance(bytes(32)))


def zone(state: State, name: str, **told: object) -> Outcome[State]:
    done = set_right(state, act="set-zone", zone=name, **told)
    encode_sound_state(FORTRESSES, done.state)
    return done


def facts(events: tuple[Event, ...]) -> list[tuple[object, ...]]:
    told: list[tuple[object, ...]] = []
    for event in events:
        assert isinstance(event.facts, Corrected)
        assert event.audience is None
        assert event.rules[0] == "FW-1.8"
        assert FORTRESSES.decode_event(FORTRESSES.encode_event(event)) == event
        what = event.facts
        told.append((what.what, what.zone, what.kingdom, what.before, what.after))
    return told


# ------------------------------------------------------------------------------------------ a zone
def test_all_units_of_a_kingdom_in_a_zone() -> None:
    """FW-3.4: what stands there is counted, kingdom by kingdom."""
    state = table(units=CALM, seats=SEATS)
    done = zone(state, "Syria", units={"gold": "1L 2W"}, reason="a slip")
    assert facts(done.events) == [("units", "Syria", "gold", "2L 1K", "1L 2W")]
    assert done.events[0].facts.reason == "a slip"  # type: ignore[attr-defined]
    assert units_in(done.state, "Syria") == "gold 1L 2W"
    empty = zone(state, "Syria", units={"gold": "-"})
    assert units_in(empty.state, "Syria") == "-"


def test_what_is_as_it_is_changes_nothing_and_is_no_news() -> None:
    state = table(units=CALM)
    done = zone(state, "Syria", units={"gold": "2L 1K"}, owner="gold")
    assert (done.state, done.events) == (state, ())


def test_a_land_may_be_given_with_those_who_stand_there() -> None:
    """FW-1.7: in one word, as the table would be sound at none of the steps between."""
    state = table(units=CALM)
    done = zone(state, "Syria", owner="red", units={"red": "1L", "gold": "-"})
    assert facts(done.events) == [
        ("owner", "Syria", None, "gold", "red"),
        ("units", "Syria", "red", "-", "1L"),
        ("units", "Syria", "gold", "2L 1K", "-"),
    ]


def test_the_last_fortress_by_the_game_master_s_word_ends_nothing() -> None:
    """FW-9.1: victory is tested after a battle, and this was none."""
    state = table(active="red", owners={"Normandy": "red", "Kiev": "red", "Constantinople": "red"})
    state = zone(state, "Andalusia", owner="gold").state
    done = zone(state, "Andalusia", owner="red").state
    assert (done.stage, done.winner) == ("attack", None)


@each_row(
    ("told", "why"),
    [
        ({"zone": "Avalon", "units": {"red": "1L"}}, "no zone"),
        ({"zone": "Syria"}, "nothing is said"),
        ({"zone": "Black Sea", "owner": "red"}, "nobody owns"),
        ({"zone": "Syria", "owner": "green"}, "no correction"),
        ({"zone": "Syria", "owner": "red"}, "cannot stand in Syria"),
        ({"zone": "Syria", "units": {"red": "1L"}}, "cannot stand in Syria"),
        ({"zone": "Syria", "units": {"red": "1D"}}, "cannot stand in Syria"),
        ({"zone": "Syria", "units": {"gold": "1K 1L"}}, "in the order"),
        ({"zone": "Syria", "units": {"gold": "1G"}}, "impossible state"),
        ({"zone": "Syria", "units": {"gold": "25L"}}, "25L"),
        ({"zone": "Aegean Sea", "units": {"gold": "1L"}}, "impossible state"),
        ({"zone": "Aegean Sea", "units": {"gold": "1D"}}, "FW-5.11"),
        ({"zone": "Aegean Sea", "units": {"red": "1G"}}, "both alliances"),
        ({"zone": "Syria", "moved": "1L"}, "Reinforce alone"),
        ({"zone": "Syria", "units": {"gold": "1L"}, "colour": "red"}, "no correction"),
    ],
)
def test_what_cannot_lie_there_is_refused(told: dict[str, object], why: str) -> None:
    """FW-8.16, FW-3.5, FW-2.11."""
    with pytest.raises(ValueError, match=why):
        set_right(table(units=CALM), act="set-zone", **told)


def test_in_reinforce_it_is_set_which_units_have_moved() -> None:
    """FW-5.8: those that were wrongly taken for moved ones may still move."""
    state = table(
        "reinforce",
        "red",
        units={"Egypt": "red 3L 1K", "Tyrrhenian Sea": "red 2G"},
        moved={"Egypt": "2L 1K", "Tyrrhenian Sea": "2G"},
        carried={"Tyrrhenian Sea": 2},
    )
    move = "Move 1K from Egypt to Tripoli"
    assert codes(state, move) == ["already-moved"]
    done = zone(state, "Egypt", moved="1L")
    assert facts(done.events) == [("moved", "Egypt", "red", "2L 1K", "1L")]
    assert codes(done.state, move) == []
    fewer = zone(state, "Egypt", units={"red": "1L 2W"}).state
    assert next(held.moved for held in fewer.garrisons if held.zone == "Egypt") == Units(L=1)
    ships = zone(state, "Tyrrhenian Sea", moved="1G").state
    assert next(held.carried for held in ships.garrisons if not held.units.land) == 1
    for wrong in ({"moved": "4L"}, {"moved": "1D"}, {"moved": "1W"}):
        with pytest.raises(ValueError, match=r"red has|FW-5\.10"):
            zone(state, "Egypt", **wrong)


def test_fliers_on_their_way_home_may_be_anywhere() -> None:
    """FW-5.11, FW-8.14: in Reinforce, and only the active kingdom's."""
    state = table("reinforce", "red", units={"Syria": "gold 1L"})
    done = zone(state, "Syria", units={"red": "1D"})
    assert units_in(done.state, "Syria") == "red 1D, gold 1L"
    with pytest.raises(ValueError, match="blue cannot stand"):
        zone(state, "Syria", units={"blue": "1D"})


# ---------------------------------------------------------------------------------------- battles
def in_battle() -> State:
    """Gold's two Galleons have landed a Legion and a Knight in Egypt from an enemy Sea, and ask."""
    state = table(
        active="gold",
        units={
            "Aegean Sea": "gold 2G",
            "Crete": "gold 1L",
            "Cyprus": "gold 1K",
            "Syria": "gold 2L 1D",
            "Levantine Sea": "red 2G",
            "Egypt": "red 2L",
        },
        seats=SEATS,
    )
    reached = step(
        state,
        "Galleon in Aegean Sea carries 1L from Crete via Levantine Sea to Egypt",
        "Galleon in Aegean Sea carries 1K from Cyprus via Levantine Sea to Egypt",
        "Attack Levantine Sea with 1D from Syria",
        "Attack Egypt with 2L from Syria",
        "Interactive in Levantine Sea",
    )
    assert reached.problems == {}
    assert reached.state.stage == "battle"
    return reached.state


def test_whoever_stands_there_afterwards_attacks() -> None:
    """FW-7.2: of a battle that waits, and of one that has begun."""
    state = in_battle()
    waits = zone(state, "Egypt", units={"gold": "3L 1K 1D"}).state
    assert waits.battles[1] == Battle("Egypt", Units(L=3, K=1, D=1))
    assert next(
        held.moved for held in waits.garrisons if held.zone == "Egypt" and held.moved.L
    ) == (Units(L=3, K=1, D=1))
    begun = zone(state, "Levantine Sea", units={"gold": "3G"}).state
    assert begun.battles[0].attackers == Units(G=3)
    assert begun.battles[0].started == Units(G=3, D=1)
    nobody = zone(state, "Levantine Sea", units={"gold": "-"})
    assert nobody.state.passengers == ()
    assert [event.facts for event in step(nobody.state).raw if event.kind == "battle"]


def test_fliers_that_retreated_stay_out_of_the_battle() -> None:
    """FW-7.13."""
    state = table(active="gold", units={"Syria": "gold 2L 1K 1D", "Egypt": "red 3L"})
    state = step(state, "Attack Egypt with 2L 1K 1D from Syria", "Interactive in Egypt").state
    state = step(state, "Retreat dragons", dice=[1, 1, 1, 6, 1, 1]).state
    assert (state.battles[0].attackers, state.battles[0].hits) == (Units(L=2, K=1), 1)
    more = zone(state, "Egypt", units={"gold": "1K 3D"}).state
    assert (more.battles[0].attackers, more.battles[0].hits) == (Units(K=1, D=2), 1)
    assert more.battles[0].started == Units(L=2, K=1, D=2)
    gone = zone(state, "Egypt", units={"gold": "3L"}).state
    assert gone.battles[0].attackers == Units(L=3)
    nobody = zone(state, "Egypt", units={"gold": "1D"}).state
    assert (nobody.battles[0].attackers, nobody.battles[0].hits) == (Units(), 0)
    assert step(nobody).state.stage == "reinforce"


def test_a_passenger_is_at_risk_while_ship_and_passenger_are_there() -> None:
    """FW-6.15, FW-10.3."""
    state = in_battle()
    both = (
        Passenger("Levantine Sea", "L", "Egypt"),
        Passenger("Levantine Sea", "K", "Egypt"),
    )
    assert state.passengers == both
    assert zone(state, "Levantine Sea", units={"gold": "1G 1D"}).state.passengers == both[:1]
    assert zone(state, "Egypt", units={"gold": "3L"}).state.passengers == both[:1]
    assert zone(state, "Egypt", units={"gold": "1K"}).state.passengers == both[1:]
    assert zone(state, "Egypt", units={"red": "-"}).state.passengers == both


@each_row(
    ("name", "told", "why"),
    [
        ("Egypt", {"owner": "silver"}, "still to be fought"),
        ("Egypt", {"units": {"silver": "1L"}}, "FW-5.13"),
        ("Levantine Sea", {"units": {"blue": "1D"}}, "FW-5.11"),
        ("Aegean Sea", {"units": {"red": "1G"}}, "both alliances"),
        ("Tunis", {"units": {"gold": "1L"}}, "cannot stand"),
        ("Egypt", {"moved": "1L"}, "Reinforce alone"),
    ],
)
def test_a_battle_keeps_its_sides(name: str, told: dict[str, object], why: str) -> None:
    state = zone(in_battle(), "Aegean Sea", units={"gold": "1G"}).state
    with pytest.raises(ValueError, match=why):
        zone(state, name, **told)


def test_a_battle_without_defenders_is_won_without_dice() -> None:
    """FW-7.4, FW-7.19."""
    state = zone(in_battle(), "Levantine Sea", units={"red": "-"}).state
    state = zone(state, "Egypt", units={"red": "-"}, owner="blue").state
    done = step(state)
    assert (done.state.stage, units_in(done.state, "Egypt")) == ("reinforce", "gold 3L 1K")
    assert [event for event in done.events if event["kind"] == "conquered"] == [
        {"kind": "conquered", "zone": "Egypt", "kingdom": "gold", "of": "blue"}
    ]


# -------------------------------------------------------------------------------------- a kingdom
def test_gold_of_the_kingdom_whose_turn_it_is() -> None:
    """FW-8.1, FW-8.3: nobody else has any, and none before Reinforce."""
    state = table("reinforce", "red", gold=7)
    done = set_right(state, act="set-gold", kingdom="red", gold=12)
    assert (done.state.gold, facts(done.events)) == (12, [("gold", None, "red", 7, 12)])
    for wrong, why in (
        ({"kingdom": "blue", "gold": 12}, "only red"),
        ({"kingdom": "red", "gold": -1}, "nobody can have"),
        ({"kingdom": "red", "gold": True}, "no correction"),
    ):
        with pytest.raises(ValueError, match=why):
            set_right(state, act="set-gold", **wrong)
    with pytest.raises(ValueError, match=r"FW-8\.1"):
        set_right(table(), act="set-gold", kingdom="silver", gold=3)


def test_who_commands_a_kingdom() -> None:
    """FW-9.8: its own human or the partner; whoever commands is asked."""
    state = table("attack", "gold", seats=SEATS)
    done = set_right(state, act="set-command", kingdom="gold", player=1)
    assert facts(done.events) == [("command", None, "gold", 4, 1)]
    assert FORTRESSES.phase(done.state).asked == (1,)
    back = set_right(done.state, act="set-command", kingdom="gold", player=4)
    assert back.state == state
    with pytest.raises(ValueError, match="no seat in the alliance"):
        set_right(state, act="set-command", kingdom="gold", player=2)


def test_missed_turns_are_counted_anew() -> None:
    """FW-4.12."""
    state = table("attack", "red", seats=SEATS, missed={"blue": 3})
    done = set_right(state, act="set-missed", kingdom="blue", turns=0)
    assert facts(done.events) == [("missed", None, "blue", 3, 0)]
    assert FORTRESSES.view(done.state, None).absent == ()  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="missed -1 turns"):
        set_right(state, act="set-missed", kingdom="blue", turns=-1)


def test_a_ruling_is_told_and_changes_nothing() -> None:
    """FW-1.8."""
    state = table()
    done = set_right(state, act="rule", text=" A Bridge is a border. ", reason="asked twice")
    assert (done.state, done.events) == (
        state,
        (Event(RulingGiven("A Bridge is a border."), ("FW-1.8",)),),
    )
    for wrong in ("  ", "x" * 2001):
        with pytest.raises(ValueError, match="no such act"):
            set_right(state, act="rule", text=wrong)


def test_a_game_that_is_over_and_a_player_correct_nothing() -> None:
    state = table(units=CALM)
    told = {"act": "set-zone", "zone": "Syria", "units": {"gold": "1L"}}
    with pytest.raises(ValueError, match="no such act"):
        FORTRESSES.act(state, 1, told, Chance(bytes(32)))
    over = set_right(state, act="agree", winners=[]).state
    with pytest.raises(ValueError, match="over"):
        set_right(over, **told)


# ------------------------------------------------------------------------------------- every state
UNITS = st.builds(
    Units,
    st.integers(0, 3),
    st.integers(0, 1),
    st.integers(0, 1),
    st.integers(0, 2),
    st.integers(0, 1),
).map(lambda units: units.text)
KINGDOM = st.sampled_from(KINGDOMS)
ACTS = st.one_of(
    st.fixed_dictionaries(
        {"act": st.just("set-zone"), "zone": st.sampled_from(list(zones()))},
        optional={
            "owner": KINGDOM,
            "units": st.dictionaries(KINGDOM, UNITS, max_size=2),
            "moved": UNITS,
        },
    ),
    st.fixed_dictionaries(
        {"act": st.just("set-gold"), "kingdom": KINGDOM, "gold": st.integers(0, 20)}
    ),
    st.fixed_dictionaries(
        {"act": st.just("set-command"), "kingdom": KINGDOM, "player": st.integers(1, 4)}
    ),
    st.fixed_dictionaries(
        {"act": st.just("set-missed"), "kingdom": KINGDOM, "turns": st.integers(0, 4)}
    ),
)


@settings(max_examples=at_length(12, 300), deadline=None)
@given(
    st.integers(0, 2**16),
    st.integers(0, 12),
    st.lists(ACTS, min_size=1, max_size=30),
    st.integers(2, 4),
)
def test_a_table_set_right_anyhow_can_be_and_is_played_on(
    seed: int, windows: int, acts: list[dict[str, object]], players: int
) -> None:
    """FW-8.16, FW-3.5: in every stage, battles that wait for an answer included."""
    chance, rng = Chance(seed.to_bytes(4, "big")), Random(seed)
    state = FORTRESSES.setup({"year_limit": 4}, seats(players), chance).state
    for _ in range(windows):
        state = _played_on(state, rng, chance)
    for told in acts:
        try:
            done = FORTRESSES.act(state, "gm", told, chance)
        except ValueError:
            continue
        assert list(faults_of(done.state)) == []
        assert encode_sound_state(FORTRESSES, done.state)
        assert bool(done.events) == (done.state != state)
        state = done.state
    for _ in range(6):
        state = _played_on(state, rng, chance)
        assert list(faults_of(state)) == []


def _played_on(state: State, rng: Random, chance: Chance) -> State:
    """The open window closes with random orders; attackers like to be asked."""
    if state.stage == "over":
        return state
    orders = random_orders(state, rng)
    if state.stage == "attack":
        orders = {player: (*said, Interactive(True)) for player, said in orders.items()}
    return FORTRESSES.adjudicate(state, orders, chance).state
