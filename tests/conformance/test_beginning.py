"""A new game as `pbem games new` writes it plays, and passes the check."""

import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path

import pytest

from pbem.conformance.beginning import write_game


def test_a_new_game_passes_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_game("odd-numbers", tmp_path)
    project = (folder / "pyproject.toml").read_text("utf-8")
    assert 'odd-numbers = "odd_numbers.game:GAME"' in project
    assert 'packages = ["odd_numbers"]' in project
    monkeypatch.syspath_prepend(str(folder))
    game = import_module("odd_numbers.game").GAME
    assert (game.ruleset.id, game.title) == ("odd-numbers", "Odd Numbers")
    run_path(str(folder / "tests" / "test_game.py"))["test_the_check"]()
    for module in [one for one in sys.modules if one.partition(".")[0] == "odd_numbers"]:
        monkeypatch.delitem(sys.modules, module)


def test_what_is_no_id_and_what_is_there_already_is_refused(tmp_path: Path) -> None:
    for name in ("Odd", "odd_numbers", "-odd", "7up", ""):
        with pytest.raises(ValueError, match="is not an id"):
            write_game(name, tmp_path)
    write_game("odd", tmp_path)
    with pytest.raises(FileExistsError):
        write_game("odd", tmp_path)
