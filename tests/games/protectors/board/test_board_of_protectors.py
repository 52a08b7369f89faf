"""From a view of Protectors and its events to a scene: what the public may know, and nothing else
(PR-1.8).
"""

from datetime import UTC, datetime

import msgspec
import pytest

from engine.chance import Chance
from engine.protectors.ability_events import KingFought
from engine.protectors.events import DragonAttacked, OrdersRevealed, Share, TurnBegan
from engine.protectors.orders import BuyNothing, Fortify, March, Order, Support, Work
from engine.protectors.positions.position import parse_position
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Province, State
from engine.protectors.view import TableView
from engine.ruleset import Event, Seat
from pbem.board.board import TableFacts
from pbem.games.protectors.board.alt import describe
from pbem.games.protectors.board.drawing import draw, lay_board, texts_of
from pbem.games.protectors.board.scene import Battle, Fight, OrderMark, Scene
from pbem.games.protectors.board.scene import March as MarchMark
from pbem.games.protectors.board.scene import Support as SupportMark
from pbem.games.protectors.board.scene_of import build_scene
from pbem.games.protectors.board.shores import make_land
from tests.games.protectors.board.positions import land_of

FACTS = TableFacts("Heron", "orders", datetime(2026, 11, 23, 17, 0, tzinfo=UTC), "Europe/Berlin")
RED, BLUE, GREEN, BLACK, SKY, PINK = range(1, 7)


@pytest.fixture
def before() -> State:
    names = ["Red", "Blue", "Green", "Black", "Sky", "Pink"]
    board: dict[str, object] = {
        "P1": {"owner": "Red", "units": 3},
        "P2": {"owner": "Blue", "units": 2, "level": 2},
        "P3": {"owner": "Green", "units": 1},
        "P4": {"burnt": True},
        "P5": {"owner": "Black", "units": 2, "burnt": True},
        "P6": {"owner": "Sky", "units": 1},
        "P7": {"owner": "Pink", "units": 2},
    }
    players = {name: {"realm": 100} for name in names}
    return parse_position(
        {
            "turn": 3,
            "phase": "orders",
            "players": players,
            "board": board,
            "ranking": names,
            "provinces": 7,
            "starting_players": 7,
        },
        {},
        "test",
    )


ORDERS: dict[int, tuple[Order, ...]] = {
    RED: (March(2, 1, 2, golden=True),),
    BLUE: (Fortify(2),),
    GREEN: (Support(BLUE, 2, 3),),
    BLACK: (March(1, 5, 4, delayed=True),),
    SKY: (March(9, 6, 5),),
    PINK: (Work(7),),
}


def closed(state: State, orders: dict[int, tuple[Order, ...]]) -> tuple[State, tuple[Event, ...]]:
    outcome = PROTECTORS.adjudicate(state, orders, Chance(bytes(32)))
    return outcome.state, outcome.events


def public(state: State) -> TableView:
    view = PROTECTORS.view(state, None)
    assert isinstance(view, TableView)
    return view


@pytest.fixture
def scene(before: State) -> Scene:
    after, events = closed(before, ORDERS)
    return build_scene(public(after), events, FACTS)


def test_the_board_is_the_one_of_the_view(before: State) -> None:
    scene = build_scene(public(before), (), FACTS)
    assert [(p.owner, p.units, p.level, p.burnt) for p in scene.provinces[1:5]] == [
        ("blue", 2, 2, False),
        ("green", 1, 0, False),
        (None, 0, 0, True),
        ("black", 2, 0, True),
    ]
    assert [[seat.name for seat in bracket] for bracket in scene.ranking] == [
        ["Red", "Blue"],
        ["Green", "Black"],
        ["Sky"],
        ["Pink"],
    ]
    assert scene.dragon.threshold == public(before).threshold
    assert scene.out == ()
    assert (scene.turn, scene.phase, scene.arrows_turn) == (3, "Orders", None)


def test_what_is_due_is_told_in_the_zone_of_the_table(before: State) -> None:
    view = public(before)
    assert build_scene(view, (), FACTS).due == ("Orders due", "Mon 23 Nov", "18:00 CET")
    assert build_scene(
        view, (), TableFacts("Heron", "dragon", FACTS.deadline, "Asia/Dubai")
    ).due == ("Answer due", "Mon 23 Nov", "21:00 UTC+04")
    assert build_scene(view, (), TableFacts("Heron", "over")).due == ("Game over", "", "")


def test_marches_supports_and_battles_of_the_turn_are_drawn(scene: Scene) -> None:
    assert scene.arrows_turn == 3
    assert set(scene.marches) == {
        MarchMark("red", 1, 2, 2, golden=True, fought=True),
        MarchMark("sky", 6, 5, 1, fought=True),
        MarchMark("black", 5, 4, 1, delayed=True),
    }
    assert scene.supports == (SupportMark("green", 3, 2, fought=True),)
    assert Battle(2, (Fight("blue", "red", 4, 3),)) in scene.battles
    assert Battle(5, (Fight("black", "sky", 2, 1),)) in scene.battles
    assert scene.province(2).order == OrderMark("fortify", "blue")
    assert scene.province(7).order == OrderMark("work", "pink")


def test_a_scene_of_a_real_turn_is_drawn(scene: Scene) -> None:
    svg = draw(scene, land_of(7, 7))
    assert "4:3" in svg


def test_support_over_two_borders_is_extended_and_support_cut_off_is_not_drawn(
    before: State,
) -> None:
    orders: dict[int, tuple[Order, ...]] = {
        RED: (Support(GREEN, 3, 1, golden=True),),
        GREEN: (Support(BLUE, 2, 3),),
        BLUE: (March(1, 2, 3),),
    }
    after, events = closed(before, orders)
    assert build_scene(public(after), events, FACTS).supports == (
        SupportMark("red", 1, 3, golden=True, extended=True, fought=True),
    )


def test_orders_of_a_window_that_is_still_open_are_not_in_the_picture(before: State) -> None:
    view = public(before)
    secret = Event(OrdersRevealed(((RED, (March(2, 1, 2),)),)), (), audience=(RED,))
    assert build_scene(view, (secret,), FACTS) == build_scene(view, (), FACTS)


def test_what_the_dragon_burnt_burns_until_orders_are_revealed_again(before: State) -> None:
    """READING-16."""
    burnt = Share(BLACK, 1, (), (), 1, 2, False, 0, burnt=(4,))
    attack = Event(DragonAttacked(9, 1, False, "Wurm", False, (burnt,), None, 0, 14), ())
    reveal = Event(OrdersRevealed(()), ())

    def burning(*events: Event) -> set[int]:
        scene = build_scene(public(before), events, FACTS)
        return {province.number for province in scene.provinces if province.burning}

    assert burning() == set()
    assert burning(attack) == burning(reveal, attack) == {4}
    assert burning(attack, reveal) == set()
    assert "P4: nobody's, just burnt." in describe(build_scene(public(before), (attack,), FACTS))


def test_only_the_last_reveal_counts_and_the_turn_is_the_one_it_fell_in(before: State) -> None:
    first = Event(OrdersRevealed(((RED, (Work(1),)),)), ())
    second = Event(OrdersRevealed(((BLUE, (Work(2),)),)), ())
    scene = build_scene(
        public(before), (first, Event(TurnBegan(2), ()), second, Event(TurnBegan(3), ())), FACTS
    )
    assert scene.arrows_turn == 2
    assert scene.province(1).order is None
    assert scene.province(2).order == OrderMark("work", "blue")
    assert build_scene(public(before), (second,), FACTS).arrows_turn == 2, (
        "the orders of this turn are still being written"
    )


def test_a_whole_game_from_its_set_up_can_be_pictured_at_every_step() -> None:
    seats = [
        Seat(n, f"Player {n}", colour)
        for n, colour in enumerate(("red", "blue", "yellow"), start=1)
    ]
    chance = Chance(bytes(32))
    outcome = PROTECTORS.setup({}, seats, chance)
    state, events = outcome.state, list(outcome.events)
    for _ in range(14):
        phase = PROTECTORS.phase(state)
        scene = build_scene(public(state), events, TableFacts("Heron", phase.kind))
        assert draw(scene, land_of(3, 3)).startswith("<svg")
        assert len(scene.provinces) == 3
        if phase.over is not None:
            break
        closing = PROTECTORS.adjudicate(state, {}, chance)
        state, events = closing.state, [*events, *closing.events]


def test_the_mountain_king_fights_in_the_colour_of_whom_he_helps(before: State) -> None:
    king = KingFought(4, RED, BLUE, 3, 1, 2, True, 2, False, True, False, 1)
    beaten = KingFought(5, RED, BLUE, 1, 1, 2, False, 2, False, False, False, 2)
    events = tuple(Event(facts, ()) for facts in (OrdersRevealed(()), king, beaten))
    scene = build_scene(public(before), events, FACTS)
    assert scene.battles == (
        Battle(4, (Fight("red", "blue", 3, 1),)),
        Battle(5, (Fight("blue", "red", 2, 1),)),
    )


def test_teams_stand_beside_the_names_and_the_island_has_its_holder() -> None:
    seats = [
        Seat(n, f"Player {n}", colour)
        for n, colour in enumerate(("red", "blue", "yellow", "green"), start=1)
    ]
    state = PROTECTORS.setup({"teams": 2, "island": True}, seats, Chance(bytes(32))).state
    state = msgspec.structs.replace(state, board=(Province(owner=2, units=1), *state.board[1:]))
    scene = build_scene(public(state), (), FACTS)
    assert {seat.team for bracket in scene.ranking for seat in bracket} == {"A", "B"}
    assert scene.island is not None
    assert (scene.island.owner, scene.island.units) == ("blue", 1)
    land = make_land(state.land, 1, drafts=2, island=True)
    marks = [words.text for place, words in texts_of(lay_board(scene, land)) if place == "ranking"]
    assert marks.count("A") == marks.count("B") == 2
    assert "the Island: Player 2" in describe(scene)
    assert "team A" in describe(scene)


def test_the_last_board_tells_places_and_points_and_not_the_last_ranking() -> None:
    """THIRD A2: Red was ranked first, and Blue second, and they come out last."""
    names = ["Red", "Blue", "Green", "Black"]
    last = parse_position(
        {
            "turn": 11,
            "phase": "consolidation",
            "players": {name: {"vp": vp} for name, vp in zip(names, (0, 1, 3, 9), strict=True)},
            "board": {f"P{n}": {"owner": name, "units": 1} for n, name in enumerate(names, 1)},
            "ranking": names,
            "provinces": 4,
            "starting_players": 4,
            "in_play": ["Calms of Summer", "The Misty Mountains Cold", "Ferry!", "Time's Up!"],
        },
        {},
        "test",
    )
    after, events = closed(last, {number: (BuyNothing(),) for number in (1, 2, 3, 4)})
    result = build_scene(public(after), events, TableFacts("Heron", "over")).ranking
    assert [(seat.place, seat.name, seat.worth) for column in result for seat in column] == [
        (1, "Black", 11),
        (2, "Green", 5),
        (3, "Blue", 3),
        (4, "Red", 2),
    ]
