"""Every worked case of every game, adjudication and reading, one test each."""

from pathlib import Path

import pytest

from pbem.cases.document import CaseError
from pbem.cases.runner import Prepared, load_cases, run_case
from pbem.registry import load_games

GAMES = Path(__file__).parents[1] / "games"
FILES = [
    file
    for game in load_games()
    for file in sorted((GAMES / game.replace("-", "_") / "cases").rglob("*.yaml"))
]
LOADED = list(load_cases(FILES, load_games()))
PREPARED = [found for found in LOADED if isinstance(found, Prepared)]


def test_every_file_is_readable_and_no_id_is_used_twice() -> None:
    assert [str(found) for found in LOADED if isinstance(found, CaseError)] == []
    ids = [found.case.id for found in PREPARED]
    assert len(ids) == len(set(ids))


def test_every_case_says_what_it_covers() -> None:
    silent = [
        found.case.id
        for found in PREPARED
        if found.case.steps and not (found.case.title and found.case.rules)
    ]
    assert silent == []


@pytest.mark.parametrize("prepared", PREPARED, ids=[found.case.id for found in PREPARED])
def test_case(prepared: Prepared) -> None:
    ran = run_case(prepared)
    assert ran.broken is None
    assert [str(found) for found in ran.differences] == []
