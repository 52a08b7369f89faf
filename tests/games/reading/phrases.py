"""Phrases of all games in their positions: those that are kept, and those of people who had seen no
reader.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine.ruleset import Standing
from pbem.cases.document import Document, parse_case
from pbem.cases.runner import Prepared, prepare
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.reading import Reading
from tests.played import GAMES
from tests.rings import some_of


@dataclass(frozen=True)
class Phrase:
    """What somebody wrote, where, and what was meant (None: that is told elsewhere)."""

    at: Prepared
    name: str
    text: str
    told: Mapping[str, Any]

    @property
    def player(self) -> int:
        return self.at.cases.names_of(self.at.state)[self.name]

    @property
    def standing(self) -> Standing[Any]:
        return self.at.standings.get(self.player, Standing())

    def read(self) -> Reading:
        return read_alone(self.at.game.read, self.at.state, self.player, self.standing, self.text)


def _prepared(case: Mapping[str, Any]) -> Prepared:
    position = {key: value for key, value in case["position"].items() if key != "eliminated"}
    reads = [{"as": told["as"], "text": told["text"]} for told in case["read"]]
    whole = {**case, "position": position, "read": reads}
    return prepare(parse_case(Document("phrases", 1, whole, {})), GAMES)


def kept_phrases(folder: Path, least: int) -> Iterator[Phrase]:
    """Of a game, from all its files."""
    for file in sorted((folder / "phrases").rglob("*.yaml")):
        for case in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader):
            if case:
                at = _prepared(case)
                for told in some_of(case["read"], least):
                    yield Phrase(at, told["as"], told["text"], told)


def strangers(folder: Path) -> Iterator[Phrase]:
    """Phrases of people who had seen no reader."""
    kept = yaml.load((folder / "strangers.yaml").read_text("utf-8"), yaml.CSafeLoader)
    for told in kept["phrases"]:
        name, place = told.get("as", kept["as"]), told.get("at", kept["at"])
        yield _placed(kept, place, name, told["text"], told)


def _placed(
    kept: Mapping[str, Any], place: str, name: str, text: str, told: Mapping[str, Any] | None = None
) -> Phrase:
    case = {"id": place, "ruleset": kept["ruleset"], "options": {}, **kept["positions"][place]}
    return Phrase(_prepared({**case, "read": [{"as": name, "text": text}]}), name, text, told or {})


def read_at(folder: Path, place: str, name: str, text: str) -> Reading:
    """What a text comes to in a position of the strangers."""
    kept = yaml.load((folder / "strangers.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return _placed(kept, place, name, text).read()


def shown_of(reading: Reading) -> tuple[list[str], list[str]]:
    """What is offered, and the lines to copy."""
    items = reading.items
    offered = [item.suggestion.text for item in items if item.suggestion is not None]
    return offered, [item.example for item in items if item.example]
