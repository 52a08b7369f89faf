"""The cases of Realm-Master by canonical texts alone, and that no rule of the game is without an
event or a problem that carries it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.chance import Chance
from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.orders import Order
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.ruleset import Event, Standing
from pbem.cases.document import CaseError
from pbem.cases.runner import Prepared, load_cases, run_case
from pbem.grammar.house.statements import Said
from tests.games.realm_master.engine.playing import (
    CASES,
    CASES_BY_TEXT,
    GAME_BY_TEXT,
    Read,
    act,
    deed,
    new_game,
    read,
    seats,
    table,
)
from tests.rows import each_row

FILES = sorted(CASES.glob("*.yaml"))
GAMES = {REALM_MASTER.id: GAME_BY_TEXT}
LOADED = list(load_cases(FILES, GAMES))
PREPARED = [found for found in LOADED if isinstance(found, Prepared)]
SINGLE = (
    *(f"RM-0.{n}" for n in range(1, 6)),
    *(f"RM-1.{n}" for n in range(1, 10)),
    *(f"RM-2.{n}" for n in range(1, 8)),
    *(f"RM-2.{n}" for n in range(10, 19)),
    *(f"RM-T{n:02}" for n in range(1, 18)),
    *(f"RM-B{n:02}" for n in range(1, 21)),
    *(f"RM-3.{n}" for n in range(1, 10)),
    *(f"RM-4.{n}" for n in range(1, 11)),
    *(f"RM-5.{n}" for n in range(1, 14)),
    *(f"RM-6.{n}" for n in range(1, 8)),
    *(f"RM-7.{n}" for n in range(1, 11)),
    *(f"RM-8.{n}" for n in range(1, 10)),
    *(f"RM-9.{n}" for n in range(1, 16)),
    *(f"RM-10.{n}" for n in range(1, 11)),
    *(f"RM-11.{n}" for n in range(1, 11)),
)
"""Every rule of the game by its ID."""


def test_every_file_is_readable_and_there_are_cases_enough() -> None:
    assert [str(found) for found in LOADED if isinstance(found, CaseError)] == []
    assert len(PREPARED) >= 60
    assert {f"RM-W{n:02}" for n in range(1, 33)} <= {found.case.id for found in PREPARED}


@each_row("prepared", [found for found in PREPARED if found.case.steps])
def test_case(prepared: Prepared) -> None:
    ran = run_case(prepared)
    assert ran.broken is None
    assert [str(found) for found in ran.differences] == []


def _carried_by_cases() -> Iterator[str]:
    problems: list[str] = []

    def spied(state: State, player: int, standing: Standing[Order], said: Said) -> Read:
        found = read(state, player, standing, said)
        problems.extend(rule for problem in found.checked.problems for rule in problem.rules)
        return found

    games = {REALM_MASTER.id: replace(GAME_BY_TEXT, cases=replace(CASES_BY_TEXT, read=spied))}
    for prepared in load_cases(FILES, games):
        assert isinstance(prepared, Prepared)
        if prepared.case.steps:
            yield from (
                rule
                for reached in run_case(prepared).reached
                for event in reached.events
                for rule in event["rules"]
            )
    yield from problems


def _acts() -> Iterator[Event]:
    """What no position can lead to: the set-up, conceding, objecting, and what a game master
    does.
    """
    for seed in range(12):
        yield from REALM_MASTER.setup({}, seats(4), Chance(bytes([seed]) * 32)).events
    yield from act(new_game(), "gm", {"act": "rule", "text": "so be it"}).events
    begun = REALM_MASTER.adjudicate(new_game(2), {}, Chance(bytes(32))).state
    played = REALM_MASTER.adjudicate(begun, {}, Chance(bytes(32))).state
    yield from deed(played, 1, "Object to turn 1: why?").events
    yield from deed(begun, 1, "Concede").events
    state = table({"A": {"conceding": True}, "B": {}, "C": {}}, to_play=["B"])
    yield from REALM_MASTER.adjudicate(state, {}, Chance(bytes(32))).events
    entered = table(
        {"A": {"plan": ["Reroll: keep the rest", "Enter: Jerum"], "hgb": "9/2/0"}, "B": {}},
        lands={"JER": "0/0/0"},
        to_play=["A"],
    )
    yield from REALM_MASTER.adjudicate(
        entered, {}, Chance(bytes(32), script=[3, 1, 1, 1, 1])
    ).events


def test_every_rule_is_carried_by_an_event_or_a_problem() -> None:
    carried = set(_carried_by_cases()) | {rule for event in _acts() for rule in event.rules}
    assert [rule for rule in SINGLE if rule not in carried] == []


def test_every_rule_told_anywhere_is_one_of_the_game() -> None:
    source = Path(__file__).parents[4] / "engine" / "realm_master"
    named = {
        rule
        for file in source.rglob("*.*")
        if file.suffix in (".py", ".json")
        for rule in re.findall(r"RM-[\dTB][\d.]*\d", file.read_text())
    }
    assert named <= set(SINGLE)
    assert {rule for found in PREPARED for rule in found.case.rules} <= set(SINGLE)


def test_the_data_are_those_of_the_rules() -> None:
    assert (len(all_lands()), len(all_heroes()), len(all_turn_cards()), len(all_buy_cards())) == (
        *(6, 6, 17, 20),
    )
    assert sum(card.effect == "attack" for card in all_turn_cards().values()) == 3
    assert [card.key for card in all_buy_cards().values() if card.enchantment] == [
        *("B13", "B14", "B15", "B16", "B17", "B18", "B19", "B20"),
    ]
    assert sum(card.keep for card in all_buy_cards().values()) == 11
    assert all(
        sum((land.start.hearts, land.start.gold, land.start.banners)) <= land.capacity
        for land in all_lands().values()
    )
