"""The worked cases, told in people's words: they come to the texts that stand beside them (FF-1)."""

from typing import Any

from engine.fortresses.orders import format_order
from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_words import names_of
from engine.ruleset import Standing
from pbem.cases.runner import problem_codes
from pbem.games.fortresses.reading.reader import read_case
from pbem.grammar.house.parsing import hear
from tests.games.fortresses.engine.playing import CASES, load, run_case
from tests.rows import each_row

LOADED = [
    case
    for path in sorted(CASES.glob("*.yaml"))
    for case in load(path)
    if "orders" in case and "canonical" in case
]


@each_row("case", LOADED)
def test_words_come_to_the_canonical_texts(case: dict[str, Any]) -> None:
    state = parse_position(case["position"], case.get("options", {}), case["id"])
    for step, (_, reached) in zip((case, *case.get("then", ())), run_case(case), strict=True):
        for name, text in step.get("orders", {}).items():
            reading = read_case(state, names_of(state)[name], Standing(), hear(text))
            accepted = reading.checked.accepted if reading.checked is not None else ()
            assert [format_order(order) for order in accepted] == reached.means.get(name, [])
            assert set(problem_codes(reading)[0]) <= set(reached.problems.get(name, ()))
        state = reached.state
