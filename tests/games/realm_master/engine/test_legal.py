"""What is offered for each question: all of it passes without a word, and each answer can be
given.
"""

from typing import Any

import pytest

from engine.chance import Chance
from engine.realm_master.plans import answers
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from tests.games.realm_master.engine.playing import new_game, table

LIVE = {"mode": "interactive"}
ANN = {"hero": "elf", "hgb": "7/4/1", "cards": ["B03", "B09", "B11", "B13", "B17"]}
BEN = {"hero": "dwarf", "hgb": "9/3/1", "at": "SAL", "cards": ["B10"]}
TURN = {"player": "Ann", "rolled": "ssRc-", "faces": "ssscc"}
DEAD = {"hero": "dwarf", "hgb": "0/0/0", "cards": ["B01", "B02", "B08", "B12"]}

QUESTIONS: list[tuple[dict[str, Any], int, list[str]]] = [
    (
        {"phase": "knuckle", "turn": TURN},
        1,
        [
            "Second reroll: keep the rest",
            *(f"Second reroll: reroll die {n}, keep the rest" for n in range(1, 6)),
        ],
    ),
    ({"phase": "attack", "turn": TURN}, 1, ["Attack: yes", "Attack: no"]),
    ({"phase": "smoke", "asked": ["Ben"], "turn": TURN}, 2, ["Smoke Pot: yes", "Smoke Pot: no"]),
    ({"phase": "hit", "hit": {"Ben": 3}, "turn": TURN}, 2, ["When hit: stay", "When hit: leave"]),
    ({"phase": "enter", "turn": TURN}, 1, ["Enter: Arub", "Enter: Kurull", "Enter: nothing"]),
    (
        {"phase": "realm", "turn": {**TURN, "player": "Ben", "inside": True}},
        2,
        [
            "In the Realm: stay",
            "In the Realm: move to Arub",
            "In the Realm: move to Kurull",
            "In the Realm: leave",
        ],
    ),
    ({"phase": "ultimatum", "card": "T09"}, 2, ["Ultimatum: leave", "Ultimatum: lose"]),
    (
        {"phase": "place", "revealed": "B19", "turn": TURN, "row": ["B04", "B05", "B06"]},
        1,
        ["Cover Pathfinder Boots", "Cover Stout Heart", "Cover Toll Writ"],
    ),
    ({"phase": "last", "turn": TURN}, 1, ["Go on"]),
]


def answers_to(state: State, player: int) -> list[str]:
    return [
        format_order(order)
        for order in REALM_MASTER.legal(state, player)
        if answers(state.stage, order)
    ]


@pytest.mark.parametrize(
    ("position", "player", "texts"), QUESTIONS, ids=[entry[0]["phase"] for entry in QUESTIONS]
)
def test_the_answers_to_a_question_are_all_offered(
    position: dict[str, Any], player: int, texts: list[str]
) -> None:
    lands = {"SAL": "1/1/1", "ARU": "0/0/0", "MER": "0/0/0", "KUR": "0/0/0"}
    state = table(
        {"Ann": ANN, "Ben": BEN},
        options=LIVE,
        **{"lands": lands, "row": ["B05", "B06", "B07"], **position},
    )
    offered = answers_to(state, player)
    assert offered[: len(texts)] == texts
    for order in REALM_MASTER.legal(state, player):
        told = REALM_MASTER.check(state, player, Standing(), [order])
        assert told.problems == ()
        if answers(state.stage, order):
            assert (
                REALM_MASTER.adjudicate(state, {player: told.standing.orders}, Chance(b"")).state
                != state
            )


def test_every_set_of_dice_and_every_face_of_the_r_is_offered() -> None:
    rolling = table(
        {"Ann": ANN, "Ben": BEN},
        options=LIVE,
        phase="reroll",
        turn={"player": "Ann", "rolled": "sRRc-"},
    )
    concrete = [
        text for text in answers_to(rolling, 1) if "die" in text or text == "Reroll: keep the rest"
    ]
    assert len(concrete) == 32
    fixing = table(
        {"Ann": ANN, "Ben": BEN},
        options=LIVE,
        phase="faces",
        turn={"player": "Ann", "rolled": "sRRc-"},
    )
    assert len([text for text in answers_to(fixing, 1) if text.count("1 as") == 2]) == 15


def test_loot_is_offered_in_every_way_of_taking_half() -> None:
    state = table(
        {"Ann": ANN, "Ben": DEAD},
        options=LIVE,
        phase="loot",
        loot={"victim": "Ben", "killer": "Ann"},
        turn=TURN,
    )
    assert len([text for text in answers_to(state, 1) if text.startswith("Loot: ")]) == 6
    done = REALM_MASTER.adjudicate(
        state,
        {1: tuple(order for order in REALM_MASTER.legal(state, 1) if answers("loot", order))[:1]},
        Chance(b""),
    )
    assert {"B01", "B02"} <= set(done.state.players[0].cards)


def test_a_tribute_is_offered_on_every_land_with_room() -> None:
    lands = {"SAL": "2/2/1", "ARU": "0/0/0", "MER": "0/0/0", "KUR": "0/0/0"}
    state = table({"Ann": ANN, "Ben": BEN}, options=LIVE, phase="tribute", card="T04", lands=lands)
    concrete = [
        text
        for text in answers_to(state, 1)
        if text.startswith("Tribute: banners to") and "hearts" not in text
    ]
    assert len(concrete) == 9
    assert not any("Saltmere" in text for text in concrete)


def test_before_the_game_heroes_are_offered_and_no_plan() -> None:
    texts = [format_order(order) for order in REALM_MASTER.legal(new_game(), 1)]
    assert texts[:6] == [
        f"Hero: {hero}" for hero in ("dwarf", "elf", "barbarian", "wizard", "squire", "princess")
    ]
    assert texts[6:] == ["Auto on", "Auto off", "Wait", "Forget everything", "Concede"]


def test_nobody_is_offered_anything_who_is_not_there() -> None:
    assert list(REALM_MASTER.legal(new_game(), 0)) == list(REALM_MASTER.legal(new_game(), 9)) == []
