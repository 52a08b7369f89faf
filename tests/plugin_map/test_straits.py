"""Straits by itself: its rules by their IDs, its map, its menu, and the check of games."""

import re
from collections.abc import Iterator
from dataclasses import replace as changed
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from straits.board import draw, stage
from straits.game import GAME
from straits.pages import MENU, PAGES
from straits.reading import build, persons_of, read_correction
from straits.resolving import Resolver
from straits.rules import RULES
from straits.state import MAP, Campaign, Hold, Kind, Land, Move, State, Support, Unit

from engine.chance import Chance
from engine.map_files import MapError
from engine.maps import load_map
from engine.ruleset import Outcome, Seat, Standing, encode_sound_state
from pbem.board.board import TableFacts
from pbem.cases.runner import run_files
from pbem.conformance.examination import Pace, check_game
from pbem.conformance.maps import check_map
from pbem.conformance.walk import Table, walk
from pbem.findings import Grade
from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.people import Person
from pbem.grammar.kit.vocabulary import build_vocabulary, load_vocabulary
from pbem.grammar.usual import UsualReader
from pbem.pages.kit.usual_menu import MOST_BUTTONS
from pbem.pages.menu import MenuButton
from pbem.pages.menu import Path as Way
from tests.rows import each_row

HERE = Path(__file__).parent
PACE = Pace(games=1, phases=30, twins=6, letters=6, boards=15)
NAMES = ("Anna", "red"), ("Ben", "blue"), ("Cleo", "yellow")
START = RULES.setup({}, [Seat(i, *one) for i, one in enumerate(NAMES, 1)], Chance(bytes(32))).state


def lying(units: str, **fields: object) -> State:
    """A state with these units: `1A Alder, 2F Mid Deep`."""
    found = []
    for told in units.split(", "):
        kind: Kind = "army" if told[1] == "A" else "fleet"
        found.append(Unit(told[3:], kind, int(told[0])))
    return replace(START, units=tuple(found), **fields)


def year(state: State, **said: str) -> Outcome[State]:
    """The orders carried out: `a="Alder to Glimm; ..."`."""
    orders = {
        number: [RULES.forms.parse(text) for text in said.get(name, "").split("; ") if text]
        for number, name in enumerate("abc", 1)
    }
    return RULES.adjudicate(state, orders, Chance(bytes(32)))


def at(state: State) -> set[str]:
    return {f"{unit.owner}{unit.kind[0].upper()} {unit.at}" for unit in state.units}


def test_the_check_of_games_finds_nothing() -> None:
    assert [one for one in check_game(GAME, PACE) if one.grade is not Grade.OK] == []


def test_its_cases_pass() -> None:
    said = StringIO()
    code = run_files([HERE / "cases" / "straits.yaml"], {"straits": GAME}, json=False, out=said)
    assert (code, said.getvalue().splitlines()[-1]) == (0, "3 passed, 0 failed")


@each_row(
    ("units", "orders", "after"),
    [
        # ST-3.2: equal moves fail; support decides
        ("1A Glimm, 2A Isenmark", {"a": "Glimm to Eskhaven", "b": "Isenmark to Eskhaven"}, "1A Glimm, 2A Isenmark"),
        (
            "1A Glimm, 1F West Water, 2A Isenmark",
            {"a": "Glimm to Eskhaven; West Water supports Glimm to Eskhaven", "b": "Isenmark to Eskhaven"},
            "1A Eskhaven, 1F West Water, 2A Isenmark",
        ),
        # support to hold
        (
            "1A Glimm, 1F West Water, 2A Eskhaven, 2A Isenmark",
            {"a": "Glimm to Eskhaven; West Water supports Glimm to Eskhaven", "b": "Isenmark supports Eskhaven"},
            "1A Glimm, 1F West Water, 2A Eskhaven, 2A Isenmark",
        ),
        # ST-3.4: cut by an attack from elsewhere
        (
            "1A Glimm, 1F West Water, 2A Eskhaven, 3F Mid Deep",
            {"a": "Glimm to Eskhaven; West Water supports Glimm to Eskhaven", "c": "Mid Deep to West Water"},
            "1A Glimm, 1F West Water, 2A Eskhaven, 3F Mid Deep",
        ),
        # ST-3.4: not cut from where it leads
        (
            "1A Glimm, 1F West Water, 2F Eskhaven",
            {"a": "Glimm to Eskhaven; West Water supports Glimm to Eskhaven", "b": "Eskhaven to West Water"},
            "1A Eskhaven, 1F West Water",
        ),
        # ST-3.5: no change of places, but a ring
        ("1A Glimm, 2A Eskhaven", {"a": "Glimm to Eskhaven", "b": "Eskhaven to Glimm"}, "1A Glimm, 2A Eskhaven"),
        (
            "1F Gull Sound, 2F Mid Deep, 3F Hythe",
            {"a": "Gull Sound to Mid Deep", "b": "Mid Deep to Hythe", "c": "Hythe to Gull Sound"},
            "1F Mid Deep, 2F Hythe, 3F Gull Sound",
        ),
        # ST-3.3: nobody beats a unit of their own, nor helps to
        (
            "1A Glimm, 1F West Water, 1A Eskhaven",
            {"a": "Glimm to Eskhaven; West Water supports Glimm to Eskhaven; Eskhaven holds"},
            "1A Glimm, 1F West Water, 1A Eskhaven",
        ),
        (
            "1A Glimm, 2F West Water, 2A Eskhaven",
            {"a": "Glimm to Eskhaven", "b": "West Water supports Glimm to Eskhaven; Eskhaven holds"},
            "1A Glimm, 2F West Water, 2A Eskhaven",
        ),
        # a chain: who leaves makes room, and who fails does not
        ("1A Glimm, 1A Eskhaven", {"a": "Glimm to Eskhaven; Eskhaven to Isenmark"}, "1A Eskhaven, 1A Isenmark"),
        (
            "1A Glimm, 1A Eskhaven, 2A Isenmark",
            {"a": "Glimm to Eskhaven; Eskhaven to Isenmark"},
            "1A Glimm, 1A Eskhaven, 2A Isenmark",
        ),
        # a head-on attack with help beats the other
        (
            "1A Glimm, 1F West Water, 2A Eskhaven",
            {"a": "Glimm to Eskhaven; West Water supports Glimm to Eskhaven", "b": "Eskhaven to Glimm"},
            "1A Eskhaven, 1F West Water",
        ),
        # ST-1.3: a fleet goes along its own coast
        ("1F Mid Deep", {"a": "Mid Deep to Long Neck/ec"}, "1F Long Neck/ec"),
    ],
)  # fmt: skip
def test_what_comes_of_orders(units: str, orders: dict[str, str], after: str) -> None:
    outcome = year(lying(units), **orders)
    assert at(outcome.state) == set(after.split(", "))
    encode_sound_state(RULES, outcome.state)


def test_three_or_more_orders_that_hang_on_each_other_come_out_in_any_order() -> None:
    """ST-3.4, ST-3.5: the answer does not hang on which order is asked first."""
    orders: list[Campaign] = [
        Move("Gull Sound", "Mid Deep"),
        Move("Mid Deep", "Hythe"),
        Move("Hythe", "Gull Sound"),
        Support("West Water", "Gull Sound", "Mid Deep"),
        Move("Kestrel Moor", "West Water"),
        Hold("Birkholt"),
    ]
    owners = {one.unit: number for number, one in enumerate(orders)}
    answers = set()
    for turned in range(len(orders)):
        by_unit = {one.unit: one for one in orders[turned:] + orders[:turned]}
        resolver = Resolver(by_unit, owners)
        answers.add(tuple(sorted((unit, resolver.works(unit)) for unit in by_unit)))
    assert len(answers) == 1
    assert dict(answers.pop()) == {
        "Gull Sound": True,
        "Mid Deep": True,
        "Hythe": True,
        "West Water": False,
        "Kestrel Moor": False,
        "Birkholt": True,
    }


def test_a_beaten_unit_retreats_or_is_lost() -> None:
    """ST-4.1: not to where the attack came from, nor to where moves failed."""
    state = lying("1A Glimm, 1F West Water, 2A Eskhaven", ports=(("Corran", 2), ("Alder", 1)))
    said = "Glimm to Eskhaven; West Water supports Glimm to Eskhaven"
    beaten = year(state, a=said).state
    assert [one.ways for one in beaten.beaten] == [("Isenmark",)]
    assert (beaten.stage, beaten.asked) == ("muster", (2,))
    kept = year(beaten, b="Retreat Eskhaven to Isenmark")
    assert at(kept.state) == {"1A Eskhaven", "1F West Water", "2A Isenmark"}
    lost = year(beaten)
    assert at(lost.state) == {"1A Eskhaven", "1F West Water"}


def test_ports_and_builds() -> None:
    """ST-3.6, ST-4.2: a port is taken at once; a unit is built in an empty home port."""
    state = lying("1A Alder, 2F Corran, 3A Farrow")
    taken = year(state, a="Alder to Kestrel Moor").state
    assert (taken.stage, taken.asked) == ("muster", (1, 2, 3))
    built = year(taken, a="Build fleet in Alder; Build army in Birkholt", b="Build army in Dunmere")
    assert at(built.state) == {
        "1A Kestrel Moor",
        "1F Alder",
        "2F Corran",
        "2A Dunmere",
        "3A Farrow",
    }
    assert (built.state.turn, built.state.stage) == (2, "orders")
    legal = [PAGES.format_order(taken, one) for one in RULES.legal(taken, 2)]
    assert legal == ["Build army in Dunmere", "Build fleet in Dunmere"]


def test_the_headline_names_the_year_of_the_orders() -> None:
    outcome = year(
        lying(
            "1A Alder, 1F Hythe, 2F Corran, 3A Farrow",
            ports=(("Alder", 1), ("Hythe", 1), ("Corran", 2), ("Farrow", 3)),
        ),
        c="Farrow to Isenmark",
    )
    assert outcome.state.stage == "muster"
    told = RULES.adjudicate(outcome.state, {}, Chance(bytes(32)))
    assert (told.state.turn, told.events) == (2, ())
    assert PAGES.lead(outcome.state, outcome.events).headline == "Year 1: Cleo takes Isenmark"
    quiet = year(told.state)
    assert (quiet.state.turn, PAGES.when(quiet.state, quiet.events)) == (2, "Year 2")


def test_a_suggested_answer_is_one_of_the_reader() -> None:
    for player in (1, 2, 3):
        view = RULES.view(START, player)
        for text, _ in PAGES.answers(view):
            assert RULES.judge(START, player, RULES.forms.parse(text)) is None


def test_six_ports_win() -> None:
    """ST-4.3."""
    ports = (
        *((name, 1) for name in ("Alder", "Birkholt", "Corran", "Dunmere", "Jarrow")),
        ("Farrow", 3),
    )
    state = lying("1F Hythe, 3A Farrow", ports=ports)
    won = year(state).state
    assert (won.winners, won.how, won.stage) == ((1,), "ports", "over")
    assert [(one.place, one.how) for one in RULES.placings(won)] == [
        (1, "ports"),
        (3, "eliminated"),
        (2, "ports"),
    ]


def test_what_a_game_master_does() -> None:
    correction = read_correction(START, "Ben holds Hythe")
    mended = RULES.act(START, "gm", correction.act, Chance(bytes(32))).state
    assert dict(mended.ports)["Hythe"] == 2
    left = RULES.act(START, "gm", {"act": "remove", "player": 2}, Chance(bytes(32))).state
    assert (left.active, left.held(2), left.units_of(2)) == ((1, 3), (), ())
    for wrong in ("Ben holds Mid Deep", "Zoe holds Hythe", "Ben"):
        with pytest.raises(Unread):
            read_correction(START, wrong)


# ---------------------------------------------------------------------------------------- the kit
STATE = lying("1A Alder, 1F Mid Deep, 2F West Water, 2F Dunmere, 3A Isenmark")
LEGAL = tuple(RULES.legal(STATE, 1))
TEXTS = [PAGES.format_order(STATE, order) for order in LEGAL]


def buttons(*way: str, stored: tuple[object, ...] = ()) -> list[MenuButton]:
    return MENU.buttons(TEXTS, STATE, Standing(stored), ("Orders...", *way))


def test_the_menu_goes_from_piece_to_act_to_place_to_coast() -> None:
    assert [one.text for one in buttons()] == ["Alder", "Mid Deep"]
    assert [one.text for one in buttons("Mid Deep")] == ["holds", "to", "supports"]
    assert "Long Neck" in [one.text for one in buttons("Mid Deep", "to")]
    coasts = buttons("Mid Deep", "to", "Long Neck")
    assert [(one.text, one.takes) for one in coasts] == [
        ("west coast", "Mid Deep to Long Neck/wc"),
        ("east coast", "Mid Deep to Long Neck/ec"),
    ]
    stored = (Support("Mid Deep", "West Water"),)
    assert [one.text for one in buttons(stored=stored)] == ["Alder", "✓ Mid Deep"]
    assert MENU.back(("Orders...", "Mid Deep", "to"))[0][0].path == ("Orders...", "Mid Deep")


@each_row("order", LEGAL)
def test_every_order_that_may_be_given_can_be_tapped_and_no_other(order: Campaign) -> None:
    way = MENU.way_to(STATE, order, LEGAL)
    assert way[0] == "Orders..."
    path: Way = ("Orders...",)
    for label in way[1:]:
        (button,) = [
            one for one in MENU.buttons(TEXTS, STATE, Standing(), path) if one.text == label
        ]
        path = button.path
    assert button.takes == PAGES.format_order(STATE, order)
    assert MENU.way_to(STATE, Hold("Glimm"), LEGAL) == ()


def reached(path: Way) -> Iterator[MenuButton]:
    for one in MENU.buttons(TEXTS, STATE, Standing(), path):
        yield one
        if not one.takes:
            yield from reached(one.path)


def test_buttons_take_only_what_is_legal_and_a_way_that_leads_nowhere_begins_again() -> None:
    assert sorted(one.takes for one in reached(("Orders...",)) if one.takes) == sorted(TEXTS)
    assert buttons("Hythe", "to") == buttons()


def test_a_word_of_two_meanings_is_told_with_the_line_of_the_map() -> None:
    """All at once, each with both files."""
    bad = load_map(
        "straits", "data/map.yaml", Land, kinds=("land", "sea"), borders=("army", "fleet")
    )
    places = dict(bad.places)
    places["Alder"] = replace(places["Alder"], code="NOT", aliases=("hold",))
    with pytest.raises(ValueError, match=r"'not' is P0, but NEG at .*kit\.words:") as caught:
        load_vocabulary("straits", changed(bad, places=places))
    assert re.search(r"map\.yaml:4: 'hold' is P0, but HOLD at .*orders\.words:", str(caught.value))
    assert build_vocabulary([("x:1", "P0", ("holm",))]).known == {"holm"}


def test_the_check_names_what_is_wrong_with_a_map() -> None:
    """Edges that are no borders, a place where no finger comes, a name that nobody reads."""
    walks = [walk(Table(GAME, {}, 3), 7, 2, is_scripted=True)]

    def found(name: str, **fields: Any) -> list[str]:
        places = {**MAP.places, name: replace(MAP.places[name], **fields)}
        return [one.words for one in check_map(GAME, changed(MAP, places=places), walks)]

    assert found("Alder", aliases=("Aldershire",)) == [
        '"Aldershire holds" is not read as "Alder holds"'
    ]
    told = found("South Roads", at=(13.0, 90.0), code="ROADS")
    assert any(one.startswith("edge-without-border: Eskhaven, South Roads at ") for one in told)
    assert "no finger finds South Roads on the board" in told


def test_a_map_that_is_none_is_told_with_its_file() -> None:
    with pytest.raises(MapError, match=r"map\.yaml:"):
        load_map("straits", "data/map.yaml", Land, kinds=("land",), borders=("army", "fleet"))


def test_the_board_shows_orders_of_the_year_and_both_coasts() -> None:
    outcome = year(
        lying("1A Isenmark, 2F East Bight, 3F Long Neck/wc"),
        a="Isenmark to Long Neck",
        b="East Bight supports Isenmark to Long Neck",
    )
    scene = stage(outcome.state, outcome.events, TableFacts("Heron", "muster", is_first=True))
    assert [(one.at, one.is_out) for one in scene.pieces][-1] == ("Long Neck/wc", True)
    told = draw(scene, b"").alt
    assert "beaten fleet in Long Neck (west coast)" in told
    assert "East Bight helps Isenmark to Long Neck." in told
    assert MOST_BUTTONS == 24


def test_a_power_is_read_where_a_player_is() -> None:
    """The guide: a player may have a second `Person`, named for a power."""
    state = RULES.setup({}, GAME.few_seats, Chance(bytes(32))).state
    powers = ("England", "Austria-Hungary", "Turkey")

    def persons(state: State) -> tuple[Person, ...]:
        own = persons_of(state)
        return (*own, *(replace(one, name=powers[one.number - 1]) for one in own))

    reader = UsualReader("straits", RULES, build, persons, told=MAP)
    for text, taken in (
        ("England's Alder holds", True),
        ("Austria-Hungary's Alder holds", False),
        ("Alder supports Birkholt", True),
        ("Alder supports England's Birkholt", True),
        ("Alder supports Austria-Hungary's Birkholt", False),
    ):
        reading = read_alone(reader.read, state, 1, Standing(), text)
        assert [bool(one.texts) for one in reading.items] == [taken], text
