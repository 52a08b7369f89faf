"""Games are found by their entry points; what is wrong with one is named, and the others run."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pbem.doctor.findings import Grade
from pbem.doctor.machine import check_games
from pbem.registry import GROUP, default_game, format_fault, list_games, load_games

ID, OWN = next(iter(load_games().items()))


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which modules with games can be written."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("game_")]:
        del sys.modules[name]


def write(folder: Path, name: str, text: str) -> str:
    head = "from dataclasses import replace\n\nfrom pbem.registry import load_games\n\n"
    (folder / f"{name}.py").write_text(f"{head}{text}\n", encoding="utf-8")
    return f"{name}:GAME"


def test_the_games_of_the_house_are_found_in_the_order_of_their_list() -> None:
    listed = list_games()
    assert [one.id for one in listed] == list(load_games())
    assert all(one.fault is None and one.distribution and one.version for one in listed)
    places = [one.game.place for one in listed if one.game is not None]
    assert places == sorted(places)
    assert default_game(load_games()) is OWN


def test_the_configuration_narrows_them_and_a_name_that_is_none_is_told() -> None:
    assert list(load_games((ID,))) == [ID]
    listed = list_games((ID, "chess"))
    assert [(one.id, one.fault) for one in listed] == [(ID, None), ("chess", "no-such-game")]
    with pytest.raises(LookupError):
        default_game({})


@pytest.mark.parametrize(
    ("text", "fault", "detail"),
    [
        ("raise RuntimeError('no luck')", "not-loaded", "RuntimeError: no luck"),
        ("raise SystemExit(3)", "not-loaded", "SystemExit: 3"),
        ("import nowhere.at_all", "not-loaded", "ModuleNotFoundError"),
        ("GAME = None", "no-game", "game_other:GAME"),
        ("GAMES = 1", "not-loaded", "AttributeError"),
        (
            "GAME = replace(next(iter(load_games().values())), contract_version=99)",
            "other-contract",
            "99",
        ),
        ("GAME = next(iter(load_games().values()))", "other-id", ID),
    ],
)
def test_a_game_that_cannot_run_is_named_and_the_others_run(
    games: Path, text: str, fault: str, detail: str
) -> None:
    value = write(games, "game_other", text)
    own = write(games, "game_own", "GAME = next(iter(load_games().values()))")
    first, other = list_games(entries=[entry("other", value), entry(ID, own)])
    assert (first.id, first.fault, first.game is OWN) == (ID, None, True)
    assert (other.id, other.fault, other.game) == ("other", fault, None)
    assert detail in other.detail
    assert detail in format_fault(other)


def test_two_games_of_one_id_are_both_left_out(games: Path) -> None:
    own = write(games, "game_own", "GAME = next(iter(load_games().values()))")
    twins = [entry("twin", own), entry("twin", own)]
    listed = list_games(entries=[entry(ID, own), *twins])
    assert [(one.id, one.fault) for one in listed] == [
        (ID, None),
        ("twin", "same-id"),
        ("twin", "same-id"),
    ]


def test_the_doctor_names_them() -> None:
    found = list(check_games((ID, "chess")))
    assert [(finding.check, finding.grade) for finding in found] == [
        ("games", Grade.OK),
        ("game chess", Grade.WARNING),
    ]
    (none, missing) = check_games(("chess",))
    assert (none.grade, missing.check) == (Grade.BROKEN, "game chess")
