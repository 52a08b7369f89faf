"""No rule of the scope without a case or a scenario in which an event or a problem carries its
ID.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.chance import Chance
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.setup import settle_votes
from engine.protectors.state import State
from engine.ruleset import Event, Seat, Standing
from pbem.cases.document import CaseError
from pbem.cases.runner import load_cases, run_case
from pbem.game import ReadMessage
from pbem.games.protectors.game import GAME
from pbem.grammar.house.statements import Said

CASES = Path(__file__).parents[1] / "cases"
SEED = bytes(32)


def _seats(count: int) -> list[Seat]:
    colours = ("red", "blue", "yellow", "green")
    return [
        Seat(number=i + 1, name=name, colour=colours[i])
        for i, name in enumerate(("Anna", "Ben", "Cleo", "Dirk")[:count])
    ]


def _set_up() -> tuple[Event, ...]:
    return PROTECTORS.setup({"version": "grand"}, _seats(3), Chance(SEED)).events


def _form_teams() -> tuple[Event, ...]:
    return PROTECTORS.setup(
        {"teams": 2, "island": True, "factions": "chance"}, _seats(4), Chance(SEED)
    ).events


def _vote() -> tuple[Event, ...]:
    return settle_votes(
        ("version",), [{"version": "normal"}, {"version": "grand"}], Chance(SEED)
    ).events


def _strike() -> tuple[Event, ...]:
    state: State = PROTECTORS.setup({}, _seats(4), Chance(SEED)).state
    return PROTECTORS.act(state, "gm", {"act": "strike", "player": 2}, Chance(SEED)).events


SCENARIOS = {
    "a game is set up": _set_up,
    "teams are formed": _form_teams,
    "players vote": _vote,
    "somebody shows a secret order": _strike,
}
"""What no position of the case format can lead to."""


def _carried_by_cases() -> Iterator[str]:
    problems: list[str] = []

    cases = GAME.cases
    assert cases is not None

    def read(state: State, player: int, standing: Standing[object], said: Said) -> ReadMessage:
        reading = cases.read(state, player, standing, said)
        found = [problem for item in reading.items for problem in item.problems]
        found += reading.checked.problems if reading.checked is not None else ()
        problems.extend(rule for problem in found for rule in problem.rules)
        return reading

    games = {PROTECTORS.id: replace(GAME, cases=replace(cases, read=read))}
    for prepared in load_cases(sorted(CASES.glob("*.yaml")), games):
        assert not isinstance(prepared, CaseError), prepared
        ran = run_case(prepared)
        yield from (
            rule for reached in ran.reached for event in reached.events for rule in event["rules"]
        )
    yield from problems


def test_every_rule_of_the_scope_is_carried_by_an_event_or_a_problem() -> None:
    wanted = (CASES / "rule_ids.txt").read_text(encoding="utf-8").split()
    carried = set(_carried_by_cases())
    for scenario in SCENARIOS.values():
        carried |= {rule for event in scenario() for rule in event.rules}
    assert [rule for rule in wanted if rule not in carried] == []


def test_every_rule_of_the_scope_is_named_by_a_case_or_reached_by_a_scenario() -> None:
    wanted = (CASES / "rule_ids.txt").read_text(encoding="utf-8").split()
    named = {
        rule
        for prepared in load_cases(sorted(CASES.glob("*.yaml")), {PROTECTORS.id: GAME})
        if not isinstance(prepared, CaseError)
        for rule in prepared.case.rules
    }
    reached = {
        rule for scenario in SCENARIOS.values() for event in scenario() for rule in event.rules
    }
    assert [rule for rule in wanted if rule not in named | reached] == []
