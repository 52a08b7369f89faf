"""What is made for all games knows none of them: no name of a place, card or unit, and no kind of
order. The words come from the orders and the data of the engines.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import msgspec
import pytest
import yaml

from pbem.grammar.kit.common import is_everyday
from pbem.grammar.kit.vocabulary import parse_words
from tests.test_games_apart import ENGINES, ROOT

KIT = ROOT / "pbem" / "grammar" / "kit"
ROOMS = ("pbem/grammar/kit", "pbem/reading", "pbem/pages/kit", "pbem/board")
SMALL = frozenset({"ALWAYS", "FINAL", "THEN"})
"""Kinds that say in any game how an order is meant."""
NAMING = frozenset({"name", "short", "title", "aliases", "great_city"})
"""Keys of data files that hold names."""
_KIND = re.compile(r"\b[A-Z]{2,}\b")


@cache
def orders(game: str) -> frozenset[str]:
    """The words that name a game's kinds of orders."""
    structs = vars(import_module(f"engine.{game}.orders")).values()
    tags = (
        str(one.__struct_config__.tag or "")
        for one in structs
        if isinstance(one, type) and issubclass(one, msgspec.Struct)
    )
    return frozenset(word for tag in tags for word in re.findall("[a-z]{2,}", tag))


@cache
def names(game: str) -> frozenset[str]:
    """The names in a game's data files, each as a whole."""
    data = ROOT / "engine" / game / "data"
    parsed = [*(json.loads(file.read_text("utf-8")) for file in data.glob("*.json"))]
    parsed += (yaml.safe_load(file.read_text("utf-8")) for file in data.glob("*.yaml"))
    return frozenset(name for value in parsed for name in _names_in(value))


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _names_in(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if len(key) > 1 and key[0].isupper():
                yield key
            if key in NAMING:
                yield from [one] if isinstance(one, str) else one or ()
            yield from _names_in(one)


def _pattern(words: Iterator[str], flags: int = 0) -> re.Pattern[str]:
    told = "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or r"(?!)"
    return re.compile(rf"(?<![\w-])(?:{told})(?:s|es|ed|ing)?(?![\w-])", flags)


@cache
def texts() -> dict[str, str]:
    """The files of the rooms, by their paths; licences and fonts are nobody's words."""
    return {
        file.relative_to(ROOT).as_posix(): file.read_text("utf-8")
        for room in ROOMS
        for file in sorted((ROOT / room).rglob("*"))
        if file.suffix in {".py", ".words", ".lark", ".table"}
    }


@pytest.mark.parametrize("game", sorted(ENGINES))
def test_no_text_has_the_words_of_a_game(game: str) -> None:
    """Everyday English is nobody's own (`move`, `hold`), but for the names of places."""
    rare = _pattern(
        (word for word in orders(game) | names(game) if not is_everyday(word.lower())),
        re.IGNORECASE,
    )
    proper = _pattern(name for name in names(game) if not is_everyday(name) and name[0].isupper())
    assert [
        f"{path}:{text.count(chr(10), 0, hit.start()) + 1}: {hit[0]}"
        for path, text in texts().items()
        for pattern in (rare, proper)
        for hit in pattern.finditer(text)
    ] == []


def test_no_code_asks_for_the_order_of_a_game() -> None:
    """A kind of lexeme that is called as an order is told by the game, and named nowhere else."""
    own = {kind for file in KIT.glob("*.words") for kind, _ in parse_words(file)} | {"PLACE"}
    told = {word.upper() for game in ENGINES for word in orders(game)} - own - SMALL
    assert [
        f"{path}:{node.lineno}: {kind}"
        for path, text in texts().items()
        if path.endswith(".py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for kind in _KIND.findall(node.value)
        if kind in told
    ] == []


def test_there_are_words_to_look_for() -> None:
    assert len(texts()) > 60
    assert all(len(orders(game)) > 10 for game in ENGINES)
    assert sum(bool(names(game)) for game in ENGINES) > 2
