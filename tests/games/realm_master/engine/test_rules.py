"""What rules say that no single case shows; and that no rule is without a test."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.realm_master.cards import all_lands, all_turn_cards
from engine.realm_master.conditions import FACES
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.setup import choose_lands
from engine.ruleset import Standing
from tests.games.realm_master.engine.playing import (
    CASES,
    act,
    close,
    deed,
    new_game,
    orders_of,
    problems,
    seats,
    table,
    told,
)
from tests.rows import each_row

TESTS = Path(__file__).parents[1]
KEEP = "Reroll: keep the rest"
BLANKS = [1, 1, 1, 1, 1]
THREE = {
    "Ann": {"hero": "elf", "hgb": "7/0/0"},
    "Ben": {"hero": "dwarf", "hgb": "9/0/0"},
    "Cid": {"hero": "squire", "hgb": "8/0/0"},
}


@given(st.binary(min_size=1, max_size=32))
def test_everything_drawn_comes_from_the_seed(seed: bytes) -> None:
    """RM-0.1: the same seed deals the same game."""
    assert new_game(4, seed) == new_game(4, seed)


def test_a_die_has_six_faces_in_this_order() -> None:
    """RM-0.2."""
    assert "".join(FACES) == "-bschR"


def test_dice_are_drawn_from_the_left_and_of_a_reroll_only_those_rerolled() -> None:
    """RM-0.3: ssR-b, then for the fourth and the fifth."""
    stream = Chance(bytes(32), script=[3, 3, 6, 1, 2, 4, 5])
    orders = {1: orders_of("Reroll: reroll die 4, reroll die 5; R: coin")}
    done = REALM_MASTER.adjudicate(table(THREE, to_play=["Ann"]), orders, stream)
    assert stream.unused == ()
    assert told(done.state, "Ann")["hgb"] == "8/2/0"  # the coin and R for gold, the heart
    assert len({draw.label for draw in stream.draws}) == 2


def test_the_first_draws_are_seats_lands_buy_cards_and_turn_cards() -> None:
    """RM-0.4."""
    stream = Chance(bytes(32))
    REALM_MASTER.setup({}, seats(5), stream)
    assert [draw.label for draw in stream.draws] == ["seating", "lands", "buy deck", "turn deck"]


def test_decks_and_the_plans_of_others_are_hidden_and_all_else_is_open() -> None:
    """RM-0.5: another order of the decks and another plan of somebody else change nothing that Ann
    sees.
    """
    deck: dict[str, Any] = {"row": ["B01", "B02", "B03"], "discard": ["B19"]}
    rest = [f"B{number:02}" for number in range(4, 19)] + ["B20"]
    one = table(
        {**THREE, "Ben": {**THREE["Ben"], "plan": ["Attack: no (always)"]}},
        deck=rest,
        turn_deck=["T01", "T02"],
        **deck,
    )
    other = table(
        {**THREE, "Ben": {**THREE["Ben"], "plan": []}},
        deck=rest[::-1],
        turn_deck=["T02", "T01"],
        **deck,
    )
    for reader in (1, 3, None):
        assert REALM_MASTER.view(one, reader) == REALM_MASTER.view(other, reader)
    seen = REALM_MASTER.view(one, 1)
    assert "B19" in repr(seen)
    assert REALM_MASTER.view(one, 2) != REALM_MASTER.view(other, 2)


@pytest.mark.parametrize("count", range(2, 7))
def test_two_to_six_play(count: int) -> None:
    """RM-1.1."""
    REALM_MASTER.check_players({}, count)
    assert len(new_game(count).players) == count


@pytest.mark.parametrize("count", [0, 1, 7])
def test_fewer_or_more_do_not(count: int) -> None:
    """RM-1.1."""
    with pytest.raises(ValueError, match="2 to 6"):
        REALM_MASTER.check_players({}, count)


def test_whatever_way_lands_are_shuffled_one_in_play_costs_no_gold() -> None:
    """RM-1.4: only the fourth is ever replaced, by the first free one of the two left."""
    for shuffled in itertools.permutations(all_lands()):
        chosen = choose_lands(shuffled)
        assert any(not all_lands()[key].gold for key in chosen)
        assert chosen[:3] == shuffled[:3]
        if chosen[3] != shuffled[3]:
            assert all(all_lands()[key].gold for key in shuffled[:4])
            assert chosen[3] == next(key for key in shuffled[4:] if not all_lands()[key].gold)


def test_at_the_start_lands_have_their_tokens_and_three_cards_lie_out_and_all_heroes_stand_outside() -> (
    None
):
    """RM-1.7, RM-1.8, RM-1.9."""
    stream = Chance(bytes(32))
    state = REALM_MASTER.setup({}, seats(6), stream).state
    for land in state.lands:
        start = all_lands()[land.key].start
        assert (land.hearts, land.gold, land.banners) == (start.hearts, start.gold, start.banners)
    dealt = next(draw.result for draw in stream.draws if draw.label == "buy deck")
    assert isinstance(dealt, tuple)
    assert ([pile[0] for pile in state.row], state.buy_deck) == (list(dealt[:3]), dealt[3:])
    assert all(player.at is None for player in state.players)


@each_row(
    ("rule", "key", "gold", "hearts", "banners_won", "capacity", "start", "attack"),
    [
        ("RM-2.1", "MER", 5, 0, 1, 8, (1, 2, 2), 0),
        ("RM-2.2", "KUR", 1, 0, 0, 6, (3, 0, 1), 0),
        ("RM-2.3", "ARU", 0, 0, 0, 6, (0, 3, 1), 1),
        ("RM-2.4", "JER", 2, 0, 0, 7, (1, 1, 2), 0),
        ("RM-2.5", "SAL", 0, 0, 0, 5, (2, 1, 0), 0),
        ("RM-2.6", "BAR", 1, 1, 1, 6, (0, 2, 1), 0),
    ],
)
def test_the_lands_are_those_of_the_rules(
    rule: str,
    key: str,
    gold: int,
    hearts: int,
    banners_won: int,
    capacity: int,
    start: tuple[int, int, int],
    attack: int,
) -> None:
    land = all_lands()[key]
    assert (land.rule, land.gold, land.hearts, land.bonus.banners) == (
        rule,
        gold,
        hearts,
        banners_won,
    )
    assert (
        land.capacity,
        (land.start.hearts, land.start.gold, land.start.banners),
        land.attack,
    ) == (capacity, start, attack)


def test_the_attack_card_of_one_is_there_twice() -> None:
    """RM-T01 and RM-T02 are two copies of one card."""
    one, two = all_turn_cards()["T01"], all_turn_cards()["T02"]
    assert (one.rule, two.rule) == ("RM-T01", "RM-T02")
    assert replace(one, rule=two.rule, key=two.key) == two
    players = {**THREE, "Ben": {**THREE["Ben"], "at": "SAL"}}
    for card, other in (("T01", "T02"), ("T02", "T01")):
        state = table(players, card=card, turn_deck=[other, "T03"], to_play=["Ann"])
        done = close(
            state, {"Ann": f"{KEEP}; Attack: yes", "Ben": "When hit: stay"}, [3, 3, 1, 1, 1]
        )
        assert told(done.state, "Ben")["hgb"] == "6/0/0"  # 2 swords and 1


def test_gold_of_the_dice_pays_for_an_entry_and_a_card_of_the_same_turn() -> None:
    """RM-3.9: 1 gold and three coins buy the Knuckle for 3 and enter Kurull for 1."""
    players = {**THREE, "Ann": {"hero": "elf", "hgb": "7/1/0"}}
    state = table(players, to_play=["Ann"], lands={"KUR": "0/0/0"}, row=["B03", "B01", "B02"])
    done = close(state, {"Ann": f"{KEEP}; Buy: Gambler's Knuckle; Enter: Kurull"}, [3, 4, 4, 4, 1])
    assert (told(done.state, "Ann")["at"], told(done.state, "Ann")["cards"]) == ("KUR", ["B03"])
    assert told(done.state, "Ann")["hgb"] == "9/0/0"  # Kurull gives 2 hearts


@pytest.mark.parametrize("attack", ["yes", "no"])
def test_where_there_was_room_the_roll_alone_lets_a_hero_in(attack: str) -> None:
    """RM-5.5: five are alive, one is inside; whether the swords were used or not."""
    heroes = ("elf", "dwarf", "squire", "wizard", "princess")
    players = {
        name: {"hero": hero, "hgb": "9/0/0"}
        for name, hero in zip(("Ann", "Ben", "Cid", "Dan", "Eve"), heroes, strict=True)
    }
    players["Ben"]["at"] = "SAL"
    done = close(
        table(players, to_play=["Ann"]),
        {"Ann": f"{KEEP}; Attack: {attack}; Enter: Arub", "Ben": "When hit: stay"},
        [3, 1, 1, 1, 1],
    )
    assert (told(done.state, "Ann")["at"], told(done.state, "Ben")["at"]) == ("ARU", "SAL")


def test_who_enters_attacks_nobody_outside_in_the_same_turn() -> None:
    """RM-5.12: the side was outside at the start, where nobody is inside to be hit."""
    done = close(
        table(THREE, to_play=["Ann"]), {"Ann": f"{KEEP}; Attack: yes; Enter: Arub"}, [3, 3, 3, 1, 1]
    )
    assert told(done.state, "Ann")["at"] == "ARU"
    assert (told(done.state, "Ben")["hgb"], told(done.state, "Cid")["hgb"]) == ("9/0/0", "8/0/0")


def test_who_concedes_dies_at_the_end_of_the_turn_that_is_played() -> None:
    """RM-7.9."""
    state = deed(table(THREE, to_play=["Ann", "Ben"]), 2, "Concede").state
    assert told(state, "Ben")["alive"] is True
    done = close(state, {"Ann": KEEP}, BLANKS)
    assert told(done.state, "Ben")["alive"] is False
    assert "fell_to" not in told(done.state, "Ben")


def test_a_round_from_plans_asks_nothing_in_between() -> None:
    """RM-11.1: one window, and after it the next round's."""
    state = table({**THREE, "Ben": {**THREE["Ben"], "at": "SAL"}}, round=3)
    done = close(
        state,
        {"Ann": f"{KEEP}; Attack: yes", "Ben": KEEP, "Cid": KEEP},
        [3, *BLANKS[1:], *BLANKS, *BLANKS],
    )
    assert (REALM_MASTER.phase(done.state).kind, REALM_MASTER.phase(done.state).turn) == (
        "round",
        4,
    )
    assert [event.kind for event in done.events].count("window") == 1


def test_of_a_plan_the_last_word_counts_until_the_close() -> None:
    """RM-11.7."""
    state = table(THREE, to_play=["Ann"])
    first = REALM_MASTER.check(state, 1, Standing(), orders_of("Enter: Arub"))
    second = REALM_MASTER.check(state, 1, first.standing, orders_of("Enter: Saltmere"))
    assert second.replaced == first.accepted
    assert [REALM_MASTER.format_order(state, order) for order in second.standing.orders] == [
        "Enter: Saltmere"
    ]


def test_of_a_mixed_table_those_on_auto_are_not_asked() -> None:
    """RM-11.8: Ann answers live, Ben's plan acts unasked."""
    live = {"mode": "interactive"}
    turn = {"player": "Ann", "rolled": "s----", "faces": "s----"}
    hit = {"phase": "attack", "turn": turn, "to_play": ["Cid"]}
    asked = table({**THREE, "Ben": {**THREE["Ben"], "at": "SAL"}}, options=live, **hit)
    assert close(asked, {"Ann": "Attack: yes"}).state.stage == "hit"
    auto = table(
        {**THREE, "Ben": {**THREE["Ben"], "at": "SAL", "auto": True, "plan": ["When hit: leave"]}},
        options=live,
        **hit,
    )
    assert told(close(auto, {"Ann": "Attack: yes"}).state, "Ben")["at"] == "out"


def test_an_objection_is_to_a_turn_that_was_played_and_the_turn_can_be_taken_back() -> None:
    """RM-11.9, RM-11.10."""
    state = close(table(THREE, to_play=["Ann"]), {"Ann": KEEP}, BLANKS).state
    assert problems(state, 2, "Object to turn 9: the dice lay crooked") == ["no-such-turn"]
    told_of = deed(state, 2, "Object to turn 1: the dice lay crooked")
    assert [event.kind for event in told_of.events] == ["objection"]
    back = act(told_of.state, "gm", {"act": "undo", "turn": 1})
    assert (back.state.turns, REALM_MASTER.phase(back.state).kind) == (0, "round")


def test_no_rule_is_without_a_test() -> None:
    """Every ID of the rules stands in a case or in a test of this game."""
    wanted = (CASES / "rule_ids.txt").read_text("utf-8").split()
    files = [
        *CASES.glob("*.yaml"),
        *Path(__file__).parent.glob("*.py"),
        *(TESTS / "pages").glob("test_*.py"),
    ]
    named = set(
        re.findall(r"RM-(?:\d+\.\d+|[TB]\d+)", "\n".join(file.read_text("utf-8") for file in files))
    )
    assert [rule for rule in wanted if rule not in named] == []
    assert len(wanted) == len(set(wanted)) > 150
