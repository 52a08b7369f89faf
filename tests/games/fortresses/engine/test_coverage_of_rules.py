"""No rule that the engine is responsible for is without a test or a case that names it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
COUNTS = {1: 8, 2: 11, 3: 9, 4: 14, 5: 13, 6: 18, 7: 20, 8: 16, 9: 8, 10: 8, 11: 8}
"""How many rules each section of the specification has."""

ELSEWHERE = frozenset({"FW-2.10", "FW-3.2", "FW-3.9", "FW-11.1", "FW-11.2"})
"""Checks of the balance, which bind nobody, and the words of people, which the reader of mails
understands.
"""


def _named(text: str) -> set[str]:
    found = set(re.findall(r"FW-\d+\.\d+", text))
    for first, last in re.findall(r"(FW-\d+\.\d+) to (FW-\d+\.\d+)", text):
        section, start = first.removeprefix("FW-").split(".")
        found |= {f"FW-{section}.{n}" for n in range(int(start), int(last.rpartition(".")[2]) + 1)}
    return found


def test_every_rule_is_named_by_a_test_or_a_case() -> None:
    every = {f"FW-{section}.{n}" for section, count in COUNTS.items() for n in range(1, count + 1)}
    assert len(every) == 133
    named: set[str] = set()
    for path in [*HERE.glob("test_*.py"), *(HERE.parent / "cases").glob("*.yaml")]:
        if path.name != Path(__file__).name:
            lines = path.read_text("utf-8").splitlines()
            heading = (
                1 if path.suffix == ".py" else 0
            )  # what a whole file is about names nothing in particular
            named |= _named("\n".join(lines[heading:]))
    assert sorted(every - ELSEWHERE - named) == []
    assert sorted(named - every) == []
