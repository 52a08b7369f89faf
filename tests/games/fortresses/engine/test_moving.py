"""Movement and carriage: FW-5.1 to FW-5.13, FW-6.1 to FW-6.18, FW-11.4 to FW-11.8, and who may
order what.
"""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.fortresses.atlas import facts_of, lands, neighbours, zones
from engine.fortresses.orders import Attack, Carry, Done, Group, Lose, Move, Order, Retreat
from engine.fortresses.phases.ways import bar_between, may_pass
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, UnitCode, Units
from engine.ruleset import Standing
from tests.games.fortresses.engine.playing import codes, step, table, units_in
from tests.rows import each_row


def means(units: dict[str, str], active: str, text: str) -> list[str]:
    return step(table("attack", active, units=units), text).means.get(active, [])


@each_row(
    ("units", "text", "code"),
    [
        ({"Egypt": "red 2L"}, "Attack Syria with 5L from Egypt", "too-few-units"),
        ({"Aquitaine": "silver 1L"}, "Attack Egypt with 1L from Aquitaine", "too-far"),
        ({"Egypt": "red 1L"}, "Attack Egypt with 1L from Egypt", "not-understood"),
        ({"Egypt": "red 1L"}, "Attack Black Sea with 1L from Egypt", "too-far"),
        ({"Ionian Sea": "red 1G"}, "Attack Greece with 1G from Ionian Sea", "too-far"),
        ({"Egypt": "red 1L"}, "Attack Tunis with 1L from Tripoli", "too-few-units"),
        ({"Andalusia": "red 1D"}, "Attack Syria with 1D from Andalusia", "too-far"),
        ({"Tripoli": "red 1D"}, "Attack Syria with 1D from Tripoli", "air-empty"),
        (
            {"Balearic Sea": "red 1G"},
            "Attack Tyrrhenian Sea with 1G from Balearic Sea",
            "no-battle",
        ),
        ({"Egypt": "red 1L"}, "Move 1L from Egypt to Tripoli", "not-now"),
        ({"Egypt": "red 1L"}, "Buy nothing", "not-now"),
        ({"Egypt": "red 1L"}, "Stay", "not-now"),
        ({"Egypt": "red 1L"}, "Cancel 1", "out-of-range"),
        ({"Egypt": "red 1L"}, "Cancel all", "out-of-range"),
        ({"Egypt": "red 1L"}, "Gold: Attack Egypt with 1L from Syria", "not-your-turn"),
        ({"Egypt": "red 1L"}, "Take command", "not-now"),
    ],
)
def test_refusals_in_attack(units: dict[str, str], text: str, code: str) -> None:
    """FW-5.1, FW-5.2, FW-6.1, FW-6.4, FW-6.7, FW-11.4, FW-11.6, FW-4.14."""
    active = "silver" if "silver" in str(units) else "red"
    assert codes(table("attack", active, units=units), text) == [code]


def test_anothers_units_are_not_yours() -> None:
    """FW-5.13, FW-11.5: the ally's units never join an attack; used and moved ones counted."""
    state = table("attack", "blue", units={"Egypt": "red 1L, blue 1K"})
    assert codes(state, "Attack Syria with 1L from Egypt") == ["not-yours"]
    assert codes(state, "Attack Syria with 1K from Egypt", "Attack Syria with 1K from Egypt") == [
        "too-few-units"
    ]


def test_codes_go_before_one_another() -> None:
    """FW-11.5: the first of several."""
    state = table("attack", "silver", units={"Normandy": "silver 1L", "Egypt": "red 1L"})
    assert codes(state, "Attack Egypt with 2L from Normandy") == ["too-few-units"]
    assert codes(state, "Attack Normandy with 1L from Egypt") == ["not-yours"]
    assert codes(state, "Attack England with 1D from Normandy; 1L from Normandy") == [
        "too-few-units"
    ]


def test_allied_lands_and_units_are_passed() -> None:
    """FW-5.3, FW-5.5: a Knight crosses the ally's Land, even one with his units, and an empty enemy
    one.
    """
    state = table(
        "attack",
        "silver",
        owners={"Provence": "gold"},
        units={"France": "silver 1K", "Provence": "gold 2L", "Lombardy": "blue 1L"},
    )
    assert codes(state, "Attack Lombardy with 1K from France") == []
    state = table("attack", "silver", units={"France": "silver 1K"})
    assert codes(state, "Attack Lombardy with 1K from France") == []


def test_dragons_cross_everything() -> None:
    """FW-5.9, FW-6.5: three zones over enemies and Seas."""
    state = table(
        "attack",
        "silver",
        units={
            "Normandy": "silver 1D",
            "Provence": "red 2L",
            "Tyrrhenian Sea": "red 1G",
            "France": "silver 1L",
        },
    )
    assert codes(state, "Attack Tyrrhenian Sea with 1D from Normandy via France, Provence") == []


def test_via_makes_nothing_illegal() -> None:
    """FW-5.12, FF-8.2."""
    state = table("attack", "silver", units={"Aquitaine": "silver 1K", "Lombardy": "blue 1L"})
    assert codes(state, "Attack Lombardy with 1K from Aquitaine via Egypt") == []


def test_each_unit_takes_part_in_one_battle() -> None:
    """FW-6.3, FW-6.6: several groups make one side; a unit attacks once."""
    state = table(
        "attack", "red", units={"Egypt": "red 2L", "Tripoli": "red 1D", "Syria": "gold 1L"}
    )
    found = step(
        state,
        "Attack Syria with 1L from Egypt; 1D from Tripoli",
        "Attack Syria with 1L from Egypt",
        dice=[6, 1, 1, 1],
    )
    assert found.problems == {}
    assert [event["kind"] for event in found.events].count("battle") == 1
    assert found.position["units"] == {"Syria": "red 2L 1D"}


def test_an_air_attack_rides_on_an_earlier_line() -> None:
    """FW-6.4: an empty Land, if this or an earlier line sends a land unit there; a landing
    counts.
    """
    units = {"Egypt": "red 1L", "Tripoli": "red 1D"}
    state = table("attack", "red", units=units)
    land, air = "Attack Syria with 1L from Egypt", "Attack Syria with 1D from Tripoli"
    assert codes(state, land, air) == []
    assert codes(state, air, land) == ["air-empty"]
    state = table(
        "attack", "gold", units={"Syria": "gold 1D", "Crete": "gold 1L", "Levantine Sea": "gold 1G"}
    )
    assert (
        codes(
            state,
            "Galleon in Levantine Sea carries 1L from Crete to Egypt",
            "Attack Egypt with 1D from Syria",
        )
        == []
    )


# ----------------------------------------------------------------------------------------- carriage
def test_the_three_patterns() -> None:
    """FW-6.8, FW-6.9, FW-6.13, FW-6.14: pick up - move - drop, move - pick up - drop, pick up -
    drop; the ship may stay alone.
    """
    fetch = {"Balearic Sea": "red 1G", "Sicily": "red 1L"}
    assert means(
        fetch, "red", "Galleon in Balearic Sea carries 1L from Sicily via Tyrrhenian Sea to Naples"
    ) == ["Galleon in Balearic Sea carries 1L from Sicily via Tyrrhenian Sea to Naples"]
    bring = {"Balearic Sea": "red 1G", "Andalusia": "red 1L"}
    assert means(bring, "red", "Galleon in Balearic Sea carries 1L from Andalusia to Naples") == [
        "Galleon in Balearic Sea carries 1L from Andalusia via Tyrrhenian Sea to Naples"
    ]
    state = table("attack", "red", units={"Atlantic Ocean": "red 1G", "Tunis": "red 1L"})
    assert (
        codes(state, "Galleon in Atlantic Ocean carries 1L from Tunis via Tyrrhenian Sea to Naples")
        == []
    )
    assert codes(
        state, "Galleon in Atlantic Ocean carries 1L from Tunis via Balearic Sea to Aragon"
    ) == ["friendly"]
    state = table("attack", "red", units={"Atlantic Ocean": "red 1G", "Aragon": "red 1L"})
    assert codes(
        state, "Galleon in Atlantic Ocean carries 1L from Aragon via Tyrrhenian Sea to Naples"
    ) == ["no-coast"]


def test_the_sea_that_is_taken_when_none_is_named() -> None:
    """FW-11.7, FW-2.11: stay, else the nearest enemy-free Sea, else an enemy one; one that is
    illegal is passed over.
    """
    text = "Galleon in Aegean Sea carries 1L from Crete to {}"
    units = {"Aegean Sea": "gold 1G", "Crete": "gold 1L"}
    assert means(units, "gold", text.format("Tripoli")) == [
        "Galleon in Aegean Sea carries 1L from Crete via Ionian Sea to Tripoli"
    ]
    held = units | {"Ionian Sea": "red 1G"}
    assert means(held, "gold", text.format("Tripoli")) == [
        "Galleon in Aegean Sea carries 1L from Crete via Levantine Sea to Tripoli"
    ]
    assert means(held, "gold", text.format("Sicily")) == [
        "Galleon in Aegean Sea carries 1L from Crete via Ionian Sea to Sicily"
    ]
    assert codes(table("attack", "gold", units=units), text.format("Bohemia")) == ["no-coast"]


def test_a_knight_rides_to_the_coast() -> None:
    """FW-6.12, FW-11.8: the boarding Land is found if none is named; an enemy one must be empty."""
    units = {"North Sea": "silver 1G", "France": "silver 1K"}
    assert means(units, "silver", "Galleon in North Sea carries 1K from France to Saxony") == [
        "Galleon in North Sea carries 1K from France via Flanders to Saxony"
    ]
    state = table("attack", "silver", units=units | {"Flanders": "-"}, owners={"Flanders": "red"})
    assert codes(state, "Galleon in North Sea carries 1K from France via Flanders to Saxony") == []
    state = table(
        "attack", "silver", units=units | {"Flanders": "red 1L"}, owners={"Flanders": "red"}
    )
    assert codes(state, "Galleon in North Sea carries 1K from France via Flanders to Saxony") == [
        "blocked"
    ]
    assert codes(state, "Galleon in North Sea carries 1K from France via England to Saxony") == [
        "too-far"
    ]


@each_row(
    ("text", "code"),
    [
        ("Galleon in North Sea carries 2L from Norway to Saxony", "capacity"),
        ("Galleon in North Sea carries 1L 1K from Norway to Saxony", "capacity"),
        ("Galleon in North Sea carries 1D from Norway to Saxony", "not-understood"),
        ("Galleon in North Sea carries 1L from Norway to Baltic Sea", "not-understood"),
        ("Galleon in Norway carries 1L from Norway to Saxony", "not-understood"),
        ("Galleon in North Sea carries 1L from Norway to Denmark", "friendly"),
        ("Galleon in Baltic Sea carries 1L from Norway to Saxony", "too-few-units"),
        ("Galleon in North Sea carries 1W from Norway to Saxony", "too-few-units"),
        ("Galleon in North Sea carries 1L from Norway via Black Sea to Cumania", "too-far"),
        ("Galleon in North Sea carries 1L from Norway to Cumania", "too-far"),
        ("Galleon in North Sea carries 1L from Norway to Novgorod", ""),
        ("Galleon in North Sea carries 1L from Ireland to Saxony", "too-few-units"),
        ("Galleon in North Sea carries 1K from Bohemia to Saxony", "not-yours"),
    ],
)
def test_refusals_of_carriage(text: str, code: str) -> None:
    """FW-6.8, FW-6.10, FW-6.11, FW-11.5."""
    units = {"North Sea": "silver 1G", "Norway": "silver 2L 1K 1D", "Bohemia": "blue 1K"}
    assert codes(table("attack", "silver", units=units), text) == ([code] if code else [])


def test_the_drop_differs_from_where_the_passenger_boards() -> None:
    """FW-6.11: in Reinforce, where both may be own."""
    state = table("reinforce", "silver", units={"North Sea": "silver 1G", "Norway": "silver 1L"})
    assert codes(state, "Galleon in North Sea carries 1L from Norway to Norway") == ["no-coast"]


def test_a_galleon_may_end_among_enemies_and_go_no_further() -> None:
    """FW-6.18, FW-5.4, FW-6.15: the fight is its own; the passenger neither rolls nor takes hits
    (FW-6.16).
    """
    units = {
        "Aegean Sea": "gold 1G",
        "Greece": "gold 1K",
        "Ionian Sea": "red 1G",
        "Sicily": "red 1L",
    }
    found = step(
        table("attack", "gold", units=units),
        "Galleon in Aegean Sea carries 1K from Greece to Sicily",
        dice=[7, 6],
    )
    kinds = [event["kind"] for event in found.events]
    assert "drowned" in kinds
    assert found.position["units"] == {"Sicily": "red 1L"}
    assert [event.get("result") for event in found.events if event["kind"] == "battle"] == [
        "nobody left",
        "cancelled",
    ]


# ------------------------------------------------------------------------------- moves of Reinforce
@each_row(
    ("text", "code"),
    [
        ("Move 1L from England to Scotland", ""),
        ("Move 3L from England to Scotland", "too-few-units"),
        ("Move 2L from England to Scotland", "already-moved"),
        ("Move 1L from England to England", "not-understood"),
        ("Move 1K from England to Scotland", "too-few-units"),
        ("Move 1L from England to North Sea", "too-far"),
        ("Move 1D from Normandy to English Channel", "no-landing"),
        ("Move 1D from Normandy to Castile", "hostile"),
        ("Move 1D from Normandy to Denmark", ""),
        ("Move 1D from Normandy to Sweden", "hostile"),
        ("Move 1D from Normandy to Norway", ""),
        ("Move 1D from Normandy to Crete", "too-far"),
        ("Move all from England to Scotland", ""),
        ("Move all K from England to Scotland", "too-few-units"),
        ("Move 1G from North Sea to Irish Sea", ""),
        ("Move 1G from North Sea to Baltic Sea", "hostile"),
        ("Move 1G from North Sea to Bay of Biscay", ""),
        ("Move 1G from North Sea to Balearic Sea", "too-far"),
        ("Attack Saxony with 1L from England", "not-now"),
        ("No attacks", "not-now"),
        ("Lose L", "not-now"),
        ("Then: Buy nothing", "not-now"),
        ("Always: Lose L", ""),
        ("Galleon in North Sea carries 1L from Norway to Saxony", "hostile"),
        ("Galleon in North Sea carries 1L from Norway via Baltic Sea to Denmark", "hostile"),
        ("Galleon in Irish Sea carries 1L from England to Ireland", "capacity"),
        ("Move 1G from Irish Sea to North Sea", "already-moved"),
    ],
)
def test_moves_of_reinforce(text: str, code: str) -> None:
    """FW-5.8, FW-5.11, FW-8.9, FW-8.11, FW-8.12, FW-8.13, FW-11.6, FW-6.14."""
    units = {
        "England": "silver 2L",
        "Normandy": "silver 1D",
        "North Sea": "silver 1G",
        "Baltic Sea": "blue 1G",
        "Norway": "silver 1L",
        "Irish Sea": "silver 1G",
    }
    state = table(
        "reinforce",
        "silver",
        units=units,
        moved={"England": "1L", "Irish Sea": "1G"},
        carried={"Irish Sea": 1},
    )
    assert codes(state, text) == ([code] if code else [])


def test_enemy_ships_stop_a_plain_move() -> None:
    """FW-8.11: Galleons may not pass enemy-occupied Seas; Knights pass empty enemy Lands alone."""
    state = table("reinforce", "gold", units={"Aegean Sea": "gold 1G", "Ionian Sea": "red 1G"})
    assert codes(state, "Move 1G from Aegean Sea to Tyrrhenian Sea") == ["blocked"]
    state = table(
        "reinforce", "gold", owners={"Egypt": "gold"}, units={"Egypt": "gold 1K", "Syria": "-"}
    )
    assert codes(state, "Move 1K from Egypt to Anatolia") == []
    state = table(
        "reinforce", "gold", owners={"Egypt": "gold", "Syria": "red"}, units={"Egypt": "gold 1K"}
    )
    assert codes(state, "Move 1K from Egypt to Anatolia") == []
    state = table(
        "reinforce",
        "gold",
        owners={"Egypt": "gold", "Syria": "red"},
        units={"Egypt": "gold 1K", "Syria": "red 1L"},
    )
    assert codes(state, "Move 1K from Egypt to Anatolia") == ["blocked"]


def test_a_unit_moves_once_and_the_line_before_makes_the_board() -> None:
    """FW-8.13, FF-8.4; FF-8.1: what left counts as had."""
    state = table(
        "reinforce", "silver", units={"France": "silver 1K, gold 1K", "England": "silver 1L"}
    )
    assert codes(state, "Move 1K from France to Flanders", "Move 1K from Flanders to France") == [
        "already-moved"
    ]
    assert codes(state, "Move 1K from France to Flanders", "Move 1K from France to Normandy") == [
        "too-few-units"
    ]
    found = step(state, "Move all from France to Flanders", "Buy nothing", "Done")
    assert found.means["silver"][0] == "Move 1K from France to Flanders"
    assert units_in(found.state, "Flanders") == "silver 1K"


def test_a_carriage_of_reinforce() -> None:
    """FW-8.12, FW-6.13: both have moved; the next passenger is one too many."""
    state = table("reinforce", "silver", units={"North Sea": "silver 1G", "Norway": "silver 2L"})
    text = "Galleon in North Sea carries 1L from Norway to Scotland"
    found = step(state, text, text, "Buy nothing")
    assert found.problems == {"silver": ["capacity"]}
    assert (units_in(found.state, "Scotland"), units_in(found.state, "Norway")) == (
        "silver 1L",
        "silver 1L",
    )


def test_others_than_knights_stop_in_the_first_enemy_land() -> None:
    """FW-5.6, FW-5.5: it would matter to a Legion that moved further."""
    held = Table(table("attack", "silver", owners={"Aragon": "gold"}, units={"Castile": "red 1L"}))
    assert [may_pass(held, "L", zone) for zone in ("Provence", "Aragon", "Castile")] == [
        False,
        True,
        False,
    ]
    assert [may_pass(held, "K", zone) for zone in ("Provence", "Aragon", "Castile")] == [
        True,
        True,
        False,
    ]


def test_what_is_offered_stands() -> None:
    """FW-6.8, FW-8.12: carriage among it, in both phases."""
    units = {
        "North Sea": "silver 1G",
        "Norway": "silver 1L",
        "Flanders": "silver 1K",
        "Black Sea": "gold 1G",
    }
    for phase in ("attack", "reinforce"):
        state = table(phase, "silver", units=units)
        offered = list(FORTRESSES.legal(state, 1))
        assert {order.units.text for order in offered if isinstance(order, Carry)} == {"1L", "1K"}
        for order in offered:
            assert FORTRESSES.check(state, 1, Standing(), [order]).problems == ()


def test_what_no_text_can_say_is_not_understood_either() -> None:
    """FW-11.4: orders that come as data."""
    state = table(
        "attack", "red", units={"Egypt": "red 1L", "Ionian Sea": "red 1G", "Sicily": "red 1L"}
    )
    wrong: list[Order] = [
        Attack("Atlantis", (Group(Units(1), "Egypt"),)),
        Attack("Syria", ()),
        Attack("Syria", (Group(NONE, "Egypt"),)),
        Attack("Syria", (Group(Units(-1), "Egypt"),)),
        Lose(()),
        Retreat(()),
        Carry("", Units(1), "Sicily", "Naples"),
    ]
    found = FORTRESSES.check(state, 2, Standing(), wrong).problems
    assert [problem.code for problem in found] == [
        "unknown-zone",
        *["not-understood"] * 5,
        "unknown-zone",
    ]
    state = table("reinforce", "red", units={"Egypt": "red 1L"})
    found = FORTRESSES.check(
        state, 2, Standing(), [Move(NONE, "Egypt", "Tripoli"), Done()]
    ).problems
    assert [problem.code for problem in found] == ["not-understood", "unspent"]


@given(
    st.integers(0, 2**32),
    st.sampled_from(CODES),
    st.sampled_from(sorted(zones())),
    st.sampled_from(sorted(zones())),
)
def test_a_way_is_found_where_any_path_is_legal(
    seed: int, code: UnitCode, origin: str, target: str
) -> None:
    """FW-5.1 to FW-5.6, FW-5.9, FW-5.12: against every path written out."""
    rng = Random(seed)
    seas = [name for name, zone in zones().items() if not zone.is_land]
    held_seas = rng.sample(seas, rng.randint(0, facts_of("G").supply))
    units = dict.fromkeys(rng.sample(lands(), 12), "red 1L")
    units |= dict.fromkeys(held_seas, "red 1G")
    owners = dict.fromkeys((zone for zone in units if zones()[zone].is_land), "red")
    held = Table(
        table(
            "attack",
            "silver",
            units=units,
            owners=owners | dict.fromkeys(rng.sample(lands(), 4), "silver"),
        )
    )
    if origin == target:
        return
    unit = facts_of(code)
    paths = [[origin]]
    reaching: list[list[str]] = []
    for _ in range(unit.move):
        paths = [[*path, near] for path in paths for near in neighbours(path[-1], unit.kind)]
        reaching += [path for path in paths if path[-1] == target]
    free = [
        path
        for path in reaching
        if unit.kind == "air" or all(may_pass(held, code, zone) for zone in path[1:-1])
    ]
    bar = bar_between(held, code, origin, target)
    assert (bar.code if bar is not None else "") == (
        "" if free else "blocked" if reaching else "too-far"
    )
