"""What the game master is asked, and what comes of a ruling in words (SS-7.3, SS-8.3, SS-11.9)."""

import msgspec
import pytest

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.events import Ruled
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.technologies import propose
from engine.sovereigns.state import Discovery, State
from engine.sovereigns.table import Table
from engine.sovereigns.wording import parse_order
from tests.games.sovereigns.engine.playing import SEED, sound, table

TRY = 'Try: 2R "dig a canal"'


def keys(state: State, *orders: str) -> list[str]:
    """What is asked with these orders of A standing, without their digests."""
    standing = Standing(tuple(parse_order(state, text) for text in orders))
    asked = SOVEREIGNS.ruling_requests(state, {1: standing})
    return [f"{request.kind} {request.facts['player']}" for request in asked]


def ruled(state: State, text: str, **more: object) -> State:
    order = msgspec.json.decode(msgspec.json.encode(parse_order(state, text)))
    act = {"act": "rule", "player": 1, "order": order, **more}
    return sound(SOVEREIGNS.act(state, "gm", act, Chance(SEED))).state


def kept(state: State, text: str) -> State:
    told = SOVEREIGNS.act_of(parse_order(state, text))
    assert told is not None
    return sound(SOVEREIGNS.act(state, 1, told, Chance(SEED))).state


def test_ss_8_3_a_free_form_action_is_asked_about_wherever_it_may_be_done() -> None:
    """As an alternative and as a standing order, too; not where another action takes its place."""
    state = table({"A": {}, "B": {}})
    assert keys(state, TRY) == ["try 1"]
    assert keys(state, f"Expedition: 1M else {TRY}") == ["try 1"]
    standing = kept(state, f"Every season: {TRY}")
    assert keys(standing) == ["try 1"]
    assert keys(standing, "Expedition: 1M") == keys(standing, "Pass") == []
    assert keys(state, "Expedition: 1M") == []


def test_ss_8_3_a_ruling_is_kept_for_its_order_while_another_stands() -> None:
    state = table({"A": {}, "B": {}})
    other = TRY.replace("2R", "3R")
    both = ruled(ruled(state, TRY, difficulty=4), other, difficulty=9)
    assert keys(both, TRY) == keys(both, other) == []
    assert [ruling.difficulty for ruling in both.rulings] == [4, 9]
    again = ruled(both, TRY, effect="+2 M")
    assert {(one.difficulty, one.effect) for one in again.rulings} == {(9, None), (4, "+2 M")}


@pytest.mark.parametrize(
    ("dice", "effect", "told"),
    [
        ([6, 6], "the harbour is free of ice", "the harbour is free of ice"),
        ([1, 1], "the harbour is free of ice", ""),
        ([6, 6], "+2 M", ""),
    ],
)
def test_ss_8_3_an_effect_in_words_is_told_to_all(dice: list[int], effect: str, told: str) -> None:
    """SF-5: words have no effect of their own, so nobody would learn of them else."""
    state = ruled(table({"A": {}, "B": {}}), TRY, effect=effect)
    stream = Chance(SEED, script=dice)
    outcome = SOVEREIGNS.adjudicate(state, {1: (parse_order(state, TRY),)}, stream)
    said = [event for event in outcome.events if isinstance(event.facts, Ruled)]
    assert [event.facts for event in said] == ([Ruled(told)] if told else [])
    assert all(event.audience is None for event in said)


def test_ss_7_3_a_proposal_is_one_question_however_long_it_is_open() -> None:
    state = table({"A": {}, "B": {}})
    board = Table(state, Chance(SEED))
    board.change(1, discoveries=(Discovery(),))
    propose(board, 1, o.Proposal("steel", "STAT-ROLL M"))
    first = SOVEREIGNS.ruling_requests(board.state, {})[0].key
    later = msgspec.structs.replace(board.state, season="Autumn")
    assert SOVEREIGNS.ruling_requests(later, {})[0].key == first
    refused = SOVEREIGNS.act(
        board.state, "gm", {"act": "tech", "name": "steel", "verdict": "refuse"}, Chance(SEED)
    )
    board = Table(refused.state, Chance(SEED))
    propose(board, 1, o.Proposal("steel", "STAT-ROLL M"))
    assert SOVEREIGNS.ruling_requests(board.state, {})[0].key != first


def test_ss_11_9_who_is_kept_and_silent_again_is_asked_about_again() -> None:
    state = table({"A": {}, "B": {}})
    found = set()
    for year in (1, 2):
        silent = msgspec.structs.replace(
            state,
            year=year,
            kingdoms=(msgspec.structs.replace(state.kingdoms[0], missed=4), *state.kingdoms[1:]),
        )
        found |= {request.key for request in SOVEREIGNS.ruling_requests(silent, {})}
    assert len(found) == 2
