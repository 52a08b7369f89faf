"""A fresh operator for each test, and one with a game that has begun for those that only look at
it.
"""

from pathlib import Path

import pytest

from tests.cli.operator import Operator


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    moved_in = Operator.at(tmp_path)
    moved_in.move_in()
    return moved_in


@pytest.fixture
def newcomer(tmp_path: Path) -> Operator:
    """Of a house that has no database yet."""
    return Operator.at(tmp_path)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Operator:
    """A table of three, started; dealing it draws a map, so it is done once for a file."""
    seated = Operator.at(tmp_path_factory.mktemp("running"))
    seated.move_in()
    seated.seat_three()
    begun = seated.types("game", "start", "heron")
    assert begun.status == 0, begun.err
    assert begun.out == "heron has begun with 3 players\n"
    return seated
