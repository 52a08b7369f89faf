"""Every example printed is an answer the engine takes whole, in every phase of whole games."""

import random
from itertools import islice

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors import orders as o
from engine.protectors.colours import COLOURS
from engine.protectors.positions.position import parse_position
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Province, State
from engine.protectors.view import TableView
from engine.protectors.view_of import view_of
from engine.ruleset import Seat, Standing
from pbem.games.protectors.pages.cast import cast_of
from pbem.games.protectors.pages.defaults import default_of
from pbem.games.protectors.pages.examples import Example, _support, examples
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.pages.sample import ATTACK, crowd, heron, played, view


def texts(seen: TableView) -> list[tuple[str, ...]]:
    return [example.texts(cast_of(seen, 1)) for example in examples(seen, cast_of(seen, 1))]


def why(seen: TableView, number: int) -> str:
    return (
        examples(seen, cast_of(seen, 1))[number]
        .why(cast_of(seen, 1))
        .text.replace("\N{NO-BREAK SPACE}", " ")
    )


def test_the_three_of_the_orders_phase_are_attack_defence_and_what_the_card_allows() -> None:
    assert texts(view()) == [
        ("Golden March! 2 from P2 to P3.", "Fortify! P1."),
        ("Golden Fortify! P1.", "Fortify! P2."),
        ("March! 3 from P1 to P5.", "Fortify! P2."),
    ]
    assert why(view(), 0).startswith(
        "You attack with 2 + 1 (gold) − 1 (snow) = 2 against Bartek's 2 (3 with Fortify). At 2 : 2 you win"
    )
    assert why(view(), 1).startswith("P1 defends with 3 + 2 (gold) = 5.")
    assert why(view(), 2).startswith("By Ferry, for 25 of your 132 $Realm.")


def test_support_comes_to_the_attack_where_it_turns_a_defeat_into_a_victory() -> None:
    board = (
        Province(),
        Province(owner=1, units=3),
        Province(owner=1, units=2),
        Province(owner=2, units=3),
    )
    seen = view_of(crowd(["Anna", "Ben", "Cleo"], board=board, ranking=(2, 1, 3)), 1)
    assert texts(seen)[0] == ("March! 3 from P1 to P3.", "Support! Anna in P3 from P2.")
    assert why(seen, 0).startswith(
        "You attack with 3 + 2 (Support) = 5 against Ben's 3 (4 with Fortify). Even then you win."
    )


def test_restlessness_leaves_no_fortify_in_any_example() -> None:
    seen = view(in_play=played("Restlessness of Spring"))
    assert not any("Fortify" in line for lines in texts(seen) for line in lines)


def test_pirates_are_named_in_an_example_of_their_turn() -> None:
    assert ("Snitch on Bartek.", "Fortify! P1.", "Fortify! P2.") in texts(
        view(in_play=played("Pirates!"))
    )


def test_against_the_dragon_enough_more_than_enough_and_nothing() -> None:
    seen = view(stage="dragon", attack=ATTACK)
    assert texts(seen) == [
        ("Commit 2 from P1.",),
        ("Commit 3 from P1.", "Commit 1 from P2."),
        ("Commit nothing.",),
    ]
    assert "If the Protectors win, you lose 2 units and earn 150 $Realm." in why(seen, 0)
    assert "lose all your $Realm" in why(seen, 2)


def test_who_is_short_in_the_middle_of_the_ranking_is_told_what_burns() -> None:
    seen = view(stage="dragon", attack=ATTACK, ranking=(2, 1, 4, 5, 7))
    assert "P1 and P2 burn" in why(seen, 2) or "P2 and P1 burn" in why(seen, 2)


def test_purchases_reach_no_further_than_the_purse() -> None:
    seen = view(stage="consolidation")
    assert texts(seen)[0] == ("Buy 1 in P2.", "Bid 57.")
    assert default_of(seen, cast_of(seen, 1)).cost == 75


def test_the_last_turn_asks_for_no_bid() -> None:
    assert not any(
        "Bid" in line
        for lines in texts(view(stage="consolidation", in_play=played("Time's Up!")))
        for line in lines
    )


def check(state: State, player: int, example: Example) -> None:
    checked = PROTECTORS.check(state, player, Standing(), example.orders)
    assert checked.accepted == example.orders, (example, checked.problems)
    assert not checked.problems, (example, checked.problems)


def read_back(state: State, player: int, example: Example) -> None:
    text = "\n".join(example.texts(cast_of(view_of(state, player), player)))
    assert "(sac" not in text  # THIRD-13
    reading = read_alone(READER.read, state, player, Standing(), text)
    assert reading.checked is not None, text
    assert set(reading.checked.accepted) == set(example.orders), text
    assert not [problem for item in reading.items for problem in item.problems], text


@pytest.mark.parametrize(
    ("seed", "players", "version"),
    [(1, 7, "normal"), (2, 2, "normal"), (3, 16, "normal"), (4, 5, "grand"), (5, 3, "normal")],
)
def test_all_examples_of_whole_games_are_taken_by_the_engine_and_read_back_by_the_grammar(
    seed: int, players: int, version: str
) -> None:
    rng, chance = random.Random(seed), Chance(bytes([seed]) * 32)
    seats = [Seat(i, f"Player {chr(64 + i)}", COLOURS[i - 1]) for i in range(1, players + 1)]
    state = PROTECTORS.setup({"version": version}, seats, chance).state
    seen = 0
    for _ in range(14):
        phase = PROTECTORS.phase(state)
        if phase.over is not None:
            break
        orders: dict[int, tuple[o.Order, ...]] = {}
        for player in phase.asked:
            mine = view_of(state, player)
            found = examples(mine, cast_of(mine, player))
            assert len({example.orders for example in found}) == len(found) <= 3
            for example in found:
                check(state, player, example)
                seen += 1
            if found:
                read_back(state, player, rng.choice(found))
            legal = list(islice(PROTECTORS.legal(state, player), 200))
            orders[player] = rng.choice([*(example.orders for example in found), tuple(legal[:1])])
        state = PROTECTORS.adjudicate(state, orders, chance).state
    assert seen > 10


def test_a_first_turn_has_three_examples_for_everybody() -> None:
    for stage in ("bidding", "orders"):
        state = crowd(
            ["Anna", "Ben", "Cleo"],
            stage=stage,
            in_play=played("Calms of Summer") if stage == "orders" else (),
        )
        mine = view_of(state, 2)
        assert len(examples(mine, cast_of(mine, 2))) == 3


def test_the_own_words_of_a_turn_mail_are_read_as_what_they_say() -> None:
    state = heron()
    words = PAGES.own_words(view())
    assert words == "move everything in P1 to P7"
    reading = read_alone(READER.read, state, 1, Standing(), words)
    assert reading.checked is not None
    assert reading.checked.accepted == (o.March(3, 1, 7),)
    assert not PAGES.own_words(view(in_play=played("Flood!")))


def test_no_example_of_a_team_game_attacks_a_team_mate_and_support_is_for_one() -> None:
    board = (
        Province(),
        Province(owner=1, units=3),
        Province(owner=2, units=1),
        Province(owner=3, units=2),
        Province(owner=4, units=2),
    )
    state = crowd(
        ["Anna", "Ben", "Cleo", "Dan"],
        board=board,
        ranking=(1, 2, 3, 4),
        in_play=played("Pirates!", "Seafarers!"),
    )
    teamed = tuple(
        replace(player, team="Red" if player.number in (1, 2) else "Gold")
        for player in state.players
    )
    seen = view_of(replace(state, players=teamed, options=replace(state.options, teams=2)), 1)
    said = "\n".join(line for lines in texts(seen) for line in lines)
    assert "to P2" not in said
    assert "Snitch on Ben" not in said
    assert "to P4" in said
    supports = [
        order
        for example in _support(seen)
        for order in example.orders
        if isinstance(order, o.Support)
    ]
    assert [order.player for order in supports] == [2]
    assert "to P4" in PAGES.own_words(seen)


@pytest.mark.parametrize(
    ("politics", "answers", "told"),
    [
        (
            True,
            [("Bid 3.",), ("Bid 0.",)],
            "Counts 3 + 15 for your provinces = 18: next to the bids you see, that is place 1 of 3.",
        ),
        (
            False,
            [("Bid 18.",), ("Bid 12.",), ("Bid 0.",)],
            "Counts 18: next to the bids you see, that is place 1 of 3.",
        ),
    ],
)
def test_the_bank_is_offered_the_least_bids_that_bring_a_place_as_bids_count(
    politics: bool, answers: list[tuple[str, ...]], told: str
) -> None:
    names = ("Anna", "Ben", "Cy")
    faction = "Lannuvár" if politics else "Hodir"
    position = {
        "turn": 3,
        "phase": "bank",
        "provinces": 3,
        "ranking": ["Ben", "Anna", "Cy"],
        "in_play": ["Calms of Summer"],
        "bids": {"Ben": 17, "Cy": 12},
        "players": {
            name: {"realm": 60}
            | ({"faction": faction, "effects": {"bank": 4}} if name == "Anna" else {})
            for name in names
        },
        "board": {f"P{i}": {"owner": name, "units": 1} for i, name in enumerate(names, start=1)},
    }
    state = parse_position(
        position, {"version": "normal", "factions": "choice", "island": False}, "test"
    )
    seen = view_of(state, 1)
    assert texts(seen) == answers
    assert why(seen, 0).startswith(told)
