"""Every game's archive keeps the promises of `test_archive.py`: the beginning of a game of each, and
in the second ring a whole one.
"""

from pathlib import Path

import pytest

from tests.archive.played import played
from tests.archive.written import write
from tests.browser.checks import CHECKS
from tests.browser.chromium import Chromium
from tests.browser.site import Site
from tests.moments import NAMES
from tests.played import GAMES, PLAYED

pytestmark = pytest.mark.servers

CLOSES, ALL = 6, 100
"""How many closes a beginning has, and more than any game."""
OTHERS = [name for name in GAMES if name != PLAYED]
"""`test_archive.py` has a whole game of the first one."""
ROUNDS = [
    *(pytest.param((name, CLOSES), id=f"{name}-begun") for name in OTHERS),
    *(
        pytest.param(
            (name, ALL),
            id=f"{name}-whole",
            marks=pytest.mark.long(held_by="tests/browser/test_archive.py (a whole game of one)"),
        )
        for name in OTHERS
    ),
]


@pytest.fixture(scope="module", params=ROUNDS)
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name, closes = request.param
    players = min(len(NAMES), GAMES[name].ruleset.players[1])
    return write(played(1, players, closes, name), tmp_path_factory.mktemp("archive"))


@pytest.mark.parametrize("check", CHECKS)
def test_an_archive_passes(check: str, chromium: Chromium, archive: Path) -> None:
    assert CHECKS[check](Site(chromium, archive)) == []
