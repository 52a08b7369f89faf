"""How large the parts of the house may be."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem", "workers")
MOST_PARAMETERS = 7
"""More belong together as a value of their own."""
LONG, LONG_FILES, LONGEST = 400, 25, 600
"""A file seldom has more than `LONG` lines: this many files do, and none has more than `LONGEST`. The
numbers may only fall.
"""
MOST_FILES = {"pbem/desk": 147, "pbem/grammar": 99, "pbem/store": 72, "pbem/pages": 36}
"""How many files a room has at most. The numbers may only fall."""


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """All but `self` and `cls`."""
    given = function.args
    named = [*given.posonlyargs, *given.args]
    bound = bool(named) and named[0].arg in ("self", "cls")
    rest = (given.vararg is not None) + (given.kwarg is not None)
    return len(named) - bound + len(given.kwonlyargs) + rest


@cache
def _functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_function_has_more_than_seven_parameters() -> None:
    found = [
        f"{where}: {count}"
        for where, function in _functions()
        if (count := _parameters(function)) > MOST_PARAMETERS
    ]
    assert not found, "\n".join(found)


def test_a_unit_of_work_and_its_services_are_one_argument() -> None:
    """A `Transaction` is both."""
    found = []
    for where, function in _functions():
        given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        types = {ast.unparse(one.annotation) for one in given if one.annotation is not None}
        if "Work" in types and types & {"Context", "Desk", "Services"}:
            found.append(where)
    assert not found, "\n".join(found)


def test_a_file_is_seldom_long() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    long = {name: lines for name, lines in lengths.items() if lines > LONG}
    assert len(long) <= LONG_FILES, sorted(long.items(), key=lambda one: -one[1])
    assert max(lengths.values()) <= LONGEST, max(lengths.items(), key=lambda one: one[1])


def test_a_room_has_few_files() -> None:
    found = {room: len([*(ROOT / room).rglob("*.py")]) for room in MOST_FILES}
    assert all(found[room] <= most for room, most in MOST_FILES.items()), found
