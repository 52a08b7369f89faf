"""The menu of Fortresses: whatever can be tapped is an order that is taken, beside whatever stands;
and the whole of a turn can be tapped.
"""

import random

import pytest

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.orders import parse_order
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.fortresses.view import view_of
from engine.ruleset import Standing
from pbem.games.fortresses.pages.menu import MENU
from pbem.pages.menu import MenuStep, Path
from pbem.play import Seen
from tests.games.fortresses.engine.playing import seats, table
from tests.pages import sample
from tests.pages.tapping import steps_of, taken_in, texts_of

NOTHING: Standing[o.Order] = Standing()
MOST_LINES, MOST_STEPS = 9, 60
TABLE, READER = sample.table(), sample.reader()


def new_game(players: int, seed: int) -> State:
    return FORTRESSES.setup({}, seats(players), Chance(bytes([seed]))).state


def commander(state: State) -> int:
    return FORTRESSES.phase(state).asked[0]


def step(state: State, path: Path = (), standing: Standing[o.Order] = NOTHING) -> MenuStep:
    number = commander(state)
    legal, view = tuple(FORTRESSES.legal(state, number)), view_of(state, number)
    return MENU.step(TABLE, READER, view, legal, standing, path)


def texts(state: State, path: Path = (), standing: Standing[o.Order] = NOTHING) -> list[str]:
    return texts_of(step(state, path, standing))


def taken(state: State, path: Path = (), standing: Standing[o.Order] = NOTHING) -> list[str]:
    return taken_in(step(state, path, standing))


def stands(state: State, *lines: str) -> Standing[o.Order]:
    checked = FORTRESSES.check(state, commander(state), NOTHING, tuple(map(parse_order, lines)))
    assert checked.problems == ()
    return checked.standing


def walk(state: State, standing: Standing[o.Order], rng: random.Random) -> set[str]:
    """Every order that is found on a random walk through the steps; each of them stands."""
    number = commander(state)
    seen = Seen(number, view_of(state, number), tuple(FORTRESSES.legal(state, number)))
    steps = steps_of(MENU, seen, standing, MOST_STEPS, rng)
    assert all(len(look.lines) <= MOST_LINES for look in steps.values())
    assert all(look.lines or not path for path, look in steps.items())
    found = {*taken_in(*steps.values())}
    for text in found:
        checked = FORTRESSES.check(state, number, standing, (parse_order(text),))
        refused = [problem for problem in checked.problems if problem.order is not None]
        assert refused == [], (text, standing.orders)
    return found


def tapped_turn(state: State, rng: random.Random, lines: int) -> Standing[o.Order]:
    """Some lines, tapped one after the other; each walk starts beside those that stand."""
    standing = NOTHING
    for _ in range(lines):
        found = sorted(walk(state, standing, rng))
        orders = [parse_order(text) for text in found]
        useful = [
            order
            for order in orders
            if not isinstance(order, o.TableCommand | o.Done | o.NoAttacks)
        ]
        if not useful:
            break
        order = rng.choice(useful)
        standing = FORTRESSES.check(state, commander(state), standing, (order,)).standing
    return standing


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_everything_that_can_be_tapped_is_taken_beside_what_stands(seed: int) -> None:
    rng = random.Random(seed)
    state, place = new_game(2 + seed % 3, seed), 0
    stages: set[str] = set()
    for _ in range(10):
        if state.stage == "over":
            break
        stages.add(state.stage)
        standing = tapped_turn(state, rng, 2)
        chance = Chance(bytes([seed]), place)
        state = FORTRESSES.adjudicate(state, {commander(state): standing.orders}, chance).state
        place = chance.place
    assert {"attack", "reinforce"} <= stages


def before_syria() -> State:
    return table(
        active="red",
        units={"Egypt": "red 3L 1K 1D", "Syria": "gold 2L", "Levantine Sea": "red 1G"},
    )


def test_an_attack_is_tapped_from_where_to_where_and_with_what() -> None:
    foes = {"Syria": "gold 2L", "Cyprus": "gold 1L", "Aquitaine": "silver 1L"}
    state = table(active="red", units={"Egypt": "red 3L 1K 1D", "Aragon": "red 1L", **foes})
    assert "Egypt: 3L 1K 1D" in texts(state, ("attack",))
    assert "Syria: Gold 2L" in texts(state, ("attack", "Egypt"))
    assert taken(state, ("attack", "Egypt", "Syria")) == ["Attack Syria with 3L 1K 1D from Egypt"]
    assert taken(state, ("attack", "Egypt", "Syria", "2L 1K")) == [
        "Attack Syria with 2L 1K from Egypt"
    ]
    assert texts(state, ("attack", "Egypt", "Syria", "2L 1K"))[:4] == [
        *("− Legion", "Legions: 2 of 3", "+ Legion", "− Knight"),
    ]
    assert taken(state, ("attack", "Egypt", "Syria", "-")) == []


def test_what_was_sent_is_gone_and_more_may_join_the_battle() -> None:
    """FW-6.3, FW-11.6."""
    state = before_syria()
    sent = stands(state, "Attack Syria with 2L 1K from Egypt")
    assert texts(state, ("attack",), sent)[:3] == ["− Legion", "Legions: 1 of 1", "− Dragon"]
    look = step(state, ("attack", "Egypt", "Syria"), sent)
    assert "Sent there already: 2L 1K from Egypt." in look.chat
    assert "% to take it;" in look.chat
    assert taken(state, ("attack", "Egypt", "Syria"), sent) == [
        "Attack Syria with 1L 1D from Egypt"
    ]


def test_dragons_enter_an_empty_land_with_others_only() -> None:
    """FW-6.4."""
    state = table(active="red", units={"Egypt": "red 1L 1D", "Tripoli": "red 1D"})
    assert taken(state, ("attack", "Egypt", "Syria", "1L 1D")) != []
    assert taken(state, ("attack", "Egypt", "Syria", "1D")) == []
    assert "Syria: Gold, empty" not in texts(state, ("attack", "Tripoli"))
    sent = stands(state, "Attack Syria with 1L from Egypt")
    assert taken(state, ("attack", "Tripoli", "Syria"), sent) == [
        "Attack Syria with 1D from Tripoli"
    ]


def test_a_passenger_is_carried_in_one_go() -> None:
    state = table(active="red", units={"Egypt": "red 1L", "Levantine Sea": "red 1G"})
    assert "Cyprus: Gold, empty" in texts(state, ("carry", "Levantine Sea", "Egypt", "1L"))
    assert taken(state, ("carry", "Levantine Sea", "Egypt", "1L", "Cyprus")) == [
        "Galleon in Levantine Sea carries 1L from Egypt to Cyprus"
    ]
    sent = stands(state, "Galleon in Levantine Sea carries 1L from Egypt to Cyprus")
    assert "Carry by ship" not in texts(state, (), sent)


def test_a_fortress_sells_by_counters_and_a_castle_one_unit() -> None:
    """FW-8.4, FW-8.8."""
    state = table("reinforce", "silver", gold=13)
    assert taken(state, ("buy", "England")) == [
        *("Buy 1L in England", "Buy 1K in England", "Buy 1W in England", "Buy 1D in England"),
    ]
    assert taken(state, ("buy", "Normandy", "2L 1W")) == ["Buy 2L 1W in Normandy"]
    assert "9 gold" in step(state, ("buy", "Normandy", "2L 1W")).chat
    assert taken(state, ("buy", "Normandy", "9W")) == ["Buy 2W in Normandy"]
    bought = stands(state, "Buy 1L in England")
    assert "England" not in " ".join(texts(state, ("buy",), bought))
    assert "Legions: 0 of 5" in texts(state, ("buy", "Normandy"), bought)


def test_gold_is_not_lost_by_a_tap() -> None:
    """FW-4.6."""
    state = table("reinforce", "silver", gold=13)
    assert "Done" not in texts(state)
    assert "Buy nothing" in texts(state)
    assert "Done" in texts(state, (), stands(state, "Buy nothing"))
    assert taken(state, ("sure", "Done"), stands(state, "Buy nothing")) == ["Done"]


def test_new_units_move_with_the_others() -> None:
    """FW-8.10."""
    state = table("reinforce", "silver", gold=12, units={"Normandy": "silver 1L"})
    bought = stands(state, "Buy 4L in Normandy")
    assert taken(state, ("move", "Normandy", "France", "5L"), bought) == [
        "Move 5L from Normandy to France"
    ]


def test_instructions_are_for_a_battle_for_all_or_for_always() -> None:
    """FW-10."""
    state = before_syria()
    sent = stands(state, "Attack Syria with 2L 1K from Egypt")
    assert texts(state, ("words",), sent)[:2] == ["Syria", "Always"]
    assert "Lose K" in taken(state, ("words", "all", "lose"), sent)
    assert "Keep a conqueror in Syria" in taken(state, ("words", "Syria", "keep"), sent)
    assert "Retreat dragons after 2 rounds" in taken(state, ("words", "all", "retreat"), sent)
    assert "Always: Interactive" in taken(state, ("words", "always", "interactive"), sent)


def test_battles_are_put_in_order_by_taps() -> None:
    """FW-7.1."""
    state = table(
        active="red",
        units={"Egypt": "red 2L", "Syria": "gold 1L", "Aragon": "red 1L", "Aquitaine": "silver 1L"},
    )
    sent = stands(state, "Attack Syria with 1L from Egypt", "Attack Aquitaine with 1L from Aragon")
    assert "Order of battles" in texts(state, (), sent)
    assert taken(state, ("order", "Aquitaine", "Syria"), sent) == ["Battle order: Aquitaine, Syria"]


def test_lines_are_taken_back_by_their_numbers() -> None:
    """FW-4.4."""
    state = before_syria()
    sent = stands(state, "Attack Syria with 2L from Egypt", "Lose K")
    assert taken(state, ("back",), sent) == ["Cancel 1", "Cancel 2", "Cancel all"]


def asked_in_battle() -> State:
    """Two hits to take by three Legions, two Knights and a Dragon."""
    state = table(
        active="red",
        units={"Egypt": "red 3L 2K 1D", "Syria": "gold 6L"},
    )
    lines = ("Attack Syria with 3L 2K 1D from Egypt", "Interactive", "Done")
    for seed in range(200):
        chance = Chance(bytes([seed]))
        found = FORTRESSES.adjudicate(
            state, {commander(state): stands(state, *lines).orders}, chance
        )
        while found.state.stage == "battle" and found.state.battles[0].hits != 2:
            orders = FORTRESSES.defaults(found.state, commander(found.state), NOTHING)
            found = FORTRESSES.adjudicate(found.state, {commander(found.state): orders}, chance)
        if found.state.stage == "battle" and found.state.battles[0].attackers.text == "3L 2K 1D":
            return found.state
    raise AssertionError("no such battle")


def test_losses_are_chosen_type_by_type() -> None:
    """FW-10.7."""
    state = asked_in_battle()
    assert "3L 2K 1D against Gold" in step(state).chat
    assert "You have 2\N{NO-BREAK SPACE}hits to take." in step(state).chat
    assert {"Choose losses", "Dragons retreat", "Dragons stay"} <= set(texts(state))
    assert texts(state, ("lose",))[:3] == ["0", "1", "2"]
    assert taken(state, ("lose", "2")) == ["Lose 2L"]
    assert texts(state, ("lose", "1"))[:2] == ["0", "1"]
    assert taken(state, ("lose", "1", "1")) == ["Lose 1L 1K"]
    assert taken(state, ("lose", "0", "1")) == ["Lose 1K 1D"]
    assert taken(state, ("sure", "Stay")) == ["Stay"]
    walk(state, NOTHING, random.Random(1))


def test_whoever_is_not_asked_has_the_commands_of_the_table_alone() -> None:
    state = new_game(2, 1)
    other = 3 - commander(state)
    legal = tuple(FORTRESSES.legal(state, other))
    view = view_of(state, other)
    entries = MENU.entries(view, legal, NOTHING)
    assert [entry.path for entry in entries] == [("table",)]
