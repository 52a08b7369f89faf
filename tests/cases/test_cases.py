"""Every worked case of every game, adjudication and reading."""

from pathlib import Path

import pytest

from pbem.cases.document import CaseError
from pbem.cases.runner import Prepared, load_cases, run_case
from pbem.registry import load_games

GAMES = Path(__file__).parents[1] / "games"
Loaded = list[Prepared | CaseError]


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    games = load_games()
    folders = [GAMES / game.replace("-", "_") / "cases" for game in games]
    files = [file for folder in folders for file in sorted(folder.rglob("*.yaml"))]
    return list(load_cases(files, games))


def prepared(loaded: Loaded) -> list[Prepared]:
    return [found for found in loaded if isinstance(found, Prepared)]


def test_every_file_is_readable_and_no_id_is_used_twice(loaded: Loaded) -> None:
    assert [str(found) for found in loaded if isinstance(found, CaseError)] == []
    ids = [found.case.id for found in prepared(loaded)]
    assert len(ids) == len(set(ids))
    assert len(ids) > 1200


def test_every_case_says_what_it_covers(loaded: Loaded) -> None:
    silent = [
        found.case.id
        for found in prepared(loaded)
        if found.case.steps and not (found.case.title and found.case.rules)
    ]
    assert silent == []


def test_every_case_comes_to_what_it_says(loaded: Loaded) -> None:
    wrong = {
        ran.case.id: ran.broken or [str(found) for found in ran.differences]
        for ran in map(run_case, prepared(loaded))
        if ran.broken is not None or ran.differences
    }
    assert wrong == {}
