"""Finds what reads text in the project, by walking its code: every compiled pattern and every
function that takes a text apart.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import engine
import pbem
import templates
import workers
from engine.ruleset import Standing
from pbem.grammar.house.reading import read_alone
from tests.growth.samples import SAMPLES, TEXTS, games, positions

ROOTS = ("pbem", "engine", "workers", "templates")
_VERBS = frozenset(
    "parse read split find take is has wants wishes opens begins named alias put tidy normalise fold survey drop decode new words why "
    "unheard message cut without open opening closed head clauses sentences lexemes plain unflow judge check grade readable nearest held "
    "old master signed flatten finality strikes strip skeleton called utf16 length escape answer slug propose".split()
)
_SCANS = frozenset({"search", "sub", "subn", "finditer", "findall", "split"})
_WAYS = _SCANS | {"match", "fullmatch"}
_NAMES_A_WAY = re.compile(rf"\.(?:{'|'.join(sorted(_WAYS - {'split'}))}|split\(|compile)\b")
_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, the name it is found by, and the ways in which it is asked: `match`, `fullmatch`,
    `scan`.
    """

    name: str
    pattern: re.Pattern[Any]
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parser:
    """A function over a text: `read` calls it with everything else that it needs. The windows of a
    game read with the same words, and share the attacks: each gets those of its `turn`.
    """

    name: str
    module: str
    read: Callable[[str], object]
    turn: int | None = None


@cache
def modules() -> tuple[types.ModuleType, ...]:
    found = []
    for package in (pbem, engine, workers, templates):
        for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in entry.name and not entry.name.endswith("__main__"):
                found.append(importlib.import_module(entry.name))
    return tuple(found)


def patterns() -> Iterator[Found]:
    """Those that lie in modules, classes, tables and objects of ours; and those that a function
    compiles.
    """
    seen: set[int] = set()
    for module in modules():
        for name, value in list(vars(module).items()):
            for path, pattern, said in _within(value, f"{module.__name__}.{name}", _DEPTH):
                if id(pattern) not in seen:
                    seen.add(id(pattern))
                    yield Found(path, pattern, _told(said) or _ways(module.__name__, name))
        for path, pattern, way in _compiled_in(module):
            yield Found(path, pattern, (way,) if way else ("match", "fullmatch", "scan"))


def _within(
    value: Any, path: str, depth: int, said: frozenset[str] = frozenset()
) -> Iterator[tuple[str, re.Pattern[Any], frozenset[str]]]:
    """Each pattern with its path; `said` is what the module of an object asks of what lies in it."""
    if isinstance(value, re.Pattern):
        yield path, value, said
    elif depth == 0:
        return
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _within(key, f"{path}[key]", depth - 1)
            yield from _within(member, f"{path}[{str(key)[:30]}]", depth - 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for number, member in enumerate(value):
            yield from _within(member, f"{path}[{number}]", depth - 1)
    elif _is_ours(value if isinstance(value, type) else type(value)):
        slots = getattr(value, "__slots__", ()) if not isinstance(value, type) else ()
        for name, member in {
            **getattr(value, "__dict__", {}),
            **{slot: getattr(value, slot, None) for slot in slots},
        }.items():
            if isinstance(member, (re.Pattern, dict, list, tuple)) or _is_ours(type(member)):
                asked = _asked(type(value).__module__) if not isinstance(value, type) else {}
                ways = (
                    frozenset(asked.get(name, ()))
                    if isinstance(member, re.Pattern)
                    else frozenset()
                )
                yield from _within(member, f"{path}.{name}", depth - 1, ways)


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ROOTS


@cache
def _tree(module: str) -> ast.Module:
    """Nothing of a module that names no method of patterns."""
    file = importlib.import_module(module).__file__
    source = Path(file).read_text(encoding="utf-8") if file else ""
    return ast.parse(source) if _NAMES_A_WAY.search(source) else ast.Module([], [])


@cache
def _asked(module: str) -> dict[str, set[str]]:
    """The names in a module on which a method of patterns is called, and which; "" for what has no
    name.
    """
    found: dict[str, set[str]] = {}
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and node.attr in _WAYS:
            value: ast.expr = node.value
            while isinstance(value, ast.Subscript):
                value = value.value
            name = (
                value.id
                if isinstance(value, ast.Name)
                else value.attr
                if isinstance(value, ast.Attribute)
                else ""
            )
            found.setdefault(name, set()).add(node.attr)
    return found


def _ways(module: str, name: str) -> tuple[str, ...]:
    """How a pattern of this name is asked, in its own module and those that import it; where nobody
    can tell, in every way.
    """
    said = set(_asked(module).get(name, ())) | _asked_elsewhere().get(name, set())
    if not said:  # a table: its patterns go by the name of some variable
        own = {
            way
            for key, ways in _asked(module).items()
            if key not in vars(importlib.import_module(module))
            for way in ways - {"split"}
        }
        said = own or set(_WAYS)
    return _told(said)


def _told(said: set[str] | frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(said & {"match", "fullmatch"})) + (("scan",) if said & _SCANS else ())


@cache
def _asked_elsewhere() -> dict[str, set[str]]:
    """What is asked of a name in the modules that import it."""
    found: dict[str, set[str]] = {}
    for other in modules():
        asked = _asked(other.__name__)
        for node in ast.walk(_tree(other.__name__)) if asked else ():
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found.setdefault(alias.name, set()).update(asked.get(alias.name, ()))
    return found


def _compiled_in(module: types.ModuleType) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """`re.sub(r"...", ...)` and the like: where the pattern needs nothing but what the module
    knows.
    """
    functions = [
        node
        for node in ast.walk(_tree(module.__name__))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for node in {node: None for function in functions for node in ast.walk(function)}:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if not (
            isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _WAYS | {"compile"}
        ):
            continue
        local = (
            {name.id for name in ast.walk(node.args[0]) if isinstance(name, ast.Name)}
            - vars(module).keys()
            - {"sorted", "len", "map"}
        )
        if local or isinstance(node.args[0], ast.Name):
            continue
        # our own source
        source = eval(compile(ast.Expression(node.args[0]), "pattern", "eval"), dict(vars(module)))  # noqa: S307
        is_folded = any(
            isinstance(part, ast.Attribute) and part.attr == "IGNORECASE" for part in ast.walk(node)
        )
        way = (
            ""
            if node.func.attr == "compile"
            else "scan"
            if node.func.attr in _SCANS
            else node.func.attr
        )
        yield (
            f"{module.__name__}:{node.lineno}",
            re.compile(source, re.IGNORECASE if is_folded else 0),
            way,
        )


def parsers() -> Iterator[Parser]:
    """Every public function of ours that takes a text apart, as its name says, and what its games
    read with.
    """
    for module in modules():
        if module.__name__.startswith(
            ("pbem.demo", "pbem.cli")
        ):  # they read what the service wrote, and what its operator typed
            continue
        for name, value in vars(module).items():
            if (
                inspect.isfunction(value)
                and value.__module__ == module.__name__
                and name.partition("_")[0] in _VERBS
            ):
                reader = _reader(value)
                if reader is not None:
                    yield Parser(f"{module.__name__}.{name}", module.__name__, reader)
    for game, rules in games().items():
        for turn, (kind, state) in enumerate(positions(game).items()):
            standing = Standing(tuple(islice(rules.ruleset.legal(state, 1), 1)))
            yield Parser(
                f"{game}.read[{kind}]",
                rules.read.__module__,
                partial(read_alone, rules.read, state, 1, standing),
                turn,
            )


def _reader(function: Callable[..., object]) -> Callable[[str], object] | None:
    """Calls the function with a text and with samples of whatever else it needs; None: it takes no
    text, or needs what nobody brings.
    """
    if inspect.iscoroutinefunction(function):
        return None
    hints = typing.get_type_hints(function)
    given: dict[str, object] = {}
    text_name, text_of = "", None
    for name, parameter in inspect.signature(function).parameters.items():
        kind = hints.get(name)
        if kind not in SAMPLES:
            kind = typing.get_origin(kind) or kind
        if not text_name and kind in TEXTS:
            text_name, text_of = name, TEXTS[kind]
        elif parameter.default is inspect.Parameter.empty and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            sample = SAMPLES.get(kind) if isinstance(kind, Hashable) else None
            if sample is None:
                return None
            given[name] = sample()
    if text_of is None:
        return None
    make_text = text_of
    return lambda text: function(**{text_name: make_text(text), **given})
