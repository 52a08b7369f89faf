"""The files that a game is written in: its code and its templates."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from engine.ruleset import Facts
from pbem.game import Game

_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\s*\(")
_HOUSES = {"engine": 2, "pbem": 3}
"""How many parts the name of a game's package has within the house; other people's have one."""
_SHARED = "game"
"""Where the usual templates are."""


@dataclass(frozen=True, slots=True)
class Named:
    """Something that the sources name, with the file and the line."""

    name: str
    place: str


@dataclass(frozen=True)
class Sources:
    """Everything that was written for one game."""

    game: Game

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The packages of its rules and of its pages, often the same."""
        parts = (type(self.game.ruleset), type(self.game.pages))
        return tuple(dict.fromkeys(_package_of(part.__module__) for part in parts))

    @cached_property
    def code(self) -> tuple[Path, ...]:
        return tuple(file for package in self.packages for file in _files(package, "*.py"))

    @cached_property
    def templates(self) -> tuple[Path, ...]:
        """Its own templates."""
        name = self.game.pages.package
        house = tuple(_files("templates", f"{name}/**/*.j2"))
        return house or tuple(_files(name, "templates/**/*.j2"))

    @cached_property
    def macros(self) -> frozenset[str]:
        """The macros of its pages and of the usual ones."""
        shared = tuple(_files("templates", f"{_SHARED}/**/*.j2"))
        pages = [file for file in (*self.templates, *shared) if file.parent.name != "board"]
        found = (_MACRO.findall(file.read_text("utf-8")) for file in pages)
        return frozenset(name for names in found for name in names)

    def events(self) -> Iterator[Named]:
        """The kinds of events that it knows."""
        for kind in _below(Facts):
            if _package_of(kind.__module__) in self.packages:
                yield Named(str(kind.__struct_config__.tag), f"{kind.__module__}.{kind.__name__}")

    def codes(self) -> Iterator[Named]:
        """The codes of problems that its code spells out."""
        for file in self.code:
            for node in ast.walk(ast.parse(file.read_text("utf-8"), str(file))):
                code = _code_of(node)
                if code is not None:
                    yield Named(code, f"{file}:{getattr(node, 'lineno', 0)}")

    def rules(self) -> Iterator[Named]:
        """The IDs of rules that its code and its templates cite."""
        cited = re.compile(rf"\b{re.escape(self.game.book.prefix)}-[A-Z]?\d+(?:\.\d+)*")
        for file in (*self.code, *self.templates):
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                for rule in cited.findall(line):
                    yield Named(rule, f"{file}:{number}")


def _package_of(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[: _HOUSES.get(parts[0], 1)])


def _files(package: str, pattern: str) -> Iterator[Path]:
    folder = Path(str(files(package)))
    yield from sorted(folder.rglob(pattern) if "/" not in pattern else folder.glob(pattern))


def _below(kind: type[Facts]) -> Iterator[type[Facts]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _code_of(node: ast.AST) -> str | None:
    """The code of a problem that this makes, if it is spelt out there."""
    if not isinstance(node, ast.Call):
        return None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name != "Problem":
        return None
    said = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "code")]
    match said:
        case [ast.Constant(value=str(code)), *_]:
            return code
    return None
