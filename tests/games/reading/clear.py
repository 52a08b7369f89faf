"""The kept phrases of a game that are clear: understood as their writers meant them, with nothing
to ask about.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine.ruleset import Standing
from pbem.cases.document import Document, parse_case
from pbem.cases.runner import Prepared, prepare, problem_codes
from pbem.grammar.house.parsing import hear
from pbem.grammar.kit.reading import Reading
from tests.played import GAMES

HERE = Path(__file__).parent.parent
FOLDERS = {
    path.parent.parent.name: path
    for path in sorted(HERE.glob("*/reading/phrases"))
    if path.is_dir()
}
"""Where the phrases of each game are kept."""
Told = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Phrase:
    """What somebody wrote, with the table that it was said at."""

    name: str
    text: str
    player: str
    means: tuple[str, ...]
    table: Prepared

    @property
    def number(self) -> int:
        """Of its player."""
        return self.table.cases.names_of(self.table.state)[self.player]

    @property
    def standing(self) -> Standing[Any]:
        """What stands of its player already."""
        return self.table.standings.get(self.number, Standing())

    def reading(self, text: str) -> Reading:
        """What a text comes to that is said in its place."""
        table = self.table
        reading = table.cases.read(table.state, self.number, self.standing, hear(text))
        assert isinstance(reading, Reading)
        return reading

    def read(self, text: str) -> Told:
        """What stands of a text that is said in its place, in order, and the codes of the rest."""
        return self.told_of(self.reading(text))

    def told_of(self, reading: Reading) -> Told:
        """What stands of what was read, and the codes of the rest."""
        table = self.table
        accepted = reading.checked.accepted if reading.checked is not None else ()
        means = sorted(table.rules.format_order(table.state, order) for order in accepted)
        refused, warned = problem_codes(reading)
        return tuple(means), tuple(dict.fromkeys((*refused, *warned)))

    @property
    def is_clear(self) -> bool:
        return bool(self.means) and self.read(self.text) == (self.means, ())


def phrases_of(game: str) -> Iterator[Phrase]:
    """All that are to be recorded without a question, whether they are or not."""
    for file in sorted(FOLDERS[game].rglob("*.yaml")):
        for told in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader):
            table = None
            for number, phrase in enumerate((told or {}).get("read", ()), 1):
                if phrase["problems"] or not phrase["means"]:
                    continue
                table = table or _table(file, told)
                yield Phrase(
                    f"{told['id']}.{number}",
                    phrase["text"],
                    phrase["as"],
                    tuple(sorted(phrase["means"])),
                    table,
                )


def _table(file: Path, told: dict[str, Any]) -> Prepared:
    """The position that a file's phrases are said in."""
    said = {"as": told["read"][0]["as"], "text": "", "means": [], "problems": []}
    position = {key: value for key, value in told["position"].items() if key != "eliminated"}
    return prepare(
        parse_case(Document(file.name, 1, {**told, "position": position, "read": [said]}, {})),
        GAMES,
    )
