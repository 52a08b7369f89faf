"""Games are found by their entry points; what is wrong with one is named, and the others run."""

import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from pbem.doctor.machine import check_games
from pbem.findings import Grade
from pbem.game import CONTRACT_VERSION
from pbem.registry import GROUP, default_game, format_fault, list_games, load_games

PLUGIN = Path(__file__).parent / "plugin/sealed_lots"
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
            f"it says 99, and this house takes {CONTRACT_VERSION}",
        ),
        (
            "GAME = replace(next(iter(load_games().values())), contract_version=6)",
            "other-contract",
            "7: `Ruleset.assume` makes of a view the state",
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


@pytest.fixture
def plugin(games: Path) -> Path:
    """The game of the guide, as a package of its own that a test can break. What is read of a
    package is kept by its name, so each test has another one.
    """
    package = games / f"game_{games.name}"
    shutil.copytree(PLUGIN, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in package.glob("*.py"):
        text = file.read_text("utf-8")
        file.write_text(text.replace(PLUGIN.name, package.name), encoding="utf-8")
    return package


def add_line(file: Path, line: str) -> int:
    """Write one more line at the end of a file; which line it is."""
    text = f"{file.read_text('utf-8')}{line}\n"
    file.write_text(text, encoding="utf-8")
    return text.count("\n")


def test_a_game_that_has_nothing_wrong_is_tried_and_runs(plugin: Path) -> None:
    (lots,) = list_games(entries=[entry("sealed-lots", f"{plugin.name}.game:GAME")], tried=True)
    assert (lots.fault, lots.detail) == (None, "")


def test_all_faults_of_words_are_told_at_once_with_file_and_line_f_100(plugin: Path) -> None:
    """F-100: a bad words file leaves its game out by name, and the other games run."""
    words = plugin / "orders.words"
    twice = add_line(words, "PASS: bid, i pass")
    again = add_line(words, "RAISE: skip")
    own = next(one for one in entry_points(group=GROUP) if one.name == ID)
    entries = [own, entry("sealed-lots", f"{plugin.name}.game:GAME")]
    first, lots = list_games(entries=entries, tried=True)
    assert (first.id, first.fault) == (ID, None)
    assert (lots.fault, lots.game) == ("not-reading", None)
    assert f"{words}:{twice}: 'bid' is PASS, but BID at {words}:2" in lots.detail
    assert f"{words}:{again}: 'skip' is RAISE, but PASS at {words}:3" in lots.detail


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("orders.words", "bid, but no kind", "orders.words:5: not `KIND: word, word`"),
        ("orders.lark", "amount: [BID NUM", "orders.lark: "),
        ("orders.lark", "other: UNKNOWN", "orders.lark: "),
        ("reading.py", "def f(:", "reading.py, line "),
        ("reading.py", "READER.read = 1", "/reading.py:"),
    ],
)
def test_a_broken_file_is_named_f_100(plugin: Path, file: str, line: str, told: str) -> None:
    """F-100: what is wrong with a grammar or with code is told with its file and place."""
    add_line(plugin / file, line)
    (lots,) = list_games(entries=[entry("sealed-lots", f"{plugin.name}.game:GAME")], tried=True)
    assert lots.game is None
    assert told in format_fault(lots)


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
